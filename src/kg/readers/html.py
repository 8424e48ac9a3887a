"""HTML pages: their main content as a clean rendering with blocks on it.

What is refused before a page is parsed: nesting and unclosed markup that the HTML algorithm takes quadratic time or
memory for (each open element is walked over for every block; each open inline tag is opened again in every block).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kg.errors import UnreadableDocument
from kg.model import BlockKind, Document
from kg.readers.decoding import decode_declared
from kg.readers.rendering import Node, document, has_words, render, tags

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MOST_TAGS = 1_500_000  # a node of the parsed page costs about 200 bytes
_DEEPEST = 1_000  # browsers stop at 512
_MOST_REOPENED = 5_000_000
# A tag as the HTML tokeniser reads it; where it doesn't match, the tag runs to the end of the file.
TAG = re.compile(
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


def check_markup(text: str, name: str) -> None:
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
        tag = TAG.match(text, found.start())
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


_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w:.-]{2,40})""")
_HEAD = 4096  # bytes in which a page declares its encoding
_THIN = 400  # code points: a main part shorter than this may not be the content
_SAID = {
    "author": "author article:author dc.creator dcterms.creator citation_author",
    "date": "article:published_time dc.date dcterms.date dcterms.created date citation_publication_date",
    "description": "description og:description",
    "publisher": "dc.publisher og:site_name",
    "url": "og:url",
}
_META = {name: key for key, names in _SAID.items() for name in names.split()}


class HtmlReader:
    """Reads ``.html`` and ``.htm`` files."""

    suffixes: tuple[str, ...] = (".html", ".htm")
    media_type: str = "text/html"

    def read(self, data: bytes, name: str) -> Document:
        """The document. Raises UnreadableDocument for what isn't text, has no words, or would need too much memory."""
        declared = _XML_ENCODING.match(data[:_HEAD]) or _CHARSET.search(data[:_HEAD])
        text, encoding = decode_declared(data, name, declared[1].decode("ascii", "replace") if declared else "")
        check_markup(text, name)
        from selectolax.lexbor import LexborHTMLParser

        tree = LexborHTMLParser(text)
        rendered, blocks = render(_content(tree))
        if not blocks:
            raise UnreadableDocument(f"{name} holds no text outside navigation, scripts and forms", _NO_TEXT)
        found = _metadata(tree)
        if encoding:
            found["encoding"] = encoding
        return document(data, name, self.media_type, rendered, blocks, found | {"title": _title_element(tree)})


_NO_TEXT = "if a script fills the page, save it from a browser after it has loaded"


def _content(tree: LexborHTMLParser) -> list[Node]:
    """The main part of the page, or all of its body where that part is missing or thin."""
    from kg.readers.html_tree import build

    body = tree.body
    if body is None:
        return []
    main = _main(tree)
    if main is None:
        return build(body, whole_page=True)
    nodes = build(main, whole_page=False)
    if _length(nodes) < _THIN:
        whole = build(body, whole_page=True)
        if _length(whole) > 4 * _length(nodes):
            return whole
    return _with_heading(tree, nodes)


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    found = tree.css_first("main") or tree.css_first("[role=main]")
    articles = tree.css("article")
    return found or (articles[0] if len(articles) == 1 else None)


def _with_heading(tree: LexborHTMLParser, nodes: list[Node]) -> list[Node]:
    """The page's first heading put in front if it stands outside the main part."""
    from kg.readers.html_tree import build

    if any(node.kind is BlockKind.HEADING and node.level == 1 for node in nodes):
        return nodes
    heading = tree.css_first("h1")
    found = [n for n in build(heading, whole_page=False) if has_words(n)] if heading is not None else []
    return [*found[:1], *nodes] if found and found[0].kind is BlockKind.HEADING else nodes


def _length(nodes: Sequence[Node]) -> int:
    waiting, length = list(nodes), 0
    while waiting:
        node = waiting.pop()
        length += sum(len(piece.text) for piece in node.pieces)
        waiting.extend(node.children)
    return length


def _title_element(tree: LexborHTMLParser) -> str:
    for selector in ('meta[property="og:title"]', "title", "h2"):
        found = tree.css_first(selector)
        if found is not None:
            text = found.attributes.get("content") if selector.startswith("meta") else found.text()
            if text and text.strip():
                return " ".join(text.split())
    return ""


def _metadata(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in tree.css("meta"):
        name = (meta.attributes.get("name") or meta.attributes.get("property") or "").strip().lower()
        value = " ".join((meta.attributes.get("content") or "").split())
        key = _META.get(name)
        if key and value and not (key == "author" and value.startswith("http")):
            found.setdefault(key, value[:1000])
    link = tree.css_first("link[rel=canonical]")
    address = (link.attributes.get("href") or "").strip() if link is not None else ""
    if address:
        found["url"] = address
    if not found.get("url", "").startswith(("http://", "https://")):
        found.pop("url", None)
    root = tree.css_first("html")
    if root is not None and (language := (root.attributes.get("lang") or "").strip()):
        found["language"] = language[:40]
    return found
