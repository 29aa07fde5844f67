#pragma once

#include <simdjson.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "corpus/blocks.h"
#include "idne/run.h"
#include "idne/text.h"
#include "math/parallel.h"

/// Text files read line by line, several blocks of lines at once.
namespace idne {

/// What a thread keeps from block to block: these are costly to make.
struct Worker {
  simdjson::dom::parser parser;
  Tokenizer tokenizer;
};

/// No block is read ahead while so many bytes wait to be parsed: any block may be one very long line.
constexpr std::size_t kReadAheadBytes = std::size_t{64} << 20;

/// Reads blocks, turns them into results side by side, and joins the results in order. The first fault of the
/// file is the one reported: what was parsed before a fault is joined before it is thrown.
template <class Result>
void for_each_block(BlockReader& reader, std::string_view stage, const Run& run,
                    const std::function<void(const Block&, Worker&, Result&)>& parse,
                    const std::function<void(Result&&)>& join) {
  std::vector<Worker> workers(static_cast<std::size_t>(run.threads));
  const std::size_t at_once = run.threads == 1 ? 1 : 4 * static_cast<std::size_t>(run.threads);
  for (bool more = true; more;) {
    std::vector<Block> blocks;
    std::exception_ptr broken;
    try {
      for (std::size_t waiting = 0; blocks.size() < at_once && waiting < kReadAheadBytes;) {
        run.check();
        Block block;
        more = reader.next(block);
        if (!more) break;
        waiting += block.text.size();
        blocks.push_back(std::move(block));
      }
    } catch (const Error&) {
      broken = std::current_exception();
    }
    const std::size_t n = blocks.size();
    std::vector<Result> results(n);
    std::vector<std::exception_ptr> failures(n);
    parallel_for(run.threads, n, [&](std::size_t k, std::size_t worker) {
      try {
        run.check();
        parse(blocks[k], workers[worker], results[k]);
      } catch (...) {
        failures[k] = std::current_exception();
      }
    });
    for (std::size_t k = 0; k < n; ++k) {
      join(std::move(results[k]));
      if (failures[k]) std::rethrow_exception(failures[k]);
    }
    if (broken) std::rethrow_exception(broken);
    run.check();
    run.report({stage, std::min(reader.bytes_read(), reader.bytes()), reader.bytes()});
  }
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
