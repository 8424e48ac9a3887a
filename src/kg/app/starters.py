"""Questions to start from, made of what the graph holds and kept only if they are answered with what it holds.

A candidate is made of a claim; it is asked as people would, and dropped if it is declined, if the answer lacks the
claim's value, or if only one document disagrees with itself on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.ask.drafts import normal
from kg.model import Answer
from kg.namespaces import KG, PROV, RDF, RDFS, SCHEMA
from kg.protocols import GraphStore
from kg.text.words import AUXILIARIES, PREPOSITIONS

MOST = 5
# So many candidates are asked at most: each takes as long as a question does.
_TRIED = 24
_LONGEST = 40
# Things that are asked about: those of which most is said.
_SUBJECTS = 60
_FOAF = "http://xmlns.com/foaf/0.1/"
_AGENTS = frozenset((PROV + "Agent", _FOAF + "Agent", SCHEMA + "Person", SCHEMA + "Organization", _FOAF + "Person"))
_CLAIMS = f"""
SELECT DISTINCT ?subject ?p ?property ?value ?object ?kind ?open ?n WHERE {{
  {{ SELECT ?s (COUNT(?c) AS ?n) WHERE {{ ?c <{KG}asserted> true ; <{RDF}subject> ?s . ?s <{RDFS}label> ?name
    FILTER NOT EXISTS {{ ?s a <{KG}Event> }} }} GROUP BY ?s ORDER BY DESC(?n) ?s LIMIT {_SUBJECTS} }}
  ?claim <{RDF}subject> ?s ; a <{KG}Claim> ; <{KG}asserted> true ; <{RDF}predicate> ?p ; <{RDF}object> ?o ;
    <{KG}statedValue> ?value .
  ?s <{RDFS}label> ?subject . ?p <{RDFS}label> ?property .
  OPTIONAL {{ ?o <{RDFS}label> ?object }}
  BIND(EXISTS {{ ?p a <{KG}OpenProperty> }} AS ?open)
  BIND(IF(EXISTS {{ ?claim <{KG}lowerValue> ?low }}, "number", IF(EXISTS {{ ?claim <{KG}earliest> ?day }}, "date",
    IF(ISIRI(?o), IF(EXISTS {{ ?o a ?agent FILTER(?agent IN ({", ".join(f"<{a}>" for a in sorted(_AGENTS))})) }},
      "agent", "thing"), "text"))) AS ?kind)
}} ORDER BY ?open DESC(?n) ?subject ?property ?value"""
_CLASSES = f"""
SELECT ?p ?label (COUNT(DISTINCT ?s) AS ?n) WHERE {{
  ?claim <{KG}asserted> true ; <{RDF}predicate> ?p ; <{RDF}subject> ?s ; <{KG}lowerValue> ?low .
  ?s a ?c . ?c <{RDFS}label> ?label . FILTER(!STRSTARTS(STR(?c), "{KG}"))
}} GROUP BY ?p ?label HAVING(COUNT(DISTINCT ?s) > 2) ORDER BY ?p ?n ?label"""
_COUNT = re.compile(r"^(?:number of (?P<after>.+)|(?P<before>.+) count)$", re.IGNORECASE)
_PARTICIPLE = re.compile(r"^\w+ed$", re.IGNORECASE)
_REGULAR_BY = re.compile(r"^(?P<past>\w+ed) by$", re.IGNORECASE)
_DONE_BY = re.compile(r"^\w+ (?:by|for)$", re.IGNORECASE)
_VERB = re.compile(r"^\w+[^s]s$", re.IGNORECASE)
_AGENTIVE = re.compile(r"^(?:\w+ )?\w+(?:er|or|ist)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Claim:
    subject: str
    predicate: str
    property: str
    value: str
    object: str
    kind: str
    open: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with the values of which its answer has to give one; without any, it has to be computed."""

    question: str
    subject: str
    predicate: str
    values: frozenset[str]


def starters(store: GraphStore, titles: Sequence[str], ask: Callable[[str], Answer]) -> list[str]:
    """At most five questions about different things and properties. ``titles``: of documents, which are no things."""
    chosen: list[Candidate] = []
    for tried, candidate in enumerate(candidates(store, titles)):
        if len(chosen) == MOST or tried == _TRIED:
            break
        alike = [c for c in chosen if candidate.subject and c.subject == candidate.subject]
        if len(alike) > 1 or any(c.predicate == candidate.predicate for c in chosen):
            continue
        if worth(ask(candidate.question), candidate):
            chosen.append(candidate)
    return [c.question for c in chosen]


