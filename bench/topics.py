#!/usr/bin/python3
"""Measures topics beside their peers: coherence, diversity, stability, and agreement with labels.

    bench/topics.py [flat] [agreement] [compare] [--idne PROGRAM] [--corpora cora,nyt,travel-2012] [--topics 6,16,32] [--without-peers]

flat: how large the gradients of topics and words are on Cora, and how far both move in 300 steps of the published loop
(PyTorch, float). agreement and compare:

For each corpus and number of topics: the mean document-level NPMI of the topics' first ten words, their diversity (the
share of distinct words among them), the product of both, and stability: the mean share of a topic's first ten words that
its partner with another seed has too, partners matched by the Hungarian method. Two seeds each; NPMI and diversity are
means over both. All count over the same words and documents, which idne keeps in its models.

ours          `idne train`: fitted topics, distinctive words
by product    the same topics, words by product
unfitted      `idne train --topic-fit none`: our word vectors, topics where the random start put them
paper         `idne train --preset paper`: the paper's setting throughout
LDA, NMF      scikit-learn, counts and tf-idf
NMF, ordered  NMF's 50 words per topic in order by coherence, as our distinctive ranking does it. That ranking looks at which
              words meet in documents, which is what NPMI measures: this row says how much of our lead comes from that

Then, on Cora with 7 topics: how well documents' main topics agree with the labels (NMI), beside k-means on our vectors of
the documents.
"""
import argparse, json, pathlib, subprocess, sys, tempfile, warnings

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.decomposition import LatentDirichletAllocation, NMF
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

from run import DATA, IDNE, table

SEEDS = (1, 2)
TOP, POOL = 10, 50


def tensors(path):
    """The tensors of a model file (safetensors)."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    types = {"F32": "<f4", "I32": "<i4", "I64": "<i8", "U8": "u1"}
    result = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            result[name] = np.frombuffer(data[8 + size + begin:8 + size + end], types[entry["dtype"]]).reshape(entry["shape"])
    return result


def strings(model, name):
    whole, offsets = model[name + ".bytes"].tobytes(), model[name + ".offsets"]
    return [whole[a:b].decode() for a, b in zip(offsets, offsets[1:])]


def counts_of(model):
    return sparse.csr_matrix((model["documents.words.counts"].astype(float), model["documents.words.values"],
                              model["documents.words.offsets"]), shape=(len(model["documents.vectors"]), len(model["words.counts"])))


class Coherence:
    def __init__(self, counts):
        self.inside = (counts > 0).astype(float).tocsc()
        self.documents, self.each = counts.shape[0], np.asarray(self.inside.sum(0))[0]

    def pairs(self, words):
        both = (self.inside[:, words].T @ self.inside[:, words]).toarray()
        with np.errstate(all="ignore"):
            values = np.log(both * self.documents / np.outer(self.each[words], self.each[words])) / -np.log(both / self.documents)
        values[both == 0] = -1
        return values

    def of(self, lists):
        upper = np.triu_indices(TOP, 1)
        return np.mean([self.pairs(words)[upper].mean() for words in lists])


def diversity(lists):
    return len({word for words in lists for word in words}) / sum(map(len, lists))


def stability(first, second):
    overlap = np.array([[len(set(a) & set(b)) / TOP for b in second] for a in first])
    return overlap[linear_sum_assignment(-overlap)].mean()


def top(scores, count=TOP):
    return [list(np.argsort(-row, kind="stable")[:count]) for row in scores]


def in_order(scores, coherence):
    """The ten that are left when of a topic's fifty words the one that meets the others least goes, again and again."""
    lists = []
    for row, words in zip(scores, top(scores, POOL)):
        pairs, weights = coherence.pairs(words), row[words]
        np.fill_diagonal(pairs, 0)
        left = list(range(len(words)))
        while len(left) > TOP:
            means = [pairs[a, left] @ weights[left] / max(1e-30, weights[left].sum() - weights[a]) for a in left]
            left.pop(int(np.argmin(means)))
        lists.append([words[a] for a in left])
    return lists


