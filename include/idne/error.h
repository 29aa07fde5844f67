#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace idne {

/// Something that the user can mend: one line that says what is wrong and what would be right.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// "FILE:LINE: what", the form of every error about a place in an input file.
  Error(const std::string& file, std::uint64_t line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what) {}
};

/// The run was stopped through Run::stopped. Unless it says otherwise, nothing was written.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("nothing was written") {}
  using std::runtime_error::runtime_error;
};

}  // namespace idne
