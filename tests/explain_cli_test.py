#!/usr/bin/env python3
"""Explanations and suggestions as their users meet them: `idne explain`, also of two texts, and `idne suggest`.

IDNE names the program (default build/idne), as for cli.py.
"""
import html.parser
import json
import math
import re
import struct
import unittest

from cli import Case, in_terminal, run

ODD = {"markup": "<b>star</b> & <script>alert(1)</script> \"moon\" 'tide' </div></main> <unclosed star",
       "control": "star\x1b[31m \x07\x7f\0 moon \x9b31m", "right to left": "star שלום moon مرحبا \u202e desrever \u2066",
       "scripts": "深層学習 star 東京都の moon ภาษาไทย 👩‍👩‍👧 é e\u0301 ﬁ İstanbul", "lines": "star\r\nmoon\n\n\ttide\rend",
       "long word": "star" * 5000 + " moon " + "x" * 20000, "nothing": "", "spaces": "  \n ", "unknown": "zzz qqq"}


class Page(html.parser.HTMLParser):
    """The tags of a page in order, whether they nest, and the text inside <div class="text">."""

    VOID = {"meta"}

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.marks, self.text, self.depth = [], [], [], None, 0
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if tag in self.VOID:
            return
        self.open.append((tag, attributes))
        if attributes.get("class") == "text":
            self.text = (self.text or "")
            self.depth = len(self.open)
        elif tag == "mark" and self.depth:
            self.marks.append("")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open[-3:])
        if len(self.open) == self.depth:
            self.depth = 0
        self.open.pop()

    def handle_data(self, data):
        if self.depth:
            self.text += data
            if self.open[-1][0] == "mark":
                self.marks[-1] += data


class HtmlOfAText(Case):
    def page(self, text, *more):
        out = self.ok("explain", self.model, "-", "--format", "html", *more, stdin=text.encode()).out.decode()
        self.assertTrue(out.startswith("<!DOCTYPE html>\n<html"))
        self.assertTrue(out.endswith("</html>\n"))
        return Page(out)

    def test_the_original_text_is_shown(self):
        text = "One  STAR, two-moons;\n\tand THE planet's tide…"
        self.assertEqual(self.page(text).text, text)

    def test_odd_texts_are_text(self):
        for what, text in ODD.items():
            with self.subTest(what):
                page = self.page(text)
                expected = re.sub("\r\n?", "\n", text)
                expected = re.sub("[\0-\x08\x0b-\x1f]", lambda c: chr(0x2400 + ord(c[0])), expected)
                expected = expected.replace("\x7f", "\u2421").replace("\x9b", "\ufffd")
                self.assertEqual(page.text, expected)
                self.assertFalse({tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "a", "unclosed"})
                self.assertFalse([a for _, attributes in page.tags for a in attributes if a.startswith("on") or a in ("src", "href")])

    def test_broken_utf8_is_replaced(self):
        out = self.ok("explain", self.model, "-", "--format", "html", stdin=b"star \xff\xfe moon \xe4\xb8").out
        self.assertIn("\ufffd", Page(out.decode()).text)

    def test_nothing_is_loaded(self):
        page = self.page("star")
        policy = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(len(policy), 1)
        self.assertIn("default-src 'none'", policy[0])
        self.assertNotIn("script-src", policy[0])

    def test_marked_words_are_those_above_half_of_the_main_topics(self):
        text = " ".join(document["text"] for document in self.documents[:3])
        told = self.json("explain", self.model, "-", stdin=text.encode())
        main = {topic["topic"] for topic in told["topics"][:5]}
        expected = [t["text"] for t in told["tokens"] if t["topic"] in main and t["weight"] > 0.5]
        self.assertTrue(expected)
        self.assertEqual(self.page(text).marks, expected)

    def test_a_huge_text(self):
        self.assertEqual(self.page("star zzz moon\n" * 20000).text, "star zzz moon\n" * 20000)

    def test_to_a_file_by_its_name(self):
        for name, begins in (["x.html", b"<!DOCTYPE html>"], ["x.json", b"{"], ["x", b"<!DOCTYPE html>"]):
            result = self.ok("explain", self.model, "-", "-o", self.folder / name, stdin=b"star")
            self.assertEqual(result.out, b"")
            self.assertTrue((self.folder / name).read_bytes().startswith(begins))
        self.fails(2, "explain", self.model, "-", "-o", self.folder / "x", "--format", "text", says="-o")
        self.fails(1, "explain", self.model, "-", "-o", self.folder / "no" / "x.html", says="x.html")
        self.fails(2, "explain", self.model, "-", "-o", self.folder / "x.pdf", says="must end in one of .html, .htm, .json, or --format")

    def test_shares_of_topics_that_are_not_shown_are_told(self):
        many = self.folder / "many.idne"
        for topics, told in (12, "6 others"), (7, "1 other"):
            self.ok("train", self.corpus, "-o", many, "--topics", topics, "--dim", 8, "--steps", 5, "--attention", "softmax", "--topic-fit", "none")
            last = self.ok("explain", many, "-", stdin=b"star planet moon").out.decode().splitlines()[-1]
            self.assertRegex(last, rf"^ +\d+\.\d %  {told}$")


