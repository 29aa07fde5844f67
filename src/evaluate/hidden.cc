#include "evaluate/hidden.h"

#include <algorithm>

#include "text/vocabulary.h"

namespace idne {
namespace {

constexpr std::uint32_t kGone = ~0u;

/// For each of `all` documents its place in the list, or kGone.
std::vector<std::uint32_t> places(std::size_t all, std::span<const std::uint32_t> documents) {
  std::vector<std::uint32_t> place(all, kGone);
  for (std::uint32_t k = 0; k < documents.size(); ++k) place[documents[k]] = k;
  return place;
}

/// The strings that are used, in their old order, and the new number of each.
struct Renumbered {
  StringTable table;
  std::vector<std::uint32_t> number;

  Renumbered(const StringTable& old, const std::vector<char>& used) : number(old.size(), kGone) {
    for (std::size_t k = 0; k < old.size(); ++k) {
      if (used[k]) number[k] = table.add(old[k]);
    }
  }
};

}  // namespace

Collection part_of(const Collection& collection, std::span<const std::uint32_t> documents) {
  std::vector<char> tokens_used(collection.tokens.size()), labels_used(collection.labels.size());
  for (const std::uint32_t i : documents) {
    for (const WordCount& entry : collection.counts.row(i)) tokens_used[entry.word] = 1;
    for (const std::int32_t label : collection.document_labels.row(i)) labels_used[static_cast<std::size_t>(label)] = 1;
  }
  Renumbered tokens(collection.tokens, tokens_used), labels(collection.labels, labels_used);

  Collection part;
  part.name = collection.name;
  part.stop_words = collection.stop_words;
  part.language = collection.language;
  part.stem = collection.stem;
  part.drop_numbers = collection.drop_numbers;
  part.phrases = collection.phrases;
  part.stop_list = collection.stop_list;
  part.languages = collection.languages;
  part.written = collection.written;
  part.dropped = collection.dropped;
  std::vector<WordCount> row;
  for (const std::uint32_t i : documents) {
    part.ids.add(collection.ids[i]);
    part.titles.push_back(collection.titles[i]);
    if (!collection.dates.empty()) part.dates.push_back(collection.dates[i]);
    row.clear();
    for (const WordCount& entry : collection.counts.row(i)) row.push_back({tokens.number[entry.word], entry.count});
    part.counts.add_row(row);
    collection.runs.for_each(i, [&](std::span<const std::uint32_t> words, auto written) {
      std::vector<std::uint32_t> run;
      for (const std::uint32_t word : words) {
        run.push_back(tokens.number[Runs::word(word)] | (word & Runs::kCapital));
      }
      part.runs.add_run(run, written);
    });
    part.runs.end_document();
    for (const std::int32_t label : collection.document_labels.row(i)) {
      part.document_labels.values.push_back(static_cast<std::int32_t>(labels.number[static_cast<std::size_t>(label)]));
    }
    part.document_labels.end_row();
  }
  for (std::uint32_t token = 0; token < collection.tokens.size(); ++token) {
    if (tokens_used[token] && collection.forms.has(token)) {
      part.forms.set(tokens.number[token], collection.forms.of(token, {}));
    }
  }
  part.tokens = std::move(tokens.table);
  part.labels = std::move(labels.table);
  const std::vector<std::uint32_t> place = places(collection.ids.size(), documents);
  for (const Link& link : collection.links) {
    if (place[link.a] == kGone || place[link.b] == kGone) continue;
    part.links.push_back({place[link.a], place[link.b], link.weight});
  }
  for (const Membership& m : collection.memberships) {
    if (place[m.document] != kGone) part.memberships.push_back({place[m.document], m.group});
  }
  return part;
}

std::vector<std::vector<WordCount>> known_words(const Collection& collection, std::span<const std::uint32_t> documents,
                                                const StringTable& vocabulary, const Joins& joins) {
  const JoinedWords joined = joins.empty()
                                 ? JoinedWords{}
                                 : join_words(collection.tokens, collection.counts, collection.runs, documents, joins);
  const StringTable& tokens = joins.empty() ? collection.tokens : joined.tokens;
  std::vector<std::vector<WordCount>> known;
  for (std::size_t k = 0; k < documents.size(); ++k) {
    std::vector<WordCount>& words = known.emplace_back();
    for (const WordCount& entry : joins.empty() ? collection.counts.row(documents[k]) : joined.counts.row(k)) {
      if (const auto word = vocabulary.find(tokens[entry.word])) words.push_back({*word, entry.count});
    }
    std::sort(words.begin(), words.end(), [](const WordCount& a, const WordCount& b) { return a.word < b.word; });
  }
  return known;
}

HiddenTruth truth_of_hidden(const Collection& collection, const Split& split, const Collection& seen) {
  const std::size_t all = collection.ids.size();
  const std::vector<std::uint32_t> hidden_place = places(all, split.chosen), seen_place = places(all, split.rest);
  HiddenTruth truth{std::vector<std::vector<std::uint32_t>>(split.chosen.size()),
                    std::vector<std::vector<std::uint32_t>>(split.chosen.size())};
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    if (hidden_place[from] != kGone && seen_place[to] != kGone) {
      truth.links[hidden_place[from]].push_back(seen_place[to]);
    }
  };
  for (const Link& link : collection.links) {
    add(link.a, link.b);
    add(link.b, link.a);
  }
  std::vector<std::vector<std::uint32_t>> seen_members;  // of each group
  for (const Membership& m : collection.memberships) {
    if (m.group >= seen_members.size()) seen_members.resize(m.group + 1);
    if (seen_place[m.document] != kGone) seen_members[m.group].push_back(seen_place[m.document]);
  }
  for (const Membership& m : collection.memberships) {
    if (hidden_place[m.document] == kGone) continue;
    auto& links = truth.links[hidden_place[m.document]];
    links.insert(links.end(), seen_members[m.group].begin(), seen_members[m.group].end());
  }
  for (std::size_t k = 0; k < split.chosen.size(); ++k) {
    for (const std::int32_t label : collection.document_labels.row(split.chosen[k])) {
      const auto number = seen.labels.find(collection.labels[static_cast<std::size_t>(label)]);
      if (number) truth.labels[k].push_back(*number);
    }
  }
  for (auto* rows : {&truth.links, &truth.labels}) {
    for (auto& row : *rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    }
  }
  return truth;
}

}  // namespace idne
