#!/usr/bin/env python3
"""`idne serve` while its files change: SIGHUP and --watch take up a new model, a broken one leaves the old one, and a corpus must be the model's."""
import json
import os
import pty
import shutil
import signal
import threading
import time
import unittest

from cli import IDNE, run, SLOWER
from server import port_in, post_bytes, receive, Server, ServeCase, TEXT, wait_until


class Files(ServeCase):
    """A model of 400 documents, which is served, and one of 300 to take its place."""

    smaller = None

    def setUp(self):
        super().setUp()
        if Files.smaller is None:
            Files.smaller = self.model.with_name("smaller.idne")
            lines = (self.corpus / "documents.jsonl").read_text().splitlines(keepends=True)
            Files.part = self.model.with_name("part")
            Files.part.mkdir()
            (Files.part / "documents.jsonl").write_text("".join(lines[:300]))
            shutil.copy(self.corpus / "links.tsv", Files.part)
            made = run("train", Files.part, "-o", Files.smaller, "--topics", 5, "--dim", 32, "--steps", 300)
            assert made.code == 0, made
        self.own = self.folder / "own.idne"
        shutil.copy(self.model, self.own)

    def put(self, model, index=None):
        """In the place of the model that is served, as updates do it."""
        for source, target in ((index, self.folder / "own.idne.index"), (model, self.own)):
            if source:
                shutil.copy(source, self.folder / "beside")
                os.replace(self.folder / "beside", target)

    def events(self, log):
        return [json.loads(line) for line in log.splitlines() if '"event"' in line]


