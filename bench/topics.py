#!/usr/bin/python3
"""Measures topics beside their peers: coherence on other documents, diversity, stability, and agreement with labels.

    bench/topics.py [flat] [agreement] [compare] [--idne PROGRAM] [--corpora cora,nyt,travel-2012] [--topics 6,16,32] [--seeds 1,2]
                    [--peers nmf,lda,unfitted,paper]

flat: how large the gradients of topics and words are on Cora, and how far both move in 300 steps of the published loop
(PyTorch, float). agreement and compare:

compare: the documents of each corpus are cut in two halves by chance. Everything is done on one half, vocabulary, training, topics and
the choice of their ten words, and the words' NPMI is counted on the other half; then the other way round. So for each seed, which
draws the halves and is the training's. Coherence and diversity (the share of distinct words) are means over seeds and halves, and so is
their product. All methods see the same words and documents of a half, those that idne keeps. Stability is of the whole corpus with two
seeds: the mean share of a topic's ten words that its partner has too, partners matched by the Hungarian method. A corpus is a name in
$IDNE_DATA, or a folder.

ours      `idne train`
paper     `idne train --preset paper`: the paper's setting throughout
unfitted  `idne train --topic-fit none`: our word vectors, topics where the random start put them
NMF       scikit-learn on tf-idf, started by nndsvd, whose singular vectors depend on the seed a little
LDA       scikit-learn on counts, 50 passes
printed   Cora, 6 topics: the words that the paper prints, where its text is at hand ($IDNE_DATA/../paper); it chose them on all documents

agreement: on Cora with 7 topics, how well documents' main topics agree with the labels (NMI), beside k-means on our vectors of the
documents.
"""
import argparse, json, pathlib, random, re, subprocess, sys, tempfile, warnings

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.decomposition import LatentDirichletAllocation, NMF
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

from run import DATA, IDNE, table

TOP = 10


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
    """Document-level NPMI on these documents."""

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
        return np.mean([self.pairs(words)[np.triu_indices(len(words), 1)].mean() for words in lists])


def diversity(lists):
    return len({word for words in lists for word in words}) / sum(map(len, lists))


def stability(first, second):
    overlap = np.array([[len(set(a) & set(b)) / TOP for b in second] for a in first])
    return overlap[linear_sum_assignment(-overlap)].mean()


def top(scores):
    return [list(np.argsort(-row, kind="stable")[:TOP]) for row in scores]


def tf_idf(counts):
    return normalize(counts @ sparse.diags(np.log(counts.shape[0] / np.maximum(1, counts.getnnz(0)))))


class Corpus:
    """A corpus, its halves, and lists of words for topics, as strings."""

    def __init__(self, program, name, folder):
        self.program, self.folder = program, folder
        self.path = DATA / name if (DATA / name).exists() else pathlib.Path(name)
        self.documents = [json.loads(line) for line in open(self.path / "documents.jsonl", encoding="utf-8")]
        model = self.train(self.path, "--method", "lsa", "--dim", "2", "--min-count", "1", "--max-share", "1")
        self.all_words = {word: k for k, word in enumerate(strings(model, "words.strings"))}
        self.all_counts = sparse.csr_matrix((model["documents.words.counts"].astype(float), model["documents.words.values"], model["documents.words.offsets"]),
                                            shape=(len(self.documents), len(self.all_words)))

    def train(self, path, *more):
        out = self.folder / "model.idne"
        subprocess.run([self.program, "train", path, "-o", out, *map(str, more)], check=True, stderr=subprocess.DEVNULL)
        return tensors(out)

    def halves(self, seed):
        """For each half a corpus with the documents and links within it, and the coherence of words on the other half."""
        order = list(range(len(self.documents)))
        random.Random(seed).shuffle(order)
        cut = len(order) // 2
        for number, (own, other) in enumerate(((order[:cut], order[cut:]), (order[cut:], order[:cut]))):
            half = self.folder / f"half-{number}"
            half.mkdir(exist_ok=True)
            ids = {self.documents[i]["id"] for i in own}
            with open(half / "documents.jsonl", "w", encoding="utf-8") as file:
                for i in sorted(own):
                    document = self.documents[i]
                    links = [to for to in document.get("links", ()) if to in ids]
                    file.write(json.dumps({**document, "links": links}) + "\n")
            for name, ends in (("links.tsv", 2), ("groups.tsv", 1)):
                (half / name).unlink(missing_ok=True)  # the former corpus's
                if (self.path / name).exists():
                    rows = (line for line in open(self.path / name, encoding="utf-8") if set(line.rstrip("\n").split("\t")[:ends]) <= ids)
                    (half / name).write_text("".join(rows), encoding="utf-8")
            yield half, Coherence(self.all_counts[sorted(other)])

    def lists(self, path, topics, seed, peers):
        model = self.train(path, "--topics", topics, "--seed", seed)
        words, result = strings(model, "words.strings"), {"ours": self.shown(model)}
        for name, more in (("unfitted", ("--topic-fit", "none")), ("paper", ("--preset", "paper"))):
            if name in peers:
                result[name] = self.shown(self.train(path, "--topics", topics, "--seed", seed, *more))
        counts, found = counts_of(model), {}
        if "nmf" in peers:
            found["NMF"] = NMF(topics, init="nndsvd", random_state=seed, max_iter=400).fit(tf_idf(counts)).components_
        if "lda" in peers:
            found["LDA"] = LatentDirichletAllocation(topics, max_iter=50, random_state=seed).fit(counts).components_
        for name, scores in found.items():
            result[name] = [[words[w] for w in row] for row in top(scores)]
        return result

    @staticmethod
    def shown(model):
        """The first words of each topic, as they are counted."""
        words, topics = strings(model, "words.strings"), len(model["topics.vectors"])
        if "topics.words" in model:
            return [[words[w] for w in row[:TOP]] for row in model["topics.words"].reshape(topics, -1)]
        return [[words[w] for w in row] for row in top(model["topics.vectors"].astype(float) @ model["words.vectors"].T.astype(float))]

    def numbers(self, lists):
        return [[self.all_words[word] for word in row if word in self.all_words] for row in lists]


