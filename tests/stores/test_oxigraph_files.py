"""What a store leaves on disk when it is closed."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from kg.stores.oxigraph import OxigraphStore

LAMP = "https://lamps.example/"


def quad(number: int) -> ox.Quad:
    return ox.Quad(ox.NamedNode(f"{LAMP}{number}"), ox.NamedNode(f"{LAMP}height"), ox.Literal(number))


def test_a_checkpoint_of_a_read_only_store_has_the_last_change(tmp_path: Path) -> None:
    with OxigraphStore(tmp_path / "0") as store:
        store.change((), [quad(0)])
    for step in range(3):
        with OxigraphStore.read_only(tmp_path / str(step)) as store:
            store.checkpoint(tmp_path / str(step + 1))
        with OxigraphStore(tmp_path / str(step + 1)) as store:
            assert set(store.quads()) == {quad(step)}
            store.change([quad(step)], [quad(step + 1)])
