#!/usr/bin/env python3
"""The program as its users meet it: what it prints and where, how it exits, what it leaves behind.

IDNE names the program (default build/idne). A non-empty IDNE_SANITIZE makes time limits ten times as long.
"""
import ast
import contextlib
import fcntl
import gzip
import json
import math
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))
SLOWER = 10 if os.environ.get("IDNE_SANITIZE") else 1
VERBS = ["train", "info", "topics", "explain", "suggest", "similar", "embed", "export", "evaluate", "generate", "check", "import", "demo", "serve"]
SMALL = ["--topics", "4", "--dim", "32", "--steps", "50"]
LOOSE = ["--min-count", "1", "--max-share", "1"]


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit {self.code}, stdout {self.out[:300]!r}, stderr {self.err[-600:]!r}"


def run(*arguments, stdin=b"", **more):
    done = subprocess.run([IDNE, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60 * SLOWER, **more)
    return Result(done.returncode, done.stdout, done.stderr)


def npy(content):
    """(rows, columns, floats, row by row) of a .npy file, every field of its header checked."""
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    length = int.from_bytes(content[8:10], "little")
    assert (10 + length) % 64 == 0 and content[9 + length] == ord("\n"), "the header is padded to 64 bytes and ends a line"
    header = ast.literal_eval(content[10:10 + length].decode("ascii"))
    assert header.keys() == {"descr", "fortran_order", "shape"} and header["descr"] == "<f4" and not header["fortran_order"]
    rows, columns = header["shape"]
    data = content[10 + length:]
    assert len(data) == 4 * rows * columns, (len(data), rows, columns)
    return rows, columns, struct.unpack(f"<{rows * columns}f", data)


def as_float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


def in_terminal(*arguments, stdin=b"", environment=None, columns=120):
    """Runs the program with stdout and stderr on a pseudo-terminal; (exit code, everything that it showed)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    child = subprocess.Popen([IDNE, *map(str, arguments)], stdin=subprocess.PIPE, stdout=slave, stderr=slave,
                             env={**os.environ, **(environment or {})})
    os.close(slave)
    writer = threading.Thread(target=lambda: (child.stdin.write(stdin), child.stdin.close()))
    writer.start()
    shown, end = b"", time.monotonic() + 60 * SLOWER
    with contextlib.suppress(OSError):  # EIO is how a pseudo-terminal says that its other side has gone
        while time.monotonic() < end and select.select([master], [], [], 60 * SLOWER)[0]:
            piece = os.read(master, 65536)
            if not piece:
                break
            shown += piece
    os.close(master)
    writer.join()
    return child.wait(60 * SLOWER), shown.decode("utf-8", "replace").replace("\r\n", "\n")


class Case(unittest.TestCase):
    """One corpus and one model for all tests, and a folder for each."""

    @classmethod
    def setUpClass(cls):
        if Case.shared is None:
            Case.shared = pathlib.Path(tempfile.mkdtemp(prefix="idne-cli-"))
            Case.corpus, Case.model = Case.shared / "corpus", Case.shared / "my.idne"
            made = run("generate", "--documents", 200, "--fields", 3, "-o", Case.corpus)
            assert made.code == 0, made
            Case.training = run("train", Case.corpus, "-o", Case.model, *SMALL)
            assert Case.training.code == 0, Case.training
            Case.documents = [json.loads(line) for line in (Case.corpus / "documents.jsonl").read_text("utf-8").split("\n")[:-1]]

    shared = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="idne-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def ok(self, *arguments, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.code, 0, result)
        return result

    def json(self, *arguments, **more):
        return json.loads(self.ok(*arguments, "--format", "json", **more).out)

    def fails(self, code, *arguments, says="", **more):
        """Fails with that code, one line on stderr that says so, and nothing on stdout."""
        result = run(*arguments, **more)
        self.assertEqual(result.code, code, result)
        self.assertEqual(result.out, b"", result)
        self.assertRegex(result.err, r"\Aidne: error: [^\n]+\n\Z")
        self.assertIn(says, result.err)
        return result

    def start(self, *arguments, **more):
        """A program that runs on; stopped when the test ends, however it ends."""
        child = subprocess.Popen([IDNE, *map(str, arguments)], **more)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def small_corpus(self, name="small", extra=(), links=(), documents=40):
        """Two fields that differ in their words; documents of a field are linked."""
        words = ["gene cell protein enzyme genome".split(), "court judge law trial jury".split()]
        lines = [json.dumps({"id": f"d{i}", "text": " ".join(words[i % 2][(i + k) % 5] for k in range(8)),
                             "labels": [["bio", "law"][i % 2]]}).encode() for i in range(documents)]
        lines += [line if isinstance(line, bytes) else json.dumps(line).encode() for line in extra]
        self.write(f"{name}/documents.jsonl", b"\n".join(lines) + b"\n")
        pairs = [(f"d{i}", f"d{i + 2}") for i in range(documents - 2)] + list(links)
        self.write(f"{name}/links.tsv", "".join("\t".join(pair) + "\n" for pair in pairs))
        return self.folder / name

    def trained(self, corpus, *options):
        out = self.folder / "trained.idne"
        self.ok("train", corpus, "-o", out, *LOOSE, "--topics", 3, "--dim", 8, "--steps", 20, *options)
        return out


class Help(Case):
    def test_help_lists_the_verbs(self):
        result = self.ok("--help")
        for verb in VERBS:
            self.assertRegex(result.out.decode(), rf"(?m)^  {verb}  ")
        self.assertEqual(result.err, "")

    def test_every_verb_has_help_with_an_example(self):
        for verb in VERBS:
            with self.subTest(verb):
                text = self.ok(verb, "--help").out.decode()
                self.assertIn("Example:\n  ", text)
                self.assertRegex(text, rf"idne {verb} ")

    def test_help_shows_defaults(self):
        expected = {"train": ["--topics=32", "--dim=256", "--steps=1000", "--preset=best", "--start=network", "--batch=64", "--seed=1", "--min-count=5",
                              "--max-share=0.25", "--attention=relu", "--sampling=near", "=english"],
                    "similar": ["=10", "FILE TEXT=-", "=text"], "topics": ["=10"], "embed": ["else npy"],
                    "explain": ["=text"], "info": ["=text"], "generate": ["=2000", "=6"],
                    "evaluate": ["--methods TEXT=idne", "--tasks TEXT=all", "--min-count=5", "--max-share=0.25", "else table"]}
        for verb, defaults in expected.items():
            text = self.ok(verb, "--help").out.decode()
            for default in defaults:
                with self.subTest(f"{verb} {default}"):
                    self.assertIn(default, text)

    def test_version(self):
        self.assertRegex(self.ok("--version").out.decode(), r"\Aidne \d+\.\d+\.\d+\n\Z")

    def test_help_that_cannot_be_written_fails(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([IDNE, "--help"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)


class Usage(Case):
    def test_wrong_usage_exits_2_with_one_line(self):
        m, c, o = self.model, self.corpus, self.folder / "no.idne"
        for arguments in ([], ["frobnicate"], ["--frobnicate"], ["train"], ["train", c], ["train", "-o", o], ["info"], ["info", m, "more"],
                          ["train", c, "-o", o, "--no-such-option"], ["train", c, "-o", o, "--topics", "0"],
                          ["train", c, "-o", o, "--topics", "4097"], ["train", c, "-o", o, "--dim", "-3"],
                          ["train", c, "-o", o, "--dim", ""], ["train", c, "-o", o, "--steps", "many"],
                          ["train", c, "-o", o, "--steps", "5x"], ["train", c, "-o", o, "--steps", "1e3"],
                          ["train", c, "-o", o, "--steps", "99999999999999999999"], ["train", c, "-o", o, "--seed"],
                          ["train", c, "-o", o, "--max-share", "nan"], ["train", c, "-o", o, "--max-share", "1.5"],
                          ["train", c, "-o", o, "--learning-rate", "inf"], ["train", c, "-o", o, "--threads", "0"],
                          ["train", c, "-o", o, "--attention", "tanh"], ["train", c, "-o", o, "--method", "nosuch"],
                          ["train", c, "-o", o, "--method", "nosuch", "--topics", "3"], ["train", c, "-o", o, "--format", "xml"],
                          ["topics", m, "--top", "0"], ["topics", m, "--format", "csv"], ["similar", m, "-k", "0"],
                          ["similar", m, "-k", "-1"], ["similar", m, "--topic", "0"], ["similar", m, "--topic", "5"],
                          ["similar", m, "--word", "a", "--topic", "1"], ["similar", m, "-", "--word", "star"],
                          ["embed", m], ["export", m, "nothing", "-o", "x.npy"], ["export", m, "documents", "-o", "x.csv"],
                          ["generate"], ["generate", "-o", o, "--documents", "0"]):
            with self.subTest(" ".join(map(str, arguments))):
                self.fails(2, *arguments, says="")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_unknown_verb_is_named(self):
        self.fails(2, "frobnicate", says="frobnicate")

    def test_a_bad_value_is_told_with_its_range(self):
        self.fails(2, "train", self.corpus, "-o", "x", "--topics", "0", says="1 … 4096")


class Errors(Case):
    def train_fails(self, corpus, *options, says=""):
        before = sorted(self.folder.iterdir())
        self.fails(1, "train", corpus, "-o", self.folder / "out.idne", *LOOSE, "--steps", 5, *options, says=says)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_a_bad_line_is_named_by_file_and_line(self):
        bad = {"a broken line": b'{"id": "x", "text": ', "no text": {"id": "x"}, "no id": {"text": "a"}, "a number as id": {"id": 4, "text": "a"},
               "an empty id": {"id": "", "text": "a"}, "a repeated id": {"id": "d0", "text": "a"}, "a list": b"[1,2]", "a number as text": {"id": "x", "text": 1},
               "labels that are no list": {"id": "x", "text": "a", "labels": "b"}, "links that are numbers": {"id": "x", "text": "a", "links": [1]},
               "a title that is a list": {"id": "x", "text": "a", "title": []}, "invalid UTF-8": b'{"id":"x","text":"caf\xff\xfe"}',
               "two objects": b'{"id":"x","text":"a"} {"id":"y","text":"b"}'}
        for what, line in bad.items():
            with self.subTest(what):
                corpus = self.small_corpus("bad", [line])
                self.train_fails(corpus, says=f"{corpus}/documents.jsonl:41: ")

    def test_the_first_of_many_faults_is_told_at_any_number_of_threads(self):
        corpus = self.small_corpus("bad", [b"{", b"[", b"{"])
        for threads in 1, 2, 4:
            self.train_fails(corpus, "--threads", threads, says="documents.jsonl:41: ")

    def test_a_bad_link_is_named_by_file_and_line(self):
        for pair in (("d0",), ("d0", "d1", "heavy"), ("d0", "d1", "-1"), ("d0", "d1", "1", "2"), ("", "d1")):
            with self.subTest(pair):
                corpus = self.small_corpus("bad", links=[pair])
                self.train_fails(corpus, says=f"{corpus}/links.tsv:39: ")

    def test_a_corpus_that_is_not_there_is_named(self):
        self.train_fails(self.folder / "nothere", says="nothere")

    def test_a_folder_without_documents_is_named(self):
        (self.folder / "empty").mkdir()
        self.train_fails(self.folder / "empty", says="documents.jsonl")

    def test_an_empty_corpus_is_an_error(self):
        self.train_fails(self.write("empty.jsonl", ""), says="empty.jsonl")

    def test_a_corpus_without_words_is_an_error_that_says_what_to_do(self):
        corpus = self.write("rare.jsonl", '{"id":"a","text":"once upon"}\n')
        self.fails(1, "train", corpus, "-o", self.folder / "x.idne", says="--min-count")

    def test_strict_turns_what_is_dropped_into_an_error(self):
        for pair in (("d0", "nowhere"), ("d1", "d1"), ("d0", "d2"), ("d2", "d0")):
            corpus = self.small_corpus("loose", links=[pair])
            with self.subTest(pair):
                self.train_fails(corpus, "--strict", says="links.tsv:39: ")

    def test_what_is_dropped_is_counted(self):
        corpus = self.small_corpus("loose", links=[("d0", "nowhere"), ("d1", "d1"), ("d0", "d2")])
        out = self.folder / "x.idne"
        err = self.ok("train", corpus, "-o", out, *LOOSE, *SMALL).err
        self.assertIn("dropped    1 link to an unknown id, 1 self-link, 1 repeated link\n", err)
        self.assertEqual(self.json("info", out)["links"], 38)

    def test_control_characters_of_the_corpus_stay_out_of_errors(self):
        corpus = self.small_corpus("bad", [{"id": "\x1b[31m\nred", "text": "a"}, {"id": "\x1b[31m\nred", "text": "a"}])
        result = self.fails(1, "train", corpus, "-o", self.folder / "x", says="red")
        self.assertNotIn("\x1b", result.err)

    def test_a_missing_stop_word_file_is_named(self):
        self.train_fails(self.corpus, "--stop-words", self.folder / "nostop.txt", says="nostop.txt")


class Models(Case):
    def test_a_corrupt_model_is_one_line_in_every_verb(self):
        good = self.model.read_bytes()
        documents = self.corpus / "documents.jsonl"
        broken = {"half": good[:len(good) // 2], "noise": os.urandom(4096), "empty": b"", "length": b"\xff" * 8 + b"{}",
                  "flipped": good[:-1000] + bytes([good[-1000] ^ 1]) + good[-999:]}
        for what, content in broken.items():
            bad = self.write("bad.idne", content)
            for verb in (["info", bad], ["topics", bad], ["explain", bad], ["similar", bad], ["export", bad, "documents", "-o", self.folder / "x.npy"],
                         ["embed", bad, documents, "-o", self.folder / "x.npy"]):
                with self.subTest(f"{what} {verb[0]}"):
                    self.fails(1, *verb, says=f"{bad}: ")
        self.assertFalse((self.folder / "x.npy").exists())

    def test_a_missing_model_is_named(self):
        self.fails(1, "info", self.folder / "none.idne", says="none.idne: ")

    def test_a_folder_as_model_is_named(self):
        self.fails(1, "info", self.folder, says=f"{self.folder}: ")

    def test_info_has_its_fields(self):
        info = self.json("info", self.model)
        self.assertEqual({k: info[k] for k in ("method", "documents", "topics", "dim", "labels")},
                         {"method": "idne", "documents": 200, "topics": 4, "dim": 32, "labels": 3})
        self.assertGreater(info["links"], 200)
        self.assertGreater(info["words"], 100)
        self.assertEqual({k: info["options"][k] for k in ("topics", "dim", "steps", "batch", "seed", "min-count", "max-share", "stop-words")},
                         {"topics": 4, "dim": 32, "steps": 50, "batch": 64, "seed": 1, "min-count": 5, "max-share": 0.25, "stop-words": "english"})

    def test_info_as_text_has_a_line_for_each_option(self):
        text = self.ok("info", self.model).out.decode()
        for line in (r"documents +200", r"--topics +4", r"--stop-words +english"):
            self.assertRegex(text, rf"(?m)^{line}$")


class Training(Case):
    def test_summary_is_five_lines_on_stderr_and_nothing_on_stdout(self):
        self.assertEqual(self.training.out, b"")
        lines = self.training.err.split("\n")
        self.assertEqual([line.split()[0] for line in lines[:-1]], ["documents", "links", "words", "dropped", "loss"])
        self.assertEqual(lines[-1], "")
        self.assertNotIn("\x1b", self.training.err)
        self.assertNotIn("\r", self.training.err)

    def test_summary_has_five_lines_without_a_step_too(self):
        result = self.ok("train", self.corpus, "-o", self.folder / "m", "--topics", 4, "--dim", 32, "--steps", 0)
        self.assertEqual(result.err.count("\n"), 5, result.err)

    def test_json_tells_what_was_trained(self):
        told = self.json("train", self.corpus, "-o", self.folder / "m", *SMALL)
        self.assertEqual(told["documents"], 200)
        self.assertTrue({"model", "links", "words", "dropped", "seconds", "loss"} <= told.keys())

    def test_the_number_of_threads_changes_no_byte(self):
        for options in ({}, {"--dim": 100, "--topics": 1}, {"--attention": "softmax"}, {"--sampling": "path"}, {"--dim": 1}, {"--dim": 200, "--batch": 5}):
            models = set()
            for threads in 1, 2, 3, 4:
                out, values = self.folder / "m.idne", {"--topics": 4, "--dim": 130, "--steps": 40, "--threads": threads, **options}
                self.ok("train", self.corpus, "-o", out, *(part for pair in values.items() for part in pair))
                models.add(out.read_bytes())
            with self.subTest(str(options)):
                self.assertEqual(len(models), 1)

    def test_the_seed_changes_the_model(self):
        self.ok("train", self.corpus, "-o", self.folder / "m", *SMALL, "--seed", 2)
        self.assertNotEqual((self.folder / "m").read_bytes(), self.model.read_bytes())

    def test_a_compressed_corpus_gives_the_same_model(self):
        packed = {"gz": gzip.compress}
        if shutil.which("zstd"):
            packed["zst"] = lambda content: subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout
        else:
            print("no zstd tool: .zst is not tested", file=sys.stderr)
        for ending, pack in packed.items():
            with self.subTest(ending):
                for name in "documents.jsonl", "links.tsv":
                    self.write(f"{ending}/{name}.{ending}", pack((self.corpus / name).read_bytes()))
                self.ok("train", self.folder / ending, "-o", self.folder / "m", *SMALL)
                self.assertEqual((self.folder / "m").read_bytes(), self.model.read_bytes())

    def test_a_cut_off_gzip_file_is_an_error(self):
        packed = gzip.compress((self.corpus / "documents.jsonl").read_bytes())
        bad = self.write("cut.jsonl.gz", packed[:len(packed) // 2])
        self.fails(1, "train", bad, "-o", self.folder / "m", says="cut.jsonl.gz")
        self.fails(1, "embed", self.model, bad, "-o", self.folder / "v.npy", says="cut.jsonl.gz")
        self.assertEqual(list(self.folder.iterdir()), [bad])

    def test_links_and_groups_within_the_documents(self):
        lines = [{"id": f"d{i}", "text": "moon tide" if i % 2 else "court jury", "links": [f"d{(i + 2) % 10}"], "groups": [f"g{i % 2}"]} for i in range(10)]
        corpus = self.write("one.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        info = self.json("info", self.trained(corpus))
        self.assertEqual((info["documents"], info["links"], info["groups"]), (10, 10 + 20, 2))

    def test_a_document_without_words_keeps_its_place(self):
        corpus = self.small_corpus(extra=[{"id": "none", "text": ""}, {"id": "marks", "text": "!!! ???"}])
        self.ok("export", self.trained(corpus), "documents", "-o", self.folder / "v.npy")
        rows, columns, values = npy((self.folder / "v.npy").read_bytes())
        self.assertEqual((rows, columns), (42, 8))
        self.assertFalse(any(values[40 * columns:]))

    def test_a_missing_folder_for_the_model_is_told_before_the_corpus_is_read(self):
        self.fails(1, "train", self.folder / "nocorpus", "-o", self.folder / "nofolder" / "m.idne", says="nofolder/m.idne: ")

    def test_a_folder_as_model_to_write_is_an_error(self):
        self.fails(1, "train", self.corpus, "-o", self.folder, says=f"{self.folder}: ")

    def test_a_full_disk_is_an_error(self):
        self.fails(1, "train", self.corpus, "-o", "/dev/full", *SMALL, says="/dev/full: ")

    def test_the_old_model_survives_a_failed_training(self):
        old = self.write("m.idne", "old")
        self.fails(1, "train", self.small_corpus("bad", [b"{"]), "-o", old)
        self.assertEqual(old.read_bytes(), b"old")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["bad", "m.idne"])

    def test_generate_repeats_itself(self):
        for name in "one", "two":
            self.ok("generate", "--documents", 50, "--seed", 7, "-o", self.folder / name)
        for name in "documents.jsonl", "links.tsv":
            self.assertEqual((self.folder / "one" / name).read_bytes(), (self.folder / "two" / name).read_bytes())
        self.assertEqual((self.folder / "one" / "documents.jsonl").read_bytes().count(b"\n"), 50)


class Interruption(Case):
    def stop(self, number, code, options=(), before=None):
        out = self.folder / "m.idne"
        if before is not None:
            out.write_bytes(before)
        child = self.start("train", self.corpus, "-o", out, "--steps", "1000000000", *options, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5 * SLOWER)
        self.assertIsNone(child.poll(), "the training ended by itself")
        start = time.monotonic()
        child.send_signal(number)
        stdout, stderr = child.communicate(timeout=30 * SLOWER)
        self.assertLess(time.monotonic() - start, 1 * SLOWER)
        self.assertEqual((child.returncode, stdout), (code, b""))
        self.assertRegex(stderr.decode(), r"\Aidne: interrupted[^\n]*\n\Z")
        return out

    def test_ctrl_c_exits_130_and_leaves_no_file(self):
        for threads in "1", "2", "4":
            with self.subTest(threads):
                self.stop(signal.SIGINT, 130, ["--threads", threads])
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_sigterm_exits_143_and_leaves_no_file(self):
        self.stop(signal.SIGTERM, 143)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_old_model_survives_ctrl_c(self):
        out = self.stop(signal.SIGINT, 130, before=b"old")
        self.assertEqual(out.read_bytes(), b"old")
        self.assertEqual(list(self.folder.iterdir()), [out])

    def test_ctrl_c_stops_a_program_that_waits_for_its_input(self):
        for arguments in (["train", "/dev/stdin", "-o", self.folder / "m.idne"], ["embed", self.model, "-", "-o", self.folder / "v.npy"]):
            with self.subTest(arguments[0]):
                child = self.start(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                time.sleep(0.3 * SLOWER)
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.wait(10 * SLOWER), 130)
                self.assertRegex(child.stderr.read().decode(), r"\Aidne: interrupted[^\n]*\n\Z")
                for stream in child.stdin, child.stdout, child.stderr:
                    stream.close()
        self.assertEqual(list(self.folder.iterdir()), [])


class Embedding(Case):
    def test_training_documents_get_their_stored_vectors_bit_for_bit(self):
        self.ok("embed", self.model, self.corpus / "documents.jsonl", "-o", self.folder / "v.npy")
        self.ok("embed", self.model, self.corpus, "-o", self.folder / "w.npy", "--threads", 3)
        self.ok("export", self.model, "documents", "-o", self.folder / "x.npy")
        first = (self.folder / "v.npy").read_bytes()
        self.assertEqual(npy(first)[:2], (200, 32))
        self.assertTrue(any(npy(first)[2]))
        self.assertEqual(first, (self.folder / "w.npy").read_bytes())
        self.assertEqual(first, (self.folder / "x.npy").read_bytes())

    def test_the_ending_of_the_file_chooses_the_form(self):
        for form in "npy", "tsv", "jsonl":
            self.ok("embed", self.model, self.corpus, "-o", self.folder / f"a.{form}")
            self.ok("embed", self.model, self.corpus, "-o", self.folder / "b", "--format", form)
            self.assertEqual((self.folder / f"a.{form}").read_bytes(), (self.folder / "b").read_bytes())

    def test_tsv_and_jsonl_agree_with_npy(self):
        documents = self.corpus / "documents.jsonl"
        for form in "npy", "tsv", "jsonl":
            self.ok("embed", self.model, documents, "-o", self.folder / form, "--format", form)
        rows, columns, values = npy((self.folder / "npy").read_bytes())
        tsv = [line.split("\t") for line in (self.folder / "tsv").read_text().split("\n")[:-1]]
        jsonl = [json.loads(line) for line in (self.folder / "jsonl").read_text().split("\n")[:-1]]
        self.assertEqual((len(tsv), len(jsonl)), (rows, rows))
        for i in range(rows):
            row = values[i * columns:(i + 1) * columns]
            self.assertEqual((tsv[i][0], jsonl[i]["id"]), (self.documents[i]["id"],) * 2)
            self.assertEqual(tuple(as_float32(float(x)) for x in tsv[i][1:]), row)
            self.assertEqual(tuple(as_float32(x) for x in jsonl[i]["vector"]), row)

    def test_a_pipe_gets_the_same_as_a_file_and_nothing_else(self):
        for form in "npy", "tsv", "jsonl":
            with self.subTest(form):
                self.ok("embed", self.model, self.corpus, "-o", self.folder / "v", "--format", form)
                piped = self.ok("embed", self.model, self.corpus, "--format", form)
                self.assertEqual(piped.out, (self.folder / "v").read_bytes())
                self.assertEqual(piped.err, "")

    def test_documents_come_from_stdin_too(self):
        content = (self.corpus / "documents.jsonl").read_bytes()
        self.assertEqual(self.ok("embed", self.model, "-", stdin=content).out, self.ok("embed", self.model, self.corpus).out)

    def test_redirected_output_is_added_to_what_is_there(self):
        path = self.write("v.tsv", "before\n")
        for _ in range(2):
            with open(path, "ab") as out:
                subprocess.run([IDNE, "embed", self.model, self.corpus, "--format", "tsv"], stdout=out, check=True)
        lines = path.read_text().split("\n")
        self.assertEqual((lines[0], len(lines)), ("before", 402))

    def test_a_socket_is_written_to_as_a_pipe_is(self):
        here, there = socket.socketpair()
        child = self.start("embed", self.model, self.corpus, "--format", "tsv", stdout=there, stderr=subprocess.PIPE)
        there.close()
        with here, here.makefile("rb") as stream:
            content = stream.read()
        self.assertEqual(child.communicate()[1], b"")
        self.assertEqual((child.returncode, content.count(b"\n")), (0, 200))

    def test_no_documents_give_no_rows(self):
        for content in "", "\n \n":
            empty = self.write("empty.jsonl", content)
            self.ok("embed", self.model, empty, "-o", self.folder / "v.npy")
            self.assertEqual(npy((self.folder / "v.npy").read_bytes()), (0, 32, ()))
            self.assertEqual(npy(self.ok("embed", self.model, empty).out), (0, 32, ()))
            self.assertEqual(self.ok("embed", self.model, empty, "--format", "tsv").out, b"")
            self.assertEqual(self.ok("embed", self.model, empty, "--format", "jsonl").out, b"")

    def test_every_document_has_its_row_whatever_its_text(self):
        texts = ["", "zzzqqq xxyyzz", "深層学習 🙂 naïve café", "star\0moon", "star moon " * 20000, "\x1b[31m", "<b>", "star"]
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
        rows, columns, values = npy(self.ok("embed", self.model, self.write("odd.jsonl", lines)).out)
        self.assertEqual(rows, len(texts))
        self.assertTrue(all(map(math.isfinite, values)))
        self.assertFalse(any(values[:3 * columns]))
        self.assertTrue(any(values[3 * columns:4 * columns]))
        self.assertTrue(any(values[4 * columns:5 * columns]))

    def test_ids_are_optional_and_may_repeat(self):
        lines = '{"text":"star"}\n{"id":"a","text":"star"}\r\n\n{"id":"a","text":"star"}'
        told = self.ok("embed", self.model, self.write("d.jsonl", lines), "--format", "jsonl").out.decode().split("\n")[:-1]
        told = [json.loads(line) for line in told]
        self.assertEqual([line["id"] for line in told], ["", "a", "a"])
        self.assertTrue(told[0]["vector"] == told[1]["vector"] == told[2]["vector"])

    def test_ids_with_tabs_and_newlines_keep_a_table_whole(self):
        lines = json.dumps({"id": "a\tb\nc", "text": "star"})
        out = self.ok("embed", self.model, self.write("d.jsonl", lines), "--format", "tsv").out.decode()
        self.assertEqual((out.count("\n"), out.count("\t"), out[:6]), (1, 32, "a b c\t"))

    def test_a_bad_line_is_named_and_the_old_file_stays(self):
        old = self.write("v.npy", "old")
        bad = self.write("bad.jsonl", '{"text":"star"}\n{"id":"x"}\n')
        self.fails(1, "embed", self.model, bad, "-o", old, says="bad.jsonl:2: ")
        self.assertEqual((old.read_bytes(), len(list(self.folder.iterdir()))), (b"old", 2))

    def test_what_cannot_be_written_is_an_error(self):
        self.fails(1, "embed", self.model, self.corpus, "-o", "/dev/full", says="/dev/full: ")
        self.fails(1, "embed", self.model, self.corpus, "-o", self.folder / "none" / "v.npy", says="none/v.npy: ")
        self.fails(1, "export", self.model, "documents", "-o", self.folder / "none" / "v.npy", says="none/v.npy: ")
        for form in "npy", "tsv":
            with open("/dev/full", "wb") as full:
                done = subprocess.run([IDNE, "embed", self.model, self.corpus, "--format", form], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.decode(), r"\Aidne: error: stdout: [^\n]+\n\Z")

    def test_npy_is_kept_off_a_terminal(self):
        code, shown = in_terminal("embed", self.model, self.corpus)
        self.assertEqual(code, 2)
        self.assertRegex(shown, r"\Aidne: error: .*-o FILE")


class Similar(Case):
    def nearest(self, *arguments, **more):
        hits = self.json("similar", self.model, *arguments, **more)
        for hit in hits:
            self.assertEqual(hit.keys(), {"id", "score", "title"})
            self.assertLessEqual(abs(hit["score"]), 1.0001)
        self.assertEqual(hits, sorted(hits, key=lambda hit: -hit["score"]))
        return hits

    def test_a_known_text_finds_itself(self):
        text = self.documents[7]["text"].encode()
        hits = self.nearest("-", "-k", 5, stdin=text)
        self.assertEqual((len(hits), hits[0]["id"], hits[0]["title"]), (5, "7", self.documents[7]["title"]))
        self.assertGreater(hits[0]["score"], 0.999)
        self.assertEqual(hits, self.nearest("-k", 5, stdin=text))
        self.assertEqual(hits, self.nearest(self.write("text.txt", text), "-k", 5))
        self.assertEqual(hits, self.nearest("-k", 5, "--threads", 3, stdin=text))
        self.assertEqual(hits, self.nearest("--document", "7", "-k", 5))

    def test_a_word_is_asked_for_as_a_text_is(self):
        self.assertEqual(self.nearest("--word", "star"), self.nearest(stdin=b"star"))
        self.assertEqual(self.nearest("--word", "Star"), self.nearest(stdin=b"star"))
        self.assertEqual(len(self.nearest("--word", "star")), 10)

    def test_topics_are_asked_for_by_number(self):
        asked = [[hit["id"] for hit in self.nearest("--topic", k)] for k in (1, 2, 3, 4)]
        self.assertEqual(len(set(map(tuple, asked))), 4)

    def test_k_beyond_the_documents_gives_all(self):
        self.assertEqual(len(self.nearest("--word", "star", "-k", 100000)), 200)

    def test_what_the_model_does_not_have_is_an_error(self):
        self.fails(1, "similar", self.model, "--word", "zzzqqq", says="zzzqqq")
        self.fails(1, "similar", self.model, "--word", "", stdin=b"star", says="word")
        self.fails(1, "similar", self.model, "--document", "nobody", says="nobody")
        self.fails(1, "similar", self.model, "--document", "", stdin=b"star", says="document")
        self.fails(2, "similar", self.model, "--topic", "5", says="4 topics")
        self.fails(1, "similar", self.model, self.folder / "none.txt", says="none.txt: ")
        self.fails(1, "similar", self.model, self.folder, says=f"{self.folder}: ")

    def test_a_text_without_known_words_has_no_neighbours_and_says_so(self):
        for text in b"", b"zzzqqq", b"\xff\xfe", "深層学習".encode():
            result = self.ok("similar", self.model, "--format", "json", stdin=text)
            self.assertEqual(json.loads(result.out), [])
            self.assertRegex(result.err, r"\Aidne: [^\n]*no word[^\n]*\n\Z")
            self.assertEqual(self.ok("similar", self.model, stdin=text).out, b"")

    def test_the_table_has_score_id_and_title(self):
        lines = self.ok("similar", self.model, "--document", "7").out.decode().split("\n")
        self.assertEqual(lines[0].split(), ["cosine", "id", "title"])
        self.assertEqual(lines[1].split(None, 2), ["1.000", "7", self.documents[7]["title"]])
        self.assertEqual(len(lines), 12)

    def test_a_document_without_a_title_shows_its_opening(self):
        model = self.trained(self.small_corpus(extra=[{"id": "untitled", "text": "gene  cell\n" * 60}]))
        hit = json.loads(self.ok("similar", model, "--document", "untitled", "-k", 100, "--format", "json").out)
        title = next(h["title"] for h in hit if h["id"] == "untitled")
        self.assertTrue(title.startswith("gene cell gene cell") and title.endswith("…") and len(title) <= 81, title)

    def test_odd_ids_keep_the_table_whole(self):
        model = self.trained(self.small_corpus(extra=[{"id": "a\nb\t\x1b[31mc", "text": "gene cell", "title": "T\x1b[31m"}]))
        out = self.ok("similar", model, "--word", "gene", "-k", 100).out.decode()
        self.assertNotIn("\x1b", out)
        self.assertEqual(out.count("\n"), 42)

    def test_a_table_in_a_pipe_is_not_cut(self):
        words = [word["word"] for word in self.json("topics", self.model, "--top", 60)["topics"][0]["words"]]
        self.assertIn(" ".join(words), self.ok("topics", self.model, "--top", 60).out.decode())

    def test_results_that_cannot_be_written_are_an_error(self):
        for arguments in (["similar", self.model, "--word", "star"], ["topics", self.model], ["info", self.model]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([IDNE, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.decode(), r"\Aidne: error: stdout: [^\n]+\n\Z")


class Explain(Case):
    def explained(self, text):
        told = self.json("explain", self.model, "-", stdin=text)
        self.assertEqual("".join(token["text"] for token in told["tokens"]), text.decode("utf-8", "replace"))
        shares = [topic["share"] for topic in told["topics"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertLessEqual(sum(shares), 1.0001)
        for token in told["tokens"]:
            self.assertEqual(token.keys(), {"text", "word", "topic", "weight"})
            self.assertTrue(0 <= token["weight"] <= 1.0001)
            self.assertTrue(token["topic"] is None or (token["word"] is not None and 1 <= token["topic"] <= 4))
        return told

    def test_words_get_their_topics(self):
        told = self.explained(b"A star and STARS, the planet's moon.\n")
        self.assertEqual([t["word"] for t in told["tokens"] if t["word"]][:1], ["star"])
        self.assertGreater(sum(topic["share"] for topic in told["topics"]), 0)

    def test_tokens_joined_give_odd_texts_back(self):
        odd = {"CJK": "深層学習 star 東京都の moon", "emoji": "star🙂moon 👩‍👩‍👧 é e\u0301 ﬁ İstanbul", "NUL": "star\0moon\0", "markup": "<b>star</b> a < b > c &amp; <unclosed star",
               "control": "star\x1b[31m \x07\x7f moon", "lines": "star\r\nmoon\n\n\ttide\n", "spaces": "   ", "right to left": "star שלום moon مرحبا", "Thai": "star ภาษาไทย"}
        for what, text in odd.items():
            with self.subTest(what):
                self.explained(text.encode())

    def test_invalid_utf8_is_replaced(self):
        for text in b"star \xff\xfe moon", b"star\xe4\xb8 moon", b"\xf0\x9f\x98", b"star\xc0\x80moon", b"\x80star", b"star\xed\xa0\x80", b"star\xc3":
            with self.subTest(text):
                self.explained(text)

    def test_an_empty_text_has_no_topics(self):
        self.assertEqual(self.explained(b""), {"topics": [], "tokens": []})
        self.assertIn(b"No word", self.ok("explain", self.model).out)

    def test_a_huge_text(self):
        self.assertEqual(len(self.explained(b"star zzz moon " * 20000)["tokens"]), 80000)

    def test_the_table_names_topics_and_words(self):
        out = self.ok("explain", self.model, stdin=b"star moon planet").out.decode()
        self.assertRegex(out, r"\Atopic +share +about +here\n")
        self.assertTrue("star" in out and not re.search(r" \n", out), out)

    def test_a_file_that_cannot_be_read_is_named(self):
        self.fails(1, "explain", self.model, self.folder / "none.txt", says="none.txt: ")
        self.fails(1, "explain", self.model, self.folder, says=f"{self.folder}: ")


class Topics(Case):
    def test_topics_are_sorted_by_share_and_have_their_words(self):
        told = self.json("topics", self.model, "--top", 7)
        shares = [topic["share"] for topic in told["topics"]]
        self.assertEqual([topic["topic"] for topic in told["topics"]], [1, 2, 3, 4])
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertTrue(0.5 < sum(shares) <= 1.0001, shares)
        for topic in told["topics"]:
            scores = [word["score"] for word in topic["words"]]
            self.assertEqual((len(scores), scores), (7, sorted(scores, reverse=True)))
            self.assertEqual(len({word["word"] for word in topic["words"]}), 7)
            self.assertTrue(-1.0001 <= topic["npmi"] <= 1.0001)
        self.assertAlmostEqual(told["npmi"], sum(topic["npmi"] for topic in told["topics"]) / 4, places=5)
        self.assertTrue(0.25 <= told["diversity"] <= 1)

    def test_top_beyond_the_vocabulary_gives_all_words(self):
        words = self.json("info", self.model)["words"]
        for topic in self.json("topics", self.model, "--top", 100000)["topics"]:
            self.assertEqual(len(topic["words"]), words)

    def test_diversity_does_not_depend_on_top(self):
        self.assertEqual(self.json("topics", self.model, "--top", 1)["diversity"], self.json("topics", self.model, "--top", 50)["diversity"])

    def test_text_ends_with_coherence_and_diversity(self):
        lines = self.ok("topics", self.model).out.decode().split("\n")
        self.assertEqual(lines[0].split(), ["topic", "share", "npmi", "words"])
        self.assertRegex(lines[-2], r"\Acoherence \(NPMI\) -?\d\.\d+, diversity \d\.\d+\Z")


class Evaluate(Case):
    QUICK = ["--set", "steps=50", "--set", "dim=16", "--repeats", 2]
    TASKS = ["classification", "inductive-classification", "inductive-links"]

    def evaluated(self, *options, **more):
        return self.ok("evaluate", self.corpus, *self.QUICK, *options, **more).out.decode()

    def results(self, *options):
        """{(method, task, ratio): values}, without the seconds, which differ from run to run."""
        told = json.loads(self.evaluated("--format", "json", *options))
        return {(r["method"], r["task"], r["ratio"]): r["values"] for r in told["results"]}

    def wrong(self, *options, says):
        self.fails(2, "evaluate", self.corpus, *self.QUICK, *options, says=says)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_table_has_a_part_a_task_and_a_row_a_method(self):
        table = self.evaluated("--methods", "idne,lsa")
        opening, *parts = table.split("\n\n")
        self.assertRegex(opening, r"\Acorpus: 200 documents, [\d,]+ links, 3 labels, 2 repeats\nFigures: micro AUC × 100")
        self.assertEqual([part.split(",")[0] for part in parts], ["Classification", "Inductive classification", "Inductive links"])
        rows = [[re.split(r"  +", line)[0] for line in part.strip("\n").split("\n")[2:]] for part in parts]
        self.assertEqual(rows, [["idne", "idne, text only", "lsa"], ["idne", "lsa"], ["idne", "lsa"]])
        self.assertEqual(re.split(r"  +", parts[0].split("\n")[1].strip()), ["2 %", "4 %", "6 %", "8 %", "10 %", "train s", "score s"])
        self.assertRegex(parts[2].split("\n")[2], r"\Aidne +\d+\.\d ±\d+\.\d\*? +\d+\.\d\d +\d+\.\d\d\Z")
        self.assertNotIn("–", table)

    def test_json_has_the_promised_shape(self):
        told = json.loads(self.evaluated("--methods", "idne,lsa", "--format", "json"))
        self.assertEqual({key: told[key] for key in ("corpus", "documents", "labels", "repeats")}, {"corpus": "corpus", "documents": 200, "labels": 3, "repeats": 2})
        self.assertNotIn("interrupted", told)
        self.assertEqual(len(told["results"]), 3 * 5 + 2 * 2)  # three rows at five ratios, two methods in two inductive tasks
        for result in told["results"]:
            self.assertLessEqual({"method", "task", "ratio", "metric", "mean", "std", "interval", "repeats", "seconds", "values"}, result.keys())
            self.assertIn(result["task"], self.TASKS)
            self.assertEqual((result["metric"], result["repeats"], len(result["values"])), ("micro_auc", 2, 2))
            self.assertAlmostEqual(result["mean"], sum(result["values"]) / 2)
            self.assertTrue(0 <= result["mean"] <= 1 and result["seconds"] > 0)
        self.assertEqual({r["task"] for r in told["results"] if "text only" in r["method"]}, {"classification"})

    def test_fields_that_differ_in_their_words_are_told_apart(self):
        for (method, task, _), values in self.results("--ratios", "0.1", "--methods", "idne,lsa").items():
            if task != "inductive-links":
                self.assertGreater(min(values), 0.9, (method, task))

    def test_csv_markdown_and_latex(self):
        options = "--tasks", "classification,inductive-links", "--ratios", "0.1,0.5"
        csv = self.evaluated(*options, "--format", "csv").split("\n")
        self.assertEqual(csv[0], "method,task,ratio,mean,std,interval,repeats,train_seconds,score_seconds,failure")
        self.assertEqual(len(csv), 1 + 5 + 1)
        self.assertRegex(csv[1], r"\Aidne,classification,0\.1,[01]\.\d{6},\d\.\d{6},\d\.\d{6},2,\d+\.\d{3},\d+\.\d{3},\Z")
        self.assertRegex(csv[4], r'\A"idne, text only",classification,0\.1,')
        markdown = self.evaluated(*options, "--format", "markdown")
        self.assertIn("### Classification, by share of labelled documents\n\n| method | 10 % | 50 % | train s | score s |\n|---|---:|---:|---:|---:|\n| idne |", markdown)
        self.assertEqual(markdown.count("\n| idne, text only |"), 1)
        latex = self.evaluated(*options, "--format", "latex")
        self.assertEqual((latex.count("\\begin{table}"), latex.count("\\end{table}"), latex.count("\nidne, text only &")), (2, 2, 1))
        self.assertIn("& 10\\% & 50\\% \\\\ \\hline\nidne & ", latex)

    def test_threads_do_not_change_the_figures(self):
        one = self.results("--methods", "idne,lsa", "--threads", 1)
        self.assertEqual(one, self.results("--methods", "idne,lsa", "--threads", 2))
        self.assertEqual(one, self.results("--methods", "idne,lsa", "--threads", 5))

    def test_the_seed_changes_the_splits(self):
        options = "--tasks", "inductive-links"
        self.assertNotEqual(self.results(*options), self.results(*options, "--seed", 2))

    def test_methods_meet_the_same_splits_whoever_else_is_there(self):
        beside = self.results("--methods", "idne,lsa")
        told = self.json("evaluate", self.corpus, "--methods", "lsa", "--repeats", 2, "--set", "dim=16")["results"]
        alone = {(r["method"], r["task"], r["ratio"]): r["values"] for r in told}
        self.assertEqual(alone, {key: values for key, values in beside.items() if key[0] == "lsa"})

    def test_neighbours_0_leaves_the_text_alone(self):
        options = "--tasks", "classification", "--ratios", "0.02"
        joined, text = self.results(*options), self.results(*options, "--neighbours", 0)
        self.assertEqual(text, {("idne", "classification", 0.02): joined["idne, text only", "classification", 0.02]})

    def test_words_are_chosen_as_in_training(self):
        options = "--tasks", "inductive-links"
        self.assertNotEqual(self.results(*options), self.results(*options, "--min-count", 40))
        self.wrong("--min-count", "0", says="--min-count: ")
        self.wrong("--max-share", "2", says="--max-share: ")

    def test_wrong_usage(self):
        for options, says in ((["--methods", "nosuch"], "nosuch"), (["--methods", "idne,idne"], "'idne' is there twice"), (["--methods", ","], "--methods: "),
                              (["--tasks", "nosuch"], "inductive-links"), (["--tasks", "inductive-links,inductive-links"], "twice"),
                              (["--ratios", "0.1,x"], "'x' is not a share"), (["--ratios", "1"], "'1' is not a share"), (["--ratios", "0"], "--ratios"),
                              (["--ratios", "0.1,0.10"], "twice"), (["--repeats", "0"], "--repeats"), (["--format", "xml"], "--format"),
                              (["--set", "steps"], "NAME=VALUE"), (["--set", "nosuch=1"], "--nosuch: no such option"), (["--set", "topics=0"], "1 … 4096"),
                              (["--methods", "lsa", "--set", "topics=4"], "--steps: no such option"), (["--sweep", "topics=4,0"], "1 … 4096"),
                              (["--sweep", "topics="], "--sweep"), (["--sweep", "topics=4,04"], "twice"), (["--sweep", "nosuch=1,2"], "--nosuch: no such option"),
                              (["--sweep", "steps=10,20"], "--sweep sets it too"), (["--plot", self.folder / "p.svg"], "--sweep"),
                              (["--sweep", "start=text,random", "--plot", self.folder / "p.svg"], "words"),
                              (["--sweep", "topics=2,4", "--plot", self.folder / "p.svg", "-o", self.folder / "p.svg"], "both write")):
            with self.subTest(" ".join(map(str, options))):
                self.wrong(*options, says=says)

    def test_a_setting_goes_to_the_methods_that_have_it(self):
        options = "--methods", "idne,lsa", "--tasks", "inductive-links"
        before, after = self.results(*options), self.results(*options, "--set", "start=random")
        self.assertNotEqual(before["idne", "inductive-links", 0.1], after["idne", "inductive-links", 0.1])
        self.assertEqual(before["lsa", "inductive-links", 0.1], after["lsa", "inductive-links", 0.1])

    def test_a_corpus_that_lacks_what_a_task_needs(self):
        bare = self.write("bare.jsonl", "".join(json.dumps({"id": f"d{i}", "text": "gene cell protein " * 3}) + "\n" for i in range(40)))
        self.fails(1, "evaluate", bare, *LOOSE, says="labels")
        self.fails(1, "evaluate", bare, *LOOSE, "--tasks", "inductive-links", says="links")
        self.fails(1, "evaluate", self.folder / "none", says="none: ")

    def test_a_sweep_is_one_contestant_a_value(self):
        told = self.results("--methods", "idne,lsa", "--sweep", "topics=4,2", "--tasks", "inductive-links")
        self.assertEqual([method for method, _, _ in told], ["idne topics=4", "idne topics=2", "lsa"])
        single = self.results("--set", "topics=2", "--tasks", "inductive-links")
        self.assertEqual(told["idne topics=2", "inductive-links", 0.1], single["idne", "inductive-links", 0.1])

    def test_a_plot_has_a_line_a_ratio_or_a_task(self):
        picture, shapes = self.folder / "p.svg", ["--methods", "idne,lsa", "--sweep", "topics=1,4,16"]
        self.evaluated(*shapes, "--ratios", "0.1,0.5", "--plot", picture)
        svg = picture.read_text("utf-8")
        self.assertTrue(svg.startswith("<svg") and svg.endswith("</svg>\n"), svg[:80])
        for text in ">10 % labelled<", ">50 % labelled<", ">topics<", ">Classification on corpus<", ">1<", ">4<", ">16<":
            self.assertIn(text, svg)
        self.assertNotIn("text only", svg)
        self.assertNotIn("inductive", svg)
        self.evaluated(*shapes, "--tasks", "inductive-classification,inductive-links", "--plot", picture)
        svg = picture.read_text("utf-8")
        for text in ">inductive-classification<", ">inductive-links<":
            self.assertIn(text, svg)

    def test_the_ending_of_the_file_is_its_format(self):
        openings = {"f.json": "{", "f.csv": "method,", "f.md": "corpus: 200", "f.tex": "\\begin{table}", "f.txt": "corpus: 200"}
        for name, opening in openings.items():
            file = self.folder / name
            self.assertEqual(self.evaluated("--tasks", "inductive-links", "-o", file), "")
            self.assertTrue(file.read_text("utf-8").startswith(opening), name)
        self.assertIn("| idne |", (self.folder / "f.md").read_text("utf-8"))
        self.assertNotIn("|", (self.folder / "f.txt").read_text("utf-8"))
        self.evaluated("--tasks", "inductive-links", "-o", self.folder / "f.json", "--format", "csv")
        self.assertTrue((self.folder / "f.json").read_text("utf-8").startswith("method,"))

    def test_what_cannot_be_written_is_an_error_before_any_work(self):
        for option in ["-o"], ["--sweep", "topics=2,4", "--plot"]:
            self.fails(1, "evaluate", self.corpus, "--repeats", 10000, *option, self.folder / "none" / "file", says="none/file: ")

    def test_ctrl_c_prints_what_is_done(self):
        out = self.folder / "out.json"
        child = self.start("evaluate", self.corpus, *self.QUICK[:-1], 10000, "-o", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1 * SLOWER)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=10 * SLOWER)
        self.assertEqual((child.returncode, stdout), (130, b""), stderr)
        self.assertRegex(stderr.decode(), r"\Aidne: interrupted; [^\n]+\n\Z")
        told = json.loads(out.read_text("utf-8"))
        self.assertEqual((told["interrupted"], told["repeats"]), (True, 10000))
        for result in told["results"]:
            self.assertTrue(0 < result["repeats"] == len(result["values"]) < 10000, result)

    def test_ctrl_c_before_anything_is_done_leaves_the_old_file(self):
        old = self.write("old.txt", "old")
        child = self.start("evaluate", self.corpus, "--set", "steps=1000000000", "-o", old, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1 * SLOWER)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=10 * SLOWER)
        self.assertEqual((child.returncode, stdout, old.read_bytes()), (130, b"", b"old"), stderr)
        self.assertIn(b"nothing was written", stderr)

    def test_a_terminal_sees_progress_then_a_table_that_fits(self):
        code, shown = in_terminal("evaluate", self.corpus, *self.QUICK, "--sweep", "topics=2,4", columns=70)
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, r"\r\x1b\[Kevaluating [█░]{24} +\d+ %")
        table = shown[shown.rindex("\x1b[K") + 3:]
        self.assertRegex(table, r"\Acorpus: 200 documents")
        self.assertIn("\x1b[1m", table)
        for line in table.split("\n"):
            self.assertLessEqual(len(re.sub(r"\x1b\[\d*m", "", line)), 70, line)
        code, shown = in_terminal("evaluate", self.corpus, *self.QUICK, environment={"NO_COLOR": "1"})
        self.assertNotIn("\x1b", shown[shown.rindex("\x1b[K") + 3:])


class Terminal(Case):
    def test_training_shows_its_progress(self):
        steps = str(200 if SLOWER > 1 else 4000)
        seen = ""
        for _ in range(6):  # until it is slow enough to be watched
            code, seen = in_terminal("train", self.corpus, "-o", self.folder / "m.idne", "--topics", "4", "--dim", "128", "--steps", steps, "--threads", "1")
            self.assertEqual(code, 0, seen)
            if " left" in seen:
                break
            steps = str(4 * int(steps))
        self.assertRegex(seen, r"\d+ %  loss \d\.\d{4}  [\d,]+ steps/s  [\d.]+ (s|min \d+ s) left")
        after = seen[seen.rindex("\x1b[K") + 3:]
        self.assertRegex(after, r"\Adocuments  200\n", "the progress line is wiped before the summary")
        for line in re.split(r"\r\x1b\[K|\n", seen):
            self.assertLess(len(line), 120, line)

    def test_ctrl_c_wipes_the_progress_line(self):
        master, slave = pty.openpty()
        child = self.start("train", self.corpus, "-o", self.folder / "m.idne", "--steps", "1000000000", stderr=slave, stdout=slave)
        os.close(slave)
        time.sleep(1 * SLOWER)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(10 * SLOWER), 130)
        shown = b""
        with contextlib.suppress(OSError):
            while piece := os.read(master, 65536):
                shown += piece
        os.close(master)
        self.assertRegex(shown.decode(), r"\r\x1b\[Kidne: interrupted[^\n]*\n\Z")

    def test_explain_colours_words(self):
        code, shown = in_terminal("explain", self.model, stdin=b"one star, two moons")
        self.assertEqual(code, 0)
        self.assertRegex(shown, r"one \x1b\[3\dm(\x1b\[(4|21)m)?star\x1b\[0m, two ")

    def test_no_color_is_respected(self):
        for verb, text in (["explain", b"one star"], ["topics", b""], ["similar", b"star"]):
            self.assertIn("\x1b", in_terminal(verb, self.model, stdin=text)[1])
            self.assertNotIn("\x1b", in_terminal(verb, self.model, stdin=text, environment={"NO_COLOR": "1"})[1])

    def test_a_pipe_gets_no_colour(self):
        for verb in "explain", "topics", "similar":
            self.assertNotIn(b"\x1b", self.ok(verb, self.model, stdin=b"one star").out)

    def test_control_characters_never_reach_the_terminal(self):
        text = b"star \x1b]0;owned\x07 \x1b[2J moon \x9b31m \xc2\x9b31m \x08\x7f star\r\n \xc2\x1b[31m"
        shown = in_terminal("explain", self.model, stdin=text)[1]
        self.assertEqual(re.sub(r"\x1b\[(\d)?(\d)?m", "", shown).count("\x1b"), 0, ascii(shown))
        self.assertFalse(set(shown) & set("\x07\x08\x7f\x9b"), ascii(shown))
        self.assertIn("star", shown)
        self.assertNotIn("\x1b", in_terminal("explain", self.model, stdin=text, environment={"NO_COLOR": "1"})[1])

    def test_line_ends_of_other_systems_are_no_control_characters(self):
        self.assertIn("one\ntwo", in_terminal("explain", self.model, stdin=b"one\r\ntwo\r\n")[1])

    def test_tables_are_cut_at_the_edge(self):
        for columns in 60, 100:
            shown = in_terminal("topics", self.model, "--top", 50, columns=columns, environment={"NO_COLOR": "1"})[1]
            self.assertIn("…", shown)
            for line in shown.split("\n"):
                self.assertLessEqual(len(line), columns, line)


def tearDownModule():
    if Case.shared:
        shutil.rmtree(Case.shared, ignore_errors=True)


if __name__ == "__main__":
    unittest.main()
