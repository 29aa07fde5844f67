#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/manual.h"
#include "text/strings.h"

namespace idne::app {
namespace {

std::string spaced(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// What can be given for it, if that can be listed.
std::vector<std::string> values_of(const OptionSpec& spec) {
  if (!spec.choices.empty()) return spec.choices;
  if (!spec.word.empty()) return {spec.word};
  return {};
}

std::vector<std::string> names_of(const OptionSpec& spec) {
  std::vector<std::string> names{spec.written()};
  if (spec.letter) names.push_back(fmt::format("-{}", spec.letter));
  return names;
}

std::vector<std::string> verbs_of(const std::vector<Command>& commands) {
  std::vector<std::string> verbs;
  for (const Command& command : commands) {
    if (command.words.size() == 1) verbs.push_back(command.words[0]);
  }
  return verbs;
}

/// Each of these characters with a backslash before it.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// Between single quotes, for zsh as for bash.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

ManualFile bash_completion(const std::vector<Command>& commands) {
  std::string options, values;
  for (const Command& command : commands) {
    std::vector<std::string> names;
    std::string listed;  // what may stand by its place, behind the files before it
    std::size_t place = 1 + command.words.size();
    for (const auto& [name, summary] : command.kinds) names.push_back(name);
    for (const OptionSpec& spec : command.options) {
      if (spec.by_place()) {
        if (!spec.choices.empty()) listed = fmt::format(" from={} places='{}'", place, spaced(spec.choices));
        ++place;
        continue;
      }
      for (const std::string& name : names_of(spec)) {
        names.push_back(name);
        if (!takes_value(spec)) continue;
        // What cannot be listed and is no file is left to who types it.
        const std::vector<std::string> known = values_of(spec);
        if (known.empty() && takes_file(spec)) continue;
        values += fmt::format("    '{} {}') values='{}' ;;\n", spaced(command.words), name, spaced(known));
      }
    }
    names.emplace_back("--help");
    options += fmt::format("    '{}') names='{}'{} ;;\n", spaced(command.words), spaced(names), listed);
  }
  const std::string verbs = spaced(verbs_of(commands));
  return {"bash/idne", fmt::format(R"(# bash completion for idne, made from its tables of options
_idne() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command='' names='' values=none places='' from=0 k
  COMPREPLY=()
  # bash takes --method=idne for three words
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $before == '=' ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  for ((k = 1; k < COMP_CWORD; ++k)); do
    [[ ${{COMP_WORDS[k]}} == -* ]] && break
    [[ $k == 1 && ${{COMP_WORDS[k]}} == help ]] && continue
    [[ -n $command && $command != import ]] && break
    command+=${{command:+ }}${{COMP_WORDS[k]}}
  done
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W '{0} help --help --version' -- "$current"))
    return
  fi
  case "$command $before" in
{1}  esac
  if [[ $values != none ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    [[ -n $values ]] || compopt +o default 2>/dev/null
    return
  fi
  case "$command" in
{2}  esac
  if [[ $current == -* || $command == import ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$current"))
  elif [[ -n $places ]] && ((COMP_CWORD >= from)); then
    COMPREPLY=($(compgen -W "$places" -- "$current"))
  fi
}}
complete -o default -F _idne idne idne-mpi
)",
                                   verbs, values, options)};
}

ManualFile zsh_completion(const std::vector<Command>& commands) {
  std::string verbs, cases;
  for (const Command& command : commands) {
    if (command.words.size() == 1) {
      verbs +=
          fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", command.words[0], escaped(command.summary, ":\\"))));
    }
    if (!command.kinds.empty()) {
      std::string kinds;
      for (const auto& [name, summary] : command.kinds) {
        kinds += fmt::format(" {}", in_quotes(fmt::format("{}:{}", name, escaped(summary, ":\\"))));
      }
      cases += fmt::format(
          "    '{}')\n      local -a kinds=({} )\n      if (( CURRENT == 2 )); then\n        _describe kind kinds\n"
          "      else\n        shift words\n        (( CURRENT-- ))\n        _idne_command \"$1 $words[1]\"\n      "
          "fi\n      ;;\n",
          spaced(command.words), kinds);
      continue;
    }
    std::string arguments;
    for (const OptionSpec& spec : command.options) {
      const std::string help = escaped(spec.help, "[]:\\");
      std::string action;
      if (takes_value(spec)) {
        const std::vector<std::string> known = values_of(spec);
        action = fmt::format(":value:{}", !known.empty()     ? fmt::format("({})", spaced(known))
                                          : takes_file(spec) ? "_files"
                                                             : "( )");
      }
      const bool several = std::holds_alternative<std::vector<std::string>>(spec.fallback);
      if (spec.by_place()) {
        const std::string offered = spec.choices.empty() ? "_files" : fmt::format("({})", spaced(spec.choices));
        arguments +=
            fmt::format(" \\\n        {}", in_quotes(fmt::format("{}:{}:{}", several ? "*" : "", spec.name, offered)));
        continue;
      }
      for (const std::string& name : names_of(spec)) {
        arguments += fmt::format(" \\\n        {}",
                                 in_quotes(fmt::format("{}{}[{}]{}", several ? "*" : "", name, help, action)));
      }
    }
    cases += fmt::format("    '{}')\n      _arguments '--help[prints a help]'{}\n      ;;\n", spaced(command.words),
                         arguments);
  }
  return {"zsh/_idne", fmt::format(R"(#compdef idne idne-mpi
# zsh completion for idne, made from its tables of options
_idne_command() {{
  case "$1" in
{1}  esac
}}
_idne() {{
  local -a verbs=(
{0}    'help:tells more of a verb'
  )
  if (( CURRENT > 2 )) && [[ $words[2] == help ]]; then
    shift words
    (( CURRENT-- ))
  fi
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  shift words
  (( CURRENT-- ))
  _idne_command "$words[1]"
}}
_idne "$@"
)",
                                   verbs, cases)};
}

ManualFile fish_completion(const std::vector<Command>& commands) {
  const auto fish = [](std::string_view text) { return fmt::format("'{}'", escaped(text, "'\\")); };
  std::string lines = fmt::format(R"(# fish completion for idne, made from its tables of options
complete -c idne -f -n __fish_use_subcommand -a help -d 'tells more of a verb'
complete -c idne -f -n '__fish_seen_subcommand_from help; and not __fish_seen_subcommand_from {0}' -a '{0}'
)",
                                  spaced(verbs_of(commands)));
  for (const Command& command : commands) {
    std::string when = fmt::format("__fish_seen_subcommand_from {}", command.words.back());
    if (command.words.size() == 1) {
      lines += fmt::format("complete -c idne -f -n __fish_use_subcommand -a {} -d {}\n", command.words[0],
                           fish(command.summary));
    } else {
      when = fmt::format("__fish_seen_subcommand_from {}; and {}", command.words[0], when);
    }
    for (const auto& [name, summary] : command.kinds) {
      lines += fmt::format("complete -c idne -f -n {} -a {} -d {}\n", fish(when), name, fish(summary));
    }
    for (const OptionSpec& spec : command.options) {
      if (spec.by_place()) {
        if (spec.choices.empty()) continue;
        lines += fmt::format("complete -c idne -n {} -a {} -d {}\n", fish(when), fish(spaced(spec.choices)), spec.name);
        continue;
      }
      const std::string written = spec.written();
      lines += fmt::format("complete -c idne -n {}", fish(when));
      lines += written.starts_with("--") ? fmt::format(" -l {}", written.substr(2))
                                         : fmt::format(" -s {}", written.substr(1));
      if (spec.letter) lines += fmt::format(" -s {}", spec.letter);
      if (takes_value(spec)) {
        const std::vector<std::string> known = values_of(spec);
        lines += !known.empty() ? fmt::format(" -x -a {}", fish(spaced(known))) : takes_file(spec) ? " -r -F" : " -x";
      }
      lines += fmt::format(" -d {}\n", fish(spec.help));
    }
  }
  return {"fish/idne.fish", lines};
}

}  // namespace idne::app
