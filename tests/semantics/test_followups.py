"""Questions that lean on those before."""

from __future__ import annotations

import pytest

from kg.semantics.followups import Followups
from tests.semantics.world import SHIPS, graph, parser


def answered(question: str, *before: str) -> list[str] | None:
    parse = Followups(parser(SHIPS)).parse(question, [{"question": b, "answer": ""} for b in before])
    if parse.rows is None:
        return None
    known = graph(SHIPS)
    return sorted(
        known.name(known.ids[t]) if t in known.ids else getattr(t, "value", "") for row in parse.rows for t in row
    )


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (["What is the tonnage of the Heron?"], "And the Osprey?", ["9000"]),
        (["What is the tonnage of the Heron?"], "What about the length?", ["120.5"]),
        (["What is the longest ship?"], "And the second?", ["Heron"]),
        (["What is the longest ship?", "And the second?"], "And the next?", ["Gannet"]),
        (["Which ships are registered in Veldport?"], "Which of those are longer than 150?", ["Osprey"]),
        (["Which ships are registered in Veldport?"], "How many of them are longer than 150?", ["1"]),
        (["Which ships are registered in Veldport?"], "And in Lume?", ["Tern"]),
        (["What is the longest ship?"], "Who is its captain?", ["Bo Larkin"]),
        (["What is the tonnage of the Heron?"], "How long is it?", ["120.5"]),
        (["What is the tonnage of the Heron?"], "How do you know?", ["4000"]),
        (["What is the tonnage of the Heron?"], "And the albatross?", None),
        ([], "And the Osprey?", ["9000"]),
    ],
)
def test_follow_ups(before: list[str], question: str, expected: list[str] | None) -> None:
    if not before:
        assert answered(question) != expected  # nothing to lean on
    else:
        assert answered(question, *before) == expected
