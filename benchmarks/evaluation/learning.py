"""Weights learned from questions with known rows: a log-linear ranker over readings, trained by averaged perceptron.

Learned besides: adjectives that hide a threshold on a number ("major" cities), which no vocabulary says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from benchmarks.evaluation.answer_rows import Cells, Question, compare
from kg.semantics.engine import Candidate, SemanticParser
from kg.semantics.graph import Ids
from kg.semantics.items import Adjective
from kg.semantics.logic import Bound, Things
from kg.text.tokens import tokens

_EPOCHS, _READINGS, _STEP = 5, 25, 0.04


def trained(parser: SemanticParser, questions: Sequence[Question], cells: Cells) -> SemanticParser:
    """The parser with weights learned from questions. The order of questions doesn't matter."""
    parser = parser.with_adjectives(adjectives(parser, questions, cells))
    examples = []
    for question in sorted((q for q in questions if q.rows is not None), key=lambda q: q.id):
        candidates = parser.candidates(question.text, _READINGS)
        right = [_is_right(parser, c, question, cells) for c in candidates]
        if any(right) and not all(right):
            examples.append((candidates, right))
    return parser.with_weights(_averaged(parser.weights, examples))


def adjectives(parser: SemanticParser, questions: Sequence[Question], cells: Cells) -> tuple[Adjective, ...]:
    """Words before a class's name that leave out things below a number, in at least two questions."""
    seen: dict[tuple[str, int], list[tuple[Ids, Ids]]] = defaultdict(list)
    for question in sorted((q for q in questions if q.rows is not None), key=lambda q: q.id):
        words = [t.text for t in tokens(question.text)]
        for at in range(len(words) - 1):
            classes = [m.id for m in parser.lexicon.classes((words[at + 1],)) if m.score >= 0.95]
            if classes and parser.is_unknown(words, at):
                text = " ".join((*words[:at], *words[at + 1 :]))
                if (split := _split(parser, text, question, cells, classes[0])) is not None:
                    seen[words[at], classes[0]].append(split)
    found = [_threshold(parser, word, splits) for (word, _), splits in sorted(seen.items()) if len(splits) > 1]
    return tuple(adjective for adjective in found if adjective is not None)


def _split(parser: SemanticParser, text: str, question: Question, cells: Cells, cls: int) -> tuple[Ids, Ids] | None:
    """Things that an answer without the adjective has, those that gold keeps apart from those it leaves out."""
    best = next(iter(parser.candidates(text, 1)), None)
    if best is None or best.item.cat != "S":
        return None
    members = parser.denote(best.item.set())
    if not members or not members <= parser.graph.classes[cls]:
        return None
    gold = {row[0] for row in question.rows or () if row}
    kept = frozenset(i for i in members if cells.cell(parser.graph.terms[i]) in gold)
    return (kept, members - kept) if kept or not gold else None


def _threshold(parser: SemanticParser, word: str, splits: Sequence[tuple[Ids, Ids]]) -> Adjective | None:
    """The number that parts what is kept from the rest with the fewest mistakes; None if over a twentieth are."""
    kept = frozenset(i for k, _ in splits for i in k)
    out = frozenset(i for _, o in splits for i in o) - kept
    best: tuple[int, int, float] | None = None
    for property_ in parser.schema.measures(Things(tuple(sorted(kept)), word)) if kept and out else ():
        path = ((property_, True),)
        high = sorted(max(v) for i in kept if (v := parser.denote.values(i, path)))
        low = sorted(max(v) for i in out if (v := parser.denote.values(i, path)))
        if len(high) < 0.9 * len(kept):
            continue
        for value in high:
            wrong = sum(h < value for h in high) + sum(x >= value for x in low)
            if best is None or (wrong, property_) < best[:2]:
                best = (wrong, property_, value)
    if best is None or best[0] > 0.05 * len(kept | out):
        return None
    return Adjective(word, ((best[1], True),), Bound(best[2], f"{best[2]:g}"))


def _is_right(parser: SemanticParser, candidate: Candidate, question: Question, cells: Cells) -> bool:
    assert question.rows is not None
    rows = parser.answered(question.text, candidate.form, 1.0).rows
    return rows is not None and compare(question.rows, cells.rows(rows), question.ordered)[0]


def _averaged(
    start: Mapping[str, float], examples: Sequence[tuple[Sequence[Candidate], Sequence[bool]]]
) -> dict[str, float]:
    """Averaged structured perceptron from the weights at hand."""
    weights, steps = dict(start), 0
    total: dict[str, float] = defaultdict(float)
    for _ in range(_EPOCHS):
        for candidates, right in examples:
            scores = [_score(weights, c.features) for c in candidates]
            guess = max(range(len(scores)), key=lambda i: (scores[i], -i))
            if not right[guess]:
                good = max((i for i in range(len(scores)) if right[i]), key=lambda i: (scores[i], -i))
                for name in weights:
                    change = candidates[good].features.get(name, 0.0) - candidates[guess].features.get(name, 0.0)
                    weights[name] += _STEP * change
            steps += 1
            for name, value in weights.items():
                total[name] += value
    return {name: total[name] / steps if steps else value for name, value in start.items()}


def _score(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in features.items())
