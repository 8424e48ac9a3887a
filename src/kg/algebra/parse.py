"""From a question to forms over one table, ranked by learned weights, with how sure the best of them is."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from kg.algebra.compose import Beam, Candidate, Composer
from kg.algebra.evaluate import Result
from kg.algebra.features import Asked, Features
from kg.algebra.forms import Form
from kg.algebra.links import Likeness, Linked, Question, question
from kg.errors import ModelUnavailable

# --- Learned weights: how much each feature of a form speaks for it, and how sure the best form is

SHIPPED = Path(__file__).with_name("ranker.json")


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """``weights`` of features; ``sure``: of what a best form is judged by, with ``""`` for the constant."""

    weights: Mapping[str, float]
    sure: Mapping[str, float]

    @classmethod
    @cache
    def load(cls, file: Path = SHIPPED) -> Ranker:
        """The weights in a file; those of the package without one. Raises ModelUnavailable."""
        try:
            held = json.loads(file.read_text(encoding="utf-8"))
            weights, sure = ({str(name): float(w) for name, w in held[part].items()} for part in ("weights", "sure"))
            return cls(weights, sure)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            hint = "name a file made by training.algebra.fit"
            raise ModelUnavailable(f"{file} holds no weights of forms: {error}", hint) from error

    def score(self, features: Features) -> float:
        """What a part adds to a form's log-odds; features that have no weight count nothing."""
        get = self.weights.get
        total = 0.0
        for name, value in features.items():
            weight = get(name)
            if weight is not None:
                total += weight * value
        return total

    def chance(self, features: Mapping[str, float]) -> float:
        """The probability that a best form is right."""
        odds = self.sure.get("", 0.0) + sum(self.sure.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


NARROW = Beam(filtered=16, chosen=48, columns=8, forms=1200)
_BOUNDED = 12.0


@dataclass(frozen=True, slots=True)
class Parse:
    """A result with the best of the forms that give it. ``share``: of the probability of all forms.

    ``chance``: that it is right, calibrated; ``features``: what that is judged by.
    """

    form: Form
    result: Result
    score: float
    share: float
    chance: float
    features: Features


class Parser:
    """Parses questions over tables. ``likeness`` is None where no embedding model is installed."""

    def __init__(self, ranker: Ranker | None = None, likeness: Likeness | None = None, beam: Beam = NARROW) -> None:
        """The packaged weights, without any named. Raises ModelUnavailable."""
        self.ranker = ranker or Ranker.load()
        self.likeness, self.beam = likeness, beam

    def parse(self, text: str, linked: Linked, about: frozenset[str] = frozenset(), most: int = 3) -> list[Parse]:
        """The likeliest results with different values, best first; ``about``: stems that name the table itself."""
        asked = self.asked(text, linked, about)
        composer = Composer(asked, self.ranker.score, self.beam)
        found = composer.candidates()
        if not found:
            return []
        groups = _grouped(found)[: most + 1]
        return [
            Parse(best.form, best.result, best.score, share, self.ranker.chance(own), own)
            for (best, share), own in zip(groups[:most], judged(asked, composer, groups), strict=False)
        ]

    def asked(self, text: str, linked: Linked, about: frozenset[str] = frozenset()) -> Asked:
        """A question on a table, with its links."""
        read = question(text)
        if about:
            read = without(read, about)
        likeness = self.likeness.of(read, linked.table) if self.likeness is not None else None
        return Asked(read, linked, linked.links(read), likeness)


def without(read: Question, about: frozenset[str]) -> Question:
    """The question with words that what stands above the table says too needing no further account."""
    said = sum(1 << n for n, word in enumerate(read.words) if word.stem in about)
    return replace(read, content=read.content & ~said)


Group = tuple[Candidate, float]


def _grouped(found: Sequence[Candidate]) -> list[Group]:
    """Candidates with equal results as one, each with its share of the probability, the likeliest first."""
    top = found[0].score
    weights: dict[object, float] = {}
    best: dict[object, Candidate] = {}
    for one in found:
        key = value_of(one.result)
        weights[key] = weights.get(key, 0.0) + math.exp(one.score - top)
        best.setdefault(key, one)
    total = sum(weights.values())
    # The order is that of the best forms: many poor forms that agree don't make a good one.
    ordered = sorted(best, key=lambda key: (-best[key].score, _spelt(key)))
    return [(best[key], weights[key] / total) for key in ordered]


def _spelt(value: object) -> str:
    """A value as text that is the same in every process, as a set's own isn't."""
    return "\n".join(sorted(value)) if isinstance(value, frozenset) else str(value)


def value_of(result: Result) -> object:
    """What equal results share."""
    if result.texts:
        return frozenset(text.casefold() for text in result.texts)
    return result.number if result.truth is None else result.truth


def judged(asked: Asked, composer: Composer, groups: Sequence[Group]) -> list[Features]:
    """Of each result what its chance is judged by."""
    content = max(1, asked.question.content.bit_count())
    found = []
    for n, (one, share) in enumerate(groups):
        other = groups[1 if n == 0 else 0][0].score if len(groups) > 1 else one.score - _BOUNDED
        own = {
            "share": share,
            "odds": math.log(max(1e-6, share) / max(1e-6, 1 - share)),
            "gap": max(-_BOUNDED, min(_BOUNDED, one.score - other)),
            "score": max(-_BOUNDED, min(_BOUNDED, one.score)),
            "forms": math.log1p(len(groups)),
            "rows": math.log1p(asked.linked.table.size),
            "words": math.log1p(content),
        }
        for part in one.parts:
            for name, value in composer.parts[part].items():
                if name == "O:left-share":
                    own["left-share"] = value
                elif name.startswith(("O:values-left=", "O:heads-left=", "O:left=")):
                    left, _, count = name[2:].partition("=")
                    own[left] = float(count)
                elif name.startswith("S:") and "&" not in name:
                    own[f"shape={name[2:].partition('(')[0]}"] = 1.0
        linked = [link for link in asked.links if link.mask & asked.named]
        own["linked"] = float(bool(linked))
        own["likest"] = max(asked.likeness) if asked.likeness else 0.0
        own["head"] = max((head.share for head in asked.heads), default=0.0)
        found.append(own)
    return found
