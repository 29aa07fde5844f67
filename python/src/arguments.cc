#include "arguments.h"

#include <fmt/format.h>

#include <variant>

#include "idne/error.h"

namespace idne::python {
namespace {

std::string type_of(const py::handle& object) { return Py_TYPE(object.ptr())->tp_name; }

py::tuple held(const py::handle& sequence, const std::string& what) {
  if (!PyList_Check(sequence.ptr()) && !PyTuple_Check(sequence.ptr())) {
    throw Error(fmt::format("a list with a {} for each is needed, not {}", what, type_of(sequence)));
  }
  PyObject* const tuple = PySequence_Tuple(sequence.ptr());
  if (!tuple) throw py::error_already_set();
  return py::reinterpret_steal<py::tuple>(tuple);
}

}  // namespace

std::string_view text_of(const py::handle& text, const std::string& what) {
  if (!PyUnicode_Check(text.ptr())) {
    throw Error(fmt::format("{} is not a string but {}{}", what, type_of(text),
                            PyBytes_Check(text.ptr()) ? "; decode it first" : ""));
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!bytes) {
    PyErr_Clear();
    throw Error(fmt::format("{} is no text: it holds half of a surrogate pair, which has no UTF-8", what));
  }
  return {bytes, static_cast<std::size_t>(size)};
}

Texts::Texts(const py::handle& sequence, const std::string& what) : held_(held(sequence, what)) {
  views_.reserve(held_.size());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    PyObject* const one = PyTuple_GET_ITEM(held_.ptr(), static_cast<Py_ssize_t>(i));
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_Check(one) ? PyUnicode_AsUTF8AndSize(one, &size) : nullptr;
    if (bytes) {
      views_.emplace_back(bytes, static_cast<std::size_t>(size));
      continue;
    }
    PyErr_Clear();
    text_of(one, fmt::format("{} {}", what, i));  // says what is wrong
  }
}

TextLists::TextLists(const py::handle& sequence, const std::string& what) {
  if (sequence.is_none()) return;
  const py::tuple all = held(sequence, "list of " + what + "s");
  for (std::size_t i = 0; i < all.size(); ++i) {
    held_.emplace_back(all[i], what);
    views_.push_back(held_.back().views());
  }
}

std::filesystem::path path_of(const py::bytes& path) {
  const auto text = static_cast<std::string>(path);
  if (text.find('\0') != std::string::npos) throw Error("a path holds a null character");
  return text;
}

void set_options(const py::dict& values, Options& options) {
  for (const auto& [name, list] : values) {
    const std::string option(text_of(name, "the name of an option"));
    const Texts texts(list, "value");
    for (const std::string_view text : texts.views()) {
      if (text.find('\0') != std::string_view::npos)
        throw Error(fmt::format("{}: a value holds a null character", option));
      options.set(option, text);
    }
  }
  for (const OptionSpec& spec : options.table()) {
    const bool given = options.given(spec.name);
    if (spec.required && !given) throw Error(fmt::format("{} is required", spec.written()));
    for (const std::string& other : spec.excludes) {
      if (given && options.given(other)) throw Error(fmt::format("{} excludes --{}", spec.written(), other));
    }
  }
}

py::object python_value(const OptionValue& value) {
  return std::visit(
      [](const auto& one) -> py::object {
        using One = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<One, bool>) return py::bool_(one);
        if constexpr (std::is_same_v<One, std::int64_t>) return py::int_(one);
        if constexpr (std::is_same_v<One, double>) return py::float_(one);
        if constexpr (std::is_same_v<One, std::string>) return text_for_python(one);
        if constexpr (std::is_same_v<One, std::vector<std::string>>) {
          py::tuple all(one.size());
          for (std::size_t n = 0; n < one.size(); ++n) all[n] = text_for_python(one[n]);
          return all;
        }
      },
      value);
}

py::dict described(const OptionSpec& spec) {
  constexpr std::array<const char*, 5> kKinds{"flag", "whole", "real", "text", "list"};
  py::dict result;
  result["name"] = spec.name;
  result["kind"] = kKinds[spec.fallback.index()];
  result["default"] = python_value(spec.fallback);
  result["shown_default"] = spec.shown_fallback;
  result["help"] = spec.help;
  result["range"] = spec.range();
  result["word"] = spec.word;
  result["choices"] = python_value(spec.choices);
  result["paper"] = spec.paper ? python_value(*spec.paper) : py::none();
  result["required"] = spec.required;
  result["by_place"] = spec.by_place();
  result["file"] = spec.file != OptionSpec::File::None;
  return result;
}

py::str text_for_python(std::string_view text) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (!decoded) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

}  // namespace idne::python
