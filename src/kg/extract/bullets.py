"""Bullets and labelled lines: which shape each has, and under which subject it stands."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import category

from kg.extract.build import About, named
from kg.extract.classify import classes_of, head_classes
from kg.extract.labels import label_of, label_words, read_label
from kg.extract.properties import candidates, of_owner
from kg.extract.source import Placed, Source, walk
from kg.extract.subjects import SURELY_THING, carried, thing_likely, title_of, with_common_keys
from kg.extract.values import items, without_bracket
from kg.extract.words import WORD
from kg.model import Block, BlockKind, Context, EntityName, MarkKind
from kg.text import dates
from kg.text.passages import labelled_lines, line_spans
from kg.text.scales import leading_quantity, whole_date
from kg.text.stretch import Stretch

_KEY = re.compile(r"(?P<key>[^\W\d_][^:.!?;]{0,70}?)\s*:\s+(?=\S)")
_DATE_KEY = re.compile(r"(?P<key>\d[\w ,./–-]{2,30}?)\s*:\s+(?=[^\W\d_])")
_AFTER_BOLD = re.compile(r"\s*(?P<bracket>\([^()]*\))?(?:\s*:\s+(?=\S)|\s+of\s+(?:only\s+|just\s+)?(?=[~$€£\d]))")
_NO_KEY = re.compile(
    r"(?:not(?!\s(?:yet\s|publicly\s|officially\s)*(?:disclosed|known|stated|published|announced|revealed))|no|never|note|nb)\b"
    r"|[\"“]",
    re.IGNORECASE,
)
_DASH = re.compile(r"\s+[—–-]{1,3}\s+(?=\S)")
FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|said|says|stated|noted)\b"
)
_MAX_KEY_WORDS = 7
_MAX_TITLE_WORDS = 12
SOURCES = re.compile(
    r"(?:external |further |key |main |selected )?"
    r"(?:sources?|references?|reading|links|bibliography|citations?|works cited|footnotes)",
    re.IGNORECASE,
)
_COLLECTIVE = re.compile(
    r"\b(?:team|group|committee|crew|board|council|panel|jury|department|division|squad|choir|orchestra|band|guild|cabinet"
    r"|faculty|commission|delegation)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Bullet:
    """A bullet, or a paragraph or line of one.

    ``parents``: the texts of the bullets above it, outermost first; ``siblings``: those of its list, itself included.
    ``record``: the title of the innermost item around it whose keys the items beside that have too, or the line above
    labelled lines.
    """

    placed: Placed
    stretch: Stretch
    item: Block
    parents: tuple[Stretch, ...] = ()
    ordered: bool = False
    in_list: bool = True
    siblings: tuple[Stretch, ...] = ()
    record: Stretch | None = None


@dataclass(frozen=True, slots=True)
class KeyValue:
    """``Key (bracket): value``."""

    key: Stretch
    bracket: Stretch | None
    value: Stretch


@dataclass(frozen=True, slots=True)
class Lead:
    """``**Name** — what is said of it``."""

    name: Stretch
    rest: Stretch


def bullets(source: Source) -> tuple[Bullet, ...]:
    """Every bullet, paragraph and line of labelled lines, in document order."""
    return source.once("bullets", None, lambda: tuple(_bullets(source)))


def _bullets(source: Source) -> Iterator[Bullet]:
    records = _titled(source)
    for placed in source.placed:
        if placed.block.kind is BlockKind.LIST:
            yield from _list(placed, placed.block, ())
        elif placed.block.kind is BlockKind.PARAGRAPH and placed.block.inline is not None:
            for line in lines(source, placed.block):
                yield Bullet(placed, line, placed.block, in_list=False, record=records.get(placed.block.start))


def in_records(source: Source) -> tuple[tuple[int, int], ...]:
    """Where labelled lines and items of records stand: what has keys in common with things beside it."""
    return source.once("in records", None, lambda: tuple(sorted(b.stretch.span for b in bullets(source) if b.record)))


def _titled(source: Source) -> dict[int, Stretch]:
    """Of labelled lines, by where they start, the line that titles them, where three such records have keys in common:
    "argon", "Symbol: Ar", "Atomic number: 18".
    """
    titles: dict[int, Placed] = {}
    keys: dict[int, set[str]] = defaultdict(set)
    title: Placed | None = None
    for placed in source.placed:
        is_text = placed.block.kind is BlockKind.PARAGRAPH and placed.block.inline is not None
        pairs = [pair for line in lines(source, placed.block) if (pair := key_value(line))] if is_text else []
        if not pairs or (title is not None and placed.sections != title.sections):
            title = placed if is_text and not pairs and _may_title(placed) else None
        elif title is not None:
            titles[placed.block.start] = title
            keys[title.block.start].update(pair.key.text.casefold() for pair in pairs)
    records = with_common_keys(keys)
    return {
        start: Stretch.whole(title.block.inline)
        for start, title in titles.items()
        if title.block.start in records and title.block.inline is not None
    }


def _may_title(placed: Placed) -> bool:
    """Whether a paragraph is one short line that ends as no sentence does."""
    text = placed.block.inline.text.strip() if placed.block.inline is not None else ""
    return "\n" not in text and text[-1:].isalnum() and len(WORD.findall(text)) <= _MAX_TITLE_WORDS


def context_of_bullet(bullet: Bullet) -> Context | None:
    """What stands around a bullet: the words that introduce its list, and the bullet above it."""
    label = label_words(bullet.placed)
    caption = label.text if label is not None and bullet.in_list else ""
    above = bullet.parents[-1].strip(" :*").text if bullet.parents else ""
    return Context(caption=caption, row=above) if caption or above else None


def _list(
    placed: Placed, block: Block, parents: tuple[Stretch, ...], record: Stretch | None = None
) -> Iterator[Bullet]:
    siblings = tuple(s for item in block.children if (s := _first_text(item)) is not None)
    titles = _records(block)
    for item in block.children:
        own: Stretch | None = None
        within = titles.get(item.start, record)
        for child in item.children:
            if child.kind is BlockKind.PARAGRAPH and child.inline is not None and child.inline.text.strip():
                stretch = Stretch.whole(child.inline)
                around = within if own is not None else record
                yield Bullet(placed, stretch, item, parents, block.info == "ordered", siblings=siblings, record=around)
                own = own or stretch
            elif child.kind is BlockKind.LIST:
                yield from _list(placed, child, (*parents, own) if own else parents, within)


def _records(block: Block) -> dict[int, Stretch]:
    """The titles of items, by where these start, below which stand two keys or more that three of the list have."""
    titles: dict[int, Stretch] = {}
    for item in block.children:
        title = _first_text(item)
        if title is not None and key_value(title) is None and len(WORD.findall(title.text)) <= _MAX_TITLE_WORDS:
            titles[item.start] = title
    keys = {item.start: frozenset(_keys_below(item)) for item in block.children if item.start in titles}
    return {start: titles[start] for start in with_common_keys(keys)}


def _keys_below(item: Block) -> Iterator[str]:
    for block in walk(item.children):
        if block.inline is not None and (pair := key_value(Stretch.whole(block.inline))) is not None:
            yield pair.key.text.casefold()


def _first_text(item: Block) -> Stretch | None:
    for block in item.children:
        if block.inline is not None and block.inline.text.strip():
            return Stretch.whole(block.inline)
    return None


def lines(source: Source, paragraph: Block) -> list[Stretch]:
    """A paragraph's lines if they are all labelled ("Height: 50 m", "**Skerry** — a rock"), else the paragraph."""
    inline = paragraph.inline
    assert inline is not None
    pieces = [Stretch(inline, a, b) for a, b in line_spans(source.document.text, inline)]
    record = labelled_lines(source.document.text, inline)
    if record or (len(pieces) > 1 and (all(key_value(p) for p in pieces) or all(lead(p) for p in pieces))):
        return pieces
    whole = Stretch.whole(inline)
    return [whole] if whole else []


