"""The network view against networkx and brute force."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import BadInput, NotFound
from kg.graph import network
from kg.graph.network import Hop

LIGHTS = [
    ("skerry", "built_by", "stevenson"),
    ("muckle", "built_by", "stevenson"),
    ("muckle", "lit_by", "fresnel-lens"),
    ("skerry", "lit_by", "fresnel-lens"),
    ("skerry", "older_than", "muckle"),
    ("fresnel-lens", "made_in", "paris"),
    ("reef", "near", "reef"),
]
NODES = [f"n{i}" for i in range(9)]
triples = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(["p", "q"]), st.sampled_from(NODES)), max_size=20)


def test_graph_keeps_each_triple_once_in_sorted_order() -> None:
    g = network.graph([*LIGHTS, *LIGHTS])
    assert g.number_of_edges() == len(LIGHTS)
    assert list(g) == sorted(g)
    assert sorted((s, p, o) for s, o, p in g.edges(keys=True)) == sorted(LIGHTS)


def test_paths_are_all_shortest_ones_in_order_with_their_triples() -> None:
    found = network.paths(network.graph(LIGHTS), "stevenson", "paris")
    assert [[hop.target for hop in path] for path in found] == [
        ["muckle", "fresnel-lens", "paris"],
        ["skerry", "fresnel-lens", "paris"],
    ]
    assert found[0][0] == Hop("stevenson", "muckle", (("muckle", "built_by", "stevenson"),))
    assert network.paths(network.graph(LIGHTS), "stevenson", "paris", limit=1) == found[:1]


def test_paths_to_itself_too_far_and_nowhere() -> None:
    g = network.graph(LIGHTS)
    assert network.paths(g, "reef", "reef") == ((),)
    assert network.paths(g, "stevenson", "paris", cutoff=2) == ()
    assert network.paths(g, "reef", "paris") == ()


def test_what_is_refused() -> None:
    g = network.graph(LIGHTS)
    for call in (
        lambda: network.paths(g, "atlantis", "paris"),
        lambda: network.paths(g, "paris", "atlantis"),
    ):
        with pytest.raises(NotFound, match="atlantis"):
            call()
    for bad in (
        lambda: network.paths(g, "paris", "reef", cutoff=-1),
        lambda: network.paths(g, "paris", "reef", limit=0),
    ):
        with pytest.raises(BadInput):
            bad()


@settings(max_examples=60, deadline=None)
@given(triples, st.integers(0, 5))
def test_paths_agree_with_networkx(found: list[tuple[str, str, str]], cutoff: int) -> None:
    g = network.graph(found)
    plain = nx.Graph(g)
    for a, b in product(list(g)[:4], list(g)[:4]):
        expected: list[list[str]] = []
        if nx.has_path(plain, a, b) and nx.shortest_path_length(plain, a, b) <= cutoff:
            expected = sorted(nx.all_shortest_paths(plain, a, b))
        got = network.paths(g, a, b, cutoff, limit=1_000)
        assert [[a, *(hop.target for hop in path)] for path in got] == expected
        for path in got:
            for hop in path:
                assert hop.triples == tuple(
                    sorted({(s, p, o) for s, p, o in found if {s, o} == {hop.source, hop.target}})
                )


def test_paths_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from kg.graph import network; import random; r = random.Random(3);"
        "t = [(f'n{r.randrange(60)}', 'p', f'n{r.randrange(60)}') for _ in range(140)];"
        "g = network.graph(t); print(network.paths(g, 'n1', 'n2'))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(outputs) == 1
