#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "import/pieces.h"

namespace idne {

/// The fields of one paragraph by their names in lower case. Lines that go on are joined by newlines, without the space
/// that marks them.
using Paragraph = std::map<std::string, std::string, std::less<>>;

/// "" if there is no such field.
std::string_view field(const Paragraph& paragraph, std::string_view name);

/// A file of paragraphs as Debian's lists of packages are, plain or as apt may have compressed it. Throws Error.
class ControlFile {
 public:
  explicit ControlFile(const std::filesystem::path& path) : pieces_(path) {}
  /// Reads the next paragraph; false at the end of the file.
  bool next(Paragraph& paragraph);
  /// Throws Error that names the file and the line that was read last.
  [[noreturn]] void fail(const std::string& what) const;
  std::uint64_t bytes_read() const { return pieces_.bytes_read(); }

 private:
  bool next_line(std::string_view& line);
  void read_on();

  Pieces pieces_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of the line that comes next
  bool ended_ = false;
  std::uint64_t number_ = 0;  ///< of the line that was given last
};

}  // namespace idne
