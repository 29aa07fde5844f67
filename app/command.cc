#include "command.h"

namespace idne::app {

OptionSpec model_option() { return OptionSpec::input("MODEL", "a model file, as `idne train` writes it").needed(); }

OptionSpec corpus_option() { return OptionSpec::input("CORPUS", "a corpus folder, or a JSONL file").needed(); }

OptionSpec text_file_option() { return OptionSpec::input("FILE", "a text file; - is standard input").by_default("-"); }

OptionSpec format_option(std::vector<std::string> formats) {
  return OptionSpec::choice("format", std::move(formats), "form of the output");
}

}  // namespace idne::app
