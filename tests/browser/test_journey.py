"""From a question to a changed library and back, as one person would go; every step by what is on the screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from kg.app.keys import Role, add_key

from .chromium import Chromium
from .conftest import PEOPLE, Served, serving
from .test_page import HEIGHT, ask, put

NEW = "# New lights\n\nFulmar Point Light is 77 m tall. Fulmar Point Light was built by Una Brae in 1907.\n"
OTHER = "# Survey\n\n## Gannet Rock Light\n\n- **Height**: 58 m\n"


def press(page: Chromium, text: str, within: str = "body") -> None:
    """Clicks the first button or link of that text."""
    found = f"[...document.querySelector({json.dumps(within)}).querySelectorAll('button, a')]"
    page.wait(f"{found}.some(e => e.innerText.trim() === {json.dumps(text)} && !e.disabled)")
    page.run(f"{found}.find(e => e.innerText.trim() === {json.dumps(text)} && !e.disabled).click()")


def settled(page: Chromium, ready: str) -> None:
    page.wait(f"!document.querySelector('.loading') && document.querySelector({json.dumps(ready)})")


def upload(page: Chromium, *files: Path) -> None:
    """Chooses files and sends them; the report is there in the end."""
    settled(page, "#files")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#files")["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])
    page.wait("!document.querySelector('.drop button').disabled")
    page.click(".drop button")
    page.wait("document.querySelector('.report, .upload-state .notice')")


@pytest.fixture
def curator(page: Chromium, own: Served) -> Iterator[Chromium]:
    """The browser, with a write key for a library of the test's own."""
    enter(page, own.address, own.key)
    page.wait("!document.querySelector('#key') && document.querySelector('#files:enabled')")
    yield page
    # The browser tells of the answer to whether the key is one, and of what tests provoke.
    expected = ("/decisions/none", "/documents")
    page.complaints[:] = [c for c in page.complaints if not c.endswith(expected)]


def enter(page: Chromium, address: str, key: str) -> None:
    """Enters a key as if none had been."""
    page.open(f"{address}/curate")
    page.run("sessionStorage.clear()")
    page.open(f"{address}/curate?tab=upload")
    page.type("#key", key)
    page.press("Enter")


def test_the_whole_way(curator: Chromium, own: Served, tmp_path: Path) -> None:
    _ask_and_query(curator)
    _explore(curator)
    _upload_and_ask(curator, tmp_path)
    _decide(curator, own)
    _remove(curator, own)


def _ask_and_query(page: Chromium) -> None:
    """A question; its citation opens at the highlight; its query, edited and run; a chart."""
    press(page, "Ask", "nav")
    settled(page, "#question")
    assert "51" in ask(page, HEIGHT)
    page.click("a.source")
    page.wait("document.querySelector('#pane mark')")
    page.press("Escape")
    page.click("details.query summary")
    page.click("details.query a.button")
    page.wait("document.querySelector('.result .rows, .result .headline')")
    put(page, "SELECT ?p (COUNT(?c) AS ?n) { ?c rdf:predicate ?p } GROUP BY ?p ORDER BY DESC(?n)")
    press(page, "Chart", ".result")
    page.wait("document.querySelector('.chart rect')")


def _explore(page: Chromium) -> None:
    """The graph, expanded; an edge's evidence; the page of an entity."""
    press(page, "Explore", "nav")
    settled(page, ".terms a")
    press(page, "Graph", "main")
    settled(page, ".choose input")
    page.type(".choose input", "Mara Quill")
    page.press("Enter")
    page.wait("Number(document.querySelector('.graph-canvas')?.dataset.nodes) > 1")
    before = int(page.run("document.querySelector('.graph-canvas').dataset.nodes"))
    page.click(".lines .line")
    page.click(".evidence a.source")
    page.wait("document.querySelector('#pane mark')")
    page.press("Escape")
    page.click(".graph-side .quiet")
    assert page.text(".graph-side h2") == "Mara Quill"
    page.click(".lines .line")
    page.click(".graph-side .end")
    press(page, "Expand", ".graph-side")
    page.wait(f"Number(document.querySelector('.graph-canvas').dataset.nodes) > {before}")
    press(page, "All about it", ".graph-side")
    settled(page, ".facts")


def _upload_and_ask(page: Chromium, folder: Path) -> None:
    """Two documents: what they say is answered."""
    for name, text in (("new.md", NEW), ("survey.md", OTHER)):
        (folder / name).write_text(text, encoding="utf-8")
    press(page, "Curate", "nav")
    upload(page, folder / "new.md", folder / "survey.md")
    assert {"New lights", "Survey"} <= set(page.texts(".report a"))
    facts = page.texts(".new-facts li")
    assert any("Fulmar Point Light" in fact and "Una Brae" in fact for fact in facts)
    assert any("Gannet Rock Light" in fact and "58 m" in fact for fact in facts)
    assert "One of them disagrees" in page.text(".disputed")
    press(page, "Ask", "nav")
    settled(page, "#question")
    assert "77" in ask(page, "How tall is Fulmar Point Light?")


