#!/usr/bin/env python3
"""What the tests of the program share: running it, in a terminal too, a corpus and a model.

IDNE names the program (default build/idne). A non-empty IDNE_SANITIZE makes time limits ten times as long.
"""
import ast
import atexit
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))
SLOWER = 10 if os.environ.get("IDNE_SANITIZE") else 1
VERBS = ["train", "update", "watch", "info", "topics", "explain", "suggest", "similar", "embed", "export", "evaluate", "index", "generate", "check", "import", "demo", "serve"]
SMALL = ["--topics", "4", "--dim", "32", "--steps", "50"]
LOOSE = ["--min-count", "1", "--max-share", "1"]


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit {self.code}, stdout {self.out[:300]!r}, stderr {self.err[-600:]!r}"


def run(*arguments, stdin=b"", **more):
    """`stdin` is bytes or an open file."""
    more["input" if isinstance(stdin, bytes) else "stdin"] = stdin
    done = subprocess.run([IDNE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
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

    def wait_until_stoppable(self, child):
        """Until the program has said what it does when it is interrupted: it is at work."""
        def catches(number):
            mask = re.search(r"SigCgt:\s+(\w+)", pathlib.Path(f"/proc/{child.pid}/status").read_text()).group(1)
            return int(mask, 16) >> (number - 1) & 1
        end = time.monotonic() + 60 * SLOWER
        while not (catches(signal.SIGINT) and catches(signal.SIGTERM)):
            self.assertIsNone(child.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

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


@atexit.register
def remove_shared():
    if Case.shared:
        shutil.rmtree(Case.shared, ignore_errors=True)
