#include "idne/error.h"
#include "idne/train.h"
#include "scratch.h"
#include "serve/api.h"
#include "serve/request_reader.h"
#include "serve/routes.h"
#include "targets.h"

/// What a server is sent, without a network.
namespace idne::fuzz {
namespace {

/// All that a server has but for clients.
struct Served {
  Served() {
    const std::string text = small_documents();
    const BytesAsFile file(text);
    const MethodInfo method = known_methods().front();
    Options training(method.options);
    for (const auto& [name, value] : {std::pair{"dim", "4"}, {"topics", "2"}, {"steps", "20"}}) {
      training.set(name, value);
    }
    train(read_collection(file.path(), {}, Run{}), method.name, training, {1, 1.0}, Run{}).save(path);
    options.port = 0;
    model = std::make_unique<ServedModel>(
        [this](const Run& run) {
          return std::make_shared<const Snapshot>(ServiceFiles{path, {}}, &feedback, Start::Whole, run);
        },
        [](const ServedModel::Pointer&, const std::string&) {}, Run{});
    routes = std::make_unique<Routes>(options, *model, connections, metrics, log);
  }

  const Scratch scratch;
  const fs::path path = scratch.folder() / "m.idne";
  ServeOptions options;
  FeedbackFile feedback{scratch.folder() / "feedback.jsonl"};
  Connections connections{"127.0.0.1", 0, {}};
  Metrics metrics;
  AccessLog log{"none"};
  std::unique_ptr<ServedModel> model;
  std::unique_ptr<Routes> routes;
};

Served& served() {
  static Served all;
  return all;
}

}  // namespace

std::string small_documents() {
  constexpr const char* kTexts[] = {"moon tide star planet orbit", "goal match team player ball",
                                    "violin melody song choir tone"};
  std::string lines;
  for (int n = 0; n < 12; ++n) {
    lines +=
        fmt::format(R"({{"id":"{0}","title":"Document {0}","text":"{1} {1}","labels":["field {2}"],"links":["{3}"]}})",
                    n, kTexts[n % 3], n % 3, (n + 3) % 12);
    lines += '\n';
  }
  return lines;
}

void requests(std::string_view bytes) {
  const ConnectionLimits limits;
  while (!bytes.empty()) {
    const RequestState state = look_at_request(bytes, limits.header_bytes, limits.body_bytes);
    if (state.kind != RequestState::Kind::Whole) return;
    const std::string request(bytes.substr(0, state.size));
    Routes::is_quick(request);
    served().routes->answer(request, "127.0.0.1");
    bytes.remove_prefix(state.size);
  }
}

void api(std::string_view bytes) {
  const auto& endpoints = api_endpoints();
  if (bytes.empty()) return;
  const ApiEndpoint& endpoint = endpoints[static_cast<unsigned char>(bytes[0]) % endpoints.size()];
  const std::string rest(bytes.substr(1));
  std::multimap<std::string, std::string> query;  // name=value&…, as it came after decoding
  std::string path;
  if (endpoint.method == "GET") {
    const std::size_t end = std::min(rest.find('?'), rest.size());
    path = rest.substr(0, end);
    for (std::size_t at = end + 1; at < rest.size();) {
      const std::size_t stop = std::min(rest.find('&', at), rest.size());
      const std::string one = rest.substr(at, stop - at);
      const std::size_t equals = std::min(one.find('='), one.size());
      query.emplace(one.substr(0, equals), equals < one.size() ? one.substr(equals + 1) : "");
      at = stop + 1;
    }
  }
  api_answer(endpoint, served().model->now()->service(), {path, query, rest}, {});
}

}  // namespace idne::fuzz
