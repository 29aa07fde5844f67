#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/error.h"
#include "idne/run.h"
#include "model/tensors.h"

namespace idne {

/// The file that models and checkpoints are kept in (docs/model-format.md): safetensors with texts and a checksum.
struct Container {
  using Texts = std::map<std::string, std::string>;
  using Tensors = std::map<std::string, ModelTensors::Tensor>;

  Texts texts;  ///< but for format, version and checksum, which the file has of itself
  Tensors tensors;
};

/// What such a file is.
struct ContainerKind {
  std::string_view noun;  ///< for messages
  std::string_view format;
  int newest_version;
};
inline constexpr ContainerKind kModelFile{"model", "idne", 4};
inline constexpr ContainerKind kCheckpointFile{"checkpoint", "idne-checkpoint", 1};

/// Throws Error that names the file unless it is whole, and of this kind.
Container load_container(const std::filesystem::path& path, const ContainerKind& kind, Model::Load how);

/// Writes such a file: its beginning, then the tensors' bytes in their order, each tensor's at once or in pieces.
class ContainerWriter {
 public:
  /// A tensor as the header tells it.
  struct Described {
    std::string name;
    ModelTensors::Type type;
    std::vector<std::size_t> shape;
    std::size_t bytes() const;
  };
  /// Larger types first, so that every tensor is aligned and there are no holes; then by name.
  static void put_in_order(std::vector<Described>& tensors);

  /// REQUIRES: tensors are in order.
  ContainerWriter(const std::filesystem::path& path, const ContainerKind& kind, int version,
                  const Container::Texts& texts, const std::vector<Described>& tensors);
  ~ContainerWriter();
  /// What will be written, all of it in its order, if it can be told before: the checksum stands in the beginning, and
  /// not every file can be gone back in.
  void announce(std::span<const std::byte> bytes);
  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Writes beside the file and renames; the same content gives the same bytes.
void save_container(const std::filesystem::path& path, const ContainerKind& kind, int version,
                    const Container& container, const Run& run);

/// "FILE: not a usable model: what". What is wrong may quote the file: it is cut to 400 columns.
[[nodiscard]] Error not_usable(const std::filesystem::path& path, const ContainerKind& kind, std::string_view what);

}  // namespace idne
