#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "idne/explain.h"
#include "idne/index.h"
#include "idne/model.h"
#include "idne/run.h"
#include "idne/search.h"
#include "idne/suggest.h"
#include "idne/topics.h"

/// Answers as JSON: what `--format json` prints and what the server sends are the same. Those who want text alone need
/// json/texts.h, which compiles sooner.
namespace idne {

using Json = nlohmann::ordered_json;

/// As text; bytes that are no UTF-8 become U+FFFD.
std::string text_of(const Json& json, int indent = -1);

/// From bytes of others; discarded if they are no JSON. Throws Error if it is nested deeper than anything that is read
/// here: what is nested deeply takes stack to write.
Json parse_shallow(std::string_view text);

/// What people call the topics: topic_names(), empty if there are none.
using TopicNames = std::span<const std::string>;

Json info_json(const Model& model);
/// How documents are looked up, and how much of the ten nearest that finds.
Json search_json(const DocumentIndex& index);
Json to_json(const TopicDescriptions& topics);
Json to_json(std::span<const Hit> hits, const Model& model);
Json to_json(const Suggestions& suggestions, const Model& model, TopicNames topics);
/// Throws Interrupted.
Json to_json(const Explanation& explanation, const Model& model, TopicNames topics, const Run& run = {});
Json to_json(const PairExplanation& pair, const Model& model, TopicNames topics);

}  // namespace idne
