#!/usr/bin/python3
"""What an updated model is worth beside one that was trained on everything.

    bench/update.py quality [--corpora cora,nyt,travel-2012] [--repeats 3] [--steps 0,200] [--seed 1] [--again]
    bench/update.py topics  [--corpora …] [--steps 100]
    bench/update.py large   CORPUS [--documents 200]

quality: a tenth of the documents is hidden, another tenth comes late. One model is trained on all that are not hidden, the other
on the rest, and updated with what comes late. Both are asked the same: classification with labels of 10 % (50 % where documents
have several) of the seen documents, the same and links for the hidden ones from their texts, and suggestions for these.
Micro AUC, recall@10, MRR and p@1 in per cent, and the difference. --again: also of a training on all with another seed, which
is what two equally good models differ by.
topics: a tenth comes in ten updates of 1 % each with --steps; words in common with the first model's topics, by their numbers.
large: seconds and memory of an update of so many documents of a corpus in one file, beside training anew.

IDNE names the program (default build/idne), IDNE_DATA the corpora (default ../shared/data).
"""
import argparse, json, os, pathlib, random, statistics, subprocess, tempfile, time

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import normalize

from server import make_index

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = os.environ.get("IDNE", str(ROOT / "build" / "idne"))
DATA = pathlib.Path(os.environ.get("IDNE_DATA", ROOT.parent / "shared" / "data"))


def idne(*arguments):
    return subprocess.run([IDNE, *map(str, arguments)], check=True, capture_output=True).stdout


class Corpus:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.documents = [json.loads(line) for line in open(self.folder / "documents.jsonl", encoding="utf-8")]

    def write(self, to, documents):
        """Those documents, and all links and groups: what is unknown is dropped."""
        to.mkdir()
        with open(to / "documents.jsonl", "w", encoding="utf-8") as out:
            out.writelines(json.dumps(self.documents[i]) + "\n" for i in documents)
        for name in ("links.tsv", "groups.tsv"):
            if (self.folder / name).exists():
                (to / name).write_bytes((self.folder / name).read_bytes())
        return to

    def linked(self, ids):
        """The pairs of these documents that are linked."""
        number = {id: n for n, id in enumerate(ids)}
        pairs, groups = set(), {}
        if (self.folder / "links.tsv").exists():
            for line in open(self.folder / "links.tsv", encoding="utf-8"):
                a, b = line.rstrip("\n").split("\t")[:2]
                if a in number and b in number and a != b:
                    pairs.add((min(number[a], number[b]), max(number[a], number[b])))
        if (self.folder / "groups.tsv").exists():
            for line in open(self.folder / "groups.tsv", encoding="utf-8"):
                id, group = line.rstrip("\n").split("\t")
                if id in number:
                    groups.setdefault(group, []).append(number[id])
        for members in groups.values():
            pairs.update((min(a, b), max(a, b)) for n, a in enumerate(members) for b in members[:n])
        return pairs


def parts(count, seed):
    order = list(range(count))
    random.Random(seed).shuffle(order)
    tenth = count // 10
    return sorted(order[:tenth]), sorted(order[tenth:2 * tenth]), sorted(order[2 * tenth:])  # hidden, late, first


def label_matrix(documents, names):
    matrix = numpy.zeros((len(documents), len(names)), dtype=int)
    for row, document in enumerate(documents):
        for label in document.get("labels", []):
            if label in names:
                matrix[row, names[label]] = 1
    return matrix


def scores(train_x, train_y, test_x):
    return OneVsRestClassifier(LogisticRegression(C=10, class_weight="balanced", max_iter=1000)).fit(train_x, train_y).decision_function(test_x)


