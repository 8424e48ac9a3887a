"""The content of an HTML element as nodes: one walk over the tree, without recursion, however deep it is.

Which HTML elements are what: those that hold no content, those that begin a block, those that mark text.

Definition lists: a glossary as paragraphs ``Term — definition.``, short values as items ``Term: value``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborNode

from kg.model import BlockKind, MarkKind
from kg.readers.rendering import MAX_LEAVES, RAISED, SUPERSCRIPT, Node, Piece, TooLarge, plain, strong, tags
from kg.readers.table_grid import Cell, Row, table

# Never content, whatever is inside.
DROPPED = tags(
    "applet area audio base button canvas col colgroup command datalist del dialog embed frame frameset head iframe"
    " input keygen link map meta meter nav noembed noframes noscript object optgroup option output param progress"
    " rp rt s script select source strike style svg template textarea title track video annotation annotation-xml"
)
DROPPED_ROLES = tags("navigation banner contentinfo search complementary menu menubar toolbar dialog alert")
# Exact class names of what surrounds content; generic ones that sites and their generators share.
DROPPED_CLASSES = tags(
    "nav navbar navigation menu breadcrumb breadcrumbs pagination pager skip-link skiplink cookie-banner cookie-notice"
    " social-share share-buttons advert advertisement mw-editsection mw-jump-link navbox noprint headerlink sr-only"
    " visually-hidden toc"
)
BLOCKS = tags(
    "address article aside blockquote body center details dir div dd dl dt fieldset figcaption figure footer form h1"
    " h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section search summary table ul caption thead"
    " tbody tfoot tr td th"
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
MARKS = (
    dict.fromkeys(tags("b strong"), MarkKind.STRONG)
    | dict.fromkeys(tags("i em cite dfn var"), MarkKind.EMPHASIS)
    | dict.fromkeys(tags("code kbd samp tt"), MarkKind.CODE)
)


_WORDS_OF_A_DEFINITION = 6


Nodes = tuple[Node, ...]
Group = tuple[list[Nodes], list[Nodes]]
"""Terms that share their definitions, and these."""


def definitions(entries: Sequence[tuple[Nodes, bool]], level: int) -> list[Node]:
    """Nodes of a definition list: blocks, each with whether they are a term's; ``level`` is the nesting of a list."""
    groups: list[Group] = []
    for nodes, is_term in entries:
        if not groups or (is_term and groups[-1][1]):
            groups.append(([], []))
        if is_term or nodes:
            groups[-1][0 if is_term else 1].append(nodes)
    texts = [plain(nodes[0].pieces) for _, said in groups for nodes in said]
    if not texts:
        return [Node(BlockKind.PARAGRAPH, strong(_flat(term))) for terms, _ in groups for term in terms]
    sentences = sum(len(t.split()) >= _WORDS_OF_A_DEFINITION or t.endswith(".") for t in texts)
    is_glossary = sentences * 2 > len(texts)
    said = [blocks for group in groups for blocks in _said(group, " — " if is_glossary else ": ")]
    if is_glossary:
        return [node for blocks in said for node in blocks]
    items = tuple(Node(BlockKind.LIST_ITEM, children=blocks) for blocks in said)
    return [Node(BlockKind.LIST, children=items, level=level)]


def _flat(nodes: Nodes) -> tuple[Piece, ...]:
    return tuple(piece for node in nodes for piece in node.pieces)


def _term(terms: Sequence[Nodes]) -> tuple[Piece, ...]:
    """The terms, parted by slashes as names of one thing, without a colon at their end."""
    found: list[Piece] = []
    for term in terms:
        if found:
            found.append(Piece(" / "))
        found.extend(strong(_flat(term)))
    while found and not found[-1].text.rstrip(" :"):
        found.pop()
    if found:
        found[-1] = found[-1].part(0, len(found[-1].text.rstrip(" :")))
    return tuple(found)


def _said(group: Group, between: str) -> Iterator[Nodes]:
    """The blocks of each definition, the terms in front of its first text, or alone where nothing is said of them."""
    term = _term(group[0])
    for nodes in group[1] or ((),):
        first = nodes[0].pieces if nodes else ()
        joined = (*term, Piece(between), *first) if term and (first or between == ": ") else (*term, *first)
        yield Node(BlockKind.PARAGRAPH, joined), *(nodes[1:] if first else nodes)


