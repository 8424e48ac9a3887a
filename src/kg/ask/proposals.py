"""All that may answer one question, each with what speaks for it: what is read, what rules or queries gave."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Draft, Value, clip, normal, sentence
from kg.ask.judge import Verdict
from kg.ask.retrieve import Scored
from kg.ask.spans import dates, numbers
from kg.reading.reader import Reading, Span
from kg.reading.views import View

# Views that are read, spans taken of each, and how likely a token has to be part of the answer to be listed.
VIEWS, SPANS, LISTED = 6, 2, 0.4
_UNITS = 2  # whole units that are given for a reason or a meaning
_FAR = 12.0  # beyond which a logit says nothing more
_SHORT = 40  # characters of a label that is a date or a number rather than tells of one


class Source(StrEnum):
    """Where a candidate comes from."""

    FINAL = "final"
    RULE = "rule"
    GRAPH = "graph"
    SPAN = "span"
    LIST = "list"
    POLAR = "polar"
    OPTION = "option"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A draft and its source. ``verdict``: what rules thought of it; ``place``: the view and span it was read at."""

    draft: Draft
    source: Source
    verdict: Verdict | None = None
    place: tuple[int, Span] | None = None

    @property
    def label(self) -> str:
        """The values together, for comparison."""
        return normal(", ".join(v.label for v in self.draft.values))


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A question with what was read for it: one reading a view."""

    asking: Asking
    views: tuple[View, ...]
    readings: tuple[Reading, ...]
    units: Mapping[tuple[str, int], Scored] = field(repr=False)

    @classmethod
    def of(cls, asking: Asking, views: Sequence[View], readings: Sequence[Reading]) -> Read:
        """With the units found, by their keys."""
        return cls(asking, tuple(views), tuple(readings), {s.key: s for s in reversed(asking.found.units)})

    def scored(self, view: View, number: int) -> Scored | None:
        """A unit as it was scored for the question."""
        known = self.units.get((view.passage.id, number))
        return known or self.asking.retriever.scored_at(
            self.asking.found, view.passage.id, view.passage.units[number].start
        )


def spans(read: Read) -> list[Candidate]:
    """The likeliest spans of each view, each once."""
    found: list[Candidate] = []
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        for span in reading.spans(SPANS):
            number = view.unit_at(span.start)
            label = view.within(span.start, span.end).strip(" ,;:–-")
            scored = read.scored(view, number) if number is not None and label else None
            if scored is not None:
                text = sentence(label, scored.plain)
                draft = Draft(_kind(label), text, (Value(label),), (scored,), 1.0)
                found.append(Candidate(draft, Source.SPAN, place=(at, span)))
    return found


def _kind(label: str) -> str:
    """What a stretch that was read is: a short one that holds a date or a figure is given as such."""
    if len(label) > _SHORT:
        return "entity"
    return "date" if dates(label) else "number" if numbers(label) else "entity"


def lists(read: Read) -> list[Candidate]:
    """Of each view all stretches that belong to the answer, where there are several."""
    found: list[Candidate] = []
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        segments = reading.segments(LISTED)
        pieces = [(view.unit_at(s.start), view.within(s.start, s.end).strip(" ,;:–-.")) for s in segments]
        units = {n: read.scored(view, n) for n, _ in pieces if n is not None}
        kept = [(units[n], label) for n, label in pieces if n is not None and len(label) > 1]
        labels = list(dict.fromkeys(label for scored, label in kept if scored is not None))
        if len(labels) < 2:
            continue
        evidence = list(dict.fromkeys(scored for scored, _ in kept if scored is not None))
        places = {scored.key: n for n, scored in enumerate(evidence)}
        values = {label: places[scored.key] for scored, label in kept if scored is not None}
        text = sentence(", ".join(labels), evidence[0].plain, LONG_ROOM)
        draft = Draft("list", text, tuple(Value(x, (n,)) for x, n in values.items()), tuple(evidence), 1.0)
        whole = Span(segments[0].start, segments[-1].end, sum(s.score for s in segments) / len(segments))
        found.append(Candidate(draft, Source.LIST, place=(at, whole)))
    return found


def polar(read: Read) -> list[Candidate]:
    """Yes and no, each on the view that says so most clearly, quoted at the unit that bears it out."""
    found: list[Candidate] = []
    for word, which in (("Yes", 0), ("No", 1)):
        order = sorted(range(len(read.views)), key=lambda n: -_leaning(read.readings[n], which))
        for at in order[:1]:
            view, span = read.views[at], next(iter(read.readings[at].spans(1)), None)
            number = view.unit_at(span.start) if span is not None else None
            scored = read.scored(view, number if number is not None else view.numbers[0])
            if scored is None or span is None:
                continue
            text = f"{word}: “{clip(scored.plain, 0, ROOM - 8)}”"
            draft = Draft("boolean", text, (Value(word),), (scored,), 1.0)
            found.append(Candidate(draft, Source.POLAR, place=(at, span)))
    return found


def options(read: Read) -> list[Candidate]:
    """Of "A or B" each, where the reader likes it best."""
    found: list[Candidate] = []
    for option in read.asking.question.options:
        pattern = re.compile(rf"(?<!\w){re.escape(option)}(?!\w)", re.IGNORECASE)
        places = (
            (at, span)
            for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True))
            for match in pattern.finditer(view.text)
            if view.unit_at(match.start()) is not None
            and (span := reading.score(match.start(), match.end())) is not None
        )
        at, span = max(places, key=lambda place: place[1].score, default=(0, None))
        if span is None:
            continue
        number = read.views[at].unit_at(span.start)
        scored = read.scored(read.views[at], number) if number is not None else None
        if scored is not None:
            text = sentence(option, scored.plain)
            draft = Draft("entity", text, (Value(option),), (scored,), 1.0)
            found.append(Candidate(draft, Source.OPTION, place=(at, span)))
    return found


def units(read: Read) -> list[Candidate]:
    """The whole sentence or row that each of the best readings points at: what a reason or a meaning is told in."""
    found: list[Candidate] = []
    order = sorted(range(len(read.views)), key=lambda n: -read.readings[n].answers)
    for at in order[:_UNITS]:
        span = next(iter(read.readings[at].spans(1)), None)
        number = read.views[at].unit_at(span.start) if span is not None else None
        scored = read.scored(read.views[at], number) if number is not None else None
        if scored is not None and span is not None:
            text = clip(scored.plain, span.start - read.views[at].start_of(scored.number), ROOM)
            draft = Draft("quotation", text, (Value(""),), (scored,), 1.0)
            found.append(Candidate(draft, Source.UNIT, place=(at, span)))
    return found


def _leaning(reading: Reading, which: int) -> float:
    """How much a reading leans to yes (0) or no (1), over the other and over saying nothing."""
    yes, no, unsaid = reading.polar
    return (yes, no)[which] - math.log(math.exp(_bounded((no, yes)[which])) + math.exp(_bounded(unsaid)))


def _bounded(logit: float) -> float:
    return max(-_FAR, min(_FAR, logit))


# --- what speaks for each ------------------------------------------------------------------------

_NUMBER = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|half)\b")
_DATE = re.compile(
    r"\b(?:1\d{3}|20\d{2})\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_HOW_MANY = re.compile(
    r"\bhow (?:many|much|long|far|big|old|tall|often|large|high|fast)\b|\bwhat (?:percentage|number)\b"
)
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b")
_WHO = re.compile(r"\bwho(?:se|m)?\b")
_WHERE = re.compile(r"\bwhere\b|\b(?:what|which) (?:city|country|place|state)\b")
_REASON = re.compile(r"\bwhy\b|^how (?:do|does|did|can|is|are|was|were|should|would)\b|\bwhat happens\b")
_MEANS = re.compile(r"^(?:what (?:is|are|was|were|does)|define|explain|describe)\b")
_SEVERAL = re.compile(
    r"^(?:list|name)\b|\b(?:what|which) (?:\w+ ){0,3}?\w+s\b(?! (?:is|was|does|has)\b)|"
    r"\bwho (?:are|were)\b|\bwhat are\b"
)
_MOST = re.compile(r"\b(?:most|least|fewest|first|last|earliest|latest|\w{2,}(?:est|iest))\b")
_WHETHER = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must)\b")


def shape_of_question(text: str) -> dict[str, float]:
    """What kind of answer the wording asks for; weights over these are learned."""
    lower = text.casefold()
    asks = {
        "how_many": _HOW_MANY, "when": _WHEN, "who": _WHO, "where": _WHERE, "reason": _REASON, "means": _MEANS,
        "several": _SEVERAL, "whether": _WHETHER,
        "most": _MOST,
    }  # fmt: skip
    found = {name: float(bool(pattern.search(lower))) for name, pattern in asks.items()}
    found["or"] = float(" or " in lower)
    found["count"] = float(lower.startswith("how many") or "number of" in lower)
    return found


def shape_of_label(candidate: Candidate) -> dict[str, float]:
    """What an answer looks like."""
    labels = [v.label for v in candidate.draft.values]
    text = " ".join(labels)
    words = text.split()
    return {
        "digits": float(bool(_NUMBER.search(text.casefold()))),
        "dated": float(bool(_DATE.search(text.casefold()))),
        "capital": float(bool(words) and words[0][:1].isupper()),
        "words": math.log1p(len(words)),
        "values": math.log1p(len(labels)),
        "polar": float(candidate.draft.kind == "boolean"),
        "empty": float(not text.strip()),
    }


CROSSED = (
    ("how_many", "digits"), ("when", "dated"), ("who", "capital"), ("who", "digits"), ("where", "capital"),
    ("reason", "words"), ("means", "words"), ("several", "values"), ("whether", "polar"), ("how_many", "words"),
    ("when", "words"), ("who", "words"), ("count", "digits"), ("or", "polar"),
)  # fmt: skip


def features(read: Read, candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Of each candidate what speaks for or against it, by name; what is not known is left out (0)."""
    asked = shape_of_question(read.asking.question.text)
    common = {f"asks_{name}": value for name, value in asked.items()}
    typed = bool(read.asking.retriever.view.ontology)
    common["typed"] = float(typed)
    common["unknown_name"] = float(bool(read.asking.found.unknown_names))
    answers = sorted((r.answers for r in read.readings), reverse=True)
    common["best_answers"] = _bounded(answers[0]) if answers else -_FAR
    common["mean_answers"] = _bounded(sum(answers) / len(answers)) if answers else -_FAR
    said = Counter(c.label for c in candidates)
    best = max((c.place[1].score for c in candidates if c.source == Source.SPAN and c.place), default=-_FAR)
    found = []
    for candidate in candidates:
        one = dict(common)
        looks = shape_of_label(candidate)
        one |= {f"label_{name}": value for name, value in looks.items()}
        one |= {f"{a}*{b}": asked[a] * looks[b] for a, b in CROSSED}
        one |= {f"{a}!{b}": asked[a] * (1 - min(1.0, looks[b])) for a, b in CROSSED if b not in ("words", "values")}
        one |= {f"from_{source}": float(candidate.source == source) for source in Source}
        one |= {f"asks_{name}&{candidate.draft.kind}": value for name, value in asked.items() if value}
        ruled = _ruled(candidate)
        # What an ontology types is read and queried more surely; that is learned apart.
        one |= {f"typed_{name}": value for name, value in ruled.items()} if typed else {}
        one |= ruled | _retrieved(read, candidate) | _read(read, candidate, best)
        one["agree"] = math.log(said[candidate.label]) if candidate.label else 0.0
        one["echo"] = float(bool(candidate.label) and candidate.label in normal(read.asking.question.text))
        found.append(one)
    return found


