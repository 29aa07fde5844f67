#include "serve/texts.h"

#include "corpus/document_line.h"
#include "corpus/lines.h"

namespace idne {

DocumentTexts::DocumentTexts(const Model& model, const std::unordered_map<std::string_view, std::size_t>& rows,
                             const std::filesystem::path& corpus, const Run& run)
    : begin_(model.documents().size()), size_(model.documents().size()) {
  const std::filesystem::path file = documents_file(corpus);
  const std::string name = file.string();
  struct Text {
    std::size_t row;
    std::string text;
  };
  for_each_block<std::vector<Text>>(
      file, "reading texts", run,
      [&](const Block& block, Worker& worker, std::vector<Text>& texts) {
        for_each_line(block, [&](std::string_view text_line, std::uint64_t number) {
          const DocumentLine line(worker.parser, text_line, name, number);
          const auto found = rows.find(line.string("id", true));
          if (found != rows.end()) texts.push_back({found->second, std::string(line.string("text", true))});
        });
      },
      [&](std::vector<Text>&& texts) {
        for (const Text& text : texts) {
          found_ += begin_[text.row] == 0 && size_[text.row] == 0;
          begin_[text.row] = bytes_.size();
          size_[text.row] = text.text.size();
          bytes_ += text.text;
        }
      });
}

}  // namespace idne
