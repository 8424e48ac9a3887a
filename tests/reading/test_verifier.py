"""The packaged verifier: a question with an answer beside what is quoted for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kg.errors import ModelUnavailable
from kg.reading import MODEL_FILE, QUERIES_FILE, SHIPPED, VERIFIER_FILE, WEIGHTS_FILE, Trained, Verifier, verifier_of

SAID = "Harbour of Tarn > Lights\nCorran Light was built by Ada Wren in 1901 and stands on Skerry Point."


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier()


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("Who built Corran Light?", "Ada Wren", "Skerry Point"),
        ("When was Corran Light built?", "1901", "Ada Wren"),
        ("Where does Corran Light stand?", "Skerry Point", "1901"),
        ("Was Corran Light built by Ada Wren?", "Yes", "No"),
    ],
)
def test_the_right_answer_is_told_from_a_wrong_one(verifier: Verifier, question: str, right: str, wrong: str) -> None:
    better, worse = verifier.verify([(f"{question} = {right}", SAID), (f"{question} = {wrong}", SAID)])
    assert better > max(0, worse) + 0.75


def test_an_answer_to_another_question_is_refused(verifier: Verifier) -> None:
    own, other = verifier.verify([("Who built Corran Light? = Ada Wren", SAID), ("Who sold Elsa? = Ada Wren", SAID)])
    assert own > other


def test_a_pair_is_read_the_same_in_any_company(verifier: Verifier) -> None:
    pair = ("Who built it? = Ada Wren", SAID)
    assert verifier.verify([("a", "b"), pair, ("", "word " * 900)])[1] == verifier.verify([pair])[0]
    assert verifier.verify([]) == []


def test_all_networks_take_their_weights_from_one_file() -> None:
    sizes = [(SHIPPED / name).stat().st_size for name in (MODEL_FILE, VERIFIER_FILE, QUERIES_FILE, WEIGHTS_FILE)]
    assert max(sizes[:3]) < 1_000_000 < 10_000_000 < sizes[3] < 42_000_000


def test_a_folder_may_have_a_reader_alone_but_none_with_another_file(tmp_path: Path) -> None:
    assert Trained.load().verifier is not None
    shutil.copytree(SHIPPED, tmp_path / "other")
    with (tmp_path / "other" / WEIGHTS_FILE).open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelUnavailable, match=r"weights\.bin is not the file that it was"):
        verifier_of(tmp_path / "other")
    with pytest.raises(ModelUnavailable, match="no reader in"):
        verifier_of(tmp_path / "none")
