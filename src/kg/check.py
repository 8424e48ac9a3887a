"""``kg check``: is everything in a knowledge base what it says it is?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.errors import CorruptKnowledgeBase
from kg.extract.merging import unquotable
from kg.indexes.segments import intact
from kg.reports import CheckReport
from kg.snapshot import Snapshot

if TYPE_CHECKING:
    import pyoxigraph as ox

    from kg.records import Record


def check(snapshot: Snapshot) -> CheckReport:
    """Verifies file hashes, every offset and quotation, the store against the records, and the shapes."""
    problems: list[str] = []
    counted = {"documents": 0, "passages": 0, "quotations": 0, "evidence": 0, "quads": 0}
    for id_ in snapshot.manifest.documents:
        try:
            record = snapshot.record(id_)
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
    stored = set(snapshot.store.quads())
    counted["quads"] = len(stored)
    if problems:
        return CheckReport(tuple(problems), (), (), counted)
    problems = _graph_problems(stored, snapshot.build_quads())
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


def _graph_problems(stored: set[ox.Quad], computed: set[ox.Quad]) -> list[str]:
    problems = []
    if stored - computed:
        problems.append(f"the store holds {len(stored - computed)} quads that the records don't give")
    if computed - stored:
        problems.append(f"the store lacks {len(computed - stored)} quads that the records give")
    return problems


def _shape_violations(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.shacl import violations

    return tuple(violations(snapshot.store, snapshot.ontology))


def _disagreements(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.conflicts import conflicts

    return tuple(str(conflict) for conflict in conflicts(snapshot.store))
