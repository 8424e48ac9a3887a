"""The scale of a table's figures: as its heads and captions declare it, or as the text around repeats its figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from kg.tabular.figures import figure

SCALES = {1000: "thousand", 10**6: "million", 10**9: "billion"}
FACTORS = {name: factor for factor, name in SCALES.items()}
_WORDS = {**FACTORS, "mm": 10**6, "mn": 10**6, "bn": 10**9, "m": 10**6, "000": 1000}
_DECLARED = re.compile(
    r"(?i:\bin (?:[\w.$€£]+ ){0,3}?(thousand|million|billion)s?\b)"
    r"|[$€£¥]\s?['’‘]?(000)['’]?s?\b"
    r"|(?:[$€£¥]|\b[A-Z]{3})['’‘]?\s?(m|M|mn|bn|(?i:million|billion|thousand))s?\b(?![\w.])"
    r"|['’‘](000)\b|(?i:\((thousand|million|billion)s?(?: of [^()]*)?\)"
    r"|\b(thousand|million|billion)s? of (?:[\w.]+ )?(?:dollars|euros?|yen|pounds|rmb)\b)"
)
_CAPTIONS = (
    re.compile(r"\bin (?:[\w.$€£’']+,? ){0,4}?(thousand|million|billion)s\b", re.IGNORECASE),
    re.compile(r"\b(?:dollars|amounts) in (thousand|million|billion)s", re.IGNORECASE),
)
_BRACKET = re.compile(r"\(([^()]{3,120})\)")
_AMOUNT = re.compile(r"(?<![\d.])(\d[\d,]*(?:\.\d+)?)\s+(thousand|million|billion)\b", re.IGNORECASE)


def declared(text: str) -> int:
    """The scale that a head or label declares ("£m", "(in thousands)", "$’000"); 0 without one.

    >>> declared("2019 £m")
    1000000
    """
    found = _DECLARED.search(text)
    return _WORDS[next(g for g in found.groups() if g).casefold()] if found else 0


def around(texts: Sequence[str]) -> int:
    """The scale that texts around a table declare for its figures ("(in millions)"), at their ends or in brackets."""
    for text in texts:
        for part in (*_BRACKET.findall(text), text[-120:], text[:120]):
            for caption in _CAPTIONS:
                if found := caption.search(part):
                    return _WORDS[found[1].casefold()]
    return 0


def repeated(cells: Iterable[str], texts: Sequence[str]) -> int:
    """The scale under which texts give figures of the table again ("$88 million" for 88,214); 1 if they don't.

    Two figures must come again, or one with three digits.
    """
    values = {abs(f.value) for cell in cells if (f := figure(cell)) is not None and not f.percent and f.value}
    votes = {1000: 0, 10**6: 0}
    for text in texts:
        for amount, word in set(_AMOUNT.findall(text)):
            stated = Decimal(amount.replace(",", ""))
            digits = len(re.sub(r"\D", "", amount if "." in amount else amount.rstrip("0")).lstrip("0"))
            places = -len(amount.split(".")[1]) if "." in amount else 0
            for scale in votes:
                in_table = stated * FACTORS[word.casefold()] / scale
                step = Decimal(1).scaleb(places) * FACTORS[word.casefold()] / scale / 2
                if any(abs(v - in_table) <= (step if step > Decimal("0.5") else 0) for v in values):
                    votes[scale] += 2 if digits >= 3 else 1
    best = max(votes, key=lambda scale: votes[scale])
    return best if votes[best] >= 2 else 1
