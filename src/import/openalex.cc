#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>

#include "corpus/lines.h"
#include "idne/error.h"
#include "idne/import.h"
#include "idne/string_table.h"
#include "import/files.h"
#include "import/html_text.h"
#include "import/pieces.h"

namespace idne {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

struct Work {
  ImportedDocument document;
  bool abstract = false;
  std::uint64_t misplaced = 0;  ///< places of words in the abstract that are no numbers
};

struct WorksBlock {
  std::vector<Work> works;
  std::uint64_t nameless = 0;
};

/// The text of a field; "" if it is not there or is no text.
std::string_view text_of(object of, std::string_view name) {
  std::string_view text;
  return of[name].get(text) ? std::string_view() : text;
}

/// Titles and abstracts have tags and entities, which would become words.
std::string without_markup(std::string_view text) {
  if (text.find_first_of("<&") == std::string_view::npos) return std::string(text);
  return on_one_line(html_text(text, CodeText::Keep));
}

/// "W1" of "https://openalex.org/W1".
std::string short_id(std::string_view address) { return std::string(address.substr(address.rfind('/') + 1)); }

/// Calls visit(entry) for the objects in the list `name`, if there is one.
template <class Visit>
void for_each_object(object of, std::string_view name, Visit visit) {
  array list;
  if (of[name].get(list)) return;
  for (const element entry : list) {
    object one;
    if (!entry.get(one)) visit(one);
  }
}

/// The abstract from {"We": [0], "embed": [1, 7]}: words in the order of their places, which may be anything.
std::string abstract_of(object work, std::uint64_t& misplaced) {
  struct Placed {
    std::uint64_t place;
    std::string_view word;
    bool operator==(const Placed&) const = default;
  };
  object index;
  if (work["abstract_inverted_index"].get(index)) return {};
  std::vector<Placed> words;
  for (const auto& [word, value] : index) {
    array places;
    if (value.get(places)) {
      ++misplaced;
      continue;
    }
    for (const element entry : places) {
      std::uint64_t place = 0;
      if (entry.get(place)) {
        ++misplaced;
      } else {
        words.push_back({place, word});
      }
    }
  }
  std::stable_sort(words.begin(), words.end(), [](const Placed& a, const Placed& b) { return a.place < b.place; });
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::string text;
  for (const Placed& word : words) text.append(text.empty() ? "" : " ").append(word.word);
  return text;
}

std::vector<std::string> labels_of(object work, WorkLabels kind) {
  constexpr double kLeastScore = 0.3;  // concepts below it are mostly wrong
  std::vector<std::string> labels;
  switch (kind) {
    case WorkLabels::Topics:
      for_each_object(work, "topics", [&](object topic) { labels.emplace_back(text_of(topic, "display_name")); });
      break;
    case WorkLabels::Keywords:
      for_each_object(work, "keywords", [&](object word) { labels.emplace_back(text_of(word, "display_name")); });
      break;
    case WorkLabels::Fields:
      for_each_object(work, "topics", [&](object topic) {
        object field;
        if (!topic["field"].get(field)) labels.emplace_back(text_of(field, "display_name"));
      });
      break;
    case WorkLabels::Concepts:
      for_each_object(work, "concepts", [&](object concept_entry) {
        double score = 0;
        if (!concept_entry["score"].get(score) && score >= kLeastScore) {
          labels.emplace_back(text_of(concept_entry, "display_name"));
        }
      });
  }
  std::erase(labels, "");
  return labels;
}

void parse_work(object work, WorkLabels labels, WorksBlock& result) {
  Work parsed;
  ImportedDocument& document = parsed.document;
  document.id = short_id(text_of(work, "id"));
  if (document.id.empty()) {
    ++result.nameless;
    return;
  }
  document.title = text_of(work, "title");
  if (document.title.empty()) document.title = text_of(work, "display_name");
  document.title = without_markup(document.title);
  const std::string abstract = without_markup(abstract_of(work, parsed.misplaced));
  parsed.abstract = !abstract.empty();
  document.text = document.title;
  if (parsed.abstract) document.text.append(document.text.empty() ? "" : "\n").append(abstract);
  document.date = text_of(work, "publication_date");
  std::int64_t year = 0;
  if (document.date.empty() && !work["publication_year"].get(year)) document.date = fmt::format("{}", year);
  document.labels = labels_of(work, labels);
  array references;
  if (!work["referenced_works"].get(references)) {
    for (const element entry : references) {
      std::string_view address;
      if (!entry.get(address)) document.links.push_back(short_id(address));
    }
  }
  result.works.push_back(std::move(parsed));
}

void parse_line(simdjson::dom::parser& parser, std::string_view line, const std::string& file, std::uint64_t number,
                WorkLabels labels, WorksBlock& result) {
  element root;
  // The block behind the line is longer than simdjson's padding, so that it need not copy.
  if (const auto code = parser.parse(line.data(), line.size(), false).get(root)) {
    if (code == simdjson::UTF8_ERROR) throw Error(file, number, "the text is not valid UTF-8");
    throw Error(file, number, fmt::format("not a JSON object on one line ({})", simdjson::error_message(code)));
  }
  object work;
  if (root.get(work)) throw Error(file, number, "a work of OpenAlex, a JSON object, is needed on each line");
  array answer;
  if (work["results"].get(answer)) return parse_work(work, labels, result);
  for_each_object(work, "results", [&](object one) { parse_work(one, labels, result); });
}

void count(const Work& work, ImportCounts& counts) {
  if (work.document.title.empty()) counts.add("works without a title");
  if (!work.abstract) counts.add("works without an abstract");
  if (work.document.labels.empty()) counts.add("works without labels");
  if (work.misplaced) counts.add("words of abstracts whose place is no number", work.misplaced);
}

}  // namespace

void import_openalex(const std::vector<fs::path>& files, WorkLabels labels, CorpusWriter& out, ImportCounts& counts,
                     const Run& run) {
  StringTable ids;
  for (const fs::path& path : files) {
    const std::string file = path.string();
    BlockReader reader(path, open_unpacked(path));
    for_each_block<WorksBlock>(
        reader, "reading works", run,
        [&](const Block& block, Worker& worker, WorksBlock& result) {
          for_each_line(block, [&](std::string_view line, std::uint64_t number) {
            parse_line(worker.parser, line, file, number, labels, result);
          });
        },
        [&](WorksBlock&& block) {
          if (block.nameless) counts.add("works without an id", block.nameless);
          for (const Work& work : block.works) {
            const std::size_t before = ids.size();
            if (ids.add(work.document.id) != before) {
              counts.add("works that were there already");
              continue;
            }
            count(work, counts);
            out.add(work.document);
          }
        });
  }
}

}  // namespace idne
