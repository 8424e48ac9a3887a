"""The steps of a training, and going on after a stop."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import torch

from training.descent import descend, resumed, save

Made = tuple[torch.nn.Module, torch.optim.AdamW]


def made() -> Made:
    torch.manual_seed(3)
    layer = torch.nn.Linear(2, 1)
    return layer, torch.optim.AdamW([{"params": layer.parameters(), "lr": 0.1, "base": 0.1}])


def trained(folder: Path, one: Made, plan: list[float], stop: int | None = None) -> list[float]:
    """The batches whose losses were asked for; before that of number ``stop`` the training stops."""
    network, optimiser = one
    seen: list[float] = []

    def loss(batch: float) -> torch.Tensor:
        if len(seen) == stop:
            raise KeyboardInterrupt
        seen.append(batch)
        return ((network(torch.ones(1, 2)) - batch) ** 2).sum()

    descend(network, optimiser, plan, loss, folder / "checkpoint.pt", 0.0, logging.getLogger("test"))
    return seen


def weights(one: Made) -> list[float]:
    return [float(x) for p in one[0].parameters() for x in p.detach().flatten()]


def test_a_stopped_training_ends_as_one_that_was_not_stopped(tmp_path: Path) -> None:
    plan = [1.0, 2.0, 3.0, 4.0, 5.0]
    whole, first, second = made(), made(), made()
    (tmp_path / "whole").mkdir()
    assert trained(tmp_path / "whole", whole, plan) == plan
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, first, plan, stop=3)
    assert trained(tmp_path, second, plan) == [4.0, 5.0]
    assert weights(second) == weights(whole) != weights(made())
    assert trained(tmp_path, made(), plan) == []


def test_a_checkpoint_holds_network_optimiser_and_step(tmp_path: Path) -> None:
    first, optimiser = made()
    assert resumed(tmp_path / "checkpoint.pt", first, optimiser) == 0
    first(torch.ones(1, 2)).sum().backward()
    optimiser.step()
    save(tmp_path / "checkpoint.pt", first, optimiser, 7)
    second, other = made()
    assert resumed(tmp_path / "checkpoint.pt", second, other) == 7
    assert all((a == b).all() for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert [*other.state_dict()["state"]] == [*optimiser.state_dict()["state"]] != []
    assert [p.name for p in tmp_path.iterdir()] == ["checkpoint.pt"]
