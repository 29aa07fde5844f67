"""What is answered: small classes over the JSON that the program prints, with its names."""
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


def _framed(page, height):
    """A whole page inside a notebook's: its style stays its own."""
    return (f'<iframe srcdoc="{html.escape(page)}" sandbox="" loading="lazy" '
            f'style="width:100%;height:{height}px;border:0;resize:vertical"></iframe>')


class _Answer:
    """An answer of several parts, as the program's JSON has it."""

    def __init__(self, fields, page=None):
        self._fields = fields
        self._make_page = page

    def to_dict(self):
        """What `--format json` prints."""
        return json.loads(json.dumps(self._fields))

    def __eq__(self, other):
        return type(self) is type(other) and self._fields == other._fields

    def __getstate__(self):
        return {"_fields": self._fields, "_make_page": None}

    def to_html(self):
        """The page that the program writes, as text; it loads nothing."""
        from ._idne import Error

        if self._make_page is None:
            raise Error("there is no page of this answer any more: it was pickled, or has none")
        return self._make_page()

    HEIGHT = 480

    def _repr_html_(self):
        return _framed(self.to_html(), self.HEIGHT) if self._make_page else None


class Suggestions(_Answer):
    """What is suggested for a text: `labels`, `links`, each with reasons, and `doubts`."""

    @property
    def labels(self):
        return Answers(self._fields["labels"], SuggestedLabel)

    @property
    def links(self):
        return Answers(self._fields["links"], SuggestedLink)

    @property
    def doubts(self):
        return list(self._fields.get("doubts", []))

    def to_frame(self):
        """Labels and links in one frame: kind, rank, what, score, title."""
        import pandas

        rows = [("label", rank, one.label, one.probability, "") for rank, one in enumerate(self.labels, 1)]
        rows += [("link", rank, one.id, one.score, one._fields.get("title", "")) for rank, one in enumerate(self.links, 1)]
        return pandas.DataFrame(rows, columns=["kind", "rank", "what", "score", "title"])

    def __repr__(self):
        lines = [f"  {100 * one.probability:5.1f} %  {one.label}" for one in self.labels]
        lines += [f"  {one.score:.3f}    {one.id}  {one._fields.get('title', '')}" for one in self.links]
        return f"<Suggestions: {len(self.labels)} labels, {len(self.links)} links>" + "".join("\n" + line for line in lines)

    def _repr_html_(self):
        doubts = "".join(f"<p>{html.escape(one)}</p>" for one in self.doubts)
        return self.labels._repr_html_() + self.links._repr_html_() + doubts


class Explanation(_Answer):
    """Which topics a text is about (`topics`), and through which words (`tokens`, which joined are the text)."""

    @property
    def topics(self):
        return Answers(self._fields["topics"], TopicShare)

    @property
    def tokens(self):
        return Answers(self._fields["tokens"], Token)

    def to_frame(self):
        """A row for each word that the model knows: text, word, topic, weight."""
        import pandas

        rows = [token for token in self._fields["tokens"] if token.get("word") is not None]
        return pandas.DataFrame(rows, columns=["text", "word", "topic", "weight"])

    def __repr__(self):
        shares = ", ".join(f"topic {one.topic} {100 * one.share:.0f} %" for one in self.topics[:5])
        return f"<Explanation: {shares or 'no known word'}>"


class PairExplanation(_Answer):
    """Why two texts are close: `cosine`, `score`, and the pairs of `words` and of `topics` that the score is the sum of."""

    HEIGHT = 720
    cosine = property(lambda self: self._fields["cosine"])
    score = property(lambda self: self._fields["score"])

    @property
    def words(self):
        return Answers(self._fields["words"], Part)

    @property
    def topics(self):
        return Answers(self._fields.get("topics", []), Part)

    def to_frame(self):
        return self.words.to_frame()

    def __repr__(self):
        return f"<PairExplanation: cosine {self.cosine:.3f}, score {self.score:.4f}>"


