#!/usr/bin/python3
"""Training and reading beside another idne, in turns: seconds of one processor, and how many times faster this one is.

    IDNE_OLD=PROGRAM bench/speed.py [ROUNDS] [CORPUS …]

Without corpora: Cora from $IDNE_DATA, and long articles that `idne generate` makes (5,000 of 3,000 words). A corpus's texts
alone, without labels and links, are also trained on with `--method lsa --dim 1`, which does little but read them.
Processors' seconds (user and system, one thread) are what is compared: a clock tells what else the machine had to do.
"""
import json, os, pathlib, resource, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from run import IDNE, cora, ratio, spread, table


def seconds(program, corpus, folder, *options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(program), "train", str(corpus), "-o", str(folder / "speed.idne"), "--threads", "1", *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
            corpora = [cora(folder)[0], folder / "articles"]
        for number, corpus in enumerate(corpora):
            alone = texts_alone(corpus, folder / f"texts-{number}")
            for what, where, options in (("trained", corpus, []), ("read", alone, ["--method", "lsa", "--dim", "1"])):
                times = {program: [] for program in (old, IDNE)}
                for _ in range(rounds):
                    for program in times:
                        times[program].append(seconds(program, where, folder, *options))
                gain = statistics.median(times[old]) / statistics.median(times[IDNE])
                rows.append([f"{corpus.name}, {what}", spread(times[old]), spread(times[IDNE]), ratio(gain)])
    print(f"Seconds of one processor, median (range) of {rounds} rounds in turns.")
    table(["", "old", "this", "old ÷ this"], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, [pathlib.Path(path) for path in sys.argv[2:]])
