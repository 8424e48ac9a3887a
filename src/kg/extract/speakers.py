"""Quotes and reports to their speaker: who says what a claim is drawn from.

Read are quotations with whom they are ascribed to before or behind them (“…,” said X; X: “…”) and reports ("According
to X, …", "X says that …", "…, X said."). A speaker is a person or a body that the text names, or a pronoun of the only
person whom its paragraph named before. Denied, asked, supposed and shared sayings ("A and B said") have no speaker;
what somebody denies or is supposed to say is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kg.extract.classify import classes_of_mention, lineage
from kg.extract.source import Source, Span, walk
from kg.model import BlockKind, Claim, EntityName, Inline, Role
from kg.text.gazetteer import ROLES
from kg.text.sentence_spans import spans
from kg.text.stretch import Stretch

_BODIES = ("person", "organisation", "organization", "company")
_QUOTATION = re.compile(r"“[^“”]+”|\"[^\"“”]+\"")
_FEWEST_QUOTED = 4  # words: fewer are a name or a turn of phrase
_ADVERB = r"(?:\s+(?:has|have|had|also|later|recently|then|once|often|always|again|already|since|\w{2,}ly))*"
_VERB = (
    r"(?:says?|said|states?|stated|writes?|wrote|argues?|argued|claims?|claimed|reports?|reported|estimates?|estimated|"
    r"explains?|explained|notes?|noted|recalls?|recalled|announces?|announced|confirms?|confirmed|tells?|told)"
)
_APPOSITION = r"(?:,\s+(?P<apposition>[^,;:.!?“”\"]{1,80}),)?"
_SAYS = re.compile(rf"{_APPOSITION}{_ADVERB}\s+{_VERB}\b", re.IGNORECASE)
_THAT = re.compile(
    rf"{_APPOSITION}{_ADVERB}\s+(?:{_VERB}(?:\s+(?:in|on|at|to|during)\s+[^,;:.“”\"]{{1,60}})?,?\s+that\s+|"
    r"(?:told|tells)\s+[^,;:.“”\"]{1,60}?\s+that\s+|"
    r"(?:says|said|(?-i:estimates|estimated))\s+(?=(?:the|an?|it|they|he|she|we|its|their|his|her|our|this)\s|(?-i:[A-Z0-9~$€£])))",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(rf"(?:{_APPOSITION}{_ADVERB}\s+{_VERB}(?:\s+[^,;:.“”\"]{{1,60}})?)?\s*[,:]\s*", re.IGNORECASE)
_SAID_BY = re.compile(rf"\s*{_VERB}\s+(?:the\s+)?(?:(?-i:[a-z]+)\s+){{0,3}}", re.IGNORECASE)
_SAID = re.compile(rf"[”\"]\s+{_VERB}\s+$", re.IGNORECASE)
_ACCORDING = re.compile(r"\baccording to\s+(?:the\s+)?(?:(?-i:[a-z]+)\s+){0,2}", re.IGNORECASE)
_SHARED = re.compile(r"(?:\b(?:and|or|nor)|[&/])\s*$", re.IGNORECASE)
_SHARED_AFTER = re.compile(r",?\s+(?:and|or)\b|\s*[&/]")
_DEPENDENT = re.compile(r"\b(?:of|for|at|from|by|to|with|in|on|against|about|than|as|not|never)\s+(?:the\s+)?$", re.I)
_SUPPOSED = re.compile(
    r"\b(?:nobody|never|not|untrue|false|den(?:y|ies|ied)|doubt(?:s|ed)?|if|whether|unless|suppose|imagine|should|did|does|do|would|could)\s+[^,;.]*$",
    re.IGNORECASE,
)
_DENIES = re.compile(
    rf"\b(?:denie[sd]|disputes|disputed|doubts|doubted)\s+that\s+|\bif\s+[^,;.]{{1,60}}\s{_VERB}\s+that\s+",
    re.IGNORECASE,
)
_UNDENIED = re.compile(r"\b(?:nobody|no\s+\w+|never|not|neither|nor|few)\s*(?:\w+ly\s*)?$", re.IGNORECASE)
_TURN = re.compile(r";|,\s+(?:but|while|whereas|although|though|yet|which|and)\s|[.!?]\s+(?=[A-Z“\"])")
_TURN_BACK = re.compile(r";\s+|:\s+|,\s+(?:but|while|whereas|although|though|yet|and)\s+")
_PRONOUN = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s")


@dataclass(frozen=True, slots=True)
class _Name:
    """A possible speaker in a leaf's text, ``person`` if one by shape or class."""

    start: int
    end: int
    name: EntityName
    person: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """What somebody says, by offsets in the document; ``leaf`` is the block's text that holds it."""

    span: Span
    leaf: Span
    speaker: EntityName


