"""How near two English words are in meaning, by the relations of Princeton WordNet (see ``wordnet-LICENSE.txt``).

Near are synonyms, what is derived from one another (build, builder), an adjective and what it grades (tall, height),
a kind and what it is a kind of. Each step and each rarer sense costs; what is left is the relatedness, from 0 to 1.
"""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

# What is left of relatedness after a step.
_STEP = {"+": 0.93, "\\": 0.93, "=": 0.92, "@": 0.8, "&": 0.88, "$": 0.9}
_SYNONYM = 0.96
_LEAST = 0.5
_SENSES = 6
_KIND = re.compile(r"@(\d+)")
_RULES = (
    ("ies", "y"), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
    ("shes", "sh"), ("men", "man"),
    ("s", ""), ("ied", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""), ("er", "e"), ("est", ""),
    ("est", "e"), ("ier", "y"), ("iest", "y"),
)  # fmt: skip
_IRREGULAR = {
    "children": "child", "people": "people", "wives": "wife", "lives": "live", "born": "bear", "bore": "bear",
    "wrote": "write", "written": "write", "sold": "sell", "bought": "buy", "built": "build", "made": "make",
    "ran": "run", "flew": "fly", "flown": "fly", "led": "lead", "held": "hold", "won": "win", "paid": "pay",
    "spent": "spend", "taught": "teach", "taken": "take", "took": "take", "gave": "give", "given": "give",
    "spoke": "speak", "spoken": "speak", "grew": "grow", "grown": "grow", "fell": "fall", "fought": "fight",
    "married": "marry", "died": "die", "dead": "die", "feet": "foot", "teeth": "tooth", "left": "leave",
    "began": "begin", "begun": "begin", "ate": "eat", "went": "go", "came": "come", "lain": "lie", "drew": "draw",
    "wore": "wear", "chose": "choose", "sung": "sing", "sang": "sing", "rode": "ride", "drove": "drive",
    "better": "good", "best": "good", "worse": "bad", "worst": "bad", "farther": "far", "further": "far",
    "farthest": "far", "has": "have", "had": "have", "was": "be", "were": "be", "is": "be", "are": "be",
    "cost": "cost", "found": "find", "lost": "lose", "met": "meet", "sent": "send", "kept": "keep", "known": "know",
    "knew": "know", "stood": "stand", "bred": "breed", "fed": "feed", "grandchildren": "grandchild",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Net:
    """The network by the numbers of its synsets; a synset's words and links are read when it is come by."""

    synsets: tuple[tuple[str, str], ...]
    down: Mapping[int, Sequence[int]]
    senses: Mapping[str, Sequence[tuple[int, int, int]]]


@cache
def _net() -> _Net:
    data = resources.files("kg.text").joinpath("wordnet.tsv.gz").read_bytes()
    synsets: list[tuple[str, str]] = []
    down: dict[int, list[int]] = defaultdict(list)
    senses: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for number, line in enumerate(gzip.decompress(data).decode("utf-8").splitlines()):
        _, _, lemmas, related = line.split("\t")
        synsets.append((lemmas, related))
        for entry in lemmas.replace("_", " ").split(","):
            name, rank, count = entry.rsplit(":", 2)
            senses[name].append((-int(count), int(rank), number))
        for target in _KIND.findall(related):
            down[int(target)].append(number)
    return _Net(tuple(synsets), dict(down), dict(senses))


@lru_cache(maxsize=50_000)
def _links(number: int) -> tuple[tuple[str, int], ...]:
    """What a synset is related to, each by its kind."""
    return tuple((r[0], int(r[1:])) for r in _net().synsets[number][1].split())


def _words(number: int) -> Iterator[str]:
    """The words of a synset."""
    for entry in _net().synsets[number][0].split(","):
        yield entry.rsplit(":", 2)[0].replace("_", " ")


@lru_cache(maxsize=20_000)
def _senses(word: str) -> tuple[tuple[int, float], ...]:
    """The senses of a word, commonest first, each with what it counts."""
    found = _net().senses.get(word, ())
    total = sum(-count for count, _, _ in found) or 1
    kept = sorted(found)[:_SENSES]
    return tuple((n, 1.0 if -c / total >= 0.25 else 0.9 if -c / total >= 0.08 else 0.8) for c, _, n in kept)


@lru_cache(maxsize=20_000)
def lemmas(word: str) -> tuple[str, ...]:
    """The base forms that a word may have, itself first if it is one."""
    word = word.casefold()
    net = _net()
    found = [word] if word in net.senses else []
    if word in _IRREGULAR:
        found.append(_IRREGULAR[word])
    for end, base in _RULES:
        if word.endswith(end) and len(word) > len(end) + 1:
            stem = word[: -len(end)] + base
            candidates = [stem] + ([stem[:-1]] if not base and len(stem) > 3 and stem[-1] == stem[-2:-1] else [])
            found += [c for c in candidates if c in net.senses]
    return tuple(dict.fromkeys(found)) or (word,)


@lru_cache(maxsize=5_000)
def neighbours(word: str) -> Mapping[int, float]:
    """Synsets near a base form, with how near."""
    net = _net()
    best: dict[int, float] = {}
    queue = [(number, weight, 0, False) for number, weight in _senses(word)]
    while queue:
        number, weight, steps, down = queue.pop()
        if weight < _LEAST or best.get(number, 0.0) >= weight:
            continue
        best[number] = weight
        if steps < 3:
            queue += [
                (target, weight * _STEP[kind], steps + 1, down)
                for kind, target in _links(number)
                if kind != "@" or not down
            ]
            queue += [(target, weight * 0.72, steps + 1, True) for target in net.down.get(number, ())]
    return best


@lru_cache(maxsize=50_000)
def relatedness(left: str, right: str) -> float:
    """How near two words are, from 0 to 1 (the same base form). Symmetric."""
    ones, others = lemmas(left), lemmas(right)
    if set(ones) & set(others):
        return 1.0
    best = max((max(_reached(one, other), _reached(other, one)) for one in ones for other in others), default=0.0)
    return best * _SYNONYM if best >= _LEAST else 0.0


def _reached(one: str, other: str) -> float:
    """How near the senses of a base form are that another's neighbourhood has, 0 to 1."""
    near, best = neighbours(one), 0.0
    for number, weight in _senses(other):
        if number in near:
            best = max(best, near[number] * weight)
    return best


def synonyms(name: str) -> tuple[str, ...]:
    """Names that WordNet holds for the same: "united states" for "usa"."""
    return tuple(sorted({w for n, _ in _senses(name.casefold())[:1] for w in _words(n)} - {name.casefold()}))


@lru_cache(maxsize=5_000)
def is_kind_of(word: str, above: str) -> bool | None:
    """Whether any sense of a word is a kind of another word's first sense; None of words that aren't known."""
    goal = next(iter(_senses(above)), (-1, 0.0))[0]
    starts = [n for lemma in lemmas(word) for n, _ in _senses(lemma)]
    return any(goal in _above(n) for n in starts) if starts else None


@lru_cache(maxsize=20_000)
def _above(number: int) -> frozenset[int]:
    """A synset with all that it is a kind of."""
    seen, queue = {number}, [number]
    while queue:
        more = [target for kind, target in _links(queue.pop()) if kind == "@" and target not in seen]
        seen.update(more)
        queue += more
    return frozenset(seen)


def is_known(words: Iterable[str]) -> bool:
    """Whether all of the words are English ones."""
    net = _net()
    return all(any(lemma in net.senses for lemma in lemmas(word)) for word in words)
