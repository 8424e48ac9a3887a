"""What a sentence, heading, column or bracket says of the standing of what it states.

Statuses from the boldest to the most cautious: confirmed, stated, estimated, leaked, planned, guessed, undisclosed.
In one clause the most cautious cue wins, but for two that qualify each other: "likely (from leaks)" is leaked, and
"estimated, not officially confirmed" is estimated. "About" and "~" are approximate, which is the value's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kg.model import Hedge, Mood, Polarity, Status
from kg.text.found import apart
from kg.text.hedge_cues import (
    ANNOUNCED,
    BOUNDARY,
    CUES,
    EITHER,
    HYPOTHETICAL,
    NAME_OR_NAME,
    NAME_SLASH_NAME,
    NEGATION,
    NOT_CUES,
    OR,
)
from kg.text.words import FUNCTION_WORDS, word_set

Span = tuple[int, int]

CAUTION = (
    Status.CONFIRMED,
    Status.STATED,
    Status.ESTIMATED,
    Status.LEAKED,
    Status.PLANNED,
    Status.GUESSED,
    Status.UNDISCLOSED,
)
_STATUS = {
    "undisclosed": Status.UNDISCLOSED,
    "unconfirmed": Status.GUESSED,
    "leaked": Status.LEAKED,
    "guessed": Status.GUESSED,
    "estimated": Status.ESTIMATED,
    "planned": Status.PLANNED,
    "confirmed": Status.CONFIRMED,
}
_ORDER = {kind: place for place, (kind, _) in enumerate(CUES)}
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_BY_WHOM = re.compile(r"\b(?:by|from|according\sto|via)\s(?:[A-Z][\w.'’-]*\s?)+|\b(?:by|from)\s[a-z]+$")
_REMARKS = word_set("publicly officially widely highly most purely mere merely figure figures value values number")
_CONDITION = re.compile(r"(?:^|[.!?]\s+)\s*(?:if|unless|suppose|imagine)\b[^.!?]*$", re.IGNORECASE)
_WOULD = re.compile(r"\bwould\b(?!\shave\b)", re.IGNORECASE)
_SUBORDINATE = re.compile(r"\s*(?:although|though|while|whereas|because|since|when|after|before|as)\b[^,]*,", re.I)
_JOINS = re.compile(r"\b(?:and|but)\s+(?:then\s+|later\s+|so\s+|yet\s+)?$", re.IGNORECASE)
_DID = re.compile(r"(?:do|does|did|could|can|would)\b|(?:did|do|does|could|wo|would|ca)n|cannot", re.IGNORECASE)
_AUXILIARY = re.compile(r"\band\s+(?:then\s+|later\s+|\w+ly\s+)?(?:is|are|was|were|has|had|did|does|became|died)\s")
_PAST = re.compile(_AUXILIARY.pattern + r"|\band\s+(?:then\s+|later\s+|\w+ly\s+)?[a-z]{2,}ed\s")
_LABEL_WORDS = 7
_REMARK_WORDS = 6


@dataclass(frozen=True, slots=True)
class _Cue:
    """``reach``: of an adjective ("an undisclosed site") the list item that it stands in, else None."""

    start: int
    end: int
    kind: str
    reach: Span | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text's cues, and copies of it with other things blanked: what isn't to be read as negation or mood."""

    text: str
    cues: tuple[_Cue, ...]
    hidden: str
    outside: str


def absent(text: str) -> bool:
    """Whether a cell or value says that nothing applies: empty, a dash, ``N/A``, ``none`` – which isn't undisclosed."""
    plain = text.strip().strip("*_()").casefold()
    return plain in {"", "-", "–", "—", "--", "n/a", "n.a.", "na", "not applicable", "none", "nil", "null", "…", "..."}


def hedge(text: str) -> Hedge:
    """Standing of a whole sentence, bullet, cell, heading or confidence word; polarity is its first clause's."""
    if absent(text):
        return Hedge()
    reading = _read(text)
    whole_cues = tuple(c for c in reading.cues if not c.reach or not text[: c.reach[0]].strip(" ,;:"))
    first = next((c for c in _clauses(text) if text[c[0] : c[1]].strip()), (0, len(text)))
    if subordinate := _SUBORDINATE.match(reading.outside, *first):
        first = (subordinate.end(), first[1])
    whole = (0, len(text))
    polarity = _polarity(reading, first, None)
    return Hedge(_status(whole_cues), polarity, _mood(reading, whole, whole_cues, None, polarity))


