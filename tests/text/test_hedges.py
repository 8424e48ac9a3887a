"""Standing: what hedges, what denies, what supposes, and how far each reaches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.model import Hedge, Mood, Polarity, Status
from kg.text.hedges import CAUTION, absent, combine, hedge, hedge_at

AFFIRMED, NEGATED = Polarity.AFFIRMED, Polarity.NEGATED


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Confirmed", Status.CONFIRMED),
        ("Officially announced by the harbour board", Status.CONFIRMED),
        ("What the Museum Officially Disclosed", Status.CONFIRMED),
        ("Kiln Temperatures (from leaks)", Status.LEAKED),
        ("Likely (from leaks)", Status.LEAKED),
        ("The dough recipe was leaked in May", Status.LEAKED),
        ("The board reportedly met twice", Status.LEAKED),
        ("Estimated", Status.ESTIMATED),
        ("Estimated cost: ~$63M", Status.ESTIMATED),
        ("Cost estimates (not officially confirmed by the yard)", Status.ESTIMATED),
        ("Company estimates", Status.ESTIMATED),
        ("The keeper probably left in 1901.", Status.GUESSED),
        ("Suspected faulty seals", Status.GUESSED),
        ("It seems that the bell cracked", Status.GUESSED),
        ("It may have been moved", Status.GUESSED),
        ("We can assume that they bake at night", Status.GUESSED),
        ("It's unclear why the lamp failed", Status.GUESSED),
        ("There is nothing that proves that it was built", Status.GUESSED),
        ("Unconfirmed", Status.GUESSED),
        ("The lens will be replaced", Status.PLANNED),
        ("Planned capacity: 7 MW", Status.PLANNED),
        ("Expected opening: May 2031", Status.PLANNED),
        ("scheduled to open in June", Status.PLANNED),
        ("Future plans", Status.PLANNED),
        ("They said it would open in 2027", Status.PLANNED),
        ("a proposed second tower", Status.PLANNED),
        ("Not Publicly Disclosed", Status.UNDISCLOSED),
        ("Unknown", Status.UNDISCLOSED),
        ("Unknown (likely thousands)", Status.UNDISCLOSED),
        ("The yard has never publicly named its supplier", Status.UNDISCLOSED),
        ("The report withholds the price", Status.UNDISCLOSED),
        ("declined to comment", Status.UNDISCLOSED),
        ("TBA", Status.UNDISCLOSED),
        ("undisclosed sum", Status.UNDISCLOSED),
        # nothing of the kind
        ("about 300 lamps", Status.STATED),
        ("~40 tonnes", Status.STATED),
        ("N/A", Status.STATED),
        ("–", Status.STATED),
        ("In May 2020 it opened", Status.STATED),
        ("Water leaked into the hull", Status.STATED),
        ("a gas leak", Status.STATED),
        ("The will of the people", Status.STATED),
        ("It worked as expected", Status.STATED),
        ("an underestimated risk", Status.STATED),
        ("A strategic planning variable", Status.STATED),
        ("The floor plan", Status.STATED),
        ("Announced by President Trump", Status.STATED),
        ("What the Tower Looks Like Today", Status.STATED),
        ("officials met", Status.STATED),
        ("a possible method of baking", Status.STATED),
        ("for unknown reasons", Status.STATED),
        ("a wall, a gate and an unnamed ditch", Status.STATED),
    ],
)
def test_status(text: str, status: Status) -> None:
    assert hedge(text).status is status


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("The bakery never used rye", NEGATED),
        ("They no longer ring the bell", NEGATED),
        ("Although gas is no longer used, the lamp shines", AFFIRMED),
        ("It did not need a keeper", NEGATED),
        ("The pier couldn't hold", NEGATED),
        ("Not brass or tin", NEGATED),
        ("No keepers required", NEGATED),
        ("Built of oak, not pine", AFFIRMED),
        ("not only lamps but horns", AFFIRMED),
        ("no more than 5 lamps", AFFIRMED),
        ("nothing but oak", AFFIRMED),
        ("The number was not disclosed", AFFIRMED),
        ("whether or not it rains, it opens", AFFIRMED),
    ],
)
def test_polarity(text: str, polarity: Polarity) -> None:
    assert hedge(text).polarity is polarity


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("If the wind drops, the horn sounds", Mood.HYPOTHETICAL),
        ("Imagine a tower of glass", Mood.HYPOTHETICAL),
        ("A taller mast would reach further", Mood.HYPOTHETICAL),
        ("Visitors might return", Mood.HYPOTHETICAL),
        ("likely brass or tin", Mood.ALTERNATIVE),
        ("either oak or pine", Mood.ALTERNATIVE),
        ("Built by Harlan or Wolff", Mood.ALTERNATIVE),
        ("probably K200/K400", Mood.ALTERNATIVE),
        ("K200/K400", Mood.FACTUAL),
        ("40 kg or 80 kg sacks", Mood.FACTUAL),
        ("5 or more keepers", Mood.FACTUAL),
        ("In May it rained", Mood.FACTUAL),
        ("as if by magic", Mood.FACTUAL),
        ("The wall could not hold", Mood.FACTUAL),
    ],
)
def test_mood(text: str, mood: Mood) -> None:
    assert hedge(text).mood is mood


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("Lit with paraffin, not gas.", "paraffin", Hedge()),
        ("Lit with paraffin, not gas.", "gas", Hedge(polarity=NEGATED)),
        ("Use brass rather than steel", "brass", Hedge()),
        ("Use brass rather than steel", "steel", Hedge(polarity=NEGATED)),
        ("Gas was never used by the keepers", "Gas", Hedge(polarity=NEGATED)),
        ("Gas was never used by the keepers", "keepers", Hedge(polarity=NEGATED)),
        ("Runs on tide power (not wind --- the site was calm)", "tide power", Hedge()),
        ("Runs on tide power (not wind --- the site was calm)", "wind", Hedge(polarity=NEGATED)),
        ("Runs on tide power (not wind --- the site was calm)", "calm", Hedge()),
        ("Lit by 8 lamps (likely K200 or K400)", "8", Hedge()),
        ("Lit by 8 lamps (likely K200 or K400)", "K200", Hedge(Status.GUESSED, mood=Mood.ALTERNATIVE)),
        ("~$4.6M (estimated)", "~$4.6M", Hedge(Status.ESTIMATED)),
        ("~$63M (one run), likely", "~$63M", Hedge(Status.GUESSED)),
        ("Estimated cost: ~$63M (at $1 a day)", "~$63M", Hedge(Status.ESTIMATED)),
        ("The tower cost 5 million, but the lamp was probably free", "5 million", Hedge()),
        ("The tower cost 5 million, but the lamp was probably free", "free", Hedge(Status.GUESSED)),
        ("It has 4 lamps, which might be replaced", "4", Hedge()),
        ("Leads the works (targeting 30 MW of output).", "30 MW", Hedge(Status.PLANNED)),
        ("Heron is a fast algorithm, targeting small machines.", "a fast algorithm", Hedge()),
        ("The opening is targeted for spring.", "spring", Hedge(Status.PLANNED)),
        ("Unknown (likely thousands)", "thousands", Hedge(Status.GUESSED)),
        ("If the wind drops, the horn sounds 3 times", "3", Hedge(mood=Mood.HYPOTHETICAL)),
        ("Sites: Fastnet, Skellig, plus an undisclosed island", "Skellig", Hedge()),
        ("Sites: Fastnet, Skellig, plus an undisclosed island", "island", Hedge(Status.UNDISCLOSED)),
        ("Used two ovens + one kiln, likely rebuilt later", "two", Hedge()),
        ("The crew did not use all 10,000 sacks", "10,000", Hedge(polarity=NEGATED)),
    ],
)
def test_the_clause_counts(text: str, value: str, expected: Hedge) -> None:
    start = text.index(value)
    assert hedge_at(text, start, start + len(value)) == expected


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        (Status.LEAKED, Status.STATED, Status.LEAKED),
        (Status.STATED, Status.GUESSED, Status.GUESSED),
        (Status.LEAKED, Status.ESTIMATED, Status.LEAKED),
        (Status.ESTIMATED, Status.LEAKED, Status.LEAKED),
        (Status.LEAKED, Status.CONFIRMED, Status.CONFIRMED),
        (Status.CONFIRMED, Status.GUESSED, Status.GUESSED),
        (Status.UNDISCLOSED, Status.STATED, Status.UNDISCLOSED),
        (Status.UNDISCLOSED, Status.ESTIMATED, Status.ESTIMATED),
        (Status.PLANNED, Status.ESTIMATED, Status.PLANNED),
    ],
)
def test_surroundings_and_own_words(outer: Status, inner: Status, expected: Status) -> None:
    assert combine(Hedge(outer), Hedge(inner)).status is expected


HEDGES = st.builds(Hedge, st.sampled_from(CAUTION), st.sampled_from(Polarity), st.sampled_from(Mood))


@given(HEDGES, HEDGES)
@settings(max_examples=60, deadline=None)
def test_combining(outer: Hedge, inner: Hedge) -> None:
    both = combine(outer, inner)
    assert combine(Hedge(), inner) == inner
    assert combine(outer, Hedge()) == outer
    assert both.status in (outer.status, inner.status)
    assert (both.polarity is NEGATED) == (NEGATED in (outer.polarity, inner.polarity))
    assert (both.mood is Mood.FACTUAL) == (outer.mood is inner.mood is Mood.FACTUAL)


@given(st.text(max_size=60), st.integers(0, 59), st.integers(1, 10))
@settings(max_examples=60, deadline=None)
def test_any_text_and_span_has_a_standing(text: str, start: int, length: int) -> None:
    hedge(text)
    if start < len(text):
        hedge_at(text, start, min(len(text), start + length))


def test_what_does_not_apply_is_not_undisclosed() -> None:
    assert [absent(t) for t in ("N/A", "-", "–", "", "none", "Unknown", "0", "Not disclosed")] == [True] * 5 + [
        False
    ] * 3


@pytest.mark.parametrize(
    ("text", "part", "polarity"),
    [
        ("Emil Orr died in 1921 and did not see the tower fall.", "1921", Polarity.AFFIRMED),
        ("Emil Orr did not see the tower fall and died in 1921.", "1921", Polarity.AFFIRMED),
        ("Emil Orr was not a keeper and was born in 1850.", "1850", Polarity.AFFIRMED),
        ("The tower was not built and painted by Ada Wren.", "Ada Wren", Polarity.NEGATED),
        ("Corran and Gannet were not built by Ada Wren.", "Corran", Polarity.NEGATED),
        ("The keepers did not light the lamp or the horn.", "horn", Polarity.NEGATED),
    ],
)
def test_a_negated_verb_denies_nothing_that_another_verb_tells(text: str, part: str, polarity: Polarity) -> None:
    start = text.index(part)
    assert hedge_at(text, start, start + len(part)).polarity is polarity
