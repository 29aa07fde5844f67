#include <algorithm>

#include "json/parts.h"
#include "json/values.h"
#include "search/map.h"
#include "serve/service.h"

namespace idne {

float Service::familiarity(std::string_view text, std::optional<std::size_t> own, const Run& run) const {
  static thread_local Tokenizer tokenizer;
  std::vector<float> vector(encoder_.dimensions());
  const std::vector<WordCount> words = encoder_.words(text, tokenizer, run);
  encoder_.encode(words, {}, vector);
  std::size_t known = 0, all = 0;
  for (const WordCount& word : words) known += word.count;
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) all += !stop_words_.find(token.word);
  float nearest = 0;
  for (const Hit& hit : index_.documents.search(vector, own ? 2 : 1)) {
    if (!own || hit.row != *own) nearest = std::max(nearest, hit.score);
  }
  // Without texts it is not known how many of their words documents had.
  return texts_ ? nearest * static_cast<float>(known) / static_cast<float>(std::max<std::size_t>(1, all)) : nearest;
}

float Service::least_familiarity() const {
  std::call_once(familiarity_known_, [this] {
    constexpr std::size_t kSample = 200, kOneIn = 20;
    const std::size_t documents = model_.documents().size(), looked_at = std::min(kSample, documents);
    std::vector<float> found;
    for (std::size_t n = 0; n < looked_at; ++n) {
      const std::size_t row = n * documents / looked_at;
      found.push_back(familiarity(text_of_document(row, {}).text, row, {}));
    }
    if (found.empty()) return;
    const auto least = found.begin() + static_cast<std::ptrdiff_t>(found.size() / kOneIn);
    std::ranges::nth_element(found, least);
    least_familiarity_ = *least;
  });
  return least_familiarity_;
}

Json Service::place(const Subject& subject, const std::vector<std::string>& targets, const Run& run) const {
  const std::vector<float> query = vector_of(subject, run);
  const bool has_own = subject.document.has_value();
  const std::size_t own = has_own ? row_of(*subject.document) : 0;
  std::vector<Hit> nearest;
  if (has_place(query)) {
    nearest =
        has_own ? index_.documents.neighbours(own, kMapNeighbours) : index_.documents.search(query, kMapNeighbours);
  }
  Json json{{"x", nullptr}, {"y", nullptr}};
  if (is_whole()) {
    if (has_own) {
      json = place_json(index_.map[2 * own], index_.map[2 * own + 1]);
    } else if (const auto place = place_among(index_.map, model_, nearest)) {
      json = place_json((*place)[0], (*place)[1]);
    }
  }
  json["nearest"] = nearest.empty() ? Json() : Json(nearest.front().score);
  json["usual"] = answers_.usual;
  // What is usual is found by hundreds of searches.
  json["far"] =
      is_whole() && subject.text && !nearest.empty() && familiarity(*subject.text, {}, run) < least_familiarity();
  Json rows = Json::array();
  for (const std::string& id : targets) {
    const auto found = rows_.find(id);
    rows.push_back(found == rows_.end() ? Json() : Json(found->second));
  }
  json["targets"] = std::move(rows);
  return json;
}

}  // namespace idne
