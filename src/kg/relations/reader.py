"""Reads sentences for relations: a model on disk, asked for the relations of an ontology."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.relations.decode import Choice, decode
from kg.relations.encoding import encode, tokenizer
from kg.relations.files import ENCODER, read_about, read_weights
from kg.relations.inference import Encode, Heads, Known, Scores, session_encoder
from kg.relations.schema import Relation, Scored
from kg.relations.texts import relation_texts

Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]


class Model:
    """A trained model, loaded. Raises ModelUnavailable when the folder holds none."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        self.about = read_about(folder)
        self._heads = Heads(read_weights(folder), self.about.kept, self.about.heads)
        self._pieces = tokenizer(folder)
        self._encode: Encode = session_encoder(str(folder / ENCODER))
        self._embed = embed

    def know(self, relations: Sequence[Relation]) -> Known:
        """What the model needs of relations to ask for them."""
        return self._heads.know(relations, relation_texts(relations, self._embed))

    def scores(self, text: str, known: Known) -> Scores | None:
        """Log-odds of every candidate; None where there is nothing to read."""
        encoded = encode(text, self._pieces)
        if encoded.size < 2 or not known.relations:
            return None
        return self._heads.scores(encoded, self._encode(encoded.ids), known)

    def read(self, text: str, known: Known, choice: Choice) -> list[Scored]:
        """Facts of a sentence, best first."""
        scores = self.scores(text, known)
        return [] if scores is None else decode(scores, known.relations, choice)
