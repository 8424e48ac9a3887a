"""Questions that lean on those before: "and the Heron?", "and the second?", "which of those …?", "who owns it?".

What was meant before is read again by the parser: its words' own readings say which part of it the new words stand for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kg.semantics.engine import Parse, SemanticParser
from kg.semantics.items import Item
from kg.semantics.logic import And, Count, Kind, Set, Things
from kg.text.tokens import Token, tokens

_AND = re.compile(
    r"^(?:(?:and|but|or|so|ok)[\s,]+)?(?:(?:what|how)\s+about|and|but|same\s+for)\s+(?:for\s+|of\s+|in\s+|with\s+)?"
    r"(?P<new>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_NTH = re.compile(
    r"^(?:(?:and|but|so)[\s,]+)?(?:(?:what|who|which)\s+(?:about|is|was|comes?)\s+)?(?:the\s+)?"
    r"(?P<nth>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next)(?:\s+(?:one|place))?[?.!\s]*$",
    re.IGNORECASE,
)
_NEXT = ("", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_THOSE = re.compile(r"\bof\s+(?:those|them|these)\b|\bthose\b(?!\s+\w+s\b)", re.IGNORECASE)
_WHY = re.compile(
    r"^(?:and\s+)?(?:why|how do you know(?: that)?|who (?:says|said) (?:so|that)|says who|"
    r"where does (?:that|it|this) come from|(?:what(?:'s| is) )?(?:the|your) source)\s*[?.!]*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?P<own>its|his|their|her(?=\s+[a-z]))\b|\b(?:it|he|she|him|her|they|them)\b", re.IGNORECASE)


class Followups:
    """Reads questions in a conversation over one graph."""

    def __init__(self, parser: SemanticParser) -> None:
        self._parser = parser

    def parse(self, question: str, history: Sequence[Any]) -> Parse:
        """The answer to a question after others. A turn is a mapping (or an object) with ``question``."""
        before = ""
        for turn in history:
            asked = str(turn.get("question", "")) if isinstance(turn, dict) else str(getattr(turn, "question", turn))
            before = self._whole(asked, before)
        if before and (those := self._of_those(question, before)) is not None:
            return those
        return self._parser.parse(self._whole(question, before))

    def _whole(self, question: str, before: str) -> str:
        """A question that stands by itself; as it is where nothing is left open."""
        if not before:
            return question
        if _WHY.match(question.strip()):
            return before
        if match := _NTH.match(question.strip()):
            return self._nth(before, match["nth"].casefold()) or question
        if match := _AND.match(question.strip()):
            return self._replaced(before, match["new"]) or question
        return self._named(question, before)

    # --- parts -------------------------------------------------------------------------------

    def _leaves(self, question: str) -> tuple[tuple[Token, ...], list[Item]]:
        best = next(iter(self._parser.candidates(question, 1)), None)
        words = tuple(t for t in tokens(question) if t.text != "please")
        return words, [] if best is None else sorted(best.item.leaves(), key=lambda i: i.start)

    def _nth(self, before: str, said: str) -> str | None:
        """ "The longest ship" → "the second longest ship"."""
        words, leaves = self._leaves(before)
        grade = next((leaf for leaf in leaves if leaf.cat == "M"), None)
        if grade is None:
            return None
        nth = _NEXT[grade.nth] if said == "next" and grade.nth < len(_NEXT) else said
        start = words[grade.start + (grade.nth > 1)].start
        head = before[: words[grade.start].start] if grade.nth > 1 else before[:start]
        return f"{head}{nth} {before[start:]}"

    def _replaced(self, before: str, new: str) -> str | None:
        """A question about something else of the same kind."""
        words, leaves = self._leaves(before)
        _, others = self._leaves(new)
        for other in others:
            old = next((leaf for leaf in leaves if self._alike(leaf, other)), None)
            if old is not None:
                said = re.sub(r"^(?:the|a|an)\s+", "", new, flags=re.IGNORECASE)
                return before[: words[old.start].start] + said + before[words[old.end - 1].end :]
        return None

    def _alike(self, old: Item, new: Item) -> bool:
        """Whether one of the words' readings can stand in for the other."""
        if old.cat != new.cat or old.cat not in ("S", "R"):
            return False
        if old.cat == "R":
            return old.path != new.path
        one, other = old.set(), new.set()
        if isinstance(one, Things) != isinstance(other, Things):
            return False
        schema = self._parser.schema
        literal = [all(self._parser.graph.is_literal(i) for i in self._parser.denote(s)) for s in (one, other)]
        return bool(schema.types(one) & schema.types(other)) or all(literal) or isinstance(one, Kind)

    def _of_those(self, question: str, before: str) -> Parse | None:
        """ "Which of those are longer?", of what was answered before."""
        match = _THOSE.search(question)
        earlier = self._parser.parse(before)
        members = self._members(earlier)
        if match is None or members is None:
            return None
        kinds = [self._parser.graph.kinds.get(i, ())[:1] for i in sorted(self._parser.denote(members))]
        if not kinds or any(k != kinds[0] for k in kinds) or not kinds[0]:
            return None
        noun = self._parser.graph.names_of(kinds[0][0])[0]
        parse = self._parser.parse(f"{question[: match.start()]}{noun}{question[match.end() :]}")
        form = parse.form
        if parse.rows is None or form is None:
            return parse
        if isinstance(form, Count):
            return self._parser.answered(question, Count(And(members, form.of)), parse.confidence)
        found = self._members(parse)
        return None if found is None else self._parser.answered(question, And(members, found), parse.confidence)

    def _members(self, parse: Parse) -> Set | None:
        """The set of things that an answer lists."""
        form = parse.form
        return form if parse.rows and isinstance(form, Set) else None

    def _named(self, question: str, before: str) -> str:
        """A pronoun's place taken by the one thing answered before, else by what was asked about."""
        match = _PRONOUN.search(question)
        if match is None:
            return question
        name = self._about(before)
        if name is None:
            return question
        return f"{question[: match.start()]}{name}{chr(39) + 's' if match['own'] else ''}{question[match.end() :]}"

    def _about(self, before: str) -> str | None:
        graph, parse = self._parser.graph, self._parser.parse(before)
        rows = parse.rows or ()
        only = graph.ids.get(rows[0][0]) if len(rows) == 1 and len(rows[0]) == 1 else None
        if only is not None and not graph.is_literal(only):
            return graph.name(only)
        words, leaves = self._leaves(before)
        named = [leaf for leaf in leaves if leaf.cat == "S" and isinstance(leaf.form, Things)]
        return before[words[named[0].start].start : words[named[0].end - 1].end] if named else None
