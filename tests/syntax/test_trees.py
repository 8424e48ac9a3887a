from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.evaluation.conllu import read_conllu
from benchmarks.evaluation.dependencies import compare
from kg.errors import BadInput
from kg.syntax.parser import best_tree, shapes, words
from tests.syntax.treebank import conllu, parsed


def _tree(heads: tuple[int, ...]) -> bool:
    if heads.count(0) != 1:
        return False
    for start in range(1, len(heads) + 1):
        seen, node = set(), start
        while node:
            if node in seen:
                return False
            seen.add(node)
            node = heads[node - 1]
    return True


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10_000))
def test_the_best_tree_is_the_best_of_all(count: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(count, count + 1)).astype(np.float32)
    trees = [heads for heads in product(range(count + 1), repeat=count) if _tree(heads)]
    best = max(trees, key=lambda heads: sum(float(scores[i, h]) for i, h in enumerate(heads)))
    found = tuple(best_tree(scores).tolist())
    assert _tree(found)
    assert sum(float(scores[i, h]) for i, h in enumerate(found)) == pytest.approx(
        sum(float(scores[i, h]) for i, h in enumerate(best))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's Ada's.", ["It", "'s", "Ada", "'s", "."]),
        ("They can’t and don't.", ["They", "ca", "n’t", "and", "do", "n't", "."]),
        ("a well-known co-founder of F-16s.", ["a", "well", "-", "known", "co-founder", "of", "F-16s", "."]),
        ("1,250.5 kg (~3 t) by 12:30", ["1,250.5", "kg", "(", "~", "3", "t", ")", "by", "12:30"]),
        ("see lamp.sum at https://a.example/b.", ["see", "lamp.sum", "at", "https://a.example/b", "."]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in words(text)] == expected


@given(st.text(max_size=60))
def test_words_are_in_order_and_leave_out_only_blanks(text: str) -> None:
    spans = words(text)
    assert all(a < b <= c < d for (a, b), (c, d) in pairwise(spans))
    assert "".join(text[a:b] for a, b in spans) == "".join(text.split())


def test_how_words_are_written() -> None:
    assert shapes(["The", "lamp", "Ada", "GPU", "7", "F-16", "?"]).tolist() == [1, 0, 2, 3, 4, 5, 6]


def test_scores_of_a_parser() -> None:
    gold = parsed("Ada/PROPN/2/nsubj left/VERB/0/root Kiel/PROPN/2/obj ./PUNCT/2/punct")
    found = parsed("Ada/NOUN/2/nsubj:pass left/VERB/0/root Kiel/PROPN/2/obl ./PUNCT/3/punct")
    scores, by_label = compare([(gold, found)])
    assert (scores.words, scores.tags, scores.heads, scores.labels, scores.strict) == (4, 3, 3, 2, 1)
    assert by_label == {"nsubj": (1, 1), "root": (1, 1), "obj": (1, 0), "punct": (1, 0)}


def test_a_treebank_is_read_and_nothing_else(tmp_path: Path) -> None:
    tree = parsed("Ada/PROPN/2/nsubj left/VERB/0/root")
    file = tmp_path / "a.conllu"
    rows = conllu(tree).split("\n")
    rows.insert(1, "1-2\tAdaleft\t_\t_\t_\t_\t_\t_\t_\t_")
    file.write_text("\n".join([*rows, "1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_", "", "# another", *rows]))
    assert read_conllu(file) == [tree, tree]
    file.write_text("1\tAda\tleft\n")
    with pytest.raises(BadInput):
        read_conllu(file)
    with pytest.raises(BadInput):
        read_conllu(tmp_path / "none")
