#include "idne/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "idne/output_file.h"
#include "math/random.h"

namespace idne {
namespace {

constexpr std::uint32_t kNamedFields = 12;
constexpr std::uint32_t kNamedWords = 24;

struct Field {
  std::string_view name;
  std::array<std::string_view, kNamedWords> words;
};

constexpr std::array<Field, kNamedFields> kFields{{
    {"astronomy",
     {"star",     "planet",      "orbit",    "telescope", "galaxy",   "comet",         "moon",   "eclipse",
      "nebula",   "observatory", "asteroid", "spectrum",  "redshift", "supernova",     "crater", "satellite",
      "parallax", "meteor",      "pulsar",   "corona",    "equinox",  "constellation", "photon", "quasar"}},
    {"medicine", {"patient", "disease", "therapy", "blood",    "surgery", "vaccine", "infection", "diagnosis",
                  "heart",   "clinic",  "symptom", "dose",     "fever",   "nurse",   "antibody",  "tumour",
                  "artery",  "insulin", "lung",    "fracture", "allergy", "kidney",  "physician", "anaemia"}},
    {"law", {"court",     "judge",   "jury",     "trial",    "appeal",     "statute",   "contract",   "verdict",
             "lawyer",    "witness", "evidence", "tribunal", "plaintiff",  "defendant", "sentence",   "lawsuit",
             "testimony", "bail",    "tort",     "clause",   "prosecutor", "liability", "injunction", "barrister"}},
    {"cooking", {"recipe", "oven",    "flour",  "butter", "sauce",    "garlic",   "onion",   "bread",
                 "spice",  "soup",    "pepper", "roast",  "dough",    "simmer",   "vinegar", "pastry",
                 "basil",  "skillet", "broth",  "yeast",  "cinnamon", "marinade", "whisk",   "saffron"}},
    {"music", {"melody",  "rhythm",   "violin",   "piano",  "orchestra", "chord",  "singer", "tempo",
               "harmony", "concert",  "composer", "sonata", "guitar",    "choir",  "opera",  "drum",
               "flute",   "symphony", "quartet",  "tenor",  "cello",     "octave", "fugue",  "trumpet"}},
    {"geology", {"rock",  "mineral", "volcano", "sediment", "fossil",   "granite",   "basalt",     "quartz",
                 "magma", "fault",   "glacier", "erosion",  "crystal",  "limestone", "earthquake", "tectonic",
                 "lava",  "shale",   "mantle",  "crust",    "feldspar", "stratum",   "seismic",    "schist"}},
    {"sailing", {"boat",    "sail",      "harbour", "anchor",  "rudder",  "mast",   "keel",    "tide",
                 "wind",    "crew",      "deck",    "compass", "regatta", "jib",    "hull",    "knot",
                 "mooring", "spinnaker", "helm",    "buoy",    "rigging", "tiller", "leeward", "yacht"}},
    {"gardening", {"soil",  "seed",  "flower",     "garden",  "prune",   "compost",   "leaf",       "root",
                   "shrub", "bulb",  "hedge",      "lawn",    "mulch",   "blossom",   "greenhouse", "weed",
                   "rose",  "petal", "fertilizer", "orchard", "trellis", "perennial", "pollen",     "graft"}},
    {"finance", {"market",   "stock",     "bond",     "interest", "bank",    "credit", "loan",      "price",
                 "investor", "inflation", "dividend", "currency", "budget",  "tax",    "mortgage",  "deficit",
                 "equity",   "broker",    "asset",    "debt",     "hedging", "yield",  "portfolio", "auction"}},
    {"football", {"goal",     "striker",  "keeper",  "pitch",   "referee",    "penalty", "league",   "coach",
                  "defender", "midfield", "offside", "tackle",  "stadium",    "corner",  "cup",      "derby",
                  "header",   "fixture",  "kickoff", "dribble", "substitute", "winger",  "crossbar", "relegation"}},
    {"painting", {"canvas",  "brush",   "pigment", "portrait",    "fresco",  "landscape",   "easel",   "palette",
                  "varnish", "gallery", "sketch",  "watercolour", "colour",  "perspective", "gouache", "stroke",
                  "gesso",   "mural",   "ochre",   "glaze",       "tempera", "museum",      "impasto", "chiaroscuro"}},
    {"computing", {"compiler", "kernel",   "thread", "memory",   "cache",     "pointer",   "server",   "database",
                   "query",    "protocol", "packet", "register", "processor", "recursion", "parser",   "socket",
                   "lock",     "hash",     "binary", "debugger", "latency",   "scheduler", "firmware", "mutex"}},
}};

/// A word that nobody has: number 0, 1, 2 … of vocabulary `family`, in syllables.
std::string made_up_word(std::uint32_t family, std::uint32_t number) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz", kVowels = "aeiou";
  const auto syllable = [&](std::uint64_t n) {
    return std::string{kConsonants[n / kVowels.size() % kConsonants.size()], kVowels[n % kVowels.size()]};
  };
  const std::uint64_t kinds = kConsonants.size() * kVowels.size();
  // A family's first syllables are its own, so that no two families share a word.
  std::string word = syllable(family % kinds) + syllable(family / kinds % kinds);
  std::uint64_t rest = number;
  do {
    word += syllable(rest % kinds);
    rest /= kinds;
  } while (rest > 0);
  return word;
}

std::string field_name(std::uint32_t field) {
  return field < kNamedFields ? std::string(kFields[field].name) : fmt::format("field-{}", field + 1);
}

std::string field_word(std::uint32_t field, std::uint32_t rank) {
  if (field < kNamedFields && rank < kNamedWords) return std::string(kFields[field].words[rank]);
  return made_up_word(field + 1, rank);
}

/// A rank below `size`, with probability about 1/rank.
std::uint32_t draw_rank(std::uint32_t size, Random& random) {
  const double rank = std::exp(random.uniform() * std::log(static_cast<double>(size) + 1)) - 1;
  return std::min(size - 1, static_cast<std::uint32_t>(rank));
}

class Generator {
 public:
  explicit Generator(const GenerateOptions& options) : options_(options), members_(options.fields) {
    const double tokens = static_cast<double>(options.documents) * options.words;
    field_size_ =
        kNamedWords + 1 + static_cast<std::uint32_t>(4 * std::sqrt(tokens * options.field_words / options.fields));
    shared_size_ = 40 + static_cast<std::uint32_t>(8 * std::sqrt(tokens * (1 - options.field_words)));
  }

