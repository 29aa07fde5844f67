#include "serve/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "serve/api.h"
#include "serve/api_arguments.h"
#include "serve/dispatcher.h"
#include "serve/guard.h"
#include "serve/kept_head.h"
#include "serve/page.h"
#include "serve/request_reader.h"
#include "serve/sending.h"
#include "serve/whole_model.h"
#include "text/strings.h"

namespace idne {
namespace {

using Request = httplib::Request;
using Response = httplib::Response;

constexpr std::string_view kApi = "/api/v1";
constexpr const char* kModelHeader = "Idne-Model";  ///< which model has answered
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

void fail(Response& response, int status, std::string_view what) {
  response.status = status;
  response.set_content(error_body(what), kJsonType);
}

/// Answers what was thrown.
void fail(Response& response, const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const RequestError& error) {
    fail(response, error.status(), error.what());
  } catch (const Error& error) {
    fail(response, 400, error.what());
  } catch (const std::bad_alloc&) {
    fail(response, 503, "not enough memory");
  } catch (...) {
    fail(response, 500, "the server could not answer this");
  }
}

/// Whether a path is one of a folder's.
bool lies_below(std::string_view folder, std::string_view path) {
  return path.size() > folder.size() && path.starts_with(folder);
}

}  // namespace

std::string error_body(std::string_view what) { return fmt::format("{{\"error\":{}}}\n", json_quoted(what)); }

struct Routes::State {
  State(const ServeOptions& options, const ServedModel& its_model, const Connections& its_connections,
        Metrics& its_metrics, AccessLog& its_log)
      : guard(options),
        deadline(options.deadline),
        model(its_model),
        whole_model(its_model),
        connections(its_connections),
        metrics(its_metrics),
        log(its_log) {
    for (const ApiEndpoint& endpoint : api_endpoints()) add_endpoint(endpoint);
    add_watching();
    add_page();
    set_up(options);
  }

  void add_endpoint(const ApiEndpoint& endpoint);
  void add_watching();
  std::string health(bool to_those_who_may_ask) const;
  void add_page();
  void set_up(const ServeOptions& options);
  using Handler = httplib::Server::Handler;
  /// A GET that the metrics call by its path.
  void get(const std::string& path, Handler handler);
  void answer(const ApiEndpoint& endpoint, const std::string& path_part, const Request& request, Response& response);
  /// Tells a request that has begun now when to stop.
  Run its_run() const;
  void answer_stopped(Response& response);
  /// Says what is wrong with a request that nothing answers.
  void answer_unknown(const Request& request, Response& response) const;
  /// Whether a request is answered: because it is refused, or because it is a GET for what there is.
  bool answer_at_once(const Request& request, Response& response) const;
  /// Whether a request may go on; else it is answered.
  bool admit(const Request& request, Response& response) const;
  void note_answer(const Request& request, const Response& response);

  const Guard guard;
  const std::chrono::duration<double> deadline;  ///< 0: none
  const ServedModel& model;
  const WholeModel whole_model;
  const Connections& connections;
  Metrics& metrics;
  AccessLog& log;
  Dispatcher dispatcher;
  /// What can be had with GET. httplib's own router matches with std::regex, whose stack grows with what a client
  /// sends.
  std::map<std::string, Handler, std::less<>> pages;
  std::vector<std::pair<std::string, Handler>> folders;  ///< the same for all that begins with a path
  std::vector<FixedAnswer> files;
};

void Routes::State::answer(const ApiEndpoint& endpoint, const std::string& path_part, const Request& request,
                           Response& response) {
  current_request().endpoint = fmt::format("{}{}", kApi, endpoint.path);
  constexpr std::chrono::seconds kForIndex{25};  // that of 60,000 documents and their map take ten
  const std::shared_ptr<const Snapshot> now =
      endpoint.whole ? whole_model.now(current_request().start + kForIndex) : model.now();
  if (!now) {
    response.set_header("Retry-After", "2");
    return fail(response, 503, "the index is being made, and the map with it");
  }
  response.set_header(kModelHeader, now->service().version());
  if (endpoint.method != "GET" && request.target.find('?') != std::string::npos) {
    return fail(response, 400, "what is asked here stands in the body, not in the address");
  }
  const httplib::Params none;
  const ApiInput input{path_part, endpoint.method == "GET" ? request.params : none, request.body,
                       current_request().may_edit};
  if (endpoint.kept) {
    // Once for all who ask, so to its end: what is stopped each time would never be there.
    const auto make = [&] { return api_answer(endpoint, now->service(), input, {}); };
    const ApiArguments checked(endpoint.parameters, input);  // so that no other names are kept
    std::string name(endpoint.path);
    for (const auto& [key, value] : input.query) name += fmt::format(" {}={}", key, value);
    if (const FixedAnswer* const kept = now->kept(name, make)) return send_fixed(*kept, request, response);
  }
  try {
    send_json(api_answer(endpoint, now->service(), input, its_run()), request, response);
  } catch (const Interrupted&) {
    answer_stopped(response);
  }
}

