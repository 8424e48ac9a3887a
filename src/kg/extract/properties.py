"""Header, key or noun + value → property: the ontology's where label, value and domain fit, else an open one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import category

from kg.errors import BadInput
from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.classify import classes_of, classes_of_mention, lineage
from kg.extract.labels import Label, label_of, predicate_of_label, with_unit
from kg.extract.source import Source, Span
from kg.extract.values import Kind, Part, name_or_text, read
from kg.extract.words import WORD
from kg.model import Claim, DateValue, EntityName, Precision, Predicate, Quantity, Text
from kg.namespaces import KG, XSD
from kg.ontology import Ontology, OntologyProperty, normalise_label
from kg.text import quantities
from kg.text.hedges import combine
from kg.text.scales import leading_quantity, whole_date
from kg.text.stretch import Stretch
from kg.text.units import dimension

_DATES = frozenset(XSD + name for name in ("date", "gYear", "gYearMonth", "dateTime"))
_REALS = frozenset(XSD + name for name in ("decimal", "double", "float"))
_TEXTS = frozenset(XSD + name for name in ("string", "anyURI", "token", "normalizedString"))


def kind_wanted(property_: OntologyProperty) -> Kind | None:
    """The form of values that a property takes; None if any."""
    if property_.values == "entity":
        return Kind.NAME
    if property_.datatype in _DATES:
        return Kind.DATE
    if property_.datatype in _TEXTS:
        return Kind.TEXT
    if property_.datatype == XSD + "boolean":
        return Kind.FLAG
    if property_.canonical_unit or (property_.datatype and property_.datatype.startswith(XSD)):
        return Kind.QUANTITY
    return None


def candidates(source: Source, label: Label, classes: Sequence[str]) -> tuple[OntologyProperty, ...]:
    """Properties that the label names and whose domain allows the subject, the likeliest first."""
    ontology = source.ontology
    for text in dict.fromkeys((label.text, label.plain)):
        found = [ontology.properties[c.iri] for c in ontology.by_label(text, "property") if not c.iri.startswith(KG)]
        allowed = [p for p in found if allows(ontology, p.domains, classes)]
        if allowed:
            return tuple(allowed)
    return ()


def allows(ontology: Ontology, wanted: Sequence[str], classes: Sequence[str]) -> bool:
    """Whether something of the classes may be of one of those wanted; anything may where either is unknown."""
    if not wanted or not classes:
        return True
    if any(c in ontology.superclasses(w) or w in ontology.superclasses(c) for w in wanted for c in classes):
        return True
    declared = all(c in ontology.classes for c in classes)
    return not declared and any(all(ontology.compatible(c, w) for c in classes) for w in wanted)


def fits(ontology: Ontology, property_: OntologyProperty, part: Part) -> bool:
    """Whether a value has the form, unit and class that the property takes."""
    wanted = kind_wanted(property_)
    if part.value is None or wanted is None:
        return True
    if wanted is not part.kind:
        return False
    if isinstance(part.value, Quantity):
        return _unit_fits(property_, part.value)
    if isinstance(part.value, EntityName):
        return allows(ontology, property_.ranges, part.value.classes)
    return True


def _unit_fits(property_: OntologyProperty, value: Quantity) -> bool:
    unit = None if value.unit == "UNITLESS" and property_.datatype in _REALS else value.unit  # "300x" is a plain factor
    if property_.canonical_unit is None or unit is None:
        return (property_.canonical_unit is None) == (unit is None)
    try:
        return dimension(property_.canonical_unit) == dimension(unit)
    except BadInput:
        return False


def predicate_of(property_: OntologyProperty) -> Predicate:
    """The property as a claim's predicate."""
    return Predicate(property_.label, property_.iri)


def between(source: Source, classes: Sequence[str], value_classes: Sequence[str]) -> Property | None:
    """The one property that leads from things of these classes to values of those, or the most general of several."""
    ontology = source.ontology
    above = lineage(ontology, classes)
    value_above = lineage(ontology, value_classes)
    found = {
        p.iri
        for p in ontology.properties.values()
        if above.intersection(p.domains) and value_above.intersection(p.ranges)
    }
    general = most_general(ontology, found)
    return Property(predicate_of(ontology.properties[general])) if general else None


