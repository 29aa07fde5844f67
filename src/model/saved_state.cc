#include "model/saved_state.h"

#include <fmt/format.h>

#include <bit>

#include "idne/error.h"
#include "model/types.h"

namespace idne {
namespace {

[[noreturn]] void does_not_fit(const std::string& name) {
  throw Error(fmt::format("the checkpoint does not fit this run: it has no such {}", name));
}

}  // namespace

SavedState::SavedState(std::string stage, std::string how_far) {
  container_.texts[std::string(kStage)] = std::move(stage);
  container_.texts[std::string(kHowFar)] = std::move(how_far);
}

std::string SavedState::text(std::string_view key) const {
  const auto found = container_.texts.find(std::string(key));
  return found == container_.texts.end() ? "" : found->second;
}

void SavedState::set(const std::string& name, std::vector<float> values) {
  container_.tensors[name] = owned(std::move(values));
}
void SavedState::set(const std::string& name, std::vector<std::int32_t> values) {
  container_.tensors[name] = owned(std::move(values));
}
void SavedState::set(const std::string& name, const std::vector<double>& values) {
  std::vector<std::int64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::int64_t>(value));
  container_.tensors[name] = owned(std::move(bits));
}
void SavedState::set_number(const std::string& name, std::uint64_t number) {
  container_.tensors[name] = owned(std::vector{static_cast<std::int64_t>(number)});
}

template <class T>
std::span<const T> SavedState::values(const std::string& name) const {
  const auto found = container_.tensors.find(name);
  if (found == container_.tensors.end() || found->second.type != kTypeOf<T>) does_not_fit(name);
  const auto& bytes = found->second.bytes;
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

std::span<const float> SavedState::floats(const std::string& name, std::size_t size) const {
  const auto all = values<float>(name);
  if (all.size() != size) does_not_fit(name);
  return all;
}
std::span<const std::int32_t> SavedState::whole(const std::string& name, std::size_t size) const {
  const auto all = values<std::int32_t>(name);
  if (all.size() != size) does_not_fit(name);
  return all;
}
std::vector<double> SavedState::reals(const std::string& name) const {
  std::vector<double> result;
  for (const std::int64_t bits : values<std::int64_t>(name)) result.push_back(std::bit_cast<double>(bits));
  return result;
}
double SavedState::real(const std::string& name) const {
  const std::vector<double> all = reals(name);
  if (all.size() != 1) does_not_fit(name);
  return all[0];
}
std::uint64_t SavedState::number(const std::string& name) const {
  const auto all = values<std::int64_t>(name);
  if (all.size() != 1 || all[0] < 0) does_not_fit(name);
  return static_cast<std::uint64_t>(all[0]);
}

}  // namespace idne