class Topics(_Answer, Sequence):
    """The topics of a model, the one with the largest share first; `coherence`, `npmi` and `diversity` of all."""

    coherence = property(lambda self: self._fields.get("coherence"))
    npmi = property(lambda self: self._fields["npmi"])
    diversity = property(lambda self: self._fields["diversity"])
    tree = property(lambda self: self._fields.get("tree"))

    def __len__(self):
        return len(self._fields["topics"])

    def __getitem__(self, place):
        return Answers(self._fields["topics"], Topic)[place]

    def words(self, topic):
        """The words of a topic, which is numbered from 1."""
        return [one["word"] for one in self[topic - 1].words]

    def to_frame(self):
        """A row for each topic; its words in one column, with spaces between them."""
        return Answers(self._fields["topics"], Topic).to_frame()

    def __repr__(self):
        lines = [f"  {one.topic:3}  {100 * one.share:5.1f} %  {' '.join(word['word'] for word in one.words[:8])}" for one in self]
        return f"<Topics: {len(self)}, coherence {self.coherence:.3f}, diversity {self.diversity:.2f}>" + "".join("\n" + line for line in lines)


class TopicTimes(_Answer):
    """Shares of topics over years or months."""

    def to_frame(self):
        import pandas

        topics = self._fields["topics"]
        return pandas.DataFrame({one["name"]: one["shares"] for one in topics}, index=self._fields["periods"])

    def __repr__(self):
        return f"<TopicTimes: {len(self._fields['topics'])} topics, {len(self._fields['periods'])} periods>"


class DocumentMap(Sequence):
    """Where documents lie on the map: (x, y) of each within −1 … 1, alike documents near each other."""

    def __init__(self, places, ids, titles, topics):
        self.places, self.ids, self.titles, self.topics = places, ids, titles, topics

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, place):
        return self.places[place]

    def __repr__(self):
        return f"<DocumentMap: {len(self)} documents>"

    def to_frame(self):
        import pandas

        return pandas.DataFrame({"id": self.ids, "title": self.titles, "topic": self.topics, "x": self.places[:, 0], "y": self.places[:, 1]})

    def _repr_html_(self):
        colours = ("#3366cc", "#dc3912", "#ff9900", "#109618", "#990099", "#0099c6", "#dd4477", "#66aa00")
        points = []
        for (x, y), topic, name, title in zip(self.places[:20000].tolist(), self.topics, self.ids, self.titles):
            colour = colours[(topic - 1) % len(colours)] if topic else "#999999"
            points.append(f'<circle cx="{x:.4f}" cy="{-y:.4f}" r="0.008" fill="{colour}"><title>{html.escape(title or name)}</title></circle>')
        return f'<svg viewBox="-1.05 -1.05 2.1 2.1" style="max-width:640px;width:100%">{"".join(points)}</svg>'


class Update(_Answer):
    """A model with documents added, changed and removed (`model`), and what that came to (`advice` and the other figures)."""

    def __init__(self, fields, model):
        super().__init__(fields)
        self.model = model

    def __getattr__(self, name):
        fields = self.__dict__.get("_fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"Update has no {name!r}; it has: model, {', '.join(fields)}")

    def __getstate__(self):
        return self.__dict__

    def __repr__(self):
        figures = self._fields
        return (f"<Update: {figures.get('added')} added, {figures.get('changed')} changed, {figures.get('unchanged')} unchanged, "
                f"{figures.get('removed')} removed; {figures.get('advice')}>")


class Evaluation(Sequence):
    """How well methods do: a cell for each method, task, and ratio or metric."""

    def __init__(self, native):
        self._native = native
        self._fields = json.loads(native.json()) if not isinstance(native, dict) else native["fields"]
        self._texts = None if not isinstance(native, dict) else native["texts"]

    def _text(self, form):
        return self._texts[form] if self._texts else getattr(self._native, form)(*((120,) if form == "table" else ()))

    def __getstate__(self):
        return {"fields": self._fields, "texts": {form: self._text(form) for form in ("table", "csv", "markdown", "latex")}}

    def __setstate__(self, state):
        self.__init__(state)

    def __len__(self):
        return len(self._fields["results"])

    def __getitem__(self, place):
        return Answers(self._fields["results"], EvaluatedCell)[place]

    corpus = property(lambda self: self._fields["corpus"])

    def to_frame(self):
        return Answers(self._fields["results"], EvaluatedCell).to_frame()

    def to_dict(self):
        return json.loads(json.dumps(self._fields))

    def to_csv(self):
        return self._text("csv")

    def to_markdown(self):
        return self._text("markdown")

    def to_latex(self):
        return self._text("latex")

    def __repr__(self):
        return self._text("table").rstrip("\n")

    def _repr_html_(self):
        return Answers(self._fields["results"], EvaluatedCell)._repr_html_()
