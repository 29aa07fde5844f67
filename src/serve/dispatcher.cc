#include "serve/dispatcher.h"

#include <string_view>

#include "serve/kept_head.h"

namespace idne {
namespace {

/// A head and a body, to be read, and their answer, to be written, as httplib sees a connection.
class MemoryStream : public httplib::Stream {
 public:
  MemoryStream(std::string_view head, std::string_view body, const std::string& peer)
      : head_(head), body_(body), peer_(peer) {}
  bool is_readable() const override { return !head_.empty() || !body_.empty(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    std::string_view& from = head_.empty() ? body_ : head_;
    size = from.copy(to, size);
    from.remove_prefix(size);
    return static_cast<ssize_t>(size);
  }
  ssize_t write(const char* from, std::size_t size) override {
    answer.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = peer_;
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return 0; }

  std::string answer;

 private:
  std::string_view head_, body_;
  const std::string& peer_;
};

}  // namespace

CurrentRequest& current_request() {
  static thread_local CurrentRequest request;
  return request;
}

Reply Dispatcher::answer(const std::string& request, const std::string& peer) {
  current_request() = {.start = std::chrono::steady_clock::now(), .peer = peer};
  const std::string_view whole(request);
  constexpr std::string_view kHeadEnd = "\r\n\r\n";
  const std::size_t body = whole.find(kHeadEnd) + kHeadEnd.size();
  const std::string head = kept_head(whole.substr(0, body));
  MemoryStream stream(head, whole.substr(body), peer);
  bool close = false;
  const bool done = process_request(stream, false, close, nullptr);
  return {std::move(stream.answer), close || !done || !current_request().understood};
}

}  // namespace idne
