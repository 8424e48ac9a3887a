"""What a figure counts or is per: the noun phrase after it, read without a parser.

A count above one is followed by a plural head, so the phrase ends at the first plural; a measure may be followed by
"of" and what is measured, or by what it qualifies ("46-minute video").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.text.words import ADVERBS, DETERMINERS, FUNCTION_WORDS, is_plural, word_set

_TOKEN = re.compile(r"\s?((?:[^\W\d_]|\d+(?:\.\d+)?(?=[A-Za-z-]*[A-Za-z]))[\w&'’-]*(?:\.\d+)?)")
_INNER_NUMBER = re.compile(r"\s(\d{1,4})(?=\s[A-Za-z])")  # "NVX 400 masts"
_VERBS = word_set(
    "made came went took gave got became began brought built bought sold held kept led left lost met paid ran said saw "
    "sent set showed spent stood told wrote won grew fell rose depending costing lasting using making "
    "weighing measuring containing having being totaling totalling covering reaching showing giving serving "
    "represent represents"
)
_LEADING = word_set("more additional other further extra different separate distinct more-or-less")
_OWNS = ("'", "’")
_WORDS_MOST = 6
_SINGULAR_MOST = 4
_TIMES = word_set(
    "second seconds sec s minute minutes min hour hours hr h day days d night week weeks wk month months mo quarter "
    "year years yr annum decade century"
)
_TIME = "|".join(sorted(_TIMES, key=lambda w: (-len(w), w)))
_PER_TIME = re.compile(rf"\s?/\s?({_TIME})\b|\s+(?:per|an?|each|every)\s+({_TIME})\b", re.IGNORECASE)
_PER_SLASH = re.compile(r"/(\d[\d,.]*\s?(?:K|k|M|B|million|thousand)?(?:\s[a-z]+s\b)?|[A-Za-z][\w-]*)(?![\w/])")
_PER_NUMBER = re.compile(
    r"\s+(?:per|for every)\s+((?:an?\s)?(?:\d[\d,.]*\s?(?:K|M|k)?|hundred|thousand|million|billion)(?:\s[a-z]+)?)\b"
)
_PER_WORD = re.compile(
    r"\s+(?:per\s+|for\s+(?:each|every)\s+|an?\s+(?=(?:person|head|piece|copy|share|unit|barrel|tonne|ton|litre|gallon)\b))"
)
_PER_ADVERB = re.compile(
    r"\s+(daily|weekly|monthly|quarterly|annually|yearly|hourly|nightly|a\s+head)\b", re.IGNORECASE
)
_ADVERB_NOUN = {"daily": "day", "annually": "year"}  # the others end in "-ly"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words read after a figure; ``end`` is where they end. ``plural``: the head is plural."""

    words: str
    end: int
    plural: bool = False


def _tokens(text: str, at: int) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    while len(found) < _WORDS_MOST:
        token = _TOKEN.match(text, at) or (
            _INNER_NUMBER.match(text, at) if found and found[-1][0][0].isupper() else None
        )
        if not token or token[1].casefold() in FUNCTION_WORDS or token[1] in _VERBS:
            break
        found.append((token[1], token.start(1), token.end()))
        at = token.end()
    return found


def noun_after(text: str, at: int) -> Phrase | None:
    """The noun phrase that starts here (after a space), of what is counted: ``NVIDIA V100 GPUs``, ``lines of code``."""
    leading = re.compile(r"\s(" + "|".join(sorted(_LEADING)) + r")\b").match(text, at)
    at = leading.end() if leading else at
    tokens = _tokens(text, at)
    plural = next(
        (i for i, (word, _, end) in enumerate(tokens) if is_plural(word) and text[end : end + 1] not in _OWNS), None
    )
    if plural is None:
        return _singular(text, tokens)
    last = plural
    while last + 1 < len(tokens) and is_plural(tokens[last + 1][0]) and tokens[last + 1][0].islower():
        last += 1
    end = tokens[last][2]
    of = re.compile(r"\sof\s([a-z][a-z-]+)(?!\s[a-z]|[\w-])").match(text, end)
    if of and of[1] not in FUNCTION_WORDS and tokens[last][0].islower():
        end = of.end()
    return Phrase(text[tokens[0][1] : end], end, True)


def _singular(text: str, tokens: list[tuple[str, int, int]]) -> Phrase | None:
    kept: list[tuple[str, int, int]] = []
    for token in tokens[:_SINGULAR_MOST]:
        word = token[0].casefold()
        participle = word.endswith("ed") and not word.endswith("eed") and token[0].islower() and len(word) > 3
        if participle or word.endswith("ly"):
            break
        kept.append(token)
    if not kept:
        return None
    words, end = text[kept[0][1] : kept[-1][2]], kept[-1][2]
    bracketed = _AFTER_BRACKET.match(text, end)
    if bracketed and is_plural(bracketed[1]):
        return Phrase(f"{words} {bracketed[1]}", bracketed.end(), True)
    return Phrase(words, end)


# "8x Tesla P100 (Pascal) GPUs"
_AFTER_BRACKET = re.compile(r"\s\([^()]{1,24}\)\s([^\W\d_]\w*s)\b")


_OF = re.compile(r"\s(?:worth\s)?of\s(?:(?:the|all|its|their|a|an|total)\s)*")


def measured_after(text: str, at: int) -> Phrase | None:
    """What a measure is of or qualifies: ``gallons of WATER``, ``400 Gbps NETWORK CONNECTIVITY``, ``minute VIDEO``."""
    of = _OF.match(text, at)
    start = of.end() - 1 if of else at
    if not of and not re.match(r"[\s-][A-Za-z]", text[at : at + 2]):
        return None
    tokens = _tokens(text, start)
    if not tokens or (not of and tokens[0][0].casefold() in ADVERBS | DETERMINERS):
        return None
    plural = any(is_plural(w) for w, _, _ in tokens)
    spelt = re.search(r"[a-z]{3}s$|illion$", text[max(0, at - 6) : at])
    if plural and spelt and not of and len(tokens) == 1 and tokens[0][0].islower():
        return None  # "2 months represents": a verb
    return noun_after(text, start) if plural else _singular(text, tokens)


def per_after(text: str, at: int, after_noun: bool = False) -> Phrase | None:
    """What the figure is per, if it says so right here: ``/day``, ``per GPU server``, ``a month``, ``/1K``."""
    time = _PER_TIME.match(text, at)
    if time:
        return Phrase(time[1] or time[2], time.end())
    adverb = _PER_ADVERB.match(text, at)
    if adverb and not (adverb[1].islower() and re.match(r"\s[a-z]+s\b", text[adverb.end() :])):
        said = adverb[1].casefold()
        return Phrase(_ADVERB_NOUN.get(said) or said.removesuffix("ly").split()[-1], adverb.end())
    number = _PER_NUMBER.match(text, at)
    if number:
        return Phrase(number[1], number.end(1))
    slash = None if after_noun else _PER_SLASH.match(text, at)
    if slash:
        return Phrase(slash[1], slash.end(1))
    word = _PER_WORD.match(text, at)
    tokens = _tokens(text, word.end() - 1)[:2] if word else []
    return Phrase(text[tokens[0][1] : tokens[-1][2]], tokens[-1][2]) if tokens else None
