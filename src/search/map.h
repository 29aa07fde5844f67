#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "idne/projection.h"
#include "math/kernels.h"
#include "search/graph.h"

namespace idne {

/// Documents that a document's place depends on.
inline constexpr std::size_t kMapNeighbours = 15;
/// From the middle to the outermost document; the ring of those without a place, at 1, is outside.
inline constexpr double kMapRadius = 0.92;

/// Zeros, and numbers that are not finite, are nowhere.
bool has_place(std::span<const float> vector);

/// How near each of a document's neighbours is, by its own measure: the nearest counts 1, and all together as much as
/// for every other document (log2 of their number), be it in a dense place or alone. By row.
std::vector<Term> pulls(const std::vector<Hit>& hits);

/// A map that is being drawn: two numbers per document, and how many rounds they took. Empty: not begun.
struct MapDraft {
  std::vector<float> places;
  std::size_t rounds = 0;
};

/// project(), going on from a draft of the same map. The same however often it was stopped.
std::vector<float> project(const Model& model, const DocumentIndex& index, const Run& run, const MapDraft& from,
                           const Keeper<MapDraft>& keeper);

/// The map of a model from that of an older one: former[i] is the row that document i had there, or kNoRow. Documents
/// that were there keep their places, bit for bit, others are put among their neighbours. Drawn anew if less than half
/// of the documents have a place. The same at any number of threads. Throws Interrupted.
std::vector<float> update_map(const std::vector<float>& old, const Model& model, const DocumentIndex& index,
                              std::span<const std::uint32_t> former, const Run& run);

/// Where a text lies on a map whose nearest documents these are: among most of them. Nothing if none has a place.
std::optional<std::array<float, 2>> place_among(std::span<const float> map, const Model& model,
                                                const std::vector<Hit>& nearest);

}  // namespace idne
