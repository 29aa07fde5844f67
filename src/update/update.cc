#include "idne/update.h"

#include <fmt/format.h>

#include <algorithm>

#include "idne/encode.h"
#include "idne/error.h"
#include "math/parallel.h"
#include "methods/attention.h"
#include "methods/method.h"
#include "methods/neighbour_join.h"
#include "methods/topic_fit.h"
#include "model/check_meaning.h"
#include "model/reading.h"
#include "network/network.h"
#include "suggest/label_head.h"
#include "suggest/link_weights.h"
#include "text/coherence.h"
#include "text/text_rules.h"
#include "update/foresight.h"
#include "update/further_training.h"
#include "update/merge.h"
#include "update/new_words.h"

namespace idne {
namespace {

/// Rows of a matrix, those of documents that stay where they were, the others made.
class Vectors {
 public:
  Vectors(const TextEncoder& encoder, const Collection& changes, const CountMatrix& fresh_words, const Merge& merge,
          const Run& run)
      : encoder_(encoder), words_(fresh_words), merge_(merge), run_(run) {
    if (!encoder.joined()) return;
    own_links_.resize(changes.ids.size());
    StringTable ids;
    const StringsView& former = encoder.model().documents().ids;
    for (std::size_t row = 0; row < former.size(); ++row) ids.add(former[row]);
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      if (const auto row = ids.find(changes.id_of(to))) own_links_[from].push_back(*row);
    };
    for (std::size_t n = 0; n < changes.links.size(); ++n) {
      if (changes.link_owners[n] & Collection::kByFirst) add(changes.links[n].a, changes.links[n].b);
      if (changes.link_owners[n] & Collection::kBySecond) add(changes.links[n].b, changes.links[n].a);
    }
    for (auto& links : own_links_) std::ranges::sort(links);
  }

  /// Whether a document stays where it was: where links matter to its vector, it has those that it had.
  bool stays(const Origin& origin) const {
    if (origin.old == Origin::kNone) return false;
    if (origin.fresh == Origin::kNone) return true;
    // A model of before 0.3 does not tell which links were its record's.
    const bool links_matter = encoder_.joined() && !encoder_.model().documents().digests.empty();
    if (!origin.same_text || !links_matter) return origin.same_text;
    const ListsView& own = encoder_.model().documents().own_links;
    const std::span<const std::int32_t> before = own.size() > 0 ? own[origin.old] : std::span<const std::int32_t>{};
    return std::ranges::equal(before, own_links_[origin.fresh], {},
                              [](std::int32_t row) { return static_cast<std::uint32_t>(row); });
  }

  void store(ModelMaker& maker) const {
    const Model& former = encoder_.model();
    const std::size_t width = encoder_.dimensions(), count = merge_.rows.size();
    std::vector<float> vectors(count * width);
    for_each_row([&](std::size_t row) {
      const Origin& origin = merge_.rows[row];
      const std::span<float> out(vectors.data() + row * width, width);
      if (stays(origin)) {
        std::ranges::copy(former.documents().vectors.row(origin.old), out.begin());
      } else {
        encoder_.encode(words_.row(origin.fresh), links_of(origin), out);
      }
    });
    const auto join = NeighbourJoin::of(former);
    if (join) store_hops(*join, maker);
    maker.set(layout::kDocumentVectors, std::move(vectors), count, width);
  }

 private:
  template <class Work>
  void for_each_row(const Work& work) const {
    constexpr std::size_t kRows = 1024;
    parallel_parts(run_.threads, merge_.rows.size(), kRows, [&](std::size_t begin, std::size_t end) {
      run_.check();
      for (std::size_t row = begin; row < end; ++row) work(row);
    });
  }

  std::span<const std::uint32_t> links_of(const Origin& origin) const {
    return own_links_.empty() ? std::span<const std::uint32_t>{} : std::span(own_links_[origin.fresh]);
  }

  void store_hops(const NeighbourJoin& join, ModelMaker& maker) const {
    const MatrixView former = ModelTensors(encoder_.model()).matrix(layout::kHopVectors);
    const std::size_t width = former.columns, count = merge_.rows.size(), hops = join.hops(),
                      before = encoder_.model().documents().size();
    const auto encoder = find_method(encoder_.model().info().method).encoder(encoder_.model());
    std::vector<float> rows(hops * count * width);
    for_each_row([&](std::size_t row) {
      const Origin& origin = merge_.rows[row];
      const bool stays_there = stays(origin);
      std::vector<float> own;
      if (!stays_there) {
        std::vector<float> text(width);
        encoder->encode(words_.row(origin.fresh), text);
        own = join.hop_rows(text, links_of(origin));
      }
      for (std::size_t hop = 0; hop < hops; ++hop) {
        const float* from = stays_there ? former.row(hop * before + origin.old).data() : own.data() + hop * width;
        std::copy_n(from, width, rows.data() + (hop * count + row) * width);
      }
    });
    maker.set(layout::kHopVectors, std::move(rows), hops * count, width);
  }

