"""The methods as estimators, as scikit-learn has them, which is not imported before it is needed. Their parameters are the options
of the library's tables; some have the names that scikit-learn's users expect."""
import inspect

from . import _idne
from ._calls import threads_of
from ._options import SECTION, check_known, default_of, described, given, parameter, table, texts
from .corpora import Corpus
from .inputs import count_matrix, is_numeric, is_sparse, vocabulary_list
from .models import Model

RENAMED = {"topics": "n_topics", "dim": "n_components", "seed": "random_state", "threads": "n_jobs"}
OWN = {  # beside those of the tables
    "random_state": "random_state : int, RandomState or None, default None\n    seed of all random numbers; None: {seed}, the same result each time\n",
    "n_jobs": "n_jobs : int or None, default None\n    number of threads; None and -1: all that there are; no result depends on it\n",
    "vocabulary": "vocabulary : list of str, dict or None, default None\n    the words of the columns, where X is a matrix of counts\n",
    "progress": "progress : bool or function, default False\n    a bar by tqdm, or a function that gets (stage, done, total, loss)\n",
}


class _Estimator:
    """What the estimators share."""

    _method = ""
    _parameters = {}  # name → (option of the table or None, default)

    # Parameters, as scikit-learn handles them.

    def _set(self, values):
        check_known(type(self).__name__, self._parameters, values)
        for name, (_, default) in self._parameters.items():
            setattr(self, name, values.get(name, default))

    @classmethod
    def _get_param_names(cls):
        return sorted(cls._parameters)

    def get_params(self, deep=True):
        """The parameters and their values."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params):
        """Sets parameters; gives the estimator."""
        for name in params:
            if name not in self._parameters:
                raise _idne.Error(f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._get_param_names()!r}.")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self):
        changed = [f"{name}={getattr(self, name, default)!r}" for name, (_, default) in self._parameters.items() if _differs(getattr(self, name, default), default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _more_tags(self):
        return {"X_types": ["string", "2darray", "sparse"], "no_validation": True, "requires_fit": True, "preserves_dtype": [], "requires_positive_X": True}

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), transformer_tags=TransformerTags(preserves_dtype=[]),
                    input_tags=InputTags(string=True, two_d_array=True, sparse=True, positive_only=True), no_validation=True)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def set_output(self, *, transform=None):
        """"pandas": what transform gives is a frame; "default": an array."""
        if transform is not None:
            if transform not in ("default", "pandas"):
                raise _idne.Error(f"transform: {transform!r} is not one of 'default' and 'pandas'")
            self._sklearn_output_config = {"transform": transform}
        return self

    # What they do.

    def _options(self):
        values = {}
        for name, (option, default) in self._parameters.items():
            value = getattr(self, name)
            if option is not None and _differs(value, default):
                values[option] = value
        values["seed"] = _seed(self.random_state) if "seed" in table("train", self._method) else None
        values["threads"] = threads_of(self.n_jobs)
        return values

    def fit(self, X, y=None, links=None, groups=None, vocabulary=None):
        """Learns from documents.

        X : list of str, array or pandas Series of texts (its index are then the ids); or a matrix of counts, with a vocabulary
        y : a label, a list of labels or None for each; the model learns to suggest them, and no vector depends on them
        links : edge list, matrix of documents × documents, NetworkX graph or pandas frame; None: there are none
        groups : a group, a list of groups or None for each; all members of a group are linked with each other
        """
        options = self._options()
        reading = {name: options[name] for name in table("read") if name in options and name not in ("min_count", "max_share")}
        learning = {name: value for name, value in options.items() if name not in reading or name == "threads"}
        counted = is_sparse(X) or is_numeric(X)
        words = self.vocabulary if vocabulary is None else vocabulary
        corpus = Corpus.of(X, y, links, groups, vocabulary=words if counted else None, progress=self.progress, **reading)
        from ._calls import shown

        with shown(self.progress) as tell:
            model = Model(_idne.train(corpus._native, self._method, given(table("train", self._method), learning), tell))
        self.model_ = model
        if counted:
            self.n_features_in_ = X.shape[1]
            place = {word: number for number, word in enumerate(model._native.matched_words())}
            self._columns = [place.get(word, -1) for word in vocabulary_list(words, X.shape[1])]
        elif hasattr(self, "n_features_in_"):
            del self.n_features_in_, self._columns
        return self

    def transform(self, X):
        """Vectors of documents, from their texts (or counts) alone: a row for each, zeros for one without known words."""
        model = self._fitted()
        if not (is_sparse(X) or is_numeric(X)):
            return self._wrapped(model.embed(X, threads=self.n_jobs, progress=self.progress), X)
        if not hasattr(self, "_columns"):
            raise _idne.Error("X: this model was fitted to texts, and cannot take counts; a list of strings is needed")
        (starts, columns, counts), shape = count_matrix(X)
        if shape[1] != self.n_features_in_:
            raise _idne.Error(f"X has {shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")
        return self._wrapped(self._of_counts(model, starts, columns, counts), X)

    def _of_counts(self, model, starts, columns, counts):
        import numpy

        words = numpy.asarray(self._columns, dtype=numpy.int64)[columns]
        known = words >= 0
        before = numpy.concatenate([[0], numpy.cumsum(known)])
        return model._native.embed_counts(before[starts], words[known], counts[known], threads_of(self.n_jobs), None)

    def fit_transform(self, X, y=None, links=None, groups=None, vocabulary=None):
        """Learns from documents, and gives their vectors: `document_vectors_`, which know the documents' own links where the
        method or `neighbours` makes use of these; else they are what `transform` gives."""
        return self._wrapped(self.fit(X, y, links, groups, vocabulary).document_vectors_.copy(), X)

    def get_feature_names_out(self, input_features=None):
        """idne0, idne1 …"""
        import numpy

        width = self._fitted().vectors.shape[1]
        return numpy.array([f"{type(self).__name__.lower()}{number}" for number in range(width)], dtype=object)

    def save(self, path):
        """Writes the model file, which the program reads."""
        self._fitted().save(path)

    def _fitted(self):
        if not hasattr(self, "model_"):
            try:
                from sklearn.exceptions import NotFittedError
            except ImportError:
                NotFittedError = _idne.Error
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.")
        return self.model_

    def _wrapped(self, rows, X):
        config = getattr(self, "_sklearn_output_config", {}).get("transform")
        if config is None:
            try:
                import sys

                config = sys.modules["sklearn"].get_config().get("transform_output") if "sklearn" in sys.modules else None
            except AttributeError:
                config = None
        if config != "pandas":
            return rows
        import pandas

        return pandas.DataFrame(rows, columns=self.get_feature_names_out(), index=getattr(X, "index", None) if hasattr(X, "iloc") else None)

    @property
    def document_vectors_(self):
        """The vectors of the documents that it learned from: read only."""
        return self._fitted_attribute("document_vectors_").vectors

    @property
    def words_(self):
        """The words that were kept, the most frequent first."""
        return self._fitted_attribute("words_").words

    @property
    def word_vectors_(self):
        return self._fitted_attribute("word_vectors_").word_vectors

    @property
    def topics_(self):
        """Words, share and examples of each topic."""
        return self._fitted_attribute("topics_").topics()

    @property
    def topic_vectors_(self):
        return self._fitted_attribute("topic_vectors_").topic_vectors

    def _fitted_attribute(self, name):
        if not hasattr(self, "model_"):
            raise AttributeError(f"{type(self).__name__} has no {name!r} before it is fitted")
        return self.model_


def _differs(value, default):
    """Whether a value is another than the default: 1 is not True here."""
    if value is default:
        return False
    return type(value) is not type(default) or bool(value != default)


def _seed(random_state):
    """None is the table's own."""
    if random_state is None:
        return None
    for draw in ("integers", "randint"):  # NumPy's Generator, and RandomState
        if hasattr(random_state, draw):
            return int(getattr(random_state, draw)(0, 2**31 - 1))
    return random_state


