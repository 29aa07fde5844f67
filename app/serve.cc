#include "idne/serve.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

void check_token(std::string_view token, const std::string& where) {
  constexpr std::size_t kShortest = 8;
  if (token.size() >= kShortest && token.find_first_of(" \t\r") == std::string_view::npos) return;
  throw Error(fmt::format("{}: a token is one word of {} characters or more", where, kShortest));
}

/// One word, which gives all rights; or lines of a name, "read" or "feedback", and a word, with notes after "#".
std::vector<AccessToken> read_tokens(const std::string& file) {
  std::vector<AccessToken> tokens;
  std::istringstream lines(read_text(file));
  std::string line;
  bool single = false;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    std::istringstream words(line);
    std::vector<std::string> parts{std::istream_iterator<std::string>(words), {}};
    if (parts.empty() || parts[0].starts_with('#')) continue;
    if (single) throw Error(fmt::format("{}: a token without a name is the only one", where));
    single = parts.size() == 1 && tokens.empty();
    if (single) {
      check_token(parts[0], where);
      tokens.push_back({"", parts[0], true});
      continue;
    }
    if (parts.size() != 3 || (parts[1] != "read" && parts[1] != "feedback")) {
      throw Error(fmt::format("{}: a name, \"read\" or \"feedback\", and a token are expected", where));
    }
    check_token(parts[2], where);
    tokens.push_back({parts[0], parts[2], parts[1] == "feedback"});
  }
  if (tokens.empty()) throw Error(fmt::format("{}: there is no token in it", file));
  return tokens;
}

/// SIGHUP while a server runs: it takes up the model anew, and opens its log anew. Where the terminal that the program
/// was started in goes away, it ends the program, as it always did, unless nohup asked for the contrary.
class Hangups {
 public:
  Hangups() {
    struct sigaction before {};
    ::sigaction(SIGHUP, nullptr, &before);
    ends_with_terminal = before.sa_handler != SIG_IGN && has_terminal();
    asked = false;
    struct sigaction action {};
    action.sa_handler = &Hangups::on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGHUP, &action, nullptr);
  }
  ~Hangups() {
    ::signal(SIGHUP, SIG_IGN);
    server = nullptr;
  }
  Hangups(const Hangups&) = delete;
  Hangups& operator=(const Hangups&) = delete;

  /// From now on; also for a signal that came while the server started.
  static void go_to(Server& one) {
    server = &one;
    if (asked) one.reload();
  }

 private:
  static bool has_terminal() {
    const int descriptor = ::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0;
  }
  static void on_signal(int) {
    const int code = errno;
    asked = true;
    if (ends_with_terminal && !has_terminal()) {
      ::raise(SIGTERM);
    } else if (Server* const one = server) {
      one->reload();
    }
    errno = code;
  }

  static inline std::atomic<Server*> server{nullptr};
  static inline std::atomic<bool> asked{false}, ends_with_terminal{false};
  static_assert(std::atomic<Server*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
};

void serve(const Options& options) {
  ServeOptions how;
  how.corpus = options.text("corpus");
  how.host = options.text("host");
  how.port = static_cast<int>(options.integer("port"));
  how.log = options.text("log");
  how.hosts = options.list("allow-host");
  how.origins = options.list("allow-origin");
  how.proxies = options.list("trust-proxy");
  how.client_rate = options.real("client-rate");
  how.client_work = options.size("client-work");
  how.deadline = options.real("deadline");
  how.watch = options.flag("watch");
  how.rename = options.flag("rename");
  how.feedback = options.text("feedback");
  if (how.log != "-") how.say = [](const std::string& what) { tell("idne: {}\n", printable_line(what)); };
  if (options.given("token-file")) how.tokens = read_tokens(options.text("token-file"));
  const Session session(threads_of(options));
  std::optional<Hangups> hangups(std::in_place);
  bool told = false;
  const auto tell_address = [&](int port, bool is_public) {
    const bool six = how.host.find(':') != std::string::npos;
    tell("idne: http://{}{}{}:{}/ (Ctrl-C ends it)\n", six ? "[" : "", how.host, six ? "]" : "", port);
    if (is_public && how.tokens.empty()) {
      tell(
          "idne: warning: whoever can reach this machine can ask, and read the documents; --token-file FILE asks for a "
          "token\n");
    }
    told = true;
  };
  how.while_indexing = [&](int port, bool is_public) {
    tell_address(port, is_public);
    tell("idne: the index is being made; until it is there, searches look at all documents, and there is no map\n");
  };
  std::optional<Server> started;
  try {
    started.emplace(options.text("MODEL"), how, session.run());
  } catch (const Interrupted& stop) {
    if (!told) throw;
    tell("idne: ended; {}\n", printable_line(stop.what()));
    return;
  }
  Server& server = *started;
  for (const std::string& note : server.notes()) tell("idne: {}\n", printable_line(note));
  if (told) {
    tell("idne: the index is there\n");
  } else {
    tell_address(server.port(), server.is_public());
  }
  Hangups::go_to(server);
  const bool at_rest = server.serve(session.run());
  hangups.reset();  // while the server is still there
  tell("idne: ended\n");
  if (!at_rest) std::_Exit(0);  // what a thread still works on would keep the program for as long as it likes
}

}  // namespace

Verb serve_verb() {
  const ServeOptions usual;
  return {
      "serve",
      "a model as a web page to explore, and over HTTP",
      {model_option(),
       OptionSpec::input("corpus",
                         "the corpus of the model, to show whole texts; else documents are shown by their words")
           .called("CORPUS"),
       OptionSpec::text("host", usual.host, "address to listen on; this machine alone by default"),
       OptionSpec::whole("port", usual.port, "port to listen on; 0 is any that is free").within(0, 65535),
       OptionSpec::input("token-file",
                         "a file with the word that clients must send (Authorization: Bearer …), or with one per name")
           .called("FILE"),
       written_as_file(OptionSpec::text("log", usual.log, "file for a line per request; - is stderr, none is none"),
                       {"none"}),
       OptionSpec::flag("watch", "take up the model anew when its file is replaced; SIGHUP does that at any time"),
       written_as_file(
           OptionSpec::text("feedback", "", "let people accept and reject suggestions, and append that to this file")
               .called("FILE")),
       OptionSpec::flag("rename",
                        "let people name topics and labels; the names are stored in MODEL, as `topics --name` does"),
       OptionSpec::list("allow-host", "another name of this machine that clients may use, such as a proxy's"),
       OptionSpec::list("allow-origin", "a web page from elsewhere that may ask, as https://example.org"),
       OptionSpec::list("trust-proxy", "a proxy's address whose X-Forwarded-For is believed, for the log and limits"),
       OptionSpec::real("client-rate", 0,
                        "requests per second that one client may make, four seconds' worth at once; 0 is any number")
           .within(0, 1e6),
       OptionSpec::whole("client-work", 0, "requests of one client that may wait or be worked on; 0 is any number")
           .within(0, 100000),
       OptionSpec::real("deadline", usual.deadline,
                        "seconds after which a request that is still worked on is stopped; 0 is never")
           .within(0, 86400),
       threads_option()},
      "Example:\n  idne serve my.idne --corpus corpus\n  curl -d '{\"text\": \"a planet\"}' "
      "localhost:8080/api/v1/similar",
      serve};
}

}  // namespace idne::app
