#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "arguments.h"
#include "calls.h"
#include "idne/topics.h"
#include "json/texts.h"
#include "module.h"

namespace idne::python {
namespace {

/// Rows where they lie: the array holds the model, and nobody can write into it.
py::array view_of(const ModelPointer& held, MatrixView rows) {
  const std::array<py::ssize_t, 2> shape{static_cast<py::ssize_t>(rows.rows), static_cast<py::ssize_t>(rows.columns)};
  if (rows.rows == 0 || rows.columns == 0) return py::array_t<float>(shape);
  auto* const owner = new ModelPointer(held);
  const py::capsule capsule(owner, [](void* kept) { delete static_cast<ModelPointer*>(kept); });
  py::array_t<float> result(shape, rows.data, capsule);
  py::detail::array_proxy(result.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return result;
}

py::list list_of(const StringsView& strings) {
  py::list result(strings.size());
  for (std::size_t n = 0; n < strings.size(); ++n) result[n] = text_for_python(strings[n]);
  return result;
}

/// As SciPy's CSR has them: where each row begins, and its columns.
py::tuple rows_of(const ListsView& lists, std::size_t rows) {
  py::array_t<std::int64_t> starts(static_cast<py::ssize_t>(rows + 1));
  py::array_t<std::int32_t> columns(static_cast<py::ssize_t>(lists.values().size()));
  for (std::size_t i = 0; i <= rows; ++i) {
    starts.mutable_data()[i] = lists.size() == 0 ? 0 : static_cast<std::int64_t>(lists.begin(i));
  }
  std::copy(lists.values().begin(), lists.values().end(), columns.mutable_data());
  return py::make_tuple(starts, columns);
}

py::list labels_of(const Model& model) {
  const py::list names = list_of(model.labels().names);
  py::list result;
  for (std::size_t i = 0; i < model.documents().labels.size(); ++i) {
    py::list own;
    for (const std::int32_t label : model.documents().labels[i]) own.append(names[static_cast<std::size_t>(label)]);
    result.append(own);
  }
  return result;
}

std::optional<WordRanking> ranking_of(const std::string& rank) {
  if (rank.empty()) return {};
  if (rank == "product") return WordRanking::Product;
  if (rank == "distinctive") return WordRanking::Distinctive;
  throw Error("rank: '" + rank + "' is not one of product|distinctive");
}

std::string topics_text(const HeldModel& held, std::size_t top, std::size_t examples, const std::string& rank,
                        bool tree) {
  const TopicQuery query{top, examples, ranking_of(rank)};
  const py::gil_scoped_release unlocked;
  const TopicDescriptions topics = describe_topics(held.model(), query, {});
  return tree ? json_text(topics, topic_tree(held.model(), {})) : json_text(topics);
}

std::string times_text(const HeldModel& held, const std::string& by) {
  if (by != "year" && by != "month") throw Error("by: '" + by + "' is not one of year|month");
  const py::gil_scoped_release unlocked;
  return json_text(topic_times(held.model(), by == "year" ? Period::Year : Period::Month, 1));
}

std::vector<std::size_t> topics_of_documents(const HeldModel& held, int threads) {
  const py::gil_scoped_release unlocked;
  return main_topics(held.model(), threads);
}

}  // namespace

void add_contents(py::class_<HeldModel, ModelPointer>& model) {
  model.def("__len__", [](const HeldModel& held) { return held.model().documents().size(); })
      .def("info", [](const HeldModel& held) { return text_for_python(json_text(held.model(), nullptr)); })
      .def("method", [](const HeldModel& held) { return held.model().info().method; })
      .def("has_topics", [](const HeldModel& held) { return held.model().has_topics(); })
      .def("vectors", [](const ModelPointer& held) { return view_of(held, held->model().documents().vectors); })
      .def("word_vectors", [](const ModelPointer& held) { return view_of(held, held->model().word_vectors()); })
      .def("topic_vectors", [](const ModelPointer& held) { return view_of(held, held->model().topics().vectors); })
      .def("ids", [](const HeldModel& held) { return list_of(held.model().documents().ids); })
      .def("titles", [](const HeldModel& held) { return list_of(held.model().documents().titles); })
      .def("words", [](const HeldModel& held) { return list_of(held.model().words().shown()); })
      .def("matched_words", [](const HeldModel& held) { return list_of(held.model().words().strings); })
      .def("word_counts",
           [](const HeldModel& held) {
             const auto counts = held.model().words().counts;
             return std::vector<std::int64_t>(counts.begin(), counts.end());
           })
      .def("label_names", [](const HeldModel& held) { return list_of(held.model().labels().names); })
      .def("labels", [](const HeldModel& held) { return labels_of(held.model()); })
      .def("links",
           [](const HeldModel& held) {
             return rows_of(held.model().documents().links, held.model().documents().size());
           })
      .def("topics", &topics_text, py::arg("top"), py::arg("examples"), py::arg("rank"), py::arg("tree"))
      .def("topic_times", &times_text, py::arg("by"))
      .def("main_topics", &topics_of_documents, py::arg("threads"));
}

}  // namespace idne::python
