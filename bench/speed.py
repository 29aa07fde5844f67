#!/usr/bin/python3
"""Training and reading beside another idne, in turns: seconds of one processor, and how many times faster this one is.

    IDNE_OLD=PROGRAM bench/speed.py [ROUNDS] [CORPUS …]

Without corpora: Cora from $IDNE_DATA, long articles that `idne generate` makes (5,000 of 3,000 words), and as long ones put together
from the descriptions of Debian's packages. For training,
processors' seconds (user and system, one thread) are compared: a clock tells what else the machine had to do. For reading, which
is of a corpus's texts alone, without labels and links, the seconds that the program itself gives, by the clock, with one thread and two.
"""
import json, os, pathlib, random, resource, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from run import IDNE, cora, ratio, spread, table


def seconds(program, corpus, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(program), "train", str(corpus), "-o", str(folder / "speed.idne"), "--threads", "1"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of_reading(program, corpus, folder, threads):
    done = subprocess.run([str(program), "train", str(corpus), "-o", str(folder / "speed.idne"), "--method", "lsa", "--dim", "1", "--threads", str(threads), "--format", "json"],
                          check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout)["seconds"]["read"]


def long_packages(folder):
    """5,000 documents of 3,000 words of English, in no sensible order."""
    subprocess.run([IDNE, "import", "debian", "-o", folder / "packages"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    descriptions = [json.loads(line)["text"] for line in open(folder / "packages" / "documents.jsonl", encoding="utf-8")]
    draw = random.Random(5)
    (folder / "long-packages").mkdir()
    with open(folder / "long-packages" / "documents.jsonl", "w", encoding="utf-8") as out:
        for number in range(5000):
            parts, words = [], 0
            while words < 3000:
                parts.append(draw.choice(descriptions))
                words += len(parts[-1].split())
            out.write(json.dumps({"id": str(number), "text": "\n\n".join(parts)}, ensure_ascii=False) + "\n")
    return folder / "long-packages"


def texts_alone(corpus, to):
    """A corpus of the same texts, which has nothing to learn but words."""
    to.mkdir()
    with open(corpus / "documents.jsonl", encoding="utf-8") as documents, open(to / "documents.jsonl", "w", encoding="utf-8") as out:
        for line in documents:
            document = json.loads(line)
            out.write(json.dumps({"id": document["id"], "text": document["text"]}, ensure_ascii=False) + "\n")
    return to


def main(rounds, corpora):
    old = os.environ.get("IDNE_OLD") or sys.exit(__doc__)
    rows = []
    with tempfile.TemporaryDirectory(prefix="idne-speed-") as temporary:
        folder = pathlib.Path(temporary)
        if not corpora:
            subprocess.run([IDNE, "generate", "--documents", "5000", "--words", "3000", "-o", folder / "articles"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            corpora = [cora(folder)[0], folder / "articles", long_packages(folder)]
        for number, corpus in enumerate(corpora):
            alone = texts_alone(corpus, folder / f"texts-{number}")
            mega = (alone / "documents.jsonl").stat().st_size / 1e6
            measures = [*([("trained", lambda program: seconds(program, corpus, folder))] if corpus.name != "long-packages" else []),
                        *((f"read ({mega:,.0f} MB), {threads}", lambda program, n=n: seconds_of_reading(program, alone, folder, n))
                          for n, threads in ((1, "one thread"), (2, "two")) if mega > 10)]
            for what, measure in measures:
                times = {program: [] for program in (old, IDNE)}
                for _ in range(rounds):
                    for program in times:
                        times[program].append(measure(program))
                gain = statistics.median(times[old]) / statistics.median(times[IDNE])
                rows.append([f"{corpus.name}, {what}", spread(times[old]), spread(times[IDNE]), ratio(gain)])
    print(f"Seconds, median (range) of {rounds} rounds in turns: of one processor for training, by the clock for reading.")
    table(["", "old", "this", "old ÷ this"], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, [pathlib.Path(path) for path in sys.argv[2:]])
