"""What speaks for the parts of a form, as named features: an operator, a column in a role, a filter, a result.

No feature names a word by itself: words enter only crossed with operators, roles and heads, and how much each such
pair counts is learned (:mod:`training.algebra`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_

from kg.algebra.links import HeadLink, Kind, Link, Linked, Question, span_mask
from kg.algebra.source import Type
from kg.text.question_words import MEASURED, NEWER, OLDER, degrees, graded
from kg.text.tokens import stem
from kg.text.units import dimension, known

Features = dict[str, float]
_GRADED = frozenset(("greatest", "least", "greatest-n", "least-n", "commonest", "rarest"))
_ENDS = {1: "+", -1: "-", 0: "?"}
_BY_ORDER = frozenset(("first", "last", "next", "previous", "after", "before"))
# What "fast" and "slow" grade, and what measures more of it by more.
_PACE, _RATES = stem("speed"), frozenset(("speed", "data rate"))
_MORE = frozenset(("most", "more", "least", "less"))
_MEASURED = {stem(noun): dimension for noun, dimension in MEASURED.items()}
_ORDER_WORDS = 2  # words before a number or name that tell what it is for


def _bin(value: float, bounds: Sequence[float]) -> int:
    return sum(value >= bound for bound in bounds)


Grade = tuple[str, str, str, frozenset[str]]


def grades(question: Question) -> tuple[Grade, ...]:
    """Of each adjective in a higher grade its base, its end ("+" much, "-" little), "est" or "er", what it grades."""
    found: list[Grade] = []
    for text, after in pairwise([*(word.text for word in question.words), ""]):
        graded_ = graded(text)
        if graded_ is None:
            continue
        base, end, nouns = graded_[0], *degrees().get(graded_[0], (0, ()))
        if text in _MORE and after in degrees():  # "most expensive", "less old"
            base, nouns, end = after, degrees()[after][1], end * degrees()[after][0]
        found.append((base, _ENDS[end], graded_[1], frozenset(stem(n) for n in nouns)))
    return tuple(found)


class Asked:
    """A question on a table with all that features of its forms share, each computed once."""

    def __init__(
        self, question: Question, linked: Linked, links: Sequence[Link], likeness: Sequence[float] | None = None
    ) -> None:
        self.question, self.linked, self.links = question, linked, links
        self.heads: tuple[HeadLink, ...] = linked.head_links(question)
        self.likeness = likeness
        values = (link.mask for link in links if link.kind in (Kind.EXACT, Kind.NUMBER, Kind.DATE))
        said = (*(number.mask for number in question.named), *(1 << word for word, _ in question.places))
        self.named = reduce(or_, (*values, *said), 0)
        self.headed = reduce(or_, (head.words for head in self.heads), 0)

    # --- words -----------------------------------------------------------------------------------

    @cached_property
    def delexed(self) -> tuple[str, ...]:
        """The question's words with names of cells and numbers replaced by what they are."""
        found: list[str] = []
        exact = 0
        for link in self.links:
            if link.kind is Kind.EXACT and (link.last - link.first > 1 or not self.question.words[link.first].plain):
                exact |= link.mask
        numbers = {n: "<number>" for one in self.question.named for n in range(one.first, one.last)}
        for n, word in enumerate(self.question.words):
            if n in numbers:
                shown = "<number>"
            else:
                shown = "<cell>" if exact >> n & 1 and not self.headed >> n & 1 else word.stem
            if not (found and found[-1] == shown and shown.startswith("<")):
                found.append(shown)
        return tuple(found)

    @cached_property
    def grams(self) -> tuple[str, ...]:
        """Single words and pairs, and how the question begins."""
        words = self.delexed
        pairs = [f"{a}_{b}" for a, b in pairwise(words)]
        start = ["^" + "_".join(words[:2]), "^" + "_".join(words[:3])]
        return tuple(dict.fromkeys([*words, *pairs, *start]))

    @cached_property
    def start(self) -> str:
        """The words of asking at or near the beginning: "how_many", "which", "when"."""
        words = [w.text for w in self.question.words]
        for n, word in enumerate(words):
            if word in ("who", "whom", "whose", "when", "where", "which", "what", "how", "why"):
                return "_".join(words[n : n + 2]) if word == "how" else word
        return words[0] if words else ""

    @cached_property
    def asks_for(self) -> int:
        """The place of the word after the asking word: what is asked for; -1 without one."""
        for n, word in enumerate(self.question.words):
            if word.text in ("which", "what", "whose", "name", "list", "many", "much"):
                return n + 1 if n + 1 < len(self.question.words) else -1
        return -1

    @cached_property
    def plural(self) -> bool:
        """Whether what is asked for is several."""
        words = self.question.words
        near = words[self.asks_for : self.asks_for + 3] if self.asks_for >= 0 else ()
        return any(w.text.endswith("s") and not w.text.endswith("ss") and not w.plain for w in near)

    # --- parts -----------------------------------------------------------------------------------

    def operator(self, name: str) -> Features:
        """An operator or the shape of a whole form, crossed with the question's words."""
        found = {f"{name}": 1.0}
        for gram in self.grams:
            found[f"{name}&{gram}"] = 1.0
        if name in _GRADED:
            found |= {f"{name}:grade={sign}{grade}": 1.0 for _, sign, grade, _ in self.grades}
        if name in _BY_ORDER:
            found[f"{name}:{self.order}"] = 1.0
            for word in self.delexed:
                found[f"{name}:{self.order}&{word}"] = 1.0
        return found

    @cached_property
    def order(self) -> str:
        """How the first column of dates, else of numbers, is sorted: "up", "down", "mixed"; "" without one."""
        for wanted in (Type.DATE, Type.NUMBER):
            for column, about in enumerate(self.linked.table.columns):
                if about.type is wanted:
                    told = [v for v in self.linked.evaluator.values(column) if v is not None]
                    up = all(a <= b for a, b in pairwise(told))
                    down = all(a >= b for a, b in pairwise(told))
                    return f"{wanted}-{'up' if up else 'down' if down else 'mixed'}"
        return ""

    def shape(self, name: str) -> Features:
        """The shape of a whole form: crossed with single words and the beginning."""
        found = {f"S:{name}": 1.0, f"S:{name}&{self.start}": 1.0}
        for gram in self.delexed:
            found[f"S:{name}&{gram}"] = 1.0
        return found

    def column(self, role: str, number: int) -> Features:
        """A column in a role: how its head is named, what it holds, its head's words with the question's."""
        head, about = self.heads[number], self.linked.table.columns[number]
        share = _bin(head.share, (0.01, 0.5, 1.0))
        found = {
            f"{role}:type={about.type}": 1.0,
            f"{role}:named={share}": 1.0,
            f"{role}:type={about.type}&{self.start}": 1.0,
            f"{role}:at={min(number, 3)}": 1.0,
        }
        found |= self._asked_for(role, number)
        if role in ("greatest", "least"):
            found |= self._graded(role, number)
        if head.share and self.named & head.words == head.words:
            found[f"{role}:named-by-value"] = 1.0
        if self._different(number):
            found[f"{role}:different"] = 1.0
        if number == self.first_text:
            found[f"{role}:first-text"] = 1.0
        if self.likeness is not None:
            found[f"{role}:like"] = self.likeness[number]
            found[f"{role}:like={_bin(self.likeness[number], (0.15, 0.3, 0.45, 0.6))}"] = 1.0
            if self.likeness[number] == max(self.likeness):
                found[f"{role}:likest"] = 1.0
        for word in self.linked.heads[number][:4]:
            for gram in self.delexed:
                found[f"{role}:{word}&{gram}"] = 1.0
        return found

    @cached_property
    def grades(self) -> tuple[Grade, ...]:
        """The adjectives in a higher grade, each with its end, the grade and the stems of what it grades."""
        return grades(self.question)

    def _graded(self, role: str, number: int) -> Features:
        """Whether adjectives of the question grade what a column says, by its head or its unit: "tallest", metres."""
        found: Features = {}
        about, head = self.linked.table.columns[number], self.linked.heads[number]
        measure = dimension(about.unit).split()[0] if known(about.unit) else ""
        for base, sign, grade, nouns in self.grades:
            fits = not nouns.isdisjoint(head) or measure in {_MEASURED[n] for n in nouns if n in _MEASURED}
            found[f"{role}:grade={sign}{grade}:fits={fits}"] = 1.0
            found[f"{role}:{about.type}:base={base}"] = 1.0
        return found

    def against(self, column: int, top: bool) -> bool:
        """Whether an end of a column is not the one asked for: the fastest has most MB/s, and takes the least time.

        The oldest has the earliest date, and no greatest price.
        """
        columns = self.linked.table.columns
        type_, unit = columns[column].type, columns[column].unit
        old = {base in OLDER for base, *_ in self.grades if base in OLDER | NEWER}
        if len(old) == 1 and type_ is Type.DATE:
            return top in old
        if old and any(one.type is Type.DATE for one in columns):
            return not (known(unit) and dimension(unit) == "time")
        much = [sign == "+" for _, sign, _, nouns in self.grades if _PACE in nouns and sign != "?"]
        if len(much) != 1 or not known(unit):
            return False
        measure = dimension(unit)
        return top == much[0] if measure == "time" else measure in _RATES and top != much[0]

    def _asked_for(self, role: str, number: int) -> Features:
        """Whether what is asked for names the column, and what it is if not."""
        if self.asks_for < 0:
            return {}
        named = self.heads[number].words
        type_, word = self.linked.table.columns[number].type, self.question.words[self.asks_for].stem
        found = {f"{role}:type={type_}&asks={word}": 1.0}
        if named >> self.asks_for & 1:
            found[f"{role}:asked"] = 1.0
        elif named >> (self.asks_for + 1) & 1:
            found[f"{role}:asked2"] = 1.0
        return found

    @cached_property
    def first_text(self) -> int:
        """The first column of names."""
        return next((n for n, c in enumerate(self.linked.table.columns) if c.type is Type.TEXT), -1)

    def _different(self, column: int) -> bool:
        groups = self.linked.evaluator.groups(column)
        return len(groups) >= 0.95 * self.linked.table.size

    def filter(self, link: Link) -> Features:
        """A filter: how it was found, the words before and after it, whether its column is named beside it."""
        column, test = link.where.column, link.where.test
        about, kind = self.linked.table.columns[column], f"{link.kind}{test if link.kind is Kind.BOUND else ''}"
        share = link.rows.bit_count() / max(1, self.linked.table.size)
        found = {
            f"F:{kind}": 1.0,
            f"F:{kind}:length={min(link.last - link.first, 4)}": 1.0,
            f"F:{kind}:rows={_bin(share, (0.1, 0.3, 0.6, 0.99))}": 1.0,
            f"F:{kind}:type={about.type}": 1.0,
            f"F:{link.kind}:at={min(column, 2)}": 1.0,
            f"F:{link.kind}:rivals={min(self._rivals(link), 3)}": 1.0,
            f"F:{link.kind}:named={_bin(self.heads[column].share, (0.01, 0.5, 1.0))}": 1.0,
        }
        if link.loose:
            found[f"F:{link.kind}:loose"] = 1.0
        if self._overlong(link):
            found[f"F:{link.kind}:shorter"] = 1.0
        if self._beside(link):
            found[f"F:{link.kind}:beside"] = 1.0
        if link.mask & self.headed & ~self.heads[column].words:
            found[f"F:{link.kind}:names-head"] = 1.0
        if self.likeness is not None:
            found[f"F:{link.kind}:like"] = self.likeness[column]
        for word in self._before(link):
            found[f"F:{kind}<{word}"] = 1.0
            found[f"F:{link.kind}:{about.type}<{word}"] = 1.0
        after = self.question.words[link.last].stem if link.last < len(self.question.words) else "$"
        found[f"F:{kind}>{after}"] = 1.0
        for word in self.linked.heads[column][:3]:
            found[f"F:{word}>{after}"] = 1.0
            for before in self._before(link):
                found[f"F:{word}<{before}"] = 1.0
        return found

    def _before(self, link: Link) -> list[str]:
        low = max(0, link.first - _ORDER_WORDS)
        words = [w.stem for w in self.question.words[low : link.first]] or ["^"]
        return [words[-1], "_".join(words)] if len(words) > 1 else words

    def _rivals(self, link: Link) -> int:
        return len({o.where.column for o in self.links if o.mask == link.mask and o.kind is link.kind}) - 1

    def _overlong(self, link: Link) -> bool:
        return any(o.mask & link.mask == link.mask and o.mask != link.mask for o in self.links)

    def _beside(self, link: Link) -> bool:
        """Whether the column's head stands within three words of the filter's."""
        near = span_mask(max(0, link.first - 3), link.last + 3) & ~link.mask
        return bool(self.heads[link.where.column].words & near)

    def pair(self, name: str, one: Link, two: Link) -> Features:
        """Two filters joined: the word between them, and whether they are of one column."""
        first, second = (one, two) if one.first <= two.first else (two, one)
        between = [w.stem for w in self.question.words[first.last : second.first]]
        words = "_".join(between) if len(between) <= 2 else "..."
        same = one.where.column == two.where.column
        return {
            f"{name}:same={same}": 1.0,
            f"{name}:kinds={one.kind},{two.kind}": 1.0,
            f"{name}:between={words}": 1.0,
        }

    def outcome(self, shape: str, kind: str, size: int, covered: int, echo: bool, clash: str) -> Features:
        """A result: its kind and size, which of the question's words the form accounts for."""
        left = self.question.content & ~covered
        values_left = (self.named & ~covered).bit_count()
        heads_left = (self.headed & ~covered & ~self.named).bit_count()
        family = shape.partition("(")[0]
        many = _bin(size, (1, 2, 3, 6))
        return {
            f"O:kind={kind}&{self.start}": 1.0,
            f"O:size={many}&plural={self.plural}": 1.0,
            f"O:{family}:size={many}": 1.0,
            f"O:left={min(left.bit_count(), 8)}": 1.0,
            "O:left-share": left.bit_count() / max(1, self.question.content.bit_count()),
            f"O:values-left={min(values_left, 4)}": 1.0,
            f"O:heads-left={min(heads_left, 4)}": 1.0,
            f"O:{family}:echo={echo}": 1.0,
            f"O:echo={echo}&or={'or' in self.delexed}": 1.0,
            f"O:clash={clash}": 1.0,
        }
