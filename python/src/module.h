#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/encode.h"
#include "idne/index.h"
#include "idne/model.h"
#include "idne/suggest.h"

/// What the module `idne._idne` holds; `python/idne` is what people use.
namespace idne::python {

namespace py = pybind11;

/// A corpus that was read.
struct HeldCorpus {
  Collection collection;
};

/// A model, and what is made of it when somebody first asks. Safe for use by several threads; nothing in it changes.
class HeldModel {
 public:
  explicit HeldModel(Model model) : model_(std::move(model)) {}
  HeldModel(const HeldModel&) = delete;
  HeldModel& operator=(const HeldModel&) = delete;

  const Model& model() const { return model_; }
  // These take time, and are to be called without the interpreter's lock.
  const TextEncoder& encoder() const;
  /// Looks at all documents for those that are near.
  const Suggester& suggester() const;
  /// Empty if there are no topics.
  const std::vector<std::string>& topic_names() const;
  const std::vector<ShownTopic>& shown_topics() const;
  DocumentIndex index(const Run& run) const;

 private:
  const Model model_;
  mutable std::recursive_mutex mutex_;
  mutable std::unique_ptr<TextEncoder> encoder_;
  mutable std::unique_ptr<Suggester> suggester_;
  mutable std::optional<std::vector<std::string>> names_;
  mutable std::optional<std::vector<ShownTopic>> shown_;
  mutable std::optional<DocumentIndex> index_;
};
using ModelPointer = std::shared_ptr<HeldModel>;

void add_corpora(py::module_& module);
void add_verbs(py::module_& module);
void add_models(py::module_& module);
/// Of the class of models: what it holds, as arrays and lists; and what it says of texts.
void add_contents(py::class_<HeldModel, ModelPointer>& model);
void add_answers(py::class_<HeldModel, ModelPointer>& model);

}  // namespace idne::python
