#!/usr/bin/env python3
"""What `idne serve` answers: the program's own results, documents, the map, the page."""
import concurrent.futures
import gzip
import json
import re
import unittest
import urllib.parse

from server import ServeCase, TEXT


class Answers(ServeCase):
    maxDiff = 2000

    def test_are_the_programs(self):
        for endpoint in ("similar", "suggest", "explain"):
            with self.subTest(endpoint):
                expected = self.json(endpoint, self.model, "-", stdin=TEXT.encode())
                self.assertEqual(self.server.post(f"/api/v1/{endpoint}", {"text": TEXT}), (200, expected))
        for body, options in (({"word": "planet", "k": 3}, ["--word", "planet", "-k", 3]), ({"topic": 2, "k": 4}, ["--topic", 2, "-k", 4]), ({"document": "7"}, ["--document", "7"])):
            with self.subTest(body):
                self.assertEqual(self.server.post("/api/v1/similar", body), (200, self.json("similar", self.model, *options)))
        expected = self.json("explain", self.model, self.write("a.txt", TEXT), "--with-document", "7")
        status, pair = self.server.post("/api/v1/explain/pair", {"first": {"text": TEXT}, "second": {"document": "7"}})
        self.assertEqual(status, 200)
        self.assertAlmostEqual(pair["cosine"], expected["cosine"], 6)
        self.assertEqual([word["word"] for word in pair["words"]], [word["word"] for word in expected["words"]])
        info = self.server.get("/api/v1/info")[1]
        for key, value in self.json("info", self.model).items():
            self.assertEqual(info[key], value, key)
        topics = self.server.get("/api/v1/topics?top=7&examples=2")[1]
        for topic in topics["topics"]:
            self.assertTrue(all(other["topic"] != topic["topic"] for other in topic.pop("related")))
        self.assertEqual(topics, self.json("topics", self.model, "--top", 7, "--examples", 2))

    def test_names_that_people_gave(self):
        named = self.folder / "named.idne"
        self.ok("topics", self.model, "--name", "2=Law", "-o", named)
        with self.serving(named) as server:
            topics = server.get("/api/v1/topics")[1]["topics"]
            self.assertEqual((topics[1]["name"], topics[1]["named"], topics[0]["named"]), ("Law", True, False))
            own = topics[1]["documents"][0]["id"]
            for answer in (server.post("/api/v1/explain", {"document": own})[1], server.get(f"/api/v1/documents/{own}")[1]):
                self.assertIn({"topic": 2, "name": "Law"}, [{"topic": t["topic"], "name": t["name"]} for t in answer["topics"]])

    def test_embed(self):
        status, answer = self.server.post("/api/v1/embed", {"documents": [{"text": TEXT}, {"text": ""}]})
        self.assertEqual((status, len(answer["vectors"])), (200, 2))
        documents = self.write("docs.jsonl", json.dumps({"text": TEXT}) + "\n")
        line = json.loads(self.ok("embed", self.model, documents, "--format", "jsonl").out)
        vector = line if isinstance(line, list) else line["vector"]
        self.assertTrue(all(abs(a - b) < 1e-6 for a, b in zip(answer["vectors"][0], vector)))
        self.assertFalse(any(answer["vectors"][1]))

    def test_pages_of_documents(self):
        documents = self.read_documents()
        status, page = self.server.get("/api/v1/documents?from=5&k=3")
        self.assertEqual((status, page["total"], [d["row"] for d in page["documents"]]), (200, 400, [5, 6, 7]))
        self.assertEqual(page["documents"][0]["id"], documents[5]["id"])
        self.assertEqual(page["documents"][0]["labels"], documents[5]["labels"])
        label = documents[0]["labels"][0]
        chosen = self.server.get(f"/api/v1/documents?label={label}&k=1000")[1]
        self.assertEqual([d["id"] for d in chosen["documents"]], [d["id"] for d in documents if label in d["labels"]])
        self.assertEqual(chosen["total"], len(chosen["documents"]))
        self.assertEqual(self.server.get(f"/api/v1/rows?label={label}"), (200, {"rows": [d["row"] for d in chosen["documents"]]}))
        self.assertEqual(self.server.get("/api/v1/rows?label=none"), (200, {"rows": []}))
        by_topic = [self.server.get(f"/api/v1/documents?topic={k}")[1]["total"] for k in range(1, 7)]
        self.assertEqual(sum(by_topic), 400)

    def test_one_document(self):
        document = self.read_documents()[5]
        pairs = [set(line.split()[:2]) for line in (self.corpus / "links.tsv").read_text().splitlines()]
        status, one = self.server.get("/api/v1/documents/" + document["id"])
        self.assertEqual((status, one["whole"]), (200, True))
        self.assertEqual("".join(token["text"] for token in one["tokens"]), document["text"])
        linked = {d["id"] for d in one["links"]}
        self.assertEqual(linked, set().union(*(pair for pair in pairs if document["id"] in pair)) - {document["id"]})
        self.assertEqual(one["links_total"], len(one["links"]))
        near = {d["id"] for d in one["similar"]}
        self.assertTrue(near and document["id"] not in near and not near & linked)
        suggested = self.server.post("/api/v1/suggest", {"document": document["id"]})[1]
        self.assertFalse({d["id"] for d in suggested["links"]} & (linked | {document["id"]}))
        self.assertTrue(suggested["links"] and suggested["labels"])
        self.assertEqual(self.server.get("/api/v1/documents/nobody")[0], 404)

    def test_links_in_common(self):
        """Of whole lists of links, however long: here two documents are linked with each other and with 250 more."""
        corpus, model = self.folder / "linked", self.folder / "linked.idne"
        corpus.mkdir()
        (corpus / "documents.jsonl").write_bytes((self.corpus / "documents.jsonl").read_bytes())
        (corpus / "links.tsv").write_text("0\t1\n3\t4\n" + "".join(f"{own}\t{other}\n" for own in (0, 1) for other in range(100, 350)))
        self.ok("train", corpus, "-o", model, "--method", "lsa", "--dim", 16)
        with self.serving(model) as server:
            common = lambda first, second, **more: server.post("/api/v1/links/common", {"first": first, "second": second, **more})[1]
            both = common({"document": "0"}, {"document": "1"}, k=300)
            self.assertEqual((both["linked"], both["total"], {one["id"] for one in both["links"]}), (True, 250, {str(n) for n in range(100, 350)}))
            self.assertEqual([one["score"] for one in both["links"]], sorted((one["score"] for one in both["links"]), reverse=True))
            few = common({"document": "1"}, {"document": "0"}, k=3)
            self.assertEqual((few["total"], few["links"]), (250, both["links"][:3]))
            one = common({"document": "0"}, {"document": "300"})
            self.assertEqual((one["linked"], one["total"], [d["id"] for d in one["links"]]), (True, 1, ["1"]))
            self.assertEqual(common({"document": "0"}, {"document": "3"}), {"linked": False, "total": 0, "links": []})
            text = {"text": self.read_documents()[0]["text"]}
            suggested = {one["id"] for one in server.post("/api/v1/suggest", {**text, "k": 20})[1]["links"]}
            mixed = common(text, {"document": "0"}, k=300)
            self.assertEqual((mixed["linked"], {one["id"] for one in mixed["links"]}), (None, suggested & {str(n) for n in [1, *range(100, 350)]}))
            self.assertEqual(common({"text": ""}, {"document": "0"})["total"], 0)
            self.assertEqual(server.post("/api/v1/links/common", {"first": {"document": "nobody"}, "second": text})[0], 404)

    def read_documents(self):
        return [json.loads(line) for line in (self.corpus / "documents.jsonl").read_text().splitlines()]

    def test_map_words_search(self):
        status, headers, body = self.server.ask("GET", "/api/v1/map", headers={"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        places = json.loads(gzip.decompress(body))
        plain = self.server.get("/api/v1/topics")
        status, headers, body = self.server.ask("GET", "/api/v1/topics", headers={"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"], json.loads(gzip.decompress(body))), (200, "gzip", plain[1]))
        self.assertNotIn("Content-Encoding", self.server.ask("GET", "/api/v1/words?k=1", headers={"Accept-Encoding": "gzip"})[1])
        self.assertEqual(self.server.ask("GET", "/readyz")[2], b"ready\n")
        self.assertEqual(places, self.server.get("/api/v1/map")[1])
        for key in ("x", "y", "topic", "label", "links"):
            self.assertEqual(len(places[key]), 400, key)
        self.assertTrue(all(0 <= n <= 65535 for n in places["x"] + places["y"]))
        self.assertGreater(max(places["x"]) - min(places["x"]), 20000)
        words = self.server.get("/api/v1/words?prefix=pla&k=5")[1]["words"]
        self.assertIn("planet", [word["word"] for word in words])
        self.assertTrue(all(word["word"].startswith("pla") for word in words))
        found = self.server.get("/api/v1/search?q=planet+telescope&k=10")[1]
        self.assertEqual(found["query"], "planet telescope")
        self.assertTrue(any("planet" in hit["words"] for hit in found["results"]))
        self.assertEqual(self.server.get("/api/v1/search?q=7")[1]["results"][0]["id"], "7")
        self.assertEqual(self.server.get("/api/v1/search?q=%E2%98%83zzz")[1]["results"], [])
        self.assertNotIn("snippet", found["results"][0])
        own = self.server.post("/api/v1/place", {"document": "7", "targets": ["7", "no such"]})[1]
        self.assertEqual((own["x"], own["y"], own["targets"]), (places["x"][7], places["y"][7], [7, None]))
        text = self.server.post("/api/v1/place", {"text": self.read_documents()[7]["text"]})[1]
        self.assertLess(abs(text["x"] - own["x"]) + abs(text["y"] - own["y"]), 16000, "a text lies among its own kind")
        self.assertGreaterEqual(text["nearest"], text["usual"])
        self.assertIsNone(self.server.post("/api/v1/place", {"text": "qqzz"})[1]["x"])
        hit = self.server.get("/api/v1/search?q=telesc&k=2&snippets=1")[1]["results"][0]
        self.assertIn({"text": "telescope", "match": True}, [{**part, "text": part["text"].lower()} for part in hit["snippet"]])
        self.assertEqual({word.lower() for word in self.server.get(f"/api/v1/documents/{hit['id']}?q=telesc")[1]["found"]}, {"telescope"})

    def test_the_description_is_of_what_is_served(self):
        status, description = self.server.get("/api/v1/openapi.json")
        suggested = self.server.post("/api/v1/suggest", {"document": "7"})[1]["links"][0]["id"]
        self.assertEqual((status, description["openapi"][:2]), (200, "3."))
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                with self.subTest(f"{method} {path}"):
                    if method == "get":
                        needed = [one["name"] for one in operation.get("parameters", []) if one["required"] and one["in"] == "query"]
                        asked = urllib.parse.urlencode({name: {"q": "a", "document": "7", "label": "a"}[name] for name in needed})
                        status, _ = self.server.get(f"{path.replace('{id}', '7')}?{asked}")
                    else:
                        needed = operation["requestBody"]["content"]["application/json"]["schema"].get("required", ["text"])
                        values = {"text": TEXT, "documents": [{"text": TEXT}], "first": {"text": TEXT}, "second": {"text": TEXT},
                                  "kind": "link", "document": "7", "target": suggested, "verdict": "accept", "topic": 1, "name": "First"}
                        status, _ = self.server.post(path, {name: values[name] for name in needed})
                        self.assertEqual(self.server.get(path)[0], 405)
                    # This server takes no names, and its documents have no dates.
                    self.assertEqual(status, {"/api/v1/names": 404, "/api/v1/times": 400}.get(path, 200))

    def test_what_can_only_be_read_is_not_written_to(self):
        for path, allowed in (("/", "GET, HEAD"), ("/healthz", "GET, HEAD"), ("/metrics", "GET, HEAD"), ("/api/v1/info", "GET, HEAD"), ("/api/v1/documents/7", "GET, HEAD"), ("/api/v1/similar", "POST")):
            for method in ("POST", "PUT", "DELETE"):
                if method != allowed:
                    status, headers, answer = self.server.ask(method, path, b"{}")
                    self.assertEqual((status, headers["Allow"]), (405, allowed), f"{method} {path}")
                    self.assertIn("error", json.loads(answer))
        self.assertEqual(self.server.ask("PUT", "/api/v1/nothing", b"{}")[0], 404)

    def test_parameters_that_are_not_there_are_refused_wherever_they_stand(self):
        self.assertEqual(self.server.post("/api/v1/similar?k=3", {"text": TEXT})[0], 400)
        self.assertEqual(self.server.get("/api/v1/openapi.json?x=1")[0], 400)
        status, answer = self.server.get("/api/v1/topics?top=3&top=4")
        self.assertEqual((status, answer), (400, {"error": '"top" is given twice'}))

    def test_the_description_is_packed(self):
        status, headers, answer = self.server.ask("GET", "/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
        self.assertEqual((status, headers["Content-Encoding"]), (200, "gzip"))
        self.assertEqual(json.loads(gzip.decompress(answer)), self.server.get("/api/v1/openapi.json")[1])

    def test_same_answers_from_many_threads(self):
        expected = self.server.post("/api/v1/suggest", {"text": TEXT})
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for answer in pool.map(lambda _: self.server.post("/api/v1/suggest", {"text": TEXT}), range(200)):
                self.assertEqual(answer, expected)

    def test_a_text_without_known_words(self):
        self.assertEqual(self.server.post("/api/v1/similar", {"text": ""}), (200, []))
        self.assertEqual(self.server.post("/api/v1/suggest", {"text": "zzzz"}), (200, {"labels": [], "links": [], "doubts": ["none of its words is known"]}))

    def test_what_a_form_sends_is_still_json(self):
        body = json.dumps({"text": "a planet " * 2000}).encode()
        status, _, answer = self.server.ask("POST", "/api/v1/similar", body, {"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual((status, len(json.loads(answer))), (200, 10))

    def test_models_of_other_methods(self):
        model = self.folder / "lsa.idne"
        self.ok("train", self.corpus, "-o", model, "--method", "lsa", "--dim", 16)
        with self.serving(model) as lsa:
            self.assertEqual(lsa.get("/api/v1/info")[1]["topics"], 0)
            self.assertEqual(lsa.get("/api/v1/topics")[0], 400)
            self.assertEqual(lsa.post("/api/v1/explain", {"text": TEXT})[0], 400)
            self.assertEqual(lsa.get("/api/v1/documents/7")[1]["whole"], False)
            self.assertEqual(len(lsa.post("/api/v1/similar", {"text": TEXT})[1]), 10)
            self.assertEqual(lsa.get("/api/v1/map")[0], 200)

    def test_the_page(self):
        status, headers, page = self.server.ask("GET", "/")
        self.assertEqual(status, 200)
        self.assertIn(b"<html", page)
        for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
            self.assertIn(rule, headers["Content-Security-Policy"])
        for path in re.findall(rb'(?:src|href)="\.?/?([^"]+)"', page):
            with self.subTest(path):
                status, headers, plain = self.server.ask("GET", "/" + path.decode())
                self.assertEqual(status, 200)
                packed = self.server.ask("GET", "/" + path.decode(), headers={"Accept-Encoding": "gzip, br"})
                self.assertEqual(gzip.decompress(packed[2]), plain)
        self.assertEqual(self.server.ask("HEAD", "/")[2], b"")


if __name__ == "__main__":
    unittest.main(verbosity=1)
