"""Positions that people hold, told in a few words: "Keeper of Corran Light since 1901", "Fastnet Works director".

They are read from what other extractors give as the text of a cell or bullet about somebody, and from names that stand
beside a title in a sentence ("Fastnet Works director Ada Wren", "Ada Wren, the director of Fastnet Works, …").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.classify import classes_of
from kg.extract.labels import label_of
from kg.extract.properties import allows, candidates, fits, kind_wanted, known_as, predicate_of
from kg.extract.source import Source, Span, sentences
from kg.extract.values import Kind, Part, without_bracket
from kg.extract.words import WORD
from kg.model import Claim, DateValue, EntityName, Role, Text
from kg.ontology import OntologyProperty
from kg.text import dates
from kg.text.gazetteer import ROLES
from kg.text.hedges import hedge_at
from kg.text.scales import whole_date
from kg.text.stretch import Stretch

NAME = "positions"
_ROLES = ROLES | {"executive"}
_FOUNDERS = {"founder", "co-founder", "cofounder"}
_OPENING = re.compile(
    r"(?:(?:later|then|now|currently|also)\s+)?(?:(?:(?:he|she|they)\s+)?(?:is|was|became|served as)\s+)?"
    r"(?:(?:the|an?|now|currently|also)\s+)*",
    re.IGNORECASE,
)
_FORMER = re.compile(r"(?:former(?:ly)?|ex-|once|previously)\s*", re.IGNORECASE)
_PIECE = re.compile(r"\s*;\s+|\s*,\s+(?:and\s+)?(?:(?:then|later)\s+)?|\s*/\s*(?=[A-Z])")
_AND = re.compile(r"\s+and\s+(?!(?:once|previously)\b)")
_AT = re.compile(r"\s+(?:at|of|for)\s+(?:the\s+)?")
_TIME = re.compile(
    r"\s+(?P<lead>since|from|in|until|till)\s+(?=\d|[A-Z]\w+\s+\d)|\s*\((?=\d|[A-Z]\w+\s+\d)|\s+(?P<over>before)$"
    r"|\s+(?:in|on|during)\s+(?=the\s)"
)
_UNTIL = re.compile(r"\s+(?:to|until|till)\s+$")
_MOST_TITLE = 5
_NO_NAME = re.compile(
    r"^(?:chief|vice|senior|junior|deputy|assistant|associate|managing|executive|general|head)\b|\sand\s", re.IGNORECASE
)
_PERSON = re.compile(r"[^\W\d_][\w'’-]+(?:\s+(?:[A-Z]\.|[a-z]{2,3}|[A-Z][\w'’-]+))*\s+[A-Z][\w'’-]+")


@dataclass(frozen=True, slots=True)
class Position:
    """A title by its offsets in a text; the organisation's offsets; when it was held; whether it is over."""

    title: Span
    at: Span | None = None
    since: DateValue | None = None
    until: DateValue | None = None
    former: bool = False


def spelt_as_one(name: str) -> bool:
    """Whether a word of a name has capitals within it ("NVIDIA", "OpenAI"): no common noun is written so."""
    return any(sum(c.isupper() for c in word) > 1 for word in name.split())


def positions(text: str, named: Callable[[str], bool] = spelt_as_one) -> list[Position]:
    """The positions with which a text begins; empty where it begins with something else.

    ``named`` tells the names of organisations. "Director of Lamps at Fastnet Works since 1901, keeper before" has two.
    """
    return _read(text, named)[0]


def _read(text: str, named: Callable[[str], bool]) -> tuple[list[Position], bool]:
    """The positions with which a text begins, and whether it holds nothing else."""
    found: list[Position] = []
    at = _OPENING.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        end = next(iter([m.start() for m in _PIECE.finditer(text, at)]), len(text))
        own = list(_of_piece(text, at, end, named))
        if not own:
            return found, False
        found += own
        after = _PIECE.match(text, end)
        at = after.end() if after else len(text)
    return found, True


def _of_piece(text: str, start: int, end: int, named: Callable[[str], bool]) -> Iterator[Position]:
    """The positions in one piece: titles joined by "and" share what follows them."""
    former = _FORMER.match(text, start, end)
    start = former.end() if former else start
    time = _TIME.search(text, start, end)
    since, until, over = _bounds(text, time, end) if time else (None, None, False)
    stop = time.start() if time else end
    titled, at = _organisation(text, start, stop, named) or (stop, None)
    if at is None and (first := _named_first(text, start, stop, named)):
        at, start = first
    for title in _titles(text, start, titled):
        yield Position(title, at, since, until, bool(former) or over)


