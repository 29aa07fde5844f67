#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arguments.h"
#include "calls.h"
#include "idne/check.h"
#include "idne/train.h"
#include "json/texts.h"
#include "module.h"
#include "verbs/options.h"

namespace idne::python {
namespace {

using Columns = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using Weights = py::array_t<float, py::array::c_style | py::array::forcecast>;

/// Of how texts are read: words are chosen later.
std::vector<OptionSpec> reading_table() { return joined({{threads_option(), strict_option()}, word_options()}); }

std::shared_ptr<HeldCorpus> read(const py::bytes& path, const py::dict& values, const py::object& progress) {
  const std::vector<OptionSpec> table = reading_table();
  Options options(table);
  set_options(values, options);
  const std::filesystem::path file = path_of(path);
  return std::make_shared<HeldCorpus>(HeldCorpus{long_call({threads_of(options), progress}, [&](const Run& run) {
    return read_collection(file, read_options(options), run);
  })});
}

void add_links(const Columns& ends, const py::object& weights, GivenDocuments& given) {
  const std::vector<std::int64_t> numbers = numbers_of<std::int64_t>(ends);
  const std::vector<float> heavy =
      weights.is_none() ? std::vector<float>{} : numbers_of<float>(weights.cast<Weights>());
  const std::size_t count = numbers.size() / 2;
  if (numbers.size() % 2 != 0 || (!heavy.empty() && heavy.size() != count)) {
    throw Error("links: two documents, and a weight, are needed for each");
  }
  const auto documents = static_cast<std::int64_t>(given.ids.size());
  given.links.reserve(count);
  for (std::size_t n = 0; n < count; ++n) {
    for (const std::int64_t end : {numbers[2 * n], numbers[2 * n + 1]}) {
      if (end < 0 || end >= documents) {
        throw Error(fmt::format("links: there is no document {}; they are numbered 0 … {}", end, documents - 1));
      }
    }
    given.links.push_back({static_cast<std::uint32_t>(numbers[2 * n]), static_cast<std::uint32_t>(numbers[2 * n + 1]),
                           heavy.empty() ? 1.0f : heavy[n]});
  }
}

/// Rows of counts, as SciPy's CSR has them, checked.
CountMatrix counts_of(const Columns& starts, const Columns& columns, const Columns& counts, std::size_t words) {
  const auto begin = numbers_of<std::int64_t>(starts), word = numbers_of<std::int64_t>(columns),
             count = numbers_of<std::int64_t>(counts);
  CountMatrix result;
  std::vector<WordCount> row;
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    if (begin[i] < 0 || begin[i + 1] < begin[i] || static_cast<std::size_t>(begin[i + 1]) > word.size() ||
        word.size() != count.size()) {
      throw Error("counts: the rows of the matrix are out of order");
    }
    row.clear();
    for (auto k = static_cast<std::size_t>(begin[i]); k < static_cast<std::size_t>(begin[i + 1]); ++k) {
      if (word[k] < 0 || static_cast<std::size_t>(word[k]) >= words || count[k] < 0 || count[k] > 0xFFFFFFFF) {
        throw Error(fmt::format("counts: row {} has a count or a column that is out of range", i));
      }
      if (count[k] > 0) row.push_back({static_cast<std::uint32_t>(word[k]), static_cast<std::uint32_t>(count[k])});
    }
    std::ranges::sort(row, {}, &WordCount::word);
    if (std::ranges::adjacent_find(row, {}, &WordCount::word) != row.end()) {
      throw Error(fmt::format("counts: row {} has a column twice", i));
    }
    result.add_row(row);
  }
  return result;
}

std::shared_ptr<HeldCorpus> collect(const py::object& texts, const py::object& ids, const py::object& titles,
                                    const py::object& labels, const py::object& groups, const Columns& links,
                                    const py::object& weights, std::uint64_t unknown_links, const py::object& counts,
                                    const py::dict& values, const py::object& progress) {
  const std::vector<OptionSpec> table = reading_table();
  Options options(table);
  set_options(values, options);
  const Texts all_ids(ids, "id");
  std::optional<Texts> all_texts, all_titles, words;
  GivenDocuments given;
  given.ids = all_ids.views();
  given.unknown_links = unknown_links;
  if (counts.is_none()) {
    given.texts = all_texts.emplace(texts, "text").views();
  } else {
    const auto parts = counts.cast<py::tuple>();
    words.emplace(parts[3], "word");
    for (const std::string_view word : words->views()) {
      if (given.words.add(word) + 1 != given.words.size())
        throw Error(fmt::format("the word '{}' is there twice", word));
    }
    given.counts =
        counts_of(parts[0].cast<Columns>(), parts[1].cast<Columns>(), parts[2].cast<Columns>(), words->size());
  }
  if (!titles.is_none()) given.titles = all_titles.emplace(titles, "title").views();
  const TextLists all_labels(labels, "label"), all_groups(groups, "group");
  given.labels = all_labels.views();
  given.groups = all_groups.views();
  add_links(links, weights, given);
  const std::size_t n = given.ids.size();
  const auto differs = [n](std::size_t size, bool needed) { return size != n && (needed || size != 0); };
  if (differs(counts.is_none() ? given.texts.size() : given.counts.rows(), true) ||
      differs(given.titles.size(), false) || differs(given.labels.size(), false) ||
      differs(given.groups.size(), false)) {
    throw Error(fmt::format("there are {} documents, and not as many texts, titles, labels or groups", n));
  }
  return std::make_shared<HeldCorpus>(HeldCorpus{long_call({threads_of(options), progress}, [&](const Run& run) {
    return collect_documents(std::move(given), read_options(options), run);
  })});
}

py::list list_of(const StringTable& table) {
  py::list result(table.size());
  for (std::size_t n = 0; n < table.size(); ++n) result[n] = text_for_python(table[n]);
  return result;
}

py::list labels_of(const Collection& collection) {
  const py::list names = list_of(collection.labels);
  py::list result;
  for (std::size_t i = 0; i < collection.document_labels.rows(); ++i) {
    py::list own;
    for (const std::int32_t label : collection.document_labels.row(i))
      own.append(names[static_cast<std::size_t>(label)]);
    result.append(own);
  }
  return result;
}

py::tuple links_of(const Collection& collection) {
  const auto n = static_cast<py::ssize_t>(collection.links.size());
  py::array_t<std::int64_t> ends({n, py::ssize_t{2}});
  py::array_t<float> weights(n);
  auto end = ends.mutable_unchecked<2>();
  auto weight = weights.mutable_unchecked<1>();
  for (py::ssize_t k = 0; k < n; ++k) {
    const Link& link = collection.links[static_cast<std::size_t>(k)];
    end(k, 0) = link.a, end(k, 1) = link.b, weight(k) = link.weight;
  }
  return py::make_tuple(ends, weights);
}

std::string check(const HeldCorpus& corpus, std::uint64_t min_count, double max_share, int threads,
                  const py::object& progress) {
  return long_call({threads, progress}, [&](const Run& run) {
    const CorpusCheck check = check_corpus(corpus.collection, {min_count, max_share}, run);
    const TrainingSize size{check.documents, check.vocabulary, check.all_words, check.labels};
    return json_text(check, forecast_training(size, threads), findings(check));
  });
}

}  // namespace

