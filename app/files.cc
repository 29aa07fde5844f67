#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "command.h"
#include "corpus/corpus.h"
#include "terminal.h"

/// No output replaces an input, by whatever name: files are told apart by device and inode.
namespace idne::app {
namespace {

namespace fs = std::filesystem;

struct FileId {
  dev_t device;
  ino_t inode;
  bool operator==(const FileId&) const = default;
};

std::optional<FileId> id_if_regular(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return {};
  return FileId{status.st_dev, status.st_ino};
}

std::optional<FileId> id_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? id_if_regular(status) : std::nullopt;
}

std::optional<FileId> id_of_stdin() {
  struct stat status {};
  return ::fstat(STDIN_FILENO, &status) == 0 ? id_if_regular(status) : std::nullopt;
}

/// The files and folders that an option names; "-" also where it is the default.
std::vector<std::string> named(const Options& options, const OptionSpec& spec) {
  const OptionValue& value = options.value(spec.name);
  if (!options.given(spec.name) && value != OptionValue(std::string("-"))) return {};
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  std::vector<std::string> names = list ? *list : std::vector{std::get<std::string>(value)};
  std::erase_if(names, [&](const std::string& name) {
    return std::find(spec.no_files.begin(), spec.no_files.end(), name) != spec.no_files.end();
  });
  return names;
}

bool reads(const std::string& input, const FileId& file) {
  if (input == "-") return id_of_stdin() == file;
  const std::vector<fs::path> parts = corpus_files(input);
  return id_of(input) == file ||
         std::any_of(parts.begin(), parts.end(), [&](const fs::path& part) { return id_of(part) == file; });
}

/// Throws UsageError if the file `path`, which `out` writes, is there and is read.
void check_output(const Options& options, const OptionSpec& out, const fs::path& path) {
  const auto written = id_of(path);
  if (!written) return;
  for (const OptionSpec& in : options.table()) {
    if (in.file != OptionSpec::File::Input || in.name == out.replaces) continue;
    for (const std::string& input : named(options, in)) {
      if (!reads(input, *written)) continue;
      throw UsageError(
          fmt::format("{}: {} is also read, as {}; give another name", out.written(), path.string(), in.written()));
    }
  }
}

}  // namespace

void check_files(const Options& options) {
  for (const OptionSpec& spec : options.table()) {
    if (spec.file == OptionSpec::File::None) continue;
    for (const std::string& name : named(options, spec)) {
      if (name.empty()) throw UsageError(fmt::format("{}: a file is needed, and its name is empty", spec.written()));
    }
  }
  for (const OptionSpec& out : options.table()) {
    if (out.file != OptionSpec::File::Output) continue;
    for (const std::string& name : named(options, out)) {
      if (name == "-") continue;
      check_output(options, out, name);
      for (const std::string& file : out.inside) check_output(options, out, fs::path(name) / file);
    }
  }
}

}  // namespace idne::app
