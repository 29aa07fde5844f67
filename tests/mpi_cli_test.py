#!/usr/bin/env python3
"""idne-mpi as its users meet it: over several processes, with the bytes and the errors of one.

Skipped (77), saying so, where there is no mpirun or no idne-mpi, and under sanitizers, which MPI itself does not pass. IDNE_MPI
names the program (default: idne-mpi beside IDNE).
"""
import csv, json, os, pathlib, shutil, signal, subprocess, sys, time, unittest

import cli

PROGRAM = os.path.abspath(os.environ.get("IDNE_MPI") or os.path.join(os.path.dirname(cli.IDNE), "idne-mpi"))
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
QUICK = ["--topics", "4", "--dim", "16", "--steps", "20"]


def started(processes, *arguments, program=PROGRAM):
    return [*MPIRUN, "-n", str(processes), program, *map(str, arguments)]


def many(processes, *arguments, stdin=b""):
    done = subprocess.run(started(processes, *arguments, "--threads", 1), input=stdin, capture_output=True, timeout=120)
    return cli.Result(done.returncode, done.stdout, done.stderr)


class Case(cli.Case):
    def of_many(self, processes, *arguments, **more):
        result = many(processes, *arguments, **more)
        self.assertEqual(result.code, 0, result)
        return result

    def one_error(self, result, says):
        """One line says what is wrong, whatever mpirun adds; nothing is written."""
        self.assertNotEqual(result.code, 0, result)
        self.assertEqual(result.err.count("idne: error:"), 1, result)
        self.assertRegex(result.err, rf"(?m)^idne: error: .*{says}")
        self.assertEqual(list(self.folder.glob("out*")), [])

    def same_file(self, *arguments, processes=(2, 3), ending=""):
        """`idne ARGUMENTS -o FILE` writes the same bytes in any number of processes."""
        one, out = self.folder / f"one{ending}", self.folder / f"many{ending}"
        expected = self.ok(*arguments, "-o", one)
        for count in processes:
            said = self.of_many(count, *arguments, "-o", out)
            self.assertTrue(one.read_bytes() == out.read_bytes(), f"{count} processes: {arguments}")
            self.assertEqual(said.err.replace(str(out), "FILE").split(" in ")[0],
                             expected.err.replace(str(one), "FILE").split(" in ")[0])
            out.unlink()
        return one


