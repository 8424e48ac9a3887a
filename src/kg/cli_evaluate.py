"""``kg evaluate``: the measurements of a checkout, which come with the source and not with the package."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import kg
from kg.errors import BadInput

_CHECKOUT = Path(kg.__file__).resolve().parents[2]


def register(app: typer.Typer, checkout: Path = _CHECKOUT) -> None:
    """Adds the commands of a checkout's ``benchmarks.evaluation``; one that says where they are if there is none."""
    if not (checkout / "benchmarks" / "evaluation" / "commands.py").is_file():
        app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(evaluate)
        return
    if str(checkout) not in sys.path:
        sys.path.append(str(checkout))  # behind everything that is installed
    from benchmarks.evaluation.commands import evaluations

    app.add_typer(evaluations, name="evaluate")


def evaluate(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="Which; a checkout has them.")] = "",
) -> None:
    """Measure against data with known answers: only in a checkout of the source."""
    raise BadInput(
        "kg evaluate isn't part of the installed package: benchmarks come with the source",
        "get the source, and install it from there with pip install -e .",
    )
