#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/options.h"

/// What Python passes in, checked. All of it throws Error that says what is needed.
namespace idne::python {

namespace py = pybind11;

/// Texts that stay where Python has them: the strings, which nobody can change, are held as long as this. Made and
/// ended with the interpreter's lock.
class Texts {
 public:
  /// `what` is what errors call one of them: "text".
  Texts(const py::handle& sequence, const std::string& what);
  const std::vector<std::string_view>& views() const { return views_; }
  std::size_t size() const { return views_.size(); }

 private:
  py::tuple held_;
  std::vector<std::string_view> views_;
};

/// A list of texts for each of something, or None.
class TextLists {
 public:
  TextLists(const py::handle& sequence, const std::string& what);
  const std::vector<std::vector<std::string_view>>& views() const { return views_; }

 private:
  std::vector<Texts> held_;
  std::vector<std::vector<std::string_view>> views_;
};

std::string_view text_of(const py::handle& text, const std::string& what);

/// bytes, as os.fsencode gives them.
std::filesystem::path path_of(const py::bytes& path);

/// Sets options from a dictionary: name → a list of values, as the command line has them.
void set_options(const py::dict& values, Options& options);

/// What an option is, for Python's own tables.
py::dict described(const OptionSpec& spec);
py::object python_value(const OptionValue& value);

/// A copy, of the type that is needed, so that nobody changes it meanwhile.
template <class Number>
std::vector<Number> numbers_of(const py::array_t<Number, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Text that may hold bytes that are no UTF-8.
py::str text_for_python(std::string_view text);

}  // namespace idne::python
