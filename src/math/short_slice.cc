#include "math/short_slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace idne {
namespace {

/// The shortest that Linux takes.
constexpr std::uint64_t kNanoseconds = 100'000;

/// `struct sched_attr` in its first version: glibc has none before 2.41.
struct Attributes {
  std::uint32_t size = sizeof(Attributes), policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t slice = 0, deadline = 0, period = 0;
};

/// False where this is unknown or forbidden, or the thread has asked for a policy of another kind.
bool set_slice(std::uint64_t slice, unsigned long long* former = nullptr) {
  Attributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return false;
  if (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH) return false;
  if (former) *former = attributes.slice;
  attributes.size = sizeof attributes;
  attributes.slice = slice;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

}  // namespace

ShortSlice::ShortSlice() : set_(set_slice(kNanoseconds, &former_)) {}
ShortSlice::~ShortSlice() {
  if (set_) set_slice(former_);
}

}  // namespace idne
