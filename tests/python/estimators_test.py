#!/usr/bin/env python3
"""Estimators, by scikit-learn's conventions and inside its tools."""
import inspect, pickle, subprocess, sys, unittest, warnings

import networkx, pandas
import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

import idne
from support import HERE, corpus, labels, model, pairs, texts

ALL = (idne.IDNE, idne.LSA, idne.TADW, idne.GVNRt, idne.Graph2Gauss, idne.CANE, idne.DeepWalk, idne.Node2Vec, idne.VERSE)
NO_TEXTS = ALL[5:]  # which cannot transform new documents
QUICK = {"n_topics": 3, "steps": 30, "random_state": 1}


def whole(X):
    """Numbers of scikit-learn's checks, made counts."""
    if sp.issparse(X):
        return X.tocsr().multiply(3).rint() if not (X.tocsr() < 0).nnz else X
    return np.rint(np.abs(3 * X)) if getattr(X, "ndim", 0) == 2 and X.dtype.kind in "fiu" else X


class Counted(idne.LSA):
    def fit(self, X, y=None):
        return super().fit(whole(X), y)

    def transform(self, X):
        return super().transform(whole(X))

    def fit_transform(self, X, y=None):
        return self.fit(X, y).document_vectors_.copy()


class Conventions(unittest.TestCase):
    def test_scikit_learns_own_checks(self):
        checks = list(check_estimator(Counted(n_components=2, min_count=1, max_share=1.0), generate_only=True))
        self.assertGreater(len(checks), 20)
        for estimator, check in checks:
            if check.func.__name__ == "check_fit_non_negative":
                continue  # numbers below 0 are made counts above
            with self.subTest(check.func.__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(estimator)

    def test_parameters(self):
        for kind in ALL:
            one = kind(n_components=16)
            parameters = inspect.signature(kind).parameters
            self.assertEqual(set(one.get_params()), set(parameters))
            self.assertEqual(kind().get_params(), {name: parameter.default for name, parameter in parameters.items()})
            self.assertEqual(clone(one).get_params(), one.get_params())
            self.assertEqual(one.set_params(n_components=8).n_components, 8)
            self.assertIn("n_components=8", repr(one))
            self.assertIn("random_state", kind.__doc__)
            with self.assertRaises(ValueError):
                one.set_params(nothing=1)
            with self.assertRaisesRegex(TypeError, "did you mean 'n_components'"):
                kind(n_component=3)
        self.assertEqual((idne.IDNE().n_topics, idne.IDNE().n_components, idne.IDNE().random_state), (32, 256, None))

    def test_parameters_are_checked_when_it_is_fitted(self):
        for wrong in ({"n_topics": 0}, {"n_components": "x"}, {"steps": -1}, {"random_state": "a"}, {"n_jobs": 0}, {"attention": "x"}, {"n_topics": True}, {"link_share": np.nan}):
            with self.assertRaises(idne.Error, msg=str(wrong)):
                idne.IDNE(**wrong).fit(texts())

    def test_before_it_is_fitted(self):
        one = idne.IDNE()
        with self.assertRaises(ValueError):  # NotFittedError
            one.transform(texts())
        self.assertFalse(hasattr(one, "words_"))
        with self.assertRaises(ValueError):
            check_is_fitted(one)

    def test_every_method_fits(self):
        for kind in ALL:
            few = {"steps": 20} if "steps" in inspect.signature(kind).parameters else {"rounds": 2} if "rounds" in inspect.signature(kind).parameters else {"epochs": 1} if "epochs" in inspect.signature(kind).parameters else {"pairs": 20} if kind is idne.VERSE else {}
            if kind is idne.CANE:
                chosen, linked = texts()[:60], [pair for pair in pairs() if max(pair) < 60]
            else:
                chosen, linked = texts(), pairs()
            one = kind(n_components=8, **few)
            rows = one.fit_transform(chosen, links=linked)
            self.assertEqual(rows.shape[0], len(chosen), kind)
            self.assertTrue(np.isfinite(rows).all())
            self.assertEqual(len(one.get_feature_names_out()), rows.shape[1])
            self.assertTrue(len(one.words_) > 10)
            if kind in NO_TEXTS:
                with self.assertRaises(idne.Error):
                    one.transform(chosen[:2])
            else:
                self.assertEqual(one.transform(chosen[:2]).shape[0], 2)

    def test_a_preset_changes_what_was_not_given(self):
        options = lambda one: one.fit(texts()[:50]).model_.info()["options"]
        self.assertEqual((options(idne.IDNE(preset="paper", steps=3))["steps"], options(idne.IDNE(preset="paper", steps=3))["batch"]), (3, 16))
        self.assertEqual(options(idne.IDNE(steps=3))["batch"], 64)

    def test_the_same_as_the_functions(self):
        one = idne.IDNE(n_topics=3, steps=60).fit(texts(), labels(), links=pairs())
        self.assertTrue(np.array_equal(one.document_vectors_, model().vectors))
        self.assertEqual(one.words_, model().words)
        self.assertEqual(len(one.topics_), 3)
        one.save(HERE / "estimator.idne")
        self.assertTrue(np.array_equal(idne.load(HERE / "estimator.idne").embed(texts()[:9]), one.transform(texts()[:9])))
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(one)).transform(texts()[:9]), one.transform(texts()[:9])))
        self.assertTrue(one.transform(texts()[:9]).flags.writeable and one.fit_transform(texts(), links=pairs()).flags.writeable)

    def test_random_states(self):
        rows = lambda state: idne.IDNE(n_topics=3, steps=10, random_state=state).fit_transform(texts()[:80])
        self.assertTrue(np.array_equal(rows(None), rows(1)))
        self.assertFalse(np.array_equal(rows(2), rows(1)))
        self.assertTrue(np.array_equal(rows(np.random.RandomState(3)), rows(np.random.RandomState(3))))
        self.assertTrue(np.array_equal(rows(np.random.default_rng(3)), rows(np.random.default_rng(3))))
        self.assertTrue(np.array_equal(rows(np.int64(1)), rows(1)))

    def test_imports_are_lazy(self):
        code = "import idne, sys; print([name for name in ('sklearn', 'pandas', 'scipy', 'numpy', 'matplotlib', 'networkx', 'tqdm') if name in sys.modules])"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout, "[]\n")


