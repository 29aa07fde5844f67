"""Corpora: read from files, or made of what is in memory."""
import json
import pathlib

from . import _idne
from ._calls import number_of, shown, threads_of
from ._options import given, table
from .inputs import count_matrix, ids_of, is_numeric, is_series, is_sparse, label_lists, name_lists, text_list, vocabulary_list
from .links import link_arrays


class CorpusFolder:
    """A corpus folder that was written; `train`, `read_corpus` and whatever takes a path take it."""

    def __init__(self, path, documents, counts=None):
        self.path = pathlib.Path(path)
        self.documents = documents
        self.counts = dict(counts or {})

    def __fspath__(self):
        return str(self.path)

    def __len__(self):
        return self.documents

    def __repr__(self):
        counts = "".join(f"; {number} {what}" for what, number in self.counts.items())
        return f"<idne.CorpusFolder {str(self.path)!r}: {self.documents} documents{counts}>"


class Corpus:
    """Documents with their words, links and labels, as they were read.

    >>> corpus = idne.Corpus.of(["a planet and its moon", "the moon and a comet"], links=[(0, 1)])
    >>> corpus
    <idne.Corpus: 2 documents, 1 links, 0 labels>
    """

    def __init__(self, native):
        if not isinstance(native, _idne.Corpus):
            raise _idne.Error("a corpus is made by idne.read_corpus(path), or by idne.Corpus.of(texts)")
        self._native = native

    @classmethod
    def of(cls, texts, labels=None, links=None, groups=None, ids=None, titles=None, vocabulary=None, progress=False, **options):
        """A corpus of what is in memory.

        texts : list of str, array, pandas Series (whose index are the ids), or a matrix of counts with a `vocabulary`
        labels : a label, a list of labels, or None for each
        links : edge list, matrix of documents × documents, NetworkX graph or pandas frame
        groups : a group, a list of groups, or None for each: all members of a group are linked with each other
        """
        values = {name: value for name, value in options.items() if value is not None}
        counts = None
        if is_sparse(texts) or is_numeric(texts):
            parts, (count, columns) = count_matrix(texts)
            counts = (*parts, vocabulary_list(vocabulary, columns))
            strings = None
        else:
            strings = text_list(texts)
            count = len(strings)
        if count == 0:
            raise _idne.Error("texts: there are none")
        named = ids is not None or is_series(texts)
        names = ids_of(texts, count) if ids is None else [str(one) for one in text_list(ids, "ids")]
        if len(names) != count:
            raise _idne.Error(f"ids: there are {count} documents and {len(names)} ids")
        ends, weights, unknown = link_arrays(links, names, named)
        with shown(progress) as tell:
            return cls(_idne.Corpus.collect(
                texts=strings, ids=names, titles=None if titles is None else list(text_list(titles, "titles")),
                labels=label_lists(labels, count), groups=name_lists(groups, count, "groups"), links=ends, weights=weights,
                unknown_links=unknown, counts=counts, options=given(table("read"), values), progress=tell))

    def __len__(self):
        return len(self._native)

    def __repr__(self):
        labels = {label for own in self.labels for label in own}
        return f"<idne.Corpus: {len(self)} documents, {self._native.link_count()} links, {len(labels)} labels>"

    def __reduce__(self):
        raise TypeError("a corpus cannot be pickled; write it to a folder, and read that")

    name = property(lambda self: self._native.name())
    ids = property(lambda self: self._native.ids())
    titles = property(lambda self: self._native.titles(), doc="Or the openings of the texts.")
    labels = property(lambda self: self._native.labels(), doc="A list of labels for each document.")
    dropped = property(lambda self: self._native.dropped(), doc="What could not be used, in words.")

    @property
    def links(self):
        """Two numbers of documents for each link; groups are not expanded."""
        return self._native.links()[0]

    @property
    def link_weights(self):
        return self._native.links()[1]

    def check(self, min_count=5, max_share=0.25, threads=None, progress=False):
        """What the corpus is like, and what looks wrong: a dict, as `idne check --format json` prints it."""
        with shown(progress) as tell:
            return json.loads(self._native.check(number_of("min_count", min_count, 1), float(max_share), threads_of(threads), tell))
