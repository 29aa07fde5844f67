#!/usr/bin/env python3
"""Texts in several languages, stems, phrases and numbers, as users of the program meet them.

IDNE names the program (default build/idne), as for cli.py.
"""
import json
import random
import unittest

from cli import Case, npy
from server import Server

FUNCTION = {"de": "der die das und ist nicht mit von für auf den dem ein eine auch sich wird aber oder wenn kann war".split(),
            "es": "el la los las y es en para una con que más pero sus también esta entre cuando muy sin sobre".split(),
            "en": "the and of to is in that for with this from are was have which their been they also".split()}
CONTENT = {"de": ["Gerät Spannung Strom Widerstand Schaltung Batterie Leitung Messung Kabel Stecker".split(),
                  "Küche Rezept Zwiebel Kartoffel Gemüse Brühe Löffel Pfanne Gewürz Teig".split()],
           "es": ["océano marea barco puerto ola playa isla coral pez arena".split(),
                  "montaña río bosque pájaro árbol hoja nieve valle sendero cumbre".split()],
           "en": ["planet telescope galaxy orbit comet spectrum nebula satellite eclipse crater".split(),
                  "violin orchestra melody conductor rhythm chord symphony pianist tempo opera".split()]}
TRAIN = ["--min-count", 2, "--topics", 6, "--dim", 32, "--steps", 100]


def sentence(random, language, field, length):
    words = [random.choice(FUNCTION[language]) if random.random() < .5 else random.choice(CONTENT[language][field])
             for _ in range(length)]
    return " ".join(words) + "."


def exported_words(case, model):
    """The lines of words.tsv: a word as it is shown, and its vector."""
    path = case.folder / "words.tsv"
    case.ok("export", model, "words", "-o", path)
    return path.read_text("utf-8")


