#!/usr/bin/env python3
"""Topics as their users meet them: `idne train --topic-fit` and `idne topics`.

IDNE names the program (default build/idne), as for cli.py.
"""
import json
import unittest
import xml.etree.ElementTree as xml

from cli import LOOSE, SMALL, Case, in_terminal


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
        for figure in ("npmi", "coherence"):
            self.assertAlmostEqual(topics[figure], sum(topic[figure] for topic in topics["topics"]) / 4, places=5)

    def test_a_topic_is_called_by_its_first_words(self):
        for topic in self.json("topics", self.model)["topics"]:
            self.assertEqual(topic["name"], ", ".join(word["word"] for word in topic["words"][:3]))
            self.assertFalse(topic["named"])

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
        scores = [pair["similarity"] for pair in pairs]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for pair in pairs:
            self.assertAlmostEqual(pair["similarity"], (pair["documents"] + pair["words"]) / 2)
            self.assertEqual(len(pair["names"]), 2)
        self.assertEqual(len(self.json("topics", self.model, "--similar-topics", "--top", 2)), 2)
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
        self.fails(2, "topics", self.model, "--refit", "5,x", says="auto")
        self.fails(2, "topics", self.model, "-o", self.folder / "x.idne", says="--refit")
        self.fails(2, "topics", self.model, "--refit", 0, "-o", self.folder / "x.idne")
        self.fails(2, "topics", self.model, "--tree", "--by", "year")
        self.fails(2, "topics", self.model, "--by", "week", says="year")
        self.fails(2, "topics", self.model, "--tree", "-o", self.folder / "x.png", says=".svg")
        self.fails(2, "topics", self.model, "--by", "year", "-o", self.model, says=".svg")

    def test_a_method_without_topics_says_so(self):
        model = self.folder / "lsa.idne"
        self.ok("train", self.corpus, "--method", "lsa", "--dim", 16, "-o", model)
        self.fails(1, "topics", model, says="--method idne")
        self.fails(1, "topics", model, "--refit", 3, "-o", self.folder / "x.idne", says="--method idne")


class Tree(Case):
    def leaves(self, node):
        return [leaf for child in node["children"] for leaf in self.leaves(child)] if "children" in node else node["topics"]

    def test_json_holds_every_topic_once(self):
        told = self.json("topics", self.model, "--tree")
        self.assertEqual(len(told["topics"]), 4)
        self.assertEqual(sorted(self.leaves(told["tree"])), [1, 2, 3, 4])
        self.assertEqual(self.leaves(told["tree"]), told["tree"]["topics"])

        def check(node):
            self.assertTrue(node["name"])
            for child in node.get("children", ()):
                self.assertLess(len(child["topics"]), len(node["topics"]))
                if "children" in child:
                    self.assertLessEqual(node["similarity"], child["similarity"] + 1e-9)
                check(child)
        check(told["tree"])

    def test_text_has_every_topic(self):
        shown = self.ok("topics", self.model, "--tree").out.decode()
        self.assertRegex(shown, r"\A *topic +share +similarity +topics")
        for topic in self.json("topics", self.model)["topics"]:
            self.assertRegex(shown, rf"(?m)^ *{topic['topic']} .*{topic['name']}$")

    def test_a_picture_and_json_in_files(self):
        picture, tree = self.folder / "tree.svg", self.folder / "tree.json"
        self.assertEqual(self.ok("topics", self.model, "--tree", "-o", picture).out, b"")
        root = xml.parse(picture).getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(sorted(title.split(":")[0] for title in titles), [f"topic {n}" for n in (1, 2, 3, 4)])
        self.ok("topics", self.model, "--tree", "-o", tree)
        self.assertEqual(json.loads(tree.read_text()), self.json("topics", self.model, "--tree"))

    def test_the_same_at_any_number_of_threads(self):
        one, two = (self.ok("topics", self.model, "--tree", "--format", "json", "--threads", n).out for n in (1, 2))
        self.assertEqual(one, two)


