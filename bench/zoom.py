#!/usr/bin/env python3
"""Frames per second while the map is zoomed in and out with the wheel, names of topics, areas and documents included: Chromium without a graphics card.

    bench/zoom.py --model MODEL [--rounds 5] [--seconds 6]

Two places of the map: the whole of it, and near enough for names of documents. Needs `npm ci` in web. Loopback only.
"""
import argparse, os, pathlib, statistics

from first_view import IDNE, VIEWS, Browser
from server import make_index, start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6)
    given = parser.parse_args()
    make_index(IDNE, given.model)
    process, port = start(IDNE, given.model)
    browser = Browser()
    print("| map | frames per second | least | most |\n|---|---|---|---|")
    for name, view in {"whole": "map", "near": "map?x=0.45&y=0.55&zoom=4"}.items():
        rates = [browser.frames_per_second(port, view, VIEWS["map"], given.seconds) for _ in range(given.rounds)]
        print(f"| {name} | {statistics.median(rates):.1f} | {min(rates):.1f} | {max(rates):.1f} |")
    print(f"\nload {os.getloadavg()[0]:.1f}, {given.rounds} rounds of {given.seconds} s")
    browser.end()
    process.terminate()
    process.communicate()


if __name__ == "__main__":
    main()
