"""``kg check``: is everything in a knowledge base what it says it is?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.errors import CorruptKnowledgeBase
from kg.indexes.segments import intact
from kg.reports import CheckReport
from kg.snapshot import Snapshot

if TYPE_CHECKING:
    from kg.model import Claim, Passage
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
    if problems:
        return CheckReport(tuple(problems), (), (), counted)
    problems, counted["quads"] = _graph_problems(snapshot)
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
        yield from _misplaced_claim(claim, passages.get(claim.passage), text)


def _misplaced_claim(claim: Claim, passage: Passage | None, text: str) -> Iterator[str]:
    if passage is None:
        yield f"claim {claim.id} names a passage that isn't there"
        return
    if not passage.start <= claim.quote_start < claim.quote_end <= passage.end:
        yield f"the quotation of claim {claim.id} lies outside its passage"
    for evidence in claim.evidence:
        if text[evidence.start : evidence.end] != evidence.exact:
            yield f"evidence of claim {claim.id} isn't the text at {evidence.start}:{evidence.end}"


def _graph_problems(snapshot: Snapshot) -> tuple[list[str], int]:
    stored = set(snapshot.store.quads())
    computed = snapshot.build_quads()
    problems = []
    if stored - computed:
        problems.append(f"the store holds {len(stored - computed)} quads that the records don't give")
    if computed - stored:
        problems.append(f"the store lacks {len(computed - stored)} quads that the records give")
    return problems, len(stored)


def _shape_violations(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.shacl import violations

    return tuple(violations(snapshot.store, snapshot.ontology))


def _disagreements(snapshot: Snapshot) -> tuple[str, ...]:
    from kg.conflicts import conflicts

    return tuple(str(conflict) for conflict in conflicts(snapshot.store))