  const TextEncoder& encoder_;
  const CountMatrix& words_;
  const Merge& merge_;
  const Run& run_;
  std::vector<std::vector<std::uint32_t>> own_links_;  ///< rows of the model that the changes' records name
};

/// What documents are called, what they have, and how they are linked.
void store_documents(const Model& former, const Collection& changes, const CountMatrix& fresh_words, const Merge& merge,
                     ModelMaker& maker) {
  const Documents& before = former.documents();
  std::vector<std::string_view> ids, titles;
  std::vector<std::int64_t> dates, digests;
  CountMatrix words;
  words.reserve(merge.rows.size(), before.words.words().values().size() + fresh_words.entries());
  for (const Origin& origin : merge.rows) {
    const bool fresh = origin.fresh != Origin::kNone;
    ids.push_back(fresh ? changes.ids[origin.fresh] : before.ids[origin.old]);
    titles.push_back(fresh ? std::string_view(changes.titles[origin.fresh]) : before.titles[origin.old]);
    dates.push_back(fresh ? changes.dates[origin.fresh] : before.dates.empty() ? 0 : before.dates[origin.old]);
    if (fresh || !before.digests.empty()) {
      digests.push_back(fresh ? changes.digests[origin.fresh] : before.digests[origin.old]);
    }
    if (fresh && !origin.same_text) {
      words.add_row(fresh_words.row(origin.fresh));
    } else {
      words.add_row(before.words[origin.old]);
    }
  }
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, titles);
  const bool any_date = std::ranges::any_of(dates, [](std::int64_t date) { return date != 0; });
  maker.remove(layout::kDocumentDates);
  if (any_date) maker.set(layout::kDocumentDates, std::move(dates));
  if (digests.size() == ids.size()) maker.set(layout::kDocumentDigests, std::move(digests));
  maker.set(layout::kDocumentWords, words);
  maker.set_strings(layout::kLabelNames, merge.label_names);
  maker.remove(layout::kLabelOwnNames);
  if (!merge.own_label_names.empty()) maker.set_strings(layout::kLabelOwnNames, merge.own_label_names);
  maker.set(layout::kDocumentLabels, merge.labels);
  const StoredNetwork& network = merge.network;
  const std::vector<std::string_view> groups(merge.group_names.begin(), merge.group_names.end());
  store_network({network.links, network.link_owners, network.memberships, network.own_memberships}, groups,
                Placement(merge.rows.size()), maker);
  const auto set_or_remove = [&](const layout::Entry& entry, const Lists& lists) {
    maker.remove(entry);
    if (lists.rows() > 0) maker.set(entry, lists);
  };
  set_or_remove(layout::kRejectedLinks, merge.rejected_links);
  set_or_remove(layout::kRejectedLabels, merge.rejected_labels);
  set_or_remove(layout::kAcceptedLabels, merge.accepted_labels);
}

/// How often each word occurs in all documents now.
std::vector<std::int64_t> word_counts(const CountMatrix& documents, std::size_t words) {
  std::vector<std::int64_t> counts(words);
  for (std::size_t i = 0; i < documents.rows(); ++i) {
    for (const WordCount& entry : documents.row(i)) counts[entry.word] += entry.count;
  }
  return counts;
}

/// New documents are those of the topic that they look most like.
void store_topics_of_documents(const Model& former, const Merge& merge, const Run& run, ModelMaker& maker,
                               const Model& model) {
  if (!maker.has(layout::kDocumentTopics)) return;
  const std::span<const std::int32_t> before = ModelTensors(former).numbers32(layout::kDocumentTopics);
  const auto encoder = find_method(model.info().method).encoder(model);
  const MatrixView topics = model.topics().vectors;
  std::vector<std::int32_t> now;
  std::vector<float> vector(encoder->dimensions());
  for (std::size_t row = 0; row < merge.rows.size(); ++row) {
    const Origin& origin = merge.rows[row];
    if (origin.keeps_text()) {
      now.push_back(before[origin.old]);
      continue;
    }
    encoder->encode(model.document_words()[row], vector);
    now.push_back(
        static_cast<std::int32_t>(topics_by_product({vector.data(), 1, vector.size()}, topics, run.threads).front()));
  }
  maker.set(layout::kDocumentTopics, std::move(now));
}

/// Which documents the words were not learned from; gives their number.
std::size_t store_untrained(const Model& former, const Merge& merge, ModelMaker& maker) {
  const std::span<const std::int32_t> before = former.documents().untrained;
  std::vector<std::int32_t> now;
  for (std::size_t row = 0; row < merge.rows.size(); ++row) {
    const Origin& origin = merge.rows[row];
    const bool came = origin.fresh != Origin::kNone && !origin.same_text;
    const bool had_come =
        origin.old != Origin::kNone && std::ranges::binary_search(before, static_cast<std::int32_t>(origin.old));
    if (came || had_come) now.push_back(static_cast<std::int32_t>(row));
  }
  const std::size_t count = now.size();
  maker.remove(layout::kUntrained);
  if (count > 0) maker.set(layout::kUntrained, std::move(now));
  return count;
}