def _estimator(name, method, summary, inductive):
    options = table("train", method)
    parameters = {}
    listed = ""
    for option_name, option in options.items():
        if option_name in ("threads", "checkpoint", "resume", "every"):
            continue
        shown = RENAMED.get(option_name, option_name)
        # What a preset changes is None, so that it can be told from a value that was given.
        default = None if option["paper"] is not None or option_name == "seed" else default_of(option)
        parameters[shown] = (None if option_name == "seed" else option_name, default)
        listed += OWN["random_state"].format(seed=option["default"]) if option_name == "seed" else described(shown, option, default)
    if "random_state" not in parameters:
        parameters["random_state"] = (None, None)
        listed += OWN["random_state"].format(seed="nothing is random")
    for own, default in (("n_jobs", None), ("vocabulary", None), ("progress", False)):
        parameters[own] = (None, default)
        listed += OWN[own]

    def __init__(self, **values):
        self._set(values)

    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)] + [parameter(one, default) for one, (_, default) in parameters.items()])
    induction = "" if inductive else " It cannot transform new documents; fit_transform has the vectors of those that it learned from."
    documentation = f"{summary[0].upper()}{summary[1:]}: an estimator as scikit-learn has them.{induction}\n\n{SECTION}{listed}"
    return type(name, (_Estimator,), {"__init__": __init__, "__doc__": documentation, "__module__": __name__, "_method": method, "_parameters": parameters})


_SUMMARIES = {method: (summary, inductive) for method, summary, inductive in _idne.methods()}
IDNE = _estimator("IDNE", "idne", *_SUMMARIES["idne"])
LSA = _estimator("LSA", "lsa", *_SUMMARIES["lsa"])
TADW = _estimator("TADW", "tadw", *_SUMMARIES["tadw"])
GVNRt = _estimator("GVNRt", "gvnrt", *_SUMMARIES["gvnrt"])
Graph2Gauss = _estimator("Graph2Gauss", "graph2gauss", *_SUMMARIES["graph2gauss"])
CANE = _estimator("CANE", "cane", *_SUMMARIES["cane"])
DeepWalk = _estimator("DeepWalk", "deepwalk", *_SUMMARIES["deepwalk"])
Node2Vec = _estimator("Node2Vec", "node2vec", *_SUMMARIES["node2vec"])
VERSE = _estimator("VERSE", "verse", *_SUMMARIES["verse"])
