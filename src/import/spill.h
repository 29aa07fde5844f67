#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>

#include "idne/import.h"

namespace idne {

/// Documents put aside in a temporary file, to be read again in the same order: for what can be decided about a
/// document only when all are known. The file has no name, so nothing is left of it however the program ends.
class DocumentSpill {
 public:
  DocumentSpill();
  void write(const ImportedDocument& document);
  /// From now on read() reads, from the first document on.
  void rewind();
  /// The next document; false at the end.
  bool read(ImportedDocument& document);
  std::uint64_t documents() const { return documents_; }

 private:
  void put(const std::string& text);
  void put(const std::vector<std::string>& list);
  void put(std::uint64_t number);
  void get(std::string& text);
  void get(std::vector<std::string>& list);
  std::uint64_t get();
  void put_bytes(const void* bytes, std::size_t size);
  void get_bytes(void* bytes, std::size_t size);
  [[noreturn]] void fail() const;

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t documents_ = 0, read_ = 0;
};

}  // namespace idne
