#pragma once

#include <cstddef>
#include <memory>

namespace idne {

/// Floats that begin as zeros, on huge pages where the system has them: rows far apart then cost fewer page walks.
class Buffer {
 public:
  explicit Buffer(std::size_t size = 0);
  float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(float* data) const;
  };
  std::size_t size_ = 0;
  std::unique_ptr<float[], Unmap> data_{nullptr, Unmap{0}};
};

/// Gives what was freed back to the system: it may lie in holes between what is kept. Worth it between two phases that
/// take much memory.
void give_back_memory();

/// For a program's first line: freed arrays are kept for the next ones, from the start as they would be after the first
/// large one. Without it training on a small corpus spends a twentieth of its time on getting pages again.
void keep_freed_memory();

}  // namespace idne
