#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <new>

#include "command.h"
#include "idne/error.h"
#include "processes.h"
#include "terminal.h"
#include "text/nearest_name.h"
#include "text/strings.h"
#include "verbs.h"

/// The one place that knows how a command line is read (CLI11).
namespace idne::app {
namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

void run_with(const Verb& verb, const Given& given) {
  Options options(verb.options);
  try {
    for (const auto& [name, text] : given) options.set(name, text);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  check_files(options);
  if (!verb.over_processes && leaves_to_first()) return;
  verb.run(options);
}

std::string help_of(const OptionSpec& spec) {
  return !spec.choices.empty() || spec.is_number() ? fmt::format("{} ({})", spec.help, spec.range()) : spec.help;
}

CLI::Option* add_option(CLI::App& app, const OptionSpec& spec, Given& given) {
  const std::string flags = (spec.letter ? fmt::format("-{},", spec.letter) : "") + spec.written();
  const auto take = [&given, name = spec.name](const std::string& text) { given.emplace_back(name, text); };
  CLI::Option* option = nullptr;
  if (std::holds_alternative<bool>(spec.fallback)) {
    return app.add_flag_callback(
        flags, [take] { take("true"); }, spec.help);
  }
  if (std::holds_alternative<std::vector<std::string>>(spec.fallback)) {
    option = app.add_option_function<std::vector<std::string>>(
        flags,
        [take](const std::vector<std::string>& texts) {
          for (const std::string& text : texts) take(text);
        },
        help_of(spec));
    if (!spec.by_place()) option->allow_extra_args(false);
  } else {
    option = app.add_option_function<std::string>(flags, take, help_of(spec));
  }
  option->type_name(spec.shown)->required(spec.required);
  const std::string usual = spec.shown_default();
  return usual.empty() ? option : option->default_str(usual);
}

/// `given` must live until the line is parsed.
void describe(const Verb& verb, CLI::App& app, Given& given) {
  CLI::App& own = *app.add_subcommand(verb.name, verb.summary);
  own.footer(verb.footer);
  if (!verb.kinds.empty()) {
    own.require_subcommand(1);
    for (const Verb& kind : verb.kinds) describe(kind, own, given);
    return;
  }
  for (const OptionSpec& spec : verb.options) {
    CLI::Option* option = add_option(own, spec, given);
    if (!spec.heading.empty()) option->group(spec.heading);
  }
  const auto option_of = [&](const std::string& name) {
    const auto spec =
        std::find_if(verb.options.begin(), verb.options.end(), [&](const OptionSpec& one) { return one.name == name; });
    return own.get_option(spec->written());
  };
  for (const OptionSpec& spec : verb.options) {
    for (const std::string& other : spec.excludes) option_of(spec.name)->excludes(option_of(other));
  }
  own.callback([&verb, &given] { run_with(verb, given); });
}

/// Parses and runs.
class Line {
 public:
  explicit Line(const std::vector<std::string>& arguments)
      : arguments_(asked(arguments)),
        verbs_(all_verbs(arguments_)),
        app_("idne learns words, topics and documents from linked texts, and gives new texts their place.", "idne") {
    app_.set_version_flag("--version", std::string("idne ") + IDNE_VERSION);
    app_.require_subcommand(1);
    app_.footer(
        "Example:\n"
        "  idne demo                            a tour\n"
        "  idne generate -o corpus              a small corpus to play with\n"
        "  idne train corpus -o my.idne         learn from it\n"
        "  idne topics my.idne                  what it is about\n"
        "  echo 'a planet and its moon' | idne similar my.idne\n\n"
        "`idne help VERB` tells more.");
    for (const Verb& verb : verbs_) describe(verb, app_, given_);
  }

  void run() {
    const Named named = named_on_line();
    if (!named.kinds->empty() && named.count < arguments_.size() && !arguments_[named.count].starts_with('-')) {
      throw CLI::ExtrasError({arguments_[named.count]});  // before --help of the whole, or of all kinds, is answered
    }
    app_.parse(std::vector<std::string>(arguments_.rbegin(), arguments_.rend()));  // as CLI11 wants them
  }

  void answer(const CLI::Success& asked) { app_.exit(asked); }  // --help, --version

  std::string wrong_usage(const CLI::ParseError& error) const {
    const auto [verb, kinds, next] = named_on_line();
    std::string line = "idne", what = error.what();
    for (std::size_t n = 0; n < next; ++n) line += ' ' + arguments_[n];
    if (!kinds->empty()) {
      const std::string_view noun = verb ? "kind" : "verb";
      if (next == arguments_.size()) {
        what = fmt::format("a {} is needed", noun);
      } else if (arguments_[next].starts_with('-')) {
        what = no_option(arguments_[next], {"--help", "--version"});
      } else {
        what =
            fmt::format("there is no {} '{}'{}", noun, arguments_[next], hint_at(arguments_[next], names_of(*kinds)));
      }
    } else if (verb) {
      what = told(*verb, error);
    }
    return fmt::format("{} (see `{} --help`)", what, line);
  }

 private:
  /// The verb that the line begins with, or its kind; nullptr if there is none.
  struct Named {
    const Verb* verb = nullptr;
    const std::vector<Verb>* kinds;  ///< what may be named next; empty: nothing
    std::size_t count = 0;           ///< of names up to here
  };
  Named named_on_line() const {
    Named named{nullptr, &verbs_};
    for (; named.count < arguments_.size(); ++named.count) {
      const auto next = std::ranges::find(*named.kinds, arguments_[named.count], &Verb::name);
      if (next == named.kinds->end()) break;
      named = {&*next, &next->kinds, named.count};
    }
    return named;
  }

  /// `idne help VERB` is `idne VERB --help`, and `idne help import KIND` the same of a kind.
  static std::vector<std::string> asked(std::vector<std::string> arguments) {
    if (arguments.empty() || arguments[0] != "help") return arguments;
    std::rotate(arguments.begin(), arguments.begin() + 1, arguments.end());
    arguments.back() = "--help";
    return arguments;
  }

  static std::vector<std::string> names_of(const std::vector<Verb>& verbs) {
    std::vector<std::string> names;
    for (const Verb& verb : verbs) names.push_back(verb.name);
    return names;
  }

  static std::string no_option(const std::string& name, const std::vector<std::string>& known) {
    const bool letter = name.size() <= 2;  // near to any other
    return fmt::format("there is no option '{}'{}", name, letter ? "" : hint_at(name, known));
  }

  static std::vector<std::string> options_of(const Verb& verb) {
    std::vector<std::string> known{"--help", "-h"};
    for (const OptionSpec& spec : verb.options) {
      if (!spec.by_place()) known.push_back(spec.written());
      if (spec.letter) known.push_back({'-', spec.letter});
    }
    return known;
  }

  /// Of the first option on the line that the verb does not have; nothing if there is none.
  std::string unknown_option(const Verb& verb) const {
    const std::vector<std::string> known = options_of(verb);
    for (const std::string& argument : arguments_) {
      const std::string name = argument.substr(0, argument.find('='));
      const bool option = name.starts_with("--") || (name.size() == 2 && name[0] == '-' && is_ascii_letter(name[1]));
      if (option && std::ranges::find(known, name) == known.end()) return no_option(name, known);
    }
    return "";
  }

  /// What CLI11 found wrong with a verb's arguments, in the words of the other errors.
  std::string told(const Verb& verb, const CLI::ParseError& error) const {
    const std::string what = error.what(), name = what.substr(0, what.find(':'));
    if (dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error)) {
      if (const std::string unknown = unknown_option(verb); !unknown.empty()) return unknown;
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
      const std::string rest(trimmed(what.substr(std::min(name.size() + 1, what.size()))));
      if (rest.starts_with('-')) return no_option(rest.substr(0, rest.find(' ')), options_of(verb));
      return what.starts_with("The following argument was") ? "one argument too many: " + rest : "too many arguments";
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
      const auto spec = std::ranges::find_if(
          verb.options, [&](const OptionSpec& one) { return name == one.written() || name == one.name; });
      if (what.ends_with(" missing") && spec != verb.options.end()) {
        return fmt::format("{} needs a value{}{}", name, spec->shown.empty() ? "" : ": ", spec->shown);
      }
      if (what.find("At Most") != std::string::npos) return name + " is given more than once";
    }
    return what;
  }

  const std::vector<std::string> arguments_;
  const std::vector<Verb> verbs_;
  Given given_;
  CLI::App app_;
};

Outcome interrupted(std::string_view what) {
  return {Session::interrupted_code(), fmt::format("idne: interrupted; {}\n", what)};
}

Outcome failed(int code, std::string message) {
  message = printable_line(message);
  while (message.ends_with(' ')) message.pop_back();
  return {code, fmt::format("idne: error: {}\n", message)};
}

}  // namespace

void run_verb(const std::vector<std::string>& arguments) { Line(arguments).run(); }

Outcome outcome_of(const std::vector<std::string>& arguments) try {
  Line line(arguments);
  try {
    line.run();
    return {};
  } catch (const CLI::Success& asked) {
    if (speaks()) line.answer(asked);
    return std::cout.flush() ? Outcome{} : failed(1, "stdout: cannot write");
  } catch (const CLI::ParseError& error) {
    return failed(2, line.wrong_usage(error));
  } catch (const UsageError& error) {
    return failed(2, error.what());
  } catch (const Error& error) {
    return Session::interrupted() ? interrupted(Interrupted().what()) : failed(1, error.what());
  } catch (const Interrupted& stop) {
    return interrupted(stop.what());
  } catch (const std::bad_alloc&) {
    return failed(1, "not enough memory");
  } catch (const std::exception& error) {
    return failed(1, error.what());
  }
} catch (const std::bad_alloc&) {  // not even the table of verbs could be made
  return failed(1, "not enough memory");
}

int run_program(const std::vector<std::string>& arguments) {
  const Outcome outcome = outcome_of(arguments);
  say_to_stderr(outcome.message);
  return outcome.code;
}

}  // namespace idne::app
