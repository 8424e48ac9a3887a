"""Whether a claim made without an ontology tells a reader something, judged by its form and its place.

Extractors read shapes: what they find under "Contents", in a questionnaire's headings or around a cut-off name has
the shape of a fact and says nothing. One logistic regression over features of the claim, of the text around it and of
the document's other claims tells such from facts; ``training/labels`` makes its weights from claims that were judged.
Claims made with an ontology are not judged: it says what is asked for, and what it lacks is drafted from the others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from statistics import fmean

from kg.extract.build import About
from kg.extract.bullets import in_records
from kg.extract.label_kinds import bucket, counted, form, models
from kg.extract.parsed_sentences import Told
from kg.extract.source import Placed, Source
from kg.extract.subjects import alike, in_release, thing_likely, title_of
from kg.extract.words import OURS, WORD, word_set
from kg.model import Block, BlockKind, Claim, EntityName, EventName, Evidence, MarkKind, Quantity, Rejected, Role
from kg.namespaces import SCHEMA
from kg.syntax.sentence import Phrase

# --- Whether the phrases of a proposition are whole, and mean something beside the words that they stand among

_JOINED_AFTER = re.compile(r"[-–/_*]|\w")
_LIMITED = re.compile(
    r",?\s(?:(?:beyond|except|excepting|besides|barring|apart\sfrom|aside\sfrom|other\sthan)\b|to\sbe\s[a-z]+(?:ed|en|n|t)\b)"
)
_JOINED_BEFORE = re.compile(r"\w[-–/]$|\w$")
_OPEN_ENDS = ("ADP", "DET", "SCONJ", "CCONJ", "AUX", "PART")
_RELATIVES = word_set("which that who whom whose")
_COMPARING = word_set("same similar such previous respective corresponding")
_NEEDED = ("obj", "xcomp", "ccomp", "compound", "flat", "fixed", "amod", "nummod", "nmod:poss", "obl:agent")
_FOLLOWING = ("nmod", "obl", "acl", "acl:relcl", "advmod", "nmod:desc", "compound:prt", "appos")


def whole(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase is cut nowhere within a name, brackets or quotation marks, and speaks of nobody here."""
    text = told.part(phrase).text
    start, end = told.at(phrase)
    if OURS.search(text):
        return False
    cut = any(n.start < start < n.end or n.start < end < n.end for n in told.names)
    cut = cut or told.parsed.tags[phrase.end - 1] in _OPEN_ENDS or told.tree.word(phrase.end - 1) in _RELATIVES
    cut = cut or _amid(told, phrase) or _lacking(told, phrase) or _pointing(told, phrase)
    paired = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "“”")) and text.count('"') % 2 == 0
    return paired and not cut


