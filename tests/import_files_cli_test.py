#!/usr/bin/env python3
"""Files that people have, as a corpus: `idne import markdown`, `idne import html`, `idne import csv`.

IDNE names the program (default build/idne), as for cli.py.
"""
import bz2
import gzip
import json
import lzma
import os
import subprocess
import unittest

from cli import LOOSE, Case


class ImportCase(Case):
    def imported(self, *arguments):
        """({id: document}, what was said about the import)."""
        out = self.folder / "corpus"
        result = self.ok("import", *arguments, "-o", out)
        self.assertEqual(result.out, b"")
        self.assertEqual(os.listdir(out), ["documents.jsonl"])
        documents = [json.loads(line) for line in (out / "documents.jsonl").read_text("utf-8").splitlines()]
        return {document["id"]: document for document in documents}, result.err

    def trains(self):
        """The corpus that was imported is one that the program reads."""
        self.ok("train", self.folder / "corpus", "-o", self.folder / "my.idne", "--method", "lsa", "--dim", 2, *LOOSE)


class Markdown(ImportCase):
    def vault(self):
        self.write("notes/A.md", "---\ntags: [one, two]\n---\n# Alpha\nSee [[B]] and [c](sub/C.md) #three\n")
        self.write("notes/B.md", "Beta links [[A|alias]] and [[missing note]] https://example.org\n")
        self.write("notes/sub/C.md", "Gamma\n")
        self.write("notes/sub/D.md", b"caf\xe9\n")
        self.write("notes/E.md", "")
        self.write("notes/.obsidian/F.md", "settings\n")
        (self.folder / "notes/sub/loop").symlink_to(self.folder / "notes")
        (self.folder / "notes/outside.md").symlink_to(self.write("secret.md", "secret\n"))
        return self.folder / "notes"

    def test_notes_links_and_labels(self):
        documents, said = self.imported("markdown", self.vault())
        self.assertEqual(sorted(documents), ["A", "B", "E", "sub/C", "sub/D"])
        self.assertEqual(documents["A"], {"id": "A", "title": "Alpha", "text": "Alpha\nSee B and c #three",
                                          "labels": ["one", "two", "three"], "links": ["B", "sub/C"]})
        self.assertEqual(documents["B"]["links"], ["A"])
        self.assertEqual(documents["sub/D"]["text"], "D\ncafé")
        for line in ("5 documents: ", "  links that lead nowhere: 1\n", "  links out of the folder: 1\n",
                     "  empty notes: 1\n", "  notes that are no UTF-8, taken for Windows-1252: 1\n",
                     "  symbolic links to folders, not followed: 1\n",
                     "  symbolic links out of the folder, not followed: 1\n"):
            self.assertIn(line, said)
        self.trains()

    def test_dates_of_the_front_matter(self):
        for name, matter in (("A", "date: 2015-03-04"), ("B", "created: 2016/07/01 10:30"), ("C", "created: 2016-07-01\ndate: '2017'"),
                             ("D", "date: {{date}}"), ("E", "title: none")):
            self.write(f"dated/{name}.md", f"---\n{matter}\n---\ntext\n")
        documents, said = self.imported("markdown", self.folder / "dated")
        self.assertEqual([documents[name].get("date") for name in "ABCDE"], ["2015-03-04", "2016-07-01", "2017", None, None])
        self.assertIn("  dates that cannot be read: 1\n", said)

    def test_again_gives_the_same_bytes(self):
        vault, out = self.vault(), self.folder / "corpus/documents.jsonl"
        self.imported("markdown", vault)
        first = out.read_bytes()
        self.imported("markdown", vault)
        self.assertEqual(out.read_bytes(), first)

    def test_what_a_killed_import_left_does_no_harm(self):
        ended = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, check=True).stdout.decode().strip()
        self.write(f"corpus/documents.jsonl.part-{ended}", '{"id":')
        self.imported("markdown", self.vault())

    def test_nothing_to_import(self):
        (self.folder / "empty").mkdir()
        out = self.folder / "corpus"
        self.fails(1, "import", "markdown", self.folder / "empty", "-o", out, says="empty: nothing to import: no file ends in one of .md, ")
        self.fails(1, "import", "markdown", self.folder / "gone", "-o", out, says="gone")
        self.fails(1, "import", "markdown", self.write("file.md", "x"), "-o", out, says="file.md: is a file; a folder is needed here")
        self.assertFalse(out.exists())
        self.fails(2, "import", "markdown", "-o", out)


    def test_what_is_left_out_and_labels_of_folders(self):
        vault = self.vault()
        documents, said = self.imported("markdown", vault, "--exclude", "E*", "--exclude", "sub/D.md", "--folder-labels")
        self.assertEqual(sorted(documents), ["A", "B", "sub/C"])
        self.assertEqual(documents["sub/C"]["labels"], ["sub"])
        self.assertIn("  files left out by --exclude: 2\n", said)
        self.assertNotIn(" fits: 0", said)
        _, said = self.imported("markdown", vault, "--exclude", "E*", "--exclude", "sub/")
        self.assertIn("  files and folders that --exclude sub/ fits: 0\n", said)
        self.write("notes/page.html", "<p>text")
        for kind, ending in (("markdown", ".mdx"), ("html", ".xhtml")):
            self.fails(1, "import", kind, vault, "--exclude", "*", "-o", self.folder / "none",
                       says=f"{ending} but for what --exclude leaves out: 6 files and folders")


