"""Models: what was learned, and what it says of texts."""
import json
import os
import pathlib
import tempfile

from . import _idne
from ._calls import number_of, shown, threads_of
from .inputs import path_bytes, text_list
from .records import Answers, Hit, MissingLink, Tried
from .results import DocumentMap, Explanation, PairExplanation, Suggestions, TopicTimes, Topics, Update

MOST = 10**6


class Model:
    """A trained model. It never changes: what would change it gives another.

    >>> model = idne.load("my.idne")
    >>> model.embed(["The judge heard the lawyer.", "a planet"]).shape
    (2, 256)
    """

    def __init__(self, native):
        if not isinstance(native, _idne.Model):
            raise _idne.Error("a model is made by idne.train(corpus), or by idne.load(path)")
        self._native = native
        self._parsed = None

    # What it is.

    def __repr__(self):
        topics = f", {self._native.topic_vectors().shape[0]} topics" if self._native.has_topics() else ""
        return f"<idne.Model: {self._native.method()}, {len(self)} documents{topics}, {self.vectors.shape[1]} dimensions>"

    def __len__(self):
        return len(self._native)

    def info(self):
        """How it was made and what it holds: a dict, as `idne info --format json` prints it."""
        if self._parsed is None:
            self._parsed = self._native.info()
        return json.loads(self._parsed)

    vectors = property(lambda self: self._native.vectors(), doc="The documents' vectors, as they lie in the model: read only.")
    word_vectors = property(lambda self: self._native.word_vectors())
    topic_vectors = property(lambda self: self._native.topic_vectors())
    words = property(lambda self: self._native.words(), doc="As they are written, the most frequent first.")
    word_counts = property(lambda self: self._native.word_counts(), doc="In the corpus.")
    documents = property(lambda self: self._native.ids(), doc="The documents' ids, in the order of `vectors`.")
    titles = property(lambda self: self._native.titles())
    labels = property(lambda self: self._native.labels(), doc="A list of labels for each document.")
    label_names = property(lambda self: self._native.label_names())

    @property
    def links(self):
        """The documents' links, as a SciPy matrix of 0 and 1; groups are not expanded."""
        import numpy
        import scipy.sparse

        starts, columns = self._native.links()
        return scipy.sparse.csr_matrix((numpy.ones(len(columns), dtype=numpy.int8), columns, starts), shape=(len(self), len(self)))

    def save(self, path):
        """Writes the model file, whole or not at all: the program reads it."""
        self._native.save(path_bytes(path))

    def __reduce__(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.idne"
            self.save(file)
            return _from_bytes, (file.read_bytes(),)

    def __copy__(self):
        return self

    def __deepcopy__(self, _):
        return self

    # What it says of texts.

    def embed(self, texts, links=None, threads=None, progress=False):
        """Vectors of texts, a row for each; zeros for one without known words. `links`, ids of documents of the model for each
        text, count where the model was trained with neighbours."""
        with shown(progress) as tell:
            return self._native.embed(text_list(texts), _id_lists(links), threads_of(threads), tell)

    def similar(self, text=None, k=10, *, word=None, topic=None, document=None, links=None, threads=None, progress=False):
        """The documents nearest to a text, best first, or to each of a list of texts; or to a word, a topic (from 1) or a
        document of the model.

        >>> len(idne.load("my.idne").similar("a planet and its moon", k=3))
        3
        """
        k = number_of("k", k, 1, MOST)
        _one_of(text=text, word=word, topic=topic, document=document)
        if text is None:
            kind, what = next((kind, what) for kind, what in (("word", word), ("topic", topic), ("document", document)) if what is not None)
            number = number_of("topic", what, 1, MOST) if kind == "topic" else 0
            name = "" if kind == "topic" else _text(what, kind)
            return Answers(json.loads(self._native.similar_to(kind, name, number, k, threads_of(threads))), Hit)
        if isinstance(text, str) and links is not None:
            links = [links]
        ask = lambda texts, count, tell: self._native.similar(texts, _id_lists(links), k, count, tell)
        return _each(text, ask, lambda answer, _: Answers(answer["similar"], Hit), threads, progress)

    def suggest(self, text=None, k=5, *, document=None, reasons=5, threads=None, progress=False):
        """Labels for a text and documents to link it to, with reasons; a list of these for a list of texts. For a document of
        the model: the links that it does not have yet.

        >>> idne.load("my.idne").suggest("The judge heard the lawyer.", k=1).labels[0].label
        'law'
        """
        k, reasons = number_of("k", k, 1, MOST), number_of("reasons", reasons, 1, MOST)
        _one_of(text=text, document=document)
        if text is None:
            answer = json.loads(self._native.suggest_missing(_text(document, "document"), k, reasons))
            return Suggestions(answer)
        ask = lambda texts, count, tell: self._native.suggest(texts, k, reasons, count, tell)
        return _each(text, ask, lambda answer, _: Suggestions(answer), threads, progress)

    def missing_links(self, k=5, threads=None, progress=False):
        """The best links that are missing in the whole corpus, best first; up to k are looked for from each document."""
        ids = self.documents
        with shown(progress) as tell:
            found = self._native.missing_links(number_of("k", k, 1, MOST), threads_of(threads), tell)
        return Answers([{"from": ids[a], "to": ids[b], "score": score} for a, b, score in found], MissingLink)

    def explain(self, text=None, *, document=None, threads=None, progress=False):
        """Which topics a text is about, and through which words; a list of these for a list of texts. A notebook shows the
        page that the program writes."""
        _one_of(text=text, document=document)
        if text is None:
            name = _text(document, "document")
            answer = json.loads(self._native.explain_document(name))
            return Explanation(answer, lambda: self._native.explanation_page(None, name, ""))
        ask = lambda texts, count, tell: self._native.explain(texts, count, tell)
        page = lambda one: lambda: self._native.explanation_page(one, None, "a text")
        return _each(text, ask, lambda answer, one: Explanation(answer, page(one)), threads, progress)

    def explain_pair(self, a=None, b=None, *, document=None, with_document=None, top=10):
        """Why two texts are close; `document` and `with_document` take documents of the model for either."""
        top = number_of("top", top, 1, MOST)
        _one_of(a=a, document=document)
        _one_of(b=b, with_document=with_document)
        both = (a, document, b, with_document, top)
        return PairExplanation(json.loads(self._native.explain_pair(*both, False)), lambda: self._native.explain_pair(*both, True))

    # Topics.

    def topics(self, top=10, examples=1, rank=None, tree=False):
        """Words, share and examples of each topic."""
        answer = self._native.topics(number_of("top", top, 1, MOST), number_of("examples", examples, 0, MOST), "" if rank is None else str(rank), bool(tree))
        return Topics(json.loads(answer), self._native.topics_page)

    def topic_times(self, by="year"):
        """Shares of topics over years or months, where documents have dates."""
        return TopicTimes(json.loads(self._native.topic_times(str(by))))

    def try_topics(self, numbers=(), threads=None, progress=False):
        """How well other numbers of topics would do; none: those that topics='auto' tries."""
        numbers = [number_of("numbers", number, 1, 4096) for number in numbers]
        with shown(progress) as tell:
            return Answers(json.loads(self._native.try_topics(numbers, threads_of(threads), tell))["refit"], Tried)

    def refit(self, topics, threads=None, progress=False):
        """The same model with so many topics, fitted anew: seconds instead of a training."""
        with shown(progress) as tell:
            return Model(self._native.refit(number_of("topics", topics, 1, 4096), threads_of(threads), tell))

    def name_topics(self, names):
        """The model with names given to topics, {3: "Space flight"}; "" takes a name away."""
        if not isinstance(names, dict):
            raise _idne.Error("names: a dict, topic → name, is needed")
        return Model(self._native.name_topics({number_of("topic", topic, 1, MOST): _text(name, "name") for topic, name in names.items()}))

    # Documents that come later.

    def update(self, new=None, *, remove=(), whole=False, steps=0, feedback=None, strict=False, threads=None, progress=None):
        """A model with documents added, changed and removed: `.model` of what this gives, with a report. `new` is a corpus
        folder, a JSONL file, or a list of dicts as a line of such a file has them (id, text, links, labels …)."""
        steps = number_of("steps", steps)
        if new is None and not len(remove) and feedback is None and steps == 0:
            raise _idne.Error("nothing to do; give new, remove, feedback or steps")
        if whole and new is None:
            raise _idne.Error("whole needs new, which is then the whole corpus")
        with tempfile.TemporaryDirectory() as folder, shown(progress) as tell:
            changes = None if new is None else path_bytes(_documents_file(new, folder))
            model, report = self._native.update(
                changes, list(text_list(remove, "remove")), bool(whole), bool(strict), steps,
                None if feedback is None else path_bytes(feedback), threads_of(threads), tell)
        return Update(json.loads(report), Model(model))

    def map(self, threads=None, progress=False):
        """Where the documents lie on a map: two numbers each, alike documents near each other."""
        with shown(progress) as tell:
            places = self._native.map(threads_of(threads), tell)
        return DocumentMap(places, self.documents, self.titles, self._native.main_topics(threads_of(threads)))

    def evaluate(self, corpus, **options):
        """How well this model's method does on a corpus: `idne.evaluate` with that method."""
        from .functions import evaluate

        return evaluate(corpus, **{"methods": self._native.method(), **options})


def _from_bytes(content):
    """A model of what its file holds: how models are unpickled."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.idne"
        file.write_bytes(content)
        return Model(_idne.Model.load(os.fsencode(file), False))


def _text(value, what):
    if not isinstance(value, str):
        raise _idne.Error(f"{what}: a string is needed, not {type(value).__name__}")
    return value


def _one_of(**choices):
    given = [name for name, value in choices.items() if value is not None]
    if len(given) != 1:
        raise _idne.Error(f"one of {', '.join(choices)} is needed, not {' and '.join(given) or 'nothing'}")


def _id_lists(links):
    if links is None:
        return None
    return [[_text(one, "links") for one in text_list(own, "links")] for own in text_list(links, "links")]


def _each(text, ask, answer, threads, progress):
    """The answer for a text, or those for a list of them."""
    texts = [text] if isinstance(text, str) else text_list(text, "text")
    with shown(progress) as tell:
        lines = ask(texts, threads_of(threads), tell)
    answers = []
    for line, one in zip(lines, texts):
        fields = json.loads(line)
        del fields["id"]
        answers.append(answer(fields, one))
    return answers[0] if isinstance(text, str) else answers


def _documents_file(new, folder):
    """The place of documents; those of memory are written there first."""
    if isinstance(new, (str, bytes, os.PathLike)):
        return new
    file = pathlib.Path(folder) / "new.jsonl"
    try:
        file.write_text("".join(json.dumps(document) + "\n" for document in new), encoding="utf-8")
    except (TypeError, ValueError) as error:
        raise _idne.Error(f"new: a path, or a list of dicts with id and text, is needed: {error}") from None
    return file

