#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "corpus/document_line.h"
#include "idne/search_index.h"
#include "idne/serve.h"
#include "math/buffer.h"
#include "serve/access_log.h"
#include "serve/connections.h"
#include "serve/file_states.h"
#include "serve/fixed_answer.h"
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
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    default:
      return "Service Unavailable";
  }
}

ConnectionLimits limits_of(const ServeOptions& options) {
  ConnectionLimits limits;
  limits.client_rate = options.client_rate;
  limits.client_work = options.client_work;
  return limits;
}

}  // namespace

struct Server::State {
  State(const std::filesystem::path& model_path, const ServeOptions& options)
      : files{model_path, options.corpus, editor(options.rename)},
        read{model_path, index_path(model_path)},
        is_public(!is_loopback(options.host)),
        say(options.say),
        log(options.log),
        connections(options.host, options.port, limits_of(options)) {
    if (!options.feedback.empty()) feedback.emplace(options.feedback);
    if (!files.corpus.empty()) read.push_back(documents_file(files.corpus));
    routes.emplace(options, model, connections, metrics, log);
  }
  ~State() { stop(); }

  /// Answers on a thread of its own, at once: the page and how the server is. What needs the model waits for it.
  void begin(const Run& run) {
    Run its_run = run;
    its_run.stopped = [this, run] {
      const Run* const other = serving;
      return quit || (run.stopped && run.stopped()) || (other && other->stopped && other->stopped());
    };
    loop =
        std::jthread([this, its_run] { at_rest = connections.run(std::max(1, its_run.threads), handlers(), its_run); });
  }

  /// Loads the model for the first time, and begins to watch it. Where the index has to be made first, one without
  /// answers until then.
  void load_first(const ServeOptions& options, const Run& run) {
    ServedModel::Pointer first;
    try {
      first = load(Start::AtOnce, run);
    } catch (...) {
      loaded_first.set_exception(std::current_exception());
      throw;
    }
    model.offer(first);
    loaded_first.set_value();
    if (first->service().is_whole()) {
      model.begin(std::move(first), run);
    } else {
      first.reset();
      if (options.while_indexing) options.while_indexing(connections.port(), is_public);
      model.begin(run);
    }
    give_back_memory();  // of loading
    watcher.emplace(options.watch ? read : std::vector<std::filesystem::path>{}, Watcher::kSettle,
                    Watcher::Handlers{[this] { reload_all(); }, [this] { reload_if_changed(); },
                                      [this](const std::filesystem::path& folder) {
                                        tell("watch lost", folder.string() + " is gone: nothing is noticed there");
                                      }});
    if (options.watch) reload_if_changed();  // what happened before there was somebody to notice
  }

  /// Whatever waits is told so.
  void stop() {
    quit = true;
    if (loop.joinable()) loop.join();
    model.stop();
  }

  /// Lets one at a time write the model, and takes it up then.
  std::function<void(const std::function<void()>& write)> editor(bool allowed) {
    if (!allowed) return {};
    return [this](const std::function<void()>& write) {
      const std::lock_guard lock(editing);
      write();
      model.reload();
    };
  }

  ConnectionHandlers handlers() {
    ConnectionHandlers all;
    all.answer = [this](const std::string& request, const std::string& peer) {
      if (has_model.wait_for(limits.queue_time) != std::future_status::ready) {
        return Reply{refusal(503, "the model is still being loaded", 1, peer), true};
      }
      has_model.get();
      return routes->answer(request, peer);
    };
    all.quick_answer = [this](const std::string& request, const std::string& peer) {
      return routes->answer(request, peer);
    };
    all.is_quick = &Routes::is_quick;
    all.refuse = [this](int status, const std::string& what, int seconds, const std::string& client) {
      return refusal(status, what, seconds, client);
    };
    all.client = [this](std::string_view request, const std::string& peer) { return routes->client(request, peer); };
    return all;
  }

  /// Of a request that nobody has read, or not whole: the log has no more than who asked and what was said.
  std::string refusal(int status, const std::string& what, int retry_after, const std::string& client) {
    metrics.add("refused", status, 0);
    const std::string body = error_body(what);
    log.write({.peer = client, .user = {}, .method = {}, .path = {}, .status = status, .bytes = body.size()});
    return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}{}\r\n{}", status,
                       reason_of(status), kJsonType, body.size(),
                       retry_after > 0 ? fmt::format("Retry-After: {}\r\n", retry_after) : "",
                       status == 429 ? "" : "Connection: close\r\n", body);
  }

  ServedModel::Pointer load(Start start, const Run& run) {
    FileStates states = states_of(read);
    const auto note = [&] {
      states[1] = state_of(read[1]);  // the index may have been written just now
      const std::lock_guard lock(mutex);
      loaded = states;
    };
    try {
      auto snapshot = std::make_shared<const Snapshot>(files, feedback ? &*feedback : nullptr, start, run);
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
    model.reload();
  }

  void reload_if_changed() {
    const FileStates states = states_of(read);
    {
      const std::lock_guard lock(mutex);
      if (states == loaded) return;
    }
    model.reload();
  }

  void report(const Service& now, const std::string& why) {
    give_back_memory();  // of the old model, and of loading
    if (!why.empty()) return tell("reload failed", why + "; the old model stays");
    tell("reload", fmt::format("{}: {}", now.name(), counted(now.size(), "document", "documents")));
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
  std::mutex mutex, editing;
  FileStates loaded;  ///< the files as they were when they were read, whether that went well or not
  ServedModel model{[this](const Run& run) { return load(Start::Whole, run); },
                    [this](const ServedModel::Pointer& now, const std::string& why) { report(now->service(), why); }};
  std::promise<void> loaded_first;
  const std::shared_future<void> has_model{loaded_first.get_future()};
  std::atomic<bool> quit{false};
  std::atomic<const Run*> serving{nullptr};
  bool at_rest = true;
  std::optional<Watcher> watcher;  // after the model: its thread uses that
  std::optional<Routes> routes;
  Connections connections;
  std::jthread loop;  // last: its threads use the rest
};

Server::Server(const std::filesystem::path& model, const ServeOptions& options, const Run& run)
    : state_(std::make_unique<State>(model, options)) {
  state_->begin(run);
  state_->load_first(options, run);
}

Server::~Server() = default;

int Server::port() const { return state_->connections.port(); }
bool Server::is_public() const { return state_->is_public; }
std::vector<std::string> Server::notes() const { return state_->model.now()->service().notes(); }
void Server::reload() noexcept { state_->watcher->signal(); }

bool Server::serve(const Run& run) {
  state_->serving = &run;
  state_->loop.join();
  state_->model.stop();
  return state_->at_rest;
}

}  // namespace idne
