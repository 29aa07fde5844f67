#!/usr/bin/env python3
"""`idne serve` under load on this machine: requests per second and latency of /api/v1/similar, and of /api/v1/suggest with its
reasons, for texts of 100 words (wrk), while a thousand slow clients hold their connections, and what share of the ten nearest
documents it finds.

    bench/serve.py [--seconds 60] [--corpus FOLDER]

The corpus is the machine's Debian packages unless one is named. Texts are put together from documents chosen at random, two or three
to a text, which is harder to search for than a text about one thing. Loopback only, bounded in number and time.
"""
import argparse, concurrent.futures, json, os, pathlib, random, re, socket, statistics, subprocess, tempfile, time, urllib.request

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
SCRIPT = """
local texts, n = {}, 0
for line in io.lines("TEXTS") do texts[#texts + 1] = line end
function request()
  n = n + 1
  return wrk.format("POST", "/api/v1/VERB", nil, texts[n % #texts + 1])
end
"""


def make_texts(corpus, count):
    random.seed(1)
    documents = [json.loads(line)["text"].split() for line in open(corpus / "documents.jsonl", encoding="utf-8")]
    documents = [words for words in documents if len(words) >= 10]
    for _ in range(count):
        text = []
        while len(text) < 100:
            text += random.choice(documents)
        yield " ".join(text[:100])


def wrk(port, script, seconds, connections):
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    errors = re.findall(r"(?:Socket errors|Non-2xx).*", out)
    return rate, float(value) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit], errors


def recall(model, port, texts):
    def found(text):
        exact = json.loads(subprocess.run([IDNE, "similar", model, "-", "--format", "json", "--threads", "1"], input=text.encode(), capture_output=True, check=True).stdout)
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/similar", json.dumps({"text": text}).encode())
        with urllib.request.urlopen(request) as answer:
            served = json.load(answer)
        least = exact[-1]["score"]
        return sum(hit["score"] >= least for hit in served) / len(exact)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return statistics.mean(pool.map(found, texts))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--texts", type=int, default=400, help="texts to measure recall by")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        folder = pathlib.Path(temporary)
        corpus, model = options.corpus or folder / "corpus", folder / "model.idne"
        if not options.corpus:
            subprocess.run([IDNE, "import", "debian", "-o", corpus], check=True, capture_output=True)
        subprocess.run([IDNE, "train", corpus, "-o", model], check=True, capture_output=True)
        begin = time.perf_counter()
        process, port = start(IDNE, model, "--corpus", corpus)
        first = time.perf_counter() - begin
        process.terminate(), process.wait()
        begin = time.perf_counter()
        process, port = start(IDNE, model, "--corpus", corpus)
        again = time.perf_counter() - begin
        try:
            texts = list(make_texts(corpus, 1000))
            (folder / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
            for verb in ("similar", "suggest"):
                (folder / f"{verb}.lua").write_text(SCRIPT.replace("VERB", verb).replace("TEXTS", str(folder / "texts.jsonl")), encoding="utf-8")
            found = recall(model, port, texts[:options.texts])
            print(f"start: {first:.1f} s the first time, {again:.1f} s with the index\nrecall@10: {found:.4f} over {options.texts} texts")
            wrk(port, folder / "similar.lua", 3, 16)
            print(f"{'':32}requests/s  p99 ms  errors")
            for connections in (16, 64):
                rate, p99, errors = wrk(port, folder / "similar.lua", options.seconds, connections)
                print(f"{f'similar, {connections} connections, {options.seconds} s':32}{rate:10,.0f}{p99:8.1f}  {'; '.join(errors) or 'none'}", flush=True)
            rate, p99, errors = wrk(port, folder / "suggest.lua", options.seconds, 16)
            print(f"{f'suggest, 16 connections, {options.seconds} s':32}{rate:10,.0f}{p99:8.1f}  {'; '.join(errors) or 'none'}", flush=True)
            slow = []
            for n in range(1000):
                client = socket.create_connection(("127.0.0.1", port))
                client.sendall((b"POST /api/v1/similar HTTP/1.1\r\nContent-Length: 9999\r\n", b"GET / HT", b"\x00broken", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")[n % 4])
                slow.append(client)
            rate, p99, errors = wrk(port, folder / "similar.lua", min(20, options.seconds), 16)
            print(f"{'similar, 16 beside 1,000 slow':32}{rate:10,.0f}{p99:8.1f}  {'; '.join(errors) or 'none'}")
            for client in slow:
                client.close()
            memory = re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]
            print(f"peak memory: {int(memory) / 1024:.0f} MiB")
        finally:
            process.terminate()
            print(f"exit code after SIGTERM: {process.wait()}")


if __name__ == "__main__":
    main()