Run Routes::State::its_run() const {
  using Clock = std::chrono::steady_clock;
  Run run;
  if (deadline.count() <= 0) return run;
  const Clock::time_point end = current_request().start + std::chrono::duration_cast<Clock::duration>(deadline);
  run.stopped = [end] { return Clock::now() >= end; };
  return run;
}

void Routes::State::answer_stopped(Response& response) {
  metrics.add_stopped();
  fail(response, 503, fmt::format("this took longer than {} s, and was stopped", deadline.count()));
}

void Routes::State::answer_unknown(const Request& request, Response& response) const {
  if (!response.body.empty()) return;
  const bool may_be_read = pages.contains(request.path) || std::ranges::any_of(folders, [&](const auto& folder) {
                             return lies_below(folder.first, request.path);
                           });
  const bool may_be_asked = std::ranges::any_of(api_endpoints(), [&](const ApiEndpoint& endpoint) {
    return endpoint.method == "POST" && request.path == fmt::format("{}{}", kApi, endpoint.path);
  });
  if (const char* const right = may_be_read    ? "GET"
                                : may_be_asked ? "POST"
                                               : nullptr;
      right && request.method != right) {
    response.set_header("Allow", may_be_read ? "GET, HEAD" : "POST");
    return fail(response, 405, fmt::format("use {}", right));
  }
  fail(response, response.status,
       response.status == 404   ? "there is nothing here; /api/v1/openapi.json tells what there is"
       : response.status == 414 ? "the address is too long; POST takes long texts"
                                : "this request cannot be answered");
}

void Routes::State::add_endpoint(const ApiEndpoint& endpoint) {
  constexpr std::string_view kPart = "{id}";
  std::string path = fmt::format("{}{}", kApi, endpoint.path);
  const bool has_part = path.ends_with(kPart);
  if (has_part) path.resize(path.size() - kPart.size());
  Handler handler = [this, &endpoint, size = path.size()](const Request& request, Response& response) {
    answer(endpoint, request.path.substr(size), request, response);
  };
  if (endpoint.method != "GET") {
    dispatcher.Post(path, std::move(handler));
  } else if (has_part) {
    folders.emplace_back(std::move(path), std::move(handler));
  } else {
    pages.emplace(std::move(path), std::move(handler));
  }
}

void Routes::State::get(const std::string& path, Handler handler) {
  pages.emplace(path, [path, handler = std::move(handler)](const Request& request, Response& response) {
    current_request().endpoint = path;
    handler(request, response);
  });
}

bool Routes::State::answer_at_once(const Request& request, Response& response) const {
  if (!admit(request, response)) return true;
  if (request.method != "GET" && request.method != "HEAD") return false;
  if (const auto page = pages.find(request.path); page != pages.end()) {
    page->second(request, response);
    return true;
  }
  for (const auto& [start, handler] : folders) {
    if (!lies_below(start, request.path)) continue;
    handler(request, response);
    return true;
  }
  return false;
}

/// Strangers hear that something is wrong, not what: that has names of files.
std::string Routes::State::health(bool to_those_who_may_ask) const {
  const ReloadStatus status = model.status();
  std::string text = "ok\n";
  const auto now = model.now();
  if (!now) return text += "loading\n";
  if (to_those_who_may_ask) {
    text += fmt::format("model: {}\nversion: {}\n", now->service().name(), now->service().version());
  }
  text += fmt::format("loaded: {}\n", status.loaded);
  if (status.why.empty()) return text;
  return text += fmt::format("reload failed: {}{}{}\n", status.failed_at, to_those_who_may_ask ? " " : "",
                             to_those_who_may_ask ? status.why : "");
}

