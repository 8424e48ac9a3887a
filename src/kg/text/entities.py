"""Names of things, by capitals and shape and by what is known, without a model.

Known names (an ontology's individuals) come first, then runs of capitalised words and codes. A capital at the start of
a sentence proves nothing: such a word counts only within a longer name, as a code or acronym, or if the document
writes it with a capital elsewhere too (:class:`Casing`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kg.model import Mark, MarkKind
from kg.ontology import Ontology
from kg.text import dates, masks, quantities
from kg.text.gazetteer import (
    NOT_NAMES,
    NOTHING,
    OF_HEADS,
    ORGANISATION_ENDS,
    PARTICLES,
    PERSON_AFTER,
    PLACE_ENDS,
    ROLE_BEFORE,
    ROLES,
    SECTION_WORDS,
    TITLES,
    Casing,
    Gazetteer,
    Word,
    gazetteer_of,
    words_of,
)
from kg.text.nouns import noun_after
from kg.text.stretch import Found
from kg.text.units import find_unit
from kg.text.words import word_set

# --- Names with "and" in them ("Brandt and Sons"): what follows "and" or a name pattern tells

# After "and" these name no one by themselves.
_HELD = word_set(
    "sons son brothers brother bros bros. daughters daughter sisters sister co co. company partners associates cie "
    "nephews"
)
# Before a noun that stands once, they are of it both ("Central and Eastern Europe").
_SIDES = word_set(
    "north northern south southern east eastern west western central upper lower inner outer middle northeastern "
    "northwestern southeastern southwestern early late old new"
)
_COMPANY_FORMS = word_set("ltd inc llc llp plc gmbh co corp limited")
_JOINT = re.compile(r"\s+(?:and|&)\s+")


def holds_together(left: str, joiner: str, right: str, patterns: Iterable[re.Pattern[str]] = ()) -> bool:
    """Whether two names and the joiner between them are one name.

    A pattern must cover the joiner: one that fits the right side alone proves nothing.

    >>> holds_together("Brandt", " and ", "Sons"), holds_together("Ada Wren", " and ", "Bo Lind")
    (True, False)
    """
    if not _JOINT.fullmatch(joiner) or not left[:1].isupper() or not right[:1].isupper():
        return False
    words = right.split()
    if (
        words
        and words[0].rstrip(",").casefold() in _HELD
        and (len(words) == 1 or words[1].rstrip(".,").casefold() in _COMPANY_FORMS)
    ):
        return True
    if len(words) > 1 and left.casefold() in _SIDES and words[0].casefold() in _SIDES:
        return True
    whole = f"{left}{joiner}{right}"
    return any(m.span() == (0, len(whole)) for p in patterns if not p.search(right) for m in p.finditer(whole))


Kind = Literal["person", "organisation", "place", "product", "title", ""]

_QUOTED = re.compile(r"[“\"]([^“”\"\n]{3,120})[”\"]")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.:/+-]*(?:\(\))?")
_NUMBER = re.compile(r"v?\d{1,3}(?:\.\d+)?[a-z]?")


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name as written. ``classes``: IRIs that the ontology vouches for; ``kind``: a coarse guess from the shape."""

    surface: str
    classes: tuple[str, ...] = ()
    kind: Kind = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """Words ``first`` to ``last`` (exclusive) that make one name, if classes are known."""

    first: int
    last: int
    classes: tuple[str, ...] = ()
    known: bool = False


def find(
    text: str,
    known: Ontology | Gazetteer | None = None,
    marks: Sequence[Mark] = (),
    casing: Casing | None = None,
) -> tuple[Found[EntityMention], ...]:
    """Names left to right, never overlapping; ``text[start:end] == value.surface``. ``marks``: the text's markup."""
    gazetteer = gazetteer_of(known) if isinstance(known, Ontology) else known or NOTHING
    titles = tuple(_titles(text, gazetteer))
    code = tuple(_code(text, marks, gazetteer))
    hidden = masks.opaque(text) + tuple((f.start, f.end) for f in (*titles, *code))
    hidden += tuple((m.start, m.end) for m in marks if m.kind is MarkKind.CODE)
    hidden += tuple((d.start, d.end) for d in dates.find(text))
    hidden += tuple((q.start, q.end) for q in quantities.find(text) if q.value.unit)
    taken = masks.joined(hidden)
    words = [w for w in words_of(text) if not masks.covered(taken, w.start, w.end)]
    bold = frozenset(_bold(text, marks))
    edges = frozenset(m.end for m in marks if m.kind is MarkKind.STRONG and m.start in bold)
    shaped = _Shapes(text, tuple(words), casing or Casing.of([text]), bold, edges)
    runs = _joined(shaped, _merged(shaped, gazetteer), gazetteer)
    found = [_mention(text, words, run, gazetteer) for run in runs]
    return tuple(sorted([*found, *titles, *code], key=lambda f: f.start))


