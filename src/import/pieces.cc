#include "import/pieces.h"

#include <bzlib.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "corpus/blocks.h"
#include "idne/error.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

class BlockPieces : public Pieces {
 public:
  explicit BlockPieces(const fs::path& path) : reader_(path, kPiece) {}
  std::string_view next() override { return reader_.next(block_) ? std::string_view(block_.text) : ""; }
  std::uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::uint64_t bytes() const override { return reader_.bytes(); }

 private:
  BlockReader reader_;
  Block block_;
};

/// .bz2, also of several streams one behind the other, as Wikipedia's are.
class Bzip2Pieces : public Pieces {
 public:
  explicit Bzip2Pieces(const fs::path& path)
      : name_(path.string()), file_(std::fopen(name_.c_str(), "rb"), &std::fclose), packed_(kPiece), piece_(kPiece) {
    if (!file_) throw Error(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
    std::error_code none;
    if (fs::is_regular_file(path, none)) bytes_ = fs::file_size(path, none);
  }
  ~Bzip2Pieces() override {
    if (open_) BZ2_bzDecompressEnd(&stream_);
  }
  std::string_view next() override {
    stream_.next_out = piece_.data();
    stream_.avail_out = static_cast<unsigned>(piece_.size());
    while (stream_.avail_out > 0 && (stream_.avail_in > 0 || read())) unpack();
    return {piece_.data(), piece_.size() - stream_.avail_out};
  }
  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  /// False at the end.
  bool read() {
    const std::size_t size = std::fread(packed_.data(), 1, packed_.size(), file_.get());
    if (std::ferror(file_.get())) throw Error(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    if (size == 0 && open_) throw Error(name_ + ": cannot read: the compressed file is cut off");
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<unsigned>(size);
    bytes_read_ += size;
    return size > 0;
  }
  void unpack() {
    if (!open_ && BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    open_ = true;
    const int code = BZ2_bzDecompress(&stream_);
    if (code != BZ_OK && code != BZ_STREAM_END) throw Error(name_ + ": cannot read: the compressed file is broken");
    if (code == BZ_OK) return;
    BZ2_bzDecompressEnd(&stream_);
    open_ = false;
  }

  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::vector<char> packed_, piece_;
  bz_stream stream_{};
  bool open_ = false;  ///< within a stream
  std::uint64_t bytes_ = 0, bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Pieces> open_pieces(const fs::path& path) {
  if (path.extension() == ".bz2") return std::make_unique<Bzip2Pieces>(path);
  return std::make_unique<BlockPieces>(path);
}

}  // namespace idne
