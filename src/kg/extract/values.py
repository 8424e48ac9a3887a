"""Cells and bullets as values: quantities, dates, names, lists of them, stages of change, and what isn't disclosed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kg.extract.classify import classes_of
from kg.extract.codes import is_code
from kg.extract.source import Source
from kg.extract.words import PREPOSITIONS, SMALL, WORD
from kg.model import DateValue, EntityName, Flag, Hedge, MarkKind, Mood, Quantity, Status, Text, Value
from kg.ontology import singular
from kg.ontology.terms import compiled
from kg.text import dates, hedges, quantities, units
from kg.text.entities import holds_together
from kg.text.gazetteer import ROLES
from kg.text.hedges import combine
from kg.text.scales import in_the_red, leading_quantity, sharing_unit, turning_date, whole_date
from kg.text.stretch import Stretch


class Kind(StrEnum):
    """What a value is, by its form."""

    QUANTITY = "quantity"
    DATE = "date"
    NAME = "entity"
    TEXT = "text"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Part:
    """One value read from a cell or bullet.

    ``noun`` is set when the value may bring a property of its own ("40 lamps, 3 horns"), ``own`` when it surely does
    ("256 (+128K CPU cores)" → "CPU cores").
    ``about`` is a bracket that may name what the value belongs to ("117M (GPT-1)"). ``since`` and ``until`` bound a
    stage of change.
    """

    value: Value | None
    at: Stretch
    hedge: Hedge = field(default_factory=Hedge)
    noun: str = ""
    about: Stretch | None = None
    since: DateValue | None = None
    until: DateValue | None = None
    own: bool = False

    @property
    def kind(self) -> Kind | None:
        """What the value is; None when it isn't disclosed."""
        return Kind(self.value.kind) if self.value is not None else None

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of a name; none of anything else."""
        return self.value.classes if isinstance(self.value, EntityName) else ()


ARROW = re.compile(r"\s*(?:→|⟶|⇒|➔|->|=>|—>)\s*")
_LIST = re.compile(r"\s*;\s+|\s*,\s+(?:and\s+|or\s+|plus\s+|as well as\s+)?|\s+(?:and|plus|&)\s+|\s+\+\s+")
_JOINER = re.compile(r"(?:and|plus|as well as|or|\+)\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:(?:the|many|several|some|a few|\d+)\s+)?(?:others?|more)|et al\.?|etc\.?|so on", re.IGNORECASE
)
_COMMA = re.compile(r"\s*,\s+|\s*;\s+")
_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
_CLAUSE = re.compile(r"\s*(?:[—–;,(]|--|-\s)")
_OR = re.compile(r"\s+or\s+")
_GOES_ON = re.compile(r"(?:(?P<each>\beach)(?:\s+(?:with|of|has|having))?|\b(?:across|over|on|in))\s+$")
_SLASH = re.compile(r"\s*/\s*")
_GOVERNS = re.compile(rf"\b(?!(?:{'|'.join(sorted(SMALL))})\b)[a-z]{{3,}} (?:{'|'.join(sorted(PREPOSITIONS))}) ")
_MORE = re.compile(r",\d|\s*[+×*=]\s*\w")  # "1,2,4", "12 + a bonus": more than a figure
_OF_STUFF = ("mass", "volume")
_OF = re.compile(r"\.?\s+(?:of|or)\s+(?!\d)\S")
_FROM = re.compile(r"\s+(?:from|of)\s+")
_ABBREVIATION = re.compile(r"(?:\b[A-Z]|\b(?:Inc|Ltd|Co|Corp|Jr|Sr|etc))\.$")
_PART_OF = re.compile(r"(?:part|some|a (?:part|share|portion|fraction)|most|a subset) of\b", re.IGNORECASE)
PLACE = re.compile(
    r"\b(?:locat\w+|places?|address\w*|headquarter\w*|city|cities|town|sites?|where|based|birthplace|venue|region|origin)\b",
    re.IGNORECASE,
)
_POSTAL = re.compile(r"\d{1,5}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?[A-Z]\w+\.?\b|.*\b[A-Z]{2}\s+\d{5}(?:-\d{4})?$", re.DOTALL)
_ROLE = re.compile(r"^(?:\w+ )?(?:roles?|positions?|job|(?:job )?titles?|occupation|post|office)$", re.IGNORECASE)
_PERSONS = re.compile(r"\b(?:persons?|people|names?|members?|authors?|who|leads?|co-leads|staff|crew)\b", re.IGNORECASE)
_MAX_ITEM_WORDS = 7
_SEVERAL = re.compile(r"\d[A-Za-z]{0,2}s$")  # several of one kind: "Orr 400s"
_DOTTED = re.compile(r"v?\d[\w-]*\.\d", re.IGNORECASE)
_FLAG_CLAUSE = re.compile(r"(yes|no)\s*(?:[,;–—]|\s-\s)\s*", re.IGNORECASE)
_BOUNDED = re.compile(r"(?:since|from|until|till|through|before|after|up to|as of|by)\b", re.IGNORECASE)


_UNSURE = re.compile(  # before a value: how sure of it the document is
    r"(?:perhaps|probably|possibly|maybe|presumably|likely|reportedly|apparently|allegedly|supposedly)\s+(?=\S)", re.I
)


def read(source: Source, stretch: Stretch, wanted: Kind | None = None, label: str = "") -> list[Part]:
    """The values that a cell or bullet gives, in order; ``label`` is what its header or key says.

    ``wanted`` restricts the forms that are tried. Empty only where nothing applies (blank, a dash, "N/A").
    """
    stretch = stretch.strip()
    if not stretch or hedges.absent(stretch.text):
        return []
    if (unsure := _UNSURE.match(stretch.text)) is not None:
        guess, rest = Hedge(hedges.hedge(unsure[0]).status), stretch.part(unsure.end())
        return [replace(p, hedge=combine(guess, p.hedge)) for p in read(source, rest, wanted, label)]
    stages = list(stretch.split(ARROW))
    if len(stages) > 1 and wanted is not Kind.TEXT:
        return _stages(source, stages, wanted, label)
    return _simple(source, stretch, wanted, label)


def _stages(source: Source, stages: list[Stretch], wanted: Kind | None, label: str) -> list[Part]:
    """Stages of change: a date in the last stage's bracket is when it began and the one before it ended."""
    read_stages = [_simple(source, stage, wanted, label) for stage in stages]
    turning = [bracket_date(stage) for stage in stages]
    parts: list[Part] = []
    for index, found in enumerate(read_stages):
        until = turning[index + 1] if index + 1 < len(stages) else None
        since = turning[index] if index else None
        bracket = without_bracket(stages[index])[1]
        parts += [replace(part, since=since, until=until, about=bracket) for part in found]
    return parts


