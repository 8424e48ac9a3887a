"""Questions that let choose between two things: where these stand in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kg.text import terms as w
from kg.text.question_words import OPENINGS, WH, degrees, graded
from kg.text.terms import Token, participles, tokens

_OR = re.compile(r",?\s(?:or|versus|vs\.?)\s", re.IGNORECASE)
_PART = re.compile(r"[:;?]|,(?!\d)|\s[-–—]\s")
_EITHER = re.compile(r"^(?:either|between|it|there)\b\s*", re.IGNORECASE)
_OTHER_WAY = re.compile(r"(?:is it )?(?:the other way (?:a?round)|vice versa|not)", re.IGNORECASE)
ARTICLES = w.words("the a an")
_HELPING = w.words("do does did can could will would may might")
_RELATIVE = w.words("that which who")


@dataclass(frozen=True, slots=True)
class Parted:
    """A question that lets choose between two things: these, and what stands before and behind them."""

    options: tuple[str, str]
    around: str


def parted(question: str) -> Parted | None:
    """Where the two things of an "A or B" stand in a question; None where there are not exactly two."""
    text = question.rstrip(" ?.!")
    match = _OR.search(text)
    if match is None or _OR.search(text, match.end()):
        return None
    one, other = text[: match.start()], text[match.end() :]
    cut = max((m.end() for m in _PART.finditer(one)), default=0)
    behind = _PART.search(other)
    before, one = one[:cut], one[cut:]
    after, other = (other[behind.end() :], other[: behind.start()]) if behind else ("", other)
    if not (cut or behind):
        before, one, other, after = _inside(one, other)
    one, other = (_EITHER.sub("", x.strip(" '\"")).strip() for x in (one, other))
    if not one or not other or _OTHER_WAY.fullmatch(other) or all(is_graded(t) for t in tokens(other)):
        return None
    return Parted((one, other), f"{before} {after}".strip())


def _inside(left: str, right: str) -> tuple[str, str, str, str]:
    """Of what nothing sets off ("Is silk or hemp rope lighter?"): what stands before, the two, what stands behind."""
    ours, theirs = tokens(left), tokens(right)
    if not ours or not theirs:
        return "", "", "", ""
    start, first, end = _begins(ours, theirs), 0, _ends(ours, theirs)
    if start >= len(ours):
        return "", "", "", ""
    if end > 1 and is_graded(theirs[0]) and theirs[0].lower in {t.lower for t in ours}:
        first = 1  # "more grey or more common seals"
    at = ours[start].start
    return left[:at], left[at:], right[theirs[first].start : theirs[end - 1].end], right[theirs[end - 1].end :]


def _begins(ours: Sequence[Token], theirs: Sequence[Token]) -> int:
    """Where the first thing begins: as the second does, behind a comparing word, or behind the helping verb."""
    opens = theirs[0].lower
    alike = ARTICLES if opens in ARTICLES else {opens} if opens in w.PREPOSITIONS else ()
    again = [n for n, t in enumerate(ours) if t.lower in alike]
    if again:
        return again[-1]
    graded_ = [n for n, t in enumerate(ours) if is_graded(t)]
    if graded_:
        return max([graded_[-1], *(n for n, t in enumerate(ours) if t.lower in w.PREPOSITIONS)]) + 1
    if not {t.lower for t in ours} & (w.AUXILIARIES | _HELPING | WH | OPENINGS):
        return 0  # nothing is said but the two
    return 1 if ours[0].lower in w.AUXILIARIES | _HELPING else len(ours)


def _ends(ours: Sequence[Token], theirs: Sequence[Token]) -> int:
    """Where the second thing ends: before a comparing word, its article, and a verb that the question waits for."""
    told = _RELATIVE if not any(t.lower in _RELATIVE for t in ours) else ()  # "A, or B that built her"
    end = next((n for n, t in enumerate(theirs) if n and (is_graded(t) or t.lower in told)), len(theirs))
    if end == len(theirs):
        return end
    while end > 1 and theirs[end - 1].lower in ARTICLES | w.AUXILIARIES:
        end -= 1
    last = theirs[end - 1].lower
    waits = ours[0].lower in _HELPING or last.endswith("ed") or last in participles()
    return end - 1 if end > 1 and waits else end


def is_graded(token: Token) -> bool:
    """Whether a word compares: "longer", "more", "first"."""
    found = graded(token.lower)
    return found is not None and found[0] in degrees()
