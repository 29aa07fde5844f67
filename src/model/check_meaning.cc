#include "model/check_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "idne/error.h"
#include "idne/run.h"
#include "math/parallel.h"

namespace idne {
namespace {

using layout::Entry;
using layout::Kind;

/// What a model of a method needs to be asked about new texts. The methods lie above this room; a model of one that is
/// missing here does not load.
struct Needs {
  std::string_view method;
  std::array<const Entry*, 2> entries;
};
constexpr std::array<Needs, 9> kNeeds{{{"idne", {&layout::kWordVectors, &layout::kTopicVectors}},
                                       {"lsa", {&layout::kWordVectors, &layout::kWordIdf}},
                                       {"tadw", {&layout::kWordVectors, &layout::kWordIdf}},
                                       {"gvnrt", {&layout::kWordVectors, nullptr}},
                                       {"graph2gauss", {&layout::kWordIdf, &layout::kHiddenWeights}},
                                       {"cane", {nullptr, nullptr}},
                                       {"deepwalk", {nullptr, nullptr}},
                                       {"node2vec", {nullptr, nullptr}},
                                       {"verse", {nullptr, nullptr}}}};

/// Lists that are searched, or walked side by side.
constexpr std::array kRising{&layout::kDocumentLinks,  &layout::kDocumentGroups, &layout::kOwnLinks,
                             &layout::kOwnGroups,      &layout::kListedLinks,    &layout::kListedGroups,
                             &layout::kAcceptedLinks,  &layout::kAcceptedLabels, &layout::kRejectedLinks,
                             &layout::kRejectedLabels, &layout::kWordLabels,     &layout::kLateWordLabels};

constexpr std::array kNotNegative{&layout::kTopicShares, &layout::kLinkAmounts};

[[noreturn]] void fail(const Entry& entry, std::string_view what) {
  throw Error(fmt::format("{} {}", entry.name, what));
}

/// Whether all are numbers, and no infinities. One pass at the speed of memory.
bool all_finite(std::span<const float> values) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  constexpr std::uint32_t kExponent = 0x7F800000;
  std::atomic<bool> finite = true;
  const int threads = values.size() > kAtOnce ? hardware_threads() : 1;
  parallel_parts(threads, values.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    std::uint32_t bad = 0;
    for (std::size_t k = begin; k < end; ++k) {
      bad |= std::uint32_t{(std::bit_cast<std::uint32_t>(values[k]) & kExponent) == kExponent};
    }
    if (bad) finite = false;
  });
  return finite;
}

void check_method(const ModelTensors& tensors, const ModelInfo& info) {
  const auto needs = std::ranges::find(kNeeds, std::string_view(info.method), &Needs::method);
  if (needs == kNeeds.end())
    throw Error(fmt::format("its method is '{}', which this program does not know", info.method));
  for (const Entry* entry : needs->entries) {
    if (entry && !tensors.has(*entry)) fail(*entry, fmt::format("is missing, which the method {} needs", info.method));
  }
  constexpr std::array<std::string_view, 3> kAttentions{"relu", "relu-kept", "softmax"};
  if (!info.attention.empty() && std::ranges::find(kAttentions, info.attention) == kAttentions.end()) {
    throw Error(fmt::format("its attention is '{}', which this program does not know", info.attention));
  }
  if (tensors.has(layout::kTopicVectors) && tensors.matrix(layout::kTopicVectors).rows == 0) {
    throw Error("there are no topics");
  }
}

void check_lists(const ModelTensors& tensors) {
  for (const Entry* entry : kRising) {
    if (!tensors.has(*entry)) continue;
    const ListsView lists = tensors.lists(*entry);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (std::ranges::adjacent_find(lists[i], std::greater_equal{}) != lists[i].end()) fail(*entry, "do not rise");
    }
  }
  if (!tensors.has(layout::kDocumentLinks)) return;
  const ListsView links = tensors.lists(layout::kDocumentLinks);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (std::ranges::binary_search(links[i], static_cast<std::int32_t>(i))) {
      fail(layout::kDocumentLinks, "link a document with itself");
    }
  }
}

/// Numbers that somebody counts up to.
void check_numbers(const ModelTensors& tensors, const ModelInfo& info) {
  constexpr std::int64_t kMostTogether = std::int64_t{1} << 62;
  std::int64_t together = 0;
  for (const std::int64_t count : tensors.numbers64(layout::kWordCounts)) {
    if (count < 0 || count > kMostTogether - together) fail(layout::kWordCounts, "has a number that cannot be right");
    together += count;
  }
  if (tensors.has(layout::kDocumentDates)) {
    constexpr std::int64_t kLastDay = 9999'12'31;
    for (const std::int64_t date : tensors.numbers64(layout::kDocumentDates)) {
      if (date < 0 || date > kLastDay || date / 100 % 100 > 12 || date % 100 > 31) {
        fail(layout::kDocumentDates, "has a number that is no date");
      }
    }
  }
  const bool named = tensors.has(layout::kGroupNames);
  const std::size_t members =
      tensors.has(layout::kDocumentGroups) ? tensors.lists(layout::kDocumentGroups).values().size() : 0;
  if (members > 0 && !named && info.groups > members) fail(layout::kDocumentGroups, "has fewer members than groups");
}

}  // namespace

void check_finite(const ModelTensors& tensors) {
  for (const Entry* entry : layout::kEntries) {
    if (entry->kind != Kind::Floats || !tensors.has(*entry)) continue;
    if (!all_finite(tensors.floats(*entry))) fail(*entry, "has values that are not numbers (NaN or infinity)");
  }
}

void check_meaning(const Model& model) {
  const ModelTensors tensors(model);
  check_method(tensors, model.info());
  check_lists(tensors);
  check_numbers(tensors, model.info());
  check_finite(tensors);
  for (const Entry* entry : kNotNegative) {
    if (!tensors.has(*entry)) continue;
    if (std::ranges::any_of(tensors.floats(*entry), [](float x) { return x < 0; })) fail(*entry, "has negative values");
  }
}

}  // namespace idne
