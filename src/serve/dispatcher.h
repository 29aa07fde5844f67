#pragma once

#include <httplib.h>

#include <chrono>
#include <string>

#include "serve/connections.h"

namespace idne {

/// What the log and the metrics say of the request that a thread works on.
struct CurrentRequest {
  std::string endpoint = "other";
  std::chrono::steady_clock::time_point start;
  std::string peer{};
  std::string user{};       ///< whose token it came with
  bool may_edit = true;     ///< by that token
  bool understood = false;  ///< httplib could read it
};
CurrentRequest& current_request();

/// httplib's parser, router and writer without its connections: a thread of its own for each would let a thousand slow
/// clients keep everybody else waiting. It sees the headers of kept_head() alone.
class Dispatcher : public httplib::Server {
 public:
  /// Answers a whole request (look_at_request() has found it so). May throw.
  Reply answer(const std::string& request, const std::string& peer);
};

}  // namespace idne
