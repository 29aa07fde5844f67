#include "math/dimension_team.h"

#include <algorithm>

namespace idne {
namespace {

std::size_t count_blocks(std::size_t dimensions) { return (dimensions + kBlock - 1) / kBlock; }

std::size_t team_size(std::size_t blocks, int threads) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1, threads)), 1, std::max<std::size_t>(1, blocks));
}

}  // namespace

DimensionTeam::DimensionTeam(std::size_t dimensions, int threads, Ranks* ranks)
    : blocks_(count_blocks(dimensions)),
      ranks_(ranks && ranks->size() > 1 ? ranks : nullptr),
      crew_(team_size(own_blocks().size(), threads), [this] { meet_others(); }) {
  const Range all = own_blocks();
  const std::size_t size = team_size(all.size(), threads);
  for (std::size_t number = 0, first = all.begin; number < size; ++number) {
    const std::size_t own = all.size() / size + (number < all.size() % size ? 1 : 0);
    members_.push_back(std::unique_ptr<Member>(new Member(*this, number, first, own)));
    first += own;
  }
  for (auto& parts : parts_) parts.resize(blocks_);
}

DimensionTeam::~DimensionTeam() = default;

void DimensionTeam::run(const std::function<Work(std::size_t)>& body) {
  for (const auto& member : members_) member->turn_ = 0, member->gathers_ = false;
  crew_.run(static_cast<int>(size()), body);
}

std::span<float> DimensionTeam::Member::contribute(std::size_t count) {
  std::vector<float>& buffer = buffers_[turn_];
  count_ = count;
  if (buffer.size() < own_blocks_ * count) buffer.resize(own_blocks_ * count);
  for (std::size_t b = 0; b < own_blocks_; ++b) team_.parts_[turn_][first_block_ + b] = buffer.data() + b * count;
  return std::span(buffer).first(own_blocks_ * count);
}

DimensionTeam::Gathered DimensionTeam::Member::take_gathered() {
  gathers_ = false;
  const Gathered all(team_.parts_[turn_]);
  turn_ = 1 - turn_;
  return all;
}

void DimensionTeam::meet_others() {
  const Member& any = *members_.front();
  if (!ranks_ || !any.gathers_) return;
  const std::size_t turn = any.turn_, count = any.count_;
  own_parts_.clear();
  const Range own = own_blocks();
  for (std::size_t b = own.begin; b < own.end; ++b) {
    own_parts_.insert(own_parts_.end(), parts_[turn][b], parts_[turn][b] + count);
  }
  part_sizes_.clear();
  for (std::size_t rank = 0; rank < processes(); ++rank) part_sizes_.push_back(blocks_of(rank).size() * count);
  std::vector<float>& all = all_parts_[turn];
  if (all.size() < blocks_ * count) all.resize(blocks_ * count);
  ranks_->all_gather(own_parts_, part_sizes_, std::span(all).first(blocks_ * count));
  for (std::size_t b = 0; b < blocks_; ++b) parts_[turn][b] = all.data() + b * count;
}

void DimensionTeam::Gathered::add_to(std::span<float> sums) const {
  for (const float* part : parts_) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
}

}  // namespace idne
