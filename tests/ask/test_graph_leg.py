"""Answers from the graph: names linked, queries written and run as shown, claims cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyoxigraph as ox
import pytest

from kg.ask.engine import Asker
from kg.ask.facts import Facts
from kg.ask.graph import Writer, run
from kg.ask.linking import Wording, link, property_fit
from kg.ask.question import analyse
from kg.ask.view import View, view
from kg.knowledge_base import KnowledgeBase
from kg.namespaces import Namespaces
from kg.reading import Trained
from kg.settings import Settings


def facts(view: View) -> Facts:
    assert view.store is not None
    return Facts(view.store, view.namespaces)


def test_names_link_to_things_through_case_possessives_and_slips(ferry_view: View) -> None:
    for text in (
        "Who built the Bryndis?",
        "who built the bryndis?",
        "The Bryndis's builder?",
        "Who built the Bryndys?",
    ):
        question = analyse(text, ferry_view.lexicon.capitalised)
        things = [t for x in link(question, facts(ferry_view), ferry_view.lexicon.capitalised) for t in x.things]
        expected = [] if "Bryndys" in text and not question.names else [ferry_view.namespaces.entity("bryndis")]
        assert things == expected


def test_facts_by_subject_and_object_are_those_of_that_thing_only(ferry_view: View) -> None:
    known = facts(ferry_view)
    yard = ferry_view.namespaces.entity("holm-yard")
    assert {f.subject for f in known.of_subject(yard)} <= {yard}
    built = known.of_object(yard)
    assert sorted(known.label(f.subject) for f in built) == ["Aurelia", "Bryndis"]


def test_a_property_fits_by_its_names(asker: Asker) -> None:
    terms = asker.asking("How many cars does the Bryndis carry?").found.terms
    assert property_fit(terms, ("Cars",))[0] == 1
    assert property_fit(terms, ("Cost",)) == (0, 0)


def test_a_wording_is_held_against_the_names_of_many_properties(asker: Asker) -> None:
    wording = Wording.of(asker.asking("How many cars does the Aurelia carry?").found.terms)
    assert wording.fit(("Cars",)) == property_fit((t for _, t in wording.weighed), ("Cars",))
    assert wording.fit(("Tonnage", "Draught")) == (0, 0)


def test_the_query_shown_gives_the_rows_shown(asker: Asker) -> None:
    answer = asker.ask("How many cars does the Bryndis carry?")
    assert answer.sparql is not None and answer.bindings is not None
    assert asker.view.store is not None
    assert [row["value"]["value"] for row in run(asker.view.store, answer.sparql).rows] == ["72"]
    assert [b["value"]["value"] for b in answer.bindings["results"]["bindings"]] == ["72"]  # type: ignore[index]
    item = answer.answers[0]
    assert (item.value, item.status, item.datatype) == ("72", "stated", "http://www.w3.org/2001/XMLSchema#integer")
    assert answer.citations[0].claim is not None


def test_without_a_graph_passages_answer_the_same(ferry_view: View) -> None:
    alone = Asker(replace(ferry_view, store=None), trained=Trained.load())
    answer = alone.ask("How many cars does the Bryndis carry?")
    assert ([i.label for i in answer.answers], answer.sparql, answer.bindings) == (["72"], None, None)


def test_queries_name_only_safe_iris() -> None:
    writer = Writer(Namespaces().prefixes())
    base = Namespaces()
    thing, cars = writer.term(base.entity("bryndis")), writer.term(base.relation("cars"))
    text = writer.declared(f"SELECT ?value WHERE {{ {thing} {cars} ?value }}")
    assert text.splitlines()[:2] == [f"PREFIX ent: <{base.base}entity/>", f"PREFIX rel: <{base.base}property/>"]
    assert "ent:bryndis rel:cars ?value" in text
    assert writer.term(base.entity("côte-d'or")) == f"<{base.entity(chr(99) + 'ôte-d' + chr(39) + 'or')}>"
    with pytest.raises(ValueError):
        writer.term("not an iri> } DROP ALL")
    ox.Store().query(text)


@pytest.fixture(scope="module")
def stars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("stars")
    (folder / "stars.md").write_text(
        "# Stars\n\n## Korral\n\n- **Discovered beyond**: Vega\n- **First seen in**: 1930\n", encoding="utf-8"
    )
    with KnowledgeBase.create(folder / "kb", Settings()) as base:
        base.add([folder / "stars.md"])
        yield base


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Who discovered Korral?", []),
        ("Where was Korral discovered?", ["Vega"]),
        ("Beyond what was Korral discovered?", ["Vega"]),
        ("What year was Korral first seen?", ["1930"]),
        ("Who has first seen Korral?", []),
    ],
)
def test_what_a_propertys_preposition_leads_to_answers_only_what_asks_for_it(
    stars: KnowledgeBase, question: str, given: list[str]
) -> None:
    asker = Asker(view(stars.snapshot))
    assert asker.graph is not None
    drafts = asker.graph.proposals(asker.asking(question))
    led = [d for d in drafts if d.backing and d.backing.facts[0].predicate.endswith(("discovered-beyond", "seen-in"))]
    assert sorted({v.label for d in led for v in d.values}) == given


def test_no_query_counts_that_reads_over_a_figure_of_the_question(asker: Asker) -> None:
    def counted(question: str) -> list[str]:
        return [c.draft.values[0].label for c in asker.given(asker.asking(question))]

    assert counted("How many ferries did Holm Yard build?") == ["2"]
    assert counted("How many ferries did Holm Yard build in class 4?") == []
