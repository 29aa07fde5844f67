#!/usr/bin/env python3
"""`idne serve` while its model is replaced again and again under load (wrk): requests that fail, and memory at the start, in the middle
and at the end.

    bench/reload.py [--reloads 1000] [--documents 400] [--connections 8]

Two models of generated corpora take turns: each is put in the other's place by renaming, with its index, and the server is sent SIGHUP;
the next comes when it has taken that one up. Loopback only, and wrk is ended with the last reload.
"""
import argparse, json, os, pathlib, re, shutil, signal, statistics, subprocess, tempfile, time, urllib.request

from server import start

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
SCRIPT = """
local n = 0
local asked = {{"POST", "suggest", '{"text": "a planet and its moon"}'}, {"POST", "similar", '{"text": "the orchestra"}'}, {"GET", "topics"}, {"GET", "documents/7"},
               {"GET", "map"}, {"GET", "info"}}
function request()
  n = n + 1
  local one = asked[n % #asked + 1]
  return wrk.format(one[1], "/api/v1/" .. one[2], nil, one[3])
end
"""


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        return answer.read().decode()


def metric(port, name):
    return int(re.search(rf"^{name} (\d+)$", get(port, "/metrics"), re.M)[1])


def memory(process, what="VmRSS"):
    return int(re.search(rf"{what}:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reloads", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--connections", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idne-bench-") as temporary:
        folder = pathlib.Path(temporary)
        corpus, models = folder / "corpus", []
        subprocess.run([IDNE, "generate", "--documents", str(options.documents), "-o", corpus], check=True, capture_output=True)
        for topics in (6, 8):
            models.append(folder / f"{topics}.idne")
            subprocess.run([IDNE, "train", corpus, "-o", models[-1], "--topics", str(topics), "--dim", "64", "--steps", "300"], check=True, capture_output=True)
            process, _ = start(IDNE, models[-1], "--corpus", corpus)  # makes its index
            process.terminate(), process.wait()
        served = folder / "served.idne"

        def put(model):
            for end in (".index", ""):
                shutil.copy(f"{model}{end}", folder / "beside")
                os.replace(folder / "beside", f"{served}{end}")

        put(models[0])
        process, port = start(IDNE, served, "--corpus", corpus)
        (folder / "load.lua").write_text(SCRIPT)
        load = subprocess.Popen(["wrk", "-t1", f"-c{options.connections}", "-d3600s", "--latency", "-s", folder / "load.lua", f"http://127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True)
        try:
            rss, taken = [], []
            for n in range(1, options.reloads + 1):
                put(models[n % 2])
                begin = time.perf_counter()
                process.send_signal(signal.SIGHUP)
                while (done := metric(port, "idne_reloads_total")) < n:
                    assert process.poll() is None and time.perf_counter() - begin < 60, "it was not taken up"
                    time.sleep(0.005)
                taken.append(time.perf_counter() - begin)
                assert json.loads(get(port, "/api/v1/info"))["topics"] == (6, 8)[n % 2] and done == n
                rss.append(memory(process))
            load.send_signal(signal.SIGINT)
            out = load.communicate()[0]
            failed = metric(port, "idne_reloads_failed_total")
            statuses = re.findall(r'^idne_requests_total\{endpoint="[^"]*",status="(\d+)"\} (\d+)$', get(port, "/metrics"), re.M)
        finally:
            load.kill()
            process.terminate()
            code = process.wait()
        answered = sum(int(count) for _, count in statuses)
        bad = sum(int(count) for status, count in statuses if status != "200")
        tenth = max(1, len(rss) // 10)
        print(f"reloads: {options.reloads}, failed: {failed}; {statistics.median(taken) * 1e3:.0f} ms each in the median, {max(taken) * 1e3:.0f} ms at most")
        print(f"requests: {answered:,}, not answered with 200: {bad}; wrk: {re.search(r'[0-9]+ requests in [^,]*', out)[0]}, {'; '.join(re.findall(r'(?:Socket errors|Non-2xx).*', out)) or 'no errors'}")
        print(f"latency: p50 {re.search(r'50% +([^ ]+)', out)[1].strip()}, p99 {re.search(r'99% +([^ ]+)', out)[1].strip()}")
        for name, part in (("start", rss[:tenth]), ("middle", rss[len(rss) // 2 - tenth // 2:][:tenth]), ("end", rss[-tenth:])):
            print(f"memory, {name}: {statistics.median(part):.1f} MiB (median of {len(part)}, at most {max(part):.1f})")
        print(f"exit code after SIGTERM: {code}")


if __name__ == "__main__":
    main()