class Names(Case):
    def setUp(self):
        super().setUp()
        self.named = self.folder / "named.idne"
        self.ok("topics", self.model, "--name", "2=Space flight", "--name", "4=Law, or so", "-o", self.named)

    def test_every_verb_shows_them(self):
        text = next(d["text"] for d in self.documents).encode()
        self.assertIn("Space flight: ", self.ok("topics", self.named).out.decode())
        self.assertEqual([t["name"] for t in self.json("topics", self.named)["topics"]][1::2], ["Space flight", "Law, or so"])
        own = self.json("topics", self.named)["topics"][1]["documents"][0]["id"]
        self.assertIn("Space flight: ", self.ok("explain", self.named, "--document", own).out.decode())
        self.assertIn("Space flight", self.ok("explain", self.named, "--document", own, "--format", "html").out.decode())
        self.assertEqual(self.json("explain", self.named, "--document", own)["topics"][0]["name"], "Space flight")
        self.assertIn("Space flight", self.ok("topics", self.named, "--tree").out.decode())
        self.assertIn("Space flight", self.ok("topics", self.named, "--similar-topics").out.decode())
        pair = self.json("explain", self.named, "--document", own, "--with-document", own)
        self.assertIn("Space flight", [topic["name"] for topic in pair["first"]["topics"]])
        links = self.json("suggest", self.named, stdin=text)["links"]
        self.assertTrue(all(t["name"] == self.json("topics", self.named)["topics"][t["topic"] - 1]["name"]
                            for link in links[:1] for t in link["topics"]))

    def test_nothing_else_changes(self):
        back = self.folder / "back.idne"
        self.ok("topics", self.named, "--name", "2=", "--name", "4=", "-o", back)
        self.assertEqual(back.read_bytes(), self.model.read_bytes())

    def test_into_the_same_file(self):
        self.ok("topics", self.named, "--name", "2=Rockets", "-o", self.named)
        names = [topic["name"] for topic in self.json("topics", self.named)["topics"]]
        self.assertEqual(names[1::2], ["Rockets", "Law, or so"])

    def test_other_topics_have_other_names(self):
        self.ok("topics", self.named, "--refit", 3, "-o", self.named)
        self.assertFalse(any(topic["named"] for topic in self.json("topics", self.named)["topics"]))

    def test_wrong_usage(self):
        out = ("-o", self.folder / "x.idne")
        self.fails(2, "topics", self.model, "--name", "1=One", says="-o")
        for wrong in ("One", "=One", "one=One", "1.5=One"):
            self.fails(2, "topics", self.model, "--name", wrong, *out, says="--name")
        self.fails(1, "topics", self.model, "--name", "5=Five", *out, says="there is no topic 5")
        self.fails(1, "topics", self.model, "--name", "1=\udcff", *out, says="UTF-8")
        self.assertFalse((self.folder / "x.idne").exists())


