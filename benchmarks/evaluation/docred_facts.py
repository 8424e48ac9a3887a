"""``kg evaluate docred-facts``: facts from raw text, on documents laid out as Re-DocRED is (Tan et al. 2022).

No mention is given: names, dates and amounts are found by the rules and joined by :mod:`kg.resolution` within a
document; a relation model is asked for 95 of DocRED's 96 relations (Yao et al. 2019). There are two ways of reading:

- *As a build* (``--build``): a document goes through the reader, all extractors with :mod:`kg.relations.prose` and
  resolution, with an ontology that says what the relations say. Other than in a build, each document is a library of
  its own and the model speaks at several thresholds, not at that of ``KG_RELATION_PRECISION``.
- *Together*: the model scores every pair of names that stand in so many neighbouring sentences (``--sentences``; 0: in
  the document), and a pair of entities is as likely as the likeliest pair of their names. No build does this: one reads
  a sentence at a time, lets the model choose the spans, and keeps no fact of a negated or supposed clause.

How it is scored, strictly:

- An entity of ours meets the gold entity at one of whose mentions a name of ours stands exactly, or else that is
  written like it somewhere (:func:`kg.text.names.name_key`); of several the one that most names of ours meet.
- A fact (head, relation, tail) is right if the labels hold it of the gold entities that its ends meet; one with an
  end that meets none is wrong. Said twice, of whatever names, it counts once, and so does a gold fact.
- Micro precision, recall and F1 over documents. (Ign F1 needs DocRED's training part and isn't given.)

*Crossed* figures have no threshold chosen on what they measure: the best of the first half of the documents is used on
the second half, and the other way round. Beside them: the share of gold facts with both ends among the entities found,
which recall can't exceed, with both ends named in one sentence, and with both of these.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.evaluation.docred_reading import (
    FLOOR,
    Paper,
    Said,
    Span,
    Stepwise,
    built,
    entities,
    ontology,
    read,
    read_together,
)
from kg.errors import BadInput
from kg.relations.examples import opened
from kg.relations.files import read_about
from training.relations.redocred import RELATIONS

Figures = tuple[float, float, float]  # precision, recall, F1
_STEPS = tuple(step / 10 for step in range(int(10 * FLOOR), 41))
_SHOWN = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """Facts of a document as said, each once: log-odds and whether gold holds it; facts wanted."""

    said: tuple[tuple[float, bool], ...]
    wanted: int


def judged(paper: Paper, said: Iterable[Said]) -> Judged:
    """Each fact once, at its highest log-odds. Ends are known by the gold entities that they meet, or by themselves."""
    best: dict[tuple[object, str, object], float] = {}
    for one in said:
        key = _known(paper, one.head), one.relation, _known(paper, one.tail)
        best[key] = max(best.get(key, -math.inf), one.odds)
    return Judged(tuple((odds, key in paper.facts) for key, odds in best.items()), len(paper.facts))


def _known(paper: Paper, mentions: frozenset[Span]) -> object:
    met = paper.met(mentions)
    return mentions if met is None else met


def counts(documents: Iterable[Judged], threshold: float) -> tuple[int, int, int]:
    """Facts right, said and wanted, said from a threshold on."""
    right = said = wanted = 0
    for document in documents:
        kept = [is_right for odds, is_right in document.said if odds >= threshold]
        right, said, wanted = right + sum(kept), said + len(kept), wanted + document.wanted
    return right, said, wanted


def figures(counted: tuple[int, int, int]) -> Figures:
    """Precision, recall and F1.

    >>> figures((2, 4, 8)), figures((0, 0, 8))
    ((0.5, 0.25, 0.3333333333333333), (0.0, 0.0, 0.0))
    """
    right, said, wanted = counted
    return (right / said, right / wanted, 2 * right / (said + wanted)) if right else (0.0, 0.0, 0.0)


def best_threshold(documents: Sequence[Judged]) -> float:
    """The log-odds that give the best F1; of several the highest."""
    return max(_STEPS, key=lambda step: (figures(counts(documents, step))[2], step))


def crossed(documents: Sequence[Judged]) -> dict[str, tuple[float, Figures]]:
    """Thresholds and figures of each half with the other's best threshold, and figures of both together."""
    middle = len(documents) // 2
    halves = {"first_half": documents[:middle], "second_half": documents[middle:]}
    chosen = {"first_half": best_threshold(documents[middle:]), "second_half": best_threshold(documents[:middle])}
    counted = {name: counts(half, chosen[name]) for name, half in halves.items()}
    found = {name: (chosen[name], figures(of)) for name, of in counted.items()}
    both = tuple(one + other for one, other in zip(*counted.values(), strict=True))
    return found | {"crossed": (math.nan, figures((both[0], both[1], both[2])))}


