#include "serve/connections.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>
#include <unordered_map>
#include <vector>

#include "serve/request_queue.h"
#include "serve/request_reader.h"
#include "serve/sockets.h"

namespace idne {
namespace {

using Clock = std::chrono::steady_clock;
using Number = std::uint64_t;  // of a connection
constexpr Number kListener = 0, kWakeUp = 1, kFirst = 2;

struct Connection {
  enum class State {
    Reading,    ///< a request, or waiting for one
    Answering,  ///< somebody works on it
    Writing,
    Draining,  ///< refused: the rest of the request is read and forgotten, or the client would not see the answer
  };
  Descriptor socket;
  std::string peer;
  State state = State::Reading;
  std::string in, out;
  std::size_t written = 0;
  std::size_t request_bytes = 0;  ///< of what is being answered
  bool close_after = false, drain_after = false, continued = false;
  bool peer_closed = false;  ///< nothing more will come in
  Clock::time_point deadline;
};

}  // namespace

struct Connections::State {
  State(const std::string& host, int port, const ConnectionLimits& its_limits)
      : limits(its_limits),
        listener(listen_on(host, port)),
        events(::epoll_create1(EPOLL_CLOEXEC)),
        wake_up(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        queue(wake_up.get()) {
    if (events.get() < 0 || wake_up.get() < 0) throw Error(fmt::format("cannot serve: {}", std::strerror(errno)));
    rlimit files{};
    constexpr std::size_t kOthers = 64;  // files that are no connections
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
      files.rlim_cur = std::min<rlim_t>(files.rlim_max, limits.connections + kOthers);
      ::setrlimit(RLIMIT_NOFILE, &files);
      limits.connections =
          std::min<std::size_t>(limits.connections, files.rlim_cur > 2 * kOthers ? files.rlim_cur - kOthers : kOthers);
    }
    watch(listener.get(), kListener, EPOLLIN, EPOLL_CTL_ADD);
    watch(wake_up.get(), kWakeUp, EPOLLIN, EPOLL_CTL_ADD);
  }

  void watch(int descriptor, Number number, std::uint32_t what, int operation) const {
    epoll_event event{};
    event.events = what;
    event.data.u64 = number;
    ::epoll_ctl(events.get(), operation, descriptor, &event);
  }
  void watch(const Connection& c, Number number, std::uint32_t what) const {
    watch(c.socket.get(), number, what, EPOLL_CTL_MOD);
  }

  void loop(const Run& run);
  void accept_some();
  void handle(Number number, std::uint32_t what);
  /// These return false if the connection is to be closed.
  bool read_some(Number number, Connection& c);
  bool next_request(Number number, Connection& c);
  bool drain(Connection& c) const;
  bool reply(Number number, Connection& c, Reply reply);
  bool refuse(Number number, Connection& c, int status, const std::string& why);
  bool write_some(Number number, Connection& c);
  void close(Number number);
  void close_late_ones();
  void stop_listening();
  void work();

