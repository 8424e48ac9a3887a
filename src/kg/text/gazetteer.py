"""Known names with their classes, and how a document writes its words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from kg.namespaces import KG
from kg.ontology import Ontology
from kg.text import masks
from kg.text.words import FUNCTION_WORDS, MONTHS, WEEKDAYS, word_set

ORGANISATION_ENDS = word_set(
    "inc inc. ltd ltd. llc plc gmbh corp corp. corporation company co. ag s.a. lp llp foundation institute university "
    "college school academy association society council agency ministry bureau committee commission bank museum "
    "hospital laboratory laboratories labs lab studio studios press group holdings partners capital ventures trust "
    "union federation league club party alliance consortium authority department office systems technologies "
    "industries research observatory orchestra airlines airways motors railways brewery bakery"
)
OF_HEADS = word_set(
    "university institute bank department ministry museum bay isle port duke house school church academy college board "
    "bureau office council republic state states kingdom city lake cape lord king queen battle declaration society "
    "association federation order tower bishop earl gulf strait sea library court chamber secretary treaty bill act "
    "mixture center centre faculty principality county district"
)
PLACE_ENDS = word_set(
    "county city river lake mountain mountains street island islands bay valley hills avenue road square harbour "
    "harbor "
    "peninsula province district beach forest desert ocean sea strait cape point rock rocks lighthouse airport bridge "
    "park village town"
)
TITLES = word_set("dr dr. prof prof. professor mr mr. mrs mrs. ms ms. captain president senator")
ROLES = word_set(
    "ceo cto cfo coo cio cso svp evp vp president chairman chairwoman chair director founder co-founder cofounder "
    "professor engineer researcher scientist manager lead leader head officer chief minister secretary governor mayor "
    "editor author co-author inventor architect captain keeper owner analyst developer programmer teacher curator"
)
ROLE_BEFORE = word_set(
    "ceo cto cfo coo cio svp evp vp president chairman chairwoman director founder co-founder cofounder professor "
    "engineer researcher scientist minister secretary governor mayor editor author co-author inventor architect "
    "captain keeper analyst interviewer physicist chemist painter composer singer actor actress writer poet baker"
)
PERSON_AFTER = word_set(
    "said says told wrote joined recalled noted led leads born founded co-founded argues argued explained stated "
    "thanked died married studied invented discovered designed painted composed believed married became"
)
PARTICLES = word_set("de van von der den la le du di da del dos das bin ibn al ap ter ten zu af av")
# Capitalised labels of documents, not names of things.
SECTION_WORDS = word_set(
    "phase chapter section part figure table appendix step version volume page note example exercise question answer "
    "source sources summary introduction conclusion overview background abstract contents index references timeline "
    "glossary notes related see also total yes no unknown none n/a key metric metrics value values date year name "
    "type status role event period location purpose highlights innovations challenges lessons findings results facts "
    "history details description specifications features requirements people team teams stack members era"
)
NOT_NAMES = FUNCTION_WORDS | WEEKDAYS | frozenset(MONTHS) | word_set(
    "jan feb mar apr jun jul aug sep sept oct nov dec i i'm i've i'd i'll ok etc e.g i.e vs mr mrs ms dr ad bc am pm "
    "however therefore thus moreover furthermore meanwhile nevertheless although because since while despite given "
    "okay well sure hello thanks please first second third finally next then later earlier today tomorrow yesterday "
    "overall additionally"
)  # fmt: skip


_WORD = re.compile(r"[^\W_]+(?:(?:[.·+-]|['’](?!s\b)|&)?[^\W_]+)*(?:\+\+)?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word at ``[start, end)``."""

    text: str
    start: int
    end: int


_COUNTED = re.compile(r"\d+x(?=[A-Z])")  # "8xH100"


def words_of(text: str) -> Iterator[Word]:
    """Words; of a compound such as ``Azure-hosted`` or ``non-GPU`` the parts, one by one."""
    for found in _WORD.finditer(text):
        counted = _COUNTED.match(found[0])
        at = found.start() + (counted.end() if counted else 0)
        whole = text[at : found.end()]
        parts = whole.split("-")
        mixed = (
            any(p.isalpha() and p.islower() and len(p) > 1 and p not in PARTICLES for p in parts)
            and not whole.islower()
        )
        for part in parts if mixed else [whole]:
            if part:
                yield Word(part, at, at + len(part))
            at += len(part) + 1


