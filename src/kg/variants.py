"""When two different names are ways of writing one: initials, titles, abbreviations, legal forms, order.

Pure functions. Each says that the *words* allow it; whether only one thing of a document fits is for :mod:`kg.within`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kg.mentions.words import word_set
from kg.names import clean_name, is_full_person_name

_TITLES = word_set(
    "dr dr. prof prof. professor mr mr. sir dame captain president senator general colonel major rev rev. judge "
    "justice chancellor governor minister"
)  # none that a husband and a wife or several rulers of one name have ("Mrs Holm", "King Olaf")
_SUFFIX = re.compile(r",?\s+(?:Jr\.?|Sr\.?|PhD|MD|Esq\.?|I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII)$")
_NICKNAME = re.compile(r"[\"“”«»][^\"“”«»]*[\"“”«»]|\([^)]*\)")
# Not LP, LLP and LLC: these are often vehicles of their own, beside the firm or project whose name they bear.
_LEGAL = re.compile(
    r",?\s+(?:Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|PLC|plc|GmbH|AG|KG|N\.?V|B\.?V|"
    r"S\.?A|S\.?p\.?A|A/?S|AB|Oy|Pty|Pte|Co\.?,?\s+Ltd)\.?$"
)
_PARTICLES = word_set("van von der den de da di du del della la le al ibn bin ten ter zu af av")
_SMALL = word_set("a an and at de del der des di du for in la le of on the to van von & y und et")


def folded(text: str) -> str:
    """Text without case and accents, for comparing words."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in plain if not 0x300 <= ord(c) < 0x370))


@lru_cache(maxsize=65536)
def person_words(name: str) -> tuple[str, ...]:
    """The words of a person's name without titles, nicknames in quotes and suffixes; "Holm, Ada" is turned round.

    >>> person_words("Dr. Ada “Rye” Holm Jr."), person_words("Holm, Ada M."), person_words("Ada van der Holm")
    (('ada', 'holm'), ('ada', 'm', 'holm'), ('ada', 'van der holm'))
    """
    plain = _SUFFIX.sub("", _NICKNAME.sub(" ", clean_name(name)))
    last, comma, first = plain.partition(", ")
    if comma and "," not in first and last and first:
        plain = f"{first} {last}"
    parts = re.sub(r"(?<=\b[^\W\d_])\.(?=\S)", ". ", plain).split()
    while len(parts) > 1 and parts[0].casefold() in _TITLES:
        parts = parts[1:]
    found = [folded(part.strip(".,'’")) for part in parts if part.strip(".,'’")]
    for at in range(len(found) - 2, -1, -1):
        if found[at] in _PARTICLES and (at or len(found) == 2):
            found[at : at + 2] = [f"{found[at]} {found[at + 1]}"]
    return tuple(found)


@lru_cache(maxsize=65536)
def is_person_form(name: str) -> bool:
    """Whether a name could be a person's in full, titles, nicknames and suffixes aside."""
    plain = _SUFFIX.sub("", _NICKNAME.sub(" ", clean_name(name)))
    return is_full_person_name(re.sub(r"\s+", " ", plain).strip().replace(", ", " ")) and len(person_words(name)) > 1


def suffix(name: str) -> str:
    """The suffix of a person's name ("jr"), or ""."""
    found = _SUFFIX.search(clean_name(name))
    return found[0].strip(" .,").casefold() if found else ""


def may_be_one_person(one: str, other: str) -> bool:
    """Whether two full names may be one person's: equal last names, first names equal or one the other's initial.

    Middle names are left out by one, or agree one by one: "Ada Holm", "A. Holm", "Ada M. Holm", "Ada Marie Holm"; but
    not "Ada M. Holm" and "Ada R. M. Holm". "Jr." may be left out, the number of a ruler may not. Two words in reverse
    order agree, too.
    """
    first, second = person_words(one), person_words(other)
    if min(len(first), len(second)) < 2 or not _suffixes_agree(suffix(one), suffix(other)):
        return False
    if len(first) == len(second) == 2 and first == second[::-1] and min(map(len, first)) > 1:
        return True
    if first[-1].split()[-1] != second[-1].split()[-1] or not _agree(first[0], second[0]):
        return False
    middles = first[1:-1], second[1:-1]
    if not all(middles):
        return True
    return len(middles[0]) == len(middles[1]) and all(map(_agree, *middles))


def _suffixes_agree(one: str, other: str) -> bool:
    return one == other or ("" in (one, other) and not set(one + other) <= set("ivx"))


def _agree(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def acronym_key(name: str) -> str:
    """The capitals of an abbreviation ("U.N.I.", "UNI" → "uni"), or "" for another name."""
    plain = clean_name(name)
    letters = plain.replace(".", "")
    right = 2 <= len(letters) <= 8 and letters.isalpha() and letters.isupper() and letters.isascii()
    return letters.casefold() if right else ""


def initials(name: str) -> frozenset[str]:
    """What an abbreviation of a name of several words may be: the initials of all words, or without the small ones."""
    parts = [w for w in re.split(r"[\s\-–/]+", clean_name(name)) if w[:1].isalnum()]
    main = [w for w in parts if w.casefold() not in _SMALL]
    if len(main) < 2 or not all(w[0].isupper() or w[0].isdigit() for w in main):
        return frozenset()
    return frozenset({"".join(w[0] for w in words).casefold() for words in (parts, main)})


def without_legal_form(name: str) -> str:
    """A company's name without "Inc.", "Ltd" and the like (the name itself where nothing would be left)."""
    plain = clean_name(name)
    while (bare := _LEGAL.sub("", plain)) != plain and len(bare) > 1:
        plain = bare
    return plain
