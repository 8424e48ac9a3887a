"""What sentences say instead of a label that they never hold: "lieutenant general" for "Zhong Jiang", learned.

Where several sentences state a property with a label that none of them says, the words that best tell these sentences
from the property's others stand for the label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.evaluation.relations.align import aligned, spans_of
from kg.relations.encoding import Span, Words

_LEAST = 4  # sentences that state a label without saying it
_LONGEST = 4  # words of an alias
_FIT = 0.5  # F1 at which its words find a label among the property's sentences
_INSIDE = frozenset({"-", "'s", "’s"})

Aliases = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Said:
    """A property's object as a data set labels it, in its sentence."""

    relation: str
    label: str
    words: Words


def learned(rows: Iterable[Said]) -> dict[tuple[str, str], str]:
    """The alias of each (relation, label) that has one, in lower case."""
    grouped: dict[str, list[Said]] = defaultdict(list)
    for row in rows:
        grouped[row.relation].append(row)
    found = {}
    for relation, same in sorted(grouped.items()):
        unsaid = Counter(row.label for row in same if not aligned(row.words, row.label))
        wanted = sorted(label for label, count in unsaid.items() if count >= _LEAST)
        if wanted:
            grams = [_grams(row.words) for row in same]
            for label in wanted:
                if alias := _best(label, same, grams):
                    found[relation, label] = alias
    return found


def _best(label: str, rows: Sequence[Said], grams: Sequence[frozenset[str]]) -> str:
    """The words that tell a label's sentences best, longer ones before shorter; empty where none do."""
    own = [said for row, said in zip(rows, grams, strict=True) if row.label == label]
    within = Counter(gram for said in own for gram in said)
    overall = Counter(gram for said in grams for gram in said if gram in within)
    rated = ((2 * count / (overall[gram] + len(own)), len(gram), gram) for gram, count in within.items())
    fit, _, gram = max(rated, default=(0.0, 0, ""))
    return gram if fit >= _FIT else ""


def _grams(words: Words) -> frozenset[str]:
    """Runs of words in lower case, as the text writes them; no marks but hyphens and the genitive's."""
    said = [words.text[slice(*span)].lower() for span in words.spans]
    found = set()
    for first, opening in enumerate(said):
        for last in range(first, min(first + _LONGEST, len(said))):
            if not (said[last][0].isalnum() or said[last] in _INSIDE):
                break
            if opening[0].isalnum() and said[last][0].isalnum():
                found.add(words.text[words.spans[first][0] : words.spans[last][1]].lower())
    return frozenset(found)


def places(words: Words, relation: str, label: str, aliases: Aliases) -> tuple[Span, ...]:
    """Where a label is said (:func:`benchmarks.evaluation.relations.align.aligned`), or else its alias."""
    found = aligned(words, label)
    alias = aliases.get((relation, label), "")
    return found or (spans_of(words, alias) if alias else ())
