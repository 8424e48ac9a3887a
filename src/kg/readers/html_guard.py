"""What is refused before a page is parsed: nesting and unclosed markup that the HTML algorithm takes quadratic time
or memory for (each open element is walked over for every block; each open inline tag is opened again in every block).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.errors import UnreadableDocument
from kg.readers.html_names import tags

__all__ = ["check"]

_MOST_TAGS = 1_500_000  # a node of the parsed page costs about 200 bytes
_DEEPEST = 1_000  # browsers stop at 512
_MOST_REOPENED = 5_000_000
# A tag as the HTML tokeniser reads it; where it doesn't match, the tag runs to the end of the file.
_TAG = re.compile(
    r"<(/?)([a-zA-Z][^\t\n\f />]*+)"
    r"(?:[\t\n\f /]*+=?[^\t\n\f />=]++"
    r"(?:[\t\n\f ]*+=[\t\n\f ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f >]*+))?+)*+[\t\n\f /=]*+>"
)
_OPENING = re.compile(r"<(?:!--|/?[a-zA-Z])")
_RAW = tags("script style textarea title xmp iframe noembed noframes")
_VOID = tags("area base br col embed frame hr img input keygen link meta param source track wbr")
_OPTIONAL = tags("p li dt dd tr thead tbody tfoot option optgroup rb rt rp rtc html head body colgroup")
_FORMATTING = tags("a b big code em font i nobr s small strike strong tt u")
_BORDERS = tags("table td th caption template marquee object applet")


def check(text: str, name: str) -> None:
    """Raises UnreadableDocument for a page that would take too long or too much memory to parse."""
    if text.count("<") > _MOST_TAGS:
        raise UnreadableDocument(f"{name} has more than {_MOST_TAGS:,} tags", "split it")
    opened = _Open()
    for element, closes in _tags(text):
        if closes:
            opened.close(element)
        else:
            opened.open(element)
        if len(opened.stack) > _DEEPEST:
            raise UnreadableDocument(f"{name} nests tags more than {_DEEPEST:,} deep", "repair its markup")
        if opened.reopened > _MOST_REOPENED:
            raise UnreadableDocument(f"{name} leaves too many inline tags open", "repair its markup")


def _tags(text: str) -> Iterator[tuple[str, bool]]:
    """Names of the tags in order, and whether each is an end tag; comments, scripts and the like passed over."""
    at = 0
    while found := _OPENING.search(text, at):
        if found.group() == "<!--":
            end = text.find("-->", found.start() + 2)
            if end < 0:
                return
            at = end + 3
            continue
        tag = _TAG.match(text, found.start())
        if tag is None:
            return
        at = tag.end()
        element = tag[2].lower()
        if not tag[1] and element in _RAW:
            closing = re.compile(rf"</{element}(?=[\t\n\f />])", re.IGNORECASE).search(text, at)
            if closing is None:
                return
            at = closing.start()
        else:
            yield element, bool(tag[1])


class _Open:
    """The elements that are open, those apart whose end tag may be left out."""

    def __init__(self) -> None:
        self.stack: list[str] = []
        self.formatting = 0
        self.reopened = 0

    def open(self, element: str) -> None:
        if element in _FORMATTING:
            self.formatting += 1
        else:
            self.reopened += self.formatting if self.formatting > 20 else 0
        if element in ("td", "th"):
            self._pop_to(("table",), keep=True)
        if element not in _VOID and element not in _OPTIONAL:
            self.stack.append(element)

    def close(self, element: str) -> None:
        if element not in _OPTIONAL:
            self._pop_to((element,), keep=False)

    def _pop_to(self, elements: tuple[str, ...], keep: bool) -> None:
        """Closes all above the innermost of ``elements``, and it unless ``keep``; nothing if a border is in between."""
        for place in range(len(self.stack) - 1, -1, -1):
            here = self.stack[place]
            if here in elements:
                cut = place + 1 if keep else place
                self.formatting -= sum(name in _FORMATTING for name in self.stack[cut:])
                del self.stack[cut:]
                return
            if here in _BORDERS and not (keep and here != "table") and elements[0] not in _BORDERS:
                return
