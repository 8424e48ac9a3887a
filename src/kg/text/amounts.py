"""The parts of a figure: what stands before the number, the number with its scale, the unit, the open end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from kg.text import numbers
from kg.text.units import CURRENCY_SIGNS, dimension, match_unit
from kg.text.words import FUNCTION_WORDS, word_set

_SIGNS = "|".join(re.escape(s) for s in sorted(CURRENCY_SIGNS, key=lambda s: (-len(s), s)))
CURRENCY_BEFORE = re.compile(rf"(?<![A-Za-z$])({_SIGNS})[ \u00a0]{{0,40}}$")
CURRENCY_HERE = re.compile(rf"({_SIGNS})[ \u00a0]{{0,40}}(?=[\d.])")

_APPROXIMATE = (
    r"~\s?|≈\s?|∼\s?|±\s?|about|approximately|approx\.?|roughly|around|some|circa|ca\.|c\.|nearly|almost|close\s+to|"
    r"on\s+the\s+order\s+of|an\s+estimated|estimated|in\s+the\s+region\s+of|virtually"
)
_LOWER = (
    r">=?\s?|≥\s?|over|more\s+than|at\s+least|above|exceeding|exceeds|exceeded|in\s+excess\s+of|upwards?\s+of|beyond|"
    r"(?:a\s+)?minimum\s+of|(?:no|not)\s+(?:fewer|less)\s+than|greater\s+than|well\s+over|just\s+over|well\s+above|"
    r"well\s+beyond|surpassing|surpassed"
)
_UPPER = (
    r"<=?\s?|≤\s?|up\s+to|under|fewer\s+than|less\s+than|below|at\s+most|(?:no|not)\s+more\s+than|"
    r"(?:a\s+)?maximum\s+of|as\s+many\s+as|as\s+much\s+as|just\s+under|well\s+under|within|sub-"
)
_BEFORE = re.compile(
    rf"(?:(?<=^)|(?<=[^\w]))(?:(?P<lower>{_LOWER})|(?P<upper>{_UPPER})|(?P<about>{_APPROXIMATE}))(?:(?<=[~≈∼±<>≥≤=-])|(?<=\s)|\s+)(?P<about2>(?:{_APPROXIMATE})(?:(?<=[~≈∼±])|(?<=\s)|\s+))?$",
    re.IGNORECASE,
)
_DURING = re.compile(
    r"(?:^|[(,;:—–-]|\b(?:for|took|takes|take|last(?:s|ed|ing)?|of|after|is|was|are|were|at|spent|spends|needs?|in|"
    r"than|runs?|ran|spans?|spanned|requires?|be|been|he|she|it|they|and|but|now|only))\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Lead:
    """What precedes a number, from ``start``."""

    start: int
    lower: bool = False
    upper: bool = False
    approximate: bool = False


def lead(text: str, at: int, timed: bool) -> Lead:
    """Hedging words right before ``at``. ``timed``: a duration follows, which "over" and "under" may merely frame."""
    low = max(0, at - 44)
    found = _BEFORE.search(text[low:at])
    if not found:
        return Lead(at)
    start = low + found.start()
    word = (found["lower"] or found["upper"] or "").casefold().strip()
    if word == "within" and not timed:
        return Lead(at)
    if (
        timed
        and word in ("over", "under", "below", "above", "beyond")
        and not _DURING.search(text[max(0, start - 14) : start])
    ):
        return Lead(at)
    return Lead(start, bool(found["lower"]), bool(found["upper"]), bool(found["about"] or found["about2"]))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its scale, sign and currency. ``mantissa`` is the number before scaling."""

    start: int
    end: int
    value: Decimal
    mantissa: Decimal
    factor: Decimal
    currency: str | None = None
    words: bool = False
    vague: bool = False
    separated: bool = False
    rounded: bool = False

    @property
    def plain(self) -> bool:
        """Bare digits, such as stand in names."""
        return not (self.words or self.currency or self.separated) and self.factor == 1


