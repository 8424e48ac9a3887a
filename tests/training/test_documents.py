"""Questions on real documents as the reader's examples: where they are answered, and where one can't tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.model import Passage, Unit, UnitKind
from kg.reading import View, view
from training.reader.data import Example
from training.reader.documents import example, load, places, says, words
from training.reader.train import put_to_documents

LINES = ("The Corran Mill was built in 1888 by *Ada Wren*.", "It burnt in 1908.", "- oats", "- barley", "- rye")


def passage(*lines: str) -> Passage:
    units, at = [], 0
    for line in lines:
        kind = UnitKind.ITEM if line.startswith("- ") else UnitKind.SENTENCE
        plain = line.removeprefix("- ").replace("*", "")
        units.append(Unit(kind=kind, start=at, end=at + len(line), plain=plain))
        at += len(line) + 1
    return Passage("mills-1", "mills", 0, at, "\n".join(lines), (), 0, tuple(units))


def seen(*lines: str) -> View:
    made = passage(*(lines or LINES))
    return view(made, "Mills", range(len(made.units)))


def question(kind: str, *spans: str, evidence: tuple[str, ...] = LINES[:1], answers: Any = None) -> dict[str, Any]:
    given = [[span] for span in spans] if answers is None else answers
    return {"question": "Who built it?", "type": kind, "answers": given, "evidence": list(evidence), "spans": spans}


def told(made: Example | None) -> list[str]:
    assert made is not None
    return [made.text[start:end] for start, end in made.spans]


def test_an_answer_stands_where_its_evidence_does() -> None:
    made = example("mills", question("factoid-entity", "Ada Wren"), seen(), whether=False)
    assert told(made) == ["Ada Wren"]
    assert made is not None and (made.polar, made.several) == ("", False)


def test_an_answer_may_stand_in_the_headings_above_its_evidence() -> None:
    made = example("mills", question("factoid-entity", "Mills", evidence=("# Mills", LINES[1])), seen(), whether=False)
    assert made is not None and made.spans == ((0, 5),)


def test_lists_are_told_by_all_their_items() -> None:
    asked = question("list", "oats", "barley", "rye", evidence=("- oats\n- barley\n- rye",))
    made = example("mills", asked, seen(), whether=False)
    assert told(made) == ["oats", "barley", "rye"] and made is not None and made.several
    lacking = question("list", "oats", "spelt", evidence=("- oats\n- spelt",))
    assert example("mills", lacking, seen(), whether=False) is None


def test_yes_is_said_by_the_unit_with_the_evidence() -> None:
    made = example(
        "mills", question("boolean", answers=[["yes"]], evidence=("It burnt in 1908.",)), seen(), whether=True
    )
    assert told(made) == ["It burnt in 1908."] and made is not None and made.polar == "yes"


def test_a_view_without_the_evidence_doesnt_answer_unless_it_has_the_answers_words() -> None:
    asked = question("factoid-entity", "Ada Wren")
    other = example("mills", asked, seen("The mill in Orra burnt down."), whether=False)
    assert other == Example("mills", "Who built it?", "Mills\nThe mill in Orra burnt down.", (), "")
    assert example("mills", asked, seen("Ada Wren was born in Orra."), whether=False) is None


@pytest.mark.parametrize(("whether", "polar"), [(True, "unsaid"), (False, "")])
def test_what_the_documents_dont_say_no_view_answers(whether: bool, polar: str) -> None:
    made = example("mills", question("unanswerable", evidence=()), seen(), whether=whether)
    assert made is not None and (made.spans, made.polar) == ((), polar)


def test_what_says_the_evidence() -> None:
    sentence, item = Unit(kind=UnitKind.SENTENCE, start=0, end=9, plain="It burnt in 1908."), "rye"
    assert says(sentence, ["[It](a.md) burnt in **1908**."])
    assert not says(sentence, ["It was built in 1888 by Ada Wren."])
    short = Unit(kind=UnitKind.ITEM, start=0, end=3, plain=item)
    assert says(short, ["- oats\n- rye"], fewest=1) and not says(short, ["- oats\n- rye"])
    heading = Unit(kind=UnitKind.HEADING, start=0, end=9, plain="It burnt in 1908.")
    assert not says(heading, ["It burnt in 1908."])


def test_words_are_found_whatever_their_markup() -> None:
    assert words("See [the *Corran* Mill](x.md).") == ["see", "the", "corran", "mill"]
    assert places("the Corran Mill, the mill", 4, ["**mill**", "Corran"]) == [(4, 10), (11, 15)]


def test_of_a_question_a_few_views_are_taken_in_one_pass() -> None:
    answers = [Example("mills", "Who?", f"Ada {n}", ((0, 3),)) for n in range(5)]
    silent = [Example("mills", "Who?", f"Nobody {n}", ()) for n in range(9)]
    kept = put_to_documents([*answers, *silent], seed=3)
    assert [bool(one.spans) for one in kept] == [True, True, False, False]
    assert kept == put_to_documents([*answers, *silent], seed=3)


def test_written_examples_are_read_again(tmp_path: Path) -> None:
    line = '{"source": "mills", "question": "Who?", "text": "Ada", "spans": [[0, 3]], "polar": "", "several": false}\n'
    (tmp_path / "examples.jsonl").write_text(line)
    assert load(tmp_path / "examples.jsonl") == [Example("mills", "Who?", "Ada", ((0, 3),))]
