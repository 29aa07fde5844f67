#pragma once

#include <fmt/format.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "serve/client_limits.h"
#include "serve/connection.h"
#include "serve/connections.h"
#include "serve/listener.h"
#include "serve/poller.h"
#include "serve/workers.h"

namespace idne {

/// All connections and the thread that looks after them: connections.cc has its loop, connection_steps.cc what it does
/// for one client.
struct Connections::State {
  using Clock = Connection::Clock;
  using Number = std::uint64_t;  ///< of a connection
  static constexpr Number kListener = 0, kWakeUp = 1, kFirst = 2;
  /// What becomes of a connection after a step.
  enum class Next {
    Go,    ///< there is another step
    Wait,  ///< for the client, or for an answer
    Close,
  };

  State(const std::string& host, int port, const ConnectionLimits& its_limits)
      : limits(its_limits),
        listener(host, port, limits.accept_pause, poller, kListener),
        wake_up(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        budget(limits.buffered_bytes),
        clients(limits.client_rate, limits.client_work),
        workers(handlers, limits, budget, wake_up.get()) {
    if (!poller.add(wake_up, kWakeUp, EPOLLIN)) throw Error(fmt::format("cannot serve: {}", std::strerror(errno)));
    constexpr std::size_t kOthers = 64;  // files that are no connections
    const std::size_t files = allow_files(limits.connections + kOthers);
    limits.connections = std::min(limits.connections, files > 2 * kOthers ? files - kOthers : kOthers);
  }

  void loop(const Run& run);
  void accept_some();
  void add(Listener::Client client);
  void handle(Number number, std::uint32_t what);
  void take_answers();
  void close(Number number);
  void close_late_ones();
  void wake_rested_ones();
  void stop_listening();
  /// Takes a connection a step on; it is closed if that fails, for whatever reason.
  template <class Step>
  void step(Number number, const Step& take);

  Next read(Number number, Connection& c);
  /// Goes on until the connection has to wait, or others are to have their turn.
  Next go_on(Number number, Connection& c);
  Next next_request(Number number, Connection& c);
  Next hand_over(Number number, Connection& c, std::size_t size);
  Next write(Number number, Connection& c);
  void reply(Connection& c, Reply reply, Charge charge);
  void refuse(Connection& c, int status, const std::string& why, int retry_after = 0);
  /// Its request is answered, or nobody wants that any more.
  void leave(Connection& c);
  Next wait_for(Number number, Connection& c, std::uint32_t what) const;

  ConnectionLimits limits;
  Poller poller;
  Listener listener;
  Descriptor wake_up;
  Budget budget;
  ClientLimits clients;
  ConnectionHandlers handlers;
  std::unordered_map<Number, Connection> connections;
  std::vector<Number> unfinished;  ///< those which had their turn and want another
  std::vector<Number> late;
  std::deque<std::pair<Clock::time_point, Number>> resting;  ///< and until when, which rises
  Number next_number = kFirst;
  bool stopping = false;
  Clock::time_point swept{}, end{};
  std::atomic<std::uint64_t> open{0}, accepted{0}, refused{0}, timed_out{0}, broken{0}, failed{0}, limited{0};
  Workers workers;  // last: they use the rest
};

}  // namespace idne