class Html(ImportCase):
    def test_pages_links_and_labels(self):
        self.write("site/index.html", "<title>Home</title><meta name=keywords content='a, b'>"
                                      "<nav><a href=x.html>x</a></nav><main><p>Welcome "
                                      "<a href='docs/'>docs</a> <a href='https://example.org'>e</a>"
                                      " <a href='gone.html'>gone</a><script>no()</script></main>")
        self.write("site/docs/index.html", b"<meta charset=iso-8859-1><p>Caf\xe9 <a href='/index.html#top'>up</a>")
        self.write("site/x.html", "<title>X</title>")
        (self.folder / "site/outside.html").symlink_to(self.write("secret.html", "secret"))
        documents, said = self.imported("html", self.folder / "site")
        self.assertEqual(documents, {
            "index.html": {"id": "index.html", "title": "Home", "text": "Welcome docs e gone", "labels": ["a", "b"],
                           "links": ["docs/index.html"]},
            "docs/index.html": {"id": "docs/index.html", "title": "index.html", "text": "Café up",
                                "links": ["index.html"]},
            "x.html": {"id": "x.html", "title": "X", "text": ""}})
        for line in ("  links out of the site: 1\n", "  links that lead nowhere: 1\n", "  pages without text: 1\n",
                     "  symbolic links out of the folder, not followed: 1\n"):
            self.assertIn(line, said)
        self.trains()


    def test_dates(self):
        for name, head, body in (("a", '<meta property="article:published_time" content="2015-03-04T10:00:00Z">', '<time datetime="2001">then</time>'),
                                 ("b", '<meta name="DC.date" content="2016-07">', ""), ("c", "", '<time datetime="2017-01-02">now</time><time datetime="1999">'),
                                 ("d", '<meta name="date" content="yesterday">', "<time>2015</time>")):
            self.write(f"dated/{name}.html", f"<head><title>T</title>{head}</head><body>text {body}</body>")
        documents, _ = self.imported("html", self.folder / "dated")
        self.assertEqual([documents[f"{name}.html"].get("date") for name in "abcd"], ["2015-03-04", "2016-07", "2017-01-02", None])


