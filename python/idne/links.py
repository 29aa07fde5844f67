"""Links in the forms that people have them: an edge list, a matrix, a graph, a frame."""
from ._idne import Error
from .inputs import is_frame, is_sparse

NEEDED = "an edge list, a matrix of documents × documents, a NetworkX graph or a frame is needed"


def link_arrays(links, ids, named):
    """(ends, weights or None, how many were left out): ends has two numbers of documents for each link.

    `ids` are what the documents are called. If they are `named` (by a Series), links go by these names, and those to names that
    are not among them are left out and counted, as in a file; else they go by numbers from 0, and others are errors.
    """
    import numpy

    nothing = numpy.zeros((0, 2), dtype=numpy.int64), None, 0
    if links is None:
        return nothing
    if isinstance(links, (str, bytes, dict)):
        raise Error(f"links: {NEEDED}, not {type(links).__name__}")
    if is_sparse(links):
        return _from_matrix(links.tocoo(), len(ids))
    if hasattr(links, "edges") and hasattr(links, "nodes"):
        return _from_pairs([(a, b, _weight(data)) for a, b, data in links.edges(data=True)], ids, named)
    if is_frame(links):
        return _from_frame(links, ids, named)
    array = links if hasattr(links, "dtype") else None
    if array is not None and array.ndim == 2 and array.shape == (len(ids), len(ids)) and len(ids) > 3:
        return _from_dense(array, len(ids))
    if array is not None and array.ndim == 2 and array.dtype.kind in "iu" and not named:
        return _from_numbers(array, len(ids))
    try:
        pairs = links.tolist() if array is not None else list(links)
    except TypeError:
        raise Error(f"links: {NEEDED}, not {type(links).__name__}") from None
    if not pairs:
        return nothing
    return _from_pairs(pairs, ids, named)


def _weight(data):
    weight = data.get("weight", 1) if isinstance(data, dict) else 1
    return 1 if weight is None else weight


def _checked(ends, weights, count):
    """Numbers and weights that the library can take."""
    import numpy

    if len(ends) and (ends.min() < 0 or ends.max() >= count):
        wrong = int(ends[(ends < 0) | (ends >= count)].flat[0])
        raise Error(f"links: there is no document {wrong}; they are numbered 0 … {count - 1}")
    if weights is not None:
        weights = numpy.asarray(weights, dtype=numpy.float32)
        if not ((weights > 0) & (weights <= numpy.float32(1e12))).all():
            raise Error("links: every weight must be a number above 0, and at most 1e12")
    return numpy.ascontiguousarray(ends, dtype=numpy.int64), weights


def _from_numbers(array, count):
    import numpy

    if array.shape[1] not in (2, 3):
        raise Error(f"links: two documents for each link are needed, and perhaps a weight; the array has {array.shape[1]} columns")
    ends = numpy.array(array[:, :2], dtype=numpy.int64)
    weights = numpy.array(array[:, 2], dtype=numpy.float64) if array.shape[1] == 3 else None
    return (*_checked(ends, weights, count), 0)


def _from_matrix(matrix, count):
    """A link stands in a matrix once or, if that is symmetric, twice."""
    import numpy

    if matrix.shape != (count, count):
        raise Error(f"links: the matrix is {' × '.join(map(str, matrix.shape))}, and there are {count} documents: {count} × {count} is needed")
    if matrix.data.dtype.kind not in "biuf":
        raise Error(f"links: a matrix of numbers is needed, not of {matrix.data.dtype}")
    weights = numpy.asarray(matrix.data, dtype=numpy.float64)
    if not numpy.isfinite(weights).all() or (weights < 0).any():
        raise Error("links: every entry of the matrix must be a number, 0 where there is no link")
    there = weights > 0
    first, second = numpy.minimum(matrix.row, matrix.col)[there], numpy.maximum(matrix.row, matrix.col)[there]
    weights = weights[there]
    order = numpy.lexsort((-weights, second, first))
    first, second, weights = first[order], second[order], weights[order]
    new = numpy.ones(len(first), dtype=bool)
    new[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    ends = numpy.stack([first[new], second[new]], axis=1).astype(numpy.int64)
    return (*_checked(ends, weights[new], count), 0)


def _from_dense(array, count):
    import scipy.sparse

    if array.dtype.kind not in "biuf":
        raise Error(f"links: a matrix of numbers is needed, not of {array.dtype}")
    return _from_matrix(scipy.sparse.coo_matrix(array), count)


def _from_frame(frame, ids, named):
    names = list(frame.columns)
    chosen = ["source", "target"] if {"source", "target"} <= set(names) else names[:2]
    if len(chosen) < 2:
        raise Error("links: a frame needs two columns, source and target, and perhaps one named weight")
    columns = [frame[name].tolist() for name in chosen]
    columns.append(frame["weight"].tolist() if "weight" in names else [1] * len(frame))
    return _from_pairs(list(zip(*columns)), ids, named)


def _from_pairs(pairs, ids, named):
    import numpy

    number = {name: place for place, name in enumerate(ids)} if named else None
    ends, weights, unknown = [], [], 0
    for place, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not hasattr(pair, "__len__") or len(pair) not in (2, 3):
            raise Error(f"links: link {place} is {pair!r}; two documents, and perhaps a weight, are needed")
        both = [_place(one, number, place) for one in (pair[0], pair[1])]
        weight = pair[2] if len(pair) == 3 else 1
        if isinstance(weight, (str, bytes)) or not hasattr(weight, "__float__"):
            raise Error(f"links: the weight {weight!r} of link {place} is no number")
        if None in both:
            unknown += 1
            continue
        ends.append(both)
        weights.append(float(weight))
    array = numpy.array(ends, dtype=numpy.int64).reshape(-1, 2)
    plain = all(weight == 1 for weight in weights)
    return (*_checked(array, None if plain else weights, len(ids)), unknown)


def _place(end, number, place):
    """The number of a document; None if no document has the name."""
    if number is not None:
        name = str(end)
        return number.get(name)
    if isinstance(end, str) or isinstance(end, bool):
        raise Error(f"links: link {place} names {end!r}; documents of a list are numbered from 0, those of a Series have its index")
    value = float(end) if hasattr(end, "__float__") else None
    if value is None or not value.is_integer() or abs(value) > 2**40:
        raise Error(f"links: link {place} names {end!r}, which is no number of a document")
    return int(value)
