"""The most, the largest, the latest: the row, item or figure with the extreme value."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from kg.ask import words as w
from kg.ask.adjectives import compared
from kg.ask.comparisons import question_of_dates, wants_more
from kg.ask.drafts import Asking, Draft, Value, clip, covered, matched, sentence
from kg.ask.entities import EntityQuestion
from kg.ask.groups import Group, groups
from kg.ask.numbers import expected
from kg.ask.question import Question
from kg.ask.restraint import asked_noun
from kg.ask.retrieve import Scored
from kg.ask.spans import Number, Span, cells, dates, headed, names, numbers
from kg.ask.terms import bag
from kg.model import UnitKind
from kg.units import CURRENCY_SIGNS

_NONE = re.compile(r"\b(?:minimal|negligible|free|none|nothing)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|totals|totalling|totaling|altogether|overall|in all|sum)\b", re.IGNORECASE)
# "When was the Heron first flown?" asks for a date of the Heron, not for the first of several.
_ONCE = re.compile(r"^when\s+(?:was|were|did|is|does)\s+.+?(?<!\bthe)\s(?:first|last)\s+[a-z]+", re.IGNORECASE)
_ORDINALS = ("second", "third", "fourth", "fifth")
_SIZES = ("largest", "biggest", "greatest", "smallest")
_MONEY = frozenset(["cheapest", "costliest", "dearest", "expensive"])


@dataclass(frozen=True, slots=True)
class Ranked:
    """A member of a group with the value that it is ranked by."""

    value: float
    name: str
    shown: str
    number: int


class ExtremeQuestion:
    """A superlative over things that the documents state figures or dates of."""

    name = "extreme"

    def asks(self, question: Question) -> bool:
        """A superlative without alternatives to choose from, not within a name."""
        return _superlative(question) is not None and not question.options and not _ONCE.match(question.text)

    def read(self, asking: Asking) -> Draft | None:
        """What a unit calls the most; else the extreme member of the best table or list; else the extreme figure."""
        dated = question_of_dates(asking.question)
        said = (_said(asking) or (_dated_part(asking) if dated else None)) if nth(asking.question) == 1 else None
        if said is not None:
            return said
        for group in groups(asking.found.units, 14):
            if (draft := _of_group(asking, group)) is not None:
                return draft
        return _of_figures(asking) if nth(asking.question) == 1 else None


def nth(question: Question) -> int:
    """1 for the largest, 2 for the second largest, and so on."""
    found = re.search(rf"\b({'|'.join(_ORDINALS)})[\s-]+(?:{'|'.join(sorted(w.SUPERLATIVES))})\b", question.lower)
    return _ORDINALS.index(found[1]) + 2 if found else 1


def _superlative(question: Question) -> str | None:
    found = next((t.lower for t in question.tokens if t.lower in w.SUPERLATIVES), None)
    most = re.search(r"\b(?:most|least)\s+(?:many|of|people|all)\b", question.lower)
    return None if most else found


def _said(asking: Asking) -> Draft | None:
    """A unit among the best that uses the superlative itself of what is asked."""
    word = _superlative(asking.question)
    best = asking.found.best
    if word is None or best is None:
        return None
    for scored in asking.found.units[:5]:
        if scored.score < best.score - 0.15:
            break
        if (
            re.search(rf"\b{word}\b", scored.plain, re.IGNORECASE)
            and scored.own > 0.5
            and scored.unit.kind != UnitKind.ROW
        ):
            return EntityQuestion().read(
                asking.of((scored, *(u for u in asking.found.units if u.key != scored.key))[:1])
            )
    return None


def _dated_part(asking: Asking) -> Draft | None:
    """Of a best unit that dates several things in turn, the latest or earliest of them."""
    for scored in asking.found.units[:3]:
        parts = dated_parts(scored.plain)
        if len({p[0] for p in parts}) > 1 and scored.names > 0:
            _, part = (max if wants_more(asking.question) else min)(parts, key=lambda p: p[0])
            return Draft("extreme", sentence(part.text, scored.plain), (Value(part.text),), (scored,), 0.6)
    return None


def dated_parts(plain: str) -> list[tuple[str, Span]]:
    """Pieces of an enumeration that have a date each, with the day that bounds it."""
    found = []
    for match in re.finditer(r"[^,;:—]+", plain):
        stated = dates(match.group())
        text = match.group().strip()
        if len(stated) == 1 and len(text) > len(stated[0].text) + 3:
            found.append((stated[0].latest, Span(match.start(), match.end(), text)))
    return found


def _of_group(asking: Asking, group: Group) -> Draft | None:
    graded = w.SUPERLATIVES | frozenset(_ORDINALS)
    asked = tuple(t for t in asking.found.terms if t.word.token.lower not in graded)
    if covered(asked, " ".join((group.title, group.lead.plain, *group.passage.headings))) < 0.35:
        return None
    group = _of_names(asking, group)
    ranked = _by_date(asking, group) if question_of_dates(asking.question) else _by_number(asking, group)
    if asking.question.opening in ("who", "whom"):  # a year is nobody
        ranked = [r for r in ranked if re.match(r"\W*[^\W\d_]", r.name)]
    if len(ranked) < 2 or len({r.value for r in ranked}) < 2:
        return None
    values = sorted({r.value for r in ranked}, reverse=wants_more(asking.question))
    place = nth(asking.question)
    if place > len(values):
        return None
    extreme = values[place - 1]
    best = [r for r in ranked if r.value == extreme]
    name = ", ".join(dict.fromkeys(r.name for r in best))
    shown = best[0].shown
    label = f"{name} ({shown})" if shown and shown not in name else name
    evidence = tuple(group.scored(r.number) for r in best)
    rest = tuple(group.scored(r.number) for r in ranked if r not in best)
    names_ = tuple(r.name for r in best)
    if figure := _figure_of_first(asking, evidence[0].plain):
        label, names_ = figure, (figure,)
    text = sentence(label, evidence[0].plain)
    return Draft("extreme", text, tuple(map(Value, names_)), (*evidence, *rest), 0.6, members=len(ranked))


def _figure_of_first(asking: Asking, plain: str) -> str:
    """What "how much was the first …?" asks of the first: the one figure that it gives, of the measure asked for."""
    question = asking.question
    if not (question.opening.startswith("how ") and question_of_dates(question)):
        return ""
    measure = expected(question) or ("money" if question.opening == "how much" else "")
    found = [n for n in numbers(plain) if not measure or n.measure == measure]
    return found[0].text if len(found) == 1 else ""


def _of_names(asking: Asking, group: Group) -> Group:
    """The members that have the question's names, for each name that only some of them have."""
    numbers_ = group.numbers
    for name in asking.question.names:
        wanted = bag(name.text)
        having = tuple(n for n in numbers_ if wanted and wanted <= bag(group.passage.units[n].plain))
        numbers_ = having or numbers_
    return replace(group, numbers=numbers_) if len(numbers_) > 1 else group


