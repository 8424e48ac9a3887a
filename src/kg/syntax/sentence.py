"""A parsed sentence: the dependents of its words, its noun phrases, and clauses on which another one depends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from kg.syntax.lemmas import base
from kg.syntax.parser import Parsed
from kg.text.words import word_set

_OTHERWISE = word_set("or nor but rather not")


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence with the dependents of each word."""

    parsed: Parsed
    below: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.parsed.words]
        for place, head in enumerate(self.parsed.heads):
            if head >= 0:
                below[head].append(place)
        object.__setattr__(self, "below", tuple(tuple(row) for row in below))

    def word(self, place: int) -> str:
        """A word in lower case."""
        return self.parsed.words[place].lower()

    def label(self, place: int) -> str:
        """What an arc from its head makes of a word."""
        return self.parsed.labels[place]

    def of(self, place: int, *labels: str) -> tuple[int, ...]:
        """Dependents of a word under one of some labels; "obl" stands for "obl:agent" too."""
        return tuple(b for b in self.below[place] if self.label(b) in labels or self.label(b).split(":")[0] in labels)

    def joined(self, place: int) -> tuple[int, ...]:
        """A word and those joined to it by "and" or commas: none behind "or", "but" or "not"."""
        found = [place]
        for other in self.of(place, "conj"):
            leading = {
                self.word(b) for b in self.below[other] if self.label(b) in ("cc", "advmod", "case", "cc:preconj")
            }
            if leading & _OTHERWISE:
                break
            found += self.joined(other)
        return tuple(found)

    def preposition(self, place: int) -> str:
        """The words that lead an argument ("on", "because of"), in lower case; "" where none does."""
        cases = self.of(place, "case")
        if not cases:
            return ""
        return " ".join(self.word(b) for b in (cases[0], *self.of(cases[0], "fixed")))

    def between(self, one: int, other: int) -> frozenset[str]:
        """The words between two places, in lower case."""
        return frozenset(map(self.word, range(min(one, other) + 1, max(one, other))))

    def beside(self, place: int) -> int | None:
        """The word that a word stands beside ("Corran, a tower"), unless one of them is in brackets."""
        head = self.parsed.heads[place]
        return head if self.label(place) == "appos" and "(" not in self.between(place, head) else None

    def passive(self, verb: int) -> bool:
        """Whether a verb's subject is what it is done to."""
        if self.of(verb, "aux:pass"):
            return True
        if self.label(verb).startswith(("acl", "advcl")) and not self.of(verb, "aux", "mark", "nsubj"):
            return not self.word(verb).endswith("ing")
        if self.label(verb) == "root" and self.participle(verb) and not self.of(verb, "nsubj", "aux", "obj", "expl"):
            return True  # "Built by Ada Wren."
        if self.label(verb) == "conj" and self.participle(verb) and not self.of(verb, "nsubj", "aux", "obj"):
            return self.passive(self.parsed.heads[verb])
        return False

    def participle(self, verb: int) -> bool:
        """Whether a verb may be a past participle by its form."""
        return self.word(verb).endswith(("ed", "en", "t", "n", "d", "ht"))


# --- Clauses on which another one depends: "if it rains", "unless …", "once a project begins"

_CONDITIONS = word_set("if unless provided providing lest whether assuming")
_CONDITIONAL_TIMES = word_set("when whenever once until till where wherever while before after as")
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
    return bool(marks & _CONDITIONS) or (bool(marks & _CONDITIONAL_TIMES) and not past) or given


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


# --- Noun phrases of a parsed sentence: the words that keep to a head, in one piece, without what only adds to it

_OFTEN = word_set("often sometimes seldom almost always only")
"""Adverbs of how often and how far without "-ly", a closed class: they have the tag of adverbs that limit nothing."""

_NEVER_IN = (
    "acl:relcl", "parataxis", "discourse", "vocative", "dislocated", "reparandum", "orphan", "list", "advcl", "csubj",
    "expl", "cop", "aux", "mark", "advcl:relcl",
)  # fmt: skip


