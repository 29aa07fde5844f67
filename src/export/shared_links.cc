#include "export/shared_links.h"

#include <algorithm>

#include "math/parallel.h"
#include "math/ranks.h"

namespace idne {
namespace {

std::vector<MissingLink> links_from(const Share& share, const Suggester& suggester, std::size_t per_document,
                                    const Run& run) {
  std::vector<std::vector<MissingLink>> found(share.end - share.begin);
  parallel_parts(run, "linking", found.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t from = share.begin + n;
      for (const SuggestedLink& link : suggester.suggest_missing(from, {0, per_document, 0, 0}).links) {
        found[n].push_back({from, link.document, link.score});
      }
    }
  });
  std::vector<MissingLink> joined;
  for (const auto& links : found) joined.insert(joined.end(), links.begin(), links.end());
  return joined;
}

/// Each pair once, as its better end sees it, and the best first.
void settle(std::vector<MissingLink>& links) {
  const auto pair_of = [](const MissingLink& link) {
    return std::pair(std::min(link.from, link.to), std::max(link.from, link.to));
  };
  std::ranges::stable_sort(links, [&](const MissingLink& a, const MissingLink& b) {
    return pair_of(a) != pair_of(b) ? pair_of(a) < pair_of(b) : a.score > b.score;
  });
  const auto again = std::ranges::unique(links, {}, pair_of);
  links.erase(again.begin(), again.end());
  std::ranges::stable_sort(links, std::ranges::greater{}, &MissingLink::score);
}

}  // namespace

std::vector<MissingLink> shared_missing_links(const Suggester& suggester, std::size_t documents,
                                              std::size_t per_document, const Run& run) {
  if (!run.ranks) return missing_links(suggester, documents, per_document, run);
  std::vector<MissingLink> own, all;
  all_or_none(run.ranks, [&] { own = links_from(share_of(run.ranks, documents), suggester, per_document, run); });
  for (const Bytes& part : run.ranks->gather(std::as_bytes(std::span<const MissingLink>(own)))) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(MissingLink));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
  }
  settle(all);
  return all;
}

}  // namespace idne
