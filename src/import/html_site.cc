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

}  // namespace

void import_html(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run) {
  const FolderFiles files = list_files(folder, {".html", ".htm", ".xhtml"}, counts, run);
  Site site(files, counts);
  std::uint64_t done = 0;
  for (const std::string& path : files.wanted) {
    run.check();
    run.report({"read pages", ++done, files.wanted.size()});
    const auto bytes = read_file(folder / path, counts);
    if (!bytes) continue;
    bool replaced = false;
    HtmlPage page = read_html(html_to_utf8(*bytes, replaced));
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
