"""Relations as the numbers that the network is given for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from kg.relations.schema import Relation


def relation_texts(
    relations: Sequence[Relation], embed: Callable[[Sequence[str]], npt.NDArray[np.float32]]
) -> npt.NDArray[np.float32]:
    """Frozen embeddings of what relations are called and said to be, shape (R, 4·hidden), scaled to unit variance."""
    texts = sorted({text for relation in relations for text in relation.texts})
    vectors = embed(texts)
    rows = dict(zip(texts, vectors, strict=True))
    table = np.stack([np.concatenate([rows[text] for text in relation.texts]) for relation in relations])
    return np.asarray(table * np.float32(table.shape[1] / 4) ** 0.5, dtype=np.float32)
