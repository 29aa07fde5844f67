#include "model/reading.h"

#include <bit>

#include "idne/error.h"

namespace idne {
namespace {

std::string text_option(const ModelInfo& info, const std::string& name) {
  const auto found = info.options.find(name);
  const auto* text = found == info.options.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text ? *text : "";
}

bool flag_option(const ModelInfo& info, const std::string& name) {
  const auto found = info.options.find(name);
  const auto* flag = found == info.options.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag && *flag;
}

}  // namespace

void store_reading(const Collection& collection, const Joins& joins, ModelMaker& maker) {
  auto& options = maker.info().options;
  options["stop-words"] = collection.stop_words;
  options["language"] = collection.language;
  options["stem"] = collection.stem;
  options["numbers"] = std::string(collection.drop_numbers ? "drop" : "keep");
  options["phrases"] = collection.phrases;
  if (!collection.stop_list.empty()) maker.set_strings(layout::kStopWords, collection.stop_list);
  if (joins.empty()) return;
  std::vector<std::string_view> pairs;
  for (std::size_t rule = 0; rule < joins.size(); ++rule) {
    pairs.push_back(joins.left(rule));
    pairs.push_back(joins.right(rule));
  }
  maker.set_strings(layout::kJoins, pairs);
}

Joins joins_of(const Model& model) {
  const ModelTensors tensors(model);
  Joins joins;
  if (!tensors.has(layout::kJoins)) return joins;
  const StringsView pairs = tensors.strings(layout::kJoins);
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) joins.add(pairs[k], pairs[k + 1]);
  return joins;
}

LanguageSet languages_of(const Model& model) {
  const std::string names = text_option(model.info(), "language");
  return names.empty() || names == "none" ? 0 : parse_languages(names);
}

TextRules reading_of(const Model& model) {
  const ModelInfo& info = model.info();
  const ModelTensors tensors(model);
  TextRules rules;
  rules.languages = languages_of(model);
  rules.stems = flag_option(info, "stem");
  rules.drops_numbers = text_option(info, "numbers") == "drop";
  rules.phrases = flag_option(info, "phrases");
  // One language's function words are in no vocabulary; but their stems may be.
  rules.drops_by_text = text_option(info, "stop-words") == text_option(info, "language") &&
                        (rules.stems || std::popcount(rules.languages) > 1);
  if (rules.stems && tensors.has(layout::kStopWords)) {  // without stems they are in no vocabulary
    const StringsView words = tensors.strings(layout::kStopWords);
    for (std::size_t k = 0; k < words.size(); ++k) rules.stop_words.add(words[k]);
  }
  rules.joins = joins_of(model);
  return rules;
}

TextRules keyword_reading_of(const Model& model) {
  TextRules rules;
  rules.languages = languages_of(model);
  rules.stems = flag_option(model.info(), "stem");
  return rules;
}

StopWords stop_words_of(const Model& model) {
  const LanguageSet languages = languages_of(model);
  return StopWords::from(languages ? names_of(languages) : "english");
}

bool needs_reading(const ModelTensors& tensors, const ModelInfo& info) {
  return tensors.has(layout::kJoins) || flag_option(info, "stem") ||
         text_option(info, "language").find(',') != std::string::npos;
}

}  // namespace idne
