"""Names where a graph has no labels: properties that hold names, and phrases from comments.

A comment speaks for what it describes only where neither a label nor the IRI says anything ("ptAdmDt", "P571").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from kg.text.question_words import FUNCTION, word_set
from kg.text.tokens import words
from kg.text.wordnet import is_known

_NAMES = frozenset(("name", "title", "label"))
_PARTIAL = word_set("first last given family sur middle user file domain host path nick brand maiden job")
_MARKS = word_set("of that which who whom whose in on at by from for with to where when")
_LITTLE = word_set("a an the is was are were be been being one this its their")
# Heads that say what kind of value it is, not which.
_KINDS = word_set("date day time year number amount count quantity value thing one whether person place kind type text")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SENTENCE = re.compile(r"[.;:(]")
_MOST = 60  # characters of a name
Values = Mapping[int, Sequence[int]]


def local_name(iri: str) -> str:
    """The last part of an IRI, its words apart."""
    last = unquote(re.split(r"[/#:]", iri.rstrip("/#"))[-1])
    return " ".join(_CAMEL.sub(" ", last).replace("_", " ").replace("-", " ").split())


def is_opaque(name: str) -> bool:
    """Whether a name of an IRI is no English: abbreviations, numbers."""
    said = [w for w in words(name) if w not in FUNCTION]
    return not said or any(
        not re.search("[aeiouy]", word) or any(c.isdigit() for c in word) or not is_known((word,)) for word in said
    )


def phrases(comment: str, about: Iterable[str] = ()) -> tuple[str, ...]:
    """Names that a comment's first sentence gives: "Age of the patient" → age; "The doctor who treats …" → treats.

    ``about``: names of the classes that it speaks of, which say nothing besides.
    """
    parts = _SENTENCE.split(comment.strip())
    said = [w for w in words(parts[0]) if w not in ("'s",)]
    while said and said[0] in _LITTLE:
        said.pop(0)
    at = next((i for i, w in enumerate(said) if w in _MARKS and i), len(said))
    head, rest = said[:at], said[at:]
    if len(rest) > 1 and rest[-2] == "in" and rest[-1] not in _LITTLE:  # "in euros": what it is measured in
        rest = rest[:-2]
    left = _without(rest, [words(name) for name in about])
    clause = " ".join(_trimmed([w for w in left if w not in _LITTLE]))
    found = []
    if head[-1:] and head[-1] in _KINDS:
        if said[at : at + 1] == ["of"] and clause:
            found.append(" ".join((*head, "of", clause)))
        found += [clause, " ".join((clause, head[-1]))] if clause else [" ".join(head)]
    else:
        found += [" ".join(head), *head[-1:], *([clause] if rest[:1] != ["of"] else [])]
    if head and head[0] == "whether":
        found = [" ".join(_trimmed([w for w in _without(head[1:], [words(n) for n in about]) if w not in _LITTLE]))]
    found += [" ".join(words(part)) for part in parts[1:] if comment.find(f"({part}") >= 0]
    return tuple(dict.fromkeys(f for f in found if f and f not in FUNCTION))


def kinds(comment: str) -> tuple[str, ...]:
    """Names that a comment gives a class: "A disease or other condition that …" → disease, condition."""
    said = list(words(_SENTENCE.split(comment.strip())[0]))
    at = next((i for i, w in enumerate(said) if w in _MARKS and i), len(said))
    head, rest = said[:at], said[at:]
    found: list[str] = []
    for part in " ".join(head).split(" or "):
        kept = [w for w in part.split() if w not in _LITTLE and w not in ("other", "any", "some")]
        if kept:
            found.append(" ".join(kept))
    if rest[:1] == ["of"] and len(rest) > 1 and rest[1] not in _LITTLE and len(found) == 1:  # "a member of staff"
        noun = rest[1 : next((i for i, w in enumerate(rest) if i > 1 and w in _MARKS), len(rest))]
        found = [f"{found[0]} of {' '.join(noun)}", " ".join(noun)]
    return tuple(dict.fromkeys(found))


def holds_names(names: Iterable[str], comment: str, values: Sequence[str]) -> bool:
    """Whether a property's values (one a thing) are what the things are called."""
    if not values or len(set(values)) < 0.9 * len(values) or any(len(v) > _MOST or not v.strip() for v in values):
        return False
    for name in names:
        said = words(name)
        if said and said[-1] in _NAMES and not set(said) & _PARTIAL:
            return True
    first = words(comment)[:4]
    return bool(set(first) & _NAMES) and not set(first) & _PARTIAL and all(is_opaque(n) for n in names)


def _without(said: Sequence[str], names: Sequence[Sequence[str]]) -> list[str]:
    """Words less the first mention of each name, with the articles and "of the" before it."""
    left = list(said)
    for name in sorted(names, key=len, reverse=True):
        for at in range(len(left) - len(name) + 1):
            if tuple(left[at : at + len(name)]) == tuple(name):
                del left[at : at + len(name)]
                break
    return left


def _trimmed(said: Sequence[str]) -> list[str]:
    """Without the small words at the ends, but for those that belong to a verb ("diagnosed with")."""
    kept = list(said)
    while kept and kept[0] in _MARKS:
        kept.pop(0)
    while len(kept) > 1 and kept[-1] in ("of", "in", "on", "at", "from", "by", "for"):
        kept.pop()
    return [] if all(w in FUNCTION for w in kept) else kept
