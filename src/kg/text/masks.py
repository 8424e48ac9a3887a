"""Stretches of text whose digits are no quantities and no dates: addresses, identifiers, versions, times."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache

from kg.text.words import word_set

# Dots between thousands, told from a decimal point by a second one or a comma behind; an address of a machine is none.
DOTTED = (
    r"(?!(?:(?:1?\d?\d|2[0-4]\d|25[0-5])\.){3}(?:1?\d?\d|2[0-4]\d|25[0-5])(?![\w.]))"
    r"[1-9]\d{0,2}(?:(?:\.\d{3}){2,}(?:,\d+)?|\.\d{3},\d{1,2})(?![.,/-]?\w)"
)
_OPAQUE = re.compile(
    r"""(?x)
    https?://\S+ | www\.\S+
    | (?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+  # bounds (RFC 5321, RFC 1035) keep endless "a-a-a-…" cheap
    | (?<!\w)(?<!\w-)(?=[\w.-]{0,250}?[A-Za-z][\w-]{0,63}\.)(?!\d)
      [A-Za-z0-9][\w-]*(?:\.[\w-]+){0,125}\.[A-Za-z]{2,24}\b(?:/[^\s)\]]*)?  # 127 labels at most: "a.a.a.…"
    | \barxiv:\s?[\w./-]+\d | \b\d{4}\.\d{5}(?:v\d+)?\b
    | \b10\.\d{4,9}/[^\s)\]]+
    | \bISBN[\s:]*[\d-]{9,}[\dXx]\b
    | \b(?!DOTTED)\d+(?:\.\d+){2,}(?:[-.]?(?:x|\w*\d))?\b
    | \b\d+(?:\.\d+)*\.[xX]\b
    | \b\d{1,3}:\d{1,3}(?::\d{2})?(?:\.\d+)?\b
    | \b\d{1,2}\s?(?:[ap]\.m\.|[ap]m\b|[AP]M\b|o['’]clock)
    | (?<![\w$])(?:\+\d{1,3}[\s.-]?)?\(\d{2,5}\)[\s.-]?\d{3,4}[\s.-]?\d{3,4}\b
    | (?<![\w$])\+\d{1,3}(?:[\s.-]\d{2,4}){2,4}\b
    | \b\d{3}[.-]\d{3}[.-]\d{4}\b
    | (?i:\b(?:phone|tel|telephone|fax|call|dial)\b[\s.:]*)\d[\d\s.-]{5,}\d
    | \#[0-9A-Fa-f]{6}\b
    | \[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]
    | \b24/7\b | \b9/11\b
    | \b0[xX][0-9A-Fa-f]+\b
    | \b[248][kK]\s(?=video|resolution|displays?\b|screens?\b|tvs?\b|monitors?\b|cameras?\b|streaming|footage)
    """.replace("DOTTED", DOTTED),
    re.IGNORECASE,
)


_MARKED = re.compile(r"[\d.:#]")  # one of these is in all of them


@lru_cache(maxsize=8192)
def opaque(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of addresses, identifiers, version numbers, clock times, telephone numbers and citation marks."""
    return tuple((m.start(), m.end()) for m in _OPAQUE.finditer(text)) if _MARKED.search(text) else ()


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order and apart: those that overlap made one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def covered(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether one of the spans, which are in order and apart (see :func:`joined`), touches ``[start, end)``."""
    before = bisect_left(spans, (end,))  # those that begin before the end; the last of them reaches farthest
    return before > 0 and spans[before - 1][1] > start


DESIGNATORS = word_set(
    "phase chapter step version section figure fig table page pages item part level no number nr room route highway "
    "type class round stage tier grade series model gen generation volume vol issue line lines port act article "
    "appendix equation eq sec ch pp rule law note annex exhibit question option case example lesson unit lane gate "
    "platform flight apartment suite box building block season episode quarter layer group batch track exercise "
    "theorem lemma schedule paragraph footnote section verse psalm rev revision release build edition mark mk"
)
_OPENERS = word_set(
    "about over under only nearly almost some with at in on by for from to and or but the a an more less all these "
    "those its their his her our today first second third last next since until around approximately roughly "
    "another each every both just exactly between up least most where when while after before using including "
    "plus minus another total count value number of is are was were has have had"
)
_BEFORE = re.compile(r"([^\W\d_][\w.'’+&-]*)([\s\u00a0]|\s\()$")


def follows_name(text: str, at: int, counted: bool) -> bool:
    """Whether a plain number at this place belongs to the word before it: ``Phase 2``, ``Apollo 11``, ``NVLink 4.0``.

    ``counted``: a plural noun follows the number, which lets a verb at the start of a sentence introduce it.
    """
    found = _BEFORE.search(text, max(0, at - 40), at)
    if not found or found[2] != " ":
        return False
    word = found[1].rstrip(".'’")
    lower = word.casefold()
    if lower in DESIGNATORS:
        return not (counted and word.islower() and lower in ("lines", "pages", "number"))
    if not word[:1].isupper() or lower in _OPENERS:
        return False
    opens = starts_sentence(text, found.start())
    return not (counted and opens and (lower.endswith(("ed", "ing")) or (len(lower) <= 4 and lower.isalpha())))


_SENTENCE_START = re.compile(r"(?:^|[.!?:]['\"”’)]?\s+|\n\s*|[•\-*–—|]\s+|[\"“]\s*)$")


def starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence, item, cell or quotation begins here, so that a capital letter says nothing."""
    if at == 0:
        return True
    return bool(_SENTENCE_START.search(text, max(0, at - 12), at)) and not _TITLED.search(text, max(0, at - 12), at)


_TITLED = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Lt|Col|Gen|Capt|Rev|Hon|Sgt|Mt|Ft|vs)\.\s$")
