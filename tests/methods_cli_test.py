#!/usr/bin/env python3
"""Presets, neighbours and the six methods, as their users meet them. IDNE names the program (default build/idne)."""
import json
import unittest

from cli import Case, SMALL, npy

METHODS = ["idne", "lsa", "tadw", "gvnrt", "graph2gauss", "cane"]
QUICK = {"idne": SMALL, "lsa": ["--dim", "8"], "tadw": ["--dim", "8", "--features", "8"], "gvnrt": ["--dim", "8"],
         "graph2gauss": ["--dim", "8", "--hidden", "16", "--rounds", "20"], "cane": ["--dim", "8", "--steps", "20"]}


class Presets(Case):
    def options(self, *arguments):
        self.ok("train", self.corpus, "-o", self.folder / "m", "--dim", 16, "--steps", 20, *arguments)
        return self.json("info", self.folder / "m")["options"]

    def test_the_default_is_best_and_names_win(self):
        best = self.options()
        self.assertEqual([best[k] for k in ("preset", "start", "batch", "steps")], ["best", "network", 64, 20])
        paper = self.options("--batch", 8, "--preset", "paper")
        self.assertEqual([paper[k] for k in ("preset", "start", "batch", "decay", "steps")], ["paper", "random", 8, "none", 20])

    def test_an_unknown_preset_is_wrong_usage(self):
        self.fails(2, "train", self.corpus, "-o", self.folder / "m", "--preset", "worst", says="best|paper")

    def test_a_sweep_compares_them(self):
        told = self.json("evaluate", self.corpus, "--tasks", "inductive-links", "--repeats", 1, "--sweep", "preset=best,paper",
                         "--set", "dim=16", "--set", "steps=20")
        self.assertEqual([r["method"] for r in told["results"]], ["idne preset=best", "idne preset=paper"])


class Neighbours(Case):
    def joined(self, method):
        model = self.folder / f"{method}.idne"
        self.ok("train", self.corpus, "-o", model, "--method", method, *QUICK[method], "--neighbours", 2)
        return model

    def rows(self, name):
        rows, columns, values = npy((self.folder / name).read_bytes())
        return [values[i * columns:(i + 1) * columns] for i in range(rows)]

    def assert_two_unit_halves(self, vector):
        for half in vector[:len(vector) // 2], vector[len(vector) // 2:]:
            self.assertAlmostEqual(sum(x * x for x in half), 1, places=4)

    def test_every_method_is_joined(self):
        text = self.documents[0]["text"]
        new = [{"text": text}, {"text": text, "links": [self.documents[1]["id"], "nobody"]}]
        source = self.write("new.jsonl", "".join(json.dumps(document) + "\n" for document in new))
        for method in METHODS:
            with self.subTest(method):
                model, width = self.joined(method), 32 if method == "idne" else 8
                self.assertEqual(self.json("info", model)["dim"], 2 * width)
                self.ok("export", model, "documents", "-o", self.folder / "d.npy")
                documents = self.rows("d.npy")
                self.assertEqual((len(documents), len(documents[0])), (200, 2 * width))
                self.assert_two_unit_halves(documents[0])
                self.assertEqual(len(self.json("similar", model, "--document", self.documents[0]["id"])), 10)
                if method == "cane":  # which cannot embed new documents, joined or not
                    continue
                told = self.ok("embed", model, source, "-o", self.folder / "v.npy").err
                self.assertIn("1 links to documents that the model does not have", told)
                alone, linked = self.rows("v.npy")
                self.assert_two_unit_halves(alone)
                self.assert_two_unit_halves(linked)
                self.assertEqual(alone[:width], linked[:width])
                self.assertNotEqual(alone[width:], linked[width:])

    def test_similar_takes_links_words_and_topics(self):
        text, joined = self.documents[0]["text"].encode(), self.joined("idne")
        alone = self.json("similar", joined, "-", stdin=text)
        linked = self.json("similar", joined, "-", "--links", self.documents[1]["id"], stdin=text)
        self.assertNotEqual([hit["score"] for hit in alone], [hit["score"] for hit in linked])
        self.assertEqual(len(self.json("similar", joined, "--topic", 1)), 10)
        self.fails(1, "similar", joined, "-", "--links", "nobody", says="'nobody'", stdin=text)
        self.fails(1, "similar", self.model, "-", "--links", self.documents[1]["id"], says="--neighbours", stdin=text)


class Methods(Case):
    def test_every_method_trains_and_is_asked(self):
        new = self.write("new.jsonl", json.dumps({"text": self.documents[0]["text"]}) + "\n")
        for method in METHODS:
            with self.subTest(method):
                model = self.folder / f"{method}.idne"
                self.ok("train", self.corpus, "-o", model, "--method", method, *QUICK[method])
                info = self.json("info", model)
                self.assertEqual((info["method"], info["documents"]), (method, 200))
                self.assertEqual(len(self.json("similar", model, "--document", self.documents[0]["id"])), 10)
                self.ok("export", model, "documents", "-o", self.folder / "d.npy")
                if method == "cane":
                    self.fails(1, "embed", model, new, "-o", self.folder / "v.npy", says="cannot embed new documents")
                else:
                    self.ok("embed", model, new, "-o", self.folder / "v.npy")
                    self.assertEqual(npy((self.folder / "v.npy").read_bytes())[1], info["dim"])
                if method != "idne":
                    self.fails(1, "topics", model, says="--method idne")
                    self.fails(1, "explain", model, "-", says="cannot" if method == "cane" else "--method idne", stdin=b"gene")

    def test_evaluate_prints_a_dash_for_what_cane_cannot_do(self):
        command = ["evaluate", self.corpus, "--methods", "cane", "--repeats", 1, "--ratios", 0.1, "--set", "steps=20", "--set", "dim=8"]
        cells = {r["task"]: r.get("mean") for r in self.json(*command)["results"]}
        self.assertIsNotNone(cells["classification"])
        self.assertIsNone(cells["inductive-classification"])
        self.assertIn("cane cannot embed new documents", self.ok(*command).out.decode())


if __name__ == "__main__":
    unittest.main()
