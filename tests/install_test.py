#!/usr/bin/env python3
"""Installs idne into a folder and builds a small program against it, as somebody else's project would."""
import os, pathlib, subprocess, tempfile

BUILD = os.environ["IDNE_BUILD"]
SANITIZE = os.environ.get("IDNE_SANITIZE", "")

CMAKE = """
cmake_minimum_required(VERSION 3.25)
project(guest LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(idne 0.1 REQUIRED)
file(GLOB headers headers/*.cc)
add_executable(guest guest.cc ${headers})
target_link_libraries(guest PRIVATE idne::core)
# Core needs nothing of what import and serve need.
foreach(library archive xml2 expat httplib)
  get_target_property(linked idne::core INTERFACE_LINK_LIBRARIES)
  if(linked MATCHES ${library})
    message(FATAL_ERROR "idne::core links ${library}")
  endif()
endforeach()
"""
WHOLE = """
cmake_minimum_required(VERSION 3.25)
project(whole LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
find_package(idne 0.1 REQUIRED COMPONENTS import serve)
add_library(whole SHARED whole.cc)
target_link_libraries(whole PRIVATE idne::import idne::serve)
target_link_options(whole PRIVATE -Wl,--no-undefined)
"""
PROGRAM = """
#include <idne/encode.h>
#include <idne/generate.h>
#include <idne/suggest.h>
#include <idne/train.h>
#include <cstdio>
int main() {
  idne::Run run;
  idne::generate_corpus({.documents = 100}, "corpus", run);
  idne::Options options(idne::known_methods().front().options);
  options.set("steps", "10");
  idne::train(idne::read_collection("corpus", {}, run), "idne", options, {}, run).save("guest.idne");
  const idne::Model model = idne::Model::load("guest.idne");
  const idne::TextEncoder encoder(model);
  idne::Tokenizer tokenizer;
  const auto found = idne::Suggester(encoder).suggest(encoder.words("a star and a planet", tokenizer), {});
  std::printf("%zu documents, %zu links\\n", model.documents().size(), found.links.size());
}
"""
PARTS = """
#include <idne/import.h>
#include <idne/serve.h>
void use() {
  idne::ImportCounts counts;
  idne::CorpusWriter out("corpus");
  idne::import_csv("table.csv", {}, out, counts, {});
  idne::import_markdown("notes", out, counts, {});
  idne::Server("model.idne", {}, {}).serve({});
}
"""
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    prefix = folder / "prefix"
    run = lambda *command, **kw: subprocess.run([str(c) for c in command], check=True, stdout=subprocess.PIPE, text=True, **kw).stdout
    run("cmake", "--install", BUILD, "--prefix", prefix)
    (folder / "CMakeLists.txt").write_text(CMAKE)
    (folder / "guest.cc").write_text(PROGRAM)
    (folder / "headers").mkdir()
    for header in (prefix / "include/idne").iterdir():  # each in a file of its own: it must bring what it needs
        (folder / "headers" / f"{header.stem}.cc").write_text(f"#include <idne/{header.name}>\n")
    flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={SANITIZE}"] if SANITIZE else []
    def build(source, *options):
        run("cmake", "-G", "Ninja", "-S", source, "-B", source / "out", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", *flags, *options)
        run("cmake", "--build", source / "out")
    missing = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("LibArchive", "LibXml2", "EXPAT", "PkgConfig")]
    build(folder, *missing)
    assert run(folder / "out" / "guest", cwd=folder) == "100 documents, 5 links\n"
    if not SANITIZE:  # whose libraries are no shared ones
        whole = folder / "whole"
        whole.mkdir()
        (whole / "CMakeLists.txt").write_text(WHOLE)
        (whole / "whole.cc").write_text(PARTS)
        build(whole)
    assert run(prefix / "bin" / "idne", "info", folder / "guest.idne").startswith("what")
print("1 passed, 0 failed")
