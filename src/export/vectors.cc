#include "idne/vectors.h"

#include <fmt/format.h>

#include <atomic>
#include <iterator>
#include <optional>
#include <string>

#include "export/shared_documents.h"
#include "export/vector_file.h"
#include "idne/encode.h"
#include "math/ranks.h"
#include "methods/known_links.h"
#include "text/strings.h"

namespace idne {
namespace {

void add_row(VectorFormat format, std::string_view name, std::span<const float> row, std::string& out,
             std::string_view more = "") {
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
      out.append("]").append(more).append("}\n");
      break;
    case VectorFormat::Vec:
      for (const char c : valid_utf8(name)) out.push_back(static_cast<unsigned char>(c) <= ' ' || c == 0x7F ? '_' : c);
      for (const float value : row) fmt::format_to(std::back_inserter(out), " {}", value);
      out.push_back('\n');
      break;
  }
}

}  // namespace

Embedded embed_documents(const Model& model, const std::filesystem::path& documents, const std::filesystem::path& out,
                         VectorFormat format, const Run& run) {
  const TextEncoder encoder(model);
  std::optional<VectorFile> file;  // on one of them alone
  all_or_none(run.ranks, [&] {
    if (!run.ranks || run.ranks->first()) file.emplace(out, format, encoder.dimensions());
  });
  KnownLinks known(encoder);
  std::atomic<std::uint64_t> wordless{0};
  for_each_shared_document(
      documents, run,
      [&](const NewDocument& document, Tokenizer& tokenizer, std::string& bytes) {
        std::vector<float> row(encoder.dimensions());
        const std::vector<WordCount> words = encoder.words(document.text, tokenizer);
        wordless += words.empty();
        encoder.encode(words, known.numbers(document.links), row);
        add_row(format, document.id, row, bytes);
      },
      [&](std::string_view bytes, std::size_t rows) { file->write(bytes, rows); });
  Embedded done;
  all_or_none(run.ranks, [&] {
    if (file) done.documents = file->commit();
  });
  done.unknown_links = sum_of(run.ranks, known.unknown());
  done.wordless = sum_of(run.ranks, wordless);
  return done;
}

void write_vectors(MatrixView rows, const std::vector<std::string>& names, const std::filesystem::path& out,
                   VectorFormat format, const std::vector<std::string>& more, const Run& run) {
  VectorFile file(out, format, rows.columns);
  if (format == VectorFormat::Npy) file.put_names_beside();
  if (format == VectorFormat::Vec) file.write(fmt::format("{} {}\n", rows.rows, rows.columns), 0);
  std::string bytes;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    run.check();
    bytes.clear();
    add_row(format, names[i], rows.row(i), bytes, more.empty() ? "" : more[i]);
    file.write(bytes, 1);
    file.write_name(names[i]);
  }
  file.commit();
}

}  // namespace idne
