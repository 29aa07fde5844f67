#!/usr/bin/env python3
"""What the program writes, whatever the verb: never in the place of something that is read, or of somebody's own."""
import json
import os
import resource
import subprocess
import unittest

from cli import Case, IDNE, LOOSE, SLOWER, SMALL


class Outputs(Case):
    """What is written never takes the place of what is read, and messages never decide whether it was written."""

    def test_an_output_that_is_an_input_is_refused(self):
        own = self.write("own.jsonl", (self.corpus / "documents.jsonl").read_bytes())
        model = self.write("own.idne", self.model.read_bytes())
        link = self.folder / "link.jsonl"
        link.symlink_to(own)
        hard = self.folder / "hard.jsonl"
        os.link(own, hard)
        corpus = self.small_corpus("corpus")
        new = self.write("new.txt", "a star")
        before = {path: path.read_bytes() for path in (own, model, corpus / "documents.jsonl", corpus / "links.tsv", new)}
        for out in own, link, hard:
            self.fails(2, "train", own, "-o", out, *SMALL, says="is also read")
            self.fails(2, "embed", self.model, own, "-o", out, says="is also read")
        self.fails(2, "train", corpus, "-o", corpus / "links.tsv", *SMALL, says="is also read")
        self.fails(2, "embed", model, own, "-o", model, says="is also read")
        self.fails(2, "explain", model, new, "-o", model, says="is also read")
        self.fails(2, "explain", model, new, "-o", new, "--format", "html", says="is also read")
        self.fails(2, "export", model, "documents", "-o", self.folder / "." / "own.idne", says="own.idne")
        self.fails(2, "evaluate", corpus, "-o", corpus / "documents.jsonl", says="is also read")
        self.refuses(["train", corpus, "--stop-words", new, "-o", new, *SMALL], new)
        self.refuses(["evaluate", corpus, "--stop-words", new, "--plot", new, "--sweep", "topics=2,3"], new)
        self.refuses(["serve", model, "--port", 0, "--log", model], model)
        self.refuses(["embed", model, "-", "-o", own], own, stdin=own)
        self.refuses(["explain", model, "-o", new, "--format", "html"], new, stdin=new)
        for path, content in before.items():
            self.assertEqual(path.read_bytes(), content, path)

    def refuses(self, arguments, file, stdin=os.devnull):
        """Says that the file is read, and leaves it as it is."""
        before = file.read_bytes()
        with open(stdin, "rb") as source:
            self.fails(2, *arguments, stdin=source, says=f"{file} is also read")
        self.assertEqual(file.read_bytes(), before)

    def test_a_folder_in_which_an_input_would_be_replaced_is_refused(self):
        for folder, arguments in {"table": ["csv", "--text", "text"], "works": ["openalex"], "wiki": ["mediawiki"], "forum": ["stackexchange"]}.items():
            source = self.write(f"{folder}/documents.jsonl", "id,text\n1,a star\n")
            self.refuses(["import", *arguments, source, "-o", source.parent], source)
            self.refuses(["import", *arguments, self.folder / "." / folder / "documents.jsonl", "-o", source.parent], source)
        packages = self.write("packages/documents.jsonl", "Package: a\nDescription: a\n")
        self.refuses(["import", "debian", "--status", packages, "-o", packages.parent], packages)
        other = self.write("other.jsonl", "{}\n")
        works = self.folder / "works/documents.jsonl"
        self.refuses(["import", "openalex", other, works, "-o", works.parent], works)
        for name in "vectors.tsv", "metadata.tsv":
            model = self.write(f"projector/{name}", self.model.read_bytes())
            self.refuses(["export", model, "documents", "--projector", model.parent], model)
            model.unlink()

    def test_what_is_no_input_may_be_replaced(self):
        corpus = self.small_corpus("corpus")
        for name in "english", "none":  # lists of the program, even where files are called so
            self.write(name, "not read")
            self.ok("train", corpus, "--stop-words", name, "-o", name, *LOOSE, *SMALL, cwd=self.folder)
        for _ in range(2):
            self.ok("train", corpus, "-o", corpus / "my.idne", *LOOSE, *SMALL)

    def test_only_a_generated_corpus_is_generated_anew(self):
        mine = self.small_corpus("mine") / "documents.jsonl"
        (mine.parent / "links.tsv").unlink()
        links = self.write("links/links.tsv", "a\tb\n")
        for path in mine, links:
            before = path.read_bytes()
            self.fails(1, "generate", "--documents", 10, "-o", path.parent, says="does not come from `idne generate`")
            self.assertEqual([path], list(path.parent.iterdir()))
            self.assertEqual(path.read_bytes(), before)
        made = self.folder / "made"
        for documents in 10, 20:
            self.ok("generate", "--documents", documents, "-o", made)
        self.assertEqual((made / "documents.jsonl").read_bytes().count(b"\n"), 20)
        (made / "documents.jsonl").write_bytes(mine.read_bytes())
        self.fails(1, "generate", "--documents", 10, "-o", made, says="name a new folder")
        self.assertEqual((made / "documents.jsonl").read_bytes(), mine.read_bytes())

    def test_a_model_may_be_replaced_by_itself_with_other_topics(self):
        own = self.write("own.idne", self.model.read_bytes())
        self.ok("topics", own, "--refit", 2, "-o", own)
        self.assertEqual(self.json("info", own)["topics"], 2)

    def test_an_output_without_a_name_is_wrong_usage_before_any_work(self):
        for arguments in (["train", self.corpus], ["embed", self.model, self.corpus], ["export", self.model, "words"], ["generate"]):
            self.fails(2, *arguments, "-o", "", says="--output")

    def test_a_full_or_closed_stderr_is_no_reason_to_fail(self):
        for redirect in "2>/dev/full", "2>&-":
            with self.subTest(redirect):
                out = self.folder / "quiet.idne"
                command = f'exec "$0" train "$1" -o "$2" --topics 2 --dim 8 --steps 2 {redirect}'
                done = subprocess.run(["sh", "-c", command, IDNE, self.corpus, out], timeout=60 * SLOWER)
                self.assertEqual(done.returncode, 0)
                self.ok("info", out)
                done = subprocess.run(["sh", "-c", f'exec "$0" info nothere {redirect}', IDNE], timeout=60 * SLOWER)
                self.assertEqual(done.returncode, 1)
        self.assertEqual(subprocess.run(["sh", "-c", 'exec "$0" info "$1" >&-', IDNE, self.model], stderr=subprocess.PIPE, timeout=60 * SLOWER).returncode, 1, "a result that nobody gets")

    def test_a_file_larger_than_allowed_is_one_line(self):
        done = subprocess.run([IDNE, "generate", "-o", self.folder / "made"], capture_output=True, text=True, timeout=60 * SLOWER,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aidne: error: .*documents\.jsonl: cannot write: File too large\n\Z")

    @unittest.skipIf(os.environ.get("IDNE_SANITIZE"), "sanitizers need terabytes of addresses")
    def test_too_little_memory_to_begin_with_is_one_line(self):
        def limited(size):
            return subprocess.run([IDNE, "--version"], capture_output=True, timeout=60, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        least, most, step = 0, 2048, 1 << 18  # in steps: with `least` not even its libraries can be loaded
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if limited(middle * step).returncode == 127 else (least, middle)
        # With a little more a library (Highway) ends before the program has begun: hence 1 MiB.
        for size in range(most + 4, most + 36):
            done = limited(size * step)
            self.assertIn((done.returncode, done.stderr), [(0, b""), (1, b"idne: error: not enough memory\n")], f"{size * step:,} bytes")

    def test_json_of_a_path_that_is_no_utf8(self):
        out = os.fsencode(self.folder) + b"/caf\xe9.idne"
        done = subprocess.run([os.fsencode(IDNE), b"train", os.fsencode(self.corpus), b"-o", out, b"--steps", b"2", b"--topics", b"2", b"--format", b"json"], capture_output=True, timeout=60 * SLOWER)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(json.loads(done.stdout)["model"].endswith("caf\ufffd.idne"))

    def test_a_pipe_as_model_is_refused_and_not_waited_for(self):
        pipe = self.folder / "pipe.idne"
        os.mkfifo(pipe)
        self.fails(1, "info", pipe, says="not a regular file")


if __name__ == "__main__":
    unittest.main()
