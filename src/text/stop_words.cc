#include "text/stop_words.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "idne/error.h"
#include "idne/text.h"
#include "text/languages.h"

namespace idne {
namespace {

void add_words(std::string_view text, StringTable& words) {
  Tokenizer tokenizer;
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) words.add(token.word);
}

/// The same for the same words in any order and case.
std::string fingerprint(const StringTable& words) {
  std::vector<std::string_view> sorted = words.strings();
  std::sort(sorted.begin(), sorted.end());
  std::string joined;
  for (const std::string_view word : sorted) joined.append(word).append("\n");
  return fmt::format("{} words, xxh3:{:016x}", sorted.size(), XXH3_64bits(joined.data(), joined.size()));
}

void add_file(const std::string& source, StringTable& words) {
  std::ifstream file(source, std::ios::binary);
  const bool empty = file.peek() == std::ifstream::traits_type::eof();  // of a folder too, but then bad() is true
  std::ostringstream text;
  if (!file.is_open() || file.bad() || (!empty && !(text << file.rdbuf()))) {
    throw Error(
        fmt::format("{}: cannot read the stop words; give a text file with one word per line, 'none', or "
                    "languages: {}",
                    source, names_of(~LanguageSet{0})));
  }
  add_words(text.str(), words);
}

}  // namespace

StopWords StopWords::from(const std::string& source) {
  StopWords stop;
  LanguageSet named = 0;
  bool files = false;
  for (std::size_t begin = 0; begin <= source.size();) {
    const std::size_t end = std::min(source.find(',', begin), source.size());
    const std::string one = source.substr(begin, end - begin);
    begin = end + 1;
    const auto language = std::ranges::find(languages(), one, &Language::name);
    if (language != languages().end()) {
      named |= only(static_cast<std::size_t>(language - languages().begin()));
      add_words(language->stop_words, stop.words);
    } else if (one != "none") {
      files = true;
      add_file(one, stop.words);
    }
  }
  stop.name = files ? fingerprint(stop.words) : names_of(named);
  return stop;
}

}  // namespace idne
