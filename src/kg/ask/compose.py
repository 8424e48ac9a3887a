"""A draft becomes the reply: its answer with the units that support it, or an abstention with its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pyoxigraph as ox

from kg.ask.drafts import ROOM, Backing, Draft, Value, clip, is_within, normal
from kg.ask.facts import Fact, Facts
from kg.ask.retrieve import Scored
from kg.ask.view import DocumentInfo, View
from kg.model import Answer, AnswerItem, Citation, Conflict, ConflictValue, Reason
from kg.namespaces import KG, OWL, RDFS
from kg.semantics.render import plural
from kg.text.spans import dates, numbers

# Kinds whose answer rests on all its units together.
_TOGETHER = frozenset(("comparison", "difference", "duration", "conflicting", "extreme"))


def supported(draft: Draft) -> Draft:
    """The draft with the units that its values stand in, each value with its own; the first unit always stays."""
    if draft.kind in _TOGETHER or draft.exact or len(draft.evidence) < 2:
        return draft
    if draft.kind == "boolean":
        # Others stay that speak of the same thing and of much else of the question.
        others = (s for s in draft.evidence[1:] if s.names >= 0.5 and s.own >= 0.4)
        return replace(draft, evidence=(draft.evidence[0], *others))
    values = [replace(v, evidence=_places(draft, v)) for v in draft.values]
    kept = sorted({0, *(i for v in values for i in v.evidence), *(r.evidence for r in draft.rivals)})
    place = {old: new for new, old in enumerate(kept)}
    return replace(
        draft,
        values=tuple(replace(v, evidence=tuple(place[i] for i in v.evidence)) for v in values),
        evidence=tuple(draft.evidence[i] for i in kept),
        rivals=tuple(replace(r, evidence=place[r.evidence]) for r in draft.rivals),
    )


def _places(draft: Draft, value: Value) -> tuple[int, ...]:
    """Units that say a value of what the question names; those given where it stands in none."""
    if draft.backing is not None or len(value.evidence) > 1:
        given = [i for i in value.evidence if i < len(draft.evidence)]
        found = [i for i, s in enumerate(draft.evidence) if _says(s, value.label)]
        return tuple(sorted({*given, *found} if len(value.evidence) > 1 else found or given))
    found = [i for i, s in enumerate(draft.evidence) if _says(s, value.label) and (i == 0 or s.names >= 0.5)]
    return tuple(found) or value.evidence


def _says(scored: Scored, label: str) -> bool:
    """Whether a unit says a value: in the same words, as the same date or as the same number."""
    plain = scored.plain
    if is_within(normal(label), normal(plain)):
        return True
    days = {d.earliest for d in dates(label)}
    figures = {(n.low, n.measure) for n in numbers(label)}
    return bool(days & {d.earliest for d in dates(plain)} or figures & {(n.low, n.measure) for n in numbers(plain)})


QUOTE = 300  # characters of a unit that are quoted


def citation(view: View, number: int, scored: Scored) -> Citation:
    """The unit quoted from its passage; a longer unit is cut at a word."""
    passage, unit = scored.passage, scored.unit
    start, end = unit.start - passage.start, unit.end - passage.start
    if end - start > QUOTE:
        cut = passage.text.rfind(" ", start, start + QUOTE)
        end = cut if cut > start else start + QUOTE
    info = view.documents.get(passage.document, DocumentInfo(passage.document))
    return Citation(
        number,
        view.namespaces.document(passage.document),
        info.title,
        passage.headings,
        view.namespaces.passage(passage.id),
        passage.text,
        passage.text[start:end],
        start,
        end,
        passage.start,
        info.url,
        page=info.page(passage.start + start),
        plain=unit.plain,
    )


def answered(
    view: View, question: str, draft: Draft, confidence: float, limit: int | None = None, known: Facts | None = None
) -> Answer:
    """An answer with its citations in the order of the draft's evidence; with its query if the graph backs it.

    ``known``: what the graph holds, for telling how the answer was made; None without a graph.
    """
    kept, places = _citations(view, draft.evidence, limit)
    backing = draft.backing
    facts = backing.facts if backing else ()
    kept = tuple(replace(c, claim=_claim_of(c, facts)) for c in kept)
    one_each = len(facts) == len(draft.values) and not draft.exact
    items = tuple(
        _item(v, places, confidence, facts[i] if one_each else None) for i, v in enumerate(draft.values) if v.label
    )
    return Answer(
        question,
        "answered",
        draft.text,
        items,
        backing.written.sparql if backing else None,
        backing.written.bindings if backing else None,
        kept,
        _conflicts(draft, items, facts, places),
        confidence=confidence,
        explanation=explanation(view, known, draft),
    )


def _conflicts(
    draft: Draft, items: Sequence[AnswerItem], facts: Sequence[Fact], places: dict[int, int]
) -> tuple[Conflict, ...]:
    """The answer's value and its rivals, each with its citations."""
    if not draft.rivals or not items:
        return ()
    first = ConflictValue(items[0].label, facts[0].status if facts else "stated", items[0].citations)
    others = (
        ConflictValue(r.label, r.status, (places[r.evidence],) if r.evidence in places else ()) for r in draft.rivals
    )
    return (Conflict(draft.rivals[0].property, (first, *others)),)


