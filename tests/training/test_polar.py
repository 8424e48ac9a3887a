from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from training.reader.polar import examples, polar, wordings
from training.reader.words import kind


@pytest.mark.parametrize(
    ("question", "answer", "made"),
    [
        ("Who invented Nashville hot chicken?", "Thornton Prince", "Did Thornton Prince invent Nashville hot chicken?"),
        ("When was the school founded?", "1888", "Was the school founded in 1888?"),
        ("When was the treaty signed?", "May 5, 1990", "Was the treaty signed on May 5, 1990?"),
        ("What year did the series end?", "2000", "Did the series end in 2000?"),
        ("How many members does the council have?", "nine", "Does the council have nine members?"),
        ("How many people live in Kiel?", "246,000", "Is it true that 246,000 people live in Kiel?"),
        ("How old was Chopin when he moved?", "7", "Was Chopin 7 years old when he moved?"),
        ("Where is Corran located?", "Paris", "Is Corran located in Paris?"),
        ("Where did Luther go in 1501?", "Erfurt", "Did Luther go in 1501 to Erfurt?"),
        ("What is the capital of France?", "Paris", "Is Paris the capital of France?"),
        ("What is photosynthesis?", "a process", "Is photosynthesis a process?"),
        ("Which country borders France?", "Spain", "Does Spain border France?"),
        ("What station did ABC purchase in May 1960?", "WLS", "Did ABC purchase WLS in May 1960?"),
        (
            "What did Eisner become president of when he left?",
            "Ada",
            "Did Eisner become president of Ada when he left?",
        ),
        ("What is the dialect known as?", "Geordie", "Is the dialect known as Geordie?"),
        ("In what country does the firm work?", "Chad", "Does the firm work in Chad?"),
    ],
)
def test_a_question_and_its_answer_become_a_question_whether_it_is_so(question: str, answer: str, made: str) -> None:
    found = polar(question, answer)
    told = wordings(question, answer)
    assert made in (found, *told)
    assert found is not None and found.endswith("?") and found[0].isupper()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who didn't sign the treaty?", "Ada"),  # a negated one
        ("Who hypnotized his audiences?", "he"),  # a pronoun says nothing
        ("When was it founded?", "the school"),  # no time
        ("What does the firm sell?", "very quickly"),  # no thing
        ("Whose puppet was he?", "Ada"),
        ("Why did the mill close?", "the fire"),  # no gap that it fills
        ("Which patterns?", "other patterns"),
        ("What is the town called?", "the town"),  # nothing new
    ],
)
def test_no_question_is_made_where_the_answer_does_not_fit(question: str, answer: str) -> None:
    assert polar(question, answer) is None


def test_a_subject_question_is_worded_in_several_ways() -> None:
    assert wordings("Who invented the loom?", "Ada Wren") == [
        "Did Ada Wren invent the loom?",
        "Is it true that Ada Wren invented the loom?",
    ]


def test_a_place_takes_its_preposition_from_the_text() -> None:
    assert wordings("Where was the game played?", "Levi's Stadium", "It was played at") == [
        "Was the game played at Levi's Stadium?"
    ]


@pytest.mark.parametrize(
    ("text", "shape"),
    [("1888", "year"), ("May 1888", "date"), ("19th century", "date"), ("nine", "number"), ("$1.2 billion", "number"),
     ("the Bank of Corran", "name"), ("a process", "phrase")],
)  # fmt: skip
def test_the_shape_of_an_answer(text: str, shape: str) -> None:
    assert kind(text) == shape


TEXTS = {
    "Corran Mill": [
        "The Corran Mill was built in 1888 by Ada Wren. Twenty years afterwards, in 1908, Bruno Falk bought the mill.",
        "Clara Thorn wrote the mill's history in 1950. It was printed in Kiel while Emil Rust led the press.",
    ],
}
ASKED = [
    (0, "When was the Corran Mill built?", "1888"),
    (0, "Who built the Corran Mill?", "Ada Wren"),
    (0, "Who bought the property later?", "Bruno Falk"),
    (0, "Who burnt the Corran Mill?", None),
    (1, "Who wrote the history of the mill?", "Clara Thorn"),
    (1, "Who led the press?", "Emil Rust"),
    (1, "When was the history written?", "1950"),
]


def records() -> list[dict[str, Any]]:
    made = []
    for number, (place, question, answer) in enumerate(ASKED):
        context = TEXTS["Corran Mill"][place]
        answers = [{"text": answer, "start": context.index(answer)}] if answer else []
        made.append({"id": str(number), "article": "Corran Mill", "context": context, "question": question,
                     "answers": answers})  # fmt: skip
    return made


def test_examples_say_yes_no_and_unsaid_with_their_evidence() -> None:
    made = list(examples(records(), 1))
    assert set(Counter(e["polar"] for e in made)) == {"yes", "no", "unsaid"}
    answers = {answer for _, _, answer in ASKED if answer}
    for example in made:
        if example["polar"] == "unsaid":
            assert example["answer_start"] is None and example["answer_end"] is None
        else:
            evidence = example["context"][example["answer_start"] : example["answer_end"]]
            assert evidence in answers
            says = re.search(re.escape(evidence), example["question"], re.IGNORECASE) is not None
            assert says == (example["polar"] == "yes")


def test_the_same_seed_gives_the_same_examples() -> None:
    assert list(examples(records(), 3)) == list(examples(records(), 3))
    assert list(examples(records(), 3)) != list(examples(records(), 4))
