#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"
#include "idne/search_index.h"

namespace idne {

/// A word that a client must know.
struct AccessToken {
  std::string name;  ///< whose it is, for the log; may be empty
  std::string secret;
  bool feedback = true;  ///< whether that client may say what it thinks of suggestions; all may read
};

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 8080;                   ///< 0: any that is free
  std::filesystem::path corpus;      ///< where the documents' texts are; may be empty
  std::vector<AccessToken> tokens;   ///< what clients must know one of; empty if nothing
  std::string log = "-";             ///< a file, "-" for stderr, "none"
  std::vector<std::string> hosts;    ///< other names that clients on this machine may use for it
  std::vector<std::string> origins;  ///< web pages from elsewhere that may ask
  std::vector<std::string> proxies;  ///< addresses whose X-Forwarded-For is believed
  double client_rate = 0;            ///< requests per second that one client may make; 0 is any number
  std::size_t client_work = 0;       ///< and how many may wait or be worked on
  double deadline = 30;              ///< seconds that an answer may take to be worked out; 0 is any time
  bool watch = false;                ///< takes up the model, its index and its corpus anew when a file is replaced
  bool rename = false;               ///< lets people name topics and labels, which writes the model's file
  std::filesystem::path feedback;    ///< where to note what people say of suggestions; empty: nowhere
  /// Told in a line what befalls the server, beside the log. From several threads.
  std::function<void(const std::string&)> say;
  /// Called at most once, by Server(): it answers, but the index is still to be made.
  std::function<void(int port, bool is_public)> while_indexing;
};

/// Works out what a server of this model needs before it can answer, if the index does not have it yet, and writes the
/// index with it. A file that cannot be written leaves a note in the index.
void prepare_to_serve(const Model& model, const std::filesystem::path& path, SearchIndex& index, const Run& run);

/// A model over HTTP: the API below /api/v1, the explorer page at /. docs/serve.md
class Server {
 public:
  /// Answers at once, on a thread of its own: the page is there, and who asks for more waits instead of failing. Then
  /// loads the model, and makes its index if there is none: until that is there, searches look at all documents, and
  /// there is no map. Throws Error, Interrupted.
  Server(const std::filesystem::path& model, const ServeOptions& options, const Run& run);
  ~Server();

  int port() const;
  /// Whether anybody but this machine can ask.
  bool is_public() const;
  /// For a line each to the user.
  std::vector<std::string> notes() const;
  /// Opens the log and the file of feedback anew, and takes up the model, its index and its corpus anew, on a thread of
  /// its own. Requests go on with the old ones meanwhile, and afterwards too if the new ones are of no use; the log and
  /// /healthz tell. Returns at once. From any thread, and from a signal handler.
  void reload() noexcept;
  /// Answers until stopped(), of this Run or the one it was made with; then ends what has begun, for ten seconds at
  /// most. False if a thread is still at work on an answer then, which nobody will get; the destructor waits for it.
  bool serve(const Run& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
