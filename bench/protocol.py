#!/usr/bin/python3
"""Classification by the paper's scripts beside this program's protocol, on the same vectors and splits: what the difference makes.

    bench/protocol.py [--repeats N] [--corpus cora]                (default: 5)

theirs, 2019    vectors as they are; scikit-learn's LogisticRegressionCV, balanced, C by accuracy (the authors' `idne/eval`), as it came until
                version 0.22 of December 2019: one-vs-rest, with a C for each label
theirs, today   the same command with later versions: one model of all labels, one C
unit length     the same, of vectors at unit length
ours            one-vs-rest LIBLINEAR, one C by micro AUC, of vectors at unit length: docs/protocol.md. Here by scikit-learn's LIBLINEAR

Vectors are those of `idne train`, one training per repeat; micro AUC × 100, mean ± half of the 95 % interval.
"""
import argparse, json, pathlib, statistics, sys, tempfile, warnings

from run import DATA, IDNE, run, table

RATIOS = (0.02, 0.1)
METHODS = {"lsa": ["--method", "lsa"], "idne --preset paper": ["--preset", "paper"]}
WAYS = ("theirs, 2019", "theirs, today", "theirs, today, unit length", "ours")
T_975 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}


def scores(vectors, labels, train, test):
    """Micro AUC, by each of WAYS."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    truth = labels[:, None] == np.unique(labels)[None, :]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)

    def by_accuracy(rows, **way):
        chosen = LogisticRegressionCV(Cs=10, cv=3, class_weight="balanced", max_iter=2000, **way).fit(rows[train], labels[train])
        return roc_auc_score(truth[test], chosen.predict_proba(rows[test]), average="micro")

    def one_vs_rest(c, rows, known):
        answers = [LogisticRegression(C=c, solver="liblinear", class_weight="balanced").fit(rows[known], truth[known, k]) for k in range(truth.shape[1])]
        return lambda asked: np.stack([answer.predict_proba(rows[asked])[:, 1] for answer in answers], axis=1)

    def by_auc(rows):
        folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(train, labels[train]))
        found = {}
        for c in 10.0 ** np.arange(-4, 5):
            held = [(train[b], one_vs_rest(c, rows, train[a])(train[b])) for a, b in folds if len(set(labels[train[a]])) == truth.shape[1]]
            found[c] = np.mean([roc_auc_score(truth[part], said, average="micro") for part, said in held])
        return roc_auc_score(truth[test], one_vs_rest(max(found, key=found.get), rows, train)(test), average="micro")

    return by_accuracy(vectors, multi_class="ovr"), by_accuracy(vectors), by_accuracy(unit), by_auc(unit)


def main():
    import numpy as np
    from sklearn.model_selection import train_test_split
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, choices=sorted(T_975))
    parser.add_argument("--corpus", default="cora", help="a folder of $IDNE_DATA whose documents have one label each")
    options = parser.parse_args()
    corpus = DATA / options.corpus
    if not corpus.exists():
        sys.exit(f"{corpus} is not there")
    labels = np.array([json.loads(line)["labels"][0] for line in open(corpus / "documents.jsonl", encoding="utf-8")])
    found = {}
    with tempfile.TemporaryDirectory(prefix="idne-protocol-") as temporary:
        folder = pathlib.Path(temporary)
        for repeat in range(options.repeats):
            for method, arguments in METHODS.items():
                run(IDNE, "train", corpus, "-o", folder / "model.idne", "--seed", 900 + repeat, *arguments)
                run(IDNE, "export", folder / "model.idne", "documents", "-o", folder / "vectors.npy")
                vectors = np.load(folder / "vectors.npy").astype(float)
                for ratio in RATIOS:
                    train, test = train_test_split(np.arange(len(labels)), train_size=ratio, stratify=labels, random_state=900 + repeat)
                    for way, score in zip(WAYS, scores(vectors, labels, train, test)):
                        found.setdefault((method, ratio, way), []).append(100 * score)
    print(f"{options.corpus}, {options.repeats} repeats: micro AUC × 100 of classification, the same vectors and splits.")
    half = lambda values: T_975[len(values)] * statistics.stdev(values) / len(values) ** 0.5
    table(["", "labels", *WAYS],
          [[method, f"{100 * ratio:g} %", *(f"{statistics.mean(found[method, ratio, way]):.1f} ±{half(found[method, ratio, way]):.1f}" for way in WAYS)]
           for method in METHODS for ratio in RATIOS])


if __name__ == "__main__":
    main()
