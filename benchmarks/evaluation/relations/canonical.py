"""Makes labels of what sentences say, as a data set or an ontology writes them: dates, names, known spellings.

The evidence stays what the sentence says; only the label is rewritten. What is learned: for each property and side
the format of its dates and how its objects are written, and whether full names lose their middle.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.evaluation.relations import aliases
from benchmarks.evaluation.relations.align import found_dates, key, named_alike, spans_of, unmangled
from kg.relations.encoding import Span, Words

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_LONG_DATE = re.compile(r"\d{2} [A-Z][a-z]+ \d{3,4}")
_TRIM = re.compile(r"^[\s\"'“”‘’(\[]+|[\s\"“”‘’,;:]+$|['’]s$")


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact with the labels that a data set gives it, and its sentence."""

    text: str
    relation: str
    subject: str
    object: str


@dataclass(frozen=True, slots=True)
class Canonicaliser:
    """What was learned: date formats and written forms by property, and which full names lose their middle.

    ``middle``: "kept"; "near", dropped of three or four words right before a birth date; or "far", dropped of up to
    six words, titles and other languages' spellings standing between.
    """

    dates: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    middle: str = "kept"

    def label(self, text: str, span: Span, relation: str, side: str) -> str:
        """The label of ``text[span]`` as a fact's ``side`` ("subject" or "object") of a property."""
        said = text[slice(*span)]
        if side == "object":
            if (form := self.dates.get(relation)) and (found := self._date(text, span, form)):
                return found
            if (known := self.labels.get(relation, {}).get(squashed(said))) is not None:
                return known
        plain = unmangled(_TRIM.sub("", said)) or said
        return _of_person(plain, text[span[1] :], self.middle) if side == "subject" else plain

    def _date(self, text: str, span: Span, form: str) -> str:
        for (start, end), value in found_dates(text):
            if start < span[1] and span[0] < end:
                return formatted(value, form)
        return ""


def formatted(value: str, form: str) -> str:
    """An ISO date, perhaps without month or day, in a format: ``iso``, ``year``, or ``long`` ("01 January 2010").

    >>> formatted("2010", "long"), formatted("2010-05-03", "long"), formatted("2010-05", "iso")
    ('01 January 2010', '03 May 2010', '2010-05')
    """
    year, month, day = (*value.split("-"), "01", "01")[:3]
    if form == "long":
        return f"{int(day):02d} {_MONTHS[int(month) - 1]} {year}"
    return year if form == "year" else value


_NEAR = re.compile(r"\s*,?\s*\([^)]*\b(?:born|\d{4})")
_APPOSED = re.compile(r"(?=\s*[,(])(.{,200}?)\s(?:is|was|were)\s")
_BORN = re.compile(r"\([^(]*\b(?:born|\d{4})\b")


def _of_person(name: str, after: str, middle: str) -> str:
    """A full name as labels have it; ``after`` is what the sentence says next."""
    if middle == "near" and _NEAR.match(after):
        return _without_middle(name, 4)
    apposed = _APPOSED.match(after) if middle == "far" else None
    return _without_middle(name, 6) if apposed and _BORN.search(apposed[1]) else name


def _without_middle(name: str, most: int) -> str:
    """A person's first and last name, where a name has three to ``most`` words.

    >>> _without_middle("Ann Beth Cole", 4), _without_middle("Ann van Cole", 4), _without_middle("Trinity House", 4)
    ('Ann Cole', 'Ann van Cole', 'Trinity House')
    >>> _without_middle('Ann "Bee" Ivy-May Cole', 6), _without_middle("Lights of the North", 6)
    ('Ann Cole', 'Lights of the North')
    """
    parts = name.split()
    if not 3 <= len(parts) <= most or not all(part.strip("\"“”'")[:1].isupper() for part in parts):
        return name
    whole = parts if most < 5 else (parts[0], parts[-1])
    return f"{parts[0]} {parts[-1]}" if all(re.sub(r"[-'’]", "", part).isalpha() for part in whole) else name


def learn(stated: Iterable[Stated]) -> Canonicaliser:
    """What the labels of sentences' facts teach."""
    stated = list(stated)
    return Canonicaliser(_date_forms(stated), _labels(stated, aliases_in(stated)), _middle(stated))


def aliases_in(stated: Iterable[Stated]) -> dict[tuple[str, str], str]:
    """What is said for objects' labels that the sentences don't hold, by relation and label; dates are none."""
    named = (one for one in stated if not _LONG_DATE.fullmatch(one.object))
    return aliases.learned(aliases.Said(one.relation, one.object, Words.of(one.text)) for one in named)


def _date_forms(stated: list[Stated]) -> dict[str, str]:
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for one in stated:
        form = "long" if _LONG_DATE.fullmatch(one.object) else ""
        form = form or ("iso" if re.fullmatch(r"\d{4}-\d\d(-\d\d)?", one.object) else "")
        seen[one.relation][form or ("year" if re.fullmatch(r"\d{4}", one.object) else "")] += 1
    best = {relation: counts.most_common(1)[0][0] for relation, counts in sorted(seen.items())}
    return {relation: form for relation, form in best.items() if form}


def squashed(text: str) -> str:
    """Letters and digits alone, for names that differ in hyphens or a plural.

    >>> squashed("Long-distance runners") == squashed("long distance runner")
    True
    """
    return re.sub(r"[\W_]+", "", text.casefold()).removesuffix("s")


def _labels(stated: list[Stated], alias: aliases.Aliases) -> dict[str, dict[str, str]]:
    """How each property's objects are written, by what is left of them when squashed; the most frequent way."""
    seen: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for one in stated:
        seen[one.relation][squashed(one.object)][one.object] += 1
        if (said := alias.get((one.relation, one.object), "")) and said in one.text.lower():
            seen[one.relation][squashed(said)][one.object] += 1
    return {
        relation: {gram: max(sorted(forms), key=lambda form: forms[form]) for gram, forms in sorted(rows.items())}
        for relation, rows in sorted(seen.items())
    }


def _middle(stated: list[Stated]) -> str:
    """What becomes of the middle of full names: what gives most labels as they are, nothing where it is no matter."""
    right = Counter({"kept": 0})
    for one in stated:
        words = Words.of(one.text)
        for span in (spans_of(words, one.subject) or named_alike(words, one.subject))[:1]:
            for way in ("kept", "near", "far"):
                said = _of_person(one.text[slice(*span)], one.text[span[1] :], way)
                right[way] += key(said) == key(one.subject)
    return max(("kept", "near", "far"), key=lambda way: right[way])
