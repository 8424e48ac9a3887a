"""Things that have no name of their own, but an owner who has: "Fastnet's own stone towers", "the Kiel Board's chart".

And pieces of code that are spelt like names ("`lamp-trim`"). Both may be arguments of a phrase as names are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.extract.arguments import Mention
from kg.extract.source import Source
from kg.extract.values import Part
from kg.extract.words import word_set
from kg.model import EntityName, MarkKind
from kg.ontology import singular
from kg.text.entities import EntityMention
from kg.text.found import Found
from kg.text.stretch import Stretch

_OWNED = re.compile(r"[’']s?\s+(?P<noun>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})")
_GOES_ON = re.compile(
    r"\s*(?:[.,;:()—–\"”]|-{2,3}|$)|\s+(?:is|are|was|were|has|have|had|will|would|can|could|may|might|did|does|in|on|at|for|"
    r"from|to|with|by|near|and|or|as|since|until|during|when|where|while|which|that|who|before|after|[a-z]+ed|\d[\d,.]*)\b"
)
_VERB = re.compile(r"\s+(?:in|on|at|for|from|to|with|by|near|as|\d[\d,.]*)\b")
_NO_NOUN = word_set("and or of in on at for from to with by as not no is are was were has have had that")
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
        if _NO_NOUN.intersection(words[:last]) or not _GOES_ON.match(text, end):
            continue
        if phrase.endswith("s") and _VERB.match(text, end):
            continue  # "Fastnet's lamp burns on oil"
        classes = _classes(source, words[:last])
        if classes:
            at = sentence.part(owner.start, end)
            return Mention(owner.start, end, Part(EntityName(at.text, classes), at))
    return None


def _classes(source: Source, words: list[str]) -> tuple[str, ...]:
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
