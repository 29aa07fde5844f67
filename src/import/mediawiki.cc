#include <fmt/core.h>

#include <future>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "idne/import.h"
#include "import/markup_rules.h"
#include "import/spill.h"
#include "import/whole_number.h"
#include "import/wikitext.h"
#include "import/xml_file.h"
#include "math/parallel.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

int number_or(std::string_view text, int otherwise) {
  const auto number = whole_number(text);
  return number && std::in_range<int>(*number) ? static_cast<int>(*number) : otherwise;
}

/// Which titles there are, and where the others lead.
class Titles {
 public:
  /// False if there is such a page already. `title` is how links name it, `id` how it names itself.
  bool add_page(const std::string& title, const std::string& id) {
    if (!pages_.insert(title).second) return false;
    if (title != id) ids_.emplace(title, id);
    return true;
  }
  void add_redirect(std::string from, std::string to) { redirects_.emplace(std::move(from), std::move(to)); }

  /// The id of the page that a title leads to; a null pointer if it leads nowhere.
  const std::string* find(const std::string& title) const {
    const std::string* at = &title;
    constexpr int kLongestChain = 100;  // a ring of redirects is as good as a chain without end
    for (int step = 0; step < kLongestChain; ++step) {
      if (const auto page = pages_.find(*at); page != pages_.end()) {
        const auto id = ids_.find(*at);
        return id == ids_.end() ? &*page : &id->second;
      }
      const auto next = redirects_.find(*at);
      if (next == redirects_.end()) return nullptr;
      at = &next->second;
    }
    return nullptr;
  }

 private:
  std::unordered_set<std::string> pages_;
  std::unordered_map<std::string, std::string> ids_;  ///< where they differ from the title: hardly ever
  std::unordered_map<std::string, std::string> redirects_;
};

/// A page as it stands in the file. Of several revisions the last one counts.
struct Page {
  std::string title, space, model, source, timestamp;
  bool redirects = false;
  std::string target;  ///< of a redirect, if the file names it
};

/// Reads the pages, and puts their text aside.
class PageReader : public XmlHandler {
 public:
  PageReader(std::string file, ImportCounts& counts, int threads)
      : file_(std::move(file)), counts_(counts), threads_(threads) {}

  void start(std::string_view name, const char** attributes) override {
    if (depth_ == 0 && name != "mediawiki") {
      throw Error(fmt::format("{}: begins with <{}>; a MediaWiki export begins with <mediawiki>", file_, name));
    }
    ++depth_;
    into_ = nullptr;
    if (depth_ == 2) {
      page_ = {};
      // The names are read by the thread behind: they stay as they are once there is a page.
      in_site_ = name == "siteinfo" && pages_ == 0;
      in_page_ = name == "page";
    }
    if (in_site_) start_site(name, attributes);
    if (in_page_) start_page(name, attributes);
    if (into_) into_->clear();
  }

  void end(std::string_view name) override {
    into_ = nullptr;
    --depth_;
    if (in_site_ && name == "case" && depth_ == 2) names_.set_case_sensitive(value_ == "case-sensitive");
    if (in_site_ && name == "namespace") names_.add(namespace_, value_);
    if (depth_ != 1) return;
    if (in_page_) add(std::move(page_));
    page_ = {};
    in_page_ = in_site_ = false;
  }

  void text(std::string_view piece) override {
    if (into_) into_->append(piece);
  }

  /// After the last page.
  void finish() {
    hand_over();
    if (behind_.valid()) behind_.get();
  }

  DocumentSpill& spill() { return spill_; }
  const Titles& titles() const { return titles_; }

 private:
  void start_site(std::string_view name, const char** attributes) {
    if (name == "case") into_ = &value_;
    if (name != "namespace") return;
    into_ = &value_;
    const char* key = attribute(attributes, "key");
    namespace_ = number_or(key ? key : "", 0);
  }