def _claim_of(citation: Citation, facts: Sequence[Fact]) -> str | None:
    """The claim that a citation's quotation carries."""
    start = citation.document_start + citation.start
    end = citation.document_start + citation.end
    own = (f for f in facts if citation.passage.endswith(f.passage) and f.start < end and start < f.end)
    return next((f.claim for f in own), None)


def _item(value: Value, places: dict[int, int], confidence: float, fact: Fact | None) -> AnswerItem:
    cited = tuple(sorted({places[i] for i in value.evidence if i in places}))
    if fact is None:
        return AnswerItem(value.label, value.iri or value.label, value.iri, confidence=confidence, citations=cited)
    term = fact.object
    return AnswerItem(
        value.label,
        term.value if term is not None else fact.stated,
        term.value if isinstance(term, ox.NamedNode) else None,
        term.datatype.value if isinstance(term, ox.Literal) else None,
        fact.unit,
        fact.status,
        confidence,
        cited,
    )


def _citations(
    view: View, evidence: Sequence[Scored], limit: int | None
) -> tuple[tuple[Citation, ...], dict[int, int]]:
    once = {scored.key: scored for scored in reversed(evidence)}
    keys = list(dict.fromkeys(scored.key for scored in evidence))[:limit]
    numbers = {key: number for number, key in enumerate(keys, 1)}
    kept = tuple(citation(view, number, once[key]) for key, number in numbers.items())
    return kept, {i: numbers[scored.key] for i, scored in enumerate(evidence) if scored.key in numbers}


def sourced(answer: Answer) -> Answer:
    """Where an answer comes from: the documents that say it, quoted."""
    if answer.status != "answered":
        return answer
    told = (f"{c.title} says: “{clip(c.quote, 0, ROOM)}”" for c in answer.citations[:2])
    return replace(answer, answer="; ".join(told))


_SAYINGS = {
    Reason.UNKNOWN_ENTITY: "The documents don't mention {what}.{hint}",
    Reason.UNKNOWN_RELATION: "The documents don't say that of {what}.",
    Reason.NO_EVIDENCE: "The documents don't say.",
    Reason.AMBIGUOUS: "The question could mean several things: {what}.",
}


def abstained(
    view: View, question: str, reason: Reason, what: str, hint: str, nearest: Sequence[Scored], confidence: float
) -> Answer:
    """An abstention that says what is missing, with the nearest passages."""
    kept, _ = _citations(view, nearest, None)
    text = _SAYINGS[reason].format(what=what or "what is asked about", hint=hint)
    return Answer(question, "abstained", text, citations=kept, reason=reason, confidence=confidence)


# What a passage is read for, by the kind of its draft; other kinds are read for what they say.
_READ_FOR = {
    "number": "its number",
    "count": "its number",
    "date": "its date",
    "duration": "its dates",
    "entity": "its name",
    "list": "what it lists",
}
_PAIRED = frozenset(("comparison", "difference", "duration", "boolean"))
_NAMES_SHOWN = 2


def explanation(view: View, facts: Facts | None, draft: Draft) -> str:
    """One sentence on how a draft was made; ``facts`` is None where only passages answer."""
    steps = f"First {'; then '.join(draft.via)}. " if draft.via else ""
    if draft.backing is None or not draft.backing.facts or facts is None:
        return steps + _of_passages(view, draft)
    return steps + _Teller(view, facts, draft, draft.backing).sentence()


def _of_passages(view: View, draft: Draft) -> str:
    """Where an answer was read from, if no query stands behind it."""
    cited = draft.evidence if draft.kind == "comparison" else draft.evidence[:1]
    titles = dict.fromkeys(view.documents[s.passage.document].title for s in cited)
    where = ", in " + " and ".join(f"“{title}”" for title in titles if title) if any(titles) else ""
    if draft.reading:
        return f"Computed from one table or list{where}: {draft.reading}; no query stands behind it."
    if draft.kind == "comparison":
        return f"A value of each was read{where}, and the two were compared; no query stands behind it."
    how = _READ_FOR.get(draft.kind, "what it says")
    return f"The passage that fits the question best is read for {how}{where}; no query stands behind it."