_DEEPEST = 30  # lists, quotations and tables inside each other; what is deeper is flattened
_LANGUAGE = re.compile(r"(?:language|lang|highlight|highlight-source|brush:)[-\s]+([\w+#.-]+)", re.IGNORECASE)
_NOTE = re.compile(r"\s*\[?\s*(?:\d{1,3}|[a-z]|note \d+|citation needed)\s*\]?\s*", re.IGNORECASE)
_PERMALINK = frozenset("¶#§🔗")
_CONTAINERS = tags("ul ol menu dir li blockquote table tr td th dl dt dd pre caption")


PiecesOf = Callable[[str, bool], Iterable[Piece]]
"""Pieces of a text of the tree, and whether it is taken as it is (code)."""


def _as_written(text: str, verbatim: bool) -> Iterator[Piece]:
    yield Piece(text if verbatim else text.replace("\n", " ").replace("\r", " "))


def build(root: LexborNode, whole_page: bool, pieces: PiecesOf = _as_written) -> list[Node]:
    """Nodes of ``root`` and what is in it; of a whole page what surrounds its content is left out. Raises TooLarge."""
    builder = _Builder(whole_page, pieces)
    for node, closes in _events(root, builder):
        if closes:
            builder.end(node)
        else:
            builder.start(node)
    return builder.finish()


def _events(root: LexborNode, builder: _Builder) -> Iterator[tuple[LexborNode, bool]]:
    """Every node in document order, elements twice: (node, False) at their start, (node, True) at their end."""
    node: LexborNode | None = root
    while node is not None:
        yield node, False
        inner = node.first_child if node.is_element_node and not builder.skipped else None
        if inner is not None:
            node = inner
            continue
        while node is not None:
            if node.is_element_node:
                yield node, True
            if node.mem_id == root.mem_id:
                return
            if node.next is not None:
                node = node.next
                break
            node = node.parent


@dataclass
class _Frame:
    """A container being read. ``nodes``: finished blocks; ``pieces``: the text that isn't a block yet."""

    tag: str
    id: int = 0
    nodes: list[Node] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    number: int | None = None
    info: str = ""
    rows: list[Row] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    entries: list[tuple[Nodes, bool]] = field(default_factory=list)
    caption: list[Node] = field(default_factory=list)
    layout: bool = False
    span: tuple[int, int] = (1, 1)
    part: str = ""


