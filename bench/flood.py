#!/usr/bin/env python3
"""Whether one client's flood is felt by others: latency of /api/v1/similar for a client that asks twenty times a second, quiet, and while
(1) another one asks for topics over six connections without a pause, (2) a thousand slow clients hold connections, each a byte per second,
(3) one client asks ten times as much as it may (--client-rate). Quiet and flooded parts take turns, so that what else the machine does
falls on all alike. Prints medians, 99th percentiles of all rounds together with the least and the most of single rounds, and ratios to quiet.

    bench/flood.py MODEL [--rounds 5] [--seconds 10] [--rate 30]

--rate 0 serves without a limit, and leaves (3) out. Clients have addresses of their own in 127.0.0.0/8 and processes of their own. Loopback only, bounded in
number and time. Needs wrk for the first.
"""
import argparse, collections, http.client, json, multiprocessing, os, pathlib, socket, statistics, subprocess, threading, time

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
TEXT = json.dumps({"text": "a program that packs and unpacks files in many formats, with a library for other programs", "k": 10})


class Asker:
    """A client with an address of its own."""

    def __init__(self, port, address):
        self.port, self.address, self.connection = port, address, None

    def ask(self):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(self.address, 0))
        self.connection.request("POST", "/api/v1/similar", TEXT)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status


def measure(port, seconds):
    """Milliseconds of each answer."""
    one, times = Asker(port, "127.0.0.9"), []
    one.ask()
    end = time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        assert one.ask() == 200
        times.append(1000 * (time.monotonic() - begun))
        time.sleep(max(0, 0.05 - (time.monotonic() - begun)))
    return times


def ask_for_topics(port, over, counts, _):
    with subprocess.Popen(["wrk", "-t1", "-c6", "-d600s", f"http://127.0.0.1:{port}/api/v1/topics"], stdout=subprocess.DEVNULL) as wrk:
        over.wait()
        wrk.terminate()


def ask_slowly(port, over, counts, _):
    sockets = []
    for number in range(1000):
        one = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.{1 + number // 250}.{1 + number % 250}", 0))
        one.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        sockets.append(one)
    while not over.wait(1):
        for one in sockets:
            one.send(b"x")


def ask_too_much(port, over, counts, rate):
    """Ten times its rate, over four connections."""
    def work():
        one = Asker(port, "127.0.0.8")
        while not over.wait(4 / (10 * rate)):
            counts.put(one.ask())
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


FLOODS = {"quiet": None, "six connections that ask for topics": ask_for_topics, "a thousand slow clients": ask_slowly, "one client at ten times its limit": ask_too_much}


def within(times):
    return sorted(times)[int(0.99 * len(times))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rate", type=int, default=30)
    arguments = parser.parse_args()
    floods = {name: flood for name, flood in FLOODS.items() if arguments.rate > 0 or flood is not ask_too_much}
    times, got = {name: [] for name in floods}, collections.Counter()
    process, port = start(IDNE, arguments.model, "--client-rate", str(arguments.rate))
    try:
        measure(port, 1)
        for _ in range(arguments.rounds):
            for name, flood in floods.items():
                over, counts = multiprocessing.Event(), multiprocessing.SimpleQueue()
                other = flood and multiprocessing.Process(target=flood, args=(port, over, counts, arguments.rate))
                try:
                    if other:
                        other.start()
                        time.sleep(1)
                    times[name].append(measure(port, arguments.seconds))
                finally:
                    over.set()
                    while other and (other.is_alive() or not counts.empty()):
                        if counts.empty():
                            time.sleep(0.05)
                        else:
                            got[counts.get()] += 1
    finally:
        process.terminate()
        process.wait()
    quiet = within(sum(times["quiet"], []))
    for name, rounds in times.items():
        all_ = sum(rounds, [])
        single = [within(one) for one in rounds]
        print(f"{name}: {statistics.median(all_):.2f} ms, 99 % within {within(all_):.2f} ms ({min(single):.2f} to {max(single):.2f}), {within(all_) / quiet:.2f} × quiet")
    if got:
        print(f"  the last one got {dict(got)}")


if __name__ == "__main__":
    main()
