#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "corpus/document_line.h"
#include "corpus/reader.h"
#include "text/shared_table.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// `folder/name`, or the same with .gz or .zst; empty if none is there. Which of two is meant nobody knows.
fs::path find_file(const fs::path& folder, const std::string& name) {
  fs::path found;
  for (const char* ending : {"", ".gz", ".zst"}) {
    const fs::path path = folder / (name + ending);
    if (!fs::exists(path)) continue;
    if (!found.empty()) {
      throw Error(fmt::format("{}: both {} and {} are in this folder; one is needed", folder.string(),
                              found.filename().string(), path.filename().string()));
    }
    found = path;
  }
  return found;
}

/// Whether a file begins as model files do: the header's length, then its first key (docs/model-format.md).
bool is_model(const std::filesystem::path& file) {
  constexpr std::string_view kFirst = "{\"__metadata__\"";
  constexpr std::size_t kLength = 8;
  std::array<char, kLength + kFirst.size()> begin{};
  if (!fs::is_regular_file(file)) return false;  // of a pipe nothing may be taken
  std::ifstream in(file, std::ios::binary);
  return in.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()).ends_with(kFirst);
}

void parse_documents(const Block& block, Worker& worker, const std::string& file, const WordReading& words,
                     const LeftOut& left_out, DocumentBlock& result) {
  BlockFiller filler(words, worker, result);
  for_each_line(block, [&](std::string_view text_line, std::uint64_t number) {
    const DocumentLine line(worker.parser, text_line, file, number);
    const std::string_view id = line.string("id", true), text = line.string("text", true);
    if (id.empty()) line.fail("\"id\" is empty; every document needs an id of its own");
    if (left_out.contains(id)) {
      ++result.left_out;
      return;
    }
    filler.begin(id, line.string("title", false), text, line.date(), number);
    line.strings("labels", [&](std::string_view label) { filler.label(label); });
    filler.end();
    line.strings("links", [&](std::string_view to) {
      if (!left_out.contains(to)) filler.link(to);
    });
    line.strings("groups", [&](std::string_view group) { filler.group(group); });
  });
}

/// Another copy of the corpus on another machine would be noticed late, or never: sizes are compared, and some of the
/// bytes.
void check_same_corpus(const std::vector<fs::path>& files, Ranks& ranks) {
  constexpr std::size_t kPieces = 16, kPieceBytes = std::size_t{1} << 16;
  XXH64_hash_t digest = files.size();
  std::string piece;
  for (const fs::path& file : files) {
    std::error_code none;
    const std::uintmax_t size = fs::file_size(file, none);
    digest = XXH3_64bits_withSeed(&size, sizeof size, digest);
    std::ifstream stream(file, std::ios::binary);
    for (std::size_t n = 0; n < kPieces && !none; ++n) {
      piece.assign(kPieceBytes, '\0');
      stream.seekg(static_cast<std::streamoff>(size * n / kPieces));
      stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      stream.clear();
      digest = XXH3_64bits_withSeed(piece.data(), piece.size(), digest);
    }
  }
  const std::vector<std::uint64_t> digests = all_of(ranks, static_cast<std::uint64_t>(digest));
  for (std::size_t rank = 1; rank < digests.size(); ++rank) {
    if (digests[rank] == digests[0]) continue;
    throw Error(fmt::format("{}: process {} has another corpus by that name than process 0", files[0].string(), rank));
  }
}

}  // namespace

void BlockFiller::begin(std::string_view id, std::string_view title, std::string_view text,
                        std::optional<std::int64_t> date, std::uint64_t line) {
  block_.ids.emplace_back(id);
  block_.titles.push_back(shown_title(title, text));
  block_.digests.push_back(digest_of(text));
  block_.lines.push_back(line);
  if (!date) block_.unreadable_dates.push_back(line);
  block_.dates.push_back(date.value_or(0));
  words_.read(text, worker_.tokenizer, worker_.lexicon, block_.words);
}

void BlockFiller::label(std::string_view text) {
  constexpr std::uint32_t kNobody = ~0u;
  const std::uint32_t label = block_.labels.add(text);
  if (label == last_with_.size()) last_with_.push_back(kNobody);
  if (std::exchange(last_with_[label], document()) == document()) return;
  block_.document_labels.values.push_back(static_cast<std::int32_t>(label));
}

void BlockFiller::link(std::string_view id) {
  block_.links.push_back({document(), block_.link_ids.add(id), block_.lines.back()});
}

void BlockFiller::group(std::string_view name) {
  block_.memberships.push_back({document(), block_.groups.add(name), block_.lines.back()});
}

Reader::Reader(const fs::path& path, const ReadOptions& options, const Run& run, Ranks* ranks)
    : options_(options), run_(run), ranks_(ranks), documents_file_(documents_file(path)) {
  collection_.name = path.string();
  if (fs::is_directory(path)) {
    links_file_ = find_file(path, "links.tsv");
    groups_file_ = find_file(path, "groups.tsv");
  }
}

Collection Reader::read() && {
  read_documents();
  resolve_mentions();
  if (!links_file_.empty()) read_links();
  if (!groups_file_.empty()) read_groups();
  finish_network();
  return std::move(collection_);
}

BlockReader::Part Reader::own_part(const fs::path& file) const {
  if (!ranks_) return {};
  BlockReader::Part part{ranks_->number(), ranks_->size(), 1};
  std::uint64_t own = 0;
  all_or_none(ranks_, [&] { own = BlockReader::lines_of(file, part); });
  const std::vector<std::uint64_t> lines = all_of(*ranks_, own);
  for (std::size_t rank = 0; rank < ranks_->number(); ++rank) part.first_line += lines[rank];
  return part;
}