def _titles(text: str, start: int, end: int) -> list[Span]:
    """Titles joined by "and"; none unless each is one."""
    spans, at = [], start
    for joint in [*_AND.finditer(text, start, end), None]:
        spans.append((at, joint.start() if joint else end))
        at = joint.end() if joint else end
    return spans if all(_is_title(text[a:b]) for a, b in spans) else []


def _is_title(text: str) -> bool:
    """A few words of which the last, or the last before "of", is one for a position."""
    words = WORD.findall(text)
    if re.search(r"\s(?:of|for)\s+[a-z]", text):
        return False  # "author of the booklet" tells a deed
    last = [w.lower() for w in WORD.findall(re.split(r"\s+(?:of|for)\s+", text)[0])][-1:]
    return 1 <= len(words) <= _MOST_TITLE and bool(set(last) & _ROLES) and not re.match(r"\W*\d", text)


def _organisation(text: str, start: int, end: int, named: Callable[[str], bool]) -> tuple[int, Span] | None:
    """Where a title ends, and the organisation behind the last "at" or "of", if that is the name of one."""
    for joint in reversed(list(_AT.finditer(text, start, end))):
        name = text[joint.end() : end].rstrip(" .")
        if named(name) and all(_is_title(t) for t in _AND.split(text[start : joint.start()])):
            return joint.start(), (joint.end(), joint.end() + len(name))
    return None


def _named_first(text: str, start: int, end: int, named: Callable[[str], bool]) -> tuple[Span, int] | None:
    """The name before a title ("Fastnet Works director"): its offsets and where the title begins."""
    words = list(WORD.finditer(text, start, end))
    for number in range(1, len(words)):
        name = (words[0].start(), words[number - 1].end())
        if _is_title(text[words[number].start() : end]) and named(text[name[0] : name[1]]):
            return name, words[number].start()
    return None


def _bounds(text: str, time: re.Match[str], end: int) -> tuple[DateValue | None, DateValue | None, bool]:
    """Since when and until when a position was held, and whether it is said to be over."""
    if time["over"]:
        return None, None, True
    found = dates.find(text[time.end() : end])
    if not found or found[0].start:
        return None, None, False
    ended = len(found) > 1 and _UNTIL.search(text[: time.end() + found[1].start])
    if not ended and re.match(r"\s+[a-z]", text[time.end() + found[0].end :].split(" and ")[0]):
        return None, None, False  # "in 2019 terms"
    first, lead = found[0].value, (time["lead"] or "in").lower()
    second = found[1].value if ended else None
    if lead in ("until", "till"):
        return None, first, True
    if second is not None:
        return first, second, True
    if lead in ("since", "from") and not first.end:
        return first, None, False
    return first, first if first.latest else None, bool(first.latest) and bool(first.end)


# --- as claims ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Properties:
    """The ontology's properties for a person's title and employer; none where it has no such property."""

    title: OntologyProperty
    employer: OntologyProperty | None
    past: OntologyProperty | None
    founder: OntologyProperty | None
    person: tuple[str, ...]


def _properties(source: Source) -> _Properties | None:
    title = known_as(source, "role", (), Kind.TEXT)
    if title is None:
        return None
    classes = tuple(d for d in title.domains if d in source.ontology.classes)[:1]
    employer, past = (known_as(source, words, classes, Kind.NAME) for words in ("works for", "formerly at"))
    return _Properties(title, employer, past, known_as(source, "founded by", (), Kind.NAME), classes)


def spelt_out(source: Source, claims: Iterable[Claim]) -> list[Claim]:
    """The claims, and what their texts about people say of positions; a title so taken apart is given in parts only."""
    known = _properties(source)
    found = []
    for said in claims:
        parts = list(_derived(source, known, said)) if known else []
        taken = bool(parts) and known is not None and _taken_apart(source, known, said)
        found += parts if taken else [said, *parts]
    return found


def _taken_apart(source: Source, known: _Properties, said: Claim) -> bool:
    """Whether a claim gives a whole text of positions as one title."""
    text = said.stated_value
    titled = said.predicate == predicate_of(known.title)
    return titled and _held(source, known, text)[1]


def _held(source: Source, known: _Properties, text: str) -> tuple[list[Position], bool]:
    """The positions of a text, as ``_read``. What is founded but employs nobody goes with a founder's title only."""
    found, whole = _read(text, lambda name: _named(source, known, name))
    for held in found:
        if held.at and not _founds(text, held) and not _employs(source, known, text[held.at[0] : held.at[1]]):
            return _read(text, lambda name: _named(source, known, name) and _employs(source, known, name))
    return found, whole


def _founds(text: str, held: Position) -> bool:
    """Whether a position is that of a founder."""
    return bool(_FOUNDERS & {w.lower() for w in WORD.findall(text[held.title[0] : held.title[1]])})


