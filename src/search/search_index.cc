#include "idne/search_index.h"

#include <fmt/format.h>

#include "idne/output_file.h"
#include "math/ranks.h"
#include "search/index_file.h"

namespace idne {
namespace {

std::filesystem::path draft_path(const std::filesystem::path& model_path) { return index_path(model_path) += ".part"; }

/// A note with the reason, or the index.
std::optional<SearchIndex> try_load(const Model& model, const std::filesystem::path& path, int threads,
                                    std::string& note) {
  try {
    return index_from(index_file_bytes(path, model.documents().size()), model, threads);
  } catch (const Unusable& unusable) {
    if (*unusable.why) note = fmt::format("{}: built anew: {}", path.string(), unusable.why);
  }
  return std::nullopt;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

/// What was done of an index when its building was stopped, if that can be used.
IndexDraft draft_or_none(std::string_view bytes, const IndexState& state) {
  try {
    return draft_from(bytes, state);
  } catch (const Unusable&) {
    return {};
  }
}

SearchIndex not_here() { return {DocumentIndex(nullptr), {}, "", "", false}; }

bool leads(const Run& run) { return !run.ranks || run.ranks->first(); }

/// Builds an index, and keeps what is done of it in a file, for the next time if it is stopped.
class DraftedBuild {
 public:
  DraftedBuild(const Model& model, std::filesystem::path file, int threads)
      : model_(model), file_(std::move(file)), state_(std::make_shared<IndexState>(model, threads)) {}

  SearchIndex build(const Run& run) {
    IndexDraft draft = draft_or_none(bytes_of_draft(run), *state_);
    kept_ = draft.graph.done > 0;
    try {
      return build_from(std::move(draft), run);
    } catch (const Interrupted&) {
      if (!kept_) throw;
      throw Interrupted(fmt::format("what is done of the index is kept: {}", file_.string()));
    }
  }

 private:
  /// Rank 0's, for all.
  std::string bytes_of_draft(const Run& run) const {
    std::string bytes;
    try {
      if (leads(run)) bytes = index_file_bytes(file_, state_->rows.rows);
    } catch (const Unusable&) {
    }
    if (!run.ranks) return bytes;
    bytes.resize(sum_of(run.ranks, bytes.size()));
    run.ranks->broadcast(0, std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }

  SearchIndex build_from(IndexDraft draft, const Run& run) {
    std::vector<std::uint32_t> linked = state_->findable_rows();
    const std::size_t all = linked.size();
    bool whole_graph_kept = draft.graph.done == all;
    Keeper<GraphDraft> keeper;
    if (leads(run)) keeper.keep = [&](const GraphDraft& part) { keep(part.graph, part.done, {}); };
    state_->graph = build_graph(state_->graph_rows(), std::move(linked), run, std::move(draft.graph), keeper);
    if (!leads(run)) return not_here();
    try {
      SearchIndex index{finished_index(state_, run), {}, "", "", false};
      index.map = project(model_, index.documents, run, draft.map, {[&](const MapDraft& map) {
                            keep(state_->graph, all, map);
                            whole_graph_kept = true;
                          }});
      return index;
    } catch (const Interrupted&) {
      if (!whole_graph_kept) keep(state_->graph, all, {});
      throw;
    }
  }

  void keep(const Graph& graph, std::size_t linked, const MapDraft& map) {
    if (graph.layers.empty()) return;  // few documents take a moment
    try {
      write_file(file_, draft_bytes(*state_, graph, linked, map));
      kept_ = true;
    } catch (const Error&) {
      // Then the index cannot be kept either, which the user is told of.
    }
  }

  const Model& model_;
  std::filesystem::path file_;
  std::shared_ptr<IndexState> state_;
  bool kept_ = false;
};

}  // namespace

std::filesystem::path index_path(const std::filesystem::path& model_path) {
  std::filesystem::path path = model_path;
  return path += ".index";
}

std::optional<SearchIndex> load_search_index(const Model& model, const std::filesystem::path& model_path, int threads) {
  std::string note;
  return try_load(model, index_path(model_path), threads, note);
}

void save_search_index(const SearchIndex& index, const std::filesystem::path& model_path) {
  write_file(index_path(model_path), index_bytes(index));
  std::error_code none;
  std::filesystem::remove(draft_path(model_path), none);
}

SearchIndex open_search_index(const Model& model, const std::filesystem::path& model_path, const Run& run,
                              IndexWriting writing) {
  std::string note;
  std::optional<SearchIndex> loaded;
  if (leads(run)) loaded = try_load(model, index_path(model_path), run.threads, note);
  if (run.ranks && any_of(*run.ranks, loaded.has_value()) && !loaded) return not_here();
  if (loaded) return std::move(*loaded);
  SearchIndex index = DraftedBuild(model, draft_path(model_path), run.threads).build(run);
  if (!leads(run)) return index;
  index.note = std::move(note);
  if (writing == IndexWriting::Later) return index;
  try {
    save_search_index(index, model_path);
  } catch (const Error& error) {
    index.note = fmt::format("the index is not kept: {}", error.what());
  }
  return index;
}

}  // namespace idne
