"""Who did it, and to what: the subject or object of the question's verb, read from the clause that has that verb.

"Who built Elsa?" is answered by "built by Tom in 1972" below the list item *Elsa*, by "Tom built Elsa" and by the row
"Boat: Elsa; Builder: Tom": the clause, the entry that an item belongs to and the cells of a row say who is who.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.ask import words as w
from kg.ask.drafts import Asking, Choice, Draft, Value, matched, sentence
from kg.ask.others import of_another
from kg.ask.question import Question, Role
from kg.ask.restraint import GENERIC
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import Span, cells, names, says_sort
from kg.ask.terms import Token, bag, tokens
from kg.model import UnitKind
from kg.semantics.wordnet import relatedness

_DEPTH = 30
# A unit of at most so many characters that has a name and a noun says the one of the other.
_BRIEF = 60
# How well a verb must be met, and the share of the question's other words that a clause must have around it.
_SAME, _COVERED = 0.7, 0.75
# Of what is read surely, and of what isn't said to be of the kind asked for.
_SURE, _UNSURE = 0.85, 0.6
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being"))
_DO = frozenset(("do", "does", "did"))
_BY = re.compile(r"\bby\s+", re.IGNORECASE)
_ENDS = re.compile(
    r"[;:()]|\.\s|\s[–—]\s|,?\s+(?:which|who|that|where|when|while|until|since|because|although|but)\b|"
    r",?\s+(?:in|on|from|for|at|during|after|before)\s+(?:the\s+)?(?:[a-z]+\s+)?(?=\d|the year)"
)
_ARTICLE = re.compile(r"\s*(?:(?:the|an?)\s+)?", re.IGNORECASE)
_OF = re.compile(r"\b(?P<noun>[a-z][\w-]*)\s+(?:of|in|at)\s+(?:the\s+)?$")
_FIRM = w.words("sons daughters brothers sisters co company partners associates")
_PRONOUN = re.compile(r"\b(?:it|its|he|his|she|her|they|their)\b", re.IGNORECASE)
_VERB = re.compile(r"\w{2,}(?:ed|[^s]s|en|t|k|w|d|e|g|n|l|m|p)$", re.IGNORECASE)
_AGENT = re.compile(r"[\w-]{2,}(?:er|or|ers|ors|ist|ists)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sought:
    """``agent``: whether who did it is asked for, else what it was done to; ``noun``: what that is said to be."""

    agent: bool
    verb: Term
    noun: tuple[Term, ...]
    others: tuple[Term, ...]


def sought(asking: Asking) -> Sought | None:
    """What a question with one plain verb asks for; None where no verb is plain to see."""
    question = asking.question
    if question.opening not in ("who", "whom", "what", "which") or not question.tokens:
        return None
    named = {t.start for t in question.tokens for n in question.names if n.start <= t.start < n.end}
    found = _verb(question, named)
    if found is None:
        return None
    agent, verb = found
    by_term = {t.word.term: t for t in asking.found.terms}
    term = by_term.get(verb.term)
    if term is None:
        return None
    noun = tuple(
        by_term[t.term]
        for t in question.focus
        if t.start < verb.start and t.start not in named and t.term in by_term and t is not verb
    )
    others = tuple(t for t in asking.found.terms if t is not term and t not in noun and t.word.role != Role.KIND)
    return Sought(agent, term, noun, others) if others else None


def _verb(question: Question, named: set[int]) -> tuple[bool, Token] | None:
    """Whether the one who does it is asked for, and the verb."""
    words = question.tokens
    first = next((i for i, t in enumerate(words) if t.lower == question.opening), None)
    if first is None:
        return None
    at = next((i for i in range(first + 1, len(words)) if words[i].lower in w.AUXILIARIES), None)
    focus = [t for t in question.focus if t.start not in named]
    plain_end = first + (0 if question.opening in ("who", "whom") else len(focus))
    if at is not None and at <= plain_end + 1:
        return _after(question, words[at], words[at + 1 :], named)
    if question.opening in ("who", "what") or not focus:
        verb = words[first + 1] if first + 1 < len(words) else None
    else:
        verb = _within(focus, next((t for t in words if t.start > focus[-1].start), None))
    if verb is None or verb.start in named or verb.capital or not _VERB.fullmatch(verb.lower):
        return None
    return True, verb


def _within(focus: Sequence[Token], following: Token | None) -> Token | None:
    """The verb of "which [boat carries 48 passengers]", where no article parts it from the noun."""
    if len(focus) == 1 or (following is not None and following.lower in w.LIGHT_VERBS):
        return following
    rest = focus[1:]
    for is_verb in (
        lambda t: t.lower in w.LIGHT_VERBS,
        lambda t: t.lower.endswith("ed"),
        lambda t: t.lower.endswith("s"),
    ):
        if verb := next((t for t in rest if is_verb(t) and not t.digits), None):
            return verb
    return rest[-1]


def _after(question: Question, auxiliary: Token, rest: Sequence[Token], named: set[int]) -> tuple[bool, Token] | None:
    """The verb after an auxiliary: of "did X [build]", "was [built] by X", "is the [builder] of X"."""
    plain = [t for t in rest if t.lower not in w.FUNCTION and t.start not in named]
    if not plain:
        return None
    if auxiliary.lower in _DO:
        until = [t for t in rest if t.lower in w.PREPOSITIONS and any(p.start < t.start for p in plain)]
        inside = [t for t in plain if not until or t.start < until[0].start or t.start > _last(named, rest)]
        return (False, inside[-1]) if inside else None
    if auxiliary.lower not in _BE:
        return None
    if any(t.lower == "by" for t in rest):
        by = next(t for t in rest if t.lower == "by")
        verb = next((t for t in reversed(plain) if t.start < by.start), None)
        return (False, verb) if verb is not None else None
    of = next((t for t in rest if t.lower == "of"), None)
    noun = next((t for t in reversed(plain) if of is not None and t.start < of.start), None)
    return (True, noun) if noun is not None and _AGENT.fullmatch(noun.lower) else None


def _last(named: set[int], rest: Sequence[Token]) -> int:
    return max((t.start for t in rest if t.start in named), default=10**6)


def done_to_another(asking: Asking, scored: Scored) -> bool:
    """Whether a unit has the verb of "who built X?", but of another name right after it, and not X."""
    wanted = sought(asking)
    if wanted is None or not wanted.agent:
        return False
    verbs = [t for t in tokens(scored.plain) if _is_verb(wanted, t)]
    named = any(t.word.role == Role.NAME and t.found(bag(scored.plain)) >= 0.5 for t in wanted.others)
    return bool(verbs) and not named and all(_to_another(wanted, scored.plain[t.end :]) for t in verbs)


class ClauseQuestion:
    """The subject or object of a verb."""

    name = "entity"

    def asks(self, question: Question) -> bool:
        """``who built …``, ``which … did X build``, ``what was built by …``, ``who is the builder of …``."""
        return question.opening in ("who", "whom", "what", "which")

    def read(self, asking: Asking) -> Draft | None:
        """What surely stands in the asked place of the best clause with the verb; None if no clause has it."""
        draft = self.best(asking)
        return draft if draft is not None and draft.fit >= _SURE else None

    def best(self, asking: Asking) -> Draft | None:
        """The best reading, be it sure or not (by its ``fit``)."""
        wanted = sought(asking)
        found = sorted(_readings(asking, wanted), key=lambda c: -c.total) if wanted else []
        if not found:
            return None
        best = found[0]
        several = [c for c in found if c.scored.key == best.scored.key and c.fit >= best.fit - 0.01]
        labels = list(dict.fromkeys(c.label for c in several))
        text = sentence(", ".join(labels), best.scored.plain)
        said = best.value if best.fit >= _SURE else None
        return Draft(self.name, text, tuple(Value(x) for x in labels), (best.scored,), best.fit, explained=said)


def _readings(asking: Asking, wanted: Sought) -> Iterator[Choice]:
    for scored in asking.found.units[:_DEPTH]:
        row = bool(cells(scored.plain))
        if not row and of_another(asking, scored):
            continue
        places = _of_row(wanted, scored) if row else _of_clauses(wanted, scored)
        for span, fit, share in places:
            label = _clean(span.text)
            if label and not asking.mentions(label) and not _PRONOUN.fullmatch(label):
                fit = fit if _kind_said(asking, wanted, scored, label) else min(fit, _UNSURE)
                yield Choice(scored, span, fit, label, share)


def _kind_said(asking: Asking, wanted: Sought, scored: Scored, label: str) -> bool:
    """Whether the noun asked for stands with the unit or with the name elsewhere, or any name answers to it."""
    if not wanted.noun or wanted.noun[-1].word.token.lower in GENERIC:
        return True
    noun = wanted.noun[-1]
    if noun.found(bag(f"{label} {scored.plain}") | _over(scored)) >= 0.5:
        return True
    said = (u.plain for u in asking.found.units if label in u.plain and len(u.plain) < _BRIEF)
    return any(noun.found(bag(text)) >= 0.5 for text in said)


def _clean(text: str) -> str:
    text = re.sub(r"^(?:the|an?|his|her|its|their)\s+", "", text.strip(' ,;.*"“”'), flags=re.IGNORECASE)
    return text if len(text) <= 60 else ""


def _share(terms: Sequence[Term], found: frozenset[str]) -> float:
    """Share of the terms' weight among words."""
    total = sum(t.weight for t in terms)
    return sum(t.weight for t in terms if t.found(found) >= 0.5) / total if total else 1.0


