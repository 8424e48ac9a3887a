"""English words, as far as making questions of questions needs them: function words, verbs' forms, what phrases are."""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib import resources

from kg.text.words import word_set

WH = word_set("who whom what which when where how")
BE, DO, HAVE = word_set("is are was were"), word_set("do does did"), word_set("has have had")
MODAL = word_set("can could will would may might must should")
AUX = BE | DO | HAVE | MODAL
PREPOSITIONS = word_set(
    "in on at by for from to of with about into over under after before during since until through against between "
    "among as near within without toward towards across around along behind beyond upon via onto like outside than"
)
CLAUSES = word_set("when while because if that who which where after before since until although though so and or but")
PARTICLES = word_set("up out off down back away together over")
ADVERBS = word_set("today now first later also originally once again here there then currently most")
DETERMINERS = word_set(
    "the a an this that these those his her its their our my your each every some any no all both another"
)
PRONOUNS = word_set("he she it they him them one what someone others himself herself itself themselves")
NEGATED = word_set("not never no nobody nothing cannot except without")
_MONTHS = word_set("january february march april may june july august september october november december")
NUMBERS = word_set(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred thousand "
    "million billion dozen"
)
ABOUT = word_set("about around approximately nearly almost over under roughly more less at than least most the a an")
_LONGEST = 8  # words of an answer that still makes a readable question
_IRREGULAR = """
be was been become became become begin began begun bear bore born break broke broken bring brought brought build built
built buy bought bought catch caught caught choose chose chosen come came come draw drew drawn drive drove driven fall
fell fallen feel felt felt fight fought fought find found found fly flew flown forget forgot forgotten get got gotten
give gave given go went gone grow grew grown have had had hear heard heard hold held held keep kept kept know knew known
lay laid laid lead led led leave left left lose lost lost make made made mean meant meant meet met met overthrow
overthrew overthrown pay paid paid ride rode ridden rise rose risen run ran run say said said see saw seen sell sold
sold send sent sent shoot shot shot show showed shown sing sang sung speak spoke spoken spend spent spent stand stood
stood steal stole stolen strike struck struck take took taken teach taught taught tell told told think thought thought
throw threw thrown understand understood understood wear wore worn win won won write wrote written do did done put put
put set set set cut cut cut
"""
_FORMS = _IRREGULAR.split()
BASE_OF_PAST = dict(zip(_FORMS[1::3], _FORMS[::3], strict=True))
_BASE_OF_PARTICIPLE = dict(zip(_FORMS[2::3], _FORMS[::3], strict=True))


@cache
def lexicon() -> tuple[dict[str, int], dict[str, int]]:
    """WordNet's verbs and nouns: how often each was tagged as that, plus one."""
    verbs: dict[str, int] = {}
    nouns: dict[str, int] = {}
    packed = resources.files("kg.text").joinpath("wordnet.tsv.gz").read_bytes()
    for line in gzip.decompress(packed).decode("utf-8").splitlines():
        _, part, senses, _ = line.split("\t")
        counted = {"v": verbs, "n": nouns}.get(part)
        for sense in senses.split(",") if counted is not None else ():
            word, _, count = sense.rsplit(":", 2)
            counted[word] = counted.get(word, 1) + int(count)
    return verbs, nouns


@cache
def _lemma(word: str, ending: str) -> str | None:
    """The commonest verb that a word is with "ed", "ing" or "s"."""
    stem = word[: -len(ending)]
    if not word.endswith(ending) or len(stem) < 2 or word.endswith("ss"):
        return None
    stems = [stem, stem + "e", stem[:-1] if stem[-1] in (stem[-2], "e") else "", stem[:-1] + "y"]
    found = [s for s in stems if s in lexicon()[0] and (s[-1] != "y" or stem[-1] in "iey")]
    return max(found, key=lambda s: lexicon()[0][s], default=None)


def past(word: str) -> str | None:
    """The base form of a past tense."""
    return BASE_OF_PAST.get(word) or _lemma(word, "ed")


def is_base(word: str) -> bool:
    """Whether a word can well be a verb's base form."""
    verbs, nouns = lexicon()
    return word in verbs and 4 * verbs[word] >= nouns.get(word, 0)