class Two(Case):
    def texts(self):
        return [self.write(f"{k}.txt", self.documents[k]["text"]) for k in (0, 1)]

    def test_parts_add_up_to_the_score(self):
        a, b = self.texts()
        for top in 3, 1000000:
            told = self.json("explain", self.model, a, "--with", b, "--top", top)
            for pairs, other in ("topics", "other_topics"), ("words", "other_words"):
                self.assertAlmostEqual(sum(p["part"] for p in told[pairs]) + told[other], told["score"], places=9)
                if top == 3:
                    self.assertEqual(len(told[pairs]), 3)
                else:
                    self.assertAlmostEqual(told[other], 0, delta=1e-5 * abs(told["score"]) + 1e-9)
            for side in "first", "second":
                for parts in "topics", "words":
                    self.assertAlmostEqual(sum(p["part"] for p in told[side][parts]), told["score"], delta=1e-5 * abs(told["score"]) + 1e-9)

    def test_score_and_cosine_are_those_of_the_vectors(self):
        a, b = self.texts()
        docs = self.write("docs.jsonl", "".join(json.dumps({"id": str(k), "text": self.documents[k]["text"]}) + "\n" for k in (0, 1)))
        lines = self.ok("embed", self.model, docs, "-o", "-", "--format", "jsonl").out.splitlines()
        x, y = (json.loads(line)["vector"] for line in lines)
        dot = lambda p, q: sum(i * j for i, j in zip(p, q))
        told = self.json("explain", self.model, a, "--with", b)
        self.assertAlmostEqual(told["score"], dot(x, y), places=4)
        self.assertAlmostEqual(told["cosine"], dot(x, y) / math.sqrt(dot(x, x) * dot(y, y)), places=4)

    def test_order_does_not_matter_to_the_score(self):
        a, b = self.texts()
        self.assertAlmostEqual(self.json("explain", self.model, a, "--with", b)["score"],
                               self.json("explain", self.model, b, "--with", a)["score"], places=12)

    def test_text_and_page(self):
        a, b = self.texts()
        out = self.ok("explain", self.model, a, "--with", b).out.decode()
        self.assertRegex(out, r"\Acosine -?\d\.\d{3}, score -?\d+\.\d{4}\n\nword +with +part +of cosine\n")
        self.assertRegex(out, r"(?m)^ *topic +with +part +of cosine +about$")
        self.assertNotRegex(out, r" \n")
        page = self.ok("explain", self.model, a, "--with", b, "--format", "html").out.decode()
        self.assertEqual(Page(page).text, self.documents[0]["text"] + self.documents[1]["text"])

    def test_one_of_the_two_may_be_standard_input(self):
        a, b = self.texts()
        one = self.ok("explain", self.model, "-", "--with", b, stdin=a.read_bytes()).out
        self.assertEqual(one, self.ok("explain", self.model, a, "--with", b).out)
        self.assertEqual(self.ok("explain", self.model, a, "--with", "-", stdin=b.read_bytes()).out, one)
        self.fails(2, "explain", self.model, "--with", "-", says="standard input")

    def test_a_text_without_known_words(self):
        result = self.ok("explain", self.model, "-", "--with", self.texts()[0], "--format", "json", stdin=b"zzz")
        self.assertEqual(json.loads(result.out)["score"], 0)
        self.assertIn("no word", result.err)
        self.assertIn(b"cosine 0.000", self.ok("explain", self.model, "-", "--with", self.texts()[0], stdin=b"").out)

    def test_documents_of_the_model(self):
        a = self.texts()[0]
        first, second = (self.documents[k]["id"] for k in (0, 1))
        self.fails(1, "explain", self.model, "--document", "no such", says="no document with the id 'no such'")
        if run("explain", self.model, "--document", first).code:  # the model does not keep its documents' words
            self.fails(1, "explain", self.model, "--document", first, says="does not keep the words")
            return
        of_text = self.json("explain", self.model, a, "--with", a)["score"]
        self.assertAlmostEqual(self.json("explain", self.model, "--document", first, "--with-document", first)["score"], of_text, places=9)
        self.assertAlmostEqual(self.json("explain", self.model, "--document", first, "--with", a)["score"], of_text, places=9)
        shares = lambda told: {t["topic"]: round(t["share"], 6) for t in told["topics"]}
        self.assertEqual(shares(self.json("explain", self.model, "--document", first)), shares(self.json("explain", self.model, a)))
        self.ok("explain", self.model, "--document", second, "--format", "html")

    def test_wrong_usage(self):
        a, b = self.texts()
        self.fails(2, "explain", self.model, a, "--top", 3, says="--top")
        self.fails(2, "explain", self.model, a, "--with", b, "--with-document", "1")
        self.fails(2, "explain", self.model, a, "--document", "1")
        self.fails(2, "explain", self.model, a, "--with", b, "--top", 0)
        self.fails(1, "explain", self.model, a, "--with", self.folder / "none.txt", says="none.txt: ")

    def test_long_texts(self):
        words = [word for document in self.documents for word in document["text"].split()]
        a, b = self.write("a.txt", " ".join(words)), self.write("b.txt", " ".join(words[::-2]))
        told = self.json("explain", self.model, a, "--with", b)
        self.assertEqual(len(told["words"]), 10)


