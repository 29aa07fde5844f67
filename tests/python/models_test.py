#!/usr/bin/env python3
"""The verbs as functions, models, and what they answer, beside the program."""
import copy, inspect, json, pathlib, pickle, re, unittest

import numpy as np

import idne
from support import HERE, TEXT, corpus, documents, labels, model, pairs, program, program_error, texts


class SameAsTheProgram(unittest.TestCase):
    def test_training_gives_the_programs_bytes_for_every_method(self):
        for method, options in {"idne": {"topics": 4, "steps": 30, "max_share": 0.5}, "lsa": {"dim": 16}, "tadw": {"dim": 16}, "gvnrt": {"dim": 16},
                                "graph2gauss": {"dim": 8, "rounds": 5}, "cane": {}, "deepwalk": {"dim": 16, "walks": 2}, "node2vec": {"dim": 16, "walks": 2, "q": 2.0}, "verse": {"dim": 16, "pairs": 50, "go_on": 0.5}}.items():
            known = inspect.signature(getattr(idne, {"idne": "IDNE", "lsa": "LSA", "tadw": "TADW", "gvnrt": "GVNRt", "graph2gauss": "Graph2Gauss", "cane": "CANE", "deepwalk": "DeepWalk", "node2vec": "Node2Vec", "verse": "VERSE"}[method])).parameters
            options = {name: value for name, value in options.items() if name in known or name in ("topics", "dim")}
            if method == "cane":
                continue  # takes long, and differs in nothing here
            idne.train(corpus(), method=method, **options).save(HERE / "py.idne")
            program("train", pathlib.Path(corpus()), "-o", HERE / "program.idne", "--method", method,
                    *(part for name, value in options.items() for part in (("--" if len(name) > 1 else "-") + name.replace("_", "-"), value)))
            self.assertEqual((HERE / "py.idne").read_bytes(), (HERE / "program.idne").read_bytes(), method)

    def test_documents_of_memory_give_the_bytes_of_their_file(self):
        made = idne.Corpus.of(texts(), [document["labels"] for document in documents()], pairs(), titles=[document["title"] for document in documents()])
        idne.train(made, topics=3, steps=60).save(HERE / "memory.idne")
        model().save(HERE / "file.idne")
        self.assertEqual((HERE / "memory.idne").read_bytes(), (HERE / "file.idne").read_bytes())

    def test_each_reads_the_others_models_and_answers_alike(self):
        file = HERE / "mine.idne"
        model().save(file)
        (HERE / "new.txt").write_text(TEXT)
        loaded = idne.load(file)
        self.assertEqual(json.loads(program("info", file, "--format", "json")), loaded.info())
        self.assertEqual(json.loads(program("suggest", file, HERE / "new.txt", "--format", "json")), model().suggest(TEXT).to_dict())
        self.assertEqual(json.loads(program("similar", file, HERE / "new.txt", "--format", "json")), model().similar(TEXT).to_dict())
        self.assertEqual(json.loads(program("explain", file, HERE / "new.txt", "--format", "json")), model().explain(TEXT).to_dict())
        self.assertEqual(json.loads(program("topics", file, "--format", "json")), model().topics().to_dict())
        self.assertEqual(json.loads(program("similar", file, "--word", "judge", "--format", "json")), model().similar(word="judge").to_dict())
        self.assertEqual(json.loads(program("similar", file, "--document", "7", "--format", "json")), model().similar(document="7").to_dict())
        self.assertEqual(json.loads(program("explain", file, "--document", "3", "--with-document", "5", "--format", "json")),
                         model().explain_pair(document="3", with_document="5").to_dict())
        self.assertTrue(np.array_equal(idne.load(file, map=True).vectors, loaded.vectors))

    def test_defaults_of_questions_are_the_programs(self):
        for verb, method in {"similar": idne.Model.similar, "suggest": idne.Model.suggest, "topics": idne.Model.topics, "explain": idne.Model.explain_pair}.items():
            known = dict(re.findall(r"^  --?([a-z]+)=(\d+)", program(verb, "--help"), re.M))
            self.assertTrue(known)
            for name, parameter in inspect.signature(method).parameters.items():
                if name in known and isinstance(parameter.default, int) and not isinstance(parameter.default, bool):
                    self.assertEqual(str(parameter.default), known[name], f"{verb} {name}")

    def test_every_option_of_the_program_is_a_keyword(self):
        files = {"output", "format", "plot", "help"}
        for verb, function in {"train": idne.train, "evaluate": idne.evaluate, "generate": idne.generate}.items():
            options = set(re.findall(r"^  (?:-[a-z],)?--([a-z][a-z-]+)", program(verb, "--help").split("Example:")[0], re.M)) - files
            known = set(inspect.signature(function).parameters)
            listed = {option.replace("-", "_") for option in options}
            self.assertGreater(len(listed), 3)
            self.assertEqual(listed - known, set(), verb)

    def test_errors_are_the_programs(self):
        for keyword, value in {"topics": 0, "dim": "many", "max_share": 2, "method": "none"}.items():
            with self.assertRaises(idne.Error) as caught:
                idne.train(corpus(), **{keyword: value})
            self.assertIn(str(caught.exception).split("(")[0].split(":")[0].lstrip("-"), program_error("train", pathlib.Path(corpus()), "-o", HERE / "x.idne", "--" + keyword.replace("_", "-"), value))
        with self.assertRaisesRegex(idne.Error, "--topics: '0' is not a whole number in 1 … 4096"):
            idne.train(corpus(), topics=0)
        with self.assertRaisesRegex(idne.Error, "no such file"):
            idne.train(HERE / "nothing")
        with self.assertRaisesRegex(TypeError, "did you mean 'topics'"):
            idne.train(corpus(), topic=3)
        self.assertTrue(issubclass(idne.Error, ValueError))
        self.assertIsInstance(pickle.loads(pickle.dumps(idne.Error("x"))), idne.Error)

    def test_imports_write_what_the_program_writes(self):
        notes = HERE / "notes"
        notes.mkdir()
        (notes / "moon.md").write_text("# Moon\n\nThe moon and the [[tide]]. #space")
        (notes / "tide.md").write_text("# Tide\n\nThe tide and the sea.")
        made = idne.import_markdown(notes, HERE / "vault")
        self.assertEqual((made.documents, len(idne.read_corpus(made))), (2, 2))
        program("import", "markdown", notes, "-o", HERE / "vault2")
        self.assertEqual((HERE / "vault" / "documents.jsonl").read_bytes(), (HERE / "vault2" / "documents.jsonl").read_bytes())
        (HERE / "table.csv").write_text("key,body,tags\na,the moon,x|y\nb,the tide,y\n")
        made = idne.import_csv(HERE / "table.csv", HERE / "fromcsv", text=["body"], id="key", labels="tags")
        self.assertEqual(idne.read_corpus(made).labels, [["x", "y"], ["y"]])
        with self.assertRaises(TypeError):
            idne.import_csv(HERE / "table.csv", HERE / "again")
        with self.assertRaisesRegex(TypeError, "did you mean"):
            idne.import_csv(HERE / "table.csv", HERE / "again", text="body", label="tags")
        for name in ("html", "stackexchange", "mediawiki", "openalex", "debian"):
            self.assertIn("output", inspect.signature(getattr(idne, f"import_{name}")).parameters)


