#include "serve/api.h"

#include "json/values.h"
#include "serve/api_arguments.h"
#include "serve/service.h"

namespace idne {
namespace {

using In = ApiParameter::In;
using Type = ApiParameter::Type;

ApiParameter k(std::string_view description, std::size_t most) {
  return {"k", In::Body, Type::Number, description, false, 1, most};
}
ApiParameter query_number(std::string_view name, std::string_view description, std::size_t least, std::size_t most) {
  return {name, In::Query, Type::Number, description, false, least, most};
}
ApiParameter subject_text() { return {"text", In::Body, Type::Text, "a text", false, 0, kLongestText}; }
ApiParameter subject_document() {
  return {"document", In::Body, Type::Text, "or the id of a document", false, 0, kLongestText};
}

std::vector<ApiEndpoint> make_endpoints() {
  using A = const ApiArguments&;
  using R = const Run&;
  using S = const Service&;
  constexpr std::size_t kAnyNumber = 1'000'000'000, kMostAtOnce = 1000, kLongestName = 1000, kLongestQuery = 10'000;
  const ApiParameter sought{
      "q",   In::Query, Type::Text,   "what was searched for: \"found\" has its words as they stand in the text",
      false, 0,         kLongestQuery};
  return {
      {"GET",
       "/info",
       "what the model holds and how it was made",
       "Info",
       {},
       [](S s, A a, R) { return s.info(a.may_edit()); }},
      {"GET",
       "/topics",
       "words, share, examples and relatives of each topic",
       "TopicList",
       {query_number("top", "words per topic, else 10", 1, TopicAnswers::kMostWords),
        query_number("examples", "documents per topic, else 3", 0, TopicAnswers::kMostExamples)},
       [](S s, A a, R) { return s.topics(a.number("top", 10), a.number("examples", 3)); },
       true},
      {"GET",
       "/times",
       "shares of topics over time, where documents have dates",
       "Times",
       {{"by", In::Query, Type::Text, "\"year\", or \"month\"", false, 0, kLongestName}},
       [](S s, A a, R) { return s.times(a.text("by").value_or("year")); },
       true},
      {"GET",
       "/words",
       "words that the model knows, most frequent first",
       "WordList",
       {{"prefix", In::Query, Type::Text, "what they begin with", false, 0, kLongestName},
        query_number("k", "how many, else 20", 1, kMostAtOnce)},
       [](S s, A a, R) { return s.words(a.text("prefix").value_or(""), a.number("k", 20)); }},
      {"GET",
       "/documents",
       "documents in their order",
       "DocumentList",
       {query_number("from", "the first row, or the first of those that are asked for", 0, kAnyNumber),
        query_number("k", "how many, else 100", 1, kMostAtOnce),
        query_number("topic", "only those with this main topic", 1, kAnyNumber),
        {"label", In::Query, Type::Text, "only those with this label", false, 0, kLongestName}},
       [](S s, A a, R run) {
         return s.documents(a.number("from", 0), a.number("k", 100), {a.number("topic"), a.text("label")}, run);
       }},
      {"GET",
       "/rows",
       "rows of all documents with a label",
       "Rows",
       {{"label", In::Query, Type::Text, "the label", true, 0, kLongestName}},
       [](S s, A a, R run) { return s.rows(*a.text("label"), run); }},
      {"GET",
       "/documents/{id}",
       "a document: its text with attention, topics, links and neighbours",
       "Doc",
       {{"id", In::Path, Type::Text, "its id", true, 0, kLongestText}, sought},
       [](S s, A a, R run) { return s.document(*a.text("id"), a.text("q"), run); }},
      {"GET",
       "/read",
       "the same, for any id: a path cannot carry \".\" and \"..\", and proxies change others",
       "Doc",
       {{"document", In::Query, Type::Text, "its id", true, 0, kLongestText}, sought},
       [](S s, A a, R run) { return s.document(*a.text("document"), a.text("q"), run); }},
      {"GET", "/map", "all documents in two dimensions", "Places", {}, [](S s, A, R) { return s.map(); }, true, true},
      {"POST",
       "/place",
       "where a text or a document lies on the map, and how near the nearest document is",
       "Placed",
       {subject_text(),
        subject_document(),
        {"targets", In::Body, Type::Names, "ids of documents whose rows are wanted too", false, 0, kMostAtOnce}},
       [](S s, A a, R run) { return s.place(a.subject(), a.names("targets"), run); }},
      {"GET",
       "/search",
       "documents by words and by meaning",
       "Found",
       {{"q", In::Query, Type::Text, "what to look for", true, 0, kLongestQuery},
        query_number("k", "how many, else 20", 1, 100),
        query_number("snippets", "of how many the piece of text that has the words, else 0", 0, 100)},
       [](S s, A a, R run) { return s.search(*a.text("q"), a.number("k", 20), a.number("snippets", 0), run); }},
      {"POST",
       "/embed",
       "vectors of texts",
       "Vectors",
       {{"documents", In::Body, Type::Texts, "objects with a \"text\" each", true, 0, kMostAtOnce}},
       [](S s, A a, R run) { return s.embed(a.texts("documents"), run); }},
      {"POST",
       "/similar",
       "the documents nearest to a text, a document, a word or a topic",
       "Scored[]",
       {subject_text(),
        subject_document(),
        {"word", In::Body, Type::Text, "or a word", false, 0, kLongestName},
        {"topic", In::Body, Type::Number, "or the number of a topic", false, 1, kAnyNumber},
        k("how many, else 10", kMostAtOnce)},
       [](S s, A a, R run) { return s.similar(a.subject(), a.number("k", 10), run); }},
      {"POST",
       "/suggest",
       "labels for a text or a document, and documents to link it to, with reasons",
       "Suggestions",
       {subject_text(),
        subject_document(),
        k("labels, and documents; else 5", 100),
        {"reasons", In::Body, Type::Number, "words that speak for each document, else 5", false, 1, 100}},
       [](S s, A a, R run) { return s.suggest(a.subject(), a.number("k", 5), a.number("reasons", 5), run); }},
      {"POST",
       "/explain",
       "which topics a text or a document is about, word by word",
       "Explanation",
       {subject_text(), subject_document()},
       [](S s, A a, R run) { return s.explain(a.subject(), run); }},
      {"POST",
       "/explain/pair",
       "why two are close",
       "Reason",
       {{"first", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        {"second", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        {"top", In::Body, Type::Number, "pairs of words and of topics, else 10", false, 1, kMostAtOnce}},
       [](S s, A a, R run) {
         return s.explain_pair(a.subject("first"), a.subject("second"), a.number("top", 10), run);
       }},
      {"POST",
       "/links/common",
       "whether two documents are linked, and with what both are; a text counts as linked with the twenty documents "
       "that it could best be linked to",
       "CommonLinks",
       {{"first", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        {"second", In::Body, Type::Subject, "\"text\" or \"document\"", true},
        k("how many of them, the nearest to both first; else 20", kMostAtOnce)},
       [](S s, A a, R run) {
         return s.links_in_common(a.subject("first"), a.subject("second"), a.number("k", 20), run);
       }},
      {"POST",
       "/feedback",
       "what somebody says of a suggested link or label; only if the server was started with --feedback",
       "Noted",
       {{"kind", In::Body, Type::Text, "\"link\" or \"label\"", true, 0, kLongestName},
        {"document", In::Body, Type::Text, "the id of the document that it was suggested for", true, 0, kLongestText},
        {"target", In::Body, Type::Text, "the id of the suggested document, or the label", true, 0, kLongestText},
        {"verdict", In::Body, Type::Text, "\"accept\", \"reject\", or \"undo\", which takes both back", true, 0,
         kLongestName}},
       [](S s, A a, R) {
         return s.take_feedback({*a.text("kind"), *a.text("document"), *a.text("target"), *a.text("verdict")});
       }},
      {"POST",
       "/names",
       "another name for a topic or a label, kept in the model's file; only if the server was started with --rename",
       "Renamed",
       {{"topic", In::Body, Type::Number, "the number of a topic", false, 1, kAnyNumber},
        {"label", In::Body, Type::Text, "or a label", false, 0, kLongestName},
        {"name", In::Body, Type::Text, "what it is to be called; \"\" takes a topic's name away", true, 0,
         kLongestName}},
       [](S s, A a, R) {
         return s.rename({a.number("topic"), a.text("label"), *a.text("name")});
       }},
  };
}

}  // namespace

const std::vector<ApiEndpoint>& api_endpoints() {
  static const std::vector<ApiEndpoint> endpoints = make_endpoints();
  return endpoints;
}

std::string api_answer(const ApiEndpoint& endpoint, const Service& service, const ApiInput& input, const Run& run) {
  const ApiArguments arguments(endpoint.parameters, input);
  return text_of(endpoint.answer(service, arguments, run)) + "\n";
}

}  // namespace idne