class Forms(unittest.TestCase):
    def setUp(self):
        self.expected = idne.IDNE(**QUICK).fit_transform(texts(), links=pairs())

    def same(self, X, links, **more):
        rows = idne.IDNE(**QUICK).fit_transform(X, links=links, **more)
        self.assertTrue(np.array_equal(np.asarray(rows), self.expected))

    def test_texts(self):
        for X in (tuple(texts()), np.array(texts()), np.array(texts(), dtype=object), pandas.Series(texts()), np.array(texts() * 2, dtype=object)[:300][::1]):
            self.same(X, pairs())
        self.same(np.array([one for text in texts() for one in (text, "x")], dtype=object)[::2], pairs())  # not contiguous

    def test_links(self):
        n = len(texts())
        matrix = sp.coo_matrix((np.ones(len(pairs())), tuple(zip(*pairs()))), shape=(n, n))
        graph = networkx.Graph()
        graph.add_edges_from(pairs())
        for links in (np.array(pairs()), np.array(pairs(), dtype=np.int32).T.copy().T, matrix, matrix.tocsr() + matrix.tocsr().T, matrix.toarray(), graph, sp.csr_array(matrix),
                      pandas.DataFrame(pairs(), columns=["source", "target"]), [(a, b, 1.0) for a, b in pairs()], [list(pair) for pair in pairs()], iter(pairs()), networkx.DiGraph(graph)):
            self.same(texts(), links)

    def test_names_of_documents(self):
        names = [f"n{number}" for number in range(len(texts()))]
        named = [(names[a], names[b]) for a, b in pairs()] + [("n1", "elsewhere")]
        one = idne.IDNE(**QUICK).fit(pandas.Series(texts(), index=names), links=named)
        self.assertTrue(np.array_equal(one.document_vectors_, self.expected))
        self.assertIn("1 link", one.model_.info()["dropped"])
        self.assertEqual(one.model_.documents[:2], ["n0", "n1"])
        with self.assertRaisesRegex(idne.Error, "there already"):
            idne.IDNE(**QUICK).fit(pandas.Series(texts()[:2], index=["a", "a"]))

    def test_weights_matter(self):
        heavy = [(a, b, 50.0 if place % 2 else 1.0) for place, (a, b) in enumerate(pairs())]
        self.assertFalse(np.array_equal(idne.IDNE(**QUICK).fit_transform(texts(), links=heavy), self.expected))

    def test_wrong_links_say_what(self):
        n = len(texts())
        for links in (sp.eye(3), [(0, n)], [(-1, 0)], [(0, 1, -1)], [(0, 1, np.nan)], [0, 1], [(0,)], ["ab"], "links", 5, [(0.5, 1)], [(None, 1)], [("a", "b")], {"a": 1},
                      np.zeros((4, 7)), np.zeros((4, 7), dtype=int), sp.coo_matrix(([np.nan], ([0], [1])), shape=(n, n)), sp.coo_matrix(([-1], ([0], [1])), shape=(n, n)), pandas.DataFrame({"a": [1]})):
            with self.assertRaises(idne.Error, msg=repr(links)) as caught:
                idne.IDNE(**QUICK).fit(texts(), links=links)
            self.assertIn("links", str(caught.exception))

    def test_groups_and_labels(self):
        groups = [["odd"] if place % 2 else None for place in range(len(texts()))]
        self.assertEqual(idne.LSA(n_components=4).fit(texts(), groups=groups).model_.info()["groups"], 1)
        for y in (labels(), np.array(labels()), pandas.Series(labels()), [[label] for label in labels()], pandas.get_dummies(pandas.Series(labels()))):
            self.assertEqual(sorted(idne.LSA(n_components=4).fit(texts(), y).model_.label_names), sorted(set(labels())))
        self.assertEqual(idne.LSA(n_components=4).fit(texts(), [1, 2.0, None] * 100).model_.label_names, ["1", "2"])
        self.assertEqual(idne.LSA(n_components=4).fit(texts(), np.linspace(0, 1, 300)).model_.label_names, [])
        for wrong in (labels()[:5], "law", 7, [{}] * 300):
            with self.assertRaises(idne.Error):
                idne.LSA(n_components=4).fit(texts(), wrong)

    def test_counts(self):
        vectorizer = CountVectorizer()
        counts = vectorizer.fit_transform(texts())
        one = idne.IDNE(**QUICK, vocabulary=vectorizer.vocabulary_).fit(counts, links=pairs())
        self.assertEqual(one.n_features_in_, counts.shape[1])
        self.assertTrue(np.array_equal(one.transform(counts), one.document_vectors_))
        self.assertTrue(np.array_equal(one.transform(counts.toarray()), one.document_vectors_))
        self.assertTrue(np.array_equal(pickle.loads(pickle.dumps(one)).transform(counts), one.document_vectors_))
        self.assertTrue(set(one.words_) <= set(vectorizer.vocabulary_))
        listed = idne.IDNE(**QUICK).fit(counts, links=pairs(), vocabulary=list(vectorizer.get_feature_names_out()))
        self.assertTrue(np.array_equal(listed.document_vectors_, one.document_vectors_))
        for wrong in (counts[:, :5], counts * 0.5, -counts, np.full((2, counts.shape[1]), np.nan)):
            with self.assertRaises(idne.Error):
                one.transform(wrong)
        with self.assertRaises(idne.Error):
            idne.IDNE(**QUICK).fit(counts, vocabulary=["a"])
        with self.assertRaisesRegex(idne.Error, "texts"):
            idne.IDNE(**QUICK).fit(texts()).transform(counts)


