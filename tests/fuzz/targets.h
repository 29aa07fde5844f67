#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

/// Every reader of bytes that come from somewhere else, each as a function that takes any bytes, and returns: Error is
/// an answer, too.
namespace idne::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};
std::span<const Target> targets();

// Those that need more than the bytes: kept_targets.cc, served_targets.cc.
void index(std::string_view bytes);
void checkpoint(std::string_view bytes);
void processes(std::string_view bytes);
void requests(std::string_view bytes);
void api(std::string_view bytes);

/// A few documents, with links, labels and titles, as a JSONL file has them.
std::string small_documents();
/// What these bytes make of a file that is right: each change of it is three bytes for where, one for how long, and so
/// many new bytes. All of the format is reached so, however the format may change.
std::string changed(std::string file, std::string_view bytes);

/// A model file with the checksum that fits its bytes, so that what lies behind the checksum is reached. Bytes that are
/// no such file stay as they are.
void seal(std::span<char> file);

}  // namespace idne::fuzz
