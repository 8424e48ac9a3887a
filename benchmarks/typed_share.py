"""How many asserted claims of a graph stand on properties of an ontology or a standard, and which stand on none.

    python benchmarks/typed_share.py --kb KB [--least N]

Prints the share, then every open property (one in the documents' own words) that N or more asserted claims use, the
most used first, with an example. Last figures and the decision on each group: typed-share.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pyoxigraph import QuerySolutions

from kg.knowledge_base import KnowledgeBase

PREFIXES = """PREFIX kg: <https://w3id.org/citegraph/kg#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""
ASSERTED = PREFIXES + "SELECT (COUNT(*) AS ?n) WHERE { ?claim a kg:Claim ; kg:asserted true }"
OPEN = (
    PREFIXES
    + """SELECT ?label (COUNT(*) AS ?n) (MIN(?quote) AS ?example) WHERE {
  ?claim kg:asserted true ; rdf:predicate ?property ; kg:quote ?quote .
  ?property a kg:OpenProperty ; rdfs:label ?label .
} GROUP BY ?label ORDER BY DESC(?n) ?label"""
)


def rows(kb: KnowledgeBase, query: str) -> list[list[str]]:
    """A query's rows as text."""
    result = kb.query(query)
    assert isinstance(result, QuerySolutions)
    names = [variable.value for variable in result.variables]
    return [[row[name].value for name in names] for row in result]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kb", type=Path, required=True)
    parser.add_argument("--least", type=int, default=1, help="claims that a listed property has at least")
    chosen = parser.parse_args()
    with KnowledgeBase.open(chosen.kb) as kb:
        asserted = int(rows(kb, ASSERTED)[0][0])
        found = rows(kb, OPEN)
    untyped = sum(int(count) for _, count, _ in found)
    for label, count, example in found:
        if int(count) >= chosen.least:
            print(f"{count:>5}  {label}  “{' '.join(example.split())[:100]}”")
    share = (asserted - untyped) / asserted if asserted else 0.0
    print(f"asserted {asserted} typed {asserted - untyped} open_properties {len(found)} share {share:.4f}")


if __name__ == "__main__":
    main()
