#!/usr/bin/python3
"""Measures the protocol's classifier beside scikit-learn's LogisticRegressionCV and prints the ratios.

    bench/classifier.py [--idne PROGRAM] [--ratios 0.02,0.1,0.9] [--repeats N] [--rounds N]     (default: build/idne, 3 and 3)

Both learn from the same vectors of Cora (`idne train` with the repeat's seed, rows at unit length) and the same splits: the
program's draws are repeated here, number by number. One thread each, classes balanced, C a power of ten from 1e-4 to 1e4, as many
stratified folds. The peer runs on OpenBLAS in several settings, because the one that is nearest to ours, one-vs-rest judged by
AUC, takes another C for each label, and its probabilities are then no good to be ranked together.

Ours is `score_seconds` of `idne evaluate`, with splitting and computing the AUC; the peer is timed from fit() to
predict_proba(), in memory.
"""
import argparse, collections, json, pathlib, statistics, sys, tempfile, time, warnings

from run import DATA, IDNE, LIBRARIES, ratio, run, spread, table

BAR_RATIO, BAR_POINTS = 20, 0.3
SEED = 1
PEERS = {  # name: solver, multi_class, scoring; the first two solve our problem, with a C for each label
    "one-vs-rest, liblinear, AUC": ("liblinear", "ovr", "roc_auc"),
    "one-vs-rest, lbfgs, AUC": ("lbfgs", "ovr", "roc_auc"),
    "as it comes (multinomial, lbfgs, accuracy)": ("lbfgs", "multinomial", "accuracy"),
    "multinomial, newton-cg, accuracy": ("newton-cg", "multinomial", "accuracy"),
}


class Random:
    """src/math/random.h: Philox4x32-10, keyed by (seed, purpose, index)."""
    SPLIT = 5

    def __init__(self, seed, purpose, index):
        self.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.counter = [0, purpose, index & 0xFFFFFFFF, index >> 32]
        self.block = []

    def bits32(self):
        if not self.block:
            c, (k0, k1) = list(self.counter), self.key
            for _ in range(10):
                a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
                c = [b >> 32 ^ c[1] ^ k0, b & 0xFFFFFFFF, a >> 32 ^ c[3] ^ k1, a & 0xFFFFFFFF]
                k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
            self.block = c
            self.counter[0] += 1
        return self.block.pop(0)

    def below(self, n):
        product = self.bits32() * n
        while product & 0xFFFFFFFF < (1 << 32) % n:
            product = self.bits32() * n
        return product >> 32


def stratified_split(labels, share, random):
    """src/evaluate/splits.cc, for one label per document: the documents to learn from and the others."""
    order = list(range(len(labels)))
    for n in range(len(order), 1, -1):
        k = random.below(n)
        order[n - 1], order[k] = order[k], order[n - 1]
    wanted = min(max(int(share * len(labels) + 0.5), 1), len(labels) - 1)
    sizes = [wanted, len(labels) - wanted]
    places = collections.defaultdict(list)
    for place in order:
        places[labels[place]].append(place)
    room, sides = list(map(float, sizes)), ([], [])
    for label in sorted(places, key=lambda label: (len(places[label]), label)):
        left = sum(room)
        owed = [min(max(room[s] - left * sizes[s] / len(labels), -0.5), 0.5) for s in (0, 1)]
        label_room = [size / len(labels) * len(places[label]) for size in sizes]
        for place in places[label]:
            first, second = (label_room[s] + owed[s] for s in (0, 1))
            side = 1 if second > first or (second == first and room[1] > room[0]) else 0
            sides[side].append(place)
            label_room[side] -= 1
            room[side] -= 1
    return sorted(sides[0]), sorted(sides[1])


def read_labels(corpus):
    """Numbers, in the order in which the labels first appear, as the program has them."""
    number = {}
    return [number.setdefault(json.loads(line)["labels"][0], len(number)) for line in open(corpus / "documents.jsonl", encoding="utf-8")]


def folds_of(labels):
    """As many as the program takes: docs/protocol.md."""
    rarest = min(count for count in collections.Counter(labels).values() if count > 1)
    return min(max(rarest, 2), 3 if len(labels) > 1000 else 5)