def measure(corpus, model, seen, hidden, folder, seed):
    """By task. `seen` and `hidden` are ids; documents are looked up by these, whatever their order in the model is."""
    by_id = {document["id"]: document for document in corpus.documents}
    idne("export", model, "documents", "-o", folder / "v.npy")
    idne("export", model, "documents", "-o", folder / "v.tsv")
    order = {line.split("\t", 1)[0]: n for n, line in enumerate(open(folder / "v.tsv", encoding="utf-8"))}
    vectors = normalize(numpy.load(folder / "v.npy")[[order[id] for id in seen]])
    with open(folder / "hidden.jsonl", "w", encoding="utf-8") as out:
        for id in hidden:
            out.write(json.dumps({"id": id, "text": by_id[id]["text"]}) + "\n")
    idne("embed", model, folder / "hidden.jsonl", "-o", folder / "h.npy")
    hidden_vectors = normalize(numpy.load(folder / "h.npy"))
    names = {name: n for n, name in enumerate(sorted({label for document in corpus.documents for label in document.get("labels", [])}))}
    y, hidden_y = label_matrix([by_id[id] for id in seen], names), label_matrix([by_id[id] for id in hidden], names)
    several = (y.sum(axis=1) > 1).any()
    chooser = numpy.random.default_rng(seed)
    chosen = numpy.zeros(len(seen), dtype=bool)
    chosen[chooser.permutation(len(seen))[:len(seen) // (2 if several else 10)]] = True
    result = {}

    def auc(true, score):
        kept = (true.sum(axis=0) > 0)
        return 100 * roc_auc_score(true[:, kept].ravel(), score[:, kept].ravel())

    kept = y[chosen].sum(axis=0) > 1
    result["classification"] = auc(y[~chosen][:, kept], scores(vectors[chosen], y[chosen][:, kept], vectors[~chosen]))
    kept = y.sum(axis=0) > 1
    result["inductive classification"] = auc(hidden_y[:, kept], scores(vectors, y[:, kept], hidden_vectors))
    pairs = corpus.linked(hidden)
    cosine = hidden_vectors @ hidden_vectors.T
    true = numpy.zeros(cosine.shape, dtype=int)
    for a, b in pairs:
        true[a, b] = 1
    above = numpy.triu_indices(len(hidden), 1)
    if pairs:
        result["inductive links"] = 100 * roc_auc_score(true[above], cosine[above])
    everyone = list(seen) + list(hidden)
    links = {}
    first_hidden = len(seen)
    for a, b in corpus.linked(everyone):
        if (a >= first_hidden) != (b >= first_hidden):
            links.setdefault(everyone[max(a, b)], set()).add(everyone[min(a, b)])
    recall, ranks, right = [], [], []
    for line in idne("suggest", model, folder / "hidden.jsonl", "-k", 10, "--format", "json").splitlines():
        answer = json.loads(line)
        if answer["id"] in links:
            found = [link["id"] in links[answer["id"]] for link in answer["links"]]
            recall.append(sum(found) / min(10, len(links[answer["id"]])))
            ranks.append(1 / (1 + found.index(True)) if any(found) else 0)
        labels = by_id[answer["id"]].get("labels", [])
        if labels and answer["labels"]:
            right.append(answer["labels"][0]["label"] in labels)
    result["suggest-links recall@10"], result["suggest-links MRR@10"] = 100 * statistics.mean(recall), 100 * statistics.mean(ranks)
    if right:
        result["suggest-labels p@1"] = 100 * statistics.mean(right)
    return result


def quality(arguments):
    steps = [int(n) for n in arguments.steps.split(",")]
    print("| corpus | task | trained on all |" + " with another seed |" * arguments.again + "".join(f" updated{f', --steps {n}' if n else ''} |" for n in steps))
    print("|---|---|---|" + "---|" * (arguments.again + len(steps)))
    for name in arguments.corpora.split(","):
        corpus, rows = Corpus(DATA / name), {}
        for repeat in range(arguments.repeats):
            hidden, late, first = parts(len(corpus.documents), arguments.seed + repeat)
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                ids = lambda numbers: [corpus.documents[i]["id"] for i in numbers]
                idne("train", corpus.write(folder / "all", sorted(late + first)), "-o", folder / "all.idne")
                idne("train", corpus.write(folder / "first", first), "-o", folder / "first.idne")
                corpus.write(folder / "late", late)
                seen = ids(sorted(late + first))
                models = [folder / "all.idne"]
                if arguments.again:
                    models.append(folder / "again.idne")
                    idne("train", folder / "all", "-o", models[-1], "--seed", 2)
                for n in steps:
                    models.append(folder / f"updated-{n}.idne")
                    idne("update", folder / "first.idne", folder / "late", "-o", models[-1], "--steps", n)
                for column, model in enumerate(models):
                    for task, value in measure(corpus, model, seen, ids(hidden), folder, arguments.seed + repeat).items():
                        rows.setdefault(task, [[] for _ in models])[column].append(value)
        for task, columns in rows.items():
            cells = [f"{statistics.mean(columns[0]):.2f}"]
            for column in columns[1:]:
                differences = [b - a for a, b in zip(columns[0], column)]
                spread = f" ± {1.96 * statistics.stdev(differences) / len(differences) ** 0.5:.2f}" if len(differences) > 1 else ""
                cells.append(f"{statistics.mean(column):.2f} ({statistics.mean(differences):+.2f}{spread})")
            print(f"| {name} | {task} | " + " | ".join(cells) + " |", flush=True)


def topic_words(model):
    return [[word["word"] for word in topic["words"]] for topic in json.loads(idne("topics", model, "--format", "json"))["topics"]]


def topics(arguments):
    for name in arguments.corpora.split(","):
        corpus = Corpus(DATA / name)
        _, late, first = parts(len(corpus.documents), arguments.seed)
        first = sorted(set(range(len(corpus.documents))) - set(late))
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            idne("train", corpus.write(folder / "first", first), "-o", folder / "m.idne")
            before = topic_words(folder / "m.idne")
            size = max(1, len(late) // 10)
            for n in range(10):
                corpus.write(folder / f"late{n}", sorted(late[n * size:(n + 1) * size]))
                report = json.loads(idne("update", folder / "m.idne", folder / f"late{n}", "-o", folder / "m.idne", "--steps", arguments.steps, "--format", "json"))
            now = topic_words(folder / "m.idne")
            kept = [len(set(a) & set(b)) / len(a) for a, b in zip(before, now)]
            idne("train", corpus.write(folder / "all", sorted(set(first) | set(late[:10 * size]))), "-o", folder / "again.idne")
            again = json.loads(idne("topics", folder / "m.idne", "--compare", folder / "again.idne", "--format", "json"))["stability"]
            print(f"{name}: {len(before)} topics, {len(now)} after ten updates with --steps {arguments.steps}; words kept {statistics.mean(kept):.3f} in the mean, {min(kept):.2f} at least; "
                  f"{sum(topic['former'] is None for topic in report['topics'])} new in the last; {again:.2f} in common with a training on everything", flush=True)


def large(arguments):
    lines = open(pathlib.Path(arguments.corpus) / "documents.jsonl", encoding="utf-8").readlines()
    late = set(random.Random(arguments.seed).sample(range(len(lines)), arguments.documents))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "first.jsonl").write_text("".join(line for n, line in enumerate(lines) if n not in late), encoding="utf-8")
        (folder / "late.jsonl").write_text("".join(line for n, line in enumerate(lines) if n in late), encoding="utf-8")
        start = time.time()
        idne("train", folder / "first.jsonl", "-o", folder / "m.idne")
        trained = time.time() - start
        start = time.time()
        make_index(IDNE, folder / "m.idne")
        indexed = time.time() - start
        seconds = []
        for _ in range(5):
            start = time.time()
            idne("update", folder / "m.idne", folder / "late.jsonl", "-o", folder / "n.idne")
            seconds.append(time.time() - start)
        usage = subprocess.run(["/usr/bin/time", "-f", "%M", IDNE, "update", folder / "m.idne", folder / "late.jsonl", "-o", folder / "n.idne"], capture_output=True, text=True, check=True)
        memory = int(usage.stderr.split()[-1]) / 1024
        print(f"{len(lines):,} documents: training {trained:.1f} s, index and map {indexed:.1f} s; an update of {arguments.documents} with both {statistics.median(seconds):.2f} s "
              f"(median of 5, {min(seconds):.2f} to {max(seconds):.2f}), {memory:.0f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["quality", "topics", "large"])
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--corpora", default="cora,nyt,travel-2012")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--steps", default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--documents", type=int, default=200)
    arguments = parser.parse_args()
    arguments.steps = arguments.steps or {"quality": "0,200", "topics": "100"}.get(arguments.what)
    {"quality": quality, "topics": topics, "large": large}[arguments.what](arguments)


if __name__ == "__main__":
    main()
