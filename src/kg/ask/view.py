"""All that asking needs of a knowledge base, in one frozen value, and what its documents' words are worth."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from kg.ask.terms import bag, tokens
from kg.ask.unit_index import Candidates, UnitVectors, UnitWords
from kg.model import PAGE_STARTS, Passage, UnitKind, page_at
from kg.namespaces import Namespaces

if TYPE_CHECKING:
    from kg.base.snapshot import Snapshot
    from kg.indexes.faiss import DenseIndex
    from kg.indexes.lexical import LexicalIndex
    from kg.ontology import Ontology
    from kg.protocols import Encoder, GraphStore
    from kg.records import RecordedDocument


# Units in which a capital letter says something: in heads of tables, headings and code everything may have one.
_PROSE = (UnitKind.SENTENCE, UnitKind.ITEM)


def _count_capitals(text: str, seen: Counter[str], capital: Counter[str], written: dict[str, str]) -> None:
    """Counts words, and those with a capital letter that doesn't come from opening a sentence, label or quotation."""
    for token in tokens(text):
        opens = not re.search(r"[\w,)’']\s?$", text[: token.start])
        inner = any(c.isupper() for c in token.text[1:])
        if inner or not opens:
            seen[token.term] += 1
            if inner or token.text[0].isupper():
                capital[token.term] += 1
                bare = re.sub(r"['’]s?$", "", token.text)
                written[token.term] = min(written.get(token.term, bare), bare)
        elif token.text[0].islower():
            seen[token.term] += 1


@dataclass(frozen=True)
class Lexicon:
    """Counts over the units of all passages, by normal form.

    ``units``: how many units there are. ``frequency``: in how many of them a word occurs, in their text or context.
    ``capitalised``: words that are (nearly) always written with a capital letter inside sentences. ``lowercase``: words
    that are ever written without one. ``written``: how the documents write the capitalised words.
    """

    units: int
    frequency: dict[str, int]
    capitalised: frozenset[str]
    lowercase: frozenset[str]
    written: dict[str, str]

    @staticmethod
    def build(passages: Iterable[Passage]) -> Lexicon:
        """Counts the words of the passages' units and headings."""
        frequency: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        capital: Counter[str] = Counter()
        written: dict[str, str] = {}
        units = 0
        for passage in passages:
            # Words that stand in headings alone must be known, but are no more common for standing over many units.
            frequency.update(bag(" ".join(passage.headings)) - frequency.keys())
            for unit in passage.units:
                units += 1
                frequency.update(bag(unit.plain))
                if unit.kind in _PROSE:
                    _count_capitals(unit.plain, seen, capital, written)
        names = frozenset(t for t, n in capital.items() if n >= 0.7 * seen[t] and t.isalpha() and len(t) > 1)
        lowercase = frozenset(t for t, n in seen.items() if capital[t] < n)
        return Lexicon(units, dict(frequency), names, lowercase, {t: written[t] for t in sorted(names)})

    def known(self, word: str) -> bool:
        """Whether the documents have the word (in normal form)."""
        return word in self.frequency

    def rarity(self, word: str) -> float:
        """Inverse document frequency from 0 (everywhere) to 1 (nowhere)."""
        count = self.frequency.get(word, 0) or 0.5
        return math.log(1 + self.units / count) / math.log(1 + 2 * max(self.units, 1))

    @cached_property
    def long_words(self) -> dict[str, list[str]]:
        """Known words long enough to be recognised misspelt, by their first letter, sorted."""
        found: dict[str, list[str]] = defaultdict(list)
        for word in sorted(t for t in self.frequency if len(t) >= 5 and t.isalpha()):
            found[word[0]].append(word)
        return dict(found)

    def misspelt(self, word: str, certainty: float = 88.0) -> str | None:
        """The known word that an unknown one is probably a misspelling of: same first letter, few edits."""
        if len(word) < 5 or not word.isalpha() or self.known(word):
            return None
        from rapidfuzz import fuzz, process

        alike = self.long_words.get(word[0], [])
        found = process.extractOne(word, alike, scorer=fuzz.ratio, score_cutoff=certainty)
        return str(found[0]) if found else None

    def near(self, name: str, limit: int = 3) -> list[str]:
        """Names of the documents that look like one that they don't have, best first, as they write them."""
        from rapidfuzz import fuzz, process

        found = process.extract(
            name.casefold(), self.written, processor=str.casefold, scorer=fuzz.ratio, limit=limit, score_cutoff=65.0
        )
        return [str(text) for text, _, _ in found]


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document as citations show it. ``url``: where it was published, ``author``: who wrote it, if known.

    ``page_starts``: see :data:`kg.model.PAGE_STARTS`.
    """

    title: str
    url: str | None = None
    page_starts: str = ""
    author: str = ""

    def page(self, offset: int) -> int | None:
        """The page, from 1, that an offset of its stored text is on; None if it has no pages."""
        return page_at([(PAGE_STARTS, self.page_starts)], offset)

    @classmethod
    def of(cls, document: RecordedDocument) -> DocumentInfo:
        """What a record says of it."""
        metadata = dict(document.metadata)
        return cls(
            document.title or document.name,
            metadata.get("url"),
            metadata.get(PAGE_STARTS, ""),
            metadata.get("author", ""),
        )


@dataclass(frozen=True)
class View:
    """A knowledge base to ask.

    ``passages`` by identifier; ``documents`` by identifier (the slug, as in ``Passage.document``). The indexes hold
    what :mod:`kg.indexes.texts` makes of them. Without ``encoder`` drafts are judged by words alone, without ``store``
    only passages answer.
    """

    passages: Mapping[str, Passage]
    documents: Mapping[str, DocumentInfo]
    passages_dense: DenseIndex
    passages_lexical: LexicalIndex
    units_dense: DenseIndex
    units_lexical: LexicalIndex
    encoder: Encoder | None = None
    store: GraphStore | None = None
    ontology: Ontology | None = None
    namespaces: Namespaces = field(default_factory=Namespaces)

    @cached_property
    def lexicon(self) -> Lexicon:
        """Word counts of all passages."""
        return Lexicon.build(self.passages[id_] for id_ in sorted(self.passages))

    @cached_property
    def unit_words(self) -> UnitWords:
        """Which words stand where in all passages."""
        return UnitWords.build(self.passages.values())

    @cached_property
    def candidates(self) -> Candidates:
        """Finds the units that may account for a question."""
        indexes = self.units_dense, self.units_lexical, self.passages_dense, self.passages_lexical
        return Candidates(self.unit_words, *indexes)

    @cached_property
    def unit_vectors(self) -> UnitVectors:
        """Where the units' and passages' vectors are."""
        return UnitVectors.of(self.unit_words, self.units_dense, self.passages_dense)


def view(snapshot: Snapshot) -> View:
    """The view of one generation of a knowledge base."""
    indexes = snapshot.indexes
    documents = {id_: DocumentInfo.of(snapshot.record(id_).document) for id_ in snapshot.manifest.documents}
    return View(
        snapshot.passages,
        documents,
        indexes.passages,
        indexes.passages_lexical,
        indexes.units,
        indexes.units_lexical,
        snapshot.encoder,
        snapshot.store,
        snapshot.ontology,
        snapshot.namespaces,
    )
