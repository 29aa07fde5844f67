#!/usr/bin/env python3
"""Whether one client's flood is felt by others: latency of /api/v1/similar for a client that asks now and then, quiet, and while
(1) another one asks for topics over six connections without a pause, (2) a thousand slow clients hold connections, each a byte per second,
(3) one client asks ten times as much as it may (--client-rate). Prints medians, 99th percentiles, and their ratio to quiet ones.

    bench/flood.py MODEL [--seconds 20]

Clients have addresses of their own in 127.0.0.0/8. Loopback only, bounded in number and time. Needs wrk for the first.
"""
import argparse, http.client, json, os, pathlib, socket, statistics, subprocess, threading, time

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
    """Milliseconds per answer of a client that asks twenty times a second."""
    one, times = Asker(port, "127.0.0.9"), []
    one.ask()
    end = time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        assert one.ask() == 200
        times.append(1000 * (time.monotonic() - begun))
        time.sleep(max(0, 0.05 - (time.monotonic() - begun)))
    return statistics.median(times), sorted(times)[int(0.99 * len(times))]


def flood_topics(port, seconds, _):
    return [subprocess.Popen(["wrk", "-t1", "-c6", f"-d{seconds + 2}s", f"http://127.0.0.1:{port}/api/v1/topics"], stdout=subprocess.DEVNULL)], lambda: None


def slow_clients(port, seconds, _):
    sockets = []
    for number in range(1000):
        one = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.{1 + number // 250}.{1 + number % 250}", 0))
        one.sendall(b"POST /api/v1/similar HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        sockets.append(one)
    done = threading.Event()

    def trickle():
        while not done.wait(1):
            for one in sockets:
                one.send(b"x")
    thread = threading.Thread(target=trickle)
    thread.start()

    def end():
        done.set()
        thread.join()
        for one in sockets:
            one.close()
    return [], end


def greedy_client(port, seconds, rate):
    """Ten times its rate, over four connections."""
    done, counts = threading.Event(), {}

    def work():
        one = Asker(port, "127.0.0.8")
        while not done.wait(4 / (10 * rate)):
            status = one.ask()
            counts[status] = counts.get(status, 0) + 1
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()

    def end():
        done.set()
        for thread in threads:
            thread.join()
        print(f"  it got {counts}")
    return [], end


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rate", type=int, default=30)
    arguments = parser.parse_args()
    process, port = start(IDNE, arguments.model, "--client-rate", str(arguments.rate))
    try:
        quiet = measure(port, arguments.seconds)
        print(f"quiet: {quiet[0]:.2f} ms in the median, 99 % within {quiet[1]:.2f} ms")
        for name, flood in (("six connections that ask for topics", flood_topics), ("a thousand slow clients", slow_clients), ("one client at ten times its limit", greedy_client)):
            processes, end = flood(port, arguments.seconds, arguments.rate)
            time.sleep(0.5)
            try:
                median, last = measure(port, arguments.seconds)
            finally:
                end()
                for one in processes:
                    one.wait()
            print(f"{name}: {median:.2f} ms, 99 % within {last:.2f} ms, {last / quiet[1]:.2f} × quiet")
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
