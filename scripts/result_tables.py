"""The tables of docs/results.md, from what scripts/results has measured; and those of README.md, from that page."""
import math, re, statistics

CORPORA = {"cora": "Cora", "nyt": "NYT", "travel-2012": "Travel 2012", "debian": "Debian packages",
           "manual": "Manual pages", "python": "Python's documentation", "kernel": "The Linux kernel's documentation"}
CONTESTANTS = {  # name on the page: method and what is set
    "idne": ("idne", []),
    "idne --preset paper": ("idne", ["preset=paper"]),
    "lsa": ("lsa", []),
    "tadw": ("tadw", []),
    "gvnrt": ("gvnrt", []),
    "graph2gauss": ("graph2gauss", []),
    "cane": ("cane", []),
    "deepwalk": ("deepwalk", []),
    "node2vec": ("node2vec", []),
    "verse": ("verse", []),
}
TASKS = {"classification": "", "inductive-classification": "inductive classification", "inductive-links": "inductive links"}
ABLATIONS = {  # what is set over the default preset
    "the default": [],
    "`--start text`": ["start=text"],
    "`--start random`": ["start=random"],
    "`--link-share 0`": ["link-share=0"],
    "`--link-share 0.5`": ["link-share=0.5"],
    "`--sampling node`": ["sampling=node"],
    "`--sampling path`": ["sampling=path"],
    "`--stretch 0`": ["stretch=0"],
    "`--steps 0`": ["steps=0"],
    "`--steps 3000`": ["steps=3000"],
    "`--attention softmax`": ["attention=softmax"],
    "`--topic-fit none`": ["topic-fit=none"],
    "the paper's preset": ["preset=paper"],
    "the paper's preset, `--attention softmax`": ["preset=paper", "attention=softmax"],
}
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]  # 0.975 quantiles by degrees of freedom
SWEEPS = {"topics": "1,2,4,8,16,32,64", "steps": "100,250,500,1000,2500,5000,10000"}


# The paper: Brochier, Guille, Velcin, "Inductive Document Network Embedding with Topic-Word Attention", ECIR 2020. Classification
# of Cora and NYT is its Table 2, of Travel its Table 3, the last two columns are its Table 4.
PAPER = {
    "cora": {
        "LSA": [67.54, 81.76, 88.63, 89.68, 91.43, 97.02, 88.10],
        "TADW": [65.17, 74.11, 80.27, 83.04, 86.56, 96.23, 84.82],
        "Graph2Gauss": [91.12, 92.38, 91.98, 93.79, 94.09, 94.04, 81.58],
        "CANE": [94.40, 95.86, 95.90, 96.37, 95.88, None, None],
        "GVNR-t": [87.13, 92.54, 94.37, 95.21, 95.83, 97.60, 82.27],
        "IDNE": [93.34, 94.93, 95.98, 96.77, 96.68, 96.58, 91.66],
    },
    "nyt": {
        "LSA": [79.90, 82.06, 81.18, 83.99, 86.06, 89.45, 60.71],
        "TADW": [85.28, 88.91, 87.49, 89.39, 88.72, 86.06, 69.10],
        "Graph2Gauss": [79.74, 81.41, 80.91, 82.37, 81.42, 85.44, 74.22],
        "GVNR-t": [85.83, 87.67, 88.76, 90.39, 89.90, 88.47, 71.15],
        "IDNE": [82.40, 84.60, 86.16, 86.72, 87.98, 88.21, 77.90],
    },
    "travel-2012": {
        "LSA": [80.18, 83.77, 83.40, 84.12, 84.60, 85.88, 58.97],
        "TADW": [78.69, 84.33, 85.05, 83.60, 84.62, 91.35, 57.91],
        "Graph2Gauss": [66.04, 67.48, 69.67, 70.94, 71.58, 80.71, 59.50],
        "GVNR-t": [79.47, 83.47, 85.06, 85.85, 86.58, 91.54, 58.39],
        "IDNE": [86.83, 88.86, 89.24, 89.31, 89.26, 90.78, 58.43],
    },
}
PAPER_REMARKS = {
    "nyt": "The paper has no figures for CANE here: it did not end within 10 hours.",
    "travel-2012": "The paper's Travel is the whole site up to 2019, 15,087 documents; ours is its first 17 months. The two cannot be compared.",
}


