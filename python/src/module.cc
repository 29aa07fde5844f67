#include "module.h"

#include <filesystem>
#include <system_error>

#include "arguments.h"
#include "idne/error.h"
#include "idne/run.h"

namespace idne::python {
namespace {

/// idne.Error: lives as long as the process, as the module does.
PyObject* error_type = nullptr;

void raise(PyObject* type, std::string_view what) { PyErr_SetObject(type, text_for_python(what).ptr()); }

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(error_type, error.what());
  } catch (const Interrupted& error) {
    raise(PyExc_KeyboardInterrupt, error.what());
  } catch (const std::system_error& error) {  // those of files among them
    raise(error_type, error.what());
  }
}

}  // namespace
}  // namespace idne::python

PYBIND11_MODULE(_idne, module) {
  namespace here = idne::python;
  namespace py = pybind11;
  module.doc() = "The library behind the package idne.";
  module.attr("__version__") = IDNE_VERSION;
  py::dict of_error;
  of_error["__module__"] = "idne";
  here::error_type =
      PyErr_NewExceptionWithDoc("idne.Error", "Something that can be mended: what is wrong, and what would be right.",
                                PyExc_ValueError, of_error.ptr());
  if (!here::error_type) throw py::error_already_set();
  module.attr("Error") = py::handle(here::error_type);
  py::register_exception_translator(&here::translate);
  module.def("hardware_threads", &idne::hardware_threads);
  here::add_corpora(module);
  here::add_verbs(module);
  here::add_models(module);
}
