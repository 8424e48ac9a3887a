"""Which facts of the sample subjects a knowledge base holds as values of its claims.

The facts are data (``tests/inventory.txt``; its head explains a line). Each subject has one SPARQL query, which gives
all claims about the names in its facts and about the events that they have a part in. A fact is held when one of these
claims has its subject, one of its properties, its value (a figure by the bounds, a date, a name by label or alias) and
its standing: that a quotation has the words is not enough.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.knowledge_base import KnowledgeBase

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "inventory.txt"
_DISAGREEMENTS = "# Disagreements"
_TOLERANCE = 1e-6
PREFIXES = """PREFIX kg: <https://w3id.org/citegraph/kg#>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
"""
QUERY = (
    PREFIXES
    + """SELECT ?claim ?subject ?property ?object ?stated ?lower ?upper ?earliest ?latest ?from ?until
       ?status ?polarity ?document ?quote WHERE {
  { SELECT DISTINCT ?claim WHERE {
    { SELECT DISTINCT ?thing WHERE { ?thing rdfs:label|skos:altLabel ?name . FILTER(NAMES) } }
    { ?claim rdf:subject|rdf:object ?thing }
    UNION { ?link rdf:subject ?thing ; rdf:object ?event . ?claim rdf:subject ?event }
    UNION { ?link rdf:object ?thing ; rdf:subject ?event . ?claim rdf:subject ?event }
  } }
  ?claim a kg:Claim ; rdf:subject ?subject ; rdf:predicate ?property ; kg:status ?status ; kg:polarity ?polarity ;
         kg:statedValue ?stated ; kg:quote ?quote ; prov:wasDerivedFrom ?passage .
  ?passage dcterms:isPartOf/kg:name ?document .
  OPTIONAL { ?claim rdf:object ?object }
  OPTIONAL { ?claim kg:lowerValue ?lower } OPTIONAL { ?claim kg:upperValue ?upper }
  OPTIONAL { ?claim kg:earliest ?earliest } OPTIONAL { ?claim kg:latest ?latest }
  OPTIONAL { ?claim kg:validFrom ?from } OPTIONAL { ?claim kg:validUntil ?until }
}"""
)
LABELS = PREFIXES + "SELECT ?node ?label WHERE { ?node rdfs:label|skos:altLabel ?label }"


@dataclass(frozen=True)
class Fact:
    """One line of the data: alternatives of the subject, properties, alternatives of the value, standing."""

    text: str
    subjects: tuple[str, ...]
    properties: tuple[str, ...]
    values: tuple[str, ...]
    standing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A subject or disagreement of the inventory with its facts."""

    name: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Held:
    """A claim that holds a fact: what it says, how the document qualifies that, and where it stands."""

    property: str
    stated: str
    status: str
    document: str
    quote: str


_NOTHING = Held("", "no value", "", "", "")  # what nobody gives is held by giving none


# --- the data ----------------------------------------------------------------------------------------


def load(file: Path = DATA) -> tuple[list[Row], list[Row]]:
    """The subjects and the disagreements, in the file's order."""
    groups: tuple[list[Row], list[Row]] = ([], [])
    rows = groups[0]
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            rows.append(Row(line[3:], ()))
        elif line.startswith(_DISAGREEMENTS):
            rows = groups[1]
        elif line and not line.startswith("#"):
            rows[-1] = Row(rows[-1].name, (*rows[-1].facts, fact(line)))
    return groups


def fact(line: str) -> Fact:
    """A line of the data as a fact; raises ValueError where it has too few parts."""
    parts = [part.strip() for part in line.split(" |")]
    if not 3 <= len(parts) <= 4 or not all(parts):
        raise ValueError(f"not a fact: {line}")
    properties = tuple(folded(p) for p in parts[1].split(","))
    standing = tuple(s.strip() for s in parts[3].split(",")) if len(parts) == 4 else ()
    return Fact(line, _either(parts[0]), properties, _either(parts[2]), standing)


def _either(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(" or "))


def folded(name: str) -> str:
    """A property's name for comparing: without case, hyphens and spaces."""
    return re.sub(r"[\s_-]", "", name).casefold()


def plain(text: str) -> str:
    """A text for comparing: one kind of dash, quote and space, no outer quotation marks, lower case."""
    text = text.replace("–", "-").replace("’", "'").replace("“", '"').replace("”", '"')
    return " ".join(text.split()).strip(' ".').casefold()


# --- the query ---------------------------------------------------------------------------------------


def query(row: Row) -> str:
    """The SPARQL query that returns a row's content."""
    named = sorted({name for item in row.facts for name in _names(item)})
    whole = [f'"{_escaped(n)}"' for n in named if not n.startswith("~")]
    tests = [f"LCASE(STR(?name)) IN ({', '.join(whole)})"] if whole else []
    tests += [f'CONTAINS(LCASE(STR(?name)), "{_escaped(n[1:])}")' for n in named if n.startswith("~")]
    return QUERY.replace("NAMES", " || ".join(tests))


