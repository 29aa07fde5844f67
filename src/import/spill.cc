#include "import/spill.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace idne {

DocumentSpill::DocumentSpill() : file_(nullptr, &std::fclose) {
  std::string name = (std::filesystem::temp_directory_path() / "idne-import-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) fail();
  ::unlink(name.c_str());
  file_.reset(::fdopen(descriptor, "w+b"));
  if (!file_) {
    ::close(descriptor);
    fail();
  }
  std::setvbuf(file_.get(), nullptr, _IOFBF, std::size_t{1} << 18);
}

void DocumentSpill::write(const ImportedDocument& document) {
  put(document.id);
  put(document.title);
  put(document.text);
  put(document.labels);
  put(document.links);
  put(document.groups);
  put(document.date);
  ++documents_;
}

void DocumentSpill::rewind() {
  if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
  read_ = 0;
}

bool DocumentSpill::read(ImportedDocument& document) {
  if (read_ == documents_) return false;
  ++read_;
  get(document.id);
  get(document.title);
  get(document.text);
  get(document.labels);
  get(document.links);
  get(document.groups);
  get(document.date);
  return true;
}

void DocumentSpill::put(std::uint64_t number) { put_bytes(&number, sizeof number); }

void DocumentSpill::put(const std::string& text) {
  put(std::uint64_t{text.size()});
  put_bytes(text.data(), text.size());
}

void DocumentSpill::put(const std::vector<std::string>& list) {
  put(std::uint64_t{list.size()});
  for (const std::string& text : list) put(text);
}

std::uint64_t DocumentSpill::get() {
  std::uint64_t number = 0;
  get_bytes(&number, sizeof number);
  return number;
}

void DocumentSpill::get(std::string& text) {
  text.resize(get());
  get_bytes(text.data(), text.size());
}

void DocumentSpill::get(std::vector<std::string>& list) {
  list.resize(get());
  for (std::string& text : list) get(text);
}

void DocumentSpill::put_bytes(const void* bytes, std::size_t size) {
  if (std::fwrite(bytes, 1, size, file_.get()) != size) fail();
}

void DocumentSpill::get_bytes(void* bytes, std::size_t size) {
  if (std::fread(bytes, 1, size, file_.get()) != size) fail();
}

void DocumentSpill::fail() const {
  const std::string why = errno == 0 ? "it was cut" : std::strerror(errno);
  throw Error(fmt::format("{}: cannot use a temporary file there: {} (TMPDIR can name another folder)",
                          std::filesystem::temp_directory_path().string(), why));
}

}  // namespace idne
