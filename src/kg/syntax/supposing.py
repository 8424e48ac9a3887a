"""Clauses on which another one depends: "if it rains", "unless …", "once a project begins"."""

from __future__ import annotations

from collections.abc import Iterator

from kg.syntax.doings import Sentence
from kg.syntax.lemmas import base
from kg.text.words import word_set

_CONDITIONS = word_set("if unless provided providing lest whether assuming")
_TIMES = word_set("when whenever once until till where wherever while before after as")
_LEADING = word_set("when whenever where wherever")
"""These lead a clause even where the tree hangs them on the other as adverbs; "once" and "before" are adverbs too."""
_PAST = word_set("was were had did")
_NOT_PAST = word_set("is are has have does do can may must shall should will be ’s 's ’ve 've")


def conditions_of(sentence: Sentence, clause: int) -> tuple[int, ...]:
    """The heads of clauses without which what a clause tells isn't told.

    Times count in what is told for any time ("the lamp turns red when it is hot"), not in a story ("when she died,
    he sold it"). What stands before the first of joined clauses holds for all of them.
    """
    return tuple(_found(sentence, clause))


def depends(sentence: Sentence, clause: int) -> bool:
    """Whether a clause itself is only such a condition ("when the travel requires a stay")."""
    return sentence.label(clause).startswith("advcl") and _supposes(sentence, clause, _of_past(sentence, clause))


def _supposes(sentence: Sentence, clause: int, past: bool) -> bool:
    marks = {sentence.word(b) for b in sentence.of(clause, "mark", "advmod")}
    given = sentence.word(clause) in ("provided", "given")
    return bool(marks & _CONDITIONS) or (bool(marks & _TIMES) and not past) or given


def _found(sentence: Sentence, clause: int) -> Iterator[int]:
    told = _of_past(sentence, clause)
    for other in sentence.of(clause, "advcl", "advcl:relcl"):
        if _supposes(sentence, other, told):
            yield other
    for adverb in sentence.of(clause, "advmod"):
        if sentence.word(adverb) in _LEADING and not told:
            yield adverb
        # "as long as the mill stands": the clause hangs on the adverb
        yield from (other for other in sentence.of(adverb, "advcl") if _supposes(sentence, other, told))
    head = sentence.parsed.heads[clause]
    if sentence.label(clause) == "conj" and head >= 0:
        yield from (other for other in _found(sentence, head) if other < head)


def _of_past(sentence: Sentence, clause: int) -> bool:
    """Whether a clause tells what was."""
    helping = {sentence.word(b) for b in sentence.of(clause, "aux", "aux:pass", "cop")}
    if helping & (_PAST | _NOT_PAST):
        return bool(helping & _PAST)
    word = sentence.word(clause)
    return not word.endswith(("s", "ing")) and base(word, lambda _: False) != word
