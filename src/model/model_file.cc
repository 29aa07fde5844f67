#include <fmt/format.h>

#include <algorithm>

#include "idne/error.h"
#include "idne/model.h"
#include "model/check_meaning.h"
#include "model/container.h"
#include "model/info_texts.h"
#include "model/reading.h"
#include "model/spread_save.h"
#include "model/tensors.h"

/// The model file is described in docs/model-format.md; keep both together.
namespace idne {
namespace {

/// The oldest version that reads these tensors right: one that knows an entry by another name does not, nor one that
/// would take half of what decides on labels for the whole, nor one that would cut new texts into other words.
int version_of(const ModelTensors& tensors, const ModelInfo& info) {
  if (needs_reading(tensors, info)) return 4;
  if (tensors.has(layout::kWordLabels)) return 3;
  const bool renamed = std::any_of(layout::kEntries.begin(), layout::kEntries.end(), [&](const layout::Entry* entry) {
    return !entry->former.empty() && tensors.has(*entry);
  });
  return renamed ? 2 : 1;
}

std::string current_name(const std::string& name) {
  for (const layout::Entry* entry : layout::kEntries) {
    if (!entry->former.empty() && name == entry->former) return std::string(entry->name);
  }
  return name;
}

}  // namespace

void Model::save(const std::filesystem::path& path, const Run& run) const {
  const ModelTensors tensors(*this);
  if (!spread_) {  // of one that is spread, nobody has all
    try {
      check_model(*this);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: not written, as nobody could load the model: {}", path.string(), error.what()));
    }
  }
  Container container{info_texts(info_), tensors_};
  container.texts.insert(other_texts_.begin(), other_texts_.end());
  if (spread_) return save_spread(path, version_of(tensors, info_), std::move(container), *spread_, run);
  if (!run.ranks || run.ranks->first()) {
    save_container(path, kModelFile, version_of(tensors, info_), container, run);
  }
}

Model Model::load(const std::filesystem::path& path, Load how) {
  Container container = load_container(path, kModelFile, how);
  Model model;
  try {
    ModelMaker maker(model);
    maker.info() = take_info(container.texts);
    maker.other_texts() = std::move(container.texts);
    Container::Tensors tensors;
    for (auto& [name, tensor] : container.tensors) tensors[current_name(name)] = std::move(tensor);
    maker.take(std::move(tensors));
    check_model(model);
  } catch (const Error& error) {
    throw not_usable(path, kModelFile, error.what());
  }
  return model;
}

}  // namespace idne
