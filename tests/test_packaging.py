"""What is installed is what the repository holds, and the versions that are pinned are the ones allowed."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import entry_points, version
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import kg

from .conftest import REPOSITORY

PROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = dict(
    line.split("==")
    for line in (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
PINNED = {canonicalize_name(name): number for name, number in CONSTRAINTS.items()}


def requirements() -> list[Requirement]:
    project = PROJECT["project"]
    texts = [*project["dependencies"], *(text for extra in project["optional-dependencies"].values() for text in extra)]
    return [found for found in map(Requirement, texts) if canonicalize_name(found.name) != "citegraph"]


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_what_is_required_is_pinned_within_its_range(requirement: Requirement) -> None:
    assert requirement.specifier.contains(PINNED[canonicalize_name(requirement.name)])


def test_pins_are_exact_public_versions() -> None:
    assert CONSTRAINTS["torch"] == "2.13.0"
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", number) for number in CONSTRAINTS.values())
    assert not [name for name in PINNED if name.startswith(("nvidia-", "cuda-"))]


def test_the_command_and_its_version() -> None:
    (command,) = entry_points(group="console_scripts", name="kg")
    assert command.value == "kg.cli:main"
    assert version("citegraph") == kg.__version__


def test_every_package_is_listed() -> None:
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    found = {"kg.vocabulary"}
    for root, name in ((REPOSITORY / "src/kg", "kg"), (REPOSITORY / "api", "kg.api")):
        for init in root.rglob("__init__.py"):
            found.add(".".join([name, *init.parent.relative_to(root).parts]))
    assert listed == found


def test_files_beside_the_code_are_packaged() -> None:
    data = PROJECT["tool"]["setuptools"]["package-data"]
    for package, folder in (
        ("kg.api", REPOSITORY / "api"),
        ("kg.vocabulary", REPOSITORY / "ontology"),
        ("kg", REPOSITORY / "src/kg"),
    ):
        inside = {name: folder / name.removeprefix(package)[1:].replace(".", "/") for name in data}
        covered = {
            file
            for name, at in inside.items()
            if name == package or (package == "kg" and name.startswith("kg."))
            for pattern in data[name]
            for file in at.glob(pattern)
            if file.is_file()
        }
        present = {p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
        sample = {p for p in present if p.name.startswith("ai-infrastructure") or p.suffix == ".rq"}
        assert present - sample == covered, f"package-data of {package}"


def make(*arguments: str) -> str:
    done = subprocess.run(["make", "-C", str(REPOSITORY), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_make_offers_its_targets() -> None:
    offered = make("help")
    for target in ("make run", "make demo", "make test", "make check"):
        assert target in offered
    plan = make("-n", "-o", ".venv/.installed", "run", "PORT=4321")
    assert "kg build corpus" in plan and "deploy.demo --port 4321" in plan


def test_continuous_integration_runs_the_tests() -> None:
    script = REPOSITORY / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text(encoding="utf-8")