def hedge_at(text: str, start: int, end: int) -> Hedge:
    """Standing of what the clause that holds ``text[start:end]`` states.

    Statuses and moods count in that clause, in brackets that only remark on it and, for a bracket, in the clause around
    it. "Not X" denies what follows it in its clause; "was never used" denies the clause on both sides.
    """
    reading = _read(text)
    clause = _clause_of(text, start, end)
    near = [c for c in reading.cues if _reaches(text, c, clause) and _covers(c, start, end)]
    status = _status(near)
    bracket = _bracket(text, start, end)
    if bracket and status is Status.STATED:
        home = _clause_of(text, bracket.start(), bracket.start())
        outer = _status([c for c in reading.cues if _reaches(text, c, home)])
        status = status if outer in (Status.UNDISCLOSED, Status.CONFIRMED) else outer
    span = (start, end)
    polarity = _polarity(reading, clause, span)
    return Hedge(status, polarity, _mood(reading, clause, near, span, polarity))


def combine(outer: Hedge, inner: Hedge) -> Hedge:
    """The standing of a statement from its surroundings (heading, label, column) and its own words.

    What says nothing leaves the other's status. An inner "confirmed" overrules any heading; under "undisclosed" any cue
    of its own does; a heading "confirmed" vouches for nothing hedged. Else the more cautious of both.
    Either negates; hypothetical before alternative before factual.
    """
    if inner.status is Status.STATED:
        status = outer.status
    elif outer.status in (Status.STATED, Status.CONFIRMED, Status.UNDISCLOSED) or inner.status is Status.CONFIRMED:
        status = inner.status
    else:
        status = max(outer.status, inner.status, key=CAUTION.index)
    negated = Polarity.NEGATED in (outer.polarity, inner.polarity)
    moods = (outer.mood, inner.mood)
    mood = next((m for m in (Mood.HYPOTHETICAL, Mood.ALTERNATIVE) if m in moods), Mood.FACTUAL)
    return Hedge(status, Polarity.NEGATED if negated else Polarity.AFFIRMED, mood)


# --- cues --------------------------------------------------------------------------------------


def _read(text: str) -> _Reading:
    """Cues of status left to right, each word in one at most."""
    shown = NOT_CUES.sub(_blank, text)
    found = [_Cue(m.start(), m.end(), kind) for kind, pattern in CUES for m in pattern.finditer(shown)]
    # "They said that it would open": what was would-be then was a plan.
    found += [
        _Cue(m.start(), m.end(), "planned") for m in _WOULD.finditer(shown) if ANNOUNCED.search(shown, 0, m.start())
    ]
    cues: list[_Cue] = []
    for cue in sorted(found, key=lambda c: (_ORDER[c.kind], c.start)):
        if not any(c.start < cue.end and cue.start < c.end for c in cues):
            cues.append(cue)
    hidden = list(shown)
    for cue in cues:
        negates = re.search(r"\b(?:won['’]t|unlikely)\b", shown[cue.start : cue.end], re.IGNORECASE)
        if not negates:
            hidden[cue.start : cue.end] = " " * (cue.end - cue.start)
    placed = [replace(c, reach=_item(shown, c)) for c in apart(cues)]
    return _Reading(text, tuple(placed), "".join(hidden), _BRACKET.sub(_blank, "".join(hidden)))


_ADJECTIVE = re.compile(r"(?:un(?:disclosed|specified|named|reported|known|confirmed)|confidential)$", re.IGNORECASE)


def _item(text: str, cue: _Cue) -> Span | None:
    """The comma's stretch around an adjective before its noun; None for anything else."""
    if not _ADJECTIVE.match(text[cue.start : cue.end]) or not re.match(r"\s[A-Za-z]", text[cue.end : cue.end + 2]):
        return None
    start = max(text.rfind(mark, 0, cue.start) for mark in (",", ";", ":", "(", ".")) + 1
    ends = [text.find(mark, cue.end) for mark in (",", ";", ":", ")", ". ")]
    return start, min([end for end in ends if end >= 0], default=len(text))


def _covers(cue: _Cue, start: int, end: int) -> bool:
    return cue.reach is None or (cue.reach[0] <= start and end <= cue.reach[1])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _status(cues: Iterable[_Cue]) -> Status:
    kinds = {cue.kind for cue in cues}
    if "leaked" in kinds:
        kinds -= {"guessed", "unconfirmed", "estimated"}
    if "estimated" in kinds:
        kinds -= {"unconfirmed"}
    if "unconfirmed" in kinds:
        kinds -= {"confirmed"}
    return max((_STATUS[kind] for kind in kinds), key=CAUTION.index, default=Status.STATED)


# --- clauses -----------------------------------------------------------------------------------


