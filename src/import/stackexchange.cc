#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "idne/import.h"
#include "import/html_text.h"
#include "import/markup_rules.h"
#include "import/pieces.h"
#include "import/spill.h"
#include "import/whole_number.h"
#include "import/xml_rows.h"
#include "text/strings.h"

namespace idne {
namespace {

namespace fs = std::filesystem;
using PostId = std::int64_t;

constexpr std::string_view kPosts = "Posts.xml";

/// "<visa><japan>" of older dumps and "|visa|japan|" of newer ones.
template <class Visit>
void for_each_tag(std::string_view tags, Visit visit) {
  constexpr std::string_view kBetween = "<>| ";
  for (std::size_t begin = tags.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t end = std::min(tags.find_first_of(kBetween, begin), tags.size());
    visit(tags.substr(begin, end - begin));
    begin = tags.find_first_not_of(kBetween, end);
  }
}

/// Texts numbered in the order in which they first came.
class Names {
 public:
  std::uint32_t number(std::string_view name) {
    const auto [found, added] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (added) names_.push_back(&found->first);
    return found->second;
  }
  const std::string& name(std::uint32_t number) const { return *names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> names_;
};

/// Some rows of the file: the posts with enough votes, and counts of the others.
class RowReader : public XmlRowHandler {
 public:
  struct Post {
    PostId id = 0;
    PostId question = 0;  ///< of an answer
    ImportedDocument document;
  };

  explicit RowReader(const StackExchangeOptions& options) : options_(options) {}

  void row(const XmlRow& row) override {
    const auto id = row.number("Id");
    if (!id) return counts_.add("rows without an Id that is a number");
    const auto type = row.number("PostTypeId");
    const bool question = type == 1, answer = type == 2;
    if (!question && !answer) return counts_.add("posts that are neither question nor answer");
    if (row.number("Score").value_or(0) < options_.min_votes) {
      return counts_.add(question ? "questions below --min-votes" : "answers below --min-votes");
    }
    const auto parent = row.number("ParentId");
    if (answer && !parent) return counts_.add("answers that name no question");
    posts_.push_back({*id, answer ? *parent : 0, document(row, *id, answer ? parent : std::nullopt)});
  }
  std::vector<Post>& posts() { return posts_; }
  const ImportCounts& counts() const { return counts_; }

 private:
  /// A question has no parent.
  ImportedDocument document(const XmlRow& row, PostId id, std::optional<PostId> parent) const {
    ImportedDocument post;
    post.id = fmt::format("{}", id);
    post.date = row.text("CreationDate");
    post.text = html_text(row.text("Body"), options_.code);
    if (!parent) {
      post.title = tidy_space(row.text("Title"));
      if (!post.title.empty()) post.text = post.title + "\n" + post.text;
      for_each_tag(row.text("Tags"), [&](std::string_view tag) { post.labels.emplace_back(tag); });
    } else {
      post.links.push_back(fmt::format("{}", *parent));
    }
    // Nobody's posts, and those of user -1, the site's own robot, have no author in common.
    const PostId owner = row.number("OwnerUserId").value_or(0);
    if (owner > 0) post.groups.push_back(fmt::format("user {}", owner));
    return post;
  }

  const StackExchangeOptions& options_;
  std::vector<Post> posts_;
  ImportCounts counts_;
};

/// The posts with enough votes, put aside, and what is known of them.
class Posts {
 public:
  explicit Posts(ImportCounts& counts) : counts_(counts) {}

  void add(RowReader& rows) {
    for (const auto& [what, number] : rows.counts().all()) counts_.add(what, number);
    for (RowReader::Post& post : rows.posts()) {
      if (!ids_.insert(post.id).second) {
        counts_.add("posts with the Id of an earlier post");
        continue;
      }
      if (post.document.links.empty()) {
        add_question(post);
      } else {
        ++answers_[post.question];
      }
      post.document.labels.clear();  // they come back when it is known which ones are kept
      spill_.write(post.document);
    }
  }

  DocumentSpill& spill() { return spill_; }
  const Names& labels() const { return labels_; }
  /// Labels of questions with enough votes.
  const std::unordered_map<PostId, std::vector<std::uint32_t>>& questions() const { return questions_; }
  /// How many answers with enough votes a question has.
  const std::unordered_map<PostId, std::uint32_t>& answers() const { return answers_; }