def _bold(text: str, marks: Sequence[Mark]) -> Iterator[int]:
    """Where a bold name begins: every word capitalised, and no label before a colon."""
    for mark in marks:
        inner = [w.text for w in words_of(text[mark.start : mark.end])]
        label = text[mark.start : mark.end + 1].rstrip().endswith(":")
        if mark.kind is MarkKind.STRONG and not label and all(not w.islower() for w in inner):
            yield mark.start


def _mention(text: str, words: Sequence[Word], run: _Run, gazetteer: Gazetteer) -> Found[EntityMention]:
    start, end = words[run.first].start, words[run.last - 1].end
    surface = text[start:end]
    classes = run.classes or gazetteer.classes(surface)
    return Found(start, end, EntityMention(surface, classes, _kind(text, start, end), run.known))


def _code(text: str, marks: Sequence[Mark], gazetteer: Gazetteer) -> Iterator[Found[EntityMention]]:
    """Identifiers in code marks: names as they stand."""
    for mark in marks:
        surface = text[mark.start : mark.end]
        if mark.kind is MarkKind.CODE and _IDENTIFIER.fullmatch(surface):
            yield Found(mark.start, mark.end, EntityMention(surface, gazetteer.classes(surface), "product"))


def _titles(text: str, gazetteer: Gazetteer) -> Iterator[Found[EntityMention]]:
    """Titles of works in quotation marks: most words capitalised, no sentence."""
    for quoted in _QUOTED.finditer(text):
        inner = quoted[1].rstrip(",.")
        words = [w.text for w in words_of(inner)]
        main = [w for w in words if w.casefold() not in NOT_NAMES]
        capitals = [w for w in main if w[0].isupper() or w[0].isdigit()]
        named = len(words) == 1 and len(inner) > 2 and inner.casefold() not in NOT_NAMES
        if (named or len(main) > 1) and inner[0].isupper() and len(capitals) >= 0.75 * len(main) and len(words) <= 16:
            start = quoted.start(1)
            classes = gazetteer.classes(inner)
            yield Found(start, start + len(inner), EntityMention(inner, classes, "title" if len(words) > 1 else ""))


