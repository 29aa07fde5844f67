#!/usr/bin/env python3
"""`idne serve` for many clients: limits for each, a page before there is a model, names that editors give, and a real proxy in front.

The environment is that of cli.py. What needs nginx, Caddy or systemd is skipped, saying so, where they are missing.
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
import unittest

from cli import IDNE, run, SLOWER
from server import ServeCase, wait_until

ROOT = pathlib.Path(__file__).resolve().parent.parent

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def ask(port, path, source="127.0.0.1", body=None, headers={}):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60 * SLOWER, source_address=(source, 0))
    try:
        connection.request("POST" if body else "GET", path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Limits(ServeCase):
    def test_one_client_at_its_limit_is_told_when_to_come_again(self):
        with self.serving(self.model, "--client-rate", "0.5") as server:
            answers = [ask(server.port, "/api/v1/info") for _ in range(4)]
            self.assertEqual([status for status, *_ in answers], [200, 200, 429, 429])
            self.assertEqual((answers[2][1]["Retry-After"], json.loads(answers[2][2])), ("2", {"error": "too many requests of one client"}))
            self.assertEqual(ask(server.port, "/api/v1/info", source="127.0.0.2")[0], 200, "others are not told so")
            self.assertEqual({ask(server.port, path)[0] for path in ("/", "/healthz", "/readyz", "/metrics")}, {200}, "what is quick has no limit")
            self.assertEqual(server.metric("idne_limited_total"), 2)

    def test_behind_a_proxy_clients_are_those_it_names(self):
        with self.serving(self.model, "--client-rate", "0.25", "--trust-proxy", "127.0.0.1") as server:
            def status(*forwarded):
                return ask(server.port, "/api/v1/info", headers={"X-Forwarded-For": ", ".join(forwarded)})[0]
            self.assertEqual([status("10.0.0.1"), status("10.0.0.1"), status("10.0.0.2")], [200, 429, 200])
            self.assertEqual(status("10.0.0.9", "10.0.0.1"), 429, "a client cannot make up another address")

    def test_refusals_are_counted(self):
        with self.serving(self.model, "--client-rate", "0.25") as server:
            ask(server.port, "/api/v1/info")
            ask(server.port, "/api/v1/info")
            self.assertIn('idne_requests_total{endpoint="refused",status="429"} 1', server.ask("GET", "/metrics")[2].decode())


class Start(ServeCase):
    def test_the_page_is_there_before_the_model(self):
        slow = self.folder / "slow"
        slow.mkdir()
        os.mkfifo(slow / "documents.jsonl")  # the server reads as fast as this is written
        port = free_port()
        process = subprocess.Popen([IDNE, "serve", self.model, "--corpus", slow, "--port", str(port), "--log", "none"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def answers(path):
            try:
                return ask(port, path)
            except ConnectionError:
                return None
        wait_until(lambda: answers("/healthz"), "it answers")
        self.assertEqual((answers("/")[0], answers("/assets/app.js")[0]), (200, 200))
        self.assertEqual((answers("/readyz")[0], answers("/readyz")[2]), (503, b"loading\n"))
        self.assertEqual(answers("/healthz")[2], b"ok\nloading\n")
        self.assertRegex(answers("/metrics")[2].decode(), r'idne_requests_total\{endpoint="/readyz",status="503"\} 2')
        waiting = []
        client = threading.Thread(target=lambda: waiting.append(answers("/api/v1/info")[0]))
        client.start()
        with open(slow / "documents.jsonl", "wb") as out:
            out.write((self.corpus / "documents.jsonl").read_bytes())
        client.join()
        self.assertEqual(waiting, [200], "who asked for more has waited")
        self.assertEqual(answers("/readyz")[2], b"ready\n")
        process.terminate()
        self.assertEqual(process.wait(30 * SLOWER), 0)


class Names(ServeCase):
    def test_names_are_stored_in_the_model_by_those_who_may(self):
        own = self.folder / "own.idne"
        shutil.copy(self.model, own)
        tokens = self.folder / "tokens"
        tokens.write_text("anna feedback correct-horse\nwiki read battery-staple\n")
        with self.serving(own, "--rename", "--token-file", tokens) as server:
            def name(body, token="correct-horse"):
                status, _, answer = ask(server.port, "/api/v1/names", body=body, headers={"Authorization": f"Bearer {token}"})
                return status, json.loads(answer)
            info = lambda token: json.loads(ask(server.port, "/api/v1/info", headers={"Authorization": f"Bearer {token}"})[2])
            self.assertEqual([info(token)["renaming"] for token in ("correct-horse", "battery-staple")], [True, False], "the page offers what one may do")
            self.assertEqual(name({"topic": 1, "name": "Space flight"}, "battery-staple")[0], 403)
            self.assertEqual(name({"topic": 1, "name": "Space flight"}), (200, {"topic": 1, "name": "Space flight"}))
            topics = lambda: json.loads(ask(server.port, "/api/v1/topics", headers={"Authorization": "Bearer battery-staple"})[2])["topics"]
            wait_until(lambda: topics()[0]["name"] == "Space flight", "all see it")
            self.assertEqual(name({"topic": 99, "name": "x"})[0], 400)
            self.assertEqual(name({"topic": 1, "label": "x", "name": "x"})[0], 400)
            self.assertEqual(name({"label": "none", "name": "x"})[0], 400)
        self.assertIn(b"Space flight", run("topics", own).out)
        self.assertEqual(self.server.post("/api/v1/names", {"topic": 1, "name": "x"})[0], 404, "only with --rename")

    def test_a_model_that_was_replaced_is_not_written_over(self):
        own = self.folder / "own.idne"
        shutil.copy(self.model, own)
        with self.serving(own, "--rename") as server:
            self.assertEqual(run("topics", own, "--name", "2=Other", "-o", own).code, 0)
            self.assertEqual(server.post("/api/v1/names", {"topic": 1, "name": "x"})[0], 409)
        self.assertIn(b"Other", run("topics", own).out)


class Proxy(ServeCase):
    @unittest.skipUnless(NGINX, "there is no nginx here (Debian's nginx-light)")
    def test_behind_nginx_below_a_path_with_tls(self):
        """The example in deploy/, with ports, certificate and folders of the test's own."""
        port, folder = free_port(), self.folder
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=docs.example.org",
                               "-keyout", folder / "key", "-out", folder / "pem"], capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        with self.serving(self.model, "--corpus", self.corpus, "--allow-host", "docs.example.org", "--trust-proxy", "127.0.0.1", "--feedback", folder / "said") as server:
            site = (ROOT / "deploy/nginx.conf").read_text()
            for old, new in ((r"listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), (r"listen \[::\]:443 ssl;", ""), (r"/etc/ssl/docs.example.org.pem", str(folder / "pem")),
                             (r"/etc/ssl/private/docs.example.org.key", str(folder / "key")), (r"127\.0\.0\.1:8080", f"127.0.0.1:{server.port}")):
                site, times = re.subn(old, new, site)
                self.assertGreater(times, 0, old)
            kept = "\n".join(f"{what}_temp_path {folder}/{what};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            (folder / "nginx.conf").write_text(f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}} http {{ access_log off; {kept}\n{site} }}")
            proxy = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
            try:
                wait_until(lambda: listens(port) or proxy.poll() is not None, "nginx listens")
                self.assertIsNone(proxy.poll(), "nginx takes the example")

                def through(path, body=None, **headers):
                    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60 * SLOWER, source_address=("127.0.0.2", 0), context=ssl._create_unverified_context())
                    with contextlib.closing(connection):
                        named = {name.replace("_", "-"): value for name, value in headers.items()}
                        connection.request("POST" if body else "GET", path, body, {"Host": f"docs.example.org:{port}", **named})
                        answer = connection.getresponse()
                        return answer.status, answer.read().decode()
                self.assertEqual(through("/idne")[0], 301)
                status, page = through("/idne/")
                self.assertEqual(status, 200)
                for asset in re.findall(r'(?:href|src)="\./(assets/[^"]+)"', page):
                    self.assertEqual(through(f"/idne/{asset}")[0], 200, asset)
                self.assertEqual(json.loads(through("/idne/api/v1/info")[1])["documents"], 400)
                target = json.loads(through("/idne/api/v1/suggest", '{"document": "7"}')[1])["links"][0]["id"]
                said = json.dumps({"kind": "link", "document": "7", "target": target, "verdict": "accept"})
                self.assertEqual(through("/idne/api/v1/feedback", said, Origin=f"https://docs.example.org:{port}")[0], 200, "its own page")
                self.assertEqual(through("/idne/api/v1/feedback", said, Origin="https://elsewhere.example")[0], 403)
                self.assertEqual(through("/idne/api/v1/info", X_Forwarded_For="10.1.2.3")[0], 200)
                wait_until(lambda: server.said().count('"peer":"127.0.0.2"') >= 8, "the log has the client, not the proxy")
                self.assertNotIn("10.1.2.3", server.said(), "nobody makes up an address")
            finally:
                proxy.terminate()
                proxy.wait()

    def test_the_other_examples_are_well_formed(self):
        checks = {"caddy": ["adapt", "--config", str(ROOT / "deploy/Caddyfile"), "--validate"], "systemd-analyze": ["verify", "--man=no", str(self.unit())]}
        missing = [tool for tool in checks if not shutil.which(tool)]
        for tool in set(checks) - set(missing):
            with self.subTest(tool):
                done = subprocess.run([tool, *checks[tool]], capture_output=True, text=True, env={**os.environ, "HOME": str(self.folder)})
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotRegex(done.stderr, r"idne\.service:\d+")
        if missing:
            self.skipTest(f"not here: {', '.join(missing)}")

    def unit(self):
        """The unit with a program that is there."""
        unit = self.folder / "idne.service"
        unit.write_text((ROOT / "deploy/idne.service").read_text().replace("/usr/local/bin/idne", str(pathlib.Path(IDNE).resolve())))
        return unit


if __name__ == "__main__":
    unittest.main()
