#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "corpus/document_line.h"
#include "idne/search_index.h"
#include "idne/serve.h"
#include "serve/access_log.h"
#include "serve/connections.h"
#include "serve/file_states.h"
#include "serve/guard.h"
#include "serve/metrics.h"
#include "serve/routes.h"
#include "serve/snapshot.h"
#include "serve/watcher.h"
#include "text/numbers.h"

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
  State(const std::filesystem::path& model_path, const ServeOptions& options, const Run& run)
      : files{model_path, options.corpus},
        read{model_path, index_path(model_path)},
        is_public(!is_loopback(options.host)),
        say(options.say),
        log(options.log),
        connections(options.host, options.port, limits) {
    if (!options.feedback.empty()) feedback.emplace(options.feedback);
    if (!files.corpus.empty()) read.push_back(documents_file(files.corpus));
    model.emplace([this](const Run& its_run) { return load(its_run); },
                  [this](const ServedModel::Pointer& now, const std::string& why) { report(now->service(), why); },
                  run);
    watcher.emplace(options.watch ? read : std::vector<std::filesystem::path>{}, Watcher::kSettle,
                    Watcher::Handlers{[this] { reload_all(); }, [this] { reload_if_changed(); },
                                      [this](const std::filesystem::path& folder) {
                                        tell("watch lost", folder.string() + " is gone: nothing is noticed there");
                                      }});
    if (options.watch) reload_if_changed();  // what happened before there was somebody to notice
    routes.emplace(options, *model, connections, metrics, log);
  }

  ServedModel::Pointer load(const Run& run) {
    FileStates states = states_of(read);
    const auto note = [&] {
      states[1] = state_of(read[1]);  // the index may have been written just now
      const std::lock_guard lock(mutex);
      loaded = states;
    };
    try {
      auto snapshot = std::make_shared<const Snapshot>(files, feedback ? &*feedback : nullptr, run);
      note();
      return snapshot;
    } catch (...) {
      note();
      throw;
    }
  }

  void reload_all() {
    try {
      log.reopen();
    } catch (const Error& error) {
      tell("log not reopened", error.what());
    }
    try {
      if (feedback) feedback->reopen();
    } catch (const Error& error) {
      tell("feedback not reopened", error.what());
    }
    model->reload();
  }

  void reload_if_changed() {
    const FileStates states = states_of(read);
    {
      const std::lock_guard lock(mutex);
      if (states == loaded) return;
    }
    model->reload();
  }

  void report(const Service& now, const std::string& why) {
    if (!why.empty()) return tell("reload failed", why + "; the old model stays");
    tell("reload", fmt::format("{}: {} documents", now.name(), with_commas(now.size())));
    for (const std::string& note : now.notes()) tell("note", note);
  }

  void tell(std::string_view event, const std::string& what) {
    log.write_event(event, {{"what", what}});
    if (say) say(fmt::format("{}: {}", event, what));
  }

  const ServiceFiles files;
  std::vector<std::filesystem::path> read;  ///< the model, its index, and the corpus's documents if there is one
  const bool is_public;
  const ConnectionLimits limits;
  const std::function<void(const std::string&)> say;
  AccessLog log;
  Metrics metrics;
  std::optional<FeedbackFile> feedback;
  std::mutex mutex;
  FileStates loaded;  ///< the files as they were when they were read, whether that went well or not
  std::optional<ServedModel> model;
  std::optional<Watcher> watcher;  // after the model: its thread uses that
  std::optional<Routes> routes;
  Connections connections;  // last: its threads use the rest
};

Server::Server(const std::filesystem::path& model, const ServeOptions& options, const Run& run)
    : state_(std::make_unique<State>(model, options, run)) {}

Server::~Server() = default;

int Server::port() const { return state_->connections.port(); }
bool Server::is_public() const { return state_->is_public; }
std::vector<std::string> Server::notes() const { return state_->model->now()->service().notes(); }
void Server::reload() noexcept { state_->watcher->signal(); }

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
  const bool at_rest = state_->connections.run(std::max(1, run.threads), std::move(handlers), run);
  state_->model->stop();
  return at_rest;
}

}  // namespace idne
