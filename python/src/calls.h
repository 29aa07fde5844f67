#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

#include "idne/run.h"

/// How Python waits for the library.
namespace idne::python {

namespace py = pybind11;

/// How a long call runs: with so many threads, telling a function of Python's how far it is, or nobody if that is None.
struct Calling {
  int threads;
  py::object progress;  ///< called with (stage, done, total, loss or None)
};

/// Runs `work` in a thread of its own, without the interpreter's lock. Meanwhile this thread looks for signals and
/// tells the progress, twenty times a second: Ctrl-C, and an exception of the progress, stop the work and are raised
/// here.
void run_beside(const Calling& calling, const std::function<void(const Run&)>& work);

/// The same for what gives something.
template <class Work>
auto long_call(const Calling& calling, const Work& work) {
  std::optional<decltype(work(std::declval<const Run&>()))> result;
  run_beside(calling, [&](const Run& run) { result.emplace(work(run)); });
  return std::move(*result);
}

}  // namespace idne::python
