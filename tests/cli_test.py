#!/usr/bin/env python3
"""The program as its users meet it: help, wrong usage, errors, terminals."""
import contextlib
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import time
import unittest

from cli import Case, IDNE, in_terminal, LOOSE, npy, SLOWER, SMALL, VERBS


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
        expected = {"train": ["--topics=32", "--dim=256", "--steps=500", "--preset=best", "--start=network", "--batch=64", "--seed=1", "--min-count=5",
                              "--max-share=0.25", "--attention=relu", "--sampling=near", "--language=auto", "--numbers=keep"],
                    "similar": ["=10", "FILE=-", "=text"], "topics": ["=10"], "embed": ["else npy"],
                    "explain": ["=text"], "info": ["=text"], "generate": ["=2000", "=6"],
                    "evaluate": ["--methods=idne", "--tasks=classification,inductive-classification,inductive-links", "tfidf, bm25", "--min-count=5", "--max-share=0.25", "else table"]}
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

    def test_a_typo_gets_a_hint(self):
        for typo, arguments in {"train": ["trian"], "suggest": ["sugest", self.model], "markdown": ["import", "markdwn", "x"], "topics": ["help", "topcs"], "html": ["help", "import", "htlm"]}.items():
            self.fails(2, *arguments, says=f"; did you mean {typo}?")
        self.fails(2, "train", self.corpus, "-o", "x", "--topcs", 4, says="; did you mean --topics? (see `idne train --help`)")
        self.fails(2, "train", self.corpus, "-o", "x", "--topcs", 4, says="error: there is no option '--topcs'; ")
        self.fails(2, "train", self.corpus, "--outptu", "x", says="error: there is no option '--outptu'; did you mean --output?")
        self.fails(2, "--verson", says="there is no option '--verson'; did you mean --version?")
        self.fails(2, "import", "csv", "x.csv", "-o", "x", "--text", "t", "--titel=t", says="; did you mean --title? (see `idne import csv --help`)")
        self.fails(2, "explain", self.model, "--format", "htlm", says="; did you mean html?")
        self.fails(2, "train", self.corpus, "-o", "x", "--method", "inde", says="; did you mean idne?")

    def test_arguments_that_do_not_add_up_are_told_in_plain_words(self):
        for arguments, says in ((["similar", self.model, "--word"], "error: --word needs a value: WORD (see `idne similar --help`)"), (["train", self.corpus, "-o"], "error: --output needs a value: FILE (see"),
                                (["export", self.model, "words", "--projector"], "error: --projector needs a value: FOLDER (see"), (["similar", self.model, "-k"], "error: -k needs a value (see"),
                                (["topics", self.model, "--top", 3, "--top", 4], "error: --top is given more than once (see"), (["similar", self.model, "a", "b"], "error: one argument too many: b (see"),
                                (["similar", self.model, "-q"], "error: there is no option '-q' (see"), (["import", "csv", "-x"], "error: there is no option '-x' (see"), (["train", "", "-o", "x"], "error: CORPUS: a file is needed, and its name is empty\n")):
            self.fails(2, *arguments, says=says)

    def test_help_can_be_asked_for_both_ways(self):
        for verb in [["train"], ["import"], ["import", "csv"], []]:
            self.assertEqual(self.ok("help", *verb).out, self.ok(*verb, "--help").out)

    def test_a_bad_value_is_told_with_its_range(self):
        self.fails(2, "train", self.corpus, "-o", "x", "--topics", "0", says="1 … 4096")


class Errors(Case):
    def train_fails(self, corpus, *options, says=""):
        before = sorted(self.folder.iterdir())
        self.fails(1, "train", corpus, "-o", self.folder / "out.idne", *LOOSE, "--steps", 5, *options, says=says)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_a_bad_line_is_named_by_file_and_line(self):
        bad = {"a broken line": b'{"id": "x", "text": ', "no text": {"id": "x"}, "no id": {"text": "a"}, "a broken number as id": {"id": 4.5, "text": "a"},
               "an empty id": {"id": "", "text": "a"}, "a repeated id": {"id": "d0", "text": "a"}, "a list": b"[1,2]", "a number as text": {"id": "x", "text": 1},
               "labels that are no list": {"id": "x", "text": "a", "labels": "b"}, "links that are truths": {"id": "x", "text": "a", "links": [True]},
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
    def test_a_corpus_is_no_model(self):
        for verb in "info", "topics":
            self.fails(1, verb, self.corpus / "documents.jsonl", says="it looks like a corpus, of which `idne train` makes a model")
            marked, packed, links = (self.folder / name for name in ("marked.jsonl", "packed.jsonl.gz", "links.tsv"))
            marked.write_bytes(b"\xef\xbb\xbf" + (self.corpus / "documents.jsonl").read_bytes())
            packed.write_bytes(gzip.compress((self.corpus / "documents.jsonl").read_bytes()))
            links.write_text("one document\tanother\n")
            for corpus in marked, packed, links:
                self.fails(1, verb, corpus, says="it looks like a corpus, of which `idne train` makes a model")
            self.fails(1, verb, self.corpus, says="a folder; of a corpus `idne train` makes a model")

    def test_a_model_is_no_corpus(self):
        self.fails(1, "train", self.model, "-o", self.folder / "x.idne", says="this is a model, and a corpus is needed")

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
        shown = b""
        while b"steps/s" not in shown:  # the line is there
            shown += os.read(master, 65536)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(60 * SLOWER), 130)
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

    def test_words_of_topics_go_on_in_a_second_line(self):
        shown = in_terminal("topics", self.model, "--top", 8, "--examples", 0, columns=70, environment={"NO_COLOR": "1"})[1]
        whole = self.ok("topics", self.model, "--top", 8, "--examples", 0).out.decode()
        self.assertGreater(shown.count("\n"), whole.count("\n"))
        self.assertNotIn("…", shown)
        self.assertEqual(shown.split(), whole.split())

    def test_a_long_id_leaves_its_title_room(self):
        documents = [{"id": f"https://wiki.example.org/astronomy/articles/{n}/of-a-star-and-of-its-many-moons", "text": ("star moon planet", "orbit comet dust", "star orbit crater")[n % 3],
                      "title": f"Of star {n}, of its moons and of the planets that nobody has seen so far"} for n in range(20)]
        corpus = self.write("wiki.jsonl", "".join(json.dumps(document) + "\n" for document in documents))
        self.ok("train", corpus, "-o", self.folder / "wiki.idne", *SMALL, *LOOSE)
        shown = in_terminal("similar", self.folder / "wiki.idne", stdin=b"star", columns=80, environment={"NO_COLOR": "1"})[1]
        self.assertEqual(shown.count("\n"), 11, shown)
        for line in shown.strip().split("\n")[1:]:
            self.assertLessEqual(len(line), 80)
            self.assertRegex(line, r"\A +\d\.\d{3}  https://wiki\.example\.org/\S*…  Of star \d+, of its moons and.*…\Z")
        self.assertIn(documents[0]["title"].encode(), self.ok("similar", self.folder / "wiki.idne", stdin=b"star").out)  # a pipe has no edge


if __name__ == "__main__":
    unittest.main()
