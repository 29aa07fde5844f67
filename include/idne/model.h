#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/matrix.h"
#include "idne/run.h"
#include "idne/string_table.h"

namespace idne {

/// Many strings that somebody else owns.
class StringsView {
 public:
  StringsView() = default;
  StringsView(std::string_view bytes, std::span<const std::int64_t> offsets) : bytes_(bytes), offsets_(offsets) {}
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return bytes_.substr(static_cast<std::size_t>(offsets_[i]),
                         static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
  }

 private:
  std::string_view bytes_;
  std::span<const std::int64_t> offsets_;
};

/// A trained model: named tensors and named texts, as in its file (docs/model-format.md). The tensors are owned or lie
/// in the mapped file; copies share them.
class Model {
 public:
  enum class Type { F32, I32, I64, U8 };
  struct Tensor {
    Type type;
    std::vector<std::size_t> shape;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };

  /// Maps a file. Throws Error unless every size and the checksum are right.
  static Model load(const std::filesystem::path& path);
  /// Writes beside the file and renames; the same model gives the same bytes.
  void save(const std::filesystem::path& path, const Run& run = {}) const;

  /// Texts: "method", "options" (JSON), counts … See docs/model-format.md.
  std::map<std::string, std::string> metadata;

  void add(const std::string& name, std::vector<float> values, std::vector<std::size_t> shape);
  void add(const std::string& name, std::vector<std::int32_t> values);
  void add(const std::string& name, std::vector<std::int64_t> values);
  /// A list of strings is two tensors: NAME.bytes (U8) and NAME.offsets (I64).
  template <class Strings>
  void add_strings(const std::string& name, const Strings& strings) {
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    for (const auto& text : strings) {
      bytes += text;
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    add_bytes(name + ".bytes", std::move(bytes));
    add(name + ".offsets", std::move(offsets));
  }

  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// These throw Error if the model has no such tensor.
  MatrixView matrix(const std::string& name) const;
  std::span<const float> floats(const std::string& name) const;
  std::span<const std::int32_t> numbers32(const std::string& name) const;
  std::span<const std::int64_t> numbers64(const std::string& name) const;
  StringsView strings(const std::string& name) const;
  /// List i of the lists NAME: numbers.
  std::span<const std::int32_t> list(const std::string& name, std::size_t i) const;
  /// "" if there is none.
  std::string_view text(const std::string& key) const;
  /// A whole number kept in the metadata; 0 if there is none.
  std::uint64_t count(const std::string& key) const;

  MatrixView words() const { return matrix("words.vectors"); }
  MatrixView topics() const { return matrix("topics.vectors"); }
  MatrixView documents() const { return matrix("documents.vectors"); }
  std::optional<std::size_t> find_document(std::string_view id) const;

  const std::map<std::string, Tensor>& tensors() const { return tensors_; }

 private:
  void add_bytes(const std::string& name, std::string bytes);
  const Tensor& tensor(const std::string& name, Type type) const;

  std::map<std::string, Tensor> tensors_;
};

}  // namespace idne
