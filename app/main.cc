#include <new>
#include <string_view>

#include "command.h"
#include "math/buffer.h"
#include "terminal.h"

int main(int argc, char** argv) try {
  // A server's memory would grow by it, from reload to reload: bench/soak.py, docs/reliability.md.
  if (argc < 2 || std::string_view(argv[1]) != "serve") idne::keep_freed_memory();
  idne::app::open_standard_streams();
  idne::app::fail_beyond_file_limit();
  idne::app::end_without_memory();
  return idne::app::run_program({argv + 1, argv + argc});
} catch (const std::bad_alloc&) {  // so little that not even an error could be told
  idne::app::say_to_stderr("idne: error: not enough memory\n");
  return 1;
}
