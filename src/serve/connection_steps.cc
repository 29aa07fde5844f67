#include "serve/connections_state.h"
#include "serve/kept_head.h"
#include "serve/request_reader.h"

namespace idne {

using Outcome = Connection::Outcome;

auto Connections::State::wait_for(Number number, Connection& c, std::uint32_t what) const -> Next {
  if (c.watched == what) return Next::Wait;
  c.watched = what;
  return poller.change(c.socket, number, what) ? Next::Wait : Next::Close;
}

auto Connections::State::read(Number number, Connection& c) -> Next {
  const Outcome outcome = c.read(limits);
  if (outcome == Outcome::Ended) return Next::Close;
  if (outcome == Outcome::Full) {
    ++refused;
    refuse(c, 503, "too many large requests at once");
  }
  return go_on(number, c);
}

auto Connections::State::go_on(Number number, Connection& c) -> Next {
  constexpr int kStepsAtOnce = 32;
  Next next = Next::Go;
  for (int n = 0; n < kStepsAtOnce && next == Next::Go; ++n) {
    if (c.state == Connection::State::Writing) {
      next = write(number, c);
    } else {
      next = c.state == Connection::State::Reading ? next_request(number, c) : Next::Wait;
    }
  }
  if (next == Next::Go) unfinished.push_back(number);
  return next;
}

auto Connections::State::next_request(Number number, Connection& c) -> Next {
  if (!c.has_news()) return wait_for(number, c, EPOLLIN);
  const RequestState state = look_at_request(c.in(), limits.header_bytes, limits.body_bytes);
  c.looked(state.size);
  if (state.kind == RequestState::Kind::Whole) return hand_over(number, c, state.size);
  if (state.kind == RequestState::Kind::Refused) {
    ++broken;
    refuse(c, state.status, state.why);
    return Next::Go;
  }
  if (c.peer_closed) {
    broken += !c.in().empty();
    return Next::Close;
  }
  if (state.expects_continue) {  // once: there is no other look at it before it is whole
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (::send(c.socket.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) < 0) return Next::Close;
  }
  return wait_for(number, c, EPOLLIN);
}

auto Connections::State::hand_over(Number number, Connection& c, std::size_t size) -> Next {
  RequestQueue::One one(1);
  Exchange& exchange = one.front();
  if (!c.take(size, exchange.request, exchange.request_charge)) {
    ++refused;
    refuse(c, 503, "too many large requests at once");
    return Next::Go;
  }
  exchange.connection = number;
  exchange.peer = c.peer;
  exchange.since = Clock::now();
  if (handlers.is_quick(exchange.request)) {
    workers.answer(exchange, handlers.quick_answer ? handlers.quick_answer : handlers.answer);
    reply(c, std::move(exchange.reply), std::move(exchange.reply_charge));
    return Next::Go;
  }
  exchange.client = handlers.client(exchange.request, c.peer);
  if (const int seconds = clients.enter(exchange.client, exchange.since); seconds > 0) {
    ++limited;
    std::string answer = handlers.refuse(429, "too many requests of one client", seconds, exchange.client);
    reply(c, {std::move(answer), is_last_request(exchange.request)}, Charge(budget));
    c.state = Connection::State::Resting;
    resting.emplace_back(exchange.since + limits.limited_pause, number);
    return wait_for(number, c, 0);
  }
  c.client = exchange.client;
  c.state = Connection::State::Answering;
  if (workers.queue().push(one, limits.waiting_requests)) return wait_for(number, c, 0);
  leave(c);
  ++refused;
  refuse(c, 503, "too many requests at once", 1);
  return Next::Go;
}

auto Connections::State::write(Number number, Connection& c) -> Next {
  const Outcome outcome = c.write();
  if (outcome == Outcome::Ended) return Next::Close;
  if (outcome == Outcome::Blocked) return wait_for(number, c, EPOLLOUT);
  if (c.drain_after) {
    ::shutdown(c.socket.get(), SHUT_WR);
    c.state = Connection::State::Draining;
    return wait_for(number, c, EPOLLIN);
  }
  if (c.close_after) return Next::Close;
  c.state = Connection::State::Reading;
  if (stopping && c.in().empty()) return Next::Close;
  c.deadline = Clock::now() + (c.in().empty() ? limits.idle_time : limits.request_time);
  return Next::Go;  // another request may have come in meanwhile
}

void Connections::State::reply(Connection& c, Reply reply, Charge charge) {
  c.state = Connection::State::Writing;
  c.close_after = reply.close || stopping;
  c.set_out(std::move(reply.bytes), std::move(charge));
  c.deadline = Clock::now() + limits.request_time;
}

void Connections::State::leave(Connection& c) {
  if (!c.client) return;
  clients.leave(*c.client);
  c.client.reset();
}

void Connections::State::refuse(Connection& c, int status, const std::string& why, int retry_after) {
  c.forget_input();
  c.drain_after = true;
  reply(c, {handlers.refuse(status, why, retry_after, c.peer), true}, Charge(budget));
}

}  // namespace idne
