#!/usr/bin/python3
"""Measures idne's LSA and TADW beside their peers, in turns, and prints the ratios.

    bench/baselines.py [lsa] [tadw] [--idne PROGRAM] [--rounds N]        (default: both, build/idne, 5 rounds)

lsa    `idne train --method lsa` against scikit-learn's tf-idf + TruncatedSVD, 256 dimensions, on Cora and NYT
tadw   `idne train --method tadw` against a straight NumPy version, with M dense (as public versions have it) and with M
       sparse, on Cora; the area under the curve shows that both learn the same

Two threads each. Reading texts and starting programs are left out on both sides: idne says how long training took, the
peers time themselves on counts that are in memory. Both peers run with Debian's plain BLAS and with OpenBLAS.
"""
import argparse, json, pathlib, re, statistics, sys, tempfile, time

from run import DATA, IDNE, LIBRARIES, ratio, run, spread, table

THREADS = 2
STOP_WORDS = DATA / "stopwords-reference.txt"
BLAS = {"plain BLAS": f"{LIBRARIES}/blas:{LIBRARIES}/lapack", "OpenBLAS": f"{LIBRARIES}/openblas-pthread"}


def read_corpus(folder):
    """Documents × words, with the words that idne keeps of ASCII texts, and the label of each document."""
    import numpy as np
    import scipy.sparse as sparse
    stop_words = set(STOP_WORDS.read_text(encoding="utf-8").split())
    rows = [json.loads(line) for line in open(folder / "documents.jsonl", encoding="utf-8")]
    texts = [[w for w in re.sub(r"[\W_]", " ", re.sub(r"<[^>]+>", " ", row["text"].lower())).split()
              if len(w) > 1 and w not in stop_words] for row in rows]
    number = {}
    entries = [(i, number.setdefault(word, len(number))) for i, text in enumerate(texts) for word in text]
    counts = sparse.coo_matrix((np.ones(len(entries)), zip(*entries)), shape=(len(rows), len(number))).tocsr()
    kept = (np.asarray(counts.sum(0))[0] >= 5) & (counts.getnnz(0) <= 0.25 * len(rows))
    return counts[:, kept], [(row.get("labels") or [""])[0] for row in rows], [row["id"] for row in rows]


def adjacency(folder, ids):
    import scipy.sparse as sparse
    number = {document: k for k, document in enumerate(ids)}
    links = {tuple(sorted((number[a], number[b]))) for a, b in
             (line.split()[:2] for line in open(folder / "links.tsv", encoding="utf-8")) if a != b}
    half = sparse.coo_matrix(([1.0] * len(links), zip(*links)), shape=(len(ids), len(ids)))
    return (half + half.T).tocsr()


def tf_idf(counts):
    import numpy as np
    import scipy.sparse as sparse
    from sklearn.preprocessing import normalize
    idf = np.log(counts.shape[0] / np.maximum(1, counts.getnnz(0)))
    return normalize(counts @ sparse.diags(idf))


def text_vectors(counts, dimensions):
    from sklearn.decomposition import TruncatedSVD
    return TruncatedSVD(dimensions, random_state=1).fit_transform(tf_idf(counts))


def unit(rows):
    from sklearn.preprocessing import normalize
    return normalize(rows)


def numpy_tadw(counts, links, dense, rank=128, features=128, scale=5.0, penalty=0.2, rounds=20):
    """min |M − Wᵀ H T|² + λ/2 (|W|² + |H|²), both half-steps solved exactly, as the formulas stand."""
    import numpy as np
    import scipy.sparse as sparse
    text = scale * unit(text_vectors(counts, features)).T
    degree = np.asarray(links.sum(1))[:, 0]
    step = sparse.diags(1 / np.maximum(degree, 1)) @ links
    m = (step + step @ step) / 2
    if dense:
        m = m.toarray()
    h = 0.1 * np.random.RandomState(1).randn(rank, features)
    text_values, text_turn = np.linalg.eigh(text @ text.T)
    for _ in range(rounds):
        ht = h @ text
        w = np.linalg.solve(ht @ ht.T + penalty / 2 * np.eye(rank), (m @ ht.T).T)
        w_values, w_turn = np.linalg.eigh(w @ w.T)
        right = w_turn.T @ (w @ (m @ text.T)) @ text_turn
        h = w_turn @ (right / (np.outer(w_values, text_values) + penalty / 2)) @ text_turn.T
    return np.hstack([unit(w.T), unit((h @ text).T)])


