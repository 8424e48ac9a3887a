"""Features of propositions in hand-made trees, so that no parser's mistakes count."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kg.extract.build import About
from kg.extract.clauses import Discourse
from kg.extract.parsed_sentences import Meant, Told, Valued
from kg.extract.propositions import Made, features, vector
from kg.model import EntityName, Hedge, Text
from tests.extract.test_wholeness import told_of

LIGHT = "Corran/PROPN/2/compound Light/PROPN/{verb}/nsubj "
TEXT = "# Corran Light\n\nCorran Light {}\n"


def corran(rest: str, text: str, verb: int) -> Told:
    """A sentence about Corran Light in its own section."""
    discourse = Discourse()
    discourse.paragraph(About(EntityName("Corran Light")), "light")
    told = told_of(LIGHT.format(verb=verb) + rest, TEXT.format(text), discourse)
    return replace(told, parsed=replace(told.parsed, sure=(1.0,) * len(told.parsed)))


def made_of(told: Told, which: int = 0, how: str = "text", person: bool | None = None) -> Made:
    """One of the sentence's propositions; its subject is the name in its words."""
    found = list(told.reading.propositions())
    one = found[which]
    at, value = told.part(one.subject), told.part(one.argument)
    subject = Meant(About(EntityName(at.text), (at.span,), at), "name", person)
    return Made(one, subject, Valued(Text(value.text), value, how), one.label, Hedge(), len(found))


def features_of(told: Told, which: int = 0) -> set[str]:
    return set(features(told, made_of(told, which)))


@cache
def built() -> Told:
    return corran(
        "was/AUX/4/aux:pass built/VERB/0/root by/ADP/6/case Ada/PROPN/4/obl:agent in/ADP/8/case 1871/NUM/4/obl "
        "./PUNCT/4/punct",
        "was built by Ada in 1871.",
        4,
    )


@cache
def holds() -> Told:
    return corran(
        "holds/VERB/0/root the/DET/6/det old/ADJ/6/amod lamps/NOUN/3/obj of/ADP/8/case "
        "Arden/PROPN/6/nmod ./PUNCT/3/punct",
        "holds the old lamps of Arden.",
        3,
    )


def test_the_construction_and_what_its_parts_are() -> None:
    found = features_of(built())
    assert {
        "kind oblique",
        "clause root",
        "subject name",
        "value text",
        "subject length 2",
        "value length 1",
        "subject tag PROPN",
        "value tag PROPN",
        "verb tag VERB",
        "leads by",
        "propositions 2",
        "property length 2",
    } <= found
    assert "denied" not in found and "subject joined" not in found


def test_what_else_the_clause_says_is_dropped() -> None:
    assert {"dropped obl", "dropped count 1"} <= features_of(built())
    assert {"dropped obl:agent", "dropped count 1"} <= features_of(built(), 1)
    assert "dropped count 0" in features_of(holds())


def test_where_the_parts_stand() -> None:
    by, date = features_of(built()), features_of(built(), 1)
    assert {"begins at once", "subject first True", "next ADP", "before start", "gap 1"} <= by
    assert {"next PUNCT.", "gap PROPN", "gap 4"} <= date
    assert not any(one.startswith("opening") for one in by | date)


def test_what_a_phrase_holds() -> None:
    found = features_of(holds())
    assert {"value opens the", "value holds nmod", "value holds PROPN", "value definite 5", "value the told"} <= found
    assert "value points" not in found and "value refers back" not in found


def test_a_phrase_that_is_cut_loses_what_belongs_to_it() -> None:
    made = made_of(holds())
    short = replace(made.proposition.argument, end=made.proposition.argument.end - 2)
    cut = set(features(holds(), replace(made, proposition=replace(made.proposition, argument=short))))
    assert {"value loses nmod", "value the modified"} <= cut
    assert not any(one.startswith("value loses") for one in features_of(holds()))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("this/DET/5/det lamp", {"value points", "value opens this"}),
        ("such/ADJ/5/amod lamp", {"value refers back"}),
        ("a/DET/5/det lamp", {"value opens a"}),
        ("the/DET/5/det lamp", {"value the bare", "value opens the"}),
        ("the/DET/5/det light", {"value the known", "value opens the"}),
    ],
)
def test_words_that_point(words: str, expected: set[str]) -> None:
    text = " ".join(word.split("/")[0] for word in words.split())
    told = corran(f"holds/VERB/0/root {words}/NOUN/3/obj ./PUNCT/3/punct", f"holds {text}.", 3)
    pointing = {"value points", "value refers back", "value the bare", "value the known", "value the told"}
    found = features_of(told)
    assert expected <= found
    assert not (pointing - expected) & found


