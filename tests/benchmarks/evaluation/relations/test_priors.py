"""What is known of any relation: topics, dates and meanings raise and lower pairs; impossible pairs stay so."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.evaluation.relations.priors import Priors, Weights, wants_dates
from benchmarks.evaluation.relations.reading import Meant
from kg.indexes.embedding import model_folder
from kg.relations.encoding import Relation, encode
from kg.relations.scoring import NEVER
from kg.syntax.parser import tokenizer

NOTHING = Weights(whole=0, named=0, topic=0, date=0, object=0, subject=0, qualifier=0)
KEEPER, BUILT = Relation("k", "keeper", "", "tower", "person"), Relation("b", "year built", "", "tower")


def embed(texts):
    """The word "person" lies along one axis, everything else along the other."""
    return np.array([[1, 0] if "person" in text else [0, 1] for text in texts], np.float32)


def scores(text, *names, relations=1, meaning=None):
    encoded = encode(text, tokenizer(model_folder()))
    spans = [encoded.words.cover((text.index(name), text.index(name) + len(name))) for name in names]
    odds = np.zeros((len(names), len(names), relations), np.float32)
    odds[np.arange(len(names)), np.arange(len(names))] = NEVER
    return Meant(encoded, np.array(spans), odds, meaning)


def raised(relations, made, **weights):
    return Priors.of(relations, embed, replace(NOTHING, **weights)).raised(made)


def test_without_weights_nothing_changes():
    made = scores("The Holm Light was kept by Ada Wren.", "Holm Light", "Ada Wren")
    assert np.array_equal(Priors.of([KEEPER], embed, NOTHING).raised(made).odds, made.odds)


def test_what_a_sentence_begins_with_is_its_likeliest_subject():
    made = scores("The Holm Light near Skara Bay was kept by Ada Wren.", "Holm Light", "Skara Bay", "Ada Wren")
    odds = raised([KEEPER], made, topic=3.0).odds[:, :, 0]
    assert odds[0, 2] == 3.0 and odds[1, 2] == 0.0
    assert odds[2, 0] == 0.0


def test_a_word_that_qualifies_is_no_object_but_may_be_a_subject():
    made = scores("Holm Light had a Narvian keeper, Ada Wren.", "Holm Light", "Narvian", "Ada Wren")
    odds = raised([KEEPER], made, qualifier=5.0).odds[:, :, 0]
    assert odds[0].tolist() == [NEVER, -5.0, 0.0]
    assert odds[1, 2] == 0.0


def test_a_date_is_for_properties_that_want_one_and_never_a_subject():
    made = scores("Holm Light was kept by Ada Wren from 1871 on.", "Holm Light", "Ada Wren", "1871", relations=2)
    odds = raised([KEEPER, BUILT], made, date=4.0).odds
    assert odds[0, 2].tolist() == [-4.0, 2.0]
    assert odds[0, 1].tolist() == [0.0, -4.0]
    assert odds[2, 1, 0] == -4.0


@pytest.mark.parametrize(
    ("relation", "wants"),
    [
        (Relation("r", "start time"), True),
        (Relation("r", "opened", "", "", "xsd:gYear"), True),
        (Relation("r", "keeper", "", "", "person"), False),
    ],
)
def test_which_properties_want_dates(relation, wants):
    assert Priors.of([relation], embed).dated == (wants,)
    assert wants_dates(relation) == wants


def test_an_object_that_means_what_the_range_is_called_is_likelier():
    meaning = np.array([[0, 1], [1, 0], [0, 1]], np.float32)
    made = scores("Holm Light was kept by Ada Wren in Skara.", "Holm Light", "Ada Wren", "Skara", meaning=meaning)
    odds = raised([KEEPER], made, object=3.0).odds[:, :, 0]
    assert odds[0, 1] - odds[0, 2] == pytest.approx(3.0)
    assert odds[0, 0] == NEVER


def test_an_object_like_those_of_examples_is_likelier():
    pier, keeper = Relation("p", "moored at", "", "boat", "pier"), Relation("k", "moored by", "", "boat", "pier")
    shown = {"p": ["a person"], "k": []}
    plain, taught = (Priors.of([pier, keeper], embed, NOTHING, given).objects for given in (None, shown))
    assert plain.tolist() == [[0, 1], [0, 1]]
    assert taught[0] == pytest.approx([0.5**0.5, 0.5**0.5])  # midway between what it is called and its examples
    assert taught[1].tolist() == [0, 1]
