"""What the styles and numbering definitions of a Word document say of a paragraph or a run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Element", "Numbering", "Style", "Styles", "W", "flag", "value"]

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading (\d)")
_DEEPEST = 20  # styles based on each other
_OFF = ("0", "false", "off", "none")
Element = Any  # of lxml, which has no type information


def value(parent: Element | None, path: str) -> str:
    """``w:val`` of a child element, "" if it isn't there."""
    found = parent.find(path) if parent is not None else None
    return (found.get(f"{W}val") or "") if found is not None else ""


def flag(parent: Element | None, tag: str) -> bool | None:
    """Whether a property is switched on; None if it isn't mentioned."""
    found = parent.find(f"{W}{tag}") if parent is not None else None
    if found is None:
        return None
    return (found.get(f"{W}val") or "1").lower() not in _OFF


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it takes over from those that it is based on. ``outline``: 1 to 9, 0 for body text."""

    name: str = ""
    outline: int = 0
    list_id: str = ""
    list_level: int = 0
    bold: bool = False
    italic: bool = False
    hidden: bool = False


class Styles:
    """Styles by identifier."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._found: dict[str, Style] = {}
        self.default = ""
        for element in root.iterchildren(f"{W}style") if root is not None else ():
            id_ = element.get(f"{W}styleId") or ""
            self._elements.setdefault(id_, element)
            if element.get(f"{W}type") == "paragraph" and element.get(f"{W}default") in ("1", "true"):
                self.default = id_

    def get(self, id_: str, depth: int = 0) -> Style:
        """The style of an identifier; an empty one for unknown identifiers and styles based on themselves."""
        if id_ in self._found:
            return self._found[id_]
        element = self._elements.get(id_)
        if element is None or depth > _DEEPEST:
            return Style()
        base = self.get(value(element, f"{W}basedOn"), depth + 1)
        paragraph, run = element.find(f"{W}pPr"), element.find(f"{W}rPr")
        name = value(element, f"{W}name").lower()
        heading = _HEADING.fullmatch(name)
        outline = value(paragraph, f"{W}outlineLvl")
        level = int(outline) + 1 if outline.isdecimal() else base.outline
        own = value(paragraph, f"{W}numPr/{W}numId")
        list_level = value(paragraph, f"{W}numPr/{W}ilvl")
        bold, italic, hidden = (flag(run, tag) for tag in ("b", "i", "vanish"))
        self._found[id_] = Style(
            name=name,
            outline=int(heading[1]) if heading else level if level <= 9 else 0,
            list_id=own or base.list_id,
            list_level=int(list_level) if list_level.isdecimal() else base.list_level,
            bold=base.bold if bold is None else bold,
            italic=base.italic if italic is None else italic,
            hidden=base.hidden if hidden is None else hidden,
        )
        return self._found[id_]


@dataclass(slots=True)
class Numbering:
    """Numbering definitions, and how far each list has counted."""

    root: Element | None
    _levels: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _instances: dict[str, Element] = field(default_factory=dict)
    _abstract: dict[str, Element] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for element in self.root.iterchildren(f"{W}num", f"{W}abstractNum") if self.root is not None else ():
            is_instance = element.tag == f"{W}num"
            id_ = element.get(f"{W}numId" if is_instance else f"{W}abstractNumId") or ""
            (self._instances if is_instance else self._abstract)[id_] = element

    def next(self, list_id: str, level: int) -> int | None:
        """The number of the next item of a list at a level from 0; None for bullets."""
        form, start = self._level(list_id, level)
        if form in ("bullet", "none", ""):
            return None
        instance = self._instances.get(list_id)
        key = value(instance, f"{W}abstractNumId") if instance is not None else list_id
        if instance is not None and instance.find(f"{W}lvlOverride/{W}startOverride") is not None:
            key = f"own {list_id}"
        counts = self._counts.setdefault(key, {})
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [at for at in counts if at > level]:
            del counts[deeper]
        return min(counts[level], 999_999)

    def _level(self, list_id: str, level: int) -> tuple[str, int]:
        """Number format and first number of a list's level."""
        if (list_id, level) not in self._levels:
            instance = self._instances.get(list_id)
            abstract = self._abstract.get(value(instance, f"{W}abstractNumId"))
            own = _find_level(instance, level, f"{W}lvlOverride")
            definition = own.find(f"{W}lvl") if own is not None else None
            if definition is None:
                definition = _find_level(abstract, level, f"{W}lvl")
            start = value(own, f"{W}startOverride") or value(definition, f"{W}start") or "1"
            form = value(definition, f"{W}numFmt")
            self._levels[list_id, level] = form, int(start) if re.fullmatch(r"\d{1,6}", start) else 1
        return self._levels[list_id, level]


def _find_level(parent: Element | None, level: int, tag: str) -> Element | None:
    if parent is None:
        return None
    return next((e for e in parent.iterchildren(tag) if e.get(f"{W}ilvl") == str(level)), None)
