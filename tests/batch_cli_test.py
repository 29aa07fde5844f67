#!/usr/bin/env python3
"""Many documents at once, and what a corpus lacks: `suggest`, `similar` and `explain` of JSONL files and corpus folders,
`suggest --document` and `suggest --all`. IDNE names the program (default build/idne), as for cli.py."""
import gzip
import json
import signal
import subprocess
import unittest

from cli import Case, in_terminal

VERBS = "suggest", "similar", "explain"


def lines_of(documents):
    return "".join(json.dumps(document) + "\n" for document in documents)


class Batch(Case):
    def setUp(self):
        super().setUp()
        self.new = [{"id": f"n{k}", "text": document["text"], "title": "not read"} for k, document in enumerate(self.documents[:150:3])]
        self.file = self.write("new.jsonl", lines_of(self.new))

    def answers(self, verb, *arguments, **more):
        return [json.loads(line) for line in self.ok(verb, self.model, *arguments, **more).out.decode().splitlines()]

    def test_one_line_per_document_in_order_that_begins_with_its_id(self):
        for verb in VERBS:
            with self.subTest(verb):
                out = self.ok(verb, self.model, self.file).out.decode()
                self.assertEqual([json.loads(line)["id"] for line in out.splitlines()], [document["id"] for document in self.new])
                self.assertTrue(all(line.startswith('{"id":"n') for line in out.splitlines()))

    def test_each_is_answered_as_alone(self):
        for verb in VERBS:
            with self.subTest(verb):
                for k in 0, 7, 49:
                    one = self.json(verb, self.model, stdin=self.new[k]["text"].encode())
                    of_many = self.answers(verb, self.file)[k]
                    self.assertEqual(of_many.pop("id"), f"n{k}")
                    self.assertEqual(of_many, {"similar": one} if verb == "similar" else one)

    def test_packed_files_and_folders_are_read_as_they_are(self):
        packed = self.write("packed/documents.jsonl.gz", gzip.compress(self.file.read_bytes()))
        same = [packed, packed.parent, self.folder / "new.jsonl.zst"]
        subprocess.run(["zstd", "-q", self.file], check=True)
        for verb in VERBS:
            expected = self.ok(verb, self.model, self.file).out
            for source in same:
                with self.subTest(verb, source=source.name):
                    self.assertEqual(self.ok(verb, self.model, source).out, expected)

    def test_the_number_of_threads_does_not_matter(self):
        long = self.write("long.jsonl", lines_of({"id": str(k), "text": self.documents[k % 200]["text"]} for k in range(1000)))
        for verb in VERBS:
            with self.subTest(verb):
                one, three = (self.ok(verb, self.model, long, "--threads", threads).out for threads in (1, 3))
                self.assertEqual(one, three)
                self.assertEqual(one.count(b"\n"), 1000)

    def test_only_the_name_tells_that_there_are_many(self):
        text = self.write("new.txt", self.file.read_bytes())
        self.assertEqual(len(self.json("suggest", self.model, text)["links"]), 5)
        self.assertEqual("".join(token["text"] for token in self.json("explain", self.model, text)["tokens"]), text.read_text())

    def test_tables(self):
        rows = [line.split("\t") for line in self.ok("suggest", self.model, self.file, "--format", "tsv", "-k", 2).out.decode().splitlines()]
        self.assertEqual(len(rows), 4 * len(self.new))
        for document, answer in zip(self.new, self.answers("suggest", self.file, "-k", 2)):
            labels, links = [rows.pop(0) for _ in range(2)], [rows.pop(0) for _ in range(2)]
            self.assertEqual([row[:4] for row in labels], [[document["id"], "label", str(k + 1), label["label"]] for k, label in enumerate(answer["labels"])])
            self.assertEqual([row[:4] + row[5:] for row in links], [[document["id"], "link", str(k + 1), link["id"], link["title"]] for k, link in enumerate(answer["links"])])
            for row, told in zip(labels + links, answer["labels"] + answer["links"]):
                self.assertAlmostEqual(float(row[4]), told.get("probability", told.get("score")), places=4)
        rows = [line.split("\t") for line in self.ok("similar", self.model, self.file, "--format", "tsv", "-k", 3).out.decode().splitlines()]
        expected = [[answer["id"], str(k + 1), hit["id"], hit["title"]] for answer in self.answers("similar", self.file, "-k", 3) for k, hit in enumerate(answer["similar"])]
        self.assertEqual([row[:3] + row[4:] for row in rows], expected)

    def test_odd_ids_keep_the_table_whole(self):
        odd = self.write("odd.jsonl", lines_of([{"id": "a\nb\tc", "text": "star moon"}, {"text": "star"}]))
        for verb, columns in ("suggest", 6), ("similar", 5):
            rows = [line.split("\t") for line in self.ok(verb, self.model, odd, "--format", "tsv", "-k", 1).out.decode().splitlines()]
            self.assertEqual({len(row) for row in rows}, {columns} if verb == "similar" else {5, 6})
            self.assertEqual({row[0] for row in rows}, {"a\\nb\\tc", ""})

    def test_documents_without_known_words_have_their_line(self):
        mixed = self.write("mixed.jsonl", lines_of([{"id": "a", "text": "zzz"}, {"id": "b", "text": "star moon planet"}, {"id": "c", "text": ""}]))
        for verb, empty in ("suggest", "links"), ("similar", "similar"), ("explain", "topics"):
            with self.subTest(verb):
                result = self.ok(verb, self.model, mixed)
                told = [json.loads(line) for line in result.out.splitlines()]
                self.assertEqual([(one["id"], bool(one[empty])) for one in told], [("a", False), ("b", True), ("c", False)])
                self.assertEqual(result.err, "idne: 2 documents have no word that the model knows\n")

    def test_doubts_are_told_with_the_answer(self):
        few = self.write("few.jsonl", lines_of([{"id": "a", "text": "zzz star"}]))
        self.assertEqual(self.answers("suggest", few)[0]["doubts"], self.json("suggest", self.model, stdin=b"zzz star")["doubts"])

    def test_files(self):
        for verb in VERBS:
            out = self.folder / f"{verb}.jsonl"
            self.assertEqual(self.ok(verb, self.model, self.file, "-o", out).err, f"50 documents: {out}\n")
            self.assertEqual(out.read_bytes(), self.ok(verb, self.model, self.file).out)
            self.fails(2, verb, self.model, self.file, "-o", self.file, says="is also read")
        out = self.folder / "by ending.tsv"
        self.ok("suggest", self.model, self.file, "-o", out)
        self.assertEqual(out.read_bytes(), self.ok("suggest", self.model, self.file, "--format", "tsv").out)

    def test_a_bad_line_is_named_and_leaves_no_file(self):
        out = self.folder / "out.jsonl"
        for bad in '{"id": "x"}', '{"id": "x", "text": 3}', "[]", "{":
            file = self.write("bad.jsonl", lines_of(self.new[:2]) + bad + "\n")
            for verb in VERBS:
                with self.subTest(verb, bad=bad):
                    self.fails(1, verb, self.model, file, "-o", out, says=f"{file}:3: ")
                    self.assertFalse(out.exists())

    def test_an_empty_file_has_no_answers(self):
        empty = self.write("empty.jsonl", "")
        for verb in VERBS:
            result = self.ok(verb, self.model, empty)
            self.assertEqual((result.out, result.err), (b"", f"idne: {empty}: no documents\n"))

    def test_links_of_documents_count_where_the_model_joins_them(self):
        model = self.trained(self.small_corpus(), "--neighbours", 1)
        alone, linked = {"id": "a", "text": "gene cell"}, {"id": "a", "text": "gene cell", "links": ["d1", "nobody"]}
        result = self.ok("similar", model, self.write("joined.jsonl", lines_of([alone, linked])))
        a, b = [json.loads(line)["similar"] for line in result.out.splitlines()]
        self.assertNotEqual(a, b)
        self.assertEqual(b, json.loads(self.ok("similar", model, "--links", "d1", "--format", "json", stdin=b"gene cell").out))
        self.assertIn("left out: 1 link to documents that the model does not have", result.err)

    def test_wrong_usage(self):
        for verb in VERBS:
            self.fails(2, verb, self.model, self.file, "--format", "text", says="JSON lines")
            self.fails(1, verb, self.model, self.folder / "none.jsonl", says="none.jsonl: no such file")
            self.fails(1, verb, self.model, self.folder, says="no documents.jsonl")
        self.fails(2, "explain", self.model, self.file, "--format", "html", says="JSON lines")
        self.fails(2, "explain", self.model, self.file, "-o", self.folder / "x.html", says="JSON lines")
        self.fails(2, "explain", self.model, self.file, "--with-document", "1", says="two texts")
        self.fails(2, "explain", self.model, "--document", "1", "--with", self.file, says="two texts")
        self.fails(2, "suggest", self.model, "--format", "tsv", stdin=b"star", says="id")
        self.fails(2, "similar", self.model, "--format", "tsv", "--word", "star", says="id")
        self.fails(2, "suggest", self.model, "--format", "text", "-o", self.folder / "x", stdin=b"star", says="terminal")
        self.fails(2, "similar", self.model, self.file, "--links", "1", says="--links")
        self.assertEqual(list(self.folder.glob("x*")), [])

    def test_an_ending_that_no_format_has_is_refused(self):
        out = self.folder / "x.pdf"
        for verb in (*VERBS, "embed"):
            self.fails(2, verb, self.model, self.file, "-o", out, says="the file must end in one of .")
        for verb in "similar", "suggest":
            self.fails(2, verb, self.model, self.write("text.txt", "star"), "-o", out, says="the file must end in one of .")
        self.assertFalse(out.exists())
        self.ok("similar", self.model, self.file, "-o", out, "--format", "json")
        self.ok("similar", self.model, self.file, "-o", self.folder / "no ending")

    def test_one_document_is_one(self):
        one = self.write("one.jsonl", lines_of(self.new[:1]))
        self.assertEqual(self.ok("similar", self.model, one, "-o", self.folder / "one.tsv").err, f"1 document: {self.folder / 'one.tsv'}\n")
        self.assertRegex(self.ok("embed", self.model, one, "-o", self.folder / "one.npy").err, r"\A1 vector of \d+ dimensions: ")

    def test_an_interrupted_batch_leaves_nothing(self):
        huge = self.write("huge.jsonl", lines_of({"id": str(k), "text": self.documents[k % 200]["text"] * 20} for k in range(20000)))
        child = self.start("suggest", self.model, huge, "-o", self.folder / "put.jsonl", stderr=subprocess.PIPE)
        self.wait_until_stoppable(child)
        child.send_signal(signal.SIGINT)
        self.assertIn("interrupted", child.communicate()[1].decode())
        self.assertEqual(child.returncode, 130)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["huge.jsonl", "new.jsonl"])

    def test_one_answer_to_a_file(self):
        out = self.folder / "one.json"
        self.ok("suggest", self.model, "-o", out, stdin=b"star moon planet")
        self.assertEqual(json.loads(out.read_text()), self.json("suggest", self.model, stdin=b"star moon planet"))