def _clauses(text: str) -> tuple[Span, ...]:
    """Clauses of the text, its brackets left blank (each is its own clause). A short label belongs to its value."""
    outside = _BRACKET.sub(_blank, text)
    edges = [0]
    for boundary in BOUNDARY.finditer(outside):
        label = boundary[0].startswith(":") and len(outside[edges[-1] : boundary.start()].split()) <= _LABEL_WORDS
        if not label:
            edges.append(boundary.end())
    return tuple(zip(edges, [*edges[1:], len(text)], strict=True))


def _bracket(text: str, start: int, end: int) -> re.Match[str] | None:
    """The bracket around a stretch, its signs not counted in."""
    return next((b for b in _BRACKET.finditer(text) if b.start() < start and end < b.end()), None)


def _clause_of(text: str, start: int, end: int) -> Span:
    bracket = _bracket(text, start, end)
    low, high = (bracket.start() + 1, bracket.end() - 1) if bracket else (0, len(text))
    clauses = [(low + a, low + b) for a, b in _clauses(text[low:high])]
    return next((c for c in clauses if c[0] <= start < c[1]), (low, high))


def _reaches(text: str, cue: _Cue, clause: Span) -> bool:
    """Whether a cue speaks of a clause: it stands in it, or in a bracket or after a dash that only remarks on it."""
    home = _clause_of(text, cue.start, cue.end)
    if home == clause:
        return True
    bracket = _bracket(text, cue.start, cue.end)
    low, high = bracket.span() if bracket else home
    if not clause[0] <= low <= clause[1]:
        return False
    if bracket is None and home[0] != clause[1]:
        return False
    rest = text[low : cue.start] + " " + text[cue.end : high]
    left = [w for w in _WORD.findall(_BY_WHOM.sub(" ", rest)) if w.casefold() not in FUNCTION_WORDS | _REMARKS]
    return not left


# --- polarity and mood -------------------------------------------------------------------------


def _polarity(reading: _Reading, clause: Span, span: Span | None) -> Polarity:
    """Whether the clause, or what it says at ``span``, is denied."""
    low, high = clause
    text = reading.hidden if span and _bracket(reading.text, *span) else reading.outside
    for found in NEGATION.finditer(text, low, high):
        if span and found["verbal"] and _of_other_verb(text, found, span):
            continue
        if found["verbal"] or (span is None and _denies_all(text[low : found.start()], found["local"])):
            return Polarity.NEGATED
        reach = text[found.end() : span[0]] if span else ","
        if span and found.end() <= span[0] and not re.search(r",\s+(?!or\b|nor\b|and\b)", reach):
            return Polarity.NEGATED
    return Polarity.AFFIRMED


def _of_other_verb(text: str, found: re.Match[str], span: Span) -> bool:
    """Whether the negated verb and the one that tells what stands at ``span`` are joined, one subject for both.

    "Orr died in 1921 and did not see it" denies no death; neither does "Orr did not see it and died in 1921".
    """
    if span[1] <= found.start():
        return bool(_JOINS.search(text[span[1] : found.start()]))
    if span[0] < found.end():
        return False
    past = _DID.match(found[0])
    return bool((_PAST if past else _AUXILIARY).search(text[found.end() : span[0]]))


def _denies_all(head: str, word: str) -> bool:
    """Whether a "not" without a verb denies its whole clause: it opens it, or is its determiner."""
    quantifier = word.casefold() in ("neither", "no", "none of", "lacks", "lack")
    return not head.strip() or (quantifier and len(head.split()) < _REMARK_WORDS)


def _mood(reading: _Reading, clause: Span, cues: Iterable[_Cue], span: Span | None, polarity: Polarity) -> Mood:
    """Mood of a clause. "Not X or Y" denies both: no alternative."""
    low, high = clause
    inside = span is None or _bracket(reading.text, *span) is not None
    part = (reading.text if inside else _BRACKET.sub(_blank, reading.text))[low:high]
    unsure = any(c.kind in ("guessed", "leaked", "unconfirmed") for c in cues)
    affirmed = polarity is Polarity.AFFIRMED
    if affirmed and (EITHER.search(part) or NAME_OR_NAME.search(part)):
        return Mood.ALTERNATIVE
    if affirmed and unsure and (OR.search(part) or NAME_SLASH_NAME.search(part)):
        return Mood.ALTERNATIVE
    text = reading.hidden if inside else reading.outside
    if any(_supposes(text, found, span) for found in HYPOTHETICAL.finditer(text, low, high)):
        return Mood.HYPOTHETICAL
    return Mood.HYPOTHETICAL if _CONDITION.search(text[:low]) else Mood.FACTUAL


def _supposes(text: str, found: re.Match[str], span: Span | None) -> bool:
    """Whether a word makes its clause hypothetical: not an "if" set off after what is said."""
    word = found[0].casefold()
    later = span is not None and found.start() >= span[1] and "," in text[span[1] : found.start()]
    return not (later and word in ("if", "unless", "whether"))
