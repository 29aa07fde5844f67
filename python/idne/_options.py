"""The library's tables of options as Python's keywords: nothing about an option is written here."""
import difflib
import functools
import inspect
import operator
import os

from . import _idne

SECTION = "Parameters\n----------\n"


@functools.lru_cache(maxsize=None)
def table(verb, kind=""):
    """The options of a verb, by the keywords that they have here."""
    return {keyword(option["name"]): option for option in _idne.options_of(verb, kind)}


def keyword(name):
    """"max-share" as max_share, "FILE" as file."""
    return name.lower().replace("-", "_")


def as_text(name, value):
    """A value as the command line would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "true" if value else "false"
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, float):
        return repr(float(value))
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:  # a number of NumPy's
        return repr(float(value))
    raise _idne.Error(f"{name}: {value!r} is of type {type(value).__name__}; a number, a text, True or False is needed")


def _pairs(name, value):
    """{"steps": 100, "topics": [4, 8]} as ["steps=100", "topics=4,8"]."""
    return [f"{key.replace('_', '-')}={','.join(texts(name, one))}" for key, one in value.items()]


def texts(name, value):
    """The values of an option."""
    if isinstance(value, dict):
        return _pairs(name, value)
    if isinstance(value, (list, tuple, set, frozenset, range)) or getattr(value, "ndim", 0) == 1:
        return [as_text(name, one) for one in value]
    return [as_text(name, value)]


def given(options, values):
    """What `values` says of a table's options, as the library takes it; None says nothing."""
    result = {}
    for name, value in values.items():
        if value is None:
            continue
        option = options[name]
        all_values = texts(name, value)
        if option["kind"] not in ("list", "text") and len(all_values) != 1:
            raise _idne.Error(f"{name}: one value is needed, not {value!r}")
        # A list that is empty is a value too: no stop words.
        result[option["name"]] = [",".join(all_values)] if option["kind"] == "text" else all_values
    return result


def check_known(function, options, values):
    """Raises TypeError, as a function of Python's would, with the keyword that may have been meant."""
    for name in values:
        if name in options:
            continue
        near = difflib.get_close_matches(name, options, 1, 0.6)
        hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(sorted(options))}"
        raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def default_of(option):
    """The default that a signature shows: None where there is none, or where it depends on something."""
    if option["name"] == "threads":
        return None  # all that the machine has
    if option["kind"] == "whole" and option["shown_default"] == "" and "…" in option["range"]:
        least, most = (float(part) for part in option["range"].split("|")[0].split("…"))
        if not least <= option["default"] <= most and not option["word"]:
            return None
    if option["kind"] in ("text", "list") and not option["default"]:
        return None
    if not option["shown_default"].startswith(str(option["default"])) and option["shown_default"]:
        return None
    return option["default"]


def type_of(option):
    kinds = {"flag": "bool", "whole": "int", "real": "float", "text": "str", "list": "list of str"}
    if option["choices"] and option["kind"] == "text":
        return "{" + ", ".join(repr(choice) for choice in option["choices"]) + "}"
    if option["file"]:
        return "path" if option["kind"] == "text" else "list of str or path"
    return kinds[option["kind"]] + (f" or {option['word']!r}" if option["word"] else "")


def described(name, option, default):
    """An option as a docstring has it."""
    text = option["help"]
    if option["shown_default"]:
        text += f" (default: {option['shown_default']})"
    elif option["paper"] is not None:
        text += f" (default: {option['default']}; {option['paper']} with preset='paper')"
    if option["kind"] in ("whole", "real"):
        text += f"; {option['range']}"
    return f"{name} : {type_of(option)}, default {default!r}\n    {text}\n"


def parameter(name, default, kind=inspect.Parameter.KEYWORD_ONLY):
    return inspect.Parameter(name, kind, default=default)
