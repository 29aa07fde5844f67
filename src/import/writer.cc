#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "idne/import.h"
#include "idne/output_file.h"
#include "math/parallel.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "documents.jsonl";

std::vector<std::string> once(const std::vector<std::string>& values) {
  std::vector<std::string> result;
  std::set<std::string_view> seen;
  for (const std::string& value : values) {
    if (!value.empty() && seen.insert(value).second) result.push_back(value);
  }
  return result;
}

/// A JSON string. Texts are nearly all plain UTF-8, which takes a fifth of the library's time here.
void append_json(std::string& out, const std::string& text) {
  if (!simdjson::validate_utf8(text)) {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string line_of(const ImportedDocument& document) {
  std::string line;
  const auto key = [&line](const char* name) {
    line += line.empty() ? "{\"" : ",\"";
    line.append(name).append("\":");
  };
  const auto text = [&](const char* name, const std::string& value) {
    key(name);
    append_json(line, value);
  };
  const auto list = [&](const char* name, const std::vector<std::string>& values) {
    const auto distinct = once(values);
    if (distinct.empty()) return;
    key(name);
    char before = '[';
    for (const std::string& value : distinct) {
      line += before;
      append_json(line, value);
      before = ',';
    }
    line += ']';
  };
  line.reserve(document.text.size() + document.text.size() / 8 + 256);
  text("id", document.id);
  if (!document.title.empty()) text("title", document.title);
  text("text", document.text);
  list("labels", document.labels);
  list("links", document.links);
  list("groups", document.groups);
  return line += "}\n";
}

}  // namespace

struct CorpusWriter::File {
  explicit File(const fs::path& path) : output(path) {}
  OutputFile output;
  std::string waiting;  ///< lines that are not written yet
};

CorpusWriter::CorpusWriter(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (fs::exists(folder_)) {
    if (!fs::is_directory(folder_)) throw Error(fmt::format("{}: is there, and is no folder", folder_.string()));
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
      if (entry.path().filename() != kFile) {
        throw Error(fmt::format("{}: has {}, which does not come from an import; name a new folder", folder_.string(),
                                entry.path().filename().string()));
      }
    }
  } else {
    made_folder_ = fs::create_directories(folder_, error);
  }
  if (error) throw Error(fmt::format("{}: {}", folder_.string(), error.message()));
  file_ = std::make_unique<File>(folder_ / kFile);
}

CorpusWriter::~CorpusWriter() {
  file_.reset();  // without commit() nothing is left of it
  std::error_code ignored;
  if (made_folder_) fs::remove(folder_, ignored);  // if it is empty
}

void CorpusWriter::add(std::span<const ImportedDocument> documents, int threads) {
  std::vector<std::string> lines(documents.size());
  parallel_for(threads, lines.size(), [&](std::size_t i, std::size_t) { lines[i] = line_of(documents[i]); });
  for (const std::string& line : lines) file_->waiting += line;
  documents_ += lines.size();
  constexpr std::size_t kMuch = 1 << 20;
  if (file_->waiting.size() < kMuch) return;
  file_->output.write(file_->waiting);
  file_->waiting.clear();
}

void CorpusWriter::commit() {
  if (documents_ == 0) throw Error("nothing to import: no document was found");
  file_->output.write(file_->waiting);
  file_->output.commit();
  made_folder_ = false;
}

void ImportCounts::add(std::string_view what, std::uint64_t number) {
  const auto found =
      std::find_if(counts_.begin(), counts_.end(), [&](const auto& count) { return count.first == what; });
  if (found == counts_.end()) {
    counts_.emplace_back(what, number);
  } else {
    found->second += number;
  }
}

}  // namespace idne
