"""Cues of the lexicon: what a phrasing says at its object, in either order, and the pairs that it speaks for."""

import numpy as np

from benchmarks.evaluation.relations.cues import Cues, cues_of, raised
from kg.indexes.embedding import model_folder
from kg.relations.encoding import Relation, encode
from kg.relations.scoring import Scores
from kg.syntax.parser import tokenizer


def scores(text: str, *names: str) -> Scores:
    encoded = encode(text, tokenizer(model_folder()))
    spans = [encoded.words.cover((text.index(name), text.index(name) + len(name))) for name in names]
    count = len(names)
    return Scores(encoded, np.array(spans), np.zeros((count, count, 1), np.float32))


def test_the_lexicon_gives_cues_on_both_sides():
    cues = cues_of(Relation("k", "director", "", "film", "human"))
    assert "directed by" in cues.before
    assert "directed" in cues.after
    assert cues_of(Relation("k", "zorbled by")) == Cues((), ())


def test_a_cue_right_before_its_object_raises_pairs_with_a_subject_to_its_left():
    made = scores('Salt Winter, a film directed by the "Ada Wren", opened', "Salt Winter", "Ada Wren", "opened")
    odds = raised(made, [Cues(("directed by",), ("directed",))], 2.0).odds[:, :, 0]
    assert odds.tolist() == [[0, 2, 0], [0, 0, 0], [0, 0, 0]]
    assert made.odds.sum() == 0  # the scores given stay as they are


def test_a_cue_right_after_its_object_raises_pairs_with_a_subject_to_its_right():
    made = scores("Ada Wren, who directed Salt Winter, left", "Ada Wren", "Salt Winter")
    odds = raised(made, [Cues(("directed by",), ("directed",))], 2.0).odds[:, :, 0]
    assert odds.tolist() == [[0, 0], [2, 0]]
