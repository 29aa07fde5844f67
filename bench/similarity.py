#!/usr/bin/python3
"""What `--similarity` does to tasks and topics: a table in Markdown, as docs/topics.md has it.

    bench/similarity.py [--corpora cora,travel-2012] [--presets best,paper] [--repeats 10] [--topics 16] [--idne PROGRAM]

Tasks are those of `idne evaluate`, of text vectors alone (`--neighbours 0`): micro AUC × 100 of classification with the largest of the paper's shares of
labels, of hidden documents, and of links between these, with 95 % intervals. Topics: held-out coherence and diversity as `idne topics --refit K` prints them, and how
many of their words are those of the topics that `paths` has (`idne topics --compare`), beside what another seed leaves of these. Topics are fitted
(--topic-fit kmeans) with either preset.
"""
import argparse, json, pathlib, tempfile

from run import DATA, IDNE, run

CHOICES = ["paths", "simrank", "ppr"]
TASKS = ["classification", "inductive-classification", "inductive-links"]


def figures(program, corpus, preset, repeats):
    """For each similarity the figures of the three tasks, as texts."""
    command = [program, "evaluate", corpus, "--methods", "idne", "--set", f"preset={preset}", "--neighbours", 0, "--sweep", "similarity=" + ",".join(CHOICES),
               "--repeats", repeats, "--format", "json"]
    told = json.loads(run(*command)[2])["results"]
    cells = {}
    for choice in CHOICES:
        mine = [result for result in told if result["method"] == f"idne similarity={choice}"]
        last = [max((result for result in mine if result["task"] == task), key=lambda result: result["ratio"]) for task in TASKS]
        cells[choice] = [f"{100 * result['mean']:.2f} ± {100 * result['interval']:.2f}" for result in last]
    return cells


def topics(program, corpus, preset, number, folder):
    """For each similarity coherence, diversity and the share of words that paths has, and at last that of another seed."""
    def trained(choice, seed):
        model = folder / f"{choice}-{seed}.idne"
        run(program, "train", corpus, "-o", model, "--preset", preset, "--similarity", choice, "--topic-fit", "kmeans", "--topics", number, "--seed", seed)
        return model

    def asked(*arguments):
        return json.loads(run(program, "topics", *arguments, "--format", "json")[2])

    models = {choice: trained(choice, 1) for choice in CHOICES}
    cells = {}
    for choice, model in models.items():
        refit = asked(model, "--refit", number)["refit"][0]
        shared = asked(models["paths"], "--compare", model if choice != "paths" else trained("paths", 2))["stability"]
        cells[choice] = [f"{refit['coherence']:.3f}", f"{refit['diversity']:.2f}", f"{shared:.2f}"]
    return cells


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--corpora", default="cora,travel-2012")
    parser.add_argument("--presets", default="best,paper")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--topics", type=int, default=16)
    parser.add_argument("--idne", default=IDNE)
    given = parser.parse_args()
    print("| corpus | preset | similarity | classification | inductive classification | inductive links | coherence | diversity | words of `paths`' topics |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in given.corpora.split(","):
        for preset in given.presets.split(","):
            with tempfile.TemporaryDirectory() as folder:
                scored = figures(given.idne, DATA / name, preset, given.repeats)
                named = topics(given.idne, DATA / name, preset, given.topics, pathlib.Path(folder))
            for choice in CHOICES:
                print("|", " | ".join([name, preset, f"`{choice}`", *scored[choice], *named[choice]]), "|", flush=True)


if __name__ == "__main__":
    main()
