#include "export/shared_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "corpus/document_line.h"
#include "corpus/lines.h"
#include "math/ranks.h"

namespace idne {
namespace {

/// Blocks that a rank reads at once per thread, as for_each_block does.
constexpr std::size_t kBlocksPerThread = 4;

/// A rank's blocks of a round, and why there are no more of them if their file is faulty.
struct OwnBlocks {
  std::vector<Block> blocks;
  std::exception_ptr broken;
};

/// Goes through a file round by round; in each, every rank has a part of it, in their order.
class Rounds {
 public:
  virtual ~Rounds() = default;
  /// The own part of the next round; nothing when the file has ended, for all at once. A meeting of all.
  virtual std::optional<OwnBlocks> next() = 0;
  /// Bytes of the file that were reached.
  virtual std::uint64_t position() const = 0;
};

/// Each rank reads its parts alone.
class PlainRounds : public Rounds {
 public:
  PlainRounds(std::filesystem::path file, std::uint64_t bytes, std::size_t block_bytes, std::size_t blocks_at_once,
              Ranks& ranks)
      : file_(std::move(file)),
        bytes_(bytes),
        block_bytes_(block_bytes),
        parts_(std::max<std::size_t>(ranks.size(), bytes / (block_bytes * blocks_at_once))),
        ranks_(ranks) {}

  std::optional<OwnBlocks> next() override {
    if (first_part_ >= parts_) return std::nullopt;
    const std::size_t number = first_part_ + ranks_.number();
    first_part_ += ranks_.size();
    OwnBlocks own;
    if (number < parts_) own = part({number, parts_, 1});
    // Only now is it known which line the part begins with.
    std::uint64_t lines = 0;
    for (const Block& block : own.blocks) lines += lines_of(block);
    const std::vector<std::uint64_t> of_all = all_of(ranks_, lines);
    std::uint64_t before = lines_before_;
    for (std::size_t rank = 0; rank < ranks_.number(); ++rank) before += of_all[rank];
    for (const std::uint64_t count : of_all) lines_before_ += count;
    for (Block& block : own.blocks) block.first_line += before;
    if (own.broken) own.broken = part({number, parts_, before + 1}).broken;  // again, to name the right line
    return own;
  }
  std::uint64_t position() const override { return bytes_ * std::min(first_part_, parts_) / parts_; }

 private:
  static std::uint64_t lines_of(const Block& block) {
    return static_cast<std::uint64_t>(std::ranges::count(block.text, '\n'));
  }
  OwnBlocks part(const BlockReader::Part& part) const {
    OwnBlocks own;
    try {
      BlockReader reader(file_, part, block_bytes_);
      for (Block block; reader.next(block);) own.blocks.push_back(std::move(block));
    } catch (const Error&) {
      own.broken = std::current_exception();
    }
    return own;
  }

  std::filesystem::path file_;
  std::uint64_t bytes_;
  std::size_t block_bytes_, parts_, first_part_ = 0;
  std::uint64_t lines_before_ = 0;
  Ranks& ranks_;
};

/// A compressed file can be read from its beginning alone: each rank unpacks all, and keeps its own.
class PackedRounds : public Rounds {
 public:
  PackedRounds(const std::filesystem::path& file, std::size_t block_bytes, std::size_t blocks_at_once, Ranks& ranks)
      : reader_(file, block_bytes), most_(blocks_at_once), ranks_(ranks) {}

  std::optional<OwnBlocks> next() override {
    if (ended_) return std::nullopt;
    OwnBlocks own;
    for (std::size_t n = 0; n < ranks_.size() * at_once_ && !ended_; ++n) {
      const bool mine = n / at_once_ == ranks_.number();
      try {
        Block block;
        ended_ = !reader_.next(block);
        if (mine && !ended_) own.blocks.push_back(std::move(block));
      } catch (const Error&) {  // for all of them at the same place
        if (mine) own.broken = std::current_exception();
        ended_ = true;
      }
    }
    at_once_ = std::min(2 * at_once_, most_);  // how much there is shows late: a short file is to be shared out too
    return own;
  }
  std::uint64_t position() const override { return std::min(reader_.bytes_read(), reader_.bytes()); }

