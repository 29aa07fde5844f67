#include <fmt/format.h>

#include "idne/topics.h"
#include "json/values.h"
#include "serve/service.h"

/// Names that people give to topics and labels.
namespace idne {

Json Service::rename(const Naming& naming) const {
  if (!files_.edit) throw RequestError(404, "this server takes no names; idne serve --rename does");
  if (naming.topic.has_value() == naming.label.has_value()) {
    throw RequestError(400, R"(give either "topic" or "label", and "name")");
  }
  files_.edit([&] {
    // As the file is now: it may have been replaced since this model was loaded.
    const Model now = Model::load(files_.model, Model::Load::Copy);
    if (version_of(now) != version_) {
      throw RequestError(409, "the model has changed meanwhile; look at the new one, and name it then");
    }
    const Model named =
        naming.topic ? name_topics(now, {{*naming.topic, naming.name}}) : rename_label(now, *naming.label, naming.name);
    named.save(files_.model, {});
  });
  Json json = Json::object();
  if (naming.topic) json["topic"] = *naming.topic;
  if (naming.label) json["label"] = *naming.label;
  json["name"] = naming.name;
  return json;
}

}  // namespace idne
