#!/usr/bin/env python3
"""The most expensive things that a file or a client may bring: what becomes of them, how long that takes and how much memory.

    bench/bounds.py [PART...]        files, requests; both by default

Files are made in a temporary folder, which needs 1 GB. Memory is that of the process at most (ru_maxrss). docs/reliability.md has the
table that this prints.
"""
import json, os, pathlib, subprocess, sys, tempfile, threading, time, http.client, zlib

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()


def row(what, seconds, memory, answer):
    print(f"| {what} | {seconds:.1f} s | {memory:,.0f} MiB | {answer} |", flush=True)


def tried(what, *arguments):
    """Runs a command; its time, its memory, and the last line that it says."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([IDNE, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = [line for line in said.read().decode().splitlines() if line.strip()]
    told = (lines or [""])[-1].replace(str(pathlib.Path(str(arguments[-1])).parent), "…")
    answer = "done" if process.returncode == 0 else f"exit {process.returncode}: {told[-110:]}"
    row(what, time.perf_counter() - begin, usage.ru_maxrss / 1024, answer)


def zeros(path, gigabytes):
    """So many GB of zeros as a small .gz."""
    packer, block = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 24)
    with open(path, "wb") as out:
        for _ in range(gigabytes * 64):
            out.write(packer.compress(block))
        out.write(packer.flush())


def lines(path, documents):
    with open(path, "w") as out:
        for document in documents:
            out.write(json.dumps(document) + "\n")
    return path


def files(folder):
    few = [{"id": str(k), "text": "a star and its planet", "links": [str((k + 1) % 50)]} for k in range(50)]
    train = ["train", "-o", folder / "out.idne", "--steps", 50, "--min-count", 1, "--max-share", 1, "--dim", 32]
    path = lines(folder / "text.jsonl", [*few, {"id": "long", "text": "star planet orbit moon tide " * 7_500_000}])
    tried("a document of 200 MB: train", *train, path)
    path.unlink()
    path = lines(folder / "line.jsonl", [*few, {"id": "long", "text": "a", "other": "x" * 300_000_000}])
    tried("a line of 300 MB: train", *train, path)
    path.unlink()
    zeros(folder / "zeros.jsonl.gz", 10)
    tried("10 GB of zeros in a .gz of 10 MB: train", *train, folder / "zeros.jsonl.gz")
    (folder / "deep.jsonl").write_text('{"id": "a", "text": "b", "x": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    tried("100,000 nested levels in JSON: train", *train, folder / "deep.jsonl")
    (folder / "site").mkdir()
    (folder / "site" / "deep.html").write_text("<div>" * 100_000 + "text")
    tried("100,000 nested tags: import html", "import", "html", "-o", folder / "c1", folder / "site")
    lines(folder / "labels.jsonl", [*few, {"id": "many", "text": "star", "labels": [f"label {k}" for k in range(1_000_000)]}])
    tried("a million labels on a document: train", *train, folder / "labels.jsonl")
    lines(folder / "group.jsonl", [{"id": str(k), "text": f"star planet w{k % 1000}", "groups": ["all"]} for k in range(200_000)])
    tried("a group of 200,000: train", *train, folder / "group.jsonl")


def requests(folder):
    subprocess.run([IDNE, "generate", "--documents", "20000", "-o", folder / "corpus"], check=True, capture_output=True)
    subprocess.run([IDNE, "train", folder / "corpus", "-o", folder / "m.idne", "--steps", "200"], check=True, capture_output=True)
    process, port = start(IDNE, folder / "m.idne")
    threading.Thread(target=process.stderr.read, daemon=True).start()
    peak = lambda: int(next(line for line in open(f"/proc/{process.pid}/status") if line.startswith("VmHWM")).split()[1]) / 1024
    words = "star planet orbit moon tide melody violin goal match team " * 17_000
    text = words[:1_000_000 - 100]
    asked = [("suggest for a text of 1 MB, 1,000 of each", "suggest", {"text": text, "k": 1000}), ("explain a text of 1 MB", "explain", {"text": text}),
             ("explain a pair of texts of 100 kB", "explain/pair", {"first": {"text": text[:99_000]}, "second": {"text": text[1000:99_000]}, "top": 1000}),
             ("embed 1,000 texts, 8 MB together", "embed", {"documents": [{"text": text[:7_900]}] * 1000}), ("similar for a text of 1 MB, 1,000", "similar", {"text": text, "k": 1000})]
    try:
        for what, path, body in asked:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
            begin = time.perf_counter()
            connection.request("POST", f"/api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            size = len(answer.read())
            row(what, time.perf_counter() - begin, peak(), f"{answer.status}, {size:,} bytes")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    print("| what | time | memory at most | answer |\n|---|---|---|---|")
    for part in sys.argv[1:] or ["files", "requests"]:
        with tempfile.TemporaryDirectory(prefix="idne-bounds-") as temporary:
            {"files": files, "requests": requests}[part](pathlib.Path(temporary))
