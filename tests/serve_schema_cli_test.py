#!/usr/bin/env python3
"""What the server answers is what its description says: every endpoint is asked, and each answer is held against the schema of the OpenAPI description.

The environment is that of cli.py.
"""
import json
import unittest
import urllib.parse

from cli import run
from server import Server, ServeCase, TEXT

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def faults(value, schema, schemas, where="answer"):
    """What of a value is not as a schema says; the part of JSON Schema that the description uses."""
    if "$ref" in schema:
        return faults(value, {**schemas[schema["$ref"].rsplit("/", 1)[1]], "nullable": schema.get("nullable", False)}, schemas, where)
    kind = schema.get("type")
    if value is None and kind:
        return [] if schema.get("nullable") else [f"{where} is null"]
    if kind in ("integer", "number"):
        right = isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
        return [] if right else [f"{where} is no {kind}: {value!r}"]
    if kind and not isinstance(value, TYPES[kind]):
        return [f"{where} is no {kind}: {value!r}"]
    found = []
    if kind == "array":
        for number, one in enumerate(value):
            found += faults(one, schema["items"], schemas, f"{where}[{number}]")
    if kind == "object":
        found += [f"{where} has no {name}" for name in schema["required"] if name not in value]
        for name, one in value.items():
            found += faults(one, schema["properties"][name], schemas, f"{where}.{name}") if name in schema["properties"] else [f"{where} has {name}, which is not described"]
    return found


class Schemas(ServeCase):
    """One server with all that can be asked for: texts, feedback, names, dates."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = (cls.corpus / "documents.jsonl").read_text().splitlines()
        cls.dated = cls.corpus.parent / "dated"
        cls.dated.mkdir()
        with open(cls.dated / "documents.jsonl", "w") as out:
            for row, line in enumerate(lines):
                out.write(json.dumps({**json.loads(line), "date": f"{2000 + row % 5}-0{1 + row % 9}-01"}) + "\n")
        cls.named = cls.corpus.parent / "named.idne"
        run("train", cls.dated, "-o", cls.named, "--topics", "5", "--dim", "16", "--steps", "50")
        cls.all_in = Server(cls.named, "--corpus", cls.dated, "--feedback", cls.corpus.parent / "said.jsonl", "--rename")
        cls.addClassCleanup(cls.all_in.stop)
        cls.description = cls.all_in.get("/api/v1/openapi.json")[1]

    def test_every_answer_is_as_described(self):
        ids = [one["id"] for one in self.all_in.get("/api/v1/documents?k=5")[1]["documents"]]
        id_ = urllib.parse.quote(ids[0], safe="")
        suggested = self.all_in.post("/api/v1/suggest", {"document": ids[0], "k": 3})[1]["links"][0]["id"]
        judged = {"kind": "link", "document": ids[0], "target": suggested}
        asked = {
            "/info": [None], "/topics": ["top=3&examples=1", ""], "/times": ["by=year", "by=month"], "/words": ["prefix=a", ""],
            "/documents": ["k=3", "topic=1"], "/rows": ["label=none"], "/documents/{id}": ["", "q=planet"], "/read": [f"document={id_}", f"document={id_}&q=planet"], "/map": [""], "/search": [f"q={urllib.parse.quote(TEXT)}&snippets=3", "q=zzzz"],
            "/place": [{"text": TEXT, "targets": [ids[0], "none"]}, {"document": ids[0]}, {"text": "qqqq"}], "/embed": [{"documents": [{"text": TEXT}, {"text": ""}]}],
            "/similar": [{"text": TEXT}, {"document": ids[0]}, {"topic": 1}], "/explain": [{"text": TEXT}, {"document": ids[0]}],
            "/feedback": [{**judged, "verdict": "reject"}], "/suggest": [{"text": TEXT}, {"document": ids[0]}],
            "/explain/pair": [{"first": {"document": ids[0]}, "second": {"text": TEXT}}], "/links/common": [{"first": {"document": ids[0]}, "second": {"text": TEXT}}, {"first": {"document": ids[0]}, "second": {"document": ids[1]}}], "/names": [{"topic": 1, "name": "First"}],
        }
        schemas = self.description["components"]["schemas"]
        operations = [(path, method, one) for path, methods in self.description["paths"].items() for method, one in methods.items()]
        self.assertEqual({path.removeprefix("/api/v1") for path, _, _ in operations}, set(asked), "all endpoints are asked")
        for path, method, operation in sorted(operations, key=lambda one: list(asked).index(one[0].removeprefix("/api/v1"))):
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            for given in asked[path.removeprefix("/api/v1")]:
                address = path.replace("{id}", id_) + (f"?{given}" if method == "get" and given else "")
                status, answer, *_ = self.all_in.get(address) if method == "get" else self.all_in.post(address, given)
                self.assertEqual((status, faults(answer, schema, schemas)), (200, []), f"{address} {given}")
        status, answer, *_ = self.all_in.get("/api/v1/documents/none")
        self.assertEqual((status, faults(answer, schemas["Failed"], schemas)), (404, []))

    def test_the_check_finds_faults(self):
        schemas = self.description["components"]["schemas"]
        row = {"row": 1, "id": "a", "title": "b", "labels": [], "topic": None}
        self.assertEqual(faults(row, schemas["Row"], schemas), [])
        for wrong in ({**row, "row": "1"}, {**row, "more": 1}, {**row, "labels": [1]}, {**row, "id": None}, {"row": 1}):
            self.assertNotEqual(faults(wrong, schemas["Row"], schemas), [], wrong)


if __name__ == "__main__":
    unittest.main()