def _amid(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase begins or ends amid a word with hyphens, words that are all parts of names, or its limits."""
    text, (start, end) = told.read.sentence.text, told.at(phrase)
    if _JOINED_AFTER.match(text, end) or _LIMITED.match(text, end) or _JOINED_BEFORE.search(text, 0, start):
        return True
    tags, words_ = told.parsed.tags, told.parsed.words
    after = phrase.end < len(tags) and text[end : told.read.words[phrase.end][0]] == " "
    before = phrase.start > 1 and text[told.read.words[phrase.start - 1][1] : start] == " "
    last = tags[phrase.end - 1]
    named = after and tags[phrase.end] == last == "PROPN" and words_[phrase.end][0].isupper()
    goes_on = named or (after and tags[phrase.end] == "NOUN" and last in ("NOUN", "ADJ", "PROPN"))
    led = before and tags[phrase.start - 1] == tags[phrase.start] == "PROPN"
    return goes_on or (led and words_[phrase.start - 1][0].isupper())


def _lacking(told: Told, phrase: Phrase) -> bool:
    """Whether the next word still belongs to a phrase, or a verb in it has lost its object."""
    inside, labels = range(phrase.start, phrase.end), told.parsed.labels
    for place, head in enumerate(told.parsed.heads):
        if head not in inside or place in inside:
            continue
        if labels[place] in _NEEDED or (place == phrase.end and labels[place] in _FOLLOWING):
            return True
        if told.parsed.tags[head] == "ADJ" and head == phrase.head and _opening(told, place) == phrase.end:
            return labels[place] in ("advcl", "ccomp", "xcomp", "obl")  # "responsible for …"
    return False


def _opening(told: Told, place: int) -> int:
    """The first word of what hangs on a word."""
    return min([place, *(_opening(told, below) for below in told.tree.below[place])])


def _pointing(told: Told, phrase: Phrase) -> bool:
    """Whether a phrase only makes sense beside other words: "this plan", "the following", "the plan"."""
    for place in range(phrase.start, phrase.end):
        word = told.tree.word(place)
        if word in ("following", "former", "latter", "aforementioned"):
            return True
        if word in ("this", "that", "these", "those") and told.tree.label(place) == "det":
            return True
        if word in _COMPARING and told.tree.label(place) in ("amod", "det") and not _compared(told, place, phrase):
            return True
        if word in ("above", "below") and told.tree.label(place) in ("advmod", "amod"):
            return True
        if word == "the" and place > phrase.start and _said_before(told, told.parsed.heads[place]):
            return True
    bare = phrase.end - phrase.start == 2 and told.tree.word(phrase.start) == "the"
    is_subject = told.tree.label(phrase.head).startswith("nsubj")
    return bare and told.parsed.tags[phrase.head] == "NOUN" and phrase.start > 0 and not is_subject


def _compared(told: Told, place: int, phrase: Phrase) -> bool:
    """Whether a phrase says with what something is compared ("the same size as the Moon")."""
    later = range(place + 1, phrase.end)
    return any(told.tree.word(b) in ("as", "to", "that", "between", "in", "for") for b in later)


def _said_before(told: Told, noun: int) -> bool:
    """Whether "the …" within a phrase takes up what was said before: only the noun tells it, and it was spoken of."""
    if told.parsed.tags[noun] != "NOUN":
        return False
    if any(told.tree.label(b) not in ("det", "case", "punct", "cc", "conj") for b in told.tree.below[noun]):
        return False
    before = told.source.document.text[: told.read.sentence.span[0]]
    return re.search(rf"\b{re.escape(told.parsed.words[noun])}\b", before, re.IGNORECASE) is not None


def split_title(told: Told, about: About) -> bool:
    """Whether a subject is but one side of a comma or colon in what the section is called ("Tarzan, the Ape Man")."""
    section = told.discourse.section
    if section is None or not isinstance(section.name, EntityName) or not isinstance(about.name, EntityName):
        return False
    pieces = re.split(r"[,:]\s", section.name.surface.casefold())
    return len(pieces) > 1 and about.name.surface.casefold() in pieces


_REFERRING = word_set("this these those such it its they them their we us our you your he him his she her i my")
_TABLES, _LABELLED, _LISTED, _CERTAIN = "tables", "keyvalues", "lists", 1e-6
LEAST = 0.7
"""So likely a claim outside tables has to tell something to be kept; chosen by what is kept of collections left out."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A block of text with the blocks around it, innermost first."""

    block: Block
    around: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often the parts of a document's claims recur among them."""

    properties: Counter[str]
    subjects: Counter[str]
    pairs: Counter[tuple[str, str]]
    values: Counter[str]
    places: Counter[int]
    differing: Counter[tuple[str, str]]

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> _Counts:
        return cls(
            Counter(_property(c) for c in claims),
            Counter(_subject(c) for c in claims),
            Counter((_subject(c), _property(c)) for c in claims),
            Counter(c.stated_value.casefold() for c in claims),
            Counter(c.quote_start for c in claims),
            Counter((s, p) for s, p, _ in {(_subject(c), _property(c), c.stated_value.casefold()) for c in claims}),
        )


def useful(source: Source, claims: Sequence[Claim]) -> tuple[tuple[Claim, ...], list[Rejected]]:
    """The claims that tell something, and the others as what was refused."""
    if source.ontology.properties:
        return tuple(claims), []
    kept, refused = [], []
    judge = Judge(source, claims)
    judged = [c for c in claims if c.object is not None and not _ties(c)]
    told = {id(c) for c in claims if c.object is None}
    told |= {id(c) for c in _telling(source, judged, judge)} | {id(c) for c in judged if _of_record(source, c)}
    measured = {c.subject for c in claims if id(c) in told and isinstance(c.object, Quantity)}
    happened = {c.object for c in claims if id(c) in told and isinstance(c.object, EventName)}
    for claim in claims:
        if id(claim) in told or (claim.subject in (measured if _ties(claim) else happened)):
            kept.append(claim)
        else:
            at = _first(claim, Role.VALUE)
            reason = "it is judged to tell a reader nothing"
            refused.append(Rejected(claim.passage, claim.extractors[0], reason, at.exact, at.start, at.end))
    return tuple(kept), refused


def _telling(source: Source, claims: Sequence[Claim], judge: Judge) -> Iterator[Claim]:
    """Those that tell something. The likeliest item speaks for its line: what is left of one would count too few."""
    tables = [placed.block for placed in source.placed if placed.block.kind is BlockKind.TABLE]
    starts = [table.start for table in tables]
    lines: dict[tuple[str, str, int], list[Claim]] = defaultdict(list)
    grids: dict[tuple[str, int], list[Claim]] = defaultdict(list)
    lists: dict[int, list[Claim]] = defaultdict(list)
    for claim in claims:
        at = bisect_right(starts, claim.quote_start) - 1
        if at >= 0 and claim.quote_start < tables[at].end and _TABLES in claim.extractors:
            grids[_TABLES, tables[at].start].append(claim)
        elif (group := judge.records_of(claim)) is not None:
            grids["records", group].append(claim)
        elif judge.of_release(claim):
            yield claim
        else:
            lines[_subject(claim), _property(claim), claim.quote_start].append(claim)
            if (own := judge.list_of(claim)) is not None:
                lists[own].append(claim)
    for items in lines.values():
        if max(map(judge.likely, items)) >= LEAST:
            yield from items
    for cells in grids.values():
        yield from _columns(cells, judge, _column)
    for items in lists.values():  # an item is to its list what a column is to its table
        yield from _columns(items, judge, lambda item: item.quote_start)


def _of_record(source: Source, claim: Claim) -> bool:
    """Whether a claim is a line of a record: keys that several things have in common are a table's columns."""
    records, value = in_records(source), _first(claim, Role.VALUE)
    at = bisect_right(records, (value.start, value.end)) - 1
    return at >= 0 and value.end <= records[at][1]


def _columns(cells: Sequence[Claim], judge: Judge, column: Callable[[Claim], Hashable]) -> Iterator[Claim]:
    """The columns of a table that tell something, each whole or not at all, since what is left of one would compare too
    few: those whose mean log-odds and the table's are for it together. What adds a column up stands in it.
    """
    odds: dict[Hashable, list[float]] = defaultdict(list)
    for cell in cells:
        odds[column(cell)].append(_log_odds(judge.likely(cell)))
    of_table = fmean(x for own in odds.values() for x in own)
    yield from (cell for cell in cells if fmean(odds[column(cell)]) + of_table >= 0)


def _column(cell: Claim) -> str:
    """The property of a cell's column, which that of a row of sums is followed by the row's label ("Net, Total")."""
    row = cell.context.row if cell.context is not None else ""
    return _property(cell).removesuffix(f", {row}".casefold()) if row else _property(cell)


def _log_odds(chance: float) -> float:
    bounded = min(1 - _CERTAIN, max(_CERTAIN, chance))
    return log(bounded / (1 - bounded))


def _ties(claim: Claim) -> bool:
    """Whether a claim but ties an observation to what it is of: it is worth what is measured by the observation."""
    return claim.predicate.iri == SCHEMA + "observationAbout"


class Judge:
    """Judges the claims of one document."""

    def __init__(self, source: Source, claims: Sequence[Claim]) -> None:
        """``claims``: all that were found in the document."""
        self._source = source
        self._counts = _Counts.of(claims)
        self._leaves = sorted(_leaves(source), key=lambda leaf: leaf.block.start)
        self._starts = [leaf.block.start for leaf in self._leaves]
        self._placed = list(source.placed)
        self._tops = [placed.block.start for placed in self._placed]

    def likely(self, claim: Claim) -> float:
        """How likely a claim tells something."""
        return models()["claim"].likely(tuple(self.features(claim)))["useful"]

    def records_of(self, claim: Claim) -> int | None:
        """For a labelled line of one of several sections with the same keys, where their records begin: a table."""
        placed = self._block(_first(claim, Role.VALUE).start) if _LABELLED in claim.extractors else None
        if placed is None or not placed.sections or id(placed.sections[-1]) not in alike(self._source):
            return None
        return placed.sections[-2].start if len(placed.sections) > 1 else 0

    def of_release(self, claim: Claim) -> bool:
        """Whether a claim is an item of a change log, each of which tells a change."""
        placed = self._block(_first(claim, Role.VALUE).start) if _LISTED in claim.extractors else None
        return placed is not None and in_release(self._source, placed)

    def list_of(self, claim: Claim) -> int | None:
        """For an item, labelled or not, where its list begins, the innermost."""
        leaf = self._leaf(_first(claim, Role.VALUE).start) if {_LABELLED, _LISTED} & {*claim.extractors} else None
        return next((b.start for b in leaf.around if b.kind is BlockKind.LIST), None) if leaf is not None else None

    def features(self, claim: Claim) -> Iterator[str]:
        """Features of a claim."""
        value = _first(claim, Role.VALUE)
        yield from self._of_claim(claim)
        yield from self._of_words(claim, value)
        yield from self._of_cut("value", value)
        yield from self._of_place(claim, value)
        yield from self._of_others(claim)

    def _of_claim(self, claim: Claim) -> Iterator[str]:
        by = "+".join(claim.extractors)
        yield f"by {by}"
        yield f"by {by} sure {claim.confidence}"
        yield f"by {by} value {claim.object.kind if claim.object is not None else 'none'}"
        yield f"subject {claim.subject.kind}"
        yield f"status {claim.hedge.status}"
        if claim.context is not None and claim.context.caption:
            yield "caption" + (" ends :" if claim.context.caption.rstrip().endswith(":") else "")
        yield from (
            name
            for name, holds in (
                ("valid from", claim.valid_from is not None),
                ("valid until", claim.valid_until is not None),
                ("same dates", claim.valid_from is not None and claim.valid_from == claim.valid_until),
            )
            if holds
        )

    def _of_words(self, claim: Claim, value: Evidence) -> Iterator[str]:
        words = self._source.words
        subject, label = _subject(claim, folded=False), claim.predicate.label
        yield from form(subject, words, "subject ")
        yield from form(label, words, "property ")
        worded = claim.object is None or claim.object.kind not in ("quantity", "date")
        yield from form(value.exact, words, "value ", worded)
        if not any(e.role is Role.PREDICATE for e in claim.evidence):
            yield f"property {claim.predicate.iri or label}"
        same = {"subject": subject.casefold(), "property": label.casefold(), "value": value.exact.casefold()}
        pairs = (("subject", "property"), ("subject", "value"), ("property", "value"))
        yield from (f"{name} unbalanced" for name, text in same.items() if _unbalanced(text))
        yield from (
            f"{name} says {word}" for name, text in same.items() for word in _REFERRING & set(WORD.findall(text))
        )
        yield from (f"{a} is {b}" for a, b in pairs if same[a] == same[b])
        yield from (f"{a} in {b}" for a, b in pairs if same[a] != same[b] and same[a] in same[b])
        yield from (f"{b} in {a}" for a, b in pairs if same[a] != same[b] and same[b] in same[a])

    def _of_cut(self, name: str, at: Evidence) -> Iterator[str]:
        """What stands around a part in its own block: how much, and which characters touch it."""
        leaf = self._leaf(at.start)
        if leaf is None:
            return
        text = self._source.document.text
        before, after = text[leaf.block.start : at.start], text[at.end : leaf.block.end]
        yield f"{name} after {bucket(len(WORD.findall(before)), (0, 1, 3, 8))} words"
        yield f"{name} before {bucket(len(WORD.findall(after)), (0, 1, 3, 8))} words"
        yield f"{name} touches {_character(before[-1:])}"
        yield f"{name} next {_character(after.lstrip(' ')[:1])}"

    def _of_place(self, claim: Claim, value: Evidence) -> Iterator[str]:
        leaf, placed = self._leaf(value.start), self._block(value.start)
        if leaf is not None:
            yield from _surroundings(leaf, value)
        for role in (Role.SUBJECT, Role.PREDICATE):
            found = next((e for e in claim.evidence if e.role is role), None)
            place = self._unwritten(claim, role) if found is None else self._relation(found, value)
            yield f"{role} stands {place}"
            if found is not None and place in ("in block", "elsewhere"):
                yield from self._of_cut(str(role), found)
            yield from self._of_heading(str(role), found, placed)
        if placed is not None and placed.sections and placed.sections[-1].inline is not None:
            yield from form(placed.sections[-1].inline.text.strip(), self._source.words, "section ")
            yield f"depth {len(placed.sections)}"

    def _unwritten(self, claim: Claim, role: Role) -> str:
        """What a part is that stands nowhere in the text."""
        titled = role is Role.SUBJECT and _subject(claim) == self._source.document.title.strip().casefold()
        return "in the title alone" if titled else "nowhere"

    def _relation(self, one: Evidence, value: Evidence) -> str:
        """Where a part stands as seen from the value."""
        mine, its = self._leaf(one.start), self._leaf(value.start)
        if mine is not None and mine is its:
            return "in block"
        if mine is not None and mine.block.kind is BlockKind.HEADING:
            return "in heading"
        top = self._block(one.start)
        return "in the same list or table" if top is not None and top is self._block(value.start) else "elsewhere"

    def _of_heading(self, role: str, found: Evidence | None, placed: Placed | None) -> Iterator[str]:
        """Which of the headings above names a part, and how likely that heading names a thing."""
        if found is None or placed is None:
            return
        for depth, heading in enumerate(placed.sections):
            if heading.start <= found.start < heading.end:
                up = len(placed.sections) - depth
                yield f"{role} is heading {min(up, 3)} up, of level {heading.level}"
                title = title_of(self._source, heading)
                if title is not None:
                    thing = thing_likely(self._source, heading, placed.sections[:depth], title)
                    yield f"{role} heading is a thing {round(5 * thing)}"
                    whole = found.exact == title.topic.text
                    yield f"{role} is {'whole' if whole else 'part of'} heading {title.rank.name}"

    def _of_others(self, claim: Claim) -> Iterator[str]:
        counts, subject, label = self._counts, _subject(claim), _property(claim)
        yield counted("claims of property", counts.properties[label])
        yield counted("claims of subject", counts.subjects[subject])
        yield counted("claims of both", counts.pairs[subject, label])
        yield counted("values of both", counts.differing[subject, label])
        yield counted("claims of value", counts.values[claim.stated_value.casefold()])
        yield counted("claims of place", counts.places[claim.quote_start])

    def _leaf(self, offset: int) -> _Leaf | None:
        found = bisect_right(self._starts, offset) - 1
        return self._leaves[found] if found >= 0 and offset < self._leaves[found].block.end else None

    def _block(self, offset: int) -> Placed | None:
        found = bisect_right(self._tops, offset) - 1
        return self._placed[found] if found >= 0 and offset < self._placed[found].block.end else None


def _leaves(source: Source) -> Iterator[_Leaf]:
    def below(block: Block, around: tuple[Block, ...]) -> Iterator[_Leaf]:
        if block.inline is not None:
            yield _Leaf(block, around)
        for child in block.children:
            yield from below(child, (block, *around))

    for block in source.document.blocks:
        yield from below(block, ())


def _surroundings(leaf: _Leaf, value: Evidence) -> Iterator[str]:
    """What a value's block is in, and the marks on it."""
    yield f"in {leaf.block.kind} " + " ".join(block.kind for block in leaf.around[:2])
    lists = [block for block in leaf.around if block.kind is BlockKind.LIST]
    if lists:
        yield f"list {'ordered ' if lists[0].info == 'ordered' else ''}depth {len(lists)}"
        yield counted("items", len(lists[0].children))
    table = next((block for block in leaf.around if block.kind is BlockKind.TABLE), None)
    if table is not None:
        yield counted("rows", len(table.children))
        yield counted("columns", len(table.children[0].children) if table.children else 0)
    inline = leaf.block.inline
    for mark in inline.marks if inline is not None else ():
        start, end = inline.source(mark.start, mark.end) if inline is not None and mark.start < mark.end else (0, 0)
        if start < value.end and value.start < end:
            whole = start <= value.start and value.end <= end
            within = " within the page" if mark.kind is MarkKind.LINK and mark.target.startswith("#") else ""
            yield f"value {'is' if whole else 'holds'} {mark.kind}{within}"


def _unbalanced(text: str) -> bool:
    """Whether a bracket or quotation mark has no partner: the text is cut."""
    return any(text.count(a) != text.count(b) for a, b in ("()", "[]", "{}", "“”")) or text.count('"') % 2 == 1


def _first(claim: Claim, role: Role) -> Evidence:
    return next((e for e in claim.evidence if e.role is role), claim.evidence[0])


def _subject(claim: Claim, folded: bool = True) -> str:
    words = claim.subject.surface if claim.subject.kind == "entity" else claim.subject.label
    return words.casefold() if folded else words


def _property(claim: Claim) -> str:
    return claim.predicate.iri or claim.predicate.label.casefold()


def _character(character: str) -> str:
    """A character as a feature: letters and digits by kind."""
    if not character:
        return "end"
    return "letter" if character.isalpha() else "digit" if character.isdigit() else repr(character)
