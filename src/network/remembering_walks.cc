#include <algorithm>

#include "network/walks.h"

namespace idne {

RememberingWalks::RememberingWalks(const Network& network, double p, double q)
    : network_(network), back_(1 / p), near_(1), far_(1 / q), remembers_(p != 1 || q != 1) {}

std::uint32_t RememberingWalks::draw_next(std::uint32_t last, std::uint32_t here, Random& random) const {
  if (!remembers_) return network_.draw_neighbour(here, random);
  const double most = std::max(near_, far_);
  const double aside = std::max(0.0, back_ - most) * network_.weight(here, last);
  for (;;) {
    if (aside > 0 && random.uniform() * (aside + most * network_.degree(here)) < aside) return last;
    const std::uint32_t next = network_.draw_neighbour(here, random);
    const double x = random.uniform() * most;
    if (x < std::min(near_, far_) && next != last) return next;  // whether linked with the last or not
    const double kept = next == last ? std::min(back_, most) : network_.weight(last, next) > 0 ? near_ : far_;
    if (x < kept) return next;
  }
}

void RememberingWalks::draw(std::span<std::uint32_t> walk, Random& random) const {
  if (walk.size() > 1) walk[1] = network_.draw_neighbour(walk[0], random);
  for (std::size_t at = 2; at < walk.size(); ++at) walk[at] = draw_next(walk[at - 2], walk[at - 1], random);
}

std::uint32_t draw_restart_end(const Network& network, std::uint32_t start, double go_on, Random& random) {
  std::uint32_t at = start;
  if (network.degree(start) <= 0) return start;
  while (random.uniform() < go_on) at = network.draw_neighbour(at, random);
  return at;
}

}  // namespace idne