def test_how_sure_the_parser_is() -> None:
    sure = built().parsed.sure
    doubtful = replace(built(), parsed=replace(built().parsed, sure=(*sure[:5], 0.4, *sure[6:])))  # of "Ada"
    found = features_of(doubtful)
    assert {"value arc sure 0.5", "sentence sure 0.5", "subject arc sure full", "told sure over 0.3"} <= found
    assert "told sure over 0.5" not in found
    assert {"value arc sure full", "told sure over 0.99"} <= features_of(built())


@pytest.mark.parametrize(
    ("section", "place"),
    [("Corran Light", "same"), ("Old Corran Light", "within"), ("Kestrel Mill", "other")],
)
def test_whether_the_section_is_about_the_subject(section: str, place: str) -> None:
    discourse = Discourse()
    discourse.paragraph(About(EntityName(section)), "light")
    assert f"section {place}" in features_of(replace(built(), discourse=discourse))


def test_without_a_section_none_is_compared() -> None:
    assert not any(one.startswith("section") for one in features_of(replace(built(), discourse=Discourse())))


def test_what_is_known_of_the_subject() -> None:
    found = set(features(built(), made_of(built(), person=False)))
    assert {"person False", "name of 2 words", "said 2 times", "in title"} <= found
    assert "name small" not in found


def test_a_denial_and_the_turned_property_are_told() -> None:
    made = made_of(built())
    turned = set(features(built(), replace(made, turned=True, dated="since")))
    assert {"kind oblique turned", "dated since"} <= turned
    denied = set(features(built(), replace(made, proposition=replace(made.proposition, denied=True, joined=True))))
    assert {"denied", "subject joined"} <= denied


def test_what_opens_the_sentence_before_the_parts() -> None:
    tree = (
        "In/ADP/2/case Arden/PROPN/6/obl ,/PUNCT/2/punct Corran/PROPN/5/compound Light/PROPN/6/nsubj holds/VERB/0/root "
        "lamps/NOUN/6/obj ./PUNCT/6/punct"
    )
    told = told_of(tree, "In Arden, Corran Light holds lamps.\n")
    told = replace(told, parsed=replace(told.parsed, sure=(1.0,) * len(told.parsed)))
    assert {"opening obl", "before PUNCT,", "begins 3"} <= features_of(told)


def test_one_proposition_has_the_same_features_each_time() -> None:
    assert list(features(holds(), made_of(holds()))) == list(features(holds(), made_of(holds())))
    assert not any(" Corran" in one or "Arden" in one for one in features_of(holds()))


def test_the_vector_has_sentence_verb_heads_and_means() -> None:
    told = built()  # Corran Light was built by Ada in 1871 .
    rows = np.arange(10, dtype=np.float32)[:, None] + np.zeros((1, 2), np.float32)
    one = next(p for p in told.reading.propositions() if p.label == "built in")
    told = replace(told, parsed=replace(told.parsed, vectors=rows))
    subject = np.mean([place + 1 for place in range(one.subject.start, one.subject.end)])
    expected = [0, one.verb + 1, one.subject.head + 1, one.argument.head + 1, one.argument.start + 1, subject]
    assert vector(told, one).tolist() == [float(x) for x in expected for _ in range(2)]
    short = replace(told, parsed=replace(told.parsed, vectors=rows[:5]))  # the encoder read four words
    assert vector(short, one).reshape(6, 2)[:, 0].tolist() == [0, 4, one.subject.head + 1, 4, 4, subject]