class Csv(ImportCase):
    def test_dates(self):
        table = self.write("dates.csv", "Date,text,year\n2015-03-04,a,2001\n,b,2002.0\nsoon,c,2003\n")
        documents, said = self.imported("csv", table, "--text", "text")
        self.assertEqual([document.get("date") for document in documents.values()], ["2015-03-04", None, None])
        self.assertIn("  dates that cannot be read: 1\n", said)
        documents, _ = self.imported("csv", table, "--text", "text", "--date", "year")
        self.assertEqual([document["date"] for document in documents.values()], ["2001", "2002", "2003"])
        self.fails(1, "import", "csv", table, "--text", "text", "--date", "day", "-o", self.folder / "none", says="no column day")

    def test_a_bad_row_need_not_stop_all(self):
        table = self.write("bad.csv", b"id,text\n1,caf\xe9\n2\n3,good\n")
        self.fails(1, "import", "csv", table, "--text", "text", "-o", self.folder / "none", says="bad.csv:3: 1 field, but")
        documents, said = self.imported("csv", table, "--text", "text", "--id", "id", "--skip-bad")
        self.assertEqual([document["text"] for document in documents.values()], ["café", "good"])
        self.assertIn("  rows with an error, passed over: 1\n", said)
        self.fails(1, "import", "csv", self.write("semi.csv", "id;text\n1;a\n"), "--text", "text", "-o", self.folder / "none", says="try --separator ';'")

    TABLE = 'key,title,body,tags,cites\na,First,"some, words\nin ""two"" lines",x|y,b\nb,Second,other words,y,\n'

    def test_columns(self):
        table = self.write("table.csv", self.TABLE)
        documents, said = self.imported("csv", table, "--id", "key", "--text", "title,body", "--title", "title",
                                        "--labels", 4, "--links", "cites")
        self.assertEqual(documents["a"], {"id": "a", "title": "First", "text": 'First\nsome, words\nin "two" lines',
                                          "labels": ["x", "y"], "links": ["b"]})
        self.assertEqual(documents["b"]["labels"], ["y"])
        self.assertIn("2 documents: ", said)
        self.trains()

    def test_compressed(self):
        packed = self.write("table.csv.gz", gzip.compress(self.TABLE.encode()))
        self.assertEqual(sorted(self.imported("csv", packed, "--text", "body")[0]), ["1", "2"])
        for ending, pack in ((".bz2", bz2.compress), (".xz", lzma.compress)):
            packed = self.write("table.tsv" + ending, pack(self.TABLE.replace(",", "\t").encode()))
            self.assertEqual(self.imported("csv", packed, "--text", "title")[0]["2"]["text"], "Second")
        subprocess.run(["zstd", "-q", self.write("table.csv", self.TABLE)], check=True)
        self.assertEqual(len(self.imported("csv", self.folder / "table.csv.zst", "--text", "body")[0]), 2)

    def test_separators(self):
        semicolons = self.write("a.csv", "t;l\nx,y;p/q\n")
        documents, _ = self.imported("csv", semicolons, "--text", "t", "--labels", "l", "--separator", ";",
                                     "--list-separator", "/")
        self.assertEqual(documents["1"], {"id": "1", "text": "x,y", "labels": ["p", "q"]})
        for name, more in (("b.csv", ["--separator", "tab"]), ("c.tsv", [])):
            documents, _ = self.imported("csv", self.write(name, "t\tl\nx,y\tp\n"), "--text", "t", *more)
            self.assertEqual(documents["1"]["text"], "x,y")

    def test_text_takes_no_other_argument(self):
        documents, _ = self.imported("csv", "--text", "t", self.write("a.csv", "t\nx\n"))
        self.assertEqual(documents["1"]["text"], "x")

    def test_faults(self):
        out = self.folder / "corpus"
        table = self.write("table.csv", "i,t\na,b\nc\n")
        self.fails(1, "import", "csv", table, "--text", "t", "-o", out, says="table.csv:3: ")
        self.fails(1, "import", "csv", table, "--text", "u", "-o", out, says="there are: i, t")
        self.fails(1, "import", "csv", self.folder / "gone.csv", "--text", "t", "-o", out, says="gone.csv")
        self.fails(1, "import", "csv", self.folder, "--text", "t", "-o", out, says="folder")
        self.fails(2, "import", "csv", table, "-o", out, says="--text")
        self.fails(2, "import", "csv", table, "--text", "t", "--separator", "ab", "-o", out, says="--separator")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main(verbosity=1)