def table(headings, rows):
    cells = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in cells)


def cell_key(cell):
    return cell["task"], cell["ratio"] if cell["task"] == "classification" else 0


def heading(key):
    return f"{100 * key[1]:g} %" if key[0] == "classification" else TASKS[key[0]]


def row_name(method, contestant, task):
    """All methods alike: the vectors that a method makes stand under its name; joined with neighbours is said."""
    row = method.replace(CONTESTANTS[contestant][0], contestant, 1)
    for alone in (", text only", ", alone"):
        if row.endswith(alone):
            return row.removesuffix(alone)
    return f"{row}, joined" if task == "classification" and row == contestant else row


def paired(values, others):
    """The mean of the differences and half the width of its 95 % interval; the same splits in the same order. In points."""
    differences = [100 * (a - b) for a, b in zip(values, others, strict=True)]
    n = len(differences)
    if n < 2:
        return differences[0], math.nan
    return statistics.mean(differences), STUDENT[min(n - 2, len(STUDENT) - 1)] * statistics.stdev(differences) / math.sqrt(n)


def difference_table(parts):
    """What idne has more than each other row, joined beside joined and alone beside alone."""
    rows, _ = scores_of(parts)
    if "idne" not in rows or len(parts) < 2:
        return ""
    keys = sorted({key for cells in rows.values() for key in cells}, key=lambda k: (list(TASKS).index(k[0]), k[1]))
    body = []
    for name, cells in rows.items():
        if name in ("idne", "idne, joined"):
            continue
        mine = rows["idne, joined"] if name.endswith((", joined", ", with lsa")) else rows["idne"]
        shown = []
        for key in keys:
            mean, half = math.nan, math.nan
            if key in cells and key in mine and cells[key]["mean"] is not None and mine[key]["mean"] is not None:
                common = sorted(set(range(cells[key]["repeats"])) & set(range(mine[key]["repeats"])))
                mean, half = paired([mine[key]["values"][r] for r in common], [cells[key]["values"][r] for r in common])
            text = "" if math.isnan(mean) else f"{mean:+.2f}" if math.isnan(half) else f"{mean:+.2f} ± {half:.2f}"
            shown.append(f"**{text}**" if abs(mean) > half else text)
        body.append([f"{'idne, joined' if mine is not rows['idne'] else 'idne'} − {name}", *shown])
    return ("What `idne` has more than the others (less, with a minus), repeat by repeat on the same splits, ± half the 95 % interval of that difference; "
            "bold where zero is outside of it:\n\n" + table(["", *map(heading, keys)], body))


def rests_on(evaluation):
    """How much a figure is of."""
    n, hidden = evaluation["documents"], round(0.1 * evaluation["documents"])
    links = evaluation["links"] * hidden * (hidden - 1) / (n * (n - 1))
    return (f"A repeat hides {hidden:,} documents, between which there are {links:,.0f} links on average, so many does a figure of inductive links rest on"
            + (", and few documents with many links decide it: look at the differences, not at the figures." if links < 200 else "."))


def suggestion_table(part):
    metrics = {"suggest-links": ("recall@10", "hit@10", "mrr"), "suggest-labels": ("p@1", "r@3")}
    cells = {(c["method"], c["task"], c["metric"]): c for c in part["evaluation"]["results"]}
    columns = [(task, metric) for task, wanted in metrics.items() for metric in wanted if any(key[1:] == (task, metric) for key in cells)]

    def shown(method, column):
        cell = cells.get((method, *column))
        return f"{100 * cell['mean']:.1f} ± {100 * cell['interval']:.1f}" if cell and cell["mean"] is not None else "–"

    methods = list(dict.fromkeys(key[0] for key in cells))
    return table(["", *(f"{task.removeprefix('suggest-')}: {metric}" for task, metric in columns)], [[m, *(shown(m, c) for c in columns)] for m in methods])


