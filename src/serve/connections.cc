#include "serve/connections.h"

#include <optional>

#include "serve/connections_state.h"

namespace idne {

template <class Step>
void Connections::State::step(Number number, const Step& take) {
  const auto found = connections.find(number);
  if (found == connections.end()) return;
  try {
    if (take(found->second) != Next::Close) return;
  } catch (...) {  // most likely there is no memory: one connection less is a way to get some
    ++failed;
  }
  close(number);
}

void Connections::State::accept_some() {
  constexpr int kAtOnce = 64;
  for (int n = 0; n < kAtOnce; ++n) {
    try {
      std::optional<Listener::Client> client = listener.accept();
      if (!client) return;
      ++accepted;
      if (connections.size() < limits.connections) {
        add(std::move(*client));
      } else {
        ++refused;
        const std::string answer = handlers.refuse(503, "too many connections", 1, client->peer);
        // Whoever does not take it at once hears nothing.
        [[maybe_unused]] const auto sent =
            ::send(client->socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      }
    } catch (...) {
      ++failed;
    }
  }
}

void Connections::State::add(Listener::Client client) {
  const Number number = next_number++;
  Connection& c =
      connections.try_emplace(number, std::move(client.socket), std::move(client.peer), budget).first->second;
  c.deadline = Clock::now() + limits.request_time;
  c.watched = EPOLLIN;
  if (!poller.add(c.socket, number, c.watched)) connections.erase(number);
  open = connections.size();
}

void Connections::State::handle(Number number, std::uint32_t what) {
  step(number, [&](Connection& c) {
    switch (c.state) {
      case Connection::State::Answering:  // nobody wants the answer if the client is gone
      case Connection::State::Resting:
        return (what & (EPOLLERR | EPOLLHUP)) != 0 ? Next::Close : Next::Wait;
      case Connection::State::Reading:
        return read(number, c);
      case Connection::State::Draining:
        return c.drain() == Connection::Outcome::Ended ? Next::Close : Next::Wait;
      case Connection::State::Writing:
        return go_on(number, c);
    }
    return Next::Close;
  });
}

void Connections::State::take_answers() {
  for (Exchange& exchange : workers.queue().take_done()) {
    step(exchange.connection, [&](Connection& c) {
      leave(c);
      reply(c, std::move(exchange.reply), std::move(exchange.reply_charge));
      return go_on(exchange.connection, c);
    });
  }
}

void Connections::State::close(Number number) {
  workers.queue().drop(number);
  if (const auto found = connections.find(number); found != connections.end()) leave(found->second);
  connections.erase(number);
  open = connections.size();
  listener.resume();
}

void Connections::State::close_late_ones() {
  const auto now = Clock::now();
  constexpr std::chrono::milliseconds kSweepInterval{250};
  if (now - swept < kSweepInterval) return;
  swept = now;
  late.clear();
  for (const auto& [number, c] : connections) {
    const bool idle = c.state == Connection::State::Reading && c.in().empty();
    if (c.state == Connection::State::Answering || (now <= c.deadline && !(stopping && idle))) continue;
    late.push_back(number);
    timed_out += !idle;
  }
  for (const Number number : late) {
    step(number, [&](Connection& c) {
      if (c.state != Connection::State::Reading || c.in().empty()) return Next::Close;
      refuse(c, 408, "the request took too long to come in");
      return go_on(number, c);
    });
  }
}

void Connections::State::wake_rested_ones() {
  for (const auto now = Clock::now(); !resting.empty() && resting.front().first <= now; resting.pop_front()) {
    const Number number = resting.front().second;
    step(number, [&](Connection& c) {
      c.state = Connection::State::Writing;
      return go_on(number, c);
    });
  }
}

void Connections::State::stop_listening() {
  stopping = true;
  listener.close();
  end = Clock::now() + limits.grace;
}

void Connections::State::loop(const Run& run) {
  std::vector<Number> again;
  while (!stopping || (!connections.empty() && Clock::now() < end)) {
    constexpr int kMilliseconds = 100;
    again.clear();
    again.swap(unfinished);
    for (const epoll_event& event : poller.wait(again.empty() ? kMilliseconds : 0)) {
      if (event.data.u64 == kListener) {
        accept_some();
      } else if (event.data.u64 != kWakeUp) {
        handle(event.data.u64, event.events);
      } else {
        std::uint64_t number = 0;
        [[maybe_unused]] const auto size = ::read(wake_up.get(), &number, sizeof number);
      }
    }
    for (const Number number : again) step(number, [&](Connection& c) { return go_on(number, c); });
    take_answers();
    wake_rested_ones();
    listener.resume_if_due();
    try {
      close_late_ones();
    } catch (const std::bad_alloc&) {
      ++failed;
    }
    if (!stopping && run.stopped && run.stopped()) stop_listening();
  }
  connections.clear();
  open = 0;
}

Connections::Connections(const std::string& host, int port, const ConnectionLimits& limits)
    : state_(std::make_unique<State>(host, port, limits)) {}

Connections::~Connections() = default;

int Connections::port() const { return state_->listener.port(); }

bool Connections::run(int threads, ConnectionHandlers handlers, const Run& run) {
  state_->handlers = std::move(handlers);
  state_->workers.start(threads);
  state_->loop(run);
  return state_->workers.stop();
}

ConnectionCounts Connections::counts() const {
  const State& s = *state_;
  return {s.open,
          s.accepted,
          s.refused,
          s.timed_out,
          s.broken,
          s.workers.queue().waiting(),
          s.listener.pauses(),
          s.failed + s.workers.failed(),
          s.budget.used(),
          s.limited};
}

}  // namespace idne
