#!/usr/bin/env python3
"""Man pages and completions, as the build makes them from the tables of options: they say what the program takes, and shells can read them.

IDNE_BUILD is the folder of the build; the rest of the environment is that of cli.py.
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from cli import Case, IDNE

MANUAL = pathlib.Path(os.environ["IDNE_BUILD"]) / "manual"


def asked(*words):
    return subprocess.run([IDNE, *words], capture_output=True, text=True, check=True).stdout


def verbs():
    return re.findall(r"^  (\w+) {2,}", asked("--help").split("Subcommands:")[1].split("Example:")[0], re.M)


class ManPages(Case):
    def test_every_verb_has_a_page_with_all_its_options(self):
        self.assertGreater(len(verbs()), 15)
        for verb in verbs():
            page = (MANUAL / f"man/idne-{verb}.1").read_text().replace("\\-", "-")
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", asked(verb, "--help"), re.M):
                if option == "--help" and verb == "import":
                    continue
                self.assertIn(f"\\fB{option}\\fR", page, (verb, option))
        self.assertIn("Default: as many as the machine has", (MANUAL / "man/idne-train.1").read_text())
        self.assertIn("--walks", (MANUAL / "man/idne-train.1").read_text().replace("\\-", "-"))  # of another method
        self.assertTrue((MANUAL / "man/idne-import-csv.1").exists())

    def test_pages_are_good_roff(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not there")
        for page in sorted((MANUAL / "man").iterdir()):
            made = subprocess.run(["groff", "-man", "-Tutf8", "-K", "utf-8", "-ww", "-z", page], capture_output=True, text=True)
            self.assertEqual((made.returncode, made.stderr), (0, ""), page.name)


class Completion(Case):
    def complete(self, *words):
        """What bash offers for the last of these words."""
        line = " ".join(f"'{word}'" for word in words)
        script = f"""source '{MANUAL}/bash/idne'
            COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _idne 2>/dev/null; printf '%s\\n' "${{COMPREPLY[@]}}" """
        return subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True).stdout.split()

    def test_bash_knows_verbs_options_and_choices(self):
        self.assertEqual(self.complete("idne", "tra"), ["train"])
        self.assertEqual(set(self.complete("idne", "")), {*verbs(), "help", "--help", "--version"})
        self.assertEqual(self.complete("idne", "help", "sug"), ["suggest"])
        self.assertEqual(self.complete("idne", "train", "corpus", "--topics"), ["--topics"])
        self.assertEqual(self.complete("idne", "train", "corpus", "--method", "ls"), ["lsa"])
        self.assertEqual(self.complete("idne", "train", "corpus", "--method", "=", "ls"), ["lsa"])
        self.assertEqual(self.complete("idne", "import", "mark"), ["markdown"])
        self.assertEqual(self.complete("idne", "export", "my.idne", "topic-"), ["topic-words"])
        self.assertEqual(self.complete("idne", "export", "top"), [])
        self.assertIn("--text", self.complete("idne", "import", "csv", "--t"))
        self.assertEqual(self.complete("idne", "train", "corp"), [], "files are left to bash")
        self.assertEqual(self.complete("idne", "train", "corpus", "-o", "x"), [])

    def test_shells_can_read_theirs(self):
        for shell, file in (("bash", "bash/idne"), ("zsh", "zsh/_idne"), ("fish", "fish/idne.fish")):
            if shutil.which(shell):
                made = subprocess.run([shell, "-n", MANUAL / file], capture_output=True, text=True)
                self.assertEqual((made.returncode, made.stderr), (0, ""), shell)
            self.assertIn("markdown", (MANUAL / file).read_text())

    def test_fish_offers_what_there_is(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not there")
        for line, offered in (("idne tra", "train"), ("idne train corpus --method ls", "lsa"), ("idne import mark", "markdown"),
                              ("idne export my.idne topic-", "topic-words"), ("idne help sug", "suggest"), ("idne help import mark", "markdown")):
            made = subprocess.run(["fish", "--no-config", "-c", f"source {MANUAL}/fish/idne.fish; complete -C '{line}'"], capture_output=True, text=True)
            self.assertEqual([one.split("\t")[0] for one in made.stdout.splitlines()], [offered], made)

    def test_zsh_offers_what_there_is(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not there")
        # zsh completes only in a terminal of its own: what it would call there says what it was asked for.
        for line, asked_for in (("idne help sug", "verb of help"), ("idne help import mark", "kind"), ("idne export my.idne topic-", "topic-words")):
            script = f"""compdef() {{ }}; _describe() {{ print -- $1 of $words[1] }}; _arguments() {{ print -- "$@" }}
                words=(${{=:-{line}}}); CURRENT=$#words; source '{MANUAL}/zsh/_idne'"""
            made = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True)
            self.assertIn(asked_for, made.stdout, made)


if __name__ == "__main__":
    unittest.main()