def with_speakers(source: Source, claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims, in their order, each with whom the document names for it; of two sayings the inner one's speaker."""
    told = sorted(set(_told(source)), key=lambda t: (t.span[1] - t.span[0], t.span, t.speaker.surface))
    denied = [span for inline in source.leaves(headings=False) for span in _denied(inline)]
    return tuple(_with_speaker(claim, told) for claim in claims if not any(_within(claim, span) for span in denied))


def _denied(inline: Inline) -> Iterator[Span]:
    """What somebody is said to deny or only supposed to say."""
    for start, end in spans(inline.text):
        for found in _DENIES.finditer(inline.text, start, end):
            until = _until(inline.text, found.end(), end)
            if inline.text[found.end() : until].strip() and not _UNDENIED.search(inline.text[start : found.start()]):
                yield inline.source(found.end(), until)


def _within(claim: Claim, span: Span) -> bool:
    """Whether a statement's value and the thing it is of both stand there."""
    sides = [e for e in claim.evidence if e.role in (Role.VALUE, Role.SUBJECT)]
    return bool(sides) and all(span[0] <= e.start and e.end <= span[1] for e in sides)


def _with_speaker(claim: Claim, told: Sequence[_Told]) -> Claim:
    inner = next((t for t in told if _holds(t, claim)), None)
    if inner is None:
        return claim
    rivals = {t.speaker.surface for t in told if t.span == inner.span}
    return replace(claim, speaker=inner.speaker) if len(rivals) == 1 else claim


def _holds(told: _Told, claim: Claim) -> bool:
    """Whether a claim's value is in what is told, and so what else of its leaf makes the statement."""
    value = [e for e in claim.evidence if e.role is Role.VALUE]
    words = [
        e for e in claim.evidence if e.role is Role.PREDICATE and told.leaf[0] <= e.start and e.end <= told.leaf[1]
    ]
    return bool(value) and all(told.span[0] <= e.start and e.end <= told.span[1] for e in (*value, *words))


def _told(source: Source) -> Iterator[_Told]:
    kinds = (BlockKind.PARAGRAPH, BlockKind.TABLE_CELL)
    for inline in (block.inline for block in walk(source.document.blocks) if block.kind in kinds):
        if inline is not None and inline.text.strip():
            text, names = inline.text, _names(source, inline)
            leaf = inline.source(0, len(text))
            for start, end, name in (*_quoted(text, names), *_reported(text, names)):
                if text[start:end].strip():
                    yield _Told(inline.source(start, end), leaf, name)


# --- who may speak -------------------------------------------------------------------------------


def _names(source: Source, inline: Inline) -> list[_Name]:
    """People and bodies, and the pronouns of a person, left to right."""
    whole, people = Stretch.whole(inline), source.once("people", None, lambda: frozenset(_people(source)))
    bodies = {c.iri for label in _BODIES for c in source.ontology.by_label(label, "class")}
    found = []
    for mention in source.names_in(whole):
        classes = classes_of_mention(source, mention.value, mention.value.surface)
        above = lineage(source.ontology, classes)
        surface = _in_full(mention.value.surface, people)
        person = surface in people
        if person and not classes:
            classes = tuple(c.iri for c in source.ontology.by_label("person", "class"))[:1]
            above = set(classes)
        if above & bodies if classes else person or mention.value.kind == "organisation":
            found.append(_Name(mention.start, mention.end, EntityName(surface, classes), person))
    return sorted([*found, *_pronouns(inline.text, found)], key=lambda n: n.start)


def _people(source: Source) -> Iterator[str]:
    """Names that are a person's by what stands beside them anywhere in the document ("…,” said Ada Wren")."""
    for inline in source.leaves():
        for name in source.names_in(Stretch(inline, 0, len(inline.text))):
            said = " " in name.value.surface and _SAID.search(inline.text[: name.start])
            if name.value.kind == "person" or said:
                yield name.value.surface


def _in_full(surface: str, people: Collection[str]) -> str:
    """The full name of the one person whom the document calls by the last part of it too."""
    longer = [name for name in people if name.endswith(f" {surface}")]
    return longer[0] if len(longer) == 1 else surface


def _pronouns(text: str, found: Sequence[_Name]) -> Iterator[_Name]:
    """ "He" and "she", where the paragraph named one person before."""
    for pronoun in _PRONOUN.finditer(text):
        before = {n.name for n in found if n.person and n.end <= pronoun.start()}
        if len(before) == 1:
            yield _Name(pronoun.start(), pronoun.end(), before.pop(), True)


def _may_speak(text: str, name: _Name) -> bool:
    """Whether a name is nobody's attribute, no one of several and in no supposition or question."""
    before = text[_sentence_start(text, name.start) : name.start]
    return not (_SHARED.search(before) or _DEPENDENT.search(before) or _SUPPOSED.search(before))


def _apposed(apposition: str | None) -> bool:
    """Whether words between commas behind a name tell who it is, rather than begin a list of names."""
    return apposition is None or apposition[:1].islower() or bool({w.lower() for w in apposition.split()} & ROLES)


def _sentence_start(text: str, at: int) -> int:
    return max((m.end() for m in _SENTENCE.finditer(text, 0, at)), default=0)


# --- quotations ----------------------------------------------------------------------------------


def _quoted(text: str, names: Sequence[_Name]) -> Iterator[tuple[int, int, EntityName]]:
    """Quotations of some length with the one whom the words right before or behind name."""
    last: tuple[int, EntityName] | None = None  # where the words end that ascribe a quotation, and to whom
    for quotation in _QUOTATION.finditer(text):
        start, end = quotation.span()
        if len(quotation[0].split()) < _FEWEST_QUOTED:
            continue
        if last is not None and not text[last[0] : start].strip(" ,.:") and last[0] <= start:
            yield start, end, last[1]
            continue
        found = _behind(text, end, names) or _before(text, start, names)
        if found is not None:
            yield start, end, found[1]
            last = found


def _behind(text: str, end: int, names: Sequence[_Name]) -> tuple[int, EntityName] | None:
    said = _SAID_BY.match(text, end)
    for name in (n for n in names if n.start >= end):
        behind = _SAYS.match(text, name.end)
        apposition = re.compile(r",\s+([^,;:.!?“”\"]{1,80}),").match(text, name.end)
        if said and name.start == said.end() and not _SHARED_AFTER.match(text, name.end):
            apposed = apposition is not None and _apposed(apposition[1])
            return (apposition.end() if apposed and apposition else name.end), name.name
        if behind and not text[end : name.start].strip(" ,") and _apposed(behind["apposition"]):
            return behind.end(), name.name
    return None


def _before(text: str, start: int, names: Sequence[_Name]) -> tuple[int, EntityName] | None:
    for name in reversed([n for n in names if n.end <= start]):
        introduced = _INTRODUCES.fullmatch(text, name.end, start)
        if introduced and _apposed(introduced["apposition"]) and _may_speak(text, name):
            opens = name.start == _sentence_start(text, name.start)
            if opens or introduced[0].strip() != ",":  # "with X, “…”" ascribes nothing
                return start, name.name
    return None


# --- reports -------------------------------------------------------------------------------------


def _reported(text: str, names: Sequence[_Name]) -> Iterator[tuple[int, int, EntityName]]:
    """Clauses that a sentence ascribes to somebody."""
    quotations = [q.span() for q in _QUOTATION.finditer(text) if len(q[0].split()) >= _FEWEST_QUOTED]
    for start, end in spans(text):
        if text[start:end].rstrip(' ”"').endswith("?"):
            continue
        within = [n for n in names if start <= n.start and n.end <= end]
        for name in (n for n in within if not any(a <= n.start < b for a, b in quotations)):
            yield from _according(text, (start, end), name)
            if _may_speak(text, name):
                yield from _saying(text, (start, end), name)


def _according(text: str, sentence: Span, name: _Name) -> Iterator[tuple[int, int, EntityName]]:
    """ "According to X, …" and "…, according to X"."""
    start, end = sentence
    led = next((m for m in _ACCORDING.finditer(text, start, name.start) if m.end() == name.start), None)
    if led is None or _SHARED_AFTER.match(text, name.end) or text[name.end : name.end + 2] in ("’s", "'s"):
        return
    if led.start() == start:
        if text[name.end : name.end + 1] == ",":
            yield name.end + 1, _until(text, name.end + 1, end), name.name
    else:
        yield _since(text, start, led.start()), led.start(), name.name


def _saying(text: str, sentence: Span, name: _Name) -> Iterator[tuple[int, int, EntityName]]:
    """ "X says that …" and "…, X said."."""
    start, end = sentence
    says = _THAT.match(text, name.end, end)
    if says is not None and _apposed(says["apposition"]):
        yield says.end(), _until(text, says.end(), end), name.name
        return
    said = _SAYS.match(text, name.end, end)
    trailing = text[start : name.start].rstrip()
    closes = said is not None and text[said.end() : end].strip(" .!") == ""
    if said is not None and closes and trailing.endswith(",") and _apposed(said["apposition"]):
        yield _since(text, start, len(text[: name.start].rstrip())), name.start, name.name


def _until(text: str, start: int, end: int) -> int:
    """Where a report ends: another clause's turn may be the document's own again."""
    turn = _TURN.search(text, start, end)
    return turn.start() if turn else end


def _since(text: str, start: int, end: int) -> int:
    """Where a report begins whose speaker is named behind it."""
    return max((m.end() for m in _TURN_BACK.finditer(text, start, end)), default=start)