def _decide(page: Chromium, own: Served) -> None:
    """What they disagree on with the others is decided, and the decision taken back."""
    page.open(f"{own.address}/curate?tab=conflicts")
    settled(page, ".decide")
    dispute = "[...document.querySelectorAll('.decide')].find(d => d.innerText.includes('Gannet Rock Light'))"
    page.wait(dispute)
    assert page.run(f"[...{dispute}.querySelectorAll('button')].map(b => b.innerText)")[-1] == "Both are true"
    side = f"[...{dispute}.querySelectorAll('.side')].find(s => s.innerText.includes('51 m'))"
    page.run(f"{side}.querySelector('button').click()")
    page.wait(f"document.querySelector('.toast') && !{dispute}")
    decisions = httpx.get(f"{own.address}/decisions").json()["decisions"]
    assert [each["type"] for each in decisions] == ["reject"]
    press(page, "Undo", ".toast")
    page.wait(dispute)
    assert httpx.get(f"{own.address}/decisions").json() == {"decisions": []}


def _remove(page: Chromium, own: Served) -> None:
    """Deleted again: what they said is gone."""
    for title in ("New lights", "Survey"):
        page.open(f"{own.address}/curate?tab=documents")
        settled(page, ".decide")
        button = f"button[aria-label={json.dumps('Remove ' + title)}]"
        page.click(button)
        page.click(button)
        page.wait(f"!document.querySelector({json.dumps(button)}) && document.querySelector('.toast')")
    page.open(own.address)
    settled(page, "#question")
    ask(page, "How tall is Fulmar Point Light?")
    assert page.text(".answer.abstained")


def test_a_key_that_is_none_is_refused(page: Chromium, own: Served) -> None:
    enter(page, own.address, "not-a-key")
    assert "key" in page.text(".key .notice").lower()
    assert page.run("sessionStorage.getItem('key')") is None
    assert page.run("[...document.querySelectorAll('#files, .drop button')].every(e => e.disabled)")
    page.complaints[:] = [c for c in page.complaints if not c.endswith("/decisions/none")]


def test_what_cannot_be_read_is_told(curator: Chromium, tmp_path: Path) -> None:
    page = curator
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing follows")
    upload(page, broken)
    assert "broken.pdf" in page.text(".upload-state")


def test_names_are_merged_split_and_kept_apart_again(curator: Chromium, own: Served) -> None:
    page = curator
    page.open(f"{own.address}/curate?tab=merges")
    settled(page, ".merge-form")
    page.type("[aria-label='One name']", "Corran Head Light")
    page.type("[aria-label='Another name for it']", "Gannet Rock Light")
    page.press("Enter")
    page.wait("document.querySelector('.toast')")
    page.wait("[...document.querySelectorAll('.decide h2')].some(e => /Corran|Gannet/.test(e.innerText))")
    page.open(f"{own.address}/curate?tab=decisions")
    settled(page, ".decide")
    assert any("One thing" in text for text in page.texts(".decide"))
    press(page, "Undo", ".decide")
    page.wait("document.querySelector('.empty')")
    assert httpx.get(f"{own.address}/decisions").json() == {"decisions": []}


def test_hostile_names_stay_text_where_people_decide(curator: Chromium, own: Served, tmp_path: Path) -> None:
    page = curator
    hostile = tmp_path / "rows.csv"
    hostile.write_text(
        'Lighthouse,Height\n"<img src=x onerror=alert(7)> Light",44 m\nTern Light,30 m\nGull Light,12 m\n',
        encoding="utf-8",
    )
    other = tmp_path / "other.csv"
    other.write_text(
        'Lighthouse,Height\n"<img src=x onerror=alert(7)> Light",59 m\nTern Light,30 m\nGull Light,12 m\n',
        encoding="utf-8",
    )
    upload(page, hostile, other)
    for path in (
        "/curate?tab=conflicts",
        "/curate?tab=merges",
        "/curate?tab=documents",
        "/curate?tab=rejected",
        "/graph",
    ):
        page.open(own.address + path)
        settled(page, "h1")
        assert page.run("document.querySelectorAll('main img, main script, main [onerror], main [onload]').length") == 0
    found = httpx.get(f"{own.address}/review/conflicts").json()["conflicts"]
    subject = next(each["subject"] for each in found if "<img" in each["label"])
    page.open(f"{own.address}/graph?about={quote(subject, safe='')}")
    page.wait("document.querySelector('.graph-canvas')?.dataset.nodes")
    assert "<img" in page.text(".graphing h1")
    for name in ("rows.csv", "other.csv"):
        httpx.delete(f"{own.address}/documents/{name}", headers={"Authorization": f"Bearer {own.key}"}, timeout=60)


def test_where_reading_takes_a_key(page: Chromium, tmp_path: Path) -> None:
    with serving(tmp_path, {"people.md": PEOPLE}) as served:
        reader = add_key(tmp_path / "kb", "reader", Role.READ)
        page.open(f"{served.address}/browse")
        assert "key" in page.text(".notice").lower()
        page.click(".notice a")
        page.type("#key", reader)
        page.press("Enter")
        page.wait("!document.querySelector('#key') && !!document.querySelector('#files')")
        page.open(f"{served.address}/browse")
        page.wait("!!document.querySelector('.terms a')")
    page.complaints[:] = [c for c in page.complaints if "401" not in c and "403" not in c]
