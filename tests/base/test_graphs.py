"""Where graphs are kept: what readers see while one is switched, and after a server has died in the middle."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.base.graphs import FolderGraphs, ServerGraphs
from kg.errors import BadInput, CitegraphError, StoreMoved, StoreRefused, StoreUnavailable
from kg.settings import StoreSettings
from kg.stores import endpoint
from kg.stores.endpoint import Endpoint
from kg.stores.sparql_server import SparqlStore
from tests.stores.servers import SERVERS, Oxigraph, Server, free_port

MILL = "https://mills.example/"


def generation(number: int, size: int = 600) -> set[ox.Quad]:
    """A graph a third of which differs from the one before."""
    quads = set()
    for n in range(size):
        subject = ox.NamedNode(f"{MILL}{n if n % 3 else n + size * number}")
        graph = ox.NamedNode(f"{MILL}passage/{n % 7}") if n % 2 else ox.DefaultGraph()
        quads.add(ox.Quad(subject, ox.NamedNode(MILL + "stones"), ox.Literal(n + 0.5 * (n % 5 == 0)), graph))
    return quads


@pytest.fixture(params=sorted(SERVERS))
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    made = SERVERS[request.param](tmp_path / "server")
    yield made
    made.kill()


@pytest.fixture
def oxigraph(tmp_path: Path) -> Iterator[Server]:
    made = Oxigraph(tmp_path / "server")
    yield made
    made.kill()


def graphs_of(server: Server, *ours: str, **settings: object) -> ServerGraphs:
    return ServerGraphs(server.url, server.settings(**settings), ours)


def readable(server: Server, name: str) -> set[ox.Quad] | None:
    """What a reader of a generation sees; None where it is told that the generation isn't there."""
    try:
        store = SparqlStore(Endpoint(server.url, server.settings()), name, patience_s=0.1)
    except StoreMoved:
        return None
    with_store = set(store.quads())
    store.close()
    return with_store


def put(graphs: ServerGraphs | FolderGraphs, number: int, size: int = 600) -> None:
    """Puts a generation in the place of the one before."""
    now, before = generation(number, size), generation(number - 1, size)
    if number == 0:
        graphs.make("g0", now)
    else:
        graphs.change(f"g{number}", f"g{number - 1}", before - now, now - before)
    graphs.publish()


_NODES = st.sampled_from([ox.NamedNode(MILL + name) for name in "abc"] + [ox.BlankNode("x")])
_QUADS = st.builds(
    ox.Quad,
    _NODES,
    st.just(ox.NamedNode(MILL + "stones")),
    st.sampled_from([ox.Literal("3"), ox.Literal(4)]),
    st.sampled_from([ox.DefaultGraph(), ox.NamedNode(MILL + "passage")]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sets(_QUADS), st.sets(_QUADS)), min_size=1, max_size=3), st.booleans())