def _by_date(asking: Asking, group: Group) -> list[Ranked]:
    found = []
    for number, unit in zip(group.numbers, group.units, strict=True):
        stated = dates(unit.plain)
        if stated:
            last = (
                max(stated, key=lambda d: d.latest)
                if wants_more(asking.question)
                else min(stated, key=lambda d: d.earliest)
            )
            day = float((last.latest if wants_more(asking.question) else last.earliest).replace("-", ""))
            found.append(Ranked(day, _name(asking, unit.plain), last.text, number))
    return found


def _by_number(asking: Asking, group: Group) -> list[Ranked]:
    measure = "money" if asking.question.has(*_MONEY) else expected(asking.question)
    if nth(asking.question) > 1 and measure == "duration":
        measure = ""  # "second" is a place here, not a unit
    found = []
    for number, unit in zip(group.numbers, group.units, strict=True):
        figure = _figure(asking, unit.plain, measure)
        if figure is not None:
            value, shown = figure
            found.append(Ranked(value, _name(asking, unit.plain), shown, number))
    found = found if len(found) > 1 else _by_only_column(asking, group) or _by_only_figure(asking, group)
    currencies = {sign for ranked in found for sign in ranked.shown if sign in CURRENCY_SIGNS}
    return found if len(currencies) < 2 else []  # amounts in different currencies have no order


def _by_only_column(asking: Asking, group: Group) -> list[Ranked]:
    """Rows ranked by the one column of counts that their table has, where only their size is asked for."""
    noun = asked_noun(asking.question)
    rows = [(n, u, cells(u.plain)) for n, u in zip(group.numbers, group.units, strict=True)]
    if noun is None or not asking.question.has(*_SIZES) or any(len(row) < 2 for _, _, row in rows):
        return []
    heads = [head for head, cell in rows[0][2][1:] if _count_of(cell) is not None]
    if len(heads) != 1 or noun.term not in bag(rows[0][2][0][0]):
        return []
    figures = [(n, u, _count_of(dict(row).get(heads[0]))) for n, u, row in rows]
    return [Ranked(f.high, _name(asking, u.plain), f.text, n) for n, u, f in figures if f is not None]


