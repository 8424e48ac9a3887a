"""Where a label that a data set gives is said in a sentence: as it is, or in one of a few forms that English gives it.

Each way of saying has a name, so that the canonicaliser can learn which one a property's labels take.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.model import DateValue
from kg.relations.encoding import Span, Words
from kg.text import dates

MOST_WORDS = 14
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DATE_LABEL = re.compile(r"(\d{1,2}) (" + "|".join(_MONTHS) + r") (\d{3,4})")


def key(text: str) -> str:
    """What of a label counts when two are compared: no spaces, underscores or case.

    >>> key("Bleach : Hell_Verse") == key("bleach: Hell Verse")
    True
    """
    return re.sub(r"[_\s]+", "", text).lower()


def unmangled(text: str) -> str:
    """UTF-8 that was read as Latin-1 put right, other text unchanged.

    >>> unmangled("M\u00c3\u00a9xico")
    'México'
    """
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def spans_of(words: Words, label: str) -> tuple[Span, ...]:
    """Every stretch of words that says a label letter for letter (:func:`key`), left to right."""
    wanted = key(label)
    if not wanted:
        return ()
    found = []
    for first in range(len(words.spans)):
        opening = words.text[slice(*words.spans[first])]
        if opening.isascii() and not wanted.startswith(key(opening)):
            continue
        for last in range(first, min(first + MOST_WORDS, len(words.spans))):
            span = (words.spans[first][0], words.spans[last][1])
            raw = words.text[slice(*span)]
            said = key(raw if raw.isascii() else unmangled(raw))
            if said == wanted or key(raw) == wanted:
                found.append(span)
            if len(said) > len(wanted) + 8:
                break
    return tuple(found)


def date_spans(words: Words, label: str) -> tuple[Span, ...]:
    """Dates of the text that a label as in "01 January 2010" agrees with, the exact ones if there are any."""
    given = _DATE_LABEL.fullmatch(label)
    if not given:
        return ()
    iso = f"{int(given[3]):04d}-{_MONTHS.index(given[2]) + 1:02d}-{int(given[1]):02d}"
    found = [(span, value) for span, value in found_dates(words.text) if iso.startswith(value)]
    exact = max((len(value) for _, value in found), default=0)
    return tuple(span for span, value in found if len(value) == exact)


def found_dates(text: str) -> Iterator[tuple[Span, str]]:
    """Dates and first years of periods: their place and ISO value."""
    for one in dates.find(text):
        value = one.value
        if isinstance(value, DateValue) and re.match(r"\d{4}", value.value):
            yield (one.start, one.end), value.value


def named_alike(words: Words, label: str) -> tuple[Span, ...]:
    """Names that hold a label's words, the first and the last at their ends: "Ann Beth Cole" for "Ann Cole"."""
    parts = label.casefold().split()
    if not 2 <= len(parts) <= 4:
        return ()
    said = [words.text[slice(*span)].casefold() for span in words.spans]
    found = []
    for first, word in enumerate(said):
        if word != parts[0].rstrip(".,"):
            continue
        for last in range(first + 1, min(first + 6, len(said))):
            if said[last] in ",;:()":
                break
            if said[last] == parts[-1].rstrip(".,"):
                found.append((words.spans[first][0], words.spans[last][1]))
                break
    return tuple(found)


def aligned(words: Words, label: str) -> tuple[Span, ...]:
    """Where a label is said, by the first way that finds it."""
    for way in (spans_of, date_spans, _without_qualifier, named_alike):
        if found := way(words, label):
            return found
    return ()


def _without_qualifier(words: Words, label: str) -> tuple[Span, ...]:
    """ "Trees (song)" said as "Trees", "The Trees" as "Trees"; "Trees" as "the trees"."""
    plain = re.sub(r"\s*\([^)]*\)$|,.*$", "", label)
    for form in (plain, re.sub(r"^(?:The|A|An)\s", "", plain), plain + "s", plain.removesuffix("s")):
        if form != label and len(form) > 3 and (found := spans_of(words, form)):
            return found
    return ()
