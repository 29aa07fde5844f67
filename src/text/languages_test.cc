#include "text/languages.h"

#include <gtest/gtest.h>

#include <bit>

#include "idne/error.h"

namespace idne {
namespace {

LanguageSet set_of(std::string_view names) { return parse_languages(names); }

/// What a text says about its language.
struct Read {
  explicit Read(std::string_view text) {
    Tokenizer tokenizer;
    Token token;
    std::vector<std::uint32_t> found;
    tokenizer.start(text);
    while (tokenizer.next(token)) {
      ++words;
      if (const auto number = FunctionWords::all().find(token.word)) found.push_back(*number);
    }
    counts = count_words(std::move(found));
  }
  LanguageEvidence evidence() const { return {counts, words}; }

  std::vector<WordCount> counts;
  std::uint64_t words = 0;
};

std::string clear(std::string_view text) {
  const auto language = clear_language(Read(text).evidence());
  return language ? std::string(languages()[*language].name) : "";
}

TEST(Languages, AreInTheOrderOfTheirNamesAndFitASet) {
  EXPECT_TRUE(std::ranges::is_sorted(languages(), {}, &Language::name));
  EXPECT_LE(languages().size(), 8 * sizeof(LanguageSet));
  EXPECT_LT(FunctionWords::all().size(), 1u << 13) << "corpus/word_reading.h packs them";
  for (const char* snowball : {"danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian",
                               "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "turkish"}) {
    EXPECT_EQ(names_of(set_of(snowball)), snowball);
  }
}

TEST(Languages, NamesAreParsedAndWrittenInOneOrder) {
  EXPECT_EQ(names_of(set_of("german, english")), "english,german");
  EXPECT_EQ(names_of(0), "none");
  try {
    set_of("english,klingon");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'klingon'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("german"), std::string::npos);
  }
}

TEST(Languages, AreToldByTheirFunctionWords) {
  EXPECT_EQ(clear("The old man went down to the river and was seen by nobody that day."), "english");
  EXPECT_EQ(clear("Der alte Mann ging zum Fluss und wurde an diesem Tag von niemandem gesehen."), "german");
  EXPECT_EQ(clear("Le vieil homme est descendu à la rivière et personne ne l'a vu ce jour-là."), "french");
  EXPECT_EQ(clear("El viejo bajó hasta el río y nadie lo vio durante todo aquel día."), "spanish");
  EXPECT_EQ(clear("O velho desceu até ao rio e ninguém o viu durante todo aquele dia."), "portuguese");
  EXPECT_EQ(clear("Il vecchio scese al fiume e nessuno lo vide per tutto quel giorno della settimana."), "italian");
  EXPECT_EQ(clear("De oude man liep naar de rivier en werd die dag door niemand gezien."), "dutch");
  EXPECT_EQ(clear("Den gamle mand gik ned til floden, og ingen så ham den dag efter at solen var gået ned."), "danish");
  EXPECT_EQ(clear("Den gamla mannen gick ner till floden och ingen såg honom under hela dagen när det regnade."),
            "swedish");
  EXPECT_EQ(clear("Vanha mies meni joelle ja kukaan ei ollut nähnyt häntä sinä päivänä, vaikka se oli niin."),
            "finnish");
  EXPECT_EQ(clear("Az öreg ember lement a folyóhoz, és aznap senki sem látta, hogy mit csinált vagy miért."),
            "hungarian");
  EXPECT_EQ(clear("Bătrânul a coborât la râu și nimeni nu l-a mai văzut în acea zi, deși era foarte cald."),
            "romanian");
  EXPECT_EQ(clear("Старик пошёл к реке, и никто его не видел в этот день, потому что все были дома."), "russian");
  EXPECT_EQ(clear("Yaşlı adam nehre gitti ve o gün onu hiç kimse görmedi, çünkü herkes için çok sıcak bir gündü."),
            "turkish");
  EXPECT_EQ(clear("Stary człowiek poszedł nad rzekę i nikt go tego dnia nie widział, ponieważ było bardzo gorąco."),
            "polish");
  EXPECT_EQ(clear("老人走到河边，那天没有人看见他，因为他们都在家里，而且也不想出去。"), "chinese");
}

TEST(Languages, KeywordsAndShortTextsAreUnclear) {
  EXPECT_EQ(clear("gene cell protein enzyme genome court judge law trial jury"), "");
  EXPECT_EQ(clear("the end"), "");
  EXPECT_EQ(clear(""), "");
}

TEST(Languages, ACorpusHasThoseThatANoticeableShareIsIn) {
  std::vector<std::uint64_t> documents(languages().size());
  const auto at = [&](std::string_view name) -> std::uint64_t& {
    return documents[static_cast<std::size_t>(std::countr_zero(set_of(name)))];
  };
  EXPECT_EQ(languages_of_corpus(documents), 0u);
  at("english") = 1000, at("german") = 19, at("dutch") = 1;
  EXPECT_EQ(languages_of_corpus(documents), set_of("english"));
  at("german") = 30;
  EXPECT_EQ(languages_of_corpus(documents), set_of("english,german"));
  at("english") = 8, at("german") = 0;
  EXPECT_EQ(languages_of_corpus(documents), set_of("english,dutch")) << "one of nine";
}

TEST(Languages, ATextIsReadByItsOwn) {
  const LanguageSet both = set_of("english,german");
  const auto dropped = [&](std::string_view text) { return languages_of_text(Read(text).evidence(), both).dropped; };
  EXPECT_EQ(dropped("they will die in the war that we have been afraid of"), set_of("english"));
  EXPECT_EQ(dropped("die Katze war in der Küche und hat nicht geschlafen"), set_of("german"));
  EXPECT_EQ(dropped("the cat was in the kitchen. die Katze ist in der Küche."), both);
  EXPECT_EQ(dropped("cat kitchen"), both) << "nothing is known about it";
}

const char* kNote =
    "Gestern haben wir den alten Verstärker wieder in Betrieb genommen und die Röhren gemessen. Das Netzteil war nicht "
    "mehr in Ordnung, aber die Kondensatoren sind noch gut, und so haben wir nur die Sicherung getauscht. ";
const char* kPassage = "There are still many of these parts on the shelf, but they should not be used with this.";

TEST(Languages, ATextMayHavePassagesInASecond) {
  const auto second = [](const std::string& text, std::string_view first) -> std::string {
    const auto language =
        second_language(Read(text).evidence(), static_cast<std::size_t>(std::countr_zero(set_of(first))));
    return language ? std::string(languages()[*language].name) : "";
  };
  const std::string note = kNote;
  EXPECT_EQ(clear(note + kPassage), "german");
  EXPECT_EQ(second(note + kPassage, "german"), "english");
  EXPECT_EQ(second(note + "Nous avons aussi mis les tubes dans cette boîte pour vous, mais il ne faut pas les vendre.",
                   "german"),
            "french");
  EXPECT_EQ(second(note, "german"), "");
  EXPECT_EQ(second(note + "The Lord of the Rings", "german"), "") << "too few different words";
  std::string book;
  for (int n = 0; n < 40; ++n) book += note;
  EXPECT_EQ(second(book + kPassage, "german"), "") << "a quotation";
}

TEST(Languages, IdeographsInJapaneseAreNoPassagesInChinese) {
  const Read text(
      "このパッケージは日本語の文書を作成するための道具です。各利用者は自分の本を書くことができ、最も新しい版を再び取得"
      "する事も出来ます。"
      "彼は前に東京で働いていたが、その後大阪へ行き、小さな本屋を始めた。中には古い本が多く、上の棚には外国の雑誌も並ん"
      "でいる。");
  const auto japanese = static_cast<std::size_t>(std::countr_zero(set_of("japanese")));
  EXPECT_EQ(second_language(text.evidence(), japanese), std::nullopt);
}

TEST(Languages, ACorpusHasSecondOnesThatANoticeableShareHasPassagesIn) {
  std::vector<std::uint64_t> documents(languages().size());
  auto& french = documents[static_cast<std::size_t>(std::countr_zero(set_of("french")))];
  french = 2;
  EXPECT_EQ(second_languages_of_corpus(documents, 4), 0u) << "too few";
  french = 5;
  EXPECT_EQ(second_languages_of_corpus(documents, 100), set_of("french"));
  EXPECT_EQ(second_languages_of_corpus(documents, 101), 0u);
}

TEST(Languages, ATextWithPassagesInAnotherIsReadByBoth) {
  const LanguageSet both = set_of("english,german");
  const auto dropped = [&](const std::string& text) { return languages_of_text(Read(text).evidence(), both).dropped; };
  EXPECT_EQ(dropped(std::string(kNote) + kNote + kPassage), both);
  EXPECT_EQ(dropped(std::string(kNote) + kNote + "The Lord of the Rings"), set_of("german"));
  std::string book = "They say the men die in a war, and the man has a hat and a den, and a bin";
  for (int n = 0; n < 40; ++n)
    book += " and it is what they would have said of him at the time, if they had been there";
  EXPECT_EQ(dropped(book), set_of("english"));
}

TEST(Languages, OfOneLanguageNothingIsToDecide) {
  const LanguageSet german = set_of("german");
  for (const char* text : {"", "the cat was in the kitchen and they were not", "die Katze"}) {
    EXPECT_EQ(languages_of_text(Read(text).evidence(), german).dropped, german) << text;
  }
  EXPECT_EQ(languages_of_text(Read("die Katze").evidence(), 0).dropped, 0u);
}

}  // namespace
}  // namespace idne
