#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "idne/network.h"
#include "idne/run.h"
#include "idne/string_table.h"
#include "idne/text.h"
#include "idne/words.h"

namespace idne {

class Placement;  // src/math/placement.h
struct TextRules;

/// What a corpus gave that could not be used: counted, never silent.
struct Dropped {
  std::uint64_t unknown_links = 0;   ///< links to ids that no document has
  std::uint64_t self_links = 0;      ///< links from a document to itself
  std::uint64_t repeated_links = 0;  ///< links that were there already, in either direction
  std::uint64_t unknown_members = 0;
  std::uint64_t repeated_members = 0;
  std::uint64_t unreadable_dates = 0;
  std::uint64_t left_out = 0;  ///< documents, as ReadOptions::leave_out asks; no fault of the corpus

  std::uint64_t all() const {
    return unknown_links + self_links + repeated_links + unknown_members + repeated_members + unreadable_dates;
  }
  /// "3 links to unknown ids, 1 self-link", or "nothing".
  std::string text() const;
};

/// Lists of numbers, one per row.
struct Lists {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> values;

  std::size_t rows() const { return offsets.size() - 1; }
  std::span<const std::int32_t> row(std::size_t i) const {
    return std::span(values).subspan(static_cast<std::size_t>(offsets[i]),
                                     static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
  void end_row() { offsets.push_back(static_cast<std::int64_t>(values.size())); }
};

struct ReadOptions {
  /// "auto": those of the languages; or languages, files and "none", commas between them.
  std::string stop_words = "auto";
  bool strict = false;  ///< what would be dropped is an error
  /// "auto": told from the texts; "none", or languages with commas between them.
  std::string language = "auto";
  bool stem = false;          ///< joins inflections
  bool drop_numbers = false;  ///< numbers are no words
  bool phrases = false;       ///< keeps what it takes to find phrases
  /// Texts are read as those of a model were, whatever is said above. Must live as long as the reading.
  const TextRules* rules = nullptr;
  bool keep_outside = false;  ///< links to ids that are not here are kept: see Collection::outside
  /// A corpus of more documents is spread over the run's processes: see Collection::spread. Nothing: each has all.
  std::optional<std::size_t> spread_beyond = {};
  /// A file with ids of documents to be passed over, with all that links to them, one per line; empty: none.
  std::filesystem::path leave_out = {};
};

/// XXH3-64: tells whether a text is another.
std::int64_t digest_of(std::string_view text);

/// The languages that a corpus's documents are in.
struct LanguagesFound {
  struct Count {
    std::string name;  ///< "German"
    std::uint64_t documents;
  };
  bool told = false;           ///< whether anybody looked
  std::vector<Count> found;    ///< the most frequent first
  std::uint64_t unclear = 0;   ///< documents that are short, mixed, or in none of them
  std::uint64_t unknown = 0;   ///< of these, texts of some length without any function word that is known
  std::uint64_t unlisted = 0;  ///< of those, texts in a script of none of the known languages
  std::uint64_t lengthy = 0;   ///< documents of some length, clear or not
  std::uint64_t foreign = 0;   ///< of these, texts that do not fit any known language
};

/// A corpus as it was read: every word that is no stop word, before any choice of words. docs/corpus-format.md
struct Collection {
  std::string name;                 ///< the folder or file
  StringTable ids;                  ///< document i has id ids[i]
  std::vector<std::string> titles;  ///< the title, or the text's opening where there is none
  std::vector<std::int64_t> dates;  ///< of each document: year · 10000 + month · 100 + day, unknown parts 0
  StringTable labels;
  Lists document_labels;
  StringTable tokens;
  CountMatrix counts;                           ///< over `tokens`
  ShownForms forms;                             ///< of `tokens`
  Runs runs;                                    ///< over `tokens`: what may be joined
  std::shared_ptr<const WrittenWords> written;  ///< what the runs have as written, if stems are taken
  /// How texts were read, as the model keeps it: lists of stop words, and the languages where these matter.
  std::string stop_words = "none", language = "none";
  bool stem = false, drop_numbers = false, phrases = false;
  std::vector<std::string> stop_list;  ///< stop words that somebody gave
  LanguagesFound languages;
  std::vector<Link> links;
  std::vector<Membership> memberships;
  /// Of each link who named it: its first document's record, its second's, links.tsv, people who were asked, or several
  /// of these. Of each membership the same: the document's record is kByFirst, groups.tsv kByFile.
  static constexpr std::uint8_t kByFirst = 1, kBySecond = 2, kByFile = 4, kByFeedback = 8;
  std::vector<std::uint8_t> link_owners, own_memberships;
  StringTable groups;                 ///< their names, by the numbers that memberships have
  std::vector<std::int64_t> digests;  ///< digest_of each document's text
  /// With ReadOptions::keep_outside: ids that links and groups name and that no document here has. Their numbers there
  /// come after those of the documents.
  StringTable outside;
  /// Of a document here, or of one outside.
  std::string_view id_of(std::uint32_t number) const {
    return number < ids.size() ? ids[number] : outside[number - ids.size()];
  }
  Dropped dropped;
  /// Where documents are spread over processes, which has which: what is said above of documents is then of this
  /// process's, numbered from 0, but links and memberships have numbers among all. Links are those whose first document
  /// is here. Null: all are here.
  std::shared_ptr<const Placement> spread;
};

/// Reads a folder with documents.jsonl (links.tsv, groups.tsv) or one such JSONL file; .gz and .zst too.
/// Throws Error with file and line. The result does not depend on run.threads.
Collection read_collection(const std::filesystem::path& path, const ReadOptions& options, const Run& run);

/// Documents that are in memory instead of a file. Lists that are empty say nothing of any document; the others have an
/// entry for each.
struct GivenDocuments {
  std::string name = "documents";  ///< what errors call them
  std::vector<std::string_view> ids;
  std::vector<std::string_view> texts;
  std::vector<std::string_view> titles;
  std::vector<std::vector<std::string_view>> labels, groups;
  std::vector<Link> links;          ///< by the numbers of documents; as in a file, what cannot be used is dropped
  std::uint64_t unknown_links = 0;  ///< that are left out already: to be counted with those
  /// Instead of texts: what each document has of `words`, which differ. No text is read then.
  StringTable words;
  CountMatrix counts;
};

/// What read_collection gives for a file of such documents with `links` in its links.tsv. Throws Error that begins with
/// the name and the number of the document or link. REQUIRES: texts or counts, of as many documents as there are ids.
Collection collect_documents(GivenDocuments given, const ReadOptions& options, const Run& run);

}  // namespace idne
