#!/usr/bin/env python3
"""`idne serve` and clients that it must refuse or outlast: their requests are broken or large, they are strangers, slow, or too many."""
import contextlib
import gzip
import json
import re
import resource
import select
import time
import unittest

from cli import SLOWER
from server import post_bytes, receive, ServeCase, TEXT, wait_until


class Requests(ServeCase):
    """What is wrong with a request is said, and the next one is answered."""

    def test_bad_requests(self):
        for body in (b"", b"{", b"[]", b'{"text":3}', b'{"x":1}', b'{"text":"\xff"}', b'{"text":"a","k":0}', b"[" * 100000):
            with self.subTest(body[:20]):
                self.refuses(400, body)
        for path, status in (("/nothing", 404), ("/..%2f..%2fetc%2fpasswd", 404), ("/api/v1/documents?k=x", 400), ("/api/v1/topics?top=0", 400),
                             ("/api/v1/search", 400), ("/assets/../index.html", 404), ("/api/v1/map?x=1", 400)):
            with self.subTest(path):
                self.assertEqual(self.server.ask("GET", path)[0], status)
        self.assertEqual(self.server.post("/api/v1/similar", {"word": "zzzz"})[0], 404)
        self.assertEqual(self.server.post("/api/v1/similar", {"topic": 99})[0], 404)
        status, answer = self.server.get("/api/v1/documents/a%00b")
        self.assertEqual((status, answer["error"]), (404, r"the model has no document with the id 'a\x00b'"))

    def test_a_refusal_has_a_time_of_its_own_and_a_status_that_is_counted(self):
        def counted(status):
            found = re.findall(rf'^idne_requests_total{{endpoint="[^"]*",status="{status}"}} (\d+)$', self.server.ask("GET", "/metrics")[2].decode(), re.M)
            return sum(map(int, found))
        before = counted(414)
        self.server.get("/api/v1/info")
        time.sleep(0.3)
        self.assertEqual(self.server.ask("GET", "/" + "a" * 9000)[0], 414)
        self.assertEqual(counted(414), before + 1)
        logged = [json.loads(line) for line in self.server.said().splitlines() if '"status":414' in line]
        self.assertLess(logged[-1]["ms"], 250 * SLOWER)

    def test_large_bodies_are_refused_while_they_come(self):
        self.refuses(413, b'{"text":"' + b"a" * (64 << 20) + b'"}')
        self.assertEqual(self.server.get("/api/v1/info")[0], 200)

    def test_packed_bodies_are_refused(self):
        self.refuses(415, gzip.compress(json.dumps({"text": TEXT}).encode()), {"Content-Encoding": "gzip"})

    def refuses(self, expected, body, headers={}):
        status, _, answer = self.server.ask("POST", "/api/v1/similar", body, headers)
        self.assertEqual(status, expected)
        self.assertTrue(json.loads(answer)["error"])

    def test_broken_http(self):
        head = b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\n"
        for data, status in ((b"\x16\x03\x01\x02", 400), (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10000 + b"\r\n", 431), (head + b"Content-Length: x\r\n\r\n", 400),
                             (head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411), (head + b"\r\n", 411), (head + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\naa", 400),
                             (head + b"Content-Length : 2\r\n\r\n{}", 400), (head + b"X: a\r\n Content-Length: 2\r\n\r\n{}", 400), (head + b"X: a\nContent-Length: 2\r\n\r\n{}", 400),
                             (head + b"Host: localhost\r\nContent-Length: 2\r\n\r\n{}", 400), (head + b"X(Y): a\r\nContent-Length: 2\r\n\r\n{}", 400),
                             (b"GARBAGE\r\n\r\n", 400), (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414)):
            with self.subTest(data), self.server.connect() as s:
                s.sendall(data)
                answer = receive(s)
                self.assertIn(f" {status} ".encode(), answer.split(b"\r\n")[0])
                self.assertEqual(answer.count(b"HTTP/1.1 "), 1)
                logged = json.loads(self.server.said().splitlines()[-1])
                self.assertEqual((logged["status"], logged["peer"]), (status, "127.0.0.1"))
        with self.server.connect() as s:
            s.sendall(head + b"Content-Length: 100\r\n\r\nshort")
        self.assertEqual(self.server.get("/api/v1/info")[0], 200)

    def test_requests_one_after_another_and_before_their_answers(self):
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with self.server.connect() as s:
            s.sendall(request * 5)
            got = receive(s, lambda got: got.count(b"ok\n") >= 5)
            self.assertEqual(got.count(b"ok\n"), 5, got)
            for byte in request:  # and a slow one over the same connection
                s.sendall(bytes([byte]))
            self.assertIn(b"200 OK", receive(s, lambda got: b"ok\n" in got))

    def test_a_client_that_waits_for_a_word(self):
        body = json.dumps({"text": TEXT}).encode()
        with self.server.connect() as s:
            s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 100"))
            s.sendall(body)
            got = receive(s, lambda got: b"]\n" in got)
            self.assertTrue(got.startswith(b"HTTP/1.1 200"), got)  # and not the same word again

    def test_ranges_do_not_multiply_an_answer(self):
        ranges = "bytes=0-" + ",0-" * 2600
        script = "/" + re.search(rb'src="\.?/?([^"]+)"', self.server.ask("GET", "/")[2])[1].decode()
        body = json.dumps({"documents": [{"text": TEXT}] * 100}).encode()
        for method, path, sent in (("GET", script, None), ("POST", "/api/v1/embed", body)):
            with self.subTest(path):
                plain = self.server.ask(method, path, sent)[2]
                for given in (ranges, "bytes=99999999999999999999999-"):
                    status, _, answer = self.server.ask(method, path, sent, {"Range": given})
                    self.assertEqual((status, len(answer)), (200, len(plain)))
                    self.assertEqual(answer, plain)

    def test_a_long_path_needs_no_deep_stack(self):
        # As much as threads have where the limit for the first one is "unlimited".
        with self.serving(self.model, before=lambda: resource.setrlimit(resource.RLIMIT_STACK, (2 << 20, 2 << 20))) as small:
            self.assertEqual(small.ask("GET", "/api/v1/documents/" + "a" * 8000)[0], 404)


class Strangers(ServeCase):
    """Who may ask: those with the token, by a name of this machine, from a page that is allowed."""

    def test_token(self):
        with self.serving(self.model, "--token-file", self.write("token", "correct-horse\n")) as guarded:
            self.assertEqual(guarded.ask("GET", "/")[0], 200)
            self.assertRegex(guarded.ask("GET", "/healthz")[2].decode(), r"\Aok\nloaded: .*\n\Z")  # strangers hear no names
            self.assertIn(b"model: my.idne\n", guarded.ask("GET", "/healthz", headers={"Authorization": "Bearer correct-horse"})[2])
            for given in (None, "", "Bearer ", "Bearer wrong", "Bearer correct-hors", "Bearer correct-horse-", "Basic correct-horse", "correct-horse"):
                with self.subTest(given):
                    for path in ("/api/v1/info", "/metrics", "/api/v1/openapi.json"):
                        status, headers, body = guarded.ask("GET", path, headers={"Authorization": given} if given is not None else {})
                        self.assertEqual((status, headers["WWW-Authenticate"]), (401, "Bearer"))
                        self.assertTrue(json.loads(body)["error"])
            self.assertEqual(guarded.ask("GET", "/api/v1/info", headers={"Authorization": "Bearer correct-horse"})[0], 200)
            self.assertNotIn("correct-horse", guarded.said())
        self.fails(1, "serve", self.model, "--token-file", self.write("short", "abc\n"))
        for wrong in ("", "# none\n", "anna all correct-horse\n", "anna read short\n", "correct-horse\nanother-horse\n", "anna read correct-horse\nanother-horse\n"):
            self.fails(1, "serve", self.model, "--token-file", self.write("wrong", wrong))

    def test_tokens_with_names(self):
        tokens = self.write("tokens", "# name may token\nanna feedback correct-horse\n\nwiki read battery-staple\n")
        with self.serving(self.model, "--token-file", tokens, "--feedback", self.folder / "said.jsonl") as server:
            body = json.dumps({"kind": "link", "document": "no such", "target": "7", "verdict": "accept"}).encode()
            for token, read, say in (("correct-horse", 200, 404), ("battery-staple", 200, 403), ("another-horse", 401, 401)):
                headers = {"Authorization": f"Bearer {token}"}
                self.assertEqual(server.ask("GET", "/api/v1/info", headers=headers)[0], read)
                self.assertEqual(server.ask("POST", "/api/v1/feedback", body, headers)[0], say)
            wait_until(lambda: server.said().count("/api/v1/feedback") == 3, "all is in the log")
            users = [json.loads(line).get("user") for line in server.said().splitlines() if "/api/v1/feedback" in line]
            self.assertEqual(users, ["anna", "wiki", None])

    def test_a_trusted_proxy_tells_who_asks(self):
        for arguments, peer in (((), "127.0.0.1"), (("--trust-proxy", "127.0.0.1"), "203.0.113.7")):
            with self.serving(self.model, *arguments) as server:
                server.ask("GET", "/api/v1/info", headers={"X-Forwarded-For": "1.2.3.4, 203.0.113.7"})
                wait_until(lambda: "/api/v1/info" in server.said(), "the request is in the log")
                self.assertEqual([json.loads(line)["peer"] for line in server.said().splitlines() if "/api/v1/info" in line], [peer])

    def test_other_names_and_origins(self):
        for host, status in (("evil.example", 403), ("127.evil.example", 403), ("127.0.0.1.evil.example", 403), (f"localhost:{self.server.port}", 200),
                             ("LOCALHOST", 200), ("localhost.", 200), ("127.0.0.2:80", 200), ("[::1]", 200)):
            with self.subTest(host):
                self.assertEqual(self.server.ask("GET", "/api/v1/info", headers={"Host": host})[0], status)
        self.assertNotIn("Access-Control-Allow-Origin", self.server.ask("GET", "/api/v1/info", headers={"Origin": "https://a.example"})[1])
        with self.serving(self.model, "--allow-origin", "https://a.example", "--allow-host", "docs.example") as open_one:
            self.assertEqual(open_one.ask("GET", "/api/v1/info", headers={"Host": "docs.example"})[0], 200)
            headers = open_one.ask("GET", "/api/v1/info", headers={"Origin": "https://a.example"})[1]
            self.assertEqual(headers["Access-Control-Allow-Origin"], "https://a.example")
            self.assertEqual(open_one.ask("OPTIONS", "/api/v1/similar", headers={"Origin": "https://a.example"})[0], 204)
            self.assertNotIn("Access-Control-Allow-Origin", open_one.ask("GET", "/api/v1/info", headers={"Origin": "https://b.example"})[1])


class Pressure(ServeCase):
    """A server that has more to do than it can, or clients that keep it waiting."""

    def test_a_thousand_slow_clients_hinder_nobody(self):
        with contextlib.ExitStack() as slow:
            for n in range(1000):
                s = slow.enter_context(self.server.connect())
                s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nContent-Length: 500000\r\n" + (b"\r\n{" if n % 2 else b""))
            wait_until(lambda: self.server.metric("idne_connections") > 1000, "all are connected")
            for _ in range(50):
                self.assertEqual(self.server.post("/api/v1/similar", {"text": TEXT})[0], 200)

    def test_clients_that_do_not_read(self):
        with contextlib.ExitStack() as idle:
            for _ in range(20):
                s = idle.enter_context(self.server.connect())
                s.sendall(b"GET /api/v1/map HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
            self.assertEqual(self.server.get("/api/v1/info")[0], 200)

    def test_it_tells_how_it_is_and_ends_when_it_is_told_to(self):
        # About the most that a thread can be asked for at once: tenths of a second.
        slow = post_bytes("/api/v1/explain", json.dumps({"text": TEXT * 11000}).encode())
        with self.serving(self.model, "--threads", 1) as busy, contextlib.ExitStack() as clients:
            asking = [clients.enter_context(busy.connect()) for _ in range(100)]
            for s in asking:
                s.sendall(slow)
            self.assertTrue(busy.ask("GET", "/healthz")[2].startswith(b"ok\n"))
            wait_until(lambda: busy.metric("idne_requests_waiting") > 0, "requests wait")
            self.assertLess(len(select.select(asking, [], [], 0)[0]), 100, "nobody had to wait for all of them")
            self.assertEqual(busy.stop(), 0)

    def test_what_takes_longer_than_the_deadline_is_stopped_and_others_are_answered(self):
        long = TEXT * 11000
        seconds = 0.001
        with self.serving(self.model, "--corpus", self.corpus, "--threads", 1, "--deadline", seconds) as strict:
            for path, body in (("explain", {"text": long}), ("similar", {"text": long}), ("suggest", {"text": long, "k": 100}), ("place", {"text": long}),
                               ("embed", {"documents": [{"text": long}] * 8})):
                with self.subTest(path):
                    before, began = strict.metric("idne_stopped_total"), time.monotonic()
                    self.assertEqual(strict.post(f"/api/v1/{path}", body), (503, {"error": f"this took longer than {seconds:g} s, and was stopped"}))
                    self.assertLess(time.monotonic() - began, 1 * SLOWER)  # reading the request, too
                    self.assertEqual(strict.metric("idne_stopped_total"), before + 1)
                    self.assertEqual(strict.post("/api/v1/similar", {"topic": 1, "k": 1})[0], 200)  # by the only thread
            self.assertEqual(strict.metric("idne_requests_waiting"), 0)
        with self.serving(self.model, "--threads", 1, "--deadline", 0) as patient:
            self.assertEqual(patient.post("/api/v1/explain", {"text": long})[0], 200)

    @unittest.skipIf(SLOWER > 1, "sanitizers take all addresses there are")
    def test_without_memory_it_goes_on(self):
        with self.serving(self.model, "--threads", 1) as poor:
            resource.prlimit(poor.process.pid, resource.RLIMIT_AS, (poor.memory("VmSize") + (20 << 20),) * 2)
            with contextlib.ExitStack() as clients:
                for _ in range(10):
                    s = clients.enter_context(poor.connect())
                    with contextlib.suppress(OSError):
                        s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nContent-Length: 8000000\r\n\r\n" + b"a" * 7999999)
                self.assertTrue(poor.ask("GET", "/healthz")[2].startswith(b"ok\n"))
                self.assertGreater(poor.metric("idne_failed_total"), 0)
            self.assertEqual(poor.post("/api/v1/similar", {"text": TEXT})[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=1)
