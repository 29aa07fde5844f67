#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "idne/string_table.h"
#include "idne/text.h"
#include "idne/words.h"

/// Neighbouring words that are one: "new york", and the characters of a Chinese name that dictionaries do not have.
namespace idne {

/// Whether a word follows the one before it closely enough to be joined with it. With phrases, what is between them may
/// be a space, a hyphen or the end of a line; without, both must be single ideographs with nothing between them.
bool follows(std::string_view text, const Token& word, std::size_t end_before, std::string_view word_before,
             bool phrases);

/// Which pairs are joined, the firmest first.
class Joins {
 public:
  /// The pair is weaker than those that are there already. One that is there stays as it was.
  void add(std::string_view left, std::string_view right);
  std::size_t size() const { return rules_.size(); }
  bool empty() const { return rules_.empty(); }
  std::string_view left(std::size_t rule) const { return pieces_[rules_[rule].left]; }
  std::string_view right(std::size_t rule) const { return pieces_[rules_[rule].right]; }
  std::string_view joined(std::size_t rule) const { return pieces_[rules_[rule].joined]; }

  /// Words begin … end − 1 of a run, as one if they are several.
  struct Part {
    std::string_view word;
    std::size_t begin, end;
  };
  /// Joins the words of a run, each of which follows the one before it: the firmest pair first, from left to right, and
  /// so on with what came of it. The words of `run` must live as long as the result.
  std::vector<Part> apply(std::span<const std::string_view> run) const;

 private:
  struct Rule {
    std::uint32_t left, right, joined;
  };
  StringTable pieces_;
  std::vector<Rule> rules_;
  std::unordered_map<std::uint64_t, std::uint32_t> rule_of_;
};

/// "new york", or without a space between ideographs.
std::string joined_words(std::string_view left, std::string_view right);
std::string joined_words(std::span<const std::string> words);
/// The words of a text as Tokenizer gives them, all of them.
std::vector<std::string> folded_words(std::string_view text, Tokenizer& tokenizer);

/// The pairs that belong together in these documents of the runs. A pair has to occur `min_count` times.
Joins learn_joins(const StringTable& words, const Runs& runs, std::span<const std::uint32_t> documents,
                  std::uint64_t min_count);

}  // namespace idne
