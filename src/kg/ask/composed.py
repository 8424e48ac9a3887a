"""Questions composed of several parts – of each thing, the n-th, all but some, several bounds – read as a whole.

The semantic parser reads them over an excerpt of the graph. A reading is believed only if words of the question say
every part of it and it leaves out no word with a meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.ask import composed_rows as told
from kg.ask.drafts import Asking, Backing, Draft, Value, clip
from kg.ask.excerpts import Reader
from kg.ask.facts import Fact
from kg.ask.graph import Graph, run
from kg.ask.measured_bounds import fits, in_figures
from kg.ask.retrieve import Scored
from kg.semantics.engine import Candidate, SemanticParser
from kg.semantics.logic import Aggregate, And, Count, Each, Form, Or, Rows, Set, Table, Things, Truth, parts
from kg.semantics.render import render

# So many characters of rows are shown, and so many units cited.
_ROOM, _CITED = 560, 12
_CONFIDENT, _LINKED = 0.9, 0.7
# What a reading may not be made of.
_DOUBTS = ("guess", "bridge-2", "empty", "denied", "focus", "echo", "skip", "skip-operator", "measure-unsaid")
_DISTRIBUTED = re.compile(r"\b(?:each|every|per|all|both|apiece|respectively)\b|\w/\w", re.IGNORECASE)
_LIST = (
    r"^(?:(?:please\s+)?(?:list|show|give|name|tell|return|display)\s+(?:me\s+)?"
    r"|(?:what|which|who|when)\s+(?:are|is|was|were)\s+)?"
)
_WITH_THEIR = re.compile(
    _LIST + r"(?:all\s+(?:of\s+)?|every\s+)?(?:the\s+)?(?P<kind>[\w’' -]+?),?\s+"
    r"(?:along\s+|together\s+)?(?:with|and)\s+(?:their|its)\s+(?P<what>[^?.!]+)[?.!\s]*$",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    _LIST + r"(?P<what>[^?.!]+?(?:,| and )[^?.!]+?)\s+(?:of|for)\s+(?:each|every)\s+(?P<kind>[^?.!]+)[?.!\s]*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|as well as)\s+", re.IGNORECASE)
_THE = re.compile(r"^(?:the|their|its)\s+", re.IGNORECASE)
# "How much did each invest?": each of those named before, and a verb.
_EACH_ONE = re.compile(r"\b(?:do|does|did|has|have|had|can|will)\s+each\s+\w+\s*\?*$", re.IGNORECASE)
_NTH = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)[\s-]+(?:\w+est|most|least)\b", re.IGNORECASE
)
_APART = re.compile(r"\b(?:neither|nor|except|excluding|other than|but not)\b", re.IGNORECASE)
_BOUND = (
    r"(?:(?:more|less|fewer|\w{3,}er) than|at least|at most|over|under|above|below|before|after|since|until)\s+"
    r"(?:[$€£¥]\s?)?\d[\w.,]*(?:\s(?!or\b|and\b|with\b|but\b)[\w°%/²³]+){0,2}"
)
_BOUNDS = re.compile(_BOUND, re.IGNORECASE)
_TWO = re.compile(rf"(?P<one>{_BOUND})\s+(?P<how>and|or|but)\s+(?P<other>{_BOUND})", re.IGNORECASE)
_EQUAL = re.compile(r"\s+of\s+(?=(?:[$€£¥]\s?)?\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question means, with the parser that read it."""

    parser: SemanticParser
    form: Form
    confidence: float


def is_composed(text: str) -> bool:
    """Whether a question's form is one that no other reading computes."""
    bounds = len(_BOUNDS.findall(text)) + len(_EQUAL.findall(text))
    return bool(_is_distributed(text) or _NTH.search(text) or _APART.search(text) or bounds > 1)


def _is_distributed(text: str) -> bool:
    """Whether a question may ask something of each of several things."""
    return bool(re.search(r"\b(?:each|every|per)\b", text, re.IGNORECASE) or _WITH_THEIR.match(text))


def distributes(graph: Graph, asking: Asking) -> bool:
    """Whether a question asks something of each of a kind that the graph has several of."""
    text = asking.question.text
    if not _is_distributed(text) or _EACH_ONE.search(text):
        return False
    several = [m for m in graph.schema.meant(asking.question, ()) if len(m.kind.things) > 1]
    listed = _WITH_THEIR.match(text)
    if listed:
        return any(m.start == listed.start("kind") for m in several)
    return any(re.search(r"\b(?:each|every|per)\s+(?:of\s+the\s+)?$", text[: m.start], re.I) for m in several)


