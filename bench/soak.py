#!/usr/bin/env python3
"""`idne serve` under mixed load for long: memory, file handles and errors by the minute.

    bench/soak.py [--minutes 60] [--rate 50] [--documents 2000]

All at once: clients that ask for everything (searches, suggestions, topics, the map, the page, feedback), clients that break off, send
nonsense, dribble or never read their answer, and somebody who updates the model with `idne update`, removes the documents again and sends SIGHUP, every
five seconds, while --watch is on, too. A line per minute: requests, those with a wrong answer, reloads, the median and the largest memory of that
minute, handles. At the end: memory of the last minute beside that of the second one (the first is for warming up); exit 1 on any error, or if they
differ by more than 5 %. Loopback only.
"""
import argparse, http.client, json, os, pathlib, random, re, shutil, signal, socket, statistics, struct, subprocess, tempfile, threading, time

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
IDLE = 60  # seconds
TEXTS = ["a planet and its moon", "the orchestra played", "zzzz", "a goal in the last minute of the match", "π ∑ 漢字", "star " * 500]
ASKED = [("POST", "suggest", lambda r: {"text": r.choice(TEXTS)}, {200}), ("POST", "similar", lambda r: {"text": r.choice(TEXTS)}, {200}),
         ("POST", "explain", lambda r: {"text": r.choice(TEXTS)}, {200}), ("GET", "topics", None, {200}), ("GET", "info", None, {200}),
         ("GET", "map", None, {200}), ("GET", "documents/7", None, {200}), ("GET", "documents/none", None, {404}),
         ("GET", "read?document=8&q=moon", None, {200}), ("GET", "search?q=planet&snippets=3", None, {200}), ("POST", "place", lambda r: {"text": r.choice(TEXTS)}, {200}),
         ("GET", "openapi.json", None, {200}), ("POST", "suggest", lambda r: {"txt": 1}, {400}), ("GET", "nothing", None, {404}),
         ("POST", "feedback", lambda r: {"document": str(r.randrange(10)), "kind": "link", "target": str(50 + r.randrange(10)), "verdict": r.choice(["accept", "reject", "undo"])}, {200, 409})]


class Tally:
    """What threads count."""

    def __init__(self):
        self.lock, self.requests, self.reloads, self.broken, self.errors = threading.Lock(), 0, 0, 0, []

    def add(self, what):
        with self.lock:
            setattr(self, what, getattr(self, what) + 1)

    def error(self, what):
        with self.lock:
            self.errors.append(what)
            print(f"ERROR {what}", flush=True)


