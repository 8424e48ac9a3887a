"""The arguments of a phrase: mentions right before and behind its words, with those joined to them in a list.

Also things that have no name of their own, but an owner who has ("Fastnet's own stone towers", "the Kiel Board's
chart"), and pieces of code that are spelt like names ("`lamp-trim`").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.extract.classify import lineage
from kg.extract.phrases import Phrase
from kg.extract.properties import allows, fits, kind_wanted
from kg.extract.source import Source
from kg.extract.values import PLACE, Kind, Part
from kg.extract.words import word_set
from kg.model import DateValue, EntityName, MarkKind, Quantity
from kg.ontology import singular
from kg.text.entities import EntityMention
from kg.text.stretch import Found, Stretch

_LEFT_GAP = re.compile(
    r"[\"”’]?\s*(?:\([^()]*\)\s*)?(?:et al\.?\s*|and others\s*)?"
    r"(?:,\s(?:an?|the|which|who|where)\s[^,.;:()]{3,80},\s*)?"
    r"(?:,?\s*(?:which|that|who)\b)?(?:\s*\b(?:not|never|no longer|"
    r"also|now|then|still|first|later|once|originally|reportedly|likely|probably|at least|has|have|had|will|would|"
    r"can|could|may|might|(?:seems?|appears?|is said|are said) to|\w{2,}ly)\b)*\s*"
)
_NO_ADJECTIVE = (
    r"(?!(?:no|not|neither|any|every|fewer|less|other|another|that|which|who|of|in|on|at|by|behind|for|from|with|and|or|"
    r"to|as|than)\b)"
)
_RIGHT_GAP = re.compile(
    r"[\s\"“‘'(]*(?:(?:the|an?|its|their|his|her|our|some|about|around|over|more than|at least|nearly|up to|only|just|"
    r"both|approximately|roughly|~|\w{2,}ly)\s+)*(?:[a-z][a-z-]*\s+(?:from|of|in|by|called|named)\s+(?:the\s+)?)?"
    # "the very first Corran Light", "Fastnet's Corran Light"
    rf"(?:(?<=the\s)(?:{_NO_ADJECTIVE}[a-z][\w-]*\s+){{1,2}}|[A-Z][\w.-]*(?:\s[A-Z\d][\w.-]*){{0,3}}[’']s\s+(?:own\s+)?)?"
    r"(?:(?:President|Minister|Senator|Governor|Mayor|Professor|Dr\.?|Mr\.?|Mrs\.?|Ms\.?|Sir|Dame|King|Queen)\s+)?"
    r"[\"“‘'(]*"
)
_DASHED = re.compile(r"[\"”’]?\s*(?:—|–|-{2,3}|,)\s*")
_AND = re.compile(
    r"(?:\s*\([^()]*\))?(?:\s*,\s*(?:and\s+|plus\s+|(?:but\s+)?not\s+)?(?:the\s+)?|\s+(?:and|plus|&)\s+(?:the\s+)?)|"
    r"\s*\+\s*"
)
_AND_NEXT = re.compile(  # "by Fastnet Works engineers, Bo Lund and by the Rolf Works"
    r"(?:\s[a-z]+)?(?:\s*,\s*(?:and\s+|plus\s+|(?:but\s+)?not\s+)?|\s+(?:and|plus|&)\s+|\s*\+\s*)"
    r"(?:(?:on|in|by|with|at|from|for)\s+)?(?:the\s+)?"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A possible argument: offsets in the sentence, the value."""

    start: int
    end: int
    part: Part
    person: bool = False


def behind(found: list[Mention], verb: re.Match[str]) -> list[Mention]:
    """The mentions without a verb that the sentence's first capital has made part of a name ("Built Corran Light")."""
    cut = []
    for mention in found:
        value, start = mention.part.value, verb.end()
        if isinstance(value, EntityName) and mention.start <= verb.start() and start < mention.end:
            at = mention.part.at.part(start - mention.start).strip()
            named = EntityName(at.text, value.classes)
            cut.append(Mention(mention.end - len(at.text), mention.end, Part(named, at)))
        else:
            cut.append(mention)
    return cut


