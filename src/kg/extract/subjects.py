"""The subject that a section carries for its rows and bullets: the thing that its heading names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from typing import TypeVar

from kg.extract.build import About, named
from kg.extract.classify import classes_of, lineage
from kg.extract.label_kinds import heading_features, likely
from kg.extract.source import Placed, Source, walk
from kg.extract.titles import Rank, Title, is_plural_noun, read_title
from kg.extract.words import ASPECTS, SMALL, WORD, word_set
from kg.model import Block, BlockKind, EntityName, Inline, Run
from kg.ontology import singular
from kg.text.passages import line_spans
from kg.text.scales import whole_date
from kg.text.stretch import Stretch

Span = tuple[int, int]

# "The Harbour Board Report" tells of what the section above it is about, not of the Harbour Board.
_TOLD = word_set(
    "leak leaks report reports claim claims article articles announcement announcements statement statements interview "
    "analysis review reviews survey study estimate estimates account accounts"
)


def title_of(source: Source, heading: Block) -> Title | None:
    """A heading's parts, or None for an empty one."""
    if heading.inline is None or not heading.inline.text.strip():
        return None
    whole = Stretch.whole(heading.inline)
    return source.once("title", heading, lambda: read_title(whole, source.words))


def in_release(source: Source, placed: Placed) -> bool:
    """Whether a block stands below the dated heading of a version, as in change logs."""
    titles = (title_of(source, heading) for heading in placed.sections)
    return any(title is not None and title.released for title in titles)


def carried(source: Source, placed: Placed, lead: str = "") -> About:
    """The subject of a block: the innermost heading that names a thing, else the document's title.

    ``lead``: the sentence that introduces the block; of two things joined in a heading it tells the one meant.
    """
    return outer(source, placed.sections, lead)


def outer(source: Source, chain: Sequence[Block], lead: str = "") -> About:
    """The subject carried by a chain of headings, the outermost first."""
    plain: About | None = None
    for depth in range(len(chain) - 1, -1, -1):
        title = title_of(source, chain[depth])
        if title is None:
            continue
        if id(chain[depth]) in alike(source):
            return _named_by(source, title, lead) if title.names else named(source, title.whole)
        if not title.names:
            continue
        if depth and title.aspect.lower() in _TOLD and len(title.names) == 1:
            continue
        found = _named_by(source, title, lead)
        reads_as_name = title.rank is Rank.NAMED or _stands_alone(source, chain, depth, title)
        least = _LEAST_THING if reads_as_name else SURELY_THING
        if found.classes or thing_likely(source, chain[depth], chain[:depth], title) >= least:
            return found
        plain = plain or (found if depth == 0 else None)
    return _of_document(source) or plain or About(EntityName(source.document.name))


_LEAST_THING, SURELY_THING = 0.1, 0.7
"""So likely a heading has to be a thing's where it reads as a name, and where it doesn't: else its section is told of
what is around it."""


def thing_likely(source: Source, heading: Block, above: Sequence[Block], title: Title) -> float:
    """How likely a heading names a thing, not a topic; asked of it for everything below."""
    return source.once(
        "thing", heading, lambda: likely("heading", heading_features(source, heading, above, title.rank.name))["thing"]
    )


def is_thing(source: Source, heading: Block, above: Sequence[Block], title: Title) -> bool:
    """Whether a heading rather names a thing than a topic."""
    return thing_likely(source, heading, above, title) >= 0.5


def _named_by(source: Source, title: Title, lead: str) -> About:
    """What a heading names: all of its words where what can be cut out of them is surely no name by itself
    ("Moderation Team"), or but one of several ("Guilds and Boards").
    """
    name = _chosen(title, lead, source)
    found = named(source, name)
    one_of_several = title.joins(name) and name == _chosen(title, "", source)
    a_word = len(WORD.findall(name.text)) == 1 and not name.text.islower() and not _said_alone(source, title, name)
    cut = ((one_of_several or a_word) and not source.words.sure(name.text)) or title.rank is Rank.PLAIN
    return named(source, title.whole) if cut and not found.classes else found


def _said_alone(source: Source, title: Title, name: Stretch) -> bool:
    """Whether a text says a heading's name without what follows it there: "Mass" of "Mass Suggestion" never is."""
    after = re.escape(title.topic.text[name.end - title.topic.start :])
    alone = re.compile(rf"\b{re.escape(name.text)}\b" + (rf"(?!{after})" if after else ""))
    return source.once(
        f"alone {alone.pattern}",
        None,
        lambda: any(alone.search(inline.text) for inline in source.leaves(headings=False)),
    )


def _chosen(title: Title, lead: str, source: Source) -> Stretch:
    """The name meant: of several, one whose words the introducing sentence takes up, else the first."""
    candidates = [n for n in title.names if source.words.has_proper(n.text)] or list(title.names)
    if lead and len(candidates) > 1:
        said = {w.lower().rstrip("s") for w in WORD.findall(lead)}
        last = [(n, WORD.findall(n.text)[-1].lower().rstrip("s")) for n in candidates]
        taken = [n for n, word in last if word in said]
        if len(taken) == 1:
            return taken[0]
    return candidates[0]


