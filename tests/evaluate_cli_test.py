#!/usr/bin/env python3
"""`idne evaluate` as its users meet it."""
import json
import re
import signal
import subprocess
import time
import unittest

from cli import Case, in_terminal, LOOSE, run, SLOWER


class Evaluate(Case):
    QUICK = ["--set", "steps=50", "--set", "dim=16", "--repeats", 2]
    TASKS = ["classification", "inductive-classification", "inductive-links"]

    def evaluated(self, *options, **more):
        return self.ok("evaluate", self.corpus, *self.QUICK, *options, **more).out.decode()

    def results(self, *options):
        """{(method, task, ratio): values}, without the seconds, which differ from run to run; of the paper's tasks."""
        told = json.loads(self.evaluated("--format", "json", *options))
        return {(r["method"], r["task"], r["ratio"]): r["values"] for r in told["results"]}

    def wrong(self, *options, says):
        self.fails(2, "evaluate", self.corpus, *self.QUICK, *options, says=says)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_table_has_a_part_per_task_and_a_row_per_method(self):
        table = self.evaluated("--methods", "idne,lsa")
        opening, *parts = table.split("\n\n")
        self.assertRegex(opening, r"\Acorpus: 200 documents, [\d,]+ links, 3 labels, 2 repeats\nFigures: micro AUC × 100")
        self.assertEqual([part.split(",")[0] for part in parts], ["Classification", "Inductive classification", "Inductive links"])
        rows = [[re.split(r"  +", line)[0] for line in part.strip("\n").split("\n")[2:]] for part in parts]
        pair = ["idne", "lsa", "minus idne", "lsa"]
        self.assertEqual(rows, [["idne", "idne, text only", "lsa", "minus idne", "idne, text only", "lsa"], pair, pair])
        self.assertEqual(re.split(r"  +", parts[0].split("\n")[1].strip()), ["2 %", "4 %", "6 %", "8 %", "10 %", "train s", "score s"])
        self.assertRegex(parts[2].split("\n")[2], r"\Aidne +\d+\.\d ±\d+\.\d\*? +\d+\.\d\d +\d+\.\d\d\Z")
        self.assertNotIn("–", table)

    def test_json_has_the_promised_shape(self):
        told = json.loads(self.evaluated("--methods", "idne,lsa", "--format", "json"))
        self.assertEqual({key: told[key] for key in ("corpus", "documents", "labels", "repeats")}, {"corpus": "corpus", "documents": 200, "labels": 3, "repeats": 2})
        self.assertNotIn("interrupted", told)
        self.assertEqual(len(told["results"]), 3 * 5 + 2 * 2)  # three rows at five ratios, two methods in two inductive tasks
        for result in told["results"]:
            self.assertLessEqual({"method", "task", "ratio", "metric", "mean", "std", "interval", "repeats", "seconds", "values"}, result.keys())
            self.assertIn(result["task"], self.TASKS)
            self.assertEqual((result["metric"], result["repeats"], len(result["values"])), ("micro_auc", 2, 2))
            self.assertAlmostEqual(result["mean"], sum(result["values"]) / 2)
            self.assertTrue(0 <= result["mean"] <= 1 and result["seconds"] > 0)
            self.assertEqual("difference" in result, result["method"] != "idne", result)
        self.assertEqual({r["task"] for r in told["results"] if "text only" in r["method"]}, {"classification"})
        first, other = ([r for r in told["results"] if r["method"] == name and r["task"] == "inductive-links"][0] for name in ("idne", "lsa"))
        differences = [b - a for a, b in zip(first["values"], other["values"])]
        self.assertAlmostEqual(other["difference"], sum(differences) / 2)
        self.assertAlmostEqual(other["difference_interval"], 12.706205 * abs(differences[0] - differences[1]) / 2, 5)

    def test_fields_that_differ_in_their_words_are_told_apart(self):
        for (method, task, _), values in self.results("--ratios", "0.1", "--methods", "idne,lsa").items():
            if task != "inductive-links":
                self.assertGreater(min(values), 0.9, (method, task))

    def test_csv_markdown_and_latex(self):
        options = "--tasks", "classification,inductive-links", "--ratios", "0.1,0.5"
        csv = self.evaluated(*options, "--format", "csv").split("\n")
        self.assertEqual(csv[0], "method,task,ratio,metric,mean,std,interval,difference,difference_interval,repeats,train_seconds,score_seconds,failure")
        self.assertEqual(len(csv), 1 + 5 + 1)
        self.assertRegex(csv[1], r"\Aidne,classification,0\.1,micro_auc,[01]\.\d{6},\d\.\d{6},\d\.\d{6},,,2,\d+\.\d{3},\d+\.\d{3},\Z")
        self.assertRegex(csv[4], r'\A"idne, text only",classification,0\.1,micro_auc,[01]\.\d{6},\d\.\d{6},\d\.\d{6},-?0\.\d{6},\d\.\d{6},2,')
        markdown = self.evaluated(*options, "--format", "markdown")
        self.assertIn("### Classification, by share of labelled documents\n\n| method | 10 % | 50 % | train s | score s |\n|---|---:|---:|---:|---:|\n| idne |", markdown)
        self.assertIn("\n\n| minus idne | 10 % | 50 % |\n|---|---:|---:|\n| idne, text only |", markdown)
        self.assertEqual(markdown.count("\n| idne, text only |"), 2)
        latex = self.evaluated(*options, "--format", "latex")
        self.assertEqual((latex.count("\\begin{table}"), latex.count("\\end{table}"), latex.count("\nidne, text only &")), (2, 2, 2))
        self.assertIn("& 10\\% & 50\\% \\\\ \\hline\nidne & ", latex)

    def suggested(self, *options):
        """{(method, metric): values} of the two tasks of suggestions."""
        told = self.json("evaluate", self.corpus, "--set", "dim=16", "--repeats", 2, "--tasks", "suggest-links,suggest-labels", *options)
        return {(r["method"], r["metric"]): r["values"] for r in told["results"]}

    def test_suggestions_are_judged_beside_plain_rankers(self):
        told = self.suggested("--methods", "idne,lsa,tfidf,bm25")
        rows = ["idne", "idne, vectors only", "lsa", "lsa, whole", "tfidf", "bm25"]
        metrics = ["recall@10", "hit@10", "mrr", "p@1", "r@3", "micro_f1", "ece"]
        self.assertEqual(list(told), [(row, metric) for row in rows for metric in metrics])
        for (row, metric), values in told.items():
            self.assertEqual(len(values), 0 if row == "bm25" and metric in metrics[3:] else 2, (row, metric))
            self.assertTrue(all(0 <= value <= 1 for value in values))
            if metric == "p@1":  # the fields differ in their words
                self.assertGreater(min(values, default=1), 0.9, row)
            if metric == "hit@10":
                self.assertTrue(all(hit >= recall for hit, recall in zip(values, told[row, "recall@10"])))
        self.assertEqual(told, self.suggested("--methods", "idne,lsa,tfidf,bm25", "--threads", 1))
        self.assertEqual(self.suggested("--methods", "tfidf,lsa"), {key: values for key, values in told.items() if key[0][:3] in ("tfi", "lsa")})

    def test_the_tables_of_suggestions_have_a_column_per_metric(self):
        table = self.evaluated("--methods", "idne,tfidf,bm25", "--tasks", "suggest-links,suggest-labels")
        opening, links, labels = table.split("\n\n")
        self.assertIn("\nFigures: × 100, mean of the repeats", opening)
        for part, title, metrics in (links, "Suggested links", ["recall@10", "hit@10", "mrr"]), (labels, "Suggested labels", ["p@1", "r@3", "micro_f1", "ece"]):
            lines = part.strip("\n").split("\n")
            self.assertEqual(lines[0], title + ", 10 % of the documents hidden")
            self.assertEqual(lines[1].split(), metrics + ["train", "s", "score", "s"])
            self.assertEqual(lines[6].split(), ["minus", "idne"] + metrics)
        self.assertIn("\n– bm25: it ranks documents and has no labels\n", table)

    def test_all_has_five_tasks_and_the_rankers(self):
        command = ["evaluate", self.corpus, *self.QUICK[:-1], 1, "--methods", "all", "--tasks"]
        told = self.json(*command, "all", "--ratios", "0.1")["results"]
        self.assertEqual({r["task"] for r in told}, {*self.TASKS, "suggest-links", "suggest-labels"})
        self.assertEqual([r["failure"] for r in told if r["method"] == "tfidf" and r["task"] in self.TASKS], ["it ranks documents by their words and has no vectors"] * 3)
        told = self.json(*command, "inductive-links")["results"]
        self.assertEqual([r["method"] for r in told], ["idne", "lsa", "tadw", "gvnrt", "graph2gauss", "cane", "deepwalk", "node2vec", "verse"])

    def test_threads_do_not_change_the_figures(self):
        one = self.results("--methods", "idne,lsa", "--threads", 1)
        self.assertEqual(one, self.results("--methods", "idne,lsa", "--threads", 2))
        self.assertEqual(one, self.results("--methods", "idne,lsa", "--threads", 5))

    def test_the_seed_changes_the_splits(self):
        options = "--tasks", "inductive-links"
        self.assertNotEqual(self.results(*options), self.results(*options, "--seed", 2))

    def test_methods_meet_the_same_splits_whoever_else_is_there(self):
        beside = self.results("--methods", "idne,lsa")
        told = self.json("evaluate", self.corpus, "--methods", "lsa", "--repeats", 2, "--set", "dim=16")["results"]
        alone = {(r["method"], r["task"], r["ratio"]): r["values"] for r in told}
        self.assertEqual(alone, {key: values for key, values in beside.items() if key[0] == "lsa"})

    def test_neighbours_0_leaves_the_text_alone(self):
        options = "--tasks", "classification", "--ratios", "0.02"
        joined, text = self.results(*options), self.results(*options, "--neighbours", 0)
        self.assertEqual(text, {("idne", "classification", 0.02): joined["idne, text only", "classification", 0.02]})

    def test_neighbours_can_be_set_and_swept_for_every_method(self):
        hard = self.folder / "hard"
        self.ok("generate", "--documents", 200, "--fields", 3, "--words", 5, "-o", hard)

        def results(*more):
            told = self.json("evaluate", hard, *self.QUICK, *LOOSE, "--methods", "idne,lsa", "--tasks", "classification", "--ratios", "0.02", *more)
            return {(r["method"], r["task"], r["ratio"]): r["values"] for r in told["results"]}
        swept = results("--sweep", "neighbours=0,1,3")
        for method in "idne", "lsa":
            rows = [swept[f"{method} neighbours={hops}", "classification", 0.02] for hops in (0, 1, 3)]
            self.assertEqual(len({tuple(row) for row in rows}), 3, rows)
            self.assertEqual(swept[f"{method} neighbours=1, text only", "classification", 0.02], rows[0])
            self.assertNotIn((f"{method} neighbours=0, text only", "classification", 0.02), swept)
        once = results("--set", "neighbours=3")
        self.assertEqual(once["idne", "classification", 0.02], swept["idne neighbours=3", "classification", 0.02])
        self.assertEqual(results("--neighbours", 3), once)

    def test_words_are_chosen_as_in_training(self):
        options = "--tasks", "inductive-links"
        self.assertNotEqual(self.results(*options), self.results(*options, "--min-count", 40))
        self.wrong("--min-count", "0", says="--min-count: ")
        self.wrong("--max-share", "2", says="--max-share: ")

    def test_wrong_usage(self):
        for options, says in ((["--methods", "nosuch"], "nosuch"), (["--methods", "idne,idne"], "'idne' is there twice"), (["--methods", ","], "--methods: "),
                              (["--tasks", "nosuch"], "inductive-links"), (["--tasks", "inductive-links,inductive-links"], "twice"),
                              (["--ratios", "0.1,x"], "'x' is not a share"), (["--ratios", "1"], "'1' is not a share"), (["--ratios", "0"], "--ratios"),
                              (["--ratios", "0.1,0.10"], "twice"), (["--repeats", "0"], "--repeats"), (["--format", "xml"], "--format"),
                              (["--set", "steps"], "NAME=VALUE"), (["--set", "nosuch=1"], "--nosuch: no such option"), (["--set", "topics=0"], "1 … 4096"),
                              (["--methods", "lsa", "--set", "topics=4"], "--steps: no such option"), (["--sweep", "topics=4,0"], "1 … 4096"),
                              (["--sweep", "topics="], "--sweep"), (["--sweep", "topics=4,04"], "twice"), (["--sweep", "nosuch=1,2"], "--nosuch: no such option"),
                              (["--sweep", "steps=10,20"], "--sweep sets it too"), (["--plot", self.folder / "p.svg"], "--sweep"),
                              (["--sweep", "start=text,random", "--plot", self.folder / "p.svg"], "words"),
                              (["--sweep", "topics=2,4", "--plot", self.folder / "p.svg", "-o", self.folder / "p.svg"], "both write"),
                              (["-o", self.folder / "r.pdf"], "-o: the file must end in one of .json, .csv, "),
                              (["--sweep", "topics=2,4", "--plot", self.folder / "p.png"], "--plot: the file must end in .svg"),
                              (["--tasks", "clasification"], "; did you mean classification?"), (["--methods", "tfdf"], "; did you mean tfidf?"),
                              (["--set", "stpes=1"], "; did you mean steps?"), (["--language", "engish"], "; did you mean english?")):
            with self.subTest(" ".join(map(str, options))):
                self.wrong(*options, says=says)

    def test_a_setting_goes_to_the_methods_that_have_it(self):
        options = "--methods", "idne,lsa", "--tasks", "inductive-links"
        before, after = self.results(*options), self.results(*options, "--set", "start=random")
        self.assertNotEqual(before["idne", "inductive-links", 0.1], after["idne", "inductive-links", 0.1])
        self.assertEqual(before["lsa", "inductive-links", 0.1], after["lsa", "inductive-links", 0.1])

    def test_a_corpus_that_lacks_what_a_task_needs(self):
        bare = self.write("bare.jsonl", "".join(json.dumps({"id": f"d{i}", "text": "gene cell protein " * 3}) + "\n" for i in range(40)))
        self.fails(1, "evaluate", bare, *LOOSE, says="labels")
        self.fails(1, "evaluate", bare, *LOOSE, "--tasks", "inductive-links", says="links")
        self.fails(1, "evaluate", bare, *LOOSE, "--tasks", "suggest-links", says="suggest-links needs links")
        self.fails(1, "evaluate", bare, *LOOSE, "--tasks", "suggest-labels", "--methods", "tfidf", says="suggest-labels needs labels")
        self.fails(1, "evaluate", self.folder / "none", says="none: ")

    def test_a_sweep_is_one_contestant_per_value(self):
        told = self.results("--methods", "idne,lsa", "--sweep", "topics=4,2", "--tasks", "inductive-links")
        self.assertEqual([method for method, _, _ in told], ["idne topics=4", "idne topics=2", "lsa"])
        single = self.results("--set", "topics=2", "--tasks", "inductive-links")
        self.assertEqual(told["idne topics=2", "inductive-links", 0.1], single["idne", "inductive-links", 0.1])

    def test_a_plot_has_a_line_per_ratio_or_task(self):
        picture, shapes = self.folder / "p.svg", ["--methods", "idne,lsa", "--sweep", "topics=1,4,16"]
        self.evaluated(*shapes, "--ratios", "0.1,0.5", "--plot", picture)
        svg = picture.read_text("utf-8")
        self.assertTrue(svg.startswith("<svg") and svg.endswith("</svg>\n"), svg[:80])
        for text in ">10 % labelled<", ">50 % labelled<", ">topics<", ">Classification on corpus<", ">1<", ">4<", ">16<":
            self.assertIn(text, svg)
        self.assertNotIn("text only", svg)
        self.assertNotIn("inductive", svg)
        self.evaluated(*shapes, "--tasks", "inductive-classification,inductive-links", "--plot", picture)
        svg = picture.read_text("utf-8")
        for text in ">inductive-classification<", ">inductive-links<":
            self.assertIn(text, svg)

    def test_the_ending_of_the_file_is_its_format(self):
        openings = {"f.json": "{", "f.csv": "method,", "f.md": "corpus: 200", "f.tex": "\\begin{table}", "f.txt": "corpus: 200"}
        for name, opening in openings.items():
            file = self.folder / name
            self.assertEqual(self.evaluated("--tasks", "inductive-links", "-o", file), "")
            self.assertTrue(file.read_text("utf-8").startswith(opening), name)
        self.assertIn("| idne |", (self.folder / "f.md").read_text("utf-8"))
        self.assertNotIn("|", (self.folder / "f.txt").read_text("utf-8"))
        self.evaluated("--tasks", "inductive-links", "-o", self.folder / "f.json", "--format", "csv")
        self.assertTrue((self.folder / "f.json").read_text("utf-8").startswith("method,"))

    def test_what_cannot_be_written_is_an_error_before_any_work(self):
        for option in ["-o"], ["--sweep", "topics=2,4", "--plot"]:
            self.fails(1, "evaluate", self.corpus, "--repeats", 10000, *option, self.folder / "none" / "file", says="none/file: ")

    def test_ctrl_c_prints_what_is_done(self):
        out = self.folder / "out.json"
        for patience in 0.5, 1, 2, 4, 8, 16:  # until something was done before the signal
            child = self.start("evaluate", self.corpus, *self.QUICK[:-1], 10000, "-o", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.wait_until_stoppable(child)
            time.sleep(patience * SLOWER)
            child.send_signal(signal.SIGINT)
            stdout, stderr = child.communicate(timeout=60 * SLOWER)
            self.assertEqual((child.returncode, stdout), (130, b""), stderr)
            self.assertRegex(stderr.decode(), r"\Aidne: interrupted; [^\n]+\n\Z")
            if out.exists() and all(result["values"] for result in json.loads(out.read_text("utf-8"))["results"]):
                break
        told = json.loads(out.read_text("utf-8"))
        self.assertEqual((told["interrupted"], told["repeats"]), (True, 10000))
        for result in told["results"]:
            self.assertTrue(0 < result["repeats"] == len(result["values"]) < 10000, result)

    def test_ctrl_c_before_anything_is_done_leaves_the_old_file(self):
        old = self.write("old.txt", "old")
        child = self.start("evaluate", self.corpus, "--set", "steps=1000000000", "-o", old, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_until_stoppable(child)
        child.send_signal(signal.SIGINT)
        stdout, stderr = child.communicate(timeout=60 * SLOWER)
        self.assertEqual((child.returncode, stdout, old.read_bytes()), (130, b"", b"old"), stderr)
        self.assertIn(b"nothing was written", stderr)

    def test_a_terminal_sees_progress_then_a_table_that_fits(self):
        code, shown = in_terminal("evaluate", self.corpus, *self.QUICK, "--sweep", "topics=2,4", columns=70)
        self.assertEqual(code, 0, shown)
        self.assertRegex(shown, r"\r\x1b\[Kevaluating [█░]{24} +\d+ %")
        table = shown[shown.rindex("\x1b[K") + 3:]
        self.assertRegex(table, r"\Acorpus: 200 documents")
        self.assertIn("\x1b[1m", table)
        for line in table.split("\n"):
            self.assertLessEqual(len(re.sub(r"\x1b\[\d*m", "", line)), 70, line)
        code, shown = in_terminal("evaluate", self.corpus, *self.QUICK, environment={"NO_COLOR": "1"})
        self.assertNotIn("\x1b", shown[shown.rindex("\x1b[K") + 3:])


if __name__ == "__main__":
    unittest.main()