class Missing(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.linked = {document["id"]: set() for document in cls.documents}
        for line in (cls.corpus / "links.tsv").read_text().splitlines():
            a, b = line.split("\t")[:2]
            cls.linked[a].add(b)
            cls.linked[b].add(a)

    def test_a_document_is_not_told_of_itself_or_its_links(self):
        for document in self.documents[:200:20]:
            own = document["id"]
            told = self.json("suggest", self.model, "--document", own, "-k", 20)
            self.assertEqual(len(told["links"]), 20)
            self.assertFalse({link["id"] for link in told["links"]} & (self.linked[own] | {own}))
            self.assertNotIn(own, {hit["id"] for hit in self.json("similar", self.model, "--document", own, "-k", 200)})
        self.assertTrue(told["labels"])

    def test_a_document_as_a_table(self):
        for verb in "suggest", "similar":
            rows = [line.split("\t") for line in self.ok(verb, self.model, "--document", "7", "--format", "tsv").out.decode().splitlines()]
            self.assertEqual({row[0] for row in rows}, {"7"})

    def missing(self, *arguments, ending="tsv", verb=("suggest", "--all")):
        out = self.folder / f"missing.{ending}"
        result = self.ok(verb[0], self.model, *verb[1:], "-o", out, *arguments)
        self.assertRegex(result.err, rf"\A[\d,]+ links that are not there yet: {out}\n\Z")
        return out.read_text()

    def test_the_whole_corpus_best_first_each_pair_once(self):
        rows = [line.split("\t") for line in self.missing("-k", 3).splitlines()]
        self.assertGreater(len(rows), 200)
        titles = {document["id"]: document["title"] for document in self.documents}
        for a, b, _, title_a, title_b in rows:
            self.assertNotEqual(a, b)
            self.assertNotIn(b, self.linked[a])
            self.assertEqual((title_a, title_b), (titles[a], titles[b]))
        scores = [float(row[2]) for row in rows]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(len({frozenset(row[:2]) for row in rows}), len(rows))
        best = self.json("suggest", self.model, "--document", rows[0][0], "-k", 1)["links"][0]
        self.assertEqual(best["id"], rows[0][1])
        self.assertAlmostEqual(best["score"], scores[0], places=4)

    def test_lines_say_the_same_as_rows(self):
        rows = [line.split("\t") for line in self.missing().splitlines()]
        lines = [json.loads(line) for line in self.missing(ending="jsonl").splitlines()]
        self.assertEqual([[one["from"], one["to"], one["from_title"], one["to_title"]] for one in lines], [row[:2] + row[3:] for row in rows])
        self.assertEqual([one["score"] for one in lines], [float(row[2]) for row in rows])

    def test_export_writes_the_same(self):
        self.assertEqual(self.missing("-k", 4), self.missing("--top", 4, verb=("export", "links")))

    def test_the_same_bytes_at_any_number_of_threads(self):
        self.assertEqual(self.missing("--threads", 1), self.missing("--threads", 3))

    def test_wrong_usage(self):
        self.fails(2, "suggest", self.model, "--all", says=".tsv")
        self.fails(2, "suggest", self.model, "--all", "-o", self.folder / "x.npy", says=".tsv")
        self.fails(2, "suggest", self.model, "--all", "--document", "1", "-o", self.folder / "x.tsv", says="--all")
        self.fails(2, "suggest", self.model, self.corpus, "--all", "-o", self.folder / "x.tsv", says="--all")
        self.fails(2, "suggest", self.model, self.corpus, "--document", "1", says="--document")
        self.fails(1, "suggest", self.model, "--document", "nobody", says="nobody")
        self.fails(1, "suggest", self.model, "--all", "-o", self.folder / "none/x.tsv", says="none/x.tsv")
        self.assertEqual(list(self.folder.iterdir()), [])


class Terminal(Case):
    def test_a_table_fits_its_terminal_and_names_its_reasons(self):
        for columns in 80, 120:
            code, shown = in_terminal("suggest", self.model, "--document", "7", columns=columns, environment={"NO_COLOR": "1"})
            self.assertEqual(code, 0)
            self.assertLessEqual(max(map(len, shown.splitlines())), columns, shown)
            self.assertRegex(shown, r"\nscore +words +space +votes +link to +title\n")
            self.assertRegex(shown, r"\n +through \w+")
            self.assertRegex(shown, r"\n +linked from \w+")
            self.assertRegex(shown, r"(?m)^ *\d+\.\d %  \w+ +for: \w+")

    def test_doubts_are_told(self):
        self.assertRegex(self.ok("suggest", self.model, stdin=b"star zzz").err, r"\Aidne: little is sure here: only 1 of its words is known")


if __name__ == "__main__":
    unittest.main(verbosity=1)
