#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace idne {

/// Throws Error if `path` cannot be written, and leaves nothing behind: asked before hours of work, not after.
void check_writable(const std::filesystem::path& path);

/// A file that appears whole or not at all, when commit() is called. Until then it has no name, so that nothing is left
/// of it however the process ends, or, where the system knows no such files, one beside its place that nobody else has.
/// A device or pipe is written directly. Throws Error, with the file's name, when writing fails.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Writes again at the file's beginning; only for regular files.
  void write_at_start(std::string_view text);
  bool is_regular() const { return regular_; }
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;
  void give_name();

  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty: the file has no name
  bool regular_;                     ///< else written directly
  int descriptor_ = -1;
};

}  // namespace idne
