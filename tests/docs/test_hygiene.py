"""What the project's files say of themselves: no pickle, notices of others' works, files for operation."""

from __future__ import annotations

import ast
import io
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml

import kg

from ..conftest import REPOSITORY

SOURCES = sorted([*(REPOSITORY / "src" / "kg").rglob("*.py"), *(REPOSITORY / "api").rglob("*.py")])
_UNPICKLING = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "shelve", "marshal", "jsonpickle"}


def unpickled(tree: ast.AST) -> list[str]:
    """What a module does that would load a pickle, or could."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if _unpickles(alias.name)]
        elif isinstance(node, ast.ImportFrom) and _unpickles(node.module or ""):
            found.append(node.module or "")
        elif isinstance(node, ast.Call):
            found += _called(node)
    return found


def _unpickles(module: object) -> bool:
    return str(module).split(".")[0] in _UNPICKLING


def _called(node: ast.Call) -> list[str]:
    name = ast.unparse(node.func)
    given = {k.arg: k.value.value if isinstance(k.value, ast.Constant) else "?" for k in node.keywords}
    found = []
    if name in ("torch.load", "pd.read_pickle", "pandas.read_pickle") and given.get("weights_only") is not True:
        found.append(name)
    if given.get("allow_pickle", False) is not False:
        found.append(f"{name}(allow_pickle=…)")
    if name.endswith(("import_module", "__import__")) and isinstance(first := node.args[0], ast.Constant):
        found += [str(first.value)] if _unpickles(first.value) else []
    return found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import pickle", ["pickle"]),
        ("from joblib import load", ["joblib"]),
        ("import torch\ntorch.load(p)", ["torch.load"]),
        ("torch.load(p, weights_only=True)", []),
        ("np.load(p, allow_pickle=True)", ["np.load(allow_pickle=…)"]),
        ("np.load(p, allow_pickle=False)", []),
        ("importlib.import_module('dill')", ["dill"]),
        ("import json", []),
    ],
)
def test_the_search_finds_what_it_should(code: str, found: list[str]) -> None:
    assert unpickled(ast.parse(code)) == found


def test_no_pickle_is_loaded_anywhere() -> None:
    assert len(SOURCES) > 150
    found = {p.relative_to(REPOSITORY).as_posix(): unpickled(ast.parse(p.read_text(encoding="utf-8"))) for p in SOURCES}
    assert {path: calls for path, calls in found.items() if calls} == {}


def test_numpy_refuses_pickles_unless_told_otherwise() -> None:
    stream = io.BytesIO()
    np.save(stream, np.array([object()], dtype=object), allow_pickle=True)
    stream.seek(0)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        np.load(stream)


def test_works_of_others_are_named_in_the_notice() -> None:
    notice = (REPOSITORY / "NOTICE").read_text(encoding="utf-8")
    for licence in sorted([*REPOSITORY.glob("src/**/*LICENSE*"), *REPOSITORY.glob("api/**/*LICENSE*")]):
        assert licence.relative_to(REPOSITORY).as_posix() in notice, licence.name
    for file in sorted((REPOSITORY / "api" / "static" / "vendor").glob("*.js")):
        assert file.relative_to(REPOSITORY).as_posix() in notice
        assert list(file.parent.glob(f"{file.stem}*LICENSE*")), f"{file.name} comes without its licence"
    for path in re.findall(r"\(?((?:src|api)/[\w./-]+\w)", notice):
        assert (REPOSITORY / path).exists(), path


def test_the_version_is_one() -> None:
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == kg.__version__
    assert citation["cff-version"] == "1.2.0" and citation["license"] == "Apache-2.0"
    assert f"## {kg.__version__}" in (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_unit_and_the_image_name_what_is_there() -> None:
    unit = (REPOSITORY / "deploy" / "citegraph.service").read_text(encoding="utf-8")
    image = (REPOSITORY / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    compose = yaml.safe_load((REPOSITORY / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    settings = (REPOSITORY / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"\bKG_\w+", unit + image)):
        assert name == "KG_MODEL_CACHE" or f"`{name}`" in settings, name
    for line in re.findall(r"^COPY (?!--from)(.+)$", image, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (REPOSITORY / source).exists(), source
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra in re.findall(r"\[([\w,]+)\]\"", image)[0].split(","):
        assert extra in project["optional-dependencies"]
    for file in project["license-files"]:
        assert file in image
    service = compose["services"].pop("citegraph")
    for name, engine in compose["services"].items():
        assert engine["profiles"] == [name] and "ports" not in engine, (
            "it is started only when asked for, and not reached"
        )
    for name in service["environment"]:
        assert f"`{name.replace('STORE_', 'STORE__')}`" in settings, name
    assert (REPOSITORY / "deploy" / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["ports"] == ["127.0.0.1:8000:8000"]
    assert service["volumes"][0].split(":")[1] == "/data" and "VOLUME /data" in image


def test_extras_that_pages_name_are_there() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    pages = [p for p in (REPOSITORY / "docs").rglob("*.md") if "samples" not in p.parts]
    named = {e for p in pages for e in re.findall(r"citegraph\[(\w+)\]", Path(p).read_text(encoding="utf-8"))}
    assert named and named <= set(extras)


def test_make_knows_what_contributors_are_told() -> None:
    targets = set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in ("CONTRIBUTING.md", "SECURITY.md", "docs/index.md"):
        told = set(re.findall(r"(?:`|^)make ([\w-]+)", (REPOSITORY / name).read_text(encoding="utf-8"), re.MULTILINE))
        assert told and told <= targets
