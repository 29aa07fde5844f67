#include <fmt/format.h>
#include <httplib.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "idne/serve.h"
#include "serve/access_log.h"
#include "serve/api.h"
#include "serve/connections.h"
#include "serve/metrics.h"
#include "serve/page.h"

namespace idne {
namespace {

constexpr std::string_view kApi = "/api/v1";
constexpr const char* kJson = "application/json";
constexpr const char* kEncodings = "Idne-Accept-Encoding";  // what the client takes: see Dispatcher
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

std::string error_body(const std::string& what) { return text_of(Json{{"error", what}}) + "\n"; }

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
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Service Unavailable";
  }
}

/// Equal or not, in a time that does not tell where they differ.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned differ = given.size() != secret.size();
  for (std::size_t i = 0; i < given.size(); ++i) {
    differ |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i % secret.size()]);
  }
  return differ == 0;
}

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  constexpr int kLevel = 6, kMemory = 8;
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string type_of(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kTypes{{{".html", "text/html; charset=utf-8"},
                                                                            {".js", "text/javascript; charset=utf-8"},
                                                                            {".css", "text/css; charset=utf-8"},
                                                                            {".svg", "image/svg+xml"},
                                                                            {".png", "image/png"},
                                                                            {".txt", "text/plain; charset=utf-8"}}};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

/// An answer that does not change: kept as it is and packed.
struct FixedAnswer {
  std::string type, plain, packed;
  FixedAnswer(std::string its_type, std::string text)
      : type(std::move(its_type)), plain(std::move(text)), packed(gzip(plain)) {}

  void send(const httplib::Request& request, httplib::Response& response) const {
    const bool pack = request.get_header_value(kEncodings).find("gzip") != std::string::npos;
    response.set_content(pack ? packed : plain, type);
    if (pack) response.set_header("Content-Encoding", "gzip");
    response.set_header("Vary", "Accept-Encoding");
  }
};

/// A request that is whole, to be read, and its answer, to be written, as httplib sees a connection.
class MemoryStream : public httplib::Stream {
 public:
  MemoryStream(const std::string& request, const std::string& peer) : request_(request), peer_(peer) {}
  bool is_readable() const override { return at_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    size = std::min(size, request_.size() - at_);
    std::copy_n(request_.data() + at_, size, to);
    at_ += size;
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
  const std::string& request_;
  const std::string& peer_;
  std::size_t at_ = 0;
};

/// What the log and the metrics call the request that a thread works on.
struct Current {
  std::string endpoint;
  std::chrono::steady_clock::time_point start;
};
Current& current() {
  static thread_local Current request;
  return request;
}

/// httplib's parser, router and writer without its connections: a thread of its own for each would let a thousand slow
/// clients keep everybody else waiting.
class Dispatcher : public httplib::Server {
 public:
  Reply answer(const std::string& request, const std::string& peer) {
    MemoryStream stream(request, peer);
    bool close = false;
    current().endpoint.clear();
    const bool done = process_request(stream, false, close, [](httplib::Request& head) {
      // It would pack every answer, and slowly. Bodies are JSON, whatever a client calls them.
      const std::string encodings = head.get_header_value("Accept-Encoding");
      for (const char* name : {"Accept-Encoding", "Content-Type", kEncodings, "Range"}) head.headers.erase(name);
      head.set_header(kEncodings, encodings);
    });
    const bool understood = !current().endpoint.empty();
    return {std::move(stream.answer), close || !done || !understood};
  }
};

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host == "[::1]" || host.starts_with("127.");
}

std::string without_port(const std::string& host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

}  // namespace

struct Server::State {
  State(const std::filesystem::path& model_path, const ServeOptions& its_options, const Run& run)
      : options(its_options),
        log(its_options.log),
        connections(its_options.host, its_options.port, limits),
        service(Model::load(model_path), model_path, its_options.corpus, run) {
    add_routes();
  }

  void add_routes();
  void add_endpoint(const ApiEndpoint& endpoint);
  void answer(const ApiEndpoint& endpoint, const httplib::Request& request, httplib::Response& response);
  /// Whether a request may go on; else it is answered.
  bool admit(const httplib::Request& request, httplib::Response& response) const;
  void answer_unknown(const httplib::Request& request, httplib::Response& response) const;
  void note_answer(const httplib::Request& request, const httplib::Response& response);

  const ServeOptions options;
  ConnectionLimits limits;
  AccessLog log;
  Connections connections;
  Service service;
  Metrics metrics;
  Dispatcher dispatcher;
  std::vector<FixedAnswer> files;
  std::once_flag map_made;
  std::optional<FixedAnswer> map;
};

void Server::State::answer(const ApiEndpoint& endpoint, const httplib::Request& request, httplib::Response& response) {
  current().endpoint = fmt::format("{}{}", kApi, endpoint.path);
  const auto fail = [&](int status, const std::string& what) {
    response.status = status;
    response.set_content(error_body(what), kJson);
  };
  try {
    if (endpoint.path == "/map") {
      std::call_once(map_made, [this] { map.emplace(kJson, text_of(service.map()) + "\n"); });
      return map->send(request, response);
    }
    const bool get = endpoint.method == "GET";
    const std::string part = request.matches.size() > 1 ? request.matches[1].str() : "";
    const ApiArguments arguments(endpoint.parameters, part, get ? request.params : httplib::Params{}, request.body);
    response.set_content(text_of(endpoint.answer(service, arguments)) + "\n", kJson);
  } catch (const RequestError& error) {
    fail(error.status(), error.what());
  } catch (const Error& error) {
    fail(400, error.what());
  } catch (const std::bad_alloc&) {
    fail(503, "not enough memory");
  } catch (const std::exception&) {
    fail(500, "the server could not answer this");
  }
}

void Server::State::add_endpoint(const ApiEndpoint& endpoint) {
  std::string pattern = fmt::format("{}{}", kApi, endpoint.path);
  if (const std::size_t part = pattern.find("{id}"); part != std::string::npos) pattern.replace(part, 4, "(.+)");
  const auto handler = [this, &endpoint](const httplib::Request& request, httplib::Response& response) {
    answer(endpoint, request, response);
  };
  endpoint.method == "GET" ? dispatcher.Get(pattern, handler) : dispatcher.Post(pattern, handler);
}

bool Server::State::admit(const httplib::Request& request, httplib::Response& response) const {
  current() = {"other", std::chrono::steady_clock::now()};
  const auto refuse = [&](int status, const std::string& what) {
    response.status = status;
    response.set_content(error_body(what), kJson);
    return false;
  };
  // A page from elsewhere could have its own name point to this machine, and then ask as if it were ours.
  const std::string host = without_port(request.get_header_value("Host"));
  const bool known = host.empty() || is_loopback(host) ||
                     std::find(options.hosts.begin(), options.hosts.end(), host) != options.hosts.end();
  if (is_loopback(options.host) && !known) return refuse(403, "unknown Host; --allow-host allows others");

  const std::string origin = request.get_header_value("Origin");
  if (std::find(options.origins.begin(), options.origins.end(), origin) != options.origins.end() && !origin.empty()) {
    response.set_header("Access-Control-Allow-Origin", origin);
    response.set_header("Access-Control-Allow-Headers", "Authorization, Content-Type");
    response.set_header("Vary", "Origin");
    if (request.method == "OPTIONS") {
      response.status = 204;
      return false;
    }
  }
  const bool guarded = request.path.starts_with("/api/") || request.path == "/metrics";
  if (options.token.empty() || !guarded) return true;
  const std::string given = request.get_header_value("Authorization");
  constexpr std::string_view kBearer = "Bearer ";
  if (given.starts_with(kBearer) && same_secret(std::string_view(given).substr(kBearer.size()), options.token)) {
    return true;
  }
  response.set_header("WWW-Authenticate", "Bearer");
  return refuse(401, "a token is needed: Authorization: Bearer TOKEN");
}

void Server::State::answer_unknown(const httplib::Request& request, httplib::Response& response) const {
  if (!response.body.empty()) return;
  for (const ApiEndpoint& endpoint : api_endpoints()) {
    if (request.path != fmt::format("{}{}", kApi, endpoint.path) || request.method == endpoint.method) continue;
    response.status = 405;
    response.set_header("Allow", std::string(endpoint.method));
    return response.set_content(error_body(fmt::format("use {}", endpoint.method)), kJson);
  }
  response.set_content(
      error_body(response.status == 404 ? "there is nothing here; /api/v1/openapi.json tells what there is"
                                        : "this request cannot be answered"),
      kJson);
}

void Server::State::note_answer(const httplib::Request& request, const httplib::Response& response) {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - current().start;
  metrics.add(current().endpoint, response.status, taken.count());
  log.write({request.remote_addr, request.method, request.path, response.status, response.body.size(), taken.count()});
}

void Server::State::add_routes() {
  for (const ApiEndpoint& endpoint : api_endpoints()) add_endpoint(endpoint);
  const auto named = [](std::string name, auto send) {
    return [name = std::move(name), send](const httplib::Request& request, httplib::Response& response) {
      current().endpoint = name;
      send(request, response);
    };
  };
  dispatcher.Get("/healthz",
                 named("/healthz", [](const auto&, auto& response) { response.set_content("ok\n", "text/plain"); }));
  dispatcher.Get("/metrics", named("/metrics", [this](const auto&, auto& response) {
                   response.set_content(metrics.text(connections.counts()), "text/plain; version=0.0.4");
                 }));
  dispatcher.Get("/api/v1/openapi\\.json", named("/api/v1/openapi.json", [](const auto&, auto& response) {
                   response.set_content(text_of(openapi(), 1) + "\n", kJson);
                 }));
  const auto all = page_files();
  files.reserve(all.size());  // handlers point into it
  for (const PageFile& file : all) {
    const FixedAnswer& answer = files.emplace_back(type_of(file.path), std::string(file.bytes));
    std::string path = fmt::format("/{}", file.path == "index.html" ? "" : file.path);
    std::string pattern;
    for (const char c : path) pattern += c == '.' ? "\\." : std::string(1, c);
    dispatcher.Get(pattern, named(path, [&answer](const auto& request, auto& response) {
                     answer.send(request, response);
                     response.set_header("Content-Security-Policy", kPolicy);
                     response.set_header("Cache-Control", "no-cache");
                   }));
  }
  dispatcher.set_default_headers(
      {{"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Resource-Policy", options.origins.empty() ? "same-origin" : "cross-origin"}});
  dispatcher.set_payload_max_length(limits.body_bytes);
  dispatcher.set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(limits.idle_time).count());
  constexpr std::size_t kManyRequests = 1'000'000;
  dispatcher.set_keep_alive_max_count(kManyRequests);
  using Outcome = httplib::Server::HandlerResponse;
  dispatcher.set_pre_routing_handler([this](const auto& request, auto& response) {
    return admit(request, response) ? Outcome::Unhandled : Outcome::Handled;
  });
  dispatcher.set_error_handler(
      [this](const httplib::Request& request, httplib::Response& response) { answer_unknown(request, response); });
  dispatcher.set_logger([this](const auto& request, const auto& response) { note_answer(request, response); });
}

Server::Server(const std::filesystem::path& model, const ServeOptions& options, const Run& run)
    : state_(std::make_unique<State>(model, options, run)) {}

Server::~Server() = default;

int Server::port() const { return state_->connections.port(); }
bool Server::is_public() const { return !is_loopback(state_->options.host); }
const std::string& Server::note() const { return state_->service.note(); }

void Server::serve(const Run& run) {
  const auto refuse = [this](int status, const std::string& what) {
    state_->metrics.add("refused", status, 0);
    const std::string body = error_body(what);
    return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                       status, reason_of(status), kJson, body.size(), body);
  };
  state_->connections.run(
      std::max(1, run.threads),
      [this](const std::string& request, const std::string& peer) { return state_->dispatcher.answer(request, peer); },
      refuse, run);
}

}  // namespace idne