class InsideTools(unittest.TestCase):
    def test_pipelines(self):
        pipeline = make_pipeline(idne.IDNE(**QUICK), LogisticRegression(max_iter=300))
        scores = cross_val_score(pipeline, np.array(texts(), dtype=object), labels(), cv=3)
        self.assertGreater(scores.mean(), 0.9)
        scores = cross_val_score(pipeline, pandas.Series(texts()), labels(), cv=3, fit_params={"idne__links": pairs()})
        self.assertGreater(scores.mean(), 0.9)
        counted = make_pipeline(CountVectorizer(), idne.LSA(n_components=8), LogisticRegression(max_iter=300))
        self.assertGreater(cross_val_score(counted, texts(), labels(), cv=2).mean(), 0.9)
        self.assertIn("IDNE", repr(pipeline) + pipeline._repr_html_() if hasattr(pipeline, "_repr_html_") else repr(pipeline))

    def test_grids(self):
        grid = GridSearchCV(Pipeline([("space", idne.IDNE(**QUICK)), ("label", LogisticRegression(max_iter=300))]), {"space__n_topics": [2, 3], "space__n_components": [8, 16]}, cv=2)
        grid.fit(texts(), labels())
        self.assertEqual(set(grid.best_params_), {"space__n_topics", "space__n_components"})
        self.assertEqual(len(grid.predict(texts()[:2])), 2)
        parallel = cross_val_score(make_pipeline(idne.LSA(n_components=8), LogisticRegression()), texts(), labels(), cv=2, n_jobs=2)
        self.assertGreater(parallel.mean(), 0.9)

    def test_frames(self):
        union = FeatureUnion([("a", idne.LSA(n_components=4)), ("b", idne.LSA(n_components=3))])
        self.assertEqual(union.fit_transform(texts()).shape, (300, 7))
        frame = make_pipeline(idne.LSA(n_components=4)).set_output(transform="pandas").fit_transform(pandas.Series(texts(), index=range(5, 305)))
        self.assertEqual((list(frame.columns)[0], frame.index[0]), ("lsa0", 5))


if __name__ == "__main__":
    unittest.main()
