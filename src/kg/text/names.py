"""Names as documents write them: the form that is shown, and the key under which near-identical names meet.

When two different names are ways of writing one: initials, titles, abbreviations, legal forms, order.

Pure functions. Each says that the *words* allow it; whether only one thing of a document fits is for
:mod:`kg.resolution.joining`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kg.text.words import word_set

# Characters that look alike and mean the same within a name.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−·‧・∙", "-"),
        **dict.fromkeys("‘’‚‛ʼʻʾʿ′`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_WIKILINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)|`+")
_SPACE = re.compile(r"\s+")
_ARTICLE = re.compile(r"(?:the|The|THE)\s+(?=\S)")
_POSSESSIVE = re.compile(r"(?:(?<=\w)['’]s|(?<=[sS])['’])$")
_ABBREVIATED = re.compile(r"\.\w$|(?<!\w)(?:Inc|Ltd|Corp|Co|Bros|Jr|Sr|St|Mt)$")
_QUOTATION = re.compile('["“”]')
_EDGES = " \t\n,;:.!?\"'“”‘’"
# The plural of a code or of an abbreviation: M100s, PLCs, M140's; not a decade (1990s), not a word (Kubernetes).
_CODE_PLURAL = re.compile(r"(?<!\w)((?=\w*[^\W\d_])[\w./-]*\d|[A-Z][A-Z0-9]*[A-Z0-9])s(?!\w)")
_LAST_CODE_PLURAL = re.compile(_CODE_PLURAL.pattern + "$")
_ORDINAL_UNIT = re.compile(r"\d+m?s")
_AND = re.compile(r"(?<=\s)&(?=\s)")
_JOINTS = re.compile(r"(?<=\d)[\s\-_]+(?=\d)")
_SEPARATORS = re.compile(r"[\s\-_]+")
_QUOTES = re.compile(r"['\"]")
_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]\.\s?)+(?:[^\W\d_](?!\w))?")  # "U.S.", "J. H. Dearle"


@lru_cache(maxsize=65536)
def clean_name(surface: str) -> str:
    """The name as it is shown: no markup, article, outer punctuation or plural of a code.

    >>> clean_name("the **M100s**"), clean_name("“Ada Holm”,"), clean_name("[[notes#x|Rye bread]]")
    ('M100', 'Ada Holm', 'Rye bread')
    """
    plain = unicodedata.normalize("NFC", surface).translate({0xAD: None, 0x200B: None, 0xFEFF: None, 0x2060: None})
    plain = _MARKS.sub("", _LINK.sub(r"\1", _WIKILINK.sub(r"\1", plain)))
    plain = _SPACE.sub(" ", plain).strip()
    bare = _strip_edges(_ARTICLE.sub("", plain, count=1) if _ARTICLE.match(plain) else plain)
    return _LAST_CODE_PLURAL.sub(_singular_code, bare) or plain or surface


def _strip_edges(text: str) -> str:
    # A final full stop belongs to an abbreviation: "Inc.", or one that has others ("U.S.").
    bare = _with_quotes(text, text.strip(_EDGES))
    stopped = text.rstrip(_EDGES.replace(".", "")).endswith(".")
    return f"{bare}." if stopped and _ABBREVIATED.search(bare) else bare


def _with_quotes(text: str, bare: str) -> str:
    """The bare name with the quotation marks at its edges, if it has such within it: one of a pair ('Oats "Hiker"')."""
    if not _QUOTATION.search(bare):
        return bare
    found = re.search(rf'["“”]?{re.escape(bare)}["“”]?', text)
    return found[0] if found else bare


def without_possessive(name: str) -> str:
    """The name without "'s" at its end (which belongs to some names: the key leaves it out, the label keeps it)."""
    return _POSSESSIVE.sub("", name)


def _singular_code(found: re.Match[str]) -> str:
    return found[0] if _ORDINAL_UNIT.fullmatch(found[0]) else found[1]


@lru_cache(maxsize=65536)
def name_key(surface: str) -> str:
    """Key of a name: equal for names that differ in case, accents, dashes, quotes, spaces or hyphens, article, plural
    of a code, full stops of initials.

    Two digits that a space or hyphen keeps apart stay apart. Never empty for a text that isn't.

    >>> name_key("Rover 3") == name_key("rover-3") == name_key("the Rover-3’s"), name_key("Mk 1-1") == name_key("Mk 11")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", clean_name(surface)).translate(_ALIKE).strip()
    plain = _CODE_PLURAL.sub(_singular_code, without_possessive(plain))
    plain = _INITIALS.sub(lambda found: found[0].replace(".", ""), _without_accents(plain))
    plain = _AND.sub("and", plain).casefold().rstrip(".") or plain.casefold()
    joined = _SEPARATORS.sub("", _JOINTS.sub("\0", _QUOTES.sub("", plain)))
    return joined.replace("\0", "-") or plain or surface


def _without_accents(text: str) -> str:
    """Latin letters without accents; other scripts keep their marks."""
    if text.isascii():
        return text
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not 0x300 <= ord(c) < 0x370)
    return unicodedata.normalize("NFC", bare)


def is_proper(name: str) -> bool:
    """Whether a name is one beyond its document: it has a capital or a digit, and no article ("the Company")."""
    plain = _SPACE.sub(" ", _MARKS.sub("", name)).strip(_EDGES)
    return not _ARTICLE.match(plain) and any(c.isupper() or c.isdigit() for c in plain)


def words(name: str) -> list[str]:
    """Words of a cleaned name; a hyphen joins."""
    return clean_name(name).split(" ")


_NAME_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]*)*")


def is_full_person_name(name: str) -> bool:
    """Whether a name has the form of a given and a last name: two to four capitalised words ("Ada M. Holm")."""
    parts = [w for w in words(name) if w not in ("de", "van", "von", "der", "den", "da", "di", "la", "le", "bin", "al")]
    return 2 <= len(parts) <= 4 and all(_NAME_WORD.fullmatch(w) and w[0].isupper() for w in parts)


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
    return _without_accents(text.casefold())


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
    ends = suffix(one), suffix(other)
    if min(len(first), len(second)) < 2 or (
        ends[0] != ends[1] and ("" not in ends or set("".join(ends)) <= set("ivx"))
    ):
        return False
    if len(first) == len(second) == 2 and first == second[::-1] and min(map(len, first)) > 1:
        return True
    if first[-1].split()[-1] != second[-1].split()[-1] or not _agree(first[0], second[0]):
        return False
    middles = first[1:-1], second[1:-1]
    if not all(middles):
        return True
    return len(middles[0]) == len(middles[1]) and all(map(_agree, *middles))


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
