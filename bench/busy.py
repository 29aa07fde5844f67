#!/usr/bin/python3
"""How training does on a machine that has other work: `--preset paper` on Cora with one thread and with two, alone and
beside one, two and six processes that do nothing but count, in turns; prints medians and what the promises are.

    bench/busy.py [ROUNDS]           (default: 5; $IDNE_OLD: another idne, to be run beside this one)

Runs on two cores, whatever the machine has. Its busy processes end by themselves after ten minutes, and with this script.
"""
import os, pathlib, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from run import IDNE, cora, ratio, spread, table

LOADS = (0, 1, 2, 6)


class Busy:
    """So many processes that count."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.processes = [subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "timeout", "600", sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]
        time.sleep(0.2 if self.count else 0)

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
            process.wait()


def seconds(program, corpus, stop, folder, threads):
    begin = time.perf_counter()
    subprocess.run([str(program), "train", str(corpus), *stop, "-o", str(folder / "busy.idne"), "--preset", "paper", "--threads", str(threads)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main(rounds):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    programs = {"idne": IDNE, **({"old": os.environ["IDNE_OLD"]} if "IDNE_OLD" in os.environ else {})}
    times = {(name, load, threads): [] for name in programs for load in LOADS for threads in (1, 2)}
    with tempfile.TemporaryDirectory(prefix="idne-busy-") as temporary:
        folder = pathlib.Path(temporary)
        corpus, stop_words, corpus_name = cora(folder)
        stop = ["--stop-words", str(stop_words)] if stop_words else []
        for _ in range(rounds):
            for load in LOADS:
                with Busy(load):
                    for name, program in programs.items():
                        for threads in (1, 2):
                            times[name, load, threads].append(seconds(program, corpus, stop, folder, threads))
    middle = {key: statistics.median(values) for key, values in times.items()}
    print(f"`idne train --preset paper` on {corpus_name}, whole command on two cores; seconds, median (range) of {rounds} rounds.")
    for name in programs:
        table([f"{name}, beside", "1 thread", "2 threads", "2 ÷ 1 threads", "2 threads ÷ quiet"],
              [[f"{load} busy processes", spread(times[name, load, 1]), spread(times[name, load, 2]),
                ratio(middle[name, load, 2] / middle[name, load, 1]), ratio(middle[name, load, 2] / middle[name, 0, 2])] for load in LOADS])
    print("Promised: beside one at most 1.1 × the time of one thread; beside two 2.2 × the quiet time, beside six 5 ×.")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