def _stands_alone(source: Source, chain: Sequence[Block], depth: int, title: Title) -> bool:
    """Whether a heading of common words names a thing ("Rye bread"): dated, or all its siblings name things too."""
    if any(whole_date(note) for note in title.notes):
        return True
    parent = chain[depth - 1] if depth else None
    over = title_of(source, parent) if parent is not None else None
    if over is not None and over.rank is Rank.GENERIC and parent is not None and parent.level > 1:
        return False  # "Upper layer" below "Ingredients": a side of what the page is about
    siblings = [
        read
        for heading, above in source.headings
        if heading.level == chain[depth].level and (above[-1] if above else None) is parent
        if (read := title_of(source, heading))
    ]
    above = title_of(source, parent) if parent is not None and depth > 1 else None
    below_name = above is not None and above.rank is Rank.NAMED
    if len(WORD.findall(title.topic.text)) < 2 and (len(siblings) < 2 or below_name):
        return False  # "Water" below "Fastnet Works": a side of the works
    return all(read.rank is not Rank.GENERIC for read in siblings)


def _of_document(source: Source) -> About | None:
    """The thing that the document's title names; its place in the text is evidence when it stands there."""
    title = source.document.title.strip()
    if not title:
        return None
    for heading, _ in source.headings[:1]:
        if heading.inline is not None and heading.inline.text.strip() == title:
            read = read_title(Stretch.whole(heading.inline), source.words)
            name = read.names[0] if read.names else read.topic
            if read.rank is Rank.NAMED:
                return named(source, name)
            if {word.lower() for word in WORD.findall(title)} <= ASPECTS | SMALL:
                return None  # "NAME", "History and Licence"
            return About.of(name)  # its words classify nothing
    nowhere = Inline(title, (Run(0, 0, len(title), len(title)),))
    read = read_title(Stretch.whole(nowhere), source.words)
    name = read.names[0] if read.names else read.topic
    classes = classes_of(source, name.text) if read.rank is Rank.NAMED else ()
    return About(EntityName(name.text, classes), ())


_KEY = re.compile(r"(?P<key>[^:\n]{1,40}?)\s*:\s")
_FEWEST_KEYS, _FEWEST_RECORDS = 2, 3
T = TypeVar("T", bound=Hashable)


def with_common_keys(keys: Mapping[T, Set[str]], fewest: int = _FEWEST_RECORDS) -> frozenset[T]:
    """Of things that keys stand below those with two keys or more that ``fewest`` of them have: records of one kind."""
    times = Counter(key for own in keys.values() for key in own)
    common = {key for key, things in times.items() if things >= fewest}
    return frozenset(thing for thing, own in keys.items() if len(own & common) >= _FEWEST_KEYS)


def alike(source: Source) -> frozenset[int]:
    """The identities of headings whose sections have two keys or more that two sections beside them have too, or all
    of them where these are only gathered in a section."""
    return source.once("alike sections", None, lambda: frozenset(_alike(source)))


def _alike(source: Source) -> Iterator[int]:
    keys = _keys(source)
    beside: dict[tuple[int, ...], list[tuple[Block, Sequence[Block]]]] = defaultdict(list)
    for heading, above in source.headings:
        beside[(heading.level or 0, *(id(h) for h in above))].append((heading, above))
    for group in beside.values():
        headings = [heading for heading, _ in group]
        few = len(headings) < _FEWEST_RECORDS and _only_gathers(source, group[0][1], headings)
        told = {id(heading): keys.get(id(heading), set()) for heading in headings}
        yield from with_common_keys(told, len(headings) if few else _FEWEST_RECORDS)


def _only_gathers(source: Source, above: Sequence[Block], headings: Sequence[Block]) -> bool:
    """Whether a section only gathers things, however few: it is headed by what they are ("# Spells (J)"), nothing else
    stands in it, and their headings ("#### Jump") rather name things than topics."""
    over = title_of(source, above[-1]) if above else None
    titles = [title_of(source, heading) for heading in headings]
    return (
        over is not None
        and is_plural_noun(over.topic.text, source.words)
        and not any(placed.sections and placed.sections[-1] is above[-1] for placed in source.placed)
        and all(t is not None and is_thing(source, h, above, t) for h, t in zip(headings, titles, strict=True))
    )


def _keys(source: Source) -> dict[int, set[str]]:
    """The keys right below each heading, folded."""
    found: dict[int, set[str]] = defaultdict(set)
    for placed in source.placed:
        if placed.sections and placed.block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
            leaves = (block.inline for block in walk([placed.block]) if block.inline is not None)
            lines = (leaf.text[a:b] for leaf in leaves for a, b in line_spans(source.document.text, leaf))
            matches = map(_KEY.match, lines)
            found[id(placed.sections[-1])].update(m["key"].casefold() for m in matches if m)
    return found


def is_one(source: Source, about: About, kind: str) -> bool:
    """Whether a thing is of the class that a noun phrase in the plural names ("top-5 lamps in the world")."""
    if not isinstance(about.name, EntityName):
        return False
    above = lineage(source.ontology, about.name.classes)
    words = [singular(word.casefold()) for word in WORD.findall(kind)]
    return any(c.iri in above for word in words for c in source.ontology.by_label(word, "class"))
