#!/usr/bin/env python3
"""Writes the stubs whose signatures come from the library's tables of options: functions.pyi and estimators.pyi.

    PYTHONPATH=build/python python/stubs/make.py [FOLDER]      (default: python/idne)
"""
import inspect
import pathlib
import sys

import idne
from idne import estimators, functions
from idne._options import table

TYPES = {"flag": "bool", "whole": "int", "real": "float", "text": "str", "list": "str | Sequence[str]"}
HEAD = "# Made by python/stubs/make.py from the library's tables of options.\n"
OWN = {"corpus": "_Path | Corpus", "method": "str", "progress": "_Progress", "path": "_Path", "map": "bool", "output": "_Path"}
SPECIAL = {"methods": "str | Sequence[str]", "tasks": "str | Sequence[str]", "ratios": "str | Sequence[float]", "set": "Mapping[str, object] | Sequence[str]",
           "sweep": "Mapping[str, object] | str", "vocabulary": "Sequence[str] | Mapping[str, int]", "random_state": "object", "n_jobs": "int", "stop_words": "_Path | Sequence[str]"}
GIVES = {"train": "Model", "read_corpus": "Corpus", "load": "Model", "evaluate": "Evaluation"}


def type_of(name, option):
    if name in SPECIAL:
        return SPECIAL[name]
    if option["choices"] and option["kind"] == "text":
        return "Literal[" + ", ".join(repr(choice) for choice in option["choices"]) + "]"
    if option["file"]:
        return "_Path" if option["kind"] == "text" else "_Path | Sequence[_Path]"
    return TYPES[option["kind"]] + (f" | Literal[{option['word']!r}]" if option["word"] else "")


def argument(name, options, default):
    kind = OWN.get(name) or type_of(name, options[name])
    if default is inspect.Parameter.empty:
        return f"{name}: {kind}"
    return f"{name}: {kind}{'' if name == 'progress' or default is not None else ' | None'} = ..."


def function_stub(name):
    function = getattr(idne, name)
    verb = {"read_corpus": ("read", ""), "train": ("train", "idne")}.get(name, (name, ""))
    options = {} if name == "load" else table("import", name.removeprefix("import_")) if name.startswith("import_") else table(*verb)
    parts, keyword_only = [], False
    for one in inspect.signature(function).parameters.values():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            parts.append(f"**{one.name}: object")
            continue
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        parts.append(argument(one.name, options, one.default))
    return f"def {name}({', '.join(parts)}) -> {GIVES.get(name, 'CorpusFolder')}: ...\n"


def functions_stub():
    names = [name for name in idne.__all__ if getattr(getattr(idne, name), "__module__", "") == functions.__name__ and inspect.isfunction(getattr(idne, name))]
    return (HEAD + "import os\nfrom collections.abc import Callable, Mapping, Sequence\nfrom typing import Literal, Union\n\nfrom .corpora import Corpus, CorpusFolder\n"
            "from .models import Model\nfrom .results import Evaluation\n\n_Path = Union[str, bytes, os.PathLike[str]]\n"
            "_Progress = Union[bool, None, Callable[[str, int, int, Union[float, None]], object]]\n\n" + "".join(map(function_stub, names)))


def estimator_stub(kind):
    options = {}
    for name, (option, _) in kind._parameters.items():
        options[name] = table("train", kind._method).get(option or "", {"choices": (), "file": False, "kind": "text", "word": ""})
    arguments = ", ".join(argument(name, options, default) for name, (_, default) in kind._parameters.items())
    fields = "".join(f"    {name}: {(OWN.get(name) or type_of(name, options[name])) + ('' if default is not None or name == 'progress' else ' | None')}\n"
                     for name, (_, default) in kind._parameters.items())
    return f"\nclass {kind.__name__}(_Estimator):\n{fields}    def __init__(self, *, {arguments}) -> None: ...\n"


def estimators_stub():
    kinds = [getattr(estimators, name) for name in ("IDNE", "LSA", "TADW", "GVNRt", "Graph2Gauss", "CANE", "DeepWalk", "Node2Vec", "VERSE")]
    return HEAD + (pathlib.Path(__file__).parent / "estimators.pyi.in").read_text() + "".join(map(estimator_stub, kinds))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "idne"
    (folder / "functions.pyi").write_text(functions_stub())
    (folder / "estimators.pyi").write_text(estimators_stub())