def _over(scored: Scored) -> frozenset[str]:
    """Words of what a unit stands under."""
    return bag(" ".join((scored.unit.context, *scored.passage.headings)))


def _of_row(wanted: Sought, scored: Scored) -> Iterator[tuple[Span, float, float]]:
    """The cell under the verb's noun, or what the row is of where the verb's cell has the rest of the question."""
    row = cells(scored.plain)
    for place, (label, cell) in enumerate(row):
        if not cell.text or wanted.verb.found(bag(label)) < _SAME:
            continue
        rest = " ".join(c.text for i, (_, c) in enumerate(row) if i != place)
        if wanted.agent and (share := _share(wanted.others, bag(rest) | _around(scored, len(row) == 1))) >= _COVERED:
            yield cell, 0.9, share
        elif not wanted.agent and place and (share := _share(wanted.others, bag(cell.text))) >= _COVERED:
            head = max(row, key=lambda c: matched(wanted.noun, c[0]) if c[1] is not cell else -1.0)
            yield (head if matched(wanted.noun, head[0]) > 0.5 else row[0])[1], 0.9, share


def _around(scored: Scored, alone: bool) -> frozenset[str]:
    """What a row stands under; of a single line ``label: value`` also the lines that it stands among."""
    beside = bag(" ".join(u.plain for u in scored.passage.units[:4])) if alone else frozenset()
    return _over(scored) | beside