class Train(Case):
    def test_a_corpus_that_is_spread_gives_the_bytes_of_one_process(self):
        corpus = self.folder / "corpus"
        self.ok("generate", "--documents", 34000, "--words", 8, "--links", 2, "-o", corpus)
        self.same_file("train", corpus, *QUICK, processes=(2, 3))
        # One that has no memory left ends all; what MPI itself needs to start is well below the limit.
        train = f"{PROGRAM} train {corpus} -o {self.folder / 'out'} --threads 1 --dim 2048"
        line = [*MPIRUN, "-n", "1", *train.split(), ":", "-n", "1", "bash", "-c", f"ulimit -v 300000; exec {train}"]
        done = subprocess.run(line, capture_output=True, timeout=120)
        self.one_error(cli.Result(done.returncode, done.stdout, done.stderr), "not enough memory")

    def test_a_small_corpus_with_groups_and_links_in_documents(self):
        lines = [{"id": f"d{i}", "text": " ".join(f"w{(i * k) % 23}" for k in range(1, 9)), "labels": [f"l{i % 3}"],
                  "groups": [f"g{i % 7}"], "links": [f"d{(i * 5) % 60}"]} for i in range(60)]
        corpus = self.write("documents.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        self.same_file("train", corpus, *QUICK, *cli.LOOSE, processes=(2, 3))

    def test_a_method_that_knows_no_other_processes_runs_in_one(self):
        self.same_file("train", self.corpus, "--method", "lsa", "--dim", 16, processes=(2,))

    def test_what_is_resumed_ends_with_the_same_bytes(self):
        whole, out, kept = (self.folder / name for name in ("whole", "resumed", "kept"))
        training = ["train", self.corpus, "--topics", 4, "--dim", 16, "--steps", 3000]
        self.of_many(2, *training, "-o", whole)
        child = self.start_many(2, *training, "-o", out, "--checkpoint", kept, "--every", "50ms")
        self.wait_for(kept.exists, child)
        child.send_signal(signal.SIGTERM)
        child.wait(20)
        said = self.of_many(2, *training, "-o", out, "--resume", kept)
        self.assertIn("resumed", said.err)
        self.assertEqual(whole.read_bytes(), out.read_bytes())

    def start_many(self, processes, *arguments):
        # In a group of its own: what is left of it when a test fails ends with it.
        child = subprocess.Popen(started(processes, *arguments, "--threads", 1), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def wait_for(self, true, child):
        end = time.monotonic() + 60
        while not true():
            self.assertIsNone(child.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def ranks_of(self, child):
        found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(child.pid)], capture_output=True, text=True).stdout
        return [int(line.split()[0]) for line in found.splitlines() if "idne-mpi" in line]

    def at_work(self, child, count):
        def stoppable(pid):
            mask = [line for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt")]
            return int(mask[0].split()[1], 16) >> (signal.SIGTERM - 1) & 1
        self.wait_for(lambda: len(self.ranks_of(child)) == count and all(map(stoppable, self.ranks_of(child))), child)
        return self.ranks_of(child)

    def ends(self, child, ranks):
        """Soon, not well, with nothing left behind."""
        said = child.communicate(timeout=10)[0].decode("utf-8", "replace")
        self.assertNotEqual(child.returncode, 0)
        end = time.monotonic() + 5  # mpirun does not wait for those that it kills
        while any(os.path.exists(f"/proc/{pid}") for pid in ranks):
            self.assertLess(time.monotonic(), end, "processes are left")
            time.sleep(0.02)
        self.assertEqual(list(self.folder.glob("out*")), [])
        return said

    def test_a_killed_process_ends_all(self):
        child = self.start_many(3, "train", self.corpus, "-o", self.folder / "out", "--steps", 100000000)
        ranks = self.at_work(child, 3)
        os.kill(ranks[-1], signal.SIGKILL)
        self.ends(child, ranks)

    def test_an_interrupted_mpirun_ends_all(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            child = self.start_many(2, "train", self.corpus, "-o", self.folder / "out", "--steps", 100000000)
            ranks = self.at_work(child, 2)
            child.send_signal(number)
            self.assertIn("idne: interrupted", self.ends(child, ranks))


class Documents(Case):
    def test_embed_writes_the_same_file_in_every_form(self):
        for ending in (".npy", ".tsv", ".jsonl"):
            self.same_file("embed", self.model, self.corpus, ending=ending, processes=(3,) if ending == ".tsv" else (2,))

    def test_compressed_documents_and_standard_input(self):
        file = self.corpus / "documents.jsonl"
        packed = self.folder / "packed.jsonl.gz"
        packed.write_bytes(subprocess.run(["gzip", "-c", file], capture_output=True, check=True).stdout)
        self.same_file("embed", self.model, packed, ending=".tsv", processes=(3,))
        expected = self.ok("embed", self.model, file, "--format", "tsv").out
        self.assertEqual(self.of_many(2, "embed", self.model, "-", "--format", "tsv", stdin=file.read_bytes()).out, expected)
        self.assertEqual(self.of_many(2, "embed", self.model, file, "--format", "tsv").out, expected)

    def test_many_texts_are_answered_as_by_one_process(self):
        for verb, ending in (("suggest", ".tsv"), ("suggest", ".jsonl"), ("similar", ".tsv"), ("explain", ".jsonl")):
            self.same_file(verb, self.model, self.corpus, ending=ending, processes=(2,))

    def test_all_missing_links(self):
        self.same_file("suggest", self.model, "--all", ending=".tsv", processes=(3,))

    def test_one_text_is_answered_once(self):
        text = b"the patient and the orchestra"
        self.assertEqual(self.of_many(2, "suggest", self.model, stdin=text).out, self.ok("suggest", self.model, stdin=text).out)

    def test_an_index_is_the_one_of_one_process(self):
        corpus, model = self.folder / "corpus", self.folder / "my.idne"
        index = self.folder / "my.idne.index"
        self.ok("generate", "--documents", 4300, "--words", 8, "-o", corpus)
        self.ok("train", corpus, "-o", model, "--dim", 8, "--method", "lsa")
        self.ok("index", model)
        expected = index.read_bytes()
        index.unlink()
        self.of_many(2, "index", model)
        self.assertTrue(index.read_bytes() == expected)
        self.assertIn("was there already", self.of_many(2, "index", model).err)
        index.unlink()
        asked = self.folder / "asked.jsonl"  # so many that an index is made for them
        asked.write_bytes(b"".join((corpus / "documents.jsonl").read_bytes().splitlines(keepends=True)[:1100]))
        self.same_file("similar", model, asked, ending=".tsv", processes=(2,))


class Evaluate(Case):
    ASKED = ["--methods", "lsa,cane", "--tasks", "classification,inductive-links", "--repeats", 2, "--ratios", "0.1,0.5",
             "--set", "steps=10", "--set", "dim=8"]

    def figures(self, text):
        """All columns but those of seconds; cane cannot do links, and says so."""
        rows = list(csv.DictReader(text.decode().splitlines()))
        self.assertIn("cannot embed new documents", text.decode())
        return [{name: cell for name, cell in row.items() if "seconds" not in name} for row in rows]

    def test_trainings_are_shared_out_and_kept_by_one(self):
        kept = self.folder / "kept"
        asked = ["evaluate", self.corpus, *self.ASKED, "--format", "csv"]
        expected = self.figures(self.ok(*asked).out)
        self.assertEqual(len(expected), 6)
        first = self.of_many(3, *asked, "--checkpoint", kept)
        self.assertEqual(self.figures(first.out), expected)
        again = self.of_many(2, *asked, "--resume", kept)
        self.assertEqual(again.out, first.out, "also the seconds, which were not measured again")
        self.assertEqual(self.ok(*asked, "--resume", kept).out, first.out)

    def test_errors_are_those_of_one_process(self):
        result = many(2, "evaluate", self.corpus, "--methods", "idne", "--checkpoint", self.folder / "x", "-o", self.folder / "x")
        self.one_error(result, "both write")
        self.assertEqual(result.code, 2)
        self.one_error(many(2, "evaluate", self.corpus, "--resume", self.folder / "nothere"), "nothere: cannot open")


class Errors(Case):
    def test_a_missing_corpus(self):
        self.one_error(many(3, "train", self.folder / "nothere", "-o", self.folder / "out"), "nothere: no such file")

    def test_a_wrong_option(self):
        result = many(2, "train", self.corpus, "-o", self.folder / "out", "--steps", "many")
        self.one_error(result, "--steps")
        self.assertEqual(result.code, 2)

    def test_a_broken_line_in_the_last_part(self):
        lines = (self.corpus / "documents.jsonl").read_bytes().splitlines(keepends=True)
        corpus = self.write("documents.jsonl", b"".join(lines[:190]) + b'{"id": \n' + b"".join(lines[190:]))
        self.one_error(many(3, "train", corpus, "-o", self.folder / "out", *QUICK), "documents.jsonl:191: ")
        self.one_error(many(3, "embed", self.model, corpus, "-o", self.folder / "out.npy"), "documents.jsonl:191: ")
        self.one_error(many(3, "suggest", self.model, corpus, "-o", self.folder / "out.tsv"), "documents.jsonl:191: ")

    def test_an_id_that_two_parts_have(self):
        lines = (self.corpus / "documents.jsonl").read_bytes().splitlines(keepends=True)
        corpus = self.write("documents.jsonl", b"".join(lines) + lines[0])
        self.one_error(many(3, "train", corpus, "-o", self.folder / "out", *QUICK), "documents.jsonl:201: the id .* was there already")

    def test_a_folder_that_cannot_be_written_to(self):
        nowhere = self.folder / "nowhere" / "out.npy"
        self.one_error(many(2, "embed", self.model, self.corpus, "-o", nowhere), "cannot write")

    def test_a_verb_for_one_process_says_everything_once(self):
        self.assertEqual(subprocess.run(started(3, "info", self.model), capture_output=True, timeout=60).stdout,
                         self.ok("info", self.model).out)
        done = subprocess.run(started(3, "info", self.folder / "nothere"), capture_output=True, timeout=60)
        self.one_error(cli.Result(done.returncode, done.stdout, done.stderr), "nothere: cannot open the model")

    def test_another_build_is_noticed(self):
        other = self.folder / "idne-mpi"
        shutil.copy(PROGRAM, other)
        with open(other, "ab") as file:
            file.write(b"x")
        line = [*MPIRUN, "-n", "1", PROGRAM, "info", str(self.model), ":", "-n", "1", str(other), "info", str(self.model)]
        done = subprocess.run(line, capture_output=True, timeout=60)
        self.one_error(cli.Result(done.returncode, done.stdout, done.stderr), "process 1 runs another build")

    def test_another_model_is_noticed(self):
        other = self.folder / "my.idne"
        self.ok("train", self.corpus, "-o", other, *QUICK, "--seed", 2)
        embed = lambda model: [PROGRAM, "embed", str(model), str(self.corpus), "-o", str(self.folder / "out.npy")]
        done = subprocess.run([*MPIRUN, "-n", "1", *embed(self.model), ":", "-n", "1", *embed(other)], capture_output=True, timeout=60)
        self.one_error(cli.Result(done.returncode, done.stdout, done.stderr), "process 1 has another model")


if __name__ == "__main__":
    for missing, why in ((os.environ.get("IDNE_SANITIZE"), "under sanitizers"), (not shutil.which("mpirun"), "mpirun is not installed"),
                         (not os.path.exists(PROGRAM), f"{PROGRAM} is not built")):
        if missing:
            print(f"skipped: {why}")
            sys.exit(77)
    unittest.main()
