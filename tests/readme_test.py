#!/usr/bin/env python3
"""Runs every command that README.md shows, in one folder, in order; what it shows of the output must come out.

A block that begins with ```console holds commands behind "$ " (continued lines end in "\\") and, below each, lines of its
output. "…" in such a line stands for anything, a line of "…" alone for any lines. `make` commands are not run from here:
.ci/run is `make test`, and `make demo` is `idne demo`, which is run below on the corpus that needs no packages.
"""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()


def commands(text):
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        lines = block.splitlines()
        while lines:
            line = lines.pop(0)
            if not line.startswith("$ "):
                sys.exit(f"README: a console block must begin with a command: {line}")
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + lines.pop(0)
            expected = []
            while lines and not lines[0].startswith("$ "):
                expected.append(lines.pop(0))
            yield command, expected


def matches(expected, shown):
    pattern = "".join("(?:.*\n)*?" if line == "…" else ".*?".join(re.escape(part) for part in line.rstrip().split("…")) + "[ ]*\n" for line in expected)
    return not expected or re.search("(?:^|\n)" + pattern, shown)


failed = passed = 0
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    (folder / "bin").mkdir()
    (folder / "bin" / "idne").symlink_to(IDNE)
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100"}
    for command, expected in commands((ROOT / "README.md").read_text(encoding="utf-8")):
        if command.startswith("make"):
            continue
        result = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ok = result.returncode == 0 and matches(expected, result.stdout)
        passed, failed = passed + bool(ok), failed + (not ok)
        if not ok:
            print(f"FAIL $ {command}\n  exit {result.returncode}, printed:\n{result.stdout}\n  README says:\n" + "\n".join(expected))
    demo = subprocess.run([IDNE, "demo", "--corpus", "generated"], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    ok = demo.returncode == 0 and "kept aside" in demo.stdout and re.search(r"[1-9]\d* among the first three", demo.stdout)
    ok = ok and all((folder / "demo" / name).stat().st_size > 0 for name in ("demo.idne", "report.html", "new.txt"))
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAIL idne demo: exit {demo.returncode}\n{demo.stdout}{demo.stderr}")
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed) or passed < 5)
