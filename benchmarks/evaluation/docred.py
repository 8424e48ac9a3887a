"""``kg evaluate docred``: resolution and mentions on documents in DocRED's layout (Yao et al. 2019; Re-DocRED).

A file is a JSON list of ``{"title", "sents": [[token, …], …], "vertexSet": [[{"name", "pos", "sent_id", "type"}, …],
…]}``: a vertex is one thing with its mentions. Figures are of people, organisations, places and others (PER, ORG, LOC,
MISC); times and numbers are values, not things, and count only for finding mentions.

- *Resolution*: each document is a knowledge base of its own. Its gold mentions go through the same gathering and
  joining as a build's (:mod:`kg.resolution.joining`), once with their gold type as the class that the context vouches
  for (MISC has none) and once without classes; aliases are those that the text states. Pairwise precision and recall
  are over pairs of mentions in one cluster, summed over documents; B³ (Bagga and Baldwin 1998) is averaged over
  mentions. Beside it: the clustering by equal strings. No clustering of names reaches 1: gold takes some names for
  several things and joins others that only knowledge of the world joins (cities renamed, a country with its people).
- *Mentions*: what the finder of names, dates and figures finds in the running text against gold spans: exact spans
  without their types, and with the types that it guesses (a name without a guess counts as found without a type).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.errors import BadInput
from kg.model import Alias, Extraction, Mention
from kg.ontology import Ontology, parse
from kg.records import Record, RecordedDocument
from kg.resolution.contributions import contribution
from kg.resolution.resolve import joined
from kg.text import aliases, dates, entities, quantities
from kg.text.gazetteer import Casing
from kg.text.names import name_key

_HALVES = {"all": slice(None), "even": slice(0, None, 2), "odd": slice(1, None, 2)}
Span = tuple[int, int]

_EX = "https://w3id.org/citegraph/evaluate#"
_CLASSES = {"PER": _EX + "Person", "ORG": _EX + "Organisation", "LOC": _EX + "Place"}
VALUES = ("TIME", "NUM")
_KINDS = {"person": "PER", "organisation": "ORG", "place": "LOC", "product": "MISC", "title": "MISC"}
_NO_SPACE_BEFORE = frozenset(".,;:!?)]}%'’-/") | {"'s", "’s", "n't"}
_ONTOLOGY = f"""
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<{_EX}Person> a owl:Class ; rdfs:label "person" ; owl:disjointWith <{_EX}Organisation> , <{_EX}Place> .
<{_EX}Organisation> a owl:Class ; rdfs:label "organisation" ; owl:disjointWith <{_EX}Place> .
<{_EX}Place> a owl:Class ; rdfs:label "place" .
"""


@dataclass(frozen=True, slots=True)
class Named:
    """A gold mention: where it stands, its type, the number of its vertex."""

    start: int
    end: int
    type: str
    vertex: int


@dataclass(frozen=True, slots=True)
class Story:
    """A document of the benchmark as running text."""

    title: str
    text: str
    mentions: tuple[Named, ...]

    def surface(self, mention: Named) -> str:
        """The words of a mention."""
        return self.text[mention.start : mention.end]

    @property
    def things(self) -> tuple[Named, ...]:
        """Mentions of things: no times and numbers."""
        return tuple(m for m in self.mentions if m.type not in VALUES)


def read(path: Path, half: str = "all") -> list[Story]:
    """The documents of a file: all, or those at even or odd places. Raises BadInput."""
    if half not in _HALVES:
        raise BadInput(f"half is all, even or odd, not {half!r}")
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        stories = [story_of(document) for document in given]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise BadInput(f"{path.name} isn't in DocRED's layout: {type(error).__name__} {error}") from error
    return stories[_HALVES[half]]


def story_of(document: Mapping[str, Any]) -> Story:
    """One document, its tokens joined to running text."""
    text, starts, quoted = "", [], False
    for tokens in document["sents"]:
        row: list[Span] = []
        for token in tokens:
            closing = token == '"' and quoted
            glued = not text or text[-1] in "([{-/" or token in _NO_SPACE_BEFORE or closing
            opened = text.endswith('"') and quoted and row
            text += "" if glued or opened else " "
            row.append((len(text), len(text) + len(token)))
            text += token
            quoted = quoted ^ (token == '"')
        starts.append(row)
        quoted = False
    mentions = {
        Named(starts[m["sent_id"]][m["pos"][0]][0], starts[m["sent_id"]][m["pos"][1] - 1][1], m["type"], number)
        for number, vertex in enumerate(document["vertexSet"])
        for m in vertex
    }
    ordered = sorted(mentions, key=lambda m: (m.start, m.end, m.vertex, m.type))
    return Story(str(document["title"]), text, tuple(ordered))


# --- resolution --------------------------------------------------------------------------------------


def ontology() -> Ontology:
    """Classes that the benchmark's types stand for; they exclude each other."""
    return parse([("types.ttl", _ONTOLOGY.encode())])


