"""Makes labels of what sentences say, as a data set or an ontology writes them: dates, names, known spellings.

The evidence stays what the sentence says; only the label is rewritten. What is learned: for each property and side
the format of its dates and how its objects are written, and whether full names lose their middle.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kg.relations import aliases
from kg.relations.align import found_dates, key, named_alike, spans_of, unmangled
from kg.relations.schema import Span, Words

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
    """What was learned: date formats and written forms by property, middle names dropped or not."""

    dates: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    drop_middle: bool = False

    def label(self, text: str, span: Span, relation: str, side: str) -> str:
        """The label of ``text[span]`` as a fact's ``side`` ("subject" or "object") of a property."""
        said = text[slice(*span)]
        if side == "object":
            if (form := self.dates.get(relation)) and (found := self._date(text, span, form)):
                return found
            if (known := self.labels.get(relation, {}).get(squashed(said))) is not None:
                return known
        plain = unmangled(_TRIM.sub("", said)) or said
        if side == "subject" and self.drop_middle and re.match(r"\s*,?\s*\([^)]*\b(?:born|\d{4})", text[span[1] :]):
            return _without_middle(plain)
        return plain

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


def _without_middle(name: str) -> str:
    """A person's first and last name.

    >>> _without_middle("Ann Beth Cole"), _without_middle("Ann van Cole"), _without_middle("Trinity House")
    ('Ann Cole', 'Ann van Cole', 'Trinity House')
    """
    parts = name.split()
    if len(parts) in (3, 4) and all(part[0].isupper() and part.isalpha() for part in parts):
        return f"{parts[0]} {parts[-1]}"
    return name


def learn(stated: Iterable[Stated]) -> Canonicaliser:
    """What the labels of sentences' facts teach."""
    stated = list(stated)
    return Canonicaliser(_date_forms(stated), _labels(stated, aliases_in(stated)), _drops_middle(stated))


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


def _drops_middle(stated: list[Stated]) -> bool:
    """Whether full names before a birth date are labelled without their middle name, mostly."""
    kept = dropped = 0
    for one in stated:
        words = Words.of(one.text)
        for span in spans_of(words, one.subject) or named_alike(words, one.subject):
            said = one.text[slice(*span)]
            if re.match(r"\s*,?\s*\([^)]*\b(?:born|\d{4})", one.text[span[1] :]) and _without_middle(said) != said:
                kept += key(said) == key(one.subject)
                dropped += key(_without_middle(said)) == key(one.subject)
                break
    return dropped > kept
