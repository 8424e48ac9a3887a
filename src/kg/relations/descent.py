"""What the trainings of the project's networks share: a schedule, a step, filled-up rows. Needs torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn


def half_is_fast() -> bool:
    """Whether this processor multiplies 16-bit numbers (bfloat16) by itself; training then takes half the time."""
    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())


def rate_at(step: int, steps: int) -> float:
    """What a step's learning rate is multiplied by: up over the first tenth, then down in a line.

    >>> [rate_at(step, 20) for step in (0, 1, 2, 11, 20)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    warm = max(1, steps // 10)
    return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


def filled(rows: Sequence[npt.NDArray[Any]], length: int) -> Tensor:
    """Matrices (T, hidden) of several sentences as one tensor (B, length, hidden), zeros behind the shorter ones."""
    table = torch.zeros((len(rows), length, rows[0].shape[1]))
    for at, row in enumerate(rows):
        table[at, : len(row)] = torch.from_numpy(row).float()
    return table


class Descent:
    """AdamW over groups of parameters, each at a learning rate of its own, with :func:`rate_at` over ``steps``."""

    def __init__(
        self, network: nn.Module, groups: Sequence[tuple[float, Sequence[nn.Parameter]]], steps: int, clip: float
    ):
        """``clip``: the gradient's greatest norm."""
        self._network, self._clip, self._half = network, clip, half_is_fast()
        named = [{"params": list(parameters), "lr": rate} for rate, parameters in groups]
        self._optimiser = torch.optim.AdamW(named, weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, lambda step: rate_at(step, steps))

    def step(self, loss_of: Callable[[], Tensor]) -> float:
        """One step down the gradient of a loss, and the loss before it."""
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._half):
            loss = loss_of()
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), self._clip)
        self._optimiser.step()
        self._schedule.step()
        return float(loss.detach())
