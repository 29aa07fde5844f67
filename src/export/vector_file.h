#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "idne/output_file.h"
#include "idne/vectors.h"

namespace idne {

/// Rows in order to a file, or to standard output for "-". What cannot be gone back to gets its .npy when all rows are
/// known.
class VectorFile {
 public:
  VectorFile(const std::filesystem::path& path, VectorFormat format, std::size_t columns);
  /// From now on names go to FILE.ids.txt, a line each: an .npy holds none. False, and they do not, where the file is
  /// no regular one.
  bool put_names_beside();
  void write_name(std::string_view name);
  void write(std::string_view bytes, std::size_t rows);
  /// The number of rows.
  std::uint64_t commit();

 private:
  void put(std::string_view bytes);

  std::filesystem::path path_;
  std::optional<OutputFile> file_, names_;
  bool waits_ = false;
  VectorFormat format_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::string waiting_;
};

}  // namespace idne
