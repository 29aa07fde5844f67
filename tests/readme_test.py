#!/usr/bin/env python3
"""Runs every command that README.md and docs/manual.md show, for each page in one folder, in order, and compares what is printed
with what the page shows.

A block that begins with ```console holds commands behind "$ " (continued lines end in "\\") and, below each, its whole output.
Words, whole numbers, lines and columns must be the same; how many spaces lie between columns does not matter. Processors
without fused multiply-add round differently, so a number with a decimal point may differ by 5 % or two units of its last place.
Times ("1.2 s", "1 min 5 s") and what follows "±" may be any. "…" in a line stands for anything, a line of "…" alone for any
lines.

README.md is about the packages that Debian has, and these change from day to day. Its figures are those of a corpus whose checksum it has in a
comment. Where the import makes another one, its commands must work, but may print other figures, and we say so; where there are hardly any packages, and
under sanitizers, they are not run.

`make` and `cmake` commands are not run from here: .ci/run is `make test`, tests/install_test.py installs, and `make demo` is
`idne demo`, which is run below.

README.md is short; what stands in its blocks of results is what the pages say that it names; links of both pages lead to files and
headings; the manual tells of every verb that `idne --help` lists.
"""
import hashlib, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IDNE = pathlib.Path(os.environ.get("IDNE", ROOT / "build" / "idne")).resolve()
README, MANUAL = ROOT / "README.md", ROOT / "docs" / "manual.md"
MOST_WORDS = 2000
ENOUGH_PACKAGES = 1000
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")
PROGRESS = re.compile(r"^[a-z ]+: \d+ %\n", re.M)  # where there is no terminal, a line every half minute
TIME = re.compile(r"(\d+ h )?(\d+ min )?\d+(\.\d+)? s\b|\d+ h \d+ min\b")


def commands(text):
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        lines = block.splitlines()
        while lines:
            line = lines.pop(0)
            if not line.startswith("$ "):
                sys.exit(f"a console block must begin with a command: {line}")
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
        yield {(row[0], column): cell.replace("*", "").split("±")[0].strip()
               for row in rows[2:] for column, cell in zip(rows[0][1:], row[1:])}


def read(path):
    return path.read_text(encoding="utf-8")


def block_of_results(name):
    """What scripts/results writes into README.md under that name."""
    return re.search(rf"^<!-- results: begin {name} -->\n(.*?)^<!-- results: end -->$", read(README), re.M | re.S).group(1)


def measured_tables():
    """Those of docs/results.md, by corpora."""
    sections = re.split(r"^## ", read(ROOT / "docs" / "results.md"), flags=re.M)[1:]
    return {section.splitlines()[0]: list(tables(section)) for section in sections}


def wrong_table():
    """What README.md's table says otherwise than docs/results.md. Its columns are "Corpus, column"; the row of the paper's own
    figures is in a table of its own there."""
    measured = measured_tables()
    ours = next(tables(block_of_results("table")))
    short = {"new: labels": "inductive classification", "new: links": "inductive links"}
    for (row, column), cell in ours.items():
        corpus, column = column.split(", ", 1)
        of_paper, place = row == "the paper's IDNE", ("IDNE" if row == "the paper's IDNE" else row, short.get(column, column))
        there = next((table[place] for table in (measured[corpus] if of_paper else measured[corpus][:1]) if place in table), None)
        if cell != (there or "") and not (cell == "" and corpus == "Travel 2012" and of_paper):
            yield f"{row}, {corpus}, {column}: README has {cell}, docs/results.md {there}"
    if len(ours) < 50:
        yield f"the table of results has only {len(ours)} figures"


def wrong_suggestions():
    """The same of the table of suggestions, whose columns are corpora."""
    measured = measured_tables()
    ours = next(tables(block_of_results("suggestions")))
    for (row, corpus), cell in ours.items():
        there = next((table[row, "links: recall@10"] for table in measured[corpus] if (row, "links: recall@10") in table), None)
        if cell != there:
            yield f"{row}, {corpus}, suggestions: README has {cell}, docs/results.md {there}"
    if len(ours) < 10:
        yield f"the table of suggestions has only {len(ours)} figures"


def wrong_headline():
    """Figures of README.md's first screen that are not in a cell of the page that stands behind them."""
    items = re.split(r"^- ", block_of_results("headline"), flags=re.M)[1:]
    for item in items:
        figures = re.findall(r"(?<=\*\*)\d[\d.,]*(?: ±\d+\.\d+)?|\d+\.\d+(?: ±\d+\.\d+)?", item)
        page = re.search(r"\]\(([^)#]+)", item).group(1)
        cells = {part.strip() for line in read(ROOT / page).replace("*", "").replace("± ", "±").splitlines() if line.startswith("|")
                 for cell in line.split("|") for part in cell.split(",")}
        for figure in figures:
            if figure not in cells:
                yield f"{figure}: not in {page}"
        if not figures:
            yield f"no figure: {item}"
    if len(items) < 2:
        yield "there is hardly anything in it"