def limits(adverb: str) -> bool:
    """Whether an adverb tells how far or how often something holds."""
    return adverb in _OFTEN or adverb.endswith("ly")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words ``start`` … ``end`` (exclusive) with the one that heads them."""

    head: int
    start: int
    end: int


class Phrases:
    """The phrases of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        """Reads nothing yet."""
        self.tree = sentence
        self._words = sentence.parsed.words
        self._tags = sentence.parsed.tags

    def phrase(self, head: int, joined: bool = True) -> Phrase:
        """The words of a noun phrase in one piece, without its preposition and without what only adds to it."""
        inside = set(self._inside(head, joined))
        start = end = head
        while start - 1 in inside or (start - 2 in inside and self._glue(start - 1)):
            start -= 1
        while end + 1 in inside or (end + 2 in inside and self._glue(end + 1)):
            end += 1
        return self._trimmed(Phrase(head, start, self._end(head, end, inside)))

    def _end(self, head: int, end: int, inside: set[int]) -> int:
        """Where a phrase ends: before a bracket that closes it, and before a comma that a preposition follows."""
        while end + 1 < len(self._words) and self._words[end + 1] == "(":
            closing = next((i for i in range(end + 1, len(self._words)) if self._words[i] == ")"), None)
            if closing is None or closing + 1 not in inside:
                break
            end = closing + 1
            while end + 1 in inside or (end + 2 in inside and self._glue(end + 1)):
                end += 1
        for place in range(head + 1, end + 1):
            last = self._words[place] == "(" and not any(
                i in inside for i in range(place, end + 1) if ")" in self._words[place:i]
            )
            leads = self._words[place] == "," and place < end and self._tags[place + 1] == "ADP"
            if last or leads or self._words[place] == ";":
                return place
        return end + 1

    def _trimmed(self, phrase: Phrase) -> Phrase:
        """A phrase without punctuation, prepositional phrases and adverbs of its clause at its edges."""
        head, start, end = phrase.head, phrase.start, phrase.end
        if self._tags[start] == "ADP" and start < head:  # "In Rust, profiles"
            commas = [i for i in range(start, head) if self._words[i] == ","]
            start = commas[-1] + 1 if commas else start + 1
        while start < head and (
            self._tags[start] == "CCONJ" or (self._tags[start] == "PUNCT" and self._words[start] not in ("[", "“", '"'))
        ):
            start += 1
        while end - 1 > head and (
            (self._tags[end - 1] == "PUNCT" and self._words[end - 1] not in ("]", "”", '"'))
            or (self.tree.label(end - 1) == "advmod" and self.tree.parsed.heads[end - 1] == head)
        ):
            end -= 1
        return self._without_adverb(Phrase(head, start, end))

    def subject_phrase(self, head: int, joined: bool = True) -> Phrase:
        """A phrase as a subject: what a comma sets off behind its noun only adds to it."""
        phrase = self.phrase(head, joined)
        if joined and any(b > head for b in self.tree.of(head, "conj")):
            return phrase
        comma = next((i for i in range(head, phrase.end) if self._words[i] in (",", "–", "—")), phrase.end)
        return replace(phrase, end=comma)

    def _without_adverb(self, phrase: Phrase) -> Phrase:
        """A noun phrase without the adverb that goes with its clause ("also an author")."""
        first = phrase.start
        if first and self.tree.word(first) in ("least", "most") and self.tree.word(first - 1) == "at":
            return replace(phrase, start=first - 1)
        own = self.tree.parsed.heads[first] == phrase.head and self.tree.label(first) == "advmod"
        noun = self._tags[phrase.head] in ("NOUN", "PROPN") or self._tags[phrase.head] == "NUM"
        noun = noun and not limits(self.tree.word(first))
        return replace(phrase, start=first + 1) if own and noun and first < phrase.head else phrase

    def clause_phrase(self, head: int) -> Phrase:
        """The words of an argument in one piece with its preposition or "to"."""
        phrase = self.phrase(head)
        lead = [b for b in self.tree.of(head, "case", "mark") if b < phrase.start]
        return replace(phrase, start=min([phrase.start, *lead]))

    def _glue(self, place: int) -> bool:
        return self._tags[place] in ("PUNCT", "SYM") and self._words[place] not in (";", ":", "(", ")")

    def _inside(self, head: int, joined: bool) -> Iterator[int]:
        yield head
        for place in self.tree.below[head]:
            label = self.tree.label(place)
            if label in ("case", "punct") and place < head and self.tree.label(head) not in ("nmod:poss",):
                continue
            if label in _NEVER_IN and not (label == "acl:relcl" and self._restricts(head, place)):
                continue
            if label.startswith("nsubj") and self.tree.of(head, "cop"):
                continue
            if (
                label in ("appos", "acl", "conj", "cc") and not self._kept(head, place, label, joined)
            ) or label == "punct":
                continue
            yield from self._below(place)

    def _kept(self, head: int, place: int, label: str, joined: bool) -> bool:
        if label in ("conj", "cc"):
            member = place if label == "conj" else self.tree.parsed.heads[place]
            verbs = self._tags[member] in ("VERB", "AUX") and self._tags[head] not in ("VERB", "AUX")
            return joined and not verbs and not self.tree.of(member, "nsubj", "cop")
        if label == "appos":
            return not self.tree.between(head, place) & {",", "(", "–", "—", ":", "-"}
        return self._restricts(head, place)

    def _restricts(self, head: int, clause: int) -> bool:
        """Whether a clause tells which thing is meant: no comma or bracket parts it from its noun."""
        first = min(self._below(clause))
        return first <= head or self._words[first - 1] not in (",", "(", "–", "—", ";", ":")

    def _below(self, place: int) -> list[int]:
        """A word with what keeps to it: of clauses that only restrict, all words."""
        found = [place]
        for other in self.tree.below[place]:
            label = self.tree.label(other)
            if label in ("parataxis", "discourse", "list", "vocative"):
                continue
            if label in ("appos", "acl:relcl", "acl", "advcl") and not self._restricts(place, other):
                continue
            found += self._below(other)
        return found
