#include "train/run_key.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <type_traits>

#include "math/placement.h"

namespace idne {
namespace {

/// Of values one after the other.
class Digest {
 public:
  Digest() { XXH3_64bits_reset(state_.get()); }

  void add(std::string_view text) {
    add_number(text.size());
    XXH3_64bits_update(state_.get(), text.data(), text.size());
  }
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    add_number(values.size());
    XXH3_64bits_update(state_.get(), values.data(), values.size_bytes());
  }
  void add_number(std::uint64_t number) { XXH3_64bits_update(state_.get(), &number, sizeof number); }
  void add_strings(const StringTable& strings) {
    add_number(strings.size());
    for (const std::string_view text : strings.strings()) add(text);
  }
  std::string text() const { return fmt::format("{:016x}", XXH3_64bits_digest(state_.get())); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_{XXH3_createState(), &XXH3_freeState};
};

std::string digest_of_words(const Collection& collection) {
  Digest digest;
  digest.add_strings(collection.tokens);
  for (std::size_t i = 0; i < collection.counts.rows(); ++i) digest.add(collection.counts.row(i));
  for (std::size_t i = 0; i < collection.runs.documents(); ++i) {
    collection.runs.for_each(i, [&](std::span<const std::uint32_t> words, std::span<const std::uint32_t> written) {
      digest.add(words);
      digest.add(written);
    });
  }
  digest.add_number(collection.stop_list.size());
  for (const std::string& word : collection.stop_list) digest.add(std::string_view(word));
  return digest.text();
}

std::string digest_of_labels(const Collection& collection) {
  Digest digest;
  digest.add_strings(collection.labels);
  digest.add(std::span<const std::int64_t>(collection.document_labels.offsets));
  digest.add(std::span<const std::int32_t>(collection.document_labels.values));
  return digest.text();
}

std::string digest_of_links(const Collection& collection) {
  Digest digest;
  std::vector<std::uint32_t> ends;
  std::vector<float> weights;
  for (const Link& link : collection.links) {
    ends.insert(ends.end(), {link.a, link.b});
    weights.push_back(link.weight);
  }
  digest.add(std::span<const std::uint32_t>(ends));
  digest.add(std::span<const float>(weights));
  return digest.text();
}

std::string digest_of_groups(const Collection& collection) {
  Digest digest;
  digest.add(std::span<const Membership>(collection.memberships));
  return digest.text();
}

}  // namespace

void add_options(const Options& options, const std::string& whose, RunKey& key) {
  for (const OptionSpec& spec : options.table()) {
    // A default that depends on something is not the same as its number.
    const bool open = !spec.shown_fallback.empty() && !options.given(spec.name);
    key.push_back({whose + spec.written(), open ? "left open" : spec.text_of(options.value(spec.name))});
  }
}

void add_corpus(const Collection& collection, const VocabularyRule& rule, RunKey& key) {
  const auto yes_or_no = [](bool value) { return value ? "yes" : "no"; };
  key.push_back({"--min-count", fmt::format("{}", rule.min_count)});
  key.push_back({"--max-share", fmt::format("{}", rule.max_share)});
  key.push_back({"--stem", yes_or_no(collection.stem)});
  key.push_back({"--numbers", collection.drop_numbers ? "drop" : "keep"});
  key.push_back({"--phrases", yes_or_no(collection.phrases)});
  key.push_back({"the stop words of", collection.stop_words});
  key.push_back({"texts read by", collection.language});
  Digest ids;
  ids.add_strings(collection.ids);
  key.push_back({"documents", ids.text(), true});
  key.push_back({"words", digest_of_words(collection), true});
  key.push_back({"labels", digest_of_labels(collection), true});
  key.push_back({"links", digest_of_links(collection), true});
  key.push_back({"groups", digest_of_groups(collection), true});
  if (!collection.spread) return;
  key.insert(key.begin(), {"the number of processes", fmt::format("{}", collection.spread->ranks()->size())});
  // Each process knows its own part: all parts together tell whether the corpus is the same, and so spread.
  for (RunPart& part : key) {
    if (!part.of_corpus) continue;
    Digest all;
    for (const Bytes& bytes : collection.spread->ranks()->all_gather(std::as_bytes(std::span(part.value)))) {
      all.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    part.value = all.text();
  }
}

}  // namespace idne
