#!/usr/bin/env python3
"""Documents that somebody does not want: `idne check -o` names them, `--leave-out` passes over them. The environment is that of cli.py."""
import json
import unittest

from cli import Case, run

WORDS = ["moon tide star planet orbit comet", "goal match team player ball keeper", "violin melody song choir tone chord"]


class LeaveOut(Case):
    def setUp(self):
        super().setUp()
        documents = [{"id": f"d{k}", "text": f"{WORDS[k % 3]} word{k} word{k}", "links": [f"d{(k + 3) % 30}"]} for k in range(30)]
        documents += [{"id": "empty", "text": "the and of", "links": ["d1"]}, {"id": "void", "text": "", "links": []},
                      {"id": "again", "text": documents[4]["text"], "links": ["d2"]},
                      {"id": "hub", "text": "hub and spokes", "links": [f"d{k}" for k in range(30)]}]
        documents[0]["links"].append("hub")
        self.corpus = self.folder / "corpus"
        self.corpus.mkdir()
        (self.corpus / "documents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
        (self.corpus / "links.tsv").write_text("d1\tempty\nd1\td2\n")
        (self.corpus / "groups.tsv").write_text("void\tg\nd3\tg\nd4\tg\n")
        self.bad = self.folder / "bad.txt"

    def test_what_check_names_is_what_training_leaves_out(self):
        checked = run("check", self.corpus, "-o", self.bad, "--min-count", 1)
        self.assertEqual(checked.code, 0, checked)
        self.assertEqual(self.bad.read_text().split(), ["empty", "void", "again", "hub"])
        self.assertIn('2 of 34 documents have no words but stop words: "empty", "void"', " ".join(checked.out.decode().split()))
        self.assertIn("4 documents to be left out", checked.err)
        model = self.folder / "my.idne"
        trained = run("train", self.corpus, "--leave-out", self.bad, "-o", model, "--steps", 20, "--dim", 8, "--min-count", 1, "--strict")
        self.assertEqual(trained.code, 0, trained)
        self.assertIn("documents  30\n", trained.err)
        self.assertIn("4 documents that were to be left out", trained.err)
        self.assertNotIn("unknown", trained.err, "links to them are no fault")
        again = run("check", self.corpus, "--leave-out", self.bad, "--min-count", 1)
        self.assertNotIn(b"leave", again.out)

    def test_ids_that_no_document_has(self):
        self.bad.write_text("nobody\nnothing\n")
        result = run("train", self.corpus, "--leave-out", self.bad, "-o", self.folder / "x.idne", "--steps", 1, "--dim", 4)
        self.assertEqual(result.code, 1)
        self.assertEqual(result.err, f"idne: error: {self.bad}: no document has any of the ids in it; one id per line is needed\n")

    def test_white_space_around_an_id(self):
        self.bad.write_bytes(b"  empty \r\n\tvoid\nagain\n")
        trained = run("train", self.corpus, "--leave-out", self.bad, "-o", self.folder / "x.idne", "--steps", 1, "--dim", 4, "--min-count", 1)
        self.assertIn("3 documents that were to be left out", trained.err)

    def test_the_model_is_that_of_a_corpus_without_them(self):
        self.bad.write_text("empty\r\nvoid\nagain\nhub\nnobody\n")
        other = self.folder / "other"
        other.mkdir()
        kept = [json.loads(line) for line in open(self.corpus / "documents.jsonl")][:30]
        kept[0]["links"].remove("hub")
        (other / "documents.jsonl").write_text("".join(json.dumps(one) + "\n" for one in kept))
        (other / "links.tsv").write_text("d1\td2\n")
        (other / "groups.tsv").write_text("d3\tg\nd4\tg\n")
        vectors = []
        for corpus, more in ((self.corpus, ["--leave-out", self.bad]), (other, [])):
            model, out = self.folder / "m.idne", self.folder / f"{corpus.name}.tsv"
            self.assertEqual(run("train", corpus, *more, "-o", model, "--steps", 20, "--dim", 8, "--min-count", 1).code, 0)
            self.assertEqual(run("export", model, "documents", "-o", out).code, 0)
            vectors.append(out.read_bytes())
        self.assertEqual(*vectors)

    def test_trouble_is_one_line(self):
        for file, said in ((self.folder / "none.txt", "none.txt"), (self.folder, "is a folder; a file is needed here")):
            done = run("train", self.corpus, "--leave-out", file, "-o", self.folder / "m.idne")
            self.assertEqual((done.code, done.err.count("\n")), (1, 1), done)
            self.assertIn(said, done.err)
        self.bad.write_text("".join(f"d{k}\n" for k in range(30)) + "empty\nvoid\nagain\nhub\n")
        self.assertIn("all documents are to be left out", run("check", self.corpus, "--leave-out", self.bad).err)


if __name__ == "__main__":
    unittest.main()