def _names(item: Fact) -> Iterator[str]:
    for name in item.subjects:
        if name.lstrip("~@* "):
            yield name.removeprefix("@").casefold()
    if any(not name.lstrip("~@* ") for name in item.subjects):
        yield from (value.casefold() for value in item.values)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


# --- matching ----------------------------------------------------------------------------------------


class Graph:
    """A knowledge base with the labels of its nodes at hand."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._labels: dict[str, list[str]] = defaultdict(list)
        for found in base.query(LABELS):
            self._labels[found["node"].value].append(plain(found["label"].value))

    def held(self, row: Row) -> list[Held | None]:
        """For each fact of a row the claim that holds it, if one does: the first by document and quotation."""
        found = [_values(solution) for solution in self._base.query(query(row))]
        found.sort(key=lambda claim: (claim["document"], claim["quote"], claim["claim"]))
        return [self._holding(item, found) for item in row.facts]

    def _holding(self, item: Fact, found: Sequence[dict[str, str]]) -> Held | None:
        for claim in found:
            if self._holds(item, claim, found):
                name = re.sub(r".*[/#:]", "", claim["property"])
                return Held(name, claim["stated"], claim["status"], claim["document"], claim["quote"])
        return _NOTHING if "none" in item.values and self._silent(item, found) else None

    def _silent(self, item: Fact, found: Sequence[dict[str, str]]) -> bool:
        """Whether claims tell of a fact's subject, and none of them gives a value for its property."""
        about = [claim for claim in found if self._is_subject(item, claim["subject"], found)]
        given = [c for c in about if c["object"] and folded(re.sub(r".*[/#]", "", c["property"])) in item.properties]
        return bool(about) and not given

    def _holds(self, item: Fact, claim: dict[str, str], found: Sequence[dict[str, str]]) -> bool:
        negated = claim["polarity"].endswith("negated")
        if negated != ("not" in item.standing):
            return False
        statuses = [s for s in item.standing if s != "not"]
        if statuses and re.sub(r".*[/#]", "", claim["status"]).casefold() not in statuses:
            return False
        name = folded(re.sub(r".*[/#]", "", claim["property"]))
        forward = "*" in item.properties or name in item.properties
        if forward and self._is_subject(item, claim["subject"], found) and self._is_value(item, claim):
            return True
        backward = f"^{name}" in item.properties
        turned = backward and self._is_subject(item, claim["object"], found)
        return turned and any(self._names(value, claim["subject"]) for value in item.values)

    def _is_subject(self, item: Fact, node: str, found: Sequence[dict[str, str]]) -> bool:
        return any(
            self._has_part(name[1:], node, found) if name.startswith("@") else name == "*" or self._names(name, node)
            for name in item.subjects
        )

    def _has_part(self, name: str, node: str, found: Sequence[dict[str, str]]) -> bool:
        """Whether a thing is the subject or the object of a claim that links it with an event."""
        ends = [c["subject"] for c in found if c["object"] == node] + [
            c["object"] for c in found if c["subject"] == node
        ]
        return "/event" in node and any(self._names(name, end) for end in ends if end)

    def _names(self, name: str, node: str) -> bool:
        labels = self._labels.get(node, [])
        if name.startswith("~"):
            return any(plain(name[1:]) in label for label in labels)
        return plain(name) in labels

    def _is_value(self, item: Fact, claim: dict[str, str]) -> bool:
        return any(self._value(value, claim) for value in item.values)

    def _value(self, value: str, claim: dict[str, str]) -> bool:
        if value == "?":
            return not claim["object"] and claim["status"].casefold().endswith("undisclosed")
        if value.startswith("~"):
            words = plain(value[1:])
            return words in plain(claim["stated"]) or self._names(value, claim["object"])
        if ".." in value:
            low, high = value.split("..")
            return _bounds(low, high, claim)
        if re.fullmatch(r"\d{4}(-\d\d){0,2}", value) and claim["earliest"]:
            return claim["object"].startswith(value) or claim["from"].startswith(value)
        if re.fullmatch(r"\d+(?:\.\d+)?(?:e\d+)?", value):
            return _figure(value, claim)
        return self._names(value, claim["object"]) or plain(claim["stated"]) == plain(value)


def _values(solution: Any) -> dict[str, str]:
    names = "claim subject property object stated lower upper earliest latest from until status polarity document quote"
    return {name: solution[name].value if solution[name] is not None else "" for name in names.split()}


def _figure(value: str, claim: dict[str, str]) -> bool:
    """Whether a figure is the claim's value or one of its bounds."""
    return any(_close(value, claim[end]) for end in ("object", "lower", "upper"))


def _bounds(low: str, high: str, claim: dict[str, str]) -> bool:
    """Whether both bounds are the claim's; an empty one must be open."""
    for ends in (("lower", "upper"), ("earliest", "latest"), ("from", "until")):
        first, last = claim[ends[0]], claim[ends[1]]
        dated = ends[0] != "lower"
        same = [_same(want, got, dated) for want, got in ((low, first), (high, last))]
        if (first or last) and all(same):
            return True
    return False


