#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "serve/budget.h"
#include "serve/connections.h"
#include "serve/input_buffer.h"
#include "serve/sockets.h"

namespace idne {

/// One client: what has come in from it, and what is to go out. Nothing here waits, and no call reads or writes more
/// than a share that leaves others their turn.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  enum class State {
    Reading,    ///< a request, or waiting for one
    Answering,  ///< somebody works on it
    Resting,    ///< its client asks too much: it gets its answer a little later
    Writing,
    Draining,  ///< refused: the rest of the request is read and forgotten, or the client would not see the answer
  };
  enum class Outcome {
    Done,
    Blocked,  ///< there is more to write
    Ended,    ///< the client is gone
    Full,     ///< there is no memory for what has come in
  };

  Connection(Descriptor its_socket, std::string its_peer, Budget& budget)
      : socket(std::move(its_socket)), peer(std::move(its_peer)), budget_(budget), in_charge_(budget) {}

  /// Reads what is there. Restarts the deadline with the first byte of a request.
  Outcome read(const ConnectionLimits& limits);
  /// Sends what the client takes.
  Outcome write();
  /// Reads and forgets.
  Outcome drain() const;

  /// What has come in.
  std::string_view in() const { return in_.view(); }
  /// Whether what came in since then can change what was found when in() was looked at.
  bool has_news() const { return news_; }
  /// in() was looked at; its first request will have so many bytes, or 0 if that is not known yet.
  void looked(std::size_t size);
  /// Takes a request off the front, and its part of the budget; false if there is no memory for it.
  bool take(std::size_t size, std::string& request, Charge& charge);
  void forget_input();

  /// What write() will send.
  void set_out(std::string bytes, Charge charge);

  const Descriptor socket;
  const std::string peer;
  std::optional<std::string> client;  ///< whose request is waiting or worked on
  State state = State::Reading;
  std::uint32_t watched = 0;  ///< epoll's events
  bool close_after = false, drain_after = false;
  bool peer_closed = false;  ///< nothing more will come in
  Clock::time_point deadline{};

 private:
  Budget& budget_;
  InputBuffer in_;
  Charge in_charge_;
  std::size_t awaited_ = 0;
  bool news_ = false;
  std::string out_;
  std::size_t written_ = 0;
  Charge out_charge_;
};

}  // namespace idne