class Models(unittest.TestCase):
    def test_vectors_are_views_that_keep_the_model_alive_and_cannot_be_written(self):
        model().save(HERE / "view.idne")
        loaded = idne.load(HERE / "view.idne")
        expected = loaded.vectors.copy()
        view = loaded.vectors[5:9]
        self.assertFalse(loaded.vectors.flags.owndata)
        self.assertEqual(loaded.vectors.__array_interface__["data"], loaded.vectors.__array_interface__["data"])
        del loaded
        self.assertTrue(np.array_equal(view, expected[5:9]))
        with self.assertRaises(ValueError):
            view[0, 0] = 1
        with self.assertRaises(ValueError):
            view.base.flags.writeable = True if isinstance(view.base, np.ndarray) else view.setflags(write=True)

    def test_embedding_gives_the_documents_own_vectors_and_zeros_for_nothing(self):
        self.assertTrue(np.array_equal(model().embed(texts()), model().vectors))
        self.assertEqual(model().embed(texts()[:2]).dtype, np.float32)
        self.assertFalse(model().embed(["", "zzzz"]).any())
        self.assertEqual(model().embed([]).shape, (0, 256))
        self.assertTrue(np.array_equal(model().embed(texts(), threads=1), model().embed(texts(), threads=4)))

    def test_many_texts_are_answered_like_one(self):
        for ask in (model().suggest, model().similar, model().explain):
            self.assertEqual([one.to_dict() for one in ask(texts()[:3])], [ask(text).to_dict() for text in texts()[:3]])

    def test_answers_are_shown_to_people_pandas_and_notebooks(self):
        suggested = model().suggest(TEXT, k=2)
        self.assertEqual((len(suggested.labels), len(suggested.links)), (2, 2))
        self.assertEqual(list(suggested.to_frame()["kind"]), ["label", "label", "link", "link"])
        self.assertIn(suggested.links[0].id, repr(suggested))
        self.assertEqual(list(model().similar(TEXT, k=3).to_frame().columns), ["id", "score", "title"])
        self.assertEqual(len(model().topics().to_frame()), 3)
        explained = model().explain(TEXT)
        self.assertEqual("".join(token.text for token in explained.tokens), TEXT)
        self.assertIn("<mark", explained.to_html())
        for answer in (explained, suggested, model().topics(), model().similar(TEXT), model().explain_pair(TEXT, texts()[0]), model().map()):
            self.assertIn("<", answer._repr_html_())
            self.assertGreater(len(answer.to_frame()), 0)
            self.assertLess(len(repr(answer)), 3000)
        self.assertEqual(pickle.loads(pickle.dumps(suggested)), suggested)
        self.assertNotIn("<script>", model().similar("x")._repr_html_())
        with self.assertRaises(AttributeError):
            suggested.labels[0].nothing

    def test_topics_are_fitted_named_and_tried_anew(self):
        self.assertEqual(len(model().refit(5).topics()), 5)
        self.assertEqual([one.topics for one in model().try_topics([2, 4])], [2, 4])
        self.assertEqual(model().name_topics({2: "Two"}).topics()[1].name, "Two")
        self.assertTrue(model().topics(tree=True).tree)

    def test_documents_come_and_go(self):
        update = model().update([{"id": "new", "text": TEXT, "links": ["3"]}], remove=["4"])
        self.assertEqual((update.added, update.removed, len(update.model)), (1, 1, 300))
        self.assertIn("new", update.model.documents)
        with self.assertRaisesRegex(idne.Error, "nothing to do"):
            model().update()

    def test_models_are_pickled_and_copied(self):
        again = pickle.loads(pickle.dumps(model()))
        self.assertTrue(np.array_equal(again.vectors, model().vectors))
        self.assertIs(copy.deepcopy(model()), model())

    def test_what_a_model_holds(self):
        self.assertEqual(model().documents, [document["id"] for document in documents()])
        self.assertEqual([own[0] for own in model().labels], labels())
        self.assertEqual(model().links.nnz, 2 * len({tuple(sorted(pair)) for pair in pairs() if pair[0] != pair[1]}))
        self.assertEqual(len(model().words), model().word_vectors.shape[0])
        self.assertGreater(len(model().missing_links(k=2)), 0)

    def test_evaluations(self):
        table = idne.evaluate(corpus(), methods=["lsa", "idne"], tasks=["inductive-links"], repeats=1, set={"dim": 16}, sweep={"topics": [2, 3]})
        self.assertEqual(set(table.to_frame()["method"]), {"lsa", "idne topics=2", "idne topics=3"})
        self.assertIn("|", table.to_markdown())
        self.assertEqual(repr(pickle.loads(pickle.dumps(table))), repr(table))
        import matplotlib
        matplotlib.use("svg")
        self.assertEqual(len(idne.plot_sweep(table).lines), 1)
        self.assertEqual(len(idne.plot_topics(model()).patches), 3)
        self.assertEqual(len(idne.plot_map(model(), labels()).collections), 3)
        self.assertEqual(len(idne.plot_map(model()).collections), 3)
        with self.assertRaisesRegex(idne.Error, "no sweep"):
            idne.plot_sweep(table[:1])

    def test_a_training_that_was_stopped_goes_on_to_the_same_bytes(self):
        class Enough(Exception):
            pass

        def stop(stage, done, total, loss):
            if stage == "training" and done > 100:
                raise Enough
        steps = 10**6
        with self.assertRaises(Enough):
            idne.train(corpus(), steps=steps, checkpoint=HERE / "kept.ck", progress=stop)
        self.assertTrue((HERE / "kept.ck").exists())
        with self.assertRaisesRegex(idne.Error, "checkpoint was made with --steps"):
            idne.train(corpus(), steps=5, resume=HERE / "kept.ck")
        idne.train(corpus(), steps=20, checkpoint=HERE / "whole.ck").save(HERE / "first.idne")
        idne.train(corpus(), steps=20, resume=HERE / "whole.ck").save(HERE / "second.idne")
        self.assertEqual((HERE / "first.idne").read_bytes(), (HERE / "second.idne").read_bytes())

    def test_corpora(self):
        read = idne.read_corpus(corpus(), stem=True)
        self.assertEqual((len(read), read.dropped, len(read.links)), (300, "nothing", len(set(pairs()))))
        self.assertEqual(read.check()["documents"], 300)
        with self.assertRaisesRegex(idne.Error, "read already"):
            idne.train(read, stem=True)
        self.assertEqual(idne.train(read, steps=5).info()["options"]["stem"], True)


if __name__ == "__main__":
    unittest.main()
