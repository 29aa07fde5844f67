#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "idne/error.h"
#include "idne/import.h"
#include "idne/string_table.h"
#include "import/control_file.h"
#include "text/strings.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// Calls visit(part) for each part between any of the separators, without space around it; not for empty ones.
template <class Visit>
void for_each_part(std::string_view text, std::string_view separators, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) visit(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Calls visit(name) for the packages in "a, b (>= 1) | c:any [amd64]": every alternative, without what qualifies it.
template <class Visit>
void for_each_package(std::string_view relation, Visit visit) {
  for_each_part(relation, ",|", [&](std::string_view part) {
    if (const std::string_view name = part.substr(0, part.find_first_of(" \t\n(:[<")); !name.empty()) visit(name);
  });
}

/// What follows the first line of a description, where a line with only a dot stands for an empty one.
std::string long_description(std::string_view description) {
  std::string text;
  std::size_t at = description.find('\n');
  while (at != std::string_view::npos) {
    const std::size_t end = description.find('\n', at + 1);
    const std::string_view line = description.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    if (!text.empty()) text += '\n';
    if (line != ".") text += line;
    at = end;
  }
  return text;
}

struct Package {
  std::string name, summary, description, description_sum;
  std::string relations, provides;
  std::vector<std::string> labels;
};

/// From a package to one that it names.
struct Relation {
  std::uint32_t from, to;
  std::pair<std::uint32_t, std::uint32_t> ends() const { return std::minmax(from, to); }
};

class DebianImport {
 public:
  DebianImport(const DebianOptions& options, ImportCounts& counts, const Run& run)
      : options_(options), counts_(counts), run_(run) {}

  void read() {
    const std::vector<fs::path> lists = files_named("Packages"), translations = files_named("Translation-en");
    if (!lists.empty()) {
      read_files(lists, "reading packages", [&](ControlFile& file, const Paragraph& p) { add_package(file, p); });
      want_descriptions();
      read_files(translations, "reading descriptions", [&](ControlFile&, const Paragraph& p) { add_description(p); });
    } else if (!options_.status.empty()) {
      read_files({options_.status}, "reading packages",
                 [&](ControlFile& file, const Paragraph& p) { add_package(file, p); });
    } else {
      throw Error(fmt::format("{}: no package lists here; `apt-get update` fetches them", options_.lists.string()));
    }
  }

  void write(CorpusWriter& out) {
    const std::vector<Relation> relations = distinct(resolved());
    const std::vector<std::uint8_t> chosen = best_connected(relations);
    std::vector<std::vector<std::uint32_t>> links(packages_.size());
    for (const Relation& relation : relations) {
      if (chosen[relation.from] && chosen[relation.to]) {
        links[relation.from].push_back(relation.to);
      } else if (chosen[relation.from] || chosen[relation.to]) {
        counts_.add("links with packages outside --top");
      }
    }
    for (std::size_t i = 0; i < packages_.size(); ++i) {
      run_.check();
      if (chosen[i]) out.add(document(packages_[i], links[i]));
    }
    count_bare(chosen);
  }

 private:
  /// The lists in apt's folder, plain or compressed, whose names end like this; sorted, so that "first" means
  /// something.
  std::vector<fs::path> files_named(std::string_view ending) const {
    std::vector<fs::path> files;
    std::error_code error;
    if (options_.lists.empty()) return files;
    for (fs::directory_iterator at(options_.lists, error), end; !error && at != end; at.increment(error)) {
      const std::string name = without_packing(at->path()).filename().string();
      std::error_code none;
      if ((name == ending || name.ends_with(fmt::format("_{}", ending))) && at->is_regular_file(none)) {
        files.push_back(at->path());
      }
    }
    // A folder that is not there is no reason to give up as long as there is dpkg's file.
    if (error && options_.status.empty()) {
      throw Error(fmt::format("{}: {}", options_.lists.string(), error.message()));
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  template <class Visit>
  void read_files(const std::vector<fs::path>& files, std::string_view stage, Visit visit) {
    std::uint64_t total = 0, before = 0;
    const auto bytes = [](const fs::path& path) {
      std::error_code error;
      const std::uintmax_t size = fs::file_size(path, error);
      return error ? 0 : static_cast<std::uint64_t>(size);
    };
    for (const fs::path& path : files) total += bytes(path);
    Paragraph paragraph;
    for (const fs::path& path : files) {
      ControlFile file(path);
      for (std::uint64_t n = 0; file.next(paragraph); ++n) {
        if (n % 256 == 0) {
          run_.check();
          run_.report({stage, std::min(before + file.bytes_read(), total), total});
        }
        visit(file, paragraph);
      }
      before += bytes(path);
    }
  }

  void add_package(ControlFile& file, const Paragraph& paragraph) {
    const std::string_view name = field(paragraph, "package");
    if (name.empty()) file.fail("the paragraph that ends here has no field \"Package\"");
    if (std::any_of(name.begin(), name.end(), [](char c) { return c <= ' ' || c > '~'; })) {
      file.fail("the paragraph that ends here has a package name with a space or a letter that is not ASCII");
    }
    const std::string_view status = field(paragraph, "status");
    if (status.ends_with(" config-files") || status.ends_with(" not-installed")) {
      return counts_.add("packages that are not installed");
    }
    if (names_.add(name) != packages_.size()) {
      return counts_.add("other versions or architectures of a package");
    }
    const std::string_view description = field(paragraph, "description");
    Package package;
    package.name = name;
    package.summary = description.substr(0, description.find('\n'));
    package.description = long_description(description);
    package.description_sum = field(paragraph, "description-md5");
    package.provides = field(paragraph, "provides");
    const auto relate = [&](bool wanted, std::string_view which) {
      if (wanted) package.relations.append(field(paragraph, which)).append(",");
    };
    relate(options_.depends, "pre-depends");
    relate(options_.depends, "depends");
    relate(options_.recommends, "recommends");
    relate(options_.suggests, "suggests");
    package.labels = labels_of(paragraph);
    packages_.push_back(std::move(package));
  }

  std::vector<std::string> labels_of(const Paragraph& paragraph) const {
    std::vector<std::string> labels;
    if (options_.labels == PackageLabels::Tags) {
      for_each_part(field(paragraph, "tag"), ",", [&](std::string_view tag) { labels.emplace_back(tag); });
      return labels;
    }
    const std::string_view section = field(paragraph, "section");
    const std::size_t slash = section.rfind('/');
    labels.emplace_back(slash == std::string_view::npos ? section : section.substr(slash + 1));
    if (labels.back().empty()) labels.clear();
    return labels;
  }

  void want_descriptions() {
    for (const Package& package : packages_) {
      if (package.description.empty() && !package.description_sum.empty()) descriptions_[package.description_sum];
    }
  }

  void add_description(const Paragraph& paragraph) {
    const auto wanted = descriptions_.find(std::string(field(paragraph, "description-md5")));
    if (wanted == descriptions_.end() || !wanted->second.empty()) return;
    wanted->second = long_description(field(paragraph, "description-en"));
  }

  /// For each name that is no package but that packages provide: the package, or nothing if there are several.
  using Providers = std::unordered_map<std::string_view, std::optional<std::uint32_t>>;
  Providers providers() const {
    Providers result;
    for (std::uint32_t i = 0; i < packages_.size(); ++i) {
      for_each_package(packages_[i].provides, [&](std::string_view name) {
        if (names_.find(name)) return;
        const auto [found, first] = result.try_emplace(name, i);
        if (!first && found->second != i) found->second.reset();
      });
    }
    return result;
  }

  std::vector<Relation> resolved() {
    const Providers provided = providers();
    std::vector<Relation> relations;
    for (std::uint32_t i = 0; i < packages_.size(); ++i) {
      for_each_package(packages_[i].relations, [&](std::string_view name) {
        std::optional<std::uint32_t> to = names_.find(name);
        if (!to) {
          const auto virtual_package = provided.find(name);
          if (virtual_package == provided.end()) return counts_.add("links to packages that are not in the index");
          to = virtual_package->second;
          if (!to) return counts_.add("links to virtual packages that several packages provide");
        }
        if (*to != i) relations.push_back({i, *to});
      });
    }
    return relations;
  }

  /// Each pair once, from the package that comes first, in the order of the packages that name it.
  std::vector<Relation> distinct(std::vector<Relation> relations) {
    std::stable_sort(relations.begin(), relations.end(),
                     [](const Relation& a, const Relation& b) { return a.ends() < b.ends(); });
    relations.erase(std::unique(relations.begin(), relations.end(),
                                [](const Relation& a, const Relation& b) { return a.ends() == b.ends(); }),
                    relations.end());
    return relations;
  }

  /// Which packages are among the --top; of those with as many links the first.
  std::vector<std::uint8_t> best_connected(const std::vector<Relation>& relations) const {
    if (options_.top == 0 || options_.top >= packages_.size()) return std::vector<std::uint8_t>(packages_.size(), 1);
    std::vector<std::uint32_t> degree(packages_.size()), order(packages_.size());
    for (const Relation& relation : relations) ++degree[relation.from], ++degree[relation.to];
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return degree[a] > degree[b]; });
    std::vector<std::uint8_t> chosen(packages_.size());
    for (std::size_t n = 0; n < options_.top; ++n) chosen[order[n]] = 1;
    return chosen;
  }

  const std::string& description_of(const Package& package) const {
    if (!package.description.empty()) return package.description;
    const auto found = descriptions_.find(package.description_sum);
    return found == descriptions_.end() ? package.description : found->second;
  }

  ImportedDocument document(const Package& package, const std::vector<std::uint32_t>& links) const {
    ImportedDocument result;
    result.id = package.name;
    result.title = package.summary.empty() ? package.name : fmt::format("{} — {}", package.name, package.summary);
    result.text = package.summary;
    if (const std::string& more = description_of(package); !more.empty()) result.text += "\n\n" + more;
    result.labels = package.labels;
    for (const std::uint32_t link : links) result.links.push_back(packages_[link].name);
    return result;
  }

  void count_bare(const std::vector<std::uint8_t>& chosen) {
    std::uint64_t undescribed = 0, unlabelled = 0;
    for (std::size_t i = 0; i < packages_.size(); ++i) {
      if (!chosen[i]) continue;
      undescribed += description_of(packages_[i]).empty();
      unlabelled += packages_[i].labels.empty();
    }
    const auto many = static_cast<std::uint64_t>(std::count(chosen.begin(), chosen.end(), 1)) / 2;
    if (undescribed > 0) {
      counts_.add(fmt::format("packages without a long description{}",
                              undescribed > many ? " (`apt-get update -o Acquire::Languages=en` fetches them)" : ""),
                  undescribed);
    }
    if (unlabelled > 0) {
      counts_.add(options_.labels == PackageLabels::Tags ? "packages without tags" : "packages without a section",
                  unlabelled);
    }
  }

  const DebianOptions& options_;
  ImportCounts& counts_;
  const Run& run_;
  StringTable names_;
  std::vector<Package> packages_;                              ///< package i has name names_[i]
  std::unordered_map<std::string, std::string> descriptions_;  ///< long ones, by Description-md5
};

}  // namespace

void import_debian(const DebianOptions& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
  DebianImport import(options, counts, run);
  import.read();
  import.write(out);
}

}  // namespace idne
