#include "verbs/checkpoints.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>

#include "idne/output_file.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvery = "60s";
constexpr double kMostSeconds = 1e7;

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::weakly_canonical(a, none) == fs::weakly_canonical(b, none);
}

/// A file by that name that is no checkpoint is somebody's own.
void check_not_foreign(const fs::path& file, const ReplacedCheckpoint& note) {
  std::error_code none;
  if (!fs::is_regular_file(file, none) || fs::file_size(file, none) == 0) return;
  Checkpoint earlier(file, {});
  try {
    earlier.resume_from(file);
  } catch (const Error& error) {
    throw Error(fmt::format("{}; --checkpoint would replace it: give another name, or remove it", error.what()));
  }
  note(file, earlier.how_far());
}

}  // namespace

std::vector<OptionSpec> checkpoint_options(const std::string& what) {
  return {written_as_file(OptionSpec::text("checkpoint", "", fmt::format("file to keep {} in, to go on from", what))
                              .called("FILE")
                              .by_default_shown("none, or that of --resume")),
          written_as_file(
              OptionSpec::text("resume", "",
                               fmt::format("go on from this checkpoint, with the same options and corpus; {} is kept "
                                           "there from then on, unless --checkpoint says otherwise",
                                           what))
                  .called("FILE"))};
}

OptionSpec every_option() {
  return OptionSpec::text("every", kEvery, "how often the checkpoint is written: 30s, 5m, 1h, 500ms").called("TIME");
}

std::chrono::duration<double> interval_from(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  for (const auto& [unit, seconds] : kUnits) {
    if (error != std::errc() || std::string_view(end, last) != unit) continue;
    if (number * seconds > 0 && number * seconds <= kMostSeconds)
      return std::chrono::duration<double>(number * seconds);
  }
  throw UsageError(fmt::format("--every: '{}' is no time; write 30s, 5m, 1h or 500ms", text));
}

std::unique_ptr<Checkpoint> open_checkpoint(const Options& options, const std::string& output,
                                            const ReplacedCheckpoint& note) {
  const std::string& resume = options.text("resume");
  const std::string& file = options.given("checkpoint") ? options.text("checkpoint") : resume;
  const bool timed = options.has("every");
  const auto every = interval_from(timed ? options.text("every") : kEvery);
  if (file.empty()) {
    if (timed && options.given("every"))
      throw UsageError("--every needs --checkpoint FILE, which is then written so often");
    return nullptr;
  }
  if (output != "-" && same_file(file, output))
    throw UsageError(fmt::format("--checkpoint and -o both write {}", file));
  if (output != "-" && same_file(resume, output))
    throw UsageError(fmt::format("--resume: {} is also written, by -o", resume));
  auto checkpoint = std::make_unique<Checkpoint>(file, every);
  if (!resume.empty()) checkpoint->resume_from(resume);
  if (resume.empty() || !same_file(file, resume)) check_not_foreign(file, note);
  check_writable(file);
  return checkpoint;
}

}  // namespace idne
