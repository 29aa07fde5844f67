#include "search/typos.h"

#include <algorithm>
#include <cstddef>

namespace idne {
namespace {

constexpr bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

}  // namespace

bool one_typo_apart(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 4;  // bytes of a character
  if (a.size() > b.size() + kLongest || b.size() > a.size() + kLongest) return false;
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < most && a[head] == b[head]) ++head;
  if (head == a.size() && head == b.size()) return false;
  // Only whole characters are alike.
  while (head > 0 &&
         ((head < a.size() && !begins_character(a[head])) || (head < b.size() && !begins_character(b[head]))))
    --head;
  std::size_t tail = 0;
  while (tail < most - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  while (tail > 0 && !begins_character(a[a.size() - tail])) --tail;
  a = a.substr(head, a.size() - tail - head);
  b = b.substr(head, b.size() - tail - head);
  const std::size_t here = characters(a), there = characters(b);
  if (here <= 1 && there <= 1) return true;
  if (here != 2 || there != 2) return false;
  std::size_t cut = 1;
  while (!begins_character(a[cut])) ++cut;
  return a.size() == b.size() && a.substr(cut) == b.substr(0, a.size() - cut) &&
         a.substr(0, cut) == b.substr(a.size() - cut);
}

bool forgives_typos(std::string_view text) {
  constexpr std::size_t kShortest = 4;
  return text.size() >= kShortest && characters(text) >= kShortest;
}

}  // namespace idne
