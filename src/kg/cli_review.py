"""``kg accept``, ``kg reject`` and ``kg decisions``: reviewers' decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli_common import Kb, open_knowledge_base
from kg.console import say
from kg.errors import NotFound

if TYPE_CHECKING:
    from kg.decisions import Accept, Decision, Reject
    from kg.knowledge_base import KnowledgeBase

Claims = Annotated[list[str], typer.Argument(metavar="CLAIM…", help="Identifiers or IRIs (kg explain shows them).")]
Undo = Annotated[bool, typer.Option("--undo", help="Take the decision back.")]


def accept(claims: Claims, kb: Kb = None, undo: Undo = False) -> None:
    """Make claims facts, whatever their standing or validation says; the decision survives rebuilds."""
    from kg.decisions import Accept

    _decide(Accept, claims, kb, undo)


def reject(claims: Claims, kb: Kb = None, undo: Undo = False) -> None:
    """Keep claims from being facts; the decision survives rebuilds."""
    from kg.decisions import Reject

    _decide(Reject, claims, kb, undo)


def _decide(kind: type[Accept] | type[Reject], claims: list[str], kb: Path | None, undo: bool) -> None:
    with open_knowledge_base(kb) as knowledge_base:
        decisions = [kind(_known(knowledge_base, claim)) for claim in claims]
        (knowledge_base.undo if undo else knowledge_base.decide)(*decisions)
        count = len(knowledge_base.snapshot.decisions)
        say(f"{count} decision{'' if count == 1 else 's'} in force")


def decisions(kb: Kb = None) -> None:
    """List reviewers' decisions that are in force."""
    from kg.decisions import told

    with open_knowledge_base(kb) as knowledge_base:
        held = sorted(knowledge_base.snapshot.decisions, key=told)
        for decision in held:
            say(told(decision).removeprefix("to ") + _said(knowledge_base, decision))
        if not held:
            say("No decision is in force.")


def _said(knowledge_base: KnowledgeBase, decision: Decision) -> str:
    """What a decision on a claim is about."""
    from kg.decisions import Accept, Reject

    if not isinstance(decision, Accept | Reject):
        return ""
    try:
        found = knowledge_base.explain(knowledge_base.snapshot.namespaces.claim(decision.claim)).claims
    except NotFound:  # its document was removed, or says something else now
        return ": no document says it now"
    return "".join(f": {claim.subject} – {claim.predicate} – {claim.value or '(no value)'}" for claim in found[:1])


def _known(knowledge_base: KnowledgeBase, claim: str) -> str:
    """The identifier of a claim that is there. Raises NotFound."""
    prefix = knowledge_base.snapshot.namespaces.claim("")
    try:
        found = knowledge_base.explain(claim if "://" in claim else prefix + claim)
    except NotFound as error:
        raise NotFound(f"there is no claim {claim}", "kg explain NAME shows the claims about a thing") from error
    if not found.iri.startswith(prefix):
        raise NotFound(f"{claim} is no claim", "kg explain NAME shows the claims about a thing")
    return found.iri.removeprefix(prefix)
