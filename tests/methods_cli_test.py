#!/usr/bin/env python3
"""Presets, neighbours and the nine methods, as their users meet them. IDNE names the program (default build/idne)."""
import json
import unittest

from cli import Case, SMALL, npy

METHODS = ["idne", "lsa", "tadw", "gvnrt", "graph2gauss", "cane", "deepwalk", "node2vec", "verse"]
NO_TEXTS = METHODS[5:]  # which cannot embed new documents
LINKS_ALONE = METHODS[6:]
QUICK = {"idne": SMALL, "lsa": ["--dim", "8"], "tadw": ["--dim", "8", "--features", "8"], "gvnrt": ["--dim", "8"],
         "graph2gauss": ["--dim", "8", "--hidden", "16", "--rounds", "20"], "cane": ["--dim", "8", "--steps", "20"],
         "deepwalk": ["--dim", "8", "--walks", "2"], "node2vec": ["--dim", "8", "--walks", "2"], "verse": ["--dim", "8", "--pairs", "20"]}


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
                if method in NO_TEXTS:  # joined or not
                    continue
                told = self.ok("embed", model, source, "-o", self.folder / "v.npy").err
                self.assertIn("left out: 1 link to documents that the model does not have", told)
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
                if method in NO_TEXTS:
                    self.fails(1, "embed", model, new, "-o", self.folder / "v.npy", says="cannot embed new documents")
                else:
                    self.ok("embed", model, new, "-o", self.folder / "v.npy")
                    self.assertEqual(npy((self.folder / "v.npy").read_bytes())[1], info["dim"])
                if method != "idne":
                    self.fails(1, "topics", model, says="--method idne")
                    self.fails(1, "explain", model, "-", says="cannot" if method in NO_TEXTS else "--method idne", stdin=b"gene")

    def test_evaluate_prints_a_dash_for_what_cane_cannot_do(self):
        command = ["evaluate", self.corpus, "--methods", "cane", "--repeats", 1, "--ratios", 0.1, "--set", "steps=20", "--set", "dim=8"]
        cells = {r["task"]: r.get("mean") for r in self.json(*command)["results"]}
        self.assertIsNotNone(cells["classification"])
        self.assertIsNone(cells["inductive-classification"])
        self.assertIn("cane cannot embed new documents", self.ok(*command).out.decode())

    def test_verbs_say_in_one_line_what_links_alone_cannot_tell(self):
        new = self.write("new.jsonl", json.dumps({"id": "x", "text": self.documents[0]["text"]}) + "\n")
        for method in LINKS_ALONE:
            with self.subTest(method):
                model = self.folder / f"{method}.idne"
                self.ok("train", self.corpus, "-o", model, "--method", method, *QUICK[method])
                reason = f"{method} cannot embed new documents: it learns from links and reads no texts"
                for asked in ["suggest", model, "-"], ["similar", model, "-"], ["explain", model, "-"]:
                    self.fails(1, *asked, says=reason, stdin=b"gene")
                for asked in ["update", model, new, "-o", self.folder / "u.idne"], ["export", model, "links", "-o", self.folder / "l.tsv"], ["serve", model, "--port", 0]:
                    self.fails(1, *asked, says=reason)
                self.fails(1, "export", model, "words", "-o", self.folder / "w.npy", says="no vectors of words")

    def test_links_alone_need_links(self):
        bare = self.write("bare.jsonl", "".join(json.dumps({"id": d["id"], "text": d["text"]}) + "\n" for d in self.documents))
        for method in LINKS_ALONE:
            self.fails(1, "train", bare, "-o", self.folder / "m", "--method", method, says=f"{method} learns from links alone, and the corpus has none")

    def test_links_alone_are_judged_with_lsa_too_and_have_a_dash_for_new_documents(self):
        told = self.json("evaluate", self.corpus, "--methods", "deepwalk,verse", "--repeats", 1, "--ratios", 0.1, "--set", "walks=2", "--set", "pairs=50")["results"]
        rows = {(r["method"], r["task"]): r for r in told}
        self.assertEqual([m for m, task in rows if task == "classification"], ["deepwalk", "deepwalk, with lsa", "verse", "verse, with lsa"])
        self.assertGreater(rows["deepwalk, with lsa", "classification"]["mean"], 0.8)
        for task in "inductive-classification", "inductive-links":
            self.assertEqual([(m, r["failure"]) for (m, t), r in rows.items() if t == task],
                             [(m, f"{m} cannot embed new documents") for m in ("deepwalk", "verse")])
        told = self.json("evaluate", self.corpus, "--methods", "deepwalk", "--repeats", 1, "--ratios", 0.1, "--set", "walks=2", "--neighbours", 1, "--tasks", "classification")["results"]
        self.assertEqual([r["method"] for r in told], ["deepwalk", "deepwalk, alone", "deepwalk, with lsa"])


class Similarities(Case):
    def train(self, *options):
        self.ok("train", self.corpus, "-o", self.folder / "m", "--dim", 16, "--steps", 20, *options)
        return (self.folder / "m").read_bytes()

    def test_each_learns_something_else_and_paths_is_what_it_was(self):
        self.assertEqual(self.train(), self.train("--similarity", "paths"))
        self.assertEqual(len({self.train("--similarity", choice) for choice in ("paths", "simrank", "ppr")}), 3)
        self.assertEqual(self.train("--similarity", "simrank", "--threads", 1), self.train("--similarity", "simrank", "--threads", 3))

    def test_what_makes_no_sense_is_refused(self):
        self.fails(1, "train", self.corpus, "-o", self.folder / "m", "--similarity", "ppr", "--sampling", "node", says="leave one of them out")
        self.fails(2, "train", self.corpus, "-o", self.folder / "m", "--similarity", "none", says="paths|simrank|ppr")


if __name__ == "__main__":
    unittest.main()