def key_value(stretch: Stretch) -> KeyValue | None:
    """The key and value of ``**Key**: value``, ``**Key:** value`` or ``Key: value``, a pictograph before it or not."""
    stretch = _after_pictographs(stretch)
    text = stretch.text
    bold = bold_start(stretch)
    if _NO_KEY.match(text):
        return None
    if bold is not None:
        inside = bold.text.find(": ")
        if bold.text.rstrip().endswith(":") and bold.end < stretch.end:
            value = stretch.part(bold.end - stretch.start).strip()
            return KeyValue(*_key(bold.strip(" :")), value) if value else None
        if inside > 0 and bold.end == stretch.end:
            return KeyValue(*_key(bold.part(0, inside)), bold.part(inside + 1).strip())
        after = _AFTER_BOLD.match(text, bold.end - stretch.start)
        if after is None:
            return None
        key = stretch.part(0, after.end("bracket") if after["bracket"] else bold.end - stretch.start)
        return KeyValue(*_key(key), stretch.part(after.end()).strip())
    found = _KEY.match(text) or _DATE_KEY.match(text)
    if found and found["key"][0].isdigit() and dates.parse(found["key"]) is None:
        return None
    if found and any(
        link.start <= stretch.start + found.end("key") < link.end for link, _ in stretch.marked(MarkKind.LINK)
    ):
        return None
    if (
        not found
        or _NO_KEY.match(found["key"])
        or len(WORD.findall(found["key"])) > _MAX_KEY_WORDS
        or FINITE.search(found["key"])
        or found["key"].count("(") > found["key"].count(")")
    ):
        return None
    return KeyValue(*_key(stretch.part(0, found.end("key"))), _bare(stretch.part(found.end()).strip()))


