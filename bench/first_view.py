#!/usr/bin/env python3
"""How long a visitor waits: seconds from opening the page in Chromium until it is of use (the text box on Write, documents listed beside the map), with a
server that has answered before (warm) and with one that was started at the same moment (cold), for Write also without an index (first). Medians, least and most.

    bench/first_view.py --model MODEL [--corpus CORPUS] [--rounds 5]

Every visit has a fresh browser profile. The index is made if it is not there. Needs `npm ci` in web. Loopback only.
"""
import argparse, os, pathlib, shutil, socket, statistics, subprocess, tempfile, time

from server import make_index, start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
VIEWS = {"write": "#text", "map": ".in-view tbody tr"}


class Browser:
    """Chromium, which is running already: what is measured is the page."""

    def __init__(self):
        self.process = subprocess.Popen(["node", ROOT / "bench" / "visit.mjs"], cwd=ROOT / "web", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def seconds_until(self, port, view):
        return self.ask(f"http://127.0.0.1:{port}/#/{view} {VIEWS[view]}")

    def frames_per_second(self, port, view, shown, seconds):
        return self.ask(f"http://127.0.0.1:{port}/#/{view} {shown} {seconds}")

    def end(self):
        self.process.stdin.close()
        self.process.wait(30)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def cold(browser, model, more, view):
    """The server's start included."""
    port = free_port()
    begun = time.monotonic()
    process = subprocess.Popen([IDNE, "serve", model, *more, "--port", str(port), "--log", "none"], stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.002)
        listening = time.monotonic() - begun
        return listening + browser.seconds_until(port, view)
    finally:
        process.terminate()
        process.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    more = ["--corpus", given.corpus] if given.corpus else []
    make_index(IDNE, given.model)
    browser = Browser()
    found = {}
    process, port = start(IDNE, given.model, *more)
    for view in VIEWS:
        browser.seconds_until(port, view)
        found[view, "warm"] = [browser.seconds_until(port, view) for _ in range(given.rounds)]
    process.terminate()
    process.communicate()
    for view in VIEWS:
        found[view, "cold"] = [cold(browser, given.model, more, view) for _ in range(given.rounds)]
    with tempfile.TemporaryDirectory() as folder:
        alone = shutil.copy(given.model, folder)
        found["write", "first"] = [cold(browser, alone, more, "write") for _ in range(given.rounds)]
    browser.end()
    print(f"load {os.getloadavg()[0]:.1f}, {given.rounds} rounds\n\n| view | start | median | least | most |\n|---|---|---|---|---|")
    for (view, begin), times in found.items():
        print(f"| {view} | {begin} | {statistics.median(times):.2f} s | {min(times):.2f} s | {max(times):.2f} s |")


if __name__ == "__main__":
    main()
