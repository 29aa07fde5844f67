#!/usr/bin/python3
"""Measures deepwalk, node2vec and verse beside gensim's Word2Vec on the same walks, in turns, and prints the ratios.

    bench/skip_gram.py [deepwalk] [node2vec] [verse] [--rounds N] [--corpus FOLDER]        (default: all, 3 rounds, Cora)

Two threads each; dimensions, window, negatives and one pass over the walks are the same. gensim is given its fast settings: skip-gram with negative
sampling (sg=1, hs=0), walks from a file (corpus_file, which needs no Python in its loop), OpenBLAS; its time is that of train() alone, ours has the
walking in it. For verse, which walks only to draw pairs, gensim gets as many pairs. AUC: linked documents against as many pairs drawn
at random, ranked by cosine, for both; it shows that neither is quick because it learns less.
"""
import argparse, json, os, pathlib, statistics, sys, tempfile, time

from run import BUILD, DATA, LIBRARIES, cora, ratio, run, spread, table

METHODS = ["deepwalk", "node2vec", "verse"]


def peer(walks, settings, out):
    """In a process of its own, so that it can have another BLAS."""
    import numpy as np
    from gensim.models import Word2Vec
    model = Word2Vec(sg=1, hs=0, negative=settings["negatives"], vector_size=settings["dim"], window=settings["window"], min_count=0, sample=0,
                     workers=2, epochs=1, seed=1)
    model.build_vocab(corpus_file=walks)
    begin = time.perf_counter()
    model.train(corpus_file=walks, total_words=model.corpus_total_words, total_examples=model.corpus_count, epochs=1)
    seconds = time.perf_counter() - begin
    vectors = np.zeros((settings["documents"], settings["dim"]), np.float32)
    for word, at in model.wv.key_to_index.items():
        vectors[int(word)] = model.wv.vectors[at]
    vectors.tofile(out)
    print(json.dumps({"seconds": seconds}))


def links_of(corpus):
    import numpy as np
    number = {json.loads(line)["id"]: n for n, line in enumerate(open(corpus / "documents.jsonl", encoding="utf-8"))}
    rows = [line.rstrip("\n").split("\t") for line in open(corpus / "links.tsv", encoding="utf-8")]
    return np.array([(number[row[0]], number[row[1]]) for row in rows if row[0] in number and row[1] in number and row[0] != row[1]])


def auc(file, settings, links):
    import numpy as np
    vectors = np.fromfile(file, np.float32).reshape(settings["documents"], -1)
    vectors = vectors / np.maximum(1e-9, np.linalg.norm(vectors, axis=1, keepdims=True))
    pairs = np.random.RandomState(1).randint(len(vectors), size=(len(links), 2))
    cosine = [np.einsum("ij,ij->i", vectors[two[:, 0]], vectors[two[:, 1]]) for two in (links, pairs)]
    ranks = np.argsort(np.argsort(np.concatenate(cosine)))[:len(links)]
    return (ranks.sum() - len(links) * (len(links) - 1) / 2) / len(links) ** 2


def measure(method, corpus, name, rounds, folder):
    ours, theirs = [], []
    walks, own, other = folder / "walks.txt", folder / "own.f32", folder / "peer.f32"
    settings = json.loads(run(BUILD / "bench" / "skip_gram", corpus, method, 2, "walks", walks)[2])
    environment = {"LD_LIBRARY_PATH": f"{LIBRARIES}/openblas-pthread", "OPENBLAS_NUM_THREADS": "1"}
    for _ in range(rounds):
        ours.append(json.loads(run(BUILD / "bench" / "skip_gram", corpus, method, 2, "fit", own)[2])["seconds"])
        theirs.append(json.loads(run(sys.executable, __file__, "--peer", walks, json.dumps(settings), other, env=environment)[2])["seconds"])
    links = links_of(corpus)
    return [method, name, spread(ours), spread(theirs), ratio(statistics.median(theirs) / statistics.median(ours)),
            f"{100 * auc(own, settings, links):.1f}", f"{100 * auc(other, settings, links):.1f}"]


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(sys.argv[2], json.loads(sys.argv[3]), sys.argv[4])
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("methods", nargs="*", default=METHODS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        corpus, label = (given.corpus, given.corpus.name) if given.corpus else cora(folder)[::2]
        rows = [measure(method, corpus, label, given.rounds, folder) for method in given.methods]
    table(["method", "corpus", "idne, s", "gensim, s", "ratio", "AUC idne", "AUC gensim"], rows)


if __name__ == "__main__":
    main()
