#!/usr/bin/env python3
"""`idne serve --feedback`: people accept and reject what is suggested for a document, and take it back."""
import json
import shutil
import unittest

from server import Server, ServeCase, TEXT

PATH = "/api/v1/feedback"


class Feedback(ServeCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "feedback.jsonl"

    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]

    def suggested(self, server, document="7", k=5):
        status, answer = server.post("/api/v1/suggest", {"document": document, "k": k})
        self.assertEqual(status, 200, answer)
        return answer

    def say(self, server, kind, target, verdict, document="7"):
        return server.post(PATH, {"kind": kind, "document": document, "target": target, "verdict": verdict})

    def test_what_is_rejected_is_left_out_and_what_is_accepted_marked(self):
        with self.serving(self.model, "--feedback", self.file) as server:
            self.assertTrue(server.get("/api/v1/info")[1]["feedback"])
            six, five = self.suggested(server, k=6), self.suggested(server)
            first, second = (link["id"] for link in five["links"][:2])
            self.assertEqual(five["rejected"], {"labels": [], "links": []})
            self.assertEqual(self.say(server, "link", first, "reject"), (200, {"kind": "link", "document": "7", "target": first, "verdict": "reject"}))
            self.assertEqual(self.say(server, "link", second, "accept")[0], 200)
            own = server.get("/api/v1/documents/7")[1]["labels"]
            label = next(one["label"] for one in six["labels"] if one["label"] not in own)
            self.assertEqual(self.say(server, "label", label, "reject")[0], 200)

            now = self.suggested(server)
            self.assertEqual([link["id"] for link in now["links"]], [link["id"] for link in six["links"][1:]], "as many as before")
            self.assertEqual([link.get("verdict") for link in now["links"]], ["accept", None, None, None, None])
            self.assertNotIn(label, [one["label"] for one in now["labels"]])
            title = next(link["title"] for link in five["links"] if link["id"] == first)
            self.assertEqual(now["rejected"], {"labels": [{"label": label}], "links": [{"id": first, "title": title}]})
            self.assertNotIn("7", [link["id"] for link in self.suggested(server, first, 100)["links"]], "nor the other way round")
            self.assertEqual(server.post("/api/v1/suggest", {"text": TEXT})[1], self.json("suggest", self.model, "-", stdin=TEXT.encode()))

            for kind, target in (("link", first), ("link", second), ("label", label)):
                self.assertEqual(self.say(server, kind, target, "undo")[1]["verdict"], None)
            self.assertEqual(self.suggested(server), five)
        lines = self.lines()
        self.assertEqual([line["verdict"] for line in lines], ["reject", "accept", "reject", "undo", "undo", "undo"])
        self.assertEqual({key: lines[0][key] for key in ("kind", "document", "target")}, {"kind": "link", "document": "7", "target": first})
        self.assertRegex(lines[0]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_it_outlives_the_server_however_that_ends(self):
        with self.serving(self.model, "--feedback", self.file) as server:
            first = self.suggested(server)["links"][0]["id"]
            self.say(server, "link", first, "reject")
        doomed = self.start_server()
        self.assertNotIn(first, [link["id"] for link in self.suggested(doomed)["links"]])
        second = self.suggested(doomed)["links"][0]["id"]
        self.assertEqual(self.say(doomed, "link", second, "reject")[0], 200)
        doomed.process.kill()
        doomed.process.wait()
        with open(self.file, "a") as file:
            file.write('{"time":"2025-03-04T')  # as far as somebody came who was killed while writing
        with self.serving(self.model, "--feedback", self.file) as server:
            self.assertFalse({first, second} & {link["id"] for link in self.suggested(server)["links"]})
            self.assertEqual(self.say(server, "link", second, "undo")[0], 200)
        self.assertEqual(len(self.lines()), 3)

    def start_server(self):
        server = Server(self.model, "--feedback", self.file)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.kill)
        return server

    def test_what_makes_no_sense_is_refused(self):
        linked = self.server.get("/api/v1/documents/7")[1]
        with self.serving(self.model, "--feedback", self.file) as server:
            good = {"kind": "link", "document": "7", "target": "8", "verdict": "accept"}
            for change, status, says in (({"kind": "word"}, 400, "kind"), ({"verdict": "maybe"}, 400, "verdict"), ({"target": "7"}, 400, "itself"),
                                         ({"document": "nobody"}, 404, "nobody"), ({"target": "nobody"}, 404, "nobody"), ({"target": linked["links"][0]["id"]}, 409, "linked"),
                                         ({"kind": "label", "target": "nothing"}, 404, "nothing"), ({"kind": "label", "target": linked["labels"][0]}, 409, "has the label"),
                                         ({"verdict": "undo"}, 409, "nothing to undo"), ({"text": TEXT}, 400, "no \"text\""), ({"target": 8}, 400, "target")):
                with self.subTest(change):
                    got, answer = server.post(PATH, {**good, **change})
                    self.assertEqual(got, status, answer)
                    self.assertIn(says, answer["error"])
            self.assertEqual(server.post(PATH, {"kind": "link"})[0], 400)
            self.assertEqual(server.get(PATH)[0], 405)
        self.assertEqual(self.file.read_text(), "")

    def test_without_the_option_there_is_none(self):
        with self.serving(self.model) as server:
            self.assertFalse(server.get("/api/v1/info")[1]["feedback"])
            status, answer = self.say(server, "link", "8", "accept")
            self.assertEqual(status, 404)
            self.assertIn("--feedback", answer["error"])
            self.assertNotIn("rejected", self.suggested(server))

    def test_other_pages_cannot_send_it(self):
        body = json.dumps({"kind": "label", "document": "7", "target": "x", "verdict": "undo"}).encode()
        token = self.write("token", "correct-horse")
        with self.serving(self.model, "--feedback", self.file, "--allow-origin", "https://a.example") as server:
            own = f"127.0.0.1:{server.port}"
            for origin, status in ((None, 409), (f"http://{own}", 409), ("https://a.example", 409), ("https://b.example", 403), ("null", 403), (f"http://{own}.b.example", 403)):
                with self.subTest(origin):
                    headers = {"Host": own, **({"Origin": origin} if origin else {})}
                    self.assertEqual(server.ask("POST", PATH, body, headers)[0], status)
        with self.serving(self.model, "--feedback", self.file, "--token-file", token) as server:
            self.assertEqual(server.ask("POST", PATH, body)[0], 401)
            self.assertEqual(server.ask("POST", PATH, body, {"Authorization": "Bearer correct-horse"})[0], 409)

    def test_a_file_that_is_of_no_use(self):
        self.fails(1, "serve", self.model, "--port", 0, "--feedback", self.write("bad", "{}\n{\n"), says="bad:1: \"kind\"")
        self.fails(1, "serve", self.model, "--port", 0, "--feedback", self.folder / "no" / "where", says="cannot write")
        self.fails(1, "serve", self.model, "--port", 0, "--feedback", self.folder)
        own = self.folder / "own.idne"
        shutil.copy(self.model, own)
        self.fails(2, "serve", own, "--port", 0, "--feedback", own)
        self.assertEqual(own.read_bytes(), self.model.read_bytes())

    def test_a_file_that_was_moved_away(self):
        with self.serving(self.model, "--feedback", self.file) as server:
            first = self.suggested(server)["links"][0]["id"]
            self.say(server, "link", first, "reject")
            self.file.rename(self.folder / "done")
            server.hang_up()
            self.assertEqual(self.suggested(server)["links"][0]["id"], first, "the new file does not know of it")
            self.say(server, "link", first, "accept")
            self.assertEqual([line["verdict"] for line in self.lines()], ["accept"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
