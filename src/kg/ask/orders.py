"""In what order: things with their dates, earliest first."""

from __future__ import annotations

import re

from kg.ask.drafts import LONG_ROOM, ROOM, Asking, Choice, Draft, Value, clip, covered, sentence
from kg.ask.extremes import dated_parts
from kg.ask.groups import groups
from kg.ask.question import Question
from kg.ask.spans import cells, dates, headed
from kg.ask.times import date_choices

_ASKS = re.compile(
    r"\b(?:in (?:what|which) (?:chronological )?order|what (?:is|was) the (?:order|sequence)|chronolog\w+)\b", re.I
)
# A unit that says this share of what happened may date it.
_DATES = 0.45
_BEFORE = re.compile(
    r"^(?P<aux>did|was|were|had|has|is|does)\s+(?P<one>.+?),?\s+(?P<asks>before|after)\s+(?P<two>.+?)[?.!\s]*$",
    re.IGNORECASE,
)
_WHETHER = re.compile(
    r"^(?P<aux>did|was|were|had|has|is|does)\s+(?P<one>.+?),?\s+(?P<asks>before\s+or\s+after|after\s+or\s+before|"
    r"earlier\s+or\s+later\s+than)\s+(?P<two>.+?)[?.!\s]*$",
    re.IGNORECASE,
)


class BeforeOrAfter:
    """Which of two events came first: "did they move before or after the school opened?"."""

    name = "comparison"

    def asks(self, question: Question) -> bool:
        """``did A … before or after B``."""
        return bool(_WHETHER.match(question.text))

    def read(self, asking: Asking) -> Draft | None:
        """Both dates; None unless both are found and one is past before the other begins."""
        match = _WHETHER.match(asking.question.text)
        assert match is not None
        found = _both(asking, match)
        if found is None:
            return None
        word = "before" if found[2] else "after"
        earlier = match["asks"].casefold().startswith("earlier")
        said = {"before": "earlier", "after": "later"}[word] if earlier else word
        text = f"{said}: {found[0].label} against {found[1].label}"
        quoted = f"{text} – “{clip(found[0].scored.plain, 0, max(40, ROOM - 10 - len(text)))}”"
        return Draft(self.name, quoted, (Value(said, (0, 1)),), (found[0].scored, found[1].scored), 0.8)


def _of(asking: Asking, own: float) -> bool:
    """Whether a unit says enough of an event to date it."""
    return own >= _DATES


class WhetherBefore:
    """Whether one event came before another: "did they move before the school opened?"."""

    name = "boolean"

    def asks(self, question: Question) -> bool:
        """``did A … before B`` or ``after B``, B something that happened rather than a date."""
        match = _BEFORE.match(question.text)
        return match is not None and not dates(match["two"]) and not _WHETHER.match(question.text)

    def read(self, asking: Asking) -> Draft | None:
        """Yes or no with both dates; None unless both are found and one is past before the other begins."""
        match = _BEFORE.match(asking.question.text)
        assert match is not None
        found = _both(asking, match)
        if found is None:
            return None
        one, two, before = found
        word = "Yes" if before == (match["asks"].casefold() == "before") else "No"
        text = f"{word}: {one.label} against {two.label}"
        quoted = f"{text} – “{clip(one.scored.plain, 0, max(40, ROOM - 10 - len(text)))}”"
        return Draft(self.name, quoted, (Value(word, (0, 1)),), (one.scored, two.scored), 0.8)


def _both(asking: Asking, match: re.Match[str]) -> tuple[Choice, Choice, bool] | None:
    """The dates of both events, and whether the first is past before the second begins; None if they overlap."""
    asked = (f"When {match['aux']} {match['one']}?", f"When {_clause(match['two'])}?")
    subs = [asking.about(text) for text in asked]
    found = [next((c for c in date_choices(sub) if _of(sub, c.scored.own) and dates(c.label)), None) for sub in subs]
    if found[0] is None or found[1] is None:
        return None
    one, two = (dates(c.label)[0] for c in found if c is not None)
    if one.earliest <= two.latest and two.earliest <= one.latest:
        return None
    return found[0], found[1], one.latest < two.earliest


def _clause(text: str) -> str:
    """A clause as it follows "when": with its own verb first where it has one."""
    verb = re.search(r"\s(?:was|were|is|did|had|has)\s", text)
    return f"{verb.group().strip()} {text[: verb.start()]} {text[verb.end() :]}" if verb else f"was {text}"


class OrderQuestion:
    """The order of events."""

    name = "order"

    def asks(self, question: Question) -> bool:
        """``in what order …``."""
        return bool(_ASKS.search(question.text))

    def read(self, asking: Asking) -> Draft | None:
        """Dated parts of one unit, or the members of a table or list with their dates, sorted by date."""
        for scored in asking.found.units[:4]:
            parts = sorted(dated_parts(scored.plain), key=lambda p: p[0])
            if len(parts) > 1:
                labels = [span.text for _, span in parts]
                text = sentence(" → ".join(labels), scored.plain, LONG_ROOM)
                return Draft(self.name, text, tuple(Value(x) for x in labels), (scored,), 0.6)
        return self._of_group(asking)

    def _of_group(self, asking: Asking) -> Draft | None:
        for group in groups(asking.found.units):
            dated = sorted(
                (dates(u.plain)[0].earliest, n, _name(u.plain))
                for n, u in zip(group.numbers, group.units, strict=True)
                if dates(u.plain)
            )
            if len(dated) > 1 and covered(asking.found.terms, group.title + group.lead.plain) > 0.4:
                labels = [name for _, _, name in dated]
                evidence = tuple(group.scored(n) for _, n, _ in dated)
                values = tuple(Value(name, (i,)) for i, name in enumerate(labels))
                return Draft(self.name, sentence(" → ".join(labels), "", LONG_ROOM), values, evidence, 0.5)
        return None


def _name(plain: str) -> str:
    row = cells(plain)
    if len(row) > 1:
        return next((cell.text for _, cell in row if not dates(cell.text)), row[0][1].text)
    parted = headed(plain)
    return (parted[0].text if parted and not dates(parted[0].text) else plain)[:60]
