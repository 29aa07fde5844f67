"""The program's verbs as functions, with its options' names: "max-share" is max_share."""
import inspect
import os

from . import _idne
from ._calls import shown
from ._options import SECTION, check_known, default_of, described, given, keyword, parameter, table
from .corpora import Corpus, CorpusFolder
from .inputs import path_bytes
from .models import Model
from .results import Evaluation

PROGRESS = "progress : bool or function, default None\n    a bar by tqdm; None: if a person is watching; a function gets (stage, done, total, loss)\n"


def _with_options(function, verb, kind="", left_out=()):
    """Gives a function the signature and the documentation of a verb's options."""
    own = inspect.signature(function).parameters
    options = {name: option for name, option in table(verb, kind).items() if name not in left_out and name not in own}
    first = [one for one in own.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    more = [parameter(name, default_of(option)) for name, option in options.items()]
    # Another method may have options of its own.
    others = [inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD)] if verb == "train" else []
    function.__signature__ = inspect.Signature(first + more + others)
    listed = "".join(described(name, option, default_of(option)) for name, option in options.items())
    if "progress" in own:
        listed += PROGRESS
    function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\n" + SECTION + listed
    return function


def _source(corpus):
    return corpus._native if isinstance(corpus, Corpus) else path_bytes(corpus)


def _reading_is_done(corpus, values):
    """Texts of a corpus that was read are words already."""
    if not isinstance(corpus, Corpus):
        return
    for name in ("language", "stop_words", "stem", "numbers", "phrases", "strict"):
        if values.get(name) is not None:
            raise _idne.Error(f"{name}: this corpus is read already; give that to read_corpus or Corpus.of")


def train(corpus, method="idne", progress=None, **options):
    """Learns a model from a corpus: a folder, a JSONL file, or what `read_corpus` gave. The bytes are those of `idne train`.

    >>> model = idne.train("corpus", topics=3, steps=50)
    >>> model.info()["documents"]
    300

    The options listed are those of the method idne; another method has its own, as its estimator tells.
    """
    method = str(method)
    options_of_method = table("train", method)
    check_known("train", options_of_method, options)
    _reading_is_done(corpus, options)
    with shown(progress) as tell:
        return Model(_idne.train(_source(corpus), method, given(options_of_method, options), tell))


def read_corpus(path, progress=None, **options):
    """Reads a corpus, to train several models from it or to look at it.

    >>> idne.read_corpus("corpus")
    <idne.Corpus: 300 documents, 1475 links, 3 labels>
    """
    known = {name: option for name, option in table("read").items() if name not in ("min_count", "max_share")}
    check_known("read_corpus", known, options)
    with shown(progress) as tell:
        return Corpus(_idne.Corpus.read(path_bytes(path), given(known, options), tell))


def load(path, map=False):
    """A model from its file. With `map` what it holds stays in the file, of which only what is used takes memory; nobody may
    write over that file then, or cut it.

    >>> idne.load("my.idne")
    <idne.Model: idne, 300 documents, 3 topics, 256 dimensions>
    """
    return Model(_idne.Model.load(path_bytes(path), bool(map)))


def evaluate(corpus, progress=None, **options):
    """How well methods do on a corpus, by the paper's tasks and by what they suggest. `methods`, `tasks` and `ratios` may be
    lists; `set` and `sweep` may be dicts.

    >>> table = idne.evaluate("corpus", methods=["lsa"], tasks=["inductive-classification"], repeats=1)
    >>> round(table[0].mean, 1)
    1.0
    """
    check_known("evaluate", table("evaluate"), options)
    _reading_is_done(corpus, options)
    with shown(progress) as tell:
        return Evaluation(_idne.evaluate(_source(corpus), given(table("evaluate"), options), tell))


def generate(output, progress=None, **options):
    """Makes a corpus with known fields, to try things on.

    >>> idne.generate("other", documents=100, fields=2)
    <idne.CorpusFolder 'other': 100 documents>
    """
    check_known("generate", table("generate"), options)
    with shown(progress) as tell:
        return CorpusFolder(output, _idne.generate(given(table("generate"), {"output": os.fspath(output), **options}), tell))


def _importer(kind, summary):
    options = table("import", kind)
    places = [name for name, option in options.items() if option["by_place"]]
    places.append("output")
    signature = inspect.Signature(
        [parameter(name, inspect.Parameter.empty, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in places]
        + [parameter("progress", None)]
        + [parameter(name, inspect.Parameter.empty if option["required"] else default_of(option)) for name, option in options.items() if name not in places])

    def import_corpus(*arguments, **values):
        bound = signature.bind(*arguments, **values) if set(values) <= set(signature.parameters) else None
        if bound is None:
            check_known(import_corpus.__name__, signature.parameters, values)
        asked = dict(bound.arguments)
        progress = asked.pop("progress", None)
        with shown(progress) as tell:
            documents, counts = _idne.import_corpus(kind, given(options, asked), tell)
        return CorpusFolder(asked["output"], documents, counts)

    import_corpus.__name__ = import_corpus.__qualname__ = f"import_{keyword(kind)}"
    import_corpus.__signature__ = signature
    import_corpus.__doc__ = (
        f"Makes a corpus folder, `output`: {summary}. Documents with links and labels, as `idne import {kind}` writes them.\n\n"
        + SECTION + "".join(described(name, option, default_of(option)) for name, option in options.items()) + PROGRESS)
    return import_corpus


_with_options(train, "train", "idne", ("method",))
_with_options(read_corpus, "read", left_out=("min_count", "max_share"))
_with_options(evaluate, "evaluate")
_with_options(generate, "generate", left_out=("output",))
for _kind, _summary in _idne.kinds_of_import():
    globals()[f"import_{keyword(_kind)}"] = _importer(_kind, _summary)
