"""What the benchmarks of the server share."""
import re, subprocess, time, urllib.error, urllib.request


def start(program, model, *more):
    """A server of a model with its index: the process and its port."""
    process = subprocess.Popen([program, "serve", model, *more, "--port", "0", "--log", "none"], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if found := re.search(r"http://[^ ]*:(\d+)/", line):
            while not is_ready(int(found[1])):
                time.sleep(0.05)
            return process, int(found[1])
    raise SystemExit("the server did not start")


def is_ready(port):
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz").status == 200
    except urllib.error.HTTPError:
        return False


def make_index(program, model):
    subprocess.run([program, "index", model], check=True, stderr=subprocess.DEVNULL)