def takes(source: Source, phrase: Phrase, part: Part) -> bool:
    """Whether what a mention says may be the right argument of a phrase, by its form and class."""
    property_ = source.ontology.properties[phrase.iri]
    if phrase.first == "subject":
        return fits(source.ontology, property_, part)
    named = isinstance(part.value, EntityName)
    return named and allows(source.ontology, property_.domains, part.classes)


def precedes(before: re.Pattern[str], text: str, at: int) -> bool:
    """Whether the words that a phrase has in front end right before a place."""
    return any(re.fullmatch(r"\s*(?:the\s+|an?\s+)?", text[m.end() : at]) for m in before.finditer(text[:at]))


def left_of(text: str, at: int, found: list[Mention], dashed: bool = False) -> tuple[Mention, ...]:
    """The mention that ends right before a place, and those joined to it by commas and "and".

    ``dashed``: a dash may stand between, as before a participle (""The Lamp" — featuring Ada Wren").
    """
    gaps = (_LEFT_GAP, _DASHED) if dashed else (_LEFT_GAP,)
    ending = [m for m in found if m.end <= at and any(gap.fullmatch(text[m.end : at]) for gap in gaps)]
    if not ending:
        return ()
    last = max(ending, key=lambda m: (m.end, m.end - m.start))
    chain = [last]
    while True:
        joined = [m for m in found if m.end <= chain[0].start and _AND.fullmatch(text[m.end : chain[0].start])]
        joined = [m for m in joined if type(m.part.value) is type(last.part.value)]
        if not joined:
            return tuple(chain)
        chain.insert(0, max(joined, key=lambda m: m.end - m.start))


def right_of(source: Source, phrase: Phrase, text: str, at: int, found: list[Mention]) -> tuple[Mention, ...]:
    """The mention that starts right after a place and has the form wanted, with those joined to it."""
    property_ = source.ontology.properties[phrase.iri]
    wanted = kind_wanted(property_) if phrase.first == "subject" else Kind.NAME
    fitting = [m for m in found if m.part.kind is wanted]
    starting = [m for m in fitting if m.start >= at and _RIGHT_GAP.fullmatch(text[at : m.start])]
    owner = phrase.literals.get("after", "").startswith("['’]s")
    starting = [m for m in starting if owner or not _attributive(text, at, m)]
    after = phrase.pattern("after")
    if after is not None:  # the phrase itself says what the name modifies
        starting = [m for m in starting if followed(after, text, m)]
    elif not owner:
        starting = [m for m in starting if not _modifies(source, text, at, m)]
    if not starting:
        return ()
    chain = [min(starting, key=lambda m: (m.start, -m.end))]
    place = bool(PLACE.search(property_.label))  # "Kiel, Germany" is one
    while after is None and not place:
        joined = [m for m in fitting if m.start >= chain[-1].end and _AND_NEXT.fullmatch(text[chain[-1].end : m.start])]
        if not joined:
            break
        chain.append(max(joined, key=lambda m: m.end - m.start))
    return tuple(chain)


_NO_NOUN = r"(?!(?:and|or|but|by|in|on|at|for|from|to|with|as|when|where|while|after|before|until)\b)"
_NOUN = re.compile(rf"\s+{_NO_NOUN}[a-z]")


def _attributive(text: str, at: int, mention: Mention) -> bool:
    """Whether a mention only goes with a noun: "Kiel's harbour" isn't Kiel, nor "the 1901 survey" 1901."""
    if isinstance(mention.part.value, DateValue):
        led = re.search(r"\b(?:the|an?|its|their)\s+$|[’']s\s+$", text[at : mention.start])
        return led is not None and _NOUN.match(text, mention.end) is not None
    return re.match(r"[’']s\s+\w", text[mention.end :]) is not None


