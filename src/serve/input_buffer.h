#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace idne {

/// What has come in over a connection; requests are taken off its front. Taking one does not move those behind it, so
/// that a thousand small ones at once cost what they would cost one by one.
class InputBuffer {
 public:
  std::string_view view() const { return std::string_view(bytes_).substr(begin_); }
  std::size_t size() const { return bytes_.size() - begin_; }
  bool empty() const { return size() == 0; }
  /// In bytes.
  std::size_t memory() const { return bytes_.capacity(); }
  /// What memory() will be when so many more bytes have been added.
  std::size_t memory_with(std::size_t more) const {
    if (fits(more) || fits_moved(more)) return memory();
    return std::max(size() + more, std::min(2 * size(), size() + kMostAhead));
  }

  void add(std::string_view piece) {
    if (!fits(piece.size())) make_room(piece.size());
    bytes_ += piece;
  }

  /// Whether so many bytes are all that it holds: take() then gives away its memory with them.
  bool is_only(std::size_t count) const { return begin_ == 0 && count == bytes_.size(); }
  std::string take(std::size_t count) {
    std::string front;
    if (is_only(count)) {
      front.swap(bytes_);
    } else {
      front = view().substr(0, count);
      begin_ += count;
      if (empty()) clear();
    }
    return front;
  }
  /// Gives the memory back too.
  void clear() {
    std::string().swap(bytes_);
    begin_ = 0;
  }

 private:
  static constexpr std::size_t kMostAhead = std::size_t{1} << 20;

  bool fits(std::size_t more) const { return bytes_.size() + more <= bytes_.capacity(); }
  /// Only where at least as much has been taken as is moved: each byte is moved once for a byte that is gone.
  bool fits_moved(std::size_t more) const { return begin_ >= size() && size() + more <= bytes_.capacity(); }
  void make_room(std::size_t more) {
    if (fits_moved(more)) {
      bytes_.erase(0, begin_);
    } else {
      std::string larger;
      larger.reserve(memory_with(more));
      larger += view();
      bytes_.swap(larger);
    }
    begin_ = 0;
  }

  std::string bytes_;
  std::size_t begin_ = 0;
};

}  // namespace idne
