"""Updating in place must never be told apart from building what is left afresh."""

from __future__ import annotations

import io
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings

from kg.errors import BadInput, CorruptKnowledgeBase, DocumentClash, NotFound, StoreLocked
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
from kg.storage import Folder
from kg.stores.oxigraph import OxigraphStore

from .conftest import REPOSITORY
from .strategies import histories

PLAIN = Settings(build={"ontology": ()})
QUERIES = ("Kestrel Observatory", "who directed Northlight", "mirrors", "planned budget 1931")
FIXTURE = {
    "annals.md": "# Annals\n\n## Kestrel Observatory\n\n- **Mirrors**: 8\n- **Opened**: May 1931\n",
    "bulletin.md": "# Bulletin\n\n| Observatory | Mirrors |\n|---|---|\n"
    "| Kestrel Observatory | 8 |\n| Northlight | 12 |\n",
    "catalogue.txt": "Catalogue\n\nKestrel Observatory (KO) stands on Mount Arden.\n",
}


def exported(kb: KnowledgeBase, format: str = "nq") -> bytes:
    stream = io.BytesIO()
    kb.export(stream, format)
    return stream.getvalue()


def state(kb: KnowledgeBase) -> tuple[object, ...]:
    """All that a reader can see: graph, labels, search results with their scores, documents."""
    hits = tuple(tuple((h.passage.id, h.score) for h in kb.search(q, 10)) for q in QUERIES)
    return exported(kb), hits, tuple(kb.documents()), dict(kb.stats())


def built(folder: Path, documents: dict[str, str]) -> KnowledgeBase:
    kb = KnowledgeBase.create(folder / "fresh", PLAIN)
    docs = folder / "docs"
    for name, text in documents.items():
        docs.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    if documents:
        kb.add([docs])
    return kb


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(history=histories())
def test_any_history_equals_a_fresh_build(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, str | None]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    kb = KnowledgeBase.create(folder / "kb", PLAIN)
    left: dict[str, str] = {}
    for name, text in history:
        if text is not None:
            left[name] = text
            kb.put(text.encode(), name)
        elif name in left:
            del left[name]
            kb.remove([name])
    assert state(kb) == state(built(folder, left))
    shutil.rmtree(folder)


def test_one_file_a_command_in_any_order_equals_all_at_once(tmp_path: Path) -> None:
    expected = state(built(tmp_path, FIXTURE))
    for number, order in enumerate(itertools.permutations(FIXTURE)):
        kb = KnowledgeBase.create(tmp_path / f"kb{number}", PLAIN)
        for name in order:
            kb.add([tmp_path / "docs" / name])
        assert state(kb) == expected


def test_removal_restores_what_was_there(tmp_path: Path) -> None:
    kb = built(tmp_path, {k: FIXTURE[k] for k in ("annals.md", "bulletin.md")})
    before = state(kb)
    kb.put(FIXTURE["catalogue.txt"].encode(), "catalogue.txt")
    assert state(kb) != before
    report = kb.remove(["catalogue.txt"])
    assert report.removed == ("catalogue.txt",)
    assert state(kb) == before


def test_a_value_that_is_a_full_stop_only_says_nothing(tmp_path: Path) -> None:
    with built(tmp_path, {"marks.md": "# Marks\n\n- Period: .\n- Mirrors: 8\n"}) as kb:
        assert [d.name for d in kb.documents()] == ["marks.md"]
        assert kb.check().ok


def test_a_name_that_begins_with_dots_is_built_like_others(tmp_path: Path) -> None:
    text = """# ...The Mill Wrights Come Down

...The Mill Wrights Come Down is the second studio album by American rock band The Mill Wrights. It was recorded in 1996
and released on July 15, 1997 by record label Wherry.
"""
    (tmp_path / "album.md").write_text(text, encoding="utf-8")
    typed = Settings(build={"ontology": (REPOSITORY / "ontology" / "ai-infrastructure.ttl",)})
    with KnowledgeBase.create(tmp_path / "kb", typed) as kb:
        kb.add([tmp_path / "album.md"])
        assert [d.name for d in kb.documents()] == ["album.md"]


