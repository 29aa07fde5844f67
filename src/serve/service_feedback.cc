#include <fmt/format.h>

#include <algorithm>

#include "json/values.h"
#include "serve/service.h"

/// What people say of suggestions, and how that changes them.
namespace idne {
namespace {

using Kind = Feedback::Kind;

/// Takes off what was rejected, cuts the rest to a number, and marks what was accepted.
Json judged(const Json& list, const char* name, Kind kind, const FeedbackFile::Verdicts& verdicts, std::size_t most) {
  Json result = Json::array();
  for (const Json& one : list) {
    if (result.size() == most) break;
    const auto found = verdicts.find({kind, one[name].get<std::string>()});
    if (found != verdicts.end() && !found->second) continue;
    result.push_back(one);
    if (found != verdicts.end()) result.back()["verdict"] = "accept";
  }
  return result;
}

}  // namespace

Json Service::suggest_missing(const std::string& id, const SuggestionCounts& counts, const Run& run) const {
  const std::size_t row = row_of(id);
  if (!feedback_) return to_json(suggester_.suggest_missing(row, counts, run), model_, answers_.names);
  const FeedbackFile::Verdicts verdicts = feedback_->about(id);
  const auto rejected = static_cast<std::size_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [](const auto& one) { return !one.second; }));
  SuggestionCounts more = counts;
  more.labels += rejected;
  more.links += rejected;
  Json json = to_json(suggester_.suggest_missing(row, more, run), model_, answers_.names);
  json["labels"] = judged(json["labels"], "label", Kind::Label, verdicts, counts.labels);
  json["links"] = judged(json["links"], "id", Kind::Link, verdicts, counts.links);
  Json labels = Json::array(), links = Json::array();
  for (const auto& [what, accepted] : verdicts) {
    if (accepted) continue;
    if (what.first == Kind::Label) {
      labels.push_back({{"label", what.second}});
    } else if (const auto other = rows_.find(what.second); other != rows_.end()) {
      links.push_back({{"id", what.second}, {"title", model_.documents().titles[other->second]}});
    }
  }
  json["rejected"] = {{"labels", labels}, {"links", links}};
  return json;
}

bool Service::has_label(std::size_t row, std::string_view label) const {
  const StringsView& names = model_.labels().names;
  const auto labels = model_.documents().labels[row];
  return std::any_of(labels.begin(), labels.end(),
                     [&](std::int32_t one) { return names[static_cast<std::size_t>(one)] == label; });
}

Json Service::take_feedback(const Opinion& opinion) const {
  const auto& [kind_text, document, target, verdict] = opinion;
  if (!feedback_) throw RequestError(404, "this server takes no feedback; idne serve --feedback FILE does");
  const std::optional<Kind> kind = feedback_kind(kind_text);
  if (!kind) throw RequestError(400, R"("kind" must be "link" or "label")");
  const bool accepted = verdict == "accept";
  if (verdict == "undo") {  // of what was said about another model, too
    if (!feedback_->undo(*kind, document, target)) throw RequestError(409, "there is nothing to undo");
    return {{"kind", kind_text}, {"document", document}, {"target", target}, {"verdict", nullptr}};
  }
  if (!accepted && verdict != "reject") {
    throw RequestError(400, R"("verdict" must be "accept", "reject" or "undo")");
  }
  const std::size_t row = row_of(document);
  if (*kind == Kind::Link) {
    const std::size_t other = row_of(target);
    if (other == row) throw RequestError(400, "a document is not linked with itself");
    if (has_link(row, other)) throw RequestError(409, fmt::format("'{}' and '{}' are linked", document, target));
  } else {
    const StringsView& names = model_.labels().names;
    bool known = false;
    for (std::size_t n = 0; n < names.size() && !known; ++n) known = names[n] == target;
    if (!known) throw RequestError(404, fmt::format("the model has no label '{}'", target));
    if (has_label(row, target)) throw RequestError(409, fmt::format("'{}' has the label '{}'", document, target));
  }
  feedback_->add({*kind, document, target, accepted});
  return {{"kind", kind_text}, {"document", document}, {"target", target}, {"verdict", verdict}};
}

}  // namespace idne
