"""The steps of a training: one batch after another, a checkpoint every few minutes, from the last one after a stop."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from kg.relations.training import half_is_fast, rate_at

_Batch = TypeVar("_Batch")
_CHECK = 200  # steps between lines of the log


def descend(
    network: nn.Module,
    optimiser: torch.optim.AdamW,
    plan: Sequence[_Batch],
    loss_of: Callable[[_Batch], Tensor],
    saved: Path,
    minutes: float,
    log: logging.Logger,
) -> None:
    """Takes a step a batch, in order, and leaves a checkpoint at the end; each group's rate follows its ``base``."""
    step = resumed(saved, network, optimiser)
    log.info("%d steps, from %d", len(plan), step)
    network.train()
    written, since, total = time.monotonic(), time.monotonic(), 0.0
    while step < len(plan):
        for group in optimiser.param_groups:
            group["lr"] = group["base"] * rate_at(step, len(plan))
        loss = loss_of(plan[step])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_([p for p in network.parameters() if p.requires_grad], 1.0)
        optimiser.step()
        step, total = step + 1, total + float(loss.detach())
        if step % _CHECK == 0:
            log.info("step %d loss %.3f, %.2f s a step", step, total / _CHECK, (time.monotonic() - since) / _CHECK)
            since, total = time.monotonic(), 0.0
        if time.monotonic() - written > 60 * minutes or step == len(plan):
            save(saved, network, optimiser, step)
            written = time.monotonic()


def narrow(device: torch.device) -> torch.autocast:
    """16 bits for what a network computes, where these are faster."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda" or half_is_fast())


def resumed(saved: Path, network: nn.Module, optimiser: torch.optim.AdamW) -> int:
    """The step that a checkpoint was written at, from which to go on; 0 where there is none."""
    if not saved.exists():
        return 0
    state = torch.load(saved, weights_only=True)
    network.load_state_dict(state["network"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])


def save(path: Path, network: nn.Module, optimiser: torch.optim.AdamW, step: int) -> None:
    """Written beside and moved, so that a stop in between leaves the one before."""
    beside = path.with_suffix(".new")
    torch.save({"network": network.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, beside)
    os.replace(beside, path)
