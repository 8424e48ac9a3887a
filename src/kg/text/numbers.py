"""Numbers as English writes them: digits with separators and powers of ten, words, scales, vague plurals.

Own code: text2num and word2number read any "one", "second" or "a" as a number and give no offsets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from unicodedata import numeric

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
SCALE_WORDS = {word: Decimal(10) ** power for word, power in _POWERS.items()} | {
    "mn": Decimal(10) ** 6,
    "bn": Decimal(10) ** 9,
    "tn": Decimal(10) ** 12,
    "mln": Decimal(10) ** 6,
    "bln": Decimal(10) ** 9,
    "dozen": Decimal(12),
}
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
    """A number in digits at a place: ``20,000``, ``1.5``, ``2.15 x 10^25``, ``1e21``, ``10^25``, ``2 1/2``, ``2½``."""
    lone = _LONE_POWER.match(text, at)
    if lone:
        power = _exponent(lone["power"], lone["raised"])
        return Number(Decimal(10) ** power, lone.end()) if power <= _LARGEST_POWER else None
    comma = _DECIMAL_COMMA.match(text, at) or (_LONE_DECIMAL.match(text) if at == 0 else None)
    if comma:
        return Number(plain(Decimal(f"{comma['whole']}.{comma['part']}")), comma.end())
    found = _DIGITS.match(text, at)
    if not found:
        sign = text[at : at + 1]
        return _with_part(Decimal(0), Fraction(numeric(sign)).limit_denominator(9), at + 1) if is_sign(sign) else None
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


def is_sign(text: str) -> bool:
    """Whether a text is a fraction of one character ("½")."""
    return len(text) == 1 and text in FRACTION_SIGNS


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
