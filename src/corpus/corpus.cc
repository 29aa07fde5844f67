#include "corpus/corpus.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "text/forms.h"
#include "text/numbers.h"

namespace idne {

std::string Dropped::text() const {
  std::string result;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count)
      result += fmt::format("{}{} {}", result.empty() ? "" : ", ", with_commas(count), count == 1 ? one : many);
  };
  add(unknown_links, "link to an unknown id", "links to unknown ids");
  add(self_links, "self-link", "self-links");
  add(repeated_links, "repeated link", "repeated links");
  add(unknown_members, "group member with an unknown id", "group members with unknown ids");
  add(repeated_members, "repeated group member", "repeated group members");
  add(unreadable_dates, "date that cannot be read", "dates that cannot be read");
  add(left_out, "document that was to be left out", "documents that were to be left out");
  return result.empty() ? "nothing" : result;
}

std::int64_t digest_of(std::string_view text) {
  return static_cast<std::int64_t>(XXH3_64bits(text.data(), text.size()));
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
    result.kept = keep_words(collection.tokens, collection.counts, all, rule,
                             collection.spread ? collection.spread->ranks() : nullptr);
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
  const Placement spread = collection.spread ? *collection.spread : Placement(collection.ids.size());
  return {std::move(words.kept.vocabulary),
          std::move(words.kept.counts),
          Network(spread, collection.links, collection.memberships),
          std::move(words.joins),
          collection.language == "none" ? 0 : parse_languages(collection.language),
          collection.spread};
}

namespace {

/// How a word that was joined is written, out of what its parts look like where they stand.
class JoinedForms {
 public:
  explicit JoinedForms(const Collection& collection) : collection_(collection) {}

  void add(std::uint32_t word, std::span<const std::uint32_t> parts, std::span<const std::uint32_t> written) {
    std::vector<std::uint32_t> key;
    for (const std::uint32_t part : written.empty() ? parts : written) key.push_back(Runs::word(part));
    Form& form = forms_[word][key];
    form.capitals.resize(key.size());
    for (std::size_t k = 0; k < key.size(); ++k) form.capitals[k] += (parts[k] & Runs::kCapital) != 0;
    ++form.count;
  }

  void write(std::vector<std::string>& shown) const {
    for (const auto& [word, forms] : forms_) {
      const auto most = std::ranges::max_element(forms, {}, [](const auto& form) { return form.second.count; });
      shown[word] = text_of(most->first, most->second);
    }
  }

 private:
  struct Form {
    std::vector<std::uint64_t> capitals;  ///< how often each part has one: "New York", though "new" alone has none
    std::uint64_t count = 0;
  };

  std::string text_of(const std::vector<std::uint32_t>& parts, const Form& form) const {
    const StringTable& words = collection_.written ? collection_.written->words : collection_.tokens;
    const ShownForms& forms = collection_.written ? collection_.written->forms : collection_.forms;
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::string_view shown = forms.of(parts[k], words[parts[k]]);
      const std::string part = 2 * form.capitals[k] > form.count ? capitalised(shown) : std::string(shown);
      text = k == 0 ? part : joined_words(text, part);
    }
    return text;
  }

  const Collection& collection_;
  std::map<std::uint32_t, std::map<std::vector<std::uint32_t>, Form>> forms_;
};

/// Whether words that are parts of phrases have capitals where they stand by themselves: "new tyres", though most are
/// in "New York".
class PartsAlone {
 public:
  explicit PartsAlone(const Collection& collection) : places_(collection.tokens.size()) {}

  void add(std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      Places& places = places_[Runs::word(word)];
      if (words.size() > 1) {
        places.joined = true;
      } else {
        ++places.alone;
        places.capitals += (word & Runs::kCapital) != 0;
      }
    }
  }
  bool are_small(std::uint32_t token) const {
    const Places& places = places_[token];
    return places.joined && 2 * places.capitals < places.alone;
  }

 private:
  struct Places {
    bool joined = false;
    std::uint64_t alone = 0, capitals = 0;
  };
  std::vector<Places> places_;
};

}  // namespace

std::vector<std::string> shown_words(const Collection& collection, const Vocabulary& vocabulary, const Joins& joins) {
  std::vector<std::string> shown;
  for (const std::string_view word : vocabulary.words.strings()) {
    const auto token = collection.tokens.find(word);
    shown.emplace_back(token ? collection.forms.of(*token, word) : word);
  }
  if (joins.empty()) return shown;
  JoinedForms forms(collection);
  PartsAlone alone(collection);
  std::vector<std::string_view> run;
  for (std::size_t document = 0; document < collection.runs.documents(); ++document) {
    collection.runs.for_each(document, [&](std::span<const std::uint32_t> words, auto written) {
      run.clear();
      for (const std::uint32_t word : words) run.push_back(collection.tokens[Runs::word(word)]);
      for (const Joins::Part& part : joins.apply(run)) {
        const std::size_t size = part.end - part.begin;
        alone.add(words.subspan(part.begin, size));
        const auto number = size > 1 ? vocabulary.words.find(part.word) : std::nullopt;
        if (!number) continue;
        forms.add(*number, words.subspan(part.begin, size),
                  written.empty() ? written : written.subspan(part.begin, size));
      }
    });
  }
  for (std::size_t word = 0; word < shown.size(); ++word) {
    const auto token = collection.tokens.find(vocabulary.words[word]);
    if (token && begins_with_capital(shown[word]) && alone.are_small(*token)) shown[word] = uncapitalised(shown[word]);
  }
  forms.write(shown);
  return shown;
}

}  // namespace idne