_LED = re.compile(r"\b(?:the|an?|its|their)\s+$")
# "She led Alma rebuilding": a part of the work on something. A body's department, though, stands for the body.
_WORK = re.compile(
    r"\s+(?!(?:engineering|marketing|accounting|manufacturing|publishing|consulting|management|department)\b)"
    r"(?:[a-z]+-)?[a-z]{3,}(?:ing|tion|ment)\s*(?:[.,;:)]|$|and\s|until\s)"
)
_GERUND_AND_HEAD = re.compile(rf"\s+[a-z]{{2,}}ing\s+{_NO_NOUN}(?P<head>[a-z]{{3,}})\b")


def _modifies(source: Source, text: str, at: int, mention: Mention) -> bool:
    """Whether a name only says which one of another kind: "the Kubernetes scaling tools" aren't Kubernetes."""
    value = mention.part.value
    if not isinstance(value, EntityName) or not value.classes:
        return False
    if _WORK.match(text, mention.end):
        return True
    head = _GERUND_AND_HEAD.match(text, mention.end) if _LED.search(text[at : mention.start]) else None
    if head is None:
        return False
    above = lineage(source.ontology, value.classes)
    return not any(c.iri in above for c in source.ontology.by_label(singular(head["head"]), "class"))


def followed(after: re.Pattern[str], text: str, mention: Mention) -> bool:
    """Whether the words after the argument follow, within the noun that a quantity counts or right behind it."""
    value = mention.part.value
    noun = value.noun if isinstance(value, Quantity) else ""
    if noun and after.search(noun):
        return True
    found = after.search(text, mention.end)
    return found is not None and len(text[mention.end : found.start()].split()) <= 3


# --- things of no name --------------------------------------------------------------------------------

_OWNED = re.compile(r"[’']s?\s+(?P<noun>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})")
_GOES_ON = re.compile(
    r"\s*(?:[.,;:()—–\"”]|-{2,3}|$)|\s+(?:is|are|was|were|has|have|had|will|would|can|could|may|might|did|does|in|on|at|for|"
    r"from|to|with|by|near|and|or|as|since|until|during|when|where|while|which|that|who|before|after|[a-z]+ed|\d[\d,.]*)\b"
)
_GOVERNS = re.compile(r"\s+(?:in|on|at|for|from|to|with|by|near|as|\d[\d,.]*)\b")
_NO_OWNED = word_set("and or of in on at for from to with by as not no is are was were has have had that")
_CODE = re.compile(r"[a-z][a-z\d]*(?:[-_.][a-z\d]+)+")


def owned(source: Source, sentence: Stretch, owner: Found[EntityMention]) -> Mention | None:
    """What a name owns, if the noun that ends the phrase is a class's: as a thing so called, owner and all.

    Nothing where the phrase goes on with "of …", whose noun it may be, or with another noun.
    """
    text = sentence.text
    found = _OWNED.match(text, owner.end)
    if found is None or owner.value.surface.endswith(("’s", "'s")):
        return None
    words = found["noun"].split()
    for last in range(len(words), 0, -1):
        phrase = " ".join(words[:last])
        end = found.start("noun") + len(phrase)
        if _NO_OWNED.intersection(words[:last]) or not _GOES_ON.match(text, end):
            continue
        if phrase.endswith("s") and _GOVERNS.match(text, end):
            continue  # "Fastnet's lamp burns on oil"
        classes = _classes_named(source, words[:last])
        if classes:
            at = sentence.part(owner.start, end)
            return Mention(owner.start, end, Part(EntityName(at.text, classes), at))
    return None


def _classes_named(source: Source, words: list[str]) -> tuple[str, ...]:
    """The classes that the end of a noun phrase names, of several words or its last one."""
    ontology = source.ontology
    for start in range(len(words)):
        noun = " ".join((*words[start:-1], singular(words[-1])))
        if found := ontology.by_label(noun, "class") or ontology.by_label(" ".join(words[start:]), "class"):
            return ontology.most_specific(c.iri for c in found)
    return ()


def coded(sentence: Stretch) -> Iterator[Mention]:
    """Pieces of code that are one word with a joint in it ("`lamp-trim`", "`lamp.trim`")."""
    for code, _ in sentence.marked(MarkKind.CODE):
        if _CODE.fullmatch(code.text):
            start = code.start - sentence.start
            yield Mention(start, start + len(code.text), Part(EntityName(code.text), code))
