"""Who says so: the person or body that a document names for a statement, else its author or the document itself.

And what a document cites: its lines "Source: …" about what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import pyoxigraph as ox

from kg.ask.drafts import LONG_ROOM, Asking, Draft, Value, covered, sentence
from kg.ask.linking import COUNTING
from kg.ask.question import Role
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import cells, dates, names, numbers
from kg.ask.terms import bag
from kg.ask.view import DocumentInfo
from kg.ask.words import words

_SAY = r"(?:says?|said|states?|stated|claims?|claimed|reports?|reported|estimates?|estimated|writes?|wrote)"
_TEXT = r"(?:source|document|paper|text|author|report|article|file|page|person|company|organi[sz]ation)"
_ASKS = re.compile(
    rf"^(?:who|(?:which|what)\s+(?:\w+\s+)?{_TEXT}s?)\s+(?:says|{_SAY}\s+that)\s+(?P<told>.+?)[?.!\s]*$"
    rf"|^according to (?:who|whom|what|which (?:\w+ )?{_TEXT}s?)\b,?\s+"
    r"(?:does|did|do|is|was|has|have|had|are|were)\s+(?P<asked>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_BE = r"\s+(?:is|are|was|were)\s+"
_CITES = re.compile(
    rf"^(?:which|what)\s+(?:\w+\s+)?(?:(?:source|reference)s?{_BE}(?:cited|quoted|given|named|listed)"
    rf"|(?:\w+){_BE}(?:cited|quoted|referenced)(?:\s+as\s+(?:an?\s+|the\s+)?(?:source|reference)s?)?)"
    r"\s+(?:for|on|about)\s+(?P<about>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_SAYS_AFTER = re.compile(
    r",?\s+(?:has\s+)?(?:said|says|stated?s?|claim(?:s|ed)|report(?:s|ed)|estimate[sd]|wrote|told)\b"
)
_SAYS_BEFORE = re.compile(
    r"\b(?:according to|(?:as )?(?:said|told|reported|estimated|claimed|stated|leaked) by)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_HEADS = frozenset(("source", "author", "said by", "reported by", "according to", "estimated by"))
_CITED = frozenset(("source", "sources", "reference", "references", "citation", "citations", "cited"))
_DOCUMENTS = words("document documents paper papers text texts report reports article articles file files page pages")
_NOT = re.compile(r"\b(?:not|never|no|nobody|none)\b|n['’]t\b", re.IGNORECASE)
# The share of the statement's words that a unit, with what stands over it, must say.
_SAID = 0.7
_MOST, _DEPTH = 3, 20
_SPEAKERS = """PREFIX kg: <https://w3id.org/citegraph/kg#>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?start ?end ?name ?passage WHERE {
  ?claim prov:wasDerivedFrom ?passage ; kg:quoteStart ?start ; kg:quoteEnd ?end .
  OPTIONAL { ?claim prov:wasAttributedTo/rdfs:label ?name } } ORDER BY ?claim"""


def statement(text: str) -> str | None:
    """What a question asks the source of; None if it asks for no source.

    >>> statement("Who said that the Elsa has 40 berths?")
    'the Elsa has 40 berths'
    """
    match = _ASKS.match(text.strip())
    return (match["told"] or match["asked"]) if match else None


def source_asked(asking: Asking) -> Callable[[], Draft | None] | None:
    """What finds the source that a question asks for; None if it asks for none."""
    text = asking.question.text
    if (told := statement(text)) is not None:
        return partial(who_said, asking, told)
    return partial(cited_for, asking, about) if (about := subject_cited(text)) is not None else None


def who_said(asking: Asking, told: str) -> Draft | None:
    """Who says a statement, of at most three documents; None if no document says it."""
    inner = asking.about(told)
    found: dict[str, Scored] = {}
    for scored in inner.found.units[:_DEPTH]:
        if len(found) < _MOST and _says(inner, scored):
            found.setdefault(scored.passage.document, scored)
    evidence = tuple(found.values())
    if not evidence:
        return None
    sources = [_source(asking, s) for s in evidence]
    room = LONG_ROOM // len(evidence)
    text = "; ".join(sentence(shown, s.plain, room) for (_, shown), s in zip(sources, evidence, strict=True))
    values = tuple(Value(source, (i,)) for i, (source, _) in enumerate(sources))
    share = covered(inner.found.terms, _all(evidence[0]))
    return Draft("source", text, values, evidence, share, explained=share, exact=True)


def subject_cited(text: str) -> str | None:
    """What a question asks the documents' own sources for; None if it asks for none.

    >>> subject_cited("Which papers are cited for the Elsa's length?")
    "the Elsa's length"
    """
    match = _CITES.match(text.strip())
    return match["about"] if match else None


def cited_for(asking: Asking, about: str) -> Draft | None:
    """The sources that lines "Source: …" name, of those that stand with most of what is asked; None without such."""
    inner = asking.about(f"Which sources are there for {about}?")
    terms = tuple(t for t in inner.found.terms if t.word.token.lower not in _CITED and t.word.term not in COUNTING)
    units = inner.found.units[:_DEPTH]
    found = _citing(terms, units, _all) or _citing(terms, units, _passage)
    if not found:
        return None
    evidence = tuple(found.values())
    share = covered(terms, _passage(evidence[0]))
    values = tuple(Value(cited, (i,)) for i, cited in enumerate(found))
    text = sentence("; ".join(found), evidence[0].plain, LONG_ROOM)
    return Draft("source", text, values, evidence, share, explained=share, exact=True)


def _citing(terms: tuple[Term, ...], units: tuple[Scored, ...], told: Callable[[Scored], str]) -> dict[str, Scored]:
    """What lines "Source: …" name that by ``told`` are about the names asked for and most of the words."""
    found: dict[str, Scored] = {}
    names = tuple(t for t in terms if t.word.role == Role.NAME)
    for scored in units:
        cited = next((cell.text for head, cell in cells(scored.plain) if head.casefold() in _CITED), None)
        around = bag(told(scored))
        named = all(t.found(around) >= 0.5 for t in names)
        if cited and named and len(found) < _MOST and covered(terms, told(scored)) >= _SAID:
            found.setdefault(cited, scored)
    return found


def _passage(scored: Scored) -> str:
    return " ; ".join((*(u.plain for u in scored.passage.units), _all(scored)))


def _says(asking: Asking, scored: Scored) -> bool:
    """Whether a unit says what is stated: its figures, dates, names and most of its words."""
    text, plain = asking.question.text, scored.plain
    if bool(_NOT.search(text)) != bool(_NOT.search(plain)):
        return False
    given = numbers(plain)
    if not all(any(g.low <= n.low <= g.high and g.measure == n.measure for g in given) for n in numbers(text)):
        return False
    days = dates(plain)
    if not all(any(d.earliest <= a.latest and a.earliest <= d.latest for d in days) for a in dates(text)):
        return False
    around = bag(_all(scored))
    named = all(t.found(around) >= 0.5 for t in asking.found.terms if t.word.role == Role.NAME)
    return named and covered(asking.found.terms, _all(scored)) >= _SAID


def _all(scored: Scored) -> str:
    return " ; ".join((scored.plain, scored.unit.context, *scored.passage.headings))


def _source(asking: Asking, scored: Scored) -> tuple[str, str]:
    """Who says what a unit says, and that in words: a document's title is marked as one."""
    document = scored.passage.document
    info = asking.retriever.view.documents.get(document) or DocumentInfo(document)
    named = next(_named(scored.plain), "") or _attributed(asking, scored)
    said = "" if asking.question.focus_in(_DOCUMENTS) else named or info.author
    return (said, said) if said else (info.title, f"the document “{info.title}”")


def _attributed(asking: Asking, scored: Scored) -> str:
    """Whom the graph's claims from a unit are attributed to, if they all are to one ("“…,” said Ada Wren. “…”")."""
    view, passage = asking.retriever.view, scored.passage
    if view.store is None:
        return ""
    unit = passage.units[scored.number]
    node = ox.NamedNode(view.namespaces.passage(passage.id))
    rows = cast("Iterator[ox.QuerySolution]", view.store.query(_SPEAKERS, {"passage": node}))
    inside = [row for row in rows if unit.start <= int(row["start"].value) and int(row["end"].value) <= unit.end]
    speakers = {row["name"].value if row["name"] else "" for row in inside}
    return speakers.pop() if len(speakers) == 1 else ""


def _named(plain: str) -> Iterator[str]:
    """Whom a unit names for what it says."""
    for head, cell in cells(plain):
        if head.casefold() in _HEADS:
            yield cell.text
    for name in names(plain):
        if _SAYS_AFTER.match(plain, name.end) or _SAYS_BEFORE.search(plain[: name.start]):
            yield name.text
