#!/usr/bin/env python3
"""Runs every command that README.md shows, in one folder, in order, and compares what it prints with what README.md shows.

A block that begins with ```console holds commands behind "$ " (continued lines end in "\\") and, below each, its whole output.
Words, whole numbers, lines and columns must be the same; how many spaces lie between columns does not matter. Processors
without fused multiply-add round differently, so a number with a decimal point may differ by 5 % or two units of its last place.
Times ("1.2 s", "1 min 5 s") and what follows "±" may be any. "…" in a line stands for anything, a line of "…" alone for any
lines.

`make` and `cmake` commands are not run from here: .ci/run is `make test`, tests/install_test.py installs, and `make demo` is
`idne demo`, which is run below on the corpus that needs no packages.

The figures of README.md's table of results must be those of docs/results.md, its links must lead to files, and it must tell of
every verb that `idne --help` lists.
"""
import os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")
TIME = re.compile(r"(\d+ h )?(\d+ min )?\d+(\.\d+)? s\b|\d+ h \d+ min\b")


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


def literal(text):
    parts = [r"\s+".join(re.escape(word) for word in re.split(r"\s+", part)) for part in text.split("…")]
    return ".*?".join(parts)


def same_number(expected, shown):
    if "." not in expected:
        return expected == shown
    a, b = (float(number.replace(",", "")) for number in (expected, shown))
    last_place = 10.0 ** -len(expected.split(".")[1])
    return abs(a - b) <= max(0.05 * abs(a), 2.001 * last_place)


def same_line(expected, shown):
    expected, shown = (TIME.sub("some s", line.strip()) for line in (expected, shown))
    pattern, numbers, end = "", [], 0
    for number in NUMBER.finditer(expected):
        pattern += literal(expected[end:number.start()]) + r"(-?\d[\d,]*(?:\.\d+)?)"
        numbers.append(None if expected[:number.start()].endswith("±") else number.group())
        end = number.end()
    found = re.fullmatch(pattern + literal(expected[end:]), shown)
    return bool(found) and all(want is None or same_number(want, got) for want, got in zip(numbers, found.groups()))


def same(expected, shown):
    """Whether the lines are those; a line of "…" is any number of lines."""
    if not expected:
        return not shown
    if expected[0] == "…":
        return any(same(expected[1:], shown[skipped:]) for skipped in range(len(shown) + 1))
    return bool(shown) and same_line(expected[0], shown[0]) and same(expected[1:], shown[1:])


def trimmed(lines):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def tables(text):
    """The Markdown tables of a text: for each a dictionary (row, column) → cell, without bold and without ± intervals."""
    for lines in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines.splitlines()]
        yield {(row[0], column): cell.replace("*", "").split(" ±")[0]
               for row in rows[2:] for column, cell in zip(rows[0][1:], row[1:])}


def wrong_results():
    """What README.md's table says otherwise than docs/results.md. Its columns are "Corpus, column"; the row of the paper's own
    figures is in the second table of a corpus there."""
    measured = {}
    for section in re.split(r"^## ", (ROOT / "docs" / "results.md").read_text(encoding="utf-8"), flags=re.M)[1:]:
        measured[section.splitlines()[0]] = list(tables(section))
    ours = list(tables(re.split(r"^## Results\n", README, flags=re.M)[1].split("\n## ")[0]))[0]
    short = {"new: labels": "inductive classification", "new: links": "inductive links"}
    for (row, column), cell in ours.items():
        corpus, column = column.split(", ", 1)
        table, name = (1, "IDNE") if row == "the paper's IDNE" else (0, row)
        there = measured[corpus][table].get((name, short.get(column, column)))
        if cell != there and not (cell == "" and corpus == "Travel 2012" and table == 1):
            yield f"{row}, {corpus}, {column}: README has {cell}, docs/results.md {there}"
    if len(ours) < 50:
        yield f"the table of results has only {len(ours)} figures"


def dead_links():
    prose = re.sub(r"^```.*?^```", "", README, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if "://" not in target and not (ROOT / target).exists():
            yield f"README leads to {target}, which is not there"


def missing_verbs():
    text = subprocess.run([IDNE, "--help"], capture_output=True, text=True).stdout
    verbs = re.findall(r"^  ([a-z]+) ", text.split("Subcommands:")[1].split("Example:")[0], re.M)
    for verb in verbs:
        if f"`{verb}`" not in README:
            yield f"README's table of verbs has no `{verb}`"
    if len(verbs) < 10:
        yield f"idne --help lists only the verbs {verbs}"


failed = passed = 0


def count(ok, message):
    global failed, passed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAIL {message}")


for check in (wrong_results, dead_links, missing_verbs):
    faults = list(check())
    count(not faults, f"{check.__name__}:\n  " + "\n  ".join(faults))
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    (folder / "bin").mkdir()
    (folder / "bin" / "idne").symlink_to(IDNE)
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    for command, expected in commands(README):
        if command.split()[0] in ("make", "cmake"):
            continue
        result = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        ok = result.returncode == 0 and same(trimmed(expected), trimmed(result.stdout.splitlines()))
        count(ok, f"$ {command}\n  exit {result.returncode}, printed:\n{result.stdout}\n  README says:\n" + "\n".join(expected))
    demo = subprocess.run([IDNE, "demo", "--corpus", "generated"], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    ok = demo.returncode == 0 and "kept aside" in demo.stdout and re.search(r"[1-9]\d* among the first three", demo.stdout)
    ok = ok and all((folder / "demo" / name).stat().st_size > 0 for name in ("demo.idne", "report.html", "new.txt"))
    count(ok, f"idne demo: exit {demo.returncode}\n{demo.stdout}{demo.stderr}")
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed) or passed < 30)
