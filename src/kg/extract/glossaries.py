"""Lists of terms with what they mean: each term is a subject of its own, whatever heading it stands under."""

from __future__ import annotations

import re

from kg.extract.build import About
from kg.extract.bullets import Bullet, KeyValue, key_value
from kg.extract.source import Placed, Source
from kg.extract.subjects import thing_likely, title_of
from kg.extract.values import items
from kg.extract.words import WORD
from kg.model import Predicate
from kg.namespaces import SKOS
from kg.text.cell_values import leading_quantity, whole_date
from kg.text.stretch import Stretch

DEFINITION = Predicate("definition", SKOS + "definition")
_GLOSSARY = re.compile(
    r"\b(?:glossary|terms?|terminology|definitions?|vocabulary|nomenclature|abbreviations|acronyms|concepts?)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 3
_SURELY_THING = 0.7


def is_glossary(source: Source, placed: Placed) -> bool:
    """Whether a block stands right under a heading that announces terms ("Glossary", "Key Concepts")."""
    title = title_of(source, placed.sections[-1]) if placed.sections else None
    return title is not None and bool(_GLOSSARY.search(title.topic.text))


def explains_term(source: Source, bullet: Bullet, pair: KeyValue, about: About) -> bool:
    """Whether a key is a term and its value what it means, not a property of the heading's thing and its value.

    So it is in a glossary, and in a list of such pairs that stands under a topic, which has no properties.
    """
    if not _is_meaning(source, pair.value):
        return False
    if is_glossary(source, bullet.placed):
        return True
    pairs = [key_value(sibling) for sibling in bullet.siblings]
    meanings = sum(p is not None and _is_meaning(source, p.value) for p in pairs)
    return len(pairs) > 1 and all(pairs) and meanings == len(pairs) and _is_of_topic(source, bullet.placed, about)


def _is_meaning(source: Source, value: Stretch) -> bool:
    """Whether a value is words that tell what something is: no figure, no date, no names."""
    if len(WORD.findall(value.text)) < _LEAST_WORDS or leading_quantity(value.text) is not None:
        return False
    return whole_date(value) is None and not items(source, value) and not source.words.is_name(value.text)


def _is_of_topic(source: Source, placed: Placed, about: About) -> bool:
    """Whether what a block is told of is but the words of the heading right above it, which doesn't surely name it."""
    last = placed.sections[-1] if placed.sections else None
    title = title_of(source, last) if last is not None else None
    if last is None or title is None or not any(last.start <= start < last.end for start, _ in about.spans):
        return False
    return not about.classes and thing_likely(source, last, placed.sections[:-1], title) < _SURELY_THING
