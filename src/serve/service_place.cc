#include <algorithm>

#include "json/parts.h"
#include "json/values.h"
#include "search/map.h"
#include "serve/service.h"

namespace idne {

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
  json["usual"] = answers_.usual;
  json["far"] = !nearest.empty() && nearest.front().score < answers_.far;
  Json rows = Json::array();
  for (const std::string& id : targets) {
    const auto found = rows_.find(id);
    rows.push_back(found == rows_.end() ? Json() : Json(found->second));
  }
  json["targets"] = std::move(rows);
  return json;
}

}  // namespace idne
