#!/usr/bin/python3
"""What the score of suggested links was chosen from (docs/suggest.md), on any corpora.

    bench/suggest_choices.py [--seed 101] [--queries 400] CORPUS...

For each corpus a tenth of the documents is hidden, `idne train` learns from the rest, and the links of the hidden ones are looked for
among the others with the formulas below, in NumPy and apart from the program's own code. Prints recall@10 / MRR in per cent, and at
the end which weight of votes `idne train` would choose and which is best. Needs python3-numpy and python3-scipy; `idne evaluate
--tasks suggest-links` measures the program itself.
"""
import argparse, json, os, pathlib, random, struct, subprocess, tempfile
import numpy as np, scipy.sparse as sp

IDNE = os.environ.get("IDNE", "build/idne")
TYPES = {"F32": "<f4", "I32": "<i4", "I64": "<i8", "U8": "u1"}
WEIGHTS = (0, 0.5, 1, 1.5, 2, 3, 4)


def tensors(path):
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    return {name: np.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]], TYPES[t["dtype"]]).reshape(t["shape"])
            for name, t in header.items() if name != "__metadata__"}


def pairs_of(path):
    return [line.split("\t")[:2] for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def bags(table, rows, words):
    return sp.csr_matrix((table["documents.words.counts"].astype(float), table["documents.words.values"], table["documents.words.offsets"]), shape=(rows, words))


class Split:
    """A corpus with a tenth hidden: counts, vectors and links of the others, and of the hidden ones."""

    def __init__(self, corpus, seed, folder):
        corpus = pathlib.Path(corpus)
        documents = [json.loads(line) for line in (corpus / "documents.jsonl").open(encoding="utf-8")]
        links = pairs_of(corpus / "links.tsv") + [[d["id"], to] for d in documents for to in d.get("links", ())]
        groups = pairs_of(corpus / "groups.tsv")
        ids = [d["id"] for d in documents]
        hidden = set(random.Random(seed).sample(ids, min(len(ids) // 10, 1500)))
        seen = folder / "seen"
        seen.mkdir()
        (seen / "documents.jsonl").write_text("".join(json.dumps({k: v for k, v in d.items() if k != "links"}) + "\n" for d in documents if d["id"] not in hidden))
        (seen / "links.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in links if not {a, b} & hidden))
        if groups:
            (seen / "groups.tsv").write_text("".join(f"{a}\t{g}\n" for a, g in groups if a not in hidden))
        new = folder / "hidden.jsonl"
        new.write_text("".join(json.dumps({"id": d["id"], "text": d["text"]}) + "\n" for d in documents if d["id"] in hidden))
        quiet = dict(check=True, stderr=subprocess.DEVNULL)
        subprocess.run([IDNE, "train", seen, "-o", folder / "m.idne"], **quiet)
        subprocess.run([IDNE, "embed", folder / "m.idne", new, "-o", folder / "h.npy"], **quiet)
        # The hidden documents' words as the program cuts them: a model of all documents has them.
        subprocess.run([IDNE, "train", corpus, "-o", folder / "all.idne", "--method", "lsa", "--dim", "2", "--min-count", "1", "--max-share", "1"], **quiet)
        table, everything = tensors(folder / "m.idne"), tensors(folder / "all.idne")
        names = [self.strings(t, "words.strings") for t in (table, everything)]
        place = {word: n for n, word in enumerate(names[0])}
        old = [d["id"] for d in documents if d["id"] not in hidden]
        self.counts = bags(table, len(old), len(names[0]))
        row = {i: n for n, i in enumerate(old)}
        new_row = {i: n for n, i in enumerate(d["id"] for d in documents if d["id"] in hidden)}
        all_counts = bags(everything, len(ids), len(names[1]))[[n for n, i in enumerate(ids) if i in hidden]].tocoo()
        kept = [(r, place[names[1][c]], v) for r, c, v in zip(all_counts.row, all_counts.col, all_counts.data) if names[1][c] in place]
        r, c, v = zip(*kept)
        self.new_counts = sp.csr_matrix((v, (r, c)), shape=(len(hidden), len(names[0])))
        self.vectors, self.new_vectors = unit(table["documents.vectors"]), unit(np.load(folder / "h.npy"))
        ends = [(row[a], row[b]) for a, b in links if a in row and b in row and a != b]
        a, b = np.array(ends).T if ends else ([], [])
        self.links = sp.csr_matrix((np.ones(2 * len(ends)), (np.r_[a, b], np.r_[b, a])), shape=(len(old),) * 2)
        self.links.data[:] = 1
        self.truth = [set() for _ in hidden]
        for a, b in links:
            for x, y in ((a, b), (b, a)):
                if x in new_row and y in row:
                    self.truth[new_row[x]].add(row[y])
        if groups:
            number = {g: n for n, g in enumerate(dict.fromkeys(g for _, g in groups))}
            inside = [(row[a], number[g]) for a, g in groups if a in row]
            member = sp.csr_matrix((np.ones(len(inside)), tuple(zip(*inside))), shape=(len(old), len(number)))
            for a, g in groups:
                if a in new_row:
                    self.truth[new_row[a]] |= set(member[:, number[g]].nonzero()[0])
            self.links = (self.links + member @ member.T).tolil()
            self.links.setdiag(0)
            self.links = self.links.tocsr()
            self.links.eliminate_zeros()
        self.degrees = np.asarray(self.links.sum(1)).ravel()

    @staticmethod
    def strings(table, name):
        data, offsets = table[name + ".bytes"].tobytes(), table[name + ".offsets"]
        return [data[offsets[n]:offsets[n + 1]].decode() for n in range(len(offsets) - 1)]


def unit(rows):
    lengths = np.sqrt((rows.astype(float) ** 2).sum(1))
    return rows / np.where(lengths > 0, lengths, 1)[:, None]


def tfidf(counts, of):
    idf = np.log((1 + of.shape[0]) / (1 + np.asarray((of > 0).sum(0)).ravel())) + 1
    weights = counts.copy().astype(float)
    weights.data = 1 + np.log(weights.data)
    weights = (weights @ sp.diags(idf)).tocsr()
    return weights, np.sqrt(np.asarray(weights.multiply(weights).sum(1)).ravel())


def pivoted(counts, queries, share):
    documents, lengths = tfidf(counts, counts)
    asked, asked_lengths = tfidf(queries, counts)
    by = (1 - share) * lengths[lengths > 0].mean() + share * np.maximum(lengths, 1e-9)
    return (sp.diags(1 / np.maximum(asked_lengths, 1e-9)) @ asked @ (sp.diags(1 / by) @ documents).T).toarray()


def bm25(counts, queries):
    with_word, length = np.asarray((counts > 0).sum(0)).ravel(), np.asarray(counts.sum(1)).ravel()
    idf = np.log(1 + (counts.shape[0] - with_word + 0.5) / (with_word + 0.5))
    entries = counts.tocoo()
    weights = idf[entries.col] * entries.data * 2.2 / (entries.data + 1.2 * (0.25 + 0.75 * length / length.mean())[entries.row])
    return ((queries > 0).astype(float) @ sp.csr_matrix((weights, (entries.row, entries.col)), shape=counts.shape).T).toarray()


def votes(scores, links, degrees, voters=60, power=2, root=0.25):
    count = min(voters, scores.shape[1])
    first = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    weights = np.maximum(np.take_along_axis(scores, first, 1), 0) ** power
    weights /= np.maximum(weights.sum(1, keepdims=True), 1e-12)
    ballots = sp.csr_matrix((weights.ravel(), first.ravel(), np.arange(0, first.size + 1, count)), shape=scores.shape)
    return np.asarray((ballots @ sp.diags(1 / np.maximum(degrees, 1) ** root) @ links).todense())


def measured(scores, truth):
    recall, ranks = [], []
    for row, right in zip(scores, truth):
        first = np.lexsort((np.arange(len(row)), -row))[:10]
        recall.append(len(right & set(first)) / min(10, len(right)))
        ranks.append(1 / (1 + (row > row[list(right)].max()).sum()))
    return 100 * np.mean(recall), 100 * np.mean(ranks)


def report(split, queries, seed):
    rng = np.random.default_rng(seed)
    asked = np.sort(rng.permutation([n for n, right in enumerate(split.truth) if right])[:queries])
    truth, counts, text = [split.truth[n] for n in asked], split.counts, split.new_counts[asked]
    space = split.new_vectors[asked] @ split.vectors.T
    words = pivoted(counts, text, 0.75)
    vote = lambda **how: (votes(words, split.links, split.degrees, **how) + votes(space, split.links, split.degrees, **how)) / 2
    show = lambda name, scores: print(f"{name:48} {'%5.1f / %5.1f' % measured(scores, truth)}", flush=True)
    show("vectors alone (cosine)", space)
    show("BM25", bm25(counts, text))
    for share in (1, 0.75, 0.5, 0.25):
        show(f"TF-IDF, own share of the length {share}", pivoted(counts, text, share))
    base = words + 0.1 * space
    usual = vote()
    show("0.75 + 0.1 space + 1 votes: the fixed formula", base + usual)
    show("  without space", words + usual)
    for weight in (0.2, 0.4):
        show(f"  with {weight} space", words + weight * space + usual)
    for voters in (30, 100):
        show(f"  {voters} voters of each kind instead of 60", base + vote(voters=voters))
    for power in (1, 3):
        show(f"  likeness to the power {power} instead of 2", base + vote(power=power))
    for root in (0, 0.5):
        show(f"  votes divided by degree^{root} instead of 0.25", base + vote(root=root))
    show("  plus 0.01 log degree", base + usual + 0.01 * np.log1p(split.degrees))
    if split.links.nnz < 300_000:
        inverse = sp.diags(1 / np.maximum(split.degrees, 1))
        show("  plus 0.5 votes over two hops", base + usual + 0.5 * np.asarray((sp.csr_matrix(usual) @ inverse @ split.links).todense()))
    linked = np.flatnonzero((np.diff(split.links.indptr) > 0) & (np.diff(counts.indptr) > 0))
    own = rng.permutation(linked)[:queries]
    known = [set(split.links.indices[split.links.indptr[n]:split.links.indptr[n + 1]]) for n in own]
    inside = pivoted(counts, counts[own], 0.75)
    inside[np.arange(len(own)), own] = -1
    inside_votes = votes(inside, split.links, split.degrees)
    inside_votes[np.arange(len(own)), own] = 0
    print("weight of votes" + " " * 31 + "".join(f"{w:>14}" for w in WEIGHTS))
    for name, score in (("  hidden documents, the whole formula", lambda w: measured(base + w * usual, truth)),
                        ("  documents of the corpus, words alone", lambda w: measured(inside + w * inside_votes, known))):
        print(f"{name:46}" + "".join(f"{'%.1f / %.1f' % score(w):>14}" for w in WEIGHTS), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--queries", type=int, default=400)
    parser.add_argument("corpora", nargs="+")
    args = parser.parse_args()
    for corpus in args.corpora:
        with tempfile.TemporaryDirectory() as folder:
            split = Split(corpus, args.seed, pathlib.Path(folder))
        print(f"\n{pathlib.Path(corpus).name}: {split.counts.shape[0]} documents, {split.links.nnz // 2} links; recall@10 / MRR")
        report(split, args.queries, args.seed)


if __name__ == "__main__":
    main()
