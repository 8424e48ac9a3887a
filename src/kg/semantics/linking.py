"""The words' own readings: every stretch of a question that names something of the graph or says an operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kg.semantics.graph import Graph
from kg.semantics.items import Item
from kg.semantics.lexicon import Lexicon, Match
from kg.semantics.logic import Join, Kind, Things
from kg.semantics.operators import Operators, leaf, number_of
from kg.semantics.texts import sought
from kg.text.question_words import (
    AFTER_VERB,
    APART,
    FUNCTION,
    GENERIC,
    LIGHT,
    NEGATIONS,
    PLACES,
    SCALES,
    UNITS,
    WH,
    degrees,
    graded,
)
from kg.text.tokens import Token, stem
from kg.text.tokens import words as tokens_of
from kg.text.wordnet import lemmas

_EXACT = 0.95  # of a class's name: those that have it in part aren't meant then
_LEAST, _MOST = 0.4, 5  # score and number of properties kept for a stretch
_LONGEST = 5
_FLAG = 0.6
_VAGUE = {"size": ("area", "population", "volume", "capacity", "extent")}
_OWNING = frozenset((verb, article) for verb in ("with", "has", "have", "having") for article in ("the", "a", "an"))


class Linker:
    """Makes the leaves of a chart."""

    def __init__(self, graph: Graph, lexicon: Lexicon, weights: Mapping[str, float]) -> None:
        self._graph, self._lexicon, self._weights = graph, lexicon, weights
        self._leaf = partial(leaf, weights)
        self._operators = Operators(weights)

    def items(self, tokens: Sequence[Token]) -> list[Item]:
        """All leaves, the best first."""
        words = tuple(t.text for t in tokens)
        found = [*self._operators.items(words)]
        for start, end, text, is_name in sought(tokens):
            found.append(self._leaf("TX", start, end, 1.0, name=text, op="name" if is_name else "", head=start))
        named = [*self._things(words), *self._acronyms(tokens)]
        classes = [*self._classes(words)]
        covered = {i for item in named if item.score >= 0.95 for i in range(item.start, item.end)}
        relations = [*self._relations(words, named, classes)]
        known = {i for item in (*named, *classes, *relations, *found) for i in range(item.start, item.end)}
        likely = [*self._likely(words, known | covered)]
        known |= {i for item in likely for i in range(item.start, item.end)}
        likely += self._guessed(words, known)
        return sorted((*found, *named, *classes, *relations, *likely), key=lambda i: (-i.score, i.start, i.end, i.cat))

    # --- names -------------------------------------------------------------------------------

    def _things(self, words: Sequence[str]) -> Iterator[Item]:
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + self._lexicon.longest) + 1):
                span = words[start:end]
                if "'s" in span[-1:] or all(w in FUNCTION or w in WH for w in span):
                    if span != ("us",):
                        continue
                    if start and words[start - 1] in ("give", "tell", "show", "let"):
                        continue
                for named in self._lexicon.things([w for w in span if w not in ("'s", ",")]):
                    yield self._named(start, end, named.score, named.ids, named.name)

    def _acronyms(self, tokens: Sequence[Token]) -> Iterator[Item]:
        """ "The EU", in capitals: what is called so by its initials."""
        for at, token in enumerate(tokens):
            if len(token.original) > 1 and token.original.isupper() and token.original.isalpha():
                for named in self._lexicon.acronym(token.original):
                    yield self._named(at, at + 1, named.score, named.ids, named.name)

    def _likely(self, words: Sequence[str], known: set[int]) -> Iterator[Item]:
        for at, word in enumerate(words):
            if at not in known and word not in FUNCTION and word not in LIGHT and len(word) > 2:
                for named in self._lexicon.likely_things((word,)):
                    item = self._named(at, at + 1, named.score * 0.95, named.ids, named.name)
                    yield replace(item, single=len(named.ids) == 1 or word == named.name)
        for at in range(len(words) - 1):
            span = words[at : at + 2]
            if not any(w in FUNCTION or w in WH for w in span):
                for named in self._lexicon.demonyms(span):
                    yield self._named(at, at + 2, named.score, named.ids, named.name)

    def _named(self, start: int, end: int, score: float, ids: tuple[int, ...], name: str) -> Item:
        return self._leaf("S", start, end, score, form=Things(ids, name), single=True, name=name, head=start)

    def _classes(self, words: Sequence[str]) -> Iterator[Item]:
        for start, end, span in _spans(words, 4):
            asked = _is_asked(words, start)
            found = self._lexicon.classes(span)[:3]
            least = _EXACT if found and found[0].score >= _EXACT else 0.6
            for match in found:
                if match.score >= least and self._graph.classes[match.id] and _edges_fit(span, match.name):
                    yield self._leaf(
                        "S", start, end, match.score, form=Kind(match.id), focus=asked, name=match.name, head=start
                    )

    # --- relations ---------------------------------------------------------------------------

    def _properties(self, span: Sequence[str], start: int, end: int, inside: set[int]) -> Sequence[Match]:
        """Properties for a stretch; the encoder is asked where words alone say too little."""
        found = self._lexicon.properties(span, dense=False)
        content = [w for w in span if w not in FUNCTION]
        known = found and found[0].score >= 0.8
        said = len(content) == len(span) <= 2 and not any(c.isdigit() for w in span for c in w)
        if known or not said or any(i in inside for i in range(start, end)):
            return found
        if len(span) == 2 and all(
            m and m[0].score >= 0.8 for m in (self._lexicon.properties((w,), False) for w in span)
        ):
            return found
        return self._lexicon.properties(span)

    def _relations(self, words: Sequence[str], named: Sequence[Item], classes: Sequence[Item]) -> Iterator[Item]:
        names = [i for i in named if i.end - i.start > 1 or i.local[0][1] >= 0.9]
        inside = {i for item in names for i in range(item.start, item.end)}
        strong = {(i.start, i.end): 0.95 for i in names if not self._is_text(i)}
        strong |= {(i.start, i.end): 0.85 for i in classes if i.local[0][1] >= 0.95 * (i.end - i.start)}
        for start, end, span in _spans(words, _LONGEST):
            denied = any(w in NEGATIONS for w in span)
            least = max((s for (a, b), s in strong.items() if a < end and start < b), default=_LEAST)
            if start and all(w in UNITS for w in span) and words[start - 1] in ("in", *UNITS):
                continue  # "in square metres"
            noun = _is_noun(words, start, end)
            for match in self._properties(span, start, end, inside)[:_MOST]:
                if denied and not any(w in NEGATIONS for w in tokens_of(match.name)):
                    continue  # "must not be given" is a name's own negation or none
                if match.score >= least and _edges_fit(span, match.name):
                    yield self._relation(words, start, end, match.score, match.id, noun, match.name)
        yield from self._flags(words)
        yield from self._graded_relations(words)
        yield from self._places(words)

    def _flags(self, words: Sequence[str]) -> Iterator[Item]:
        """Words for a property that is true or false: "contagious diseases", of those for which it is true."""
        for start, end, span in _spans(words, 3):
            for match in self._lexicon.properties(span, dense=False)[:2]:
                true = self._graph.truths(match.id)
                if true and match.score >= _FLAG and not any(w in NEGATIONS for w in span):
                    step = (match.id, False)
                    yield self._leaf(
                        "S", start, end, match.score, form=Join(step, Things(true, "yes")), name=match.name
                    )

    def _is_text(self, item: Item) -> bool:
        return isinstance(item.form, Things) and all(self._graph.is_literal(i) for i in item.form.ids)

    def _relation(
        self, words: Sequence[str], start: int, end: int, score: float, id_: int, noun: bool | None, name: str
    ) -> Item:
        property_, extra = self._graph.properties[id_], []
        if property_.kind != "thing":
            noun = True
        if "where" in words or "when" in words:
            place = property_.kind != "date" and any(w in PLACES for n in property_.names for w in tokens_of(n))
            if ("where" in words and place) or ("when" in words and property_.kind == "date"):
                extra.append(("where", 1.0))
        last = words[end - 1]
        plural = last.endswith("s") and last not in tokens_of(name) and lemmas(last) != (last,)
        focus = start > 0 and words[start - 1] in ("which", "what")
        item = self._leaf(
            "R", start, end, score, path=((id_, True),), noun=noun, name=name, plural=plural, focus=focus, head=start
        )
        if not extra:
            return item
        return replace(item, score=item.score + self._weights["where"], local=(*item.local, *extra))

    def _graded_relations(self, words: Sequence[str]) -> Iterator[Item]:
        """ "How long", "how old": the properties that the adjective grades."""
        for at, word in enumerate(words[1:], 1):
            if words[at - 1] == "how" and word in degrees() and word not in ("many", "much", "few"):
                yield from self._grading(at - 1, at, degrees()[word][1])
            if word in _VAGUE:
                yield from self._grading(at, at, (word, *_VAGUE[word]))

    def _grading(self, start: int, at: int, hints: Sequence[str]) -> Iterator[Item]:
        for id_, score in self.graded(hints):
            name = self._graph.properties[id_].names[0]
            yield self._leaf("R", start, at + 1, 0.9 * score, path=((id_, True),), noun=True, name=name, head=at)

    def graded(self, hints: Sequence[str]) -> list[tuple[int, float]]:
        """Properties with numbers or dates that an adjective's nouns may speak of, with how well."""
        best: dict[int, float] = {}
        for rank, hint in enumerate(hints):
            for match in self._lexicon.properties((hint,), dense=False):
                if self._graph.properties[match.id].kind in ("number", "date") and match.score >= 0.5:
                    score = match.score * (1 - 0.07 * rank)
                    best[match.id] = max(best.get(match.id, 0.0), score)
        return sorted(best.items(), key=lambda b: (-b[1], b[0]))

    def _places(self, words: Sequence[str]) -> Iterator[Item]:
        """ "Where": what says in which place something is."""
        for at, word in enumerate(words):
            if word == "where":
                seen: dict[int, float] = {}
                for hint in ("location", "located in", "place", "in country", "country", "address", "in"):
                    for match in self._lexicon.properties(tuple(hint.split()), dense=False):
                        if match.score >= 0.6 and self._graph.properties[match.id].kind != "number":
                            seen[match.id] = max(seen.get(match.id, 0.0), match.score)
                for id_, score in sorted(seen.items(), key=lambda s: (-s[1], s[0]))[:_MOST]:
                    yield self._relation(words, at, at + 1, 0.6 * score, id_, True, "where")

    def _guessed(self, words: Sequence[str], known: set[int]) -> Iterator[Item]:
        """Phrases that nothing is known for: the relations that the encoder finds nearest, for little."""
        for start, end in _phrases(words):
            content = [i for i in range(start, end) if words[i] not in FUNCTION | LIGHT | WH]
            if content and not set(content) & known and not any(c.isdigit() for w in words[start:end] for c in w):
                for id_, cosine in self._lexicon.nearest(words[start:end])[:3]:
                    score = (0.15 + 0.5 * cosine) / (end - start)
                    if cosine >= 0.2:
                        name = self._graph.properties[id_].names[0]
                        item = self._relation(words, start, end, score, id_, True, name)
                        yield replace(
                            item, score=item.score + self._weights["guess"], local=(*item.local, ("guess", 1.0))
                        )

    def skip_cost(self, words: Sequence[str], at: int) -> tuple[str, float]:
        """The feature of leaving a word out, and how often it counts."""
        word = words[at]
        if word == "than" and any((g := graded(w)) and g[1] == "er" for w in words[max(0, at - 12) : max(0, at - 1)]):
            return "skip-light", 1.0
        if word[0].isdigit():
            return "skip-operator", 1.0
        if word == "nor" and "neither" in words[:at]:
            return "skip", 0.0
        if word in ("per", "cent", "percent") and {"cent", "percent"} & {*words[at : at + 2]}:
            return "skip-light", 1.0
        if word in NEGATIONS or word in ("most", "least", "fewest", "more", "fewer", "than", "each", "every", "per"):
            return "skip-operator", 1.0
        if word == "many" and at and words[at - 1] == "how":
            return "skip-operator", 1.0
        if word in FUNCTION or word in WH:
            return "skip", 0.0
        if any(w in LIGHT for w in (word, *lemmas(word))) or (
            word in UNITS and at and (words[at - 1] in ("in", *UNITS) or _is_number(words, at - 1))
        ):
            return "skip-light", 1.0
        return "skip", 1.0


