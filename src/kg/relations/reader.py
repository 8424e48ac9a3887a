"""Reads sentences for relations: a model on disk, asked for the relations of an ontology."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.relations.decode import Choice, decode
from kg.relations.encoding import encode, enumerate_spans
from kg.relations.files import encoder_files, read_about, read_weights
from kg.relations.inference import Encode, Heads, Known, Scores, meaning, session_encoder
from kg.relations.priors import Priors, Weights
from kg.relations.schema import Relation, Scored
from kg.relations.texts import relation_texts
from kg.relations.wholeness import Look, wholeness
from kg.syntax.pieces import tokenizer

Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]


class Model:
    """A trained model, loaded. Raises ModelUnavailable when the folder holds none."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        self.about = read_about(folder)
        self._heads = Heads(read_weights(folder), self.about.kept, self.about.heads)
        encoder, pieces = encoder_files(folder)
        self._pieces = tokenizer(pieces.parent)
        self._encode: Encode = session_encoder(str(encoder))
        self._embed = embed

    def know(self, relations: Sequence[Relation]) -> Known:
        """What the model needs of relations to ask for them."""
        return self._heads.know(relations, relation_texts(relations, self._embed))

    def priors(
        self,
        relations: Sequence[Relation],
        weights: Weights | None = None,
        shown: Mapping[str, Sequence[str]] | None = None,
    ) -> Priors:
        """What is known of relations that the model may not have been trained on; for scores with ``whole``.

        ``shown``: objects of a few examples, by a relation's key.
        """
        return Priors.of(relations, self._embed, weights, shown)

    def scores(self, text: str, known: Known, whole: bool = False) -> Scores | None:
        """Log-odds of every candidate; None where there is nothing to read.

        With ``whole`` stretches that look like whole names are candidates too, and all have their meaning.
        """
        encoded = encode(text, self._pieces)
        if encoded.size < 2 or not known.relations:
            return None
        hidden, plain = self._encode(encoded.ids)
        if not whole:
            return self._heads.scores(encoded, hidden, known)
        look = Look.of(encoded)
        scores = self._heads.scores(encoded, hidden, known, wholeness(look, enumerate_spans(encoded)))
        meant = None if plain is None else meaning(encoded, plain, scores.spans)
        return replace(scores, meaning=meant, look=look)

    def read(self, text: str, known: Known, choice: Choice) -> list[Scored]:
        """Facts of a sentence, best first."""
        scores = self.scores(text, known)
        return [] if scores is None else decode(scores, known.relations, choice)
