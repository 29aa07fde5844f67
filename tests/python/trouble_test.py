#!/usr/bin/env python3
"""Whatever Python passes in: an answer or an error that says what, and never a crash.

IDNE_ODD_CALLS is the number of random calls (default 600; `make python` takes seconds for these, 10,000 take a minute or two).
"""
import gc, multiprocessing, os, signal, subprocess, sys, threading, time, unittest

import hypothesis, pandas
import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

import idne
from support import HERE, TEXT, corpus, model, pairs, texts

hypothesis.configuration.set_hypothesis_home_dir(str(HERE / "hypothesis"))
CALLS = int(os.environ.get("IDNE_ODD_CALLS", "600"))
ALLOWED = (idne.Error, TypeError, MemoryError)  # TypeError: as Python itself says of keywords

TEXTS = st.one_of(st.text(max_size=30), st.sampled_from([TEXT, "", "\ud800", "a\0b", "judge " * 300, "\u0300" * 50, "‮", "<b>"]))
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-2**70, 2**70), st.integers(-3, 5), st.floats(), TEXTS, st.binary(max_size=9), st.just(object()), st.just(np.nan), st.just(np.float32(0.5)),
    st.lists(st.one_of(TEXTS, st.integers(), st.none()), max_size=4), st.dictionaries(TEXTS, st.integers(), max_size=2), st.tuples(TEXTS, TEXTS),
    st.sampled_from([np.zeros((2, 3)), np.array(["a", "b"]), np.array(["judge"], dtype=object), np.array([1.5]), np.array([None, "x"], dtype=object), np.zeros(0), np.arange(6)[::2], np.full((2, 2), np.nan),
                     np.array(5), np.array(["a"], dtype="S"), sp.eye(3), sp.csr_matrix((2, 0)), pandas.Series(["a", None]), pandas.DataFrame({"a": [1]}), range(3), iter(["a"]), {"a", "b"}, idne, type, 1j]))
QUESTIONS = ("embed", "similar", "suggest", "explain", "explain_pair", "topics", "topic_times", "name_topics", "save", "evaluate", "refit", "try_topics", "missing_links", "update")
KEYWORDS = ("k", "threads", "word", "topic", "document", "links", "reasons", "top", "rank", "by", "progress", "with_document", "examples", "tree", "remove", "whole", "strict", "feedback")
WORDS = ("n_topics", "n_components", "steps", "random_state", "n_jobs", "min_count", "max_share", "language", "stop_words", "stem", "numbers", "phrases", "preset", "learning_rate", "neighbours", "vocabulary", "strict")


def settings(share):
    return hypothesis.settings(max_examples=max(1, int(CALLS * share)), deadline=None, derandomize=True, database=None, suppress_health_check=list(hypothesis.HealthCheck))


class OddArguments(unittest.TestCase):
    def attempt(self, call, *arguments, **keywords):
        try:
            call(*arguments, **keywords)
        except ALLOWED as error:
            self.assertGreater(len(str(error)), 5)

    @settings(0.5)
    @hypothesis.given(st.sampled_from(QUESTIONS), st.lists(ODD, max_size=2), st.dictionaries(st.sampled_from(KEYWORDS), ODD, max_size=2))
    def test_questions(self, name, arguments, keywords):
        if name in ("refit", "update", "save") and arguments and isinstance(arguments[0], (str, bytes, int)):
            arguments[0] = HERE if name == "save" else arguments[0] if name == "update" else 0
        self.attempt(getattr(model(), name), *arguments, **keywords)

    @settings(0.2)
    @hypothesis.given(st.lists(ODD, min_size=1, max_size=3), st.dictionaries(st.sampled_from(WORDS), ODD, max_size=2))
    def test_fits(self, arguments, keywords):
        try:
            one = idne.LSA(**{name: value for name, value in keywords.items() if name in idne.LSA._parameters}, **({} if "n_components" in keywords else {"n_components": 2}))
        except TypeError:
            return
        self.attempt(one.fit_transform, *arguments)

    @settings(0.2)
    @hypothesis.given(ODD, ODD, ODD)
    def test_fits_of_good_texts(self, y, links, groups):
        self.attempt(idne.LSA(n_components=2, min_count=1, max_share=1.0).fit, texts()[:3], y, links, groups)

    @settings(0.1)
    @hypothesis.given(st.sampled_from(["load", "read_corpus", "train", "evaluate", "import_csv", "import_html", "import_openalex", "Corpus", "Model", "plot_map", "plot_sweep"]), st.lists(ODD, min_size=1, max_size=2), st.dictionaries(st.sampled_from(WORDS + KEYWORDS), ODD, max_size=1))
    def test_functions(self, name, arguments, keywords):
        keywords.pop("progress", None)
        before = set(os.listdir("."))
        try:
            self.attempt(getattr(idne, name), *arguments, **keywords)
        finally:
            self.assertEqual(set(os.listdir(".")) - before, set())