class Suggest(Case):
    def test_shape(self):
        told = self.json("suggest", self.model, "-", "-k", 3, stdin=self.documents[5]["text"].encode())
        self.assertEqual(len(told["labels"]), 3)
        self.assertEqual(len(told["links"]), 3)
        probabilities = [label["probability"] for label in told["labels"]]
        self.assertEqual(probabilities, sorted(probabilities, reverse=True))
        self.assertTrue(all(0 <= p <= 1 for p in probabilities))
        for label in told["labels"]:
            self.assertEqual(label.keys(), {"label", "probability", "words"})
            self.assertTrue(1 <= len(label["words"]) <= 5)
        for link in told["links"]:
            self.assertEqual(link.keys(), {"id", "score", "title", "parts", "topics", "words", "pairs", "voters", "reasons"})
            self.assertEqual(link["parts"].keys(), {"words", "space", "votes"})
            self.assertTrue(link["topics"] and link["words"] and link["reasons"])
            self.assertTrue(1 <= len(link["words"]) <= 5)
            for voter in link["voters"]:
                self.assertEqual(voter.keys(), {"id", "title", "weight"})
        self.assertEqual(told["doubts"], [])

    def test_known_documents_get_their_label_and_themselves(self):
        hits = 0
        for document in self.documents[:20]:
            told = self.json("suggest", self.model, "-", stdin=document["text"].encode())
            self.assertAlmostEqual(sum(label["probability"] for label in told["labels"]), 1, places=6)
            self.assertIn(document["id"], [link["id"] for link in told["links"]])
            hits += told["labels"][0]["label"] == document["labels"][0]
        self.assertGreaterEqual(hits, 18)

    def test_parts_add_up_to_the_score_and_reasons_to_their_part(self):
        told = self.json("suggest", self.model, "-", "--reasons", 1000000, stdin=self.documents[9]["text"].encode())
        for link in told["links"]:
            self.assertAlmostEqual(sum(link["parts"].values()), link["score"], places=4)
            self.assertAlmostEqual(sum(word["part"] for word in link["words"]), link["parts"]["words"], places=4)
            self.assertAlmostEqual(sum(voter["weight"] for voter in link["voters"]), link["parts"]["votes"], places=4)

    def test_voters_have_the_link(self):
        linked = {frozenset(line.split("\t")[:2]) for line in (self.corpus / "links.tsv").read_text().splitlines()}
        told = self.json("suggest", self.model, "-", "-k", 20, stdin=self.documents[9]["text"].encode())
        voted = [frozenset((link["id"], voter["id"])) for link in told["links"] for voter in link["voters"]]
        self.assertTrue(voted)
        self.assertLessEqual(set(voted), linked)

    def test_the_table(self):
        out = self.ok("suggest", self.model, stdin=self.documents[0]["text"].encode()).out.decode()
        self.assertRegex(out, r"\Aprobability  label +words\n(?: *\d+\.\d %  \S.*\n)+\nscore +words +space +votes  link to +title\n")
        self.assertNotRegex(out, r" \n")

    def test_nothing_known(self):
        result = self.ok("suggest", self.model, "--format", "json", stdin=b"zzz")
        told = json.loads(result.out)
        self.assertEqual((told["labels"], told["links"]), ([], []))
        self.assertIn("no word that the model knows", result.err)
        self.assertEqual(self.ok("suggest", self.model, stdin=b"").out, b"")

    def test_a_corpus_without_labels(self):
        lines = "".join(json.dumps({"id": str(k), "text": d["text"]}) + "\n" for k, d in enumerate(self.documents[:60]))
        model = self.trained(self.write("plain.jsonl", lines))
        result = self.ok("suggest", model, "--format", "json", stdin=self.documents[0]["text"].encode())
        self.assertEqual(json.loads(result.out)["labels"], [])
        self.assertEqual(len(json.loads(result.out)["links"]), 5)
        self.assertIn("no labels", result.err)

    def test_several_labels_per_document(self):
        both = {"id": "both", "text": "gene court cell law", "labels": ["bio", "law"]}
        model = self.trained(self.small_corpus(extra=[both]))
        told = self.json("suggest", model, stdin=b"gene court")
        self.assertEqual({label["label"] for label in told["labels"]}, {"bio", "law"})

    def test_other_methods(self):
        corpus = self.small_corpus()
        for method, more in ["lsa", ["--dim", 4]], ["gvnrt", ["--dim", 4]], ["tadw", ["--dim", 4, "--features", 3]], ["graph2gauss", ["--dim", 4, "--rounds", 2]]:
            with self.subTest(method):
                out = self.folder / f"{method}.idne"
                self.ok("train", corpus, "-o", out, "--method", method, "--min-count", 1, "--max-share", 1, *more)
                told = self.json("suggest", out, stdin=b"gene cell")
                self.assertEqual(told["labels"][0]["label"], "bio")
                self.assertEqual(len(told["links"]), 5)
                self.assertEqual([link["topics"] for link in told["links"]], [[]] * 5)
                self.assertTrue(all(link["words"] for link in told["links"]), "words that both have need no vectors")

    def test_cane_says_that_it_cannot(self):
        out = self.folder / "cane.idne"
        self.ok("train", self.small_corpus(), "-o", out, "--method", "cane", "--min-count", 1, "--max-share", 1, "--dim", 4, "--steps", 5)
        self.fails(1, "suggest", out, says="CANE cannot embed new documents")
        self.fails(1, "explain", out, says="CANE cannot embed new documents")

    def test_the_head_is_the_same_at_any_number_of_threads(self):
        corpus, models = self.small_corpus(), []
        for threads in 1, 3:
            self.ok("train", corpus, "-o", self.folder / "m.idne", "--min-count", 1, "--max-share", 1, "--dim", 8, "--topics", 3,
                    "--steps", 20, "--threads", threads)
            models.append((self.folder / "m.idne").read_bytes())
        self.assertEqual(models[0], models[1])
        header = json.loads(models[0][8:8 + struct.unpack("<Q", models[0][:8])[0]])
        self.assertEqual((header["labels.weights"]["dtype"], header["labels.weights"]["shape"]), ("F32", [2, 9]))

    def test_wrong_usage(self):
        self.fails(2, "suggest")
        self.fails(2, "suggest", self.model, "-k", 0)
        self.fails(1, "suggest", self.model, self.folder / "none.txt", says="none.txt: ")


class Terminal(Case):
    def test_the_second_topic_is_underlined_twice(self):
        text = " ".join(document["text"] for document in self.documents[:6]).encode()
        code, shown = in_terminal("explain", self.model, stdin=text)
        self.assertEqual(code, 0)
        self.assertRegex(shown, r"\x1b\[32m\x1b\[4m\w+\x1b\[0m")
        self.assertRegex(shown, r"\x1b\[34m\x1b\[21m\w+\x1b\[0m")

    def test_suggestions_are_cut_at_the_edge_and_printable(self):
        code, shown = in_terminal("suggest", self.model, stdin=self.documents[0]["text"].encode(), columns=60)
        self.assertEqual(code, 0)
        self.assertIn("…", shown)


if __name__ == "__main__":
    unittest.main(verbosity=1)