void add_corpora(py::module_& module) {
  py::class_<HeldCorpus, std::shared_ptr<HeldCorpus>>(module, "Corpus")
      .def_static("read", &read, py::arg("path"), py::arg("options"), py::arg("progress"))
      .def_static("collect", &collect, py::arg("texts"), py::arg("ids"), py::arg("titles"), py::arg("labels"),
                  py::arg("groups"), py::arg("links"), py::arg("weights"), py::arg("unknown_links"), py::arg("counts"),
                  py::arg("options"), py::arg("progress"))
      .def("__len__", [](const HeldCorpus& corpus) { return corpus.collection.ids.size(); })
      .def("name", [](const HeldCorpus& corpus) { return text_for_python(corpus.collection.name); })
      .def("ids", [](const HeldCorpus& corpus) { return list_of(corpus.collection.ids); })
      .def("titles",
           [](const HeldCorpus& corpus) {
             py::list result;
             for (const std::string& title : corpus.collection.titles) result.append(text_for_python(title));
             return result;
           })
      .def("labels", [](const HeldCorpus& corpus) { return labels_of(corpus.collection); })
      .def("links", [](const HeldCorpus& corpus) { return links_of(corpus.collection); })
      .def("link_count", [](const HeldCorpus& corpus) { return corpus.collection.links.size(); })
      .def("groups", [](const HeldCorpus& corpus) { return list_of(corpus.collection.groups); })
      .def("dropped", [](const HeldCorpus& corpus) { return corpus.collection.dropped.text(); })
      .def("check", &check, py::arg("min_count"), py::arg("max_share"), py::arg("threads"), py::arg("progress"));
}

}  // namespace idne::python
