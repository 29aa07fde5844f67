#!/usr/bin/env python3
"""`idne import stackexchange` and `idne import mediawiki` as their users meet them.

IDNE names the program (default build/idne), as for cli.py.
"""
import bz2
import gzip
import json
import lzma
import unittest

from cli import LOOSE, Case

POSTS = """<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="1" PostTypeId="1" Score="12" OwnerUserId="7" Title="Visa for Japan?" \
Body="&lt;p&gt;Do I need a &lt;b&gt;visa&lt;/b&gt;?&lt;/p&gt;&lt;pre&gt;code&lt;/pre&gt;" Tags="&lt;visa&gt;&lt;japan&gt;" />
  <row Id="2" PostTypeId="2" ParentId="1" CreationDate="2011-06-21T20:19:34.730" Score="10" OwnerUserId="7" Body="&lt;p&gt;No.&lt;/p&gt;" />
  <row Id="3" PostTypeId="2" ParentId="1" Score="3" OwnerUserId="8" Body="low" />
  <row Id="4" PostTypeId="1" Score="10" OwnerUserId="8" Title="Trains" Body="x" Tags="|trains|japan|" />
  <row Id="5" PostTypeId="2" ParentId="4" Score="11" Body="y" />
  <row Id="6" PostTypeId="1" Score="50" OwnerUserId="9" Title="Lonely" Body="z" Tags="|alone|" />
</posts>
"""

WIKI = """<mediawiki xml:lang="en">
  <page><title>Cat</title><ns>0</ns><revision><timestamp>2020-01-02T03:04:05Z</timestamp><text>A '''cat''' hunts [[mouse|mice]]. [[Category:Pets]]</text></revision></page>
  <page><title>Mouse</title><ns>0</ns><redirect title="House mouse" /><revision><text /></revision></page>
  <page><title>House mouse</title><ns>0</ns><revision><text>Small. [[Nowhere]]</text></revision></page>
  <page><title>Talk:Cat</title><ns>1</ns><revision><text>x</text></revision></page>
</mediawiki>
"""


class Import(Case):
    def imported(self, *arguments):
        out = self.folder / "corpus"
        result = self.ok("import", *arguments, "-o", out)
        self.assertEqual(result.out, b"")
        self.assertEqual([path.name for path in out.iterdir()], ["documents.jsonl"])
        documents = [json.loads(line) for line in (out / "documents.jsonl").read_text("utf-8").splitlines()]
        return {document["id"]: document for document in documents}, result.err

    def fails_and_leaves_nothing(self, code, *arguments, says):
        out = self.folder / "corpus"
        self.fails(code, "import", *arguments, "-o", out, says=says)
        self.assertFalse(out.exists())


