#include <xxhash.h>

#include <ctime>
#include <filesystem>
#include <optional>

#include "idne/import.h"
#include "idne/output_file.h"
#include "idne/train.h"
#include "idne/update.h"
#include "import/files.h"
#include "import/folder_watch.h"
#include "import/note_index.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

namespace fs = std::filesystem;

/// Notes in a folder, and the corpus and model that follow them.
class Follower {
 public:
  explicit Follower(const Options& options)
      : vault_(options.text("VAULT")), model_(options.text("output")), corpus_(options.text("corpus")) {
    if (corpus_.empty()) corpus_ = fs::path(model_) += ".corpus";
    if (options.given("feedback")) feedback_ = options.text("feedback");
  }

  /// Imports the notes, and if they or what people said are others than before brings the model up to date.
  void follow(const Run& run) {
    const auto start = std::chrono::steady_clock::now();
    if (!followed_) check_that_they_are_theirs(run);
    import_notes(run);
    const std::uint64_t now = digest();
    std::error_code none;
    const bool is_there = fs::exists(model_, none);
    if (is_there && followed_ == now) return;
    const std::string done = is_there ? update(run) : train(run);
    followed_ = now;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    tell("{}  {} in {}\n", time_of_day(), done, duration(seconds));
  }

  const fs::path& corpus() const { return corpus_; }

 private:
  void import_notes(const Run& run) const {
    ImportCounts counts;
    CorpusWriter writer(corpus_);
    import_markdown(vault_, writer, counts, run);
    writer.commit();
  }

  /// Of the notes and of what people said.
  std::uint64_t digest() const {
    std::string text;
    for (const fs::path& file : {corpus_ / "documents.jsonl", feedback_}) {
      std::error_code none;
      if (!file.empty() && fs::exists(file, none)) text += read_text(file.string());
    }
    return XXH3_64bits(text.data(), text.size());
  }

  std::string train(const Run& run) const {
    const MethodInfo method = known_methods().front();
    const Collection notes = read_collection(corpus_, {}, run);
    const Model model = idne::train(notes, method.name, Options(method.options), {}, run);
    model.save(model_, run);
    return fmt::format("{}, learned anew", counted(model.documents().size(), "note", "notes"));
  }

  std::string update(const Run& run) const {
    UpdateOptions how;
    how.whole = true;
    std::error_code none;
    if (!feedback_.empty() && fs::exists(feedback_, none)) how.feedback = read_feedback(feedback_);
    const Updated updated = update_model_file(model_, corpus_, how, model_, run);
    const UpdateReport& report = updated.report;
    return fmt::format("{}: {} added, {} changed, {} removed{}",
                       counted(updated.model.documents().size(), "note", "notes"), with_commas(report.added),
                       with_commas(report.changed), with_commas(report.removed),
                       report.train_again ? "; " + printable_line(report.advice) : "");
  }

  /// Neither a model nor a corpus of something else is replaced by one of these notes: at least half of what is in it
  /// must be among them.
  void check_that_they_are_theirs(const Run& run) const {
    std::error_code none;
    const bool has_model = fs::exists(model_, none), has_corpus = fs::exists(corpus_ / "documents.jsonl", none);
    if (!has_model && !has_corpus) return;
    ImportCounts counts;
    const FolderFiles files = list_files(vault_, note_ends(), counts, run);
    const NoteIndex index(files);
    StringTable notes;
    for (std::size_t n = 0; n < files.wanted.size(); ++n) notes.add(index.id(n));
    const auto check = [&](const fs::path& file, std::size_t count, const auto& id_of) {
      std::size_t known = 0;
      for (std::size_t row = 0; row < count; ++row) known += notes.find(id_of(row)).has_value();
      if (2 * known >= count) return;
      throw Error(fmt::format("{}: {} of its {} documents are notes in {}; give another name with -o", file.string(),
                              known ? fmt::format("only {}", known) : "none", with_commas(count), vault_.string()));
    };
    if (has_model) {
      const Model model = Model::load(model_);
      const StringsView& ids = model.documents().ids;
      check(model_, ids.size(), [&](std::size_t row) { return ids[row]; });
    }
    if (has_corpus) {
      const Collection before = read_collection(corpus_, {}, run);
      check(corpus_, before.ids.size(), [&](std::size_t row) { return before.ids[row]; });
    }
  }

  static std::string time_of_day() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
  }

  fs::path vault_, model_, corpus_, feedback_;
  std::optional<std::uint64_t> followed_;  ///< the digest of what the model follows; nothing at first
};

void watch(const Options& options) {
  constexpr std::chrono::milliseconds kSettle{200}, kLongest{2000};
  check_writable(options.text("output"));
  const Session session(threads_of(options));
  const Run& run = session.run();
  std::vector<fs::path> files;
  if (options.given("feedback")) files.emplace_back(options.text("feedback"));
  FolderWatch folder(options.text("VAULT"), {note_ends().begin(), note_ends().end()}, files);
  Follower follower(options);
  try {
    follower.follow(run);
    tell("idne: following {} (Ctrl-C ends it); to look at it: idne serve {} --corpus {} --watch\n",
         options.text("VAULT"), options.text("output"), follower.corpus().string());
    while (folder.wait(kSettle, kLongest, run.stopped)) {
      try {
        follower.follow(run);
      } catch (const Interrupted&) {
        throw;
      } catch (const Error& error) {  // a note that is being written, a folder that is empty for a moment
        tell("idne: {}; the model stays as it is\n", error.what());
      }
    }
  } catch (const Interrupted&) {
  }
  tell("idne: ended\n");
}

}  // namespace

Verb watch_verb() {
  return {"watch",
          "keep a model of a folder of notes up to date",
          {OptionSpec::input("VAULT", "folder with notes in Markdown").needed(),
           OptionSpec::output("the model file to make, or to bring up to date").needed(),
           OptionSpec::text("corpus", "", "folder for the notes as a corpus")
               .called("FOLDER")
               .by_default_shown("MODEL.corpus"),
           OptionSpec::input("feedback", "a file that `serve --feedback` writes").called("FILE"), threads_option()},
          "Whenever notes change they are imported again and the model is updated, as by `idne update --whole`.\n"
          "A model that is not there is trained with the usual settings; to have others, train it first.\n\n"
          "Example:\n  idne watch notes -o notes.idne &\n"
          "  idne serve notes.idne --corpus notes.idne.corpus --watch",
          watch};
}

}  // namespace idne::app