class OverTime(Case):
    def dated(self, dates, *options):
        words = ["gene cell protein enzyme genome".split(), "court judge law trial jury".split()]
        lines = [{"id": f"d{n}", "text": " ".join(words[n % 2]), **({} if date is None else {"date": date})} for n, date in enumerate(dates)]
        path = self.write("dated/documents.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        model = self.folder / "dated.idne"
        result = self.ok("train", path.parent, "-o", model, *LOOSE, "--topics", 2, "--dim", 8, "--steps", 20, *options)
        return model, result.err

    DATES = ["2015-03-04", "2015-07", 2015, "2016-01-01T10:00:00Z", "2016", 2016.0, None, "", "2019-02-28", "2019-02-28"]

    def test_shares_by_year(self):
        model, _ = self.dated(self.DATES)
        result = self.ok("topics", model, "--by", "year", "--format", "json")
        told = json.loads(result.out)
        self.assertEqual((told["by"], told["periods"], told["documents"]), ("year", ["2015", "2016", "2019"], [3, 3, 2]))
        self.assertEqual([topic["topic"] for topic in told["topics"]], [1, 2])
        for shares in zip(*(topic["shares"] for topic in told["topics"])):
            self.assertAlmostEqual(sum(shares), 1, places=5)
        self.assertEqual(told["undated"], 2)
        self.assertIn("2 documents have no date", result.err)

    def test_by_month(self):
        model, _ = self.dated(self.DATES)
        self.assertEqual(self.json("topics", model, "--by", "month")["periods"], ["2015-03", "2015-07", "2016-01", "2019-02"])

    def test_text_fits_a_terminal(self):
        model, _ = self.dated(self.DATES)
        shown = self.ok("topics", model, "--by", "year").out.decode()
        self.assertRegex(shown, r"\A *topic +share +2015 … 2019 +most +in +name\n +1 +\d+\.\d % +[▁▂▃▄▅▆▇█]{3} ")
        _, shown = in_terminal("topics", model, "--by", "year", columns=80)
        self.assertTrue(all(len(line) <= 80 for line in shown.splitlines()), shown)

    def test_files(self):
        model, _ = self.dated(self.DATES)
        picture, table = self.folder / "t.svg", self.folder / "t.tsv"
        self.ok("topics", model, "--by", "year", "-o", picture)
        self.assertEqual(xml.parse(picture).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.ok("topics", model, "--by", "year", "-o", table)
        head, *rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()]
        self.assertEqual(head[:2], ["year", "documents"])
        self.assertEqual([row[0] for row in rows], ["2015", "2016", "2019"])
        self.assertTrue(all(len(row) == 4 for row in rows))

    def test_without_dates(self):
        self.fails(1, "topics", self.model, "--by", "year", says="date")
        model, _ = self.dated(["2015"] * 10)
        self.fails(1, "topics", model, "--by", "month", says="--by year")

    def test_dates_that_cannot_be_read_are_counted(self):
        model, told = self.dated(["2015", "soon", "04.03.2015", 12345678] + ["2016"] * 6)
        self.assertIn("3 dates that cannot be read", told)
        self.assertEqual(self.json("topics", model, "--by", "year")["undated"], 3)
        corpus = self.folder / "dated"
        self.fails(1, "train", corpus, "-o", model, *LOOSE, "--strict", says="documents.jsonl:2: a date")
        self.write("dated/documents.jsonl", '{"id": "a", "text": "x"}\n{"id": "b", "text": "y", "date": [2015]}\n')
        self.fails(1, "train", corpus, "-o", model, *LOOSE, says='documents.jsonl:2: "date" must be')


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

    def test_several_numbers_are_compared(self):
        rows = self.ok("topics", self.model, "--refit", "2,3,5").out.decode().splitlines()
        self.assertEqual([row.split()[0] for row in rows], ["topics", "2", "3", "5"])
        tried = self.json("topics", self.model, "--refit", "2,3,5")["refit"]
        self.assertEqual([one["topics"] for one in tried], [2, 3, 5])
        best = [one["topics"] for one in tried if one["chosen"]]
        self.assertEqual(len(best), 1)
        model = self.folder / "best.idne"
        self.ok("topics", self.model, "--refit", "2,3,5", "-o", model)
        self.assertEqual(self.json("info", model)["topics"], best[0])
        topics = self.json("topics", model)
        self.assertAlmostEqual(topics["coherence"], next(one["coherence"] for one in tried if one["chosen"]), places=5)
        self.assertNotEqual(topics["coherence"], topics["npmi"])

    def test_documents_that_are_all_alike(self):
        texts, model, out = self.folder / "alike.jsonl", self.folder / "alike.idne", self.folder / "t.jsonl"
        texts.write_text("".join(json.dumps({"id": str(n), "text": "rocket moon orbit rocket launch"}) + "\n" for n in range(40)))
        self.ok("train", texts, "-o", model, "--max-share", 1, "--dim", 8, "--steps", 20)
        self.assertEqual(len(self.json("topics", model)["topics"]), 4)
        self.ok("topics", model, "--refit", 2, "-o", model)
        self.ok("export", model, "topics", "-o", out)
        for line in out.read_text().splitlines():
            self.assertFalse(any(value != value for value in json.loads(line)["vector"]))

    def test_auto(self):
        automatic, refit = self.folder / "auto.idne", self.folder / "refit.idne"
        self.ok("train", self.corpus, "-o", automatic, "--dim", 16, "--steps", 50, "--topics", "auto")
        self.ok("topics", automatic, "--refit", "auto", "-o", refit)
        self.assertEqual(self.json("info", automatic)["topics"], self.json("info", refit)["topics"])
        self.fails(2, "train", self.corpus, "-o", automatic, "--topics", "automatic", says="auto")

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
