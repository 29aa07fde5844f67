#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "explain/areas.h"
#include "idne/keywords.h"
#include "idne/topic_relations.h"
#include "idne/topic_times.h"
#include "json/values.h"

/// Parts of a model as JSON, for those who look around in it: documents, words, topics, the map, what a search finds.
namespace idne {

/// A document without its text. `topic` is its main topic, from 1; 0 is none.
Json document_json(const Model& model, std::size_t row, std::size_t topic);
/// Some of the documents, and how many there are of their kind.
Json documents_json(Json documents, std::size_t total);
/// These words with their counts and, if the model has vectors of words, their norms.
Json words_json(const Model& model, std::span<const std::size_t> words);
/// As without `related`, and with each topic's relatives.
Json to_json(const TopicDescriptions& topics, std::span<const std::vector<SimilarTopics>> related);
Json to_json(const TopicTimes& times);
/// Where documents lie on the map, as whole numbers 0 … 65535, with their main topics, first labels, numbers of links
/// and dates; the last two are empty if the model keeps none. `places` has x and y of each, within −1 … 1. And the
/// map's areas, in the same numbers.
Json map_json(const Model& model, std::span<const float> places, const std::vector<std::size_t>& main_topics,
              std::span<const MapArea> areas);
/// The same numbers for one place.
Json place_json(float x, float y);
Json vectors_json(Json vectors);
Json to_json(std::span<const MergedHit> hits, std::string_view query, const Model& model);
/// The pieces in their order.
Json to_json(std::span<const SnippetPart> snippet);

}  // namespace idne
