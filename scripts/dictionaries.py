"""Dictionaries that Debian packs, as documents with links and labels."""
import gzip, re


def entries(index):
    """The entries of a dictionary as dictd has it: an index of places, as numbers to the base of 64, in a packed file. Entries name
    each other in braces, and their subjects in angle brackets (which are no words of a text)."""
    digits = {c: n for n, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}

    def number(text):
        return sum(digits[c] << 6 * n for n, c in enumerate(reversed(text)))
    whole = gzip.decompress(index.with_suffix(".dict.dz").read_bytes())
    documents, names = {}, {}
    for line in index.read_text(encoding="utf-8").splitlines():
        head, begin, size = line.split("\t")[:3]
        if head.startswith("00-database"):
            continue
        if begin not in documents:  # else another name of that entry
            text = whole[number(begin):number(begin) + number(size)].decode("utf-8", "replace")
            subjects = re.search(r"<([^<>]{2,60})>", text[:400])
            documents[begin] = {"id": head, "title": head, "text": re.sub(r"[{}]", "", text),
                                "labels": sorted({subject.strip() for subject in subjects[1].split(",")}) if subjects else [],
                                "links": [re.sub(r"\s+", " ", to).lower() for to in re.findall(r"\{([^{}]+)\}", text)]}
        names.setdefault(head.lower(), documents[begin]["id"])
    for one in documents.values():
        one["links"] = [names[to] for to in one["links"] if to in names]
    return list({one["id"]: one for one in documents.values()}.values())


def senses(data):
    """WordNet's senses of one kind of words, with what each says of itself and those that it points to. Labels are the lexicographers'
    files."""
    kind = data.suffix[1]
    documents = []
    for line in data.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        facts, text = line.split(" | ", 1)
        facts = facts.split()
        words = 4 + 2 * int(facts[3], 16)
        pointers = facts[words + 1:words + 1 + 4 * int(facts[words])]
        documents.append({"id": facts[0], "title": facts[4], "text": f"{facts[4].replace('_', ' ')}: {text}", "labels": [facts[1]],
                          "links": [to for to, other in zip(pointers[1::4], pointers[2::4]) if other == kind]})
    return documents
