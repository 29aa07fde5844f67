#pragma once

#include "math/ranks.h"

/// Where the program runs: alone, or as one of several processes that do a verb together (idne-mpi).
namespace idne::app {

/// The others and this one; null if it runs alone.
Ranks* ranks();
/// REQUIRES: before any verb runs, and to be taken back before `ranks` ends.
void set_ranks(Ranks* ranks);
/// Whether this process prints and writes: one of them does it for all.
bool speaks();

}  // namespace idne::app