def bracket_date(stretch: Stretch) -> DateValue | None:
    """The date in the bracket at the end, if it holds one."""
    bracket = _BRACKET.search(stretch.text)
    found = dates.find(bracket[1]) if bracket else []
    return found[0].value if found else None


def without_bracket(stretch: Stretch) -> tuple[Stretch, Stretch | None]:
    """The stretch without the bracket at its end, and the bracket's content."""
    bracket = _BRACKET.search(stretch.text)
    if bracket is None or not bracket.start():
        return stretch, None
    return stretch.part(0, bracket.start()).strip(), stretch.part(bracket.start(1), bracket.end(1)).strip() or None


def _simple(source: Source, stretch: Stretch, wanted: Kind | None, label: str) -> list[Part]:
    main, bracket = without_bracket(stretch)
    if _is_undisclosed(main.text):
        return [Part(None, stretch, Hedge(Status.UNDISCLOSED))]
    hedge = _remark(bracket)
    if wanted is not Kind.TEXT and (part := _flagged(stretch, main, bracket)):
        return [replace(part, hedge=hedge)]
    if told := _moment(stretch, main, bracket, wanted, label):
        return [told if isinstance(told.value, Text) else replace(told, hedge=hedge)]
    if wanted in (None, Kind.QUANTITY) and (parts := _quantities(source, main, stretch, bracket, label)):
        return [replace(part, hedge=hedge) for part in parts] if hedge != Hedge() else parts
    if wanted in (None, Kind.TEXT) and _ROLE.search(label):
        return _roles(stretch)
    if links := _links(stretch):
        return [Part(Text(n.text), n) if wanted is Kind.TEXT else name_or_text(source, n, wanted) for n in links]
    if wanted is Kind.TEXT:
        return [Part(Text(stretch.text), stretch)]
    return _names(source, stretch, wanted, label)


