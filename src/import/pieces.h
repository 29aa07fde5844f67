#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace idne {

/// About so many bytes a piece has.
constexpr std::size_t kPiece = std::size_t{1} << 20;

/// A file, unpacked, piece by piece.
class Pieces {
 public:
  virtual ~Pieces() = default;
  /// The next piece; empty at the end.
  virtual std::string_view next() = 0;
  /// Bytes of the file, as stored, that were read so far, and in all.
  virtual std::uint64_t bytes_read() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// Opens a file that is plain, .gz, .zst or .bz2.
std::unique_ptr<Pieces> open_pieces(const std::filesystem::path& path);

}  // namespace idne
