#!/usr/bin/env python3
"""How well a served model finds documents by their names: 300 whole titles (and ids), which should come first, and 100 with one typo, which should be among the first five.

    bench/titles.py http://localhost:8080 CORPUS        # of a running `idne serve MODEL --corpus CORPUS`
"""
import argparse, json, pathlib, random, statistics, string, time, urllib.parse, urllib.request


def find(url, query, count):
    """What a search finds, and how long that took."""
    begin = time.perf_counter()
    with urllib.request.urlopen(f"{url}/api/v1/search?" + urllib.parse.urlencode({"q": query, "k": count})) as answer:
        return json.load(answer)["results"], time.perf_counter() - begin


def with_typo(name):
    at, letter = random.randrange(len(name)), random.choice(string.ascii_lowercase)
    return random.choice((name[:at] + name[at + 1:], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1:], name[:at] + name[at:at + 2][::-1] + name[at + 2:]))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("url")
parser.add_argument("corpus", type=pathlib.Path)
arguments = parser.parse_args()
url = arguments.url.rstrip("/")
documents = [json.loads(line) for line in (arguments.corpus / "documents.jsonl").read_text().splitlines()]
random.seed(7)
for what in ("title", "id"):
    named = [d for d in documents if d.get(what)]
    if not named:
        continue
    some, times, first, near = random.sample(named, min(300, len(named))), [], 0, 0
    for document in some:
        hits, seconds = find(url, document[what], 1)
        times.append(seconds)
        first += bool(hits) and hits[0][what] == document[what]
    for document in some[:100]:
        near += any(hit["id"] == document["id"] for hit in find(url, with_typo(document[what]), 5)[0])
    print(f"{what}: {first} of {len(some)} first, {near} of {min(100, len(some))} with a typo among the first five; {1000 * statistics.median(times):.1f} ms a search in the median")
