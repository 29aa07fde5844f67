#!/usr/bin/env python3
"""Interrupts every verb that writes, at random moments and in every way that is known, and looks at what is there then.

    torture.py [--interruptions 60] [--seconds 12] [--seed N]      whichever ends first; 500 and 3600 are a good night's work

After each: the old or the new output is whole, nothing else is there, and the same command then succeeds. A failure is an exit
code and one line, never a crash. IDNE names the program (default build/idne).
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))
SANITIZED = bool(os.environ.get("IDNE_SANITIZE"))
LIMIT = 600 if SANITIZED else 60  # seconds that no command takes


class Broken(Exception):
    pass


def ran(arguments, **more):
    return subprocess.run([IDNE, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT, **more)


class Command:
    """A command with an output, and what that is when nobody interferes."""

    def __init__(self, name, output, *arguments, beside=None, kept=()):
        """`beside` is copied to where the output goes, before all; `kept` are names of files that an interruption may leave, to be gone on from."""
        self.name, self.output, self.arguments, self.beside, self.kept = name, output, arguments, beside, kept

    def line(self, folder):
        if self.beside and not (folder / self.beside.name).exists():
            with contextlib.suppress(OSError):  # a full disk, a folder that cannot be written to
                shutil.copy(self.beside, folder)
        return [folder / x.removeprefix("BESIDE/") if str(x).startswith("BESIDE/") else folder / self.output if x == "OUT" else x for x in self.arguments]

    def counted(self, found):
        """What is there, but for what may be left."""
        return {name: content for name, content in found.items() if name not in self.kept}

    def learn(self, folder):
        start = time.monotonic()
        done = ran(self.line(folder))
        self.seconds = time.monotonic() - start
        if done.returncode:
            raise Broken(f"{self.name} does not even run: {done.stderr.decode()}")
        self.right = self.counted(contents(folder))

    def is_right(self, found):
        found = self.counted(found)
        if self.name != "evaluate":
            return found == self.right
        with contextlib.suppress(ValueError, KeyError):  # it tells the seconds that it took
            return found.keys() == self.right.keys() and "results" in json.loads(found[self.output])
        return False


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*") if not is_empty(p)}


def is_empty(path):
    return path.is_dir() and not any(path.iterdir())


def commands(base):
    """Sources below `base`, and every verb that writes something from them."""
    corpus, model, notes = base / "corpus", base / "my.idne", base / "notes"
    small = ["--topics", 4, "--dim", 32, "--steps", 300]
    for made in (["generate", "--documents", 400, "--fields", 3, "-o", corpus], ["train", corpus, "-o", model, *small],
                 ["generate", "--documents", 100, "--seed", 2, "-o", base / "more"]):
        done = ran(made)
        if done.returncode:
            raise Broken(done.stderr.decode())
    (base / "table.csv").write_text("id,text\n" + "".join(f"{i},{'a star and its planet ' * 20}\n" for i in range(20000)))
    (base / "text.txt").write_text("a star and its planet " * 2000)
    notes.mkdir()
    for i in range(300):
        (notes / f"n{i}.md").write_text(f"# Note {i}\n\n[[n{(i + 1) % 300}]] " + "some words " * 50)
    more = base / "more.jsonl"
    with open(more, "w") as out:
        for line in open(base / "more" / "documents.jsonl"):
            out.write(json.dumps({**json.loads(line), "links": []} | {"id": "m" + json.loads(line)["id"]}) + "\n")
    return [Command("train", "out.idne", "train", corpus, "-o", "OUT", *small),
            Command("train --checkpoint", "out.idne", "train", corpus, "-o", "OUT", *small, "--checkpoint", "BESIDE/r.ck", "--every", "10ms", kept=("r.ck",)),
            Command("index", "my.idne.index", "index", "BESIDE/my.idne", beside=model, kept=("my.idne", "my.idne.index.part")),
            Command("update", "out.idne", "update", model, more, "-o", "OUT"),
            Command("refit", "out.idne", "topics", model, "--refit", 6, "-o", "OUT"),
            Command("embed", "out.npy", "embed", model, corpus, "-o", "OUT"),
            Command("export", "out.tsv", "export", model, "documents", "-o", "OUT"),
            Command("export .npy", "out.npy", "export", model, "documents", "-o", "OUT"),
            Command("export links", "out.graphml", "export", model, "links", "-o", "OUT"),
            Command("explain", "out.html", "explain", model, base / "text.txt", "-o", "OUT"),
            Command("explain documents", "out.jsonl", "explain", model, corpus, "-o", "OUT"),
            Command("suggest", "out.tsv", "suggest", model, "--all", "-o", "OUT"),
            Command("evaluate", "out.json", "evaluate", corpus, "--methods", "lsa", "--repeats", 1, "--tasks", "inductive-links",
                    "--format", "json", "-o", "OUT"),
            Command("generate", "made", "generate", "--documents", 3000, "-o", "OUT"),
            Command("import csv", "table", "import", "csv", base / "table.csv", "--id", "id", "--text", "text", "-o", "OUT"),
            Command("import markdown", "vault", "import", "markdown", notes, "-o", "OUT")]


def limited(what, value):
    def limit():
        resource.setrlimit(what, (value, value))
    return limit


@contextlib.contextmanager
def mounted(folder, options):
    """A small file system of its own; nothing where that is not allowed."""
    allowed = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield allowed
    finally:
        if allowed:
            subprocess.run(["umount", folder], check=True)


class Torture:
    def __init__(self, base, chance):
        self.base, self.chance = base, chance
        self.counts = collections.Counter()

    def signalled(self, command, folder, number):
        child = subprocess.Popen([IDNE, *map(str, command.line(folder))], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
        time.sleep(self.chance.uniform(0, 1.05 * command.seconds))
        child.send_signal(number)
        err = child.communicate(timeout=LIMIT)[1]
        allowed = {0, -number} if number == signal.SIGKILL else {0, -number, 128 + number}
        self.expect(child.returncode in allowed, f"exit {child.returncode} after signal {number}: {err[-300:]}")
        if child.returncode == 128 + number:
            self.expect(err.decode().splitlines()[-1].startswith("idne: interrupted"), err)
        return child.returncode

    def with_limit(self, command, folder, what, value):
        done = ran(command.line(folder), preexec_fn=limited(what, value))
        return self.told(done)

    def told(self, done):
        if done.returncode == 127 and b"shared libraries" in done.stderr:  # it had not even begun
            return 1
        self.expect(done.returncode in (0, 1), f"exit {done.returncode}: {done.stderr[-300:]}")
        if done.returncode:
            lines = done.stderr.decode().splitlines()
            self.expect(lines and lines[-1].startswith("idne: error: "), done.stderr)
        return done.returncode

    def expect(self, good, what):
        if not good:
            raise Broken(str(what))

    def kinds(self):
        s = signal
        kinds = {"kill -9": lambda c, f: self.signalled(c, f, s.SIGKILL), "SIGTERM": lambda c, f: self.signalled(c, f, s.SIGTERM),
                 "SIGINT": lambda c, f: self.signalled(c, f, s.SIGINT),
                 "file size": lambda c, f: self.with_limit(c, f, resource.RLIMIT_FSIZE, self.chance.randrange(1, 60000)),
                 "full disk": self.full_disk, "read-only": self.read_only, "two writers": self.two_writers}
        if not SANITIZED:  # they need terabytes of addresses, and a pipe to look at an object
            kinds["memory"] = lambda c, f: self.with_limit(c, f, resource.RLIMIT_AS, self.chance.randrange(30, 400) << 20)
            kinds["file handles"] = lambda c, f: self.with_limit(c, f, resource.RLIMIT_NOFILE, self.chance.randrange(4, 12))
        return kinds

    def full_disk(self, command, folder):
        small = folder / "small"
        small.mkdir()
        with mounted(small, f"size={self.chance.choice([0, 8, 64]) * 1024 + 4096}") as allowed:
            if allowed:
                code = self.told(ran(command.line(small)))
                left = command.counted(contents(small))
                self.expect(code == 0 or not left, f"left on a full disk: {list(left)}")
        small.rmdir()
        return 1 if allowed else None

    def read_only(self, command, folder):
        small = folder / "small"
        small.mkdir()
        with mounted(small, "ro") as allowed:
            if allowed:
                self.expect(self.told(ran(command.line(small))) == 1, "wrote into a read-only folder")
        small.rmdir()
        return 1 if allowed else None

    def two_writers(self, command, folder):
        both = [subprocess.Popen([IDNE, *map(str, command.line(folder))], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE) for _ in range(2)]
        codes = [(child.communicate(timeout=LIMIT)[1], child.returncode)[1] for child in both]
        self.expect(0 in codes and set(codes) <= {0, 1}, f"two writers: exits {codes}")
        return 0

    def interrupt(self, command, kind, way):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.base))
        old = self.chance.random() < 0.5
        if old:
            self.expect(ran(command.line(folder)).returncode == 0, "the output before")
        before = command.counted(contents(folder))
        code = way(command, folder)
        if code is None:
            self.counts["skipped: " + kind] += 1
        else:
            found = command.counted(contents(folder))
            if kind == "kill -9" and any(".part-" in name for name in found):  # in the microseconds of giving it its name
                self.counts["names left by kill -9 until the next run"] += 1
                found = {name: content for name, content in found.items() if ".part-" not in name}
            is_new, is_old = command.is_right(found), found == before or (old and command.is_right(found))
            self.expect(is_new if code == 0 else is_new or is_old, f"exit {code}, there is {list(found)}, which is neither old nor new")
            again = ran(command.line(folder))
            self.expect(again.returncode == 0, f"the same command again: {again.stderr.decode()}")
            self.expect(command.is_right(contents(folder)), f"after the same command again there is {list(contents(folder))}")
            self.counts[kind] += 1
            self.counts["ended before" if code == 0 else "stopped"] += 1
        shutil.rmtree(folder)

    def run(self, interruptions, seconds):
        end = time.monotonic() + seconds
        all_commands = commands(self.base)
        for command in all_commands:
            folder = pathlib.Path(tempfile.mkdtemp(dir=self.base))
            command.learn(folder)
            shutil.rmtree(folder)
        kinds, done = self.kinds(), 0
        pairs = [(c, k) for c in all_commands for k in kinds]
        while done < interruptions and time.monotonic() < end:
            for command, kind in self.chance.sample(pairs, len(pairs)):
                if done >= interruptions or time.monotonic() >= end:
                    break
                try:
                    self.interrupt(command, kind, kinds[kind])
                except Broken as what:
                    raise Broken(f"{command.name}, {kind}: {what}") from None
                done += 1
        return done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interruptions", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idne-torture-") as base:
        torture = Torture(pathlib.Path(base), random.Random(asked.seed))
        try:
            done = torture.run(asked.interruptions, asked.seconds)
        except Broken as what:
            sys.exit(f"seed {asked.seed}: {what}")
    print(f"{done} interruptions, none lost or left anything (seed {asked.seed})")
    for what, number in sorted(torture.counts.items()):
        print(f"  {number:5} {what}")


if __name__ == "__main__":
    main()