def present(word: str) -> str | None:
    """The base form of a third person's present tense, where the word is hardly a plural."""
    base = _lemma(word, "s")
    return base if base and is_base(base) else None


def participle(word: str) -> bool:
    """Whether a word can be a past participle."""
    return word in _BASE_OF_PARTICIPLE or _lemma(word, "ed") is not None


def ing(word: str) -> bool:
    """Whether a word can be a present participle."""
    return _lemma(word, "ing") is not None and word not in ("building", "spring", "king", "morning", "wedding")


def head(text: str) -> str:
    """The last word of a phrase before what is added to it."""
    phrase = re.split(r" (?:of|in|on|for|to|from|with|at|who|that|by|between|against|as|during) ", text)[0].split()
    return phrase[-1].strip(",.;:'\"()") if phrase else ""


def plural(text: str) -> bool:
    """Whether a phrase is more than one."""
    last, first = head(text), text.split()[0].lower()
    if last in ("people", "children", "men", "women") or " and " in text or first in NUMBERS - {"one"}:
        return True
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "'s", "ics")) and last[0].islower()


def kind(text: str) -> str:
    """The coarse shape of an answer: year, date, number, name or phrase."""
    words = [w.strip(",.()\"'") for w in text.split()]
    if re.fullmatch(r"(?:in )?(?:1\d|20)\d\d", text):
        return "year"
    if any(w.lower() in _MONTHS and w[0].isupper() for w in words) or re.search(r"\bcentury\b|\b\d{2,4}0s\b", text):
        return "date"
    rest = [w.lower() for w in words if w.lower() not in ABOUT]
    if rest and (rest[0].split("-")[0] in NUMBERS or re.match(r"[$£€]?\d|us\$", rest[0])):
        return "number"
    bare = [w for w in words if w.lower() not in PREPOSITIONS | DETERMINERS | {"and", "&", ""}]
    return "name" if bare and all(w[0].isupper() or w[0].isdigit() for w in bare) else "phrase"


def clean(text: str) -> str:
    """An answer without the marks around it, its article in lower case."""
    text = re.sub(r"\s+", " ", text).strip(" ,;:")
    text = text if re.search(r"\b(?:[A-Z]|Jr|Sr|Inc|Co|St|Ltd|[ap]\.m)\.$", text) else text.removesuffix(".")
    first, _, rest = text.partition(" ")
    small = DETERMINERS | PREPOSITIONS | NUMBERS
    return f"{first.lower()} {rest}" if rest and first.lower() in small else text


def fits(text: str) -> bool:
    """Whether an answer can be a part of a question at all."""
    words = text.lower().split()
    if not words or len(words) > _LONGEST or re.search(r"[?!;\n\[\]:]|\.\s", text):
        return False
    if words[0] in NEGATED | word_set("and or but of who which that because there he she they we it i yes"):
        return False
    whole = text.count('"') % 2 == 0 and text.count("(") == text.count(")")
    return whole and words[0] not in PRONOUNS and words[-1] not in PREPOSITIONS | word_set("and or the a an")


def nominal(text: str) -> bool:
    """Whether an answer is a noun phrase, as far as its words tell."""
    words, (verbs, nouns) = text.split(), lexicon()
    first, last = words[0].lower(), head(text)
    if first in PREPOSITIONS - ABOUT or first in AUX | word_set("to very too so not being") or last.endswith("ly"):
        return False
    if len(words) > 1 and first in verbs and words[0].islower() and words[1] in DETERMINERS | {"to"}:
        return False  # "sell the mill"
    if any(w in AUX for w in words[1:]) or (words[0].islower() and len(words) == 1 and past(first)):
        return False
    known = last.rsplit("-", 1)[-1]
    return not last.islower() or known in NUMBERS or any(n in nouns for n in (known, known[:-1], known[:-2]))


@lru_cache(maxsize=100_000)
def content(text: str) -> frozenset[str]:
    """The words of a text that carry its meaning, cut to their beginnings."""
    small = WH | AUX | PREPOSITIONS | DETERMINERS | CLAUSES | PRONOUNS
    return frozenset(w[:5] for w in re.findall(r"[\w$%]+", text.lower()) if w not in small)
