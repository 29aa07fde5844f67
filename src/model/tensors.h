#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "model/layout.h"

/// The inside of a model, for the rooms that make, save, load and check models.
namespace idne {

/// Looks into a model.
class ModelTensors {
 public:
  using Tensor = Model::Tensor;
  using Type = Tensor::Type;

  explicit ModelTensors(const Model& model) : model_(model) {}

  bool has(const layout::Entry& entry) const;
  /// These throw Error if the model has no such entry, or one of another type or shape.
  MatrixView matrix(const layout::Entry& entry) const;
  std::span<const float> floats(const layout::Entry& entry) const;
  std::span<const std::int32_t> numbers32(const layout::Entry& entry) const;
  std::span<const std::int64_t> numbers64(const layout::Entry& entry) const;
  StringsView strings(const layout::Entry& entry) const;
  ListsView lists(const layout::Entry& entry) const;
  BagsView bags(const layout::Entry& entry) const;

  /// By their names in the file.
  const std::map<std::string, Tensor>& all() const { return model_.tensors_; }
  /// What the file says about the model that this version knows nothing of.
  const std::map<std::string, std::string>& other_texts() const { return model_.other_texts_; }

 private:
  template <class T>
  std::span<const T> values(const std::string& name, Type type) const;

  const Model& model_;
};

/// Makes a model, or changes it.
class ModelMaker : public ModelTensors {
 public:
  explicit ModelMaker(Model& model) : ModelTensors(model), model_(model) {}

  ModelInfo& info() { return model_.info_; }
  std::shared_ptr<const Placement>& spread() { return model_.spread_; }
  std::map<std::string, std::string>& other_texts() { return model_.other_texts_; }

  void set(const layout::Entry& entry, std::vector<float> values, std::size_t rows, std::size_t columns);
  void set(const layout::Entry& entry, std::vector<float> values);
  void set(const layout::Entry& entry, std::vector<std::int32_t> values);
  void set(const layout::Entry& entry, std::vector<std::int64_t> values);
  void set(const layout::Entry& entry, Lists lists);
  void set(const layout::Entry& entry, const CountMatrix& bags);
  template <class Strings>
  void set_strings(const layout::Entry& entry, const Strings& strings) {
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    for (const auto& text : strings) {
      bytes += text;
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    set_strings(entry, std::move(bytes), std::move(offsets));
  }
  void remove(const layout::Entry& entry);

  /// All at once, by their names in the file.
  void take(std::map<std::string, Tensor> tensors);

 private:
  void set_strings(const layout::Entry& entry, std::string bytes, std::vector<std::int64_t> offsets);
  /// What the model shows of itself.
  void refresh();

  Model& model_;
};

/// The names of an entry's tensors in the file; an entry that is one tensor has its own name.
std::vector<std::string> tensor_names(const layout::Entry& entry);

/// Throws Error that says what is wrong unless all entries are there that should be, agree in their sizes, and hold
/// only numbers that mean something.
void check_layout(const Model& model);

}  // namespace idne
