"""Two things compared: the figure or date of each is read by itself, and the two are held against one another.

"Which is wider, Titan or Ganymede?" is seldom answered by one sentence. Each is asked for alone ("How wide is Titan?"),
what is read for it is taken as a quantity or a date, and the end that the question speaks of is given with both quoted.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from kg.ask.alternatives import ARTICLES, is_graded
from kg.ask.candidates import Candidate, Look, Read, Source, spans
from kg.ask.drafts import Asking, Draft, Value
from kg.ask.question import Question
from kg.ask.retrieve import Scored
from kg.reading import bounded
from kg.text import dates, quantities, units
from kg.text import terms as w
from kg.text.question_words import MEASURED, NEWER, OLDER, degrees, graded
from kg.text.spans import cells
from kg.text.terms import bag, tokens

# --- What is asked for each of them

_WHICH = re.compile(r"\b(?:which|what|who|whose|whom)(?:\s+(?:one|of\s+(?:them|the\s+two|these|those|both)))?\b", re.I)
_LED = re.compile(r"(is|are|was|were|do|does|did)\b\s*(?:(?:the|an?)\b)?\s*(.*)", re.IGNORECASE)
_KIND = re.compile(r"^[\w-]+(?:\s[\w-]+)?\s+(?=(?:is|are|was|were)\b)", re.IGNORECASE)  # "boat is" older
_SEVERAL = re.compile(r"\w{2,}[^s'’u]s|people|children|men|women")
_HELPED = re.compile(r"^(?:do|does|did|is|are|was|were)\s+(?=\S)", re.IGNORECASE)
_PHYSICAL = frozenset(MEASURED.values()) | {"power", "data", "frequency"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two things compared by what they have of something, or by when they were.

    ``amount`` and ``time``: the end that is asked for (1 the greater or later), 0 of neither; ``nouns``: what the
    adjective grades; ``words``: the question's, as written and in normal forms; ``asks``: what is asked for each.
    """

    options: tuple[str, str]
    amount: int
    time: int
    nouns: tuple[str, ...]
    words: frozenset[str]
    asks: tuple[str, ...]

    def questions(self, option: str) -> tuple[str, ...]:
        """What is asked for one of the two."""
        return tuple(ask.replace("{}", option) for ask in self.asks)

    @property
    def dimensions(self) -> frozenset[str]:
        """What it is measured in, as far as that is known: by what the question says, else by its adjective."""
        said = frozenset(MEASURED[word] for word in self.words if word in MEASURED)
        return said or frozenset(MEASURED[noun] for noun in self.nouns if noun in MEASURED)

    def measured_in(self, kind: str) -> bool:
        """Whether a date, a dimension or a bare number ("") may be what is compared; an age is no bare number."""
        if kind == "date":
            return bool(self.time)
        if not self.amount or (not kind and "age" in self.nouns):
            return False
        return not self.dimensions or kind in self.dimensions or kind not in _PHYSICAL


def comparison(question: Question) -> Comparison | None:
    """The comparison of two things that a question asks for, if it does."""
    two = question.parted
    if two is None:
        return None
    rest = _plain(_WHICH.sub(" ", two.around))
    words = tokens(rest)
    at = next((n for n, t in enumerate(words) if is_graded(t)), None)
    if at is None:
        return None
    base, _ = graded(words[at].lower) or ("", "")
    sign, nouns = degrees()[base]
    last, how = at + 1, base
    following = words[last].lower if last < len(words) else ""
    if base in ("many", "few"):
        how, nouns = "many" if _SEVERAL.fullmatch(following) else "much", ()
        if following in degrees() or following == "often" or following.endswith("ly"):
            end, nouns = degrees().get(following, (1, ()))
            sign, how, last = sign * end, following, last + 1
    time = -1 if base in OLDER else 1 if base in NEWER else 0
    before, after = rest[: words[at].start].strip(), rest[words[last - 1].end :].strip()
    before = _KIND.sub("", before) if time and question.opening in ("which", "what") else before
    said = bag(rest) | {t.lower for t in words}
    asks = [] if base in _ONLY_TIME else [_how(how, before, after)]
    asks += [_when(before, after, question.opening)] if time else []
    return Comparison(two.options, 0 if base in _ONLY_TIME else sign, time, nouns, said, tuple(asks))


_ONLY_TIME = ("early", "first", "initial", "soon", "late", "last", "final", "recent")


def _how(how: str, before: str, after: str) -> str:
    """ "How wide is {}?" of "is wider", "How much ground covers {}?" of "covers more ground"."""
    if how in ("many", "much"):
        return f"How {how} {_plain(after + ' ' + _HELPED.sub('', before + ' '))} {{}}?"
    return _about(f"How {how}", _plain(f"{before} {after}"))


