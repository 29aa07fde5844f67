#!/usr/bin/env python3
"""Topics as their users meet them: `idne train --topic-fit` and `idne topics`.

IDNE names the program (default build/idne), as for cli.py.
"""
import json
import unittest

from cli import SMALL, Case, in_terminal


class Show(Case):
    def test_shares_words_and_examples(self):
        topics = self.json("topics", self.model, "--examples", 2)
        self.assertEqual(topics["rank"], "distinctive")
        self.assertEqual([topic["topic"] for topic in topics["topics"]], [1, 2, 3, 4])
        shares = [topic["share"] for topic in topics["topics"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertAlmostEqual(sum(shares), 1, places=5)
        ids = {document["id"] for document in self.documents}
        for topic in topics["topics"]:
            self.assertEqual(len(topic["words"]), 10)
            self.assertEqual(len({word["word"] for word in topic["words"]}), 10)
            self.assertTrue(all(document["id"] in ids and 0 < document["share"] <= 1.00001 for document in topic["documents"]))
            self.assertEqual(len(topic["documents"]), 2)
        self.assertAlmostEqual(topics["npmi"], sum(topic["npmi"] for topic in topics["topics"]) / 4, places=5)

    def test_examples_are_about_the_topic(self):
        texts = {document["id"]: document["text"].split() for document in self.documents}
        for topic in self.json("topics", self.model, "--top", 30)["topics"]:
            words = {word["word"] for word in topic["words"]}
            met = [sum(word in words for word in text) / len(text) for text in texts.values()]
            for document in topic["documents"]:
                text = texts[document["id"]]
                self.assertGreater(sum(word in words for word in text) / len(text), sum(met) / len(met))

    def test_by_product_scores_fall(self):
        topics = self.json("topics", self.model, "--rank", "product", "--examples", 0)
        self.assertEqual(topics["rank"], "product")
        for topic in topics["topics"]:
            scores = [word["score"] for word in topic["words"]]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertEqual(topic["documents"], [])

    def test_the_table(self):
        shown = self.ok("topics", self.model, "--top", 3).out.decode()
        self.assertRegex(shown, r"\Atopic +share +coherence +words\n +1 +\d+\.\d % +-?\d\.\d\d +\w+ \w+ \w+\n +e\.g\. ")
        self.assertRegex(shown, r"\ncoherence \(NPMI\) -?\d\.\d{3}, diversity \d\.\d\d\n\Z")

    def test_cut_at_the_edge_of_a_terminal(self):
        code, shown = in_terminal("topics", self.model, columns=60)
        self.assertEqual(code, 0)
        self.assertIn("…", shown)

    def test_norms(self):
        words = self.json("topics", self.model, "--words", "--top", 5)
        largest, smallest = ([word["norm"] for word in words[key]] for key in ("largest", "smallest"))
        self.assertEqual(largest, sorted(largest, reverse=True))
        self.assertEqual(smallest, sorted(smallest))
        self.assertGreater(largest[-1], smallest[-1])
        self.assertRegex(self.ok("topics", self.model, "--words").out.decode(), r"\A *norm +largest +norm +smallest\n")

    def test_similar_topics(self):
        pairs = self.json("topics", self.model, "--similar-topics")
        self.assertEqual(len(pairs), 6)
        cosines = [pair["cosine"] for pair in pairs]
        self.assertEqual(cosines, sorted(cosines, reverse=True))
        self.assertIn("and topic", self.ok("topics", self.model, "--similar-topics").out.decode())

    def test_compare(self):
        other = self.folder / "other.idne"
        self.ok("train", self.corpus, "-o", other, *SMALL, "--seed", 2)
        same, told = self.json("topics", self.model, "--compare", self.model), self.json("topics", self.model, "--compare", other)
        self.assertEqual(same["stability"], 1)
        self.assertTrue(all(match["topics"][0] == match["topics"][1] for match in same["matches"]))
        self.assertEqual(sorted(match["topics"][0] for match in told["matches"]), [1, 2, 3, 4])
        self.assertAlmostEqual(told["stability"], sum(match["overlap"] for match in told["matches"]) / 4)
        self.ok("topics", self.model, "--refit", 3, "-o", other)
        self.assertEqual(len(self.json("topics", self.model, "--compare", other)["matches"]), 3)
        self.assertRegex(self.ok("topics", self.model, "--compare", other).out.decode(), r"\nstability \d\.\d\d: ")

    def test_wrong_usage(self):
        self.fails(2, "topics", self.model, "--rank", "alphabet")
        self.fails(2, "topics", self.model, "--words", "--similar-topics")
        self.fails(2, "topics", self.model, "--refit", 5, says="-o")
        self.fails(2, "topics", self.model, "-o", self.folder / "x.idne", says="--refit")
        self.fails(2, "topics", self.model, "--refit", 0, "-o", self.folder / "x.idne")

    def test_a_method_without_topics_says_so(self):
        model = self.folder / "lsa.idne"
        self.ok("train", self.corpus, "--method", "lsa", "--dim", 16, "-o", model)
        self.fails(1, "topics", model, says="--method idne")
        self.fails(1, "topics", model, "--refit", 3, "-o", self.folder / "x.idne", says="--method idne")


class Fit(Case):
    def test_the_papers_topics_are_still_there_and_read_worse(self):
        model = self.folder / "paper.idne"
        self.ok("train", self.corpus, "-o", model, *SMALL, "--topic-fit", "none")
        paper, fitted = self.json("topics", model), self.json("topics", self.model)
        self.assertEqual(paper["rank"], "product")
        self.assertGreater(fitted["npmi"], paper["npmi"])
        self.assertEqual(self.json("topics", model, "--rank", "distinctive")["rank"], "distinctive")

    def test_the_paper_preset_leaves_them(self):
        model = self.folder / "paper.idne"
        self.ok("train", self.corpus, "-o", model, *SMALL, "--preset", "paper")
        self.assertEqual(self.json("info", model)["options"]["topic-fit"], "none")

    def test_the_same_bytes_at_any_number_of_threads(self):
        one, two = self.folder / "1.idne", self.folder / "2.idne"
        for path, threads in ((one, 1), (two, 2)):
            self.ok("topics", self.model, "--refit", 5, "-o", path, "--threads", threads)
        self.assertEqual(one.read_bytes(), two.read_bytes())


class Refit(Case):
    def test_another_number_of_topics_for_the_same_documents(self):
        model, text = self.folder / "six.idne", self.documents[0]["text"].encode()
        shown = json.loads(self.ok("topics", self.model, "--refit", 6, "-o", model, "--format", "json").out)
        self.assertEqual(len(shown["topics"]), 6)
        info = self.json("info", model)
        self.assertEqual((info["topics"], info["options"]["topics"], info["options"]["topic-fit"]), (6, 6, "kmeans"))
        self.assertEqual(self.json("similar", model, stdin=text), self.json("similar", self.model, stdin=text))
        self.assertEqual(self.json("info", self.model)["topics"], 4, "the old model stays")

    def test_into_the_same_file(self):
        model = self.folder / "my.idne"
        model.write_bytes(self.model.read_bytes())
        self.ok("topics", model, "--refit", 3, "-o", model)
        self.assertEqual(len(self.json("topics", model)["topics"]), 3)

    def test_one_topic_keeps_every_word(self):
        model, text = self.folder / "one.idne", self.documents[0]["text"].encode()
        self.ok("topics", self.model, "--refit", 1, "-o", model)
        topics = self.json("explain", model, stdin=text)["topics"]
        self.assertEqual([topic["topic"] for topic in topics], [1])
        self.assertAlmostEqual(topics[0]["share"], 1, places=5)

    def test_with_neighbours(self):
        model, fitted = self.folder / "joined.idne", self.folder / "fitted.idne"
        self.ok("train", self.corpus, "-o", model, *SMALL, "--neighbours", 2)
        self.ok("topics", model, "--refit", 3, "-o", fitted)
        text = self.documents[0]["text"].encode()
        self.assertEqual(self.json("similar", fitted, stdin=text), self.json("similar", model, stdin=text))

    def test_a_folder_that_is_not_there(self):
        self.fails(1, "topics", self.model, "--refit", 3, "-o", self.folder / "no" / "x.idne", says="x.idne")


if __name__ == "__main__":
    unittest.main(verbosity=1)
