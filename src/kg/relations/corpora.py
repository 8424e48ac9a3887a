"""Sentences with marked facts for training: KnowledgeNet, Re-DocRED, and invented ones made from the lexicon."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.errors import BadInput
from kg.relations.generate import generate
from kg.relations.phrasebook import entries
from kg.relations.schema import Example, Marked, Relation, Span

KNOWLEDGENET: tuple[Relation, ...] = tuple(
    Relation(*row)
    for row in (
        ("DATE_OF_BIRTH", "date of birth", "when a person was born", "person", "date"),
        ("DATE_OF_DEATH", "date of death", "when a person died", "person", "date"),
        ("PLACE_OF_BIRTH", "place of birth", "where a person was born", "person", "place"),
        ("PLACE_OF_RESIDENCE", "place of residence", "where a person lives or lived", "person", "place"),
        ("NATIONALITY", "nationality", "country whose citizen a person is", "person", "nationality"),
        ("SPOUSE", "spouse", "whom a person is or was married to", "person", "person"),
        ("CHILD_OF", "child of", "father or mother of a person", "person", "person"),
        ("EDUCATED_AT", "educated at", "school or university that a person attended", "person", "school"),
        (
            "EMPLOYEE_OR_MEMBER_OF", "employee or member of",
            "organisation that a person works for or belongs to", "person", "organisation",
        ),
        ("POLITICAL_AFFILIATION", "political affiliation", "party that a person belongs to", "person", "party"),
        ("CEO", "chief executive officer", "person who runs a company as its CEO", "organisation", "person"),
        ("FOUNDED_BY", "founded by", "who founded an organisation", "organisation", "person"),
        ("DATE_FOUNDED", "date founded", "when an organisation was founded", "organisation", "date"),
        ("HEADQUARTERS", "headquarters", "place where an organisation is based", "organisation", "place"),
        ("SUBSIDIARY_OF", "subsidiary of", "organisation that owns another", "organisation", "organisation"),
    )
)  # fmt: skip


def knowledgenet(rows: Iterable[Mapping[str, Any]]) -> list[Example]:
    """Passages of KnowledgeNet; each was read for the properties that it names."""
    made = []
    for row in rows:
        start = int(row["passageStart"])
        facts = tuple(
            Marked(
                str(fact["property"]),
                ((fact["subjectStart"] - start, fact["subjectEnd"] - start),),
                ((fact["objectStart"] - start, fact["objectEnd"] - start),),
            )
            for fact in row["facts"]
        )
        made.append(Example(str(row["passageText"]), facts, tuple(sorted(row["properties"]))))
    return made


def docred(path: Path, known: Sequence[Relation], first: int = 0, last: int | None = None) -> list[Example]:
    """Sentences of documents ``first`` to ``last`` of a file as Re-DocRED lays it out, all names marked.

    A fact counts in a sentence that names both sides, unless the data says that other sentences are its evidence.
    Raises BadInput.
    """
    try:
        documents = json.loads(path.read_text("utf-8"))[first:last]
        keys = tuple(relation.key for relation in known)
        return [example for document in documents for example in _sentences(document, keys)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} isn't laid out as DocRED is", "name dev_revised.json of Re-DocRED") from error


def _sentences(document: Mapping[str, Any], keys: tuple[str, ...]) -> list[Example]:
    made = []
    for number, tokens in enumerate(document["sents"]):
        text, places = joined(tokens)
        spans: dict[int, list[Span]] = {}
        for entity, mentions in enumerate(document["vertexSet"]):
            for mention in mentions:
                if mention["sent_id"] == number and mention["pos"][1] > mention["pos"][0]:
                    span = (places[mention["pos"][0]][0], places[mention["pos"][1] - 1][1])
                    spans.setdefault(entity, []).append(span)
        facts = tuple(
            Marked(label["r"], tuple(spans[label["h"]]), tuple(spans[label["t"]]))
            for label in document["labels"]
            if label["h"] in spans and label["t"] in spans and (not label["evidence"] or number in label["evidence"])
        )
        unsure = {
            label["r"]
            for label in document["labels"]
            if label["h"] in spans and label["t"] in spans and label["evidence"] and number not in label["evidence"]
        }
        names = tuple(span for rows in spans.values() for span in rows)
        asked = tuple(sorted(set(keys) - unsure)) if unsure else keys
        made.append(Example(text, facts, asked, names, True))
    return made


def joined(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """Tokens as running text, and where each stands in it.

    >>> joined(["Ann", "(", "b.", "1900", ")", ",", "a", "cook", "'s", "aide"])[0]
    "Ann (b. 1900), a cook's aide"
    """
    text, places, tight = "", [], True
    for token in tokens:
        clean = " ".join(token.split()) or token
        if not tight and not (clean[:1] in ",.;:!?)]%" or clean in ("'s", "’s", "n't", "'")):
            text += " "
        places.append((len(text), len(text) + len(clean)))
        text += clean
        tight = clean in ("(", "[", "$", "£", "€")
    return text, places


_GROUP, _SENTENCES = 14, 32  # relations of an invented ontology; sentences made for it


def invented(groups: int, seed: int = 11) -> tuple[list[Relation], list[Example]]:
    """Small ontologies of the lexicon's relations in random company, with sentences for each.

    A relation is given by its label or an alias, with or without its definition, so that the model depends on neither.
    """
    chance = random.Random(seed)
    every = list(entries())
    relations: list[Relation] = []
    examples: list[Example] = []
    turn: list[int] = []
    for number in range(groups):
        if len(turn) < _GROUP:
            turn = chance.sample(range(len(every)), len(every))
        chosen = [every[turn.pop()] for _ in range(_GROUP)]
        brief = chance.random() < 0.6
        keys = {}
        for entry in chosen:
            keys[entry.relation] = key = f"lexicon/{number}/{entry.relation}"
            label = chance.choice((entry.relation, entry.relation, *entry.aliases))
            relations.append(Relation(key, label, "" if brief else entry.definition, entry.domain, entry.range))
        for made in generate(seed * 1000 + number, _SENTENCES, tuple(keys)):
            facts = tuple(Marked(keys[f.relation], (f.subject,), (f.object,)) for f in made.facts if f.relation in keys)
            examples.append(Example(made.text, facts, tuple(keys.values()), made.mentions))
    return relations, examples
