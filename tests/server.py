#!/usr/bin/env python3
"""What the tests of `idne serve` share: a server over real sockets on this machine, with a corpus and a model of its own.

The environment is that of cli.py.
"""
import contextlib
import http.client
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from cli import Case, IDNE, run, SLOWER

TEXT = "A planet was seen through the telescope; the composer heard the melody of the orchestra."


def port_in(said):
    """The port of the address that a server has said it has; None before that."""
    found = re.search(r"http://[^ ]*:(\d+)/", said)
    return found and int(found[1])


def post_bytes(path, body):
    """A request as it goes over the wire."""
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (path.encode(), len(body), body)


def receive(connection, done=lambda got: False):
    """What comes over a connection, until it is done or the other side ends."""
    got = b""
    with contextlib.suppress(OSError):
        while not done(got) and (piece := connection.recv(65536)):
            got += piece
    return got


def wait_until(condition, what):
    """Waits for something to come true; only a test that fails ever sees the limit."""
    limit = time.monotonic() + 60 * SLOWER
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"this did not come true: {what}")
        time.sleep(0.01)


class Server:
    """A server on a free port, its stderr in a file."""

    def __init__(self, *arguments, before=None):
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        self.process = subprocess.Popen([IDNE, "serve", *map(str, arguments), "--port", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log, preexec_fn=before)
        limit = time.monotonic() + 60 * SLOWER
        while not (port := port_in(self.said())):
            if self.process.poll() is not None or time.monotonic() > limit:
                raise AssertionError(f"the server did not start: {self.said()}")
            time.sleep(0.05)
        self.port = port

    def said(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(30 * SLOWER)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def hang_up(self):
        """Has it take up its files anew, and waits until it has, or has found that it cannot, and has said so."""
        before, told = self.reloads(), self.reloads_told()
        self.process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.reloads() > before and self.reloads_told() > told, "the model is taken up anew, or not")

    def reloads_told(self):
        return len(re.findall(r'"event":"reload( failed)?"|^idne: reload( failed)?:', self.said(), re.M))

    def reloads(self):
        return self.metric("idne_reloads_total") + self.metric("idne_reloads_failed_total")

    def health(self):
        return self.ask("GET", "/healthz")[2].decode()

    def memory(self, what):
        """Of its process, in bytes."""
        return int(re.search(rf"{what}:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1]) << 10

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), 20 * SLOWER)

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60 * SLOWER)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def get(self, path):
        status, _, body = self.ask("GET", path)
        return status, json.loads(body)

    def post(self, path, value):
        status, _, body = self.ask("POST", path, json.dumps(value).encode(), {"Content-Type": "application/json"})
        return status, json.loads(body)

    def metric(self, name):
        return int(re.search(rf"^{name} (\d+)$", self.ask("GET", "/metrics")[2].decode(), re.M)[1])


class ServeCase(Case):
    """One corpus, one model and one server for all tests of a file, and a folder for each test."""

    server = None

    @classmethod
    def setUpClass(cls):
        if ServeCase.server is None:
            shared = pathlib.Path(tempfile.mkdtemp(prefix="idne-serve-"))
            unittest.addModuleCleanup(shutil.rmtree, shared)
            ServeCase.corpus, ServeCase.model = shared / "corpus", shared / "my.idne"
            for command in (["generate", "--documents", 400, "-o", cls.corpus],
                            ["train", cls.corpus, "-o", cls.model, "--topics", 6, "--dim", 32, "--steps", 300]):
                made = run(*command)
                assert made.code == 0, made
            ServeCase.server = Server(cls.model, "--corpus", cls.corpus, "--feedback", shared / "feedback.jsonl")
            unittest.addModuleCleanup(cls.server.stop)

    @contextlib.contextmanager
    def serving(self, *arguments, **more):
        """A server of the test's own, which must end well."""
        own = Server(*arguments, **more)
        try:
            yield own
        finally:
            self.assertEqual(own.stop(), 0)
