#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "idne/serve.h"
#include "serve/access_log.h"
#include "serve/connections.h"
#include "serve/metrics.h"
#include "serve/snapshot.h"

/// What is answered at which address: the API, the page, what there is to watch.
namespace idne {

/// {"error": …}
std::string error_body(std::string_view what);

class Routes {
 public:
  /// All these must outlive it.
  Routes(const ServeOptions& options, const ServedModel& model, const Connections& connections, Metrics& metrics,
         AccessLog& log);
  ~Routes();

  /// Answers a whole request. From several threads.
  Reply answer(const std::string& request, const std::string& peer);
  /// Who a request comes from: the peer, or whom a trusted proxy names. From one thread.
  std::string client(std::string_view request, const std::string& peer) const;
  /// Whether a request asks only how the server is, or for the page itself, which must be there however much there is
  /// to do, and before there is a model.
  static bool is_quick(std::string_view request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
