"""A graph made from the one before it is the graph made from nothing, and so is its state."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import MethodType, SimpleNamespace
from typing import cast
from unittest import mock

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.whole_graph import build
from kg.app import overview
from kg.base import generations, graphs, states
from kg.base.generations import Content, Generation
from kg.base.graphs import FolderGraphs
from kg.base.snapshot import Snapshot
from kg.decisions import Accept, Decision, Merge, Reject, Split
from kg.namespaces import Namespaces
from kg.ontology import Ontology, parse
from kg.records import Record
from kg.records import to_json as record_json
from kg.resolution import resolve
from kg.resolution.contributions import Totals, contribution, from_json, to_json
from kg.storage import Folder, Manifest
from kg.stores.oxigraph import OxigraphStore

from ..making import EMPTY, EX, MILLS, NAMES, Said, libraries, mentioning, number, ontologies, record

NS = Namespaces("https://kb.example/")
NOTE = ox.Quad(ox.NamedNode("https://kb.example/x"), ox.NamedNode("https://kb.example/y"), ox.Literal("z"))


def content(
    records: Sequence[Record], ontology: Ontology, decisions: Sequence[Decision] = (), user: Sequence[ox.Quad] = ()
) -> Content:
    by_id = {r.document.id: r for r in records}
    hashes = {id_: hashlib.sha256(record_json(r)).hexdigest() for id_, r in sorted(by_id.items())}
    return Content(hashes, by_id.__getitem__, ontology, tuple(decisions), NS, frozenset(user), "test")


def quads_of(folder: Path) -> set[ox.Quad]:
    with OxigraphStore.read_only(folder) as store:
        return set(store.quads())


def in_steps(folder: Path, steps: Sequence[Content]) -> tuple[set[ox.Quad], states.State]:
    """The last of several graphs, each made from the one before."""
    generation = Generation(steps[0])
    known = generation.write_whole(FolderGraphs(folder), "0")
    for number_, (before, now) in enumerate(itertools.pairwise(steps)):
        generation = Generation(now, known)
        known = generation.write_changed(FolderGraphs(folder), str(number_ + 1), str(number_), before)
    return quads_of(folder / str(len(steps) - 1)), known


def counted(made: Content, quads: Iterable[ox.Quad]) -> Totals:
    """What a graph without a state is found to hold; it has no word of what extractors found and didn't keep."""
    with OxigraphStore() as store:
        store.load(quads)
        snapshot = cast(
            "Snapshot",
            SimpleNamespace(store=store, namespaces=NS, manifest=Manifest(), graphs=graphs.FolderGraphs(Path("none"))),
        )
        snapshot.rows = MethodType(Snapshot.rows, snapshot)  # type: ignore[method-assign]
        held = Counter(overview.stats(snapshot)) - Counter({"triples": 10**9, "not kept": 10**9})
        refused = Counter(overview.rejection_counts(snapshot))
        refused.update(one.reason for id_ in made.records for one in made.record(id_).extraction.rejected)
        return Totals(held, overview.claim_counts(snapshot), refused)


@settings(max_examples=20, deadline=None)
@given(libraries(), ontologies, st.data())
def test_in_steps_it_is_what_it_is_from_nothing(records: list[Record], ontology: Ontology, data: st.DataObject) -> None:
    kept = st.lists(st.sampled_from(records), unique_by=lambda r: r.document.id)
    claims = [c.id for r in records for c in r.extraction.claims]
    judged = st.lists(st.sampled_from([Accept, Reject]).flatmap(lambda k: st.sampled_from(claims).map(k)), max_size=2)
    some: st.SearchStrategy[list[Decision]] = judged if claims else st.just([])  # type: ignore[assignment]
    steps = [content(data.draw(kept), ontology, data.draw(some), data.draw(st.sampled_from([(), (NOTE,)])))
             for _ in range(3)]  # fmt: skip
    last = steps[-1]
    many = mock.patch.object(graphs, "_MANY", data.draw(st.sampled_from([0, 50_000])))
    limits = mock.patch.multiple(
        generations, FEW=data.draw(st.sampled_from([0, 9])), TOUCHED=data.draw(st.sampled_from([0.5, 9]))
    )
    with tempfile.TemporaryDirectory() as folder, many, limits:
        found, known = in_steps(Path(folder), steps)
        whole = Generation(last).write_whole(FolderGraphs(Path(folder)), "whole")
        assert found == quads_of(Path(folder) / "whole")
    assert states.dump(known) == states.dump(whole)
    assert states.totals_of(known) == counted(last, found)
    assert found == build(map(last.record, last.records), ontology, last.decisions, NS) | last.user


