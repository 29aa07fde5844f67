#include "serve/texts.h"

#include <gtest/gtest.h>

#include "contains.h"
#include "idne/corpus.h"
#include "methods/method.h"
#include "model/tensors.h"
#include "small_corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

const std::vector<std::string> kTexts{"court judge law trial jury verdict", "gene cell protein enzyme genome tissue",
                                      "judge trial", "cell genome tissue gene enzyme yeast"};

/// A model of documents d0, d1 … with these texts; its file keeps digests or not.
Model taught_on_texts(bool digests) {
  const Corpus corpus = small_corpus(kTexts, {{0, 2, 1}, {1, 3, 1}});
  const Method& method = find_method("idne");
  Options options(method.options());
  options.set("dim", "4");
  options.set("steps", "5");
  options.set("topics", "2");
  Model model = method.fit(corpus, options, idne::Run{});
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.set(layout::kDocumentWords, corpus.counts);
  maker.set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  const std::vector<std::string> ids{"d0", "d1", "d2", "d3"};
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, ids);
  std::vector<std::int64_t> all;
  for (const std::string& text : kTexts) all.push_back(digest_of(text));
  if (digests) maker.set(layout::kDocumentDigests, all);
  return model;
}

/// What is said of a corpus with these texts: why it is refused, or the note.
std::string said_of_texts(const Model& model, const std::vector<std::string>& texts) {
  const TempFolder folder;
  std::string lines;
  for (std::size_t n = 0; n < texts.size(); ++n)
    lines += fmt::format("{{\"id\":\"d{}\",\"text\":\"{}\"}}\n", n, texts[n]);
  const auto file = folder.write("documents.jsonl", lines);
  const TextEncoder encoder(model);
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < model.documents().size(); ++row) rows[model.documents().ids[row]] = row;
  try {
    const DocumentTexts read(encoder, rows, "my.idne", file, idne::Run{});
    for (std::size_t row = 0; row < rows.size(); ++row) EXPECT_EQ(read[row], texts[row]);
    return read.note();
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(DocumentTexts, AreThoseOfTheModel) {
  const Model model = taught_on_texts(true);
  EXPECT_EQ(said_of_texts(model, kTexts), "");
  std::vector<std::string> texts = kTexts;
  texts.push_back("one more");
  EXPECT_TRUE(contains(said_of_texts(model, texts), "1 of its documents is not in the model"));
  texts = kTexts;
  texts[2] += ".";
  EXPECT_TRUE(contains(said_of_texts(model, texts),
                       "not the corpus of my.idne: 1 of its 4 documents has another text there (the first is 'd2')"));
  texts.resize(2);
  EXPECT_TRUE(contains(said_of_texts(model, texts), "2 of its 4 documents are missing there (the first is 'd2')"));
}

TEST(DocumentTexts, OfAModelWithoutDigestsHaveItsWords) {
  const Model model = taught_on_texts(false);
  EXPECT_EQ(said_of_texts(model, kTexts), "");
  std::vector<std::string> texts = kTexts;
  texts[1] = "some other words, and one gene";
  texts[2] = "nothing that it had, but that was little";
  EXPECT_EQ(said_of_texts(model, texts), "");
  std::swap(texts[0], texts[3]);
  EXPECT_TRUE(contains(said_of_texts(model, texts), "2 of its 4 documents have other texts there (the first is 'd0')"));
}

}  // namespace
}  // namespace idne
