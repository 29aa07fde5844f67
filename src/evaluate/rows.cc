#include "evaluate/rows.h"

#include "evaluate/jobs.h"

namespace idne {

std::optional<std::string> row_ending(const Method* method, std::size_t hops, Row row, Task task) {
  if (row == Row::Main) return "";
  if (!method) return std::nullopt;
  const Training training = training_of(task);
  if (row == Row::WithLsa) {
    return training == Training::Whole && method->network_only() ? std::optional(", with lsa") : std::nullopt;
  }
  if (training == Training::Whole && hops > 0) return method->network_only() ? ", alone" : ", text only";
  if (training != Training::Suggesting || !method->inductive()) return std::nullopt;
  return method->judged_whole() ? ", vectors only" : ", whole";
}

}  // namespace idne