def _moment(whole: Stretch, main: Stretch, bracket: Stretch | None, wanted: Kind | None, label: str) -> Part | None:
    """A date, or a version with the date since which it is the one ("2.4.1 (2 March 2025)")."""
    if wanted in (None, Kind.DATE) and (date := whole_date(main, label)):
        return Part(date, whole)
    if wanted is not Kind.NAME and (date := turning_date(whole)):
        return Part(date, whole)
    numbered = bracket is not None and _DOTTED.match(main.text) and is_code(main.text)
    if not numbered or bracket is None or (wanted is not Kind.TEXT and main.text.count(".") < 2):
        return None
    return Part(Text(main.text), main, since=since) if (since := whole_date(bracket)) else None


def flag_of(text: str) -> Flag | None:
    """Yes or no, in words or as a mark."""
    told = hedges.yes_or_no(text)
    return None if told is None else Flag(told)


def _flagged(stretch: Stretch, main: Stretch, bracket: Stretch | None) -> Part | None:
    """Yes or no with what a bracket or clause adds to it ("Yes (since 2021)", "No, never")."""
    flag, remark = flag_of(main.text), bracket
    if flag is None and (clause := _FLAG_CLAUSE.match(main.text)):
        remark = main.part(clause.end())
        flag = flag_of(clause[1]) if len(WORD.findall(remark.text)) <= _MAX_ITEM_WORDS else None
    if flag is None:
        return None
    since, until = _period(remark)
    return Part(flag, stretch, since=since, until=until)


def _remark(bracket: Stretch | None) -> Hedge:
    """The standing that a bracket of a word or two gives ("(estimated)")."""
    if bracket is None or len(WORD.findall(bracket.text)) > 2:
        return Hedge()
    return Hedge(hedges.hedge(bracket.text).status)


def _period(bracket: Stretch | None) -> tuple[DateValue | None, DateValue | None]:
    """The period for which a bracket says that its value holds ("since 2021", "1901-1910")."""
    date = whole_date(bracket) if bracket is not None else None
    if date is None or not (date.end or _BOUNDED.match(bracket.text if bracket is not None else "")):
        return None, None
    return (date if date.earliest else None), (date if date.latest else None)


def _roles(stretch: Stretch) -> list[Part]:
    """Titles that a person holds, each with the period in its bracket ("Keeper (1901-1910), later Warden")."""
    parts = []
    pieces = list(stretch.split(_COMMA))
    titled = all(any(w.lower() in ROLES for w in WORD.findall(p.text)) for p in pieces)
    for piece in pieces if titled else [stretch]:
        main, bracket = without_bracket(piece)
        date = whole_date(bracket) if bracket is not None else None
        since, until = (date, date if date and date.latest else None) if date else (None, None)
        parts.append(Part(Text(main.text if date else piece.text), main if date else piece, since=since, until=until))
    return parts


_JOINING = frozenset(["and", "or"])  # between links


def _links(stretch: Stretch) -> list[Stretch]:
    """The links that a stretch is made of; none where it says something of them ("Fails [validation]")."""
    links = [link for link, _ in stretch.marked(MarkKind.LINK) if link.text.strip()]
    words = [w for w in WORD.finditer(stretch.text) if w.group().casefold() not in _JOINING]
    within = [(link.start - stretch.start, link.end - stretch.start) for link in links]
    return links if all(any(a <= w.start() < b for a, b in within) for w in words) else []


def _is_undisclosed(text: str) -> bool:
    """Whether a short value says that it isn't known or told."""
    return len(WORD.findall(text)) <= 8 and hedges.hedge(text).status is Status.UNDISCLOSED


# --- quantities ----------------------------------------------------------------------------------


