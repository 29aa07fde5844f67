#include "idne/generate.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "idne/corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

GenerateOptions small() {
  GenerateOptions options;
  options.documents = 300;
  return options;
}

Collection generate_and_read(const GenerateOptions& options, const TempFolder& folder, bool strict = true) {
  generate_corpus(options, folder.path(), {});
  return read_collection(folder.path(), {"none", strict}, {});
}

std::int32_t field_of(const Collection& c, std::uint32_t document) { return c.document_labels.row(document)[0]; }

TEST(Generate, SameOptionsGiveTheSameBytes) {
  const TempFolder a, b, c;
  generate_corpus(small(), a.path(), {});
  generate_corpus(small(), b.path(), {});
  EXPECT_EQ(a.read("documents.jsonl"), b.read("documents.jsonl"));
  EXPECT_EQ(a.read("links.tsv"), b.read("links.tsv"));
  GenerateOptions other = small();
  other.seed = 2;
  generate_corpus(other, c.path(), {});
  EXPECT_NE(a.read("documents.jsonl"), c.read("documents.jsonl"));
  EXPECT_NE(a.read("links.tsv"), c.read("links.tsv"));
}

TEST(Generate, CorpusHasWhatWasAskedFor) {
  const TempFolder folder;
  const Collection c = generate_and_read(small(), folder);
  EXPECT_EQ(c.ids.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(c.counts.length(i), 50u);
    EXPECT_EQ(c.ids[i], std::to_string(i));
  }
  EXPECT_GT(c.links.size(), 280u * 5);
  EXPECT_LE(c.links.size(), 300u * 5);
}

TEST(Generate, NoLinkIsRepeatedOrToItself) {
  const TempFolder folder;
  EXPECT_EQ(generate_and_read(small(), folder, false).dropped.text(), "nothing");
}

TEST(Generate, FieldsAreTheLabels) {
  const TempFolder folder;
  GenerateOptions options = small();
  options.fields = 14;  // two more than have names
  const Collection c = generate_and_read(options, folder);
  EXPECT_EQ(c.labels.size(), 14u);
  EXPECT_TRUE(c.labels.find("astronomy"));
  EXPECT_TRUE(c.labels.find("field-14"));
  for (std::size_t i = 0; i < c.ids.size(); ++i) EXPECT_EQ(c.document_labels.row(i).size(), 1u);
}

TEST(Generate, MostLinksStayInTheField) {
  const TempFolder folder;
  const Collection c = generate_and_read(small(), folder);
  double within = 0;
  for (const Link& link : c.links) within += field_of(c, link.a) == field_of(c, link.b);
  // 0.9, and one in six of the others by chance.
  EXPECT_NEAR(within / static_cast<double>(c.links.size()), 0.9 + 0.1 / 6, 0.04);
}

TEST(Generate, HalfOfTheWordsBelongToTheField) {
  const TempFolder folder;
  const Collection c = generate_and_read(small(), folder);
  std::map<std::uint32_t, std::set<std::int32_t>> fields_of_word;
  for (std::uint32_t i = 0; i < c.ids.size(); ++i) {
    for (const WordCount& entry : c.counts.row(i)) fields_of_word[entry.word].insert(field_of(c, i));
  }
  // Shared words begin with the same two syllables; no other word does, and no other word is in two fields.
  double own = 0, all = 0;
  for (std::uint32_t i = 0; i < c.ids.size(); ++i) {
    for (const WordCount& entry : c.counts.row(i)) {
      const bool shared = c.tokens[entry.word].starts_with("baba");
      own += shared ? 0 : entry.count;
      all += entry.count;
      if (!shared) {
        EXPECT_EQ(fields_of_word[entry.word].size(), 1u) << c.tokens[entry.word];
      }
    }
  }
  EXPECT_NEAR(own / all, 0.5, 0.02);
}

TEST(Generate, FieldWordsAndLinksFollowTheOptions) {
  const TempFolder folder;
  GenerateOptions options = small();
  options.field_words = 1;
  options.field_links = 1;
  const Collection c = generate_and_read(options, folder);
  for (const std::string_view word : c.tokens.strings()) EXPECT_FALSE(word.starts_with("baba")) << word;
  std::size_t between = 0;
  for (const Link& link : c.links) between += field_of(c, link.a) != field_of(c, link.b);
  EXPECT_LE(between, 6u * 20);  // only while a field is too young to have members
}

TEST(Generate, SmallestCorporaAreMade) {
  const TempFolder folder;
  GenerateOptions options;
  options.documents = 1;
  options.fields = 1;
  options.words = 1;
  const Collection c = generate_and_read(options, folder);
  EXPECT_EQ(c.ids.size(), 1u);
  EXPECT_TRUE(c.links.empty());
}

TEST(Generate, FolderIsMade) {
  const TempFolder folder;
  generate_corpus(small(), folder.path("new/corpus"), {});
  EXPECT_TRUE(fs::exists(folder.path("new/corpus/documents.jsonl")));
  EXPECT_TRUE(fs::exists(folder.path("new/corpus/links.tsv")));
}

TEST(Generate, ReplacesItsOwnCorpusAndNoOther) {
  const TempFolder folder;
  generate_corpus(small(), folder.path("own"), {});
  GenerateOptions other = small();
  other.seed = 2;
  EXPECT_NO_THROW(generate_corpus(other, folder.path("own"), {}));
  for (const char* name : {"documents.jsonl", "documents.jsonl.zst", "links.tsv", "groups.tsv.gz"}) {
    const TempFolder others;
    others.write(name, "mine");
    EXPECT_THROW(generate_corpus(small(), others.path(), {}), Error) << name;
    EXPECT_EQ(others.entries(), 1u);
  }
  folder.write("own/links.tsv", "1\t2\n");
  EXPECT_THROW(generate_corpus(small(), folder.path("own"), {}), Error) << "changed since";
}

TEST(Generate, FolderThatCannotBeMadeIsAnError) {
  const TempFolder folder;
  const fs::path file = folder.write("file", "");
  EXPECT_THROW(generate_corpus(small(), file / "corpus", {}), Error);
  EXPECT_THROW(generate_corpus(small(), file, {}), Error);
}

TEST(Generate, StoppedRunLeavesNoFiles) {
  const TempFolder folder;
  EXPECT_THROW(generate_corpus(small(), folder.path(), idne::Run{1, {}, [] { return true; }}), Interrupted);
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(Generate, ProgressReachesTheEnd) {
  const TempFolder folder;
  Progress last;
  generate_corpus(small(), folder.path(), idne::Run{1, [&](const Progress& p) { last = p; }, {}});
  EXPECT_EQ(last.done, 300u);
  EXPECT_EQ(last.total, 300u);
}

}  // namespace
}  // namespace idne
