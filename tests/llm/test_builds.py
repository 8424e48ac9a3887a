"""Builds with a language model: what they cost, and how they go on without it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.app.console import show_build
from kg.knowledge_base import KnowledgeBase
from kg.llm.extraction import Reason
from kg.model import DateValue, EntityName, Status
from kg.settings import LlmSettings, Settings

from .bells import CAST, DOCUMENT, EX, Built, fact, said
from .server import Endpoint, failure

Made = Callable[..., LlmSettings]
Build = Callable[..., Built]


@pytest.fixture
def build(endpoint: Endpoint, settings: Made, tmp_path: Path) -> Callable[..., Built]:
    def built(answer: object, **more: object) -> Built:
        endpoint.answer = answer  # type: ignore[assignment]
        return Built(tmp_path / f"b{len(list(tmp_path.iterdir()))}", settings(**more))

    return built


def test_a_fact_that_is_in_the_text_is_a_claim_like_all_others(build: Build, endpoint: Endpoint) -> None:
    built = build(said(CAST))
    (claim,) = built.by_model()
    assert claim.subject == EntityName("Great Tom", (EX + "Bell",))
    assert claim.predicate.iri == EX + "castOn"
    assert isinstance(claim.object, DateValue) and claim.object.value == "1731-05-04"
    assert claim.extractors == ("llm tiny extract-1",)
    assert (claim.confidence, claim.hedge.status) == (0.6, Status.STATED)
    evidence = {e.role.value: e.exact for e in claim.evidence}
    assert evidence == {"subject": "Great Tom", "value": "4 May 1731"}
    assert DOCUMENT[claim.quote_start : claim.quote_end].startswith("Her foundry poured the  metal for\nGreat Tom")
    with KnowledgeBase.open(built.folder / "kb") as kb:
        rows = kb.rows(
            "SELECT ?day ?by WHERE { ?bell <https://bells.example/castOn> ?day . ?c rdf:object ?day ; "
            "kg:extractor/rdfs:label ?by ; kg:asserted true }"
        )
        assert [(str(r["day"]), r["by"]) for r in rows] == [("1731-05-04", "llm tiny extract-1")]
        assert kb.check().ok
    assert built.report.warnings == ()


def test_where_one_value_is_possible_the_rules_value_stands(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    document = "# Great Tom\n\nBefore the fire 3 t of it were bronze. Great Tom weighs 5.2 t.\n"
    endpoint.answer = said(fact("Great Tom", "mass", "3 t", "Before the fire 3 t of it were bronze."))
    built = Built(tmp_path / "one", settings(), document)
    assert [c.stated_value for c in built.by_model()] == ["3 t"]
    with KnowledgeBase.open(built.folder / "kb") as kb:
        rows = kb.rows("SELECT ?m WHERE { ?b <https://bells.example/mass> ?m }")
        assert [float(r["m"]) for r in rows] == [5200.0]


def test_a_rebuild_asks_nothing_and_gives_the_same(build: Build, endpoint: Endpoint, tmp_path: Path) -> None:
    built = build(said(CAST))
    asked = len(endpoint.requests)
    again = Built(tmp_path / "again", built.settings.llm.model_copy(update={"url": "http://127.0.0.1:9/v1"}))
    assert again.claims() == built.claims() and again.report.warnings == ()
    assert len(endpoint.requests) == asked == 1
    unchanged = KnowledgeBase.build(built.folder / "kb", [built.folder / "docs"], built.settings)
    assert unchanged.unchanged == ("bells.md",)


def test_the_report_counts_what_was_dropped(build: Build) -> None:
    wrong = [
        fact("Great Tom", "owner", "Ada Velt", "cast by Ada Velt"),
        fact("Old Tom", "mass", "5.2 t", "weighs 5.2 t"),
    ]
    built = build(said(*wrong, *wrong))
    assert built.report.rejected == {Reason.PROPERTY: 1, Reason.SUBJECT: 1}


def test_what_is_not_sure_is_not_asserted(build: Build) -> None:
    built = build(
        said(
            fact("Great Tom", "hangsIn", "North Tower", "It probably came to rest in North Tower"),
            fact("Great Tom", "castBy", "Hollin Works", "Great Tom was never recast at Hollin Works"),
        )
    )
    with KnowledgeBase.open(built.folder / "kb") as kb:
        assert kb.rows(f"SELECT ?o WHERE {{ ?s <{EX}hangsIn> ?o }}") == []
        assert [r["l"] for r in kb.rows(f"SELECT ?l WHERE {{ ?s <{EX}castBy>/rdfs:label ?l }}")] == ["Ada Velt"]


def test_a_build_goes_on_when_the_endpoint_is_down(
    settings: Made, endpoint: Endpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = Built(tmp_path / "plain", None)
    down = Built(tmp_path / "down", settings(url="http://127.0.0.1:9/v1", attempts=1))
    assert down.claims() == plain.claims()
    (warning,) = down.report.warnings
    assert "tiny at http://127.0.0.1:9/v1 hasn't read 1 passage of 1 document" in warning and "refused" in warning
    show_build(down.report, "kb")
    printed = capsys.readouterr()
    assert printed.err.startswith("Warning: the language model tiny") and "orchid" not in printed.err + printed.out
    # The next build asks again, though the document is the same.
    endpoint.answer = said(CAST)
    llm = down.settings.llm.model_copy(update={"url": endpoint.url})
    later = KnowledgeBase.build(
        down.folder / "kb", [down.folder / "docs"], Settings(build=down.settings.build, llm=llm)
    )
    assert (later.changed, later.warnings, len(down.by_model())) == (("bells.md",), (), 1)


def many(count: int) -> str:
    """Sections of a passage each."""
    line = "Great Tom rang on a day in May. "
    return "# Days\n\n" + "".join(f"## Great Tom {n}\n\n{line * 25}\n\n" for n in range(count))


def test_a_wrong_key_is_tried_once(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    endpoint.answer = failure(401, "no such key")
    built = Built(tmp_path / "key", settings(concurrency=1), many(5))
    assert len(endpoint.requests) == 1
    assert "(status 401: no such key)" in built.report.warnings[0]


def test_after_three_failures_the_build_does_without(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    endpoint.answer = failure(500, "busy")
    built = Built(tmp_path / "busy", settings(concurrency=1, attempts=1), many(6))
    assert len(endpoint.requests) == 3
    assert "hasn't read 6 passages of 1 document (status 500: busy)" in built.report.warnings[0]


def test_one_failure_costs_one_passage(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    endpoint.first = [failure(500, "hiccup")]
    built = Built(tmp_path / "one", settings(concurrency=1, attempts=1), many(4))
    assert len(endpoint.requests) == 4
    assert "hasn't read 1 passage of 1 document (status 500: hiccup)" in built.report.warnings[0]


def test_a_build_spends_no_more_than_it_may(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    build = {"concurrency": 1, "reply_tokens": 100}
    # Each request is taken for some 1,164 tokens, and costs 100: the second doesn't fit any more.
    first = Built(tmp_path / "spent", settings(**build, build_tokens=1_200), many(3))
    assert len(endpoint.requests) == 1
    assert "hasn't read 2 passages of 1 document (the token budget of the build is spent)" in first.report.warnings[0]
    second = Built(tmp_path / "spent", settings(**build, build_tokens=5_000), many(3))
    assert (len(endpoint.requests), second.report.warnings) == (3, ())
    assert first.report.spent == "100 of 1,200 tokens spent on 1 passage, 0 more known from before"
    assert second.report.spent == "200 of 5,000 tokens spent on 2 passages, 1 more known from before"
    third = Built(tmp_path / "none", settings(**build, build_tokens=0), many(3))  # what is kept is free
    assert (len(endpoint.requests), third.report.warnings) == (3, ())


def test_requests_go_side_by_side_and_no_more_than_may(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def slow(messages: object) -> str:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.1)
        with lock:
            at_once -= 1
        return said()

    endpoint.answer = slow
    Built(tmp_path / "wide", settings(concurrency=3), many(6))
    assert (len(endpoint.requests), most) == (6, 3)


def test_turning_it_off_and_on(build: Build, endpoint: Endpoint) -> None:
    built = build(said(CAST))
    off = Settings(build=built.settings.build)
    with KnowledgeBase.open(built.folder / "kb", off) as kb:
        assert kb.put(b"# Other\n\nA sentence of no weight.\n", "other.md").changed == ()  # others stay as they are
        assert len(built.by_model()) == 1
        assert kb.add([built.folder / "docs"]).changed == ("bells.md",)
    assert built.by_model() == []
    KnowledgeBase.build(built.folder / "kb", [built.folder / "docs"], built.settings)
    assert len(built.by_model()) == 1
    assert len(endpoint.requests) == 2  # the other document's sentence, and the bells once


def test_another_model_reads_anew(build: Build, endpoint: Endpoint) -> None:
    built = build(said(CAST))
    endpoint.answer = said()
    llm = built.settings.llm.model_copy(update={"model": "other"})
    report = KnowledgeBase.build(
        built.folder / "kb", [built.folder / "docs"], Settings(build=built.settings.build, llm=llm)
    )
    assert (report.changed, built.by_model()) == (("bells.md",), [])


def test_it_may_be_kept_from_extracting(build: Build, endpoint: Endpoint) -> None:
    built = build(said(CAST), uses=("propose",))
    assert (built.by_model(), endpoint.requests) == ([], [])


def test_without_an_ontology_there_is_nothing_to_ask(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Tom\n\nGreat Tom was cast by Ada Velt.\n", encoding="utf-8")
    KnowledgeBase.build(tmp_path / "kb", [tmp_path / "a.md"], Settings(build={"ontology": ()}, llm=settings()))
    assert endpoint.requests == []