def _ruled(candidate: Candidate) -> dict[str, float]:
    verdict, draft = candidate.verdict, candidate.draft
    kind = candidate.source
    if verdict is None:
        return {}
    sure = verdict.confidence if verdict.reason is None else 0.0
    found = {
        f"{kind}_sure": sure,
        f"{kind}_steps": float(bool(draft.via)),
        f"{kind}_refused": float(verdict.reason is not None),
        f"{kind}_fit": draft.fit,
        f"{kind}_kind_{draft.kind}": 1.0,
    }
    if draft.explained is not None:
        backed = float(draft.backing is not None)
        found |= {"explained": draft.explained, "exact": float(draft.exact), "backed": backed}
    return found


def _retrieved(read: Read, candidate: Candidate) -> dict[str, float]:
    scored = candidate.draft.evidence[0]
    top = read.asking.found.units[0].score if read.asking.found.units else scored.score
    return {
        "score": scored.score, "behind": top - scored.score, "share": scored.share, "strict": scored.strict,
        "own": scored.own, "names": scored.names, "focus": scored.focus, "cosine": scored.cosine, "near": scored.near,
    }  # fmt: skip


def _read(read: Read, candidate: Candidate, best: float) -> dict[str, float]:
    """What the reader thinks of a candidate: of its own span, or of where its label stands in what was read."""
    place = candidate.place or _standing(read, candidate)
    if place is None:
        return {"unread": 1.0, f"{candidate.source}_unread": 1.0}
    at, span = place
    reading = read.readings[at]
    yes, no, unsaid = (_bounded(x) for x in reading.polar)
    kind = (
        "read"
        if candidate.source in (Source.SPAN, Source.LIST, Source.POLAR, Source.OPTION, Source.UNIT)
        else "checked"
    )
    found = {"answers": _bounded(reading.answers), "view": math.log1p(at)}
    if candidate.source == Source.POLAR or candidate.draft.kind == "boolean":
        lean = _leaning(reading, 0 if candidate.draft.values[0].label == "Yes" else 1)
        return found | {f"{kind}_lean": lean, f"{kind}_unsaid": unsaid - max(yes, no)}
    score = _bounded(span.score)
    if candidate.source == Source.LIST:
        single = next((s.score for s in reading.spans(1)), -_FAR)
        return found | {"list_score": score, "list_span": _bounded(single)}
    return found | {f"{kind}_score": score, f"{kind}_behind": min(_FAR, best - span.score)}


