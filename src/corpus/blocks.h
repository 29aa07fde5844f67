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
/// over. Throws Error if the file cannot be read, its compression is broken, it is UTF-16, or a line is longer than any
/// document: a small compressed file can hold a line of any length.
class BlockReader {
 public:
  /// The bytes of a file, unpacked.
  struct Source {
    virtual ~Source() = default;
    /// Reads up to `size` bytes; 0 at the end.
    virtual std::size_t read(char* out, std::size_t size) = 0;
    /// Bytes of the file, as stored, that were read so far.
    virtual std::uint64_t position() const = 0;
    /// Goes on from that byte; false, and nothing happens, if the file is compressed.
    virtual bool seek(std::uint64_t) { return false; }
  };
  /// One of `count` parts of a file, about as large as the others: the lines that begin in it. Of a compressed file all
  /// is unpacked, and the blocks are passed over that are others' parts.
  struct Part {
    std::size_t number = 0, count = 1;
    std::uint64_t first_line = 1;  ///< that the part begins with; a compressed file's is known anyway
  };
  /// Opens a file that is plain, .gz or .zst.
  static std::unique_ptr<Source> open(const std::filesystem::path& path);

  explicit BlockReader(const std::filesystem::path& path, std::size_t block_bytes = kBlockBytes,
                       std::size_t longest_line = kLongestLine);
  /// The same for a file that `source` unpacks.
  BlockReader(const std::filesystem::path& path, std::unique_ptr<Source> source, std::size_t block_bytes = kBlockBytes,
              std::size_t longest_line = kLongestLine);

  /// A part of it. All parts together have each line once.
  BlockReader(const std::filesystem::path& path, const Part& part, std::size_t block_bytes = kBlockBytes);
  /// How many lines a part has, as first_line of the next one counts them; 0 of a compressed file.
  static std::uint64_t lines_of(const std::filesystem::path& path, const Part& part);

  /// The next block; false at the end.
  bool next(Block& block);
  /// Bytes of the file, as stored, that were read so far, and in all.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20, kLongestLine = std::size_t{128} << 20;

  bool next_of_all(Block& block);
  /// Takes away what is the next part's.
  void cut_to_part(Block& block);

  std::string name_;
  std::size_t block_bytes_, longest_line_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::string rest_;  ///< the beginning of a line whose end is not read yet
  bool ended_ = false;
  bool first_ = true;
  Part part_;
  bool seeks_ = false;          ///< the part was gone to, not read up to
  std::uint64_t at_ = 0;        ///< where in the file the next block begins, if so
  std::uint64_t part_end_ = 0;  ///< lines that begin here are the next part's
  std::unique_ptr<Source> source_;
};

}  // namespace idne
