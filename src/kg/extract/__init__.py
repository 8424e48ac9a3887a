"""Documents → claims. Each extractor reads one shape; all of them see one document at a time.

Another package adds its own by the entry point group ``kg.extractors`` (a callable that returns an Extractor).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points

from kg.extract import (
    asides,
    commands,
    definitions,
    diagrams,
    happenings,
    headings,
    keyvalues,
    lists,
    patterns,
    propositions,
    sources,
    tables,
)
from kg.extract.build import by_place, in_order, mentions_of, merged, quotable, unrepeated, with_further
from kg.extract.positions import beside, spelt_out
from kg.extract.source import Source
from kg.extract.speakers import with_speakers
from kg.extract.usefulness import useful
from kg.model import Alias, Claim, Document, Extraction, Passage, Rejected
from kg.ontology import Ontology
from kg.protocols import Extractor

Finding = Claim | Alias | Rejected


@dataclass(slots=True)
class _Own:
    """An extractor of this package."""

    name: str
    extract: Callable[[Source], Iterable[Finding]]


_STRUCTURE = [
    _Own(tables.NAME, tables.extract),
    _Own(sources.NAME, sources.extract),
    _Own(keyvalues.NAME, keyvalues.extract),
    _Own(headings.NAME, headings.extract),
    _Own(diagrams.NAME, diagrams.extract),
    _Own(commands.NAME, commands.extract),
    _Own(definitions.NAME, definitions.extract),
    _Own(lists.NAME, lists.extract),
    _Own(asides.NAME, asides.extract),
    _Own(happenings.NAME, happenings.extract),
]
_PATTERNS, _PROPOSITIONS = _Own(patterns.NAME, patterns.extract), _Own(propositions.NAME, propositions.extract)
EXTRACTORS: list[Extractor] = [*_STRUCTURE, _PATTERNS, _PROPOSITIONS]
"""In this order. The last two read sentences; what the last one finds adds to the others' claims and changes none."""


@cache
def _of_others() -> tuple[Extractor, ...]:
    points = sorted(entry_points(group="kg.extractors"), key=lambda p: p.name)
    return tuple(point.load()() for point in points)


def _structure(source: Source) -> tuple[Source, list[Finding]]:
    """What all but sentences state, which lean on what structure teaches: of which classes names are."""
    found = [one for extractor in _STRUCTURE for one in extractor.extract(source)]
    if not source.ontology:
        return source, found
    claims = spelt_out(source, [one for one in found if isinstance(one, Claim)])
    learned = source.taught([*claims, *beside(source)])
    if not learned:
        return source, found
    source = replace(source, learned=learned)
    return source, [one for extractor in _STRUCTURE for one in extractor.extract(source)]


def extract(
    document: Document,
    document_id: str,
    passages: Iterable[Passage],
    ontology: Ontology,
    further: Sequence[Extractor] = (),
    prose: Sequence[Extractor] = (),
) -> Extraction:
    """What all extractors find in a document, without repetitions, in document order.

    ``further`` ones read it last; their claims follow the others' and never change them. ``prose``: trained ones that
    read sentences.
    """
    source = Source(document, document_id, tuple(passages), ontology)
    claims: list[Claim] = []
    aliases: set[Alias] = set()
    rejected: set[Rejected] = set()
    if source.passages:
        source, structure = _structure(source)
        readers = (_PATTERNS, *prose, *_of_others())
        for found in (*structure, *(found for reader in readers for found in reader.extract(source))):
            if isinstance(found, Claim):
                claims.append(found)
            elif isinstance(found, Alias):
                aliases.add(found)
            else:
                rejected.add(found)
        known = replace(source, learned={**source.taught(claims), **source.learned})  # also employers found this time
        claims = [*spelt_out(known, claims), *beside(known)]
    unique, useless = useful(source, merged(quotable(source, claims, rejected)))
    rejected.update(useless)
    open_ = list(_PROPOSITIONS.extract(source)) if source.passages else []
    rejected.update(found for found in open_ if isinstance(found, Rejected))
    told = quotable(source, (found for found in open_ if isinstance(found, Claim)), rejected)
    unique = by_place(with_further(unique, unrepeated(unique, merged(told))))
    added = [found for extractor in further if source.passages for found in extractor.extract(source)]
    rejected.update(found for found in added if isinstance(found, Rejected))
    more = quotable(source, (found for found in added if isinstance(found, Claim)), rejected)
    unique = with_further(unique, more)
    unique = with_speakers(source, unique)
    return Extraction(
        mentions=mentions_of(source, unique),
        aliases=tuple(sorted((a for a in aliases if a.name != a.alias), key=in_order)),
        claims=unique,
        rejected=tuple(sorted(rejected, key=in_order)),
    )