def _quantities(source: Source, main: Stretch, whole: Stretch, bracket: Stretch | None, label: str) -> list[Part]:
    if (negative := in_the_red(whole)) is not None:
        return [Part(negative, whole)]
    if _PART_OF.match(main.text):
        found = quantities.find(main.text)
        if not found:
            return []
        bound = replace(
            found[0].value, stated=whole.text, lower=None, upper=found[0].value.upper or found[0].value.value
        )
        return [Part(bound, whole)]
    if _beyond_figure(source, main, label):
        return [Part(Text(whole.text), whole)]
    pieces = _quantity_pieces(main)
    if not pieces:
        return []
    extras = _bracket_quantities(bracket, pieces[0][1]) if bracket else []
    further = _further_quantities(main, pieces[0][1])
    extras += further
    if len(pieces) == 1:
        piece, value = pieces[0]
        if further and (lead := leading_quantity(main.text)):
            piece = main.part(lead[0], lead[1])
        return [Part(value, whole if piece == main and not extras else piece), *extras]
    return [Part(value, piece, noun=value.noun) for piece, value in pieces] + extras


_FIGURE_WITHIN = re.compile(r"(?<![\w-])\d")


def _has_figure(text: str) -> bool:
    """Whether a text holds a figure that is no date's."""
    dated = [(found.start, found.end) for found in dates.find(text)]
    return any(not any(a <= m.start() < b for a, b in dated) for m in _FIGURE_WITHIN.finditer(text))


def _beyond_figure(source: Source, main: Stretch, label: str) -> bool:
    """Whether a value goes on where its figure ends: sums, lists, and what the amount is of, if no label says it."""
    found = leading_quantity(main.text)
    listed = list(main.split(_LIST))
    if found is None or (len(listed) > 1 and all(leading_quantity(p.text) for p in listed)):
        return False
    known = source.ontology.by_label(label, "property") or found[2].noun.casefold() in label.casefold().split()
    stuff = found[2].unit is not None and units.dimension(found[2].unit) in _OF_STUFF
    return _reckoned(main.text) or (stuff and not known and _OF.match(main.text, found[1]) is not None)


def _reckoned(text: str) -> bool:
    """Whether a text is a sum or a list of bare figures, which none of them tells."""
    found = leading_quantity(text)
    return found is not None and _MORE.match(text, found[1]) is not None


_ELSE = re.compile(
    r"\s+or\s+(?!(?:more|less|fewer|so|over|under|above|below|greater|better|higher|lower|larger|smaller|longer|shorter|"
    r"older|younger|earlier|later)\b)[^\W\d_]",
    re.IGNORECASE,
)
"""Behind a figure: what may stand in its place, not how far it goes ("or more")."""


def _quantity_pieces(main: Stretch) -> list[tuple[Stretch, Quantity]]:
    """The stretch as one quantity, or as a list of them ("10 lamps, 3 horns and 40 m of chain")."""
    found = leading_quantity(main.text)
    if found is None:
        return []
    pieces = list(main.split(_LIST))
    if len(pieces) == 1 and len(either := list(main.split(_OR))) > 1:
        pieces = either
    read_pieces = [(piece, leading_quantity(piece.text)) for piece in pieces]
    if len(pieces) > 1 and all(r is not None for _, r in read_pieces):
        return sharing_unit([(piece, r[2]) for piece, r in read_pieces if r is not None])
    after = main.text[found[1] :]
    if after.startswith(":") or _ELSE.match(after):  # "1.34: beta" is told of 1.34; "18F or the council": of no figure
        return []
    if _has_figure(after) and not _CLAUSE.match(after) and not _further_quantities(main, found[2]):
        return []  # "50 Nations Plaza 94102", "5 by 30 m": more than a figure
    if len(WORD.findall(after)) <= _MAX_ITEM_WORDS and not _CLAUSE.match(after):
        return [(main, found[2])]
    return [(main.part(found[0], found[1]), found[2])] if _CLAUSE.match(after) else []


