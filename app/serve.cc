#include "idne/serve.h"

#include <fmt/format.h>

#include <memory>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, token_file;
  ServeOptions options;
  int threads = 1;
};

std::string read_token(const std::string& file) {
  std::string token = read_text(file);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' ')) token.pop_back();
  constexpr std::size_t kShortest = 8;
  if (token.size() < kShortest || token.find_first_of(" \t\r\n") != std::string::npos) {
    throw Error(fmt::format("{}: a token is one word of {} characters or more", file, kShortest));
  }
  return token;
}

void serve_verb(Arguments arguments) {
  if (!arguments.token_file.empty()) arguments.options.token = read_token(arguments.token_file);
  const Session session(arguments.threads);
  Server server(arguments.model, arguments.options, session.run());
  if (!server.note().empty()) fmt::print(stderr, "idne: {}\n", server.note());
  const std::string& host = arguments.options.host;
  const bool six = host.find(':') != std::string::npos;
  fmt::print(stderr, "idne: http://{}{}{}:{}/ (Ctrl-C ends it)\n", six ? "[" : "", host, six ? "]" : "", server.port());
  if (server.is_public() && arguments.options.token.empty()) {
    fmt::print(stderr,
               "idne: warning: whoever can reach this machine can ask, and read the documents; --token-file FILE asks "
               "for a token\n");
  }
  server.serve(session.run());
  fmt::print(stderr, "idne: ended\n");
}

}  // namespace

void add_serve(CLI::App& program) {
  auto* verb = program.add_subcommand("serve", "a model as a web page to explore, and over HTTP");
  const auto a = std::make_shared<Arguments>();
  ServeOptions& o = a->options;
  add_model(*verb, a->model);
  verb->add_option("--corpus", o.corpus,
                   "the corpus of the model, to show whole texts; else documents are shown by their words")
      ->type_name("CORPUS");
  verb->add_option("--host", o.host, "address to listen on; this machine alone by default")->capture_default_str();
  verb->add_option("--port", o.port, "port to listen on; 0 is any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  verb->add_option("--token-file", a->token_file, "a file with a word that clients must send: Authorization: Bearer …")
      ->type_name("FILE");
  verb->add_option("--log", o.log, "file for a line a request; - is stderr, none is none")->capture_default_str();
  verb->add_option("--allow-host", o.hosts, "another name of this machine that clients may use, such as a proxy's");
  verb->add_option("--allow-origin", o.origins, "a web page from elsewhere that may ask, as https://example.org");
  add_threads(*verb, a->threads);
  verb->footer(
      "Example:\n  idne serve my.idne --corpus corpus\n  curl -d '{\"text\": \"a planet\"}' "
      "localhost:8080/api/v1/similar");
  verb->callback([a] { serve_verb(*a); });
}

}  // namespace idne::app