class _Teller:
    """The sentence on an answer whose values are claims of the graph."""

    def __init__(self, view: View, facts: Facts, draft: Draft, backing: Backing) -> None:
        self._view, self._facts, self._draft = view, facts, draft
        self._told, self._query = backing.facts, backing.written.sparql
        self._subjects = list(dict.fromkeys(f.subject for f in backing.facts))
        self._predicates = list(dict.fromkeys(f.predicate for f in backing.facts))
        # In quotation marks: labels may be verbs ("founded by"), which no sentence fits around.
        self._property = " or ".join(f"“{facts.label(p)}”" for p in self._predicates[:_NAMES_SHOWN])

    def sentence(self) -> str:
        """What was done, then in how many documents its evidence stands; of a ranking only the first is told."""
        return f"{self._done()}{'' if self._draft.kind == 'extreme' else self._where()}."

    def _done(self) -> str:
        draft, told = self._draft, self._told
        if draft.kind in _PAIRED:
            return self._paired()
        if draft.exact and draft.kind == "number":
            function = "average" if "AVG(" in self._query else "sum"
            return f"The {function} of {self._property} over {len(self._subjects)} {self._kind()}"
        if draft.exact and draft.kind == "extreme":
            order = "falling" if "ORDER BY DESC(" in self._query else "rising"
            return f"The first of {draft.members} {self._kind()} by {order} {self._property}"
        things = draft.kind == "list" and any(v.label == self._name(told[0].subject) for v in draft.values)
        if things or len(self._subjects) > 1 or (draft.exact and draft.kind in ("list", "count")):
            return self._selected()
        return self._values()

    def _paired(self) -> str:
        ends = [n for n in dict.fromkeys(map(self._name, self._subjects)) if n]
        of = f" of {' and '.join(ends[:2])}" if ends else ""
        if len(self._told) == 1:
            return f"Decided by the value of {self._property}{of}"
        return f"Two values of {self._property}{of}, compared"

    def _selected(self) -> str:
        """Things by what ties them to something else, listed or counted."""
        things, objects = self._subjects, {f.object.value for f in self._told if f.object is not None}
        if len(things) == 1 and len(objects) > 1:
            number, kind = len(objects), "things"
            said = f"given as {self._property}{self._of(things[0])}"
        elif len(objects) == 1 and len(self._predicates) == 1:
            number, kind = len(things), self._kind(len(things))
            said = f"with {self._property}: {next(self._facts.label(f.object) for f in self._told if f.object)}"
        else:
            number, kind = len(things), self._kind(len(things))
            said = self._chosen()
        return f"{'Counted: ' if self._draft.kind == 'count' else ''}{number} {kind} {said}".strip()

    def _chosen(self) -> str:
        """The properties that the query chooses by; members of a class are chosen by none."""
        local = {p: re.escape(re.split("[/#]", p)[-1]) for p in self._predicates}
        used = [p for p, name in local.items() if re.search(rf"\b{name}\b", self._query)]
        return f"chosen by {' and '.join(f'“{self._facts.label(p)}”' for p in used)}" if used else ""

    def _values(self) -> str:
        """Values of one property of one thing: the only ones, or some of those that the documents give."""
        first = self._told[0]
        known = {
            str(f.object)
            for f in self._facts.of_subject(first.subject)
            if f.predicate in self._predicates and f.asserted and not f.denied and f.object is not None
        }
        given = f"given as {self._property}{self._of(first.subject)}"
        if self._draft.kind == "count" and len(self._told) > 1:
            return f"Counted: what is {given}"
        if not all(f.asserted for f in self._told):
            return f"What is {given}, without being taken as fact"
        shown = len({str(f.object) for f in self._told})
        if len(known) <= shown:
            return f"The only value {given}" if shown == 1 else f"All {shown} values {given}"
        return f"{'One' if shown == 1 else shown} of {len(known)} values {given}"

    def _where(self) -> str:
        """The number of documents that say so: those of the claims and of others that say the same."""
        said = {(f.subject, f.predicate, f.object) for f in self._told}
        same = (f for s in self._subjects for f in self._facts.of_subject(s) if not f.denied)
        passages = {f.passage for f in (*self._told, *same) if (f.subject, f.predicate, f.object) in said}
        documents = {self._view.passages[p].document for p in passages if p in self._view.passages}
        return f", from {len(documents)} document{'s' if len(documents) > 1 else ''}" if documents else ""

    def _name(self, iri: str) -> str:
        """A thing's name; events and rows may have none."""
        return self._facts.labels.get(iri, ("",))[0]

    def _of(self, iri: str) -> str:
        return f" of {self._name(iri)}" if self._name(iri) else ""

    def _kind(self, number: int = 2) -> str:
        """The narrowest class that all the subjects have, in words."""
        things = "things" if number != 1 else "thing"
        common = frozenset.intersection(*(self._facts.types.get(s, frozenset()) for s in self._subjects))
        own = [c for c in common if not c.startswith((KG, OWL, RDFS)) and c in self._facts.labels]
        if not own:
            return things
        size = {c: sum(c in types for types in self._facts.types.values()) for c in own}
        own = [c for c in own if size[c] >= self._draft.members]  # of a ranking only the first thing is told
        if not own:
            return things
        label = self._facts.label(min(own, key=lambda c: (size[c], c)))
        return plural(label) if number != 1 else label
