"""Sections written alike: headings side by side under which the same keys recur are each a thing's, whatever they say.

"Bane", "Bless" and "Blur", each with "Casting Time:" and "Range:" below it, are three things of one kind. Were one of
them held for a topic, its values would be told of what stands above them all, as if the sections contradicted one
another.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from kg.extract.source import Source, walk
from kg.model import Block, BlockKind

_KEY = re.compile(r"(?P<key>[^:\n]{1,40}?)\s*:\s")
_FEWEST_KEYS, _FEWEST_SECTIONS = 2, 3


def alike(source: Source) -> frozenset[int]:
    """The identities of headings whose sections have two keys or more that two sections beside them have too."""
    key = ("alike sections", 0)
    if key not in source.memo:
        source.memo[key] = frozenset(_alike(source))
    found: frozenset[int] = source.memo[key]
    return found


def _alike(source: Source) -> Iterator[int]:
    keys = _keys(source)
    beside: dict[tuple[int, ...], list[Block]] = defaultdict(list)
    for heading, above in source.headings:
        beside[(heading.level or 0, *(id(h) for h in above))].append(heading)
    for headings in beside.values():
        times = Counter(key for h in headings for key in keys.get(id(h), ()))
        common = {key for key, sections in times.items() if sections >= _FEWEST_SECTIONS}
        yield from (id(h) for h in headings if len(common & keys.get(id(h), set())) >= _FEWEST_KEYS)


def _keys(source: Source) -> dict[int, set[str]]:
    """The keys right below each heading, folded."""
    found: dict[int, set[str]] = defaultdict(set)
    for placed in source.placed:
        if placed.sections and placed.block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST):
            lines = (block.inline.text for block in walk([placed.block]) if block.inline is not None)
            matches = (_KEY.match(line.strip()) for text in lines for line in text.splitlines())
            found[id(placed.sections[-1])].update(m["key"].casefold() for m in matches if m)
    return found
