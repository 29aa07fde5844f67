#!/usr/bin/env python3
"""How the code is cut, as a check: which room may use which, where names stand, how long files are."""
import pathlib, re, subprocess, unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A room includes only from rooms before it (DESIGN, section 3; train is the whole of a training).
ROOMS = "math text network corpus model methods search explain suggest train update evaluate export json import verbs serve mpi".split()
PUBLIC = {  # which room keeps the promises of include/idne/NAME.h; "" for those that promise nothing but themselves
    "": "error matrix run",
    "text": "string_table text words",
    "network": "network",
    "corpus": "check corpus feedback generate output_file",
    "model": "checkpoint model options",
    "methods": "encode",
    "search": "index keywords projection search search_index",
    "explain": "explain report topic_relations topic_times topics",
    "suggest": "suggest",
    "train": "train",
    "update": "update",
    "evaluate": "evaluate",
    "export": "export vectors",
    "import": "import",
    "serve": "serve",
}
OWNER = {name: room for room, names in PUBLIC.items() for name in names.split()}
LONGEST = 350


def tracked(*patterns):
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).exists()]


def is_test(path):
    return path.name.endswith("_test.cc") or "test" in path.stem


def room_of(include):
    """The room that an include is of: "" for none, None for one of the system's."""
    first, _, rest = include.partition("/")
    if first == "idne":
        return OWNER[rest.removesuffix(".h")]
    return first if first in ROOMS else None


def string_literals(path):
    """Those of a C++ file; comments and characters such as '"' are passed over."""
    token = re.compile(r'''//[^\n]*|'(?:\\.[^']*|[^'\\])'|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"''', re.DOTALL)
    return [found[0] for found in token.finditer(path.read_text()) if found[0].endswith('"') and not found[0].startswith("//")]


def rank(room):
    return ROOMS.index(room) if room else -1


class Layers(unittest.TestCase):
    def test_every_room_is_known(self):
        self.assertEqual({path.name for path in (ROOT / "src").iterdir() if path.is_dir()} - set(ROOMS), set())
        self.assertEqual({path.stem for path in (ROOT / "include/idne").iterdir()}, set(OWNER))

    def test_rooms_use_only_rooms_before_them(self):
        wrong = []
        for path in tracked("src/*.cc", "src/*.h", "include/idne/*.h"):
            if is_test(path):
                continue
            own = OWNER[path.stem] if path.parent.name == "idne" else path.parent.name
            for include in re.findall(r'#include "([^"]+)"', path.read_text()):
                room = room_of(include)
                if room is not None and rank(room) > rank(own):
                    wrong.append(f"{path.relative_to(ROOT)} includes {include}")
                if own == "import" and room and room not in ("math", "text", "corpus", "import"):
                    wrong.append(f"{path.relative_to(ROOT)} includes {include}: an import only writes corpora")
        self.assertEqual(wrong, [])

    def test_the_python_module_uses_the_library_alone(self):
        wrong = [f"{path.relative_to(ROOT)}: {include}" for path in tracked("python/src/*.cc", "python/src/*.h") for include in re.findall(r'#include "([^"]+)"', path.read_text())
                 if room_of(include) in ("serve", "mpi") or (room_of(include) is None and not (path.parent / include).exists())]
        self.assertEqual(wrong, [])

    def test_what_is_installed_includes_only_what_is_installed(self):
        wrong = [f"{path.name}: {include}" for path in tracked("include/idne/*.h") for include in re.findall(r'#include "([^"]+)"', path.read_text()) if not include.startswith("idne/")]
        self.assertEqual(wrong, [])

    def test_names_of_a_model_file_stand_in_its_layout_alone(self):
        layout = ROOT / "src/model/layout.h"
        names = re.findall(r'Entry k\w+\{\s*"([a-z_.]+)"', layout.read_text())
        self.assertGreater(len(names), 20)
        named = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")
        wrong = [f"{path.relative_to(ROOT)}: {text}" for path in tracked("src/*.cc", "src/*.h", "app/*", "include/*") if path != layout and not is_test(path) for text in string_literals(path) if named.search(text)]
        self.assertEqual(wrong, [])

    def test_long_files_say_why(self):
        wrong = []
        for path in tracked("*.cc", "*.h", "*.py", "*.ts", "*.mjs", "scripts/*"):
            lines = path.read_text().splitlines()
            if len(lines) > LONGEST and not any("Long because" in line for line in lines[:12]):
                wrong.append(f"{path.relative_to(ROOT)}: {len(lines)} lines")
        self.assertEqual(wrong, [])

    def test_numbers_are_read_and_written_alike_in_every_locale(self):
        pattern = re.compile(r"\b(?:sto(?:d|f|ld)|strto(?:d|f|ld)|atof|setlocale)\b")  # "0,5" is a half to these in some places
        wrong = [f"{path.relative_to(ROOT)}: {found}" for path in tracked("src/*.cc", "src/*.h", "app/*", "include/*") if not is_test(path) for found in pattern.findall(path.read_text())]
        self.assertEqual(wrong, [])

    def test_one_place_reads_the_command_line(self):
        self.assertEqual([path.name for path in tracked("app/*", "src/*", "python/src/*") if "CLI/CLI" in path.read_text()], ["command_line.cc"])


if __name__ == "__main__":
    unittest.main()
