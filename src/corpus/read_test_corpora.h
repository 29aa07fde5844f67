#pragma once

#include <zstd.h>

#include <functional>
#include <string>

#include "idne/corpus.h"
#include "idne/error.h"
#include "temp_folder.h"

/// Small corpora for the tests of reading.
namespace idne {

/// A document line with its id as text, and more fields if wanted: `, "links": ["b"]`.
inline std::string document(const std::string& id, const std::string& more = "") {
  return "{\"id\": \"" + id + "\", \"text\": \"text of " + id + "\"" + more + "}\n";
}

inline std::string documents(std::initializer_list<const char*> ids) {
  std::string text;
  for (const char* id : ids) text += document(id);
  return text;
}

/// Documents of about a kilobyte, so that a block holds some 250; `change` gives another line where it wants.
inline std::string many_documents(std::size_t count, const std::function<std::string(std::size_t)>& change) {
  std::string text;
  const std::string filling(1000, 'x');
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string other = change(k);
    text += other.empty() ? "{\"id\": \"" + std::to_string(k) + "\", \"text\": \"" + filling + "\"}\n" : other;
  }
  return text;
}

inline std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

/// What went wrong, without the folder before the file's name.
inline std::string error_of(const TempFolder& folder, const std::filesystem::path& path, bool strict, int threads = 1) {
  try {
    read_collection(path, {"none", strict}, {threads, {}, {}});
  } catch (const Error& error) {
    std::string text = error.what();
    if (const std::string prefix = folder.path().string() + "/"; text.starts_with(prefix)) text.erase(0, prefix.size());
    return text;
  }
  return "no error";
}
inline std::string error_of(const TempFolder& folder) { return error_of(folder, folder.path(), false); }
inline std::string strict_error_of(const TempFolder& folder) { return error_of(folder, folder.path(), true); }

}  // namespace idne
