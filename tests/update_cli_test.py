#!/usr/bin/env python3
"""`idne update` as its users meet it: documents that come, change and go, feedback, training that goes on.

IDNE names the program (default build/idne), as for cli.py.
"""
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from cli import IDNE, SMALL, SLOWER, Case, npy, run


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class Update(Case):
    """The first 70 documents are in the model, the others come."""

    def setUp(self):
        super().setUp()
        documents = [dict(document) for document in self.documents]
        self.first, self.late = documents[:70], documents[70:]
        self.old = self.folder / "old.idne"
        self.ok("train", self.documents_file(self.first, "first.jsonl"), "-o", self.old, *SMALL)
        self.new = self.folder / "new.idne"

    def documents_file(self, documents, name):
        return self.write(name, "".join(json.dumps(document) + "\n" for document in documents))

    def vectors(self, model):
        out = self.folder / "v.npy"
        self.ok("export", model, "documents", "-o", out)
        return npy(out.read_bytes())

    def test_documents_that_come(self):
        late = self.documents_file(self.late, "late.jsonl")
        done = self.ok("update", self.old, late, "-o", self.new)
        self.assertRegex(done.err, rf"documents  {len(self.documents)}: {len(self.late)} added, 0 changed, 0 unchanged, 0 removed\n")
        self.assertRegex(done.err, r"\nadvice     (fine|train again): ")
        self.assertEqual(done.out, b"")
        _, columns, before = self.vectors(self.old)
        rows, _, now = self.vectors(self.new)
        self.assertEqual(rows, len(self.documents))
        self.assertEqual(now[:70 * columns], before)
        embedded = self.folder / "e.npy"
        self.ok("embed", self.old, late, "-o", embedded)
        self.assertEqual(now[70 * columns:], npy(embedded.read_bytes())[2])
        self.assertEqual(self.json("info", self.new)["documents"], len(self.documents))

    def test_a_word_that_becomes_frequent(self):
        """It is too rare in the model, which keeps it all the same: with the documents that come, suggestions go by it, also for old ones."""
        first = [dict(document) for document in self.first]
        for n in (3, 4):
            first[n]["text"] += " Quaternion"
        late = [dict(document) for document in self.late]
        for document in late[:3]:
            document["text"] += " quaternion"
        old = self.folder / "rare.idne"
        self.ok("train", self.documents_file(first, "first.jsonl"), "-o", old, *SMALL, "--min-count", 5)
        self.ok("update", old, self.documents_file(late, "late.jsonl"), "-o", self.new)
        text = self.write("text.txt", "quaternion")
        self.assertEqual(self.json("suggest", old, text)["links"], [])
        links = self.json("suggest", self.new, text, "-k", 5)["links"]
        self.assertEqual({link["id"] for link in links}, {document["id"] for document in first[3:5] + late[:3]})
        self.assertEqual(links[0]["words"][0]["word"], "quaternion")
        self.ok("update", self.new, "--steps", 5, "-o", self.new)
        self.ok("similar", self.new, "--word", "Quaternion")  # it has a vector

    def test_json(self):
        report = self.json("update", self.old, self.documents_file(self.late, "late.jsonl"), "-o", self.new)
        self.assertEqual((report["added"], report["changed"], report["removed"]), (len(self.late), 0, 0))
        self.assertEqual(report["model"], str(self.new))
        self.assertIs(type(report["train_again"]), bool)
        self.assertIn("unknown_words", report["foreseen"])

    def test_replaces_the_model_itself(self):
        self.ok("update", self.old, self.documents_file(self.late, "late.jsonl"), "-o", self.old)
        self.assertEqual(self.json("info", self.old)["documents"], len(self.documents))
        self.assertEqual(sorted(os.listdir(self.folder)), ["first.jsonl", "late.jsonl", "old.idne"])

    def test_remove_and_whole(self):
        gone = self.folder / "gone.txt"
        gone.write_text(f"{self.first[3]['id']}\r\n{self.first[4]['id']}\nnobody\n")
        done = self.ok("update", self.old, "--remove", gone, "-o", self.new)
        self.assertIn("2 removed", done.err)
        self.assertIn("1 to be removed that the model does not have", done.err)
        self.assertEqual(self.json("info", self.new)["documents"], 68)
        whole = self.json("update", self.old, self.documents_file(self.documents[10:], "whole.jsonl"), "--whole", "-o", self.new)
        self.assertEqual((whole["removed"], whole["added"]), (10, len(self.late)))
        self.assertEqual(self.json("info", self.new)["documents"], len(self.documents) - 10)

    def test_a_faulty_line_leaves_the_model(self):
        before = digest(self.old)
        bad = self.folder / "bad.jsonl"
        bad.write_text('{"id": "x", "text": "y"}\n{"id": "z"\n')
        done = run("update", self.old, bad, "-o", self.old)
        self.assertEqual(done.code, 1)
        self.assertIn("bad.jsonl:2: ", done.err)
        self.assertEqual(digest(self.old), before)

    def test_wrong_usage(self):
        for arguments in [("update", self.old, "-o", self.new), ("update", self.old, "--whole", "-o", self.new),
                          ("update", self.old, self.documents_file(self.late, "late.jsonl"))]:
            self.assertEqual(run(*arguments).code, 2, arguments)
        corpus = self.folder / "late.jsonl"
        done = run("update", self.old, corpus, "-o", corpus)
        self.assertEqual(done.code, 2)
        self.assertIn("also read", done.err)

    def test_training_goes_on(self):
        for document in self.late[::4]:
            document["text"] += " zyzzyva zyzzyva"
        report = self.json("update", self.old, self.documents_file(self.late, "late.jsonl"), "--steps", 30, "-o", self.new)
        self.assertGreaterEqual(report["new_words"], 1)
        self.assertTrue(0 < report["moved"] < 1)
        self.assertEqual([topic["former"] for topic in report["topics"]][:4], [1, 2, 3, 4])
        self.ok("similar", self.new, "--word", "zyzzyva")
        done = self.ok("update", self.old, "--steps", 5, "-o", self.new)
        self.assertRegex(done.err, r"\ntopics     4 kept with \d+ % of their first ten words")

    def test_a_given_name_stays(self):
        named = self.folder / "named.idne"
        self.ok("topics", self.old, "--name", "2=Two", "-o", named)
        for steps in (0, 10):
            self.ok("update", named, self.documents_file(self.late, "late.jsonl"), "--steps", steps, "-o", self.new)
            self.assertEqual(self.json("topics", self.new)["topics"][1]["name"], "Two")

    def test_feedback(self):
        document = self.first[5]["id"]
        suggested = self.json("suggest", self.old, "--document", document, "-k", 3)
        yes, no = suggested["links"][0]["id"], suggested["links"][1]["id"]
        label = suggested["labels"][-1]["label"]
        said = self.folder / "said.jsonl"
        lines = [("link", yes, "accept"), ("link", no, "reject"), ("label", label, "reject"), ("link", "nobody", "accept")]
        said.write_text("".join(json.dumps({"time": "2026-01-02T03:04:05.000Z", "kind": kind, "document": document, "target": target, "verdict": verdict}) + "\n"
                                for kind, target, verdict in lines))
        report = self.json("update", self.old, "--feedback", said, "-o", self.new)
        self.assertEqual((report["accepted"], report["rejected"], report["unknown_feedback"]), (1, 2, 1))
        self.assertEqual(self.json("info", self.new)["links"], self.json("info", self.old)["links"] + 1)
        now = self.json("suggest", self.new, "--document", document, "-k", 70)
        self.assertFalse({yes, no} & {link["id"] for link in now["links"]})
        self.assertNotIn(label, [one["label"] for one in now["labels"]])
        # What was said is remembered, and can be taken back.
        again = self.folder / "again.idne"
        self.ok("update", self.new, self.documents_file(self.late, "late.jsonl"), "-o", again)
        self.assertNotIn(no, [link["id"] for link in self.json("suggest", again, "--document", document, "-k", 70)["links"]])
        said.write_text(json.dumps({"time": "2026-01-02T03:04:05.000Z", "kind": "label", "document": document, "target": label, "verdict": "accept"}) + "\n")
        self.ok("update", again, "--feedback", said, "-o", again)
        self.assertIn(label, [one["label"] for one in self.json("suggest", again, "--document", document, "-k", 70)["labels"]])

    def test_kill_leaves_the_old_or_the_new_model_whole(self):
        late = self.documents_file(self.late, "late.jsonl")
        self.ok("update", self.old, late, "-o", self.new)
        kept = {digest(self.old), digest(self.new)}
        original = self.old.read_bytes()
        chance = random.Random(1)
        for _ in range(12):
            self.old.write_bytes(original)
            child = subprocess.Popen([IDNE, "update", str(self.old), str(late), "-o", str(self.old)], stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 0.1) * SLOWER)
            child.send_signal(signal.SIGKILL)
            child.wait()
            self.assertIn(digest(self.old), kept)
        left = set(os.listdir(self.folder)) - {"first.jsonl", "late.jsonl", "old.idne", "new.idne"}
        self.assertFalse(left)


if __name__ == "__main__":
    unittest.main()
