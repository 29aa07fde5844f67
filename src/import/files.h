#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "idne/import.h"
#include "text/strings.h"

/// What the imports of whole folders share: which files there are, their text, and paths as links write them. Paths are
/// relative to the folder, with "/".
namespace idne {

struct FolderFiles {
  std::vector<std::string> wanted;  ///< sorted
  std::set<std::string> others;     ///< all other files, and the folders
  std::uint64_t excluded = 0;       ///< files and folders
};

/// The files below a folder, the wanted ones by the ends of their names (".md", in any case). Hidden files and folders
/// and node_modules are passed over. Symbolic links to folders, which may form loops, and to wanted files that lie
/// outside of the folder, which are nothing to publish, are counted and not followed.
/// So are those that `exclude` fits (FolderOptions), and patterns that fit nothing are told.
FolderFiles list_files(const std::filesystem::path& folder, const std::vector<std::string_view>& ends,
                       ImportCounts& counts, const Run& run, const std::vector<std::string>& exclude = {});
/// The same; throws Error if there are none.
FolderFiles list_some_files(const std::filesystem::path& folder, const std::vector<std::string_view>& ends,
                            ImportCounts& counts, const Run& run, const std::vector<std::string>& exclude);

/// At most the first `bytes` of a file; nothing if it cannot be read.
std::optional<std::string> read_beginning(const std::filesystem::path& file, std::size_t bytes);
/// All of a file. Nothing, and counted, if it cannot be read or is larger than a text would be.
std::optional<std::string> read_file(const std::filesystem::path& file, ImportCounts& counts);

/// Runs of white space as one space, none at the ends.
std::string on_one_line(std::string_view text);

/// "file.md" of "a/b/file.md"; "a/b" of it, or "" for a file that lies in the folder itself.
std::string_view name_of(std::string_view path);
std::string_view folder_of(std::string_view path);
/// The outermost folder of a path as a label, if there is one.
std::vector<std::string> folder_label(std::string_view path);
/// "a/c" of "a/./b/../c"; nothing for a path that leads out of the folder.
std::optional<std::string> plain_path(std::string_view path);
/// Of "%20" and the like their characters.
std::string without_escapes(std::string_view target);

/// A link's target as a path from the folder, without "#part" and "?query", as seen from a file in `folder`. Empty for
/// the file itself; nothing for a path that leads out of the folder. REQUIRES: no scheme.
struct LinkPath {
  bool same_file = false;
  std::optional<std::string> path;
};
LinkPath link_path(std::string_view target, std::string_view folder);

/// What stands before the ":" of "https://…", "mailto:…" in small letters; empty for a path.
std::string scheme_of(std::string_view target);
/// Whether a link with this scheme leads to a document at all: "mailto", "javascript" and their like do not.
bool leads_to_documents(std::string_view scheme);

}  // namespace idne
