#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/matrix.h"
#include "idne/options.h"
#include "idne/run.h"
#include "idne/text.h"

namespace idne {

/// Many strings that somebody else owns.
class StringsView {
 public:
  StringsView() = default;
  StringsView(std::string_view bytes, std::span<const std::int64_t> offsets) : bytes_(bytes), offsets_(offsets) {}
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return bytes_.substr(static_cast<std::size_t>(offsets_[i]),
                         static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
  }

 private:
  std::string_view bytes_;
  std::span<const std::int64_t> offsets_;
};

/// Many lists of numbers that somebody else owns.
class ListsView {
 public:
  ListsView() = default;
  ListsView(std::span<const std::int64_t> offsets, std::span<const std::int32_t> values)
      : offsets_(offsets), values_(values) {}
  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t i) const {
    return values_.subspan(begin(i), begin(i + 1) - begin(i));
  }
  /// Where list i begins in values().
  std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(offsets_[i]); }
  std::span<const std::int32_t> values() const { return values_; }

 private:
  std::span<const std::int64_t> offsets_;
  std::span<const std::int32_t> values_;
};

/// Many bags of words that somebody else owns.
class BagsView {
 public:
  BagsView() = default;
  BagsView(std::span<const std::int64_t> offsets, std::span<const std::int32_t> words,
           std::span<const std::int32_t> counts)
      : words_(offsets, words), counts_(counts) {}
  std::size_t size() const { return words_.size(); }
  /// Sorted by word, each once.
  std::vector<WordCount> operator[](std::size_t i) const;
  /// All of them.
  CountMatrix counts() const;
  const ListsView& words() const { return words_; }

 private:
  ListsView words_;
  std::span<const std::int32_t> counts_;
};

/// How a model was made.
struct ModelInfo {
  std::string method;
  std::map<std::string, OptionValue> options;  ///< all that the result depends on, by their names on the command line
  std::string attention;                       ///< "relu", "relu-kept" or "softmax"; "" without topics
  std::uint64_t links = 0, groups = 0;         ///< of the corpus; a group's pairs count as links
  std::string dropped;                         ///< what the corpus gave that could not be used, in words
  std::optional<double> unknown_share;         ///< of the corpus's words, those that are not kept
  std::optional<std::uint64_t> rounds;         ///< of training, where a method tells
  std::optional<double> loss;                  ///< per pair, of the last steps

  bool operator==(const ModelInfo&) const = default;
};

/// What a model holds about its documents, in the corpus's order. Models of before 0.2 may lack links, groups and
/// words: these views are then empty.
struct Documents {
  StringsView ids;
  StringsView titles;                   ///< a document without a title has its text's opening here
  std::span<const std::int64_t> dates;  ///< year · 10000 + month · 100 + day, unknown parts 0; empty if none has one
  MatrixView vectors;
  ListsView labels;     ///< numbers of Labels
  ListsView links;      ///< numbers of documents, rising; groups are not expanded
  ListsView groups;     ///< numbers of groups, rising
  BagsView words;       ///< of its text, those that the model knows
  BagsView late_words;  ///< and of Words::late; none if there are none
  /// What an update needs to know. Models of before 0.3 lack these.
  std::span<const float> link_weights;  ///< of `links`; empty if all are 1
  ListsView own_links, own_groups;      ///< that its own record names; no lists if no record names any
  StringsView group_names;
  /// What people said no to (`update --feedback`): documents, labels. No lists if they did not.
  ListsView rejected_links, rejected_labels;
  std::span<const std::int32_t> untrained;  ///< that came or have another text since words were learned, rising
  std::span<const std::int64_t> digests;    ///< XXH3-64 of its text

  std::size_t size() const { return vectors.rows; }
};

