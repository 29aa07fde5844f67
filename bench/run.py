#!/usr/bin/python3
"""Measures idne beside its peers, in turns, and prints the ratios.

    bench/run.py [train] [embed] [growth]        (default: all; `make bench` installs the peers first)

train   5,000 steps on Cora against a straight PyTorch port of the published loop, and against the plain twin
embed   texts to vectors against `fasttext print-sentence-vectors`, one thread each
growth  time a step and peak memory on generated corpora of 10 thousand, 100 thousand and 1 million documents

Corpora are looked for in $IDNE_DATA (default ../shared/data); without them a generated one takes Cora's place.
"""
import json, os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
IDNE = BUILD / "idne"
DATA = pathlib.Path(os.environ.get("IDNE_DATA", ROOT.parent / "shared" / "data"))
LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu")
STEPS = 5000


def run(*command, env=None, stdin=None, stdout=subprocess.PIPE):
    """Seconds, peak memory in MiB and standard output of a command that must succeed."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as errors:  # a pipe that nobody reads yet would fill
        process = subprocess.Popen([str(c) for c in command], stdout=stdout, stderr=errors, stdin=stdin, env={**os.environ, **(env or {})})
        out = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            errors.seek(0)
            sys.exit(f"{' '.join(map(str, command))} failed: {errors.read().decode()[-500:]}")
    return time.perf_counter() - begin, usage.ru_maxrss / 1024, out


def spread(values, unit=1.0, form="{:,.3g}"):
    """Median and range."""
    low, middle, high = (form.format(unit * f(values)) if unit * f(values) < 1000 else f"{unit * f(values):,.0f}" for f in (min, statistics.median, max))
    return f"{middle} ({low} … {high})"


def ratio(value):
    return f"{value:,.0f} ×" if value >= 100 else f"{value:.3g} ×"


def table(headings, rows):
    widths = [max(len(str(row[c])) for row in [headings, *rows]) for c in range(len(headings))]
    for row in [headings, *rows]:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(flush=True)


def cora(folder):
    """The corpus to train on, and its stop words."""
    if (DATA / "cora").exists():
        return DATA / "cora", DATA / "stopwords-reference.txt", "Cora"
    print(f"{DATA / 'cora'} is not there: a generated corpus of 2,211 documents takes its place")
    run(IDNE, "generate", "--documents", 2211, "--fields", 7, "--words", 80, "-o", folder / "like-cora")
    return folder / "like-cora", None, "generated"


def train(folder, rounds=3, torch_steps=40):
    corpus, stop_words, name = cora(folder)
    stop = ["--stop-words", stop_words] if stop_words else []
    peers = {"PyTorch port": {"LD_LIBRARY_PATH": f"{LIBRARIES}/blas:{LIBRARIES}/lapack"},
             "PyTorch port with OpenBLAS": {"LD_LIBRARY_PATH": f"{LIBRARIES}/openblas-pthread"}}
    port = {peer: [] for peer in peers}
    steps = {"plain twin": [], "idne, 1 thread": [], "idne, 2 threads": []}
    whole, memory = [], []
    for _ in range(rounds):
        for peer, env in peers.items():
            out = run("/usr/bin/python3", ROOT / "bench" / "torch_port.py", corpus, *stop, "--steps", torch_steps, env=env)[2]
            port[peer].append(STEPS * statistics.median(json.loads(out)["seconds"]))
        for contestant, argument, some in (("plain twin", "plain", 1000), ("idne, 1 thread", "1", STEPS), ("idne, 2 threads", "2", STEPS)):
            out = json.loads(run(BUILD / "bench" / "train_steps", corpus, stop_words or "none", some, 1, argument)[2])
            steps[contestant].append(out[argument]["seconds"][0] * STEPS / some)
        seconds, peak, _ = run(IDNE, "train", corpus, *stop, "-o", folder / "train.idne", "--preset", "paper", "--threads", 2)
        whole.append(seconds)
        memory.append(peak)
    all_rows = {**port, **steps, "idne train, whole command, 2 threads": whole}
    print(f"Training on {name}: seconds for {STEPS:,} steps of 16 + 16 pairs, 32 topics, 256 dimensions; median (range) of {rounds} rounds.")
    print(f"The port ran {rounds * torch_steps} steps and the plain twin {rounds * 1000:,}, scaled. Kernels: {out['target']}.")
    median = {row: statistics.median(values) for row, values in all_rows.items()}
    table(["", "seconds", "port ÷ this", "port with OpenBLAS ÷ this", "twin ÷ this"],
          [[row, spread(values), *(ratio(median[peer] / median[row]) for peer in (*peers, "plain twin"))] for row, values in all_rows.items()])
    print(f"Peak memory of the whole command: {max(memory):.0f} MiB")
    if (DATA / "nyt").exists():
        print(f"Peak memory on NYT: {run(IDNE, 'train', DATA / 'nyt', *stop, '-o', folder / 'nyt.idne', '--preset', 'paper')[1]:.0f} MiB")
    print(flush=True)


def embed(folder, rounds=5, copies=20):
    corpus, stop_words, name = cora(folder)
    texts = [json.loads(line)["text"] for line in open(corpus / "documents.jsonl", encoding="utf-8")]
    few, many = folder / "few", folder / "many"
    for path, documents in ((few, texts[:1]), (many, texts * copies)):
        path.with_suffix(".txt").write_text("".join(" ".join(t.split()) + "\n" for t in documents), encoding="utf-8")
        path.with_suffix(".jsonl").write_text("".join(json.dumps({"id": str(k), "text": t}) + "\n" for k, t in enumerate(documents)), encoding="utf-8")
    run(IDNE, "train", corpus, "-o", folder / "embed.idne", "--steps", 200)
    # Words only, no subwords: what fastText does fastest, and what is nearest to ours.
    run("fasttext", "skipgram", "-input", many.with_suffix(".txt"), "-output", folder / "ft", "-dim", 256, "-epoch", 1, "-minn", 0, "-maxn", 0, "-bucket", 0, "-thread", 2)
    contestants = {
        "fasttext print-sentence-vectors": lambda p: run("fasttext", "print-sentence-vectors", folder / "ft.bin", stdin=open(p.with_suffix(".txt")), stdout=subprocess.DEVNULL),
        "idne embed (.npy)": lambda p: run(IDNE, "embed", folder / "embed.idne", p.with_suffix(".jsonl"), "-o", folder / "v.npy", "--threads", 1),
        "idne embed --format tsv": lambda p: run(IDNE, "embed", folder / "embed.idne", p.with_suffix(".jsonl"), "-o", "/dev/null", "--format", "tsv", "--threads", 1),
    }
    seconds = {name: [] for name in contestants}
    whole = {name: [] for name in contestants}
    for _ in range(rounds):
        for contestant, go in contestants.items():
            whole[contestant].append(go(many)[0])
            seconds[contestant].append(whole[contestant][-1] - go(few)[0])
    documents = len(texts) * copies
    print(f"Texts to vectors, {documents:,} documents of {name}, 256 dimensions, one thread, loading the model left out; median (range) of {rounds} rounds.")
    peer = statistics.median(seconds["fasttext print-sentence-vectors"])
    table(["", "documents per second", "ratio to fastText", "whole command, s"],
          [[name, spread([documents / s for s in values], 1, "{:,.0f}"), ratio(peer / statistics.median(values)), spread(whole[name])] for name, values in seconds.items()])


def growth(folder, rounds=3):
    rows, first = [], None
    for documents in (10_000, 100_000, 1_000_000):
        corpus = folder / f"g{documents}"
        run(IDNE, "generate", "--documents", documents, "--words", 50, "--links", 5, "-o", corpus)
        steps = json.loads(run(BUILD / "bench" / "train_steps", corpus, "english", STEPS, rounds, "2")[2])
        each = [s / STEPS for s in steps["2"]["seconds"]]
        seconds, peak, _ = run(IDNE, "train", corpus, "-o", folder / "g.idne", "--steps", STEPS, "--threads", 2)
        first = first or statistics.median(each)
        rows.append([f"{documents:,}", f"{steps['words']:,}", spread(each, 1e3), f"{statistics.median(each) / first:.2f}", f"{seconds:.1f}", f"{peak:,.0f}"])
        subprocess.run(["rm", "-rf", str(corpus)], check=True)
    print(f"Growth: generated documents of 50 words with 5 links each, 2 threads, {STEPS:,} steps; median (range) of {rounds} rounds.")
    table(["documents", "words kept", "ms per step", "ratio to the first", "whole command, s", "peak MiB"], rows)


if __name__ == "__main__":
    parts = dict(train=train, embed=embed, growth=growth)
    names = sys.argv[1:] or list(parts)
    if not set(names) <= set(parts):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        for name in names:
            parts[name](pathlib.Path(temporary))
