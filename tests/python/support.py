"""What the module's tests share: a small corpus, and a model of it."""
import functools, json, os, pathlib, subprocess, tempfile

import idne

IDNE = os.environ["IDNE"]
FOLDER = tempfile.TemporaryDirectory(prefix="idne-python-")
HERE = pathlib.Path(FOLDER.name)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXT = "The judge heard the lawyer and the defendant before the physician came to the patient."


@functools.lru_cache(maxsize=None)
def corpus():
    return idne.generate(HERE / "corpus", documents=300, fields=3)


@functools.lru_cache(maxsize=None)
def model():
    return idne.train(corpus(), topics=3, steps=60)


@functools.lru_cache(maxsize=None)
def documents():
    return [json.loads(line) for line in (pathlib.Path(corpus()) / "documents.jsonl").read_text(encoding="utf-8").splitlines()]


@functools.lru_cache(maxsize=None)
def texts():
    return [document["text"] for document in documents()]


@functools.lru_cache(maxsize=None)
def labels():
    return [document["labels"][0] for document in documents()]


@functools.lru_cache(maxsize=None)
def pairs():
    """The documents' ids are their numbers."""
    return [tuple(int(end) for end in line.split("\t")) for line in (pathlib.Path(corpus()) / "links.tsv").read_text(encoding="utf-8").splitlines()]


def program(*arguments):
    """What the program prints."""
    result = subprocess.run([IDNE, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return result.stdout


def program_error(*arguments):
    return subprocess.run([IDNE, *map(str, arguments)], capture_output=True, text=True).stderr