  /// Adds document `number` and its links to the texts of the two files.
  void add(std::uint32_t number, std::string& documents, std::string& links) {
    Random random(options_.seed, Purpose::Generate, number);
    const std::uint32_t field = random.below(options_.fields);
    add_document(number, field, random, documents);
    add_links(number, field, random, links);
    members_[field].push_back(number);
  }

 private:
  void add_document(std::uint32_t number, std::uint32_t field, Random& random, std::string& out) const {
    std::string text, title;
    std::uint32_t sentence = 0;
    for (std::uint32_t w = 0; w < options_.words; ++w) {
      const bool own = random.uniform() < options_.field_words;
      std::string word =
          own ? field_word(field, draw_field_rank(random)) : made_up_word(0, draw_rank(shared_size_, random));
      if (own && title.empty()) {
        title = capital(word);
      } else if (own && title.find(' ') == std::string::npos && title != capital(word)) {
        title += " and " + word;
      }
      if (sentence == 0) {
        word = capital(word);
        sentence = 6 + random.below(8);
      }
      text += (w ? " " : "") + word;
      if (--sentence == 0 || w + 1 == options_.words) text += '.', sentence = 0;
    }
    fmt::format_to(std::back_inserter(out),
                   R"({{"id": "{}", "title": "{}", "text": "{}", "labels": ["{}"]}})"
                   "\n",
                   number, title, text, field_name(field));
  }

  /// Mostly one of the field's main words, all of them about alike; else one of its long tail.
  std::uint32_t draw_field_rank(Random& random) const {
    constexpr double kMain = 0.75;
    return random.uniform() < kMain ? random.below(kNamedWords)
                                    : kNamedWords + draw_rank(field_size_ - kNamedWords, random);
  }

  /// Links go to earlier documents, so that none is written twice.
  void add_links(std::uint32_t number, std::uint32_t field, Random& random, std::string& out) const {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t tries = 0; tries < 4 * options_.links && chosen.size() < options_.links && number > 0; ++tries) {
      const auto& own = members_[field];
      const bool stay = random.uniform() < options_.field_links && !own.empty();
      const std::uint32_t to = stay ? own[random.below(static_cast<std::uint32_t>(own.size()))] : random.below(number);
      if (std::find(chosen.begin(), chosen.end(), to) != chosen.end()) continue;
      chosen.push_back(to);
      fmt::format_to(std::back_inserter(out), "{}\t{}\n", number, to);
    }
  }

  static std::string capital(std::string word) {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
  }

  const GenerateOptions options_;
  std::uint32_t field_size_ = 0, shared_size_ = 0;
  std::vector<std::vector<std::uint32_t>> members_;
};

/// The files of a corpus with their sizes, as the marker has them; empty if there is none.
std::string contents_of(const std::filesystem::path& folder) {
  std::string text;
  for (const std::filesystem::path& file : corpus_files(folder)) {
    std::error_code none;
    text += fmt::format("{} {}\n", file.filename().string(), std::filesystem::file_size(file, none));
  }
  return text;
}

void check_replaceable(const std::filesystem::path& folder) {
  const std::string contents = contents_of(folder);
  std::ifstream marker(folder / kGeneratedMarker);
  const std::string generated{std::istreambuf_iterator<char>(marker), std::istreambuf_iterator<char>()};
  if (contents.empty() || contents == generated) return;
  throw Error(
      fmt::format("{}: has a corpus that does not come from `idne generate`, or was changed since; name a new folder",
                  folder.string()));
}

}  // namespace

void generate_corpus(const GenerateOptions& options, const std::filesystem::path& folder, const Run& run) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: cannot make the folder: {}", folder.string(), error.message()));
  check_replaceable(folder);
  OutputFile documents(folder / "documents.jsonl"), links(folder / "links.tsv");
  Generator generator(options);
  std::string document_text, link_text;
  for (std::uint32_t n = 0; n < options.documents; ++n) {
    generator.add(n, document_text, link_text);
    if (document_text.size() > (std::size_t{1} << 20) || n + 1 == options.documents) {
      documents.write(document_text);
      links.write(link_text);
      document_text.clear();
      link_text.clear();
      run.check();
      run.report({"generating", n + 1, options.documents});
    }
  }
  documents.commit();
  links.commit();
  OutputFile marker(folder / kGeneratedMarker);
  marker.write(contents_of(folder));
  marker.commit();
}

}  // namespace idne
