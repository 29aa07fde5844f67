#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "corpus/corpus.h"
#include "corpus/document_line.h"
#include "corpus/lines.h"
#include "corpus/word_reading.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// `folder/name`, or the same with .gz or .zst; empty if none is there.
fs::path find_file(const fs::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz", ".zst"}) {
    if (const fs::path path = folder / (name + ending); fs::exists(path)) return path;
  }
  return {};
}

/// A link or membership as it was written: the other end is still an id, and the line is kept for error messages.
struct Mention {
  std::uint32_t document;
  std::uint32_t name;
  std::uint64_t line;
};

/// The documents of one block; numbers are local to it. The last may be half there if its line is faulty.
struct DocumentBlock {
  std::vector<std::string> ids, titles;
  std::vector<std::int64_t> dates;
  std::vector<std::uint64_t> lines;
  std::vector<std::int64_t> digests;
  std::vector<std::uint64_t> unreadable_dates;  ///< their lines
  BlockWords words;
  StringTable labels, link_ids, groups;
  Lists document_labels;
  std::vector<Mention> links, memberships;
};

void parse_documents(const Block& block, Worker& worker, const std::string& file, const WordReading& words,
                     DocumentBlock& result) {
  constexpr std::uint32_t kNobody = ~0u;
  std::vector<std::uint32_t> last_with;  // for each label, the document that was last seen with it
  for_each_line(block, [&](std::string_view text_line, std::uint64_t number) {
    const DocumentLine line(worker.parser, text_line, file, number);
    const auto document = static_cast<std::uint32_t>(result.ids.size());
    const std::string_view id = line.string("id", true), text = line.string("text", true);
    if (id.empty()) line.fail("\"id\" is empty; every document needs an id of its own");
    const std::string_view title = line.string("title", false);
    result.ids.emplace_back(id);
    result.titles.push_back(shown_title(title, text));
    result.digests.push_back(digest_of(text));
    result.lines.push_back(number);
    const std::optional<std::int64_t> date = line.date();
    if (!date) result.unreadable_dates.push_back(number);
    result.dates.push_back(date.value_or(0));
    words.read(text, worker.tokenizer, result.words);
    line.strings("labels", [&](std::string_view text_of_label) {
      const std::uint32_t label = result.labels.add(text_of_label);
      if (label == last_with.size()) last_with.push_back(kNobody);
      if (std::exchange(last_with[label], document) != document) {
        result.document_labels.values.push_back(static_cast<std::int32_t>(label));
      }
    });
    result.document_labels.end_row();
    line.strings("links", [&](std::string_view to) {
      result.links.push_back({document, result.link_ids.add(to), number});
    });
    line.strings("groups", [&](std::string_view group) {
      result.memberships.push_back({document, result.groups.add(group), number});
    });
  });
}

/// A link or membership between numbered things, and where it was written.
struct Edge {
  std::uint32_t a, b;
  float weight;
  bool in_documents;  ///< written in the documents file, not in a TSV
  std::uint64_t line;
  std::uint8_t owners = 0;  ///< as Collection::link_owners has it
};

/// Gathers the collection; knows which files it came from.
class Reader {
 public:
  Reader(const fs::path& path, const ReadOptions& options, const Run& run)
      : options_(options), run_(run), documents_file_(documents_file(path)) {
    collection_.name = path.string();
    if (fs::is_directory(path)) {
      links_file_ = find_file(path, "links.tsv");
      groups_file_ = find_file(path, "groups.tsv");
    }
  }

  Collection read() && {
    read_documents();
    resolve_mentions();
    if (!links_file_.empty()) read_links();
    if (!groups_file_.empty()) read_groups();
    collection_.links = distinct<Link>(links_, links_file_, "a repeated link", collection_.dropped.repeated_links,
                                       collection_.link_owners);
    collection_.memberships = distinct<Membership>(memberships_, groups_file_, "a repeated membership",
                                                   collection_.dropped.repeated_members, collection_.own_memberships);
    return std::move(collection_);
  }

 private:
  void read_documents() {
    WordReading words(options_);
    const std::string file = documents_file_.string();
    for_each_block<DocumentBlock>(
        documents_file_, "reading documents", run_,
        [&](const Block& block, Worker& worker, DocumentBlock& result) {
          parse_documents(block, worker, file, words, result);
        },
        [&](DocumentBlock&& block) {
          join(block, file);
          words.join(std::move(block.words));
        });
    if (collection_.ids.size() == 0) throw Error(file + ": no documents; one JSON object per line is needed");
    std::move(words).finish(collection_);
  }