class HangingUp(Files):
    def test_takes_up_a_new_model_and_keeps_it_when_the_next_is_broken(self):
        with self.serving(self.own) as server:
            before = server.get("/api/v1/info")[1]
            map_before = len(server.get("/api/v1/map")[1]["x"])
            self.put(self.smaller)
            self.assertEqual(server.get("/api/v1/info")[1], before, "nothing is taken up unasked")
            server.hang_up()
            info = server.get("/api/v1/info")[1]
            self.assertEqual((before["documents"], info["documents"], info["topics"]), (400, 300, 5))
            self.assertNotEqual(info["version"], before["version"])
            self.assertEqual((map_before, len(server.get("/api/v1/map")[1]["x"])), (400, 300))
            self.assertEqual(len(server.get("/api/v1/topics")[1]["topics"]), 5)
            self.assertEqual(server.ask("GET", "/api/v1/map")[1]["Idne-Model"], info["version"])
            self.assertEqual(server.post("/api/v1/similar", {"text": TEXT})[1], self.json("similar", self.smaller, "-", stdin=TEXT.encode()))
            self.assertNotIn("failed", server.health())

            self.own.write_bytes(b"broken")
            server.hang_up()
            self.assertEqual(server.get("/api/v1/info")[1], info)
            self.assertRegex(server.health(), r"\Aok\nmodel: own\.idne\n(.*\n)*reload failed: \d{4}\S+Z .*own\.idne: not a usable model")
            self.assertEqual((server.metric("idne_reloads_total"), server.metric("idne_reloads_failed_total"), server.metric("idne_reload_failing")), (1, 1, 1))
            self.own.unlink()
            server.hang_up()
            self.assertEqual(server.get("/api/v1/info")[1], info)

            self.put(self.model)
            server.hang_up()
            self.assertEqual(server.get("/api/v1/info")[1]["version"], before["version"])
            self.assertNotIn("failed", server.health())
            self.assertEqual(server.metric("idne_reload_failing"), 0)
            said = [event for event in self.events(server.said()) if event["event"] != "note"]
            self.assertEqual([event["event"] for event in said], ["reload", "reload failed", "reload failed", "reload"])
            self.assertIn("own.idne: not a usable model", said[1]["what"])

    def test_the_index_beside_the_new_model_is_used_and_a_missing_one_made(self):
        with self.serving(self.smaller):
            pass
        index = self.smaller.with_name("smaller.idne.index")
        with self.serving(self.own) as server:
            self.put(self.smaller, index)
            number = (self.folder / "own.idne.index").stat().st_ino
            server.hang_up()
            self.assertEqual((self.folder / "own.idne.index").stat().st_ino, number)
            self.assertEqual(len(self.events(server.said())), 1, "there is nothing to note about it")
            (self.folder / "own.idne.index").unlink()
            server.hang_up()
            self.assertEqual((self.folder / "own.idne.index").read_bytes(), index.read_bytes())

    def test_no_request_fails_and_each_has_one_model(self):
        wanted = {}
        for model in (self.model, self.smaller):
            with self.serving(model) as server:
                _, headers, body = server.ask("POST", "/api/v1/suggest", json.dumps({"text": TEXT}).encode())
                wanted[headers["Idne-Model"]] = body
        self.assertEqual(len(wanted), 2)
        seen, wrong, done = set(), [], threading.Event()

        def ask(server):
            while not done.is_set():
                status, headers, body = server.ask("POST", "/api/v1/suggest", json.dumps({"text": TEXT}).encode())
                seen.add(headers.get("Idne-Model"))
                if status != 200 or wanted[headers["Idne-Model"]] != body:
                    wrong.append((status, body))

        with self.serving(self.own, "--threads", 2) as server:
            clients = [threading.Thread(target=ask, args=(server,)) for _ in range(4)]
            for client in clients:
                client.start()
            for n in range(6):
                self.put((self.smaller, self.model)[n % 2])
                server.hang_up()
            done.set()
            for client in clients:
                client.join()
        self.assertEqual((wrong, seen), ([], set(wanted)))

    def test_a_request_ends_with_the_model_that_it_began_with(self):
        old = self.server.get("/api/v1/info")[1]["version"]
        slow = json.dumps({"text": TEXT * 11000}).encode()  # tenths of a second
        with self.serving(self.own, "--threads", 2) as server, server.connect() as s:
            self.put(self.smaller)
            s.sendall(post_bytes("/api/v1/explain", slow))
            wait_until(lambda: server.metric("idne_requests_waiting") > 0, "it is at work")
            server.hang_up()
            new = server.get("/api/v1/info")[1]["version"]
            self.assertNotEqual(old, new)
            got = receive(s, lambda got: got.endswith(b"}\n"))
            self.assertIn(b"Idne-Model: " + old.encode(), got[:1000])
            s.sendall(post_bytes("/api/v1/similar", b'{"text": "planet"}'))
            self.assertIn(b"Idne-Model: " + new.encode(), receive(s, lambda got: got.endswith(b"]\n"))[:1000])

    def test_many_signals_are_few_reloads(self):
        with self.serving(self.own) as server:
            for _ in range(50):
                server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: server.reloads() > 0, "the model is taken up")
            time.sleep(0.3)
            self.assertLess(server.reloads(), 50)
            self.assertEqual(server.get("/api/v1/info")[0], 200)

    def test_the_log_is_opened_anew(self):
        log = self.folder / "access.log"
        with self.serving(self.own, "--log", log) as server:
            server.get("/api/v1/words?prefix=a")
            log.rename(self.folder / "access.log.1")
            server.get("/api/v1/topics")
            server.hang_up()
            server.get("/api/v1/documents")
            old, new = (self.folder / "access.log.1").read_text(), log.read_text()
            self.assertTrue("/words" in old and "/topics" in old and "/documents" not in old, old)
            self.assertTrue("/documents" in new and '"reload"' in new and "/topics" not in new, new)
            self.assertIn("idne: reload: own.idne: 400 documents\n", server.said())
            log.unlink()
            log.mkdir()  # no log can be opened there: the one that there is goes on
            server.hang_up()
            self.assertIn("log not reopened", server.said())
            self.assertEqual(server.get("/api/v1/documents")[0], 200)

    def test_ends_it_with_the_terminal_that_it_was_started_in(self):
        child, terminal = pty.fork()
        if child == 0:
            os.execv(IDNE, [IDNE, "serve", str(self.own), "--port", "0"])
        said = b""
        while not (port := port_in(said.decode("utf-8", "replace"))):
            said += os.read(terminal, 1000)
        server = object.__new__(Server)
        server.port = port
        os.kill(child, signal.SIGHUP)  # by hand it means what it means elsewhere
        wait_until(lambda: server.reloads() == 1, "the model is taken up anew")
        os.close(terminal)
        limit = time.monotonic() + 30 * SLOWER
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() > limit:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                self.fail("it outlives its terminal")
            time.sleep(0.02)
        self.assertEqual(os.waitstatus_to_exitcode(ended[1]), 0)


