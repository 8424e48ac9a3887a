"""Texts that contain something: "notes that mention limestone", "places with “Meadow” in their name"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kg.semantics.items import Item
from kg.semantics.joins import Joins, Local
from kg.semantics.logic import Contains, Path
from kg.text.question_words import FUNCTION, GENERIC, word_set
from kg.text.tokens import Token

_SAYING = word_set("mention mentions mentioned mentioning contain contains containing contained include includes "
                   "including say says saying state states read reads")  # fmt: skip
_NAMED = word_set("named called titled")
_BEFORE = word_set("a an the word words text phrase term string")
_HAVING = word_set("with have has having contain contains containing")
_OF_NAME = frozenset(("name", "names", "title", "titles"))
_LONGEST = 4  # words of a text that is looked for without quotation marks


def sought(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str, bool]]:
    """Stretches that ask for a text: from, to, the text, and whether it is to be in a name."""
    said = [t.text for t in tokens]
    for at, word in enumerate(said):
        start = at + 1
        while start < len(said) and said[start] in _BEFORE and not tokens[start].quoted:
            start += 1
        if word in _SAYING | _NAMED:
            for end in _ends(tokens, start):
                text = " ".join(t.original for t in tokens[start:end])
                yield at, end, text, word in _NAMED
        if word in _HAVING | _BEFORE:
            yield from _in_name(tokens, at, _ends(tokens, start))
    for at, token in enumerate(tokens):
        if token.quoted and (at == 0 or not tokens[at - 1].quoted):
            end = next((i for i in range(at, len(tokens)) if not tokens[i].quoted), len(tokens))
            yield from _in_name(tokens, at, (end,))


def _in_name(tokens: Sequence[Token], at: int, ends: Iterable[int]) -> Iterator[tuple[int, int, str, bool]]:
    """ "(With) “Meadow” in their name", "(the word) dinar in its title": of the ends those that this follows."""
    for end in ends:
        after = [t.text for t in tokens[end : end + 3]]
        if after[:1] == ["in"] and _OF_NAME & {*after}:
            stop = end + 1 + next(n for n, word in enumerate(after) if word in _OF_NAME)
            text = " ".join(t.original for t in tokens[at:end] if t.quoted or t.text not in _HAVING | _BEFORE)
            if text:
                yield at, stop, text, True


def _ends(tokens: Sequence[Token], start: int) -> Iterator[int]:
    """Where a text that begins here may end."""
    if start < len(tokens) and tokens[start].quoted:
        yield next((i for i in range(start, len(tokens)) if not tokens[i].quoted), len(tokens))
        return
    for end in range(start + 1, min(len(tokens), start + _LONGEST) + 1):
        if tokens[end - 1].text in FUNCTION | GENERIC or tokens[start].text[0].isdigit():
            return
        yield end


class TextRules:
    """Rules for conditions on texts."""

    def __init__(self, joins: Joins) -> None:
        self._joins = joins
        self._texts = tuple(p.id for p in joins.graph.properties.values() if p.kind == "text")

    def of_property(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "A note that mentions …"."""
        if right.op != "name" and len(left.path) == 1 and self._joins.graph.properties[left.path[0][0]].kind == "text":
            yield self._joins.made("TX", left, right, [], like=right, path=left.path)

    def filtered(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """ "Specimens that mention …"."""
        if left.single:
            return
        members = self._joins.denote(left.set())
        ways: list[Path] = [right.path]
        if not right.path and right.op != "name":
            edges = self._joins.graph.out
            ways = [((p, True),) for p in self._texts if not edges[p].keys().isdisjoint(members)]
        rank = 0
        for way in ways:
            made = Contains(left.set(), way, right.name)
            if self._joins.denote(made):
                local: Local = [("bridge-rank", float(rank))]
                yield self._joins.chosen(left, right, left, made, local)
                rank += 1
