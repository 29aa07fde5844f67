#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "command.h"

namespace {

/// A program may be started with its standard streams closed. Were that left so, the next file to be opened would take
/// the place of one of them, and messages would go into it.
void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest number that is free is this one. What is written to a closed stdout must fail, not vanish.
    if (::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) ::_exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  return idne::app::run_program({argv + 1, argv + argc});
}
