"""Which things a figure counts, told in a bracket behind it: "8 lamps (likely Kappa-3 or Kappa-4)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.extract.build import About, Frame, Given, Property, claim, scaled
from kg.extract.labels import label_of
from kg.extract.properties import candidates, kind_wanted, mentioned, predicate_of
from kg.extract.source import Source
from kg.extract.standing import hedge_of
from kg.extract.values import Kind, Part
from kg.model import Claim, EntityName, Hedge, Mood, Quantity
from kg.text.hedges import combine
from kg.text.stretch import Stretch

_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_EITHER = re.compile(r"\bor\b|/")


def kinds_in_bracket(
    source: Source, extractor: str, about: About, sentence: Stretch, counted: Part, frame: Frame
) -> Iterator[Claim]:
    """The known names in the bracket right behind a figure, under the property that its noun has for such things."""
    value, inline = counted.value, sentence.inline
    if not isinstance(value, Quantity) or not value.noun or not isinstance(about.name, EntityName):
        return
    after = inline.text.find(value.noun, counted.at.start)
    end = max(counted.at.end, after + len(value.noun)) if 0 <= after <= counted.at.end + 2 else counted.at.end
    bracket = _BRACKET.match(inline.text, end, sentence.end)
    if bracket is None:
        return
    last = value.noun.split()[-1]
    found = [
        p
        for text in (value.noun, last, f"{last} type")
        for p in candidates(source, label_of(text), about.name.classes)
        if kind_wanted(p) is Kind.NAME
    ]
    inner = Stretch(inline, bracket.start(1), bracket.end(1))
    names = mentioned(source, inner, found[0].ranges) if found else []
    either = Hedge(mood=Mood.ALTERNATIVE) if len(names) > 1 and _EITHER.search(inner.text) else Hedge()
    for name in names:
        hedge = combine(either, hedge_of(sentence.text, name.at.start - sentence.start, name.at.end - sentence.start))
        given = Given(name.value, name.at.span, name.at.text, hedge)
        plain = replace(frame, qualifiers=())
        yield claim(source, extractor, about, Property(predicate_of(found[0])), given, plain, scaled(extractor, 0.95))
