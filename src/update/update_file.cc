#include "idne/search_index.h"
#include "idne/update.h"

namespace idne {

Updated update_model_file(const std::filesystem::path& from, const std::filesystem::path& changes,
                          const UpdateOptions& options, const std::filesystem::path& to, const Run& run) {
  const Model model = Model::load(from);
  const Changes read = changes.empty() ? Changes() : Changes(model, changes, options.strict, run);
  Updated updated = update_model(model, read, options, run);
  // Before the model: who sees the new model finds its index. After a kill between the two the old model's index is
  // that of another one, which is noticed. With steps all vectors move, and who needs an index builds it.
  if (options.steps == 0) {
    if (const auto index = load_search_index(model, from, run.threads)) {
      save_search_index(update_search_index(*index, updated.model, updated.former, run), to);
      updated.has_index = true;
    }
  }
  updated.model.save(to, run);
  return updated;
}

}  // namespace idne
