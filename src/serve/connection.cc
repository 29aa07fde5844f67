#include "serve/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace idne {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr int kPiecesAtOnce = 4;
constexpr std::size_t kMostAtOnce = kPiece * kPiecesAtOnce;

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK; }

}  // namespace

Connection::Outcome Connection::read(const ConnectionLimits& limits) {
  static thread_local std::array<char, kPiece> piece;
  for (int n = 0; n < kPiecesAtOnce; ++n) {
    const ssize_t size = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return would_block() ? Outcome::Done : Outcome::Ended;
    if (size == 0) {
      peer_closed = news_ = true;
      return Outcome::Done;
    }
    const std::string_view got(piece.data(), static_cast<std::size_t>(size));
    if (in_.empty()) {
      deadline = Clock::now() + limits.request_time;
      news_ = true;
    }
    if (!in_charge_.set(in_.memory_with(got.size()))) return Outcome::Full;
    in_.add(got);
    // Heads end with a line: single bytes that come in slowly are not worth a look each.
    news_ = news_ || (awaited_ > 0 ? in_.size() >= awaited_
                                   : in_.size() >= limits.header_bytes || got.find('\n') != std::string_view::npos);
    if (got.size() < piece.size()) break;  // that was all, most likely
  }
  return Outcome::Done;
}

Connection::Outcome Connection::write() {
  for (std::size_t most = kMostAtOnce; written_ < out_.size();) {
    if (most == 0) return Outcome::Blocked;
    const ssize_t size =
        ::send(socket.get(), out_.data() + written_, std::min(most, out_.size() - written_), MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return would_block() ? Outcome::Blocked : Outcome::Ended;
    written_ += static_cast<std::size_t>(size);
    most -= static_cast<std::size_t>(size);
  }
  set_out({}, {});
  return Outcome::Done;
}

Connection::Outcome Connection::drain() const { return discard(socket, kMostAtOnce) ? Outcome::Done : Outcome::Ended; }

void Connection::looked(std::size_t size) {
  awaited_ = size;
  news_ = false;
}

bool Connection::take(std::size_t size, std::string& request, Charge& charge) {
  if (in_.is_only(size)) {
    charge = std::move(in_charge_);
  } else {
    charge = Charge(budget_);
    if (!charge.set(size)) return false;
  }
  request = in_.take(size);
  in_charge_.set(in_.memory());
  awaited_ = 0;
  news_ = !in_.empty();
  return true;
}

void Connection::forget_input() {
  in_.clear();
  in_charge_.clear();
  looked(0);
}

void Connection::set_out(std::string bytes, Charge charge) {
  out_.swap(bytes);  // moving nothing into it would keep its memory
  out_charge_ = std::move(charge);
  written_ = 0;
}

}  // namespace idne