def _of_clauses(wanted: Sought, scored: Scored) -> Iterator[tuple[Span, float, float]]:
    plain = scored.plain
    earlier = scored.passage.units[max(0, scored.number - 2) : scored.number]
    most = bag(plain) | _over(scored) | bag(" ".join(u.plain for u in earlier))
    if _share(wanted.others, most) < _COVERED:
        return  # whatever a pronoun stands for
    for token in tokens(plain):
        if not _is_verb(wanted, token):
            continue
        start, end = _clause(plain, token)
        by = _BY.search(plain, token.end, min(end, token.end + 60))
        passive = by is not None or _is_passive(plain[start : token.start])
        subject, antecedent = _subject(scored, Span(start, token.start, plain[start : token.start]))
        words = bag(plain) | _over(scored) | antecedent
        share = _share(wanted.others, words)
        if share < _COVERED:
            continue
        if wanted.agent == passive:  # the one who does it stands after "by", what is done after the active verb
            at = by.end() if by is not None and passive else token.end
            if passive and by is None:
                continue
            yield from ((span, fit, share) for span, fit in _phrase(wanted, plain, at, end))
        elif subject is not None and _told(wanted, subject, plain[token.end : end], scored, antecedent):
            yield subject, 0.85, share


def _is_verb(wanted: Sought, token: Token) -> bool:
    """Whether a word is the verb, a form or synonym of it, or near it in meaning."""
    if token.capital and token.start:
        return False
    if wanted.verb.found(frozenset([token.term])) >= _SAME:
        return True
    return token.lower not in w.FUNCTION and relatedness(wanted.verb.word.token.lower, token.lower) >= _SAME


