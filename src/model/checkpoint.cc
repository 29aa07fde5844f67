#include "idne/checkpoint.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "model/saved_state.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOption = "run: ", kPartOfCorpus = "corpus: ";

std::string text_key(const RunPart& part) {
  return fmt::format("{}{}", part.of_corpus ? kPartOfCorpus : kOption, part.name);
}

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw Error(fmt::format("{}: {}", file.string(), why));
}

/// Throws Error that names the first difference.
void check_key(const fs::path& file, const RunKey& key, const Container::Texts& texts) {
  for (const RunPart& part : key) {
    const auto made = texts.find(text_key(part));
    if (made != texts.end() && made->second == part.value) continue;
    if (part.of_corpus) {
      refuse(file, fmt::format("the checkpoint was made of another corpus: the {} differ", part.name));
    }
    if (made == texts.end()) refuse(file, fmt::format("the checkpoint was made without {}", part.name));
    refuse(file,
           fmt::format("the checkpoint was made with {} {}, this run has {}", part.name, made->second, part.value));
  }
  for (const auto& [name, value] : texts) {
    const auto known = [&](const RunPart& part) { return text_key(part) == name; };
    if (!name.starts_with(kOption) || std::ranges::any_of(key, known)) continue;
    refuse(file,
           fmt::format("the checkpoint was made with {} {}, this run has none", name.substr(kOption.size()), value));
  }
}

/// The process that a name like "r.ck.part-123-5f-1" is of, as OutputFile gives them; 0 if it is none of ours.
pid_t writer_of(std::string_view name, std::string_view target) {
  constexpr std::string_view kPart = ".part-";
  if (!name.starts_with(target) || !name.substr(target.size()).starts_with(kPart)) return 0;
  name.remove_prefix(target.size() + kPart.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process);
  return error == std::errc() && end != name.data() + name.size() && *end == '-' ? process : 0;
}

void remove_left_overs(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const pid_t process = writer_of(at->path().filename().string(), file.filename().string());
    std::error_code ignored;
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove(at->path(), ignored);
  }
}

}  // namespace

Checkpoint::Checkpoint(fs::path file, std::chrono::duration<double> every) : file_(std::move(file)), every_(every) {}
Checkpoint::~Checkpoint() = default;

void Checkpoint::resume_from(const fs::path& file) {
  saved_ = std::make_unique<SavedState>(load_container(file, kCheckpointFile, Model::Load::Map));
  kept_in_ = file;
  how_far_ = saved_->how_far();
  remove_left_overs(file);
}

void Checkpoint::begin(RunKey key) {
  if (saved_) check_key(kept_in_, key, saved_->container().texts);
  key_ = std::move(key);
}

const SavedState* Checkpoint::saved(std::string_view stage) const {
  return saved_ && saved_->stage() == stage ? saved_.get() : nullptr;
}

void Checkpoint::save(const SavedState& state) {
  Container container = state.container();
  for (const RunPart& part : key_) container.texts[text_key(part)] = part.value;
  // Not to be interrupted: it is what an interruption waits for.
  save_container(file_, kCheckpointFile, kCheckpointFile.newest_version, container, {});
  saved_.reset();
  kept_in_ = file_;
  how_far_ = state.how_far();
  last_ = Clock::now();
}

}  // namespace idne
