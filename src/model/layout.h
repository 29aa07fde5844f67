#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// Everything that a model file may hold, each name once: the rooms that make models, the loader's checks and the
/// tables of docs/model-format.md all read this. Long because it is one table.
namespace idne::layout {

/// What the sizes of tensors count.
enum class Count : std::uint8_t {
  One,
  Documents,
  Words,
  Topics,
  Labels,
  Groups,
  Width,       ///< of a document's vector
  TextWidth,   ///< of a text's: half of that where documents are joined with their neighbours
  Hidden,      ///< of a hidden layer
  WordLabels,  ///< pairs of a word and a label that it speaks for or against
  LinkEnds,    ///< links, each counted at both of its documents
  LateWords,   ///< words that became frequent enough since the others were learned
  LateLabels,  ///< pairs of such a word and a label
  RareWords,   ///< words that are too rare
};
inline constexpr std::size_t kCounts = 14;

/// times · count + plus, or any multiple of that.
struct Size {
  Count count = Count::One;
  std::uint8_t times = 1, plus = 0;
  bool any_multiple = false;
};

/// Strings, lists and bags are several tensors: NAME.offsets and NAME.bytes, or NAME.values, or that and NAME.counts.
enum class Kind : std::uint8_t { Floats, Numbers32, Numbers64, Strings, Lists, Bags };

struct Entry;
/// When an entry is in a file.
struct Presence {
  bool always = false;
  const Entry* with = nullptr;  ///< if not nullptr: exactly where that one is
};
inline constexpr Presence kAlways{true}, kMay{};
constexpr Presence with(const Entry& other) { return {false, &other}; }

struct Entry {
  std::string_view name;
  Kind kind;
  Size rows;
  Size columns;              ///< of floats; One if it is no matrix
  Count below = Count::One;  ///< what numbers are numbers of
  Presence presence;
  std::string_view what;         ///< for docs/model-format.md
  std::string_view former = "";  ///< its name in version 1
};

using enum Count;
inline constexpr Size kOne{}, kDocuments{Documents}, kWords{Words}, kTopics{Topics}, kLabels{Labels}, kWidth{Width},
    kTextWidth{TextWidth}, kHidden{Hidden}, kPairsOfLabels{WordLabels}, kGroups{Groups}, kLinkEnds{LinkEnds},
    kLateWordCount{LateWords}, kPairsOfLateLabels{LateLabels}, kRareWordCount{RareWords};

inline constexpr Entry kWordVectors{"words.vectors", Kind::Floats, kWords, kTextWidth, One, kMay, "W"};
inline constexpr Entry kWordStrings{
    "words.strings", Kind::Strings, kWords, kOne, One, kAlways, "the words, most frequent first, then by spelling"};
inline constexpr Entry kWordForms{"words.forms",
                                  Kind::Strings,
                                  kWords,
                                  kOne,
                                  One,
                                  kMay,
                                  "as they are mostly written, if that is another form for any of them"};
inline constexpr Entry kJoins{"words.joins",
                              Kind::Strings,
                              {One, 2, 0, true},
                              kOne,
                              One,
                              kMay,
                              "pairs of words that are one where they stand side by side, the firmest first"};
inline constexpr Entry kStopWords{"words.stopped",        Kind::Strings, {One, 1, 0, true}, kOne, One, kMay,
                                  "`--stop-words`: these"};
inline constexpr Entry kCommonWords{"words.common",
                                    Kind::Strings,
                                    {One, 1, 0, true},
                                    kOne,
                                    One,
                                    kMay,
                                    "those that are left out because too many documents have them"};
inline constexpr Entry kLateWords{
    "words.late",
    Kind::Strings,
    kLateWordCount,
    kOne,
    One,
    kMay,
    "those that became frequent enough since the words were learned, most frequent first: suggestions go by them, and "
    "further training learns them"};
inline constexpr Entry kLateForms{
    "words.late_forms", Kind::Strings, kLateWordCount, kOne, One, kMay, "as they are mostly written, if that differs"};
inline constexpr Entry kRareWords{"words.rare",
                                  Kind::Strings,
                                  kRareWordCount,
                                  kOne,
                                  One,
                                  kMay,
                                  "those that are left out because they are too rare, by spelling"};
inline constexpr Entry kRareForms{
    "words.rare_forms", Kind::Strings, kRareWordCount, kOne, One, kMay, "as they are mostly written, if that differs"};
inline constexpr Entry kWordCounts{
    "words.counts", Kind::Numbers64, kWords, kOne, One, kAlways, "how often each occurs in the corpus"};
inline constexpr Entry kWordIdf{"words.idf",
                                Kind::Floats,
                                kWords,
                                kOne,
                                One,
                                kMay,
                                "ln(documents / documents with the word) for LSA and TADW; for Graph2Gauss 1 + ln((1 + "
                                "documents) / (1 + those with the word))"};
inline constexpr Entry kTopicVectors{
    "topics.vectors", Kind::Floats, kTopics, kTextWidth, One, kMay, "T, the topic with the largest share first"};
inline constexpr Entry kTopicShares{"topics.shares",
                                    Kind::Floats,
                                    kTopics,
                                    kOne,
                                    One,
                                    with(kTopicVectors),
                                    "mean share of each topic over the documents that have words"};
inline constexpr Entry kTopicNpmi{"topics.npmi",
                                  Kind::Floats,
                                  kTopics,
                                  kOne,
                                  One,
                                  with(kTopicVectors),
                                  "document-level NPMI of each topic's first ten words: distinctive ones if topics are "
                                  "fitted, else those with the largest product"};
inline constexpr Entry kTopicCoherence{"topics.coherence",
                                       Kind::Floats,
                                       kTopics,
                                       kOne,
                                       One,
                                       kMay,
                                       "the same on documents that the words were not chosen on"};
inline constexpr Entry kTopicNames{
    "topics.names", Kind::Strings, kTopics, kOne, One, kMay, "names that people gave them; empty: none"};
inline constexpr Entry kTopicWords{"topics.words",
                                   Kind::Numbers32,
                                   {Topics, 1, 0, true},
                                   kOne,
                                   Words,
                                   kMay,
                                   "fitted topics: numbers of the words that each shows, up to 80, best first"};
inline constexpr Entry kTopicWordWeights{"topics.word_weights",
                                         Kind::Floats,
                                         {Topics, 1, 0, true},
                                         kOne,
                                         One,
                                         kMay,
                                         "and what each weighs in it: its part of the sum over all words"};
inline constexpr Entry kDocumentWords{
    "documents.words",
    Kind::Bags,
    kDocuments,
    kOne,
    Words,
    kMay,
    "the documents' bags of words: numbers of words, rising, and how often each occurs"};
inline constexpr Entry kDocumentLateWords{
    "documents.late_words", Kind::Bags, kDocuments, kOne, LateWords, with(kLateWords), "the same of `words.late`"};
inline constexpr Entry kDocumentRareWords{
    "documents.rare_words", Kind::Bags, kDocuments, kOne, RareWords, with(kRareWords), "the same of `words.rare`"};
inline constexpr Entry kDocumentVectors{
    "documents.vectors", Kind::Floats, kDocuments, kWidth, One, kAlways, "the documents, in the corpus's order"};
inline constexpr Entry kHopVectors{
    "documents.hop_vectors",
    Kind::Floats,
    {Documents, 1, 0, true},
    kTextWidth,
    One,
    kMay,
    "`--neighbours H`: text vectors at unit length, then their means over 1 … H − 1 hops; "
    "`documents.vectors` are then twice as wide as a text's",
    "documents.levels"};
inline constexpr Entry kSpectralScaling{
    "documents.spectral_scaling",
    Kind::Floats,
    {TextWidth, 2},
    kTextWidth,
    One,
    with(kHopVectors),
    "what the text half, then the half of the means, is multiplied by before it gets "
    "unit length",
    "documents.stretch"};
inline constexpr Entry kDocumentIds{"documents.ids", Kind::Strings, kDocuments, kOne, One, kAlways, "their ids"};
inline constexpr Entry kDocumentTitles{"documents.titles",
                                       Kind::Strings,
                                       kDocuments,
                                       kOne,
                                       One,
                                       kAlways,
                                       "a document without a title has its text's opening here"};
inline constexpr Entry kDocumentDates{"documents.dates",
                                      Kind::Numbers64,
                                      kDocuments,
                                      kOne,
                                      One,
                                      kMay,
                                      "year · 10000 + month · 100 + day; an unknown day, month or date is 0"};
inline constexpr Entry kDocumentLabels{"documents.labels",     Kind::Lists, kDocuments, kOne, Labels, kAlways,
                                       "numbers of its labels"};
inline constexpr Entry kDocumentLinks{
    "documents.links",
    Kind::Lists,
    kDocuments,
    kOne,
    Documents,
    kMay,
    "numbers of the documents that it is linked with, rising; groups are not expanded"};
inline constexpr Entry kDocumentGroups{
    "documents.groups", Kind::Lists, kDocuments, kOne, Groups, kMay, "numbers of its groups, rising"};
inline constexpr Entry kGroupNames{"groups.names", Kind::Strings, kGroups, kOne, One, kMay, "their names"};
inline constexpr Entry kLinkAmounts{
    "documents.link_weights", Kind::Floats, kLinkEnds, kOne, One, kMay, "the links' weights, if any of them is not 1"};
inline constexpr Entry kOwnLinks{"documents.own_links",
                                 Kind::Lists,
                                 kDocuments,
                                 kOne,
                                 Documents,
                                 kMay,
                                 "those links that its own record names, rising: another record takes their place"};
inline constexpr Entry kOwnGroups{
    "documents.own_groups", Kind::Lists, kDocuments, kOne, Groups, kMay, "those groups that its own record names"};
inline constexpr Entry kListedLinks{"documents.listed_links",
                                    Kind::Lists,
                                    kDocuments,
                                    kOne,
                                    Documents,
                                    kMay,
                                    "of links that records name or people accepted those that links.tsv has, too"};
inline constexpr Entry kListedGroups{"documents.listed_groups",
                                     Kind::Lists,
                                     kDocuments,
                                     kOne,
                                     Groups,
                                     kMay,
                                     "of `own_groups` those that groups.tsv has, too"};
inline constexpr Entry kAcceptedLinks{
    "documents.accepted_links", Kind::Lists, kDocuments, kOne, Documents, kMay, "links that people accepted, rising"};
inline constexpr Entry kAcceptedLabels{
    "documents.accepted_labels", Kind::Lists, kDocuments, kOne, Labels, kMay, "labels that people accepted, rising"};
inline constexpr Entry kUntrained{"documents.untrained",
                                  Kind::Numbers32,
                                  {One, 1, 0, true},
                                  kOne,
                                  Documents,
                                  kMay,
                                  "those that came or have another text since words were learned, rising"};
inline constexpr Entry kRejectedLinks{"documents.rejected_links",
                                      Kind::Lists,
                                      kDocuments,
                                      kOne,
                                      Documents,
                                      kMay,
                                      "links that people do not want, rising"};
inline constexpr Entry kRejectedLabels{
    "documents.rejected_labels", Kind::Lists, kDocuments, kOne, Labels, kMay, "labels that people do not want, rising"};
inline constexpr Entry kDocumentTopics{"documents.topics",
                                       Kind::Numbers32,
                                       kDocuments,
                                       kOne,
                                       Topics,
                                       kMay,
                                       "fitted topics: the one whose cluster it is in"};
inline constexpr Entry kDocumentDigests{"documents.digests",
                                        Kind::Numbers64,
                                        kDocuments,
                                        kOne,
                                        One,
                                        kMay,
                                        "XXH3-64 of its text: whether another text is another"};
inline constexpr Entry kLinkWeights{"links.weights",
                                    Kind::Floats,
                                    {One, 2},
                                    kOne,
                                    One,
                                    kMay,
                                    "what space and votes weigh in suggested links, beside words, which weigh 1"};
inline constexpr Entry kLabelNames{"labels.names", Kind::Strings, kLabels, kOne, One, kAlways, "their names"};
inline constexpr Entry kLabelOwnNames{"labels.own_names",
                                      Kind::Strings,
                                      kLabels,
                                      kOne,
                                      One,
                                      kMay,
                                      "what the corpus calls those that people gave other names; empty: the same"};
inline constexpr Entry kLabelWeights{"labels.weights",
                                     Kind::Floats,
                                     kLabels,
                                     {Width, 1, 1},
                                     One,
                                     kMay,
                                     "a logistic regression per label over unit vectors, the constant last"};
inline constexpr Entry kLabelFit{"labels.fit",
                                 Kind::Floats,
                                 {One, 4},
                                 kOne,
                                 One,
                                 kMay,
                                 "C of the regressions, what their log odds were multiplied by and moved by, and how "
                                 "many documents have changed since that was found"};
inline constexpr Entry kWordLabels{"words.labels",
                                   Kind::Lists,
                                   kWords,
                                   kOne,
                                   Labels,
                                   kMay,
                                   "numbers of the labels whose regressions see the word beside the vector, rising"};
inline constexpr Entry kWordLabelWeights{
    "words.label_weights",
    Kind::Floats,
    kPairsOfLabels,
    kOne,
    One,
    with(kWordLabels),
    "and its weight in each, times what it weighs in the text's TF-IDF at unit length"};
inline constexpr Entry kLateWordLabels{
    "words.late_labels", Kind::Lists, kLateWordCount, kOne, Labels, kMay, "as `words.labels`, for `words.late`"};
inline constexpr Entry kLateWordLabelWeights{
    "words.late_label_weights", Kind::Floats, kPairsOfLateLabels, kOne, One, with(kLateWordLabels), "and the weights"};
inline constexpr Entry kHiddenWeights{
    "hidden.weights", Kind::Floats, kWords, kHidden, One, kMay, "Graph2Gauss: from words to the hidden layer"};
inline constexpr Entry kHiddenBias{"hidden.bias", Kind::Floats,         kHidden,       kOne,
                                   One,           with(kHiddenWeights), "and its bias"};
inline constexpr Entry kMeanWeights{
    "mean.weights", Kind::Floats, kHidden, kTextWidth, One, with(kHiddenWeights), "from there to a document's vector"};
inline constexpr Entry kMeanBias{"mean.bias", Kind::Floats,         kTextWidth,    kOne,
                                 One,         with(kHiddenWeights), "and its bias"};

inline constexpr std::array<const Entry*, 57> kEntries{&kWordVectors,
                                                       &kWordStrings,
                                                       &kWordForms,
                                                       &kJoins,
                                                       &kStopWords,
                                                       &kCommonWords,
                                                       &kLateWords,
                                                       &kLateForms,
                                                       &kRareWords,
                                                       &kRareForms,
                                                       &kWordCounts,
                                                       &kWordIdf,
                                                       &kTopicVectors,
                                                       &kTopicShares,
                                                       &kTopicNpmi,
                                                       &kTopicCoherence,
                                                       &kTopicNames,
                                                       &kTopicWords,
                                                       &kTopicWordWeights,
                                                       &kDocumentVectors,
                                                       &kDocumentIds,
                                                       &kDocumentTitles,
                                                       &kDocumentDates,
                                                       &kDocumentLabels,
                                                       &kDocumentLinks,
                                                       &kDocumentGroups,
                                                       &kGroupNames,
                                                       &kLinkAmounts,
                                                       &kOwnLinks,
                                                       &kOwnGroups,
                                                       &kListedLinks,
                                                       &kListedGroups,
                                                       &kAcceptedLinks,
                                                       &kAcceptedLabels,
                                                       &kUntrained,
                                                       &kRejectedLinks,
                                                       &kRejectedLabels,
                                                       &kDocumentTopics,
                                                       &kDocumentDigests,
                                                       &kLinkWeights,
                                                       &kDocumentWords,
                                                       &kDocumentLateWords,
                                                       &kDocumentRareWords,
                                                       &kHopVectors,
                                                       &kSpectralScaling,
                                                       &kLabelNames,
                                                       &kLabelOwnNames,
                                                       &kLabelWeights,
                                                       &kLabelFit,
                                                       &kWordLabels,
                                                       &kWordLabelWeights,
                                                       &kLateWordLabels,
                                                       &kLateWordLabelWeights,
                                                       &kHiddenWeights,
                                                       &kHiddenBias,
                                                       &kMeanWeights,
                                                       &kMeanBias};

/// What stands in `__metadata__`: texts, by safetensors' rule.
struct Text {
  std::string_view key, what;
};
inline constexpr Text kFormat{"format", "`idne`"};
inline constexpr Text kVersion{
    "version",
    "the oldest version that reads the file right: `1`, `2` with `--neighbours`, `3` with `words.labels`, "
    "`4` with `words.joins`, `--stem` or several languages"};
inline constexpr Text kChecksum{
    "checksum", "`xxh3:` and 16 hexadecimal digits: XXH3-64 of the whole file with these 16 digits as `0`"};
inline constexpr Text kMethod{
    "method", "`idne`, `lsa`, `tadw`, `gvnrt`, `graph2gauss`, `cane`, `deepwalk`, `node2vec` or `verse`"};
inline constexpr Text kOptions{"options",
                               "JSON: all options that the result depends on, by their names on the command line; "
                               "numbers, texts, true and false"};
inline constexpr Text kAttention{
    "attention", "`relu`, `relu-kept` (fitted topics: no word is dropped) or `softmax`; only with topics"};
inline constexpr Text kLinks{"links", "how many the corpus has; a group's pairs count as links"};
inline constexpr Text kGroupCount{"groups", "how many the corpus has"};
inline constexpr Text kDropped{"dropped", "what the corpus gave that could not be used, in words"};
inline constexpr Text kUnknownShare{"unknown",
                                    "the share of the corpus's words, but for common ones, that are not kept"};
inline constexpr Text kRounds{"rounds", "Graph2Gauss: rounds after which the weights were taken"};
inline constexpr Text kLoss{
    "loss",
    "of the last steps of training: IDNE and the methods of links alone per pair, GVNR-t the squared error per entry; "
    "Graph2Gauss per triplet, of the round whose weights were taken; none of the others"};
inline constexpr std::array<const Text*, 12> kTexts{&kFormat,  &kVersion,      &kChecksum, &kMethod,
                                                    &kOptions, &kAttention,    &kLinks,    &kGroupCount,
                                                    &kDropped, &kUnknownShare, &kRounds,   &kLoss};

/// "documents", "2 · text width", "(width + 1)", "any · topics".
std::string text_of(const Size& size);

}  // namespace idne::layout