def test_numbers_that_no_double_holds_are_built_like_others(tmp_path: Path) -> None:
    table = "Observatory,Mirrors,Grains\nKestrel Observatory,8,2.33e323\nNorthlight,12,10^5000\n"
    with built(tmp_path, FIXTURE | {"grains.csv": table}) as kb:
        assert kb.check().ok
        literals = kb.snapshot.store.quads()
        assert any(getattr(quad.object, "value", "") == f"233{'0' * 321}" for quad in literals)


def test_a_triple_that_two_documents_state_counts_once_and_stays_until_the_last_goes(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    query = """
        PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        SELECT (COUNT(*) AS ?n) WHERE {
          ?s rdfs:label ?name ; ?p ?value . ?p rdfs:label ?label
          FILTER(STRSTARTS(STR(?name), "Kestrel") && LCASE(STR(?label)) = "mirrors")
        }"""

    def stated() -> int:
        return int(next(iter(kb.query(query)))["n"].value)

    assert stated() == 1
    kb.remove(["annals.md"])
    assert stated() == 1
    kb.remove(["bulletin.md"])
    assert stated() == 0


def test_a_build_without_documents_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "picture.png").write_bytes(b"x")
    for documents in ([tmp_path / "docs"], [tmp_path / "nowhere"]):
        with pytest.raises(BadInput, match=r"there (are no documents|is no file)"):
            KnowledgeBase.build(tmp_path / "kb", documents, PLAIN)
    assert not (tmp_path / "kb").exists()


