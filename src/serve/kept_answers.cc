#include "serve/kept_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "idne/serve.h"
#include "json/values.h"
#include "model/digest.h"
#include "serve/topic_answers.h"

namespace idne {
namespace {

/// Of documents that are read as if they were new texts, since what is asked about is most often one.
float usual_nearness(const TextEncoder& encoder, const DocumentIndex& documents) {
  constexpr std::size_t kSample = 100;
  const BagsView& bags = encoder.model().documents().words;
  std::vector<float> found, vector(encoder.dimensions());
  for (std::size_t n = 0; n < std::min(kSample, bags.size()); ++n) {
    const std::size_t row = n * bags.size() / std::min(kSample, bags.size());
    encoder.encode(bags[row], {}, vector);
    for (const Hit& hit : documents.search(vector, 2)) {
      if (hit.row == row) continue;
      found.push_back(hit.score);
      break;
    }
  }
  if (found.empty()) return 0;
  const auto tenth = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 10);
  std::ranges::nth_element(found, tenth);
  return *tenth;
}

KeptAnswers work_out(const TextEncoder& encoder, const SearchIndex& index, const Run& run) {
  const Model& model = encoder.model();
  KeptAnswers answers;
  answers.main_topics = main_topics(model, run.threads);
  answers.usual = usual_nearness(encoder, index.documents);
  if (!index.map.empty()) answers.areas = map_areas(model, index.map, answers.main_topics);
  if (!model.has_topics()) return answers;
  answers.names = topic_names(model, run.threads);
  answers.topics = TopicAnswers::all_of(model, run);
  return answers;
}

Json json_of(std::span<const MapArea> areas) {
  Json list = Json::array();
  for (const MapArea& area : areas) list.push_back({area.topic, area.x, area.y, area.documents, area.name});
  return list;
}

std::vector<MapArea> areas_from(const Json& list) {
  std::vector<MapArea> areas;
  for (const Json& one : list) {
    areas.push_back({one.at(0).get<std::size_t>(), one.at(1).get<float>(), one.at(2).get<float>(),
                     one.at(3).get<std::size_t>(), one.at(4).get<std::string>()});
  }
  return areas;
}

/// Whether these are topics that can be cut: the file may have been made to do harm.
bool are_topics(const Json& json, std::size_t count) {
  if (!json.is_object() || !json.contains("topics") || !json["topics"].is_array()) return false;
  return json["topics"].size() == count && std::ranges::all_of(json["topics"], [](const Json& one) {
           return one.is_object() && one.contains("words") && one["words"].is_array() && one.contains("documents") &&
                  one["documents"].is_array();
         });
}

}  // namespace

std::string bytes_of(const KeptAnswers& answers, std::string_view version) {
  return text_of({{"model", version},
                  {"main_topics", answers.main_topics},
                  {"names", answers.names},
                  {"usual", answers.usual},
                  {"areas", json_of(answers.areas)},
                  {"topics", answers.topics}});
}

std::optional<KeptAnswers> kept_answers(std::string_view bytes, const Model& model, std::string_view version) {
  try {
    const Json json = parse_shallow(bytes);
    if (!json.is_object() || json.at("model") != version) return {};
    KeptAnswers answers{json.at("main_topics").get<std::vector<std::size_t>>(),
                        json.at("names").get<std::vector<std::string>>(), json.at("usual").get<float>(),
                        areas_from(json.at("areas")), json.at("topics")};
    const std::size_t topics = model.has_topics() ? model.topics().size() : 0;
    const auto is_topic = [&](std::size_t topic) { return topic <= topics; };
    if (answers.main_topics.size() != model.documents().size() || answers.names.size() != topics ||
        !std::ranges::all_of(answers.main_topics, is_topic) ||
        !std::ranges::all_of(answers.areas, is_topic, &MapArea::topic) ||
        (topics > 0 && !are_topics(answers.topics, topics))) {
      return {};
    }
    return answers;
  } catch (const Json::exception&) {
    return {};
  } catch (const Error&) {
    return {};
  }
}

KeptAnswers open_answers(const TextEncoder& encoder, std::string_view version, SearchIndex& index,
                         const std::filesystem::path& model_path, const Run& run) {
  if (auto kept = kept_answers(index.answers, encoder.model(), version)) return std::move(*kept);
  KeptAnswers answers = work_out(encoder, index, run);
  if (index.map.empty()) return answers;
  index.answers = bytes_of(answers, version);
  try {
    save_search_index(index, model_path);
  } catch (const Error& error) {
    index.note = fmt::format("the index is not kept: {}", error.what());
  }
  return answers;
}

std::string version_of(const Model& model) { return fmt::format("{:016x}", digest_of(model)); }

void prepare_to_serve(const Model& model, const std::filesystem::path& path, SearchIndex& index, const Run& run) {
  open_answers(TextEncoder(model), version_of(model), index, path, run);
}

}  // namespace idne
