#pragma once

#include <optional>
#include <string>

#include "evaluate/figures.h"
#include "methods/method.h"

namespace idne {

/// What a row of a task is called after the contestant's name; nothing if it has no such row. `method` is null for a
/// ranker; `hops` of neighbours are joined.
std::optional<std::string> row_ending(const Method* method, std::size_t hops, Row row, Task task);

}  // namespace idne
