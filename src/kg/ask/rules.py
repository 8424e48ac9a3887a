"""What rules read in passages: yes or no, dates and figures."""

from __future__ import annotations

import re
from collections.abc import Callable

from kg.ask.drafts import ROOM, Asking, Draft, Value, clip
from kg.ask.figures import asks_date, asks_duration, asks_number, read_date, read_duration, read_number
from kg.ask.linking import compared
from kg.ask.question import Question, Role
from kg.ask.question_kinds import replied
from kg.ask.retrieve import Scored
from kg.text import terms as w
from kg.text.spans import numbers
from kg.text.terms import family, synonyms, tokens

_DENIAL = re.compile(
    r"\b(?:nothing|no (?:proof|evidence|sign|indication)|not (?:clear|known|certain|confirmed|proven)|unclear|never|"
    r"no longer|nobody|no one|without|neither|rather than|instead of|except)\b|\b\w+n['’]t\b|\bnot\b|\bno\b",
    re.IGNORECASE,
)
# What somebody is said to suppose is neither so nor not so.
_SUPPOSED = re.compile(
    r"\b(?:assum(?:e|es|ed|ing)|suppos(?:e|es|ed|ing)|suspect(?:s|ed|ing)?|speculat(?:e|es|ed|ing)|rumou?r(?:s|ed)?|"
    r"guess(?:es|ed)?|believ(?:e|es|ed))\b",
    re.IGNORECASE,
)
# What is said to be possible, wished for or planned is not said to be so.
_POSSIBLE = re.compile(
    r"\b(?:may|might|could|would|should|plan(?:s|ned|ning)?|propos(?:e|es|ed|al)|consider(?:s|ed|ing)?|hop(?:e|es|ed)|"
    r"intend(?:s|ed)?|perhaps|possibly|if)\b"
)
# What would take more than there is, or is too much of something, can't be.
_BEYOND = re.compile(r"\bmore\b.+\bthan\b.+\b(?:any|could|can)\b|\btoo \w+ (?:to|for)\b", re.IGNORECASE)
_CAN = ("can", "could", "able", "possible")
_IDLE = w.words("a an the it its he his she her they their there this that these those ever also still not any some")
# Share of the weight of the question's words, names aside, that a unit must have to bear an answer.
_BORNE_OUT = 0.5
# Share of their words that two questions have in common that ask the same.
_SAME = 0.75


def asks_boolean(question: Question) -> bool:
    """``Is/Did/Can …?`` without alternatives to choose from."""
    first = question.tokens[0].lower if question.tokens else ""
    return first in w.AUXILIARIES and not question.options


def read_boolean(asking: Asking) -> Draft | None:
    """ "Yes" or "No" with the unit that says so."""
    units = asking.found.units
    comparing = compared(t.lower for t in asking.question.tokens) and asking.question.has("than")
    if not units or comparing:  # a comparison is computed from both figures or not made
        return None
    if (reply := _reply(asking)) is not None:
        return reply
    best = max((s for s in units[:12] if not s.asks), key=lambda s: (s.score, s.key), default=None)
    if best is None:
        return None
    negative = denied(asking.question, best.plain)
    supposed = bool(_SUPPOSED.search(best.plain)) and not _SUPPOSED.search(asking.question.lower)
    if supposed or _unsaid(asking, best) or (not negative and _only_possible(asking.question, best.plain)):
        return None
    return _verdict(asking, "No" if negative else "Yes", (best,), best.own)


def _verdict(asking: Asking, word: str, told: tuple[Scored, ...], fit: float) -> Draft:
    keys = {s.key for s in told}
    others = [s for s in asking.found.units[:3] if s.key not in keys]
    text = f"{word}: “{clip(' '.join(s.plain for s in told), 0, ROOM - 8)}”"
    return Draft("boolean", text, (Value(word),), (*told, *others[:2]), fit)


