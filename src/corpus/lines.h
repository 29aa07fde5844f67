#pragma once

#include <simdjson.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/blocks.h"
#include "corpus/word_reading.h"
#include "idne/run.h"
#include "idne/text.h"
#include "math/parallel.h"

/// Text files read line by line, several blocks of lines at once.
namespace idne {

/// What a thread keeps from block to block: these are costly to make.
struct Worker {
  simdjson::dom::parser parser;
  Tokenizer tokenizer;
  LexiconOfThread lexicon;
};

/// No block is read ahead while so many bytes wait to be parsed or joined: any block may be one very long line.
constexpr std::size_t kReadAheadBytes = std::size_t{64} << 20;

/// Blocks that are worked on together.
template <class Result>
struct Wave {
  std::vector<Block> blocks;
  std::exception_ptr broken;  ///< why no further one could be read
  std::vector<Result> results;
  std::vector<std::exception_ptr> failures;

  void read(BlockReader& reader, std::size_t at_once, const Run& run) {
    try {
      // Three waves are under way.
      for (std::size_t bytes = 0; blocks.size() < at_once && bytes < kReadAheadBytes / 3;) {
        run.check();
        Block block;
        if (!reader.next(block)) break;
        bytes += block.text.size();
        blocks.push_back(std::move(block));
      }
    } catch (const Error&) {
      broken = std::current_exception();
    }
    results.resize(blocks.size());
    failures.resize(blocks.size());
  }
  void join(const std::function<void(Result&&)>& join_one) {
    for (std::size_t k = 0; k < results.size(); ++k) {
      join_one(std::move(results[k]));
      if (failures[k]) std::rethrow_exception(failures[k]);
    }
    if (broken) std::rethrow_exception(broken);
  }
};

/// Reads blocks, turns them into results side by side, and joins the results in order: while some are parsed, those
/// before are joined by one thread, and those behind read by another. The first fault of the file is the one reported:
/// what was parsed before a fault is joined before it is thrown.
template <class Result>
void for_each_block(BlockReader& reader, std::string_view stage, const Run& run,
                    const std::function<void(const Block&, Worker&, Result&)>& parse,
                    const std::function<void(Result&&)>& join) {
  std::vector<Worker> workers(static_cast<std::size_t>(run.threads));
  const std::size_t at_once = run.threads == 1 ? 1 : 4 * static_cast<std::size_t>(run.threads);
  const auto report = [&] { run.report({stage, std::min(reader.bytes_read(), reader.bytes()), reader.bytes()}); };
  Wave<Result> before, now;
  now.read(reader, at_once, run);
  while (!now.blocks.empty() || now.broken) {
    Wave<Result> next;
    const bool more = !now.blocks.empty() && !now.broken;
    parallel_for(run.threads, now.blocks.size() + 2, [&](std::size_t k, std::size_t worker) {
      if (k == 0) return before.join(join);
      if (k == 1) return more ? next.read(reader, at_once, run) : void();
      try {
        run.check();
        const Block block = std::move(now.blocks[k - 2]);
        parse(block, workers[worker], now.results[k - 2]);
      } catch (...) {
        now.failures[k - 2] = std::current_exception();
      }
    });
    run.check();
    report();
    before = std::exchange(now, std::move(next));
  }
  before.join(join);
  report();
}

template <class Result>
void for_each_block(const std::filesystem::path& path, std::string_view stage, const Run& run,
                    const std::function<void(const Block&, Worker&, Result&)>& parse,
                    const std::function<void(Result&&)>& join) {
  BlockReader reader(path);
  for_each_block(reader, stage, run, parse, join);
}

/// Calls visit(line, number) for each line of a block that is not blank.
template <class Visit>
void for_each_line(const Block& block, Visit visit) {
  const std::string_view text = block.text;
  std::uint64_t number = block.first_line;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos) visit(line, number);
    begin = end + 1;
  }
}

}  // namespace idne