# --- runs of name words ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Shapes:
    """A text's words, judged by shape."""

    text: str
    words: tuple[Word, ...]
    casing: Casing
    bold: frozenset[int]
    edges: frozenset[int] = frozenset()

    def gap(self, place: int) -> str:
        """What stands between this word and the next."""
        if place + 1 >= len(self.words):
            return "\n"
        return self.text[self.words[place].end : self.words[place + 1].start]

    @cached_property
    def title_case(self) -> bool:
        """Whether the text is set like a heading, so that capitals say little."""
        plain = [w.text for w in self.words if len(w.text) > 3 and w.text.isalpha() and not self.coded(w.text)]
        heading = len(self.words) > 1 and not self.text.rstrip().endswith(".") and not self.text[:1].isdigit()
        return heading and bool(plain) and all(w[0].isupper() for w in plain)

    def coded(self, word: str) -> bool:
        """Whether a word's own shape makes it a name: ``GPT-3``, ``A100``, ``PyTorch``, ``NATO``."""
        letters = [c for c in word if c.isalpha()]
        if not letters or re.fullmatch(r"\d+(?:st|nd|rd|th|s|[a-z]+)?(?:-[a-z]+)*", word):
            return False
        if not any(c.isupper() for c in letters):
            return False
        if any(c.islower() for c in letters) and len(word) < 6 and find_unit(word):
            return False  # kWh, GHz
        if word[0].isdigit():
            return not re.fullmatch(r"[\d.]+[A-Z]{1,2}s?(?:-.*)?", word)
        return any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:])

    def name_word(self, place: int) -> bool:
        """Whether the word may stand in a name."""
        word = self.words[place].text
        lower = word.casefold().replace("’", "'")
        if lower in NOT_NAMES or re.search(r"'(?:ve|re|ll|d|m|t)$", lower):
            return False
        if (lower in TITLES and not word.isupper()) or lower in ROLES:
            return False
        if self.coded(word):
            return True
        return word[0].isupper() and not (self.title_case and lower in self.casing.common)

    def runs(self) -> list[_Run]:
        """Longest stretches of name words, split at punctuation, possessives and small words."""
        runs: list[_Run] = []
        place = 0
        while place < len(self.words):
            if not self.name_word(place):
                place += 1
                continue
            last = place + 1
            while (after := self._goes_on(place, last)) > last:
                last = after
            runs += self._trimmed(place, last)
            place = last
        return runs

    def _goes_on(self, first: int, last: int) -> int:
        """Where the run goes on to, if the next words belong to it."""
        gap = self.gap(last - 1)
        if last >= len(self.words) or gap not in (" ", "\u00a0", " & ") or self.words[last - 1].end in self.edges:
            return last
        word = self.words[last].text
        if self.name_word(last):
            return last + 1
        if _NUMBER.fullmatch(word):
            noun = None if word.startswith("v") else noun_after(self.text, self.words[last].end)
            counted = noun is not None and noun.plural
            return last if counted or not self.words[last - 1].text[0].isupper() else last + 1
        if last + 1 >= len(self.words) or self.gap(last) != " ":
            return last
        if word in PARTICLES and self.words[last + 1].text[0].isupper():
            return last + 2
        if word == "of" and self.words[last - 1].text.casefold() in OF_HEADS:
            skip = last + 2 if self.words[last + 1].text in ("the", "The") else last + 1
            return skip + 1 if skip < len(self.words) and self.name_word(skip) else last
        return last

    def _trimmed(self, first: int, last: int) -> list[_Run]:
        """The run without a capital that only the sentence's start gave, and without section words."""
        word = self.words[first]
        opens = masks.starts_sentence(self.text, word.start) and word.start not in self.bold
        lower = word.text.casefold()
        if opens and not self.coded(word.text):
            alone = last - first == 1
            common = lower in self.casing.common and (alone or lower not in self.casing.proper)
            if (alone and lower not in self.casing.proper) or common or self._verb_before(first, last):
                first += 1
        while first < last and self.words[first].text.casefold() in SECTION_WORDS:
            first += 1
        single = last - first == 1 and len(self.words[first].text) == 1
        if first >= last or single or all(_NUMBER.fullmatch(self.words[i].text) for i in range(first, last)):
            return []
        if self.title_case and not self._vouched(first, last):
            return []
        return [_Run(first, last)]

    def _vouched(self, first: int, last: int) -> bool:
        """Whether a run of a heading is a name: a word of it is one elsewhere, or nothing in it is a section word."""
        run = [w.text for w in self.words[first:last]]
        if any(self.coded(w) or w.casefold() in self.casing.proper for w in run):
            return True
        return len(run) > 1 and not any(w.casefold() in SECTION_WORDS for w in run)

    def _verb_before(self, first: int, last: int) -> bool:
        """Whether a verb with a sentence's capital opens the run: ``Training GPT-4``; not ``Jared Kaplan``."""
        lower = self.words[first].text.casefold()
        if last - first < 2 or lower in self.casing.proper:
            return False
        if lower.endswith("ing"):
            return lower not in _NAMES_IN_ING
        return lower.endswith("ed") and self.coded(self.words[first + 1].text)


_NAMES_IN_ING = frozenset(
    {"king", "irving", "sterling", "beijing", "harding", "fleming", "rowling", "manning", "boeing"}
)


def _merged(shapes: _Shapes, gazetteer: Gazetteer) -> list[_Run]:
    """Runs with the known names in them: a run that known names fill splits into them, else the longer name stands."""
    hits: list[_Run] = []
    place = 0
    while place < len(shapes.words):
        hit = gazetteer.at(shapes.text, shapes.words, place)
        if hit:
            hits.append(_Run(place, place + hit[0], hit[1], True))
        place += hit[0] if hit else 1
    result: list[_Run] = []
    for run in shapes.runs():
        inside = [h for h in hits if h.first < run.last and run.first < h.last]
        covered = {i for h in inside for i in range(h.first, h.last)}
        if not inside:
            result.append(run)
        elif (rest := set(range(run.first, run.last)) - covered) and (
            _is_patterned(shapes, run, gazetteer) or not _plain_rest(shapes, run, covered)
        ):
            hits = [h for h in hits if h not in inside]
            versions = len(inside) > 1 and all(_VERSION.fullmatch(shapes.words[i].text) for i in rest)
            result += [_with_version(shapes, h) for h in inside] if versions else [run]
    return sorted([*result, *hits], key=lambda r: r.first)


