#include "idne/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "corpus/corpus.h"
#include "text/numbers.h"

namespace idne {
namespace {

constexpr double kCrowded = 0.25;  // of all documents: links of one, members of a group
constexpr std::uint64_t kCrowdedAmong = 20;

bool more_than(std::uint64_t count, double share, std::uint64_t all) {
  return static_cast<double>(count) > share * static_cast<double>(all);
}

Spread spread_of(std::vector<std::uint64_t> values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  for (const std::uint64_t value : values) spread.mean += static_cast<double>(value) / count;
  for (const std::uint64_t value : values) {
    const double apart = static_cast<double>(value) - spread.mean;
    spread.deviation += apart * apart / count;
  }
  spread.deviation = std::sqrt(spread.deviation);
  std::sort(values.begin(), values.end());
  const auto at = [&](std::size_t tenths) { return values[(values.size() - 1) * tenths / 10]; };
  spread.least = values.front();
  spread.median = at(5);
  spread.nine_tenths = at(9);
  spread.most = values.back();
  return spread;
}

/// Which documents hang together.
class Components {
 public:
  explicit Components(std::size_t documents) : parent_(documents), size_(documents, 1) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = a;
    size_[a] += size_[b];
  }
  void count(CorpusCheck& check) {
    for (std::uint32_t i = 0; i < parent_.size(); ++i) {
      if (parent_[i] != i) continue;
      ++check.components;
      check.largest_component = std::max<std::uint64_t>(check.largest_component, size_[i]);
    }
  }

 private:
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  std::vector<std::uint32_t> parent_, size_;
};

void check_degrees(std::vector<std::uint64_t> degree, const Collection& collection, CorpusCheck& check) {
  const auto largest = std::max_element(degree.begin(), degree.end());
  if (*largest > 0) check.best_connected = collection.ids[static_cast<std::size_t>(largest - degree.begin())];
  // In a large group all have many links, and it is the group that is at fault.
  if (check.documents >= kCrowdedAmong && !more_than(check.largest_group, kCrowded, check.documents)) {
    for (std::size_t i = 0; i < degree.size(); ++i) {
      if (more_than(degree[i], kCrowded, check.documents)) check.crowded_ids.emplace_back(collection.ids[i]);
    }
  }
  check.degrees.resize(1 + static_cast<std::size_t>(std::bit_width(*largest)));
  for (std::size_t n = 0; n < check.degrees.size(); ++n) {
    check.degrees[n] = n == 0 ? DegreeRange{0, 0, 0} : DegreeRange{1ull << (n - 1), (1ull << (n - 1)) * 2 - 1, 0};
  }
  check.degrees.back().most = *largest;
  for (const std::uint64_t links : degree) ++check.degrees[static_cast<std::size_t>(std::bit_width(links))].documents;
  check.isolated = check.degrees[0].documents;
  check.degree = spread_of(std::move(degree));
}

void check_network(const Collection& collection, CorpusCheck& check) {
  std::vector<std::uint64_t> degree(check.documents), group_size;
  Components components(check.documents);
  for (const Link& link : collection.links) {
    ++degree[link.a], ++degree[link.b];
    components.join(link.a, link.b);
  }
  std::vector<std::uint32_t> first_member;
  for (const Membership& member : collection.memberships) {
    if (member.group >= group_size.size()) group_size.resize(member.group + 1), first_member.resize(member.group + 1);
    if (group_size[member.group]++ == 0) first_member[member.group] = member.document;
    components.join(member.document, first_member[member.group]);
  }
  for (const Membership& member : collection.memberships) degree[member.document] += group_size[member.group] - 1;
  check.memberships = collection.memberships.size();
  for (const std::uint64_t size : group_size) {
    check.groups += size > 0;
    check.largest_group = std::max(check.largest_group, size);
  }
  check.links = std::accumulate(degree.begin(), degree.end(), std::uint64_t{0}) / 2;
  const auto documents = static_cast<double>(check.documents);
  if (check.documents > 1) check.density = static_cast<double>(check.links) / (documents * (documents - 1) / 2);
  components.count(check);
  check_degrees(std::move(degree), collection, check);
}

/// Documents whose words, each as often, are those of a document before.
void check_repeats(const Collection& collection, CorpusCheck& check, const Run& run) {
  // Rows are in the order in which words came, which may differ between documents with the same words.
  const auto sorted = [&](std::uint32_t document) {
    const auto row = collection.counts.row(document);
    std::vector<WordCount> words(row.begin(), row.end());
    std::sort(words.begin(), words.end(), [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
    return words;
  };
  std::unordered_multimap<std::size_t, std::uint32_t> before;
  for (std::uint32_t i = 0; i < check.documents; ++i) {
    if (i % 1024 == 0) run.check();
    const std::vector<WordCount> words = sorted(i);
    if (words.empty()) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(WordCount));
    const std::size_t hash = std::hash<std::string_view>()(bytes);
    const auto [begin, end] = before.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) { return sorted(entry.second) == words; });
    if (same == end) {
      before.emplace(hash, i);
    } else {
      check.repeated_ids.emplace_back(collection.ids[i]);
      if (check.repeated++ > 0) continue;
      check.repeated_example = collection.ids[i];
      check.repeated_of = collection.ids[same->second];
    }
  }
}