def _bracket_quantities(bracket: Stretch, main: Quantity) -> list[Part]:
    """Quantities of other things that a bracket adds ("+128K CPU cores", "256 cores")."""
    extras = []
    for piece in (p.strip(" +") for p in bracket.split(_LIST)):
        found = leading_quantity(piece.text)
        if found and found[2].noun and found[2].noun != main.noun:
            extras.append(Part(found[2], piece, noun=found[2].noun, own=True))
    return extras


def _further_quantities(main: Stretch, first: Quantity) -> list[Part]:
    """Figures that go on about the first: "8 lamps, each 400 W strong", "90 berths across 3 decks"."""
    parts = []
    for found in quantities.find(main.text)[1:]:
        joined = _GOES_ON.search(main.text, 0, found.start)
        noun = found.value.noun
        if joined is None or joined.end() != found.start or not noun:
            continue
        if joined["each"] and first.noun:
            noun = f"{noun} per {singular(first.noun.split()[-1].casefold())}"
        parts.append(Part(found.value, main.part(found.start, found.end), noun=noun, own=True))
    return parts


# --- names ---------------------------------------------------------------------------------------


def items(source: Source, stretch: Stretch, label: str = "", at_least: int = 2) -> list[Stretch]:
    """The items of a list of names in running text, or nothing if it isn't one.

    "Kiel, Germany" is one place, "Ann Lee, Bo Ray" are two people: of two parts the label decides, and of an address.
    """
    stretch = _without_stop(stretch)
    if PLACE.search(label) and _POSTAL.match(stretch.text):
        return []
    listed, pieces = _enumerated(source, stretch)
    if len(listed) < at_least or any(len(WORD.findall(p.text)) > _MAX_ITEM_WORDS + 1 for p in pieces):
        return []
    by_comma = list(stretch.split(_COMMA))
    if len(pieces) == 2 and len(by_comma) == 2 and PLACE.search(label) and not _PERSONS.search(label):
        return []
    first = without_bracket(pieces[0])[0].text
    governed = leading_quantity(first) is None and _GOVERNS.search(first)
    if governed and not any(_GOVERNS.search(p.text) for p in pieces[1:]):
        return []  # "Add lamps for Kiel, Orr and Arden"
    names = sum(source.words.is_name(without_bracket(p)[0].text) for p in pieces)
    enough = names == len(pieces) if len(pieces) == 2 else names * 3 >= len(pieces) * 2
    return pieces if enough else []


def _enumerated(source: Source, stretch: Stretch) -> tuple[list[Stretch], list[Stretch]]:
    """All items that a stretch lists, and those that name something ("and others" doesn't)."""
    listed = [_without_joiner(p) for p in _held(source, list(stretch.split(_LIST)))]
    return listed, [p for p in listed if not _OTHERS.fullmatch(p.text)] or listed


def _without_joiner(piece: Stretch) -> Stretch:
    joiner = _JOINER.match(piece.text)
    return piece.part(joiner.end()).strip() if joiner else piece


def _held(source: Source, pieces: list[Stretch]) -> list[Stretch]:
    """The pieces with those taken together that are one name ("Brandt and Sons")."""
    patterns = [compiled(p) for cls in source.ontology.classes.values() for p in cls.name_patterns]
    held: list[Stretch] = []
    for piece in pieces:
        before = held[-1] if held else None
        joiner = piece.inline.text[before.end : piece.start] if before else ""
        if before and holds_together(before.text, joiner, piece.text, patterns):
            held[-1] = Stretch(piece.inline, before.start, piece.end)
        else:
            held.append(piece)
    return held


def _without_stop(stretch: Stretch) -> Stretch:
    """Without the full stop of a text that is no longer than a sentence."""
    text = stretch.text
    ends = text.endswith(".") and not _ABBREVIATION.search(text) and ". " not in text
    return stretch.part(0, len(text) - 1).strip() if ends else stretch


def _names(source: Source, stretch: Stretch, wanted: Kind | None, label: str) -> list[Part]:
    either = list(stretch.split(_OR))
    if len(either) > 1 and all(source.words.is_name(p.text) and len(WORD.findall(p.text)) <= 3 for p in either):
        unsure = Hedge(mood=Mood.ALTERNATIVE)  # one of them, the text doesn't say which
        return [replace(p, hedge=combine(unsure, p.hedge)) for e in either for p in _item(source, e, wanted, False)]
    listed = items(source, stretch, label)
    if not listed and len(both := list(stretch.split(_SLASH))) == 2 and all(source.words.sure(p.text) for p in both):
        listed = both if all(len(WORD.findall(p.text)) <= 2 for p in both) else []
    return [part for piece in (listed or [stretch]) for part in _item(source, piece, wanted, bool(listed))]


