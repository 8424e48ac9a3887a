"""Graphs that people write: kept through rebuilds, damage and crashes, and the same bytes for the same content."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.base.user_graphs import canonical, parse, replacing, writable
from kg.errors import BadInput, QueryRefused, StoreLocked
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from kg.storage import Folder

from ..lighthouses import KEEPERS, LIGHTS

PLAIN = Settings(build={"ontology": ()})
NOTES = "https://w3id.org/citegraph/id/graph/user/notes"
NOTE = f"<https://lamps.example/corran> <https://lamps.example/note> <https://lamps.example/painted> <{NOTES}> .\n"
OTHER = f'<https://lamps.example/corran> <https://lamps.example/note> "white"@en <{NOTES}> .\n'


def exported(kb: KnowledgeBase) -> str:
    stream = io.BytesIO()
    kb.export(stream, "nq")
    return stream.getvalue().decode()


def notes(kb: KnowledgeBase) -> set[ox.Quad]:
    return set(kb.snapshot.store.quads(ox.NamedNode(NOTES)))


def test_they_outlive_every_change_of_the_documents(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    kb.put(LIGHTS.encode(), "lights.md")
    bare, before = exported(kb), kb.generation
    assert kb.update_user_graphs(lambda snapshot: NOTE.encode())
    assert kb.generation != before
    assert notes(kb) == parse(NOTE.encode())
    kb.put(KEEPERS.encode(), "keepers.md")
    assert notes(kb) == parse(NOTE.encode())
    kb.remove(["keepers.md"])
    assert exported(kb) == "".join(sorted([*bare.splitlines(keepends=True), NOTE]))
    assert kb.check().ok
    assert kb.update_user_graphs(lambda snapshot: b"")
    assert exported(kb) == bare and kb.generation == before


def test_a_change_adds_to_what_is_there(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    kb.update_user_graphs(lambda snapshot: NOTE.encode())
    assert kb.update_user_graphs(lambda snapshot: snapshot.user_data + OTHER.encode())
    assert notes(kb) == parse((NOTE + OTHER).encode())
    assert not kb.update_user_graphs(lambda snapshot: snapshot.user_data)


def test_a_damaged_store_is_rebuilt_with_them(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    kb.put(LIGHTS.encode(), "lights.md")
    kb.update_user_graphs(lambda snapshot: NOTE.encode())
    whole = exported(kb)
    kb.close()
    shutil.rmtree(tmp_path / "kb" / "graphs")
    with KnowledgeBase.open(tmp_path / "kb", PLAIN) as reader:
        assert exported(reader) == whole
        assert reader.update_user_graphs(lambda snapshot: (NOTE + OTHER).encode())
        assert exported(reader) == "".join(sorted([*whole.splitlines(keepends=True), OTHER]))


def test_other_graphs_are_refused_and_nothing_changes(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    before = exported(kb)
    prefix = kb.snapshot.writable_graphs
    for graph in ("", "<https://lamps.example/g>", "_:g", f"<{prefix}>", f"<{prefix[:-5]}>"):
        line = f"<https://lamps.example/a> <https://lamps.example/b> <https://lamps.example/c> {graph} .\n"
        with pytest.raises(QueryRefused, match="your own graphs"):
            kb.update_user_graphs(lambda snapshot, line=line: (NOTE + line).encode())
    assert exported(kb) == before
    assert writable(ox.NamedNode(NOTES), prefix)


def test_a_change_that_fails_changes_nothing(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    kb.update_user_graphs(lambda snapshot: NOTE.encode())

    def fail(snapshot: object) -> bytes:
        raise BadInput("no")

    with pytest.raises(BadInput):
        kb.update_user_graphs(fail)
    with KnowledgeBase.open(tmp_path / "kb", PLAIN) as reader:
        assert notes(reader) == parse(NOTE.encode())


def test_nobody_else_writes_meanwhile(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    with Folder(tmp_path / "kb").writing(), pytest.raises(StoreLocked):
        kb.update_user_graphs(lambda snapshot: NOTE.encode())


def test_a_crash_before_the_switch_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN)
    kb.update_user_graphs(lambda snapshot: NOTE.encode())
    before = exported(kb)
    with monkeypatch.context() as patched:

        def crash(folder: Folder, manifest: object) -> None:
            raise KeyboardInterrupt

        patched.setattr(Folder, "switch", crash)
        with pytest.raises(KeyboardInterrupt):
            kb.update_user_graphs(lambda snapshot: (NOTE + OTHER).encode())
    with KnowledgeBase.open(tmp_path / "kb", PLAIN) as reader:
        assert exported(reader) == before
        reader.update_user_graphs(lambda snapshot: (NOTE + OTHER).encode())
        assert notes(reader) == parse((NOTE + OTHER).encode())
        assert len(list((tmp_path / "kb" / "user").iterdir())) == 2


def test_a_plain_dataset_is_written_everywhere_and_takes_no_documents(tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "kb", PLAIN, plain=True)
    assert exported(kb) == ""
    line = '<https://lamps.example/a> <https://lamps.example/b> "c" .\n'
    kb.update_user_graphs(lambda snapshot: line.encode())
    assert exported(kb) == line
    with pytest.raises(BadInput, match="documents"):
        kb.put(LIGHTS.encode(), "lights.md")


NODES = st.one_of(st.sampled_from("abc").map(ox.BlankNode), st.sampled_from("pq").map(lambda c: ox.NamedNode(f"x:{c}")))
QUADS = st.builds(
    ox.Quad,
    NODES,
    st.sampled_from("rs").map(lambda c: ox.NamedNode(f"x:{c}")),
    st.one_of(NODES, st.text(max_size=5).map(ox.Literal)),
    st.one_of(st.just(ox.DefaultGraph()), NODES),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(QUADS, max_size=8), st.permutations("abc"))
def test_the_same_content_is_the_same_bytes(quads: list[ox.Quad], names: list[str]) -> None:
    data = canonical(quads)
    assert canonical(parse(data)) == data
    fresh = dict(zip("abc", names, strict=True))

    def renamed(term: object) -> object:
        return ox.BlankNode(fresh[term.value]) if isinstance(term, ox.BlankNode) else term

    shuffled = [ox.Quad(renamed(q.subject), q.predicate, renamed(q.object), renamed(q.graph_name)) for q in quads]
    assert canonical(reversed(shuffled)) == data
    assert len(parse(data)) == len(set(quads))


def test_replacing_a_graph_leaves_the_others() -> None:
    one, two = ox.NamedNode("urn:one"), ox.NamedNode("urn:two")
    old = [ox.Quad(one, two, ox.Literal(n), graph) for n, graph in ((1, one), (2, two))]
    new = [ox.Triple(one, two, ox.Literal(3))]
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    assert replacing(old, one, new).decode().splitlines() == [
        f'<urn:one> <urn:two> "2"^^{integer} <urn:two> .',
        f'<urn:one> <urn:two> "3"^^{integer} <urn:one> .',
    ]


def test_a_triple_that_is_a_term_comes_back() -> None:
    node = ox.NamedNode("https://mills.example/a")
    quad = ox.Quad(node, node, ox.Triple(node, node, ox.Literal("Weir")), node)
    assert parse(canonical([quad])) == {quad}