def _when(before: str, after: str, opening: str) -> str:
    """ "When opened {}?" of "opened first"."""
    kept = _plain(f"{before} {after}")
    if not {t.lower for t in tokens(kept)} - w.AUXILIARIES - ARTICLES - {"came", "come"}:
        return "When was {} born?" if opening == "who" else "When was {} made?"
    return _about("When", kept)


def _about(asked: str, kept: str) -> str:
    """ "When was {} built?" of "was built"; "When opened {}?" of "opened"."""
    led = _LED.fullmatch(kept)
    return f"{asked} {_plain(f'{led[1].casefold()} {{}} {led[2]}' if led else f'{kept} {{}}')}?"


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[:,;?–—]|\s-\s|\b(?:the|an?)\s*$", " ", text).split())


# --- What is read for each, and held against the other

_READ = 12  # values of each thing, the likeliest
# In log-odds, what it is worth that a column's head or a value's unit fits what is asked, and what it costs a value to
# stand in another cell than the one read.
_HEADED, _BESIDE = 3.0, 4.0
_LEAST_NAMED = 0.5  # how much of a thing's name a unit has to have (:func:`_named`)


@dataclass(frozen=True, slots=True)
class Measured:
    """A value as stated, and its bounds. ``unit``: a QUDT local name, :data:`_DAYS` of a date, "" of a bare number."""

    stated: str
    low: Decimal
    high: Decimal
    unit: str = ""

    @property
    def kind(self) -> str:
        """What it measures: "date", a dimension, or "" for a bare number."""
        return "date" if self.unit == _DAYS else units.dimension(self.unit) if self.unit else ""

    def before(self, other: Measured) -> bool | None:
        """Whether it lies wholly below another of its kind; None where neither lies wholly below the other."""
        low, high = other.low, other.high
        if self.unit != other.unit:
            low, high = (units.convert(x, other.unit, self.unit) for x in (low, high))
        return True if self.high < low else False if high < self.low else None


_DAYS = "days of the calendar"


@dataclass(frozen=True, slots=True)
class Told:
    """A value read for one of the two things. ``head``: of its column; ``named``: how far its unit names the thing."""

    measured: Measured
    head: str
    scored: Scored
    score: float
    named: float


def compared_by_reading(asking: Asking, look: Look) -> list[Candidate]:
    """Which of two things has more of something, or came first, by what ``look`` reads for each; one answer at most."""
    meant = comparison(asking.question)
    if meant is None:
        return []
    told = [
        [one for ask in meant.questions(option) for one in _told(meant, asking.about(ask), look, option)]
        for option in meant.options
    ]
    pairs = [pair for pair in itertools.product(*told) if _comparable(*pair)]
    best = max(pairs, key=lambda pair: _worth(meant, *pair), default=None)
    return _held(meant, *best) if best is not None else []


def _worth(meant: Comparison, one: Told, two: Told) -> float:
    """How likely two values are those that are asked for: how surely they were read, how far each fits, and both."""
    fit = sum(_fits(meant, told.head, told.measured) for told in (one, two)) - (one.head != two.head)
    return one.score + two.score + _HEADED * fit


def _fits(meant: Comparison, head: str, measured: Measured) -> int:
    """How far a value is of what is compared: by its column's head, and by what it measures."""
    wanted = meant.words | bag(" ".join(meant.nouns))
    return bool(bag(head) & wanted) + (measured.kind in meant.dimensions)


def _told(meant: Comparison, asking: Asking, look: Look, option: str) -> list[Told]:
    """The values that are read for one of the things, or stand in a fitting column of its row; the likeliest first."""
    read = look(asking)
    found: list[Told] = []
    for candidate in sorted(spans(read), key=lambda c: c.score, reverse=True):
        scored = candidate.draft.evidence[0]
        if candidate.place is None:
            continue
        at, span = candidate.place
        shown = read.views[at]
        named = _named(asking, scored, shown.text.partition("\n")[0], option)
        if named < _LEAST_NAMED:
            continue
        begins = shown.start_of(scored.number)
        for head, value, beside in _measured_at(meant, scored.plain, span.start - begins, span.end - begins):
            found.append(Told(value, head, scored, bounded(candidate.score) - _BESIDE * beside, named))
    found += _in_rows(meant, asking, read, option)
    return sorted(found, key=lambda one: -one.score)[:_READ]


