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
add_executable(guest guest.cc)
target_link_libraries(guest PRIVATE idne::idne)
"""
PROGRAM = """
#include <idne/generate.h>
#include <idne/method.h>
#include <cstdio>
int main() {
  idne::Run run;
  idne::generate_corpus({.documents = 100}, "corpus", run);
  const auto& method = idne::find_method("idne");
  idne::Options options(method.options());
  options.set("steps", "10");
  idne::train(idne::read_collection("corpus", {}, run), method, options, {}, run).save("guest.idne");
  std::printf("%zu documents\\n", idne::Model::load("guest.idne").documents().rows);
}
"""

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    prefix = folder / "prefix"
    run = lambda *command, **kw: subprocess.run([str(c) for c in command], check=True, stdout=subprocess.PIPE, text=True, **kw).stdout
    run("cmake", "--install", BUILD, "--prefix", prefix)
    (folder / "CMakeLists.txt").write_text(CMAKE)
    (folder / "guest.cc").write_text(PROGRAM)
    flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={SANITIZE}"] if SANITIZE else []
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "out", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release", *flags)
    run("cmake", "--build", folder / "out")
    assert run(folder / "out" / "guest", cwd=folder) == "100 documents\n"
    assert run(prefix / "bin" / "idne", "info", folder / "guest.idne").startswith("what")
print("1 passed, 0 failed")