class _Builder:
    """Turns the events of the walk into nodes."""

    def __init__(self, whole_page: bool, pieces: PiecesOf) -> None:
        self.whole_page, self.pieces = whole_page, pieces
        self.frames = [_Frame("")]
        self.marks: list[tuple[int, MarkKind, str]] = []  # element, mark, target
        self.raised: list[tuple[int, str, int]] = []  # element, "sup" or "sub", pieces before it
        self.skipped = False  # whether the element that has just begun is left out
        self.part = ""  # thead, tbody or tfoot
        self.content = 0  # articles and main parts that are open
        self.leaves = 0

    @property
    def frame(self) -> _Frame:
        return self.frames[-1]

    # --- events --------------------------------------------------------------------------------

    def start(self, node: LexborNode) -> None:
        self.skipped = False
        if node.is_text_node:
            self._text(node.text_content or "")
            return
        tag = node.tag or ""
        if not node.is_element_node or self._left_out(node, tag):
            self.skipped = True
            return
        if tag in BLOCKS:
            self._flush()
            self._block(node, tag)
        elif tag == "br":
            self._add(Piece("\n"))
        elif tag in ("sup", "sub"):
            self.raised.append((node.mem_id, tag, len(self.frame.pieces)))
        elif tag == "q":
            self._add(Piece("“"))
        elif tag == "a" and (target := (node.attributes.get("href") or "").strip()):
            self.marks.append((node.mem_id, MarkKind.LINK, "".join(target.split())))
        elif tag in MARKS and self.frame.tag != "pre":
            self.marks.append((node.mem_id, MARKS[tag], ""))

    def end(self, node: LexborNode) -> None:
        if self.skipped:
            self.skipped = False
            return
        tag = node.tag or ""
        if tag in ("article", "main"):
            self.content = max(0, self.content - 1)
        if self.marks and self.marks[-1][0] == node.mem_id:
            self.marks.pop()
        if self.raised and self.raised[-1][0] == node.mem_id:
            self._raise(*self.raised.pop()[1:])
        elif tag == "q":
            self._add(Piece("”"))
        elif len(self.frames) > 1 and self.frame.id == node.mem_id:
            self._close(self.frames[-1])
        elif tag in HEADINGS:
            self._flush()
            self.frame.kind, self.frame.level = BlockKind.PARAGRAPH, 0
        elif tag in BLOCKS:
            self._flush()

    def finish(self) -> list[Node]:
        while len(self.frames) > 1:
            self._close(self.frame)
        self._flush()
        return self.frames[0].nodes

    def _left_out(self, node: LexborNode, tag: str) -> bool:
        attributes = node.attributes
        # A heading that unfolds what is below it.
        folds = tag == "button" and self.frame.kind is BlockKind.HEADING and not plain(self.frame.pieces)
        if (tag in DROPPED and not folds) or "hidden" in attributes or attributes.get("aria-hidden") == "true":
            return True
        if (attributes.get("role") or "").lower() in DROPPED_ROLES and tag not in ("body", "main", "article"):
            return tag not in ("header",) or not self._has_title(node)
        classes = attributes.get("class")
        if classes and not DROPPED_CLASSES.isdisjoint(classes.lower().split()) and tag not in ("body", "main"):
            return True
        if "display:none" in (attributes.get("style") or "").replace(" ", "").lower():
            return True
        return self._surrounds(node, tag)

    def _surrounds(self, node: LexborNode, tag: str) -> bool:
        """Whether an element stands around the content: footers, forms to fill in, the head of a page, asides."""
        if tag in ("article", "main"):
            self.content += 1
        if tag == "footer":
            return not any(frame.tag == "blockquote" for frame in self.frames)
        if tag == "form":
            return node.css_first("h1, h2, h3, table, article, main, p") is None
        if not self.whole_page or self.content:
            return False
        return tag == "aside" or (tag == "header" and not self._has_title(node))

    def _has_title(self, node: LexborNode) -> bool:
        return any(frame.tag == "header" for frame in self.frames) or node.css_first("h1") is not None

    # --- text ----------------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        frame = self.frame
        if frame.tag in ("table", "tr", "dl", "ul", "ol") and not text.strip():
            return
        code = any(kind is MarkKind.CODE for _, kind, _ in self.marks)
        for piece in self.pieces(text, code or frame.tag == "pre"):
            if piece.text:
                self._add(piece)

    def _add(self, piece: Piece) -> None:
        marks = () if self.frame.tag == "pre" else ((kind, target) for _, kind, target in self.marks)
        self.frame.pieces.append(replace(piece, marks=tuple(dict.fromkeys((*marks, *piece.marks)))))

    def _raise(self, tag: str, before: int) -> None:
        """Raised figures stay apart from the figure that they follow: 10⁶ isn't 106. References to notes go."""
        pieces = self.frame.pieces
        before = min(before, len(pieces))
        text = "".join(piece.text for piece in pieces[before:])
        linked = any(kind is MarkKind.LINK and to.startswith("#") for p in pieces[before:] for kind, to in p.marks)
        if tag == "sup" and _NOTE.fullmatch(text) and (linked or "[" in text):
            del pieces[before:]
        elif tag == "sup" and text.strip() and RAISED.issuperset(text.strip()):
            longest = max(pieces[before:], key=lambda piece: len(piece.text.strip()))
            pieces[before:] = [replace(longest, text=text.translate(SUPERSCRIPT))]

    def _flush(self) -> None:
        frame = self.frame
        if frame.tag == "pre" or not frame.pieces:
            return
        pieces = frame.pieces
        frame.pieces = []
        for place, (element, tag, _) in enumerate(self.raised):
            self.raised[place] = (element, tag, 0)
        if frame.kind is BlockKind.HEADING:
            while pieces and ("".join(pieces[-1].text.split()) or "#") in _PERMALINK and len(pieces) > 1:
                pieces.pop()
        if any(piece.text.strip() for piece in pieces):
            self._keep(Node(frame.kind, tuple(pieces), level=frame.level))

    def _keep(self, node: Node) -> None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise TooLarge
        self.frame.nodes.append(node)

    # --- containers ----------------------------------------------------------------------------

    def _block(self, node: LexborNode, tag: str) -> None:
        if tag in HEADINGS:
            self.frame.kind, self.frame.level = BlockKind.HEADING, HEADINGS[tag]
        elif tag in ("thead", "tbody", "tfoot"):
            self.part = tag
        elif tag in _CONTAINERS or (tag == "div" and "mermaid" in (node.attributes.get("class") or "").split()):
            self._open(node, "pre" if tag == "div" else tag)

    def _open(self, node: LexborNode, tag: str) -> None:
        tags = [frame.tag for frame in self.frames]
        if len(tags) > 3 * _DEEPEST or (tag in ("ul", "ol", "menu", "dir") and tags.count("li") >= _DEEPEST):
            return
        outer = {"li": ("ul", "ol"), "tr": ("table",), "td": ("tr",), "th": ("tr",), "caption": ("table",)}
        outer |= {"dt": ("dl",), "dd": ("dl",)}
        tag = "ul" if tag in ("menu", "dir") else tag
        if tag in outer and self.frame.tag not in outer[tag]:
            return
        frame = _Frame(tag, node.mem_id)
        if tag == "table":
            frame.layout = (node.attributes.get("role") or "") in ("presentation", "none")
            for around in self.frames:
                around.layout = around.layout or around.tag == "table"
            frame.part, self.part = self.part, ""
        elif tag == "ol":
            frame.number = _number(node.attributes.get("start"), 1) - 1
        elif tag == "li":
            frame.number = self._item_number(node)
        elif tag in ("td", "th"):
            frame.span = (_number(node.attributes.get("colspan"), 1), _number(node.attributes.get("rowspan"), 1))
        elif tag == "tr":
            frame.part = self.part
        elif tag == "pre":
            frame.info = _language(node)
        self.frames.append(frame)

    def _item_number(self, node: LexborNode) -> int | None:
        around = self.frame
        if around.number is None:
            return None
        around.number = min(_number(node.attributes.get("value"), around.number + 1), 999_999)
        return around.number

    def _close(self, frame: _Frame) -> None:
        self._flush()
        self.frames.pop()
        close = getattr(self, f"_end_{frame.tag}", None)
        if close is not None:
            close(frame)

    def _end_ul(self, frame: _Frame) -> None:
        items = tuple(
            n if n.kind is BlockKind.LIST_ITEM else Node(BlockKind.LIST_ITEM, children=(n,))
            for n in _in_items(frame.nodes)
        )
        if items:
            level = 1 + sum(around.tag == "li" for around in self.frames)
            info = "ordered" if frame.tag == "ol" else ""
            self._keep(Node(BlockKind.LIST, children=items, level=level, info=info))

    _end_ol = _end_ul

    def _end_li(self, frame: _Frame) -> None:
        self._keep(Node(BlockKind.LIST_ITEM, children=tuple(frame.nodes), number=frame.number))

    def _end_blockquote(self, frame: _Frame) -> None:
        if frame.nodes:
            self._keep(Node(BlockKind.QUOTE, children=tuple(frame.nodes)))

    def _end_pre(self, frame: _Frame) -> None:
        self._keep(Node(BlockKind.CODE, tuple(frame.pieces), info=frame.info))

    def _end_caption(self, frame: _Frame) -> None:
        self.frame.caption.extend(frame.nodes)

    def _end_td(self, frame: _Frame) -> None:
        self.frame.cells.append(Cell(tuple(frame.nodes), *frame.span, head=frame.tag == "th"))

    _end_th = _end_td

    def _end_tr(self, frame: _Frame) -> None:
        if frame.cells:
            self.frame.rows.append(Row(tuple(frame.cells), frame.part))

    def _end_table(self, frame: _Frame) -> None:
        self.part = frame.part
        for node in (*frame.nodes, *table(frame.rows, frame.caption, frame.layout)):
            self._keep(node)

    def _end_dt(self, frame: _Frame) -> None:
        self.frame.entries.append((tuple(frame.nodes), frame.tag == "dt"))

    _end_dd = _end_dt

    def _end_dl(self, frame: _Frame) -> None:
        level = 1 + sum(around.tag == "li" for around in self.frames)
        for node in (*frame.nodes, *definitions(frame.entries, level)):
            self._keep(node)


def _in_items(nodes: list[Node]) -> list[Node]:
    """Items of a list; what stands in it outside of them belongs to the item before."""
    found: list[Node] = []
    for node in nodes:
        if node.kind is not BlockKind.LIST_ITEM and found:
            last = found.pop()
            node = Node(BlockKind.LIST_ITEM, children=(*last.children, node), number=last.number)
        found.append(node)
    return found


def _number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    return int(text) if re.fullmatch(r"\d{1,6}", text) else default


def _language(node: LexborNode) -> str:
    inner = node.css_first("code")
    for element in (node, inner):
        classes = (element.attributes.get("class") or "") if element is not None else ""
        if "mermaid" in classes.split():
            return "mermaid"
        if found := _LANGUAGE.search(classes):
            return found[1].lower()
    return ""