class Texts(unittest.TestCase):
    def test_what_is_no_list_of_texts_says_so(self):
        for wrong in ([1, 2], "one text", None, 5, [None], [b"bytes"], ["a", "\ud800"], [np.nan], pandas.Series(["a", None]), np.zeros((2, 2)), np.array([["a"]]), pandas.DataFrame({"a": ["x"]}), {"a": "b"}, [["a"]]):
            with self.assertRaises(idne.Error, msg=repr(wrong)) as caught:
                model().embed(wrong)
            self.assertGreater(len(str(caught.exception)), 10)
        with self.assertRaisesRegex(idne.Error, "text 1 is no text.*surrogate"):
            model().embed(["a", "\udcff"])
        for empty in ([], ()):
            with self.assertRaises(idne.Error):
                idne.IDNE().fit(empty)
        self.assertEqual(model().embed([]).shape, (0, 256))

    def test_a_list_that_changes_meanwhile_is_read_as_it_was(self):
        many = texts() * 30
        expected = model().embed(many)
        changing = list(many)
        done = threading.Event()

        def change():
            while not done.is_set():
                changing.clear()
                changing.extend("another text " * 3 for _ in range(3))
                time.sleep(0)
        thread = threading.Thread(target=change)
        begin = threading.Timer(0.002, thread.start)
        begin.start()
        rows = model().embed(changing)
        begin.join()
        done.set()
        thread.join()
        self.assertTrue(len(rows) <= 3 or np.array_equal(rows, expected))

    def test_counts_that_change_meanwhile_are_copied(self):
        counts = sp.random(200, 50, 0.2, format="csr", random_state=1)
        counts.data = np.ceil(counts.data * 5)
        one = idne.LSA(n_components=4, min_count=1, max_share=1.0).fit(counts)
        broken = counts.copy()
        broken.indices = broken.indices.copy()
        broken.indices[0] = 10**6
        with self.assertRaises((idne.Error, ValueError, IndexError)):
            one.transform(broken)


class Together(unittest.TestCase):
    def test_several_threads_ask_one_model(self):
        model().save(HERE / "threads.idne")
        fresh = idne.load(HERE / "threads.idne")
        expected = [model().suggest(text).to_dict() for text in texts()[:8]]
        wrong = []

        def ask(number):
            for _ in range(3):
                for place, text in enumerate(texts()[:8]):
                    if fresh.suggest(text).to_dict() != expected[place]:
                        wrong.append((number, place))
                fresh.embed(texts()[:40])
        workers = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_other_threads_run_while_it_trains(self):
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.001)
        thread = threading.Thread(target=count)
        thread.start()
        begin = time.perf_counter()
        idne.train(corpus(), steps=400, threads=1)
        seconds = time.perf_counter() - begin
        done.set()
        thread.join()
        self.assertGreater(counted[0], 20 * seconds)

    def test_forked_processes_go_on(self):
        expected = model().embed(texts()[:20])
        queue = multiprocessing.get_context("fork").Queue()
        process = multiprocessing.get_context("fork").Process(target=lambda: queue.put(model().embed(texts()[:20], threads=2)))
        process.start()
        self.assertTrue(np.array_equal(queue.get(timeout=60), expected))
        process.join()
        self.assertEqual(process.exitcode, 0)

    def test_views_live_on_without_their_model(self):
        views = []
        for _ in range(20):
            model().save(HERE / "gone.idne")
            views.append(idne.load(HERE / "gone.idne").vectors[3])
        (HERE / "gone.idne").unlink()
        gc.collect()
        for view in views:
            self.assertTrue(np.array_equal(view, model().vectors[3]))


class Interruption(unittest.TestCase):
    def test_ctrl_c_raises_within_a_second(self):
        code = ("import idne, sys, time\nprint('begun', flush=True)\ntry:\n    idne.train(sys.argv[1], steps=10**9)\n"
                "except KeyboardInterrupt:\n    print('stopped', flush=True)\n")
        process = subprocess.Popen([sys.executable, "-c", code, os.fspath(corpus())], stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "begun\n")
        time.sleep(1.5)
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "stopped\n")
        seconds = time.perf_counter() - begin
        self.assertEqual(process.wait(), 0)
        process.stdout.close()
        self.assertLess(seconds, 1 if not os.environ.get("IDNE_SANITIZE") else 20)

    def test_progress_is_told_and_its_errors_stop_the_work(self):
        told = []
        idne.train(corpus(), steps=2000, progress=lambda *news: told.append(news))
        self.assertTrue(any(stage == "training" or total for stage, _, total, _ in told), told[:3])

        def stop(stage, done, total, loss):
            raise RuntimeError("enough")
        begin = time.perf_counter()
        with self.assertRaisesRegex(RuntimeError, "enough"):
            idne.train(corpus(), steps=10**9, progress=stop)
        self.assertLess(time.perf_counter() - begin, 60)
        idne.train(corpus(), steps=5, progress=True)


if __name__ == "__main__":
    os.chdir(HERE)
    unittest.main()
