"""Which relations of the lexicon mean what a property does, by labels and types; what it lends to a property."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from kg.extract.words import word_set
from kg.relations.phrasebook import ELLIPSIS, Entry, entries, read_json, types

_SLOT = re.compile(r"\{([^{}]*)\}")
_DATES = frozenset({"date", "year", "gyear", "gyearmonth", "datetime", "time", "point in time"})
_NUMBERS = word_set(
    "number integer decimal double float int long short quantity count amount nonnegativeinteger positiveinteger "
    "duration percentage unsignedint money"
)
_TEXTS = frozenset({"text", "string", "literal", "langstring", "anyuri", "url", "token", "normalizedstring"})


@lru_cache(maxsize=1)
def _named() -> Mapping[str, str]:
    """The lexicon's types by all their names."""
    given = read_json("types.json")
    named = {name: label for label, of in given.items() for name in of["aliases"]} | {label: label for label in given}
    return {spoken(name): label for name, label in named.items()}


def closeness(ours: str, theirs: str) -> int | None:
    """How well a type or literal kind of the lexicon fits an ontology's label; None: not at all, 0: can't tell."""
    kind = literal_kind(theirs)
    if kind == "text":
        return 1 if ours == "text" else 0
    if kind or ours in ("date", "year", "number"):
        return 2 if kind == ours or (kind == "date" and ours == "year") else (None if theirs else 0)
    label = _named().get(spoken(theirs), "")
    if not label or "thing" in (label, ours) or ours == "text":
        return 0
    if label == ours:
        return 3
    return 2 if ours in types().above(label) or label in types().above(ours) else None


def literal_kind(label: str) -> str:
    """Which of date, number and text the label of a range stands for; empty for anything else."""
    name = re.sub(r"^.*[:#/]", "", label).strip().lower()
    return next((k for k, n in (("date", _DATES), ("number", _NUMBERS), ("text", _TEXTS)) if name in n), "")


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


def spoken(label: str) -> str:
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
    words = [w for w in spoken(label).split() if w not in _EMPTY]
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
    ranked: list[tuple[tuple[int, int, int], Entry]] = []
    for alternative, name in enumerate((property_label, *alt_labels)):
        for entry, is_label in _by_meaning().get(meaning_key(name), ()):
            domain, range_ = closeness(entry.domain, domain_label), closeness(entry.range, range_label)
            if domain is not None and range_ is not None:
                ranked.append(((-int(alternative == 0), -(domain + range_), -_nearness(name, entry, is_label)), entry))
    if not ranked:
        return ()
    best = min(rank for rank, _ in ranked)
    return tuple(dict.fromkeys(entry for rank, entry in ranked if rank == best))


def _nearness(name: str, entry: Entry, is_label: bool) -> int:
    """Exactly the entry's label before its label in other number or order, before an alias."""
    exact = spoken(name) in {spoken(n) for n in entry.names}
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