def amount(text: str, at: int) -> Amount | None:
    """An amount at this place: ``$1.5 billion``, ``20K``, ``-5``, ``ten thousand``, ``hundreds of thousands``."""
    start, currency = at, None
    money = CURRENCY_HERE.match(text, at)
    if money:
        currency, at = CURRENCY_SIGNS[money[1]], money.end()
    minus = re.match(r"[-−](?=[\d.])", text[at : at + 2])
    at += 1 if minus else 0
    number = numbers.digits(text, at) or (None if minus else numbers.written(text, at) or numbers.vague(text, at))
    if number is None:
        return None
    scaled = None if number.vague else numbers.scale(text, number.end, currency is not None)
    if scaled and number.words:
        scaled = None
    factor, end = scaled or (Decimal(1), number.end)
    sign = -1 if minus else 1
    value = numbers.plain(sign * number.value * factor)
    separated = not number.words and not re.fullmatch(r"\d+(?:\.\d+)?", text[at : number.end])
    word = (number.words, number.vague, separated, number.rounded)
    return Amount(start, end, value, number.value, factor, currency, *word)


_ETHERNET = frozenset(map(Decimal, (10, 25, 40, 50, 100, 200, 400, 800)))
_CODE = re.compile(r"\s(?:[A-Z]{2,4}\d{1,2}|dense|sparse|peak|sustained)(?=\s)")
_SINGLE_AFTER = re.compile(r"\s*(?:$|[.,;:()\[\]/+–—|-]|(?:in|on|at|of|and|or|to|per|for|is|was|with|than|by|from)\b)")
# Spelt like units but mostly something else, unless attached or followed by the end of the phrase.
_RISKY = word_set("A B C F J K N T V W b d h t x")


_LETTERS = ("C", "F", "K")
_CUP_OF = re.compile(rf"$|\s(?:of\s+)?(?!(?:{'|'.join(sorted(FUNCTION_WORDS))})\b)[a-z]")
_NAME_AFTER = re.compile(r"\s[A-Z][a-z]")


def unit_at(text: str, at: int, one: Amount) -> tuple[str, int] | None:
    """The unit after an amount, and where it ends: attached, after a space or after a hyphen."""
    if text[at : at + 1] == "G" and one.value in _ETHERNET and not text[at + 1 : at + 2].isalnum():
        return "GigaBIT-PER-SEC", at + 1  # speeds of IEEE 802.3 links are written "400G"
    gap = 1 if text[at : at + 1] in (" ", "\u00a0", "\u202f", "\u2009", "-") else 0
    found = match_unit(text, at + gap)
    if not found and gap:
        code = _CODE.match(text, at)
        found = match_unit(text, code.end() + 1) if code else None
        return found if found and dimension(found[0]).startswith("operation") else None
    if not found:
        return None
    spelling = text[at + gap : found[1]]
    if not gap and spelling in _LETTERS and _NAME_AFTER.match(text, found[1]):
        return None  # "18F Director"
    if one.words and not one.vague and (len(spelling) < 2 or not spelling[0].isalpha()):
        return None
    if gap and spelling in _RISKY and not _SINGLE_AFTER.match(text, found[1]):
        return None
    if gap and text[at] == "-" and len(spelling) == 1:
        return None
    if found[0] == "CUP" and one.value == int(one.value) and not _CUP_OF.match(text, found[1]):
        return None  # "won 3 cups in a row"
    if found[0].startswith("CCY_") and text[found[1] : found[1] + 1].isdigit():
        return None
    return found


_PLUS = re.compile(
    r"\s?\+(?![\w(/]|\s?\d)|\+(?=/)|\s+(?:or|and)\s+(?:more|above|up|over|upwards)\b|\s+plus\b(?!\s+\w+\s+(?:and|or)\b)(?=\s*(?:$|[.,;)]))",
    re.IGNORECASE,
)
_LESS = re.compile(r"\s+or\s+(?:less|fewer|under|below)\b", re.IGNORECASE)
_SO = re.compile(r"\s+or\s+so\b|-odd\b|-ish\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tail:
    """An open end after a number or unit, up to ``end``."""

    end: int
    lower: bool = False
    upper: bool = False
    approximate: bool = False


def tail(text: str, at: int) -> Tail:
    """``+``, ``or more``, ``or less``, ``or so`` at this place."""
    for pattern, kind in ((_PLUS, "lower"), (_LESS, "upper"), (_SO, "approximate")):
        found = pattern.match(text, at)
        if found:
            return Tail(found.end(), kind == "lower", kind == "upper", kind == "approximate")
    return Tail(at)