def _told(wanted: Sought, subject: Span, after: str, scored: Scored, antecedent: frozenset[str]) -> bool:
    """Whether the rest of the question stands on the other side of the verb than a subject, or over it."""
    if _to_another(wanted, after):
        return False
    return _share(wanted.others, bag(after) | _over(scored) | antecedent) >= _COVERED - 0.25


def _to_another(wanted: Sought, after: str) -> bool:
    """Whether a name right after the verb is another than the question's: that is what it was done to."""
    article = _ARTICLE.match(after)
    start = article.end() if article else 0
    done_to = next((n for n in names(after) if n.start == start), None)
    asked = [t for t in wanted.others if t.word.role == Role.NAME]
    return done_to is not None and bool(asked) and not any(t.found(bag(after)) >= 0.5 for t in asked)


def _clause(plain: str, token: Token) -> tuple[int, int]:
    """Where the clause around a verb begins and ends."""
    start = max((m.end() for m in re.finditer(r"[;:]\s|\.\s|\s[–—]\s", plain[: token.start])), default=0)
    stop = re.search(r"[;:]|\.(?=\s|$)|\s[–—]\s", plain[token.end :])
    return start, token.end + (stop.start() if stop else len(plain) - token.end)


def _is_passive(before: str) -> bool:
    last = [t.lower for t in tokens(before)][-3:]
    return bool(_BE & set(last))


def _subject(scored: Scored, before: Span) -> tuple[Span | None, frozenset[str]]:
    """What a verb is said of, with the words of what a pronoun stands for: a name before the verb, or its entry."""
    found = [n for n in names(before.text) if n.text.casefold() not in w.FUNCTION]
    if found:
        name = found[-1] if re.search(r"\b(?:and|,)\s*$", before.text) is None else found[0]
        return Span(before.start + name.start, before.start + name.end, name.text), frozenset()
    units = scored.passage.units
    if scored.unit.kind == UnitKind.ITEM and ">" in scored.unit.context:
        entry = scored.unit.context.split(">")[-1].split(",")[0].split(":")[0]
        return Span(0, 0, entry.strip()), frozenset()
    if scored.number and _PRONOUN.search(before.text) and units[scored.number].kind == UnitKind.SENTENCE:
        earlier = [u.plain for u in units[max(0, scored.number - 2) : scored.number]]
        person = next((n for text in earlier for n in names(text)), None)
        told = bag(" ".join(earlier))
        return (Span(0, 0, person.text) if person else None), told
    return None, frozenset()


def _phrase(wanted: Sought, plain: str, start: int, end: int) -> Iterator[tuple[Span, float]]:
    """The things named at the head of a stretch: all, or those said to be of the kind asked for."""
    stop = _ENDS.search(plain, start, end)
    end = stop.start() if stop else end
    text = plain[start:end]
    found = [n for n in names(text) if n.start < 60 and not says_sort(text, n)]
    if not found:
        phrase = re.match(r"(?:(?:the|an?|his|her|its|their)\s+)?(?:[\w'’-]+\s*){1,4}", text.strip())
        if phrase and wanted.agent is False:
            yield Span(start, start + len(phrase.group()), phrase.group().strip()), 0.6
        return
    kept: list[Span] = []
    for i, name in enumerate(found):
        gap = text[found[i - 1].end if i else 0 : name.start]
        if i and kept and gap in (" and ", " & ") and name.text.casefold() in _FIRM:
            kept[-1] = Span(kept[-1].start, name.end, text[kept[-1].start : name.end])
            continue
        if (of := _OF.search(gap)) and matched(wanted.noun, of["noun"]) >= 0.7:
            start_at = (found[i - 1].end if i else 0) + of.start("noun")
            kept.append(Span(start_at, name.end, text[start_at : name.end]))
            continue
        if i and re.search(r"\b(?:of|from|in|at|for|with|to)\s+(?:the\s+)?$", gap):
            continue
        kept.append(name)
    meant = [n for i, n in enumerate(kept) if _is_kind(wanted, text, kept[i - 1].end if i else 0, n)]
    for name in meant or kept:
        yield Span(start + name.start, start + name.end, name.text), 0.95 if meant else 0.85


def _is_kind(wanted: Sought, text: str, since: int, name: Span) -> bool:
    """Whether what stands before a name, or in it, says that it is what is asked for."""
    return bool(wanted.noun) and matched(wanted.noun, f"{text[since : name.end]}") >= 0.7