class Peers:
    """Lists of words by corpus, number of topics and seed."""

    def __init__(self, program, corpus, folder):
        self.program, self.corpus, self.folder = program, DATA / corpus, folder
        self.counts = None

    def train(self, topics, seed, *more):
        path = self.folder / "model.idne"
        subprocess.run([self.program, "train", self.corpus, "-o", path, "--topics", str(topics), "--seed", str(seed), *more],
                       check=True, stderr=subprocess.DEVNULL)
        model = tensors(path)
        if self.counts is None:
            self.counts = counts_of(model)
            self.coherence = Coherence(self.counts)
            idf = np.log(self.counts.shape[0] / np.maximum(1, self.counts.getnnz(0)))
            self.tf_idf = normalize(self.counts @ sparse.diags(idf))
        return model, path

    def words(self, path, model, *more):
        number = {word: k for k, word in enumerate(strings(model, "words.strings"))}
        shown = json.loads(subprocess.run([self.program, "topics", path, "--format", "json", "--examples", "0", *more], check=True, stdout=subprocess.PIPE).stdout)
        return [[number[word["word"]] for word in topic["words"]] for topic in shown["topics"]]

    def lists(self, topics, seed, without_peers):
        model, path = self.train(topics, seed)
        result = {"ours": self.words(path, model), "by product": self.words(path, model, "--rank", "product")}
        for name, more in (("unfitted", ("--topic-fit", "none")), ("paper", ("--preset", "paper"))):
            model, path = self.train(topics, seed, *more)
            result[name] = self.words(path, model)
        if without_peers:
            return result
        result["LDA"] = top(LatentDirichletAllocation(topics, random_state=seed).fit(self.counts).components_)
        # A random start, so that two seeds differ; the better of that and the default start counts for the peer.
        scores = [NMF(topics, init=start, random_state=seed, max_iter=400).fit(self.tf_idf).components_ for start in ("nndsvda", "random")]
        best = max(scores, key=lambda s: self.coherence.of(top(s)) * diversity(top(s)))
        result["NMF"] = top(best)
        result["NMF, ordered"] = in_order(best, self.coherence)
        return result


def compare(program, corpora, numbers, folder, without_peers):
    rows = []
    for corpus in corpora:
        peers = Peers(program, corpus, folder)
        for topics in numbers:
            first, second = (peers.lists(topics, seed, without_peers) for seed in SEEDS)
            for name in first:
                npmi = np.mean([peers.coherence.of(lists[name]) for lists in (first, second)])
                distinct = np.mean([diversity(lists[name]) for lists in (first, second)])
                rows.append([corpus, topics, name, f"{npmi:.3f}", f"{distinct:.2f}", f"{npmi * distinct:.3f}",
                             f"{stability(first[name], second[name]):.2f}"])
            print(f"{corpus}, {topics} topics: done", file=sys.stderr)
    print(f"Topics: first {TOP} words, means over seeds {SEEDS[0]} and {SEEDS[1]}.")
    table(["corpus", "topics", "", "NPMI", "diversity", "product", "stability"], rows)


def agreement(program, folder, topics=7):
    rows = []
    for seed in (1, 2, 3):
        model, _ = Peers(program, "cora", folder).train(topics, seed)
        labels = model["documents.labels.values"][model["documents.labels.offsets"][:-1]]
        attention = np.maximum(0, model["words.vectors"].astype(float) @ model["topics.vectors"].T.astype(float))
        attention /= np.maximum(1e-30, attention.sum(1, keepdims=True))
        main = (normalize(counts_of(model), "l1") @ attention).argmax(1)
        clusters = {name: KMeans(topics, n_init=10, random_state=seed).fit(vectors).labels_ for name, vectors in
                    (("as they are", model["documents.vectors"]), ("at unit length", normalize(model["documents.vectors"])))}
        rows.append([seed, *(f"{normalized_mutual_info_score(labels, found):.3f}" for found in (main, *clusters.values()))])
    print(f"Cora, {topics} topics: agreement with the labels (NMI) of documents' main topics, and of k-means on their vectors.")
    table(["seed", "main topic", "k-means, as they are", "k-means, at unit length"], rows)


