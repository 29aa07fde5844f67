#include "export/vector_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "idne/error.h"
#include "text/strings.h"

namespace idne {
namespace {

/// 128 bytes whatever the number of rows, so that it can be written before they are counted.
std::string npy_header(std::uint64_t rows, std::size_t columns) {
  constexpr std::size_t kSize = 128, kMagic = 10;
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  header.resize(kSize - kMagic - 1, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(kSize - kMagic) + '\0' + header + '\n';
}

[[noreturn]] void fail_stdout() { throw Error(fmt::format("stdout: cannot write: {}", std::strerror(errno))); }

}  // namespace

VectorFile::VectorFile(const std::filesystem::path& path, VectorFormat format, std::size_t columns)
    : path_(path), format_(format), columns_(columns) {
  if (path != "-") file_.emplace(path);
  waits_ = format == VectorFormat::Npy && !(file_ && file_->is_regular());
  if (format == VectorFormat::Npy && !waits_) put(npy_header(0, columns));
}

bool VectorFile::put_names_beside() {
  if (file_ && file_->is_regular()) names_.emplace(path_.string() + ".ids.txt");
  return names_.has_value();
}

void VectorFile::write_name(std::string_view name) {
  if (names_) names_->write(tsv_cell(name) + "\n");
}

void VectorFile::write(std::string_view bytes, std::size_t rows) {
  rows_ += rows;
  if (waits_) {
    waiting_ += bytes;
  } else {
    put(bytes);
  }
}

std::uint64_t VectorFile::commit() {
  if (waits_) {
    put(npy_header(rows_, columns_));
    put(waiting_);
  } else if (format_ == VectorFormat::Npy) {
    file_->write_at_start(npy_header(rows_, columns_));
  }
  if (file_) file_->commit();
  if (names_) names_->commit();
  if (!file_ && std::fflush(stdout) != 0) fail_stdout();
  return rows_;
}

void VectorFile::put(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    fail_stdout();
  }
}

}  // namespace idne
