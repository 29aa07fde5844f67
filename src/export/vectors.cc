#include "idne/vectors.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>

#include "corpus/corpus.h"
#include "idne/encode.h"
#include "idne/output_file.h"
#include "methods/known_links.h"
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

void add_row(VectorFormat format, std::string_view name, std::span<const float> row, std::string& out) {
  switch (format) {
    case VectorFormat::Npy:
      out.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
      break;
    case VectorFormat::Tsv:
      out += tsv_cell(name);
      for (const float value : row) fmt::format_to(std::back_inserter(out), "\t{}", value);
      out.push_back('\n');
      break;
    case VectorFormat::Jsonl:
      out += "{\"id\":" + json_quoted(name) + ",\"vector\":[";
      for (std::size_t k = 0; k < row.size(); ++k)
        fmt::format_to(std::back_inserter(out), "{}{}", k ? "," : "", row[k]);
      out += "]}\n";
      break;
    case VectorFormat::Vec:
      for (const char c : name) out.push_back(static_cast<unsigned char>(c) <= ' ' || c == 0x7F ? '_' : c);
      for (const float value : row) fmt::format_to(std::back_inserter(out), " {}", value);
      out.push_back('\n');
      break;
  }
}

/// Rows in order to a file, or to standard output for "-". What cannot be gone back to gets its .npy when all rows are
/// known.
class VectorFile {
 public:
  VectorFile(const std::filesystem::path& path, VectorFormat format, std::size_t columns)
      : format_(format), columns_(columns) {
    if (path != "-") file_.emplace(path);
    waits_ = format == VectorFormat::Npy && !(file_ && file_->is_regular());
    if (format == VectorFormat::Npy && !waits_) put(npy_header(0, columns));
  }
  void write(std::string_view bytes, std::size_t rows) {
    rows_ += rows;
    if (waits_) {
      waiting_ += bytes;
    } else {
      put(bytes);
    }
  }
  std::uint64_t commit() {
    if (waits_) {
      put(npy_header(rows_, columns_));
      put(waiting_);
    } else if (format_ == VectorFormat::Npy) {
      file_->write_at_start(npy_header(rows_, columns_));
    }
    if (file_) file_->commit();
    if (!file_ && std::fflush(stdout) != 0) fail();
    return rows_;
  }

 private:
  void put(std::string_view bytes) {
    if (file_) {
      file_->write(bytes);
    } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
      fail();
    }
  }
  [[noreturn]] static void fail() { throw Error(fmt::format("stdout: cannot write: {}", std::strerror(errno))); }

  std::optional<OutputFile> file_;
  bool waits_ = false;
  VectorFormat format_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::string waiting_;
};

}  // namespace

Embedded embed_documents(const Model& model, const std::filesystem::path& documents, const std::filesystem::path& out,
                         VectorFormat format, const Run& run) {
  const TextEncoder encoder(model);
  VectorFile file(out, format, encoder.dimensions());
  KnownLinks known(encoder);
  for_each_document(
      documents, run,
      [&](const NewDocument& document, Tokenizer& tokenizer, std::string& bytes) {
        std::vector<float> row(encoder.dimensions());
        encoder.encode(encoder.words(document.text, tokenizer), known.numbers(document.links), row);
        add_row(format, document.id, row, bytes);
      },
      [&](std::string_view bytes, std::size_t rows) { file.write(bytes, rows); });
  return {file.commit(), known.unknown()};
}

void write_vectors(MatrixView rows, const std::vector<std::string>& names, const std::filesystem::path& out,
                   VectorFormat format) {
  VectorFile file(out, format, rows.columns);
  if (format == VectorFormat::Vec) file.write(fmt::format("{} {}\n", rows.rows, rows.columns), 0);
  std::string bytes;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    bytes.clear();
    add_row(format, names[i], rows.row(i), bytes);
    file.write(bytes, 1);
  }
  file.commit();
}

}  // namespace idne
