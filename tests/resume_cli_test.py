#!/usr/bin/env python3
"""`--checkpoint` and `--resume` as their users meet them: killed, interrupted, refused, gone on with."""
import json
import os
import random
import re
import shlex
import signal
import subprocess
import time
import unittest

from cli import Case, IDNE, SLOWER, SMALL

LONG = ["--preset", "paper", "--dim", "128", "--topics", "8", "--threads", "1"]  # one, so that a busy machine does not make it much longer


class Resuming(Case):
    def setUp(self):
        super().setUp()
        self.checkpoint, self.out = self.folder / "r.ck", self.folder / "m.idne"

    def steps_for(self, seconds):
        """A number of steps that take about so long here."""
        start = time.monotonic()
        self.ok("train", self.corpus, "-o", self.folder / "timed", *LONG, "--steps", 2000)
        (self.folder / "timed").unlink()
        return max(2000, int(2000 * seconds / (time.monotonic() - start)))

    def wait_for(self, path, child):
        end = time.monotonic() + 60 * SLOWER
        while not path.exists() and child.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)

    def sure_of_no_left_overs(self, *names):
        self.assertLessEqual({path.name for path in self.folder.iterdir()}, {"r.ck", *names})

    def test_killed_again_and_again_it_ends_with_the_same_bytes(self):
        options = [*LONG, "--steps", self.steps_for(1.5)]
        self.ok("train", self.corpus, "-o", self.folder / "expected", *options)
        kills, chance = 0, random.Random(1)
        for _ in range(20):
            given = ["--resume" if self.checkpoint.exists() else "--checkpoint", self.checkpoint, "--every", "20ms"]
            child = self.start("train", self.corpus, "-o", self.out, *options, *given, stderr=subprocess.DEVNULL)
            self.wait_for(self.checkpoint, child)
            time.sleep(chance.uniform(0, 0.3))
            child.kill()
            if child.wait() == 0:
                break
            kills += 1
            self.assertFalse(self.out.exists())
            self.sure_of_no_left_overs("expected")
        self.assertGreater(kills, 2)
        self.ok("train", self.corpus, "-o", self.out, *options, "--resume", self.checkpoint)
        self.assertEqual(self.out.read_bytes(), (self.folder / "expected").read_bytes())
        self.sure_of_no_left_overs("expected", "m.idne")

    def test_every_method_goes_on_where_it_was_killed(self):
        for method, options in {"gvnrt": ["--epochs", 20, "--dim", 16], "graph2gauss": ["--rounds", 200, "--dim", 16, "--hidden", 16],
                                "cane": ["--steps", 100, "--dim", 16, "--batch", 16], "lsa": ["--dim", 32], "tadw": ["--dim", 32], "node2vec": ["--walks", 20, "--dim", 16], "verse": ["--dim", 16]}.items():
            with self.subTest(method):
                checkpoint, out = self.folder / f"{method}.ck", self.folder / f"{method}.idne"
                options = ["--method", method, *options, "--threads", 1]
                child = self.start("train", self.corpus, "-o", out, *options, "--checkpoint", checkpoint, "--every", "10ms", stderr=subprocess.DEVNULL)
                self.wait_for(checkpoint, child)
                child.kill()
                child.wait()
                self.ok("train", self.corpus, "-o", out, *options, "--resume", checkpoint)
                self.ok("train", self.corpus, "-o", self.folder / "expected", *options)
                self.assertEqual(out.read_bytes(), (self.folder / "expected").read_bytes())

    def test_an_interruption_keeps_all_and_says_how_to_go_on(self):
        options = [*LONG, "--steps", self.steps_for(1.5)]
        for number, code in (signal.SIGINT, 130), (signal.SIGTERM, 143):
            with self.subTest(number.name):
                for path in self.checkpoint, self.out:
                    path.unlink(missing_ok=True)
                child = self.start("train", self.corpus, "-o", self.out, *options, "--checkpoint", self.checkpoint, "--every=50ms", stderr=subprocess.PIPE, text=True)
                self.wait_for(self.checkpoint, child)
                child.send_signal(number)
                said = child.communicate(timeout=60 * SLOWER)[1]
                self.assertEqual(child.returncode, code, said)
                found = re.fullmatch(r"idne: interrupted; (.*) holds ([\d,]+) of ([\d,]+) steps; to go on: idne (.*)\n", said)
                self.assertTrue(found, said)
                self.assertFalse(self.out.exists())
                result = self.ok(*shlex.split(found[4]))
                self.assertIn(f"resumed    with {found[2]} of {found[3]} steps\n", result.err)
        self.ok("train", self.corpus, "-o", self.folder / "expected", *options)
        self.assertEqual(self.out.read_bytes(), (self.folder / "expected").read_bytes())

    def finished(self, *options):
        self.ok("train", self.corpus, "-o", self.out, *SMALL, "--checkpoint", self.checkpoint, *options)
        return self.checkpoint

    def test_a_finished_checkpoint_stays_and_gives_the_same_model(self):
        self.finished("--every", "1h")
        self.assertEqual(self.out.read_bytes(), self.model.read_bytes())
        self.out.unlink()
        other = self.folder / "other.ck"
        result = self.ok("train", self.corpus, "-o", self.out, *SMALL, "--resume", self.checkpoint, "--checkpoint", other)
        self.assertIn("resumed    with 50 of 50 steps\n", result.err)
        self.assertEqual(self.out.read_bytes(), self.model.read_bytes())
        self.assertEqual(other.read_bytes(), self.checkpoint.read_bytes())

    def test_an_earlier_checkpoint_that_is_to_be_replaced_is_told_of(self):
        self.finished()
        result = self.ok("train", self.corpus, "-o", self.out, *SMALL, "--checkpoint", self.checkpoint)
        self.assertIn("holds 50 of 50 steps of an earlier run, and will be replaced", result.err)

    def test_another_training_is_refused(self):
        self.finished()
        resume = ["-o", self.folder / "n", "--resume", self.checkpoint]
        before = self.checkpoint.read_bytes()
        small = dict(zip(SMALL[::2], SMALL[1::2]))
        for option, value in {"--steps": 40, "--dim": 33, "--topics": 5}.items():
            changed = [part for pair in {**small, option: value}.items() for part in pair]
            self.fails(1, "train", self.corpus, *changed, *resume, says=f"{self.checkpoint}: the checkpoint was made with {option} {small[option]}, this run has {value}")
        self.fails(1, "train", self.corpus, *SMALL, *resume, "--seed", 2, says="made with --seed 1, this run has 2")
        self.fails(1, "train", self.corpus, *SMALL, *resume, "--min-count", 4, says="made with --min-count 5, this run has 4")
        self.fails(1, "train", self.corpus, *SMALL, *resume, "--stem", says="made with --stem no, this run has yes")
        self.fails(1, "train", self.corpus, *resume, "--method", "lsa", says="made with --method idne, this run has lsa")
        self.fails(1, "train", self.small_corpus(), *SMALL, *resume, says="another corpus")
        self.fails(1, "evaluate", self.corpus, "--resume", self.checkpoint, says="made with the verb train, this run has evaluate")
        other = self.folder / "linked"
        other.mkdir()
        (other / "documents.jsonl").write_bytes((self.corpus / "documents.jsonl").read_bytes())
        links = (self.corpus / "links.tsv").read_bytes().splitlines(keepends=True)
        (other / "links.tsv").write_bytes(b"".join(links[:-1]))
        self.fails(1, "train", other, *SMALL, *resume, says="the checkpoint was made of another corpus: the links differ")
        self.assertEqual(self.checkpoint.read_bytes(), before)
        self.assertFalse((self.folder / "n").exists())

    def test_a_file_that_is_no_checkpoint_is_refused_and_left_alone(self):
        whole = self.finished().read_bytes()
        broken = {"damaged": whole[:5000] + b"x" + whole[5001:], "cut": whole[:-1], "empty": b"", "text": b"somebody's own notes, of some length"}
        for name, content in broken.items():
            path = self.write(name, content)
            self.fails(1, "train", self.corpus, "-o", self.folder / "n", *SMALL, "--resume", path, says=f"{path}: not a")
            if content:
                self.fails(1, "train", self.corpus, "-o", self.folder / "n", *SMALL, "--checkpoint", path, says=f"{path}: not a")
            self.assertEqual(path.read_bytes(), content)
        self.fails(1, "train", self.corpus, "-o", self.folder / "n", *SMALL, "--resume", self.model, says="not a usable checkpoint: it is a model")
        self.fails(1, "info", self.checkpoint, says="not a usable model: it is a checkpoint")
        self.fails(1, "train", self.corpus, "-o", self.folder / "n", *SMALL, "--resume", self.folder / "nosuch", says="cannot open the checkpoint")
        self.fails(1, "train", self.corpus, "-o", self.folder / "n", *SMALL, "--checkpoint", self.folder / "no/such", says="cannot write")

    def test_wrong_usage(self):
        train = ["train", self.corpus, "-o", self.out, *SMALL]
        for time_ in "", "5x", "s", "-1s", "0", "1 s", "1e99h", "nan":
            self.fails(2, *train, "--checkpoint", self.checkpoint, f"--every={time_}", says="--every")
        for time_ in "30s", "5m", "1h", "500ms", "7", "0.5", "2min":
            self.ok(*train, "--checkpoint", self.checkpoint, "--every", time_)
        self.fails(2, *train, "--every", "5s", says="--every needs --checkpoint")
        self.fails(2, *train, "--checkpoint", self.out, says="both write")
        self.fails(2, *train, "--checkpoint", self.checkpoint, "--resume", self.folder / "." / "m.idne", says="also written")
        self.fails(2, *train, "--checkpoint", self.corpus / "links.tsv", says="is also read")
        self.fails(2, *train, "--checkpoint", "", says="--checkpoint")

    def test_an_evaluation_goes_on_with_what_was_finished(self):
        evaluate = ["evaluate", self.corpus, "--methods", "idne,lsa,cane", "--tasks", "all", "--repeats", 2, "--set", "steps=60", "--set", "dim=16", "--ratios", "0.1", "--threads", 1, "--format", "json"]

        def figures(text):
            told = json.loads(text)
            return json.loads(json.dumps(told), object_hook=lambda one: {key: value for key, value in one.items() if "seconds" not in key})

        expected = self.ok(*evaluate)
        for _ in range(3):
            given = "--resume" if self.checkpoint.exists() else "--checkpoint"
            before = self.checkpoint.stat().st_ino if self.checkpoint.exists() else None
            child = self.start(*evaluate, given, self.checkpoint, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while child.poll() is None and not (self.checkpoint.exists() and self.checkpoint.stat().st_ino != before):
                time.sleep(0.002)
            child.kill()
            child.wait()
            self.sure_of_no_left_overs()
        resumed = self.ok(*evaluate, "--resume", self.checkpoint)
        self.assertEqual(figures(resumed.out), figures(expected.out))
        self.assertEqual(self.ok(*evaluate, "--resume", self.checkpoint).out, resumed.out, "nothing was measured again")
        self.fails(1, *evaluate, "--resume", self.checkpoint, "--seed", 2, says="made with --seed 1, this run has 2")

    def test_an_interrupted_evaluation_says_how_to_go_on(self):
        evaluate = ["evaluate", self.corpus, "--tasks", "inductive-links", "--repeats", 2000, "--set", "steps=20", "--set", "dim=16", "--threads", 1]
        child = self.start(*evaluate, "--checkpoint", self.checkpoint, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for(self.checkpoint, child)
        child.send_signal(signal.SIGINT)
        table, said = child.communicate(timeout=60 * SLOWER)
        self.assertEqual(child.returncode, 130, said)
        self.assertIn("Interrupted: ", table)
        self.assertRegex(said, r"\Aidne: interrupted; the figures are of what was done; .*r.ck holds [\d,]+ of 2,000 trainings; to go on: idne evaluate .* --resume .*r.ck\n\Z")


if __name__ == "__main__":
    unittest.main()