def clusters(story: Story, known: Ontology, typed: bool) -> list[Hashable]:
    """For each mention of a thing what cluster it is in."""
    found = tuple(
        Mention("p", story.surface(m), m.start, m.end, (_CLASSES[m.type],) if typed and m.type in _CLASSES else ())
        for m in story.things
    )
    stated = tuple(Alias(a.name, a.alias, "p", a.start, a.end) for a in aliases.aliases(story.text))
    document = RecordedDocument("d", "d.txt", story.title, "text/plain", "", story.text)
    record = Record(document, (), Extraction(found, stated, (), ()))
    joining = joined([contribution(record, known)], known)
    placed: list[Hashable] = []
    for mention in found:
        senses = joining.senses["d", name_key(mention.surface)]
        fitting = [s for s in senses if not mention.classes or not s.firm or set(mention.classes) & set(s.firm)]
        placed.append(id(joining.clusters.root((fitting or senses)[0])))
    return placed


def by_string(story: Story) -> list[Hashable]:
    """Clusters of equal strings."""
    return [story.surface(m) for m in story.things]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well clusterings agree with gold: pairwise and B³ precision, recall and F1."""

    pairs: tuple[float, float, float]
    b_cubed: tuple[float, float, float]


def agreement(clusterings: Iterable[tuple[Sequence[Hashable], Sequence[Hashable]]]) -> Agreement:
    """Over documents, each given as the clusters of its mentions: gold, ours."""
    pairs = Counter[str]()
    precision = recall = 0.0
    mentions = 0
    for gold, ours in clusterings:
        of_gold, of_ours = Counter(gold), Counter(ours)
        both = Counter(zip(gold, ours, strict=True))
        pairs["gold"] += sum(n * (n - 1) // 2 for n in of_gold.values())
        pairs["ours"] += sum(n * (n - 1) // 2 for n in of_ours.values())
        pairs["both"] += sum(n * (n - 1) // 2 for n in both.values())
        precision += sum(n * n / of_ours[o] for (_, o), n in both.items())
        recall += sum(n * n / of_gold[g] for (g, _), n in both.items())
        mentions += len(gold)
    pairwise = _scores(pairs["both"], pairs["ours"], pairs["gold"])
    cubed = (precision / mentions, recall / mentions) if mentions else (0.0, 0.0)
    return Agreement(pairwise, (*cubed, _f1(*cubed)))


def _scores(right: float, given: float, wanted: float) -> tuple[float, float, float]:
    precision, recall = right / given if given else 0.0, right / wanted if wanted else 0.0
    return precision, recall, _f1(precision, recall)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


# --- mentions ----------------------------------------------------------------------------------------


def found_in(story: Story) -> dict[Span, str]:
    """Spans that the finders give with the type that they guess ("" for a name of no guessed kind)."""
    text = story.text
    spans = {(q.start, q.end): "NUM" for q in quantities.find(text)}
    spans |= {(d.start, d.end): "TIME" for d in dates.find(text)}
    names = entities.find(text, None, (), Casing.of([text]))
    return spans | {(n.start, n.end): _KINDS.get(n.value.kind, "") for n in names}


def mention_figures(stories: Sequence[Story]) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 of spans: of names whatever their type, of each type, of all with their types."""
    right, given, wanted = Counter[str](), Counter[str](), Counter[str]()
    for story in stories:
        found = found_in(story)
        gold = {(m.start, m.end): m.type for m in story.mentions}
        for span, type_ in found.items():
            groups = [type_, "typed"] if type_ else []
            groups += [] if type_ in VALUES else ["names"]
            for group in groups:
                given[group] += 1
                held = gold.get(span)
                right[group] += held not in (None, *VALUES) if group == "names" else held == type_
        for type_ in gold.values():
            wanted.update([type_, "typed", *([] if type_ in VALUES else ["names"])])
    order = ("names", "PER", "ORG", "LOC", "MISC", "TIME", "NUM", "typed")
    return {group: _scores(right[group], given[group], wanted[group]) for group in order}


