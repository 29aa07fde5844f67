#include "serve/workers.h"

namespace idne {

Workers::~Workers() { stop(); }

void Workers::start(int threads) {
  for (int t = 0; t < threads; ++t) threads_.emplace_back([this] { work(); });
}

void Workers::work() {
  for (RequestQueue::One one = queue_.pop(); !one.empty(); one = queue_.pop()) {
    answer(one.front(), handlers_.answer);
    queue_.finish(std::move(one));
  }
}

void Workers::answer(Exchange& exchange, const Answer& how) noexcept {
  Charge charge(budget_);
  try {
    const bool late = std::chrono::steady_clock::now() - exchange.since > limits_.queue_time;
    exchange.reply = late ? refusal(503, "too busy", exchange) : how(exchange.request, exchange.peer);
  } catch (const std::bad_alloc&) {
    ++failed_;
    exchange.reply = refusal(503, "not enough memory", exchange);
  } catch (...) {
    ++failed_;
    exchange.reply = refusal(500, "the server could not answer this", exchange);
  }
  std::string().swap(exchange.request);  // assigning nothing would keep its memory
  exchange.request_charge.clear();
  if (!charge.set(exchange.reply.bytes.capacity())) {
    exchange.reply = refusal(503, "too many large answers at once", exchange);
    charge.set(exchange.reply.bytes.capacity());
  }
  exchange.reply_charge = std::move(charge);
}

Reply Workers::refusal(int status, const char* why, const Exchange& exchange) noexcept {
  try {
    const std::string& client = exchange.client.empty() ? exchange.peer : exchange.client;
    return {handlers_.refuse(status, why, status == 503 ? 1 : 0, client), true};
  } catch (...) {
    ++failed_;
    return {{}, true};  // closed without a word
  }
}

}  // namespace idne
