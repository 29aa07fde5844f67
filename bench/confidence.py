#!/usr/bin/env python3
"""When the explorer says "low confidence" because a text is unlike the documents: how often for documents of the corpus that the model has not seen,
and how often for texts of other corpora (`far` of POST place).

    bench/confidence.py CORPUS CORPUS...

A corpus may also be a dictionary of Debian: foldoc.index (dict-foldoc), whose entries name each other in braces, or WordNet's data.noun (wordnet-base), glosses.
Of each corpus 300 documents are hidden, and up to 4,000 others trained on; the same texts every time. Loopback only.
"""
import argparse, json, os, pathlib, random, subprocess, sys, tempfile, urllib.request

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from dictionaries import entries, senses

IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()


def documents_of(corpus):
    if corpus.suffix == ".index":
        return entries(corpus)
    if corpus.name == "data.noun":
        return senses(corpus)
    return [json.loads(line) for line in open(corpus / "documents.jsonl", encoding="utf-8")]


def split(corpus, folder):
    """Writes the documents to train on, and gives the hidden texts."""
    documents = documents_of(corpus)
    random.Random(3).shuffle(documents)
    hidden, kept = documents[:300], documents[300:4300]
    ids = {one["id"] for one in kept}
    folder.mkdir()
    with open(folder / "documents.jsonl", "w", encoding="utf-8") as out:
        for one in kept:
            out.write(json.dumps({**one, "links": [to for to in one.get("links", []) if to in ids]}) + "\n")
    return [one["text"] for one in hidden]


def share_told(port, texts):
    told = 0
    for text in texts:
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/place", json.dumps({"text": text}).encode())) as answer:
            told += json.load(answer)["far"]
    return told / len(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", nargs="+", type=pathlib.Path)
    corpora = parser.parse_args().corpora
    with tempfile.TemporaryDirectory(prefix="idne-confidence-") as temporary:
        folder = pathlib.Path(temporary)
        hidden = {one.stem: split(one, folder / one.stem) for one in corpora}
        print("| model of | own, not seen | " + " | ".join(hidden) + " |\n|---" * 1 + "|---" * (1 + len(hidden)) + "|")
        for name in hidden:
            model = folder / f"{name}.idne"
            subprocess.run([IDNE, "train", folder / name, "-o", model], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            process, port = start(IDNE, model, "--corpus", folder / name)
            told = {other: share_told(port, texts) for other, texts in hidden.items()}
            process.terminate()
            process.communicate()
            print(f"| {name} | {told[name]:.0%} | " + " | ".join("" if other == name else f"{told[other]:.0%}" for other in hidden) + " |")


if __name__ == "__main__":
    main()
