"""The enterprise benchmark of Sequeda et al. (2023) on an insurance ontology, as an nl2sparql folder.

``convert(…, copies)`` adds that many generated policies, so that a wrong join gives wrong rows.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pyoxigraph as ox

SCHEMA = "http://data.world/schema/insurance/"
DATA = "http://example.org/generated/"
_XSD_INTEGER = ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")
_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def convert(source: Path, target: Path, copies: int = 0) -> int:
    """Writes the folder; how many questions it has."""
    target.mkdir(parents=True, exist_ok=True)
    store = ox.Store()
    store.bulk_load(path=str(source / "acme_data.ttl"))
    for triple in _generated(copies):
        store.add(ox.Quad(*triple))
    store.dump(str(target / "graph.nt"), ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    (target / "ontology.ttl").write_bytes((source / "insurance.ttl").read_bytes())
    lines = []
    for line in (source / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        sparql = entry.get("sparql_local") or entry["sparql"]
        rows = None if copies else entry.get("sparql_rows")
        row = {"id": entry["id"], "question": " ".join(entry["question"].split()), "sparql": sparql, "rows": rows}
        lines.append(json.dumps({**row, "category": entry["category"]}) + "\n")
    (target / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
    return len(lines)


def _generated(policies: int, seed: int = 7) -> list[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]]:
    """Policies with holders, agents, coverages, premiums, and claims against some."""
    random_ = random.Random(seed)
    made: list[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]] = []

    def node(kind: str, n: int) -> ox.NamedNode:
        return ox.NamedNode(f"{DATA}{kind}-{n}")

    def add(subject: ox.NamedNode, name: str, value: ox.NamedNode | str | int) -> None:
        object_: ox.NamedNode | ox.Literal
        if isinstance(value, int):
            object_ = ox.Literal(str(value), datatype=_XSD_INTEGER)
        else:
            object_ = ox.Literal(value) if isinstance(value, str) else value
        made.append((subject, ox.NamedNode(SCHEMA + name), object_))

    def thing(kind: str, n: int) -> ox.NamedNode:
        made.append((node(kind, n), _TYPE, ox.NamedNode(SCHEMA + kind)))
        return node(kind, n)

    for n in range(policies // 8 if policies else 0):
        add(thing("Agent", n), "agentId", 100 + n)
        add(thing("PolicyHolder", n), "policyHolderId", 500 + n)
    storms = ("Storm", "Hail", "Earthquake", "Landslide")
    for n in range(len(storms) if policies else 0):
        add(thing("Catastrophe", n), "catastropheName", storms[n])
    serial = 0
    for n in range(policies):
        policy, people = thing("Policy", n), policies // 8
        year = random_.randint(2010, 2020)
        add(policy, "policyNumber", f"77{n:06}")
        add(policy, "policyEffectiveDate", f"{year}-01-01")
        add(policy, "policyExpirationDate", f"{year + 4}-12-31")
        add(policy, "soldByAgent", node("Agent", random_.randrange(people)))
        add(policy, "hasPolicyHolder", node("PolicyHolder", random_.randrange(people)))
        for year_ in range(year, year + random_.randint(1, 3)):
            serial += 1
            coverage, premium = thing("PolicyCoverageDetail", serial), thing("Premium", serial)
            add(coverage, "hasPolicy", policy)
            add(policy, "hasPolicyCoverageDetail", coverage)
            add(coverage, "policyCoverageEffectiveDate", f"{year_}-01-01")
            add(coverage, "policyCoverageExpirationDate", f"{year_}-12-31")
            add(coverage, "hasPremiumAmount", premium)
            add(premium, "premiumAmount", random_.randint(100, 900) * 10)
            for _ in range(random_.choice((0, 0, 1, 2))):
                _claim(random_, made, add, thing, coverage, len(made), year_, node("Catastrophe", random_.randrange(4)))
    return made


def _claim(random_, made, add, thing, coverage, n, year, storm) -> None:  # type: ignore[no-untyped-def]
    claim, month = thing("Claim", n), random_.randint(1, 11)
    add(claim, "against", coverage)
    add(coverage, "hasClaim", claim)
    add(claim, "claimNumber", f"55{n:07}")
    add(claim, "claimOpenDate", f"{year}-{month:02}-{random_.randint(1, 28):02}")
    add(claim, "claimCloseDate", f"{year}-{month + 1:02}-{random_.randint(1, 28):02}")
    add(claim, "hasCatastrophe", storm)
    for kind in ("LossPayment", "LossReserve", "ExpensePayment", "ExpenseReserve"):
        amount = ox.NamedNode(f"{DATA}{kind}-{n}")
        add(claim, f"has{kind}", amount)
        add(amount, re.sub("^.", lambda m: m[0].lower(), kind) + "Amount", random_.randint(10, 500) * 10)