def _item(source: Source, piece: Stretch, wanted: Kind | None, listed: bool) -> list[Part]:
    """One item of a list; "~300B tokens from Common Crawl" gives both the figure and the name."""
    found = leading_quantity(piece.text) if listed and wanted is not Kind.TEXT else None
    if found is None:
        return [name_or_text(source, piece, wanted)]
    figure = Part(found[2], piece.part(found[0], found[1]), noun=found[2].noun)
    after = _FROM.search(piece.text, found[1])
    return [figure, name_or_text(source, piece.part(after.end()), wanted)] if after else [figure]


def name_or_text(source: Source, stretch: Stretch, wanted: Kind | None = None) -> Part:
    """A name where the stretch reads as one (or a name is wanted and it is short), else a text."""
    stretch = _without_stop(stretch)
    main, _ = without_bracket(stretch)
    if re.fullmatch(r"[\"“‘'][^\"“”]*[\"”’']", main.text):
        main = main.part(1, len(main.text) - 1).strip()
    short = len(WORD.findall(main.text)) <= _MAX_ITEM_WORDS and not main.text.endswith(".")
    classes = classes_of(source, main.text) if short else ()
    if wanted is Kind.NAME and (inner := _name_within(source, main)):
        main = inner
    commas = [not _GOVERNS.search(main.text), *(source.words.is_name(p.text) for p in main.split(_COMMA))]
    counted = re.match(r"(?:single|multiple|several|many|few|one|two)\s+", main.text, re.IGNORECASE)
    if source.ontology.by_label(main.text[counted.end() :] if counted else main.text, "class"):
        return Part(Text(stretch.text), stretch)  # "GPUs" and "single GPU" name a class, not one of its members
    is_name = (source.words.is_name(main.text) and all(commas)) or (wanted is Kind.NAME and short)
    if main and (is_name or (short and _known(source, main.text))):
        if _SEVERAL.search(main.text) and classes == (one := classes_of(source, main.text[:-1])) and one:
            main = main.part(0, len(main.text) - 1)
        return Part(EntityName(main.text, classes), main)
    return Part(Text(stretch.text), stretch)


def _name_within(source: Source, main: Stretch) -> Stretch | None:
    """The name that a few words lead to ("Switched to PyTorch") or that a remark follows ("TSMC, 3nm process")."""
    pieces = list(main.split(_COMMA))
    names = [source.words.is_name(p.text) for p in pieces]
    if len(pieces) > 1 and names[0] and not any(names[1:]):
        return pieces[0]
    tokens = list(WORD.finditer(main.text))
    if len(tokens) > 2 and tokens[1].group() in PREPOSITIONS and not source.words.sure(tokens[0].group()):
        rest = main.part(tokens[2].start())
        return rest if source.words.is_name(rest.text) else None
    return None


def _known(source: Source, name: str) -> bool:
    ontology = source.ontology
    if source.words.has_verb(name):
        return False
    if ontology and ontology.by_label(name, "individual"):
        return True
    # A pattern that finds the end of "Dogs ride free on the Hill Line" doesn't make a name of it.
    plain = [w for w in WORD.findall(name)[1:] if w[0].islower() and w not in SMALL and w not in PREPOSITIONS]
    return any(cls.covers(name) if plain else cls.matches(name) for cls in ontology.classes.values())


def kind_of_column(cells: Iterable[list[Part]]) -> Kind | None:
    """The form that most cells of a column share; None without cells."""
    counts = dict.fromkeys(Kind, 0)
    for parts in cells:
        if parts and parts[0].kind is not None:
            counts[Kind.QUANTITY if _reckoned(parts[0].at.text) else parts[0].kind] += 1
    best = max(counts, key=lambda k: counts[k])
    return best if counts[best] else None