void check_words(const Collection& collection, const VocabularyRule& rule, CorpusCheck& check) {
  const CorpusWords words = words_of(collection, rule);
  const KeptWords& kept = words.kept;
  check.tokens = collection.tokens.size();
  check.vocabulary = kept.vocabulary.words.size();
  std::vector<std::uint64_t> total(collection.tokens.size()), lengths;
  for (std::uint32_t i = 0; i < check.documents; ++i) {
    for (const WordCount& entry : collection.counts.row(i)) total[entry.word] += entry.count;
    if (collection.counts.row(i).empty()) {
      ++check.empty;
      check.empty_ids.emplace_back(collection.ids[i]);
    }
    lengths.push_back(kept.counts.length(i));
    check.wordless += lengths.back() == 0;
  }
  for (const std::uint64_t count : total) check.too_rare += count < rule.min_count;
  check.too_frequent = check.tokens - check.vocabulary - check.too_rare;
  check.all_words = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  check.words = spread_of(std::move(lengths));
}

void check_labels(const Collection& collection, CorpusCheck& check) {
  std::vector<std::uint64_t> documents(collection.labels.size()), labels;
  for (std::size_t i = 0; i < check.documents; ++i) {
    const auto row = collection.document_labels.row(i);
    for (const std::int32_t label : row) ++documents[static_cast<std::size_t>(label)];
    labels.push_back(row.size());
    check.unlabelled += row.empty();
    check.several_labels += row.size() > 1;
  }
  check.labels = documents.size();
  for (const std::uint64_t count : documents) {
    check.rare_labels += count < kFewDocuments;
    check.largest_label = std::max(check.largest_label, count);
  }
  check.labels_per_document = spread_of(std::move(labels));
}

/// "412 of 2,211 documents".
std::string some_documents(std::uint64_t count, const CorpusCheck& check) {
  return fmt::format("{} of {} documents", with_commas(count), with_commas(check.documents));
}

const char* have(std::uint64_t count) { return count == 1 ? "has" : "have"; }

/// " (“a”, “b”, “c” and 4 more)".
std::string some_of(const std::vector<std::string>& ids) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(kNamed, ids.size()); ++k) text += fmt::format("{}\"{}\"", k ? ", " : "", ids[k]);
  return ids.size() > kNamed ? fmt::format("{} and {} more", text, with_commas(ids.size() - kNamed)) : text;
}

class Findings {
 public:
  explicit Findings(const CorpusCheck& check) : check_(check) {}

  void about_words() {
    const CorpusCheck& c = check_;
    if (c.vocabulary == 0) {
      add("no word is kept", "nothing can be learned; try --min-count 1 or --max-share 1");
    } else if (c.vocabulary < 100) {
      add(fmt::format("only {} kept", counted(c.vocabulary, "word is", "words are")),
          "try a smaller --min-count or a larger --max-share");
    }
    if (c.empty > 0) {
      add(fmt::format("{} {} no words but stop words: {}", some_documents(c.empty, c), have(c.empty),
                      some_of(c.empty_ids)),
          "they get a zero vector; leave them out (`-o` writes a file for --leave-out), or look whether their texts "
          "were lost");
    }
    if (c.vocabulary > 0 && more_than(c.wordless - c.empty, 0.01, c.documents)) {
      add(fmt::format("{} {} words but none that is kept", some_documents(c.wordless - c.empty, c),
                      have(c.wordless - c.empty)),
          "they get a zero vector; a smaller --min-count keeps more words");
    }
    if (c.vocabulary > 0 && c.words.median < 10) {
      add(fmt::format("half of the documents have at most {}", counted(c.words.median, "kept word", "kept words")),
          "such texts say little; join short ones, or put titles into the text");
    }
    if (more_than(c.repeated, 0.01, c.documents)) {
      add(fmt::format("{} {} the words of one before (\"{}\" those of \"{}\"): {}", some_documents(c.repeated, c),
                      have(c.repeated), c.repeated_example, c.repeated_of, some_of(c.repeated_ids)),
          "repeats make results look better than they are; leave them out (`-o` writes a file for --leave-out)");
    }
  }

  void about_languages() {
    const LanguagesFound& told = check_.languages;
    if (more_than(told.unlisted, 0.05, check_.documents)) {
      add(fmt::format("{} {} in a script of no language that is known here", some_documents(told.unlisted, check_),
                      told.unlisted == 1 ? "is" : "are"),
          "their function words stay in; list these in a file and give it with --stop-words");
    } else if (more_than(told.foreign, 0.2, told.lengthy)) {
      add(fmt::format("the language of {} is not known here", some_documents(told.foreign, check_)),
          "their function words may stay in; list these in a file and give it with --stop-words");
    }
  }

