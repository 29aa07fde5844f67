#include "corpus/corpus.h"

#include <fmt/format.h>

#include <numeric>

#include "text/vocabulary.h"

namespace idne {

std::string Dropped::text() const {
  std::string result;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count) result += fmt::format("{}{} {}", result.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(unknown_links, "link to an unknown id", "links to unknown ids");
  add(self_links, "self-link", "self-links");
  add(repeated_links, "repeated link", "repeated links");
  add(unknown_members, "group member with an unknown id", "group members with unknown ids");
  add(repeated_members, "repeated group member", "repeated group members");
  add(unreadable_dates, "date that cannot be read", "dates that cannot be read");
  return result.empty() ? "nothing" : result;
}

std::vector<std::filesystem::path> corpus_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const char* name : {"documents.jsonl", "links.tsv", "groups.tsv"}) {
    for (const char* ending : {"", ".gz", ".zst"}) {
      std::error_code none;
      const std::filesystem::path file = folder / fmt::format("{}{}", name, ending);
      if (std::filesystem::exists(file, none)) files.push_back(file);
    }
  }
  return files;
}

Corpus make_corpus(const Collection& collection, const VocabularyRule& rule) {
  std::vector<std::uint32_t> all(collection.ids.size());
  std::iota(all.begin(), all.end(), 0u);
  KeptWords kept = keep_words(collection.tokens, collection.counts, all, rule);
  if (kept.vocabulary.words.size() == 0) {
    throw Error(
        fmt::format("{}: no word occurs at least {} times and in at most {:g} % of the documents; "
                    "try --min-count 1 or --max-share 1",
                    collection.name, rule.min_count, 100 * rule.max_share));
  }
  return {std::move(kept.vocabulary), std::move(kept.counts),
          Network(collection.ids.size(), collection.links, collection.memberships)};
}

}  // namespace idne
