#!/usr/bin/env python3
"""`pip install .` without a network: the wheel holds the library, and works where nothing else of idne is."""
import os, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
if os.environ.get("IDNE_SANITIZE") or pathlib.Path(os.environ["IDNE_BUILD"]).resolve() != ROOT / "build":
    sys.exit(77)  # the wheel is made of build/

CODE = """
import idne
folder = idne.generate("corpus", documents=60, fields=2)
model = idne.train(folder, topics=2, steps=5)
assert model.embed(["a judge"]).shape == (1, 256)
assert "site" in idne.__file__, idne.__file__
import importlib.resources
assert importlib.resources.files("idne").joinpath("py.typed").is_file() and importlib.resources.files("idne").joinpath("_idne.pyi").is_file()
print("works")
"""
with tempfile.TemporaryDirectory() as folder:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["PIP_NO_INDEX"] = env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    install = [sys.executable, "-m", "pip", "install", str(ROOT), "--no-build-isolation", "--no-deps", "--target", f"{folder}/site", "--root-user-action=ignore", "--no-cache-dir"]
    result = subprocess.run(install, env=env, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stdout + result.stderr)
    result = subprocess.run([sys.executable, "-c", CODE], env={**env, "PYTHONPATH": f"{folder}/site"}, cwd=folder, capture_output=True, text=True)
    if result.stdout != "works\n":
        sys.exit(result.stdout + result.stderr)
