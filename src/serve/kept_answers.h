#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/areas.h"
#include "idne/encode.h"
#include "idne/search_index.h"

namespace idne {

using Json = nlohmann::ordered_json;

/// What a server has to know of all documents before it can answer. To work it out takes as long as to load all else
/// together, so it is kept in the index file.
struct KeptAnswers {
  std::vector<std::size_t> main_topics;  ///< of each document, from 1; 0 is none
  std::vector<std::string> names;        ///< of the topics
  float usual = 0;                       ///< cosine to the nearest document that nine of ten texts have
  std::vector<MapArea> areas;            ///< of the map
  Json topics;                           ///< all that TopicAnswers are cut from; null without topics
};

/// Sixteen digits that differ for models that differ in anything.
std::string version_of(const Model& model);

/// As bytes for SearchIndex::answers; `version` is the model's.
std::string bytes_of(const KeptAnswers& answers, std::string_view version);
/// Nothing if they are of another model, or not as they should be.
std::optional<KeptAnswers> kept_answers(std::string_view bytes, const Model& model, std::string_view version);

/// Those in the index; or they are worked out, and the index is written with them, unless it has no map yet. A file
/// that cannot be written leaves a note in the index.
KeptAnswers open_answers(const TextEncoder& encoder, std::string_view version, SearchIndex& index,
                         const std::filesystem::path& model_path, const Run& run);

}  // namespace idne
