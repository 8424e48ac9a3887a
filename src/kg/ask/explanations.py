"""How an answer was made, in one plain sentence: what was read, counted or compared, and in how many documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.ask.drafts import Draft
from kg.ask.facts import Fact, Facts
from kg.ask.view import View
from kg.namespaces import KG, OWL, RDFS
from kg.semantics.render import plural

# What a passage is read for, by the kind of its draft; other kinds are read for what they say.
_READ = {
    "number": "its number",
    "count": "its number",
    "date": "its date",
    "duration": "its dates",
    "entity": "its name",
    "source": "who says it",
    "list": "what it lists",
    "order": "what it puts in order",
    "extreme": "its figures",
    "comparison": "its figures",
    "difference": "its figures",
}
_PAIRED = frozenset(("comparison", "difference", "duration", "boolean"))
_NAMES_SHOWN = 2


def explanation(view: View, facts: Facts | None, draft: Draft) -> str:
    """One sentence on how a draft was made; ``facts`` is None where only passages answer."""
    steps = f"First {'; then '.join(draft.via)}. " if draft.via else ""
    if draft.backing is None or not draft.backing.facts or facts is None:
        return steps + _of_passages(view, draft)
    return steps + _Teller(view, facts, draft, draft.backing.facts).sentence()


def _of_passages(view: View, draft: Draft) -> str:
    """Where an answer was read from, if no query stands behind it."""
    titles = {s.passage.document: view.documents[s.passage.document].title for s in draft.evidence[:1]}
    best = next(iter(titles.values()), "")
    where = f", in “{best}”" if best else ""
    if draft.kind == "happenings":
        number = len(draft.evidence)
        told = f"{number} units that date something" if number > 1 else "What one unit dates"
        return f"{told} within the time asked about, in the order of time; no query stands behind it."
    if draft.reading:
        return f"Computed from one table or list{where}: {draft.reading}; no query stands behind it."
    if draft.members > 1:
        return f"The {draft.members} entries of one list or table are compared{where}; no query stands behind it."
    how = _READ.get(draft.kind, "what it says")
    return f"The passage that fits the question best is read for {how}{where}; no query stands behind it."


class _Teller:
    """The sentence on an answer whose values are claims of the graph."""

    def __init__(self, view: View, facts: Facts, draft: Draft, told: Sequence[Fact]) -> None:
        self._view, self._facts, self._draft, self._told = view, facts, draft, told
        self._subjects = list(dict.fromkeys(f.subject for f in told))
        self._predicates = list(dict.fromkeys(f.predicate for f in told))
        # In quotation marks: labels may be verbs ("founded by"), which no sentence fits around.
        self._property = " or ".join(f"“{facts.label(p)}”" for p in self._predicates[:_NAMES_SHOWN])

    def sentence(self) -> str:
        """What was done, then in how many documents its evidence stands; of a ranking only the first is told."""
        return f"{self._draft.reading or self._done()}{'' if self._draft.kind == 'extreme' else self._where()}."

    def _done(self) -> str:
        draft, told = self._draft, self._told
        if draft.kind == "overview":
            return f"The best attested properties{self._of(told[0].subject)}"
        if draft.kind in _PAIRED:
            return self._paired()
        if draft.exact and draft.kind == "number":
            return f"{self._function()} of {self._property} over {len(self._subjects)} {self._kind()}"
        if draft.exact and draft.kind == "extreme":
            falling = draft.backing is not None and "ORDER BY DESC(" in draft.backing.written.sparql
            order = "falling" if falling else "rising"
            return f"The first of {draft.members} {self._kind()} by {order} {self._property}"
        if draft.members > 1 and draft.kind == "extreme":
            return f"The {draft.members} entries of one list or table are compared; the query gives what it says of one"
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

    def _function(self) -> str:
        assert self._draft.backing is not None
        return "The average" if "AVG(" in self._draft.backing.written.sparql else "The sum"

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
        assert self._draft.backing is not None
        query = self._draft.backing.written.sparql
        used = [p for p in self._predicates if re.search(rf"\b{re.escape(re.split('[/#]', p)[-1])}\b", query)]
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