def ablation_table(measured, corpus):
    parts = {name: part for name in ABLATIONS if (part := measured.load(corpus, f"ablation {name}"))}
    if "the default" not in parts:
        return ""
    body = []
    for name, part in parts.items():
        row = [name]
        for cell, default in zip(part["evaluation"]["results"], parts["the default"]["evaluation"]["results"], strict=True):
            mean, half = paired(cell["values"], default["values"])
            row.append(f"{100 * cell['mean']:.2f}" + ("" if name == "the default" else f" ({mean:+.2f} ± {half:.2f})"))
        body.append(row)
    cells = parts["the default"]["evaluation"]["results"]
    return table(["", *(f"{'text' if c['method'].endswith('text only') else 'joined'}, {heading(cell_key(c))}" if c["task"] == "classification" else heading(cell_key(c)) for c in cells)], body)


def scores_of(parts):
    """Rows of cells by task and ratio, under the names of the page; and what could not be measured, with its reason."""
    rows, reasons = {}, {}
    for contestant, part in parts.items():
        for cell in part["evaluation"]["results"]:
            name = row_name(cell["method"], contestant, cell["task"])
            rows.setdefault(name, {})[cell_key(cell)] = cell
            if cell.get("failure"):
                reasons.setdefault(cell["failure"], []).append(name)
    return rows, {reason: sorted(set(names)) for reason, names in reasons.items()}


def score_table(parts):
    rows, reasons = scores_of(parts)
    keys = sorted({key for cells in rows.values() for key in cells}, key=lambda k: (list(TASKS).index(k[0]), k[1]))
    means = {key: [f"{100 * cells[key]['mean']:.2f}" for cells in rows.values() if key in cells and cells[key]["mean"] is not None] for key in keys}
    best = {key: max(values, key=float, default=None) for key, values in means.items()}

    def shown(name, cells, key):
        if key not in cells:  # text only is all there is in the inductive tasks: the row above has it
            return "–" if name.endswith(", with lsa") else ""  # nor do new documents have neighbours
        if cells[key]["mean"] is None:
            return "–"
        mean = f"{100 * cells[key]['mean']:.2f}"
        text = f"**{mean}**" if mean == best[key] else mean
        return text + (f" ± {100 * cells[key]['interval']:.2f}" if cells[key]["repeats"] > 1 else "")

    lines = [table(["", *map(heading, keys)], [[name, *(shown(name, cells, key) for key in keys)] for name, cells in rows.items()])]
    few = sorted({(name, part["repeats"]) for name, part in parts.items() if part["repeats"] != max(p["repeats"] for p in parts.values())})
    if few:
        lines.append("Fewer repeats: " + ", ".join(f"{name} {repeats}" for name, repeats in few) + ".")
    lines += [f"– for {', '.join(names)}: {reason}." for reason, names in reasons.items()]
    return "\n\n".join(lines)


def cost_table(parts):
    def seconds(value):
        return f"{value:.2f}" if value < 10 else f"{value:,.0f}"

    rows = []
    for name, part in parts.items():
        cells = [c for c in part["evaluation"]["results"] if c["mean"] is not None and not c["method"].endswith((", text only", ", alone", ", with lsa"))]
        in_network = [c for c in cells if c["task"] == "classification"]
        hidden = [c for c in cells if c["task"] != "classification"]
        rows.append([name, seconds(part["training"]["seconds"]), f"{part['training']['peak_mib']:,.0f}",
                     seconds(in_network[0]["train_seconds"]) if in_network else "–", seconds(sum(c["score_seconds"] for c in in_network)),
                     seconds(hidden[0]["train_seconds"]) if hidden else "–", seconds(sum(c["score_seconds"] for c in hidden)) if hidden else "–",
                     seconds(part["seconds"])])
    return table(["", "one training, s", "peak memory, MiB", "in the network: train s", "score s", "hidden: train s", "score s", "whole command, s"], rows)


def paper_table(corpus, parts):
    rows, _ = scores_of(parts)
    ratios = sorted({key[1] for cells in rows.values() for key in cells if key[0] == "classification"})[:5]
    headings = [*(f"{100 * r:g} %" for r in ratios), *list(TASKS.values())[1:]]
    figures = PAPER.get(corpus)
    if not figures:
        return ""
    if len(headings) != len(next(iter(figures.values()))):  # the tasks or ratios are not the paper's
        return ""
    best = [max(row[c] for row in figures.values() if row[c] is not None) for c in range(len(headings))]
    body = [[name, *("–" if v is None else f"**{v:.2f}**" if v == best[c] else f"{v:.2f}" for c, v in enumerate(row))] for name, row in figures.items()]
    remark = PAPER_REMARKS.get(corpus)
    return "The paper's own figures:" + (f" {remark}" if remark else "") + "\n\n" + table(["", *headings], body)


