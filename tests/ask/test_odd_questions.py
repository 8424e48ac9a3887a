"""Questions, dates and texts as nobody would write them, and what is as near as can be to being something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask import steps
from kg.ask.candidates import Candidate, Source
from kg.ask.drafts import Draft, Value, is_within
from kg.ask.linking import Wording
from kg.ask.pairs import between
from kg.ask.question import analyse
from kg.ask.retrieve import Term
from kg.ask.selections import _of_date
from kg.ask.verification import asserted
from kg.model import Passage, Unit, UnitKind
from kg.reading import Reader, Span, Verifier, view
from kg.text.spans import dates


def test_two_things_to_choose_from() -> None:
    told = {
        "Which is older, the Elsa or the Aurelia?": ("the Elsa", "the Aurelia"),
        "Was it Kell Yard, or Alder Yard that built her?": ("Kell Yard", "Alder Yard"),
        "Elsa vs. Aurelia": ("Elsa", "Aurelia"),
        "or the Aurelia?": (),
    }
    assert {text: analyse(text).options for text in told} == told


def test_blanks_and_words_without_end_are_taken_apart_at_once() -> None:
    assert analyse("Which boat" + " " * 1500 + "is\n\t oldest?").text == "Which boat is oldest?"
    assert analyse("word " * 400).options == ()


def test_a_very_long_question_is_read_and_verified() -> None:
    question = "Who of all those who ever rowed " * 60 + "built Corran Light?"
    (reading,) = Reader().read(question, ["Corran Light was built by Ada Wren in 1901."])
    assert len(reading.starts) > 5
    (logit,) = Verifier().verify([(asserted(question, "Ada Wren"), "Corran Light was built by Ada Wren in 1901.")])
    assert abs(logit) < 50 and asserted(question, "Ada Wren").endswith(" = Ada Wren")


def test_a_day_that_no_month_has_is_none() -> None:
    assert [d.earliest for d in dates("on 31 June 1999, 30 June 1999, 29 February 1999 and 29 February 2000")] == [
        "1999-06-30", "2000-02-29",
    ]  # fmt: skip


def test_time_between_dates() -> None:
    assert between("1998", "1998-05") == between("1998", "1998") == ""
    assert between("1890-05", "1995-06", "years") == "105 years"
    assert between("1998-01", "2000-07", "years") == "2.5 years"


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_figure_is_within_a_text_as_a_whole(one: int, other: int) -> None:
    assert is_within(str(one), f"about {other} cows") == (one == other)
    assert not is_within(str(one), f"{other}.{one}5") and not is_within(str(one), f"x{one}")


def test_what_is_between_months_begins_with_the_month() -> None:
    bound = _of_date("launched between June 2019 and August 2019")
    assert bound is not None and (bound.low, bound.high) == ("2019-06", "2019-08-31")


def test_what_introduces_a_unit_belongs_to_none() -> None:
    units = (Unit(UnitKind.ITEM, 0, 12, "Elsa is fast"), Unit(UnitKind.ITEM, 13, 17, "Mora", "Boats of Ida Marsh:"))
    seen = view(Passage("p", "d", 0, 17, "Elsa is fast Mora", (), 0, units), "Harbour", (0, 1))
    at = seen.text.index("Ida Marsh")
    assert seen.unit_at(at) is None and seen.unit_at(seen.text.index("Mora")) == 1
    assert seen.within(seen.text.index("Elsa"), len(seen.text)) == "Elsa is fast"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_word_counts_as_itself_whatever_stands_beside_it(order: tuple[int, int]) -> None:
    words = analyse("What is the price that it costs?").words
    price, cost = (next(w for w in words if w.term == term) for term in ("price", "cost"))
    own = ((price, "price", "cost"), (cost, "cost", "price"))
    terms = [Term(word, 1.0, ((form, 1.0), (other, 0.75)), ()) for word, form, other in own]
    assert Wording.of(terms[n] for n in order).forms == {"price": 1.0, "cost": 1.0}


def test_an_answer_that_two_views_give_stands_where_it_is_likeliest(monkeypatch: pytest.MonkeyPatch) -> None:
    told = (("Elsa", 10.0), ("Mora", 9.0), ("Elsa", 1.0))
    drafts = [(Draft("entity", label, (Value(label),), (), 1.0), Span(0, 1, score)) for label, score in told]
    found = [Candidate(draft, Source.SPAN, place=(0, span)) for draft, span in drafts]
    monkeypatch.setattr(steps, "spans", lambda _: found)
    best = steps._likeliest(None, 2)  # type: ignore[arg-type]
    assert [(one.label, one.place) for one in best] == [("elsa", (0, Span(0, 1, 10.0))), ("mora", (0, Span(0, 1, 9.0)))]
