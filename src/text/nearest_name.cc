#include "text/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace idne {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Slips between the two; neighbours that changed places are one.
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](std::size_t x, std::size_t y) { return lower(a[x]) == lower(b[y]); };
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  constexpr std::size_t kLongest = 64;  // nobody types a name that long by mistake
  std::string best;
  if (typed.size() > kLongest) return best;
  std::size_t fewest = typed.size() / 3 + 1;  // one in two letters, two in three to five
  for (const std::string& name : known) {
    const std::size_t found = slips(typed, name);
    if (found > fewest || (found == fewest && !best.empty()) || found >= name.size()) continue;
    fewest = found;
    best = name;
  }
  return best;
}

std::string hint_at(std::string_view typed, std::span<const std::string> known) {
  const std::string name = nearest_name(typed, known);
  return name.empty() || name == typed ? "" : fmt::format("; did you mean {}?", name);
}

}  // namespace idne