def _is_number(words: Sequence[str], at: int) -> bool:
    return number_of(words[at]) is not None or words[at] in SCALES


def _spans(words: Sequence[str], longest: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Stretches that begin and end with a word that may name something."""
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + longest) + 1):
            span = tuple(words[start:end])
            if "'s" in span or "," in span:
                break
            edge = (span[0] in FUNCTION and span[0] not in ("in",)) or (span[-1] in FUNCTION and len(span) == 1)
            if not edge and not all(w in FUNCTION for w in span):
                yield start, end, span


def _phrases(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Stretches between the words that hold noun phrases apart."""
    start = None
    for at, word in enumerate((*words, "")):
        if word in APART:
            if start is not None:
                yield start, at
            start = None
        elif start is None:
            start = at


def _is_asked(words: Sequence[str], start: int) -> bool:
    """Whether "which" or "what" asks for the noun here: names and superlatives may stand between."""
    for at in range(start - 1, max(-1, start - 5), -1):
        if words[at] in ("which", "what", "many", "whats"):
            return True
        if words[at] in FUNCTION:
            return False
    return False


def _edges_fit(span: Sequence[str], name: str) -> bool:
    """Function words at the edges have to be in the name."""
    said = tokens_of(name)
    if any(w in FUNCTION and w not in said and w != "of" for w in span[1:-1]):  # "date of death" is a death date
        return False
    if any(_is_graded(w) for w in span) and not any(_is_graded(w) for w in said):
        return False
    return (span[-1] not in FUNCTION or span[-1] in said) and (span[0] not in FUNCTION or span[0] in said)


def _is_graded(word: str) -> bool:
    grade = graded(word)
    return grade is not None and (word in GENERIC or grade[0] in degrees())


def _is_noun(words: Sequence[str], start: int, end: int) -> bool | None:
    after = words[end] if end < len(words) else ""
    before = words[start - 1] if start else ""
    if after != "of" and (before == "whose" or tuple(words[max(0, start - 2) : start]) in _OWNING):
        return False
    if after == "of" or before in ("'s", "whose", "the", "a", "an"):
        return True
    if before in AFTER_VERB or (stem(words[end - 1]) != words[end - 1] and words[end - 1].endswith(("ing", "ed"))):
        return False
    return None
