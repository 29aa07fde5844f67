#include "idne/vectors.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "idne/method.h"
#include "idne/output_file.h"

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
      for (const char c : name) out.push_back(c == '\t' || c == '\n' || c == '\r' ? ' ' : c);
      for (const float value : row) fmt::format_to(std::back_inserter(out), "\t{}", value);
      out.push_back('\n');
      break;
    case VectorFormat::Jsonl:
      out += "{\"id\":" + nlohmann::json(name).dump() + ",\"vector\":[";
      for (std::size_t k = 0; k < row.size(); ++k)
        fmt::format_to(std::back_inserter(out), "{}{}", k ? "," : "", row[k]);
      out += "]}\n";
      break;
  }
}

/// Rows in order to a file. A pipe cannot be gone back to, so there .npy waits until all rows are known.
class VectorFile {
 public:
  VectorFile(const std::filesystem::path& path, VectorFormat format, std::size_t columns)
      : file_(path), format_(format), columns_(columns) {
    if (format == VectorFormat::Npy && file_.is_regular()) file_.write(npy_header(0, columns));
  }
  void write(std::string_view bytes, std::size_t rows) {
    rows_ += rows;
    if (format_ == VectorFormat::Npy && !file_.is_regular()) {
      waiting_ += bytes;
    } else {
      file_.write(bytes);
    }
  }
  std::uint64_t commit() {
    if (format_ == VectorFormat::Npy) {
      if (file_.is_regular()) {
        file_.write_at_start(npy_header(rows_, columns_));
      } else {
        file_.write(npy_header(rows_, columns_) + waiting_);
      }
    }
    file_.commit();
    return rows_;
  }

 private:
  OutputFile file_;
  VectorFormat format_;
  std::size_t columns_;
  std::uint64_t rows_ = 0;
  std::string waiting_;
};

}  // namespace

std::uint64_t embed_documents(const Model& model, const std::filesystem::path& documents,
                              const std::filesystem::path& out, VectorFormat format, const Run& run) {
  const TextEncoder encoder(model);
  VectorFile file(out, format, encoder.dimensions());
  for_each_document(
      documents, run,
      [&](std::string_view id, std::string_view text, Tokenizer& tokenizer, std::string& bytes) {
        std::vector<float> row(encoder.dimensions());
        encoder.encode(encoder.words(text, tokenizer), row);
        add_row(format, id, row, bytes);
      },
      [&](std::string_view bytes, std::size_t rows) { file.write(bytes, rows); });
  return file.commit();
}

void write_vectors(MatrixView rows, StringsView names, const std::filesystem::path& out, VectorFormat format) {
  VectorFile file(out, format, rows.columns);
  std::string bytes;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    bytes.clear();
    add_row(format, names[i], rows.row(i), bytes);
    file.write(bytes, 1);
  }
  file.commit();
}

}  // namespace idne
