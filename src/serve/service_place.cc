#include <algorithm>

#include "json/parts.h"
#include "json/values.h"
#include "search/map.h"
#include "serve/service.h"

namespace idne {

/// Of documents that are read as if they were new texts, since what is asked about is most often one.
float Service::usual_nearness() const {
  constexpr std::size_t kSample = 100;
  const BagsView& bags = model_.documents().words;
  std::vector<float> found, vector(encoder_.dimensions());
  for (std::size_t n = 0; n < std::min(kSample, bags.size()); ++n) {
    const std::size_t row = n * bags.size() / std::min(kSample, bags.size());
    encoder_.encode(bags[row], {}, vector);
    for (const Hit& hit : index_.documents.search(vector, 2)) {
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

Json Service::place(const Subject& subject, const std::vector<std::string>& targets) const {
  const std::vector<float> query = vector_of(subject);
  const bool has_own = subject.document.has_value();
  const std::size_t own = has_own ? row_of(*subject.document) : 0;
  std::vector<Hit> nearest;
  if (has_place(query)) {
    nearest =
        has_own ? index_.documents.neighbours(own, kMapNeighbours) : index_.documents.search(query, kMapNeighbours);
  }
  Json json{{"x", nullptr}, {"y", nullptr}};
  if (has_own) {
    json = place_json(index_.map[2 * own], index_.map[2 * own + 1]);
  } else if (const auto place = place_among(index_.map, model_, nearest)) {
    json = place_json((*place)[0], (*place)[1]);
  }
  json["nearest"] = nearest.empty() ? Json() : Json(nearest.front().score);
  json["usual"] = usual_nearness_;
  Json rows = Json::array();
  for (const std::string& id : targets) {
    const auto found = rows_.find(id);
    rows.push_back(found == rows_.end() ? Json() : Json(found->second));
  }
  json["targets"] = std::move(rows);
  return json;
}

}  // namespace idne
