#include "serve/whole_model.h"

#include <thread>

namespace idne {

ServedModel::Pointer WholeModel::now(std::chrono::steady_clock::time_point until) const {
  constexpr std::chrono::milliseconds kOften{50};
  ServedModel::Pointer now = model_.now();
  if (now->service().is_whole()) return now;
  if (somebody_waits_.exchange(true)) return nullptr;
  while (!now->service().is_whole() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kOften);
    now = model_.now();
  }
  somebody_waits_ = false;
  return now->service().is_whole() ? now : nullptr;
}

}  // namespace idne
