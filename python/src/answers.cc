#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>

#include "arguments.h"
#include "calls.h"
#include "idne/explain.h"
#include "idne/report.h"
#include "idne/search.h"
#include "json/texts.h"
#include "math/parallel.h"
#include "methods/known_links.h"
#include "module.h"

namespace idne::python {
namespace {

/// So many texts are one piece of work.
constexpr std::size_t kAtOnce = 16;
/// For more questions than this an index is made, as the program does.
constexpr std::size_t kFewQuestions = 1000;

using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// Calls work(i, tokenizer) for each text, with the run's threads; `progress` tells how many are done.
void for_each_text(const Run& run, std::string_view stage, std::size_t n,
                   const std::function<void(std::size_t, Tokenizer&)>& work) {
  const std::size_t parts = (n + kAtOnce - 1) / kAtOnce;
  const int threads = static_cast<int>(std::clamp<std::size_t>(parts, 1, static_cast<std::size_t>(run.threads)));
  std::vector<Tokenizer> tokenizers(static_cast<std::size_t>(threads));
  std::atomic<std::uint64_t> done{0};
  parallel_for(threads, parts, [&](std::size_t part, std::size_t worker) {
    run.check();
    const std::size_t end = std::min(n, (part + 1) * kAtOnce);
    for (std::size_t i = part * kAtOnce; i < end; ++i) work(i, tokenizers[worker]);
    done += end - part * kAtOnce;
    if (worker == 0) run.report({stage, done, n});
  });
}

bool is_zero(std::span<const float> vector) {
  return std::ranges::all_of(vector, [](float x) { return x == 0; });
}

py::array_t<float> empty_rows(std::size_t rows, std::size_t columns) {
  return py::array_t<float>({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
}

std::size_t width_of(const HeldModel& held) {
  const py::gil_scoped_release unlocked;
  return held.encoder().dimensions();
}

void check_links(const TextLists& links, std::size_t texts) {
  if (!links.views().empty() && links.views().size() != texts) {
    throw Error(fmt::format("links: there are {} texts and {} lists of links", texts, links.views().size()));
  }
}

py::array_t<float> embed(const HeldModel& held, const py::object& sequence, const py::object& link_ids, int threads,
                         const py::object& progress) {
  const Texts texts(sequence, "text");
  const TextLists links(link_ids, "id");
  check_links(links, texts.size());
  const std::size_t width = width_of(held);
  py::array_t<float> result = empty_rows(texts.size(), width);
  float* const rows = result.mutable_data();
  run_beside({threads, progress}, [&](const Run& run) {
    const TextEncoder& encoder = held.encoder();
    std::optional<KnownLinks> known;
    if (!links.views().empty()) known.emplace(encoder);
    for_each_text(run, "embedding", texts.size(), [&](std::size_t i, Tokenizer& tokenizer) {
      const auto numbers = known ? known->numbers(links.views()[i]) : std::vector<std::uint32_t>{};
      encoder.encode(encoder.words(texts.views()[i], tokenizer), numbers, {rows + i * width, width});
    });
  });
  return result;
}

/// Rows of counts over the model's own words.
py::array_t<float> embed_counts(const HeldModel& held, const Numbers& starts, const Numbers& columns,
                                const Numbers& counts, int threads, const py::object& progress) {
  const auto begin = numbers_of<std::int64_t>(starts), word = numbers_of<std::int64_t>(columns),
             count = numbers_of<std::int64_t>(counts);
  if (begin.empty() || word.size() != count.size() || begin.front() != 0 ||
      begin.back() != static_cast<std::int64_t>(word.size()) || !std::ranges::is_sorted(begin)) {
    throw Error("counts: the rows of the matrix are out of order");
  }
  const auto words = static_cast<std::int64_t>(held.model().words().size());
  for (std::size_t k = 0; k < word.size(); ++k) {
    if (word[k] < 0 || word[k] >= words || count[k] < 0 || count[k] > 0xFFFFFFFF) {
      throw Error("counts: a count or a column is out of range");
    }
  }
  const std::size_t n = begin.size() - 1, width = width_of(held);
  py::array_t<float> result = empty_rows(n, width);
  float* const rows = result.mutable_data();
  run_beside({threads, progress}, [&](const Run& run) {
    for_each_text(run, "embedding", n, [&](std::size_t i, Tokenizer&) {
      std::vector<WordCount> bag;
      for (auto k = static_cast<std::size_t>(begin[i]); k < static_cast<std::size_t>(begin[i + 1]); ++k) {
        if (count[k] > 0) bag.push_back({static_cast<std::uint32_t>(word[k]), static_cast<std::uint32_t>(count[k])});
      }
      std::ranges::sort(bag, {}, &WordCount::word);
      held.encoder().encode(bag, {}, {rows + i * width, width});
    });
  });
  return result;
}

py::list as_list(const std::vector<std::string>& lines) {
  py::list result(lines.size());
  for (std::size_t n = 0; n < lines.size(); ++n) result[n] = text_for_python(lines[n]);
  return result;
}

NearestSearch search_for(const HeldModel& held, std::size_t questions, const Run& run) {
  if (questions > kFewQuestions) {
    return [index = held.index(run)](std::span<const float> query, std::size_t k) { return index.search(query, k); };
  }
  const int threads = questions == 1 ? run.threads : 1;
  return [rows = held.model().documents().vectors, threads](std::span<const float> query, std::size_t k) {
    return nearest(rows, query, k, threads);
  };
}

py::list similar(const HeldModel& held, const py::object& sequence, const py::object& link_ids, std::size_t k,
                 int threads, const py::object& progress) {
  const Texts texts(sequence, "text");
  const TextLists links(link_ids, "id");
  check_links(links, texts.size());
  std::vector<std::string> lines(texts.size());
  run_beside({threads, progress}, [&](const Run& run) {
    const TextEncoder& encoder = held.encoder();
    const NearestSearch search = search_for(held, texts.size(), run);
    KnownLinks known(encoder);
    for_each_text(run, "searching", texts.size(), [&](std::size_t i, Tokenizer& tokenizer) {
      std::vector<float> query(encoder.dimensions());
      const auto numbers = links.views().empty() ? std::vector<std::uint32_t>{} : known.numbers(links.views()[i]);
      encoder.encode(encoder.words(texts.views()[i], tokenizer), numbers, query);
      lines[i] = json_line("", is_zero(query) ? std::vector<Hit>{} : search(query, k), held.model());
    });
  });
  return as_list(lines);
}

/// Of a word, a topic or a document of the model.
py::str similar_to(const HeldModel& held, const std::string& kind, const std::string& what, std::size_t topic,
                   std::size_t k, int threads) {
  std::string json;
  {
    const py::gil_scoped_release unlocked;
    const Model& model = held.model();
    std::vector<float> query;
    std::optional<std::size_t> own;
    if (kind == "document") {
      own = model.document(what);
      const auto row = model.documents().vectors.row(*own);
      query.assign(row.begin(), row.end());
    } else if (kind == "topic") {
      const MatrixView topics = model.topics().vectors;
      if (topic < 1 || topic > topics.rows) throw Error(fmt::format("topic: there are {} topics", topics.rows));
      query.resize(held.encoder().dimensions());
      held.encoder().encode_vector(topics.row(topic - 1), {}, query);
    } else {
      Tokenizer tokenizer;
      const auto words = held.encoder().words_asked_for(what, tokenizer);
      if (words.empty()) throw Error(fmt::format("the model does not know the word '{}'", what));
      query.resize(held.encoder().dimensions());
      held.encoder().encode(words, {}, query);
    }
    std::vector<Hit> hits;
    if (!is_zero(query)) hits = nearest(model.documents().vectors, query, k + own.has_value(), threads);
    if (own) std::erase_if(hits, [&](const Hit& hit) { return hit.row == *own; });
    hits.resize(std::min(k, hits.size()));
    json = json_text(hits, model);
  }
  return text_for_python(json);
}

py::list suggest(const HeldModel& held, const py::object& sequence, std::size_t k, std::size_t reasons, int threads,
                 const py::object& progress) {
  const Texts texts(sequence, "text");
  std::vector<std::string> lines(texts.size());
  const SuggestionCounts counts{k, k, 3, reasons};
  run_beside({threads, progress}, [&](const Run& run) {
    std::optional<Suggester> indexed;
    if (texts.size() > kFewQuestions) indexed.emplace(held.encoder(), search_for(held, texts.size(), run));
    const Suggester& suggester = indexed ? *indexed : held.suggester();
    const std::vector<std::string>& names = held.topic_names();
    for_each_text(run, "suggesting", texts.size(), [&](std::size_t i, Tokenizer& tokenizer) {
      lines[i] =
          json_line("", suggester.suggest(suggester.words(texts.views()[i], tokenizer), counts), held.model(), names);
    });
  });
  return as_list(lines);
}

py::str suggest_missing(const HeldModel& held, const std::string& id, std::size_t k, std::size_t reasons) {
  std::string json;
  {
    const py::gil_scoped_release unlocked;
    const std::size_t row = held.model().document(id);
    json = json_line(id, held.suggester().suggest_missing(row, {k, k, 3, reasons}), held.model(), held.topic_names());
  }
  return text_for_python(json);
}

py::list missing(const HeldModel& held, std::size_t k, int threads, const py::object& progress) {
  const auto links = long_call({threads, progress}, [&](const Run& run) {
    const Suggester suggester(held.encoder(), search_for(held, held.model().documents().size(), run));
    return missing_links(suggester, held.model().documents().size(), k, run);
  });
  py::list result;
  for (const MissingLink& link : links) result.append(py::make_tuple(link.from, link.to, link.score));
  return result;
}

py::list explain_texts(const HeldModel& held, const py::object& sequence, int threads, const py::object& progress) {
  const Texts texts(sequence, "text");
  std::vector<std::string> lines(texts.size());
  run_beside({threads, progress}, [&](const Run& run) {
    const std::vector<std::string>& names = held.topic_names();
    for_each_text(run, "explaining", texts.size(), [&](std::size_t i, Tokenizer& tokenizer) {
      const KnownText text = known_text(held.encoder(), std::string(texts.views()[i]), tokenizer);
      lines[i] = json_line("", explain(held.model(), text), held.model(), names);
    });
  });
  return as_list(lines);
}

/// A text, or a document of the model.
struct Source {
  Source(const py::object& text_given, const py::object& document, std::string its_title)
      : is_document(text_given.is_none()),
        text(is_document ? text_of(document, "document") : text_of(text_given, "text")),
        title(std::move(its_title)) {}

  KnownText known(const HeldModel& held) {
    if (!is_document) return known_text(held.encoder(), text);
    const std::size_t row = held.model().document(text);
    if (title.empty()) title = held.model().documents().titles[row];
    if (title.empty()) title = text;
    return document_text(held.model(), row);
  }

  bool is_document;
  std::string text, title;
};

py::str explain_document(const HeldModel& held, const std::string& id) {
  std::string json;
  {
    const py::gil_scoped_release unlocked;
    const KnownText text = document_text(held.model(), held.model().document(id));
    json = json_line(id, explain(held.model(), text), held.model(), held.topic_names());
  }
  return text_for_python(json);
}

py::str explained_page(const HeldModel& held, const py::object& text, const py::object& document,
                       const std::string& title) {
  Source source(text, document, title);
  std::string page;
  {
    const py::gil_scoped_release unlocked;
    const KnownText known = source.known(held);
    page = explanation_page({source.title, explain(held.model(), known)}, held.shown_topics());
  }
  return text_for_python(page);
}

/// Why two are close: as JSON, or as a page.
py::str explained_pair(const HeldModel& held, const py::object& text, const py::object& document,
                       const py::object& second_text, const py::object& second_document, std::size_t top, bool page) {
  Source first(text, document, page && !text.is_none() ? "the first text" : ""),
      second(second_text, second_document, page && !second_text.is_none() ? "the second text" : "");
  std::string answer;
  {
    const py::gil_scoped_release unlocked;
    const Model& model = held.model();
    const KnownText a = first.known(held), b = second.known(held);
    const PairExplanation pair = explain_pair(held.encoder(), a, b, top);
    if (!page) {
      answer = json_text(pair, model);
    } else {
      const auto explained = [&](const KnownText& known) {
        return model.has_topics() ? explain(model, known) : Explanation{{}, {{known.text, {}, {}, 0}}};
      };
      const Explanation of_a = explained(a), of_b = explained(b);
      answer = pair_page({first.title, of_a}, {second.title, of_b}, pair, model.words().shown(), held.shown_topics());
    }
  }
  return text_for_python(answer);
}

py::str topics_page(const HeldModel& held) {
  std::string page;
  {
    const py::gil_scoped_release unlocked;
    Report report;
    report.title = "Topics";
    report.topics = describe_topics(held.model(), {}, {});
    page = report_page(report);
  }
  return text_for_python(page);
}

}  // namespace

void add_answers(py::class_<HeldModel, ModelPointer>& model) {
  using py::arg;
  model.def("embed", &embed, arg("texts"), arg("links"), arg("threads"), arg("progress"))
      .def("embed_counts", &embed_counts, arg("starts"), arg("columns"), arg("counts"), arg("threads"), arg("progress"))
      .def("similar", &similar, arg("texts"), arg("links"), arg("k"), arg("threads"), arg("progress"))
      .def("similar_to", &similar_to, arg("kind"), arg("what"), arg("topic"), arg("k"), arg("threads"))
      .def("suggest", &suggest, arg("texts"), arg("k"), arg("reasons"), arg("threads"), arg("progress"))
      .def("suggest_missing", &suggest_missing, arg("id"), arg("k"), arg("reasons"))
      .def("missing_links", &missing, arg("k"), arg("threads"), arg("progress"))
      .def("explain", &explain_texts, arg("texts"), arg("threads"), arg("progress"))
      .def("explain_document", &explain_document, arg("id"))
      .def("explanation_page", &explained_page, arg("text"), arg("document"), arg("title"))
      .def("explain_pair", &explained_pair, arg("text"), arg("document"), arg("second_text"), arg("second_document"),
           arg("top"), arg("page"))
      .def("topics_page", &topics_page);
}

}  // namespace idne::python
