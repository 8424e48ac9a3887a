"""What a question says beside its names has to be borne out by the units quoted, or the answer is another question's.

Checked are the times and figures that the question gives, the noun that it asks for, and what a figure counts. Answers
computed over the whole graph are not: their queries hold the conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kg.ask import words as w
from kg.ask.drafts import Asking, Draft, covered, matched
from kg.ask.numbers import expected, same_unit
from kg.ask.others import about_it
from kg.ask.question import Question, Role
from kg.ask.retrieve import Scored, Term
from kg.ask.spans import Date, cells, dates, numbers
from kg.ask.terms import Token, bag, tokens
from kg.semantics.wordnet import relatedness

# Kinds that weigh several units against each other, or say themselves what is missing.
_WEIGHING = frozenset(("comparison", "difference", "duration", "conflicting", "order", "boolean", "overview"))
# After these a date or figure of the question is a bound rather than what the answer must say.
_BOUND = re.compile(
    r"\b(?:before|after|since|until|till|by|between|from|to|and|than|over|above|below|under|least|most|top|first|last|"
    r"within|exceed\w*|past|up)\s+(?:the\s+)?[$€£¥~]?$",
    re.IGNORECASE,
)
_EARLIER_OR_LATER = re.compile(r"\b(?:before|prior to|after)\s+(?:the\s+)?$", re.IGNORECASE)
# What tells that one thing came before another.
_TURN = re.compile(
    r"\b(?:before|after|prior|previous\w*|former\w*|earlier|later|until|first|then|since|predecess\w*|success\w*|"
    r"succeed\w*|replac\w*|instead|from\b.+\bto|became|switch\w*|mov(?:e|ed|es|ing)|migrat\w*|joined|left|followed)\b",
    re.IGNORECASE,
)
_NOUN_OF = re.compile(
    r"^(?:what(?:'s|\s+(?:is|was|are|were))\s+(?:(?:the|an?)\s+)?|who(?:'s|\s+(?:is|was|are|were))\s+(?:the|an?)\s+)"
    r"(?P<noun>[\w’' -]+?)\s+(?:of|for|in|on|at|to)\b",
    re.IGNORECASE,
)
_NOUN_HAD = re.compile(
    r"^(?:what|who)(?:'s|\s+(?:is|was|are|were))\s+.*?['’]s?\s+(?P<noun>[\w -]+?)\s*\??$", re.IGNORECASE
)
# Nouns that any name, place or figure answers to.
GENERIC = (
    w.META
    | w.DATE_NOUNS
    | w.PLACE_NOUNS
    | (w.ORGANISATION_NOUNS - w.words("university college bank bakery newspaper magazine"))
    | w.words("""
    person people man men woman women individual individuals thing things name names number amount value item items
    step steps reason reasons kind role job purpose component components element elements module modules unit units
    system systems service services tool tools product products project projects feature features aspect aspects
    factor factors method methods technique techniques approach measure measures event events entity entities
    party parties body bodies
    """)
)
# How near a word must be in meaning to stand for the noun asked for.
_NEAR = 0.75
# The share of the question's other words that a unit must say to answer for a noun that it lacks.
_REST = 0.7
# … and of those of them that are no names.
_OTHERS = 0.5


# A unit that says that something isn't told answers no question of what it is.
_WITHHELD = re.compile(
    r"\b(?:no (?:further |more |other )?(?:details?|information)\b|(?:not|never|nor)\b(?: yet| been| be| publicly"
    r"| officially| or| has| have| was| were| open-sourced| detailed)* (?:disclosed|documented|known|named|published|"
    r"revealed|stated|specified|decided|announced|weighed|measured|counted|recorded)\b|withh[eo]ld)",
    re.IGNORECASE,
)


def borne_out(asking: Asking, draft: Draft) -> bool:
    """Whether the draft's units say what the question says of its answer."""
    if draft.exact or draft.kind in _WEIGHING or not draft.evidence:
        return True
    evidence = draft.evidence if draft.kind in ("list", "count", "extreme") else draft.evidence[:1]
    if not (_in_time(asking, evidence) and _in_turn(asking.question, evidence)):
        return False
    if not (_figures(asking, evidence) and _titled(asking, evidence)):
        return False
    if not about_it(asking, draft):
        return False
    if _withheld(asking.question, evidence[0]) and not _tells_withheld(draft):
        return False
    if draft.kind == "count":
        return _listed(asking, evidence)
    if draft.kind == "list" and not _graded(asking.question, evidence):
        return False
    return draft.kind != "number" or _counts(asking, draft)


