#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/files.h"

namespace idne {

/// A link as a note writes it: `[[target]]`, or `[words](target)`.
struct NoteLink {
  std::string target;
  bool wiki = false;
  bool operator==(const NoteLink&) const = default;
};

/// Which note of a folder a link means.
class NoteIndex {
 public:
  enum class Kind { Note, OtherFile, Outside, Nowhere, NoLink };
  struct Found {
    Kind kind;
    std::size_t note = 0;  ///< only of a Note
  };

  /// Notes are known by their number in files.wanted.
  explicit NoteIndex(const FolderFiles& files);
  void add_alias(std::string_view alias, std::size_t note);

  /// The path without the extension. Of two files that differ only in the extension the second keeps its own.
  const std::string& id(std::size_t note) const { return ids_[note]; }
  Found find(const NoteLink& link, std::size_t from) const;

 private:
  Found find_wiki(std::string_view target, std::string_view folder) const;
  Found find_path(std::string_view target, std::string_view folder) const;
  /// Among the notes with the last name of the path, those whose own path ends in all of it, the nearest.
  const std::size_t* find_name(std::string_view path, std::string_view folder) const;

  std::vector<std::string> ids_;
  std::vector<std::string> folded_;                                    ///< ids without regard to case
  std::unordered_map<std::string, std::size_t> by_path_;               ///< with and without the extension
  std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  ///< folded
  std::unordered_map<std::string, std::size_t> by_alias_;              ///< folded
  std::set<std::string> other_paths_, other_names_;                    ///< the names are folded
};

/// The ends of the names of notes.
const std::vector<std::string_view>& note_ends();
/// Without one of these ends, if it has one.
std::string_view without_note_end(std::string_view path);

}  // namespace idne
