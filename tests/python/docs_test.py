#!/usr/bin/env python3
"""What the documentation shows is run: docstrings, docs/python.md, README.md, the notebooks; stubs are compared with the module."""
import contextlib, doctest, importlib, io, json, os, pathlib, re, subprocess, sys, tempfile, unittest

import idne
from support import ROOT

MODULES = ("idne", "idne.functions", "idne.models", "idne.corpora", "idne.estimators")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SANITIZED = bool(os.environ.get("IDNE_SANITIZE"))

USER = """
import idne
folder = idne.generate("corpus", documents=100, fields=2)
model: idne.Model = idne.train(folder, topics=3, seed=1)
first: str = model.suggest("a text", k=3).labels[0].label
rows = idne.IDNE(n_topics=3, random_state=1).fit_transform(["a", "b"], links=[(0, 1)])
print(rows.shape, model.topics()[0].words, model.similar(["a"])[0][0].id, idne.evaluate(folder, methods=["lsa"]).to_markdown())
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def test_docstrings(self):
        idne.generate("corpus", documents=300, fields=3)
        idne.train("corpus", topics=3, steps=100).save("my.idne")
        tried = 0
        for name in MODULES:
            failed, of_module = doctest.testmod(importlib.import_module(name), extraglobs={"idne": idne}, optionflags=FLAGS)
            self.assertEqual(failed, 0)
            tried += of_module
        self.assertGreater(tried, 15)

    def test_pages(self):
        for page in ("docs/python.md", "docs/manual.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
            self.assertTrue(blocks, page)
            os.makedirs(page)
            os.chdir(page)
            test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
            self.assertGreater(len(test.examples), 3, page)
            self.assertEqual(doctest.DocTestRunner(optionflags=FLAGS).run(test).failed, 0, page)
            os.chdir(self.folder.name)

    def test_notebooks(self):
        notebooks = sorted((ROOT / "examples").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 2)
        for notebook in notebooks:
            os.mkdir(notebook.stem)
            os.chdir(notebook.stem)
            names = {"__name__": "notebook"}
            cells = [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
            self.assertGreater(len(cells), 4)
            for number, cell in enumerate(cells, 1):
                source = "".join(cell["source"])
                with self.subTest(f"{notebook.name}, cell {number}"), contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(source, f"{notebook.name}:{number}", "exec"), names)
                self.assertNotIn("error", [output["output_type"] for output in cell["outputs"]])
                self.assertNotRegex(json.dumps(cell["outputs"]), r"/(root|home|work)/")
            os.chdir(self.folder.name)

    @unittest.skipIf(SANITIZED, "nothing of the library runs here")
    def test_stubs(self):
        package = pathlib.Path(idne.__file__).parent
        env = {**os.environ, "MYPYPATH": str(package.parent), "MYPY_CACHE_DIR": self.folder.name}
        pathlib.Path("user.py").write_text(USER)
        for command in (["mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), "user.py"],
                        [sys.executable, "-m", "mypy.stubtest", "idne", "--ignore-missing-stub", "--mypy-config-file", str(ROOT / "pyproject.toml"),
                         "--allowlist", str(ROOT / "tests/python/stubs_allowed.txt")]):
            result = subprocess.run(command, env=env, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        subprocess.run([sys.executable, ROOT / "python/stubs/make.py", self.folder.name], check=True)
        for name in ("functions.pyi", "estimators.pyi"):
            self.assertEqual(pathlib.Path(name).read_text(), (ROOT / "python/idne" / name).read_text(), f"{name} is of other tables; run python/stubs/make.py")


if __name__ == "__main__":
    unittest.main()