/// Shares and coherence of the topics' words are those of all documents; how they hold up on others was found out when
/// the topics were fitted.
void measure_topics(const CountMatrix& documents, ModelMaker& maker, const Model& model) {
  const std::vector<double> shares =
      topic_shares(documents, model.word_vectors(), model.topics().vectors, activation_of(model));
  maker.set(layout::kTopicShares, std::vector<float>(shares.begin(), shares.end()));
  const std::span<const std::int32_t> ranked = model.topics().ranked;
  if (ranked.empty()) return;
  const std::size_t topics = model.topics().size(), each = ranked.size() / topics;
  std::vector<std::vector<std::uint32_t>> lists(topics);
  for (std::size_t k = 0; k < topics; ++k) {
    for (const std::int32_t word : ranked.subspan(k * each, std::min(each, kCoherenceWords))) {
      lists[k].push_back(static_cast<std::uint32_t>(word));
    }
  }
  const std::vector<double> coherence = npmi(documents, lists);
  maker.set(layout::kTopicNpmi, std::vector<float>(coherence.begin(), coherence.end()));
}

/// What came since words were learned is much if it is one document in so many.
constexpr std::size_t kMuch = 10;

/// A model without what an update needs, or whose method cannot do it, says so at once.
void check_can_be_updated(const Model& model) {
  static_cast<void>(model.document_words());
  if (model.documents().links.size() == 0) {
    throw Error("this model does not keep the links of its documents; train it again to update it");
  }
}

/// What takes the place of another model must be one.
void check_updated(const Model& model) {
  try {
    check_model(model);
  } catch (const Error& error) {
    throw Error(fmt::format("the update made what is no model: {}; nothing was changed", error.what()));
  }
}

}  // namespace

Changes::Changes(const Model& model, const std::filesystem::path& path, bool strict, const Run& run) {
  const TextRules rules = reading_of(model);
  ReadOptions how;
  how.strict = strict;
  how.rules = &rules;
  how.keep_outside = true;
  collection_ = read_collection(path, how, run);
}

Updated update_model(const Model& model, const Changes& given, const UpdateOptions& options, const Run& run) {
  check_can_be_updated(model);
  const Collection& changes = given.collection();
  const TextEncoder encoder(model);
  const TokenWords tokens(changes, encoder.vocabulary());
  const CountMatrix fresh_words = tokens.bags(changes);
  Merge merge(model, changes, fresh_words, options);
  if (merge.rows.empty()) throw Error("no document would remain; nothing was changed");
  Updated result{model, std::move(merge.report), {}};
  UpdateReport& report = result.report;
  report.foreseen = foresee(encoder, changes, fresh_words, tokens, merge, run);
  run.check();

  ModelMaker maker(result.model);
  const Vectors vectors(encoder, changes, fresh_words, merge, run);
  store_documents(model, changes, fresh_words, merge, maker);
  vectors.store(maker);
  for (const Origin& origin : merge.rows) {
    result.former.push_back(vectors.stays(origin) ? origin.old : Updated::kNew);
  }
  const std::size_t untrained = options.steps > 0 ? 0 : store_untrained(model, merge, maker);
  const Network network(merge.rows.size(), merge.network.links, merge.network.memberships);
  ModelInfo& info = maker.info();
  report.links_before = model.info().links;
  report.links = info.links = network.links();
  info.groups = network.groups();
  info.dropped = report.dropped.text();
  advise(report, untrained, merge.rows.size(), options.steps > 0);

  const NewWords words = find_new_words(model, changes, merge, tokens);
  store_rare_words(words.rare, maker);
  if (options.steps > 0) {
    store_late_words({}, maker);
    train_further(model, merge, words.late, network, options.steps, run, result);
  } else {
    store_late_words(words.late, maker);
    const CountMatrix documents = result.model.document_words().counts();
    maker.set(layout::kWordCounts, word_counts(documents, model.words().size()));
    if (model.has_topics()) {
      measure_topics(documents, maker, result.model);
      store_topics_of_documents(model, merge, run, maker, result.model);
    }
  }
  run.check();
  // What came changes little: labels are learned from where they were. What changes much, also little by little,
  // deserves a fit of its own.
  const std::uint64_t changed = report.added + report.changed + report.removed;
  learn_labels(result.model, run, options.steps == 0 ? std::optional(FormerLabels{&model, changed}) : std::nullopt);
  // So are the weights of links, but these are not worth their time before much has come since words were learned.
  const bool much_came = kMuch * untrained >= merge.rows.size();
  if (options.steps > 0 || much_came || !maker.has(layout::kLinkWeights)) learn_link_weights(result.model, run);
  check_updated(result.model);
  return result;
}

}  // namespace idne
