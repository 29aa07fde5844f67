"""`pip install . --no-build-isolation`: the library is built by CMake, which build/ may have done already (`make python`)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(idne VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def build_folder():
    """build/, if that is of this Python; else one of its own."""
    cache = ROOT / "build" / "CMakeCache.txt"
    if cache.exists():
        known = [line.split("=", 1)[1] for line in cache.read_text().splitlines() if line.startswith("_Python3_EXECUTABLE:")]
        if known and pathlib.Path(known[0]).resolve() == pathlib.Path(sys.executable).resolve():
            return cache.parent
    return ROOT / "build" / f"pip-{sys.version_info.major}.{sys.version_info.minor}"


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        folder = build_folder()
        if not (folder / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DIDNE_TESTS=OFF",
                            "-DIDNE_BENCH=OFF", f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        jobs = os.environ.get("JOBS", str(len(os.sched_getaffinity(0))))
        subprocess.run(["cmake", "--build", str(folder), "--target", "idne_python", "--parallel", jobs], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "python" / "idne" / target.name, target)


setup(version=VERSION, ext_modules=[Extension("idne._idne", [])], cmdclass={"build_ext": BuildByCMake})
