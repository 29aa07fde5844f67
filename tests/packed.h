#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idne {

/// Files as libarchive packs them, for tests of what reads them.
class FilePacker {
 public:
  FilePacker() : archive_(archive_write_new(), &archive_write_free) {}

  /// One text through one of the compressors of libarchive.
  static std::string compressed(std::string_view text, int (*filter)(archive*)) {
    FilePacker packer;
    check(filter(packer.archive_.get()));
    check(archive_write_set_format_raw(packer.archive_.get()));
    return packer.pack({{"", text}});
  }
  static std::string compressed(std::string_view text, std::string_view ending) {
    if (ending == ".gz") return compressed(text, archive_write_add_filter_gzip);
    if (ending == ".zst") return compressed(text, archive_write_add_filter_zstd);
    if (ending == ".bz2") return compressed(text, archive_write_add_filter_bzip2);
    if (ending == ".xz") return compressed(text, archive_write_add_filter_xz);
    if (ending == ".lzma") return compressed(text, archive_write_add_filter_lzma);
    if (ending == ".lz4") return compressed(text, archive_write_add_filter_lz4);
    if (ending == ".7z") return seven_zip({{"file", text}});
    throw std::runtime_error("no compressor for " + std::string(ending));
  }
  /// Files with their names.
  static std::string seven_zip(const std::vector<std::pair<std::string, std::string_view>>& files) {
    FilePacker packer;
    check(archive_write_set_format_7zip(packer.archive_.get()));
    return packer.pack(files);
  }

 private:
  static void check(int code) {
    if (code != ARCHIVE_OK) throw std::runtime_error("libarchive cannot pack");
  }

  std::string pack(const std::vector<std::pair<std::string, std::string_view>>& files) {
    std::size_t size = 1 << 16, used = 0;
    for (const auto& [name, text] : files) size += 2 * text.size();
    std::string out(size, '\0');
    check(archive_write_open_memory(archive_.get(), out.data(), out.size(), &used));
    for (const auto& [name, text] : files) {
      const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(), &archive_entry_free);
      archive_entry_set_filetype(entry.get(), AE_IFREG);
      archive_entry_set_pathname(entry.get(), name.c_str());
      archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
      check(archive_write_header(archive_.get(), entry.get()));
      if (archive_write_data(archive_.get(), text.data(), text.size()) < 0) check(ARCHIVE_FATAL);
    }
    check(archive_write_close(archive_.get()));
    out.resize(used);
    return out;
  }

  std::unique_ptr<archive, int (*)(archive*)> archive_;
};

}  // namespace idne
