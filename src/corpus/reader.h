#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/id_directory.h"
#include "corpus/left_out.h"
#include "corpus/lines.h"
#include "corpus/word_reading.h"

/// How a collection is read, part by part: documents in read.cc, links and groups in read_network.cc;
/// what is in memory already in given.cc.
namespace idne {

/// A link or membership as it was written: the other end is still an id, and the line is kept for error messages.
struct Mention {
  std::uint32_t document;
  std::uint32_t name;
  std::uint64_t line;
};

/// A link or membership between numbered things, and where it was written.
struct Edge {
  std::uint32_t a, b;
  float weight;
  bool in_documents;  ///< written in the documents file, not in a TSV
  std::uint64_t line;
  std::uint8_t owners = 0;  ///< as Collection::link_owners has it
};

/// The documents of one block; numbers are local to it. The last may be half there if its line is faulty.
struct DocumentBlock {
  std::vector<std::string> ids, titles;
  std::vector<std::int64_t> dates;
  std::vector<std::uint64_t> lines;
  std::vector<std::int64_t> digests;
  std::vector<std::uint64_t> unreadable_dates;  ///< their lines
  BlockWords words;
  StringTable labels, link_ids, groups;
  Lists document_labels;
  std::vector<Mention> links, memberships;
  std::uint64_t left_out = 0;
};

/// Adds documents to a block: one begins, its lists follow, and it ends.
class BlockFiller {
 public:
  BlockFiller(const WordReading& words, Worker& worker, DocumentBlock& block)
      : words_(words), worker_(worker), block_(block) {}

  /// `date` is nothing if it cannot be read; `line` tells where the document stands.
  void begin(std::string_view id, std::string_view title, std::string_view text, std::optional<std::int64_t> date,
             std::uint64_t line);
  void label(std::string_view text);
  void link(std::string_view id);
  void group(std::string_view name);
  void end() { block_.document_labels.end_row(); }

 private:
  std::uint32_t document() const { return static_cast<std::uint32_t>(block_.ids.size() - 1); }

  const WordReading& words_;
  Worker& worker_;
  DocumentBlock& block_;
  std::vector<std::uint32_t> last_with_;  ///< for each label, the document that was last seen with it
};

/// Gathers the collection; knows which files it came from. Where `ranks` are given each of them reads a part of every
/// file, and what one of them needs to know of another's part goes through an IdDirectory and shared tables.
class Reader {
 public:
  Reader(const std::filesystem::path& path, const ReadOptions& options, const Run& run, Ranks* ranks);
  Reader(const GivenDocuments& given, const ReadOptions& options, const Run& run);
  Collection read() &&;
  /// Of documents that were given.
  Collection collect(GivenDocuments&& given) &&;

 private:
  // read.cc
  void read_documents();
  void join(DocumentBlock& block, const std::string& file);
  void share_documents();
  BlockReader::Part own_part(const std::filesystem::path& file) const;
  /// What would be dropped: counted, or with --strict an error.
  void drop(const std::filesystem::path& file, std::uint64_t line, const std::string& what, std::uint64_t& count) const;

  // given.cc
  void take_texts(const GivenDocuments& given);
  void take_counts(GivenDocuments&& given);
  void take_links(const GivenDocuments& given);

  // read_network.cc
  void resolve_mentions();
  std::optional<std::uint32_t> number_of(std::string_view id);
  void add_link(std::optional<std::uint32_t> a, std::optional<std::uint32_t> b, std::string_view name, Edge edge,
                const std::filesystem::path& file);
  struct Row;
  using RowParser = Row (Reader::*)(std::string_view, const std::string&, std::uint64_t) const;
  Row link_row(std::string_view text, const std::string& file, std::uint64_t line) const;
  Row group_row(std::string_view text, const std::string& file, std::uint64_t line) const;
  void find(std::string_view id, bool second, Row& row) const;
  void read_rows(const std::filesystem::path& path, std::string_view stage, RowParser parse,
                 const std::function<void(Row&&)>& take);
  void read_links();
  void read_groups();
  void resolve(std::deque<Row>& rows, bool both) const;
  void to_owners(std::vector<Edge>& edges) const;
  template <class Kept>
  std::vector<Kept> distinct(std::vector<Edge>& edges, const std::filesystem::path& tsv, const std::string& what,
                             std::uint64_t& repeats, std::vector<std::uint8_t>& owners);
  void finish_network();

  std::uint32_t global(std::uint32_t document) const {
    return collection_.spread ? static_cast<std::uint32_t>(collection_.spread->begin()) + document : document;
  }

  const ReadOptions& options_;
  const LeftOut left_out_{options_.leave_out};
  const Run& run_;
  Ranks* ranks_;
  std::filesystem::path documents_file_, links_file_, groups_file_;
  Collection collection_;
  std::vector<std::uint64_t> lines_;  ///< of the documents, until it is known that no id is there twice
  std::optional<IdDirectory> directory_;
  StringTable link_ids_;
  std::vector<Mention> link_mentions_;
  std::vector<Edge> links_, memberships_;
};

}  // namespace idne