class Languages(Case):
    def vault(self, length, mixed=0):
        """Notes in three languages, two fields each; some have a paragraph of each of two languages."""
        chance, lines, links = random.Random(7), [], []
        for language in CONTENT:
            for field in (0, 1):
                for n in range(50):
                    lines.append({"id": f"{language}{field}-{n}", "text": sentence(chance, language, field, chance.randint(*length))})
                    if n:
                        links.append((f"{language}{field}-{n}", f"{language}{field}-{chance.randrange(n)}"))
        for n in range(mixed):
            one, other = chance.sample(list(CONTENT), 2)
            lines.append({"id": f"m{n}", "text": "\n\n".join(sentence(chance, language, n % 2, 20) for language in (one, other))})
            links.append((f"m{n}", f"{one}{n % 2}-0"))
        chance.shuffle(lines)
        self.write("vault/documents.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        self.write("vault/links.tsv", "".join("\t".join(link) + "\n" for link in links))
        return self.folder / "vault"

    def train(self, corpus, *options):
        model = self.folder / "vault.idne"
        self.ok("train", corpus, "-o", model, *TRAIN, *options)
        return model

    def check_topics(self, model):
        words = {word["shown"] for topic in self.json("topics", model, "--top", 10)["topics"] for word in topic["words"]}
        self.assertGreater(len(words), 30)
        function = {word for words in FUNCTION.values() for word in words}
        self.assertFalse({word.lower() for word in words} & function)
        self.assertLessEqual({word for word in words if not word.isascii()},
                             {word for fields in CONTENT.values() for field in fields for word in field})
        return words

    def check_texts_get_their_vectors(self, model, corpus):
        embedded, stored = self.folder / "e.npy", self.folder / "d.npy"
        self.ok("embed", model, corpus, "-o", embedded)
        self.ok("export", model, "documents", "-o", stored)
        self.assertEqual(npy(embedded.read_bytes()), npy(stored.read_bytes()))

    def test_no_function_word_in_topics_and_words_as_written(self):
        corpus = self.vault((30, 60))
        model = self.train(corpus)
        words = self.check_topics(model)
        self.assertTrue({"Gerät", "Küche", "océano", "montaña", "telescope"} <= words, words)
        self.assertEqual(self.json("info", model)["options"]["language"], "english,german,spanish")
        self.check_texts_get_their_vectors(model, corpus)

    def test_short_and_mixed_notes(self):
        corpus = self.vault((5, 15), mixed=30)
        model = self.train(corpus)
        self.check_topics(model)
        self.check_texts_get_their_vectors(model, corpus)

    def test_stems_and_phrases_give_a_text_its_vector(self):
        corpus = self.vault((5, 40), mixed=20)
        for options in (["--stem"], ["--phrases"], ["--stem", "--phrases", "--numbers", "drop"],
                        ["--stem", "--stop-words", self.write("stop.txt", "gerät\nplanets\nder")],
                        ["--stem", "--phrases", "--stop-words", "english,german,spanish"],
                        ["--language", "german", "--stem"], ["--language", "none"]):
            model = self.train(corpus, *options)
            self.check_texts_get_their_vectors(model, corpus)

    def test_a_stop_list_beside_stems_is_the_whole_list(self):
        chance = random.Random(6)
        texts = ["They have the wars and the war of " + sentence(chance, "en", n // 2 % 2, 20) if n % 2 else
                 "Das war nicht gut, und wir haben es auf " + sentence(chance, "de", n // 2 % 2, 20) for n in range(40)]
        corpus = self.write("both.jsonl", "".join(json.dumps({"id": str(n), "text": text, "links": [str((n + 2) % 40)]}) + "\n"
                                                  for n, text in enumerate(texts)))
        for options in ([], ["--phrases"]):
            model = self.train(corpus, "--stem", "--max-share", 1, "--stop-words", "english,german", *options)
            self.check_texts_get_their_vectors(model, corpus)

    def test_words_are_found_however_they_are_written(self):
        model = self.train(self.vault((30, 60)))
        found = [self.ok("similar", model, "--word", word).out for word in ("Gerät", "gerat", "GERÄT")]
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        self.assertIn("Gerät", exported_words(self, model))

    def test_words_that_the_model_shows_can_be_asked_for(self):
        chance, texts = random.Random(5), []
        for n in range(60):
            texts.append("The war was long and they had seen the networks of " + sentence(chance, "en", n % 2, 20) if n % 2 else
                         "Das war nicht gut, und die Katzen haben es auf " + sentence(chance, "de", n % 4 // 2, 20))
        corpus = self.write("both.jsonl", "".join(json.dumps({"id": str(n), "text": text, "links": [str((n + 2) % 60)]}) + "\n"
                                                  for n, text in enumerate(texts)))
        for options, words in (([], ("war", "War", "Katzen")), (["--stem"], ("war", "Katzen", "katze", "network", "Networks"))):
            model = self.train(corpus, "--max-share", 1, *options)
            self.assertRegex(exported_words(self, model), r"(?m)^Katzen\t")
            server = Server(model)
            self.addCleanup(server.stop)
            for word in words:
                self.ok("similar", model, "--word", word)
                self.assertEqual(server.post("/api/v1/similar", {"word": word})[0], 200, word)
            self.assertEqual(self.json("similar", model, "--word", "war", "-k", 3), self.json("similar", model, "--word", "WAR", "-k", 3))
            self.fails(1, "similar", model, "--word", "zeppelin", says="does not know the word 'zeppelin'")
            found = server.get("/api/v1/search?q=Katzen&k=60")[1]["results"]
            self.assertEqual(sum(bool(hit["words"]) for hit in found), 30)
            shown = [word["shown"] for word in server.get("/api/v1/words?prefix=katzen")[1]["words"]]
            self.assertEqual(shown, ["Katzen"])

    def test_check_names_them(self):
        corpus = self.vault((30, 60))
        shown = self.ok("check", corpus).out.decode()
        for name in ("English 33.3 %", "German 33.3 %", "Spanish 33.3 %"):
            self.assertIn(name, shown)
        told = self.json("check", corpus)["languages"]
        self.assertEqual({one["language"]: one["documents"] for one in told["found"]}, {"English": 100, "German": 100, "Spanish": 100})
        self.assertFalse(self.json("check", corpus, "--stop-words", "none")["languages"]["told"])

    def test_check_warns_where_none_fits(self):
        greek = "ο άνθρωπος που έφυγε χθες από την πόλη δεν γύρισε ποτέ πίσω στο σπίτι του γιατί ήταν πολύ κουρασμένος και ήθελε ύπνο"
        corpus = self.write("greek.jsonl", "".join(json.dumps({"id": str(n), "text": greek}) + "\n" for n in range(5)))
        self.assertRegex(self.ok("check", corpus).out.decode(), r"5 of 5 documents are in a script of no\s+language")

        indonesian = ("kami akan pergi bersama keluarga besar menuju sebuah desa kecil karena mereka ingin melihat sawah hijau "
                      "dengan gunung tinggi yang tidak jauh dari rumah nenek di kota dan tinggal di sana dengan paman dan bibi")
        ukrainian = ("ми поїхали до села, де жила моя бабуся, і там було дуже тихо, бо всі сусіди вже пішли на поле збирати врожай "
                     "та не хотіли нікого чекати через погану погоду")
        for text in (indonesian, ukrainian):
            half = "".join(json.dumps({"id": str(n), "text": text if n % 2 else sentence(random.Random(n), "en", 0, 30)}) + "\n"
                           for n in range(10))
            self.assertRegex(self.ok("check", self.write("half.jsonl", half)).out.decode(),
                             r"the language of 5 of 10 documents\s+is\s+not\s+known")
        self.assertNotIn("not known here", self.ok("check", self.vault((20, 60), mixed=90)).out.decode())

    def test_lists_are_joined_and_names_checked(self):
        corpus = self.vault((30, 60))
        mine = self.write("my.txt", "planet\n")
        model = self.train(corpus, "--stop-words", f"english,german,{mine}", "--max-share", 1)
        words = exported_words(self, model)
        self.assertNotRegex(words, r"(?m)^(the|und|planet)\t")
        self.assertRegex(words, r"(?m)^los\t")
        self.fails(2, "train", corpus, "-o", self.folder / "x.idne", "--language", "klingon", says="german")
        self.fails(1, "train", corpus, "-o", self.folder / "x.idne", "--stop-words", "english,klingon", says="klingon: cannot read")
        self.fails(2, "train", corpus, "-o", mine, "--stop-words", f"english,{mine}", says="also read")


class Phrases(Case):
    def corpus_of(self, texts):
        self.write("c/documents.jsonl", "".join(json.dumps({"id": str(n), "text": text}, ensure_ascii=False) + "\n"
                                                for n, text in enumerate(texts)))
        self.write("c/links.tsv", "".join(f"{n}\t{n + 2}\n" for n in range(len(texts) - 2)))
        return self.folder / "c"

    def test_a_phrase_is_a_word(self):
        chance = random.Random(3)
        other = [f"{first}{second}" for first in ("car", "tree", "stone", "river", "cloud") for second in ("ful", "less", "ness", "like", "ish", "dom")]
        corpus = self.corpus_of(["He was in New York; " + " ".join(chance.choices(other, k=6)) + "; " +
                                 (f"new {chance.choice(other)}" if n % 3 else "york") + "." for n in range(60)])
        model = self.folder / "p.idne"
        self.ok("train", corpus, "-o", model, "--phrases", "--min-count", 2, "--max-share", 1, "--topics", 2, "--dim", 8, "--steps", 20)
        self.assertRegex(exported_words(self, model), r"(?m)^New York\t")
        tokens = self.json("explain", model, stdin=b"to new york and new cars")["tokens"]
        self.assertIn("new york", [token["text"] for token in tokens])
        self.ok("similar", model, "--word", "New York")
        self.assertEqual(self.json("info", model)["options"]["phrases"], True)

    def test_the_server_finds_a_phrase_by_its_parts_and_words_however_written(self):
        chance = random.Random(3)
        other = [f"{first}{second}" for first in ("car", "tree", "stone", "river") for second in ("ful", "less", "ness", "like", "ish", "dom")]
        corpus = self.corpus_of([("He was in New York" if n % 2 else "so; Gerät") + "; " + " ".join(chance.choices(other, k=6)) + "."
                                 for n in range(80)])
        for options in ([], ["--stem"]):
            model = self.folder / "served.idne"
            self.ok("train", corpus, "-o", model, "--phrases", *options, "--min-count", 2, "--max-share", 1, "--topics", 2, "--dim", 8, "--steps", 20)
            server = Server(model)
            self.addCleanup(server.stop)
            found = server.get("/api/v1/search?q=York&k=80")[1]["results"]
            self.assertTrue(all(int(hit["id"]) % 2 for hit in found if hit["words"]), found)
            self.assertEqual(sum(bool(hit["words"]) for hit in found), 40)
            for prefix in ("Ger%C3%A4", "gera", "GERA"):
                self.assertEqual(server.get(f"/api/v1/words?prefix={prefix}")[1]["words"][0]["shown"][:5], "Gerät")
            self.assertEqual(server.get("/api/v1/words?prefix=new%20y")[1]["words"][0]["shown"], "New York")

    def test_chinese_names_come_together(self):
        corpus = self.corpus_of(["昨天蒯韪去学校了" if n % 2 else "我和蒯韪在北京工作" for n in range(20)])
        model = self.folder / "z.idne"
        self.ok("train", corpus, "-o", model, "--min-count", 2, "--max-share", 1, "--topics", 2, "--dim", 8, "--steps", 20)
        words = exported_words(self, model)
        self.assertRegex(words, r"(?m)^蒯韪\t")
        tokens = self.json("explain", model, stdin="蒯韪来了".encode())["tokens"]
        self.assertIn("蒯韪", [token["text"] for token in tokens])


if __name__ == "__main__":
    unittest.main()
