#include "text/stop_words.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "idne/error.h"
#include "idne/text.h"

namespace idne {
namespace {

/// Words of English grammar: articles, pronouns, prepositions, conjunctions, auxiliaries, common adverbs, and the
/// pieces that contractions leave behind ("doesn't" is cut to "doesn" and "t"). No nouns, no verbs with a meaning of
/// their own.
constexpr std::string_view kEnglish =
    "a an the this that these those some any each every either neither both all none no not nor only own same such "
    "other "
    "others another many much more most few fewer less least several enough "
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves one ones oneself who whom whose which what whoever "
    "whatever "
    "whichever someone somebody something anyone anybody anything everyone everybody everything nobody nothing noone "
    "about above across after against along amid among amongst around as at before behind below beneath beside besides "
    "between beyond by despite down during except for from in inside into like near of off on onto out outside over "
    "past "
    "per since than through throughout till to toward towards under underneath until unto up upon via with within "
    "without "
    "and but or so yet if then else because although though while whereas whether unless lest once "
    "be am is are was were been being have has had having do does did doing done can could may might must shall should "
    "will would ought cannot let lets get gets got getting "
    "here there where when why how hence thence thus therefore thereby therein hereby herein whence whenever wherever "
    "anywhere everywhere somewhere nowhere elsewhere however moreover furthermore nevertheless nonetheless otherwise "
    "instead meanwhile also too very quite rather really just even still already again ever never always often "
    "sometimes "
    "perhaps maybe almost nearly indeed else now soon later ago away back well yes "
    "ain aren couldn didn doesn don hadn hasn haven isn ll mightn mustn needn re shan shouldn ve wasn weren won wouldn "
    "dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt im ive id youre youve hes shes theyre "
    "etc eg ie vs amp nbsp quot lt gt";

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

}  // namespace

StopWords StopWords::from(const std::string& source) {
  StopWords stop;
  stop.name = source;
  if (source == "none") return stop;
  if (source == "english") {
    add_words(kEnglish, stop.words);
    return stop;
  }
  std::ifstream file(source, std::ios::binary);
  const bool empty = file.peek() == std::ifstream::traits_type::eof();  // of a folder too, but then bad() is true
  std::ostringstream text;
  if (!file.is_open() || file.bad() || (!empty && !(text << file.rdbuf()))) {
    throw Error(source + ": cannot read the stop words; give a text file with one word per line, 'english' or 'none'");
  }
  add_words(text.str(), stop.words);
  stop.name = fingerprint(stop.words);
  return stop;
}

}  // namespace idne