void Reader::read_documents() {
  WordReading words(options_);
  const std::string file = documents_file_.string();
  if (is_model(documents_file_)) throw Error(file + ": this is a model, and a corpus is needed");
  const BlockReader::Part part = own_part(documents_file_);
  all_or_none(ranks_, [&] {
    BlockReader reader(documents_file_, part);
    for_each_block<DocumentBlock>(
        reader, "reading documents", run_,
        [&](const Block& block, Worker& worker, DocumentBlock& result) {
          parse_documents(block, worker, file, words, left_out_, result);
        },
        [&](DocumentBlock&& block) {
          join(block, file);
          words.join(std::move(block.words));
        });
  });
  std::uint64_t left_out = collection_.dropped.left_out;
  if (ranks_) ranks_->add_up({&left_out, 1});
  if (left_out_.size() > 0 && left_out == 0) {
    throw Error(fmt::format("{}: no document has any of the ids in it; one id per line is needed",
                            options_.leave_out.string()));
  }
  if (ranks_) share_documents();
  if ((ranks_ ? collection_.spread->all() : collection_.ids.size()) == 0) {
    throw Error(file + (collection_.dropped.left_out ? ": all documents are to be left out"
                                                     : ": no documents; one JSON object per line is needed"));
  }
  std::move(words).finish(collection_, ranks_);
}

/// Numbers what documents have in common, and the documents themselves, alike on all ranks.
void Reader::share_documents() {
  Collection& c = collection_;
  c.spread = std::make_shared<const Placement>(*ranks_, c.ids.size());
  directory_.emplace(*c.spread, c.ids.strings());
  if (const auto repeat = directory_->first_repeat()) {
    all_or_none(ranks_, [&] {
      if (!c.spread->here(*repeat)) return;
      const std::size_t own = *repeat - c.spread->begin();
      throw Error(documents_file_.string(), lines_[own],
                  fmt::format("the id \"{}\" was there already; ids must differ", c.ids[own]));
    });
  }
  lines_ = {};
  const std::vector<std::uint32_t> labels = share_table(*ranks_, c.labels), groups = share_table(*ranks_, c.groups);
  for (std::int32_t& label : c.document_labels.values) {
    label = static_cast<std::int32_t>(labels[static_cast<std::size_t>(label)]);
  }
  for (Edge& edge : memberships_) edge.b = groups[edge.b];
}

void Reader::join(DocumentBlock& block, const std::string& file) {
  Collection& c = collection_;
  const auto first = static_cast<std::uint32_t>(c.ids.size());
  for (std::size_t i = 0; i < block.ids.size(); ++i) {
    if (c.ids.add(block.ids[i]) != first + i) {
      throw Error(file, block.lines[i], fmt::format("the id \"{}\" was there already; ids must differ", block.ids[i]));
    }
    c.titles.push_back(std::move(block.titles[i]));
    if (ranks_) lines_.push_back(block.lines[i]);
  }
  c.dates.insert(c.dates.end(), block.dates.begin(), block.dates.end());
  c.digests.insert(c.digests.end(), block.digests.begin(), block.digests.end());
  for (const std::uint64_t line : block.unreadable_dates) {
    drop(documents_file_, line, "a date that cannot be read; YYYY, YYYY-MM or YYYY-MM-DD is needed",
         c.dropped.unreadable_dates);
  }
  const auto numbers = [](const StringTable& local, StringTable& global) {
    std::vector<std::uint32_t> map;
    for (const std::string_view text : local.strings()) map.push_back(global.add(text));
    return map;
  };
  c.dropped.left_out += block.left_out;
  const auto labels = numbers(block.labels, c.labels);
  const auto ids = numbers(block.link_ids, link_ids_), groups = numbers(block.groups, c.groups);
  for (std::size_t i = 0; i < block.document_labels.rows(); ++i) {
    for (const std::int32_t label : block.document_labels.row(i)) {
      c.document_labels.values.push_back(static_cast<std::int32_t>(labels[static_cast<std::size_t>(label)]));
    }
    c.document_labels.end_row();
  }
  for (const Mention& m : block.links) link_mentions_.push_back({m.document + first, ids[m.name], m.line});
  for (const Mention& m : block.memberships) {
    memberships_.push_back({m.document + first, groups[m.name], 1, true, m.line, Collection::kByFirst});
  }
}

void Reader::drop(const fs::path& file, std::uint64_t line, const std::string& what, std::uint64_t& count) const {
  if (options_.strict) throw Error(file.string(), line, what);
  ++count;
}

fs::path documents_file(const fs::path& path) {
  if (!fs::exists(path)) throw Error(path.string() + ": no such file or folder");
  if (!fs::is_directory(path)) return path;
  const fs::path file = find_file(path, "documents.jsonl");
  if (file.empty()) throw Error(path.string() + ": no documents.jsonl (nor .gz, .zst) in this folder");
  return file;
}

Collection read_collection(const fs::path& path, const ReadOptions& options, const Run& run) {
  if (run.ranks) {
    std::vector<fs::path> files;
    all_or_none(run.ranks, [&] { files.push_back(documents_file(path)); });
    if (fs::is_directory(path)) {
      for (const char* name : {"links.tsv", "groups.tsv"}) {
        if (const fs::path file = find_file(path, name); !file.empty()) files.push_back(file);
      }
    }
    check_same_corpus(files, *run.ranks);
  }
  // Phrases, stems and the words of texts without spaces are settled where all documents are.
  if (run.ranks && options.spread_beyond && !options.stem && !options.phrases) {
    Collection own = Reader(path, options, run, run.ranks).read();
    if (own.spread->all() > *options.spread_beyond && !any_of(*run.ranks, !own.runs.empty())) return own;
  }
  return Reader(path, options, run, nullptr).read();
}

}  // namespace idne
