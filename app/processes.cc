#include "processes.h"

namespace idne::app {
namespace {

Ranks* all_ranks = nullptr;

}  // namespace

Ranks* ranks() { return all_ranks; }
void set_ranks(Ranks* ranks) { all_ranks = ranks && ranks->size() > 1 ? ranks : nullptr; }
bool speaks() { return !all_ranks || all_ranks->first(); }

}  // namespace idne::app