class StackExchange(Import):
    def test_a_folder(self):
        self.write("dump/Posts.xml", POSTS)
        documents, said = self.imported("stackexchange", self.folder / "dump")
        self.assertEqual(list(documents), ["1", "2", "4", "5"])
        self.assertEqual(documents["1"]["text"], "Visa for Japan?\nDo I need a visa?")
        self.assertEqual(documents["1"]["title"], "Visa for Japan?")
        self.assertEqual(sorted(documents["4"]["labels"]), ["japan", "trains"])
        self.assertEqual(documents["2"], {"id": "2", "date": "2011-06-21", "text": "No.", "links": ["1"], "groups": ["user 7"]})
        self.assertEqual(documents["5"], {"id": "5", "text": "y", "links": ["4"]})
        self.assertRegex(said, r"\A4 documents: \S+\n")
        self.assertIn("  answers below --min-votes: 1\n", said)
        self.assertIn("  questions without an answer that has the votes: 1\n", said)

    def test_where_nothing_is_left_it_says_what_was_left_out(self):
        posts = self.write("Posts.xml", POSTS)
        self.fails_and_leaves_nothing(
            1, "stackexchange", posts, "--min-votes", 1000,
            says=f"{posts}: nothing to import: no document was found; questions below --min-votes: ")

    def test_a_compressed_file(self):
        for ending, pack in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)):
            with self.subTest(ending):
                posts = self.write("Posts.xml" + ending, pack(POSTS.encode()))
                self.assertEqual(len(self.imported("stackexchange", posts)[0]), 4)

    def test_a_broken_compressed_file_is_one_line_with_its_name(self):
        whole = bz2.compress(POSTS.encode())
        for name, content in (("cut.bz2", whole[:-1]), ("empty.bz2", b""), ("plain.bz2", POSTS.encode()),
                              ("more.bz2", whole + b"more"), ("cut.xz", lzma.compress(POSTS.encode())[:-9]),
                              ("cut.gz", gzip.compress(POSTS.encode())[:-9]), ("dump.7z", b"7z")):
            with self.subTest(name):
                self.fails_and_leaves_nothing(1, "stackexchange", self.write(name, content), says=f"{name}: cannot read: ")

    def test_a_pipe(self):
        out = self.folder / "piped"
        self.ok("import", "stackexchange", "/dev/stdin", "-o", out, stdin=POSTS.encode())
        self.assertEqual(len((out / "documents.jsonl").read_text("utf-8").splitlines()), 4)

    def test_options(self):
        posts = self.write("Posts.xml", POSTS)
        documents, said = self.imported("stackexchange", posts, "--min-votes", 3, "--code", "keep", "--answer-labels", "--top-labels", 1)
        self.assertEqual(list(documents), ["1", "2", "3", "4", "5"])
        self.assertIn("code", documents["1"]["text"])
        self.assertEqual([document.get("labels") for document in documents.values()], [["japan"]] * 5)
        self.assertIn("  labels left out by --top-labels: 2\n", said)

    def test_names_in_small_letters_and_questions_without_answers(self):
        forum = self.write("forum/posts.xml", POSTS).parent
        answered, _ = self.imported("stackexchange", forum)
        documents, said = self.imported("stackexchange", forum, "--unanswered", "--min-votes", 3)
        self.assertGreater(len(documents), len(answered))
        self.assertNotIn("nearly everything", said)

    def test_a_hint_if_nearly_everything_is_left_out(self):
        rows = "".join(f'<row Id="{n}" PostTypeId="1" Score="1" Title="t" Body="b" Tags="|a|" />\n' for n in range(10, 60))
        _, said = self.imported("stackexchange", self.write("Posts.xml", POSTS.replace("</posts>", rows * 1 + "</posts>")), "--min-votes", 11, "--unanswered")
        self.assertIn("idne: nearly everything was left out: ", said)

    def test_what_it_makes_can_be_trained_on(self):
        self.imported("stackexchange", self.write("Posts.xml", POSTS))
        self.ok("train", self.folder / "corpus", "-o", self.folder / "my.idne", *LOOSE, "--topics", 2, "--dim", 8, "--steps", 5)

    def test_wrong_input(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.fails_and_leaves_nothing(1, "stackexchange", empty, says="has no Posts.xml")
        self.fails_and_leaves_nothing(1, "stackexchange", self.folder / "none.xml", says="none.xml")
        self.fails_and_leaves_nothing(1, "stackexchange", self.write("cut.xml", POSTS[:300]), says="cut.xml:4:")
        self.fails_and_leaves_nothing(1, "stackexchange", self.write("wiki.xml", WIKI), says="begins with <mediawiki>")
        self.fails_and_leaves_nothing(1, "stackexchange", self.write("Posts.xml", POSTS), "--min-votes", 100, says="nothing to import")
        self.fails_and_leaves_nothing(2, "stackexchange", self.folder / "Posts.xml", "--code", "maybe", says="--code")
        self.fails_and_leaves_nothing(2, "stackexchange", self.folder / "Posts.xml", "--top-labels", -1, says="--top-labels")
        loop = self.folder / "loop"
        loop.symlink_to(loop)
        self.fails_and_leaves_nothing(1, "stackexchange", loop, says="loop")

    def test_help_has_an_example_and_defaults(self):
        text = self.ok("import", "stackexchange", "--help").out.decode()
        self.assertIn("idne import stackexchange ", text)
        self.assertIn("=10", text)
        self.assertIn("=drop", text)


class MediaWiki(Import):
    def test_pages_redirects_and_categories(self):
        documents, said = self.imported("mediawiki", self.write("wiki.xml.bz2", bz2.compress(WIKI.encode())))
        self.assertEqual(documents["Cat"], {"id": "Cat", "title": "Cat", "date": "2020-01-02", "text": "A cat hunts mice.",
                                            "labels": ["Pets"], "links": ["House mouse"]})
        self.assertEqual(documents["House mouse"]["text"], "Small. Nowhere")
        self.assertEqual(len(documents), 2)
        for line in ("  redirects: 1\n", "  pages of other namespaces: 1\n", "  links to pages that are not there: 1\n"):
            self.assertIn(line, said)

    def test_wrong_input(self):
        self.fails_and_leaves_nothing(1, "mediawiki", self.folder, says=str(self.folder))
        self.fails_and_leaves_nothing(1, "mediawiki", self.write("cut.xml", WIKI[:100]), says="cut.xml:2:")
        self.fails_and_leaves_nothing(1, "mediawiki", self.write("Posts.xml", POSTS), says="begins with <posts>")
        self.fails_and_leaves_nothing(1, "mediawiki", self.write("bad.xml", "<mediawiki>\xff".encode("latin-1")), says="bad.xml:1:")


if __name__ == "__main__":
    unittest.main(verbosity=1)
