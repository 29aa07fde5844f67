#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What people said of suggestions, kept in a file with a JSON object per line:
///   {"time":"2025-03-04T05:06:07.008Z","kind":"link","document":"7","target":"12","verdict":"accept"}
/// `idne serve --feedback` writes it, `idne update --feedback` reads it. docs/serve.md
namespace idne {

struct Feedback {
  enum class Kind { Link, Label };
  Kind kind = Kind::Link;
  std::string document;  ///< an id
  std::string target;    ///< the id of the document to link with, or a label
  bool accepted = false;

  bool operator==(const Feedback&) const = default;
};

/// "link" or "label"
std::string_view to_text(Feedback::Kind kind);
/// Nothing for any other text.
std::optional<Feedback::Kind> feedback_kind(std::string_view text);

/// What holds: of all verdicts about a pair the last one, and nothing if that undid it; in the order of their lines. A
/// link has no direction, so that both ends can speak about it. The file's last line may be cut off: it is then passed
/// over. Throws Error, with the line, for any other line that is not as it should be.
std::vector<Feedback> read_feedback(const std::filesystem::path& path);

/// The same file while verdicts are added to it. Safe for use by several threads; several programs may have it open.
class FeedbackFile {
 public:
  /// Makes the file if it is not there; takes off a last line that was cut off. Throws Error.
  explicit FeedbackFile(std::filesystem::path path);
  ~FeedbackFile();
  FeedbackFile(const FeedbackFile&) = delete;
  FeedbackFile& operator=(const FeedbackFile&) = delete;

  /// What holds of a document: (kind, the other document or the label) → accepted or not.
  using Verdicts = std::map<std::pair<Feedback::Kind, std::string>, bool>;
  Verdicts about(std::string_view document) const;

  /// These add a line; it is on the disk, whole, when they return. Nothing is written if it holds already. They throw
  /// Error if it cannot be written: nothing has changed then. undo() is false if there is nothing to undo.
  void add(const Feedback& feedback);
  bool undo(Feedback::Kind kind, const std::string& document, const std::string& target);

  /// Opens the file of that name anew, such as after the old one was moved away. What holds is then what is in that
  /// one. Throws Error, and goes on with the one that it has.
  void reopen();

 private:
  struct Open;  ///< a file and what it says

  void write(const Feedback& feedback, std::string_view verdict);

  const std::filesystem::path path_;
  mutable std::shared_mutex mutex_;
  std::unique_ptr<Open> open_;
};

}  // namespace idne