def peer(arguments):
    """Runs in a process of its own, so that its BLAS can be chosen. Prints its seconds."""
    import numpy as np
    what, folder, out = arguments
    counts, _, ids = read_corpus(pathlib.Path(folder))
    links = adjacency(pathlib.Path(folder), ids) if what != "lsa" else None
    begin = time.perf_counter()
    vectors = text_vectors(counts, 256) if what == "lsa" else numpy_tadw(counts, links, what == "dense")
    seconds = time.perf_counter() - begin
    np.save(out, vectors.astype("f4"))
    print(json.dumps({"seconds": seconds, "words": counts.shape[1]}))


def run_peer(what, corpus, out, blas):
    threads = {name: str(THREADS) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
    env = {"LD_LIBRARY_PATH": BLAS[blas], **threads}
    return json.loads(run("/usr/bin/python3", __file__, "--peer", what, corpus, out, env=env)[2])


def run_idne(program, method, corpus, out):
    report = run(program, "train", corpus, "--method", method, "--stop-words", STOP_WORDS, "--threads", THREADS,
                 "--format", "json", "-o", out)[2]
    return json.loads(report)["seconds"]["train"]


def document_vectors(model):
    """documents.vectors of a model file (safetensors)."""
    import numpy as np
    data = model.read_bytes()
    size = int.from_bytes(data[:8], "little")
    tensor = json.loads(data[8:8 + size])["documents.vectors"]
    begin, end = tensor["data_offsets"]
    return np.frombuffer(data[8 + size + begin:8 + size + end], dtype="<f4").reshape(tensor["shape"])


def area(vectors, labels, share=0.1, repeats=3):
    """Micro AUC × 100 of a balanced logistic regression on a tenth of the documents; the splits are the same for all."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import train_test_split
    from sklearn.multiclass import OneVsRestClassifier
    scores, names = [], np.array(labels)
    for seed in range(repeats):
        known, rest = train_test_split(np.arange(len(names)), train_size=share, stratify=names, random_state=seed)
        model = OneVsRestClassifier(LogisticRegression(C=10, class_weight="balanced", max_iter=2000))
        model.fit(vectors[known], names[known])
        truth = names[rest][:, None] == model.classes_[None, :]
        scores.append(100 * roc_auc_score(truth.ravel(), model.predict_proba(vectors[rest]).ravel()))
    return statistics.mean(scores)


def compare(title, corpus, method, peers, idne, folder, rounds):
    """Takes turns, so that whatever else the machine does falls on all alike."""
    ours = f"idne train --method {method}"
    seconds = {name: [] for name in (*peers, ours)}
    files = {name: folder / f"{k}.npy" for k, name in enumerate(peers)}
    for _ in range(rounds):
        for name, (what, blas) in peers.items():
            seconds[name].append(run_peer(what, corpus, files[name], blas)["seconds"])
        seconds[ours].append(run_idne(idne, method, corpus, folder / "model.idne"))
    return title, seconds, ours, files


def show(title, seconds, ours, extra=None):
    print(title)
    own = statistics.median(seconds[ours])
    table(["", "seconds", "this ÷ idne", *(["micro AUC, 10 %"] if extra else [])],
          [[name, spread(values), ratio(statistics.median(values) / own), *([f"{extra[name]:.1f}"] if extra else [])]
           for name, values in seconds.items()])


def lsa(idne, folder, rounds):
    peers = {f"scikit-learn, {blas}": ("lsa", blas) for blas in BLAS}
    for corpus in ("cora", "nyt"):
        title = f"LSA, 256 dimensions, {corpus}: seconds with {THREADS} threads, median (range) of {rounds} rounds."
        show(*compare(title, DATA / corpus, "lsa", peers, idne, folder, rounds)[:3])


def tadw(idne, folder, rounds):
    import numpy as np
    peers = {f"NumPy, {what} M, {blas}": (what, blas) for what in ("dense", "sparse") for blas in BLAS}
    title = f"TADW, 20 rounds, cora, with its LSA: seconds with {THREADS} threads, median (range) of {rounds} rounds."
    title, seconds, ours, files = compare(title, DATA / "cora", "tadw", peers, idne, folder, rounds)
    labels = read_corpus(DATA / "cora")[1]
    vectors = {name: np.load(path) for name, path in files.items()} | {ours: document_vectors(folder / "model.idne")}
    show(title, seconds, ours, {name: area(rows, labels) for name, rows in vectors.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="lsa|tadw")
    parser.add_argument("--idne", type=pathlib.Path, default=IDNE)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return peer(options.peer)
    parts = dict(lsa=lsa, tadw=tadw)
    if not set(options.parts) <= set(parts):
        sys.exit(__doc__)
    if not (DATA / "cora").exists():
        sys.exit(f"{DATA / 'cora'} is not there: say where the corpora are in IDNE_DATA")
    for name in options.parts or parts:
        with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
            parts[name](options.idne.resolve(), pathlib.Path(temporary), options.rounds)


if __name__ == "__main__":
    main()
