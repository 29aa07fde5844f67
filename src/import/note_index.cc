#include "import/note_index.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <unordered_set>

namespace idne {
namespace {

/// The same for names that differ in case only, or in how their accents are stored: macOS stores them apart.
std::string folded(std::string_view name) {
  if (std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return lower_ascii(name);
  }
  UErrorCode status = U_ZERO_ERROR;
  const auto* fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (U_FAILURE(status)) throw Error(std::string("ICU cannot start: ") + u_errorName(status));
  const icu::StringPiece piece(name.data(), static_cast<std::int32_t>(name.size()));
  std::string result;
  fold->normalize(icu::UnicodeString::fromUTF8(piece), status).toUTF8String(result);
  return U_FAILURE(status) ? std::string(name) : result;
}

/// How many folders two paths of folders share, from the first on.
std::size_t shared_folders(std::string_view one, std::string_view other) {
  std::size_t shared = 0;
  for (std::size_t at = 0; at < one.size() && at < other.size();) {
    const std::size_t end = std::min(one.find('/', at), one.size());
    if (end != std::min(other.find('/', at), other.size()) || one.substr(at, end - at) != other.substr(at, end - at)) {
      break;
    }
    ++shared;
    at = end + 1;
  }
  return shared;
}

}  // namespace

const std::vector<std::string_view>& note_ends() {
  static const std::vector<std::string_view> ends{".md", ".markdown", ".mdx"};
  return ends;
}

std::string_view without_note_end(std::string_view path) {
  const std::string small = lower_ascii(path);
  for (const std::string_view end : note_ends()) {
    if (small.size() > end.size() && small.ends_with(end)) return path.substr(0, path.size() - end.size());
  }
  return path;
}

NoteIndex::NoteIndex(const FolderFiles& files) {
  std::unordered_set<std::string> taken;
  for (const std::string& file : files.wanted) {
    const std::string path = valid_utf8(file);
    std::string id(without_note_end(path));
    if (!taken.insert(id).second) {
      for (id = path; !taken.insert(id).second;) id += '_';
    }
    const std::size_t note = ids_.size();
    by_path_.emplace(path, note);
    by_path_.emplace(id, note);
    folded_.push_back(folded(id));
    by_name_[std::string(name_of(folded_.back()))].push_back(note);
    ids_.push_back(std::move(id));
  }
  for (const std::string& path : files.others) {
    other_paths_.insert(valid_utf8(path));
    other_names_.insert(folded(name_of(valid_utf8(path))));
  }
}

void NoteIndex::add_alias(std::string_view alias, std::size_t note) { by_alias_.emplace(folded(alias), note); }

NoteIndex::Found NoteIndex::find(const NoteLink& link, std::size_t from) const {
  const std::string_view folder = folder_of(ids_[from]);
  const Found found = link.wiki ? find_wiki(link.target, folder) : find_path(link.target, folder);
  return found.kind == Kind::Note && found.note == from ? Found{Kind::NoLink} : found;
}

const std::size_t* NoteIndex::find_name(std::string_view path, std::string_view folder) const {
  const std::string wanted = folded(without_note_end(path));
  const auto found = by_name_.find(std::string(name_of(wanted)));
  if (found == by_name_.end()) return nullptr;
  const std::size_t* best = nullptr;
  std::size_t best_shared = 0;
  for (const std::size_t& note : found->second) {
    if (folded_[note] != wanted && !folded_[note].ends_with("/" + wanted)) continue;
    const std::size_t shared = shared_folders(folder_of(ids_[note]), folder);
    const bool nearer =
        !best || shared > best_shared || (shared == best_shared && ids_[note].size() < ids_[*best].size());
    if (!nearer) continue;  // of equals the first in the order of paths stays
    best = &note;
    best_shared = shared;
  }
  return best;
}

NoteIndex::Found NoteIndex::find_wiki(std::string_view target, std::string_view folder) const {
  if (target.find("://") != std::string_view::npos && !scheme_of(target).empty()) return {Kind::Outside};
  target = trimmed(target.substr(0, target.find('#')));
  while (target.ends_with('\\')) target.remove_suffix(1);  // of [[a\|b]] in a table
  if (target.empty()) return {Kind::NoLink};
  const bool relative = target.starts_with("./") || target.starts_with("../");
  const auto path = plain_path(relative ? std::string(folder).append("/").append(target) : std::string(target));
  if (!path) return {Kind::Outside};
  if (const auto exact = by_path_.find(*path); exact != by_path_.end()) return {Kind::Note, exact->second};
  if (const std::size_t* note = find_name(*path, folder)) return {Kind::Note, *note};
  if (const auto alias = by_alias_.find(folded(target)); alias != by_alias_.end()) return {Kind::Note, alias->second};
  return other_names_.contains(folded(name_of(*path))) ? Found{Kind::OtherFile} : Found{Kind::Nowhere};
}

NoteIndex::Found NoteIndex::find_path(std::string_view target, std::string_view folder) const {
  if (const std::string scheme = scheme_of(target); !scheme.empty()) {
    return {leads_to_documents(scheme) ? Kind::Outside : Kind::NoLink};
  }
  if (target.starts_with("//")) return {Kind::Outside};
  const LinkPath link = link_path(target, folder);
  if (link.same_file) return {Kind::NoLink};
  if (!link.path) return {Kind::Outside};
  std::string path = *link.path;
  const auto known = [&](const std::string& candidate) { return by_path_.find(candidate); };
  if (const auto note = known(path); note != by_path_.end()) return {Kind::Note, note->second};
  if (path.ends_with(".html")) path.resize(path.size() - 5);  // what the note becomes on a site
  for (const char* end : {"", "index", "README", "readme", "_index"}) {
    const bool whole = *end == '\0' || path.empty();
    const auto note = known(whole ? path + end : path + "/" + end);
    if (note != by_path_.end()) return {Kind::Note, note->second};
  }
  // Obsidian writes just the name of a note whose name no other has.
  const std::string name(name_of(*link.path));
  if (without_note_end(name) != name && target.find('/') == std::string_view::npos) {
    const auto same = by_name_.find(folded(without_note_end(name)));
    if (same != by_name_.end() && same->second.size() == 1) return {Kind::Note, same->second[0]};
  }
  return {link.path->empty() || other_paths_.contains(*link.path) ? Kind::OtherFile : Kind::Nowhere};
}

}  // namespace idne
