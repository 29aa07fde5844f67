#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "idne/import.h"
#include "import/files.h"
#include "import/html_encoding.h"
#include "import/html_page.h"

namespace idne {
namespace {

/// Which page a link means.
class Site {
 public:
  Site(const FolderFiles& files, ImportCounts& counts) : files_(files), counts_(counts) {
    std::unordered_set<std::string> taken;
    for (const std::string& path : files.wanted) {
      std::string id = valid_utf8(path);
      while (!taken.insert(id).second) id += '_';  // names that are no UTF-8 may become the same
      ids_.emplace(path, std::move(id));
    }
  }

  const std::string& id(const std::string& path) const { return ids_.at(path); }

  std::vector<std::string> resolve(const std::vector<std::string>& targets, const std::string& from) {
    std::vector<std::string> links;
    std::unordered_set<std::string_view> seen;
    for (const std::string& target : targets) {
      if (!seen.insert(target).second) continue;
      const std::string* link = resolve_one(target, from);
      if (link && *link != id(from)) links.push_back(*link);
    }
    return links;
  }

 private:
  const std::string* resolve_one(std::string_view target, const std::string& from) {
    target = trimmed(target);
    const std::string scheme = scheme_of(target);
    if (!scheme.empty() && !leads_to_documents(scheme)) return nullptr;
    const LinkPath link = link_path(target, folder_of(from));
    if (scheme.empty() && link.same_file) return nullptr;
    if (!scheme.empty() || target.starts_with("//") || !link.path) {
      counts_.add("links out of the site");
      return nullptr;
    }
    for (const char* end : {"", "/index.html", "/index.htm", "/index.xhtml", ".html"}) {
      const std::string path = link.path->empty() ? std::string(end).substr(*end ? 1 : 0) : *link.path + end;
      if (const auto found = ids_.find(path); found != ids_.end()) return &found->second;
    }
    const bool is_file = link.path->empty() || files_.others.contains(*link.path);
    counts_.add(is_file ? "links to files and folders that are no pages" : "links that lead nowhere");
    return nullptr;
  }

  const FolderFiles& files_;
  ImportCounts& counts_;
  std::unordered_map<std::string, std::string> ids_;  ///< of paths
};

/// " - The site" of "A page - The site"; empty if there is no such end.
std::string_view last_part(std::string_view title) {
  std::size_t found = std::string_view::npos;
  for (const std::string_view between : {" - ", " | ", " — ", " – ", " · ", " :: ", " » ", " • "}) {
    const std::size_t at = title.rfind(between);
    if (at != std::string_view::npos && at > 0 && (found == std::string_view::npos || at > found)) found = at;
  }
  return found == std::string_view::npos ? std::string_view() : title.substr(found);
}

/// " (The site)" of "A page (The site)", also with brackets inside; empty if there is no such end.
std::string_view bracketed_part(std::string_view title) {
  if (!title.ends_with(')')) return {};
  std::size_t open = 0;
  for (std::size_t at = title.size(); at-- > 2;) {
    if (title[at] == ')') ++open;
    if (title[at] != '(' || --open > 0) continue;
    return title[at - 1] == ' ' ? title.substr(at - 1) : std::string_view();
  }
  return {};
}

/// What nearly all titles end in, by a sample of the pages; empty if there is no such end.
std::string common_title_end(const std::filesystem::path& folder, const std::vector<std::string>& pages) {
  constexpr std::size_t kSample = 100, kFewest = 5, kHead = 1 << 14;
  std::unordered_map<std::string, std::size_t> times;
  std::size_t titles = 0;
  for (std::size_t n = 0; n < std::min(kSample, pages.size()); ++n) {
    const auto bytes = read_beginning(folder / pages[n * pages.size() / std::min(kSample, pages.size())], kHead);
    bool replaced = false;
    const std::string title = bytes ? read_html(html_to_utf8(*bytes, replaced)).title : std::string();
    if (title.empty()) continue;
    ++titles;
    for (const std::string_view end : {last_part(title), bracketed_part(title)}) {
      if (!end.empty()) ++times[std::string(end)];
    }
  }
  std::string longest;
  for (const auto& [end, number] : times) {
    if (number >= kFewest && number * 5 >= titles * 4 && end.size() > longest.size()) longest = end;
  }
  return longest;
}

}  // namespace

void import_html(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run,
                 const FolderOptions& options, CodeText code) {
  const FolderFiles files = list_some_files(folder, {".html", ".htm", ".xhtml"}, counts, run, options.exclude);
  const std::string title_end = common_title_end(folder, files.wanted);
  Site site(files, counts);
  std::uint64_t done = 0;
  for (const std::string& path : files.wanted) {
    run.check();
    run.report({"read pages", ++done, files.wanted.size()});
    const auto bytes = read_file(folder / path, counts);
    if (!bytes) continue;
    bool replaced = false;
    HtmlPage page = read_html(html_to_utf8(*bytes, replaced), code);
    if (!title_end.empty() && page.title.ends_with(title_end)) page.title.resize(page.title.size() - title_end.size());
    if (options.folder_labels) page.keywords = folder_label(path);
    if (replaced) counts.add("pages with broken characters, which were replaced");
    if (page.cut) counts.add("pages nested too deeply, read in part");
    if (page.text.empty()) counts.add("pages without text");
    out.add({site.id(path),
             page.title.empty() ? std::string(name_of(site.id(path))) : page.title,
             page.text,
             page.keywords,
             site.resolve(page.links, path),
             {},
             page.date});
  }
}

}  // namespace idne
