#!/usr/bin/env python3
"""`idne train` and `idne embed` as their users meet them: what they write, and what they leave behind."""
import gzip
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from cli import as_float32, Case, IDNE, in_terminal, npy, SLOWER, SMALL


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

    def used_by_training(self, corpus, threads):
        child = subprocess.Popen([IDNE, "train", str(corpus), "-o", str(self.folder / "m"), "--threads", str(threads)], stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        return used

    @unittest.skipIf(SLOWER > 1, "sanitizers take memory of their own")
    def test_training_takes_the_memory_that_check_forecasts(self):
        for documents, words in (2000, 30), (20000, 60):
            corpus = self.folder / str(documents)
            self.ok("generate", "-o", corpus, "--documents", documents, "--words", words)
            said = self.json("check", corpus)["forecast"]["bytes"]
            used = self.used_by_training(corpus, 2)
            self.assertLess(abs(said / (used.ru_maxrss * 1024) - 1), 0.4, (said, used.ru_maxrss))

    @unittest.skipIf(SLOWER > 1, "sanitizers take time of their own")
    def test_training_takes_about_the_time_that_check_forecasts(self):
        corpus = self.folder / "corpus"
        self.ok("generate", "-o", corpus, "--documents", 3000)
        seen = []
        for _ in range(3):  # the forecast times a sample, and others may be using the machine
            said = self.json("check", corpus, "--threads", 1)["forecast"]["seconds"]
            used = self.used_by_training(corpus, 1)
            seen.append((said, used.ru_utime + used.ru_stime))  # processor seconds, which others change little
            if 1 / 5 < seen[-1][0] / seen[-1][1] < 5:
                return
        self.fail(f"forecast and taken seconds: {seen}")

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
        self.wait_until_stoppable(child)
        child.send_signal(number)
        stdout, stderr = child.communicate(timeout=60 * SLOWER)
        self.assertEqual((child.returncode, stdout), (code, b""))
        self.assertRegex(stderr.decode(), r"\Aidne: interrupted[^\n]*\n\Z")
        return out

    def test_ctrl_c_exits_130_and_leaves_no_file(self):
        for threads in "1", "2", "4":
            with self.subTest(threads):
                self.stop(signal.SIGINT, 130, ["--threads", threads])
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_sighup_exits_129_and_leaves_no_file(self):
        self.stop(signal.SIGHUP, 129)

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
                self.wait_until_stoppable(child)
                child.send_signal(signal.SIGINT)
                self.assertEqual(child.wait(60 * SLOWER), 130)
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
        self.assertEqual((out.count("\n"), out.count("\t"), out[:6]), (1, 32, "a\\tb\\n"))

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


if __name__ == "__main__":
    unittest.main()