 private:
  void add_question(const RowReader::Post& post) {
    std::vector<std::uint32_t>& labels = questions_[post.id];
    for (const std::string& tag : post.document.labels) {
      const std::uint32_t label = labels_.number(tag);
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  }

  ImportCounts& counts_;
  Names labels_;
  std::unordered_set<PostId> ids_;
  std::unordered_map<PostId, std::vector<std::uint32_t>> questions_;
  std::unordered_map<PostId, std::uint32_t> answers_;
  DocumentSpill spill_;
};

/// Which labels are kept.
std::vector<bool> top_labels(const Posts& posts, const StackExchangeOptions& options, ImportCounts& counts) {
  const std::size_t all = posts.labels().size();
  if (options.top_labels == 0 || all <= options.top_labels) return std::vector<bool>(all, true);
  std::vector<std::uint64_t> documents(all);
  for (const auto& [id, labels] : posts.questions()) {
    const auto found = posts.answers().find(id);
    if (found == posts.answers().end() && !options.unanswered) continue;
    const std::uint32_t answers = found == posts.answers().end() || !options.answer_labels ? 0 : found->second;
    for (const std::uint32_t label : labels) documents[label] += 1 + answers;
  }
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (documents[a] != documents[b]) return documents[a] > documents[b];
    return posts.labels().name(a) < posts.labels().name(b);
  });
  std::vector<bool> kept(all);
  for (std::size_t n = 0; n < options.top_labels; ++n) kept[order[n]] = true;
  const auto used = static_cast<std::uint64_t>(
      std::count_if(documents.begin(), documents.end(), [](std::uint64_t number) { return number > 0; }));
  if (used > options.top_labels) counts.add("labels left out by --top-labels", used - options.top_labels);
  return kept;
}

/// Why a post that has the votes is left out all the same, if it is.
std::optional<std::string_view> left_out(const Posts& posts, const StackExchangeOptions& options, bool is_question,
                                         PostId question) {
  if (!posts.questions().contains(question)) return "answers whose question is left out or missing";
  if (is_question && !options.unanswered && !posts.answers().contains(question))
    return "questions without an answer that has the votes";
  return {};
}

void write_posts(Posts& posts, const StackExchangeOptions& options, CorpusWriter& out, ImportCounts& counts,
                 const Run& run) {
  const std::vector<bool> kept = top_labels(posts, options, counts);
  constexpr std::size_t kBatch = 1024;
  std::vector<ImportedDocument> some;
  const auto write_some = [&] {
    run.check();
    out.add(some, run.threads);
    some.clear();
  };
  ImportedDocument post;
  posts.spill().rewind();
  for (std::uint64_t done = 0; posts.spill().read(post); ++done) {
    if (done % kBatch == 0) run.report({"writing", done, posts.spill().documents()});
    const bool is_question = post.links.empty();
    const PostId question = *whole_number(is_question ? post.id : post.links[0]);
    if (const auto why = left_out(posts, options, is_question, question)) {
      counts.add(*why);
      continue;
    }
    if (is_question || options.answer_labels) {
      for (const std::uint32_t label : posts.questions().at(question)) {
        if (kept[label]) post.labels.push_back(posts.labels().name(label));
      }
    }
    some.push_back(std::move(post));
    post = {};
    if (some.size() == kBatch) write_some();
  }
  write_some();
}

/// The plain one first. Some unpackers write all names in small letters.
fs::path posts_file(const fs::path& from) {
  std::error_code none;
  if (!fs::is_directory(from, none)) return from;
  std::vector<std::string> endings{""};
  for (const std::string_view ending : packed_endings()) endings.emplace_back(ending);
  for (const std::string& ending : endings) {
    for (const std::string& name : {std::string(kPosts), lower_ascii(kPosts)}) {
      if (fs::exists(from / (name + ending), none)) return from / (name + ending);
    }
  }
  throw Error(fmt::format("{}: has no {}, nor one that is compressed, such as {}.gz", from.string(), kPosts, kPosts));
}

}  // namespace

void import_stackexchange(const fs::path& from, const StackExchangeOptions& options, CorpusWriter& out,
                          ImportCounts& counts, const Run& run) {
  Pieces pieces(posts_file(from), kPosts);
  Posts posts(counts);
  read_xml_rows(
      pieces, {"posts", "row", "the Posts.xml of a Stack Exchange dump"}, "reading", run,
      [&] { return std::make_unique<RowReader>(options); },
      [&](XmlRowHandler& rows) { posts.add(static_cast<RowReader&>(rows)); });
  write_posts(posts, options, out, counts, run);
}

}  // namespace idne
