"""What one document brings to the graph of all: uses of names, aliases, wordings of properties.

Everything that documents share – which names are one thing, what a property is called – is computed from contributions
alone, so that a change of one document needs no other document's record.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kg.resolution.joining import StatedAlias, inferred_aliases, stated_aliases
from kg.resolution.openproperties import Wordings, worded
from kg.resolution.senses import Group, NamePatterns, gather, senses_of

if TYPE_CHECKING:
    from kg.ontology import Ontology
    from kg.records import Record


@dataclass(frozen=True, slots=True)
class Contribution:
    """A document's part in what is decided by all documents together; a pure function of its record and the ontology.

    ``inferred``: shortenings of names that it uses without saying what they stand for. ``claims``: identifiers.
    ``rejected``: how much its extractors found and didn't keep, by reason.
    """

    document: str
    groups: tuple[Group, ...] = ()
    aliases: tuple[StatedAlias, ...] = ()
    inferred: tuple[StatedAlias, ...] = ()
    wordings: Mapping[str, Wordings] = field(default_factory=dict)
    claims: tuple[str, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)


def contribution(record: Record, ontology: Ontology) -> Contribution:
    """What a record brings."""
    groups, aliases, found = gather(record, ontology), stated_aliases(record), record.extraction
    patterns = NamePatterns(ontology)
    senses = {place: senses_of(group, ontology, patterns) for place, group in groups.items()}
    return Contribution(
        record.document.id,
        tuple(groups.values()),
        tuple(aliases),
        tuple(sorted(inferred_aliases(senses, aliases))),
        worded(found.claims),
        tuple(sorted({claim.id for claim in found.claims})),
        Counter(rejected.reason for rejected in found.rejected),
    )


def keys_of(brought: Contribution) -> Iterator[str]:
    """Keys of all names that a document brings, those of its aliases too."""
    for group in brought.groups:
        yield group.key
    for alias in (*brought.aliases, *brought.inferred):
        yield from (alias.key, alias.alias_key)


def links(brought: Contribution) -> Iterator[tuple[str, str]]:
    """Keys of names and of aliases for them."""
    for alias in (*brought.aliases, *brought.inferred):
        yield alias.key, alias.alias_key


# --- JSON -----------------------------------------------------------------------------------------


def to_json(brought: Contribution) -> dict[str, Any]:
    """Lists and mappings in a fixed order; what is empty is left out of groups, of which there are many."""
    return {
        "document": brought.document,
        "groups": [_group(group) for group in brought.groups],
        "aliases": [_alias(alias) for alias in brought.aliases],
        "inferred": [_alias(alias) for alias in brought.inferred],
        "wordings": {
            key: [_sorted(wording.labels), _sorted(wording.units)] for key, wording in sorted(brought.wordings.items())
        },
        "claims": list(brought.claims),
        "rejected": _sorted(brought.rejected),
    }


def from_json(data: Mapping[str, Any]) -> Contribution:
    """The contribution that :func:`to_json` gave."""
    document = data["document"]
    return Contribution(
        document,
        tuple(_read_group(document, group) for group in data["groups"]),
        tuple(StatedAlias(document, *alias) for alias in data["aliases"]),
        tuple(StatedAlias(document, *alias) for alias in data["inferred"]),
        {key: Wordings(Counter(labels), Counter(units)) for key, (labels, units) in data["wordings"].items()},
        tuple(data["claims"]),
        data["rejected"],
    )


def part_of(data: Mapping[str, Any], keys: Collection[str]) -> Contribution:
    """Of a contribution as :func:`to_json` gives it what is about some names: their uses and aliases."""
    document = data["document"]
    return Contribution(
        document,
        tuple(_read_group(document, group) for group in data["groups"] if group[0] in keys),
        tuple(StatedAlias(document, *alias) for alias in data["aliases"] if alias[0] in keys),
        tuple(StatedAlias(document, *alias) for alias in data["inferred"] if alias[0] in keys),
    )


# What most groups that are read have; nobody adds to one of these.
_NO_HINTS: Counter[tuple[str, ...]] = Counter()
_NO_CLASSES: Counter[str] = Counter()
_NO_PROPERTIES: defaultdict[str, set[str]] = defaultdict(set)


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _alias(alias: StatedAlias) -> list[str | bool]:
    return [alias.key, alias.alias_key, alias.name, alias.alias, alias.proper, alias.why]


def _group(group: Group) -> list[Any]:
    rest: dict[str, Any] = {}
    if group.hints:
        rest["hints"] = [[list(classes), n] for classes, n in sorted(group.hints.items())]
    if group.expected:
        rest["expected"] = {c: [n, sorted(group.expecting[c])] for c, n in sorted(group.expected.items())}
    rest |= {name: True for name in ("in_claims", "term", "defined") if getattr(group, name)}
    return [group.key, _sorted(group.forms), *([rest] if rest else [])]


def _read_group(document: str, data: list[Any]) -> Group:
    key, forms, *more = data
    if not more:
        return Group(document, key, Counter(forms), _NO_HINTS, _NO_CLASSES, _NO_PROPERTIES)
    rest = more[0]
    expected = rest.get("expected", {})
    return Group(
        document,
        key,
        Counter(forms),
        Counter({tuple(classes): n for classes, n in rest.get("hints", ())}),
        Counter({c: n for c, (n, _) in expected.items()}),
        defaultdict(set, {c: set(properties) for c, (_, properties) in expected.items()}),
        in_claims="in_claims" in rest,
        term="term" in rest,
        defined="defined" in rest,
    )
