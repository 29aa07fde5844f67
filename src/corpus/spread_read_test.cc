#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "corpus/bags.h"
#include "corpus/corpus.h"
#include "corpus/read_test_corpora.h"
#include "math/test_ranks.h"

namespace idne {
namespace {

/// What a collection says, in terms that do not depend on how tokens are numbered.
struct Said {
  std::vector<std::string> ids, titles;
  std::vector<std::vector<std::string>> labels;
  std::vector<std::map<std::string, std::uint32_t>> words;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float, int>> links, members;
  std::string dropped, language;
  std::map<std::string, std::string> forms;
  bool operator==(const Said&) const = default;
};

void add(const Collection& c, Said& said) {
  for (std::size_t i = 0; i < c.ids.size(); ++i) {
    said.ids.emplace_back(c.ids[i]);
    said.titles.push_back(c.titles[i]);
    said.labels.emplace_back();
    for (const std::int32_t label : c.document_labels.row(i)) {
      said.labels.back().push_back(std::to_string(label) + std::string(c.labels[static_cast<std::size_t>(label)]));
    }
    said.words.emplace_back();
    for (const WordCount& entry : c.counts.row(i)) said.words.back()[std::string(c.tokens[entry.word])] = entry.count;
  }
  for (std::size_t n = 0; n < c.links.size(); ++n) {
    said.links.emplace_back(c.links[n].a, c.links[n].b, c.links[n].weight, c.link_owners[n]);
  }
  for (std::size_t n = 0; n < c.memberships.size(); ++n) {
    said.members.emplace_back(c.memberships[n].document, c.memberships[n].group, 0, c.own_memberships[n]);
  }
  said.dropped = c.dropped.text();
  said.language = c.language + " " + c.stop_words;
  for (std::uint32_t token = 0; token < c.tokens.size(); ++token) {
    said.forms[std::string(c.tokens[token])] = c.forms.of(token, c.tokens[token]);
  }
}

ReadOptions spread() {
  ReadOptions options;
  options.spread_beyond = 0;
  return options;
}

/// The parts of all ranks, one after the other.
Said spread_over(std::size_t size, const std::filesystem::path& path, const ReadOptions& options = spread()) {
  std::vector<Collection> parts(size);
  run_ranks(size, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    parts[ranks.number()] = read_collection(path, options, run);
    ASSERT_TRUE(parts[ranks.number()].spread);
  });
  Said said;
  for (const Collection& part : parts) add(part, said);
  return said;
}

Said whole(const std::filesystem::path& path) {
  Said said;
  add(read_collection(path, {}, {}), said);
  return said;
}

/// Documents with everything that one part must know of another.
std::string tangled(std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t other = (k * 7 + 3) % count;
    text += "{\"id\": \"d" + std::to_string(k) + "\", \"text\": \"The Moon of the planet is w" + std::to_string(k % 5) +
            " and it was Mars" + std::to_string(k % 3) + (k % 2 ? " moon" : " Moon") + "\", \"labels\": [\"l" +
            std::to_string((count - k) % 4) + "\"], \"links\": [\"d" + std::to_string(other) + "\", \"d" +
            std::to_string(k) + "\", \"nobody\"], \"groups\": [\"g" + std::to_string((count - k) % 3) + "\"]}\n";
  }
  return text;
}

TEST(SpreadReading, PartsTogetherAreTheWhole) {
  const TempFolder folder;
  folder.write("documents.jsonl", tangled(50));
  std::string links, groups;
  for (int k = 0; k < 40; ++k) {
    links += "d" + std::to_string(k) + "\td" + std::to_string(49 - k) + "\t0.5\nd3\tnobody\n";
    groups += "d" + std::to_string(k) + "\tz" + std::to_string(k % 2) + "\nnobody\tz0\n";
  }
  folder.write("links.tsv", links);
  folder.write("groups.tsv", groups);
  const Said expected = whole(folder.path());
  EXPECT_EQ(expected.ids.size(), 50u);
  EXPECT_FALSE(expected.links.empty());
  for (const std::size_t size : {1u, 2u, 3u, 7u}) EXPECT_EQ(spread_over(size, folder.path()), expected) << size;
}

TEST(SpreadReading, MoreRanksThanDocumentsAndCompressedFiles) {
  const TempFolder folder;
  folder.write("few.jsonl", tangled(2));
  EXPECT_EQ(spread_over(9, folder.path("few.jsonl")), whole(folder.path("few.jsonl")));
  const std::string no_end = tangled(20);
  folder.write("cut.jsonl", no_end.substr(0, no_end.size() - 1));
  EXPECT_EQ(spread_over(3, folder.path("cut.jsonl")), whole(folder.path("cut.jsonl")));
  folder.write("packed.jsonl.zst", zstd(tangled(3000)));
  EXPECT_EQ(spread_over(3, folder.path("packed.jsonl.zst")), whole(folder.path("packed.jsonl.zst")));
  folder.write("marked.jsonl", "\xEF\xBB\xBF" + tangled(9));
  EXPECT_EQ(spread_over(4, folder.path("marked.jsonl")), whole(folder.path("marked.jsonl")));
}

