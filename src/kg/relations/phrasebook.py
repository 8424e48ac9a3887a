"""How English states relations of general use: a lexicon of relations with definitions, types and phrasings.

The lexicon (``lexicon/*.jsonl``, one relation a line) is written by hand and knows no data set. A phrasing has both
arguments once: ``{object} founded {subject}``; one that ends in ``…`` is the start of a sentence that goes on
(``{object}, the founder of {subject}, …``). Types of arguments are labels of ``lexicon/types.json``; objects may also
be literals (date, year, number, text). :func:`phrasings_for` lends phrasings to an ontology's property.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from kg.extract.words import word_set

LITERALS = ("date", "year", "number", "text")
ELLIPSIS = "…"
_KEYS = frozenset(
    {"relation", "aliases", "definition", "domain", "range", "units", "values", "phrasings", "examples", "field"}
    | {"symmetric", "inverse"}
)
_NEEDED = ("relation", "definition", "domain", "range", "phrasings", "examples", "field")
_SLOT = re.compile(r"\{([^{}]*)\}")
_LONGEST = 120  # characters of a phrasing


class BadLexicon(ValueError):
    """An entry of the lexicon that can't be used, with what is wrong."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A relation. ``units`` and ``values`` help to invent objects; ``inverse`` is the relation read the other way."""

    relation: str
    definition: str
    domain: str
    range: str
    phrasings: tuple[str, ...]
    examples: tuple[str, ...]
    field: str
    aliases: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    symmetric: bool = False
    inverse: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Label and aliases."""
        return (self.relation, *self.aliases)


def is_whole(phrasing: str) -> bool:
    """Whether a phrasing is a sentence by itself; otherwise it goes on."""
    return not phrasing.endswith(ELLIPSIS)


# --- reading ---------------------------------------------------------------------------------------


def parse_entry(line: str) -> Entry:
    """An entry from a line of JSON. Raises BadLexicon."""
    try:
        given = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadLexicon(f"not JSON: {error}") from error
    if not isinstance(given, dict) or set(given) - _KEYS or any(not given.get(k) for k in _NEEDED):
        raise BadLexicon(f"keys are missing or unknown: {line[:80]}")
    listed = {k: tuple(given.get(k, ())) for k in ("phrasings", "examples", "aliases", "units", "values")}
    if any(not isinstance(text, str) or not text.strip() for texts in listed.values() for text in texts):
        raise BadLexicon(f"an empty text: {line[:80]}")
    entry = Entry(**(given | listed))
    _check(entry)
    return entry


def _check(entry: Entry) -> None:
    name = entry.relation
    table = types()
    if entry.domain not in table.parents or (entry.range not in table.parents and entry.range not in LITERALS):
        raise BadLexicon(f"{name}: unknown type {entry.domain} or {entry.range}")
    if not 5 <= len(entry.phrasings) <= 24:
        raise BadLexicon(f"{name}: {len(entry.phrasings)} phrasings")
    for phrasing in entry.phrasings:
        slots = sorted(_SLOT.findall(phrasing))
        if slots != ["object", "subject"] or phrasing != phrasing.strip() or len(phrasing) > _LONGEST:
            raise BadLexicon(f"{name}: bad phrasing {phrasing!r}")
        if "  " in phrasing or re.search(r"\s[,.;]", phrasing):
            raise BadLexicon(f"{name}: stray space in {phrasing!r}")
    if len({_plain(p) for p in entry.phrasings}) < len(entry.phrasings):
        raise BadLexicon(f"{name}: a phrasing stands twice")
    for example in entry.examples:
        slots = sorted(slot.split(":")[0] for slot in _SLOT.findall(example))
        if slots != ["object", "subject"]:
            raise BadLexicon(f"{name}: bad example {example!r}")


def _plain(phrasing: str) -> str:
    return phrasing.lower().rstrip(" ,…")


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """The whole lexicon in the order of fields and lines. Raises BadLexicon."""
    folder = files("kg.relations") / "lexicon"
    found = [
        parse_entry(line)
        for path in sorted(folder.iterdir(), key=lambda p: p.name)
        if path.name.endswith(".jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    by_name = {entry.relation: entry for entry in found}
    if len(by_name) < len(found):
        raise BadLexicon("a relation stands twice")
    for entry in found:
        if entry.inverse and (entry.inverse not in by_name or by_name[entry.inverse].inverse != entry.relation):
            raise BadLexicon(f"{entry.relation}: its inverse {entry.inverse} doesn't name it")
    return tuple(found)


# --- types -----------------------------------------------------------------------------------------

_DATES = frozenset({"date", "year", "gyear", "gyearmonth", "datetime", "time", "point in time"})
_NUMBERS = word_set(
    "number integer decimal double float int long short quantity count amount nonnegativeinteger positiveinteger "
    "duration percentage unsignedint money"
)
_TEXTS = frozenset({"text", "string", "literal", "langstring", "anyuri", "url", "token", "normalizedstring"})


@dataclass(frozen=True, slots=True)
class Types:
    """Types of arguments by label: ``parents`` holds the label above (or ""), ``named`` the label for each name."""

    parents: Mapping[str, str]
    named: Mapping[str, str]

    def above(self, label: str) -> tuple[str, ...]:
        """A type and those above it, nearest first."""
        chain = []
        while label:
            chain.append(label)
            label = self.parents[label]
        return tuple(chain)

    def below(self, label: str) -> tuple[str, ...]:
        """The types right below, sorted."""
        return tuple(sorted(t for t, parent in self.parents.items() if parent == label))

    def closeness(self, ours: str, theirs: str) -> int | None:
        """How well a type or literal kind of the lexicon fits an ontology's label; None: not at all, 0: can't tell."""
        kind = literal_kind(theirs)
        if kind == "text":
            return 1 if ours == "text" else 0
        if kind or ours in ("date", "year", "number"):
            return 2 if kind == ours or (kind == "date" and ours == "year") else (None if theirs else 0)
        label = self.named.get(_spoken(theirs), "")
        if not label or "thing" in (label, ours) or ours == "text":
            return 0
        if label == ours:
            return 3
        return 2 if ours in self.above(label) or label in self.above(ours) else None


def literal_kind(label: str) -> str:
    """Which of date, number and text the label of a range stands for; empty for anything else."""
    name = re.sub(r"^.*[:#/]", "", label).strip().lower()
    return next((k for k, n in (("date", _DATES), ("number", _NUMBERS), ("text", _TEXTS)) if name in n), "")


@lru_cache(maxsize=1)
def types() -> Types:
    """The types of arguments."""
    given = read_json("types.json")
    named = {name: label for label, of in given.items() for name in of["aliases"]} | {label: label for label in given}
    return Types(
        {label: of["parent"] for label, of in given.items()}, {_spoken(name): label for name, label in named.items()}
    )


def read_json(name: str) -> dict[str, Any]:
    """A JSON object beside the lexicon."""
    text = (files("kg.relations") / "lexicon" / name).read_text(encoding="utf-8")
    return cast(dict[str, Any], json.loads(text))


# --- properties of the same meaning ----------------------------------------------------------------

_SPELLINGS = (
    (re.compile(r"is(?=(?:e|ed|er|ing|ation|ations)\b)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})our\b"), "or"),
    (re.compile(r"\bcentre\b"), "center"),
    (re.compile(r"\blicence"), "license"),
    (re.compile(r"\bprogramme\b"), "program"),
    (re.compile(r"\btheatre\b"), "theater"),
)
_EMPTY = frozenset({"a", "an", "the"})
_FUNCTION = _EMPTY | word_set(
    "is was are were be been has have had a an the of in on at to by for with from as and its his her it s goes "
    "which who whose that also other there"
)


_ATTRIBUTES = word_set("place date time year day country city number count type name cause manner form location size")


def _spoken(label: str) -> str:
    """A label in lower-case words: identifiers taken apart, one spelling for British and American."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", label)
    text = re.sub(r"[\W_]+", " ", text).strip().lower()
    for pattern, put in _SPELLINGS:
        text = pattern.sub(put, text)
    return text


