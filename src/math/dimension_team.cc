#include "math/dimension_team.h"

#include <algorithm>

namespace idne {
namespace {

std::size_t blocks_of(std::size_t dimensions) { return (dimensions + kBlock - 1) / kBlock; }

std::size_t team_size(std::size_t blocks, int threads) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, blocks));
}

}  // namespace

DimensionTeam::DimensionTeam(std::size_t dimensions, int threads)
    : blocks_(blocks_of(dimensions)), crew_(team_size(blocks_, threads)) {
  const std::size_t size = team_size(blocks_, threads);
  for (std::size_t number = 0, first = 0; number < size; ++number) {
    const std::size_t own = blocks_ / size + (number < blocks_ % size ? 1 : 0);
    members_.push_back(std::unique_ptr<Member>(new Member(*this, number, first, own)));
    first += own;
  }
  for (auto& parts : parts_) parts.resize(blocks_);
}

DimensionTeam::~DimensionTeam() = default;

void DimensionTeam::run(const std::function<Work(std::size_t)>& body) {
  for (const auto& member : members_) member->turn_ = 0;
  crew_.run(static_cast<int>(size()), body);
}

std::span<float> DimensionTeam::Member::contribute(std::size_t count) {
  std::vector<float>& buffer = buffers_[turn_];
  if (buffer.size() < own_blocks_ * count) buffer.resize(own_blocks_ * count);
  for (std::size_t b = 0; b < own_blocks_; ++b) team_.parts_[turn_][first_block_ + b] = buffer.data() + b * count;
  return std::span(buffer).first(own_blocks_ * count);
}

DimensionTeam::Gathered DimensionTeam::Member::take_gathered() {
  const Gathered all(team_.parts_[turn_]);
  turn_ = 1 - turn_;
  return all;
}

void DimensionTeam::Gathered::add_to(std::span<float> sums) const {
  for (const float* part : parts_) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
}

}  // namespace idne
