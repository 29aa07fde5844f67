#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "corpus/document_line.h"
#include "corpus/reader.h"

namespace idne {
namespace {

/// So many documents are one piece of work.
constexpr std::size_t kAtOnce = 256;

const std::vector<std::string_view>& list_of(const std::vector<std::vector<std::string_view>>& lists, std::size_t i) {
  static const std::vector<std::string_view> none;
  return lists.empty() ? none : lists[i];
}

void check_id(const GivenDocuments& given, std::size_t i) {
  if (given.ids[i].empty()) throw Error(given.name, i + 1, "the id is empty; every document needs an id of its own");
}

}  // namespace

Reader::Reader(const GivenDocuments& given, const ReadOptions& options, const Run& run)
    : options_(options), run_(run), ranks_(nullptr), documents_file_(given.name), links_file_("links") {
  collection_.name = given.name;
}

Collection Reader::collect(GivenDocuments&& given) && {
  if (given.ids.empty()) throw Error(given.name + ": there are none");
  take_links(given);
  if (given.texts.empty()) {
    take_counts(std::move(given));
  } else {
    take_texts(given);
  }
  finish_network();
  return std::move(collection_);
}

void Reader::take_texts(const GivenDocuments& given) {
  WordReading words(options_);
  const std::size_t n = given.ids.size(), blocks = (n + kAtOnce - 1) / kAtOnce;
  const std::size_t together = 4 * static_cast<std::size_t>(run_.threads);
  std::vector<Worker> workers(static_cast<std::size_t>(run_.threads));
  for (std::size_t first = 0; first < blocks; first += together) {
    std::vector<DocumentBlock> results(std::min(together, blocks - first));
    parallel_for(run_.threads, results.size(), [&](std::size_t k, std::size_t worker) {
      run_.check();
      BlockFiller filler(words, workers[worker], results[k]);
      const std::size_t begin = (first + k) * kAtOnce;
      for (std::size_t i = begin; i < std::min(begin + kAtOnce, n); ++i) {
        check_id(given, i);
        filler.begin(given.ids[i], given.titles.empty() ? "" : given.titles[i], given.texts[i], 0, i + 1);
        for (const std::string_view label : list_of(given.labels, i)) filler.label(label);
        filler.end();
        for (const std::string_view group : list_of(given.groups, i)) filler.group(group);
      }
    });
    for (DocumentBlock& block : results) {
      join(block, given.name);
      words.join(std::move(block.words));
    }
    run_.report({"reading documents", collection_.ids.size(), n});
  }
  std::move(words).finish(collection_);
}

void Reader::take_counts(GivenDocuments&& given) {
  // All but their words is taken as of documents with empty texts.
  ReadOptions plain;
  plain.language = plain.stop_words = "none";
  WordReading none(plain);
  Worker worker;
  DocumentBlock block;
  BlockFiller filler(none, worker, block);
  for (std::size_t i = 0; i < given.ids.size(); ++i) {
    check_id(given, i);
    filler.begin(given.ids[i], given.titles.empty() ? given.ids[i] : given.titles[i], "", 0, i + 1);
    for (const std::string_view label : list_of(given.labels, i)) filler.label(label);
    filler.end();
    for (const std::string_view group : list_of(given.groups, i)) filler.group(group);
  }
  join(block, given.name);
  none.join(std::move(block.words));
  std::move(none).finish(collection_);
  collection_.digests.clear();
  collection_.tokens = std::move(given.words);
  collection_.counts = std::move(given.counts);
}

void Reader::take_links(const GivenDocuments& given) {
  collection_.dropped.unknown_links = given.unknown_links;
  for (std::size_t n = 0; n < given.links.size(); ++n) {
    const Link& link = given.links[n];
    if (link.a >= given.ids.size() || link.b >= given.ids.size()) {
      throw Error("links", n + 1,
                  fmt::format("it is between the documents {} and {}, and they are numbered 0 … {}", link.a, link.b,
                              given.ids.size() - 1));
    }
    if (!(link.weight > 0 && link.weight <= kMostLinkWeight)) {
      throw Error(
          "links", n + 1,
          fmt::format("the weight {} must be a number above 0, and at most {:g}", link.weight, kMostLinkWeight));
    }
    if (link.a == link.b) {
      drop(links_file_, n + 1, fmt::format("a link from \"{}\" to itself", given.ids[link.a]),
           collection_.dropped.self_links);
      continue;
    }
    links_.push_back(
        {std::min(link.a, link.b), std::max(link.a, link.b), link.weight, false, n + 1, Collection::kByFile});
  }
}

Collection collect_documents(GivenDocuments given, const ReadOptions& options, const Run& run) {
  Reader reader(given, options, run);
  return std::move(reader).collect(std::move(given));
}

}  // namespace idne
