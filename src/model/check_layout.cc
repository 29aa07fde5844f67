#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "idne/error.h"
#include "model/tensors.h"

namespace idne {
namespace {

using layout::Count;
using layout::Entry;
using layout::Kind;
using layout::Size;

class Checker {
 public:
  explicit Checker(const Model& model) : tensors_(model) {
    for (const Entry* entry : layout::kEntries) check_presence(*entry);
    const MatrixView documents = tensors_.matrix(layout::kDocumentVectors);
    of(Count::One) = 1;
    of(Count::Documents) = documents.rows;
    of(Count::Width) = of(Count::TextWidth) = documents.columns;
    of(Count::Words) = tensors_.strings(layout::kWordStrings).size();
    of(Count::Groups) = model.info().groups;
    of(Count::Labels) = tensors_.strings(layout::kLabelNames).size();
    if (documents.rows == 0 || documents.columns == 0) throw Error("there are no documents");
    if (tensors_.has(layout::kTopicVectors)) of(Count::Topics) = tensors_.matrix(layout::kTopicVectors).rows;
    if (tensors_.has(layout::kHiddenWeights)) of(Count::Hidden) = tensors_.matrix(layout::kHiddenWeights).columns;
    if (tensors_.has(layout::kWordLabels)) of(Count::WordLabels) = tensors_.lists(layout::kWordLabels).values().size();
    if (tensors_.has(layout::kLateWords)) of(Count::LateWords) = tensors_.strings(layout::kLateWords).size();
    if (tensors_.has(layout::kLateWordLabels)) {
      of(Count::LateLabels) = tensors_.lists(layout::kLateWordLabels).values().size();
    }
    if (tensors_.has(layout::kRareWords)) of(Count::RareWords) = tensors_.strings(layout::kRareWords).size();
    if (tensors_.has(layout::kDocumentLinks)) {
      of(Count::LinkEnds) = tensors_.lists(layout::kDocumentLinks).values().size();
    }
    // Documents are joined with their neighbours. The joining itself is methods/neighbour_join, which this room lies
    // below; what a file must hold for it is checked here, with everything else, before anybody reads it.
    if (tensors_.has(layout::kHopVectors)) {
      of(Count::TextWidth) = tensors_.matrix(layout::kHopVectors).columns;
      if (documents.columns != 2 * *of(Count::TextWidth)) {
        throw Error(
            fmt::format("{} are not twice as wide as {}", layout::kDocumentVectors.name, layout::kHopVectors.name));
      }
    }
  }

  void check() const {
    for (const Entry* entry : layout::kEntries) {
      if (tensors_.has(*entry)) check(*entry);
    }
  }

 private:
  std::optional<std::size_t>& of(Count count) { return sizes_[static_cast<std::size_t>(count)]; }
  const std::optional<std::size_t>& of(Count count) const { return sizes_[static_cast<std::size_t>(count)]; }

  [[noreturn]] static void fail(const Entry& entry, std::string_view what) {
    throw Error(fmt::format("{} {}", entry.name, what));
  }

  void check_presence(const Entry& entry) const {
    const bool there = tensors_.has(entry);
    if (entry.presence.always && !there) fail(entry, "is missing");
    const Entry* other = entry.presence.with;
    if (other && there != tensors_.has(*other)) {
      throw Error(fmt::format("{} and {} come together, and one is missing", entry.name, other->name));
    }
    if (&entry == &layout::kTopicVectors && there && !tensors_.has(layout::kWordVectors)) {
      fail(entry, fmt::format("need {}", layout::kWordVectors.name));
    }
  }

  void check_size(const Entry& entry, std::size_t size, const Size& expected) const {
    const auto& counted = of(expected.count);
    if (!counted) fail(entry, fmt::format("has a size of {}, of which there are none", layout::text_of(expected)));
    const std::size_t unit = expected.times * *counted + expected.plus;
    const bool right = expected.any_multiple ? unit > 0 && size > 0 && size % unit == 0 : size == unit;
    if (!right) fail(entry, fmt::format("has {} where {} are {}", size, layout::text_of(expected), unit));
  }

  void check_numbers(const Entry& entry, std::span<const std::int32_t> numbers) const {
    const auto& below = of(entry.below);
    const auto known = [&](std::int32_t n) { return n >= 0 && below && static_cast<std::size_t>(n) < *below; };
    if (!std::all_of(numbers.begin(), numbers.end(), known)) {
      fail(entry, fmt::format("has a number that is none of the {}", layout::text_of({entry.below})));
    }
  }

  void check_offsets(const Entry& entry) const {
    const std::vector<std::string> names = tensor_names(entry);
    const ModelTensors::Tensor& tensor = tensors_.all().at(names[0]);
    const std::span offsets(reinterpret_cast<const std::int64_t*>(tensor.bytes.data()),
                            tensor.type == ModelTensors::Type::I64 ? tensor.bytes.size() / sizeof(std::int64_t) : 0);
    for (std::size_t n = 1; n < names.size(); ++n) {
      const auto found = tensors_.all().find(names[n]);
      if (found == tensors_.all().end()) fail(entry, fmt::format("lacks {}", names[n]));
      const std::size_t element = entry.kind == Kind::Strings ? 1 : sizeof(std::int32_t);
      const bool good = !offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                        offsets.back() == static_cast<std::int64_t>(found->second.bytes.size() / element);
      if (!good) fail(entry, "has offsets that are not as they should be");
    }
    check_size(entry, offsets.size() - 1, entry.rows);
  }

  void check_bags(const Entry& entry) const {
    const BagsView bags = tensors_.bags(entry);
    for (std::size_t i = 0; i < bags.size(); ++i) {
      std::int64_t before = -1, length = 0;
      for (const WordCount& word : bags[i]) {
        if (std::int64_t{word.word} <= before || word.count == 0 || word.count > INT32_MAX) {
          fail(entry, "are not sorted, or a word does not occur");
        }
        before = word.word;
        length += word.count;
      }
      if (length > INT32_MAX) fail(entry, "has a document that is longer than any can be");
    }
  }

  void check(const Entry& entry) const {
    switch (entry.kind) {
      case Kind::Floats:
        if (entry.columns.count == Count::One) return check_size(entry, tensors_.floats(entry).size(), entry.rows);
        check_size(entry, tensors_.matrix(entry).rows, entry.rows);
        return check_size(entry, tensors_.matrix(entry).columns, entry.columns);
      case Kind::Numbers64:
        return check_size(entry, tensors_.numbers64(entry).size(), entry.rows);
      case Kind::Numbers32:
        check_size(entry, tensors_.numbers32(entry).size(), entry.rows);
        return check_numbers(entry, tensors_.numbers32(entry));
      case Kind::Strings:
        return check_offsets(entry);
      case Kind::Lists:
        check_offsets(entry);
        return check_numbers(entry, tensors_.lists(entry).values());
      case Kind::Bags:
        check_offsets(entry);
        check_numbers(entry, tensors_.bags(entry).words().values());
        return check_bags(entry);
    }
  }

  ModelTensors tensors_;
  std::array<std::optional<std::size_t>, layout::kCounts> sizes_;
};

}  // namespace

void check_layout(const Model& model) { Checker(model).check(); }

}  // namespace idne
