"""``kg check``: is everything in a knowledge base what it says it is?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from kg.errors import CorruptKnowledgeBase
from kg.extract.merging import unquotable
from kg.indexes.segments import intact
from kg.reports import CheckReport
from kg.snapshot import Snapshot

if TYPE_CHECKING:
    from kg.records import Record


def check(snapshot: Snapshot) -> CheckReport:
    """Verifies file hashes, every offset and quotation, the store against the records, and the shapes."""
    problems: list[str] = []
    counted = {"documents": 0, "passages": 0, "quotations": 0, "evidence": 0, "quads": 0}
    for id_ in snapshot.manifest.documents:
        try:
            record = snapshot.passing_record(id_)
            snapshot.source(id_)
        except CorruptKnowledgeBase as error:
            problems.append(f"{id_}: {error.message}")
            continue
        counted["documents"] += 1
        counted["passages"] += len(record.passages)
        counted["quotations"] += sum(len(p.units) for p in record.passages) + len(record.extraction.claims)
        counted["evidence"] += sum(len(c.evidence) for c in record.extraction.claims)
        problems.extend(f"{id_}: {problem}" for problem in misplaced(record))
    for id_, entry in snapshot.manifest.documents.items():
        if not intact(snapshot.folder, entry.segment):
            problems.append(f"{id_}: its index is missing or altered")
    counted["quads"] = len(snapshot.store)
    if problems:
        return CheckReport(tuple(problems), (), (), counted)
    problems = _graph_problems(snapshot)
    return CheckReport(tuple(problems), _shape_violations(snapshot), _disagreements(snapshot), counted)


def misplaced(record: Record) -> Iterator[str]:
    """Passages, quotations and evidence whose offsets don't give the text that they claim."""
    text = record.document.text
    passages = {p.id: p for p in record.passages}
    end = 0
    for passage in record.passages:
        if text[passage.start : passage.end] != passage.text:
            yield f"passage {passage.id} isn't the text at {passage.start}:{passage.end}"
        if passage.start < end:
            yield f"passage {passage.id} overlaps the one before it"
        end = passage.end
        for unit in passage.units:
            if not passage.start <= unit.start < unit.end <= passage.end:
                yield f"a quotation at {unit.start}:{unit.end} lies outside its passage"
    for claim in record.extraction.claims:
        yield from unquotable(claim, passages.get(claim.passage), text)


def _graph_problems(snapshot: Snapshot) -> list[str]:
    """Whether the store holds what the records give: both stores are read side by side, in the order of their keys."""
    with snapshot.rebuilt_graph() as rebuilt:
        if all(one == other for one, other in zip_longest(snapshot.store.quads(), rebuilt.quads())):
            return []
        stored, computed = set(snapshot.store.quads()), set(rebuilt.quads())
    told = (
        (stored - computed, "the store holds {} quads that the records don't give"),
        (computed - stored, "the store lacks {} quads that the records give"),
    )
    return [sentence.format(len(quads)) for quads, sentence in told if quads]


def _shape_violations(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.shacl import violations

    return tuple(violations(snapshot.store, snapshot.ontology))


def _disagreements(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.conflicts import conflicts

    return tuple(str(conflict) for conflict in conflicts(snapshot.store))
