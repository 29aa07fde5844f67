#include <set>

#include "idne/import.h"
#include "import/files.h"
#include "import/front_matter.h"
#include "import/html_encoding.h"
#include "import/markdown.h"
#include "import/note_index.h"
#include "text/dates.h"

namespace idne {
namespace {

void count(NoteIndex::Kind kind, ImportCounts& counts) {
  switch (kind) {
    case NoteIndex::Kind::OtherFile:
      return counts.add("links to files and folders that are no notes");
    case NoteIndex::Kind::Outside:
      return counts.add("links out of the folder");
    case NoteIndex::Kind::Nowhere:
      return counts.add("links that lead nowhere");
    case NoteIndex::Kind::Note:
    case NoteIndex::Kind::NoLink:
      return;
  }
}

std::vector<std::string> resolve(const std::vector<NoteLink>& links, std::size_t from, const NoteIndex& index,
                                 ImportCounts& counts) {
  std::vector<std::string> ids;
  std::set<std::pair<std::string_view, bool>> seen;
  for (const NoteLink& link : links) {
    if (!seen.insert({link.target, link.wiki}).second) continue;
    const NoteIndex::Found found = index.find(link, from);
    if (found.kind == NoteIndex::Kind::Note) ids.push_back(index.id(found.note));
    count(found.kind, counts);
  }
  return ids;
}

/// Aliases must be known before the first link is followed.
NoteIndex index_notes(const std::filesystem::path& folder, const FolderFiles& files, const Run& run) {
  NoteIndex index(files);
  for (std::size_t note = 0; note < files.wanted.size(); ++note) {
    run.check();
    run.report({"read names", note + 1, files.wanted.size()});
    const auto beginning = read_beginning(folder / files.wanted[note], kLongestFrontMatter + 3);
    if (!beginning) continue;
    bool guessed = false;
    const std::string head = text_to_utf8(*beginning, guessed);
    for (const std::string& alias : read_front_matter(head).aliases) index.add_alias(alias, note);
  }
  return index;
}

}  // namespace

void import_markdown(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run,
                     const FolderOptions& options) {
  const FolderFiles files = list_some_files(folder, note_ends(), counts, run, options.exclude);
  const NoteIndex index = index_notes(folder, files, run);
  for (std::size_t n = 0; n < files.wanted.size(); ++n) {
    run.check();
    run.report({"read notes", n + 1, files.wanted.size()});
    const auto bytes = read_file(folder / files.wanted[n], counts);
    if (!bytes) continue;
    bool guessed = false;
    const std::string text = text_to_utf8(*bytes, guessed);
    if (guessed) counts.add("notes that are no UTF-8, taken for Windows-1252");
    const Note note = read_note(text, lower_ascii(files.wanted[n]).ends_with(".mdx"));
    if (note.cut) counts.add("notes too tangled to be read to their end");
    if (note.text.empty()) counts.add("empty notes");
    if (!note.date.empty() && !date_number(note.date)) counts.add("dates that cannot be read");
    const std::string title = note.title.empty() ? std::string(name_of(index.id(n))) : note.title;
    std::vector<std::string> labels =
        options.folder_labels ? folder_label(files.wanted[n]) : std::vector<std::string>{};
    labels.insert(labels.end(), note.tags.begin(), note.tags.end());
    out.add({index.id(n),
             title,
             note.title_in_text ? note.text : title + (note.text.empty() ? "" : "\n") + note.text,
             labels,
             resolve(note.links, n, index, counts),
             {},
             note.date});
  }
}

}  // namespace idne