 private:
  BlockReader reader_;
  std::size_t at_once_ = 1, most_;
  bool ended_ = false;
  Ranks& ranks_;
};

/// What a rank made of its blocks: all of them, or those before a fault and the beginning of that one.
struct Made {
  std::string bytes;
  std::uint64_t documents = 0;
  std::exception_ptr failure;
};

using Work = std::function<void(const NewDocument&, Tokenizer&, std::string&)>;
using Take = std::function<void(std::string_view, std::size_t)>;

class Sharing {
 public:
  Sharing(const std::filesystem::path& path, const Run& run, const Work& work, const DocumentReading& how)
      : run_(run), ranks_(*run.ranks), work_(work), stage_(how.stage) {
    std::uint64_t most_threads = 0;
    std::vector<std::uint64_t> sizes;
    all_or_none(&ranks_, [&] {
      file_ = documents_file(path);
      bytes_ = std::filesystem::file_size(file_);
    });
    for (const std::uint64_t threads : all_of(ranks_, static_cast<std::uint64_t>(run.threads))) {
      most_threads = std::max(most_threads, threads);
    }
    sizes = all_of(ranks_, bytes_);
    for (std::size_t rank = 1; rank < sizes.size(); ++rank) {
      if (sizes[rank] == sizes[0]) continue;
      throw Error(fmt::format("{}: process {} has another file by that name than process 0", file_.string(), rank));
    }
    const std::size_t at_once = kBlocksPerThread * most_threads;
    all_or_none(&ranks_, [&] {
      if (BlockReader::open(file_)->seek(0)) {
        rounds_ = std::make_unique<PlainRounds>(file_, bytes_, how.bytes_at_once, at_once, ranks_);
      } else {
        rounds_ = std::make_unique<PackedRounds>(file_, how.bytes_at_once, at_once, ranks_);
      }
    });
    workers_.resize(static_cast<std::size_t>(run.threads));
  }

  void for_all(const Take& take) {
    while (const auto own = rounds_->next()) {
      Made made = make(*own);
      hand_over(made, take);
      all_or_none(&ranks_, [&] {
        if (made.failure) std::rethrow_exception(made.failure);
      });
      run_.report({stage_, rounds_->position(), bytes_, std::nan(""), documents_});
    }
  }

 private:
  Made make(const OwnBlocks& own) {
    const std::string name = file_.string();
    std::vector<Made> parts(own.blocks.size());
    parallel_for(run_.threads, parts.size(), [&](std::size_t k, std::size_t worker) {
      try {
        for_each_line(own.blocks[k], [&](std::string_view text, std::uint64_t number) {
          run_.check();
          const DocumentLine line(workers_[worker].parser, text, name, number);
          NewDocument document{line.string("id", false), line.string("text", true), {}};
          line.strings("links", [&](std::string_view id) { document.links.push_back(id); });
          work_(document, workers_[worker].tokenizer, parts[k].bytes);
          ++parts[k].documents;
        });
      } catch (...) {
        parts[k].failure = std::current_exception();
      }
    });
    Made made;
    for (Made& part : parts) {
      made.bytes += std::exchange(part.bytes, {});
      made.documents += part.documents;
      made.failure = part.failure;
      if (made.failure) return made;
    }
    made.failure = own.broken;
    return made;
  }

  /// Rank 0 takes what each made, one after the other, up to the first fault: never that of many at once.
  void hand_over(Made& made, const Take& take) {
    const std::vector<std::uint8_t> failed = all_of(ranks_, static_cast<std::uint8_t>(made.failure != nullptr));
    const auto first_failed = static_cast<std::size_t>(std::ranges::find(failed, 1) - failed.begin());
    const std::size_t last = std::min(first_failed, failed.size() - 1);
    const auto take_one = [&](std::string_view bytes, std::uint64_t documents) {
      documents_ += documents;
      try {
        take(bytes, documents);
      } catch (const Error&) {
        made.failure = std::current_exception();
      }
    };
    if (ranks_.first()) take_one(made.bytes, made.documents);
    for (std::size_t rank = 1; rank <= last; ++rank) {
      std::vector<Packer> to(ranks_.size());
      if (rank == ranks_.number()) {
        to[0].add(made.documents);
        to[0].add_text(made.bytes);
      }
      const std::vector<Bytes> from = exchange_packed(ranks_, to);
      if (!ranks_.first() || made.failure) continue;
      Unpacker unpacked(from[rank]);
      const auto documents = unpacked.next<std::uint64_t>();
      take_one(unpacked.next_text(), documents);
    }
  }

  const Run& run_;
  Ranks& ranks_;
  const Work& work_;
  std::string_view stage_;
  std::filesystem::path file_;
  std::uint64_t bytes_ = 0, documents_ = 0;
  std::unique_ptr<Rounds> rounds_;
  std::vector<Worker> workers_;
};

}  // namespace

void for_each_shared_document(const std::filesystem::path& path, const Run& run, const Work& work, const Take& take,
                              const DocumentReading& how) {
  if (!run.ranks) return for_each_document(path, run, work, take, how);
  Sharing(path, run, work, how).for_all(take);
}

}  // namespace idne