class Watching(Files):
    def documents(self, server):
        return server.get("/api/v1/info")[1]["documents"]

    def test_a_model_that_is_replaced_is_taken_up(self):
        with self.serving(self.own, "--watch") as server:
            self.put(self.smaller)
            wait_until(lambda: self.documents(server) == 300, "the new model is served")
            wait_until(lambda: self.events(server.said()), "the log tells")
            time.sleep(1.5)  # its index was made and written meanwhile, which is no reason to begin again
            self.assertEqual((server.metric("idne_reloads_total"), server.metric("idne_reloads_failed_total")), (1, 0))
            shutil.copy(self.model, self.own)  # the same file, written over
            wait_until(lambda: self.documents(server) == 400, "the old model is served again")
            link = self.folder / "link"
            link.symlink_to(self.smaller)
            os.replace(link, self.own)
            wait_until(lambda: self.documents(server) == 300, "what a link leads to is served")
            self.assertEqual(server.metric("idne_reloads_failed_total"), 0)

    def test_a_file_that_is_still_being_written_is_left_alone(self):
        content = self.smaller.read_bytes()
        with self.serving(self.own, "--watch") as server:
            with open(self.own, "wb", buffering=0) as file:
                file.write(content[:1000])
                time.sleep(1.5)
                self.assertEqual((self.documents(server), server.reloads()), (400, 0))
                file.write(content[1000:])
            wait_until(lambda: self.documents(server) == 300, "the new model is served")
            self.assertEqual(server.metric("idne_reloads_failed_total"), 0)

    def test_a_broken_one_is_tried_once(self):
        with self.serving(self.own, "--watch", "--log", "none") as server:
            self.own.write_bytes(b"broken")
            wait_until(lambda: server.reloads() == 1, "it is tried")
            self.assertIn("reload failed", server.health())
            self.assertIn("not a usable model", server.said())
            os.utime(self.folder)
            (self.folder / "another").write_text("is nobody's business")
            time.sleep(1.2)
            self.assertEqual((server.reloads(), self.documents(server)), (1, 400))
            self.put(self.smaller)
            wait_until(lambda: self.documents(server) == 300, "the next one is taken up")
            self.assertNotIn("failed", server.health())


class Corpora(Files):
    def test_one_that_is_not_the_models_is_refused(self):
        for corpus, says in ((self.part, "not the corpus of own.idne: 100 of its 400 documents are missing there (the first is '300')"),
                             (self.other_texts(), "not the corpus of own.idne: 1 of its 400 documents has another text there (the first is '7')")):
            with self.subTest(says):
                refused = self.fails(1, "serve", self.own, "--corpus", corpus, "--port", 0, says=says)
                self.assertIn("idne update", refused.err)

    def other_texts(self):
        lines = [json.loads(line) for line in (self.corpus / "documents.jsonl").read_text().splitlines()]
        lines[7]["text"] += "."
        return self.write("other/documents.jsonl", "".join(json.dumps(line) + "\n" for line in lines)).parent

    def test_one_with_more_documents_is_noted(self):
        shutil.copy(self.smaller, self.own)
        with self.serving(self.own, "--corpus", self.corpus) as server:
            self.assertIn("100 of its documents are not in the model", server.said())
            self.assertEqual(server.get("/api/v1/documents/7")[1]["whole"], True)

    def test_a_new_model_that_is_not_the_corpus_s_is_not_taken_up(self):
        shutil.copy(self.smaller, self.own)
        corpus = self.folder / "corpus"
        shutil.copytree(self.part, corpus)
        with self.serving(self.own, "--corpus", corpus, "--watch") as server:
            self.put(self.model)
            wait_until(lambda: "not the corpus of own.idne" in server.health(), "it is found out")
            self.assertEqual(server.get("/api/v1/info")[1]["documents"], 300)
            shutil.copy(self.corpus / "documents.jsonl", corpus)
            wait_until(lambda: server.get("/api/v1/info")[1]["documents"] == 400, "both are taken up")
            self.assertEqual(server.get("/api/v1/documents/399")[1]["whole"], True)


if __name__ == "__main__":
    unittest.main(verbosity=1)
