#!/usr/bin/env python3
"""`idne serve` as those who run it meet it: how it starts or does not, what it tells of itself, how it ends."""
import http.client
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from cli import SLOWER, SMALL
from server import port_in, post_bytes, receive, ServeCase, TEXT, wait_until


class Starting(ServeCase):
    def test_a_public_one_without_a_token_warns(self):
        with self.serving(self.model, "--host", "0.0.0.0", "--log", "none") as public:
            wait_until(lambda: "warning" in public.said(), "it warns, after its address")
            self.assertEqual(public.ask("GET", "/healthz")[0], 200)
        self.assertNotIn("warning", self.server.said())

    def test_a_port_that_is_taken(self):
        self.fails(1, "serve", self.model, "--port", self.server.port, says="cannot listen")

    def test_what_cannot_be_served_is_one_line(self):
        broken = self.write("broken.idne", "no model")
        for arguments in ([self.folder / "none.idne"], [broken], [self.model, "--corpus", self.folder / "nowhere"], [self.model, "--host", "no.such.host.invalid"]):
            with self.subTest(arguments):
                self.fails(1, "serve", *arguments, "--port", 0)


    def answers_while_the_index_is_made(self, server):
        readiness = lambda: server.ask("GET", "/readyz")[::2]
        suggested = lambda: [link["id"] for link in server.post("/api/v1/suggest", {"text": TEXT, "k": 5})[1]["links"]]
        self.assertEqual(readiness(), (503, b"indexing\n"))
        links = suggested()
        self.assertEqual(len(links), 5)
        _, place = server.post("/api/v1/place", {"text": TEXT})
        self.assertEqual((place["x"], place["y"]), (None, None), "there is no map")
        self.assertEqual(readiness()[0], 503, "the index was there too early for the test")
        wait_until(lambda: server.get("/api/v1/map")[0] == 200, "the map is there")
        self.assertEqual(readiness(), (200, b"ready\n"))
        self.assertIsNotNone(server.post("/api/v1/place", {"text": TEXT})[1]["x"])
        self.assertEqual(suggested(), links)

    def test_making_the_index_goes_on_where_it_was_stopped(self):
        corpus, model, again = self.folder / "corpus", self.folder / "many.idne", self.folder / "again.idne"
        self.ok("generate", "--documents", 12000, "-o", corpus)
        self.ok("train", corpus, "-o", model, *SMALL)
        shutil.copy(model, again)
        index, part = self.folder / "many.idne.index", self.folder / "many.idne.index.part"
        delay = 0.1 * SLOWER
        for number in (signal.SIGINT, signal.SIGTERM):
            before = part.read_bytes() if part.exists() else None
            while not part.exists() or part.read_bytes() == before:  # stopped too early for anything to be done
                process = self.start("serve", model, "--port", 0, stderr=subprocess.PIPE)
                time.sleep(delay)
                process.send_signal(number)
                said = process.communicate(timeout=60 * SLOWER)[1].decode()
                self.assertFalse(index.exists(), "stopped too late for the test")
                self.assertIn(process.returncode, (0, 128 + number, -number), said)  # the last before it was ready for signals
                delay *= 1.3
            self.assertTrue(said.endswith(f"idne: ended; what is done of the index is kept: {part}\n"), said)
            self.assertEqual(process.returncode, 0, "it answered already")
        with self.serving(model) as server:
            wait_until(lambda: "the index is there" in server.said(), "the index is there")
        self.assertFalse(part.exists())
        with self.serving(again, "--threads", 1) as server:
            self.answers_while_the_index_is_made(server)
        self.assertEqual(index.read_bytes(), (self.folder / "again.idne.index").read_bytes())


class Watching(ServeCase):
    def test_health_metrics_and_log(self):
        self.assertRegex(self.server.ask("GET", "/healthz")[2].decode(), r"\Aok\nmodel: my\.idne\nversion: [0-9a-f]{16}\nloaded: \d{4}-\d\d-\d\dT[\d:.]+Z\n\Z")
        self.server.get("/api/v1/documents/7")
        text = self.server.ask("GET", "/metrics")[2].decode()
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)$')
        self.assertRegex(text, r'idne_requests_total\{endpoint="/api/v1/documents/\{id\}",status="200"\} [1-9]')
        self.assertRegex(text, r'idne_request_seconds_bucket\{endpoint="/healthz",le="\+Inf"\} [1-9]')
        lines = [json.loads(line) for line in self.server.said().splitlines() if line.startswith("{")]
        mine = [line for line in lines if line["path"] == "/api/v1/documents/7"]
        self.assertTrue(mine)
        self.assertEqual((mine[-1]["method"], mine[-1]["status"], mine[-1]["peer"]), ("GET", 200, "127.0.0.1"))
        self.assertGreaterEqual(mine[-1]["ms"], 0)
        self.assertRegex(mine[-1]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_a_log_that_nobody_reads_stops_nothing(self):
        process = self.start("serve", self.model, "--port", 0, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(process.stderr.close)
        said = ""
        while not (port := port_in(said)):
            piece = os.read(process.stderr.fileno(), 1000)
            self.assertTrue(piece, said)
            said += piece.decode()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20 * SLOWER)
        self.addCleanup(connection.close)
        for _ in range(3000):
            connection.request("GET", "/healthz")
            with connection.getresponse() as answer:
                self.assertTrue(answer.read().startswith(b"ok\n"))
        process.terminate()
        self.assertEqual(process.wait(30 * SLOWER), 0)

    def test_a_model_that_is_written_over_is_still_served(self):
        model = self.folder / "own.idne"
        shutil.copy(self.model, model)
        with self.serving(model) as own:
            before = own.post("/api/v1/similar", {"text": TEXT})
            model.write_bytes(b"another one")  # the same file, cut and written anew
            self.assertEqual(own.post("/api/v1/similar", {"text": TEXT}), before)
            self.assertEqual(own.get("/api/v1/documents/7")[0], 200)


class Ending(ServeCase):
    def test_requests_that_have_begun_are_answered(self):
        body = json.dumps({"text": "a planet " * 10000}).encode()
        request = post_bytes("/api/v1/similar", body)
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number), self.serving(self.model) as ending, ending.connect() as s, ending.connect():
                s.sendall(request[:-1])
                wait_until(lambda: ending.metric("idne_buffered_bytes") >= len(body) - 1, "the request has come in but for its end")
                ending.process.send_signal(number)

                def refuses():
                    try:
                        ending.connect().close()
                    except OSError:
                        return True

                wait_until(refuses, "it takes in nobody new")
                s.sendall(request[-1:])
                self.assertIn(b"HTTP/1.1 200", receive(s))


if __name__ == "__main__":
    unittest.main(verbosity=1)
