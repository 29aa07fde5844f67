#include "command.h"
#include "math/buffer.h"
#include "terminal.h"

int main(int argc, char** argv) {
  idne::keep_freed_memory();
  idne::app::open_standard_streams();
  return idne::app::run_program({argv + 1, argv + argc});
}