def _singular(word: str) -> str:
    if word in ("series", "species", "has", "is", "was"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and len(word) > 3 and word[-2] not in "sui" else word


@lru_cache(maxsize=8192)
def meaning_key(label: str) -> tuple[str, ...]:
    """Words of a label without number, in a fixed order: "place of birth" and "birth places" are one.

    "Capital of" isn't "capital", nor "publisher" "published": a full stemmer would make inverse relations one.
    """
    words = [w for w in _spoken(label).split() if w not in _EMPTY]
    if len(words) > 1 and words[0] in ("has", "have", "is", "was"):
        words = words[1:]
    if len(words) > 2 and words[1] == "of" and words[0] in _ATTRIBUTES:
        words = [*words[2:], words[0]]
    return tuple(_singular(word) for word in words)


@lru_cache(maxsize=1)
def _by_meaning() -> Mapping[tuple[str, ...], tuple[tuple[Entry, bool], ...]]:
    found: dict[tuple[str, ...], list[tuple[Entry, bool]]] = defaultdict(list)
    for entry in entries():
        keys = dict.fromkeys(meaning_key(name) for name in entry.names)
        for key in keys:
            found[key].append((entry, key == meaning_key(entry.relation)))
    return {key: tuple(pairs) for key, pairs in found.items()}


def same_meaning(
    property_label: str, alt_labels: Sequence[str] = (), domain_label: str = "", range_label: str = ""
) -> tuple[Entry, ...]:
    """Entries equal in meaning to a property by the words of a label, whose types fit; only the best-fitting ones.

    The property's label counts before its alternative labels, then nearer types, then an entry's label before aliases.
    """
    table = types()
    ranked: list[tuple[tuple[int, int, int], Entry]] = []
    for alternative, name in enumerate((property_label, *alt_labels)):
        for entry, is_label in _by_meaning().get(meaning_key(name), ()):
            domain, range_ = table.closeness(entry.domain, domain_label), table.closeness(entry.range, range_label)
            if domain is not None and range_ is not None:
                ranked.append(((-int(alternative == 0), -(domain + range_), -_nearness(name, entry, is_label)), entry))
    if not ranked:
        return ()
    best = min(rank for rank, _ in ranked)
    return tuple(dict.fromkeys(entry for rank, entry in ranked if rank == best))


def _nearness(name: str, entry: Entry, is_label: bool) -> int:
    """Exactly the entry's label before its label in other number or order, before an alias."""
    exact = _spoken(name) in {_spoken(n) for n in entry.names}
    return 2 * int(exact) + int(is_label)


def phrasings_for(
    property_label: str, alt_labels: Sequence[str] = (), domain_label: str = "", range_label: str = ""
) -> tuple[str, ...]:
    """Phrasings of the lexicon for a property, as patterns: no ``…``, only with a word that tells something.

    Empty labels of domain or range, and labels that the lexicon's types don't know, rule nothing out.
    """
    found = same_meaning(property_label, alt_labels, domain_label, range_label)
    return tuple(dict.fromkeys(pattern for entry in found for pattern in patterns_of(entry.phrasings)))


def patterns_of(phrasings: Iterable[str]) -> list[str]:
    """Phrasings without the mark that they go on, but those of function words alone."""
    bare = (phrasing.removesuffix(ELLIPSIS).rstrip(" ,") for phrasing in phrasings)
    return [text for text in bare if _telling(text)]


def _telling(phrasing: str) -> bool:
    return any(w not in _FUNCTION for w in re.findall(r"\w+", _SLOT.sub(" ", phrasing).lower()))