  void join(DocumentBlock& block, const std::string& file) {
    Collection& c = collection_;
    const auto first = static_cast<std::uint32_t>(c.ids.size());
    for (std::size_t i = 0; i < block.ids.size(); ++i) {
      if (c.ids.add(block.ids[i]) != first + i) {
        throw Error(file, block.lines[i],
                    fmt::format("the id \"{}\" was there already; ids must differ", block.ids[i]));
      }
      c.titles.push_back(std::move(block.titles[i]));
    }
    c.dates.insert(c.dates.end(), block.dates.begin(), block.dates.end());
    c.digests.insert(c.digests.end(), block.digests.begin(), block.digests.end());
    for (const std::uint64_t line : block.unreadable_dates) {
      drop(documents_file_, line, "a date that cannot be read; YYYY, YYYY-MM or YYYY-MM-DD is needed",
           c.dropped.unreadable_dates);
    }
    const auto numbers = [](const StringTable& local, StringTable& global) {
      std::vector<std::uint32_t> map;
      for (const std::string_view text : local.strings()) map.push_back(global.add(text));
      return map;
    };
    const auto labels = numbers(block.labels, c.labels);
    const auto ids = numbers(block.link_ids, link_ids_), groups = numbers(block.groups, c.groups);
    for (std::size_t i = 0; i < block.document_labels.rows(); ++i) {
      for (const std::int32_t label : block.document_labels.row(i)) {
        c.document_labels.values.push_back(static_cast<std::int32_t>(labels[static_cast<std::size_t>(label)]));
      }
      c.document_labels.end_row();
    }
    for (const Mention& m : block.links) link_mentions_.push_back({m.document + first, ids[m.name], m.line});
    for (const Mention& m : block.memberships) {
      memberships_.push_back({m.document + first, groups[m.name], 1, true, m.line, Collection::kByFirst});
    }
  }

  /// What would be dropped: counted, or with --strict an error.
  void drop(const fs::path& file, std::uint64_t line, const std::string& what, std::uint64_t& count) const {
    if (options_.strict) throw Error(file.string(), line, what);
    ++count;
  }

  void resolve_mentions() {
    for (const Mention& m : link_mentions_) {
      add_link(m.document, number_of(link_ids_[m.name]), link_ids_[m.name],
               {0, 0, 1, true, m.line, Collection::kByFirst}, documents_file_);
    }
    link_mentions_ = {};
    link_ids_ = {};
  }

  /// The number of a document; where those outside are kept, a new one for each of them.
  std::optional<std::uint32_t> number_of(std::string_view id) {
    const auto found = collection_.ids.find(id);
    if (found || !options_.keep_outside) return found;
    return static_cast<std::uint32_t>(collection_.ids.size()) + collection_.outside.add(id);
  }

  void add_link(std::optional<std::uint32_t> a, std::optional<std::uint32_t> b, std::string_view name, Edge edge,
                const fs::path& file) {
    if (!a || !b) {
      drop(file, edge.line, fmt::format("a link to the unknown id \"{}\"", name), collection_.dropped.unknown_links);
    } else if (*a == *b) {
      drop(file, edge.line, fmt::format("a link from \"{}\" to itself", collection_.id_of(*a)),
           collection_.dropped.self_links);
    } else {
      edge.a = std::min(*a, *b), edge.b = std::max(*a, *b);
      if (edge.in_documents && *a > *b) edge.owners = Collection::kBySecond;
      links_.push_back(edge);
    }
  }

  /// A line of a TSV file, its ids looked up.
  struct Row {
    std::optional<std::uint32_t> first, second;
    std::string first_id, second_id;  ///< those that no document has
    std::string group;
    float weight = 1;
    std::uint64_t line = 0;
  };

  static std::vector<std::string_view> fields(std::string_view line) {
    std::vector<std::string_view> result;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      result.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return result;
  }

  Row link_row(std::string_view text, const std::string& file, std::uint64_t line) const {
    const auto part = fields(text);
    if (part.size() < 2 || part.size() > 3 || part[0].empty() || part[1].empty()) {
      throw Error(file, line, "two ids with a tab between them, and perhaps a tab and a weight, are needed");
    }
    Row row{collection_.ids.find(part[0]), collection_.ids.find(part[1]), {}, {}, {}, 1, line};
    if (!row.first) row.first_id = part[0];
    if (!row.second) row.second_id = part[1];
    if (part.size() == 3) {
      const auto [end, error] = std::from_chars(part[2].data(), part[2].data() + part[2].size(), row.weight);
      if (error != std::errc() || end != part[2].data() + part[2].size() || !std::isfinite(row.weight) ||
          row.weight <= 0) {
        throw Error(file, line, fmt::format("the weight \"{}\" must be a number above 0", part[2]));
      }
    }
    return row;
  }