/// The words that a model knows, most frequent first.
struct Words {
  StringsView strings;                   ///< as they are matched: "gerat"
  std::span<const std::int64_t> counts;  ///< in the corpus
  MatrixView vectors;                    ///< no rows if the method has none
  StringsView forms;                     ///< as they are mostly written: "Gerät"; empty if that is the same for all
  /// Words that became frequent enough since these were learned, and how they are written. They have no vectors, but
  /// suggestions go by them: there their numbers come after those of the others.
  StringsView late, late_forms;

  std::size_t size() const { return strings.size(); }
  /// What people see of them.
  const StringsView& shown() const { return forms.size() > 0 ? forms : strings; }
  std::string_view shown(std::size_t word) const {
    if (word < size()) return shown()[word];
    return late_forms.size() > 0 ? late_forms[word - size()] : late[word - size()];
  }
  /// As they are matched.
  std::string_view matched(std::size_t word) const { return word < size() ? strings[word] : late[word - size()]; }
};

/// As many topics as a model may have: much of what is done with them takes the square of their number.
inline constexpr std::size_t kMostTopics = 4096;

/// Topics, the one with the largest share first. Topic k of a person is row k − 1 here.
struct Topics {
  MatrixView vectors;
  std::span<const float> shares;         ///< in the documents that have words, in the mean
  std::span<const float> npmi;           ///< coherence of each one's first ten words
  std::span<const float> coherence;      ///< the same on documents they were not chosen on; empty before 0.3
  StringsView names;                     ///< that people gave them, "" for none; empty if nobody named any
  std::span<const std::int32_t> ranked;  ///< if they are fitted, the words that each shows, as many for each
  std::span<const float> word_weights;   ///< and what each of these weighs in it; empty before 0.3

  std::size_t size() const { return vectors.rows; }
};

struct Labels {
  StringsView names;
  StringsView own_names;  ///< in the corpus, of those that people renamed, "" for the others; empty if nobody did
  MatrixView weights;     ///< of a logistic regression per label, the constant last; no rows if none were learned
};

class Placement;  // src/math/placement.h

/// A trained model, as in its file (docs/model-format.md). What it holds is in memory or in the mapped file; copies
/// share it.
class Model {
 public:
  /// Whether what a model holds lies in its file, of which only what is used takes memory, or in a copy of it. A
  /// program that runs for long wants a copy: it would not survive that somebody writes over the file or cuts it.
  enum class Load { Map, Copy };
  /// Throws Error unless every size and the checksum are right.
  static Model load(const std::filesystem::path& path, Load how = Load::Map);
  /// Writes beside the file and renames; the same model gives the same bytes. Of several processes one writes. Throws
  /// Error, and writes nothing, if load() would not take the model.
  void save(const std::filesystem::path& path, const Run& run = {}) const;

  const ModelInfo& info() const { return info_; }
  /// Those that are here: all of them, but for a model that several processes have just trained.
  const Documents& documents() const { return documents_; }
  std::size_t documents_everywhere() const;
  const Words& words() const { return words_; }
  const Labels& labels() const { return labels_; }

  bool has_topics() const { return topics_.size() > 0; }
  /// These throw Error if the model's method has none.
  const Topics& topics() const;
  MatrixView word_vectors() const;
  /// Throws Error if the model does not keep the words of its documents.
  const BagsView& document_words() const;

  /// The row of a document. Throws Error that names the id if there is none.
  std::size_t document(std::string_view id) const;

 private:
  friend class ModelTensors;  // src/model/tensors.h: how models are made and kept
  friend class ModelMaker;
  /// A named array of the file.
  struct Tensor {
    enum class Type { F32, I32, I64, U8 } type;
    std::vector<std::size_t> shape;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;  ///< of the bytes
  };

  std::shared_ptr<const Placement> spread_;  ///< null: all documents are here
  ModelInfo info_;
  std::map<std::string, std::string> other_texts_;  ///< what a later version wrote about it
  std::map<std::string, Tensor> tensors_;
  Documents documents_;
  Words words_;
  Topics topics_;
  Labels labels_;
};

}  // namespace idne