def _is_patterned(shapes: _Shapes, run: _Run, gazetteer: Gazetteer) -> bool:
    """Whether a name pattern ends where a run of a sentence does ("Corran Research", of which Corran is known)."""
    if shapes.title_case:
        return False
    name = shapes.text[shapes.words[run.first].start : shapes.words[run.last - 1].end]
    return any(found.end() == len(name) for pattern, _ in gazetteer.patterns for found in pattern.finditer(name))


def _joined(shapes: _Shapes, runs: list[_Run], gazetteer: Gazetteer) -> list[_Run]:
    """Runs with those taken together that "and" holds in one name ("Brandt and Sons")."""
    words, patterns = shapes.words, tuple(p for p, _ in gazetteer.patterns)
    result: list[_Run] = []
    for run in runs:
        before = result[-1] if result else run
        start, left = words[before.first].start, words[before.last - 1].end
        right, end = words[run.first].start, words[run.last - 1].end
        if result and holds_together(
            shapes.text[start:left], shapes.text[left:right], shapes.text[right:end], patterns
        ):
            result[-1] = _Run(before.first, run.last)
        else:
            result.append(run)
    return result


_VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]?", re.IGNORECASE)


def _with_version(shapes: _Shapes, hit: _Run) -> _Run:
    """A known name with the version that follows it."""
    last = hit.last
    while last < len(shapes.words) and shapes.gap(last - 1) == " " and _VERSION.fullmatch(shapes.words[last].text):
        last += 1
    return _Run(hit.first, last, hit.classes, hit.known)


def _plain_rest(shapes: _Shapes, run: _Run, covered: set[int]) -> bool:
    """Whether what the known names leave of a run are common words (of a heading, or roles)."""
    rest = [shapes.words[i].text.casefold() for i in range(run.first, run.last) if i not in covered]
    return all((word in shapes.casing.common and not _VERSION.fullmatch(word)) or word in ROLES for word in rest)


# --- kinds -------------------------------------------------------------------------------------

_BEFORE = re.compile(r"([^\W_][\w.-]*)\s$")
_AFTER = re.compile(r"\s([a-z][\w-]*)|,\s(?:the\s|an?\s)?(?:[\w-]+\s){0,2}?([\w-]+)")
_PLACED = re.compile(r"\b(?:in|at|near)\s$")
_PERSON = re.compile(r"[A-Z][\w’'-]*\.?(?:\s(?:[A-Z]\.|[A-Z][\w’'-]+|" + "|".join(sorted(PARTICLES)) + r")){1,3}")


def _kind(text: str, start: int, end: int) -> Kind:
    """A coarse guess at what is named, from its last word, its title and its neighbours."""
    words = text[start:end].split()
    last = words[-1].casefold().rstrip(",")
    if len(words) > 1 and (
        last in ORGANISATION_ENDS or words[0].casefold() in ("university", "bank", "institute", "ministry")
    ):
        return "organisation"
    if len(words) > 1 and last in PLACE_ENDS:
        return "place"
    if any(c.isdigit() for c in text[start:end]):
        return "product"
    before = _BEFORE.search(text, max(0, start - 24), start)
    if len(words) == 1 and words[0].isalpha() and before and before[1].casefold() in TITLES:
        return "person"
    if _PERSON.fullmatch(text[start:end]) and not any(w.isupper() and len(w) > 2 for w in words):
        after = _AFTER.match(text, end)
        follows = (after[1] or after[2] or "").casefold() if after else ""
        role = before[1].casefold() if before and not (before[1].isupper() and len(before[1]) < 3) else ""
        if role in TITLES | ROLE_BEFORE or follows in PERSON_AFTER or (after and after[2] and follows in ROLES):
            return "person"
    if re.match(r",\s[A-Z]", text[end : end + 3]) and _PLACED.search(text, max(0, start - 5), start):
        return "place"
    return ""