# --- report ------------------------------------------------------------------------------------------


def figures(stories: Sequence[Story]) -> dict[str, tuple[float, float, float]]:
    """All figures by name: precision, recall, F1."""
    known = ontology()
    ways: dict[str, Callable[[Story], list[Hashable]]] = {
        "strings": by_string,
        "untyped": lambda story: clusters(story, known, typed=False),
        "typed": lambda story: clusters(story, known, typed=True),
    }
    shown: dict[str, tuple[float, float, float]] = {}
    for name, way in ways.items():
        agreed = agreement(([m.vertex for m in story.things], way(story)) for story in stories)
        shown |= {f"pairs_{name}": agreed.pairs, f"b3_{name}": agreed.b_cubed}
    return shown | {f"mentions_{name}": scores for name, scores in mention_figures(stories).items()}


def errors(stories: Iterable[Story], known: Ontology) -> Iterator[dict[str, object]]:
    """Names wrongly joined and wrongly kept apart, a line for each pair of names in a document."""
    for story in stories:
        things, ours = story.things, clusters(story, known, typed=True)
        seen: dict[tuple[str, str, str], int] = defaultdict(int)
        for i, (one, cluster) in enumerate(zip(things, ours, strict=True)):
            for other, another in zip(things[i + 1 :], ours[i + 1 :], strict=True):
                if (one.vertex == other.vertex) != (cluster == another):
                    names = sorted((f"{story.surface(one)} ({one.type})", f"{story.surface(other)} ({other.type})"))
                    seen["joined" if cluster == another else "apart", names[0], names[1]] += 1
        for (kind, first, second), pairs in sorted(seen.items()):
            yield {"error": kind, "document": story.title, "names": [first, second], "pairs": pairs}


def run(path: Path, half: str, figures_file: Path | None, errors_file: Path | None, say: Callable[[str], None]) -> None:
    """Measures a file and prints a table, then one line of names and values."""
    stories = read(path, half)
    found = figures(stories)
    say(f"{len(stories)} documents, {sum(len(s.things) for s in stories)} mentions of things")
    say(f"{'':20} {'P':>6} {'R':>6} {'F1':>6}")
    for name, (precision, recall, f1) in found.items():
        say(f"{name:20} {precision:6.3f} {recall:6.3f} {f1:6.3f}")
    if errors_file is not None:
        lines = (json.dumps(e, ensure_ascii=False) + "\n" for e in errors(stories, ontology()))
        errors_file.write_text("".join(lines), encoding="utf-8")
    flat = {
        f"{name}_{part}": round(v, 4)
        for name, of in found.items()
        for part, v in zip(("p", "r", "f1"), of, strict=True)
    }
    if figures_file is not None:
        figures_file.write_text(json.dumps(flat, indent=1) + "\n", encoding="utf-8")
    say(" ".join(f"{name} {value:g}" for name, value in flat.items()))