def worth(answer: Answer, candidate: Candidate) -> bool:
    """Whether an answer is one to show first: right, and no document at odds with itself."""
    if answer.status != "answered":
        return False
    documents = {c.id: c.document for c in answer.citations}
    for conflict in answer.conflicts:
        if len({documents.get(i) for side in conflict.values for i in side.citations}) < 2:
            return False
    if not candidate.values:
        return answer.sparql is not None
    told = {normal(item.label) for item in answer.answers}
    return bool(told & {normal(v) for v in candidate.values})


def candidates(store: GraphStore, titles: Sequence[str]) -> Iterator[Candidate]:
    """Questions that claims give, kinds in turn, those about the things of which most is said first."""
    unfit = {normal(t) for t in titles}
    by_kind: dict[str, list[Candidate]] = {"agent": [], "number": [], "extreme": [], "date": [], "thing": []}
    claims = [c for c in _claims(store) if normal(c.subject) not in unfit and len(c.subject) <= _LONGEST]
    values: dict[tuple[str, str], set[str]] = {}
    for claim in claims:
        values.setdefault((claim.subject, claim.predicate), set()).update({claim.value, claim.object} - {""})
    seen = set()
    for claim in claims:
        key = (claim.subject, claim.predicate)
        if key not in seen and (question := _asked(claim)) is not None:
            seen.add(key)
            by_kind[claim.kind].append(Candidate(question, *key, frozenset(values[key])))
    by_kind["extreme"] = _extremes(store, claims)
    for turn in range(_TRIED):
        yield from (found[turn] for found in by_kind.values() if turn < len(found))


def _claims(store: GraphStore) -> list[_Claim]:
    rows = store.query(_CLAIMS)
    assert isinstance(rows, ox.QuerySolutions)
    names = ("subject", "p", "property", "value", "object", "kind", "open")
    return [_Claim(*(row[n].value if row[n] is not None else "" for n in names)) for row in rows]


def _asked(claim: _Claim) -> str | None:
    """The question that a claim answers, as people ask it; None for what nobody would."""
    said, thing = _lower(claim.property), claim.subject
    noun = _nominal(said.casefold().split())
    if claim.kind == "number":
        counted = _COUNT.match(said)
        if counted:
            many = counted["after"] or _plural(counted["before"])
            return f"How many {many} does {thing} have?"
        return f"What is the {said} of {thing}?" if noun else None
    if claim.kind == "date":
        if _PARTICIPLE.match(said):
            return f"When was {thing} {said.lower()}?"
        # A plain "date" would leave open of what.
        return f"What is the {said} of {thing}?" if " " in said else None
    if claim.kind == "agent":
        if regular := _REGULAR_BY.match(said):
            return f"Who {regular['past'].lower()} {thing}?"
        if _DONE_BY.match(said):
            return f"Who was {thing} {said.lower()}?"
        return f"Who is the {said} of {thing}?" if _AGENTIVE.match(said) and noun else None
    # Without an ontology nobody knows whether a "builder" is somebody or something.
    unknown = claim.open == "true" and _AGENTIVE.match(said)
    return f"What is the {said} of {thing}?" if claim.kind == "thing" and noun and not unknown else None


def _nominal(words: Sequence[str]) -> bool:
    """Whether "What is the …?" fits around words: not "uses", "located in", "can be used over"."""
    verbal = len(words) == 1 and _VERB.match(words[0])
    return not verbal and words[0] not in AUXILIARIES and words[-1] not in PREPOSITIONS


def _lower(label: str) -> str:
    """A heading's word as within a sentence; what has capitals of its own keeps them."""
    first = label.split(" ")[0]
    return label[:1].lower() + label[1:] if first[1:] == first[1:].lower() and len(first) > 1 else label


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else noun[:-1] + "ies" if re.search(r"[^aeiou]y$", noun) else noun + "s"


def _extremes(store: GraphStore, claims: Sequence[_Claim]) -> list[Candidate]:
    """Which of a class has the most of what most of its members state."""
    rows = store.query(_CLASSES)
    assert isinstance(rows, ox.QuerySolutions)
    # Of the classes whose members have figures, the narrowest that has enough of them.
    narrowest: dict[str, str] = {}
    for row in rows:
        narrowest.setdefault(row["p"].value, row["label"].value)
    names = {c.predicate: _lower(c.property) for c in claims if c.kind == "number"}
    often = sorted(names, key=lambda p: -sum(c.predicate == p for c in claims))
    found = []
    for predicate in often:
        if predicate in narrowest:
            counted = _COUNT.match(names[predicate])
            most = (
                f"most {counted['after'] or _plural(counted['before'])}" if counted else f"highest {names[predicate]}"
            )
            question = f"Which {narrowest[predicate]} has the {most}?"
            found.append(Candidate(question, "", predicate, frozenset()))
    return found