  Row group_row(std::string_view text, const std::string& file, std::uint64_t line) const {
    const auto part = fields(text);
    if (part.size() != 2 || part[0].empty() || part[1].empty()) {
      throw Error(file, line, "an id and a group with a tab between them are needed");
    }
    Row row{collection_.ids.find(part[0]), {}, {}, {}, std::string(part[1]), 1, line};
    if (!row.first) row.first_id = part[0];
    return row;
  }

  using RowParser = Row (Reader::*)(std::string_view, const std::string&, std::uint64_t) const;
  void read_rows(const fs::path& path, std::string_view stage, RowParser parse,
                 const std::function<void(Row&&)>& take) {
    const std::string file = path.string();
    for_each_block<std::vector<Row>>(
        path, stage, run_,
        [&](const Block& block, Worker&, std::vector<Row>& rows) {
          for_each_line(block, [&](std::string_view text, std::uint64_t line) {
            rows.push_back((this->*parse)(text, file, line));
          });
        },
        [&](std::vector<Row>&& rows) {
          for (Row& row : rows) take(std::move(row));
        });
  }

  void read_links() {
    read_rows(links_file_, "reading links", &Reader::link_row, [&](Row&& row) {
      if (options_.keep_outside && !row.first) row.first = number_of(row.first_id);
      if (options_.keep_outside && !row.second) row.second = number_of(row.second_id);
      add_link(row.first, row.second, row.first_id.empty() ? row.second_id : row.first_id,
               {0, 0, row.weight, false, row.line, Collection::kByFile}, links_file_);
    });
  }

  void read_groups() {
    read_rows(groups_file_, "reading groups", &Reader::group_row, [&](Row&& row) {
      if (!row.first && options_.keep_outside) row.first = number_of(row.first_id);
      if (row.first) {
        memberships_.push_back(
            {*row.first, collection_.groups.add(row.group), 1, false, row.line, Collection::kByFile});
      } else {
        drop(groups_file_, row.line, fmt::format("a member with the unknown id \"{}\"", row.first_id),
             collection_.dropped.unknown_members);
      }
    });
  }

  /// Sorted by their ends, the first of each kept.
  template <class Kept>
  std::vector<Kept> distinct(std::vector<Edge>& edges, const fs::path& tsv, const std::string& what,
                             std::uint64_t& repeats, std::vector<std::uint8_t>& owners) {
    const auto same = [](const Edge& x, const Edge& y) { return x.a == y.a && x.b == y.b; };
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Edge& x, const Edge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    std::vector<Kept> kept;
    kept.reserve(edges.size());
    const Edge* first_repeat = nullptr;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k > 0 && same(edges[k - 1], edges[k])) {
        ++repeats;
        owners.back() |= edges[k].owners;
        const auto place = [](const Edge& e) { return std::pair(!e.in_documents, e.line); };
        if (!first_repeat || place(edges[k]) < place(*first_repeat)) first_repeat = &edges[k];
        continue;
      }
      owners.push_back(edges[k].owners);
      if constexpr (std::is_same_v<Kept, Link>) {
        kept.push_back({edges[k].a, edges[k].b, edges[k].weight});
      } else {
        kept.push_back({edges[k].a, edges[k].b});
      }
    }
    if (options_.strict && first_repeat) {
      throw Error((first_repeat->in_documents ? documents_file_ : tsv).string(), first_repeat->line, what);
    }
    edges = {};
    return kept;
  }

  const ReadOptions& options_;
  const Run& run_;
  fs::path documents_file_, links_file_, groups_file_;
  Collection collection_;
  StringTable link_ids_;
  std::vector<Mention> link_mentions_;
  std::vector<Edge> links_, memberships_;
};

}  // namespace

fs::path documents_file(const fs::path& path) {
  if (!fs::exists(path)) throw Error(path.string() + ": no such file or folder");
  if (!fs::is_directory(path)) return path;
  const fs::path file = find_file(path, "documents.jsonl");
  if (file.empty()) throw Error(path.string() + ": no documents.jsonl (nor .gz, .zst) in this folder");
  return file;
}

Collection read_collection(const fs::path& path, const ReadOptions& options, const Run& run) {
  return Reader(path, options, run).read();
}

}  // namespace idne