def test_prune_removes_documents_whose_files_are_gone(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    (tmp_path / "docs" / "annals.md").unlink()
    report = kb.add([tmp_path / "docs"], prune=True)
    assert report.removed == ("annals.md",)
    assert [d.id for d in kb.documents()] == ["bulletin.md", "catalogue.txt"]


def test_an_unreadable_document_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    (tmp_path / "docs" / "broken.md").write_bytes(b"\xff\xfe\x00\xd8")
    (tmp_path / "docs" / "annals.md").write_text("# Annals\n\nRewritten.\n")
    report = kb.add([tmp_path / "docs"])
    assert [f.name for f in report.failed] == ["broken.md"]
    assert report.changed == ("annals.md",)
    assert report.unchanged == ("bulletin.md", "catalogue.txt")


def test_a_replacement_that_cannot_be_read_leaves_the_old_document(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    before = state(kb)
    report = kb.put(b"", "annals.md")
    assert len(report.failed) == 1
    assert state(kb) == before


def test_two_paths_for_one_identifier_are_refused(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    before = state(kb)
    with pytest.raises(DocumentClash, match="bulletin"):
        kb.put(b"# Other\n\nText.\n", "Bulletin.md")
    with pytest.raises(NotFound):
        kb.remove(["nowhere.md"])
    assert state(kb) == before


def test_of_names_with_one_identifier_one_is_built_and_the_other_named(tmp_path: Path) -> None:
    kb, folder = built(tmp_path, FIXTURE), tmp_path / "docs"
    (folder / "Bulletin.md").write_text("# Other\n\n- **Height**: 7 m\n", encoding="utf-8")
    report = kb.add([folder])
    assert report.unchanged == tuple(FIXTURE)  # what is there stays, whichever name comes first
    (failure,) = report.failed
    assert (failure.name, failure.hint) == ("Bulletin.md", "rename one of the two")
    assert failure.message == "Bulletin.md would be document bulletin.md, which bulletin.md is"
    fresh = KnowledgeBase.build(tmp_path / "new", [folder], PLAIN)
    assert fresh.added == ("Bulletin.md", "annals.md", "catalogue.txt")
    assert [f.name for f in fresh.failed] == ["bulletin.md"]


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    with Folder(kb.path).writing(), pytest.raises(StoreLocked, match="another process"):
        kb.put(b"# New\n\nText.\n", "new.md")


STEPS = (
    "kg.app.writer._make_graph",
    "kg.base.states.save",
    "kg.indexes.segments.store",
    "kg.storage.Folder.switch",
    "kg.storage.Folder.clear_rubbish",
)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_a_crash_at_any_step_leaves_the_old_state_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    kb = built(tmp_path, {k: FIXTURE[k] for k in ("annals.md", "bulletin.md")})
    old = state(kb)
    target, name = step.rsplit(".", 1)
    holder = sys.modules[target] if target in sys.modules else sys.modules["kg.storage"].Folder
    real = getattr(holder, name)

    def crash(*args: object, **kwargs: object) -> None:
        if after:
            real(*args, **kwargs)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(holder, name, crash)
        kb.put(FIXTURE["catalogue.txt"].encode(), "catalogue.txt")
    reopened = KnowledgeBase.open(kb.path, PLAIN)
    switched = "catalogue.txt" in {d.id for d in reopened.documents()}
    assert switched == (name == "clear_rubbish" or (name == "switch" and after))
    if not switched:
        assert state(reopened) == old
    reopened.put(FIXTURE["catalogue.txt"].encode(), "catalogue.txt")
    assert state(reopened) == state(built(tmp_path / "again", FIXTURE))


_BUILD = """
import sys
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings
KnowledgeBase.create(sys.argv[1], Settings(build={"ontology": ()})).add([sys.argv[2]])
"""


def test_a_build_killed_at_random_moments_recovers(tmp_path: Path) -> None:
    expected = state(built(tmp_path, FIXTURE))
    moments = random.Random(7)
    for trial in range(4):
        kb = tmp_path / f"killed{trial}"
        build = subprocess.Popen([sys.executable, "-c", _BUILD, kb, tmp_path / "docs"], cwd=tmp_path)
        time.sleep(moments.uniform(0.2, 2.5))
        build.send_signal(signal.SIGKILL)
        build.wait()
        recovered = KnowledgeBase.create(kb, PLAIN)
        recovered.add([tmp_path / "docs"])
        assert state(recovered) == expected


def test_damaged_files_are_noticed_and_rebuilt(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    expected = state(kb)
    kb.close()
    for file in (kb.path / "indexes").rglob("*"):
        if file.is_file() and file.stat().st_size:
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 0xFF
            file.write_bytes(data)
    shutil.rmtree(next((kb.path / "graphs").iterdir()))
    assert state(KnowledgeBase.open(kb.path, PLAIN)) == expected


def test_a_store_that_holds_something_else_is_not_sound(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    assert kb.check().ok
    graph = kb.path / "graphs" / kb.snapshot.manifest.graph
    kb.close()
    with OxigraphStore(graph) as store:
        one = next(iter(store.lookup([(ox.NamedNode(f"{kb.snapshot.namespaces.entity('northlight')}"), None, None)])))
        other = ox.Quad(one.subject, one.predicate, ox.Literal("Somewhere"))
        store.change([one], [other, ox.Quad(other.subject, other.predicate, other.object, ox.NamedNode("urn:other"))])
    with KnowledgeBase.open(kb.path, PLAIN) as opened:
        report = opened.check()
    assert report.problems == (
        "the store holds 2 quads that the records don't give",
        "the store lacks 1 quads that the records give",
    )


def test_an_altered_record_is_refused(tmp_path: Path) -> None:
    kb = built(tmp_path, FIXTURE)
    record = next((kb.path / "records").iterdir())
    record.write_bytes(record.read_bytes().replace(b"Kestrel", b"Sparrow").replace(b"mirror", b"mirage"))
    with pytest.raises(CorruptKnowledgeBase, match="altered"):
        KnowledgeBase.open(kb.path, PLAIN).snapshot.records()


def test_nothing_depends_on_the_hash_seed(tmp_path: Path) -> None:
    expected = exported(built(tmp_path, FIXTURE))
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-c", _BUILD, tmp_path / seed, tmp_path / "docs"],
            check=True,
            cwd=tmp_path,
            env=environment,
        )
        assert exported(KnowledgeBase.open(tmp_path / seed, PLAIN)) == expected