def _by_only_figure(asking: Asking, group: Group) -> list[Ranked]:
    """Members ranked by the one figure that each gives, if all of these are of one measure and their size is asked."""
    figures = [(n, u, numbers(u.plain)) for n, u in zip(group.numbers, group.units, strict=True)]
    measures = {f.measure for _, _, own in figures for f in own}
    single = all(len(own) == 1 for _, _, own in figures) and len(measures) == 1
    if not (single and measures.pop() and asking.question.has(*_SIZES)):
        return []
    return [Ranked(own[0].high, _name(asking, u.plain), own[0].text, n) for n, u, own in figures]


def _count_of(cell: Span | None) -> Number | None:
    """The number that a cell holds, and nothing else, if it is no measure."""
    found = numbers(cell.text) if cell is not None else ()
    return found[0] if cell is not None and found and found[0].text == cell.text and not found[0].measure else None


def _figure(asking: Asking, plain: str, measure: str) -> tuple[float, str] | None:
    """The figure of a member to rank by: of the measure wanted, in the column or next to the noun asked about."""
    best: tuple[float, float, str] | None = None
    if _TOTAL.search(plain):
        return None
    rest = tuple(t for t in asking.found.terms if t.word.token.lower not in w.SUPERLATIVES)
    graded = compared(t.lower for t in asking.question.tokens)
    nouns = graded[1] if graded else frozenset()
    for n in numbers(plain):
        label = next((h for h, c in cells(plain) if c.start <= n.start < c.end), "")
        fit = max(matched(rest, label), matched(rest, n.noun)) + _measure_fit(n, measure)
        fit += 1.5 if bag(label) & nouns else 0.0
        if best is None or fit > best[0]:
            best = (fit, n.high if wants_more(asking.question) else n.low, n.text)
    for label, cell in cells(plain):
        if _NONE.match(cell.text) and (measure == "money" or matched(rest, label) > 0.5):
            return 0.0, cell.text
    return (best[1], best[2]) if best and best[0] > 0 else None


def _measure_fit(number: Number, measure: str) -> float:
    if not measure:
        return 0.0
    return 1.0 if number.measure == measure else -1.0


def _name(asking: Asking, plain: str) -> str:
    """What a member is called: the cell under the head asked for, else its first cell, its head, or its names."""
    row = cells(plain)
    noun = asked_noun(asking.question)
    focus = asking.focus_terms() or tuple(t for t in asking.found.terms if noun and t.word.term == noun.term)
    if len(row) > 1:
        fitting = max(row, key=lambda c: matched(focus, c[0]))
        return fitting[1].text if matched(focus, fitting[0]) > 0.5 else row[0][1].text
    parted = headed(plain)
    if parted is not None:
        return parted[0].text
    found = names(plain)
    return found[0].text if found else clip(plain, 0, 60)


def _of_figures(asking: Asking) -> Draft | None:
    """The extreme of the figures that the best units give of one noun."""
    top: list[tuple[Scored, Number]] = [
        (s, n) for s in asking.found.units[:10] for n in numbers(s.plain) if n.noun and not n.measure
    ]
    nouns = Counter(next(iter(sorted(bag(n.noun.split(" ")[0]))), "") for _, n in top)
    rest = tuple(t for t in asking.found.terms if t.word.token.lower not in w.SUPERLATIVES)
    ranked = [(c * (0.5 + matched(rest, noun)), noun) for noun, c in nouns.items() if noun and c > 1]
    if question_of_dates(asking.question) or not ranked:
        return None
    noun = max(ranked)[1]
    figures = [(n.high, s, n) for s, n in top if noun in bag(n.noun.split(" ")[0])]
    pick = (max if wants_more(asking.question) else min)(figures, key=lambda f: (f[0], f[1].score))
    _, scored, number = pick
    figure = number.text if number.low == number.high else f"{number.high:,.10g}"
    value = f"{figure} {number.noun.split(' ')[0]}"
    return Draft("extreme", sentence(value, scored.plain), (Value(value),), (scored,), 0.4)