@dataclass(frozen=True, slots=True)
class Casing:
    """How a document writes its words: ``common`` occur in lower case, ``proper`` with a capital inside a sentence."""

    common: frozenset[str] = frozenset()
    proper: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Casing:
        """From the running text of a document (headings in title case would mislead)."""
        common: set[str] = set()
        proper: set[str] = set()
        for text in texts:
            for word in words_of(text):
                if word.text.islower():
                    common.add(word.text)
                elif word.text[0].isupper() and not masks.starts_sentence(text, word.start):
                    proper.add(word.text.casefold())
        return cls(frozenset(common), frozenset(proper))


@dataclass(frozen=True, eq=False)
class Gazetteer:
    """Known names with their classes, and the name patterns of classes."""

    names: Mapping[str, tuple[str, ...]]
    patterns: tuple[tuple[re.Pattern[str], str], ...] = ()
    _by_first: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list), init=False)

    def __post_init__(self) -> None:
        """Names by their first word, longest first."""
        for name in sorted(self.names):
            words = tuple(w.text for w in words_of(name))
            if words:
                self._by_first[words[0].casefold()].append(words)
        for entries in self._by_first.values():
            entries.sort(key=lambda ws: (-len(ws), ws))

    @classmethod
    def of(cls, ontology: Ontology) -> Gazetteer:
        """Labels of the ontology's individuals, and its classes' patterns."""
        names: dict[str, tuple[str, ...]] = {}
        for individual in ontology.individuals.values():
            if all(t.startswith(KG) for t in individual.types):
                continue  # terms of the vocabulary itself, such as statuses
            for name in (individual.label, *individual.alt_labels):
                names[name] = tuple(sorted({*names.get(name, ()), *individual.types}))
        patterns = tuple(
            (re.compile(pattern), class_.iri)
            for class_ in sorted(ontology.classes.values(), key=lambda c: c.iri)
            for pattern in class_.name_patterns
        )
        return cls(names, patterns)

    def at(self, text: str, words: Sequence[Word], place: int) -> tuple[int, tuple[str, ...]] | None:
        """The longest known name that begins with this word: how many words it takes, and its classes."""
        first = words[place].text
        for key in dict.fromkeys((first.casefold(), _singular(first).casefold())):
            for name in self._by_first.get(key, ()):
                found = words[place : place + len(name)]
                if len(found) == len(name) and self._same(text, found, name):
                    return len(name), self._classes(name)
        return None

    def _same(self, text: str, found: Sequence[Word], name: tuple[str, ...]) -> bool:
        written = [w.text for w in found]
        gaps = (text[a.end : b.start] for a, b in pairwise(found))
        if any(gap not in (" ", "-", "\u00a0", " & ", "/") for gap in gaps):
            return False
        written[-1] = written[-1] if written[-1].casefold() == name[-1].casefold() else _singular(written[-1])
        if [w.casefold() for w in written] != [w.casefold() for w in name]:
            return False
        # "Slack" the program isn't "slack", nor "IT" "it": what has a capital must keep one, short names their case.
        if len("".join(name)) < 4:
            return written == list(name)
        return not name[0][0].isupper() or written[0][0].isupper() or len(name) > 1

    def _classes(self, name: tuple[str, ...]) -> tuple[str, ...]:
        return next((c for n, c in sorted(self.names.items()) if tuple(w.text for w in words_of(n)) == name), ())

    def classes(self, name: str) -> tuple[str, ...]:
        """Classes whose patterns a name matches."""
        return tuple(dict.fromkeys(iri for pattern, iri in self.patterns if pattern.search(name)))


NOTHING = Gazetteer({})


@lru_cache(maxsize=8)
def gazetteer_of(ontology: Ontology) -> Gazetteer:
    """The gazetteer of an ontology, kept for the next call."""
    return Gazetteer.of(ontology)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word
