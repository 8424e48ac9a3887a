"""The example package, installed where nothing else is, adds its reader, extractor, store and index."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg import indexes, stores
from kg.errors import NotFound

from ..conftest import REPOSITORY
from .pages import DOCS, environment

PACKAGE = REPOSITORY / "tests" / "plugin_example"
PAGE = DOCS / "how-to" / "write-a-plug-in.md"
USE = """
import json, sys
from pathlib import Path
import kg.indexes, kg.stores
from kg import KnowledgeBase

folder = Path(sys.argv[1])
with KnowledgeBase.create(folder / "kb") as kb:
    report = kb.add([folder / "documents"])
    told = {
        "added": sorted(report.added),
        "claims": sorted((c.subject, c.predicate, c.value, c.source.quote) for name in ("Corran Light", "Tolm")
                         for c in kb.explain(name).claims),
        "stores": kg.stores.names(),
        "indexes": kg.indexes.names(),
        "sound": kb.check().ok,
    }
    quads = set(kb.snapshot.store.quads())
    store = kg.stores.make("nquads", folder / "store")
    store.change((), quads)
    again = kg.stores.make("nquads", folder / "store")
    told["same quads"] = set(again.quads()) == quads
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
    told["same rows"] = [row["n"] for row in again.query(query)] == [row["n"] for row in kb.query(query)]
    again.change(quads, ())
    told["emptied"] = (folder / "store" / "graph.nq").read_bytes() == b""
    index = kg.indexes.make("trigrams", [("b", "Corran Light"), ("a", "Saltmouth Beacon"), ("c", "Corran Light")])
    told["hits"] = [(hit.id, round(hit.score, 2)) for hit in index.search("corran lihgt", 5)]
    index.save(folder)
    told["saved"] = json.loads((folder / "trigrams.json").read_text())[0]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package and nothing else, as pip installs it."""
    root = tmp_path_factory.mktemp("plug-in")
    source = shutil.copytree(
        PACKAGE, root / "source", ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    )
    quiet = ("--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--no-index")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *quiet, "--target", root / "site", source],
        check=True,
        capture_output=True,
    )
    return root / "site"


def test_the_example_package_adds_its_parts(installed: Path, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "lights.ini").write_text("[Corran Light]\nheight = 38 m\n; a remark\n", encoding="utf-8")
    (documents / "towns.md").write_text("# Towns\n\nTolm is twinned with Eddan.\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", USE, str(tmp_path)],
        cwd=tmp_path,
        env={**environment(), "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["added"] == ["lights.ini", "towns.md"]
    assert ["Corran Light", "height", "38 m", "height = 38 m"] in told["claims"]
    assert ["Tolm", "twinned with", "Eddan", "Tolm is twinned with Eddan."] in told["claims"]
    assert told["stores"] == ["nquads", "oxigraph", "sparql"]
    assert told["indexes"] == ["faiss", "lexical", "milvus", "trigrams"]
    assert told["sound"] and told["same quads"] and told["same rows"] and told["emptied"]
    assert [id_ for id_, _ in told["hits"]] == ["b", "c"]  # nothing in common with the beacon; ties by identifier
    assert 0 < told["hits"][0][1] < 1
    assert told["saved"] == ["a", "Saltmouth Beacon"]


def test_the_page_shows_the_code_that_is_tested() -> None:
    code = "\n".join(p.read_text(encoding="utf-8") for p in sorted(PACKAGE.rglob("*.py")))
    page = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"```py\n(.*?)```", page, re.DOTALL)
    assert len(shown) >= 4
    for block in shown:
        assert block in code, block
    (toml,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert toml in (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")


def test_what_isnt_there_is_refused_with_what_is() -> None:
    with pytest.raises(NotFound, match="there is no store cardboard") as store:
        stores.make("cardboard")
    assert "oxigraph" in store.value.hint
    with pytest.raises(NotFound, match="there is no index cardboard") as index:
        indexes.make("cardboard", [])
    assert "faiss, lexical" in index.value.hint


def test_those_that_come_with_citegraph_are_made_by_name(tmp_path: Path) -> None:
    assert list(stores.make("oxigraph").quads()) == []
    (hit,) = indexes.make("lexical", [("a", "a lighthouse"), ("b", "a cheese")]).search("lighthouses", 5)
    assert hit.id == "a"
    assert not os.listdir(tmp_path)
