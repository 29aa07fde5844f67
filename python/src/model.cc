#include <pybind11/stl.h>

#include "arguments.h"
#include "calls.h"
#include "idne/projection.h"
#include "idne/topics.h"
#include "idne/train.h"
#include "idne/update.h"
#include "json/texts.h"
#include "module.h"

namespace idne::python {
namespace {

/// Makes what is not there yet.
template <class Kept, class Make>
const Kept& made(std::recursive_mutex& mutex, std::optional<Kept>& kept, const Make& make) {
  const std::lock_guard lock(mutex);
  if (!kept) kept.emplace(make());
  return *kept;
}

ModelPointer load(const py::bytes& path, bool map) {
  const std::filesystem::path file = path_of(path);
  const py::gil_scoped_release unlocked;
  return std::make_shared<HeldModel>(Model::load(file, map ? Model::Load::Map : Model::Load::Copy));
}

void save(const HeldModel& held, const py::bytes& path) {
  const std::filesystem::path file = path_of(path);
  const py::gil_scoped_release unlocked;
  held.model().save(file);
}

ModelPointer refit(const HeldModel& held, std::size_t topics, int threads, const py::object& progress) {
  return std::make_shared<HeldModel>(
      long_call({threads, progress}, [&](const Run& run) { return refit_topics(held.model(), topics, run); }));
}

py::str tried(const HeldModel& held, const std::vector<std::size_t>& numbers, int threads, const py::object& progress) {
  return text_for_python(long_call({threads, progress},
                                   [&](const Run& run) { return json_text(try_topics(held.model(), numbers, run)); }));
}

ModelPointer named(const HeldModel& held, const std::map<std::size_t, std::string>& names) {
  std::vector<TopicName> given;
  for (const auto& [topic, name] : names) given.push_back({topic, name});
  const py::gil_scoped_release unlocked;
  return std::make_shared<HeldModel>(name_topics(held.model(), given));
}

py::tuple updated(const HeldModel& held, const py::object& changes, const py::list& removed, bool whole, bool strict,
                  std::uint64_t steps, const py::object& feedback, int threads, const py::object& progress) {
  UpdateOptions how;
  how.whole = whole;
  how.strict = strict;
  how.steps = steps;
  const Texts ids(removed, "id");
  how.removed.assign(ids.views().begin(), ids.views().end());
  std::optional<std::filesystem::path> path;
  if (!changes.is_none()) path = path_of(changes.cast<py::bytes>());
  if (!feedback.is_none()) how.feedback = read_feedback(path_of(feedback.cast<py::bytes>()));
  Updated result = long_call({threads, progress}, [&](const Run& run) {
    const Changes given = path ? Changes(held.model(), *path, strict, run) : Changes();
    return update_model(held.model(), given, how, run);
  });
  const std::string report = json_text(result, "");
  return py::make_tuple(std::make_shared<HeldModel>(std::move(result.model)), text_for_python(report));
}

py::array_t<float> map_of(const HeldModel& held, int threads, const py::object& progress) {
  const std::vector<float> places =
      long_call({threads, progress}, [&](const Run& run) { return project(held.model(), held.index(run), run); });
  py::array_t<float> result({static_cast<py::ssize_t>(places.size() / 2), py::ssize_t{2}});
  std::copy(places.begin(), places.end(), result.mutable_data());
  return result;
}

}  // namespace

const TextEncoder& HeldModel::encoder() const {
  const std::lock_guard lock(mutex_);
  if (!encoder_) encoder_ = std::make_unique<TextEncoder>(model_);
  return *encoder_;
}

const Suggester& HeldModel::suggester() const {
  const std::lock_guard lock(mutex_);
  if (!suggester_) suggester_ = std::make_unique<Suggester>(encoder(), 1);
  return *suggester_;
}

const std::vector<std::string>& HeldModel::topic_names() const {
  return made(mutex_, names_,
              [&] { return model_.has_topics() ? idne::topic_names(model_, 1) : std::vector<std::string>{}; });
}

const std::vector<ShownTopic>& HeldModel::shown_topics() const {
  return made(mutex_, shown_,
              [&] { return model_.has_topics() ? idne::shown_topics(model_, 1) : std::vector<ShownTopic>{}; });
}

DocumentIndex HeldModel::index(const Run& run) const {
  return made(mutex_, index_, [&] { return DocumentIndex::build(model_, run); });
}

void add_models(py::module_& module) {
  py::class_<HeldModel, ModelPointer> model(module, "Model");
  model.def_static("load", &load, py::arg("path"), py::arg("map"))
      .def("save", &save, py::arg("path"))
      .def("refit", &refit, py::arg("topics"), py::arg("threads"), py::arg("progress"))
      .def("try_topics", &tried, py::arg("numbers"), py::arg("threads"), py::arg("progress"))
      .def("name_topics", &named, py::arg("names"))
      .def("update", &updated, py::arg("changes"), py::arg("removed"), py::arg("whole"), py::arg("strict"),
           py::arg("steps"), py::arg("feedback"), py::arg("threads"), py::arg("progress"))
      .def("map", &map_of, py::arg("threads"), py::arg("progress"));
  add_contents(model);
  add_answers(model);
}

}  // namespace idne::python
