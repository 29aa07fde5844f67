#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/blocks.h"

/// The one way in which imports open files.
namespace idne {

/// The bytes of a file, unpacked as the ending of its name says: plain, .gz and .zst as a corpus is read, .bz2, .xz,
/// .lzma, .lz4 and .7z by libarchive. Of a .7z the file that is called `inside` is read, or without a name its only
/// one. Throws Error with the file's name, also later from read(), if it cannot be read, is broken or is cut off.
std::unique_ptr<BlockReader::Source> open_unpacked(const std::filesystem::path& path, std::string_view inside = {});

/// The endings of files that are unpacked, most welcome first.
std::span<const std::string_view> packed_endings();
/// "table.tsv" of "table.tsv.gz".
std::filesystem::path without_packing(const std::filesystem::path& path);

/// So many bytes a piece has, but for the last one.
constexpr std::size_t kPiece = std::size_t{1} << 20;

/// A file, unpacked, piece by piece without regard to lines, so that no line is too long to be held. A byte-order mark
/// of UTF-8 is passed over.
class Pieces {
 public:
  explicit Pieces(const std::filesystem::path& path, std::string_view inside = {});
  Pieces(std::string name, std::unique_ptr<BlockReader::Source> source);
  /// The next piece, which lasts until the next call; empty at the end.
  std::string_view next();
  /// Bytes of the file, as stored, that were read so far, and in all; 0 in all where that is not known.
  std::uint64_t bytes_read() const { return source_->position(); }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<BlockReader::Source> source_;
  std::uint64_t bytes_ = 0;
  std::vector<char> buffer_;
  bool first_ = true, ended_ = false;
};

}  // namespace idne