  void start_page(std::string_view name, const char** attributes) {
    if (depth_ == 3 && name == "title") into_ = &page_.title;
    if (depth_ == 3 && name == "ns") into_ = &page_.space;
    if (depth_ == 3 && name == "redirect") {
      page_.redirects = true;
      if (const char* title = attribute(attributes, "title")) page_.target = title;
    }
    if (depth_ == 4 && name == "model") into_ = &page_.model;
    if (depth_ == 4 && name == "timestamp") into_ = &page_.timestamp;
    if (depth_ == 4 && name == "text") into_ = &page_.source;
  }

  void add(Page page) {
    ++pages_;
    const std::string title = names_.title(page.title);
    if (title.empty()) return counts_.add("pages without a title");
    // Exports of old wikis leave out <ns>.
    const int space = page.space.empty() ? names_.split(title).first : number_or(page.space, -1);
    if (space != WikiNames::kPages) return counts_.add("pages of other namespaces");
    if (page.target.empty()) page.target = redirect_target(page.source, page.redirects);
    if (page.redirects || !page.target.empty()) {
      counts_.add("redirects");
      return titles_.add_redirect(title, names_.title(page.target));
    }
    if (!page.model.empty() && page.model != "wikitext") return counts_.add("pages that are no wikitext");
    if (page.source.find_first_not_of(" \t\r\n") == std::string::npos) return counts_.add("empty pages");
    page.title = tidy_space(page.title);
    if (!titles_.add_page(title, page.title)) return counts_.add("pages with the title of an earlier page");
    batch_bytes_ += page.source.size();
    batch_.push_back(std::move(page));
    constexpr std::size_t kBatch = std::size_t{1} << 23;
    if (batch_bytes_ > kBatch) hand_over();
  }

  /// Turns a batch into text while the next one is read.
  void hand_over() {
    if (behind_.valid()) behind_.get();
    const auto policy = threads_ > 1 ? std::launch::async : std::launch::deferred;
    behind_ = std::async(policy, [this, batch = std::move(batch_)] {
      std::vector<ImportedDocument> documents(batch.size());
      parallel_for(threads_, batch.size(), [&](std::size_t n, std::size_t) {
        WikiPage page = read_wikitext(batch[n].source, names_);
        documents[n] = {batch[n].title,        batch[n].title,
                        std::move(page.text),  std::move(page.categories),
                        std::move(page.links), {},
                        batch[n].timestamp};
      });
      for (const ImportedDocument& document : documents) spill_.write(document);
    });
    batch_.clear();
    batch_bytes_ = 0;
  }

  std::string file_;
  ImportCounts& counts_;
  int threads_;
  WikiNames names_;
  Titles titles_;
  int depth_ = 0;
  bool in_site_ = false, in_page_ = false;
  std::uint64_t pages_ = 0;
  int namespace_ = 0;
  std::string value_;
  Page page_;
  std::string* into_ = nullptr;  ///< what the text at hand belongs to
  std::vector<Page> batch_;
  std::size_t batch_bytes_ = 0;
  DocumentSpill spill_;
  std::future<void> behind_;  ///< last, so that it ends before what it uses
};

/// Links as ids of the pages that they lead to.
std::vector<std::string> resolved(const ImportedDocument& page, const Titles& titles, ImportCounts& counts) {
  std::vector<std::string> links;
  std::uint64_t nowhere = 0;
  for (const std::string& link : page.links) {
    const std::string* id = titles.find(link);
    if (!id) {
      ++nowhere;
    } else if (*id != page.id) {
      links.push_back(*id);
    }
  }
  if (nowhere > 0) counts.add("links to pages that are not there", nowhere);
  return links;
}

}  // namespace

void import_mediawiki(const fs::path& file, CorpusWriter& out, ImportCounts& counts, const Run& run) {
  PageReader pages(file.string(), counts, run.threads);
  read_xml(file, "reading", run, pages);
  pages.finish();
  ImportedDocument page;
  std::uint64_t done = 0;
  for (pages.spill().rewind(); pages.spill().read(page); ++done) {
    constexpr std::uint64_t kReportInterval = 1024;
    if (done % kReportInterval == 0) {
      run.check();
      run.report({"writing", done, pages.spill().documents()});
    }
    page.links = resolved(page, pages.titles(), counts);
    out.add(page);
  }
}

}  // namespace idne
