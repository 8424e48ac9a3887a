"""Mermaid flowcharts and timelines as claims: parts, what flows where, details, dated events. Styling is ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.happenings import dated_event
from kg.extract.keyvalues import elliptic
from kg.extract.properties import known_as, predicate_of
from kg.extract.source import Placed, Source, lines_of
from kg.extract.standing import section_frame
from kg.extract.subjects import carried
from kg.extract.values import Kind, read
from kg.model import BlockKind, Claim, Predicate
from kg.text.stretch import Stretch

NAME = "diagrams"
_FLOW = re.compile(r"\s*(?:graph|flowchart(?:-\w+)?)\b[^\n]*", re.IGNORECASE)
_TIMELINE = re.compile(r"\s*timeline\s*(?:\n|$)", re.IGNORECASE)
_SKIPPED = re.compile(
    r"\s*(?:%%|classDef\b|class\s|style\b|linkStyle\b|click\b|direction\b|end\s*$|title\b|section\b|---|accTitle|accDescr)"
)
_SUBGRAPH = re.compile(r"\s*subgraph\s+(?P<id>[^\s\[\"]+)?\s*(?:\[?\"?(?P<label>[^\]\"]*)\"?\]?)?\s*$")
_OPENING = r"\(\[|\[\(|\(\(\(|\(\(|\{\{|\[\[|\[/|\[\\|\[|\(|\{|>"
_CLOSING = r"\)\]|\]\)|\)\)\)|\)\)|\}\}|\]\]|/\]|\\\]|\]|\)|\}"
_NODE = re.compile(
    rf"(?P<id>[\w.]+(?:-[\w.]+)*)(?:\s*(?P<open>{_OPENING})\s*(?P<label>\"[^\"]*\"|.*?)\s*(?:{_CLOSING})(?=\s|$|[-=&.:<~]))?(?::::\w+)?"
)
_LINK = re.compile(
    r"\s*(?:(?:<|o|x)?(?:--+|==+|-\.+-?)\s*(?:\"?(?P<middle>[^-=.|>\"][^|>\"]*?)\"?\s*(?:--+|==+|\.+-))?(?:>|o|x)?|~~~+)\s*(?:\|\s*\"?(?P<label>[^|\"]*)\"?\s*\|)?\s*"
)
_BREAK = re.compile(r"<br\s*/?>|\\n|\n", re.IGNORECASE)
_EVENT = re.compile(r"\s*(?P<date>[^:\n]+?)\s*:\s+(?P<event>\S[^\n]*)")
_MORE = re.compile(r"\s+:\s+")


def extract(source: Source) -> Iterator[Claim]:
    """Reads mermaid blocks, fenced or not."""
    for placed in source.placed:
        inline = placed.block.inline
        if placed.block.kind not in (BlockKind.CODE, BlockKind.PARAGRAPH) or inline is None:
            continue
        whole = Stretch(inline, 0, len(inline.text))
        if _FLOW.match(inline.text) and placed.block.kind is BlockKind.CODE:
            yield from _flowchart(source, placed, whole)
        elif _TIMELINE.match(inline.text):
            yield from _timeline(source, placed, whole)


# --- flowcharts ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Node:
    """A node: where its id first stands, its label's lines, the subgraph around it."""

    at: Stretch
    label: list[Stretch] = field(default_factory=list)
    group: Stretch | None = None

    @property
    def name(self) -> Stretch:
        return self.label[0] if self.label else self.at


@dataclass(frozen=True, slots=True)
class _Edge:
    """``source --> target``, with the stretches of both ids and of the edge's label."""

    start: str
    end: str
    spans: tuple[Stretch, Stretch]
    label: Stretch | None


def _flowchart(source: Source, placed: Placed, whole: Stretch) -> Iterator[Claim]:
    nodes: dict[str, _Node] = {}
    edges: list[_Edge] = []
    groups: list[Stretch] = []
    for line in lines_of(whole):
        if _FLOW.fullmatch(line.text):
            continue
        if group := _SUBGRAPH.match(line.text):
            key = "label" if (group["label"] or "").strip(' "') else "id"  # a blank label hides the title
            groups.append(line.part(group.start(key), group.end(key)).strip(' "') if group[key] else line)
        elif re.fullmatch(r"end\s*;?", line.text):
            groups = groups[:-1]
        elif not _SKIPPED.match(line.text):
            _statement(line.strip(" ;"), nodes, edges, groups[-1] if groups else None)
    frame = section_frame(source, placed)
    yield from _node_claims(source, nodes, frame)
    for edge in edges:
        yield from _edge_claim(source, nodes, edge, frame)


