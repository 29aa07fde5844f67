#pragma once

#include "idne/run.h"

namespace idne {

inline Run with_threads(int threads) {
  Run run;
  run.threads = threads;
  return run;
}

}  // namespace idne