/// The one message that all ranks have.
std::string message_of(std::size_t size, const std::filesystem::path& path, bool strict) {
  std::mutex mutex;
  std::set<std::string> messages;
  ReadOptions options = spread();
  options.strict = strict;
  run_ranks(size, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    std::string message = "none";
    try {
      read_collection(path, options, run);
    } catch (const Error& error) {
      message = error.what();
    }
    const std::lock_guard lock(mutex);
    messages.insert(message);
  });
  return messages.size() == 1 ? *messages.begin() : "several messages";
}

TEST(SpreadReading, FaultsAreThoseOfOneProcess) {
  const auto expect_same = [](const TempFolder& folder, bool strict, const std::string& what) {
    ReadOptions options;
    options.strict = strict;
    std::string expected = "none";
    try {
      read_collection(folder.path(), options, {});
    } catch (const Error& error) {
      expected = error.what();
    }
    EXPECT_NE(expected.find(what), std::string::npos) << expected;
    for (const std::size_t size : {2u, 3u, 5u}) EXPECT_EQ(message_of(size, folder.path(), strict), expected) << size;
  };
  {
    const TempFolder folder;
    folder.write("documents.jsonl", documents({"a", "b", "c", "d", "e"}) + "{\"id\": 1}\n" + document("f") + "oops\n");
    expect_same(folder, false, "documents.jsonl:6");
  }
  {
    const TempFolder folder;
    folder.write("documents.jsonl", documents({"a", "b", "c", "d", "e", "f", "b", "g", "a"}));
    expect_same(folder, false, "documents.jsonl:7: the id \"b\" was there already");
  }
  {
    const TempFolder folder;
    folder.write("documents.jsonl", documents({"a", "b", "c", "d", "e", "f"}));
    folder.write("links.tsv", "a\tb\nb\tc\nc\td\nd\tx\ne\tf\n");
    expect_same(folder, true, "links.tsv:4: a link to the unknown id \"x\"");
    folder.write("links.tsv", "a\tb\nb\tc\nc\td\nd\nx\n");
    expect_same(folder, false, "links.tsv:4");
    folder.write("links.tsv", "a\tb\nb\tc\nc\td\nd\te\nc\tb\n");
    expect_same(folder, true, "links.tsv:5: a repeated link");
  }
  {
    const TempFolder folder;
    folder.write("documents.jsonl", "");
    expect_same(folder, false, "no documents");
  }
}

TEST(SpreadReading, AnotherCorpusOnOneOfThemIsNoticed) {
  const TempFolder one, other;
  one.write("documents.jsonl", tangled(20));
  other.write("documents.jsonl", tangled(19) + document("d20"));
  run_ranks(3, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    EXPECT_THROW(read_collection((ranks.number() == 2 ? other : one).path(), spread(), run), Error);
  });
}

TEST(SpreadReading, FewDocumentsAndTextsWithoutSpacesAreReadWhole) {
  const TempFolder folder;
  folder.write("few.jsonl", tangled(10));
  folder.write("ideographs.jsonl", "{\"id\": \"a\", \"text\": \"魑魅魍魎\"}\n{\"id\": \"b\", \"text\": \"魑魅\"}\n");
  ReadOptions options;
  options.spread_beyond = 10;
  run_ranks(2, [&](Ranks& ranks) {
    idne::Run run;
    run.ranks = &ranks;
    const Collection few = read_collection(folder.path("few.jsonl"), options, run);
    EXPECT_FALSE(few.spread);
    EXPECT_EQ(few.ids.size(), 10u);
    const Collection ideographs = read_collection(folder.path("ideographs.jsonl"), spread(), run);
    EXPECT_EQ(ideographs.spread == nullptr, ideographs.ids.size() == 2);
  });
}

TEST(Bags, RowsAreFoundWhereverTheyAre) {
  run_ranks(3, [](Ranks& ranks) {
    CountMatrix own;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto document = static_cast<std::uint32_t>(4 * ranks.number()) + i;
      own.add_row(std::vector<WordCount>{{document, 1}, {document + 300, 70000}, {document + 100000, 2}});
    }
    const Bags bags(own, Placement(ranks, 4));
    const CountMatrix same = bags.rows(std::vector<std::uint32_t>{11, 0, 5, 5});
    ASSERT_EQ(same.rows(), 4u);
    EXPECT_EQ(same.row(0)[1], (WordCount{311, 70000}));
    EXPECT_EQ(same.row(2)[2], (WordCount{100005, 2}));
    const auto asked = static_cast<std::uint32_t>(11 - ranks.number());  // each another one
    const CountMatrix mine = bags.rows_for_me(std::vector<std::uint32_t>{asked});
    EXPECT_EQ(mine.row(0)[0].word, asked);
  });
}

}  // namespace
}  // namespace idne
