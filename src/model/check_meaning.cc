#include "model/check_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>

#include "idne/error.h"
#include "idne/network.h"
#include "idne/run.h"
#include "idne/string_table.h"
#include "math/parallel.h"
#include "model/reading.h"
#include "text/strings.h"

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

/// A text of a stranger's file, as a part of one line.
std::string shown(std::string_view text) {
  constexpr std::size_t kColumns = 40;
  return json_quoted(cut_to_columns(valid_utf8(text), kColumns));
}

/// Nothing that training makes of real texts is longer than a few hundred. Whoever computes with vectors or weights of
/// so much, be it the squares of all of the widest document, or a text's longest word times a topic, stays below what a
/// float holds.
constexpr float kMostFloat = kMostLinkWeight;
/// Of layers, where each multiplies what the one before it made.
constexpr float kMostOfLayer = 1e6f;

float most_of(const Entry& entry) {
  constexpr std::array kLayers{&layout::kHiddenWeights, &layout::kHiddenBias, &layout::kMeanWeights,
                               &layout::kMeanBias};
  return std::ranges::find(kLayers, &entry) == kLayers.end() ? kMostFloat : kMostOfLayer;
}

/// Whether all are numbers from −most to most. One pass at the speed of memory.
bool all_within(std::span<const float> values, float most) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  constexpr std::uint32_t kSign = 0x80000000;
  std::atomic<bool> within = true;
  const int threads = values.size() > kAtOnce ? hardware_threads() : 1;
  // Without their signs the bits of floats rise as the numbers do, infinity and what is none after all others.
  const auto largest = std::bit_cast<std::uint32_t>(most);
  parallel_parts(threads, values.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    std::uint32_t bad = 0;
    for (std::size_t k = begin; k < end; ++k) {
      bad |= std::uint32_t{(std::bit_cast<std::uint32_t>(values[k]) & ~kSign) > largest};
    }
    if (bad) within = false;
  });
  return within;
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
  if (!tensors.has(layout::kTopicVectors)) return;
  const std::size_t topics = tensors.matrix(layout::kTopicVectors).rows;
  if (topics == 0) throw Error("there are no topics");
  if (topics > kMostTopics) throw Error(fmt::format("there are {} topics, and {} at most", topics, kMostTopics));
}

/// Options that say what tensors say, too: who goes on from a model takes the one for the other.
void check_options(const ModelTensors& tensors, const Model& model) {
  const auto check = [&](const char* name, std::size_t true_value) {
    const auto found = model.info().options.find(name);
    if (found == model.info().options.end()) return;
    const auto* number = std::get_if<std::int64_t>(&found->second);
    if (number && *number >= 0 && static_cast<std::size_t>(*number) == true_value) return;
    throw Error(fmt::format("its options say {} {}, and its tensors {}", name,
                            number ? to_text(*number) : shown(to_text(found->second)), true_value));
  };
  const std::size_t width = tensors.matrix(layout::kDocumentVectors).columns;
  const bool joined = tensors.has(layout::kHopVectors);
  const MatrixView hops = joined ? tensors.matrix(layout::kHopVectors) : MatrixView{};
  check("dim", joined ? hops.columns : width);
  check("neighbours", hops.rows / tensors.matrix(layout::kDocumentVectors).rows);
  if (tensors.has(layout::kTopicVectors)) check("topics", tensors.matrix(layout::kTopicVectors).rows);
  static_cast<void>(languages_of(model));  // throws if there is one that nobody knows
}

/// Documents, labels, groups and words are found by what they are called; words of all three kinds are words of one
/// text.
void check_names(const ModelTensors& tensors) {
  const auto check = [&](std::initializer_list<const Entry*> entries) {
    StringTable seen;
    std::uint32_t before = 0;
    for (const Entry* entry : entries) {
      if (!tensors.has(*entry)) continue;
      const StringsView names = tensors.strings(*entry);
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (seen.add(names[i]) != before++) fail(*entry, fmt::format("has {} twice", shown(names[i])));
      }
    }
  };
  check({&layout::kDocumentIds});
  check({&layout::kLabelNames});
  check({&layout::kGroupNames});
  check({&layout::kWordStrings, &layout::kLateWords, &layout::kRareWords});
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
  const bool listed = tensors.has(layout::kDocumentLinks) || tensors.has(layout::kDocumentGroups);
  const std::size_t members =
      tensors.has(layout::kDocumentGroups) ? tensors.lists(layout::kDocumentGroups).values().size() : 0;
  if (listed && !tensors.has(layout::kGroupNames) && info.groups > members) {
    fail(layout::kDocumentGroups, "has fewer members than groups");
  }
}

}  // namespace

void check_floats(const ModelTensors& tensors) {
  for (const Entry* entry : layout::kEntries) {
    if (entry->kind != Kind::Floats || !tensors.has(*entry)) continue;
    const std::span<const float> values = tensors.floats(*entry);
    const float most = most_of(*entry);
    if (all_within(values, most)) continue;
    const bool finite = std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
    fail(*entry, finite ? fmt::format("has values beyond ±{:g}, which no training gives", most)
                        : "has values that are not numbers (NaN or infinity)");
  }
}

void check_meaning(const Model& model) {
  const ModelTensors tensors(model);
  check_method(tensors, model.info());
  check_options(tensors, model);
  check_names(tensors);
  check_lists(tensors);
  check_numbers(tensors, model.info());
  check_floats(tensors);
  for (const Entry* entry : kNotNegative) {
    if (!tensors.has(*entry)) continue;
    if (std::ranges::any_of(tensors.floats(*entry), [](float x) { return x < 0; })) fail(*entry, "has negative values");
  }
}

void check_model(const Model& model) {
  check_layout(model);
  check_meaning(model);
}

}  // namespace idne
