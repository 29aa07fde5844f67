#include "corpus/left_out.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "idne/error.h"

namespace idne {

LeftOut::LeftOut(const std::filesystem::path& file) {
  if (file.empty()) return;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    throw Error(fmt::format("{}: cannot open: {}", file.string(), std::strerror(in ? EISDIR : errno)));
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // with which some editors begin a file
  bool first = true;
  for (std::string line; std::getline(in, line);) {
    if (std::exchange(first, false) && line.starts_with(kMark)) line.erase(0, kMark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) ids_.insert(std::move(line));
  }
  if (in.bad()) throw Error(file.string() + ": cannot read");
}

}  // namespace idne