def composed(graph: Graph, reader: Reader, asking: Asking) -> Draft | None:
    """The answer to a composed question; None if it is none, or no reading is sure."""
    text = asking.question.text
    if not is_composed(text) or (parser := reader.parser(asking.question)) is None:
        return None
    for said, used in in_figures(graph, parser, _EQUAL.sub(" equal to ", text)):
        reading = _whole(parser, said)
        if reading is not None and fits(graph, parser, reading.form, used):
            return _draft(graph, asking, reading)
    return None


def _whole(parser: SemanticParser, text: str) -> Reading | None:
    """A question's reading, put together of its parts' where it lists columns or names two bounds of one measure."""
    if match := _WITH_THEIR.match(text) or _OF_EACH.match(text):
        return _listing(parser, match["what"], match["kind"])
    if match := _TWO.search(text):
        return _between(parser, text, match)
    return _read(parser, text)


def _listing(parser: SemanticParser, what: str, kind: str) -> Reading | None:
    """ "List the towers with their heights and steps": the columns are read one by one."""
    names = [_THE.sub("", name) for name in _AND.split(what) if name.strip()]
    found = [r for name in names if (r := _read(parser, f"{name} of each {kind}")) is not None]
    each = [r.form for r in found if isinstance(r.form, Each) and not r.form.function]
    if not each or len(each) < len(names) or len({e.of for e in each}) != 1:
        return None
    form = each[0] if len(each) == 1 else Rows(each[0].of, tuple(e.path for e in each))
    return Reading(parser, form, min(r.confidence for r in found))


def _between(parser: SemanticParser, text: str, match: re.Match[str]) -> Reading | None:
    """ "… before 1700 or after 1930": the question with either bound, then both or any of them."""
    start, end = match.span()
    one, other = (_read(parser, text[:start] + match[part] + text[end:]) for part in ("one", "other"))
    if one is None or other is None or not isinstance(one.form, Set) or not isinstance(other.form, Set):
        return None
    joined = Or if match["how"].casefold() == "or" else And
    return Reading(parser, joined(one.form, other.form), min(one.confidence, other.confidence))


def _read(parser: SemanticParser, text: str) -> Reading | None:
    """The best reading of a text, if it is sure."""
    best = next(iter(parser.candidates(text, 1)), None)
    if best is None or not _is_sure(parser, best) or isinstance(best.form, Truth | Table):
        return None
    return Reading(parser, best.form, parser.confidence(best))


def _is_sure(parser: SemanticParser, best: Candidate) -> bool:
    features = best.features
    if parser.confidence(best) < _CONFIDENT or any(features.get(name) for name in _DOUBTS):
        return False
    if features.get("bridge", 0.0) > (0.5 if isinstance(best.form, Each) else 0.0) + _named(best.form):
        return False
    leaves = (leaf for leaf in best.item.leaves() if leaf.cat in ("S", "R"))
    return all(dict(leaf.local).get("match", 1.0) >= _LINKED * (leaf.end - leaf.start) for leaf in leaves)


def _named(form: Form) -> int:
    """How many things are named: how they belong to the rest may go without saying."""
    return sum(isinstance(part, Things) for part in parts(form))


def _draft(graph: Graph, asking: Asking, reading: Reading) -> Draft | None:
    """The answer with its query, cited by the claims that it rests on."""
    parser, form = reading.parser, reading.form
    parse = parser.answered(asking.question.text, form, reading.confidence)
    facts = told.behind(graph, parser, form) or told.of_things(graph, parse.rows or ())
    evidence = graph.cited(asking, facts)[:_CITED]
    rows = told.said(graph, parser, form, parse.rows or (), facts)
    if not rows or not evidence or parse.sparql is None or not told.agrees(parser, form, parse.rows or ()):
        return None
    written = run(graph.store, graph.writer.abbreviated(parse.sparql))
    kind = "count" if isinstance(form, Count) else "number" if isinstance(form, Aggregate) else "list"
    names = [row.partition(": ")[0].partition(" (")[0] for row in rows]
    labels = [told.articled(row, name, evidence) for row, name in zip(rows, names, strict=True)]
    values = tuple(
        Value(label, _places(graph, asking, evidence, facts, name)) for label, name in zip(labels, names, strict=True)
    )
    text = clip(("; " if isinstance(form, Each | Rows) else ", ").join(labels), 0, _ROOM)
    said = f"Read as: {render(parser.graph, form)}"
    return Draft(
        kind, text, values, evidence, 0.9, Backing(written, facts), reading.confidence, exact=True, reading=said
    )


def _places(
    graph: Graph, asking: Asking, evidence: tuple[Scored, ...], facts: tuple[Fact, ...], name: str
) -> tuple[int, ...]:
    """Positions of the units cited whose claims are of a row's thing."""
    keys = {
        scored.key
        for f in facts
        if name in (graph.facts.label(f.subject), graph.facts.label(f.object) if f.object else "")
        and (scored := graph.evidence(asking, f)) is not None
    }
    return tuple(i for i, s in enumerate(evidence) if s.key in keys) or (0,)
