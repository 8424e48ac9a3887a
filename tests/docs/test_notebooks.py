"""Both notebooks run from the first cell to the last, and are committed without what they printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .pages import DOCS

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]


def test_there_are_two() -> None:
    assert NAMES == ["analyse", "ask"]


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem, marks=[pytest.mark.long] if p.stem == "analyse" else []) for p in NOTEBOOKS]
)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    import nbclient
    import nbformat

    shutil.copytree(DOCS / "samples" / "mountain-railways", tmp_path / "railways")
    notebook = nbformat.read(path, as_version=4)
    done = nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path / "railways")}}
    ).execute()
    cells = [cell for cell in done.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    shown = [output for cell in cells for output in cell.outputs if "data" in output]
    assert any("text/html" in output["data"] for output in shown)
    assert not [output for cell in cells for output in cell.outputs if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_it_is_committed_without_outputs(path: Path) -> None:
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
