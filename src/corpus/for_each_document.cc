#include "corpus/corpus.h"
#include "corpus/document_line.h"
#include "corpus/lines.h"

namespace idne {

void for_each_document(const std::filesystem::path& path, const Run& run,
                       const std::function<void(const NewDocument&, Tokenizer&, std::string&)>& work,
                       const std::function<void(std::string_view, std::size_t)>& take, const DocumentReading& how) {
  struct Bytes {
    std::string bytes;
    std::size_t documents = 0;
  };
  const std::filesystem::path file = documents_file(path);
  const std::string name = file.string();
  std::uint64_t documents = 0;
  Run counting = run;
  if (run.progress) {
    counting.progress = [&](Progress progress) {
      progress.documents = documents;
      run.report(progress);
    };
  }
  BlockReader reader(file, how.bytes_at_once);
  for_each_block<Bytes>(
      reader, how.stage, counting,
      [&](const Block& block, Worker& worker, Bytes& result) {
        for_each_line(block, [&](std::string_view text, std::uint64_t number) {
          run.check();
          const DocumentLine line(worker.parser, text, name, number);
          NewDocument document{line.string("id", false), line.string("text", true), {}};
          line.strings("links", [&](std::string_view id) { document.links.push_back(id); });
          work(document, worker.tokenizer, result.bytes);
          ++result.documents;
        });
      },
      [&](Bytes&& result) {
        take(result.bytes, result.documents);
        documents += result.documents;
      });
}

}  // namespace idne
