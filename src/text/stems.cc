#include "text/stems.h"

#include <libstemmer.h>

#include <memory>
#include <vector>

#include "idne/error.h"
#include "text/languages.h"

namespace idne {
namespace {

struct DeleteStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

/// One per thread: they hold what they work on.
sb_stemmer* own_stemmer(std::size_t language) {
  static thread_local std::vector<std::unique_ptr<sb_stemmer, DeleteStemmer>> stemmers(languages().size());
  const std::string name(languages()[language].stemmer);
  if (name.empty()) return nullptr;
  if (!stemmers[language]) {
    stemmers[language].reset(sb_stemmer_new(name.c_str(), "UTF_8"));
    if (!stemmers[language]) throw Error("libstemmer has no stemmer for '" + name + "'");
  }
  return stemmers[language].get();
}

}  // namespace

std::string stem_of(std::string_view word, std::size_t language) {
  sb_stemmer* stemmer = own_stemmer(language);
  if (!stemmer) return std::string(word);
  const auto* bytes = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer, bytes, static_cast<int>(word.size()));
  if (!stem) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

}  // namespace idne
