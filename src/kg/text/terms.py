"""Words of questions and documents in one normal form, so that spelling and inflection don't come between them."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kg.text.words import word_set

# A word: letters and digits, joined by inner marks; a number with separators is one word.
_WORD = re.compile(r"\d[\d,]*\d(?:\.\d+)?(?:[^\W\d_]{1,4}(?![^\W_]))?|[^\W_]+(?:[.'’\-·+&][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_SCALED = re.compile(r"(\d+(?:\.\d+)?)(k|m|b|bn|t|thousand|million|billion|trillion)")
_SCALED_NUMBER = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)[ -]?(k|m|bn?|t|thousand|million|billion|trillion)(?!\w)")
_JOINT = re.compile(r"[-–·&/.]")
_PIECES = re.compile(r"[^\w]|_|(?<=[a-z])(?=[A-Z])")
_SCALE = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "b": 10**9, "bn": 10**9, "billion": 10**9,
          "t": 10**12, "trillion": 10**12}  # fmt: skip
_DASHES = str.maketrans({"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'"})
# British spellings brought to American ones; both sides pass through here, so a rare false hit does no harm.
_SPELLING = (
    (re.compile(r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|ful$|ite$|al$)"), "or"),
    (re.compile(r"(?<=[a-z]{3})tre(?=s?$|d$)"), "ter"),
    (re.compile(r"(?<=[a-z]{3})is(?=e[sdr]?$|ing$|ation)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})ogue(?=s?$)"), "og"),
    (re.compile(r"(?<=[a-z]{2})ll(?=ed$|ing$|er$|ers$)"), "l"),
    (re.compile(r"(?<=gr)amme(?=s?$)"), "am"),
    (re.compile(r"(?<=[a-z]{3}en)ce(?=s?$)"), "se"),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word at ``text[start:end]`` with its normal form. ``capital``: begins with, or holds, a capital letter."""

    text: str
    start: int
    end: int
    term: str

    @property
    def lower(self) -> str:
        """The word in lower case without a possessive ending."""
        return _lowered(self.text)

    @property
    def capital(self) -> bool:
        """Whether the word has a capital letter."""
        return any(c.isupper() for c in self.text)

    @property
    def digits(self) -> bool:
        """Whether the word has a digit."""
        return _has_digit(self.text)


@lru_cache(maxsize=200_000)
def _lowered(word: str) -> str:
    return _POSSESSIVE.sub("", word.translate(_DASHES).casefold())


@lru_cache(maxsize=200_000)
def _has_digit(word: str) -> bool:
    return any(c.isdigit() for c in word)


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=200_000)
def term(word: str) -> str:
    """Normal form of one word: case, dashes, possessives, spelling and inflection taken off; numbers by value.

    >>> [term(w) for w in ("Centres", "center", "GPUs", "A100s", "10,000", "10K", "organised")]
    ['center', 'center', 'gpu', 'a100', '10000', '10000', 'organ']
    """
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", word).translate(_DASHES).casefold())
    plain = plain.replace("·", "-").strip("-.+&'")
    if any(c.isdigit() for c in plain):
        return _number_term(plain)
    if plain in NUMBER_WORDS:
        return str(NUMBER_WORDS[plain])
    if re.fullmatch(r"[a-z]{1,3}us", plain):
        return plain[:-1]
    for pattern, replacement in _SPELLING:
        plain = pattern.sub(replacement, plain)
    return str(_stemmer().stemWord(plain))


def _number_term(plain: str) -> str:
    bare = plain.replace(",", "")
    scaled = _SCALED.fullmatch(bare)
    if scaled:
        value = float(scaled[1]) * _SCALE[scaled[2]]
        return str(int(value)) if value == int(value) else repr(value)
    return bare[:-1] if re.search(r"\ds$", bare) else bare


@lru_cache(maxsize=50_000)
def tokens(text: str) -> tuple[Token, ...]:
    """Words of a text in order."""
    return tuple(Token(m.group(), m.start(), m.end(), term(m.group())) for m in _WORD.finditer(text))


def parts(token: Token) -> tuple[str, ...]:
    """Normal forms of the parts of a hyphenated word without digits: ``multi-datacentre`` → multi, datacent."""
    return _parts(token.text)


@lru_cache(maxsize=50_000)
def _parts(word: str) -> tuple[str, ...]:
    if _has_digit(word) or not _JOINT.search(word):
        return ()
    return tuple(term(p) for p in _JOINT.split(word) if len(p) > 1)


@lru_cache(maxsize=50_000)
def _pieces(word: str) -> tuple[str, ...]:
    """Normal forms of whatever a word is put together from: ``alt4.mail.net``, ``GPT-3``, ``ScottMicrosoft``."""
    return tuple(term(p) for p in _PIECES.split(word) if len(p) > 2 and p != word)


@lru_cache(maxsize=50_000)
def bag(text: str) -> frozenset[str]:
    """Normal forms of a text's words, of the parts of compounds, and of neighbours written together.

    Function words are left out. ``data centre`` also gives ``datacent``: compounds are spelled both ways.
    """
    found: set[str] = set()
    words = [t for t in tokens(text) if t.lower not in FUNCTION]
    for token in words:
        found.add(token.term)
        found.update(parts(token))
        found.update(_pieces(token.text))
        if "-" in token.text and not token.digits:
            found.add(term(token.text.replace("-", "")))
    for left, right in itertools.pairwise(words):
        if left.text.isalpha() and right.text.isalpha() and right.start - left.end == 1:
            found.add(term(left.text + right.text))
    found.update(term(m[1].replace(",", "") + m[2]) for m in _SCALED_NUMBER.finditer(text.casefold()))
    return frozenset(found)