def _standing(read: Read, candidate: Candidate) -> tuple[int, Span] | None:
    """Where a label stands in what was read of its own passage, scored as a span; the likeliest place."""
    best: tuple[int, Span] | None = None
    scored, label = candidate.draft.evidence[0], candidate.draft.values[0].label if candidate.draft.values else ""
    for at, (view, reading) in enumerate(zip(read.views, read.readings, strict=True)):
        if view.passage.id != scored.passage.id:
            continue
        if candidate.draft.kind == "boolean" and scored.number in view.numbers:
            return at, Span(0, 0, 0.0)
        for match in re.finditer(re.escape(label), view.text) if label else ():
            span = reading.score(match.start(), match.end())
            if span is not None and (best is None or span.score > best[1].score):
                best = at, span
    return best


def everything(read: Read, ruled: Sequence[Candidate]) -> list[Candidate]:
    """All candidates of a question: whoever asks whether something is so is given no span."""
    asked = shape_of_question(read.asking.question.text)
    whether = asked["whether"] and not read.asking.question.options
    own = polar(read) if whether else spans(read) + lists(read) + options(read)
    if asked["reason"] or asked["means"]:
        own += units(read)
    kept = [c for c in ruled if not whether or c.draft.kind == "boolean" or c.draft.exact]
    return [*kept, *own]