def peer(arguments):
    """Runs in a process of its own, so that its BLAS can be chosen. Prints seconds and AUC for each ratio."""
    import numpy as np
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import normalize
    warnings.simplefilter("ignore")
    name, corpus, vectors, repeat, ratios = arguments
    solver, classes, scoring = PEERS[name]
    labels = read_labels(pathlib.Path(corpus))
    rows, names = normalize(np.load(vectors).astype("f8")), np.array(labels)
    result = {}
    for share in ratios.split(","):
        index = int(repeat) << 32 | round(float(share) * 1e6)
        known, rest = stratified_split(labels, float(share), Random(SEED, Random.SPLIT, index))
        begin = time.perf_counter()
        model = LogisticRegressionCV(Cs=np.logspace(-4, 4, 9), cv=folds_of(names[known].tolist()), multi_class=classes, scoring=scoring,
                                     class_weight="balanced", solver=solver, max_iter=1000, n_jobs=1)
        scores = model.fit(rows[known], names[known]).predict_proba(rows[rest])
        seconds = time.perf_counter() - begin
        truth = names[rest][:, None] == model.classes_[None, :]
        result[share] = {"seconds": seconds, "auc": roc_auc_score(truth.ravel(), scores.ravel())}
    print(json.dumps(result))


def run_peer(name, corpus, vectors, repeat, ratios):
    env = {"LD_LIBRARY_PATH": f"{LIBRARIES}/openblas-pthread", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return json.loads(run("/usr/bin/python3", __file__, "--peer", name, corpus, vectors, repeat, ",".join(ratios), env=env)[2])


def run_idne(program, corpus, ratios, repeats):
    """Seconds (a mean over the repeats) and the AUC of each repeat, for each ratio."""
    out = run(program, "evaluate", corpus, "--methods", "idne", "--tasks", "classification", "--ratios", ",".join(ratios), "--neighbours", 0,
              "--repeats", repeats, "--seed", SEED, "--threads", 1, "--format", "json")[2]
    return {f"{cell['ratio']:g}": cell for cell in json.loads(out)["results"]}


def measure(program, corpus, ratios, repeats, rounds, folder):
    """Takes turns, so that whatever else the machine does falls on all alike."""
    vectors = []
    for repeat in range(repeats):
        vectors.append(folder / f"{repeat}.npy")
        run(program, "train", corpus, "-o", folder / "model.idne", "--seed", SEED + repeat)
        run(program, "export", folder / "model.idne", "documents", "-o", vectors[-1])
    seconds = {(name, share): [] for name in (*PEERS, "idne") for share in ratios}
    areas = {key: [] for key in seconds}
    for _ in range(rounds):
        for name in PEERS:
            results = [run_peer(name, corpus, vectors[repeat], repeat, ratios) for repeat in range(repeats)]
            for share in ratios:
                seconds[name, share].append(statistics.mean(r[share]["seconds"] for r in results))
                areas[name, share] = [100 * r[share]["auc"] for r in results]
        for share, cell in run_idne(program, corpus, ratios, repeats).items():
            seconds["idne", share].append(cell["score_seconds"])
            areas["idne", share] = [100 * value for value in cell["values"]]
    return seconds, areas


def show(seconds, areas, ratios, repeats, rounds):
    print(f"Classifier on Cora, the same vectors and splits for all: seconds per split with 1 thread, median (range) of {rounds} rounds, each a\n"
          f"mean over {repeats} splits; micro AUC × 100, mean over the splits, and the mean and range of what ours is above.\n"
          f"The bar: {BAR_RATIO} times faster, and not more than {BAR_POINTS} points below.")
    rows = []
    for share in ratios:
        own = statistics.median(seconds["idne", share])
        for name in PEERS:
            gain = statistics.median(seconds[name, share]) / own
            above = [ours - theirs for ours, theirs in zip(areas["idne", share], areas[name, share])]
            missed = [what for what, miss in (("speed", gain < BAR_RATIO), ("AUC", statistics.mean(above) < -BAR_POINTS)) if miss]
            rows.append([f"{100 * float(share):g} %", f"scikit-learn, {name}", spread(seconds[name, share]), ratio(gain),
                         f"{statistics.mean(areas[name, share]):.2f}", f"{statistics.mean(above):+.2f} ({min(above):+.2f} … {max(above):+.2f})",
                         f"MISSED: {', '.join(missed)}" if missed else "reached"])
        rows.append([f"{100 * float(share):g} %", "idne", spread(seconds["idne", share]), "1 ×", f"{statistics.mean(areas['idne', share]):.2f}", "", ""])
    table(["labels", "", "seconds", "this ÷ idne", "micro AUC", "idne − this", "bar"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--idne", type=pathlib.Path, default=IDNE)
    parser.add_argument("--ratios", default="0.02,0.1,0.9")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return peer(options.peer)
    corpus = DATA / "cora"
    if not corpus.exists():
        sys.exit(f"{corpus} is not there: say where the corpora are in IDNE_DATA")
    ratios = [f"{float(share):g}" for share in options.ratios.split(",")]
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        measured = measure(options.idne.resolve(), corpus, ratios, options.repeats, options.rounds, pathlib.Path(temporary))
        show(*measured, ratios, options.repeats, options.rounds)


if __name__ == "__main__":
    main()
