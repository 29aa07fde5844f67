#pragma once

namespace idne {

/// While it lives, the system gives the calling thread its core for short whiles, and more often (Linux 6.12 and later;
/// without effect elsewhere): its share beside other work is the same, but those who wait for it at a meeting wait
/// less.
class ShortSlice {
 public:
  ShortSlice();
  ~ShortSlice();
  ShortSlice(const ShortSlice&) = delete;
  ShortSlice& operator=(const ShortSlice&) = delete;

 private:
  unsigned long long former_ = 0;
  bool set_ = false;
};

}  // namespace idne
