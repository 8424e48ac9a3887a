"""An answer says what the question says: its year, its figure, its noun; what may be or isn't told is no answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.ask.engine import Asker
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

PUPPETS = """# The Puppet Theatre of Kasten

The theatre was opened in 1931 by Vera Lund. In 2016 it sold 8,400 tickets, in 2018 only 6,100.
It may be moved to the old mill. The wages of the puppeteers have not been disclosed.
Nobody was hurt when the curtain fell in 1974.
Emil Tarp drove the van from 1950 to 1958. Vera Lund comes from Orsk.

## Plays

| Play | Puppets | Length | Author |
|---|---|---|---|
| The Fox | 12 | 48 min | Ada Quint |
| Night Ferry | 31 | 95 min | Jonas Pell |
| Salt | 7 | 62 min | Ada Quint |

## Rooms

| Room | Seats |
|---|---|
| Room 1 | 80 |
| Room 2 | 140 |

## Workshop

- **Carver**: Olga Brem
- **Wood**: lime and pear

Olga Brem learned carving at the academy in Tolm. AI tools are not used. A marotte is a puppet on a stick.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    kb = KnowledgeBase.create(tmp_path_factory.mktemp("puppets") / "kb", Settings(build={"ontology": ()}))
    kb.put(PUPPETS.encode(), "puppets.md")
    return kb


@pytest.mark.parametrize(
    "question",
    [
        "Has the theatre been moved to the old mill?",
        "How many directors does the theatre have?",
        "Which airline flew Vera Lund to Orsk?",
    ],
)
def test_what_is_not_said_is_declined(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).status == "abstained"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many tickets did the theatre sell in 2018?", "6,100"),
        ("Was anybody hurt when the curtain fell?", "No"),
        ("Between which dates did Emil Tarp drive the van?", "1950 to 1958"),
        ("How many rooms are there?", "2"),
        ("Which play is the longest?", "Night Ferry"),
        ("What is a marotte?", "puppet on a stick"),
    ],
)
def test_what_is_said_is_given(
    kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker], question: str, said: str
) -> None:
    answer = by_models(kb).ask(question)
    assert answer.status == "answered"
    assert said in answer.answer[:120]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where did the theatre's carver learn?", "Tolm"),
        ("Which is the shortest play?", "The Fox"),
    ],
)
def test_what_is_said_is_read_by_models(
    kb: KnowledgeBase, by_models: Callable[[KnowledgeBase], Asker], question: str, said: str
) -> None:
    assert said in by_models(kb).ask(question).answer[:120]
