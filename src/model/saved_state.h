#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/container.h"

namespace idne {

/// What a run has come to, by names that the run chooses. Doubles are kept bit by bit.
class SavedState {
 public:
  /// A run saves one stage after the other; `how_far` tells a person: "4,000 of 5,000 steps".
  SavedState(std::string stage, std::string how_far);
  explicit SavedState(Container container) : container_(std::move(container)) {}

  std::string stage() const { return text(kStage); }
  std::string how_far() const { return text(kHowFar); }

  void set(const std::string& name, std::vector<float> values);
  void set(const std::string& name, std::vector<std::int32_t> values);
  void set(const std::string& name, const std::vector<double>& values);
  void set_number(const std::string& name, std::uint64_t number);

  /// These throw Error where there is no such thing, or not of that size.
  std::span<const float> floats(const std::string& name, std::size_t size) const;
  std::span<const std::int32_t> whole(const std::string& name, std::size_t size) const;
  std::vector<double> reals(const std::string& name) const;
  double real(const std::string& name) const;
  std::uint64_t number(const std::string& name) const;

  /// As it is in the file.
  Container& container() { return container_; }
  const Container& container() const { return container_; }

 private:
  static constexpr std::string_view kStage = "stage", kHowFar = "how-far";

  std::string text(std::string_view key) const;
  template <class T>
  std::span<const T> values(const std::string& name) const;

  Container container_;
};

}  // namespace idne
