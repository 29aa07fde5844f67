#!/usr/bin/env python3
"""`idne serve` as its clients meet it, over real sockets on this machine.

IDNE names the program (default build/idne). A non-empty IDNE_SANITIZE makes time limits ten times as long.
"""
import concurrent.futures, contextlib, gzip, http.client, json, os, pathlib, re, signal, socket, subprocess, sys, tempfile, threading, time, unittest

IDNE = os.path.abspath(os.environ.get("IDNE", "build/idne"))
SLOWER = 10 if os.environ.get("IDNE_SANITIZE") else 1
TEXT = "A planet was seen through the telescope; the composer heard the melody of the orchestra."


def program(*arguments, stdin=b""):
    done = subprocess.run([IDNE, *map(str, arguments)], input=stdin, capture_output=True, timeout=120 * SLOWER)
    if done.returncode:
        raise AssertionError(done.stderr.decode())
    return done.stdout


class Server:
    """A server on a free port, its stderr in a file."""

    def __init__(self, *arguments):
        self.log = tempfile.NamedTemporaryFile(suffix=".log")
        self.process = subprocess.Popen([IDNE, "serve", *map(str, arguments), "--port", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        limit = time.monotonic() + 60 * SLOWER
        while not (found := re.search(r"http://[^ ]*:(\d+)/", self.said())):
            if self.process.poll() is not None or time.monotonic() > limit:
                raise AssertionError(f"the server did not start: {self.said()}")
            time.sleep(0.05)
        self.port = int(found[1])

    def said(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(30 * SLOWER)

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


def setUpModule():
    global folder, model, corpus, server
    temporary = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(temporary.cleanup)
    folder = pathlib.Path(temporary.name)
    corpus, model = folder / "corpus", folder / "my.idne"
    program("generate", "--documents", 400, "-o", corpus)
    program("train", corpus, "-o", model, "--topics", 6, "--dim", 32, "--steps", 300)
    server = Server(model, "--corpus", corpus)
    unittest.addModuleCleanup(server.stop)


class Answers(unittest.TestCase):
    maxDiff = 2000

    def test_are_the_programs(self):
        cases = {
            "similar": ({"text": TEXT}, ["similar", model, "-"]),
            "suggest": ({"text": TEXT}, ["suggest", model, "-"]),
            "explain": ({"text": TEXT}, ["explain", model, "-"]),
        }
        for endpoint, (body, command) in cases.items():
            with self.subTest(endpoint):
                expected = json.loads(program(*command, "--format", "json", stdin=TEXT.encode()))
                self.assertEqual(server.post(f"/api/v1/{endpoint}", body), (200, expected))
        for body, command in (({"word": "planet", "k": 3}, ["--word", "planet", "-k", 3]), ({"topic": 2, "k": 4}, ["--topic", 2, "-k", 4]), ({"document": "7"}, ["--document", "7"])):
            with self.subTest(body):
                self.assertEqual(server.post("/api/v1/similar", body), (200, json.loads(program("similar", model, *command, "--format", "json"))))
        (folder / "a.txt").write_text(TEXT)
        expected = json.loads(program("explain", model, folder / "a.txt", "--with-document", "7", "--format", "json"))
        status, pair = server.post("/api/v1/explain/pair", {"first": {"text": TEXT}, "second": {"document": "7"}})
        self.assertEqual(status, 200)
        self.assertAlmostEqual(pair["cosine"], expected["cosine"], 6)
        self.assertEqual([word["word"] for word in pair["words"]], [word["word"] for word in expected["words"]])
        info = server.get("/api/v1/info")[1]
        for key, value in json.loads(program("info", model, "--format", "json")).items():
            self.assertEqual(info[key], value, key)
        topics = server.get("/api/v1/topics?top=7&examples=2")[1]
        expected = json.loads(program("topics", model, "--top", 7, "--examples", 2, "--format", "json"))
        for topic in topics["topics"]:
            self.assertTrue(all(other["topic"] != topic["topic"] for other in topic.pop("related")))
        self.assertEqual(topics, expected)

    def test_embed(self):
        status, answer = server.post("/api/v1/embed", {"documents": [{"text": TEXT}, {"text": ""}]})
        self.assertEqual((status, len(answer["vectors"])), (200, 2))
        (folder / "docs.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")
        line = json.loads(program("embed", model, folder / "docs.jsonl", "--format", "jsonl"))
        vector = line if isinstance(line, list) else line["vector"]
        self.assertTrue(all(abs(a - b) < 1e-6 for a, b in zip(answer["vectors"][0], vector)))
        self.assertFalse(any(answer["vectors"][1]))

    def test_documents(self):
        documents = [json.loads(line) for line in (corpus / "documents.jsonl").read_text().splitlines()]
        links = {frozenset(line.split()[:2]) for line in (corpus / "links.tsv").read_text().splitlines()}
        status, page = server.get("/api/v1/documents?from=5&k=3")
        self.assertEqual((status, page["total"], [d["row"] for d in page["documents"]]), (200, 400, [5, 6, 7]))
        self.assertEqual(page["documents"][0]["id"], documents[5]["id"])
        self.assertEqual(page["documents"][0]["labels"], documents[5]["labels"])
        label = documents[0]["labels"][0]
        chosen = server.get(f"/api/v1/documents?label={label}&k=1000")[1]
        self.assertEqual([d["id"] for d in chosen["documents"]], [d["id"] for d in documents if label in d["labels"]])
        self.assertEqual(chosen["total"], len(chosen["documents"]))
        by_topic = [server.get(f"/api/v1/documents?topic={k}")[1]["total"] for k in range(1, 7)]
        self.assertEqual(sum(by_topic), 400)

        status, one = server.get("/api/v1/documents/" + documents[5]["id"])
        self.assertEqual((status, one["whole"]), (200, True))
        self.assertEqual("".join(token["text"] for token in one["tokens"]), documents[5]["text"])
        self.assertEqual({d["id"] for d in one["links"]}, {i for pair in links if documents[5]["id"] in pair for i in pair} - {documents[5]["id"]})
        self.assertEqual(one["links_total"], len(one["links"]))
        near = {d["id"] for d in one["similar"]}
        self.assertTrue(near and documents[5]["id"] not in near and not near & {d["id"] for d in one["links"]})
        suggested = server.post("/api/v1/suggest", {"document": documents[5]["id"]})[1]
        self.assertFalse({d["id"] for d in suggested["links"]} & ({d["id"] for d in one["links"]} | {documents[5]["id"]}))
        self.assertTrue(suggested["links"] and suggested["labels"])
        self.assertEqual(server.get("/api/v1/documents/nobody")[0], 404)

    def test_map_words_search(self):
        status, headers, body = server.ask("GET", "/api/v1/map", headers={"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        places = json.loads(gzip.decompress(body))
        self.assertEqual(places, server.get("/api/v1/map")[1])
        for key in ("x", "y", "topic", "label"):
            self.assertEqual(len(places[key]), 400, key)
        self.assertTrue(all(0 <= n <= 65535 for n in places["x"] + places["y"]))
        self.assertGreater(max(places["x"]) - min(places["x"]), 20000)
        words = server.get("/api/v1/words?prefix=pla&k=5")[1]["words"]
        self.assertIn("planet", [word["word"] for word in words])
        self.assertTrue(all(word["word"].startswith("pla") for word in words))
        found = server.get("/api/v1/search?q=planet+telescope&k=10")[1]
        self.assertEqual(found["query"], "planet telescope")
        self.assertTrue(any("planet" in hit["words"] for hit in found["results"]))
        self.assertEqual(server.get("/api/v1/search?q=7")[1]["results"][0]["id"], "7")
        self.assertEqual(server.get("/api/v1/search?q=%E2%98%83zzz")[1]["results"], [])

    def test_the_description_is_of_what_is_served(self):
        status, description = server.get("/api/v1/openapi.json")
        self.assertEqual((status, description["openapi"][:2]), (200, "3."))
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                with self.subTest(f"{method} {path}"):
                    if method == "get":
                        status, _ = server.get(path.replace("{id}", "7") + ("?q=a" if path.endswith("search") else ""))
                    else:
                        needed = operation["requestBody"]["content"]["application/json"]["schema"].get("required", ["text"])
                        values = {"text": TEXT, "documents": [{"text": TEXT}], "first": {"text": TEXT}, "second": {"text": TEXT}}
                        status, _ = server.post(path, {name: values[name] for name in needed})
                        self.assertEqual(server.get(path)[0], 405)
                    self.assertEqual(status, 200)

    def test_same_answers_from_many_threads(self):
        expected = server.post("/api/v1/suggest", {"text": TEXT})
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for answer in pool.map(lambda _: server.post("/api/v1/suggest", {"text": TEXT}), range(200)):
                self.assertEqual(answer, expected)


class Trouble(unittest.TestCase):
    def test_bad_requests(self):
        for body in (b"", b"{", b"[]", b'{"text":3}', b'{"x":1}', b'{"text":"\xff"}', b'{"text":"a","k":0}', b"[" * 100000):
            with self.subTest(body[:20]):
                status, _, answer = server.ask("POST", "/api/v1/similar", body)
                self.assertEqual(status, 400)
                self.assertTrue(json.loads(answer)["error"])
        for path, status in (("/nothing", 404), ("/..%2f..%2fetc%2fpasswd", 404), ("/api/v1/documents?k=x", 400), ("/api/v1/topics?top=0", 400),
                             ("/api/v1/search", 400), ("/assets/../index.html", 404)):
            with self.subTest(path):
                self.assertEqual(server.ask("GET", path)[0], status)
        self.assertEqual(server.post("/api/v1/similar", {"word": "zzzz"})[0], 404)
        self.assertEqual(server.post("/api/v1/similar", {"topic": 99})[0], 404)

    def test_what_a_form_sends_is_still_json(self):
        body = json.dumps({"text": "a planet " * 2000}).encode()
        status, _, answer = server.ask("POST", "/api/v1/similar", body, {"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual((status, len(json.loads(answer))), (200, 10))

    def test_a_text_without_known_words(self):
        self.assertEqual(server.post("/api/v1/similar", {"text": ""}), (200, []))
        self.assertEqual(server.post("/api/v1/suggest", {"text": "zzzz"}), (200, {"labels": [], "links": []}))

    def test_large_bodies_are_refused_while_they_come(self):
        status, _, answer = server.ask("POST", "/api/v1/similar", b'{"text":"' + b"a" * (64 << 20) + b'"}')
        self.assertEqual(status, 413)
        self.assertTrue(json.loads(answer)["error"])
        self.assertEqual(server.get("/api/v1/info")[0], 200)

    def raw(self, data, wait=True):
        with server.connect() as s:
            s.sendall(data)
            got = b""
            with contextlib.suppress(OSError):
                while wait and (piece := s.recv(65536)):
                    got += piece
            return got

    def test_broken_http(self):
        head = b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\n"
        for data, status in ((b"\x16\x03\x01\x02", 400), (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10000 + b"\r\n", 431), (head + b"Content-Length: x\r\n\r\n", 400),
                             (head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411), (head + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\naa", 400),
                             (b"GARBAGE\r\n\r\n", 400), (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414)):
            with self.subTest(data[:40]):
                self.assertIn(f" {status} ".encode(), self.raw(data).split(b"\r\n")[0])
        self.raw(head + b"Content-Length: 100\r\n\r\nshort", wait=False)
        self.assertEqual(server.get("/api/v1/info")[0], 200)

    def test_requests_one_after_another_and_before_their_answers(self):
        request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with server.connect() as s:
            s.sendall(request * 5)
            got = b""
            while got.count(b"ok\n") < 5:
                piece = s.recv(65536)
                self.assertTrue(piece, got)
                got += piece
            for byte in request:  # and a slow one over the same connection
                s.sendall(bytes([byte]))
            self.assertIn(b"200 OK", s.recv(65536))

    def test_a_client_that_waits_for_a_word(self):
        body = json.dumps({"text": TEXT}).encode()
        with server.connect() as s:
            s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 100"))
            s.sendall(body)
            got = b""
            while b"]\n" not in got:
                got += s.recv(65536)
            self.assertIn(b"HTTP/1.1 200", got)

    def test_a_thousand_slow_clients_hinder_nobody(self):
        slow = []
        try:
            for n in range(1000):
                s = server.connect()
                s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nContent-Length: 500000\r\n" + (b"\r\n{" if n % 2 else b""))
                slow.append(s)
            times = []
            for _ in range(50):
                start = time.monotonic()
                self.assertEqual(server.post("/api/v1/similar", {"text": TEXT})[0], 200)
                times.append(time.monotonic() - start)
            self.assertLess(sorted(times)[25], 1 * SLOWER)
        finally:
            for s in slow:
                s.close()

    def test_clients_that_do_not_read(self):
        idle = [server.connect() for _ in range(20)]
        for s in idle:
            s.sendall(b"GET /api/v1/map HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
        self.assertEqual(server.get("/api/v1/info")[0], 200)
        for s in idle:
            s.close()


class Watching(unittest.TestCase):
    def test_health_metrics_and_log(self):
        self.assertEqual(server.ask("GET", "/healthz")[2], b"ok\n")
        server.get("/api/v1/documents/7")
        text = server.ask("GET", "/metrics")[2].decode()
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+.e\d]+)$')
        self.assertRegex(text, r'idne_requests_total\{endpoint="/api/v1/documents/\{id\}",status="200"\} [1-9]')
        self.assertRegex(text, r'idne_request_seconds_bucket\{endpoint="/healthz",le="\+Inf"\} [1-9]')
        lines = [json.loads(line) for line in server.said().splitlines() if line.startswith("{")]
        mine = [line for line in lines if line["path"] == "/api/v1/documents/7"]
        self.assertTrue(mine)
        self.assertEqual((mine[-1]["method"], mine[-1]["status"], mine[-1]["peer"]), ("GET", 200, "127.0.0.1"))
        self.assertGreaterEqual(mine[-1]["ms"], 0)
        self.assertRegex(mine[-1]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_a_log_that_nobody_reads_stops_nothing(self):
        process = subprocess.Popen([IDNE, "serve", str(model), "--port", "0"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            said = b""
            while not (found := re.search(rb"http://[^ ]*:(\d+)/", said)):
                said += os.read(process.stderr.fileno(), 1000)
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20 * SLOWER)
            for _ in range(3000):
                connection.request("GET", "/healthz")
                with connection.getresponse() as answer:
                    self.assertEqual(answer.read(), b"ok\n")
        finally:
            process.terminate()
            self.assertEqual(process.wait(30 * SLOWER), 0)
            connection.close()
            process.stderr.close()

    def test_the_page(self):
        status, headers, page = server.ask("GET", "/")
        self.assertEqual(status, 200)
        self.assertIn(b"<html", page)
        for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
            self.assertIn(rule, headers["Content-Security-Policy"])
        for path in re.findall(rb'(?:src|href)="\.?/?([^"]+)"', page):
            with self.subTest(path):
                status, headers, plain = server.ask("GET", "/" + path.decode())
                self.assertEqual(status, 200)
                packed = server.ask("GET", "/" + path.decode(), headers={"Accept-Encoding": "gzip, br"})
                self.assertEqual(gzip.decompress(packed[2]), plain)
        self.assertEqual(server.ask("HEAD", "/")[2], b"")


class Doors(unittest.TestCase):
    def test_token(self):
        (folder / "token").write_text("correct-horse\n")
        guarded = Server(model, "--token-file", folder / "token")
        try:
            self.assertEqual(guarded.ask("GET", "/")[0], 200)
            self.assertEqual(guarded.ask("GET", "/healthz")[0], 200)
            for given in (None, "", "Bearer ", "Bearer wrong", "Bearer correct-hors", "Bearer correct-horse-", "Basic correct-horse", "correct-horse"):
                with self.subTest(given):
                    for path in ("/api/v1/info", "/metrics", "/api/v1/openapi.json"):
                        status, headers, body = guarded.ask("GET", path, headers={"Authorization": given} if given is not None else {})
                        self.assertEqual((status, headers["WWW-Authenticate"]), (401, "Bearer"))
                        self.assertTrue(json.loads(body)["error"])
            self.assertEqual(guarded.ask("GET", "/api/v1/info", headers={"Authorization": "Bearer correct-horse"})[0], 200)
            self.assertNotIn("correct-horse", guarded.said())
        finally:
            self.assertEqual(guarded.stop(), 0)
        (folder / "short").write_text("abc\n")
        done = subprocess.run([IDNE, "serve", model, "--token-file", folder / "short"], capture_output=True)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1))

    def test_other_names_and_origins(self):
        self.assertEqual(server.ask("GET", "/api/v1/info", headers={"Host": "evil.example"})[0], 403)
        self.assertEqual(server.ask("GET", "/api/v1/info", headers={"Host": f"localhost:{server.port}"})[0], 200)
        self.assertNotIn("Access-Control-Allow-Origin", server.ask("GET", "/api/v1/info", headers={"Origin": "https://a.example"})[1])
        open_one = Server(model, "--allow-origin", "https://a.example", "--allow-host", "docs.example")
        try:
            self.assertEqual(open_one.ask("GET", "/api/v1/info", headers={"Host": "docs.example"})[0], 200)
            headers = open_one.ask("GET", "/api/v1/info", headers={"Origin": "https://a.example"})[1]
            self.assertEqual(headers["Access-Control-Allow-Origin"], "https://a.example")
            self.assertEqual(open_one.ask("OPTIONS", "/api/v1/similar", headers={"Origin": "https://a.example"})[0], 204)
            self.assertNotIn("Access-Control-Allow-Origin", open_one.ask("GET", "/api/v1/info", headers={"Origin": "https://b.example"})[1])
        finally:
            open_one.stop()

    def test_a_public_one_without_a_token_warns(self):
        public = Server(model, "--host", "0.0.0.0", "--log", "none")
        try:
            self.assertIn("warning", public.said())
            self.assertEqual(public.ask("GET", "/healthz")[0], 200)
        finally:
            public.stop()
        self.assertNotIn("warning", server.said())

    def test_a_port_that_is_taken(self):
        done = subprocess.run([IDNE, "serve", model, "--port", str(server.port)], capture_output=True, timeout=60 * SLOWER)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1))
        self.assertIn(b"cannot listen", done.stderr)


class Ending(unittest.TestCase):
    def test_requests_that_have_begun_are_answered(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            ending = Server(model)
            with ending.connect() as s, ending.connect() as idle:
                s.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 21\r\n\r\n{\"text\": ")
                time.sleep(0.3)
                ending.process.send_signal(number)
                time.sleep(0.5)
                with self.assertRaises(OSError):
                    ending.connect()
                s.sendall(b'"a planet"}\n')
                got = b""
                with contextlib.suppress(OSError):
                    while piece := s.recv(65536):
                        got += piece
                self.assertIn(b"HTTP/1.1 200", got)
            self.assertEqual(ending.stop(), 0)

    def test_models_of_other_methods(self):
        program("train", corpus, "-o", folder / "lsa.idne", "--method", "lsa", "--dim", 16)
        lsa = Server(folder / "lsa.idne")
        try:
            self.assertEqual(lsa.get("/api/v1/info")[1]["topics"], 0)
            self.assertEqual(lsa.get("/api/v1/topics")[0], 400)
            self.assertEqual(lsa.post("/api/v1/explain", {"text": TEXT})[0], 400)
            self.assertEqual(lsa.get("/api/v1/documents/7")[1]["whole"], False)
            self.assertEqual(len(lsa.post("/api/v1/similar", {"text": TEXT})[1]), 10)
            self.assertEqual(lsa.get("/api/v1/map")[0], 200)
        finally:
            self.assertEqual(lsa.stop(), 0)

    def test_what_cannot_be_served_is_one_line(self):
        (folder / "broken.idne").write_bytes(b"no model")
        for arguments in ([folder / "none.idne"], [folder / "broken.idne"], [model, "--corpus", folder / "nowhere"], [model, "--host", "no.such.host.invalid"]):
            with self.subTest(arguments):
                done = subprocess.run([IDNE, "serve", *arguments, "--port", "0"], capture_output=True, timeout=60 * SLOWER)
                self.assertEqual((done.returncode, done.stderr.count(b"\n")), (1, 1), done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
