#!/usr/bin/env python3
"""Training over several processes: time, memory and what crosses the wire, beside one process; and what that says of more machines.

    bench/scale.py run [--documents 1000000] [--words 50] [--links 5] [--ranks 1,2,4] [--transport shared,tcp] [--delay 0] [--repeats 1] [--steps 1000]
    bench/scale.py forecast

run: a generated corpus is trained by `idne train --threads 2` and by `mpirun -n R idne-mpi train --threads 1`; all files must have the
same bytes. Prints seconds, the memory of the largest process, and bytes per step, told apart by training twice as many steps.
forecast: memory and time for 1 M to 1 B documents on 1 to 256 machines, by the model of docs/scale.md.

IDNE and IDNE_MPI name the programs (default build/idne, build/idne-mpi).
"""
import argparse, hashlib, json, os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = os.environ.get("IDNE", str(ROOT / "build" / "idne"))
IDNE_MPI = os.environ.get("IDNE_MPI", str(ROOT / "build" / "idne-mpi"))
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
TRANSPORTS = {"shared": [], "tcp": ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"]}


def digest(path):
    hash = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 24):
            hash.update(piece)
    return hash.hexdigest()


def train(command, corpus, model, options, environment=None):
    """Seconds, MiB of the largest process, and the summary that the program prints."""
    with tempfile.TemporaryDirectory() as folder:
        timed = ["/usr/bin/time", "-a", "-o", f"{folder}/memory", "-f", "%M"]
        at = next(n for n, word in enumerate(command) if word in (IDNE, IDNE_MPI))
        start = time.time()
        done = subprocess.run([*command[:at], *timed, *command[at:], "train", str(corpus), "-o", str(model), "--format", "json", *options],
                              capture_output=True, text=True, env={**os.environ, **(environment or {})})
        if done.returncode:
            sys.exit(done.stderr)
        memory = max(int(line) for line in open(f"{folder}/memory").read().split()) / 1024
        return time.time() - start, memory, json.loads(done.stdout)


def run(arguments):
    options = ["--seed", "4", "--steps", str(arguments.steps)]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = pathlib.Path(scratch)
        corpus = folder / "corpus"
        subprocess.run([IDNE, "generate", "--documents", str(arguments.documents), "--words", str(arguments.words), "--links", str(arguments.links), "-o", corpus], check=True, capture_output=True)
        print(f"{arguments.documents:,} documents of {arguments.words} words, {arguments.links} links each")
        print("| | seconds (read, train, labels, links, write) | ratio | largest process, MiB | ratio | bytes per step and process |\n|---|---|---|---|---|---|", flush=True)
        cases = [("1 process × 2 threads", [IDNE], ["--threads", "2"], {})]
        for name in arguments.transport.split(","):
            for ranks in map(int, arguments.ranks.split(",")):
                for delay in map(int, arguments.delay.split(",")):
                    cases.append((f"{ranks} processes × 1 thread, {name}{f', {delay} µs later' if delay else ''}",
                                  [*MPIRUN, "-n", str(ranks), *TRANSPORTS[name], IDNE_MPI], ["--threads", "1"], {"IDNE_DELAY": str(delay)}))
        first = None
        for name, command, threads, environment in cases:
            results = [train(command, corpus, folder / "m.idne", options + threads, environment) for _ in range(arguments.repeats)]
            seconds, memory, summary = statistics.median(r[0] for r in results), max(r[1] for r in results), results[0][2]
            sha = digest(folder / "m.idne")
            first = first or (seconds, memory, sha)
            wire = "–"
            if "processes" in summary:
                more = train(command, corpus, folder / "n.idne", ["--seed", "4", "--steps", str(2 * arguments.steps), *threads], environment)[2]
                wire = f"{(more['processes']['bytes'] - summary['processes']['bytes']) / arguments.steps:,.0f}"
            parts = ", ".join(f"{summary['seconds'][part]:.1f}" for part in ("read", "train", "labels", "links", "write"))
            print(f"| {name} | {seconds:.1f} ({parts}) | {seconds / first[0]:.2f} | {memory:,.0f} | {memory / first[1]:.2f} | {wire} |"
                  f"{'' if sha == first[2] else ' OTHER BYTES'}", flush=True)


# Fitted to runs of 1 M documents of 50 words with 5 links, 256 dimensions, 1, 2 and 4 processes on two cores (docs/scale.md).
BYTES_PER_DOCUMENT = 1890  # counts several times, vector, ids, titles, links and their sums: cut by document
BYTES_PER_WORD = 2790  # the start, word vectors and strings: in every process
SECONDS_PER_DOCUMENT = 28e-6  # of one core: reading, encoding, scoring, writing: cut by document
SECONDS_PER_WORD = 5.9 / 89e3  # of one core: start and topics, which every process finds for itself
STEPS, MEETINGS_PER_STEP, STEP_BYTES = 500, 1.25, 16e3
BYTES_MOVED_PER_DOCUMENT, BYTES_WRITTEN_PER_DOCUMENT = 300, 1600  # once over the wire; to the process that writes


def words_of(documents):
    return 89e3 * (documents / 1e6) ** 0.5


def memory_of(documents, machines):
    return documents * BYTES_PER_DOCUMENT / machines + words_of(documents) * BYTES_PER_WORD


def seconds_of(documents, machines, cores, wire, latency=50e-6):
    """In all, and of these for steps on the wire and for sending the model to the one that writes."""
    work = (documents * SECONDS_PER_DOCUMENT / machines + words_of(documents) * SECONDS_PER_WORD) / cores
    if machines == 1:
        return work, 0, 0
    steps = STEPS * (MEETINGS_PER_STEP * latency + STEP_BYTES / wire)
    moved = documents * BYTES_MOVED_PER_DOCUMENT / machines / wire + words_of(documents) * 1024 / wire
    written = documents * BYTES_WRITTEN_PER_DOCUMENT / wire
    return work + steps + moved + written, steps, written


def forecast(_):
    print("The model beside what was measured (1 M documents, two cores):")
    for ranks, seconds, mebibytes in ((1, 17.5, 2040), (2, 18.8, 1117), (4, 26.0, 688)):
        said = (1e6 * SECONDS_PER_DOCUMENT + ranks * words_of(1e6) * SECONDS_PER_WORD) / 2
        print(f"  {ranks} processes: {said:.0f} s (measured {seconds} s), {memory_of(1e6, ranks) / 2 ** 20:,.0f} MiB (measured {mebibytes:,})")
    print("\n| documents | machines of 8 cores | GiB per machine | minutes at 1 Gbit/s | 10 Gbit/s | 100 Gbit/s |\n|---|---|---|---|---|---|")
    for documents in (1e6, 1e7, 1e8, 1e9):
        for machines in (1, 4, 16, 64, 256):
            memory = memory_of(documents, machines)
            if memory > 256 * 2 ** 30:
                continue
            cells = " | ".join(f"{seconds_of(documents, machines, 8, gigabits * 1e9 / 8)[0] / 60:.1f}" for gigabits in (1, 10, 100))
            print(f"| {documents:,.0f} | {machines} | {memory / 2 ** 30:.1f} | {cells} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "forecast"])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=50)
    parser.add_argument("--links", type=int, default=5)
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--transport", default="shared")
    parser.add_argument("--delay", default="0")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--folder", help="where there is room for the corpus and two models")
    arguments = parser.parse_args()
    {"run": run, "forecast": forecast}[arguments.what](arguments)


if __name__ == "__main__":
    main()