def printed_topics():
    """The topics that the paper prints, or nothing where it is not at hand."""
    for path in sorted((DATA.parent / "paper").glob("*.txt")):
        rows = re.findall(r"^ *Topic \d+ *&([a-z, ]+)", path.read_text(encoding="utf-8"), re.M)
        return [[word.strip() for word in row.split(",")] for row in rows]
    return []


def compare(program, corpora, numbers, seeds, folder, peers):
    rows = []
    for name in corpora:
        corpus = Corpus(program, name, folder)
        for topics in numbers:
            scores = {}
            for seed in seeds:
                for half, coherence in corpus.halves(seed):
                    found = corpus.lists(half, topics, seed, peers)
                    if name == "cora" and topics == 6:
                        found["printed"] = printed_topics()
                    for method, lists in found.items():
                        if lists:
                            each = coherence.of(corpus.numbers(lists)), diversity(lists)
                            scores.setdefault(method, []).append((*each, each[0] * each[1]))
            whole = [corpus.lists(corpus.path, topics, seed, peers) for seed in seeds[:2]]
            for method, values in scores.items():
                steady = stability(whole[0][method], whole[1][method]) if len(whole) == 2 and method in whole[0] else None
                rows.append([pathlib.Path(name).name, topics, method, *(f"{value:.3f}" for value in np.mean(values, 0)), "" if steady is None else f"{steady:.2f}"])
            print(f"{name}, {topics} topics: done", file=sys.stderr)
    print(f"Topics: first {TOP} words, chosen on one half of the documents and scored on the other; seeds {', '.join(map(str, seeds))}.")
    table(["corpus", "topics", "", "coherence", "diversity", "product", "stability"], rows)


def agreement(program, folder, topics=7):
    rows, corpus = [], Corpus(program, "cora", folder)
    for seed in (1, 2, 3):
        model = corpus.train(corpus.path, "--topics", topics, "--seed", seed)
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
    model = Corpus(program, "cora", folder).train(DATA / "cora", "--preset", "paper", "--steps", 0)
    counts, random = counts_of(model), np.random.RandomState(1)
    number = {name: k for k, name in enumerate(strings(model, "documents.ids"))}
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
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--peers", default="nmf,lda,unfitted,paper", help="of compare; LDA takes most of the time")
    options = parser.parse_args()
    if not (DATA / "cora").exists():
        sys.exit(f"{DATA / 'cora'} is not there: say where the corpora are in IDNE_DATA")
    warnings.filterwarnings("ignore")  # scikit-learn's on rounds that did not converge
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        folder = pathlib.Path(temporary)
        program = options.idne.resolve()
        parts = {"flat": lambda: flat(program, folder), "agreement": lambda: agreement(program, folder),
                 "compare": lambda: compare(program, options.corpora.split(","), [int(k) for k in options.topics.split(",")],
                                            [int(k) for k in options.seeds.split(",")], folder, options.peers.split(","))}
        if not set(options.parts) <= set(parts):
            sys.exit(__doc__)
        for name in options.parts or parts:
            parts[name]()


if __name__ == "__main__":
    main()