# Without people and declared things, so that what a change touches is joined alone; classes still exclude each other.
FEATURELESS = parse([("mills.ttl", f"""
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<{EX}Mill> a owl:Class ; rdfs:label "mill" ; owl:disjointWith <{EX}River> .
<{EX}River> a owl:Class ; rdfs:label "river" .
<{EX}mouth> a owl:DatatypeProperty ; rdfs:label "mouth" ; rdfs:domain <{EX}River> .
<{EX}on> a owl:ObjectProperty ; rdfs:label "stands on" ; rdfs:domain <{EX}Mill> ; rdfs:range <{EX}River> .
""".encode())])  # fmt: skip
_two_names = st.sampled_from(NAMES), st.sampled_from(NAMES)
_reviewed: st.SearchStrategy[list[Decision]] = st.lists(
    st.one_of(st.builds(Merge, *_two_names), st.builds(Split, *_two_names)), max_size=2
)


@settings(max_examples=60, deadline=None)
@given(libraries(3), libraries(), st.sampled_from((EMPTY, FEATURELESS)), _reviewed, st.data())
def test_what_a_change_of_one_document_touches_is_joined_alone(
    records: list[Record], others: list[Record], ontology: Ontology, decisions: list[Decision], data: st.DataObject
) -> None:
    mentioned = mentioning(records[0], data.draw(st.lists(st.sampled_from(NAMES), max_size=3)))
    held = {r.document.id: r for r in (mentioned, *records[1:])}
    steps = [content(list(held.values()), ontology, decisions)]
    for other in (*others, None):
        held.pop(data.draw(st.sampled_from(sorted(held)))) if len(held) > 1 and data.draw(st.booleans()) else None
        held.update({other.document.id: other} if other else {})
        steps.append(content(list(held.values()), ontology, decisions))
    joined = mock.patch.object(generations, "named_whole", wraps=resolve.named_whole)
    limits = mock.patch.multiple(generations, FEW=9, TOUCHED=9, _REBUILD_SHARE=9)
    with tempfile.TemporaryDirectory() as folder, limits, joined as whole:
        found, known = in_steps(Path(folder), steps)
        assert whole.call_count == 1
        again = states.load(states.dump(known))
    assert found == build(map(steps[-1].record, steps[-1].records), ontology, decisions, NS)
    with tempfile.TemporaryDirectory() as folder:
        from_nothing = Generation(steps[-1]).write_whole(FolderGraphs(Path(folder)), "whole")
    assert states.dump(known) == states.dump(again) == states.dump(from_nothing)


@settings(max_examples=20, deadline=None)
@given(libraries(), ontologies)
def test_a_state_and_what_documents_bring_outlive_the_disk(records: list[Record], ontology: Ontology) -> None:
    for one in records:
        brought = contribution(one, ontology)
        assert from_json(to_json(brought)) == brought
    with tempfile.TemporaryDirectory() as folder:
        known = Generation(content(records, ontology)).write_whole(FolderGraphs(Path(folder)), "g")
    again = states.load(states.dump(known))
    assert (again.made, again.documents, again.shared) == (known.made, known.documents, known.shared)


STONES, HEIGHT = Said("Corn Mill", "stones", number("3")), Said("Corn Mill", "height", number("5", unit="M"))


def test_a_triple_goes_with_the_last_passage_that_states_it(tmp_path: Path) -> None:
    both = content([record("a", [STONES]), record("b", [STONES, HEIGHT])], MILLS)
    one = content([record("a", [STONES])], MILLS)
    found, _ = in_steps(tmp_path, [both, one])
    assert found == quads_of_whole(one)
    assert any(q.predicate.value.endswith("stones") and q.graph_name == ox.DefaultGraph() for q in found)
    assert not any(q.predicate.value.endswith("height") for q in found if not _in_ontology(q))


def quads_of_whole(made: Content) -> frozenset[ox.Quad]:
    return build(map(made.record, made.records), made.ontology, made.decisions, NS)


def _in_ontology(quad: ox.Quad) -> bool:
    return quad.graph_name == ox.NamedNode(NS.ontology_graph)


def test_only_documents_whose_names_or_properties_mean_something_else_are_told_anew(tmp_path: Path) -> None:
    records = [record(name, [Said(f"Mill of {name}", "stones", number("3"))]) for name in "abcd"]
    known = Generation(content(records, MILLS)).write_whole(FolderGraphs(tmp_path), "0")
    assert Generation(content(records, MILLS), known).changed == ()
    another = record("e", [Said("Tarn Mill", "stones", number("2"))])
    assert Generation(content([*records, another], MILLS), known).changed == ("e",)
    namesake = record("e", [Said("mill of a", "stones", number("2")), Said("mill of a", "height", number("2"))])
    assert "e" in Generation(content([*records, namesake], MILLS), known).changed
    split = Generation(content(records, MILLS, [Merge("Mill of a", "Mill of b")]), known)
    assert split.changed == ("a", "b") or split.changed == ("b",)


def test_a_state_that_is_gone_damaged_or_of_another_make_is_none(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.prepare()
    known = Generation(content([record("a", [STONES])], EMPTY)).write_whole(FolderGraphs(tmp_path), "g")
    name = states.save(known, folder)
    assert states.saved(folder, name, "test") is not None
    assert states.saved(folder, name, "other") is None
    assert states.saved(folder, "", "test") is None
    path = tmp_path / "states" / f"{name}.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert states.saved(folder, name, "test") is None
    path.unlink()
    assert states.saved(folder, name, "test") is None
