"""What a language model may do for a question: propose a query where the engine abstains, phrase what it answers.

A model's wording of an answer, kept only if it is a sentence that says nothing more.

Names may come from the answer's quotations; figures and dates from the answer and the question alone: a small model
takes the next cell of a quoted row for the value ("Mass: 240 kW").
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kg.ask.compose import answered
from kg.ask.drafts import Asking, normal
from kg.ask.graph import Graph
from kg.ask.linking import link, property_fit
from kg.llm import model_client, proposed_queries
from kg.llm.model_client import Client, ModelFailed, one
from kg.llm.proposed_queries import Refused, Vocabulary, proposal
from kg.model import Answer, Reason
from kg.namespaces import KG, OWL, RDF, RDFS, XSD
from kg.text.hedges import hedge
from kg.text.spans import dates, numbers
from kg.text.terms import term

if TYPE_CHECKING:
    from kg.ask.engine import Asker
    from kg.settings import LlmSettings

_LONGEST = 400
_TOKEN = re.compile(r"[^\W_]+(?:[.,’'/:-][^\W_]+)*[%°]?|[$€£¥]")
_DENIAL = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half"
    r"|twice|double|first|second|third)s?\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?][\"”’')\]]*$")
_OWNED = re.compile(r"['’]s$")


def kept(answer: Answer, phrased: str, names: frozenset[str]) -> bool:
    """Whether a wording may stand for the answer's own. ``names``: words that the documents write with a capital."""
    text = phrased.strip()
    if len(text) > _LONGEST or "\n" in text or not _ENDED.search(text):
        return False
    told = " ".join((_own(answer), answer.question, *(i.label for i in answer.answers)))
    quoted = " ".join((answer.answer, *(c.quote for c in answer.citations)))
    return _says_no_more(text, told, quoted, names) and _says_no_less(text, answer)


def _own(answer: Answer) -> str:
    """The answer without its quotation."""
    return answer.answer.split(" – “", 1)[0]


def _says_no_more(text: str, told: str, quoted: str, names: frozenset[str]) -> bool:
    """Whether every number and date of a text stands in what is told; names may come from what is quoted too."""
    words = {w.casefold() for w in _TOKEN.findall(told)}
    named = words | {w.casefold() for w in _TOKEN.findall(quoted)}
    for found in _TOKEN.finditer(text):
        word = found[0].casefold()
        figure = any(c.isdigit() for c in word) or word in "$€£¥" or _COUNTED.fullmatch(word)
        if figure and word not in words:
            return False
        if not figure and _is_name(text, found, names) and not {word, _OWNED.sub("", word)} & named:
            return False
    figures = {(n.low, n.measure) for n in numbers(told)}
    days = {d.earliest for d in dates(told)}
    return all((n.low, n.measure) in figures for n in numbers(text)) and all(d.earliest in days for d in dates(text))


def _is_name(text: str, found: re.Match[str], names: frozenset[str]) -> bool:
    """Whether a word is written as a name, or is one in the documents; a sentence's first word is by its second."""
    word = found[0]
    if term(word) in names:
        return True
    begins = not text[: found.start()].strip() or re.search(r"[.!?:]\s*[\"“]?$", text[: found.start()])
    return any(c.isupper() for c in (word[1:] if begins else word))


def _says_no_less(text: str, answer: Answer) -> bool:
    """Whether every value that is answered or disagrees is still there, and so are denials and words of doubt."""
    values = [i.label for i in answer.answers] + [v.value for c in answer.conflicts for v in c.values]
    plain = normal(text)
    if not values or not all(normal(value) in plain for value in values):
        return False
    own = _own(answer)
    first = re.match(r"(yes|no)\b", own, re.IGNORECASE)
    if first and not plain.startswith(first[0].casefold()):
        return False
    if bool(_DENIAL.search(text)) != bool(_DENIAL.search(own)):
        return False
    status, wanted = hedge(text), hedge(own)
    return (status.status, status.mood) == (wanted.status, wanted.mood)


_LOG = logging.getLogger(__name__)
_REST_S = 30.0  # without questions to a model that has just failed
_ATTEMPTS = 2  # of a request while somebody waits for an answer
_MOST_PROPERTIES, _MOST_CLASSES, _MOST_THINGS = 80, 40, 12
_CONFIDENCE = 0.5  # of an answer by a proposed query: nothing has weighed whether it is what was asked
_MISSING = (Reason.NO_EVIDENCE, Reason.UNKNOWN_RELATION)
_USED = f"""
SELECT ?p (COUNT(?c) AS ?n) (MIN(STR(?o)) AS ?example) WHERE {{
  ?c <{RDF}predicate> ?p ; <{RDF}object> ?o ; <{KG}asserted> true .
}} GROUP BY ?p"""


def _schema(name: str, kind: str | list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind}}, "required": [name], "additionalProperties": False}