def _in_rows(meant: Comparison, asking: Asking, read: Read, option: str) -> Iterator[Told]:
    """The values of fitting columns in the rows that name a thing, wherever the reader looked in them."""
    for view in read.views:
        for scored in (read.scored(view, number) for number in view.numbers):
            if scored is not None and cells(scored.plain) and _named(asking, scored, "", option) == 1:
                for head, value, _ in _measured_at(meant, scored.plain, cells(scored.plain)[0][1].start, 0):
                    if _fits(meant, head, value):
                        yield Told(value, head, scored, 0.0, 1.0)


def _named(asking: Asking, scored: Scored, above: str, option: str) -> float:
    """How much of a thing's name a unit has, with its headings; half as much counts what stands before it or above."""
    wanted, own = bag(option), asking.retriever.context_words(scored)
    near = own | bag(above)
    if scored.number:
        near |= bag(scored.passage.units[scored.number - 1].plain)
    return (len(wanted & own) + len(wanted & near)) / max(1, 2 * len(wanted))


def _as_year(measured: Measured) -> Measured:
    """A bare number of a cell as the year that it is written as, where it is."""
    if measured.unit or not re.fullmatch(r"\d{4}", measured.stated) or not 1000 <= measured.low <= 2100:
        return measured
    return Measured(measured.stated, _day(f"{measured.stated}-01-01"), _day(f"{measured.stated}-12-31"), _DAYS)


def _measured_at(meant: Comparison, plain: str, start: int, end: int) -> Iterator[tuple[str, Measured, bool]]:
    """The values of a row with the heads of their cells, and whether these are beside the one that ``start`` stands in.

    Of what is no row, the values that ``[start, end)`` touches. A reader of rows often has the right one and the wrong
    cell.
    """
    row = cells(plain)
    if any(cell.start <= start < cell.end for _, cell in row):
        for head, cell in row:
            for _, _, one in values(cell.text, units.unit_in_head(head)[0]):
                value = _as_year(one) if meant.time else one
                if meant.measured_in(value.kind):
                    yield head, value, not cell.start <= start < cell.end
    else:
        touched = (one for first, last, one in values(plain) if first < end and start < last)
        yield from (("", one, False) for one in touched if meant.measured_in(one.kind))


def values(text: str, unit: str | None = None) -> Iterator[tuple[int, int, Measured]]:
    """The dates and quantities of a text with where they stand. ``unit``: of what has none, by its column's head."""
    for told in dates.find(text):
        if told.value.earliest:
            last = told.value.latest or told.value.earliest
            yield told.start, told.end, Measured(told.value.stated, _day(told.value.earliest), _day(last), _DAYS)
    for found in quantities.find(text):
        quantity = found.value
        low, high = (quantity.value if x is None else x for x in (quantity.lower, quantity.upper))
        measured = Measured(text[found.start : found.end], low, high, quantity.unit or unit or "")
        yield found.start, found.end, measured


def _day(iso: str) -> Decimal:
    """Days as they follow one another, from an ISO day."""
    return Decimal(date.fromisoformat(iso).toordinal())


def _comparable(one: Told, two: Told) -> bool:
    """Whether two values measure the same, in columns of one head where both stand in columns; no value is both."""
    if (one.scored.key, one.measured) == (two.scored.key, two.measured):
        return False
    mine, theirs = one.measured.unit, two.measured.unit
    same = mine == theirs or bool(mine and theirs and _DAYS not in (mine, theirs) and units.convertible(theirs, mine))
    return same and (one.head == two.head or not one.head or not two.head)


def _held(meant: Comparison, one: Told, two: Told) -> list[Candidate]:
    """The thing at the end that is asked for; none where the likeliest values don't tell the two apart."""
    below = one.measured.before(two.measured)
    if below is None:
        return []
    sign = meant.time if one.measured.unit == _DAYS else meant.amount
    order = (1, 0) if below == (sign > 0) else (0, 1)
    (label, winner), (less, other) = ((meant.options[n], (one, two)[n]) for n in order)
    evidence = tuple(dict.fromkeys((winner.scored, other.scored)))
    text = f"{label} ({winner.measured.stated}; {less}: {other.measured.stated})"
    draft = Draft("comparison", text, (Value(label, tuple(range(len(evidence)))),), evidence, 1.0)
    return [Candidate(draft, Source.COMPARED, signs=_signs(one, two))]


def _signs(one: Told, two: Told) -> dict[str, float]:
    least, most = sorted((one.score, two.score))
    return {
        "compared_least": least, "compared_most": most,
        "compared_named": one.named * two.named, "compared_heads": float(bool(one.head) and one.head == two.head),
        "compared_dates": float(one.measured.unit == _DAYS), "compared_measured": float(bool(one.measured.unit)),
        "compared_beside": float(one.scored.key == two.scored.key),
    }  # fmt: skip