def _derived(source: Source, known: _Properties, said: Claim) -> Iterator[Claim]:
    value, own = said.object, said.subject
    if not isinstance(value, Text) or not isinstance(own, EntityName) or not _PERSON.fullmatch(own.surface):
        return
    where = next(e for e in said.evidence if e.role is Role.VALUE)
    if where.exact != value.value or (own.classes and not allows(source.ontology, known.person, own.classes)):
        return
    spans = tuple((e.start, e.end) for e in said.evidence if e.role is Role.SUBJECT)
    about = About(replace(own, classes=own.classes or known.person), spans)
    frame = Frame(said.hedge, said.valid_from, said.valid_until)
    yield from _claims(source, known, about, value.value, where.start, frame, said)


def _claims(
    source: Source, known: _Properties, about: About, text: str, offset: int, frame: Frame, said: Claim | None
) -> Iterator[Claim]:
    for held in _held(source, known, text)[0]:
        told = held.since is not None or held.until is not None
        own = replace(frame, valid_from=held.since, valid_until=held.until) if told else frame
        title = text[held.title[0] : held.title[1]]
        founder = _founds(text, held)
        same = said is not None and said.stated_value == title and said.predicate == predicate_of(known.title)
        if not same and (held.at or told or held.former or title[:1].isupper()):
            given = Given(Text(title), _moved(held.title, offset), title)
            yield claim(source, NAME, about, Property(predicate_of(known.title)), given, own)
        employer = known.past if held.former else known.employer
        name = text[held.at[0] : held.at[1]] if held.at else ""
        if employer is not None and held.at is not None and not founder and _employs(source, known, name):
            given = Given(EntityName(name, classes_of(source, name)), _moved(held.at, offset), name)
            yield claim(source, NAME, about, Property(predicate_of(employer)), given, own, scaled(NAME, 0.95))
        if known.founder is not None and held.at is not None and founder and isinstance(about.name, EntityName):
            span = _moved(held.at, offset)
            given = Given(about.name, about.spans[0], about.name.surface)
            founded = About(EntityName(name, classes_of(source, name)), (span,))
            fitting = allows(source.ontology, known.founder.domains, classes_of(source, name))
            if about.spans and fitting and source.cut(about.spans[0]) == about.name.surface:
                yield claim(
                    source, NAME, founded, Property(predicate_of(known.founder)), given, own, scaled(NAME, 0.95)
                )


def _moved(span: Span, offset: int) -> Span:
    return span[0] + offset, span[1] + offset


def _named(source: Source, known: _Properties, name: str) -> bool:
    """Whether a name is that of something that employs people or that people found: by its class or its capitals."""
    if not name[:1].isupper() or len(WORD.findall(name)) > _MOST_TITLE or _NO_NAME.search(name):
        return False
    classes = classes_of(source, name)
    if not classes:
        return spelt_as_one(name)
    return _employs(source, known, name) or (
        known.founder is not None and allows(source.ontology, known.founder.domains, classes)
    )


def _employs(source: Source, known: _Properties, name: str) -> bool:
    """Whether a name is of no class, or of one that employs people."""
    ranges = known.employer.ranges if known.employer else ()
    classes = classes_of(source, name)
    return not classes or not ranges or allows(source.ontology, ranges, classes)


# --- names beside titles -----------------------------------------------------------------------------

_APPOSED = re.compile(r"\s*,\s+(?:the\s+|an?\s+)?")


def beside(source: Source) -> Iterator[Claim]:
    """Positions of persons named beside their title in sentences."""
    known = _properties(source)
    if known is None:
        return
    for inline in source.leaves(headings=False):
        for sentence in sentences(Stretch.whole(inline)):
            yield from _in_sentence(source, known, sentence)


def _in_sentence(source: Source, known: _Properties, sentence: Stretch) -> Iterator[Claim]:
    text = sentence.text
    for mention in source.names_in(sentence):
        name = text[mention.start : mention.end]
        if mention.value.kind != "person" or not _PERSON.fullmatch(name):
            continue
        at = sentence.part(mention.start, mention.end)
        about = About(EntityName(name, classes_of(source, name) or known.person), (at.span,), at)
        for start, end in _titled(text, mention.start, mention.end, lambda n: _named(source, known, n)):
            piece = sentence.part(start, end)
            if piece.text == source.cut(piece.span):
                yield from _claims(source, known, about, piece.text, piece.span[0], Frame(), None)


def _titled(text: str, start: int, end: int, named: Callable[[str], bool]) -> Iterator[Span]:
    """The stretches beside a name that hold a title with its organisation."""
    if behind := _APPOSED.match(text, end):
        stop = re.compile(r"[,.;:()]").search(text, behind.end())
        piece = text[behind.end() : stop.start() if stop else len(text)]
        found = positions(piece, named)
        if found and found[0].at is not None:
            yield behind.end(), behind.end() + len(piece)
    words = list(WORD.finditer(text, 0, start))
    for first in range(max(0, len(words) - _MOST_TITLE), len(words) - 1):
        at = words[first].start()
        piece = text[at:start].rstrip()
        if _named_first(piece, 0, len(piece), named):
            yield at, at + len(piece)
            return