  ConnectionLimits limits;
  Descriptor listener, events, wake_up;
  RequestQueue queue;
  std::unordered_map<Number, Connection> connections;
  Number next_number = kFirst;
  std::size_t buffered = 0;
  bool stopping = false;
  Clock::time_point swept{}, end{};
  Answer answer;
  Refusal refusal;
  std::atomic<std::uint64_t> open{0}, accepted{0}, refused{0}, timed_out{0}, broken{0}, waiting{0};
};

void Connections::State::accept_some() {
  constexpr int kAtOnce = 64;
  for (int n = 0; n < kAtOnce; ++n) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    Descriptor socket(::accept4(listener.get(), plain, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) return;
    ++accepted;
    if (connections.size() >= limits.connections) {
      ++refused;
      continue;
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const Number number = next_number++;
    watch(socket.get(), number, EPOLLIN, EPOLL_CTL_ADD);
    Connection& c = connections[number];
    c.socket = std::move(socket);
    c.peer = address_text(plain, size);
    c.deadline = Clock::now() + limits.request_time;
    open = connections.size();
  }
}

bool Connections::State::read_some(Number number, Connection& c) {
  static thread_local std::array<char, std::size_t{1} << 16> piece;
  for (;;) {
    const ssize_t size = ::recv(c.socket.get(), piece.data(), piece.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (size < 0) return false;
    if (size == 0) {
      c.peer_closed = true;
      break;
    }
    if (c.in.empty()) c.deadline = Clock::now() + limits.request_time;
    c.in.append(piece.data(), static_cast<std::size_t>(size));
    buffered += static_cast<std::size_t>(size);
    if (buffered > limits.buffered_bytes) return refuse(number, c, 503, "too many large requests at once");
    if (c.in.size() > limits.header_bytes + limits.body_bytes) break;  // more is read when this is answered
  }
  return next_request(number, c);
}

bool Connections::State::next_request(Number number, Connection& c) {
  const RequestState state = look_at_request(c.in, limits.header_bytes, limits.body_bytes);
  if (state.kind == RequestState::Kind::Refused) {
    ++broken;
    return refuse(number, c, state.status, state.why);
  }
  if (state.kind == RequestState::Kind::Incomplete) {
    if (c.peer_closed) {
      broken += !c.in.empty();
      return false;
    }
    if (stopping && c.in.empty()) return false;
    if (state.expects_continue && !c.continued) {
      c.continued = true;
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      if (::send(c.socket.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) < 0) return false;
    }
    watch(c, number, EPOLLIN);
    return true;
  }
  Job job{number, c.in.substr(0, state.size), c.peer, Clock::now()};
  c.in.erase(0, state.size);
  c.request_bytes = state.size;
  c.continued = false;
  c.state = Connection::State::Answering;
  watch(c, number, 0);
  ++waiting;
  if (queue.push(std::move(job), limits.waiting_requests)) return true;
  --waiting;
  ++refused;
  return refuse(number, c, 503, "too many requests at once");
}

bool Connections::State::drain(Connection& c) const {
  std::array<char, std::size_t{1} << 16> piece;
  for (;;) {
    const ssize_t size = ::recv(c.socket.get(), piece.data(), piece.size(), 0);
    if (size > 0 || (size < 0 && errno == EINTR)) continue;
    return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

bool Connections::State::reply(Number number, Connection& c, Reply reply) {
  buffered -= std::exchange(c.request_bytes, 0);
  c.state = Connection::State::Writing;
  c.out = std::move(reply.bytes);
  c.written = 0;
  c.close_after = reply.close || stopping;
  c.deadline = Clock::now() + limits.request_time;
  return write_some(number, c);
}

bool Connections::State::refuse(Number number, Connection& c, int status, const std::string& why) {
  buffered -= c.in.size();
  c.in.clear();
  c.drain_after = true;
  return reply(number, c, {refusal(status, why), true});
}

bool Connections::State::write_some(Number number, Connection& c) {
  while (c.written < c.out.size()) {
    const ssize_t size = ::send(c.socket.get(), c.out.data() + c.written, c.out.size() - c.written, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      watch(c, number, EPOLLOUT);
      return true;
    }
    if (size < 0) return false;
    c.written += static_cast<std::size_t>(size);
  }
  c.out = {};
  if (c.drain_after) {
    ::shutdown(c.socket.get(), SHUT_WR);
    c.state = Connection::State::Draining;
    watch(c, number, EPOLLIN);
    return drain(c);
  }
  if (c.close_after) return false;
  c.state = Connection::State::Reading;
  c.deadline = Clock::now() + (c.in.empty() ? limits.idle_time : limits.request_time);
  return next_request(number, c);  // one may have come in meanwhile
}

void Connections::State::handle(Number number, std::uint32_t what) {
  const auto found = connections.find(number);
  if (found == connections.end()) return;
  Connection& c = found->second;
  bool keep = true;
  if (c.state == Connection::State::Answering) {
    keep = (what & (EPOLLERR | EPOLLHUP)) == 0;  // the client is gone: nobody wants the answer
  } else if (c.state == Connection::State::Reading) {
    keep = read_some(number, c);
  } else if (c.state == Connection::State::Draining) {
    keep = drain(c);
  } else {
    keep = write_some(number, c);
  }
  if (!keep) close(number);
}

void Connections::State::close(Number number) {
  const auto found = connections.find(number);
  if (found == connections.end()) return;
  buffered -= found->second.in.size() + found->second.request_bytes;
  connections.erase(found);
  open = connections.size();
}

void Connections::State::close_late_ones() {
  const auto now = Clock::now();
  constexpr std::chrono::milliseconds kOften{250};
  if (now - swept < kOften) return;
  swept = now;
  std::vector<Number> late;
  for (const auto& [number, c] : connections) {
    const bool idle = c.state == Connection::State::Reading && c.in.empty();
    if (c.state == Connection::State::Answering) continue;
    if (now > c.deadline || (stopping && idle)) {
      late.push_back(number);
      timed_out += !idle;
    }
  }
  for (const Number number : late) {
    Connection& c = connections.at(number);
    const bool unfinished = c.state == Connection::State::Reading && !c.in.empty();
    if (!unfinished || !refuse(number, c, 408, "the request took too long to come in")) close(number);
  }
}

void Connections::State::work() {
  for (Job job; queue.pop(job);) {
    const bool late = Clock::now() - job.since > limits.queue_time;
    Reply reply = late ? Reply{refusal(503, "too busy"), false} : answer(job.request, job.peer);
    --waiting;
    queue.finish({job.connection, std::move(reply)});
    job = {};
  }
}

void Connections::State::stop_listening() {
  stopping = true;
  listener = Descriptor();
  constexpr std::chrono::seconds kGrace{10};
  end = Clock::now() + kGrace;
}

void Connections::State::loop(const Run& run) {
  std::array<epoll_event, 256> found{};
  while (!stopping || (!connections.empty() && Clock::now() < end)) {
    constexpr int kMilliseconds = 100;
    const int count = ::epoll_wait(events.get(), found.data(), static_cast<int>(found.size()), kMilliseconds);
    for (int n = 0; n < count; ++n) {
      const epoll_event& event = found[static_cast<std::size_t>(n)];
      if (event.data.u64 == kListener) {
        accept_some();
      } else if (event.data.u64 != kWakeUp) {
        handle(event.data.u64, event.events);
      } else {
        std::uint64_t number = 0;
        [[maybe_unused]] const auto size = ::read(wake_up.get(), &number, sizeof number);
      }
    }
    for (Done& done : queue.take_done()) {
      const auto c = connections.find(done.connection);
      if (c != connections.end() && !reply(done.connection, c->second, std::move(done.reply))) close(done.connection);
    }
    close_late_ones();
    if (!stopping && run.stopped && run.stopped()) stop_listening();
  }
}

Connections::Connections(const std::string& host, int port, const ConnectionLimits& limits)
    : state_(std::make_unique<State>(host, port, limits)) {}

Connections::~Connections() = default;

int Connections::port() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(state_->listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

void Connections::run(int threads, const Answer& answer, const Refusal& refuse, const Run& run) {
  state_->answer = answer;
  state_->refusal = refuse;
  std::vector<std::jthread> workers;
  for (int t = 0; t < threads; ++t) workers.emplace_back([this] { state_->work(); });
  state_->loop(run);
  state_->queue.close();
}

ConnectionCounts Connections::counts() const {
  return {state_->open, state_->accepted, state_->refused, state_->timed_out, state_->broken, state_->waiting};
}

}  // namespace idne
