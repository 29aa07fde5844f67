#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "idne/serve.h"
#include "serve/access_log.h"
#include "serve/connections.h"
#include "serve/guard.h"
#include "serve/metrics.h"
#include "serve/routes.h"
#include "serve/service.h"

namespace idne {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    default:
      return "Service Unavailable";
  }
}

}  // namespace

struct Server::State {
  State(const std::filesystem::path& model, const ServeOptions& options, const Run& run)
      : is_public(!is_loopback(options.host)), log(options.log), connections(options.host, options.port, limits) {
    // A copy, because to write over a file that is mapped ends the process.
    service.emplace(Model::load(model, Model::Load::Copy), model, options.corpus, run);
    routes.emplace(options, *service, connections, metrics, log);
  }

  const bool is_public;
  const ConnectionLimits limits;
  AccessLog log;
  Metrics metrics;
  std::optional<Service> service;
  std::optional<Routes> routes;
  Connections connections;  // last: its threads use the rest
};

Server::Server(const std::filesystem::path& model, const ServeOptions& options, const Run& run)
    : state_(std::make_unique<State>(model, options, run)) {}

Server::~Server() = default;

int Server::port() const { return state_->connections.port(); }
bool Server::is_public() const { return state_->is_public; }
const std::string& Server::note() const { return state_->service->note(); }

bool Server::serve(const Run& run) {
  ConnectionHandlers handlers;
  handlers.answer = [this](const std::string& request, const std::string& peer) {
    return state_->routes->answer(request, peer);
  };
  handlers.is_quick = &Routes::is_quick;
  handlers.refuse = [this](int status, const std::string& what) {
    state_->metrics.add("refused", status, 0);
    const std::string body = error_body(what);
    return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                       status, reason_of(status), kJsonType, body.size(), body);
  };
  return state_->connections.run(std::max(1, run.threads), std::move(handlers), run);
}

}  // namespace idne
