#!/usr/bin/env python3
"""Packages and papers as corpora, and what `idne check` says of a corpus.

IDNE names the program (default build/idne), as for cli.py.
"""
import gzip
import json
import lzma
import re
import unittest

from cli import LOOSE, Case, in_terminal, run

PACKAGES = """Package: bash
Section: shells
Tag: role::program, interface::shell,
 works-with::text
Depends: libc6 (>= 2.36), editor
Suggests: doc
Description: GNU shell
 It reads commands.
 .
 And runs them.

Package: libc6
Section: contrib/libs
Description: library

Package: vim
Section: editors
Provides: editor
Recommends: libc6 | musl
Description: editor

Package: doc
Section: doc
"""

WORKS = """{"id":"https://openalex.org/W1","title":"Graph embedding","publication_date":"2018-05-06","publication_year":2018,"abstract_inverted_index":{"We":[0],"embed":[1],"graphs":[2]},"referenced_works":["https://openalex.org/W2"],"topics":[{"display_name":"Graphs","field":{"display_name":"Computing"}}]}
{"id":"https://openalex.org/W2","title":"Graphs","publication_year":2011,"abstract_inverted_index":null}
"""


def documents(corpus):
    return {d["id"]: d for d in map(json.loads, (corpus / "documents.jsonl").read_text("utf-8").splitlines())}


class Debian(Case):
    def setUp(self):
        super().setUp()
        self.lists = self.write("lists/deb_Packages", PACKAGES).parent
        self.out = self.folder / "packages"

    def imported(self, *options):
        result = self.ok("import", "debian", "-o", self.out, *options)
        self.assertEqual(result.out, b"")
        return documents(self.out), result.err

    def test_packages_with_links_and_counts(self):
        packages, told = self.imported("--lists", self.lists)
        self.assertEqual(list(packages), ["bash", "libc6", "vim", "doc"])
        self.assertEqual(packages["bash"], {"id": "bash", "title": "bash — GNU shell", "labels": ["shells"],
                                            "text": "GNU shell\n\nIt reads commands.\n\nAnd runs them.", "links": ["libc6", "vim", "doc"]})
        self.assertEqual(packages["libc6"]["labels"], ["libs"])
        self.assertRegex(told, r"\A4 documents: \S+packages\n(  [^\n]+: [\d,]+\n)+\Z")
        self.assertIn("  links to packages that are not in the index: 1\n", told)

    def test_options(self):
        self.assertEqual(self.imported("--lists", self.lists, "--labels", "tags")[0]["bash"]["labels"],
                         ["role::program", "interface::shell", "works-with::text"])
        self.assertEqual(self.imported("--lists", self.lists, "--depends", "suggests")[0]["bash"]["links"], ["doc"])
        self.assertEqual(self.imported("--lists", self.lists, "--depends", "suggests,depends")[0]["bash"]["links"], ["libc6", "vim", "doc"])
        self.assertEqual(list(self.imported("--lists", self.lists, "--top", 1)[0]), ["bash"])

    def test_a_status_file_and_a_compressed_list(self):
        status = self.write("status", PACKAGES)
        from_status = self.imported("--status", status)[0]
        (self.lists / "deb_Packages").unlink()
        self.write("lists/deb_Packages.gz", gzip.compress(PACKAGES.encode()))
        self.assertEqual(self.imported("--lists", self.lists)[0], from_status)

    def test_what_goes_wrong_leaves_nothing(self):
        self.fails(1, "import", "debian", "--lists", self.folder / "none", "-o", self.out, says="none: ")
        self.fails(1, "import", "debian", "--status", self.folder / "none", "-o", self.out, says="none: ")
        self.fails(1, "import", "debian", "--status", self.write("s", "Package: a\nwhat\n"), "-o", self.out, says="s:2: ")
        self.fails(2, "import", "debian", "--lists", self.lists, "--depends", "conflicts", "-o", self.out, says="--depends")
        self.fails(2, "import", "debian", "--lists", self.lists, "--labels", "size", "-o", self.out, says="--labels")
        self.fails(2, "import", "debian", "--lists", self.lists, "--status", "s", "-o", self.out, says="--status")
        self.fails(2, "import", "debian", "--lists", self.lists, says="--output")
        self.assertFalse(self.out.exists())


