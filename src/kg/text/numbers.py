"""Numbers as English writes them: digits with separators and powers of ten, words, scales, vague plurals.

Own code: text2num and word2number read any "one", "second" or "a" as a number and give no offsets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from unicodedata import numeric

from kg.text.masks import DOTTED
from kg.text.units import CURRENCY_SIGNS, dimension, match_unit
from kg.text.words import FUNCTION_WORDS, word_set

_SMALL_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS_WORDS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: Decimal(n) for n, word in enumerate(_SMALL_WORDS)}
_TENS = {word: Decimal(10 * n) for n, word in enumerate(_TENS_WORDS, 2)}
_POWERS = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15, "quintillion": 18,
    "lakh": 5, "crore": 7,
}  # fmt: skip
_SHORT_POWERS = {"mn": 6, "bn": 9, "tn": 12, "mln": 6, "bln": 9}
SCALE_WORDS = {word: Decimal(10) ** power for word, power in (_POWERS | _SHORT_POWERS).items()} | {"dozen": Decimal(12)}
# Attached letters: "117M", "20K". A lower-case m is a metre, unless a sum of money precedes it.
SCALE_LETTERS = {sign: Decimal(10) ** power for sign, power in (("K", 3), ("k", 3), ("M", 6), ("B", 9), ("T", 12))}

_WORD = r"(?:" + "|".join(sorted({*_SMALL, *_TENS, *_POWERS, "dozen"}, key=lambda w: (-len(w), w))) + r")"
_WRITTEN = re.compile(
    rf"(?:(?:a|an|half\s+a)\s+(?:hundred|thousand|million|billion|trillion|dozen)\b|{_WORD}\b)"
    rf"(?:(?:\s+|-|\s+and\s+){_WORD}\b)*(?P<half>\s+and\s+a\s+half\b)?",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:(?P<few>tens|dozens|scores|hundreds|thousands|millions|billions|trillions)\b)"
    r"(?:\s+of\s+(?P<scale>thousands|millions|billions|trillions)\b)?",
    re.IGNORECASE,
)
_VAGUE_VALUES = {
    "tens": 10, "dozens": 12, "scores": 20, "hundreds": 100, "thousands": 1000, "millions": 10**6,
    "billions": 10**9, "trillions": 10**12,
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
FRACTION_SIGNS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_LARGEST_POWER = 999  # of ten; written out, larger numbers would fill a graph with noughts
_PLACES = 12  # to which thirds and the like are rounded
_SPELT_FRACTION = re.compile(  # behind a whole number, or before a word; "24/7", "9/11" and dates are none
    r"(?:(?<=\d)(?:[ \u00a0-]|\sand\s))?(?P<above>\d{1,2})[/⁄](?P<below>2|3|4|5|8|16|32|64)(?![\w/⁄]|[.,]\d)"
)
# A comma before one or two digits is a decimal one where a measure follows ("4,5 kg"); elsewhere it parts two numbers.
_DECIMAL_COMMA = re.compile(
    r"(?P<whole>\d{1,3}),(?P<part>\d{1,2})(?=\s?(?:%|[kcm]?m[²³]?|[kmµ]?g|t|[kMGT]B|°\s?[CF]|ha|[cmh]?l|[kMG]?Wh?|[kmM]?[VAs]|"
    r"[kMG]?Hz|tonnes?|(?:kilo|centi|milli)?met(?:re|er)s?|lit(?:re|er)s?|[mbtr]+illion)(?!\w))"
)
_LONE_DECIMAL = re.compile(r"(?P<whole>\d{1,9}),(?P<part>\d{1,2})$")  # all that a cell holds
_DOTTED = re.compile(DOTTED)
_DIGITS = re.compile(
    r"(?P<mantissa>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    rf"(?P<part>[ \u00a0]?[{FRACTION_SIGNS}])?"
    r"(?:\s?[x×*·]\s?10\s?(?:\^|\*\*)\s?\{?(?P<power>[-−+]?\d+)\}?|\s?[x×·]\s?10(?P<raised>[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|[eE](?P<exponent>[-+]?\d{1,3})(?![\w.]))?"
)
_LONE_POWER = re.compile(r"10(?:\^\{?(?P<power>[-−]?\d+)\}?|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))")


@dataclass(frozen=True, slots=True)
class Number:
    """A number that ends at ``end``. ``words``: written out. ``vague``: only a lower bound ("hundreds of").

    ``rounded``: no decimal number is as exact ("2/3").
    """

    value: Decimal
    end: int
    words: bool = False
    vague: bool = False
    rounded: bool = False


def digits(text: str, at: int) -> Number | None:
    """A number in digits at a place: ``20,000``, ``1.5``, ``10^25``, ``2 1/2``, ``2½``, ``1.234.567,8``."""
    lone = _LONE_POWER.match(text, at)
    if lone:
        power = _exponent(lone["power"], lone["raised"])
        return Number(Decimal(10) ** power, lone.end()) if power <= _LARGEST_POWER else None
    comma = _DECIMAL_COMMA.match(text, at) or (_LONE_DECIMAL.match(text) if at == 0 else None)
    if comma:
        return Number(plain(Decimal(f"{comma['whole']}.{comma['part']}")), comma.end())
    dotted = _DOTTED.match(text, at)
    if dotted:
        return Number(plain(Decimal(dotted[0].replace(".", "").replace(",", "."))), dotted.end())
    found = _DIGITS.match(text, at)
    if not found:
        sign = text[at : at + 1]
        known = sign and sign in FRACTION_SIGNS
        return _with_part(Decimal(0), Fraction(numeric(sign)).limit_denominator(9), at + 1) if known else None
    value = Decimal(re.sub(r"[,\s]", "", found["mantissa"]))
    if found["part"]:
        return _with_part(value, Fraction(numeric(found["part"].strip())).limit_denominator(9), found.end("part"))
    if found["mantissa"].isdigit() and (mixed := _mixed(text, found)):
        return mixed
    if found["power"] or found["raised"] or found["exponent"]:
        power = _exponent(found["power"] or found["exponent"], found["raised"])
        if power > _LARGEST_POWER:
            return None
        value = plain(value.scaleb(power))
    return Number(value, found.end())


def _mixed(text: str, whole: re.Match[str]) -> Number | None:
    """``3 3/4`` or ``3-3/4`` behind its whole number; ``3/4`` alone only before a word, as in ``3/4 cup``."""
    part = _SPELT_FRACTION.match(text, whole.end())
    value = Decimal(whole["mantissa"])
    if part is None:
        part, value = _SPELT_FRACTION.match(text, whole.start()), Decimal(0)
        if part is None or not re.match(r"[ \u00a0-][^\W\d_]", text[part.end() : part.end() + 2]):
            return None
    elif part.start("above") == whole.end():
        return None
    above, below = int(part["above"]), int(part["below"])
    return _with_part(value, Fraction(above, below), part.end()) if 0 < above < below else None


def _with_part(whole: Decimal, part: Fraction, end: int) -> Number:
    """A whole number and a part of one, in decimals."""
    exact = Decimal(part.numerator) / part.denominator
    rounded = round(exact, _PLACES)
    return Number(plain(whole + rounded), end, rounded=rounded * part.denominator != part.numerator)


def _exponent(plainly: str | None, raised: str | None) -> int:
    return int(plainly.replace("−", "-")) if plainly else int((raised or "0").translate(_SUPERSCRIPTS))


def plain(value: Decimal) -> Decimal:
    """The same number without exponent and trailing zeros: ``2.15E+25`` becomes 21500000000000000000000000."""
    text = f"{value:f}"
    return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)


def written(text: str, at: int) -> Number | None:
    """A number in words at this place: ``twenty-five``, ``a dozen``, ``two and a half``, ``half a million``."""
    found = _WRITTEN.match(text, at)
    if not found or re.match(r"(?:hundred|thousand|\w+illion|lakh|crore|dozen)\b", found[0], re.IGNORECASE):
        return None
    words = [w for w in re.split(r"[\s-]+", found[0].casefold()) if w != "and"]
    if found["half"]:
        words = words[:-2]
    value, used = _spelt(words)
    if used < len(words):
        return None
    value += Decimal("0.5") if found["half"] else 0
    return Number(plain(value), found.end(), words=True)


def _spelt(words: list[str]) -> tuple[Decimal, int]:
    """Value of the longest sensible beginning, and how many words it took ("two three" is two numbers)."""
    total, group, last = Decimal(0), Decimal(0), Decimal(-1)
    for place, word in enumerate(words):
        if word in ("a", "an", "half"):
            group = Decimal("0.5") if word == "half" else (group or Decimal(1))
            continue
        small = _SMALL.get(word, _TENS.get(word))
        if small is not None:
            fits = last < 0 or last >= 100 or (last in _TENS.values() and word in _SMALL and 0 < small < 10)
            if not fits:
                return total + group, place
            group, last = group + small, small
            continue
        factor = SCALE_WORDS[word]
        if factor == 100 or word == "dozen":
            group, last = (group or Decimal(1)) * factor, factor
        else:
            total, group, last = total + (group or Decimal(1)) * factor, Decimal(0), factor
    return total + group, len(words)


def vague(text: str, at: int) -> Number | None:
    """A vague plural at this place, as the least that it can mean: ``hundreds of thousands`` is 100,000 or more."""
    found = _VAGUE.match(text, at)
    if not found:
        return None
    value = Decimal(_VAGUE_VALUES[found["few"].casefold()])
    if found["scale"]:
        value *= _VAGUE_VALUES[found["scale"].casefold()]
    return Number(value, found.end(), words=True, vague=True)


_SCALE = re.compile(rf"[\s-]?({'|'.join(sorted(SCALE_WORDS, key=lambda w: (-len(w), w)))})s?\b", re.IGNORECASE)
_LETTER = re.compile(r"([KkMBT])(?![A-Za-z0-9²³/]|\.\d)")
_MONEY_LETTER = re.compile(r"\s?([KkMmBbT])(?![A-Za-z0-9²³])")


def scale(text: str, at: int, money: bool = False) -> tuple[Decimal, int] | None:
    """A scale after a number: ``million``, ``bn``, attached ``K``, ``M``, ``B``, ``T``; after money ``m`` or ``b``."""
    word = _SCALE.match(text, at)
    if word and (money or not word[1].isupper() or len(word[1]) > 3):  # "5 MN" are meganewtons
        return SCALE_WORDS[word[1].casefold()], word.end()
    letter = (_MONEY_LETTER if money else _LETTER).match(text, at) or _LETTER_BEFORE_SLASH.match(text, at)
    if not letter:
        return None
    sign = letter[1]
    return SCALE_LETTERS.get(sign) or SCALE_LETTERS[sign.upper()], letter.end()


# "20B/day" is a scale, "64B/s" a unit.
_LETTER_BEFORE_SLASH = re.compile(r"([KkMBT])(?=/(?!s\b))")


# --- The parts of a figure: what stands before the number, the number with its scale, the unit, the open end

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
    number = digits(text, at) or (None if minus else written(text, at) or vague(text, at))
    if number is None:
        return None
    scaled = None if number.words else scale(text, number.end, currency is not None)
    factor, end = scaled or (Decimal(1), number.end)
    sign = -1 if minus else 1
    value = plain(sign * number.value * factor)
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
    r"\s?\+(?![\w(/]|\s?\d)(?<!\s\+(?=\s\w))|\+(?=/)|\s+(?:or|and)\s+(?:more|above|up|over|upwards)\b|\s+plus\b(?!\s+\w+\s+(?:and|or)\b)(?=\s*(?:$|[.,;)]))",
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
        if found := pattern.match(text, at):
            return Tail(found.end(), **{kind: True})
    return Tail(at)
