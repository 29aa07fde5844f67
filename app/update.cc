#include "idne/update.h"

#include <filesystem>

#include "idne/output_file.h"
#include "json/texts.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

std::vector<std::string> ids_from(const std::string& file) {
  std::vector<std::string> ids;
  const std::string text = read_text(file);
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // with which some editors begin a file
  for (std::size_t begin = text.starts_with(kMark) ? kMark.size() : 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) ids.emplace_back(line);
    begin = end + 1;
  }
  return ids;
}

void tell_foreseen(const Foreseen& f) {
  if (f.documents == 0) return;
  tell("unknown    {:.0f} % of the words of {}{}{}\n", 100 * f.unknown_words,
       counted(f.documents, "new text", "new texts"),
       f.usual_unknown_words ? fmt::format(" ({:.0f} % is usual)", 100 * *f.usual_unknown_words) : "",
       f.new_words.empty() ? ""
                           : fmt::format(": {} …", printable_line(fmt::format("{}", fmt::join(f.new_words, ", ")))));
  constexpr std::size_t kWorthTelling = 5;
  if (f.labelled >= kWorthTelling) {
    tell("labels     a right one first for {:.0f} % of {}, {:.0f} % expected\n", 100 * f.labels,
         with_commas(f.labelled), 100 * f.expected_labels);
  }
  if (f.linked >= kWorthTelling) {
    tell("links      of {} found at a mean reciprocal rank of {:.2f}, {:.2f} is usual\n", with_commas(f.linked),
         f.links, f.usual_links);
  }
}

void tell_topics(const UpdateReport& report) {
  if (report.topics.empty()) return;
  std::size_t kept = 0, fresh = 0;
  double words = 0;
  for (const TopicMoved& topic : report.topics) {
    ++(topic.former ? kept : fresh);
    if (topic.former) words += topic.words_kept;
  }
  tell("topics     {} kept with {:.0f} % of their first ten words{}\n", kept,
       kept ? 100 * words / static_cast<double>(kept) : 0.0, fresh ? fmt::format(", {} new", fresh) : "");
  tell("vectors    documents' are at a cosine of {:.3f} from the former ones in the mean; {}\n", report.moved,
       counted(report.new_words, "new word", "new words"));
}

void tell_report(const Updated& updated, const std::string& file, double seconds) {
  const UpdateReport& report = updated.report;
  tell("documents  {}: {} added, {} changed, {} unchanged, {} removed\n", with_commas(updated.model.documents().size()),
       with_commas(report.added), with_commas(report.changed), with_commas(report.unchanged),
       with_commas(report.removed));
  if (report.unknown_removed) {
    tell("           {} to be removed that the model does not have\n", with_commas(report.unknown_removed));
  }
  if (report.accepted + report.rejected + report.unknown_feedback) {
    tell("feedback   {} accepted, {} rejected, {} about documents that are not here\n", with_commas(report.accepted),
         with_commas(report.rejected), with_commas(report.unknown_feedback));
  }
  tell("links      {} ({} before)\n", with_commas(report.links), with_commas(report.links_before));
  if (!report.new_labels.empty()) {
    tell("labels     new: {}\n", printable_line(fmt::format("{}", fmt::join(report.new_labels, ", "))));
  }
  if (!report.gone_labels.empty()) {
    tell("labels     gone: {}\n", printable_line(fmt::format("{}", fmt::join(report.gone_labels, ", "))));
  }
  tell("dropped    {}\n", report.dropped.text());
  tell_foreseen(report.foreseen);
  tell_topics(report);
  tell("advice     {}\n", printable_line(report.advice));
  tell("updated in {}: {}\n", duration(seconds), file);
}

void update(const Options& options) {
  const std::string &from = options.text("MODEL"), &to = options.text("output");
  const bool has_changes = options.given("NEW");
  UpdateOptions how;
  how.whole = options.flag("whole");
  how.steps = static_cast<std::uint64_t>(options.integer("steps"));
  if (options.given("remove")) how.removed = ids_from(options.text("remove"));
  how.strict = options.flag("strict");
  if (options.given("feedback")) how.feedback = read_feedback(options.text("feedback"));
  if (how.whole && !has_changes) throw UsageError("--whole needs NEW, which is then the whole corpus");
  if (!has_changes && !options.given("remove") && !options.given("feedback") && how.steps == 0) {
    throw UsageError("nothing to do; give NEW, --remove FILE, --feedback FILE or --steps N");
  }
  check_writable(to);
  const auto start = std::chrono::steady_clock::now();
  Updated updated;
  {
    const Session session(threads_of(options));
    updated = update_model_file(from, has_changes ? options.text("NEW") : "", how, to, session.run());
  }
  tell_report(updated, to, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (options.text("format") == "json") print_result(json_text(updated, to));
}

}  // namespace

Verb update_verb() {
  return {"update",
          "add, change and remove documents of a model",
          {model_option(),
           OptionSpec::input("NEW", "documents to add, or to take the place of those with the same id: a corpus"),
           OptionSpec::output("the model file to write; it may be MODEL").needed().may_replace("MODEL"),
           OptionSpec::input("remove", "a file with ids of documents that go, one per line").called("FILE"),
           OptionSpec::flag("whole", "NEW is the whole corpus: what is not in it goes"),
           OptionSpec::whole("steps", 0, "steps of training that goes on over all documents, new words included")
               .within(0, 1e12),
           OptionSpec::input("feedback", "a file that `serve --feedback` wrote: what people said of suggestions")
               .called("FILE"),
           OptionSpec::flag("strict", "what would be dropped from NEW is an error"), threads_option(),
           format_option({"text", "json"})},
          "Words, topics, their numbers and names stay, and so does the vector of every document whose text stays.\n"
          "With --steps words are trained further, and topics follow.\n\n"
          "Example:\n  idne update my.idne new.jsonl -o my.idne",
          update};
}

}  // namespace idne::app
