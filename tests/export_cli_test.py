#!/usr/bin/env python3
"""`idne export`: what other programs read. IDNE names the program (default build/idne), as for cli.py."""
import json
import math
import unittest
import xml.etree.ElementTree as xml

from cli import Case, npy

try:
    import gensim
except ImportError:
    gensim = None


def rows_of(path):
    rows, columns, flat = npy(path.read_bytes())
    return [flat[k * columns:(k + 1) * columns] for k in range(rows)]


class Vectors(Case):
    def exported(self, what, ending):
        path = self.folder / f"{what}.{ending}"
        self.ok("export", self.model, what, "-o", path)
        return path

    def test_every_format_holds_the_same_vectors(self):
        for what in ("documents", "words", "topics"):
            with self.subTest(what):
                rows = rows_of(self.exported(what, "npy"))
                tsv = [line.split("\t") for line in self.exported(what, "tsv").read_text(encoding="utf-8").splitlines()]
                first, *vec = self.exported(what, "vec").read_text(encoding="utf-8").splitlines()
                lines = [json.loads(line) for line in self.exported(what, "jsonl").read_text(encoding="utf-8").splitlines()]
                self.assertEqual(first, f"{len(rows)} {len(rows[0])}")
                self.assertEqual(len({len(rows), len(tsv), len(vec), len(lines)}), 1)
                names = (self.folder / f"{what}.npy.ids.txt").read_text(encoding="utf-8").splitlines()
                self.assertEqual(names, [cells[0] for cells in tsv])
                for row, cells, line, record in zip(rows, tsv, vec, lines):
                    name, *values = line.split(" ")
                    self.assertEqual(name, cells[0].replace(" ", "_"))
                    self.assertEqual(record["id"], cells[0])
                    for found in (cells[1:], values, record["vector"]):
                        self.assertEqual(len(found), len(row))
                        self.assertTrue(all(math.isclose(float(a), b, rel_tol=1e-6, abs_tol=1e-9) for a, b in zip(found, row)))

    def test_names(self):
        ids = [line.split("\t")[0] for line in self.exported("documents", "tsv").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(ids, [document["id"] for document in self.documents])
        topics = [line.split("\t")[0] for line in self.exported("topics", "tsv").read_text(encoding="utf-8").splitlines()]
        self.assertEqual([name.split()[0] for name in topics], ["1", "2", "3", "4"])
        self.assertTrue(all(len(name.split()) == 6 for name in topics), topics)

    def test_ids_that_differ_in_control_characters_alone_stay_different(self):
        ids = ["a\nb", "a\tb", "a\\nb", "a\x85b", "a\u2028b", "a b"]
        corpus = self.small_corpus("odd", [{"id": own, "text": "gene court"} for own in ids])
        out = self.folder / "odd.tsv"
        self.ok("export", self.trained(corpus), "documents", "-o", out)
        names = [line.split("\t")[0] for line in out.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(names[-len(ids):], ["a\\nb", "a\\tb", "a\\\\nb", "a\\x85b", "a\\u2028b", "a b"])
        self.assertEqual(len(names), 40 + len(ids))

    @unittest.skipUnless(gensim, "gensim is not installed")
    def test_gensim_opens_vec(self):
        words = gensim.models.KeyedVectors.load_word2vec_format(str(self.exported("words", "vec")))
        self.assertEqual(len(words), self.json("info", self.model)["words"])

    def test_projector(self):
        folder = self.folder / "projector"
        self.ok("export", self.model, "documents", "--projector", folder)
        vectors = (folder / "vectors.tsv").read_text(encoding="utf-8").splitlines()
        head, *metadata = (folder / "metadata.tsv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(head, "id\ttitle\tlabels\ttopic")
        self.assertEqual(len(vectors), len(metadata))
        for document, line in zip(self.documents, metadata):
            cells = line.split("\t")
            self.assertEqual((cells[0], cells[2]), (document["id"], ", ".join(document["labels"])))
            self.assertIn(cells[3], ("1", "2", "3", "4"))

    def test_wrong_usage(self):
        self.fails(2, "export", self.model, "documents", "-o", "x.csv", says=".npy")
        self.fails(2, "export", self.model, "documents", says="--projector")
        self.fails(2, "export", self.model, "links", "-o", "x.npy", says=".graphml")
        self.fails(2, "export", self.model, "links", says=".graphml")

    def test_methods_without_words_or_topics_say_so(self):
        model = self.folder / "lsa.idne"
        self.ok("train", self.corpus, "--method", "lsa", "--dim", 16, "-o", model)
        self.fails(1, "export", model, "topics", "-o", self.folder / "t.npy", says="topics")
        self.ok("export", model, "documents", "-o", self.folder / "d.vec")


class TopicTables(Case):
    def shares(self, ending, model=None):
        path = self.folder / f"shares.{ending}"
        self.ok("export", model or self.model, "topics-of-documents", "-o", path)
        return path

    def test_a_row_per_document_under_a_header(self):
        head, *rows = [line.split("\t") for line in self.shares("tsv").read_text("utf-8").splitlines()]
        self.assertEqual(head, ["id", "topic 1", "topic 2", "topic 3", "topic 4"])
        self.assertEqual([row[0] for row in rows], [document["id"] for document in self.documents])
        for row in rows:
            self.assertAlmostEqual(sum(map(float, row[1:])), 1, places=4)
        told = {topic["topic"]: topic["share"] for topic in self.json("explain", self.model, "--document", rows[7][0])["topics"]}
        for topic in (1, 2, 3, 4):
            self.assertAlmostEqual(float(rows[7][topic]), told.get(topic, 0), places=5)

    def test_every_format_holds_the_same(self):
        tsv = [line.split("\t") for line in self.shares("tsv").read_text("utf-8").splitlines()][1:]
        rows = rows_of(self.shares("npy"))
        ids = (self.folder / "shares.npy.ids.txt").read_text("utf-8").splitlines()
        names = (self.folder / "shares.npy.topics.txt").read_text("utf-8").splitlines()
        lines = [json.loads(line) for line in self.shares("jsonl").read_text("utf-8").splitlines()]
        self.assertEqual(len({len(tsv), len(rows), len(ids), len(lines)}), 1)
        for cells, row, own, line in zip(tsv, rows, ids, lines):
            self.assertEqual(cells[0], own)
            self.assertEqual(line["id"], own)
            self.assertEqual(list(line["shares"]), names)
            for a, b, c in zip(cells[1:], row, line["shares"].values()):
                self.assertAlmostEqual(float(a), b, places=5)
                self.assertAlmostEqual(float(a), c, places=5)

    def test_names_head_the_columns(self):
        named = self.folder / "named.idne"
        self.ok("topics", self.model, "--name", "2=Law", "--name", "3=Law", "-o", named)
        self.assertEqual(self.shares("tsv", named).read_text("utf-8").splitlines()[0], "id\ttopic 1\tLaw\tLaw (3)\ttopic 4")

    def test_documents_without_words_are_counted_when_embedded(self):
        new = self.write("new.jsonl", '{"text": "zzz"}\n{"text": "star"}\n')
        self.assertIn("idne: 1 document has no word that the model knows\n", self.ok("embed", self.model, new, "-o", self.folder / "new.npy").err)

    def test_documents_without_words_have_zeros(self):
        model = self.trained(self.small_corpus("gap", [{"id": "empty", "text": ""}]))
        last = self.shares("tsv", model).read_text("utf-8").splitlines()[-1]
        self.assertEqual(last, "empty\t0\t0\t0")

    def test_the_same_bytes_at_any_number_of_threads(self):
        one, two = self.folder / "1.tsv", self.folder / "2.tsv"
        for path, threads in ((one, 1), (two, 2)):
            self.ok("export", self.model, "topics-of-documents", "-o", path, "--threads", threads)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_words_with_weights(self):
        path = self.folder / "words.tsv"
        self.ok("export", self.model, "topic-words", "-o", path)
        head, *rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
        self.assertEqual(head, ["topic", "name", "rank", "word", "weight"])
        topics = self.json("topics", self.model)["topics"]
        for topic in topics:
            own = [row for row in rows if row[0] == str(topic["topic"])]
            self.assertEqual([row[3] for row in own[:10]], [word["word"] for word in topic["words"]])
            self.assertEqual([int(row[2]) for row in own], list(range(1, len(own) + 1)))
            self.assertEqual({row[1] for row in own}, {topic["name"]})
        path = self.folder / "topics.jsonl"
        self.ok("export", self.model, "topics", "-o", path)
        for line, topic in zip(map(json.loads, path.read_text("utf-8").splitlines()), topics):
            self.assertEqual([word["word"] for word in line["words"]], [word["word"] for word in topic["words"]])
            self.assertAlmostEqual(line["words"][0]["weight"], topic["words"][0]["score"], places=4)
            self.assertEqual((line["topic"], line["name"]), (topic["topic"], topic["name"]))

    def test_wrong_usage(self):
        self.fails(2, "export", self.model, "topics-of-documents", "-o", "x.vec", says=".tsv")
        self.fails(2, "export", self.model, "topics-of-documents", says=".tsv")
        self.fails(2, "export", self.model, "topic-words", "-o", "x.npy", says=".tsv")
        self.fails(2, "export", self.model, "topic-words", "--projector", self.folder / "p", "-o", "x.tsv", says="--projector")


class Links(Case):
    def graph(self, ending, *more):
        path = self.folder / f"links.{ending}"
        self.ok("export", self.model, "links", "-o", path, "--top", 3, *more)
        return xml.parse(path).getroot(), path

    def test_graphml(self):
        root, _ = self.graph("graphml")
        space = "{http://graphml.graphdrawing.org/xmlns}"
        nodes, edges = root.findall(f".//{space}node"), root.findall(f".//{space}edge")
        self.assertEqual([node.get("id") for node in nodes], [document["id"] for document in self.documents])
        pairs = [frozenset((edge.get("source"), edge.get("target"))) for edge in edges]
        self.assertEqual(len(pairs), len(set(pairs)), "each link once")
        self.assertTrue(all(len(pair) == 2 for pair in pairs), "none to itself")
        there = {frozenset(line.split("\t")[:2]) for line in (self.corpus / "links.tsv").read_text().splitlines()}
        self.assertFalse(there & set(pairs), "none that is there")
        own = self.documents[0]["id"]
        best = {link["id"] for link in self.json("suggest", self.model, "--document", own, "-k", 3)["links"]}
        self.assertLessEqual(best, {other for pair in pairs if own in pair for other in pair})

    def test_gexf(self):
        root, _ = self.graph("gexf")
        space = "{http://gexf.net/1.3}"
        self.assertEqual(len(root.findall(f".//{space}node")), len(self.documents))
        weights = [float(edge.get("weight")) for edge in root.findall(f".//{space}edge")]
        self.assertTrue(weights and min(weights) >= 0)
        self.assertEqual(weights, sorted(weights, reverse=True))

    def test_a_higher_score_leaves_fewer(self):
        def edges(*more):
            return self.graph("gexf", *more)[1].read_text(encoding="utf-8").count("<edge ")
        root, _ = self.graph("gexf")
        weights = [float(edge.get("weight")) for edge in root.iter() if edge.tag.endswith("}edge")]
        middle = weights[len(weights) // 2]
        self.assertEqual(edges("--min-score", middle + 1e-5), sum(weight > middle + 1e-5 for weight in weights))
        self.assertEqual(edges("--min-score", 100), 0)

    def test_the_same_bytes_at_any_number_of_threads(self):
        one, two = (self.graph("graphml", "--threads", threads)[1].read_bytes() for threads in (1, 2))
        self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main(verbosity=1)
