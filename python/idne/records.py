"""Entries of answers, and lists of them, by the names that the program's JSON has."""
import html
import json
from collections.abc import Sequence


def _short(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "…")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_short(one) for one in value[:5]) + (", …]" if len(value) > 5 else "]")
    return repr(value)


class Record:
    """One entry of an answer: its fields are attributes, and keys."""

    SHOWN = ()  # what repr shows; nothing: all
    __slots__ = ("_fields",)

    def __init__(self, fields):
        object.__setattr__(self, "_fields", fields)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no {name!r}; it has: {', '.join(self._fields)}")
        return self._fields[name]

    def __setattr__(self, name, value):
        raise AttributeError("an answer cannot be changed")

    def __getitem__(self, name):
        return self._fields[name]

    def keys(self):
        return self._fields.keys()

    def __dir__(self):
        return [*super().__dir__(), *self._fields]

    def __eq__(self, other):
        return type(self) is type(other) and self._fields == other._fields

    def __reduce__(self):
        return type(self), (self._fields,)

    def __repr__(self):
        shown = self.SHOWN or self._fields
        return f"{type(self).__name__}({', '.join(f'{name}={_short(self._fields[name])}' for name in shown if name in self._fields)})"

    def to_dict(self):
        return json.loads(json.dumps(self._fields))


class Hit(Record):
    """A document that is near: id, score (cosine), title."""
    SHOWN = ("id", "score", "title")


class SuggestedLabel(Record):
    """label, probability, and the words that speak for it and against it."""
    SHOWN = ("label", "probability")


class SuggestedLink(Record):
    """id, title, score and its parts, and the reasons: words, topics, voters."""
    SHOWN = ("id", "score", "title")


class Topic(Record):
    """topic (its number, from 1), name, share, coherence, words and example documents."""
    SHOWN = ("topic", "name", "share")


class TopicShare(Record):
    SHOWN = ("topic", "share", "name")


class Token(Record):
    """A piece of a text: a word that the model knows, with its strongest topic, or what lies between such words."""
    SHOWN = ("text", "topic", "weight")


class Part(Record):
    """What a pair of words, or of topics, adds to a score."""


class EvaluatedCell(Record):
    SHOWN = ("method", "task", "ratio", "metric", "mean", "std")


class Tried(Record):
    SHOWN = ("topics", "coherence", "diversity", "chosen")


class MissingLink(Record):
    """A link that is not there: from, to, score (`link["from"]`, as `from` is a word of Python's)."""


class Answers(Sequence):
    """A list of records, for pandas (`to_frame`), notebooks and people."""

    def __init__(self, records, kind=Record):
        self._records = tuple(record if isinstance(record, Record) else kind(record) for record in records)

    def __len__(self):
        return len(self._records)

    def __getitem__(self, place):
        if isinstance(place, slice):
            return Answers(self._records[place])
        return self._records[place]

    def __eq__(self, other):
        return isinstance(other, Answers) and self._records == other._records

    def __repr__(self):
        if not self._records:
            return "[]"
        lines = [repr(record) for record in self._records[:20]]
        if len(self) > 20:
            lines.append(f"… {len(self) - 20} more")
        return "[" + ",\n ".join(lines) + "]"

    def _rows(self):
        return [{name: _plain(value) for name, value in record._fields.items()} for record in self._records]

    def to_frame(self):
        """A pandas frame with a row for each."""
        import pandas

        return pandas.DataFrame(self._rows())

    def to_dict(self):
        return [record.to_dict() for record in self._records]

    def _repr_html_(self):
        rows = self._rows()
        names = [name for name in rows[0] if any(row.get(name) not in ("", None) for row in rows)] if rows else []
        cell = lambda value: html.escape(f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{cell(row.get(name))}</td>" for name in names) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _plain(value):
    """A field as a cell of a table: lists of words become text."""
    if isinstance(value, list):
        return " ".join(str(next(iter(one.values()))) if isinstance(one, dict) else str(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items())
    return value
