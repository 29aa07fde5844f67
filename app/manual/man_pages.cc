#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual/manual.h"

namespace idne::app {
namespace {

/// Text as roff wants it. A line that begins with a dot would be an order.
std::string roff(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '`') {
      result += "\\(ga";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string name_of(const std::vector<std::string>& words) { return fmt::format("idne-{}", fmt::join(words, "-")); }

std::string value_name(const OptionSpec& spec) {
  if (!spec.shown.empty()) return spec.shown;
  return spec.is_number() ? "NUMBER" : spec.choices.empty() ? "TEXT" : "CHOICE";
}

std::string heading(const std::string& name, const std::string& summary, const std::string& version) {
  return fmt::format(".TH {} 1 \"\" \"idne {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(name), version,
                     roff(name), roff(summary));
}

std::string entry(const OptionSpec& spec) {
  std::string text = ".TP\n";
  if (spec.by_place()) {
    text += fmt::format("\\fI{}\\fR\n", roff(spec.name));
  } else {
    if (spec.letter) text += fmt::format("\\fB\\-{}\\fR, ", spec.letter);
    text += fmt::format("\\fB{}\\fR", roff(spec.written()));
    if (takes_value(spec)) text += fmt::format(" \\fI{}\\fR", roff(value_name(spec)));
    text += '\n';
  }
  text += roff(spec.help);
  if (spec.required && !spec.by_place()) text += " (needed)";
  text += '\n';
  if (!spec.choices.empty() || spec.is_number()) text += fmt::format(".br\nValues: {}\n", roff(spec.range()));
  // The number of processors is of the machine that the page is made on.
  const std::string usual = spec.name == "threads" ? "as many as the machine has" : spec.shown_default();
  if (!usual.empty()) text += fmt::format(".br\nDefault: {}\n", roff(usual));
  return text;
}

std::string remarks(const std::string& footer) {
  if (footer.empty()) return "";
  const std::size_t example = footer.find("Example:\n");
  std::string text;
  if (example != 0) text += fmt::format(".SH REMARKS\n.nf\n{}\n.fi\n", roff(footer.substr(0, example)));
  if (example != std::string::npos) {
    text += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(footer.substr(footer.find('\n', example) + 1)));
  }
  return text;
}

std::string page(const Command& command, const std::string& version) {
  std::string text = heading(name_of(command.words), command.summary, version);
  text += fmt::format(".SH SYNOPSIS\n\\fBidne {}\\fR", fmt::join(command.words, " "));
  if (!command.kinds.empty()) {
    text += " \\fIKIND\\fR \\&...\n.SH KINDS\n";
    for (const auto& [name, summary] : command.kinds) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fB{}\\-{}\\fR(1)\n", roff(name), roff(summary),
                          roff(name_of(command.words)), roff(name));
    }
  } else {
    text += " [\\fIOPTIONS\\fR]";
    for (const OptionSpec& spec : command.options) {
      if (!spec.by_place()) continue;
      const std::string name = fmt::format("\\fI{}\\fR", roff(spec.name));
      text += spec.required ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
    }
    text += "\n.SH OPTIONS\n";
    std::string under;
    for (const bool by_place : {true, false}) {
      for (const OptionSpec& spec : command.options) {
        if (spec.by_place() != by_place) continue;
        if (spec.heading != under && !spec.heading.empty()) text += fmt::format(".SS {}\n", roff(spec.heading));
        under = spec.heading;
        text += entry(spec);
      }
    }
    text += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprints a help and ends\n";
  }
  return text + remarks(command.footer) + ".SH SEE ALSO\n\\fBidne\\fR(1)\n";
}

std::string page_of_all(const std::vector<Command>& commands, const std::string& version) {
  std::string text = heading("idne", "linked documents, new documents and reasons", version);
  text +=
      ".SH SYNOPSIS\n\\fBidne\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] \\&...\n.br\n\\fBidne help\\fR \\fIVERB\\fR\n"
      ".SH DESCRIPTION\nidne learns words, topics and documents from linked texts, and gives new texts their place.\n"
      ".SH VERBS\n";
  for (const Command& command : commands) {
    if (command.words.size() > 1) continue;
    text += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fB{}\\fR(1)\n", command.words[0], roff(command.summary),
                        roff(name_of(command.words)));
  }
  return text +
         ".SH EXIT STATUS\n0 if all went well, 1 if something failed, 2 for a wrong command line, 130 and 143 after an "
         "interruption.\n.SH EXAMPLES\n.nf\nidne generate \\-o corpus\nidne train corpus \\-o my.idne\nidne topics "
         "my.idne\n.fi\n";
}

std::string page_of_processes(const std::string& version) {
  return heading("idne-mpi", "idne over several processes", version) +
         ".SH SYNOPSIS\n\\fBmpirun \\-n\\fR \\fIPROCESSES\\fR \\fBidne\\-mpi\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] "
         "\\&...\n.SH DESCRIPTION\nDoes what \\fBidne\\fR(1) does, with the same options and the same results, "
         "over the processes that mpirun or srun starts. Corpora that do not fit into one machine are spread over "
         "all.\n"
         ".SH ENVIRONMENT\n.TP\nIDNE_DELAY\nmicroseconds before every meeting of the processes, to measure what a "
         "slow network would do\n.SH SEE ALSO\n\\fBidne\\fR(1), \\fBmpirun\\fR(1)\n";
}

}  // namespace

std::vector<ManualFile> man_pages(const std::vector<Command>& commands, const std::string& version) {
  std::vector<ManualFile> pages{{"man/idne.1", page_of_all(commands, version)},
                                {"man/idne-mpi.1", page_of_processes(version)}};
  for (const Command& command : commands)
    pages.push_back({fmt::format("man/{}.1", name_of(command.words)), page(command, version)});
  return pages;
}

}  // namespace idne::app
