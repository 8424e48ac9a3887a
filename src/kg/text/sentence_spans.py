"""Where sentences of English text begin and end.

Hand-written rather than a library: the maintained splitters are models to download, and the rule-based ones
(pySBD) are quadratic and no longer kept up. A full stop ends a sentence when a blank and a possible
beginning follow and no abbreviation, initial or list number precedes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection

_LONGEST_UNIT = 300  # quotations and brackets up to this length are kept in one piece

# A stop, the quotes and brackets that close behind it, and footnote marks such as [2].
# It is tried only at the first of several stops: linear on a line of dots.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?:\s?\[\d{1,3}\])*+(?=\s)|[。！？]++[”’」』）]*+|\n")
_OPENING = "\"'“‘«([*_"
_BEFORE = re.compile(r"[^\W_]+(?:[.’'&-][^\W_]+)*$")

# Something always follows: never the end of a sentence.
_LEADING = frozenset(
    """mr mrs ms mx dr prof st mt gen col lt capt sgt cpl maj cmdr adm rev hon sen rep gov pres messrs mme mlle
    vs cf e.g i.e viz approx ca resp incl excl esp avg jan feb apr jun jul aug sep sept oct nov dec tue tues
    thu thur thurs""".split()  # noqa: SIM905
)
# The end of a sentence only when a word follows that begins one.
_TRAILING = frozenset(
    """inc ltd corp co llc plc bros jr sr esq etc ph.d b.sc m.sc dept univ assn natl intl est ave blvd rd hwy ft
    al""".split()  # noqa: SIM905
)
# Abbreviations only before a number; "no" and "max" are words and names too.
_NUMBERED = frozenset(
    """no nos fig figs eq eqs sec secs ch vol vols pp pt pts ref refs tab app op ed eds max min mar may sat sun
    mon wed fri""".split()  # noqa: SIM905
)
_STARTERS = frozenset(
    """the a an this that these those it its he she they we i you his her their our my your there here in on at by
    for from to of with without as if when while where who what which why how but and or so yet however
    although though because since after before until once during both all some many most each every no not
    then thus therefore also another other one two three it’s it's that’s that's there’s there's meanwhile moreover
    furthermore finally later today only despite within under over between according""".split()  # noqa: SIM905
)
_PAIRS = {"“": "”", "‘": "’", "«": "»", "(": ")", "[": "]"}
_CLOSERS = {v: k for k, v in _PAIRS.items() if k != "‘"}


def spans(text: str, openings: Collection[int] = ()) -> list[tuple[int, int]]:
    """(start, end) of the sentences of ``text``, trimmed, in order; they cover all that isn't blank.

    A newline ends a sentence always; a stop inside brackets or quotation marks that opened within the
    sentence ends none. At ``openings`` a sentence may begin whatever its first letter is, as at code.
    """
    kept = _kept_together(text)
    found: list[tuple[int, int]] = []
    start = _skip_blanks(text, 0)
    for match in _STOP.finditer(text):
        end = match.start() if match.group() == "\n" else match.end()
        if end <= start or (match.group() != "\n" and not _ends(text, start, match, kept, openings)):
            continue
        _add(found, text, start, end)
        start = _skip_blanks(text, match.end())
    _add(found, text, start, len(text))
    return found


def _add(found: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    body = text[start:end].rstrip()
    if body:
        found.append((start, start + len(body)))


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _ends(text: str, start: int, match: re.Match[str], kept: list[tuple[int, int]], openings: Collection[int]) -> bool:
    stop, end = match.start(), match.end()
    if text[stop] in "。！？":
        return True
    after = _skip_blanks(text, end)
    if after >= len(text):
        return True
    if not (after in openings or _may_begin(text, after)) or _is_kept(kept, start, end):
        return False
    return match.group()[0] != "." or match.group().startswith("..") or not _abbreviates(text, start, stop, after)


def _may_begin(text: str, at: int) -> bool:
    """Whether a sentence may begin at ``text[at]``: a capital, a digit or a sign, perhaps behind an opening quote."""
    while at < len(text) and text[at] in _OPENING:
        at += 1
    if at >= len(text):
        return True
    sign = text[at]
    return not (sign.islower() or sign in ",;:.!?)]}…–—-&/+=%")


def _abbreviates(text: str, start: int, stop: int, after: int) -> bool:
    """Whether the full stop at ``stop`` belongs to a shortened word rather than to the sentence."""
    match = _BEFORE.search(text, max(start, stop - 40), stop)
    if match is None:
        return False
    word, written = match.group().casefold(), match.group()
    follower = re.match(r"[\"'“‘«(\[*_]*([\w’']*)", text[after : after + 40])
    next_word = follower[1] if follower else ""
    if word.isdigit():
        # "1. Title" at the head of a line is a number, "in 2019. Later" is not.
        return match.start() == start and len(word) <= 3
    if len(written) == 1 and written.isupper():
        return next_word.casefold() not in _STARTERS or next_word == "I"
    if word in _NUMBERED:
        return next_word[:1].isdigit()
    if word in _LEADING:
        return True
    dotted = "." in word and all(len(part) == 1 for part in word.split("."))
    return (dotted or word in _TRAILING) and next_word.casefold() not in _STARTERS


def _kept_together(text: str) -> list[tuple[int, int]]:
    """Bracketed and quoted stretches of moderate length, outermost only, in order."""
    stack: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    straight = -1
    for match in re.finditer(r"[\"“”«»()\[\]\n]", text):
        sign, at = match.group(), match.start()
        if sign == "\n":
            stack.clear()
            straight = -1
        elif sign == '"':
            opens = at == 0 or text[at - 1].isspace() or text[at - 1] in "([—–-*_“"
            if straight >= 0 and not (opens and at - straight > _LONGEST_UNIT):
                found.append((straight, at + 1))
                straight = -1
            elif opens:
                straight = at
        elif sign in _PAIRS:
            stack.append((sign, at))
        elif stack and stack[-1][0] == _CLOSERS[sign]:
            found.append((stack.pop()[1], at + 1))
    outer: list[tuple[int, int]] = []
    for pair in sorted(pair for pair in found if pair[1] - pair[0] <= _LONGEST_UNIT):
        if not outer or pair[0] >= outer[-1][1]:
            outer.append(pair)
    return outer


def _is_kept(kept: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether ``end`` lies inside a stretch to be kept that the sentence has opened after its first character."""
    index = bisect_right(kept, end, key=lambda pair: pair[0]) - 1
    return index >= 0 and kept[index][0] > start and end < kept[index][1]
