#pragma once

#include <span>
#include <string>
#include <vector>

#include "idne/model.h"

namespace idne {

/// A place on the map where documents of one topic lie thick, and what they are about beside the topic.
struct MapArea {
  std::size_t topic;  ///< from 1; 0 in a model without topics
  float x, y;         ///< in its thickest part
  std::size_t documents;
  std::string name;  ///< the words that set it apart from all documents of its topic

  bool operator==(const MapArea&) const = default;
};

/// The areas of all topics that have more than one, the largest first. `places` has x and y of each document, within
/// −1 … 1; `main_topics` are theirs, all 0 in a model without topics, where areas are of the map as a whole. None if
/// the model does not keep its documents' words.
std::vector<MapArea> map_areas(const Model& model, std::span<const float> places,
                               std::span<const std::size_t> main_topics);

}  // namespace idne
