#include "targets.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <vector>

#include "idne/corpus.h"
#include "idne/encode.h"
#include "idne/error.h"
#include "idne/explain.h"
#include "idne/feedback.h"
#include "idne/import.h"
#include "idne/model.h"
#include "idne/search_index.h"
#include "idne/suggest.h"
#include "idne/text.h"
#include "idne/topics.h"
#include "import/front_matter.h"
#include "import/html_encoding.h"
#include "import/html_page.h"
#include "import/html_text.h"
#include "import/markdown.h"
#include "import/wiki_names.h"
#include "import/wikitext.h"
#include "scratch.h"

namespace idne::fuzz {
namespace {

template <class Import>
void import_with(Import work) {
  static const Scratch scratch;
  CorpusWriter out(scratch.folder() / "corpus");
  ImportCounts counts;
  work(out, counts);
}

/// What every verb asks of a model.
void ask(const Model& model) {
  const std::string text = "moon tide star planet";
  const auto each = [](auto work) {
    try {
      work();
    } catch (const Error&) {
    }
  };
  each([&] { describe_topics(model, {}, {}); });
  each([&] { main_topics(model, 1); });
  each([&] { document_text(model, 0); });
  each([&] {
    const TextEncoder encoder(model);
    Tokenizer tokenizer;
    std::vector<float> vector(encoder.dimensions());
    encoder.encode(encoder.words(text, tokenizer), {}, vector);
    each([&] { explain(model, known_text(encoder, text)); });
    const Suggester suggester(encoder);
    suggester.suggest(suggester.words(text, tokenizer), {});
    suggester.suggest_missing(0, {});
  });
}

void model(std::string_view bytes) { ask(Model::load(BytesAsFile(bytes).path())); }

void documents(std::string_view bytes) {
  const BytesAsFile file(bytes);
  ReadOptions options;
  options.phrases = true;
  read_collection(file.path(), options, Run{});
}

/// What stands before a zero byte as links.tsv, what stands behind it as groups.tsv; each as an error of its own.
void links(std::string_view bytes) {
  static const Scratch scratch;
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  std::ofstream(scratch.folder() / "documents.jsonl") << small_documents();
  for (const bool groups : {false, true}) {
    const fs::path file = scratch.folder() / (groups ? "groups.tsv" : "links.tsv");
    std::ofstream(file, std::ios::binary)
        << (groups ? bytes.substr(std::min(end + 1, bytes.size())) : bytes.substr(0, end));
    try {
      read_collection(scratch.folder(), {}, Run{});
    } catch (const Error&) {
    }
    fs::remove(file);
  }
}

void tokenizer(std::string_view bytes) {
  Tokenizer tokenizer;
  tokenizer.start(bytes);
  for (Token token; tokenizer.next(token);) {
  }
}

void feedback(std::string_view bytes) { read_feedback(BytesAsFile(bytes).path()); }

void csv(std::string_view bytes) {
  const BytesAsFile file(bytes);
  for (const bool skip : {false, true}) {
    import_with([&](CorpusWriter& out, ImportCounts& counts) {
      import_csv(file.path(), {.id = "1", .text = {"2"}, .labels = "3", .skip_bad = skip}, out, counts, Run{});
    });
  }
}

void html(std::string_view bytes) {
  bool replaced = false;
  read_html(html_to_utf8(bytes, replaced), CodeText::Drop);
  html_text(bytes, CodeText::Drop);
}

void markdown(std::string_view bytes) {
  const std::string text = valid_utf8(bytes);
  read_note(text, false);
  read_note(text, true);
}

void wikitext(std::string_view bytes) { read_wikitext(bytes, WikiNames()); }

void mediawiki(std::string_view bytes) {
  const BytesAsFile file(bytes);
  import_with([&](CorpusWriter& out, ImportCounts& counts) { import_mediawiki(file.path(), out, counts, Run{}); });
}

void stackexchange(std::string_view bytes) {
  const BytesAsFile file(bytes);
  import_with([&](CorpusWriter& out, ImportCounts& counts) {
    import_stackexchange(file.path(), {.min_votes = 0, .unanswered = true}, out, counts, Run{});
  });
}

void openalex(std::string_view bytes) {
  const BytesAsFile file(bytes);
  import_with([&](CorpusWriter& out, ImportCounts& counts) {
    import_openalex({file.path()}, WorkLabels::Topics, out, counts, Run{});
  });
}

void debian(std::string_view bytes) {
  const BytesAsFile file(bytes);
  DebianOptions options;
  options.lists.clear();
  options.status = file.path();
  import_with([&](CorpusWriter& out, ImportCounts& counts) { import_debian(options, out, counts, Run{}); });
}

template <void (*kRead)(std::string_view)>
void answered(std::string_view bytes) {
  try {
    kRead(bytes);
  } catch (const Error&) {
  }
}

}  // namespace

std::span<const Target> targets() {
  static constexpr std::array<Target, 18> kTargets{{{"model", answered<model>},
                                                    {"index", answered<index>},
                                                    {"checkpoint", answered<checkpoint>},
                                                    {"processes", answered<processes>},
                                                    {"requests", answered<requests>},
                                                    {"api", answered<api>},
                                                    {"documents", answered<documents>},
                                                    {"links", answered<links>},
                                                    {"tokenizer", answered<tokenizer>},
                                                    {"feedback", answered<feedback>},
                                                    {"csv", answered<csv>},
                                                    {"html", answered<html>},
                                                    {"markdown", answered<markdown>},
                                                    {"wikitext", answered<wikitext>},
                                                    {"mediawiki", answered<mediawiki>},
                                                    {"stackexchange", answered<stackexchange>},
                                                    {"openalex", answered<openalex>},
                                                    {"debian", answered<debian>}}};
  return kTargets;
}

void seal(std::span<char> file) {
  constexpr std::string_view kKey = "\"checksum\":\"xxh3:";
  constexpr std::size_t kDigits = 16;
  const std::size_t at = std::string_view(file.data(), file.size()).find(kKey);
  if (at == std::string_view::npos || at + kKey.size() + kDigits > file.size()) return;
  char* const digits = file.data() + at + kKey.size();
  std::fill_n(digits, kDigits, '0');
  const std::string sum = fmt::format("{:016x}", XXH3_64bits(file.data(), file.size()));
  std::copy(sum.begin(), sum.end(), digits);
}

}  // namespace idne::fuzz