def _reply(asking: Asking) -> Draft | None:
    """What a document replies to the same question, asked there just before or as the heading: "A: No. Use …"."""
    for found in asking.found.units[:12]:
        units, at = found.passage.units, found.number
        after = range(at, min(at + 2, len(units)))
        here = (asking.retriever.scored_at(asking.found, found.passage.id, units[n].start) for n in after)
        for scored in here:
            if scored is None or not (word := replied(scored.plain)):
                continue
            before = _before(asking, scored)
            if before is not None and same_question(asking.question.text, before.plain):
                return _verdict(asking, word, (before, scored), 1.0)
            above = units[scored.number - 1].plain if scored.number else (*found.passage.headings, "")[-1]
            if above.endswith("?") and same_question(asking.question.text, above):
                return _verdict(asking, word, (scored,), 1.0)
    return None


def _before(asking: Asking, scored: Scored) -> Scored | None:
    """The unit before, if it is a question."""
    if not scored.number:
        return None
    start = scored.passage.units[scored.number - 1].start
    before = asking.retriever.scored_at(asking.found, scored.passage.id, start)
    return before if before is not None and before.asks else None


_MARK = re.compile(r"\s*(?:Q(?:uestion)?\s*[:.)]|\d+[.)])\s*", re.IGNORECASE)


def same_question(one: str, other: str) -> bool:
    """Whether two questions for yes or no have mostly the same words, and neither is put in the negative."""
    mine, theirs = (
        {t.term for t in tokens(_MARK.sub("", x, count=1)) if t.lower not in w.FUNCTION} for x in (one, other)
    )
    if not mine or any(t.lower in w.NEGATIONS for x in (one, other) for t in tokens(x)):
        return False
    return len(mine & theirs) >= _SAME * max(len(mine), len(theirs))


def _only_possible(question: Question, plain: str) -> bool:
    """Whether a unit merely says that it may be, or is to be, so, where the question asks whether it is."""
    return bool(_POSSIBLE.search(plain)) and not _POSSIBLE.search(question.lower)


def _unsaid(asking: Asking, best: Scored) -> bool:
    """Whether what the question asks of its names is mostly missing from the unit, so that it bears no answer."""
    asked = [t for t in asking.found.terms if t.word.role in (Role.CONTENT, Role.FOCUS)]
    words = asking.retriever.context_words(best)
    if not asked:
        return _without_verb(asking.question, words)
    weight = sum(t.weight for t in asked)
    return sum(t.weight * t.found(words) for t in asked) < _BORNE_OUT * weight


def _without_verb(question: Question, words: frozenset[str]) -> bool:
    """Whether a unit has none of what the question says of its names ("does X *own* Y?"), though that says little."""
    named = {t.start for t in question.tokens for n in question.names if n.start <= t.start < n.end}
    idle = w.AUXILIARIES | w.PREPOSITIONS | w.LIGHT_VERBS | _IDLE
    said = [t for t in question.tokens[1:] if t.start not in named and t.lower not in idle]
    return bool(said) and not any(t.term in words or family(t.term) & words or synonyms(t.term) & words for t in said)


def denied(question: Question, plain: str) -> bool:
    """Whether a unit denies what the question supposes: by a negation, or by another number."""
    asked = {t.lower for t in question.tokens}
    negated = bool(_DENIAL.search(plain)) or (question.has(*_CAN) and bool(_BEYOND.search(plain)))
    if asked & w.NEGATIONS:
        return not negated
    if negated:
        return True
    wanted = numbers(question.text)
    stated = numbers(plain)
    return bool(wanted) and bool(stated) and not any(s.low <= q.low <= s.high for q in wanted for s in stated)


# What kind of answer a rule gives, whether a question asks for it, and what answers in the units found, in their order.
RULES: tuple[tuple[str, Callable[[Question], bool], Callable[[Asking], Draft | None]], ...] = (
    ("boolean", asks_boolean, read_boolean),
    ("duration", asks_duration, read_duration),
    ("date", asks_date, read_date),
    ("number", asks_number, read_number),
)