_MARKS = re.compile(r"[^a-z0-9.]")


@dataclass(frozen=True)
class Spellings:
    """How the documents write words that have letters and digits, by their letters and digits alone."""

    written: Mapping[str, str]

    @classmethod
    def of(cls, words: Iterable[str]) -> Spellings:
        """The spellings of words in normal form; what is written in several ways is left as it is."""
        found: dict[str, set[str]] = defaultdict(set)
        for word in words:
            if _is_mixed(word):
                found[_bare(word)].add(word)
        return cls({bare: min(ways) for bare, ways in sorted(found.items()) if len(ways) == 1})

    def mended(self, text: str) -> str:
        """A question with such words, and neighbours that make one, written as the documents write them."""
        words = tokens(text)
        changes: list[tuple[int, int, str]] = []
        at = 0
        while at < len(words):
            word = words[at]
            joined = self._joined(text, word, words[at + 1]) if at + 1 < len(words) else None
            written = joined or (self.written.get(_bare(word.lower)) if _is_mixed(word.lower) else None)
            last = at + 1 if joined else at
            if written and written != word.term:
                changes.append((word.start, words[last].start + len(words[last].lower), written))
            at = last + 1
        for start, end, written in reversed(changes):
            text = text[:start] + (written.upper() if text[start:end].isupper() else written) + text[end:]
        return text

    def _joined(self, text: str, left: Token, right: Token) -> str | None:
        """The one word that a word and the figure after it make."""
        if not left.text.isalpha() or not right.text[0].isdigit() or text[left.end : right.start] != " ":
            return None
        written = self.written.get(_bare(left.lower + right.lower))
        return written if written and written.startswith(left.lower) else None


def _is_mixed(word: str) -> bool:
    return any(c.isdigit() for c in word) and word[:1].isalpha()


def _bare(word: str) -> str:
    return _MARKS.sub("", word.casefold())


# --- Words that belong together, where neither a stemmer nor embeddings of single words say so; lists in ``english``

# What another form of the same root, and what a synonym counts, of the word itself.
SAME_ROOT, SYNONYM = 0.9, 0.75


@cache
def _groups(name: str) -> dict[str, frozenset[str]]:
    """By normal form the others of all groups that a word stands in."""
    table: dict[str, set[str]] = {}
    for line in lines(name):
        forms = {term(word) for word in line.split()}
        for form in forms:
            table.setdefault(form, set()).update(forms - {form})
    return {word: frozenset(others) for word, others in table.items()}


@cache
def participles() -> frozenset[str]:
    """Past participles of the irregular verbs, as written (with them, forms of the past)."""
    forms = (word for line in lines("word_forms") for word in line.split()[1:3])
    return frozenset(word for word in forms if not re.search(r"(?:er|or|ing|ion|ship|th|birth|death)$", word))


@cache
def family(word: str) -> frozenset[str]:
    """Normal forms of the same root as a normal form.

    >>> term("painter") in family(term("painted")), term("made") in family(term("maker"))
    (True, True)
    """
    found = set(_groups("word_forms").get(word, ()))
    if len(word) > 3 and word.isalpha():
        found |= {word + "er", word + "or", word + "r"} if not word.endswith(("er", "or")) else set()
        if word.endswith(("er", "or")) and len(word) > 5:
            found |= {word[:-2], word[:-1]}
    return frozenset(found - {word})


def synonyms(word: str) -> frozenset[str]:
    """Normal forms that say much the same as a normal form.

    >>> term("departed") in synonyms(term("left"))
    True
    """
    return _groups("synonyms").get(word, frozenset())


# --- Generic English that questions are made of: words that carry no subject matter, and nouns that name kinds of …

words = word_set


def lines(name: str) -> list[str]:
    """The lines of one of the lists in ``english``, without comments."""
    text = Path(__file__).with_name("english").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _lists() -> dict[str, str]:
    """The lists of ``words.txt`` by name; a line that begins with a space goes on with the one before."""
    parts = "\n".join(lines("words")).replace("\n ", " ").splitlines()
    return {name: listed for name, _, listed in (part.partition(":") for part in parts)}


def _list(name: str) -> frozenset[str]:
    return word_set(_lists()[name])


FUNCTION = _list("function")
LIGHT_VERBS = _list("light_verbs")
META = _list("meta")
# Nouns that say what kind of answer is wanted rather than what the answer is about.
PERSON_NOUNS = _list("person_nouns")
PLACE_NOUNS = _list("place_nouns")
DATE_NOUNS = _list("date_nouns")
MONEY_NOUNS = _list("money_nouns")
SPENDING = _list("spending")
SHARE_NOUNS = _list("share_nouns")
NUMBER_NOUNS = _list("number_nouns")
# What a value of the right kind already accounts for.
KINDS = DATE_NOUNS | _list("duration_nouns") | MONEY_NOUNS | SHARE_NOUNS | PERSON_NOUNS | PLACE_NOUNS | NUMBER_NOUNS
SUPERLATIVES = _list("superlatives")
COMPARATIVES = _list("comparatives")
NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "trillion": 10**12,
}  # fmt: skip
NEGATIONS = _list("negations")
AUXILIARIES = _list("auxiliaries")
PREPOSITIONS = _list("prepositions")
# Places and peoples that questions name without the documents having to.
COMMON_NAMES = _list("common_names")
# Units named after people: capitalised, and no names.
UNIT_NAMES = _list("unit_names")
# Nouns that anything answers to.
