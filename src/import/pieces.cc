#include "import/pieces.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "idne/error.h"
#include "import/files.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// How libarchive is told to read a file.
struct Packing {
  std::string_view ending;
  int filter;  ///< that must be found in the file; else any file would pass for one that is not packed
  int (*support)(archive*);
};

/// Not all that libarchive knows: some of its filters start other programs.
constexpr std::array<Packing, 4> kFilters{{{".bz2", ARCHIVE_FILTER_BZIP2, archive_read_support_filter_bzip2},
                                           {".xz", ARCHIVE_FILTER_XZ, archive_read_support_filter_xz},
                                           {".lzma", ARCHIVE_FILTER_LZMA, archive_read_support_filter_lzma},
                                           {".lz4", ARCHIVE_FILTER_LZ4, archive_read_support_filter_lz4}}};
constexpr std::string_view k7zip = ".7z";

std::uint64_t stored_bytes(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  return error ? 0 : bytes;
}

class ArchiveSource : public BlockReader::Source {
 public:
  explicit ArchiveSource(const fs::path& path)
      : name_(path.string()), bytes_(stored_bytes(path)), archive_(archive_read_new(), &archive_read_free) {
    if (!archive_) throw std::bad_alloc();
    if (std::error_code none; fs::is_directory(path, none)) {
      throw Error(name_ + ": is a folder; a file is needed here");
    }
  }

  std::size_t read(char* out, std::size_t size) override {
    if (ended_) return 0;
    const la_ssize_t read = archive_read_data(archive_.get(), out, size);
    if (read < 0) fail();
    ended_ = read == 0;
    if (ended_) check_end();
    return static_cast<std::size_t>(read);
  }
  std::uint64_t position() const override {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1)));
  }

 protected:
  /// Called once, behind the last byte.
  virtual void check_end() = 0;

  void open() {
    constexpr std::size_t kBlock = 1 << 17;
    if (archive_read_open_filename(archive_.get(), name_.c_str(), kBlock) != ARCHIVE_OK) fail();
  }
  /// Goes to the next file in there; a null pointer if there is none.
  archive_entry* next_entry() {
    archive_entry* entry = nullptr;
    const int code = archive_read_next_header(archive_.get(), &entry);
    if (code != ARCHIVE_OK && code != ARCHIVE_EOF) fail();
    return code == ARCHIVE_EOF ? nullptr : entry;
  }
  [[noreturn]] void fail() const {
    const int number = archive_errno(archive_.get());
    const char* why = archive_error_string(archive_.get());
    if (number == ENOENT || number == EACCES) why = std::strerror(number);
    fail(why ? why : "the compressed file is broken");
  }
  [[noreturn]] void fail(std::string_view why) const { throw Error(fmt::format("{}: cannot read: {}", name_, why)); }

  std::string name_;
  std::uint64_t bytes_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  bool ended_ = false;
};

/// One file, compressed; also in several streams one behind the other, as Wikipedia's are.
class FilterSource : public ArchiveSource {
 public:
  FilterSource(const fs::path& path, const Packing& packing) : ArchiveSource(path) {
    packing.support(archive_.get());
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    open();
    ended_ = !next_entry();
    if (archive_filter_code(archive_.get(), 0) != packing.filter) {
      fail(fmt::format("is no {} file, or is cut off", packing.ending));
    }
  }

 private:
  void check_end() override {
    if (bytes_ > position()) fail("the compressed file is broken: it goes on behind its end");
  }
};

/// A file in a .7z.
class SevenZipSource : public ArchiveSource {
 public:
  SevenZipSource(const fs::path& path, std::string_view inside) : ArchiveSource(path), any_(inside.empty()) {
    archive_read_support_format_7zip(archive_.get());
    open();
    if (!find(inside)) fail(any_ ? "holds no file" : fmt::format("holds no {}", inside));
  }

 private:
  bool find(std::string_view inside) {
    while (archive_entry* entry = next_entry()) {
      const char* path = archive_entry_pathname_utf8(entry);
      const std::string_view name = path ? name_of(path) : std::string_view();
      if (archive_entry_filetype(entry) == AE_IFREG && (any_ || name == inside)) return true;
    }
    return false;
  }
  void check_end() override {
    if (any_ && find({})) fail("holds several files; unpack it, and name the one to import");
  }

  bool any_;
};

}  // namespace

std::span<const std::string_view> packed_endings() {
  static constexpr std::array<std::string_view, 7> kEndings{".zst", ".gz", ".bz2", ".xz", ".lzma", ".lz4", k7zip};
  return kEndings;
}

fs::path without_packing(const fs::path& path) {
  const auto endings = packed_endings();
  const bool packed = std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
  return packed ? path.parent_path() / path.stem() : path;
}

std::unique_ptr<BlockReader::Source> open_unpacked(const fs::path& path, std::string_view inside) {
  const std::string ending = path.extension().string();
  if (ending == k7zip) return std::make_unique<SevenZipSource>(path, inside);
  for (const Packing& packing : kFilters) {
    if (ending == packing.ending) return std::make_unique<FilterSource>(path, packing);
  }
  return BlockReader::open(path);
}

Pieces::Pieces(const fs::path& path, std::string_view inside) : Pieces(path.string(), open_unpacked(path, inside)) {
  bytes_ = stored_bytes(path);
}

Pieces::Pieces(std::string name, std::unique_ptr<BlockReader::Source> source)
    : name_(std::move(name)), source_(std::move(source)), buffer_(kPiece) {}

std::string_view Pieces::next() {
  std::size_t size = 0;
  while (!ended_ && size < buffer_.size()) {
    const std::size_t read = source_->read(buffer_.data() + size, buffer_.size() - size);
    ended_ = read == 0;
    size += read;
  }
  std::string_view piece(buffer_.data(), size);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (first_ && piece.starts_with(kByteOrderMark)) piece.remove_prefix(kByteOrderMark.size());
  first_ = false;
  return piece;
}

}  // namespace idne
