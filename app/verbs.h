#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

/// One file a verb: each adds its subcommand, with what it does as the callback.
namespace idne::app {

/// `arguments` are the program's, for the verb whose options depend on one of them.
void add_train(CLI::App& program, const std::vector<std::string>& arguments);
void add_info(CLI::App& program);
void add_embed(CLI::App& program);
void add_topics(CLI::App& program);
void add_explain(CLI::App& program);
void add_similar(CLI::App& program);
void add_suggest(CLI::App& program);
void add_export(CLI::App& program);
void add_generate(CLI::App& program);
void add_import(CLI::App& program);
void add_check(CLI::App& program);
void add_evaluate(CLI::App& program);
void add_demo(CLI::App& program);
void add_serve(CLI::App& program);

/// Does what `idne ARGUMENTS…` does; throws what that would report.
void run_verb(const std::vector<std::string>& arguments);

// Options that several verbs have.
void add_threads(CLI::App& verb, int& threads);
void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& formats);
void add_model(CLI::App& verb, std::string& model);
/// A text: FILE, or "-" for stdin, which is also the default.
CLI::Option* add_text_file(CLI::App& verb, std::string& file);

}  // namespace idne::app
