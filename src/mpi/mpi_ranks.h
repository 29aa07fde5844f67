#pragma once

#include <chrono>
#include <memory>

#include "math/ranks.h"

namespace idne {

/// The processes that mpirun, or srun, started. One of these at a time.
class MpiRanks : public Ranks {
 public:
  /// Begins MPI. `delay` is added before every meeting, to measure what a slow network would do.
  explicit MpiRanks(std::chrono::microseconds delay = {});
  /// Ends MPI, where it was not ended.
  ~MpiRanks() override;

  std::size_t number() const override;
  std::size_t size() const override;

  /// For a process that will do no more: true when all others have come to say the same. One in which something failed
  /// waits for a while only: those who do not come wait somewhere for this one, and abort() is what is left.
  bool all_end(bool failed);
  /// Ends all processes.
  [[noreturn]] void abort(int code);

 protected:
  std::vector<Bytes> do_all_gather(std::span<const std::byte> own) override;
  std::vector<Bytes> do_gather(std::span<const std::byte> own) override;
  std::vector<Bytes> do_exchange(const std::vector<Bytes>& to) override;
  void do_broadcast(std::size_t root, std::span<std::byte> bytes) override;
  void do_all_gather(std::span<const float> own, std::span<const std::size_t> counts, std::span<float> all) override;
  void do_add_up(std::span<std::uint64_t> numbers) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
