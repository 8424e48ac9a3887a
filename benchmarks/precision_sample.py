"""A blind reading of asserted claims: draws a sheet with planted errors, and scores a reader's verdicts on it.

    python benchmarks/precision_sample.py draw --kb KB … [--kind structural|prose|all] [--count 200] [--planted 20]
        [--seed 1] --sheet SHEET.jsonl --key KEY.json
    python benchmarks/precision_sample.py score VERDICTS.jsonl --key KEY.json

The sheet has one line a claim: ``{"n", "of", "document", "headings", "around", "quote", "context", "claim"}``, in an
order of chance, and nothing that tells a planted claim from another. Of several knowledge bases (``of``: which one) as
many claims are drawn from each as there are, so that the largest doesn't hide the others. A planted one is an asserted
claim whose subject, property or value is replaced by that of another claim of the same document, where the two don't
agree. The reader writes one line a claim: ``{"n", "verdict": "right" | "wrong", "why"}``. Scoring prints the share
right of those not planted and how many of the planted ones were called wrong; ``--ids FILE`` writes the verdicts with
the claims' ids, for keeping.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import pyoxigraph as ox

from benchmarks.evaluation.claims import read_claims
from kg.graph.provenance import ResolvedClaim
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import RDFS

PROSE = frozenset({"patterns", "relations", "asides", "happenings", "propositions"})
AROUND = 500
"""Characters of context given on each side of the quote."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A claim in words, as the reader sees it."""

    id: str
    document: str
    headings: str
    quote: str
    context: str
    subject: str
    property: str
    value: str
    notes: tuple[str, ...]
    around: tuple[tuple[str, str], ...] = ()
    means: str = ""

    @property
    def sentence(self) -> str:
        """The claim in one line."""
        return " | ".join((self.subject, self.property, self.value, *self.notes))


def shown(kb: KnowledgeBase, kind: str) -> list[Shown]:
    """The asserted claims of a kind, ordered by id."""
    snapshot = kb.snapshot
    quads = list(snapshot.store.quads(ox.DefaultGraph()))
    labels = {
        q.subject.value: q.object.value
        for q in sorted(quads, key=str, reverse=True)
        if q.predicate.value == RDFS + "label" and isinstance(q.subject, ox.NamedNode)
    }
    texts = {p.id: (r.document.name, r.document.text, p.headings) for r in snapshot.records() for p in r.passages}
    claims = [c for c in read_claims(quads, snapshot.namespaces) if c.asserted and c.object is not None]
    wanted = [c for c in claims if kind == "all" or bool(PROSE & set(c.extractors)) == (kind == "prose")]
    known = snapshot.ontology.properties
    return [
        replace(
            _shown(c, labels, *texts[c.passage]), means=known[c.predicate].definition if c.predicate in known else ""
        )
        for c in sorted(wanted, key=lambda c: c.id)
    ]


def _shown(claim: ResolvedClaim, labels: dict[str, str], document: str, text: str, headings: Sequence[str]) -> Shown:
    value = claim.object.value if claim.object is not None else ""
    if isinstance(claim.object, ox.NamedNode):
        value = labels.get(value, value)
    context = text[max(0, claim.quote_start - AROUND) : claim.quote_end + AROUND]
    return Shown(
        claim.id,
        document,
        " > ".join(headings),
        claim.quote,
        context,
        labels.get(claim.subject, claim.subject),
        labels.get(claim.predicate, claim.predicate),
        value,
        tuple(_notes(claim)),
        tuple(_around(claim)),
    )


def _around(claim: ResolvedClaim) -> Iterable[tuple[str, str]]:
    """What stands around a claim, as it travels with it."""
    context = claim.context
    if context is None:
        return
    row = f"{context.stub}: {context.row}" if context.stub and context.row else context.row
    told = (("caption", context.caption), ("row", row), ("column", context.column))
    yield from (one for one in told if one[1])


def _notes(claim: ResolvedClaim) -> Iterable[str]:
    yield f"as written: {claim.stated_value}"
    if claim.unit:
        yield "unit: " + claim.unit.rsplit("/", 1)[-1]
    if claim.per:
        yield f"per {claim.per}"
    if claim.lower != claim.upper:
        yield f"from {_bound(claim.lower)} to {_bound(claim.upper)}"
    if claim.earliest is not None and claim.latest is not None and claim.earliest != claim.latest:
        yield f"from {claim.earliest.value} to {claim.latest.value}"
    if claim.approximate:
        yield "approximate"
    if claim.hedge.status.value != "stated":
        yield f"status: {claim.hedge.status.value}"
    if claim.hedge.polarity.value != "affirmed":
        yield "negated"
    for name, date in (("valid from", claim.valid_from), ("valid until", claim.valid_until)):
        if date is not None:
            yield f"{name} {date.value}"


def _bound(value: ox.Literal | None) -> str:
    return value.value if value is not None else "open"


