#!/usr/bin/python3
"""The Python module beside the program, and beside what else Python has: gensim's LsiModel, Doc2Vec and Word2Vec, scikit-learn's TruncatedSVD; and fastText.

    bench/python.py [bars] [peers] [choose] [odd]          (default: bars and peers)

bars    import, IDNE().fit on Cora beside `idne train`, 100,000 short texts embedded beside `idne embed`, in turns
peers   time to fit and to transform, and quality by the five tasks (docs/protocol.md says which), on the same splits for all
choose  settings of fastText and Word2Vec on a split that `peers` does not use; those with the best mean of the scores on new documents are their defaults here
odd     10,000 random calls with odd arguments: none may end the process
"""
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.path.insert(0, str(ROOT / "build" / "python"))
from run import BUILD, IDNE, cora, ratio, run, spread, table

WIDTH = 256


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def documents_of(corpus):
    lines = (corpus / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [json.loads(line) for line in lines]
    place = {document["id"]: number for number, document in enumerate(documents)}
    pairs = [tuple(place[end] for end in line.split("\t")[:2]) for line in (corpus / "links.tsv").read_text(encoding="utf-8").splitlines()]
    return [document["text"] for document in documents], [document["labels"][0] for document in documents], pairs


def bars(folder, rounds=7):
    import idne

    env = {"PYTHONPATH": str(BUILD / "python")}
    code = "import time; begin = time.perf_counter(); import idne; print(time.perf_counter() - begin)"
    imports = [float(run("/usr/bin/python3", "-c", code, env=env)[2]) for _ in range(rounds)]
    corpus, _, name = cora(folder)
    texts, labels, pairs = documents_of(corpus)
    short = [" ".join(text.split()[:15]) for text in texts]
    short = [short[number % len(short)] for number in range(100_000)]
    (folder / "short.jsonl").write_text("".join(json.dumps({"id": str(number), "text": text}) + "\n" for number, text in enumerate(short)), encoding="utf-8")
    fits, trains, embeds, programs = [], [], [], []
    for _ in range(rounds):
        trains.append(run(IDNE, "train", corpus, "-o", folder / "bars.idne")[0])
        fits.append(timed(lambda: idne.IDNE().fit(texts, labels, links=pairs))[0])
        programs.append(run(IDNE, "embed", folder / "bars.idne", folder / "short.jsonl", "-o", folder / "short.npy")[0])
        model = idne.load(folder / "bars.idne")
        embeds.append(timed(lambda: model.embed(short))[0])
    print(f"The module beside the program, {name}; seconds, median (range) of {rounds} rounds in turns.")
    table(["", "Python", "program", "program ÷ Python"],
          [["import idne", spread(imports), "", ""],
           ["IDNE().fit / idne train", spread(fits), spread(trains), ratio(statistics.median(trains) / statistics.median(fits))],
           ["embed 100,000 short texts", spread(embeds), spread(programs), ratio(statistics.median(programs) / statistics.median(embeds))]])


class Ours:
    def __init__(self, kind, **options):
        self.estimator = kind(n_components=WIDTH, **options)

    def fit(self, texts, labels, pairs):
        self.estimator.fit(texts, labels, links=pairs)
        return self.estimator.document_vectors_

    def transform(self, texts):
        return self.estimator.transform(texts)

    def suggestions(self, texts):
        """The first ten links and the first label of each text."""
        answers = self.estimator.model_.suggest(list(texts), k=10)
        return [[int(link.id) for link in answer.links] for answer in answers], [answer.labels[0].label if len(answer.labels) else None for answer in answers]


class TruncatedSvd:
    def fit(self, texts, labels, pairs):
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline

        self.space = make_pipeline(TfidfVectorizer(stop_words="english", min_df=3, max_df=0.25), TruncatedSVD(WIDTH, random_state=1))
        return self.space.fit_transform(texts)

    def transform(self, texts):
        return self.space.transform(texts)


class Gensim:
    def words(self, texts):
        from gensim.parsing.preprocessing import STOPWORDS
        from gensim.utils import simple_preprocess

        return [[word for word in simple_preprocess(text) if word not in STOPWORDS] for text in texts]


class Lsi(Gensim):
    def fit(self, texts, labels, pairs):
        from gensim.corpora import Dictionary
        from gensim.models import LsiModel, TfidfModel

        words = self.words(texts)
        self.dictionary = Dictionary(words)
        self.dictionary.filter_extremes(no_below=3, no_above=0.25)
        bags = [self.dictionary.doc2bow(one) for one in words]
        self.weights = TfidfModel(bags)
        self.space = LsiModel(self.weights[bags], num_topics=WIDTH, id2word=self.dictionary, random_seed=1)
        return self.vectors(bags)

    def vectors(self, bags):
        from gensim.matutils import corpus2dense

        return corpus2dense(self.space[self.weights[bags]], WIDTH, len(bags)).T

    def transform(self, texts):
        return self.vectors([self.dictionary.doc2bow(one) for one in self.words(texts)])


class Doc2vec(Gensim):
    def fit(self, texts, labels, pairs):
        from gensim.models.doc2vec import Doc2Vec, TaggedDocument

        tagged = [TaggedDocument(words, [number]) for number, words in enumerate(self.words(texts))]
        self.space = Doc2Vec(tagged, vector_size=WIDTH, min_count=3, epochs=40, workers=2, seed=1)
        return self.space.dv.vectors

    def transform(self, texts):
        import numpy

        return numpy.array([self.space.infer_vector(words) for words in self.words(texts)])


class FastText(Gensim):
    """Debian's `fasttext`: skip-gram on the texts, without labels, and the mean of words' vectors, each at unit length, as the program gives it.

    Settings were looked at on one other split (`choose`), as far as a busy machine had time: 5 epochs of whole words with rates of 0.05 (the default), 0.25 and
    0.5. Times include starting the program and reading the model. `centred` takes the mean document away, which cosines gain from. With `pieces` words consist
    of their n-grams too; the buckets are fewer than fastText's two million, which would be 2 GB."""

    def __init__(self, epochs=5, rate=0.5, pieces=False, centred=True):
        self.options = ["-epoch", epochs, "-lr", rate, *([] if pieces else ["-minn", 0, "-maxn", 0])]
        self.centred, self.folder = centred, tempfile.TemporaryDirectory()
        self.model = pathlib.Path(self.folder.name) / "model"

    def fit(self, texts, labels, pairs):
        run("fasttext", "skipgram", "-input", self.lines(texts), "-output", self.model, "-dim", WIDTH, "-minCount", 3, "-bucket", 200_000, "-thread", 2, "-verbose", 0, *self.options)
        vectors = self.means(texts)
        self.mean = vectors.mean(0) if self.centred else 0
        return vectors - self.mean

    def transform(self, texts):
        return self.means(texts) - self.mean

    def lines(self, texts):
        path = self.model.with_suffix(".txt")
        path.write_text("".join(" ".join(words) + "\n" for words in self.words(texts)), encoding="utf-8")
        return path

    def means(self, texts):
        import io, numpy

        with open(self.lines(texts)) as lines:
            return numpy.loadtxt(io.BytesIO(run("fasttext", "print-sentence-vectors", self.model.with_suffix(".bin"), stdin=lines)[2]))


class Word2vec(Gensim):
    """Skip-gram, and the mean of words' vectors, each at unit length, as in fastText. Of 5 and 25 epochs, on the split of `choose`, 25 were better; 100 were not tried."""

    def __init__(self, epochs=25, centred=True):
        self.epochs, self.centred = epochs, centred

    def fit(self, texts, labels, pairs):
        from gensim.models import Word2Vec

        self.space = Word2Vec(self.words(texts), vector_size=WIDTH, min_count=3, workers=2, seed=1, sg=1, epochs=self.epochs).wv
        self.mean = 0
        vectors = self.transform(texts)
        self.mean = vectors.mean(0) if self.centred else 0
        return vectors - self.mean

    def transform(self, texts):
        import numpy

        known = ([word for word in words if word in self.space] for words in self.words(texts))
        return numpy.array([self.space.get_mean_vector(words) if words else numpy.zeros(WIDTH) for words in known]) - self.mean


def micro_auc(classes, rows, truth, scored):
    import numpy
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import normalize

    model = LogisticRegression(C=10, max_iter=1000, class_weight="balanced").fit(normalize(rows), classes)
    right = numpy.array([[label == known for known in model.classes_] for label in truth])
    return roc_auc_score(right.ravel(), model.predict_proba(normalize(scored)).ravel()), model.predict(normalize(scored))


def split_scores(peer, texts, labels, pairs, seed, transductive=True):
    """The five tasks on one split, or the four that are about new documents, and the seconds to fit and to transform."""
    import numpy
    from sklearn.metrics import roc_auc_score
    from sklearn.preprocessing import normalize

    random = numpy.random.default_rng(seed)
    count = len(texts)
    labels = numpy.array(labels)
    order = random.permutation(count)
    some, rest = order[:count // 10], order[count // 10:]
    scores = {}
    if transductive:
        whole = numpy.asarray(peer.fit(texts, labels.tolist(), pairs))
        scores["classification"] = micro_auc(labels[some], whole[some], labels[rest], whole[rest])[0]

    hidden, seen = some, numpy.sort(rest)
    place = {old: new for new, old in enumerate(seen.tolist())}
    own = [(place[a], place[b]) for a, b in pairs if a in place and b in place]
    fit, rows = timed(lambda: numpy.asarray(peer.fit([texts[n] for n in seen], labels[seen].tolist(), own)))
    transform, new = timed(lambda: numpy.asarray(peer.transform([texts[n] for n in hidden])))
    scores["inductive classification"], guessed = micro_auc(labels[seen], rows, labels[hidden], new)
    unit = normalize(new)
    at = {old: number for number, old in enumerate(hidden.tolist())}
    linked = {tuple(sorted((at[a], at[b]))) for a, b in pairs if a in at and b in at and a != b}
    others = set()
    while len(others) < len(linked):
        pair = tuple(sorted(random.integers(0, len(hidden), 2).tolist()))
        if pair[0] != pair[1] and pair not in linked:
            others.add(pair)
    both = [*linked, *others]
    scores["inductive links"] = roc_auc_score([1] * len(linked) + [0] * len(others), [unit[a] @ unit[b] for a, b in both])

    if hasattr(peer, "suggestions"):
        found, guessed = peer.suggestions([texts[n] for n in hidden])
    else:
        found = numpy.argsort(-(unit @ normalize(rows).T), axis=1)[:, :10].tolist()
    truth = {}
    for a, b in pairs:
        for one, other in ((a, b), (b, a)):
            if one in at and other in place:
                truth.setdefault(at[one], set()).add(place[other])
    scores["suggest links: recall@10"] = statistics.mean(len(own & set(found[one])) / min(10, len(own)) for one, own in truth.items())
    scores["suggest labels: p@1"] = statistics.mean(guess == label for guess, label in zip(guessed, labels[hidden]))
    return fit, transform, scores


def peers(folder, splits=3):
    import idne

    corpus, _, name = cora(folder)
    texts, labels, pairs = documents_of(corpus)
    contestants = {"idne.IDNE": lambda: Ours(idne.IDNE), "idne.LSA": lambda: Ours(idne.LSA), "gensim LsiModel": Lsi, "gensim Doc2Vec": Doc2vec, "gensim Word2Vec": Word2vec, "fastText": FastText, "scikit-learn TruncatedSVD": TruncatedSvd}
    print(f"{name}, {len(texts):,} documents, {WIDTH} dimensions, {splits} splits; seconds: median (range); scores × 100: mean. A tenth is hidden and transformed.")
    score(contestants, texts, labels, pairs, range(splits))


def choose(folder, split=100):
    corpus, _, name = cora(folder)
    texts, labels, pairs = documents_of(corpus)
    contestants = {}
    for epochs, rate, pieces in ((5, 0.05, False), (5, 0.25, False), (5, 0.5, False), (25, 0.1, False), (5, 0.25, True)):
        for centred in (False, True):
            contestants[f"fastText, {epochs} epochs, rate {rate}{', pieces' * pieces}{', centred' * centred}"] = lambda o=(epochs, rate, pieces, centred): FastText(*o)
    for epochs in (5, 25, 100):
        for centred in (False, True):
            contestants[f"Word2Vec, {epochs} epochs{', centred' * centred}"] = lambda o=(epochs, centred): Word2vec(*o)
    print(f"{name}, split {split}, which `peers` does not use.")
    score(contestants, texts, labels, pairs, [split], transductive=False)


def score(contestants, texts, labels, pairs, splits, transductive=True):
    """Prints a table of times and of scores × 100, the last column their mean."""
    results = {peer: [] for peer in contestants}
    for split in splits:
        for peer, make in contestants.items():
            results[peer].append(split_scores(make(), texts, labels, pairs, split, transductive))
            print(f"{peer}, split {split}: {results[peer][-1]}", file=sys.stderr)
    tasks = list(next(iter(results.values()))[0][2])
    rows = []
    for peer, found in results.items():
        scores = [100 * statistics.mean(one[2][task] for one in found) for task in tasks]
        rows.append([peer, spread([one[0] for one in found]), spread([one[1] for one in found]), *(f"{value:.1f}" for value in (*scores, statistics.mean(scores)))])
    table(["", "fit", "transform", *tasks, "mean"], rows)


def odd():
    env = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "IDNE": str(IDNE), "IDNE_ODD_CALLS": "10000"}
    seconds, result = timed(lambda: subprocess.run(["/usr/bin/python3", str(ROOT / "tests/python/trouble_test.py"), "OddArguments"], env=env))
    print(f"10,000 odd calls in {seconds:.0f} s: {'no crash' if result.returncode == 0 else f'exit {result.returncode}'}")


if __name__ == "__main__":
    asked = sys.argv[1:] or ["bars", "peers"]
    with tempfile.TemporaryDirectory() as temporary:
        for what in asked:
            odd() if what == "odd" else {"bars": bars, "peers": peers, "choose": choose}[what](pathlib.Path(temporary))