_BRACKETED = re.compile(r"\([\d.,]+\)")


def _bare(value: Stretch) -> Stretch:
    """A value without brackets around its figure, which only in a table's column mean less than nothing."""
    return value.part(1, len(value.text) - 1) if _BRACKETED.fullmatch(value.text) else value


# Symbols that are no signs of arithmetic or money, and what joins to them: "⏲️", "🍳".
_PICTURED = frozenset(("So", "Sk", "Mn", "Cf"))


def _after_pictographs(stretch: Stretch) -> Stretch:
    text = stretch.text
    at = next((n for n, c in enumerate(text) if not c.isspace() and category(c) not in _PICTURED), 0)
    return stretch.part(at) if at else stretch


def denies(stretch: Stretch) -> bool:
    """Whether a stretch is led by a bold denial with an explanation ("**Not a gift**: …")."""
    bold = bold_start(stretch)
    if bold is None or not _NO_KEY.match(bold.text):
        return False
    return bold.text.rstrip().endswith(":") or _AFTER_BOLD.match(stretch.text, bold.end - stretch.start) is not None


def _key(key: Stretch) -> tuple[Stretch, Stretch | None]:
    return without_bracket(key.strip())


def bold_start(stretch: Stretch) -> Stretch | None:
    """The words in bold that a text begins with, if they are no more than a dozen."""
    for bold, _ in stretch.marked(MarkKind.STRONG):
        if bold.start == stretch.start and len(WORD.findall(bold.text)) <= 12:
            return bold
    return None


def lead(stretch: Stretch, plain: bool = False) -> Lead | None:
    """The name and the rest of ``**Name** — rest``; with ``plain`` also of ``Name — rest``."""
    bold = bold_start(stretch)
    if bold is not None:
        dash = _DASH.match(stretch.text, bold.end - stretch.start)
        return Lead(bold, stretch.part(dash.end()).strip()) if dash else None
    dash = _DASH.search(stretch.text) if plain else None
    if (
        dash
        and len(WORD.findall(stretch.text[: dash.start()])) <= 6
        and not FINITE.search(stretch.text[: dash.start()])
    ):
        return Lead(stretch.part(0, dash.start()), stretch.part(dash.end()).strip())
    return None


def key_names_thing(source: Source, bullet: Bullet, pair: KeyValue, about: About) -> bool:
    """Whether a key is a thing that the value describes ("GPT-1 (2018): …"), not a property of the carried subject."""
    known_classes = classes_of(source, pair.key.text)
    subject_classes = about.classes
    if candidates(source, label_of(pair.key.text), subject_classes):
        return False
    if source.ontology and source.ontology.by_label(pair.key.text, "individual"):
        return True
    if of_owner(source, read_label(pair.key), pair.value) is not None:
        return False
    dated = pair.bracket is not None and whole_date(pair.bracket) is not None
    if pair.bracket is not None and not dated and head_classes(source.ontology, pair.key.text):
        return True
    named = source.once(
        "keys are names", bullet.siblings, lambda: all(_key_is_name(source, s) for s in bullet.siblings)
    )
    if len(bullet.siblings) > 1 and named:
        return True
    patterned = any(
        source.ontology.classes[c].matches(pair.key.text) for c in known_classes if c in source.ontology.classes
    )
    return (dated or patterned) and source.words.is_name(pair.key.text)