def _same(want: str, got: str, dated: bool) -> bool:
    if not want or not got:
        return not want and (not got or dated)
    return got.startswith(want) if dated else _close(want, got)


def _close(want: str, got: str) -> bool:
    try:
        return abs(float(want) - float(got)) <= _TOLERANCE * abs(float(want))
    except ValueError:
        return False


# --- the report --------------------------------------------------------------------------------------


def report(graphs: Sequence[tuple[str, Graph]]) -> str:
    """The Markdown section: how many facts of every row each graph holds, and those that it lacks."""
    rows, disagreements = load()
    found = {name: [graph.held(row) for row in (*rows, *disagreements)] for name, graph in graphs}
    lines = ["## Facts as values in the graph", "", *_EXPLAINED, "", "```sparql", query(rows[0]).strip(), "```", ""]
    for title, start, part in (("Row", 0, rows), ("Disagreement", len(rows), disagreements)):
        own = {name: held[start : start + len(part)] for name, held in found.items()}
        lines += _totals(title, own) + _table(title, part, own) + _lacking(part, own)
    return "\n".join([*lines, _CAUSES])


_CAUSES = """The library has tables and boxes of facts beside its prose; others tell more in prose alone. A line
names every property under which a document may equally well say what its row asks for: a graph that holds a text ("the
first lamp was dear") or a publisher where another holds a figure or a source isn't behind it. Three facts (what nobody
has told of a model) are held by giving no value. Why facts are missing where documents tell them, most of them first:

- A sentence tells them in words that no phrase of the ontology has, or as a noun ("their move to …", "a boost for …"):
  no property is made of sentences alone, so that nothing wrong is asserted.
- A common noun that nobody owns stands for a thing ("the nodes", "optimizer nodes", "a single hall"): two documents
  that speak of "a single hall" don't mean the same one. What has an owner ("Orr's own halls") is a thing.
- Nobody is named who does it: a guess or a passive that leaves that open ("could be used, too", "is kept in step
  through …"), or several that a pronoun may mean.
- A remark on something else than the thing asked about ("a sum takes five lines of it": the sum is that long), what is
  only said to be possible ("one can now repeat it"), or a bare mention.
- Several facts in one noun phrase ("a run of that length on one node, for that price"), and causes told as deeds.
- Two names of one person, the first shortened: they are one only if something else says so.
"""
_EXPLAINED = (
    "Each row has one SPARQL query, which returns its content: all claims about the names in its facts, and about the",
    "events that they have a part in. A fact is held when one of these claims has its subject, its property, its value",
    "and its standing; that a quotation has the words is not enough. A disagreement is held when every side is.",
    "The facts are in `tests/inventory.txt`; `--queries` prints all queries, here that of the first row:",
)


def count(held: Sequence[Held | None]) -> int:
    """How many facts are held."""
    return sum(item is not None for item in held)


def _totals(title: str, found: dict[str, list[list[Held | None]]]) -> list[str]:
    lines = [f"| {title}s | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    whole = [f"{sum(None not in held for held in rows)} of {len(rows)}" for rows in found.values()]
    facts = [f"{sum(map(count, rows))} of {sum(map(len, rows))}" for rows in found.values()]
    silent = [str(sum(held.count(_NOTHING) for held in rows)) for rows in found.values()]
    lines += ["| Held whole | " + " | ".join(whole) + " |", "| Facts held | " + " | ".join(facts) + " |"]
    return [*lines, "| of them by giving no value | " + " | ".join(silent) + " |", ""]


def _table(title: str, rows: Sequence[Row], found: dict[str, list[list[Held | None]]]) -> list[str]:
    lines = [f"| # | {title} | " + " | ".join(found) + " |", "|---" * (len(found) + 2) + "|"]
    for number, row in enumerate(rows):
        cells = [f"{count(held[number])}/{len(row.facts)}" for held in found.values()]
        lines.append(f"| {number + 1} | {row.name.replace('|', '/')} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _lacking(rows: Sequence[Row], found: dict[str, list[list[Held | None]]]) -> list[str]:
    lines = []
    for name, held in found.items():
        if all(None not in claims for claims in held):
            lines += [f"Not in {name}: nothing.", ""]
            continue
        lines += [f"Not in {name}:", ""]
        for row, claims in zip(rows, held, strict=True):
            absent = [item.text for item, claim in zip(row.facts, claims, strict=True) if claim is None]
            lines += [f"- {row.name}: " + "; ".join(f"`{text}`" for text in absent)] if absent else []
        lines.append("")
    return lines


def queries() -> str:
    """All queries, each under the name of its row."""
    rows, disagreements = load()
    return "\n\n".join(f"# {row.name}\n{query(row)}" for row in (*rows, *disagreements))
