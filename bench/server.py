"""What the benchmarks of the server share."""
import re, subprocess


def start(program, model, *more):
    """A server of a model, ready to answer: the process and its port."""
    process = subprocess.Popen([program, "serve", model, *more, "--port", "0", "--log", "none"], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if found := re.search(r"http://[^ ]*:(\d+)/", line):
            return process, int(found[1])
    raise SystemExit("the server did not start")


def make_index(program, model):
    """A first start makes the index of a model; then the server is ended."""
    process, _ = start(program, model)
    process.terminate()
    process.communicate()