class OpenAlex(Case):
    def test_two_works(self):
        out = self.folder / "papers"
        told = self.ok("import", "openalex", self.write("w.jsonl", WORKS), "-o", out).err
        works = documents(out)
        self.assertEqual(works["W1"], {"id": "W1", "title": "Graph embedding", "date": "2018-05-06", "text": "Graph embedding\nWe embed graphs", "labels": ["Graphs"], "links": ["W2"]})
        self.assertEqual(works["W2"], {"id": "W2", "title": "Graphs", "date": "2011", "text": "Graphs"})
        self.assertTrue(told.startswith("2 documents: "), told)

    def test_files_one_after_the_other_and_other_labels(self):
        first, second = WORKS.splitlines(keepends=True)
        files = self.write("a.jsonl.gz", gzip.compress(second.encode())), self.write("b.jsonl", first + second)
        out = self.folder / "papers"
        told = self.ok("import", "openalex", *files, "--labels", "fields", "-o", out).err
        self.assertEqual(list(documents(out)), ["W2", "W1"])
        self.assertEqual(documents(out)["W1"]["labels"], ["Computing"])
        self.assertIn("  works that were there already: 1\n", told)

    def test_faults(self):
        out = self.folder / "papers"
        self.fails(1, "import", "openalex", self.write("w.jsonl", WORKS + "no JSON\n"), "-o", out, says="w.jsonl:3: ")
        self.fails(1, "import", "openalex", self.write("cut.gz", gzip.compress(WORKS.encode() * 50)[:-20]), "-o", out, says="cut.gz: ")
        self.fails(1, "import", "openalex", self.write("cut.xz", lzma.compress(WORKS.encode() * 50)[:-20]), "-o", out, says="cut.xz: cannot read: ")
        self.fails(1, "import", "openalex", self.folder / "none", "-o", out, says="none: ")
        self.fails(1, "import", "openalex", self.write("empty", ""), "-o", out, says="nothing to import")
        self.fails(2, "import", "openalex", "-o", out, says="FILE")
        self.fails(2, "import", "openalex", self.write("w.jsonl", WORKS), "--labels", "authors", "-o", out, says="--labels")
        self.assertFalse(out.exists())


class Check(Case):
    def test_the_numbers_are_those_of_training(self):
        told, info = self.json("check", self.corpus), self.json("info", self.model)
        self.assertEqual((told["documents"], told["links"], told["words"]["kept"], told["labels"]["count"]),
                         (info["documents"], info["links"], info["words"], info["labels"]))
        self.assertAlmostEqual(told["density"], told["links"] / (200 * 199 / 2))
        self.assertEqual(sum(r["documents"] for r in told["degree"]["ranges"]), 200)
        self.assertEqual(told["findings"], [])
        self.assertGreater(told["forecast"]["bytes"], 1 << 20)
        self.assertGreater(told["forecast"]["seconds"], 0)

    def test_the_text_fits_80_columns_and_has_the_same_numbers(self):
        shown, told = self.ok("check", self.corpus).out.decode(), self.json("check", self.corpus)
        self.assertRegex(shown, r"\Awhat +value\ndocuments +200\n")
        self.assertRegex(shown, rf"\nwords kept +{told['words']['kept']:,}\n")
        self.assertRegex(shown, r"\n +links +documents\n")
        self.assertIn("█", shown)
        self.assertTrue(shown.endswith("\n\nnothing looks wrong\n"), shown)
        self.assertLessEqual(max(map(len, shown.split("\n"))), 80)

    def test_words_are_chosen_as_in_training(self):
        few = self.json("check", self.corpus, "--min-count", 40)["words"]
        self.assertLess(few["kept"], self.json("check", self.corpus)["words"]["kept"])
        self.assertGreater(few["too_rare"], 0)
        self.fails(2, "check", self.corpus, "--min-count", 0, says="--min-count: ")

    def test_what_looks_wrong(self):
        long_id = "a-very-long-id-" * 20
        lines = [{"id": long_id + str(i), "text": "enzyme genome", "links": ["d1", "gone"]} for i in range(3)]
        lines += [{"id": f"d{i}", "text": "gene cell protein" if i < 5 else f"court judge law trial{i}"} for i in range(40)]
        corpus = self.write("bare.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        told = self.json("check", corpus, *LOOSE)
        self.assertEqual((told["documents"], told["links"], told["degree"]["isolated"]), (43, 3, 39))
        self.assertEqual((told["dropped"]["unknown_links"], told["words"]["repeated_documents"]), (3, 6))
        self.assertEqual(told["words"]["repeated_example"], [long_id + "0", long_id + "1"])
        said = [finding["what"] for finding in told["findings"]]
        self.assertIn("39 of 43 documents have no link", said)
        self.assertIn("no labels", said)
        shown = self.ok("check", corpus, *LOOSE).out.decode()
        self.assertIn("\n- 39 of 43 documents have no link: ", shown)
        self.assertEqual(len(re.findall(r"(?m)^- ", shown)), len(said))
        for line in shown.split("\n"):
            self.assertLessEqual(len(line), 80)

    def test_nothing_unprintable_reaches_the_terminal(self):
        corpus = self.write("odd.jsonl", "".join(json.dumps({"id": f"\x1b[2J\n{i}", "text": "same words"}) + "\n" for i in range(3)))
        code, shown = in_terminal("check", corpus, *LOOSE, columns=60, environment={"NO_COLOR": "1"})
        self.assertEqual(code, 0, shown)
        self.assertNotIn("\x1b[2J", shown)

    def test_faults(self):
        self.fails(1, "check", self.folder / "none", says="none: ")
        self.fails(1, "check", self.write("bad.jsonl", '{"id": 1}\n'), says="bad.jsonl:1: ")
        self.fails(2, "check", says="CORPUS")
        self.fails(2, "check", self.corpus, "--format", "xml", says="--format")
        self.assertEqual(run("check", self.write("one.jsonl", '{"id": "a", "text": ""}\n')).code, 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