def test_triples_are_counted_as_they_come_and_go(changes: list[tuple[set[ox.Quad], set[ox.Quad]]], kept: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        graphs, held = FolderGraphs(Path(folder)), changes[0][1]
        graphs.make("0", held)
        for number, (remove, add) in enumerate(changes):
            if not kept:
                (graphs.path(str(number)) / "triples.txt").unlink()
            graphs.change(str(number + 1), str(number), remove, add)
            held = (held - remove) | add
        last = graphs.open(str(len(changes)))
        assert set(last.quads()) == held
        assert graphs.triples(str(len(changes))) == sum(quad.graph_name == ox.DefaultGraph() for quad in held)
        last.close()


def test_a_server_holds_what_a_folder_holds(server: Server, tmp_path: Path) -> None:
    folder = FolderGraphs(tmp_path / "graphs")
    for number in range(3):
        put(graphs_of(server), number)
        put(folder, number)
        with folder.open(f"g{number}") as store:
            assert readable(server, f"g{number}") == set(store.quads()) == generation(number)
        assert graphs_of(server).intact(f"g{number}") and folder.intact(f"g{number}")
    assert readable(server, "g1") is None
    assert not graphs_of(server).intact("g1") and not graphs_of(server).intact("")


def test_only_what_differs_is_sent(oxigraph: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    put(graphs_of(oxigraph), 0)
    sent: list[str] = []
    update = Endpoint.update
    monkeypatch.setattr(Endpoint, "update", lambda self, text: (sent.append(text), update(self, text))[1])
    put(graphs_of(oxigraph), 1)
    assert len(sent) == 1  # with the mark, so that it is done whole or not at all
    assert sent[0].count(MILL + "stones") == len(generation(0) ^ generation(1))
    whole = graphs_of(oxigraph, "g1")
    whole.make("g2", generation(2))
    whole.publish()
    assert sent[1].count(MILL + "stones") == len(generation(1) ^ generation(2))
    assert readable(oxigraph, "g2") == generation(2)


def test_a_generation_is_read_from_when_it_is_published(oxigraph: Server) -> None:
    put(graphs_of(oxigraph), 0)
    graphs = graphs_of(oxigraph)
    reader = graphs.open("g0")
    graphs.change("g1", "g0", generation(0) - generation(1), generation(1) - generation(0))
    assert readable(oxigraph, "g0") == generation(0) == set(reader.quads())
    graphs.publish()
    assert readable(oxigraph, "g0") is None and readable(oxigraph, "g1") == generation(1)
    with pytest.raises(StoreMoved, match="another generation"):
        reader.query("ASK {}")


def test_a_change_of_another_generation_is_refused(oxigraph: Server) -> None:
    put(graphs_of(oxigraph), 0)
    graphs = graphs_of(oxigraph)
    graphs.change("g2", "g1", (), generation(2))
    with pytest.raises(StoreMoved, match="somebody else"):
        graphs.publish()
    assert readable(oxigraph, "g0") == generation(0)


def test_data_of_others_is_left_alone(oxigraph: Server) -> None:
    foreign = {ox.Quad(ox.NamedNode(MILL), ox.NamedNode(MILL), ox.Literal("theirs"))}
    SparqlStore.at(oxigraph.url, oxigraph.settings()).change((), foreign)
    with pytest.raises(BadInput, match="isn't this knowledge base's"):
        graphs_of(oxigraph).make("g0", generation(0))
    assert set(SparqlStore.at(oxigraph.url, oxigraph.settings()).quads()) == foreign


def test_the_graph_of_another_knowledge_base_is_left_alone(oxigraph: Server) -> None:
    put(graphs_of(oxigraph), 0)
    with pytest.raises(BadInput, match="isn't this knowledge base's"):
        graphs_of(oxigraph, "h0").make("h1", generation(1))
    assert readable(oxigraph, "g0") == generation(0)


def test_readers_see_whole_generations_without_transactions(oxigraph: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = replace(endpoint.OXIGRAPH, atomic=False, batch=40)
    monkeypatch.setattr(Endpoint, "engine", property(lambda self: slow))
    put(graphs_of(oxigraph), 0)
    done = threading.Event()
    seen: list[tuple[int, bool]] = []

    def read() -> None:
        while not done.is_set():
            for number in range(6):
                try:
                    found = readable(oxigraph, f"g{number}")
                except StoreMoved:  # it went on while it was read
                    continue
                if found is not None:
                    seen.append((number, found == generation(number)))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 6):
        put(graphs_of(oxigraph), number)
    time.sleep(0.3)
    done.set()
    for reader in readers:
        reader.join()
    assert seen and all(whole for _, whole in seen)
    assert (5, True) in seen


def killed_in_the_middle(server: Server, times: int, size: int) -> dict[str, int]:
    """Kills a server during commits: how often it held the old generation then, the new one, neither, or a part."""
    chance = random.Random(7)
    counts = {"before": 0, "after": 0, "under way": 0, "half-written": 0}
    put(graphs_of(server), 0, size)
    begun = time.monotonic()
    put(graphs_of(server), 1, size)
    takes_s = time.monotonic() - begun
    for number in range(2, times + 2):
        committing = threading.Thread(target=_failing, args=(server, number, size))
        committing.start()
        time.sleep(chance.uniform(0, takes_s))
        server.kill()
        committing.join()
        server.start()
        counts[_state(server, number, size)] += 1
        # The next build puts in order whatever it finds.
        graphs = graphs_of(server, f"g{number - 1}", f"g{number}")
        graphs.make(f"g{number}", generation(number, size))
        graphs.publish()
        assert readable(server, f"g{number}") == generation(number, size)
    return counts


def _failing(server: Server, number: int, size: int) -> None:
    try:
        graphs = graphs_of(server, attempts=1)
        now, before = generation(number, size), generation(number - 1, size)
        graphs.change(f"g{number}", f"g{number - 1}", before - now, now - before)
        graphs.publish()
    except CitegraphError as error:
        assert isinstance(error, StoreUnavailable)


def _state(server: Server, number: int, size: int) -> str:
    for name, at in (("before", number - 1), ("after", number)):
        found = readable(server, f"g{at}")
        if found is not None:
            return name if found == generation(at, size) else "half-written"
    return "under way"


def test_a_server_killed_in_the_middle_shows_no_half_written_state(oxigraph: Server) -> None:
    counts = killed_in_the_middle(oxigraph, 4, 600)
    assert counts["half-written"] == counts["under way"] == 0, "it has transactions"


@pytest.mark.long
def test_nor_in_fifty_commits(server: Server) -> None:
    counts = killed_in_the_middle(server, 50, 3_000)
    print(server.name, counts)
    assert counts["half-written"] == 0


def test_refusals_say_what_to_do(oxigraph: Server) -> None:
    def refused(kind: type[CitegraphError], url: str, **settings: object) -> CitegraphError:
        with pytest.raises(kind) as caught:
            SparqlStore.at(url, StoreSettings(url=url, attempts=2, timeout_s=5, **settings)).query("ASK {}")  # type: ignore[arg-type]
        return caught.value

    nobody = refused(StoreUnavailable, f"http://127.0.0.1:{free_port()}/query")
    assert "can't be reached" in nobody.message and "is it running" in nobody.hint
    wrong = refused(StoreUnavailable, oxigraph.url.replace("query", "nothing"))
    assert "no SPARQL endpoint" in wrong.message and "8890/sparql" in wrong.hint
    page = refused(StoreUnavailable, oxigraph.url.replace("query", ""))
    assert page.message
    settings = oxigraph.settings(update_url=oxigraph.url.replace("query", "nothing"))
    with pytest.raises(StoreUnavailable, match="takes no updates") as caught:
        SparqlStore.at(oxigraph.url, settings).change((), generation(0))
    assert "read-only" in caught.value.hint and "update_url" in caught.value.hint


@pytest.mark.parametrize("server", ["virtuoso"], indirect=True)
def test_credentials_are_asked_for_and_used(server: Server) -> None:
    for user, message in (("", "wants a name and password"), ("nobody", "doesn't allow changes")):
        settings = StoreSettings(url=server.url, user=user, password="wrong")  # type: ignore[arg-type]
        with pytest.raises(StoreRefused, match=message) as caught:
            SparqlStore.at(server.url, settings).change((), generation(0))
        assert "KG_STORE_USER" in caught.value.hint and "wrong" not in str(caught.value)
    SparqlStore.at(server.url, server.settings()).change((), generation(0))
