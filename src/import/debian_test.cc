#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/error.h"
#include "idne/import.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Json = nlohmann::json;

/// What an import of the folder `lists` of a test's folder, or of its file `status`, gives.
struct ImportedPackages {
  std::map<std::string, Json> documents;
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::string> order;
};

class Debian : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder.path("lists"));
    options.lists = folder.path("lists");
    options.status.clear();
  }
  void list(std::string_view text, const std::string& name = "deb_main_Packages") {
    folder.write("lists/" + name, text);
  }
  ImportedPackages import() {
    ImportedPackages result;
    ImportCounts counts;
    {
      CorpusWriter out(folder.path("corpus"));
      import_debian(options, out, counts, idne::Run{});
      out.commit();
    }
    std::istringstream lines(folder.read("corpus/documents.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      Json document = Json::parse(line);
      result.order.push_back(document["id"]);
      result.documents[document["id"]] = document;
    }
    result.counts.insert(counts.all().begin(), counts.all().end());
    return result;
  }
  std::string error() {
    try {
      import();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TempFolder folder;
  DebianOptions options;
};

const Json kNothing;

Json links(const ImportedPackages& imported, const std::string& id) {
  return imported.documents.at(id).value("links", kNothing);
}
Json labels(const ImportedPackages& imported, const std::string& id) {
  return imported.documents.at(id).value("labels", kNothing);
}

TEST_F(Debian, PackagesBecomeDocuments) {
  list(
      "Package: bash\nSection: shells\nDepends: libc6 (>= 2.36)\nDescription: GNU shell\n It reads\n commands.\n .\n"
      " And more.\n\nPackage: libc6\nSection: contrib/libs\n");
  const ImportedPackages all = import();
  EXPECT_EQ(all.order, (std::vector<std::string>{"bash", "libc6"}));
  EXPECT_EQ(all.documents.at("bash"), (Json{{"id", "bash"},
                                            {"title", "bash — GNU shell"},
                                            {"text", "GNU shell\n\nIt reads\ncommands.\n\nAnd more."},
                                            {"labels", {"shells"}},
                                            {"links", {"libc6"}}}));
  EXPECT_EQ(all.documents.at("libc6"), (Json{{"id", "libc6"}, {"title", "libc6"}, {"text", ""}, {"labels", {"libs"}}}));
}

TEST_F(Debian, LongDescriptionsAreJoinedBySum) {
  list(
      "Package: a\nDescription: short a\nDescription-md5: 01\n\nPackage: b\nDescription: short b\nDescription-md5: 02\n"
      "\nPackage: c\nDescription: short c\n of its own\nDescription-md5: 01\n");
  list("Package: other\nDescription-md5: 01\nDescription-en: short a\n long a\n", "deb_main_i18n_Translation-en");
  list("Package: b\nDescription-md5: 02\nDescription-de: kurz\n lang\n", "deb_main_i18n_Translation-de");
  const ImportedPackages all = import();
  EXPECT_EQ(all.documents.at("a")["text"], "short a\n\nlong a");
  EXPECT_EQ(all.documents.at("b")["text"], "short b");
  EXPECT_EQ(all.documents.at("c")["text"], "short c\n\nof its own");
  EXPECT_EQ(all.counts.size(), 2u);  // b's description, and sections
}

TEST_F(Debian, EveryAlternativeIsALinkWithoutWhatQualifiesIt) {
  list(
      "Package: a\nPre-Depends: b\nDepends: c (>= 1) | d:any [amd64 !i386],\n e <!nocheck>\nRecommends: f(<<2)\n"
      "Suggests: g , |, \n\nPackage: b\n\nPackage: c\n\nPackage: d\n\nPackage: e\n\nPackage: f\n\nPackage: g\n");
  EXPECT_EQ(links(import(), "a"), (Json{"b", "c", "d", "e", "f", "g"}));
  options.recommends = options.suggests = false;
  EXPECT_EQ(links(import(), "a"), (Json{"b", "c", "d", "e"}));
  options.depends = false, options.suggests = true;
  EXPECT_EQ(links(import(), "a"), (Json{"g"}));
}

TEST_F(Debian, AVirtualPackageLeadsToItsOnlyProvider) {
  list(
      "Package: a\nDepends: editor, mail, nowhere, real\n\nPackage: vim\nProvides: editor (= 2), mail, real\n\n"
      "Package: exim\nProvides: mail\nDepends: mail\n\nPackage: real\n");
  const ImportedPackages all = import();
  EXPECT_EQ(links(all, "a"), (Json{"vim", "real"}));
  EXPECT_EQ(links(all, "exim"), kNothing);
  EXPECT_EQ(all.counts.at("links to virtual packages that several packages provide"), 2u);
  EXPECT_EQ(all.counts.at("links to packages that are not in the index"), 1u);
}

TEST_F(Debian, APairIsLinkedOnceAndNoPackageWithItself) {
  list("Package: a\nDepends: b, b (>= 2), self\nSuggests: b\nProvides: self\n\nPackage: b\nRecommends: a\n");
  const ImportedPackages all = import();
  EXPECT_EQ(links(all, "a"), (Json{"b"}));
  EXPECT_EQ(links(all, "b"), kNothing);
}

TEST_F(Debian, TheFirstVersionIsKept) {
  list("Package: a\nVersion: 2\nDescription: new\n", "deb-security_Packages");
  list("Package: a\nVersion: 1\nDescription: old\n\nPackage: b\n", "deb_Packages");
  const ImportedPackages all = import();
  EXPECT_EQ(all.documents.size(), 2u);
  EXPECT_EQ(all.documents.at("a")["text"], "new");
  EXPECT_EQ(all.counts.at("other versions or architectures of a package"), 1u);
}

TEST_F(Debian, TagsAreJoinedOverLines) {
  options.labels = PackageLabels::Tags;
  list("Package: a\nSection: net\nTag: role::program, use::chatting,\n works-with::text\n\nPackage: b\n");
  const ImportedPackages all = import();
  EXPECT_EQ(labels(all, "a"), (Json{"role::program", "use::chatting", "works-with::text"}));
  EXPECT_EQ(labels(all, "b"), kNothing);
  EXPECT_EQ(all.counts.at("packages without tags"), 1u);
}

TEST_F(Debian, TopKeepsTheBestConnected) {
  list(
      "Package: lone\n\nPackage: leaf\nDepends: hub\n\nPackage: hub\nDepends: other\n\nPackage: other\n\n"
      "Package: third\nDepends: hub, other\n");
  options.top = 2;
  const ImportedPackages two = import();
  EXPECT_EQ(two.order, (std::vector<std::string>{"hub", "other"}));
  EXPECT_EQ(links(two, "hub"), (Json{"other"}));
  EXPECT_EQ(two.counts.at("links with packages outside --top"), 3u);
  options.top = 9;
  EXPECT_EQ(import().order.size(), 5u);
}

/// Those of apt.
const std::vector<std::string> kEndings{".bz2", ".gz", ".lz4", ".lzma", ".xz", ".zst"};

TEST_F(Debian, EveryCompressionOfApt) {
  std::vector<std::string> expected;
  for (const std::string& ending : kEndings) {
    const std::string name = "p" + ending.substr(1);
    list(FilePacker::compressed("Package: " + name + "\nDescription: packed\n", ending), name + "_Packages" + ending);
    expected.push_back(name);
  }
  EXPECT_EQ(import().order, expected);
}

TEST_F(Debian, ACutCompressedFileIsAnError) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += fmt::format("Package: p{}\n\n", i * 7919 % 20011);
  for (const std::string& ending : kEndings) {
    const std::string name = "deb_Packages" + ending, whole = FilePacker::compressed(text, ending);
    list(whole.substr(0, whole.size() / 2), name);
    EXPECT_NE(error().find(name + ": cannot read: "), std::string::npos) << ending;
    std::filesystem::remove(folder.path("lists/" + name));
  }
}

TEST_F(Debian, DpkgsStatusWhereThereAreNoLists) {
  options.status = folder.write(
      "status",
      "Package: here\nStatus: install ok installed\nDescription: it\n is here\n\n"
      "Package: gone\nStatus: deinstall ok config-files\n\nPackage: held\nStatus: hold ok installed\nDepends: here\n");
  const ImportedPackages all = import();
  EXPECT_EQ(all.order, (std::vector<std::string>{"here", "held"}));
  EXPECT_EQ(all.documents.at("here")["text"], "it\n\nis here");
  EXPECT_EQ(all.counts.at("packages that are not installed"), 1u);
  options.lists = folder.path("no-such-folder");
  EXPECT_EQ(import().order.size(), 2u);
  options.status.clear();
  EXPECT_NE(error().find("no-such-folder: "), std::string::npos);
  list("Package: listed\n");
  options.lists = folder.path("lists");
  EXPECT_EQ(import().order, (std::vector<std::string>{"listed"}));
}

TEST_F(Debian, AnEmptyFolderSaysWhatToDo) {
  EXPECT_NE(error().find("apt-get update"), std::string::npos);
  std::filesystem::create_directory(folder.path("lists/a_Packages"));
  std::filesystem::create_symlink("b_Packages", folder.path("lists/b_Packages"));
  EXPECT_NE(error().find("apt-get update"), std::string::npos) << "a folder and a link to itself are no lists";
  list("");
  EXPECT_NE(error().find("no document"), std::string::npos);
}

TEST_F(Debian, FaultsAreNamedByFileAndLine) {
  list("Package: a\n\n\nPackage: b\nno field\n");
  EXPECT_NE(error().find("deb_main_Packages:5: "), std::string::npos) << error();
  list(" goes on\n");
  EXPECT_NE(error().find("deb_main_Packages:1: "), std::string::npos) << error();
  list("Package: a\n\nSection: net\n\n");
  EXPECT_NE(error().find("deb_main_Packages:4: "), std::string::npos) << error();
  list("Package: a b\n");
  EXPECT_NE(error().find("deb_main_Packages:1: "), std::string::npos) << error();
  list("Package: caf\xff\n");
  EXPECT_NE(error().find("deb_main_Packages:1: "), std::string::npos) << error();
}

TEST_F(Debian, OddButReadable) {
  list(
      "# a comment\r\n\r\npackage:a\r\nDESCRIPTION:  broken \xff\xfe\r\n \xc3\r\n\r\n\n \n"
      "Package: b\nSection: /\nDepends: ,|(>= 1), :any, a\nDescription: " +
      std::string(1 << 20, 'x'));
  const ImportedPackages all = import();
  EXPECT_EQ(all.documents.at("a")["text"], "broken \xef\xbf\xbd\xef\xbf\xbd\n\n\xef\xbf\xbd");
  EXPECT_EQ(all.documents.at("b")["text"].get<std::string>().size(), std::size_t{1} << 20);
  EXPECT_EQ(links(all, "b"), (Json{"a"}));
  EXPECT_EQ(labels(all, "b"), kNothing);
}

TEST_F(Debian, ALineWithoutEndIsNotReadForever) {
  list(FilePacker::compressed(std::string((std::size_t{1} << 26) + (1 << 21), 'x'), ".gz"), "deb_Packages.gz");
  EXPECT_NE(error().find("deb_Packages.gz:1: a line of more than 64 MiB"), std::string::npos) << error();
}

}  // namespace
}  // namespace idne
