#include <string_view>

#include "command.h"
#include "math/buffer.h"
#include "terminal.h"

int main(int argc, char** argv) {
  // A server's memory would grow by it, from reload to reload: bench/soak.py, docs/reliability.md.
  if (argc < 2 || std::string_view(argv[1]) != "serve") idne::keep_freed_memory();
  idne::app::open_standard_streams();
  return idne::app::run_program({argv + 1, argv + argc});
}