def corrupted(claim: Shown, others: Sequence[Shown], chance: random.Random) -> Shown | None:
    """The claim with one part from another of its document; None when no other part contradicts it."""
    part = chance.choice(("subject", "property", "value"))
    near = [o for o in others if o.document == claim.document and o.quote != claim.quote]
    if part == "subject":
        held = {o.subject for o in others if (o.property, o.value) == (claim.property, claim.value)}
        near = [o for o in near if o.property == claim.property and o.subject not in held]
        return replace(claim, subject=chance.choice(near).subject) if near else None
    if part == "property":
        held = {o.property for o in others if (o.subject, o.value) == (claim.subject, claim.value)}
        near = [o for o in near if o.property not in held and o.value[:1].isdigit() == claim.value[:1].isdigit()]
        return replace(claim, property=(other := chance.choice(near)).property, means=other.means) if near else None
    held = {o.value for o in others if (o.subject, o.property) == (claim.subject, claim.property)}
    near = [o for o in near if o.property == claim.property and o.value not in held]
    if not near:
        return None
    other = chance.choice(near)
    return replace(claim, value=other.value, notes=other.notes)


def draw(
    pools: Sequence[Sequence[Shown]], count: int, planted: int, seed: int
) -> tuple[list[tuple[int, Shown]], list[bool]]:
    """The claims of a sheet in its order, each with the number of its pool, and which of them are planted."""
    chance = random.Random(seed)
    orders = [chance.sample(list(pool), len(pool)) for pool in pools]
    turns = [(n, one) for row in zip_longest(*orders) for n, one in enumerate(row) if one is not None]
    genuine, rest = turns[:count], turns[count:] + turns[:count]
    false: list[tuple[int, Shown]] = []
    for n, claim in rest:
        if len(false) == planted:
            break
        broken = corrupted(claim, pools[n], chance)
        if broken is not None:
            false.append((n, broken))
    sheet = [(claim, False) for claim in genuine] + [(claim, True) for claim in false]
    chance.shuffle(sheet)
    return [claim for claim, _ in sheet], [flag for _, flag in sheet]


def write_sheet(args: argparse.Namespace) -> None:
    """Writes the sheet and its key."""
    pools = []
    for folder in args.kb:
        with KnowledgeBase.open(folder) as kb:
            pools.append(shown(kb, args.kind))
    sheet, planted = draw(pools, args.count, args.planted, args.seed)
    lines = [
        {
            "n": n,
            "of": Path(args.kb[at]).name,
            "document": c.document,
            "headings": c.headings,
            "around": dict(c.around),
            "quote": c.quote,
            "context": c.context,
            "claim": c.sentence,
            "property means": c.means,
        }
        for n, (at, c) in enumerate(sheet, 1)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    args.sheet.write_text(text, encoding="utf-8")
    key = {str(n): {"id": c.id, "planted": p} for n, ((_, c), p) in enumerate(zip(sheet, planted, strict=True), 1)}
    args.key.write_text(json.dumps(key, indent=0) + "\n", encoding="utf-8")
    drawn = f"{len(sheet)} on the sheet, {sum(planted)} of them planted"
    print(f"{sum(map(len, pools))} asserted {args.kind} claims; {drawn}")


def score(args: argparse.Namespace) -> None:
    """Prints what the reader found; exits 1 when a claim has no verdict."""
    key = json.loads(args.key.read_text(encoding="utf-8"))
    verdicts = {str(v["n"]): v for v in map(json.loads, args.verdicts.read_text(encoding="utf-8").splitlines()) if v}
    if absent := sorted(set(key) - set(verdicts), key=int):
        sys.exit(f"No verdict on {', '.join(absent)}: the reader must judge every claim of the sheet.")
    genuine = [n for n in key if not key[n]["planted"]]
    false = [n for n in key if key[n]["planted"]]
    right = sum(verdicts[n]["verdict"] == "right" for n in genuine)
    caught = sum(verdicts[n]["verdict"] == "wrong" for n in false)
    print(
        f"right {right} of {len(genuine)} ({right / len(genuine):.1%}); planted errors caught {caught} of {len(false)}"
    )
    for n in sorted(genuine, key=int):
        if verdicts[n]["verdict"] != "right":
            print(f"  {n}: {verdicts[n].get('why', '')}")
    if args.ids:
        kept = [
            {"id": key[n]["id"], "planted": key[n]["planted"], "verdict": verdicts[n]["verdict"]}
            for n in sorted(key, key=int)
        ]
        args.ids.write_text("".join(json.dumps(k) + "\n" for k in kept), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--kb", required=True, nargs="+")
    drawing.add_argument("--kind", choices=("structural", "prose", "all"), default="structural")
    drawing.add_argument("--count", type=int, default=200)
    drawing.add_argument("--planted", type=int, default=20)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--sheet", type=Path, required=True)
    drawing.add_argument("--key", type=Path, required=True)
    drawing.set_defaults(run=write_sheet)
    scoring = commands.add_parser("score")
    scoring.add_argument("verdicts", type=Path)
    scoring.add_argument("--key", type=Path, required=True)
    scoring.add_argument("--ids", type=Path)
    scoring.set_defaults(run=score)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
