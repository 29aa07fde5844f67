#include "serve/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "corpus/document_line.h"
#include "corpus/lines.h"
#include "idne/corpus.h"
#include "text/numbers.h"

namespace idne {
namespace {

/// Tells whether a text is that of a document of the model. Models of before 0.3 keep no digests of texts, but words:
/// of some documents these are looked at, and a text that has none of them is another one.
class SameText {
 public:
  explicit SameText(const TextEncoder& encoder)
      : encoder_(encoder),
        digests_(encoder.model().documents().digests),
        words_(encoder.model().documents().words.words()),
        step_(words_.size() / kLookedAt + 1) {}

  bool operator()(std::size_t row, std::string_view text, Tokenizer& tokenizer) const {
    if (!digests_.empty()) return digest_of(text) == digests_[row];
    if (words_.size() == 0 || row % step_ != 0 || words_[row].size() < kEnough) return true;
    const auto known = words_[row];
    const std::vector<WordCount> words = encoder_.words(text, tokenizer);
    return std::any_of(words.begin(), words.end(), [&](const WordCount& one) {
      return std::binary_search(known.begin(), known.end(), static_cast<std::int32_t>(one.word));
    });
  }

 private:
  static constexpr std::size_t kLookedAt = 1000, kEnough = 5;
  const TextEncoder& encoder_;
  const std::span<const std::int64_t> digests_;
  const ListsView& words_;
  const std::size_t step_;
};

/// Documents of the model with which something is wrong: how many, and the first.
struct Faults {
  std::size_t count = 0, first = std::numeric_limits<std::size_t>::max();
  void add(std::size_t row) {
    ++count;
    first = std::min(first, row);
  }
};

/// "3 of its 400 documents are missing there (the first is '7')"
std::string said_of(const Faults& faults, const Documents& documents, std::string_view what) {
  return fmt::format("{} of its {} documents {} there (the first is '{}')", with_commas(faults.count),
                     with_commas(documents.size()), what, documents.ids[faults.first]);
}

}  // namespace

DocumentTexts::DocumentTexts(const TextEncoder& encoder, const std::unordered_map<std::string_view, std::size_t>& rows,
                             const std::string& model_name, const std::filesystem::path& corpus, const Run& run)
    : begin_(rows.size()), size_(rows.size()) {
  const std::filesystem::path file = documents_file(corpus);
  const std::string name = file.string();
  const Documents& documents = encoder.model().documents();
  const SameText is_same(encoder);
  struct Text {
    std::size_t row;
    std::string text;
    bool same;
  };
  struct Part {
    std::vector<Text> texts;
    std::size_t others = 0;
  };
  std::vector<bool> seen(documents.size());
  std::size_t others = 0;
  Faults missing, different;
  for_each_block<Part>(
      file, "reading texts", run,
      [&](const Block& block, Worker& worker, Part& part) {
        for_each_line(block, [&](std::string_view text_line, std::uint64_t number) {
          const DocumentLine line(worker.parser, text_line, name, number);
          const auto found = rows.find(line.string("id", true));
          if (found == rows.end()) {
            ++part.others;
            return;
          }
          const std::string_view text = line.string("text", true);
          part.texts.push_back({found->second, std::string(text), is_same(found->second, text, worker.tokenizer)});
        });
      },
      [&](Part&& part) {
        others += part.others;
        for (const Text& text : part.texts) {
          seen[text.row] = true;
          if (!text.same) different.add(text.row);
          begin_[text.row] = bytes_.size();
          size_[text.row] = text.text.size();
          bytes_ += text.text;
        }
      });
  for (std::size_t row = 0; row < seen.size(); ++row) {
    if (!seen[row]) missing.add(row);
  }
  if (missing.count + different.count > 0) {
    throw Error(fmt::format(
        "{}: not the corpus of {}: {}; give the corpus that it was trained on, or bring the model up to date (idne "
        "update)",
        name, model_name,
        missing.count > 0
            ? said_of(missing, documents, missing.count == 1 ? "is missing" : "are missing")
            : said_of(different, documents, different.count == 1 ? "has another text" : "have other texts")));
  }
  if (others > 0) {
    note_ = fmt::format("{}: {} of its documents {} not in the model, and {} not shown; idne update adds {}", name,
                        with_commas(others), others == 1 ? "is" : "are", others == 1 ? "is" : "are",
                        others == 1 ? "it" : "them");
  }
}

}  // namespace idne
