#!/usr/bin/env python3
"""`idne similar`, `explain` and `topics` as their users meet them."""
import json
import re
import subprocess
import unittest

from cli import Case, IDNE


class Similar(Case):
    def nearest(self, *arguments, **more):
        hits = self.json("similar", self.model, *arguments, **more)
        for hit in hits:
            self.assertEqual(hit.keys(), {"id", "score", "title"})
            self.assertLessEqual(abs(hit["score"]), 1.0001)
        self.assertEqual(hits, sorted(hits, key=lambda hit: -hit["score"]))
        return hits

    def test_a_known_text_finds_itself(self):
        text = self.documents[7]["text"].encode()
        hits = self.nearest("-", "-k", 5, stdin=text)
        self.assertEqual((len(hits), hits[0]["id"], hits[0]["title"]), (5, "7", self.documents[7]["title"]))
        self.assertGreater(hits[0]["score"], 0.999)
        self.assertEqual(hits, self.nearest("-k", 5, stdin=text))
        self.assertEqual(hits, self.nearest(self.write("text.txt", text), "-k", 5))
        self.assertEqual(hits, self.nearest("-k", 5, "--threads", 3, stdin=text))
        self.assertEqual(hits[1:], self.nearest("--document", "7", "-k", 4), "a document is not one of those like it")

    def test_a_word_is_asked_for_as_a_text_is(self):
        self.assertEqual(self.nearest("--word", "star"), self.nearest(stdin=b"star"))
        self.assertEqual(self.nearest("--word", "Star"), self.nearest(stdin=b"star"))
        self.assertEqual(len(self.nearest("--word", "star")), 10)

    def test_topics_are_asked_for_by_number(self):
        asked = [[hit["id"] for hit in self.nearest("--topic", k)] for k in (1, 2, 3, 4)]
        self.assertEqual(len(set(map(tuple, asked))), 4)

    def test_k_beyond_the_documents_gives_all(self):
        self.assertEqual(len(self.nearest("--word", "star", "-k", 100000)), 200)

    def test_what_the_model_does_not_have_is_an_error(self):
        self.fails(1, "similar", self.model, "--word", "zzzqqq", says="zzzqqq")
        self.assertEqual(self.ok("similar", self.model, "--word", "star zzzqqq").err, "idne: the model does not know 'zzzqqq'\n")
        self.fails(1, "similar", self.model, "--word", "", stdin=b"star", says="word")
        self.fails(1, "similar", self.model, "--document", "nobody", says="nobody")
        self.fails(1, "similar", self.model, "--document", "", stdin=b"star", says="document")
        self.fails(2, "similar", self.model, "--topic", "5", says="4 topics")
        self.fails(1, "similar", self.model, self.folder / "none.txt", says="none.txt: ")
        self.fails(1, "similar", self.model, self.folder, says=f"{self.folder}: ")

    def test_a_text_without_known_words_has_no_neighbours_and_says_so(self):
        for text in b"", b"zzzqqq", b"\xff\xfe", "深層学習".encode():
            result = self.ok("similar", self.model, "--format", "json", stdin=text)
            self.assertEqual(json.loads(result.out), [])
            self.assertRegex(result.err, r"\Aidne: [^\n]*no word[^\n]*\n\Z")
            self.assertEqual(self.ok("similar", self.model, stdin=text).out, b"")

    def test_the_table_has_score_id_and_title(self):
        lines = self.ok("similar", self.model, stdin=self.documents[7]["text"].encode()).out.decode().split("\n")
        self.assertEqual(lines[0].split(), ["cosine", "id", "title"])
        self.assertEqual(lines[1].split(None, 2), ["1.000", "7", self.documents[7]["title"]])
        self.assertEqual(len(lines), 12)

    def test_a_document_without_a_title_shows_its_opening(self):
        model = self.trained(self.small_corpus(extra=[{"id": "untitled", "text": "gene  cell\n" * 60}]))
        hit = json.loads(self.ok("similar", model, "--word", "gene", "-k", 100, "--format", "json").out)
        title = next(h["title"] for h in hit if h["id"] == "untitled")
        self.assertTrue(title.startswith("gene cell gene cell") and title.endswith("…") and len(title) <= 81, title)

    def test_odd_ids_keep_the_table_whole(self):
        model = self.trained(self.small_corpus(extra=[{"id": "a\nb\t\x1b[31mc", "text": "gene cell", "title": "T\x1b[31m"}]))
        out = self.ok("similar", model, "--word", "gene", "-k", 100).out.decode()
        self.assertNotIn("\x1b", out)
        self.assertEqual(out.count("\n"), 42)

    def test_a_table_in_a_pipe_is_not_cut(self):
        words = [word["word"] for word in self.json("topics", self.model, "--top", 60)["topics"][0]["words"]]
        self.assertIn(" ".join(words), self.ok("topics", self.model, "--top", 60).out.decode())

    def test_results_that_cannot_be_written_are_an_error(self):
        for arguments in (["similar", self.model, "--word", "star"], ["topics", self.model], ["info", self.model]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([IDNE, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.decode(), r"\Aidne: error: stdout: [^\n]+\n\Z")


class Explain(Case):
    def explained(self, text):
        told = self.json("explain", self.model, "-", stdin=text)
        self.assertEqual("".join(token["text"] for token in told["tokens"]), text.decode("utf-8", "replace"))
        shares = [topic["share"] for topic in told["topics"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertLessEqual(sum(shares), 1.0001)
        for token in told["tokens"]:
            self.assertEqual(token.keys(), {"text", "word", "topic", "weight"})
            self.assertTrue(0 <= token["weight"] <= 1.0001)
            self.assertTrue(token["topic"] is None or (token["word"] is not None and 1 <= token["topic"] <= 4))
        return told

    def test_words_get_their_topics(self):
        told = self.explained(b"A star and STARS, the planet's moon.\n")
        self.assertEqual([t["word"] for t in told["tokens"] if t["word"]][:1], ["star"])
        self.assertGreater(sum(topic["share"] for topic in told["topics"]), 0)

    def test_tokens_joined_give_odd_texts_back(self):
        odd = {"CJK": "深層学習 star 東京都の moon", "emoji": "star🙂moon 👩‍👩‍👧 é e\u0301 ﬁ İstanbul", "NUL": "star\0moon\0", "markup": "<b>star</b> a < b > c &amp; <unclosed star",
               "control": "star\x1b[31m \x07\x7f moon", "lines": "star\r\nmoon\n\n\ttide\n", "spaces": "   ", "right to left": "star שלום moon مرحبا", "Thai": "star ภาษาไทย"}
        for what, text in odd.items():
            with self.subTest(what):
                self.explained(text.encode())

    def test_invalid_utf8_is_replaced(self):
        for text in b"star \xff\xfe moon", b"star\xe4\xb8 moon", b"\xf0\x9f\x98", b"star\xc0\x80moon", b"\x80star", b"star\xed\xa0\x80", b"star\xc3":
            with self.subTest(text):
                self.explained(text)

    def test_an_empty_text_has_no_topics(self):
        self.assertEqual(self.explained(b""), {"topics": [], "tokens": []})
        self.assertIn(b"No word", self.ok("explain", self.model).out)

    def test_a_huge_text(self):
        self.assertEqual(len(self.explained(b"star zzz moon " * 20000)["tokens"]), 80000)

    def test_the_table_names_topics_and_words(self):
        out = self.ok("explain", self.model, stdin=b"star moon planet").out.decode()
        self.assertRegex(out, r"\Atopic +share +about +here\n")
        self.assertTrue("star" in out and not re.search(r" \n", out), out)

    def test_a_file_that_cannot_be_read_is_named(self):
        self.fails(1, "explain", self.model, self.folder / "none.txt", says="none.txt: ")
        self.fails(1, "explain", self.model, self.folder, says=f"{self.folder}: ")


class Topics(Case):
    def test_topics_are_sorted_by_share_and_have_their_words(self):
        told = self.json("topics", self.model, "--top", 7)
        shares = [topic["share"] for topic in told["topics"]]
        self.assertEqual([topic["topic"] for topic in told["topics"]], [1, 2, 3, 4])
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertTrue(0.5 < sum(shares) <= 1.0001, shares)
        for topic in told["topics"]:
            scores = [word["score"] for word in topic["words"]]
            self.assertEqual((len(scores), scores), (7, sorted(scores, reverse=True)))
            self.assertEqual(len({word["word"] for word in topic["words"]}), 7)
            self.assertTrue(-1.0001 <= topic["npmi"] <= 1.0001)
        self.assertAlmostEqual(told["npmi"], sum(topic["npmi"] for topic in told["topics"]) / 4, places=5)
        self.assertTrue(0.25 <= told["diversity"] <= 1)

    def test_top_beyond_the_vocabulary_gives_all_words(self):
        words = self.json("info", self.model)["words"]
        for topic in self.json("topics", self.model, "--top", 100000)["topics"]:
            self.assertEqual(len(topic["words"]), words)

    def test_diversity_does_not_depend_on_top(self):
        self.assertEqual(self.json("topics", self.model, "--top", 1)["diversity"], self.json("topics", self.model, "--top", 50)["diversity"])

    def test_text_ends_with_coherence_and_diversity(self):
        lines = self.ok("topics", self.model).out.decode().split("\n")
        self.assertEqual(lines[0].split(), ["topic", "share", "coherence", "words"])
        self.assertRegex(lines[-2], r"\Acoherence \(NPMI\) -?\d\.\d+, diversity \d\.\d+\Z")


if __name__ == "__main__":
    unittest.main()
