from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import CorruptKnowledgeBase, StoreLocked
from kg.stores.oxigraph import OxigraphStore

NODE = ox.NamedNode("https://lamps.example/1")
QUAD = ox.Quad(NODE, NODE, ox.Literal("lit"))


def test_a_folder_keeps_what_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "store"
    with OxigraphStore(folder) as store:
        store.change((), [QUAD])
        assert len(store) == 1
    with OxigraphStore.read_only(folder) as one, OxigraphStore.read_only(folder) as two:
        assert set(one.quads()) == set(two.quads()) == {QUAD}


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with OxigraphStore(tmp_path / "store"), pytest.raises(StoreLocked, match="another process"):
        OxigraphStore(tmp_path / "store")
    with OxigraphStore(tmp_path / "store") as store:
        assert len(store) == 0


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = OxigraphStore(tmp_path / "store")
    store.close()
    with pytest.raises(ValueError, match="closed"):
        store.query("ASK {}")


def test_a_read_only_store_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(CorruptKnowledgeBase, match="no graph store in nothing"):
        OxigraphStore.read_only(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    with OxigraphStore(tmp_path / "store") as store:
        store.change((), [QUAD])
    for manifest in (tmp_path / "store").glob("MANIFEST-*"):
        manifest.write_bytes(b"\0" * 64)
    with pytest.raises(CorruptKnowledgeBase, match="doesn't open") as caught:
        OxigraphStore.read_only(tmp_path / "store")
    assert "kg build" in caught.value.hint


def test_blank_nodes_of_peoples_own_graphs_survive(tmp_path: Path) -> None:
    graph = ox.NamedNode("https://lamps.example/notes")
    one, two = ox.BlankNode("b1"), ox.BlankNode("b2")
    blank = [ox.Quad(one, NODE, two, graph), ox.Quad(two, NODE, NODE, graph)]
    with OxigraphStore(tmp_path / "store") as store:
        store.change((), [QUAD, *blank])
        store.change([QUAD], [ox.Quad(NODE, NODE, ox.BlankNode("b3"), graph)])
        assert len(list(store.quads())) == 3 and set(blank) < set(store.quads())
        store.change(blank[:1], ())
        assert set(store.quads()) == {blank[1], ox.Quad(NODE, NODE, ox.BlankNode("b3"), graph)}


def test_quads_are_loaded_a_batch_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.stores.oxigraph._BATCH", 2)
    quads = [ox.Quad(NODE, NODE, ox.Literal(n)) for n in (1, 2, 2, 3, 1)]
    with OxigraphStore(tmp_path / "store") as store:
        store.load(iter(quads))
        store.load(())
        assert len(store) == len(list(store.quads())) == 3
    with OxigraphStore.read_only(tmp_path / "store") as store:
        assert sorted(int(q.object.value) for q in store.quads()) == [1, 2, 3]