def keyed_thing(source: Source, bullet: Bullet, pair: KeyValue, about: About) -> KeyValue | None:
    """The pair by its thing, if its key is one: as it stands, or by the name in its bracket that extends the section's.

    "Second lamp (Kappa 2): planned for 1910" under "Kappa" is about Kappa 2.
    """
    carried_name = about.name.surface if isinstance(about.name, EntityName) else ""
    bracket = pair.bracket
    if bracket is not None and carried_name and re.fullmatch(rf"{re.escape(carried_name)}[ -]\w{{1,8}}", bracket.text):
        return KeyValue(bracket, None, pair.value)
    return pair if key_names_thing(source, bullet, pair, about) else None


def _key_is_name(source: Source, stretch: Stretch) -> bool:
    pair = key_value(stretch)
    key = pair.key.text if pair else ""
    named = source.words.is_name(key) and source.words.sure(key)
    return named and not candidates(source, label_of(key), ())


def in_sources(source: Source, placed: Placed) -> bool:
    """Whether a block stands under a heading or label for sources."""
    label = label_words(placed)
    if label is not None and SOURCES.fullmatch(label.text):
        return True
    title = title_of(source, placed.sections[-1]) if placed.sections else None
    return title is not None and bool(SOURCES.fullmatch(title.topic.text))


def is_collective(text: str) -> bool:
    """Whether a label names a body of people ("Night Watch Team")."""
    return bool(_COLLECTIVE.search(text.strip()))


def subject_of_bullet(source: Source, bullet: Bullet) -> About:
    """The thing that a bullet is about: the nearest name among the bullets above it, else the section's subject."""
    record = bullet.record
    for parent in reversed(bullet.parents):
        if record is not None and parent.span == record.span:
            break
        led, pair = lead(parent, plain=True), key_value(parent)
        name = led.name if led else pair.key if pair else without_bracket(parent.strip(" :"))[0]
        if source.words.is_name(name.text):
            return named(source, name)
    if record is not None:
        name = without_bracket(record.strip(" :"))[0]
        return named(source, name)
    intro = label_words(bullet.placed)
    return carried(source, bullet.placed, intro.text if intro else "")


_GLOSSARY = re.compile(
    r"\b(?:glossary|terms?|terminology|definitions?|vocabulary|nomenclature|abbreviations|acronyms|concepts?)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 3


def is_glossary(source: Source, placed: Placed) -> bool:
    """Whether a block stands right under a heading that announces terms ("Glossary", "Key Concepts")."""
    title = title_of(source, placed.sections[-1]) if placed.sections else None
    return title is not None and bool(_GLOSSARY.search(title.topic.text))


_CLAUSE = re.compile(r"[,;:.]|\b(?:that|which|who|whose|whom|where|when)\b")


def may_define(text: str) -> bool:
    """Whether what stands behind a term may say what that means: no sentence with a verb of its own."""
    return FINITE.search(_CLAUSE.split(text, maxsplit=1)[0]) is None


def explains_term(source: Source, bullet: Bullet, pair: KeyValue, about: About) -> bool:
    """Whether a key is a term and its value what it means, not a property of the heading's thing and its value.

    So it is in a glossary, and in a list of such pairs that stands under a topic, which has no properties.
    """
    if not _is_meaning(source, pair.value):
        return False
    if is_glossary(source, bullet.placed):
        return True
    told = source.once("are meanings", bullet.siblings, lambda: _are_meanings(source, bullet.siblings))
    return told and _is_of_topic(source, bullet.placed, about)


def _are_meanings(source: Source, siblings: tuple[Stretch, ...]) -> bool:
    pairs = [key_value(sibling) for sibling in siblings]
    return len(pairs) > 1 and all(p is not None and _is_meaning(source, p.value) for p in pairs)


def _is_meaning(source: Source, value: Stretch) -> bool:
    """Whether a value is words that tell what something is: no figure, no date, no names."""
    if len(WORD.findall(value.text)) < _LEAST_WORDS or leading_quantity(value.text) is not None:
        return False
    return whole_date(value) is None and not items(source, value) and not source.words.is_name(value.text)


def _is_of_topic(source: Source, placed: Placed, about: About) -> bool:
    """Whether what a block is told of is but the words of the heading right above it, which doesn't surely name it."""
    last = placed.sections[-1] if placed.sections else None
    title = title_of(source, last) if last is not None else None
    if last is None or title is None or not any(last.start <= start < last.end for start, _ in about.spans):
        return False
    return not about.classes and thing_likely(source, last, placed.sections[:-1], title) < SURELY_THING