def _graded(question: Question, evidence: Sequence[Scored]) -> bool:
    """Whether what lists things calls them the largest, if those are asked for: nothing ranks what is only listed."""
    asked = {t.lower for t in question.tokens} & (w.SUPERLATIVES - w.LATE - w.EARLY)
    said = {t.lower for s in evidence for t in tokens(s.plain)}
    return not asked or bool(said & w.SUPERLATIVES)


def noun_said(asking: Asking, draft: Draft) -> bool:
    """Whether a passage's answer that is a thing is said to be of the noun asked for ("which *airline* …")."""
    return draft.exact or draft.explained is not None or draft.kind != "entity" or _is_noun(asking, draft)


def _tells_withheld(draft: Draft) -> bool:
    """Whether the answer is the claim that this is not told."""
    backing = draft.backing
    return draft.explained is not None and backing is not None and all(f.object is None for f in backing.facts)


def _in_time(asking: Asking, evidence: Sequence[Scored]) -> bool:
    """Whether every date that the question gives goes with one of the units, or with what they stand under."""
    question = asking.question
    asked = [d for d in dates(question.text) if not _BOUND.search(question.text[: d.start])]
    return all(any(_at_time(asking, d, s) for s in evidence) for d in asked)


def _in_turn(question: Question, evidence: Sequence[Scored]) -> bool:
    """Whether what is asked of the time before or after some name is told with a date, or by what came in turn."""
    if question.opening not in ("what", "which", "who", "whom", "where") or not question.names:
        return True
    after = (question.text[: n.start] for n in question.names)
    if not any(_EARLIER_OR_LATER.search(before) for before in after):
        return True
    return any(_TURN.search(s.plain) or dates(s.plain) for s in evidence)


def _at_time(asking: Asking, asked: Date, scored: Scored) -> bool:
    """Whether a date overlaps one that the unit gives; if it gives none, one that stands over, before or around it."""
    passage = scored.passage
    above = " ; ".join((scored.unit.context, *passage.headings))
    before = passage.units[scored.number - 1].plain if scored.number else ""
    rest = " ; ".join(u.plain for u in passage.units)
    info = asking.retriever.view.documents.get(passage.document)
    own, over = dates(scored.plain), dates(above)
    if own:  # beside its own dates a heading of several years says nothing of the unit
        over = tuple(d for d in over if d.earliest[:4] == d.latest[:4])
    for found in (own + over, dates(before), dates(rest), dates(info.title if info else "")):
        if found:
            return any(d.earliest <= asked.latest and asked.earliest <= d.latest for d in found)
    return False


def _figures(asking: Asking, evidence: Sequence[Scored]) -> bool:
    """Whether the figures that the question gives ("stage 7") stand in the units or over them."""
    text = asking.question.text
    within = [(d.start, d.end) for d in dates(text)]
    words = _near(asking, evidence)
    for term in asking.found.terms:
        token = term.word.token
        if not token.text[0].isdigit() or any(a <= token.start < b for a, b in within):
            continue
        if not _BOUND.search(text[: token.start]) and term.found(words) < 0.5:
            return False
    return True


def _titled(asking: Asking, evidence: Sequence[Scored]) -> bool:
    """Whether all of the office is said that "who is the *chief financial officer* of …?" asks for."""
    question = asking.question
    match = (_NOUN_OF.match(question.text) or _NOUN_HAD.match(question.text)) if question.opening == "who" else None
    if match is None:
        return True
    words = _near(asking, evidence)
    inside = (t for t in asking.found.terms if match.start("noun") <= t.word.token.start < match.end("noun"))
    return all(
        t.found(words) >= 0.5
        for t in inside
        if t.word.role in (Role.CONTENT, Role.FOCUS) and t.word.token.lower not in GENERIC | w.PERSON_NOUNS
    )


def _withheld(question: Question, scored: Scored) -> bool:
    """Whether the unit, or its heading, says that this is not told; a question about what is withheld may have it."""
    if re.search(r"disclos|public|known|secret|withh|reveal|documented|undecided", question.lower):
        return False
    return bool(_WITHHELD.search(scored.plain) or _WITHHELD.search(" ".join(scored.passage.headings[-1:])))