void Routes::State::add_watching() {
  get("/healthz", [this](const Request& request, Response& response) {
    const bool known = guard.knows_token(request.get_header_value("Authorization"));
    response.set_content(health(known), "text/plain");
  });
  get("/readyz", [this](const Request&, Response& response) {
    const auto now = model.now();
    const bool ready = now && now->service().is_whole();
    response.status = ready ? 200 : 503;
    response.set_content(ready ? "ready\n" : now ? "indexing\n" : "loading\n", "text/plain");
  });
  get("/metrics", [this](const Request&, Response& response) {
    response.set_content(metrics.text(connections.counts(), model.status()), "text/plain; version=0.0.4");
  });
  get("/api/v1/openapi.json", [](const Request& request, Response& response) {
    if (!request.params.empty()) return fail(response, 400, "there are no parameters here");
    send_json(openapi_text(), request, response);
  });
}

void Routes::State::add_page() {
  const auto all = page_files();
  files.reserve(all.size());  // handlers point into it
  for (const PageFile& file : all) {
    const FixedAnswer& answer = files.emplace_back(type_of(file.path), std::string(file.bytes));
    get(fmt::format("/{}", file.path == "index.html" ? "" : file.path),
        [&answer](const Request& request, Response& response) {
          send_fixed(answer, request, response);
          response.set_header("Content-Security-Policy", kPolicy);
          response.set_header("Cache-Control", "no-cache");
        });
  }
}

bool Routes::State::admit(const Request& request, Response& response) const {
  current_request().understood = true;
  const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin"),
                    authorization = request.get_header_value("Authorization");
  const Guard::Verdict verdict = guard.check({request.method, request.path, host, origin, authorization});
  current_request().user = verdict.user;
  current_request().may_edit = verdict.may_edit;
  if (verdict.shared) {
    response.set_header("Access-Control-Allow-Origin", origin);
    response.set_header("Access-Control-Allow-Headers", "Authorization, Content-Type");
    response.set_header("Access-Control-Expose-Headers", kModelHeader);
    response.set_header("Vary", "Origin");
  }
  if (verdict.status == 0) return true;
  if (verdict.status == 401) response.set_header("WWW-Authenticate", "Bearer");
  response.status = verdict.status;
  if (*verdict.why) fail(response, verdict.status, verdict.why);
  return false;
}

void Routes::State::note_answer(const Request& request, const Response& response) {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - current_request().start;
  metrics.add(current_request().endpoint, response.status, taken.count());
  std::string forwarded;  // several headers are one list
  for (std::size_t n = 0; n < request.get_header_value_count("X-Forwarded-For"); ++n) {
    forwarded += (n > 0 ? ", " : "") + request.get_header_value("X-Forwarded-For", n);
  }
  const std::string peer = guard.client(current_request().peer, forwarded);
  log.write({peer, current_request().user, request.method, request.path, response.status, response.body.size(),
             taken.count()});
}

void Routes::State::set_up(const ServeOptions& options) {
  dispatcher.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", options.origins.empty() ? "same-origin" : "cross-origin"},
       {"Accept-Ranges", "none"}});
  const ConnectionLimits limits;
  dispatcher.set_payload_max_length(limits.body_bytes);
  dispatcher.set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(limits.idle_time).count());
  constexpr std::size_t kManyRequests = 1'000'000;
  dispatcher.set_keep_alive_max_count(kManyRequests);
  using Outcome = httplib::Server::HandlerResponse;
  dispatcher.set_pre_routing_handler([this](const Request& request, Response& response) {
    return answer_at_once(request, response) ? Outcome::Handled : Outcome::Unhandled;
  });
  dispatcher.set_exception_handler(
      [](const Request&, Response& response, const std::exception_ptr& thrown) { fail(response, thrown); });
  dispatcher.set_error_handler(
      [this](const Request& request, Response& response) { answer_unknown(request, response); });
  dispatcher.set_logger([this](const Request& request, const Response& response) { note_answer(request, response); });
}

Routes::Routes(const ServeOptions& options, const ServedModel& model, const Connections& connections, Metrics& metrics,
               AccessLog& log)
    : state_(std::make_unique<State>(options, model, connections, metrics, log)) {}

Routes::~Routes() = default;

Reply Routes::answer(const std::string& request, const std::string& peer) {
  return state_->dispatcher.answer(request, peer);
}

std::string Routes::client(std::string_view request, const std::string& peer) const {
  return state_->guard.client(peer, state_->guard.trusts(peer) ? forwarded_for(request) : "");
}

bool Routes::is_quick(std::string_view request) {
  for (const std::string_view start :
       {"GET /healthz", "HEAD /healthz", "GET /readyz", "HEAD /readyz", "GET /metrics", "HEAD /metrics", "GET /"}) {
    if (request.starts_with(start) && request.find_first_of(" ?", start.size()) == start.size()) return true;
  }
  return request.starts_with("GET /assets/");
}

}  // namespace idne
