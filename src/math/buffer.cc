#include "math/buffer.h"

#include <sys/mman.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <new>

namespace idne {

Buffer::Buffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  const std::size_t bytes = size * sizeof(float);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kHugePage = std::size_t{1} << 21;
  if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  data_ = std::unique_ptr<float[], Unmap>(static_cast<float*>(memory), Unmap{bytes});
}

void Buffer::Unmap::operator()(float* data) const { ::munmap(data, bytes); }

void give_back_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

void keep_freed_memory() {
#if defined(__GLIBC__)
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // where glibc's own threshold ends up after large arrays were freed
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
  ::mallopt(M_TOP_PAD, 4 << 20);
#endif
}

}  // namespace idne
