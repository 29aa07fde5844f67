#include "serve/answer_types.h"

#include <algorithm>
#include <array>

namespace idne {

const std::vector<AnswerType>& answer_types() {
  static const std::vector<AnswerType> types{
      {"Info",
       "method: string, documents: integer, links: integer, groups: integer, words: integer, topics: integer, dim: "
       "integer, labels: integer, dropped: any, untrained?: integer, loss?: number, options: any, name: string, "
       "version: string, texts: boolean, feedback: boolean, renaming: boolean, dates: boolean, search: SearchInfo"},
      {"SearchInfo", "index: string, recall: number"},
      {"Scored", "id: string, score: number, title: string"},
      {"TopicList", "topics: Topic[], coherence: number?, npmi: number?, diversity: number?, rank: string"},
      {"Topic",
       "topic: integer, name: string, named: boolean, share: number, coherence: number?, npmi: number?, words: "
       "RankedWord[], documents: ExampleDocument[], related: RelatedTopic[]"},
      {"RankedWord", "word: string, shown: string, score: number"},
      {"ExampleDocument", "id: string, title: string, share: number"},
      {"RelatedTopic", "topic: integer, similarity: number"},
      {"Times",
       "by: string, periods: string[], documents: integer[], topics: TopicTimes[], undated: integer, wordless: "
       "integer"},
      {"TopicTimes", "topic: integer, name: string, share: number, shares: number[]"},
      {"WordList", "words: KnownWord[]"},
      {"KnownWord", "word: string, shown: string, count: integer, norm?: number"},
      {"DocumentList", "total: integer, documents: Row[]"},
      {"Row", "row: integer, id: string, title: string, labels: string[], topic: integer?"},
      {"Rows", "rows: integer[]"},
      {"Doc",
       "row: integer, id: string, title: string, labels: string[], topic: integer?, whole: boolean, topics: Share[], "
       "tokens: Token[], links: Scored[], links_total: integer, similar: Scored[], found?: string[]"},
      {"Share", "topic: integer, name: string, share: number"},
      {"Token", "text: string, word: string?, topic: integer?, weight: number"},
      {"Explanation", "topics: Share[], tokens: Token[]"},
      {"Places",
       "documents: integer, x: integer[], y: integer[], topic: integer[], label: integer[], labels: string[], links: "
       "integer[], date: integer[], areas: Area[]"},
      {"Area", "topic: integer?, x: integer, y: integer, documents: integer, name: string"},
      {"Placed", "x: integer?, y: integer?, nearest: number?, usual: number, far: boolean, targets: integer?[]"},
      {"Found", "query: string, results: Hit[]"},
      {"Hit",
       "row: integer, id: string, title: string, score: number, words: string[], cosine: number?, snippet?: "
       "SnippetPart[]"},
      {"SnippetPart", "text: string, match: boolean"},
      {"Vectors", "vectors: number[][]"},
      {"Suggestions", "labels: SuggestedLabel[], links: Suggestion[], doubts: string[], rejected?: Rejected"},
      {"SuggestedLabel", "label: string, probability: number, words: WordPart[], verdict?: string"},
      {"Suggestion",
       "id: string, score: number, title: string, parts: LinkParts, topics: TopicPart[], words: WordPart[], pairs: "
       "WordPair[], voters: Voter[], reasons: WordPair[], verdict?: string"},
      {"LinkParts", "words: number, space: number, votes: number"},
      {"TopicPart", "topic: integer, name: string, part: number"},
      {"WordPart", "word: string, part: number"},
      {"WordPair", "word: string, with: string, part: number"},
      {"Voter", "id: string, title: string, weight: number"},
      {"Rejected", "labels: RejectedLabel[], links: RejectedLink[]"},
      {"RejectedLabel", "label: string"},
      {"RejectedLink", "id: string, title: string"},
      {"Reason",
       "score: number, cosine: number, topics: TopicPair[], other_topics: number, words: WordPair[], other_words: "
       "number, first: Side, second: Side"},
      {"TopicPair", "topic: integer, with: integer, part: number, names: string[]"},
      {"Side", "topics: TopicPart[], words: WordPart[]"},
      {"CommonLinks", "linked: boolean?, total: integer, links: Scored[]"},
      {"Noted", "kind: string, document: string, target: string, verdict: string?"},
      {"Renamed", "topic?: integer, label?: string, name: string"},
      {"Failed", "error: string"},
  };
  return types;
}

Json schema_of(std::string_view type) {
  if (type.ends_with("[]")) return {{"type", "array"}, {"items", schema_of(type.substr(0, type.size() - 2))}};
  if (type.ends_with('?')) {
    Json json = schema_of(type.substr(0, type.size() - 1));
    json["nullable"] = true;
    return json;
  }
  if (type == "any") return Json::object();
  constexpr std::array<std::string_view, 4> kPlain{"string", "number", "integer", "boolean"};
  if (std::ranges::find(kPlain, type) != kPlain.end()) return {{"type", type}};
  return {{"$ref", "#/components/schemas/" + std::string(type)}};
}

Json schema_of(const AnswerType& type) {
  Json properties = Json::object(), required = Json::array();
  for (std::string_view rest = type.fields; !rest.empty();) {
    const std::string_view field = rest.substr(0, rest.find(", "));
    rest.remove_prefix(std::min(rest.size(), field.size() + 2));
    const std::size_t colon = field.find(": ");
    std::string_view name = field.substr(0, colon);
    const bool may_be_missing = name.ends_with('?');
    if (may_be_missing) name.remove_suffix(1);
    properties[std::string(name)] = schema_of(field.substr(colon + 2));
    if (!may_be_missing) required.push_back(name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace idne