def flat(program, folder, steps=300, batch=16):
    """The published loss with every topic-word product computed, and Adam on both W and T; 32 topics, 256 dimensions."""
    import torch
    torch.manual_seed(1)
    torch.set_num_threads(2)
    peers = Peers(program, "cora", folder)
    peers.train(32, 1, "--preset", "paper", "--steps", "0")
    counts, random = peers.counts, np.random.RandomState(1)
    number = {name: k for k, name in enumerate(strings(tensors(folder / "model.idne"), "documents.ids"))}
    near = [[] for _ in number]
    for line in open(DATA / "cora" / "links.tsv", encoding="utf-8"):
        a, b = (number[name] for name in line.split()[:2])
        near[a].append(b)
        near[b].append(a)

    def start(rows):
        return torch.nn.Parameter(torch.nn.init.trunc_normal_(torch.empty(rows, 256), std=1, a=-2, b=2) * (2.6 / rows) ** 0.5)
    words, topics = start(counts.shape[1]), start(32)
    began = [words.detach().clone(), topics.detach().clone()]
    optimizer = torch.optim.Adam([words, topics], lr=1e-3)
    largest = [[], []]
    for _ in range(steps):
        left = random.randint(len(near), size=batch)
        right = [random.choice(near[random.choice(near[i])] if random.rand() < 0.5 else near[i]) if near[i] else i for i in left]
        other = random.randint(len(near), size=batch)
        bags = counts[np.concatenate([left, right, other])]
        some = np.unique(bags.indices)
        bags = torch.tensor(bags[:, some].toarray(), dtype=torch.float32)
        vectors = words[some]
        attention = torch.relu(topics @ vectors.T)[None] * bags[:, None, :]  # documents x topics x words
        attention = attention / attention.sum(1, keepdim=True).clamp_min(1e-30)
        seen = (attention * bags[:, None, :]) @ vectors / bags.sum(1).clamp_min(1)[:, None, None]
        a, b, c = seen.sum(1).split(batch)
        loss = -(torch.nn.functional.logsigmoid((a * b).sum(1)) + torch.nn.functional.logsigmoid(-(a * c).sum(1))).sum()
        optimizer.zero_grad()
        loss.backward()
        for values, matrix in zip(largest, (words, topics)):
            values.append(float(matrix.grad.abs().max()))
        optimizer.step()
    print(f"The published loss on Cora, {steps} steps: the largest entry of a step's gradient, and how far the matrix moved.")
    table(["", "gradient, median step", "largest step", "moved"],
          [[name, f"{np.median(values):.1e}", f"{max(values):.1e}", f"{100 * float((m.detach() - m0).norm() / m0.norm()):.2f} %"]
           for name, values, m, m0 in zip(("W", "T"), largest, (words, topics), began)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="flat|agreement|compare")
    parser.add_argument("--idne", type=pathlib.Path, default=IDNE)
    parser.add_argument("--corpora", default="cora,nyt,travel-2012")
    parser.add_argument("--topics", default="6,16,32")
    parser.add_argument("--without-peers", action="store_true", help="compare: leave out scikit-learn's, which take most of the time")
    options = parser.parse_args()
    if not (DATA / "cora").exists():
        sys.exit(f"{DATA / 'cora'} is not there: say where the corpora are in IDNE_DATA")
    warnings.filterwarnings("ignore")  # scikit-learn's on rounds that did not converge
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        folder = pathlib.Path(temporary)
        program = options.idne.resolve()
        parts = {"flat": lambda: flat(program, folder), "agreement": lambda: agreement(program, folder),
                 "compare": lambda: compare(program, options.corpora.split(","), [int(k) for k in options.topics.split(",")], folder, options.without_peers)}
        if not set(options.parts) <= set(parts):
            sys.exit(__doc__)
        for name in options.parts or parts:
            parts[name]()


if __name__ == "__main__":
    main()
