#include "corpus/corpus.h"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "text/forms.h"

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

CorpusWords words_of(const Collection& collection, const VocabularyRule& rule) {
  std::vector<std::uint32_t> all(collection.ids.size());
  std::iota(all.begin(), all.end(), 0u);
  CorpusWords result{{}, {}, collection.tokens.size()};
  if (!collection.runs.empty()) result.joins = learn_joins(collection.tokens, collection.runs, all, rule.min_count);
  if (result.joins.empty()) {
    result.kept = keep_words(collection.tokens, collection.counts, all, rule);
    return result;
  }
  const JoinedWords joined = join_words(collection.tokens, collection.counts, collection.runs, all, result.joins);
  result.kept = keep_words(joined.tokens, joined.counts, all, rule);
  result.tokens = joined.tokens.size();
  return result;
}

Corpus make_corpus(const Collection& collection, const VocabularyRule& rule) {
  CorpusWords words = words_of(collection, rule);
  const KeptWords& kept = words.kept;
  if (kept.vocabulary.words.size() == 0) {
    throw Error(
        fmt::format("{}: no word occurs at least {} times and in at most {:g} % of the documents; "
                    "try --min-count 1 or --max-share 1",
                    collection.name, rule.min_count, 100 * rule.max_share));
  }
  return {std::move(words.kept.vocabulary), std::move(words.kept.counts),
          Network(collection.ids.size(), collection.links, collection.memberships), std::move(words.joins),
          collection.language == "none" ? 0 : parse_languages(collection.language)};
}

std::vector<std::string> shown_words(const Collection& collection, const Vocabulary& vocabulary, const Joins& joins) {
  const auto form_of = [&](std::string_view word) {
    const auto token = collection.tokens.find(word);
    return token ? collection.forms.of(*token, word) : word;
  };
  std::vector<std::string> shown;
  for (const std::string_view word : vocabulary.words.strings()) shown.emplace_back(form_of(word));
  if (joins.empty()) return shown;

  // How often each part of a joined word has a capital there: "New York", though "new" alone has none.
  struct Written {
    std::vector<std::uint64_t> capitals;
    std::vector<std::uint32_t> parts;
    std::uint64_t count = 0;
  };
  std::unordered_map<std::uint32_t, Written> written;
  std::vector<std::string_view> run;
  for (std::size_t document = 0; document < collection.runs.documents(); ++document) {
    collection.runs.for_each(document, [&](std::span<const std::uint32_t> words) {
      run.clear();
      for (const std::uint32_t word : words) run.push_back(collection.tokens[Runs::word(word)]);
      for (const Joins::Part& part : joins.apply(run)) {
        const auto number = part.end - part.begin > 1 ? vocabulary.words.find(part.word) : std::nullopt;
        if (!number) continue;
        Written& one = written[*number];
        one.capitals.resize(part.end - part.begin);
        one.parts.resize(part.end - part.begin);
        for (std::size_t k = 0; k < one.parts.size() && part.begin + k < part.end; ++k) {
          one.capitals[k] += (words[part.begin + k] & Runs::kCapital) != 0;
          one.parts[k] = Runs::word(words[part.begin + k]);
        }
        ++one.count;
      }
    });
  }
  for (const auto& [number, one] : written) {
    std::string text;
    for (std::size_t k = 0; k < one.parts.size(); ++k) {
      const std::string_view form = form_of(collection.tokens[one.parts[k]]);
      const std::string part = 2 * one.capitals[k] > one.count ? capitalised(form) : std::string(form);
      text = k == 0 ? part : joined_words(text, part);
    }
    shown[number] = std::move(text);
  }
  return shown;
}

}  // namespace idne