def figures_section(output):
    shown = [name for name in SWEEPS if (output.parent / f"{name}-sweep.svg").exists()]
    if not shown:
        return []
    lines = ["## Topics and steps", "The paper's figure on Cora, with its preset: micro AUC of classification over the number of topics and of steps, text vectors alone."]
    return lines + [f"![Micro AUC over {name}]({name}-sweep.svg)" for name in shown]


def cells_of(page):
    """What the tables of a page say: for each corpus, a dictionary (row, column) → cell for each of its tables."""
    found = {}
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        tables = []
        for lines in re.findall(r"(?:^\|.*\n)+", section, re.M):
            rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines.splitlines()]
            tables.append({(row[0], column): cell for row in rows[2:] for column, cell in zip(rows[0][1:], row[1:])})
        found[section.splitlines()[0]] = tables
    return found


def headline(page):
    """README.md's first figures, as far as the page has them."""
    cells, lines = cells_of(page), []
    suggested = next((t for t in cells.get("Cora", []) if ("idne", "links: recall@10") in t), None)
    if suggested:
        ours, theirs = (suggested[method, "links: recall@10"].replace("± ", "±") for method in ("idne", "tfidf"))
        lines.append(f"- **{ours} %** of a new paper's citations are among the ten links that idne suggests from its text (recall@10 on Cora);\n"
                     f"  plain TF-IDF finds {theirs} % ([docs/results.md](docs/results.md#cora)).")
    costs = next((t for t in cells.get("Debian packages", []) if ("idne", "one training, s") in t), None)
    documents = re.search(r"^## Debian packages\n\n([\d,]+) documents", page, re.M)
    if costs and documents:
        lines.append(f"- **{costs['idne', 'one training, s']} s** is what learning from Debian's {documents[1]} package descriptions takes on two cores\n"
                     "  ([docs/results.md](docs/results.md#debian-packages)).")
    return "\n".join(lines) + "\n"


def results_rows(cells, columns, rows):
    """The table of results: its columns are "Corpus, column", its rows those of the page."""
    short = {"new: labels": "inductive classification", "new: links": "inductive links"}
    for name in rows:
        there, wanted = (True, "IDNE") if name == "the paper's IDNE" else (False, name)
        shown = []
        for corpus, column in (column.split(", ", 1) for column in columns):
            comparable = not (corpus == "Travel 2012" and there)  # the paper's Travel is another one
            tables = cells[corpus] if there else cells[corpus][:1]
            shown.append(next((t[wanted, short.get(column, column)] for t in tables if (wanted, short.get(column, column)) in t), "") if comparable else "")
        yield name, [cell.replace("*", "") if there else cell for cell in shown]  # bold there is for the best of the paper


def suggestion_rows(cells, columns, rows):
    """Columns are corpora."""
    place = {name: (name, "links: recall@10") for name in rows}
    for name in rows:
        yield name, [next((t[place[name]] for t in cells[corpus] if place[name] in t), "") for corpus in columns]


def filled(readme, page):
    """README.md with the figures of the page in its blocks of results: the rows and columns that stand there."""
    cells = cells_of(page)
    readme = re.sub(r"(<!-- results: begin headline -->\n)[\s\S]*?(<!-- results: end -->)", lambda block: block[1] + headline(page) + block[2], readme)
    for name, make in {"table": results_rows, "suggestions": suggestion_rows}.items():
        def fill(block):
            head, line, *rows = block[2].strip().splitlines()
            columns = [column.strip() for column in head.strip("|").split("|")[1:]]
            lines = ["|" + "|".join([row, *(cell.replace(" ± ", "±") for cell in shown)]) + "|"
                     for row, shown in make(cells, columns, [row.strip("|").split("|")[0].strip() for row in rows])]
            return block[1] + "\n".join([head, line, *lines]) + "\n" + block[3]

        readme = re.sub(rf"(<!-- results: begin {name} -->\n)((?:\|.*\n)+)([\s\S]*?<!-- results: end -->)", fill, readme)
    return readme
