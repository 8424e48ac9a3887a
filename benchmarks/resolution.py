"""How names of a library are joined: every join of two names, and agreement with the names that an ontology declares.

    python -m benchmarks.resolution DOCUMENTS ONTOLOGY

Documents are extracted and resolved twice: with the ontology as it is, and with its individuals taken away, so that
nothing says which names are one. Mentions under names that the ontology gives to exactly one individual are compared
with these individuals, pairwise and by B³ (see ``benchmarks.evaluation.docred``). Last figures: resolution.md.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

from benchmarks.evaluation.docred import agreement
from kg.ontology import Ontology, load
from kg.readers import READERS
from kg.records import Record
from kg.resolution.contributions import contribution
from kg.resolution.resolve import joined, resolve
from kg.resolution.senses import declared_names
from kg.text.names import name_key
from kg.workers.pipeline import make_record

LARGEST = 64 * 2**20  # bytes of a document


def records_of(folder: Path, ontology: Ontology) -> list[Record]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in READERS)
    return [make_record(p.read_bytes(), p.relative_to(folder).as_posix(), ontology, LARGEST) for p in files]


def clusterings(
    records: list[Record], ontology: Ontology, declared: dict[str, str]
) -> tuple[list[Hashable], list[Hashable]]:
    """For each use of a declared name: the individual, and our cluster."""
    brought = [contribution(record, ontology) for record in records]
    groups = {(group.document, group.key): group for one in brought for group in one.groups}
    joining = joined(brought, ontology)
    gold: list[Hashable] = []
    ours: list[Hashable] = []
    for (document, key), group in sorted(groups.items()):
        if key in declared and len(joining.senses[document, key]) == 1:
            root = id(joining.clusters.root(joining.senses[document, key][0]))
            gold += [declared[key]] * group.forms.total()
            ours += [root] * group.forms.total()
    return gold, ours


def main() -> None:
    folder, file = Path(sys.argv[1]), Path(sys.argv[2])
    whole = load([file])
    declared = {key: found[0][0] for key, found in declared_names(whole).items() if len(found) == 1}
    for name, ontology in (("whole ontology", whole), ("without individuals", replace(whole, individuals={}))):
        records = records_of(folder, ontology)
        found = agreement([clusterings(records, ontology, declared)])
        joins = sorted({str(j) for e in resolve(records, ontology).entities.values() for j in e.joins})
        pairs, cubed = (" ".join(f"{v:.3f}" for v in of) for of in (found.pairs, found.b_cubed))
        uses = len(clusterings(records, ontology, declared)[0])
        print(f"{name}: {uses} uses of {len({name_key(k) for k in declared})} names, pairs {pairs}, B³ {cubed}")
        for join in joins:
            print(f"  {join}")


if __name__ == "__main__":
    main()
