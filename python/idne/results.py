"""What is answered: small classes over the JSON that the program prints."""
import html
import json
from collections.abc import Sequence

from .records import Answers, EvaluatedCell, Part, SuggestedLabel, SuggestedLink, Token, Topic, TopicShare


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