def ceilings(papers: Iterable[Paper]) -> dict[str, float]:
    """Shares of gold facts: both ends found, both ends named in one sentence, both of these."""
    found = near = both = wanted = 0
    for paper in papers:
        met = {paper.met(spans) for spans in entities(paper)}
        had = {fact for fact in paper.facts if {fact[0], fact[2]} <= met}
        found, near, wanted = found + len(had), near + len(paper.near), wanted + len(paper.facts)
        both += len(had & paper.near)
    shares = {"both_found": found, "one_sentence": near, "both_found_in_one_sentence": both}
    return {name: count / max(1, wanted) for name, count in shares.items()}


# --- runs --------------------------------------------------------------------------------------------


def reader(model: Path, sentences: int | None) -> Callable[[Paper], tuple[Said, ...]]:
    """What reads documents: as a build does without a number of sentences, else so many together."""
    if sentences is None:
        schema, prose = ontology(RELATIONS), Stepwise(model)
        return lambda paper: built(paper, schema, prose)
    loaded = opened(model)
    known = loaded.know(RELATIONS)
    return lambda paper: read_together(paper, loaded, known, sentences)


def run(
    file: Path,
    first: int,
    last: int | None,
    model: Path | None,
    sentences: int | None,
    threshold: float | None,
    figures_file: Path | None,
    say: Callable[[str], None],
) -> dict[str, float]:
    """Measures documents and prints tables, then one line of names and values. Raises BadInput."""
    if model is None:
        raise BadInput("there is no model to measure", "name one with --model")
    papers, reading = read(file, first, last), reader(model, sentences)
    begun = time.process_time()
    documents = [judged(paper, reading(paper)) for paper in papers]
    took = (time.process_time() - begun) / max(1, len(papers))
    say(f"{len(papers)} documents, {sum(len(paper.facts) for paper in papers)} facts")
    say(f"{'log-odds':>10} {'P':>6} {'R':>6} {'F1':>6}")
    for step in _SHOWN:
        say(f"{step:10.1f} " + " ".join(f"{value:6.3f}" for value in figures(counts(documents, step))))
    named = crossed(documents) | {"best": (best := best_threshold(documents), figures(counts(documents, best)))}
    for precision, odds in sorted(read_about(model).thresholds.items()):
        named[f"from_{precision}"] = odds, figures(counts(documents, odds))
    if threshold is not None:
        named["given"] = threshold, figures(counts(documents, threshold))
    for name, (odds, of) in named.items():
        say(f"{name:12} {odds:6.2f} " + " ".join(f"{value:6.3f}" for value in of))
    found = {
        f"{name}_{part}": value
        for name, (_, of) in named.items()
        for part, value in zip(("p", "r", "f1"), of, strict=True)
    }
    found |= {f"{name}_threshold": odds for name, (odds, _) in named.items() if not math.isnan(odds)}
    found |= ceilings(papers) | {"seconds_per_document": took}
    if figures_file is not None:
        figures_file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    say(" ".join(f"{name} {value:.4g}" for name, value in found.items()))
    return found
