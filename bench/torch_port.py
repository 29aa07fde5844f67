#!/usr/bin/python3
"""A straight PyTorch port of the published IDNE training loop: the peer of bench/train.py.

Padded batches of word sequences, 16 positive and 16 negative pairs per step, every topic-word product computed,
lazy Adam (SparseAdam) on the word vectors and Adam on the topic vectors, as the authors' TensorFlow 1 code does.
Prints one JSON object: the seconds of each timed step and the loss of the last one.
"""
import argparse, json, pathlib, re, time

import numpy as np
import torch


def read_corpus(folder, stop_words):
    """The paper's text pipeline on ASCII texts, and the links."""
    rows = [json.loads(line) for line in open(folder / "documents.jsonl", encoding="utf-8")]
    texts = [[w for w in re.sub(r"[\W_]", " ", re.sub(r"<[^>]+>", " ", row["text"].lower())).split()
              if len(w) > 1 and w not in stop_words] for row in rows]
    count, documents = {}, {}
    for text in texts:
        for word in text:
            count[word] = count.get(word, 0) + 1
        for word in set(text):
            documents[word] = documents.get(word, 0) + 1
    kept = sorted(w for w in count if count[w] >= 5 and documents[w] <= 0.25 * len(rows))
    index = {word: k + 1 for k, word in enumerate(kept)}  # 0 is padding
    number = {row["id"]: k for k, row in enumerate(rows)}
    links = [set() for _ in rows]
    for line in open(folder / "links.tsv", encoding="utf-8"):
        a, b = (number[x] for x in line.split()[:2])
        links[a].add(b)
        links[b].add(a)
    return [[index[w] for w in text if w in index] for text in texts], links, len(kept)


def second_order(links):
    """Rows of A + A^2 as (neighbours, cumulative path counts); a document with no link pairs with itself."""
    rows = []
    for i, near in enumerate(links):
        paths = {}
        for k in near:
            paths[k] = paths.get(k, 0) + 1
            for j in links[k]:
                paths[j] = paths.get(j, 0) + 1
        paths = paths or {i: 1}
        rows.append((np.array(list(paths)), np.cumsum(list(paths.values()))))
    return rows


def attention(topics, words, mask):
    products = torch.relu(words @ topics.T * mask.unsqueeze(-1))  # batch x length x topics
    total = products.sum(-1, keepdim=True)
    weights = products / (total + (total == 0) * 1e-9)
    by_topic = weights.transpose(1, 2) @ words / mask.sum(-1).clamp(min=1).view(-1, 1, 1)
    return by_topic.sum(1)


def padded(documents):
    batch = np.zeros((len(documents), max(1, max(map(len, documents)))), dtype=np.int64)
    for row, document in zip(batch, documents):
        row[:len(document)] = document
    return torch.from_numpy(batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--stop-words", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--warm-up", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)

    stop_words = set(args.stop_words.read_text().split()) if args.stop_words else set()
    documents, links, vocabulary = read_corpus(args.corpus, stop_words)
    paths = second_order(links)

    def start(rows):
        values = torch.empty(rows, 256)
        deviation = (2.6 / rows) ** 0.5
        return torch.nn.init.trunc_normal_(values, 0, deviation, -2 * deviation, 2 * deviation)

    word_vectors = torch.nn.Embedding.from_pretrained(start(vocabulary + 1), freeze=False, sparse=True)
    topics = torch.nn.Parameter(start(32))
    optimizers = [torch.optim.SparseAdam(list(word_vectors.parameters()), lr=1e-3), torch.optim.Adam([topics], lr=1e-3)]

    seconds = []
    for step in range(args.warm_up + args.steps):
        begin = time.perf_counter()
        drawn = rng.integers(0, len(documents), 16)
        linked = [int(paths[i][0][np.searchsorted(paths[i][1], rng.integers(0, paths[i][1][-1]), side="right")]) for i in drawn]
        u = padded([documents[i] for i in np.tile(drawn, 2)])
        v = padded([documents[i] for i in linked + list(rng.integers(0, len(documents), 16))])
        sign = torch.cat([torch.ones(16), -torch.ones(16)])
        left = attention(topics, word_vectors(u), (u != 0).float())
        right = attention(topics, word_vectors(v), (v != 0).float())
        loss = -torch.nn.functional.logsigmoid(sign * (left * right).sum(-1)).sum()
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        if step >= args.warm_up:
            seconds.append(time.perf_counter() - begin)
    print(json.dumps({"words": vocabulary, "documents": len(documents), "seconds": seconds, "loss": loss.item()}))


if __name__ == "__main__":
    main()
