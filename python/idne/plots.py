"""Pictures by matplotlib, which is imported when one is drawn. Each gives the axes that it drew on."""
from ._idne import Error


def _axes(ax, **size):
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise Error("pictures need matplotlib (Debian's python3-matplotlib)") from None
    return pyplot.subplots(**size)[1]


def _model(model):
    """A model, or that of an estimator."""
    from .models import Model

    model = getattr(model, "model_", model)
    if not isinstance(model, Model):
        raise Error(f"a model, or an estimator that is fitted, is needed, not {type(model).__name__}")
    return model


def plot_topics(model, top=8, ax=None):
    """The topics' shares as bars, with their words; `model` is a model or a fitted estimator."""
    topics = _model(model).topics(top=top, examples=0)
    ax = _axes(ax, figsize=(9, 0.36 * len(topics) + 1))
    names = [f"{one.topic}  {' '.join(word['word'] for word in one.words)}" for one in topics]
    ax.barh(range(len(topics)), [100 * one.share for one in topics], color="#3366cc")
    ax.set_yticks(range(len(topics)), names)
    ax.invert_yaxis()
    ax.set_xlabel("share of the documents, %")
    ax.figure.tight_layout()
    return ax


def plot_map(model, labels=None, ax=None, size=None):
    """All documents as points, alike ones near each other, in the colours of their main topics, or of `labels`."""
    found = _model(model).map()
    if labels is None:
        kinds = [f"topic {topic}" if topic else "no topic" for topic in found.topics]
        order = sorted(set(kinds), key=lambda kind: (kind == "no topic", int(kind.split()[-1]) if kind != "no topic" else 0))
    else:
        kinds = [str(label) for label in labels]
        if len(kinds) != len(found):
            raise Error(f"labels: there are {len(found)} documents and {len(kinds)} labels")
        order = sorted(set(kinds))
    ax = _axes(ax, figsize=(8, 8))
    for kind in order:
        chosen = [place for place, one in enumerate(kinds) if one == kind]
        ax.scatter(found.places[chosen, 0], found.places[chosen, 1], s=size or max(1.0, min(20.0, 20000 / max(1, len(found)))), label=kind, linewidths=0)
    if len(order) <= 20:
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, markerscale=2)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def plot_sweep(evaluation, ax=None):
    """The figures of `idne.evaluate(…, sweep={"topics": [4, 8, 16]})` over the option's values: a line for each task, and ratio or
    metric, with its standard deviation."""
    if not all(hasattr(cell, "task") for cell in getattr(evaluation, "__iter__", lambda: [None])()):
        raise Error(f"what idne.evaluate gives is needed, not {type(evaluation).__name__}")
    lines, option = {}, None
    for cell in evaluation:
        method, _, setting = cell.method.partition(" ")
        name, _, value = setting.partition(" ")[0].partition("=")
        if not value or cell.to_dict().get("mean") is None:
            continue
        try:
            x = float(value.rstrip(","))
        except ValueError:
            continue
        option = name
        what = f"{method}, {cell.task}" + (f" {100 * cell.ratio:g} %" if cell.task == "classification" else f" {cell.metric}")
        what += ", text only" if "text only" in cell.method else ""
        lines.setdefault(what, []).append((x, 100 * cell.mean, 100 * cell.std))
    if not lines:
        raise Error('there is no sweep over numbers in this evaluation; give sweep={"topics": [4, 8, 16]} to evaluate')
    ax = _axes(ax, figsize=(8, 5))
    for what, points in lines.items():
        x, mean, deviation = zip(*sorted(points))
        ax.plot(x, mean, marker="o", label=what)
        ax.fill_between(x, [a - b for a, b in zip(mean, deviation)], [a + b for a, b in zip(mean, deviation)], alpha=0.15, linewidth=0)
    ax.set_xlabel(option)
    ax.set_ylabel("score × 100")
    ax.legend(frameon=False)
    return ax
