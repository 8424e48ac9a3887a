"""The step that trainings share."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from kg.relations.training import Descent, filled, rate_at  # noqa: E402


def test_the_rate_rises_over_a_tenth_and_falls_to_nothing() -> None:
    assert [rate_at(step, 20) for step in (0, 1, 2, 11, 20)] == [0.5, 1.0, 1.0, 0.5, 0.0]


def test_rows_are_filled_up_with_zeros() -> None:
    table = filled([np.ones((1, 2), np.float16), np.full((3, 2), 2, np.float16)], 3)
    assert table.tolist() == [[[1, 1], [0, 0], [0, 0]], [[2, 2], [2, 2], [2, 2]]]


def test_two_groups_of_one_rate_both_learn() -> None:
    layer = torch.nn.Linear(1, 1)
    torch.nn.init.zeros_(layer.weight)
    torch.nn.init.zeros_(layer.bias)
    descent = Descent(layer, ((0.1, [layer.weight]), (0.1, [layer.bias])), steps=40, clip=1.0)

    def loss() -> torch.Tensor:
        return (layer(torch.tensor([[2.0]])).float() - 3.0).square().sum()

    losses = [descent.step(loss) for _ in range(40)]
    assert losses[0] == pytest.approx(9.0)
    assert losses[-1] < 0.1
    assert float(layer.weight.detach()) > 0.1
    assert float(layer.bias.detach()) > 0.1