def known_as(source: Source, words: str, classes: Sequence[str], kind: Kind) -> OntologyProperty | None:
    """The ontology's likeliest property of these words that such things have and whose values are of this form."""
    return next((p for p in candidates(source, label_of(words), classes) if kind_wanted(p) is kind), None)


def called(source: Source, names: Iterable[str], classes: Sequence[str], value: Part) -> Property | None:
    """The ontology's property of one of these names that such things have and that takes the value's form and class.

    Names are labels of any kind, so that an ontology may call the property something else; None where it has none.
    """
    for name in names:
        for found in candidates(source, label_of(name), classes):
            if kind_wanted(found) is value.kind and fits(source.ontology, found, value):
                return Property(predicate_of(found))
    return None


def claim_called(
    source: Source, extractor: str, about: About, names: Iterable[str], value: Part, frame: Frame, factor: float
) -> Iterator[Claim]:
    """The claim of a value under the property so called (:func:`called`); none where the ontology has none."""
    if (property_ := called(source, names, about.classes, value)) is not None:
        given = Given.of(value.value, value.at, value.hedge)
        yield claim(source, extractor, about, property_, given, frame, scaled(extractor, factor))


def narrowest(ontology: Ontology, classes: Sequence[str], value_classes: Sequence[str]) -> Property | None:
    """The one property from things of these classes to values of those whose range says most of the values."""
    above = lineage(ontology, classes)
    value_above = lineage(ontology, value_classes)
    found = [
        p
        for p in ontology.properties.values()
        if above.intersection(p.domains) and value_above.intersection(p.ranges) and len(p.ranges) < _GENERAL
    ]
    least = [p for p in found if all(q is p or _says_more(ontology, p, q, value_above) for q in found)]
    return Property(predicate_of(least[0])) if len(least) == 1 else None


_GENERAL = 6  # a property whose values are of so many classes says little


def _says_more(ontology: Ontology, one: OntologyProperty, other: OntologyProperty, known: set[str]) -> bool:
    wide = known.intersection(other.ranges)
    narrow = known.intersection(one.ranges)
    return any(n != w and w in ontology.superclasses(n) for n in narrow for w in wide)


def most_general(ontology: Ontology, properties: Collection[str]) -> str | None:
    """The one property of several that stands above another of them, or the only one."""
    if len(properties) == 1:
        return next(iter(properties))
    above = {p for p in properties if any(p in ontology.superproperties(q) for q in properties if q != p)}
    return next(iter(above)) if len(above) == 1 else None


