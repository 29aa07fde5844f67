#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "math/crew.h"
#include "math/kernels.h"
#include "math/ranks.h"

namespace idne {

/// Those who train vectors together, cut by dimension (DESIGN section 4): whole blocks of kBlock dimensions are shared
/// out over the members, each of which works in memory of its own, side by side with the others (math/crew.h), in this
/// process or in another. What crosses blocks goes through gather() and nothing else, so a member need not know where
/// the others run.
class DimensionTeam {
 public:
  class Member;
  class Gathered;

  /// One member per thread, but no more than this process has blocks; at least one, which may have none where there are
  /// more processes than blocks. `ranks` null: this process has all blocks.
  DimensionTeam(std::size_t dimensions, int threads, Ranks* ranks = nullptr);
  ~DimensionTeam();

  /// Blocks begin … end − 1.
  struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };
  /// Those of a process, by its rank.
  Range blocks_of(std::size_t rank) const { return {blocks_ * rank / processes(), blocks_ * (rank + 1) / processes()}; }
  Ranks* ranks() const { return ranks_; }

  /// Blocks of all members together.
  std::size_t blocks() const { return blocks_; }
  /// Members in this process.
  std::size_t size() const { return members_.size(); }
  Member& operator[](std::size_t i) { return *members_[i]; }
  const Member& operator[](std::size_t i) const { return *members_[i]; }

  /// Does the work body(i) of each member of this process, side by side. If one throws, the others leave where they
  /// next meet, and the exception of the lowest member is thrown again here. The team can run again afterwards.
  void run(const std::function<Work(std::size_t i)>& body);

 private:
  std::size_t processes() const { return ranks_ ? ranks_->size() : 1; }
  Range own_blocks() const { return blocks_of(ranks_ ? ranks_->number() : 0); }
  /// Between two stretches of the members' work: if they gather, sends this process's partial sums to the others, and
  /// takes theirs.
  void meet_others();

  std::size_t blocks_;
  Ranks* ranks_;
  Crew crew_;
  std::vector<std::unique_ptr<Member>> members_;
  /// Where the partial sums of each block are. Two, because a fast member may be one gather ahead.
  std::vector<const float*> parts_[2];
  std::vector<float> own_parts_, all_parts_[2];  ///< of a gather between processes
  std::vector<std::size_t> part_sizes_;
};

/// All blocks' partial sums, of one gather().
class DimensionTeam::Gathered {
 public:
  /// sums[i] += sum i of block 0, then of block 1 …: in the order of the blocks, whoever owns them.
  void add_to(std::span<float> sums) const;

 private:
  friend class Member;
  explicit Gathered(std::span<const float* const> parts) : parts_(parts) {}
  std::span<const float* const> parts_;
};

/// One member, as it sees the team. Only its own work may call what is not const.
class DimensionTeam::Member {
 public:
  std::size_t number() const { return number_; }  ///< among those of this process
  std::size_t first_block() const { return first_block_; }
  std::size_t blocks() const { return own_blocks_; }  ///< its own

  /// `co_await member.barrier()` waits for all members.
  Crew::Meeting barrier() { return team_.crew_.meet(number_); }

  /// Room for what this member gives to the next gather(): `count` partial sums for its first block, then as many for
  /// its next … All members must give the same count. Allocates only where count is larger than ever before.
  std::span<float> contribute(std::size_t count);
  /// `co_await member.gather()` waits for all members' contributions, and gives them. They can be read until this
  /// member gathers again. REQUIRES: contribute() was called since the last gather().
  auto gather() {
    gathers_ = true;
    struct Gathering : Crew::Meeting {
      Member& member;
      Gathered await_resume() const { return member.take_gathered(); }
    };
    return Gathering{barrier(), *this};
  }

 private:
  friend class DimensionTeam;
  Member(DimensionTeam& team, std::size_t number, std::size_t first_block, std::size_t blocks)
      : team_(team), number_(number), first_block_(first_block), own_blocks_(blocks) {}

  Gathered take_gathered();

  DimensionTeam& team_;
  std::size_t number_, first_block_, own_blocks_;
  std::size_t turn_ = 0;   ///< which of the two buffers is next
  std::size_t count_ = 0;  ///< of partial sums for each block in the next gather
  bool gathers_ = false;   ///< at the next meeting
  std::vector<float> buffers_[2];
};

}  // namespace idne
