#include <fmt/format.h>

#include <exception>
#include <iostream>
#include <new>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {

void add_threads(CLI::App& verb, int& threads) {
  threads = hardware_threads();
  verb.add_option("--threads", threads, "number of threads; no result depends on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& formats) {
  format = formats.front();
  verb.add_option("--format", format, "form of the output")->check(CLI::IsMember(formats))->capture_default_str();
}

void add_model(CLI::App& verb, std::string& model) {
  verb.add_option("MODEL", model, "a model file, as `idne train` writes it")->required();
}

CLI::Option* add_text_file(CLI::App& verb, std::string& file) {
  file = "-";
  return verb.add_option("FILE", file, "a text file; - is standard input")->capture_default_str();
}

namespace {

int interrupted(std::string_view what) {
  fmt::print(stderr, "idne: interrupted; {}\n", what);
  return Session::interrupted_code();
}

int fail(int code, std::string message) {
  message = printable_line(message);
  while (message.ends_with(' ')) message.pop_back();
  fmt::print(stderr, "idne: error: {}\n", message);
  return code;
}

void add_verbs(CLI::App& program, const std::vector<std::string>& arguments) {
  add_train(program, arguments);
  add_info(program);
  add_topics(program);
  add_explain(program);
  add_suggest(program);
  add_similar(program);
  add_embed(program);
  add_export(program);
  add_evaluate(program);
  add_generate(program);
  add_import(program);
  add_check(program);
  add_demo(program);
  add_serve(program);
}

}  // namespace

void run_verb(const std::vector<std::string>& arguments) {
  CLI::App program;
  add_verbs(program, arguments);
  program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // as CLI11 wants them
}

namespace {

int run(int argc, char** argv) {
  CLI::App program{"idne learns words, topics and documents from linked texts, and gives new texts their place.",
                   "idne"};
  program.set_version_flag("--version", std::string("idne ") + IDNE_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Example:\n"
      "  idne demo                            a tour\n"
      "  idne generate -o corpus              a small corpus to play with\n"
      "  idne train corpus -o my.idne         learn from it\n"
      "  idne topics my.idne                  what it is about\n"
      "  echo 'a planet and its moon' | idne similar my.idne\n\n"
      "`idne VERB --help` tells more.");
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  add_verbs(program, arguments);
  try {
    program.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked) {  // --help, --version
    program.exit(asked);
    return std::cout.flush() ? 0 : fail(1, "stdout: cannot write");
  } catch (const CLI::ParseError& error) {
    const auto verbs = program.get_subcommands();
    if (!verbs.empty()) return fail(2, fmt::format("{} (see `idne {} --help`)", error.what(), verbs[0]->get_name()));
    const std::string what =
        arguments.empty() ? "a verb is needed" : fmt::format("there is no verb '{}'", arguments[0]);
    return fail(2, what + " (see `idne --help`)");
  } catch (const UsageError& error) {
    return fail(2, error.what());
  } catch (const Error& error) {
    return Session::interrupted() ? interrupted(Interrupted().what()) : fail(1, error.what());
  } catch (const Interrupted& stop) {
    return interrupted(stop.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "not enough memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace
}  // namespace idne::app

int main(int argc, char** argv) { return idne::app::run(argc, argv); }
