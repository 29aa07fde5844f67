#!/usr/bin/env python3
"""`idne demo` as its users meet it: a tour that touches nothing of theirs."""
import subprocess
import unittest

from cli import Case, IDNE, SLOWER


class Demo(Case):
    def demo(self, *arguments, **more):
        return subprocess.run([IDNE, "demo", "--corpus", "generated", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120 * SLOWER, **more)

    def test_a_tour_leaves_a_model_and_a_report_and_can_be_taken_again(self):
        for _ in range(2):
            done = self.demo()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("have a true one suggested first", done.stdout)
            self.assertEqual(self.json("info", self.folder / "demo/demo.idne")["topics"], 12)
            self.assertIn("<html", (self.folder / "demo/report.html").read_text())

    def test_a_folder_that_no_demo_has_made_is_refused(self):
        mine = self.write("corpus/documents.jsonl", '{"id": "mine", "text": "my own words"}\n')
        for folder in ".", "corpus":
            done = self.demo("-o", folder)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Aidne: error: [^\n]*not from an earlier demo[^\n]*\n\Z")
        self.assertEqual(mine.read_text(), '{"id": "mine", "text": "my own words"}\n')

    def test_what_somebody_adds_to_a_demo_stays(self):
        self.assertEqual(self.demo().returncode, 0)
        note = self.write("demo/corpus/notes.txt", "my own words")
        self.assertEqual(self.demo().returncode, 0)
        self.assertEqual(note.read_text(), "my own words")


if __name__ == "__main__":
    unittest.main()
