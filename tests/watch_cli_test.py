#!/usr/bin/env python3
"""`idne watch` as people with notes meet it: a folder that changes, a model and a server that follow.

IDNE names the program (default build/idne), as for cli.py.
"""
import json
import os
import signal
import subprocess
import time
import unittest
import urllib.request

from cli import SLOWER, Case, run


class Watch(Case):
    def setUp(self):
        super().setUp()
        self.vault, self.model = self.folder / "notes", self.folder / "notes.idne"
        words = ["gene cell protein enzyme genome".split(), "court judge law trial jury".split()]
        for i in range(40):
            text = " ".join(words[i % 2][(i + k) % 5] for k in range(8))
            self.write(f"notes/{['bio', 'law'][i % 2]}/n{i}.md", f"# Note {i}\n\n{text}\n\nSee [[n{(i + 2) % 40}]]. #{['bio', 'law'][i % 2]}\n")
        self.corpus = self.folder / "notes.idne.corpus"

    def small_model(self):
        """One that knows all words; the usual settings want more of them."""
        self.ok("import", "markdown", self.vault, "-o", self.corpus)
        self.ok("train", self.corpus, "-o", self.model, "--min-count", 1, "--max-share", 1, "--dim", 16, "--steps", 20)

    def watch(self, *more):
        child = self.watch_anything(*more)
        self.wait_for(lambda: "following" in self.said() or child.poll() is not None)
        self.assertIsNone(child.poll(), self.said())
        return child

    def watch_anything(self, *more):
        self.log = open(self.folder / "log", "wb")
        self.addCleanup(self.log.close)
        return self.start("watch", self.vault, "-o", self.model, *more, stderr=self.log)

    def said(self):
        return (self.folder / "log").read_text()

    def wait_for(self, true, seconds=30):
        end = time.monotonic() + seconds * SLOWER
        while not true():
            self.assertLess(time.monotonic(), end, self.said())
            time.sleep(0.02)

    def documents(self):
        return self.json("info", self.model)["documents"]

    def test_notes_that_come_change_and_go(self):
        self.small_model()
        child = self.watch()
        self.assertEqual(self.documents(), 40)
        self.write("notes/new.md", "# A new one\n\ngene court [[n3]]\n")
        self.wait_for(lambda: "41 notes: 1 added, 0 changed, 0 removed" in self.said())
        self.assertEqual(self.documents(), 41)
        self.write("notes/deep/er/other.md", "judge jury\n")
        self.wait_for(lambda: "42 notes: 1 added" in self.said())
        self.write("notes/new.md", "# A new one\n\nlaw law law\n")
        self.wait_for(lambda: "0 added, 1 changed" in self.said())
        os.remove(self.vault / "new.md")
        self.wait_for(lambda: "41 notes: 0 added, 0 changed, 1 removed" in self.said())
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(20 * SLOWER), 0)
        self.assertTrue(self.said().endswith("idne: ended\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["log", "notes", "notes.idne", "notes.idne.corpus"])

    def test_what_is_no_note_is_passed_over(self):
        self.small_model()
        self.watch()
        before = self.said()
        self.write("notes/.obsidian/workspace.md", "x")
        self.write("notes/picture.png", "x")
        os.utime(self.vault / "law" / "n1.md")
        time.sleep(1)
        self.assertEqual(self.said(), before)

    def test_a_model_is_made_where_there_is_none(self):
        for i in range(60):  # the usual settings keep words of up to a quarter of the documents
            self.write(f"notes/more/m{i}.md", f"orbit{i % 6} planet{i % 6} comet{i % 6} moon{i % 6} star{i % 6}\n" * 2)
        self.watch()
        self.assertIn("100 notes, learned anew", self.said())
        self.assertEqual(self.documents(), 100)

    def test_a_model_of_something_else_stays(self):
        self.write("notes.idne", Case.model.read_bytes())
        before = self.model.read_bytes()
        result = run("watch", self.vault, "-o", self.model)
        self.assertEqual(result.code, 1, result)
        self.assertIn("none of its 200 documents are notes", result.err)
        self.assertFalse(self.corpus.exists())
        self.assertEqual(self.model.read_bytes(), before)

    def test_a_corpus_of_something_else_stays(self):
        kept = self.write("notes.idne.corpus/documents.jsonl", '{"id": "mine", "text": "x"}\n')
        result = run("watch", self.vault, "-o", self.model)
        self.assertEqual(result.code, 1, result)
        self.assertEqual(kept.read_text(), '{"id": "mine", "text": "x"}\n')

    def test_feedback_is_followed_and_an_error_is_tried_again(self):
        self.small_model()
        said = self.write("said.jsonl", "no JSON\n{}\n")
        child = self.watch_anything("--feedback", said)
        self.wait_for(lambda: "said.jsonl:1" in self.said())
        self.assertEqual(child.wait(20 * SLOWER), 1)
        said.write_text("")
        self.watch("--feedback", said)
        links = self.json("info", self.model)["links"]
        said.write_text(json.dumps({"time": "2026-01-02T03:04:05.000Z", "kind": "link", "document": "law/n1", "target": "law/n9", "verdict": "accept"}) + "\n")
        self.wait_for(lambda: self.json("info", self.model)["links"] == links + 1)

    def test_a_server_shows_a_new_note(self):
        self.small_model()
        self.watch()
        server = self.start("serve", self.model, "--corpus", self.corpus, "--watch", "--port", 0, "--log", "none", stderr=subprocess.PIPE)
        self.addCleanup(server.stderr.close)
        address = ""
        while "http" not in address:
            address = server.stderr.readline().decode()
        address = address.split()[1]
        start = time.monotonic()
        self.write("notes/fresh.md", "# Fresh\n\ngene enzyme\n")

        def shown():
            with urllib.request.urlopen(address + "api/v1/documents?k=100") as answer:
                return any(document["id"] == "fresh" for document in json.load(answer)["documents"])
        self.wait_for(shown)
        print(f"a new note was shown after {time.monotonic() - start:.2f} s", flush=True)

    def test_wrong_usage(self):
        self.fails(1, "watch", self.folder / "none", "-o", self.model, says="no such folder")
        self.assertEqual(run("watch", self.vault).code, 2)


if __name__ == "__main__":
    unittest.main()