# --- Sentences of a biography in a bullet: they leave the person out ("Now at Fastnet Works. PhD from Kiel.")

_PIECES = re.compile(r"\s*[;,]\s+(?:and\s+)?(?:(?:then|later|now|also|before that)\s+)?(?=\S)")
_CLAUSES = re.compile(r"\s*[;,]\s+(?:and\s+)?")
_ADVERB = re.compile(r"(?:currently|later|also|then|since then|subsequently|eventually)\s+(?=\w)", re.IGNORECASE)
_THE = re.compile(r"\s+(?:the\s+|an?\s+)?")
_ENDS = re.compile(  # "Built Fastnet's lamps", "Built the Fastnet lamps": not Fastnet
    r"\s*(?:$|[.,;:(—–]|(?:in|on|at|from|since|until|for|as|during|with|by|before|after|where|and)\b)", re.IGNORECASE
)
_MOST_LABEL_WORDS = 3
_MOST_ROLE_WORDS = 6


def roles(source: Source, extractor: str, about: About, text: Stretch, frame: Frame) -> Iterator[Claim]:
    """Titles held one after the other ("Keeper (May 1901), then Warden (1910)"); nothing where one is no title."""
    role = known_as(source, "role", about.classes, Kind.TEXT) if about.classes else None
    pieces = list(text.split(_PIECES))
    if role is None or len(pieces) < 2 or not all(_is_role(piece) for piece in pieces):
        return
    held = [(without_bracket(piece)[0], _bracket_date(piece)) for piece in pieces]
    for number, (title, since) in enumerate(held):
        until = held[number + 1][1] if number + 1 < len(held) else None
        own = replace(frame, valid_from=since, valid_until=until) if since else frame
        given = Given.words(title)
        yield claim(source, extractor, about, Property(predicate_of(role)), given, own, scaled(extractor, 0.95))


def _is_role(piece: Stretch) -> bool:
    words = WORD.findall(without_bracket(piece)[0].text)
    return 1 <= len(words) <= _MOST_ROLE_WORDS and any(word.lower() in ROLES for word in words)


def _bracket_date(piece: Stretch) -> DateValue | None:
    bracket = without_bracket(piece)[1]
    return whole_date(bracket) if bracket is not None else None


def told(source: Source, extractor: str, about: About, sentence: Stretch, frame: Frame) -> Iterator[Claim]:
    """What each clause says of a person where it begins with a property's name ("Previously at …", "joined …")."""
    classes = about.classes
    for clause in sentence.split(_CLAUSES) if classes else ():
        adverb = _ADVERB.match(clause.text)
        body = clause.part(adverb.end()) if adverb else clause
        words = list(WORD.finditer(body.text))[:_MOST_LABEL_WORDS]
        for word in reversed(words):
            if given := _given(source, body, word.end(), classes):
                property_, part = given
                since = _date_behind(body, part) or frame.valid_from
                value = Given.of(part.value, part.at, hedge_at(body.text, 0, len(body.text)))
                own = replace(frame, valid_from=since)
                yield claim(source, extractor, about, property_, value, own, scaled(extractor, 0.9))
                break


def _given(source: Source, body: Stretch, end: int, classes: tuple[str, ...]) -> tuple[Property, Part] | None:
    """The property that the first words name, and the name right behind them, if it takes that."""
    gap = _THE.match(body.text, end)
    found = [p for p in candidates(source, label_of(body.text[:end]), classes) if kind_wanted(p) is Kind.NAME]
    if gap is None or not found:
        return None
    rest = body.part(gap.end())
    for name in source.names_in(rest):
        if name.start == 0 and _ENDS.match(rest.text, name.end):
            at = rest.part(0, name.end)
            part = Part(EntityName(at.text, name.value.classes), at)
            fitting = [p for p in found if fits(source.ontology, p, part)]
            if fitting:
                value = part.value
                if isinstance(value, EntityName) and not value.classes and len(fitting[0].ranges) == 1:
                    part = Part(EntityName(at.text, fitting[0].ranges), at)
                return Property(predicate_of(fitting[0]), (body.part(0, end).span,)), part
    return None


def _date_behind(body: Stretch, part: Part) -> DateValue | None:
    """The date right behind a name ("joined Fastnet Works in 1901")."""
    behind = body.inline.text[part.at.end : body.end]
    for found in dates.find(behind)[:1]:
        if re.fullmatch(r"[\s(]*(?:in|since|from)?\s*", behind[: found.start]):
            return found.value
    return None
