#pragma once

#include <string>

#include "idne/model.h"
#include "math/ranks.h"

/// Where the program runs: alone, or as one of several processes that do a verb together (idne-mpi).
namespace idne::app {

/// The others and this one; null if it runs alone.
Ranks* ranks();
/// REQUIRES: before any verb runs, and to be taken back before `ranks` ends.
void set_ranks(Ranks* ranks);
/// Whether this process prints and writes: one of them does it for all.
bool speaks();
/// For what one process does: true for those that are to leave; the one that stays is alone from here on.
bool leaves_to_first();

/// What `question` is answered by the one that speaks, in all of them.
bool first_says(const std::function<bool()>& question);
/// Does what only the one that speaks is to do, while the others wait. If that throws, all of them do.
void first_does(const std::function<void()>& work);
/// A model as all of them load it. Throws Error, in all, if one of them cannot or has another one by that name.
Model load_in_all(const std::string& path);

}  // namespace idne::app
