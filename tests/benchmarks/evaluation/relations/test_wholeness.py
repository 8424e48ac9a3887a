"""Whole names, titles and dates are liked better than what cuts them short or runs on."""

import numpy as np
import pytest

from benchmarks.evaluation.relations.wholeness import Look, qualifies, wholeness
from kg.indexes.embedding import model_folder
from kg.relations.encoding import encode, enumerate_spans
from kg.syntax.parser import tokenizer


def worth(text: str, *stretches: str) -> list[float]:
    encoded = encode(text, tokenizer(model_folder()))
    spans = [encoded.words.cover((text.index(part), text.index(part) + len(part))) for part in stretches]
    return wholeness(Look.of(encoded), np.array(spans)).tolist()


@pytest.mark.parametrize(
    ("text", "whole", "others"),
    [
        ("Mia Reed leads the Orchard Party of Narvia today.", "Orchard Party of Narvia", ("Orchard Party", "Narvia")),
        ("He kept Brough Light in 1871.", "Brough Light", ("Brough", "Light", "Brough Light in 1871")),
        ("The lamp was lit on 3 May 1871 by Ann Cole.", "3 May 1871", ("May 1871", "3", "on 3 May 1871 by Ann Cole")),
        ('She sang "the Long Tide Home" twice.', "the Long Tide Home", ("Long Tide Home", "Long Tide")),
        ("It lies where the rivers Ense and Orle meet.", "Ense", ("rivers Ense", "the rivers Ense", "Ense and")),
        ("Ann Cole (born in Skara) kept it.", "Ann Cole", ("Ann Cole (born", "Cole", "Ann")),
        ("Wrens are what the keeper counted.", "keeper", ("the keeper", "the keeper counted", "what")),
    ],
)
def test_the_whole_is_liked_best(text, whole, others):
    first, *rest = worth(text, whole, *others)
    assert all(first > other for other in rest), (first, dict(zip(others, rest, strict=True)))


def test_a_pronoun_is_liked_less_than_a_noun_and_a_bare_figure_less_than_a_name():
    pronoun, figure, noun, name = worth("They saw 40 herons at Skara.", "They", "40", "herons", "Skara")
    assert pronoun < noun
    assert figure < name


def test_stretches_of_dates_are_told_apart():
    encoded = encode("Lit on 3 May 1871, closed later.", tokenizer(model_folder()))
    look, every = Look.of(encoded), enumerate_spans(encoded)
    said = {encoded.words.text[slice(*encoded.span(*span))] for span in every[look.is_whole_date(every)].tolist()}
    assert said == {"3 May 1871"}
    parts = {encoded.words.text[slice(*encoded.span(*span))] for span in every[look.is_date(every)].tolist()}
    assert {"May", "May 1871", "3 May 1871"} <= parts
    assert not {"on 3 May 1871", "closed"} & parts


@pytest.mark.parametrize(
    ("text", "part", "wanted"),
    [
        ("Mia Reed is a Narvian tenor.", "Narvian", True),
        ("Mia Reed, the former Narvian tenor, sang.", "Narvian", True),
        ("Mia Reed is an Orchard Party member.", "Orchard Party", True),
        ("Mia Reed is a Narvian.", "Narvian", False),
        ("Mia Reed sings in Narvian and Skaric.", "Narvian", False),
        ("Near Skara the Ense flows south.", "Ense", False),
        ("In 1871 Ivan opened the tower.", "Ivan", False),
        ("Mia Reed met a Narvian Orchard Party member.", "Narvian", False),
    ],
)
def test_a_name_that_only_qualifies_the_noun_behind_it_is_seen(text, part, wanted):
    encoded = encode(text, tokenizer(model_folder()))
    span = encoded.words.cover((text.index(part), text.index(part) + len(part)))
    assert qualifies(Look.of(encoded), np.array([span])).tolist() == [wanted]
