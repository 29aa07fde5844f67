"""Texts, counts, labels and groups in the forms that people have them: lists, NumPy, pandas, SciPy. None of these packages is
imported before something of it is passed in."""
import math
import os

from ._idne import Error

MANY = "a list of strings"


def path_bytes(path):
    """A path as the library takes it."""
    if isinstance(path, bytes):
        return path
    if not isinstance(path, (str, os.PathLike)):
        raise Error(f"a path is needed, not {type(path).__name__}")
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        raise Error(f"the path {path!r} cannot be a file's name") from None


def is_frame(value):
    return hasattr(value, "columns") and hasattr(value, "iloc")


def is_series(value):
    return hasattr(value, "index") and hasattr(value, "iloc") and not hasattr(value, "columns")


def is_sparse(value):
    return hasattr(value, "tocsr") and hasattr(value, "shape")


def is_numeric(value):
    """A dense matrix of numbers: counts."""
    return getattr(value, "ndim", 0) == 2 and getattr(getattr(value, "dtype", None), "kind", "") in "biuf"


def text_list(texts, what="texts"):
    """A list of strings; the library itself checks what is in it."""
    if isinstance(texts, (list, tuple)):
        return texts
    if texts is None:
        raise Error(f"{what}: {MANY} is needed, not None")
    if isinstance(texts, (str, bytes)):
        raise Error(f"{what}: {MANY} is needed, not one string")
    if is_frame(texts):
        raise Error(f"{what}: {MANY} is needed; take a column of the frame: frame['text']")
    if isinstance(texts, dict):
        raise Error(f"{what}: {MANY} is needed, not a dict")
    dimensions = getattr(texts, "ndim", 1)
    if dimensions != 1:
        raise Error(f"{what}: {MANY} is needed, not an array of {dimensions} dimensions")
    if hasattr(texts, "tolist"):
        return texts.tolist()
    try:
        return list(texts)
    except TypeError:
        raise Error(f"{what}: {MANY} is needed, not {type(texts).__name__}") from None


def ids_of(texts, count):
    """What documents are called: a Series names them by its index, all others are numbered."""
    if not is_series(texts):
        return [str(number) for number in range(count)]
    return [str(one) for one in texts.index.tolist()]


def _is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NAType", "NaTType")


def _names(value, what):
    """One name, or several, of a document."""
    if _is_missing(value):
        return []
    if isinstance(value, str):
        return [value]
    if isinstance(value, (bytes, dict)):
        raise Error(f"{what}: a text, or a list of texts, is needed, not {type(value).__name__}")
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_name(one, what) for one in value if not _is_missing(one)]
    return [_name(value, what)]


def _name(value, what):
    if isinstance(value, (list, tuple, set, dict, bytes)):
        raise Error(f"{what}: {value!r} is no name")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)


def name_lists(values, count, what):
    """A list of names for each document, or None: from a name, a list of names or nothing for each, or from a table of 0 and 1
    with a column for each name."""
    if values is None:
        return None
    if isinstance(values, (str, bytes, dict)):
        raise Error(f"{what}: one for each document is needed, not {type(values).__name__}")
    if is_sparse(values):
        values = values.toarray()
    if is_frame(values) or getattr(values, "ndim", 1) == 2:
        rows = _indicated(values, what)
    else:
        values = values.tolist() if hasattr(values, "tolist") else values
        try:
            values = list(values)
        except TypeError:
            raise Error(f"{what}: one for each document is needed, not {type(values).__name__}") from None
        rows = [_names(value, what) for value in values]
    if len(rows) != count:
        raise Error(f"{what}: there are {count} documents and {len(rows)} entries")
    return rows


def _indicated(values, what):
    import numpy

    names = [str(column) for column in values.columns] if is_frame(values) else None
    table = numpy.asarray(values)
    if table.dtype.kind not in "biuf" or not numpy.isin(table, (0, 1)).all():
        raise Error(f"{what}: a table must have 0 or 1 in each column, or give a list of names for each document")
    names = names or [str(column) for column in range(table.shape[1])]
    return [[names[column] for column in numpy.flatnonzero(row)] for row in table]


def label_lists(y, count):
    """As name_lists; numbers with fractions are no labels, but what a regression is after."""
    if getattr(getattr(y, "dtype", None), "kind", "") == "f" and getattr(y, "ndim", 0) == 1:
        import numpy

        known = numpy.asarray(y)[~numpy.isnan(numpy.asarray(y))]
        if not (numpy.isfinite(known) & (known == numpy.floor(known))).all():
            return None
    return name_lists(y, count, "y")


def count_matrix(matrix):
    """(starts, columns, counts) of a matrix of counts, copied, and its shape."""
    import numpy
    import scipy.sparse

    if len(matrix.shape) != 2:
        raise Error(f"counts: a matrix is needed, not an array of {len(matrix.shape)} dimensions")
    rows = scipy.sparse.csr_matrix(matrix, copy=True)
    if rows.data.dtype.kind not in "biuf":
        raise Error(f"counts: numbers are needed, not {rows.data.dtype}")
    if not numpy.isfinite(rows.data).all() or (rows.data < 0).any() or (rows.data != numpy.floor(rows.data)).any():
        raise Error("counts: whole numbers of at least 0 are needed; give counts, not weights such as TF-IDF")
    rows.sum_duplicates()
    parts = tuple(part.astype(numpy.int64) for part in (rows.indptr, rows.indices, rows.data))
    return parts, matrix.shape


def vocabulary_list(vocabulary, columns):
    """The words of a matrix's columns: a list, or a dict word → column as CountVectorizer has it; without one x0, x1 …"""
    if vocabulary is None:
        return [f"x{column}" for column in range(columns)]
    if isinstance(vocabulary, dict):
        words = [None] * columns
        for word, column in vocabulary.items():
            if not 0 <= int(column) < columns or words[int(column)] is not None:
                raise Error(f"vocabulary: the column {column} of {word!r} is not one of its own in 0 … {columns - 1}")
            words[int(column)] = word
        if None in words:
            raise Error(f"vocabulary: the column {words.index(None)} has no word")
    else:
        words = list(text_list(vocabulary, "vocabulary"))
    if len(words) != columns:
        raise Error(f"vocabulary: there are {len(words)} words and {columns} columns")
    return [str(word) if not isinstance(word, bytes) else word for word in words]
