"""Headers, keys and introducing sentences as labels: their words, and the unit and standing that they declare.

Some lead to properties of standard vocabularies, whatever the ontology.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from kg.extract.source import Placed, Span
from kg.extract.values import Part
from kg.extract.words import word_set
from kg.model import Hedge, Predicate, Quantity, Status
from kg.namespaces import DCTERMS, SCHEMA, SKOS
from kg.text import quantities
from kg.text.scales import Measure, measure, scaled_by
from kg.text.stretch import Stretch

_UNIT_BRACKET = re.compile(r"\s*[(\[]\s*(?:in\s+)?([^()\[\]]{1,24})[)\]]\s*$|,\s*in\s+(\S{1,16})\s*$")
_SCALE_BRACKET = re.compile(
    r"\s*[(\[]\s*([^()\[\]]{1,60})[)\]]\s*$|[\s,]+(in\s+[^(),]{4,40})$|[\s,]+([$€£¥]\s?(?:k|mn?|bn|['’]000))$",
    re.IGNORECASE,
)

_DATA = re.compile(r"\b(?:sizes?|memory|bytes?|files?|storage|temperature|ram|buffer|cache)\b", re.IGNORECASE)
_KELVIN = re.compile(
    r"(.*\b(?:temperature|temp|melting|boiling|freezing|curie|point|heat|thermal)\b.*?),?\s*[(\[]K[)\]]", re.I
)
_STATUS_WORDS = {
    "estimated": Status.ESTIMATED, "approximate": Status.ESTIMATED, "planned": Status.PLANNED,
    "expected": Status.PLANNED, "projected": Status.PLANNED, "proposed": Status.PLANNED, "targeted": Status.PLANNED,
    "target": Status.PLANNED, "intended": Status.PLANNED, "forecast": Status.PLANNED, "future": Status.PLANNED,
    "rumoured": Status.GUESSED, "rumored": Status.GUESSED, "suspected": Status.GUESSED, "assumed": Status.GUESSED,
    "speculated": Status.GUESSED, "leaked": Status.LEAKED, "confirmed": Status.CONFIRMED, "official": Status.CONFIRMED,
}  # fmt: skip

_NEUTRAL = word_set("total overall current stated exact main its their the our reported key")


@dataclass(frozen=True, slots=True)
class Label:
    """A header or key: its words without unit and status, its spans, the unit and standing it declares.

    ``at`` is the stretch that it was read from, if any; ``measure`` the scale of its figures ("in millions of euros").
    """

    text: str
    plain: str
    spans: tuple[Span, ...]
    unit: str = ""
    hedge: Hedge = field(default_factory=Hedge)
    at: Stretch | None = None
    measure: Measure | None = None


def read_label(stretch: Stretch) -> Label:
    """The label that a stretch words. A bracket counts as a unit only if a number with it is a quantity of it."""
    return replace(label_of(stretch.text, (stretch.span,) if stretch else ()), at=stretch or None)


def label_of(text: str, spans: tuple[Span, ...] = ()) -> Label:
    """The same from words."""
    text = re.sub(r"\s+", " ", text).strip(" :*_-–—")
    unit, scale = "", None
    if (kelvin := _KELVIN.fullmatch(text)) is not None:
        text, unit = kelvin[1], "kelvin"  # elsewhere "(K)" is thousands
    if (caption := _SCALE_BRACKET.search(text)) and caption.start():
        scale = measure(next(group for group in caption.groups() if group))
        lettered = scale is not None and _DATA.search(text) and (caption[1] or "").strip() in ("K", "M", "B")
        scale = scale if scale and scale.scale != 1 and not lettered else None
        text = text[: caption.start()] if scale else text
    if (bracket := _UNIT_BRACKET.search(text)) and bracket.start():
        unit = _unit(bracket[1] or bracket[2])
        text = text[: bracket.start()] if unit else text
    words = text.split()
    hedge = Hedge()
    kept = []
    for position, word in enumerate(words):
        lower = word.lower()
        if lower in _STATUS_WORDS and position < len(words) - 1:
            hedge = Hedge(_STATUS_WORDS[lower])
        elif not (lower in _NEUTRAL and position < len(words) - 1):
            kept.append(word)
    return Label(text, " ".join(kept), spans, unit, hedge, measure=scale)


def _unit(text: str) -> str:
    found = [f for f in quantities.find(f"5 {text}") if f.start == 0]
    if found and found[0].value.unit:
        return text
    money = [f for f in quantities.find(f"{text.split()[0]}5") if text.split()] if text.strip() else []
    return text if money and money[0].value.unit else ""


def with_unit(label: Label, part: Part) -> Part:
    """The part with the unit that the label declares, if it has none of its own."""
    value = part.value
    if label.measure is not None and isinstance(value, Quantity):
        return replace(part, value=scaled_by(value, label.measure))
    if not label.unit or not isinstance(value, Quantity) or value.unit:
        return part
    for text in (
        f"{value.stated} {label.unit}",
        f"{label.unit.split()[0]}{value.stated} {' '.join(label.unit.split()[1:])}",
    ):
        found = quantities.find(text)
        if found and found[0].value.unit:
            return replace(part, value=replace(found[0].value, stated=value.stated, noun=value.noun))
    return part


def label_words(placed: Placed) -> Stretch | None:
    """What introduces a block: the last sentence of the label before it, without its colon."""
    if placed.label is None or placed.label.inline is None:
        return None
    stretch = Stretch.whole(placed.label.inline).strip(" :*")
    at = max(stretch.text.rfind(". "), stretch.text.rfind("? "), stretch.text.rfind("! "))
    return stretch.part(at + 1).strip() if at >= 0 else stretch


DEFINITION = Predicate("definition", SKOS + "definition")
SOURCE = Predicate("source", DCTERMS + "source")
NOTE = Predicate("note", SKOS + "note")
WEB_ADDRESS = Predicate("web address", SCHEMA + "url")
IDENTIFIER = Predicate("identifier", DCTERMS + "identifier")
PUBLISHER = Predicate("publisher", "http://purl.org/dc/elements/1.1/publisher")  # of DCMI's two the one for names
PUBLISHED = Predicate("publication date", DCTERMS + "issued")
RELATED = Predicate("related document", DCTERMS + "relation")

_SOURCES = re.compile(
    r"(?:(?:external|further|key|main|selected|primary|data|information)\s+)?"
    r"(?:sources?|references?|refs?\.?|reading|bibliography|citations?|works\s+cited|footnotes)"
    r"(?:\s+of\s+(?:information|data))?",
    re.IGNORECASE,
)
_NOTES = re.compile(r"(?:(?:additional|further|other|editor['’]s)\s+)?(?:notes?|remarks?|comments?)", re.IGNORECASE)
_RELATED = re.compile(r"see(?:\s+also)?|related(?:\s+(?:documents?|notes?|pages?|topics?|articles?))?", re.IGNORECASE)


def predicate_of_label(label: Label) -> Predicate:
    """The standard property that a label words, else the open one that it names."""
    for pattern, predicate in ((_SOURCES, SOURCE), (_NOTES, NOTE), (_RELATED, RELATED)):
        if pattern.fullmatch(label.text):
            return predicate
    return Predicate(label.text)
