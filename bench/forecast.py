#!/usr/bin/env python3
"""What `idne check` says that training takes beside what it took: generated corpora, and those below IDNE_DATA.

    bench/forecast.py [--large]

Seconds are processor seconds by the number of threads, so that a busy machine changes them less.
"""
import json, os, pathlib, subprocess, sys, tempfile

IDNE = os.environ.get("IDNE", "build/idne")
DATA = pathlib.Path(os.environ.get("IDNE_DATA", "../shared/data"))
THREADS = 2


def measured(*command):
    """(processor seconds, peak MiB) of a command."""
    child = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    sizes = [(3000, 50, 6), (10000, 50, 6), (10000, 200, 6), (30000, 50, 60)] + ([(100000, 50, 6), (300000, 50, 6)] if "--large" in sys.argv else [])
    print(f"{'corpus':28}{'MiB':>8}{'said':>8}{'ratio':>8}{'s':>8}{'said':>8}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        corpora = [DATA / name for name in ("cora", "nyt", "travel-2012") if (DATA / name).exists()]
        for documents, words, fields in sizes:
            corpora.append(pathlib.Path(folder) / f"{documents}x{words}, {fields} labels")
            subprocess.run([IDNE, "generate", "--documents", str(documents), "--words", str(words), "--fields", str(fields), "-o", corpora[-1]], check=True, stderr=subprocess.DEVNULL)
        for corpus in corpora:
            said = json.loads(subprocess.run([IDNE, "check", corpus, "--threads", str(THREADS), "--format", "json"], capture_output=True, check=True).stdout)["forecast"]
            seconds, mib = measured(IDNE, "train", corpus, "-o", pathlib.Path(folder) / "m.idne", "--threads", THREADS)
            seconds, said_mib = seconds / THREADS, said["bytes"] / 2**20
            print(f"{corpus.name:28}{mib:8.0f}{said_mib:8.0f}{said_mib / mib:8.2f}{seconds:8.1f}{said['seconds']:8.1f}{said['seconds'] / seconds:8.2f}", flush=True)


if __name__ == "__main__":
    main()