def _listed(asking: Asking, evidence: Sequence[Scored]) -> bool:
    """Whether what is counted is said in the units, or over or before them, or opens their passage."""
    asked = [t for t in asking.focus_terms() if t.word.role != Role.LIGHT]
    passage = evidence[0].passage
    words = _near(asking, evidence) | bag(" ".join((*passage.headings, *(u.plain for u in passage.units[:3]))))
    return not asked or any(t.found(words) >= 0.5 for t in asked)


def _near(asking: Asking, evidence: Iterable[Scored]) -> frozenset[str]:
    """Words of units, of what stands over them, and of the units before them."""
    words: frozenset[str] = frozenset()
    for scored in evidence:
        words |= asking.retriever.context_words(scored)
        if scored.number:
            words |= bag(scored.passage.units[scored.number - 1].plain)
    return words


def asked_noun(question: Question) -> Token | None:
    """The noun that the question asks for: ``which [airline] …``, ``what is the [nationality] of …``."""
    if question.opening not in ("what", "which", "who", "whose"):
        return None
    named = {t.start for t in question.focus for n in question.names if n.start <= t.start < n.end}
    token = next((t for t in reversed(question.focus) if t.start not in named), None)
    if token is not None and question.opening == "what" and not _before_verb(question, token):
        return None  # "what determines …": no noun, but the verb
    if token is None:
        match = _NOUN_OF.match(question.text) or _NOUN_HAD.match(question.text)
        inside = [t for t in question.tokens if match and match.start("noun") <= t.start < match.end("noun")]
        token = inside[-1] if inside else None
    if token is None or token.lower in GENERIC | w.FUNCTION or token.digits:
        return None
    return token


def _before_verb(question: Question, token: Token) -> bool:
    following = next((t for t in question.tokens if t.start > token.start), None)
    return following is not None and following.lower in w.AUXILIARIES | w.PREPOSITIONS


def _is_noun(asking: Asking, draft: Draft) -> bool:
    """Whether the noun asked for is said of the value, or of what it stands among."""
    token = asked_noun(asking.question)
    term = next((t for t in asking.found.terms if token is not None and t.word.term == token.term), None)
    if token is None or term is None:
        return True
    first = draft.evidence[0]
    words = asking.retriever.context_words(first)
    if draft.values and draft.values[0].label:
        words |= _near(asking, (first,)) | bag(" ".join(u.plain for u in first.passage.units))
        rest = tuple(t for t in asking.found.terms if t is not term and t.word.role not in (Role.LIGHT, Role.KIND))
        # "Which trophy did X win in Y?": a unit that says all the rest bears out a noun that it doesn't say.
        others = tuple(t for t in rest if t.word.role != Role.NAME)
        said = covered(rest, first.plain) >= _REST and (not others or covered(others, first.plain) >= _OTHERS)
        if asking.question.focus and len(rest) > 2 and said:
            return True
    return term.found(words) >= 0.5 or _akin(token.lower, first.plain)


def _akin(noun: str, plain: str) -> bool:
    return any(relatedness(noun, word) >= _NEAR for word in set(re.findall(r"[a-z]{3,}", plain.casefold())))


def _counts(asking: Asking, draft: Draft) -> bool:
    """Whether the number is one of the things counted, or measures what is asked."""
    question = asking.question
    focus = tuple(t for t in asking.focus_terms() if t.word.role != Role.KIND)
    if not question.opening.startswith(("how many", "how much", "number of")) or not focus or not draft.values:
        return True
    scored, label = draft.evidence[0], draft.values[0].label
    if expected(question):
        return draft.fit >= 0  # a figure of another measure fits less than any
    for number in numbers(scored.plain):
        if number.text not in label and label not in number.text:
            continue
        if (question.opening == "how much" and number.measure) or same_unit(question, number):
            return True
        if _said_of(asking, focus, scored, number.start, number.noun):
            return True
    return False


def _said_of(asking: Asking, focus: Sequence[Term], scored: Scored, place: int, noun: str) -> bool:
    """Whether what is counted stands after a number, in its cell's label, shortly before it, or over it."""
    plain = scored.plain
    label = next((head for head, cell in cells(plain) if cell.start <= place < cell.end), "")
    said = (noun, label, plain[max(0, place - 60) : place], scored.unit.context, " ".join(scored.passage.headings[-1:]))
    return any(matched(focus, text) >= 0.5 for text in said)