def too_long():
    words = len(read(README).split())
    if words > MOST_WORDS:
        yield f"README has {words} words, and {MOST_WORDS} at most"


def headings(text):
    """The names under which GitHub finds the headings of a page."""
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in re.findall(r"^#+ (.*)", text, re.M)}


def dead_links():
    for page in README, MANUAL:
        prose = re.sub(r"^```.*?^```", "", read(page), flags=re.M | re.S)
        for target, heading in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", prose):
            there = page.parent / target if target else page
            if "://" not in target and not there.exists():
                yield f"{page.name} leads to {target}, which is not there"
            elif heading and heading not in headings(read(there)):
                yield f"{page.name} leads to {target}#{heading}: there is no such heading"


def missing_verbs():
    text = subprocess.run([IDNE, "--help"], capture_output=True, text=True).stdout
    verbs = re.findall(r"^  ([a-z]+) ", text.split("Subcommands:")[1].split("Example:")[0], re.M)
    for verb in verbs:
        if f"[`{verb}`]" not in read(MANUAL):
            yield f"the manual's table of verbs has no `{verb}`"
    if len(verbs) < 10:
        yield f"idne --help lists only the verbs {verbs}"


def documents_in(lines):
    """How many an import says there are."""
    found = re.match(r"([\d,]+) documents: ", lines[0]) if lines else None
    return int(found.group(1).replace(",", "")) if found else 0


failed = passed = 0


def count(ok, message):
    global failed, passed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAIL {message}")


def run(command, folder):
    (folder / "bin").mkdir(exist_ok=True)
    if not (folder / "bin" / "idne").exists():
        (folder / "bin" / "idne").symlink_to(IDNE)
    env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, PROGRESS.sub("", result.stdout)


def is_shown_corpus(folder):
    """Whether README.md's figures are those of the packages that were imported there."""
    shown = re.search(r"<!-- figures below: documents.jsonl of SHA-256 ([0-9a-f]{12}) -->", read(README)).group(1)
    found = hashlib.sha256((folder / "packages" / "documents.jsonl").read_bytes()).hexdigest()[:len(shown)]
    if found != shown:
        print(f"README.md: figures are of packages {shown}, and those of this machine are {found}: not compared")
    return found == shown


def try_page(page, folder):
    """Runs what the page shows; gives whether its figures are to be met."""
    exact = True
    for command, expected in commands(read(page)):
        if command.split()[0] in ("make", "cmake"):
            continue
        status, output = run(command, folder)
        if command.startswith("idne import debian"):
            packages = documents_in(output.splitlines()) if status == 0 else 0
            if packages < ENOUGH_PACKAGES:
                print(f"{page.name}: not tried, for this machine knows of {packages} packages")
                return False
            exact = is_shown_corpus(folder)
        ok = status == 0 and (not exact or same(trimmed(expected), trimmed(output.splitlines())))
        count(ok, f"{page.name}: $ {command}\n  exit {status}, printed:\n{output}\n  the page says:\n" + "\n".join(expected))
    return exact


def try_demo(folder, corpus, hits):
    """The tour; `hits` is what README.md says of its end, or nothing."""
    status, output = run(f"idne demo --corpus {corpus}", folder)
    counted = re.search(r"Of (\d+) with\s+links (\d+) have a true one among the 10 suggested, out of ([\d,]+)\.", output)
    ok = status == 0 and "kept aside" in output and counted and (not hits or (counted[2], counted[1], counted[3]) == hits)
    ok = ok and all((folder / "demo" / name).stat().st_size > 0 for name in ("demo.idne", "report.html", "new.txt"))
    count(ok, f"idne demo: exit {status}, and README says {hits}\n{output}")


for check in (wrong_table, wrong_suggestions, wrong_headline, too_long, dead_links, missing_verbs):
    faults = list(check())
    count(not faults, f"{check.__name__}:\n  " + "\n  ".join(faults))
hits = re.search(r"^- \*\*(\d+) of (\d+)\*\* packages .*?out of ([\d,]+):", read(README), re.M | re.S).groups()
with tempfile.TemporaryDirectory() as temporary:
    folders = [pathlib.Path(temporary) / name for name in ("manual", "readme", "demo")]
    for folder in folders:
        folder.mkdir()
    try_page(MANUAL, folders[0])
    if os.environ.get("IDNE_SANITIZE"):
        try_demo(folders[2], "generated", None)
    else:
        exact = try_page(README, folders[1])
        try_demo(folders[2], "any", hits if exact else None)
print(f"{passed} passed, {failed} failed")
sys.exit(bool(failed) or passed < 30)