def polite(port, rate, seed, tally, stop):
    """A client that keeps its connection for a while, and knows what each answer has to be."""
    rng, connection, last = random.Random(seed), None, 0
    while not stop.wait(rng.expovariate(rate)):
        method, path, body, right = rng.choice(ASKED)
        path = "/" if rng.random() < 0.02 else f"/api/v1/{path}"
        method, body, right = ("GET", None, {200}) if path == "/" else (method, body, right)
        try:
            # The server closes what says nothing for 75 s, as happens here only if the machine or this script was stopped.
            if connection is None or rng.random() < 0.05 or time.monotonic() - last > IDLE:
                connection and connection.close()
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request(method, path, json.dumps(body(rng)).encode() if body else None, {"Content-Type": "application/json", "Accept-Encoding": rng.choice(["gzip", "identity"])})
            answer = connection.getresponse()
            answer.read()
            last = time.monotonic()
            tally.add("requests")
            if answer.status not in right:
                tally.error(f"{method} {path}: {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            tally.error(f"{method} {path}: {error!r}")
            connection = None
    connection and connection.close()


def rude(port, rate, seed, tally, stop):
    """A client that does something wrong with every connection; it counts as an error only if none can be had."""
    rng, held = random.Random(seed), []
    while not stop.wait(rng.expovariate(rate)):
        try:
            client = socket.create_connection(("127.0.0.1", port), 10)
            client.settimeout(10)
            kind = rng.randrange(6)
            if kind == 0:
                client.sendall(rng.randbytes(rng.randrange(1, 4000)))
            elif kind == 1:
                client.sendall(b"POST /api/v1/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
            elif kind == 2:  # asks for much, and does not read it
                client.sendall(b"GET /api/v1/map HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
            elif kind == 3:
                client.sendall(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            elif kind == 4:
                client.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + b"[" * 100_000)
            if rng.random() < 0.3:  # ends with a reset
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            tally.add("broken")
            held.append(client)
        except (ConnectionResetError, BrokenPipeError, TimeoutError):
            tally.add("broken")
        except OSError as error:
            tally.error(f"rude client: {error!r}")
        while len(held) > 20:
            held.pop(rng.randrange(len(held))).close()
    for client in held:
        client.close()


def updater(process, folder, tally, stop, pause):
    """Documents come and go: the served model is now the one with them, now the one without."""
    served, n = folder / "served.idne", 0
    while not stop.wait(pause):
        n += 1
        (folder / "new.jsonl").write_text("".join(json.dumps({"id": f"new{k}", "text": f"a comet {k} and its orbit, round {n}", "links": [str(k)]}) + "\n" for k in range(20)))
        (folder / "gone.txt").write_text("".join(f"new{k}\n" for k in range(20)))
        command = [folder / "new.jsonl"] if n % 2 else ["--remove", folder / "gone.txt"]
        if n % 20 == 0:  # a whole new model by renaming, from time to time
            shutil.copy(folder / "first.idne", folder / "beside")
            os.replace(folder / "beside", served)
        else:
            made = subprocess.run([IDNE, "update", served, *command, "-o", served], capture_output=True, text=True)
            if made.returncode != 0:
                tally.error(f"update: {made.stderr.strip()}")
        if n % 3 == 0:
            process.send_signal(signal.SIGHUP)
        tally.add("reloads")


def memory(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024


def metric(port, name):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return int(re.search(rf"^{name} (\d+)$", text, re.M)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=50, help="requests per second; a tenth as many broken ones")
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--pause", type=float, default=5, help="seconds between updates")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idne-soak-") as temporary:
        folder, clients = pathlib.Path(temporary), 4
        subprocess.run([IDNE, "generate", "--documents", str(options.documents), "-o", folder / "corpus"], check=True, capture_output=True)
        subprocess.run([IDNE, "train", folder / "corpus", "-o", folder / "first.idne", "--dim", "64", "--steps", "300"], check=True, capture_output=True)
        shutil.copy(folder / "first.idne", folder / "served.idne")
        process, port = start(IDNE, folder / "served.idne", "--watch", "--feedback", folder / "feedback.jsonl")
        said = []
        threading.Thread(target=lambda: said.extend(process.stderr), daemon=True).start()
        tally, stop = Tally(), threading.Event()
        threads = [threading.Thread(target=polite, args=(port, options.rate / clients, seed, tally, stop)) for seed in range(clients)]
        threads += [threading.Thread(target=rude, args=(port, options.rate / 10, 100, tally, stop)),
                    threading.Thread(target=updater, args=(process, folder, tally, stop, options.pause))]
        for thread in threads:
            thread.start()
        begin, minutes = time.monotonic(), []
        print("minute  requests  broken  updates  errors  memory MiB  at most  handles", flush=True)
        try:
            while process.poll() is None and time.monotonic() < begin + options.minutes * 60:
                samples, handles, end = [], [], time.monotonic() + 60
                while process.poll() is None and time.monotonic() < end:
                    samples.append(memory(process))
                    handles.append(len(os.listdir(f"/proc/{process.pid}/fd")))
                    time.sleep(0.5)
                if not samples:
                    break
                minutes.append((statistics.median(samples), max(samples), statistics.median(handles)))
                print(f"{len(minutes):6}{tally.requests:10,}{tally.broken:8,}{tally.reloads:9,}{len(tally.errors):8}{minutes[-1][0]:12.1f}{minutes[-1][1]:9.1f}{minutes[-1][2]:9.0f}", flush=True)
            failed = metric(port, "idne_reloads_failed_total") if process.poll() is None else "?"
            taken = metric(port, "idne_reloads_total") if process.poll() is None else "?"
        finally:
            stop.set()
            for thread in threads:
                thread.join()
            process.terminate()
            code = process.wait()
        first, last = minutes[min(1, len(minutes) - 1)], minutes[-1]
        growth = last[0] / first[0] - 1
        print(f"{tally.requests:,} requests, {tally.broken:,} broken ones, {tally.reloads:,} updates, {taken} reloads ({failed} failed), {len(tally.errors)} errors, exit code {code}")
        print(f"memory {first[0]:.1f} MiB in minute {min(2, len(minutes))}, {last[0]:.1f} in the last ({growth:+.1%}); handles {first[2]:.0f} and {last[2]:.0f}")
        raise SystemExit(1 if tally.errors or code or failed or growth > 0.05 else 0)


if __name__ == "__main__":
    main()
