#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace idne {

/// A piece of a text file: whole lines, the first of which is line `first_line` of the file.
struct Block {
  std::string text;  ///< with room for simdjson's padding behind it
  std::uint64_t first_line = 1;
};

/// Reads a file, plain, .gz or .zst, in blocks of whole lines, holding one block at a time. A byte-order mark is passed
/// over. Throws Error if the file cannot be read or its compression is broken.
class BlockReader {
 public:
  explicit BlockReader(const std::filesystem::path& path, std::size_t block_bytes = std::size_t{1} << 18);
  ~BlockReader();

  /// The next block; false at the end.
  bool next(Block& block);
  /// Bytes of the file, as stored, that were read so far, and in all.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

  struct Source;

 private:
  std::string name_;
  std::size_t block_bytes_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::string rest_;  ///< the beginning of a line whose end is not read yet
  bool ended_ = false;
  bool first_ = true;
  std::unique_ptr<Source> source_;
};

}  // namespace idne