REMARK = re.compile(
    r"(?:sources?|references?|refs?\.?|citations?|notes?|remarks?|comments?|unit|units|basis|methods?)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A property and the value given for it."""

    property: Property
    part: Part


# --- facts -----------------------------------------------------------------------------------------


def facts(
    source: Source,
    label: Label,
    value: Stretch,
    classes: Sequence[str] = (),
    column: Kind | None = None,
    extra: Sequence[OntologyProperty] = (),
) -> list[Fact]:
    """What a labelled value states. Every value of the stretch comes out, under an open property if need be.

    ``column`` is the form that the values of its column share; ``extra`` are further properties to try.
    """
    if column is Kind.QUANTITY and {category(sign) for sign in value.text} == {"Sc"}:
        return []  # "$" among sums: the figure is left open
    found = (*candidates(source, label, classes), *extra)
    if not found and (owned := of_owner(source, label, value)) is not None:
        return owned
    wanted = {kind_wanted(p) for p in found}
    only = next(iter(wanted)) if len(wanted) == 1 else None
    form = only if only in (Kind.NAME, Kind.TEXT) else None
    if form is Kind.NAME and (leading_quantity(value.text) or whole_date(value)):
        form = None
    if (column is Kind.TEXT and not found and not _measured(value)) or REMARK.fullmatch(label.text):
        form = Kind.TEXT
    # Of a value that is a mark only ("Period: .") nothing is left to quote.
    parts = [_as_column(part, label, column) for part in read(source, value, form, label.text) if part.at]
    parts = [with_unit(label, _about_name(source, part)) for part in parts]
    plain = column in (Kind.QUANTITY, Kind.DATE, Kind.FLAG)
    if plain and parts and all(p.kind is Kind.NAME for p in parts) and Kind.NAME not in wanted:
        parts = [Part(Text(value.text), value)]  # "Minimal (8 lamps)" among figures is a remark, not a name
    if only is Kind.NAME and (inner := _mentioned(source, found, value, parts)):
        parts = inner
    result = [fact for part in parts for fact in _placed(source, label, found, part, classes)]
    return [replace(f, part=replace(f.part, hedge=combine(label.hedge, f.part.hedge))) for f in result]


def _measured(value: Stretch) -> bool:
    """Whether a cell is wholly a figure with its unit: that is no text, whatever stands in the cells around it."""
    figure = quantities.parse(value.text)
    return figure is not None and figure.unit is not None


_YEAR = re.compile(r"[1-9]\d{2,3}")


def _as_column(part: Part, label: Label, column: Kind | None) -> Part:
    """A bare number read as its column is: "1808" is a figure among figures and "1778" a year among years."""
    if _YEAR.fullmatch(part.at.text) is None:
        return part
    measured = bool(label.unit) or label.measure is not None or column is Kind.QUANTITY
    if isinstance(part.value, DateValue) and measured and (figure := quantities.parse(part.at.text)) is not None:
        return replace(part, value=figure)
    if isinstance(part.value, Quantity) and column is Kind.DATE:
        year = part.at.text.zfill(4)
        return replace(part, value=DateValue(part.at.text, year, Precision.YEAR, f"{year}-01-01", f"{year}-12-31"))
    return part


def _about_name(source: Source, part: Part) -> Part:
    """The part with the name that its bracket begins with ("(Corran in two years)"), if that is more than the name."""
    if part.about is None:
        return part
    names = source.names_in(part.about)
    if not names or names[0].start or names[0].end == len(part.about.text):
        return part
    rest = WORD.findall(part.about.text[names[0].end :])
    return replace(part, about=part.about.part(0, names[0].end)) if rest[:1] and rest[0].islower() else part


def of_owner(source: Source, label: Label, value: Stretch) -> list[Fact] | None:
    """Figures under a label that names a thing in front of its property ("Corran Visitors"): the thing's."""
    if label.at is None:
        return None
    tokens = list(WORD.finditer(label.at.text))
    for token in tokens[1:]:
        owner = label.at.part(0, token.start()).strip()
        rest = label.at.part(token.start())
        classes = classes_of(source, owner.text)
        if not classes or not (source.words.sure(owner.text) and source.words.is_name(owner.text)):
            continue
        found = candidates(source, label_of(rest.text), classes)
        parts = [part for part in read(source, value, None, rest.text) if isinstance(part.value, Quantity)]
        fitting = [(part, [p for p in found if fits(source.ontology, p, part)]) for part in parts]
        if parts and all(properties for _, properties in fitting):
            return [
                Fact(Property(predicate_of(properties[0]), (rest.span,)), replace(part, about=owner, noun=""))
                for part, properties in fitting
            ]
    return None


def _placed(
    source: Source, label: Label, found: Sequence[OntologyProperty], part: Part, classes: Sequence[str]
) -> Iterator[Fact]:
    """The part under the property that takes it; what its noun names besides under another."""
    if part.noun and (ways := _ways(source, label, part, classes)) is not None:
        yield ways
        return
    if part.noun and _names_own_property(source, label, part):
        yield from by_noun(source, part, classes, label)
        return
    fitting = [p for p in found if fits(source.ontology, p, part)]
    if found and not fitting and isinstance(part.value, Quantity) and (known := _known_by_noun(source, part, classes)):
        yield Fact(Property(predicate_of(known), label.spans), replace(part, noun=""))
        return
    if fitting:
        yield Fact(Property(predicate_of(fitting[0]), label.spans), _typed(source.ontology, fitting[0], part))
    else:
        yield Fact(Property(predicate_of_label(label), label.spans), part)
    if isinstance(part.value, Quantity):
        yield from _things_counted(source, found, part, label)


_WAYS = re.compile(r"\d+-way\s")


def _ways(source: Source, label: Label, part: Part, classes: Sequence[str]) -> Fact | None:
    """A listed degree ("8-way lamp + 2-way horn" of a "Split"): under the label's kind ("lamp split"), or as text."""
    if not _WAYS.match(part.at.text):
        return None
    for word in reversed(WORD.findall(label.plain)):
        texts = (f"{part.noun} {word}", part.noun)
        found = tuple(p for text in texts for p in candidates(source, label_of(text), classes))
        if fitting := [p for p in found if fits(source.ontology, p, part)]:
            return Fact(Property(predicate_of(fitting[0]), label.spans), replace(part, noun=""))
    return Fact(Property(predicate_of_label(label), label.spans), replace(part, value=Text(part.at.text), noun=""))


def _names_own_property(source: Source, label: Label, part: Part) -> bool:
    """Whether a listed figure stands for itself: its noun takes up the label, or the label only says "details"."""
    assert isinstance(part.value, Quantity)
    words = [normalise_label(w) for w in WORD.findall(label.plain)]
    nouns = {normalise_label(w) for w in WORD.findall(part.noun)}
    return part.own or bool(nouns.intersection(words)) or all(source.words.aspect(w) for w in WORD.findall(label.plain))


def _known_by_noun(source: Source, part: Part, classes: Sequence[str]) -> OntologyProperty | None:
    """The ontology's property that a figure's noun names ("13 trillion tokens")."""
    value = part.value
    words = (part.noun or value.noun).split() if isinstance(value, Quantity) else []
    for piece in _subphrases(words):
        tried = label_of(piece)
        found = [*candidates(source, label_of(f"number of {piece}"), classes), *candidates(source, tried, classes)]
        fitting = [p for p in found if kind_wanted(p) is Kind.QUANTITY and fits(source.ontology, p, part)]
        if fitting:
            return fitting[0]
    return _known_by_class(source, part, words, classes)


def _known_by_class(
    source: Source, part: Part, words: Sequence[str], classes: Sequence[str]
) -> OntologyProperty | None:
    """The property that counts things of the class that a noun's name is of ("8x Skerry 3" are lamps)."""
    ontology = source.ontology
    above = _classes_above(source, " ".join(words)) if words else []
    for label in dict.fromkeys(ontology.classes[iri].label for iri in above):
        for text in (f"number of {label}", f"{label} count"):
            found = [p for p in candidates(source, label_of(text), classes) if kind_wanted(p) is Kind.QUANTITY]
            if fitting := [p for p in found if fits(ontology, p, part)]:
                return fitting[0]
    return None


def _subphrases(words: Sequence[str]) -> list[str]:
    """The whole phrase, its ends, then its beginnings, the longest first."""
    ends = [" ".join(words[start:]) for start in range(len(words))]
    plain = [w for w in words if not any(c.isdigit() for c in w)]  # "TPU v3 cores" are TPU cores
    if len(plain) < len(words):
        ends = [ends[0], *(" ".join(plain[start:]) for start in range(len(plain))), *ends[1:]]
    return [*ends, *(" ".join(words[:end]) for end in range(len(words) - 1, 0, -1))]


def _typed(ontology: Ontology, property_: OntologyProperty, part: Part) -> Part:
    """An entity that nothing else classifies is of the property's range, if that is one class."""
    value = part.value
    ranges = tuple(r for r in property_.ranges if r in ontology.classes)
    if isinstance(value, EntityName) and not value.classes and len(ranges) == 1 == len(property_.ranges):
        return replace(part, value=replace(value, classes=ranges))
    return part


def _things_counted(source: Source, found: Sequence[OntologyProperty], part: Part, label: Label) -> Iterator[Fact]:
    """Names inside a quantity ("~25,000 A100s") under a property of the same label that leads to such things."""
    leading = [p for p in found if kind_wanted(p) is Kind.NAME]
    for property_ in leading[:1]:
        for name in mentioned(source, _with_noun(part), property_.ranges):
            yield Fact(Property(predicate_of(property_), label.spans), name)


def _mentioned(source: Source, found: Sequence[OntologyProperty], value: Stretch, parts: Sequence[Part]) -> list[Part]:
    """Known names of the range inside a longer text ("Switched to PyTorch"), where it isn't a name as a whole."""
    if all(isinstance(p.value, EntityName) or p.value is None for p in parts):
        return []
    inner = mentioned(source, value, [r for p in found for r in p.ranges])
    names = [part.at.text for part in inner]
    return [_with_tail(value, part) if names.count(part.at.text) > 1 else part for part in inner]


_TAIL = re.compile(r"\s+(?:within|across|between|in|on|at|of|for|over|by|through)\s+[^,;+()]*[^\s,;+()]")


def _with_tail(value: Stretch, part: Part) -> Part:
    """A name given twice with the words that tell the two apart ("checks within the tower + checks across the bay")."""
    tail = _TAIL.match(value.inline.text, part.at.end, value.end)
    return replace(part, at=Stretch(part.at.inline, part.at.start, tail.end())) if tail else part


def mentioned(source: Source, stretch: Stretch, ranges: Sequence[str]) -> list[Part]:
    """Names in a stretch that are known to be of one of the classes."""
    result = []
    for mention in source.names_in(stretch):
        at = bare_name(source, stretch.part(mention.start, mention.end))
        classes = classes_of_mention(source, mention.value, at.text)
        common = bool(source.ontology.by_label(at.text, "class"))  # "GPUs" names a class, not one of its members
        if classes and ranges and not common and allows(source.ontology, ranges, classes):
            result.append(Part(EntityName(at.text, classes), at))
    return result


_PLURAL_CODE = re.compile(r"\d[A-Za-z]{0,2}s$")


def bare_name(source: Source, at: Stretch) -> Stretch:
    """A name without the plural of a code ("A100s") and without a class's label behind it ("P100 GPUs")."""
    words = at.text.split()
    if len(words) > 1 and source.ontology.by_label(words[-1], "class") and source.words.is_name(" ".join(words[:-1])):
        at = at.part(0, at.text.rindex(words[-1])).strip()
    return at.part(0, len(at.text) - 1) if _PLURAL_CODE.search(at.text) else at


# --- quantities that name their property themselves -----------------------------------------------


def by_noun(source: Source, part: Part, classes: Sequence[str], label: Label | None = None) -> Iterator[Fact]:
    """A quantity under the property that its noun names ("1.5B parameters").

    With no such property: an open one, the noun of what is counted without the names in it ("NVIDIA V100 GPUs" →
    "GPUs"), or the label over it if the noun is a name; of a sum of money without a noun, "amount".
    """
    value = part.value
    if not isinstance(value, Quantity):
        return
    known = _known_by_noun(source, part, classes)
    plain = replace(part, noun="")
    counted = part.noun or value.noun
    named = counted if value.unit else open_noun(source, counted)  # of "2 tsp Garlic powder" the garlic counts too
    noun = "" if counted.endswith("ed") else named
    if known is not None:
        yield Fact(Property(predicate_of(known), _noun_span(part, counted)), plain)
    elif (measured := _by_unit(source, value, classes)) is not None:
        yield Fact(Property(predicate_of(measured), label.spans if label else ()), plain)
    elif noun and label is not None and source.words.sure(noun):
        yield Fact(Property(Predicate(label.text), label.spans), plain)
    elif noun:
        yield Fact(Property(Predicate(noun), _noun_span(part, noun)), plain)
    elif (value.unit or "").startswith("CCY_"):
        found = [p for p in candidates(source, label_of("amount"), classes) if fits(source.ontology, p, part)]
        yield Fact(Property(predicate_of(found[0]) if found else Predicate("amount")), plain)
    if value.noun:
        yield from kinds_counted(source, part, classes)


_COMMON_DIMENSIONS = ("ratio", "time")  # of these a class has many properties, declared or not


def _by_unit(source: Source, value: Quantity, classes: Sequence[str]) -> OntologyProperty | None:
    """The only property of the subject's classes that is measured in such a unit ("400 Gb/s of lines")."""
    if value.unit is None or not classes or value.unit.startswith("CCY_"):
        return None
    ontology = source.ontology
    try:
        measure = dimension(value.unit)
        found = [
            p
            for p in ontology.properties.values()
            if p.canonical_unit
            and dimension(p.canonical_unit) == measure
            and any(d in ontology.superclasses(c) for d in p.domains for c in classes)
        ]
    except BadInput:
        return None
    return found[0] if len(found) == 1 and measure not in _COMMON_DIMENSIONS else None


def kinds_counted(source: Source, part: Part, classes: Sequence[str]) -> Iterator[Fact]:
    """Known names in a counted noun under the one property that leads from the subject to such things by the noun."""
    value = part.value
    assert isinstance(value, Quantity)
    last = value.noun.split()[-1]
    leading = _leading(source, (value.noun, last, f"{last} type"), classes) or _leading(
        source, _labels_above(source, value.noun), classes
    )
    for property_ in leading[:1]:
        for name in mentioned(source, _with_noun(part), property_.ranges):
            yield Fact(Property(predicate_of(property_), ()), name)


def _leading(source: Source, texts: Sequence[str], classes: Sequence[str]) -> list[OntologyProperty]:
    """The properties that lead to things, by their labels."""
    found = [p for text in texts for p in candidates(source, label_of(text), classes)]
    return [p for p in found if kind_wanted(p) is Kind.NAME]


def _labels_above(source: Source, name: str) -> list[str]:
    """The labels of what a name's thing is ("Skerry 3": lamp), the narrowest first."""
    labels = dict.fromkeys(source.ontology.classes[iri].label for iri in _classes_above(source, name))
    return [text for label in labels for text in (label, f"{label} type")]


def _classes_above(source: Source, name: str) -> list[str]:
    """A name's classes and those above them."""
    ontology = source.ontology
    above = [iri for kind in classes_of(source, name) for iri in (kind, *ontology.superclasses(kind))]
    return [iri for iri in dict.fromkeys(above) if iri in ontology.classes]


def _with_noun(part: Part) -> Stretch:
    """The stretch of a figure and of what it counts."""
    assert isinstance(part.value, Quantity)
    inline, noun = part.at.inline, part.value.noun
    found = inline.text.find(noun, part.at.start)
    if found < 0 and noun:  # a bracket may stand within it: "8 Kappa-3 (brass) lamps"
        apart = re.compile(r"\s+(?:\([^()]*\)\s*)?".join(map(re.escape, noun.split()))).search(
            inline.text, part.at.start
        )
        return Stretch(inline, part.at.start, max(part.at.end, apart.end() if apart else 0))
    return Stretch(inline, part.at.start, max(part.at.end, found + len(noun)))


def open_noun(source: Source, noun: str) -> str:
    """The noun without the names before its common words; an acronym that qualifies them stays ("CPU cores")."""
    words = noun.split()
    names = [i for i, w in enumerate(words[:-1]) if source.words.proper(w) and not (w.isupper() and w.isalpha())]
    return " ".join(words[names[-1] + 1 :] if names else words)


def _noun_span(part: Part, phrase: str) -> tuple[Span, ...]:
    inline, at = part.at.inline, part.at.start
    found = inline.text.find(phrase, at) if phrase else -1
    return (inline.source(found, found + len(phrase)),) if 0 <= found <= part.at.end + 2 else ()


def claims_of(
    source: Source, extractor: str, about: About, found: Iterable[Fact], frame: Frame, factor: float = 1.0
) -> Iterator[Claim]:
    """Claims of facts about one thing. A stage's dates bound it; alternatives of one value aren't stated as facts."""
    for fact in found:
        part = fact.part
        own = replace(frame, valid_from=part.since or frame.valid_from, valid_until=part.until or frame.valid_until)
        subject = about
        if part.about is not None and isinstance(part.value, Quantity) and (other := _named_by(source, part.about)):
            subject = other
        given = Given.of(part.value, part.at, part.hedge)
        yield claim(source, extractor, subject, fact.property, given, own, scaled(extractor, factor))


def _named_by(source: Source, bracket: Stretch) -> About | None:
    """The thing that a bracket behind a stage names ("117M (GPT-1)")."""
    part = name_or_text(source, bracket)
    if isinstance(part.value, EntityName) and len(part.value.surface.split()) <= 3:
        return About(part.value, (bracket.span,))
    return None