def _statement(line: Stretch, nodes: dict[str, _Node], edges: list[_Edge], group: Stretch | None) -> None:
    """One line: nodes joined by links (``A & B --> C -->|words| D``)."""
    at = 0
    left: list[tuple[str, Stretch]] = []
    label: Stretch | None = None
    while at < len(line.text):
        here: list[tuple[str, Stretch]] = []
        while node := _NODE.match(line.text, at):
            here.append((node["id"], line.part(node.start("id"), node.end("id"))))
            _remember(line, node, nodes, group)
            at = node.end()
            joined = re.compile(r"\s*&\s*").match(line.text, at)
            if not joined:
                break
            at = joined.end()
        if not here:
            return
        edges += [_Edge(a, b, (sa, sb), label) for a, sa in left for b, sb in here]
        link = _LINK.match(line.text, at)
        if not link or link.end() == at:
            return
        key = "label" if link["label"] else "middle"
        label = line.part(link.start(key), link.end(key)).strip(' "') if link[key] else None
        left, at = here, link.end()


def _remember(line: Stretch, found: re.Match[str], nodes: dict[str, _Node], group: Stretch | None) -> None:
    node = nodes.setdefault(found["id"], _Node(line.part(found.start("id"), found.end("id"))))
    if found["label"] and not node.label:
        text = line.part(found.start("label"), found.end("label")).strip(' "()[]/\\')
        node.label = list(text.split(_BREAK))
    if node.group is None and (group is not None):
        node.group = group


def _property(source: Source, words: str, about: About, spans: tuple[tuple[int, int], ...] = ()) -> Property:
    found = known_as(source, words, about.classes, Kind.NAME)
    return Property(predicate_of(found) if found else Predicate(words), spans)


def _node_claims(source: Source, nodes: dict[str, _Node], frame: Frame) -> Iterator[Claim]:
    for node in nodes.values():
        about = named(source, node.name)
        if node.group is not None:
            group = Given(named(source, node.group).name, node.name.span, node.group.text)
            own = replace(frame, qualifiers=(*frame.qualifiers, node.group.span))
            yield claim(source, NAME, about, _property(source, "part of", about), group, own)
        for detail in node.label[1:]:
            counted = list(elliptic(source, NAME, about, detail, frame))
            yield from counted
            several = re.search(r"\w/\w", detail.text)  # "lamps/horns": no one thing's name
            for part in [] if counted else read(source, detail, Kind.TEXT if several else None, label="detail"):
                given = Given.of(part.value, part.at, part.hedge)
                yield claim(source, NAME, about, Property(Predicate("detail")), given, frame)


def _edge_claim(source: Source, nodes: dict[str, _Node], edge: _Edge, frame: Frame) -> Iterator[Claim]:
    start, end = nodes[edge.start], nodes[edge.end]
    about = named(source, start.name)
    words = edge.label.text if edge.label else "connects to"
    property_ = _property(source, words, about, (edge.label.span,) if edge.label else ())
    value = Given(named(source, end.name).name, edge.spans[1].span, end.name.text)
    labels = tuple(node.name.span for node in (start, end) if node.label)
    own = replace(frame, qualifiers=(*frame.qualifiers, *labels))
    yield claim(source, NAME, About(about.name, (edge.spans[0].span,)), property_, value, own)


# --- timelines -------------------------------------------------------------------------------------


def _timeline(source: Source, placed: Placed, whole: Stretch) -> Iterator[Claim]:
    """One event a line, dated as written; several events of one date are parted by " : "."""
    section = carried(source, placed)
    frame = replace(section_frame(source, placed), valid_from=None, valid_until=None)
    for line in lines_of(whole):
        found = _EVENT.fullmatch(line.text)
        if _TIMELINE.match(line.text + "\n") or not found or re.match(r"(?:title|section)\b", line.text):
            continue
        when = line.part(found.start("date"), found.end("date"))
        for event in line.part(found.start("event")).split(_MORE):
            yield from dated_event(source, NAME, section, (when, event), frame)
