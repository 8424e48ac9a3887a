"""What a Dask cluster reads is, byte for byte, what this machine reads; what a cluster lacks is said."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from distributed import LocalCluster
from pydantic import ValidationError

from kg import KnowledgeBase, versions
from kg.errors import ClusterUnavailable
from kg.reports import BuildReport
from kg.settings import BuildSettings, Settings
from kg.workers import cluster as clusters

from .. import once
from ..lighthouses import write

ONTOLOGY = {"ontology": (once.ONTOLOGY,)}


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as made:
        yield made


def read_by(cluster: LocalCluster) -> Settings:
    address = cluster.scheduler_address.replace("tcp://", "dask://")
    return Settings(build={"workers": address, **ONTOLOGY})


def content(folder: Path) -> dict[str, bytes]:
    """All that a build makes, but for the store's own files: the generation names the graph."""
    kinds = ("records", "indexes", "ontology", "states")
    found = {
        path.relative_to(folder).as_posix(): path.read_bytes() for kind in kinds for path in (folder / kind).iterdir()
    }
    return {**found, "generation": KnowledgeBase.open(folder).generation.encode()}


def test_a_cluster_makes_what_this_machine_makes(cluster: LocalCluster, tmp_path: Path) -> None:
    documents = write(tmp_path / "docs")
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7\n")
    told: list[str] = []
    here = KnowledgeBase.build(tmp_path / "here", [documents], Settings(build=ONTOLOGY))
    there = KnowledgeBase.build(
        tmp_path / "there", [documents], read_by(cluster), progress=lambda what, done, total: told.append(what)
    )
    assert there.added == ("keepers.md", "lights.md")
    assert (there.failed, there.claims) == (here.failed, here.claims)
    assert [failure.name for failure in there.failed] == ["broken.pdf"]
    assert not [what for what in told if what.startswith("index of")]  # the worker made the segments
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_a_worker_that_reads_otherwise_is_refused(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = write(tmp_path / "docs")
    monkeypatch.setattr(versions, "EXTRACTION", "another")
    with pytest.raises(ClusterUnavailable, match="has other stages") as refused:
        KnowledgeBase.build(tmp_path / "kb", [documents], read_by(cluster))
    assert "same versions" in refused.value.hint


def test_a_cluster_without_workers_or_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = write(tmp_path / "docs")
    with LocalCluster(n_workers=0, dashboard_address=":0") as nobody:
        settings = read_by(nobody)
        with pytest.raises(ClusterUnavailable, match="no worker has joined dask://"):
            KnowledgeBase.build(tmp_path / "kb", [documents], settings)
    monkeypatch.setattr(clusters, "_CONNECT_S", 0.3)
    with pytest.raises(ClusterUnavailable, match="no scheduler answers at dask://"):
        KnowledgeBase.build(tmp_path / "kb", [documents], settings)
    assert len(KnowledgeBase.build(tmp_path / "kb", [documents]).added) == 2  # nothing is lost by it


def test_nothing_to_read_needs_no_cluster(tmp_path: Path) -> None:
    documents = write(tmp_path / "docs")
    KnowledgeBase.build(tmp_path / "kb", [documents])
    gone = Settings(build={"workers": "dask://127.0.0.1:9"})
    assert KnowledgeBase.build(tmp_path / "kb", [documents], gone).unchanged == ("keepers.md", "lights.md")
    with KnowledgeBase.open(tmp_path / "kb", gone) as kb:
        assert kb.remove(["keepers.md"]).removed == ("keepers.md",)


def test_builds_at_once_do_not_end_each_others_readers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_BUILDS", 1)
    documents = write(tmp_path / "docs", {f"{n}.md": f"# Lamp {n}\n\n- **Height**: {n} m\n" for n in range(12)})
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", dashboard_address=":0"
    ) as cluster:

        def build(number: int) -> BuildReport:
            settings = read_by(cluster)
            more = settings.build.model_copy(update={"document_timeout_s": 100.0 + number})
            settings = settings.model_copy(update={"build": more})
            return KnowledgeBase.build(tmp_path / str(number), [documents], settings)

        with ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(build, range(2)))
    assert [(len(report.added), report.failed) for report in reports] == [(12, ())] * 2
    assert content(tmp_path / "0") == content(tmp_path / "1")


@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    documents = write(tmp_path / "docs", {f"{n}.md": f"# Lamp {n}\n\n- **Height**: {n} m\n" * 20 for n in range(40)})
    killed: list[int] = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:

        def kill(what: str, done: int, total: int) -> None:
            if done == 5 and total == 40 and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        report = KnowledgeBase.build(tmp_path / "there", [documents], read_by(cluster), progress=kill)
    assert (len(report.added), report.failed, len(killed)) == (40, (), 1)
    KnowledgeBase.build(tmp_path / "here", [documents], Settings(build=ONTOLOGY))
    assert content(tmp_path / "there") == content(tmp_path / "here")


@pytest.mark.parametrize(
    ("given", "kept"), [(3, 3), ("3", 3), (" 0 ", 0), ("dask://a.example:8786/", "dask://a.example:8786")]
)
def test_workers_are_a_number_or_an_address(given: object, kept: object) -> None:
    assert BuildSettings(workers=given).workers == kept  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given", [-1, "many", "tcp://a.example:8786", "dask://a.example", "dask://:8786", "dask://a:1/x"]
)
def test_other_workers_are_refused(given: object) -> None:
    with pytest.raises(ValidationError, match="dask://HOST:PORT"):
        BuildSettings(workers=given)  # type: ignore[arg-type]
