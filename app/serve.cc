#include "idne/serve.h"

#include <cstdlib>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

std::string read_token(const std::string& file) {
  std::string token = read_text(file);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' ')) token.pop_back();
  constexpr std::size_t kShortest = 8;
  if (token.size() < kShortest || token.find_first_of(" \t\r\n") != std::string::npos) {
    throw Error(fmt::format("{}: a token is one word of {} characters or more", file, kShortest));
  }
  return token;
}

void serve(const Options& options) {
  ServeOptions how;
  how.corpus = options.text("corpus");
  how.host = options.text("host");
  how.port = static_cast<int>(options.integer("port"));
  how.log = options.text("log");
  how.hosts = options.list("allow-host");
  how.origins = options.list("allow-origin");
  if (options.given("token-file")) how.token = read_token(options.text("token-file"));
  const Session session(threads_of(options));
  Server server(options.text("MODEL"), how, session.run());
  if (!server.note().empty()) tell("idne: {}\n", server.note());
  const bool six = how.host.find(':') != std::string::npos;
  tell("idne: http://{}{}{}:{}/ (Ctrl-C ends it)\n", six ? "[" : "", how.host, six ? "]" : "", server.port());
  if (server.is_public() && how.token.empty()) {
    tell(
        "idne: warning: whoever can reach this machine can ask, and read the documents; --token-file FILE asks for a "
        "token\n");
  }
  const bool at_rest = server.serve(session.run());
  tell("idne: ended\n");
  if (!at_rest) std::_Exit(0);  // what a thread still works on would keep the program for as long as it likes
}

}  // namespace

Verb serve_verb() {
  const ServeOptions usual;
  return {"serve",
          "a model as a web page to explore, and over HTTP",
          {model_option(),
           OptionSpec::input("corpus",
                             "the corpus of the model, to show whole texts; else documents are shown by their words")
               .called("CORPUS"),
           OptionSpec::text("host", usual.host, "address to listen on; this machine alone by default"),
           OptionSpec::whole("port", usual.port, "port to listen on; 0 is any that is free").within(0, 65535),
           OptionSpec::input("token-file", "a file with a word that clients must send: Authorization: Bearer …")
               .called("FILE"),
           written_as_file(OptionSpec::text("log", usual.log, "file for a line per request; - is stderr, none is none"),
                           {"none"}),
           OptionSpec::list("allow-host", "another name of this machine that clients may use, such as a proxy's"),
           OptionSpec::list("allow-origin", "a web page from elsewhere that may ask, as https://example.org"),
           threads_option()},
          "Example:\n  idne serve my.idne --corpus corpus\n  curl -d '{\"text\": \"a planet\"}' "
          "localhost:8080/api/v1/similar",
          serve};
}

}  // namespace idne::app
