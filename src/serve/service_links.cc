#include <algorithm>
#include <iterator>

#include "json/values.h"
#include "search/cosine.h"
#include "serve/service.h"

/// Links of documents, and which of them two have in common.
namespace idne {

std::span<const std::int32_t> Service::links_of(std::size_t row) const {
  const ListsView& links = model_.documents().links;
  return links.size() > 0 ? links[row] : std::span<const std::int32_t>{};
}

bool Service::has_link(std::size_t row, std::size_t other) const {
  const auto links = links_of(row);
  return std::binary_search(links.begin(), links.end(), static_cast<std::int32_t>(other));
}

std::vector<std::size_t> Service::linked_with(const Subject& subject, const Run& run) const {
  if (subject.document) {
    const auto links = links_of(row_of(*subject.document));
    return {links.begin(), links.end()};
  }
  constexpr std::size_t kOfAText = 20;
  static thread_local Tokenizer tokenizer;
  const SuggestionCounts counts{0, kOfAText, 0, 0};
  std::vector<std::size_t> rows;
  for (const SuggestedLink& link :
       suggester_.suggest(suggester_.words(*subject.text, tokenizer, run), counts, run).links) {
    rows.push_back(link.document);
  }
  std::ranges::sort(rows);
  return rows;
}

Json Service::links_in_common(const Subject& first, const Subject& second, std::size_t count, const Run& run) const {
  const std::vector<std::size_t> a = linked_with(first, run), b = linked_with(second, run);
  std::vector<std::size_t> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  const std::vector<float> to_first = vector_of(first, run), to_second = vector_of(second, run);
  std::vector<Hit> hits;
  for (const std::size_t row : common) {
    run.check();
    const auto vector = model_.documents().vectors.row(row);
    hits.push_back({row, (cosine_of(to_first, vector) + cosine_of(to_second, vector)) / 2});
  }
  std::ranges::stable_sort(hits, std::greater{}, &Hit::score);
  hits.resize(std::min(count, hits.size()));
  const bool both = first.document && second.document;
  return {{"linked", both ? Json(has_link(row_of(*first.document), row_of(*second.document))) : Json()},
          {"total", common.size()},
          {"links", to_json(std::span<const Hit>(hits), model_)}};
}

}  // namespace idne