class Helper:
    """The language model beside one asker. What it says is checked; whatever fails leaves the engine's own answer."""

    def __init__(self, client: Client, settings: LlmSettings) -> None:
        self._client, self._uses = client, settings.uses
        self._rests_until = 0.0
        self._known: tuple[Graph, Vocabulary, Mapping[str, tuple[int, str]]] | None = None

    def helped(self, asker: Asker, question: str, answer: Answer, limit: int | None) -> Answer:
        """The answer, or a better one; ``question`` stands by itself."""
        if time.monotonic() < self._rests_until:
            return answer
        started = time.perf_counter()
        try:
            if answer.status == "abstained":
                if "propose" not in self._uses or answer.reason not in _MISSING or asker.graph is None:
                    return answer
                found = self._proposed(asker, question, asker.graph.graph, limit)
            elif "phrase" in self._uses:
                found = self._phrased(asker, question, answer)
            else:
                return answer
        except (ModelFailed, Refused) as error:
            if isinstance(error, ModelFailed):
                self._rests_until = time.monotonic() + _REST_S
            _LOG.info("the language model was of no help: %s", error)
            found = answer
        spent = round((time.perf_counter() - started) * 1000, 1)
        return replace(found, timings_ms={**answer.timings_ms, "model": spent})

    def _proposed(self, asker: Asker, question: str, graph: Graph, limit: int | None) -> Answer:
        """The answer of a query that the model proposes. Raises ModelFailed, Refused."""
        analysed = asker.analyse(question)
        asking = Asking(analysed, asker.retriever.find(analysed), asker.retriever)
        vocabulary, used = self._vocabulary(graph)
        prompt = model_client.prompt(model_client.PROPOSE).filled(
            question=json.dumps(question, ensure_ascii=False), **_told(graph, asking, vocabulary, used)
        )
        reply = one(self._client.complete(prompt, _schema("sparql", ["string", "null"]), _ATTEMPTS).text)
        text = reply.get("sparql") if reply else None
        if not isinstance(text, str) or not text.strip():
            raise Refused("the model proposed no query")
        draft = proposed_queries.draft(graph, asking, proposal(text, vocabulary, proposed_queries.MOST_SOLUTIONS))
        assert draft.backing is not None
        note = f"# Proposed by a language model ({self._client.model}); every row has claims with evidence.\n"
        written = replace(draft.backing.written, sparql=note + draft.backing.written.sparql)
        draft = replace(
            draft,
            text=f"{draft.text} (by a query that a language model proposed)",
            backing=replace(draft.backing, written=written),
        )
        return answered(asker.view, question, draft, _CONFIDENCE, limit)

    def _vocabulary(self, graph: Graph) -> tuple[Vocabulary, Mapping[str, tuple[int, str]]]:
        if self._known is None or self._known[0] is not graph:
            rows = graph.facts.select(_USED)
            used = {r["p"].value: (int(r["n"].value), r["example"].value if r["example"] else "") for r in rows}
            classes = {c for all_ in graph.facts.types.values() for c in all_ if not c.startswith((KG, OWL, RDF, RDFS))}
            names = graph.view.namespaces
            declared = graph.view.ontology.prefixes if graph.view.ontology else {}
            prefixes = {**{p: iri for p, iri in declared.items() if p}, **names.prefixes()}
            known = Vocabulary(
                frozenset(used),
                frozenset(classes),
                frozenset(i for i in graph.facts.labels if i not in used and i not in classes),
                prefixes,
                graph.view.ontology,
            )
            self._known = graph, known, used
        return self._known[1], self._known[2]

    # --- a phrasing -----------------------------------------------------------------------------

    def _phrased(self, asker: Asker, question: str, answer: Answer) -> Answer:
        """The answer in the model's words if these say the same. Raises ModelFailed."""
        quotations = "\n".join(json.dumps(c.quote, ensure_ascii=False) for c in answer.citations)
        prompt = model_client.prompt(model_client.PHRASE).filled(
            question=json.dumps(question, ensure_ascii=False),
            answer=json.dumps(answer.answer, ensure_ascii=False),
            quotations=quotations,
        )
        reply = one(self._client.complete(prompt, _schema("answer", "string"), _ATTEMPTS).text)
        text = reply.get("answer") if reply else None
        if not isinstance(text, str) or not kept(answer, text, asker.view.lexicon.capitalised):
            raise Refused("the model's wording says something else")
        return replace(answer, answer=text.strip())


def _told(graph: Graph, asking: Asking, known: Vocabulary, used: Mapping[str, tuple[int, str]]) -> dict[str, str]:
    """What the model is told of the graph: its words that have most to do with the question."""
    ranked = sorted(used, key=lambda p: (-sum(property_fit(asking.found.terms, graph.names(p))), -used[p][0], p))[
        :_MOST_PROPERTIES
    ]
    count: dict[str, int] = {}
    for classes in graph.facts.types.values():
        for iri in classes:
            count[iri] = count.get(iri, 0) + 1
    kinds = sorted(known.classes, key=lambda c: (-count[c], c))[:_MOST_CLASSES]
    linked = [i for x in link(asking.question, graph.facts, graph.view.lexicon.capitalised) for i in x.things]
    return {
        "prefixes": "\n".join(f"PREFIX {p}: <{iri}>" for p, iri in sorted(known.prefixes.items())),
        "properties": "\n".join(_property(graph, p, *used[p]) for p in ranked),
        "classes": "\n".join(f"{graph.term(c)}: {graph.facts.label(c)} ({count[c]})" for c in kinds),
        "things": "\n".join(f"{graph.term(i)}: {graph.facts.label(i)}" for i in linked[:_MOST_THINGS]) or "(none)",
    }


def _property(graph: Graph, iri: str, count: int, example: str) -> str:
    ontology = graph.view.ontology
    property_ = ontology.properties.get(iri) if ontology else None
    form = ""
    if property_ is not None and ontology is not None:
        ends = [" or ".join(ontology.labels(classes)) for classes in (property_.domains, property_.ranges)]
        value = ends[1] or (property_.datatype or "").removeprefix(XSD)
        unit = f", in {property_.canonical_unit}" if property_.canonical_unit else ""
        form = f" ({ends[0] or 'anything'} → {value or 'anything'}{unit})"
    shown = example if not example.startswith("http") else graph.facts.label(example)
    return f"{graph.term(iri)}: {graph.facts.label(iri)}{form}, {count} times, such as {shown[:60]!r}"