  void about_links() {
    const CorpusCheck& c = check_;
    if (c.links == 0) {
      add("no links", "the method learns from links; add some, or use --method lsa");
    } else if (more_than(c.isolated, 0.05, c.documents)) {
      add(fmt::format("{} {} no link", some_documents(c.isolated, c), have(c.isolated)),
          "their texts alone place them; if they should have links, look at the ids");
    }
    const std::uint64_t linked = c.documents - c.isolated;
    if (c.links > 0 && !more_than(c.largest_component, 0.5, linked)) {
      add(fmt::format("the largest connected part has {} of the {} documents with links",
                      with_commas(c.largest_component), with_commas(linked)),
          "links say little about what lies apart; look whether many are missing");
    }
    const std::uint64_t unknown = c.dropped.unknown_links + c.dropped.unknown_members;
    if (more_than(unknown, 0.1, c.links + unknown)) {
      add(fmt::format("{} an id that no document has",
                      counted(unknown, "link or member names", "links or members name")),
          "they are dropped; if the documents should be there, look at the ids");
    }
    if (c.documents >= kCrowdedAmong && more_than(c.largest_group, kCrowded, c.documents)) {
      add(fmt::format("the largest group links {} with each other", some_documents(c.largest_group, c)),
          "so large a group tells documents hardly apart; split it or leave it out");
    } else if (!c.crowded_ids.empty()) {
      add(c.crowded_ids.size() == 1
              ? fmt::format("\"{}\" has {} links", c.best_connected, with_commas(c.degree.most))
              : fmt::format("{} have more than {:.0f} links each: {}", some_documents(c.crowded_ids.size(), c),
                            kCrowded * static_cast<double>(c.documents), some_of(c.crowded_ids)),
          "a document linked with so many brings all of them near each other; leave it out (`-o` writes a file for "
          "--leave-out)");
    }
  }

  void about_labels() {
    const CorpusCheck& c = check_;
    if (c.labels == 0) {
      add("no labels", "training needs none; `idne suggest` of labels and two tasks of `idne evaluate` do");
      return;
    }
    if (more_than(c.unlabelled, 0.5, c.documents)) {
      add(fmt::format("{} {} no label", some_documents(c.unlabelled, c), have(c.unlabelled)),
          "`idne evaluate` uses the others only");
    }
    if (more_than(c.rare_labels, 0.1, c.labels)) {
      add(fmt::format("{} of {} {} fewer than {} documents", with_commas(c.rare_labels),
                      counted(c.labels, "label", "labels"), have(c.rare_labels), kFewDocuments),
          "they can hardly be learned; join or drop them");
    }
    if (c.labels == 1) {
      add("there is only one label", "nothing can be told apart by it");
    } else if (more_than(c.largest_label, 0.9, c.documents - c.unlabelled)) {
      add(fmt::format("one label is on {} of the {} with labels", counted(c.largest_label, "document", "documents"),
                      with_commas(c.documents - c.unlabelled)),
          "guessing it is right that often; use finer labels");
    }
  }

  std::vector<Finding> take() && { return std::move(found_); }

 private:
  void add(std::string what, std::string remedy) { found_.push_back({std::move(what), std::move(remedy)}); }

  const CorpusCheck& check_;
  std::vector<Finding> found_;
};

}  // namespace

CorpusCheck check_corpus(const Collection& collection, const VocabularyRule& rule, const Run& run) {
  CorpusCheck check;
  check.documents = collection.ids.size();
  check.dropped = collection.dropped;
  check.languages = collection.languages;
  check_words(collection, rule, check);
  run.check();
  check_repeats(collection, check, run);
  check_network(collection, check);
  check_labels(collection, check);
  return check;
}

std::vector<std::string> leave_out(const CorpusCheck& check) {
  std::vector<std::string> ids = check.empty_ids;
  const auto add = [&](const std::vector<std::string>& more) { ids.insert(ids.end(), more.begin(), more.end()); };
  add(check.repeated_ids);
  const std::unordered_set<std::string_view> before(check.repeated_ids.begin(), check.repeated_ids.end());
  const std::unordered_set<std::string_view> empty(check.empty_ids.begin(), check.empty_ids.end());
  for (const std::string& id : check.crowded_ids) {
    if (!before.contains(id) && !empty.contains(id)) ids.push_back(id);
  }
  return ids;
}

std::vector<Finding> findings(const CorpusCheck& check) {
  Findings found(check);
  found.about_words();
  found.about_languages();
  found.about_links();
  found.about_labels();
  return std::move(found).take();
}

}  // namespace idne
