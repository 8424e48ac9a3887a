"""The page as people use it, in headless Chromium against a real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from ..lighthouses import LIGHTS
from .chromium import Chromium
from .conftest import ASTRAL, HOSTILE_NAME

HEIGHT = "How tall is Gannet Rock Light?"
VIEWS = {"/": ".example", "/documents": ".row-link", "/browse": ".terms a", "/query": "#sparql"}


def ask(page: Chromium, question: str) -> str:
    """Asks in the field that is there; the headline of the answer."""
    before = len(page.texts(".headline"))
    page.type("#question", question)
    page.press("Enter")
    page.wait(f"document.querySelectorAll('.headline').length > {before}")
    return page.texts(".headline")[-1]


EDITOR = "document.querySelector('.CodeMirror')?.CodeMirror"


def write(page: Chromium, text: str) -> None:
    """Types over what the query editor holds."""
    page.wait(f"!!{EDITOR}")
    page.run(f"({EDITOR}.setValue({json.dumps(text)}), {EDITOR}.focus(), {EDITOR}.execCommand('goDocEnd'))")


def put(page: Chromium, query: str) -> None:
    """Runs a query in the editor."""
    page.run("document.querySelector('.result').replaceChildren()")
    write(page, query)
    page.press("Enter", modifiers=2)
    page.wait("document.querySelector('.result')?.children.length && !document.querySelector('.result .loading')")


def test_the_harness_notices(page: Chromium, address: str) -> None:
    page.open(address)
    page.run("alert('here')")
    assert page.dialogs == ["here"]
    page.run("document.body.append(Object.assign(document.createElement('img'), {src: 'http://127.0.0.2:9/x.png'}))")
    page.wait("true")
    with pytest.raises(AssertionError, match="TrustedHTML"):
        page.run("document.body.innerHTML = '<b>markup</b>'")
    assert any("Content Security Policy" in complaint for complaint in page.complaints)
    page.open(f"{address}/documents")
    page.dialogs.clear()
    page.complaints.clear()
    page.requests[:] = [url for url in page.requests if "127.0.0.2" not in url]


# --- asking -----------------------------------------------------------------------------------


def test_an_answer_in_parts_is_headed_by_all_of_them(page: Chromium, address: str) -> None:
    page.open(address)
    shown = ask(page, "How tall is Gannet Rock Light, and when was Corran Head Light first lit?")
    assert "51 m" in shown and "1871" in shown
    assert not page.texts("blockquote.said")


def test_from_a_question_to_its_source(page: Chromium, address: str) -> None:
    page.open(address)
    assert "51" in ask(page, HEIGHT)
    assert page.run("new URL(location).searchParams.get('q')") == HEIGHT
    page.click("a.source")
    page.wait("document.querySelector('#pane mark')")
    # The highlight is the quotation, exactly, and within what is visible of the pane.
    cited = httpx.post(f"{address}/ask", json={"question": HEIGHT}).json()["citations"][0]
    marked = page.run("[...document.querySelectorAll('#pane mark')].map(m => m.textContent).join('')")
    cells = [cell.strip() for cell in cited["quote"].strip("| ").split("|")]
    assert "51 m" in marked and marked.replace(" ", "") == "".join(cells).replace(" ", "")
    assert page.run(
        "(() => { const m = document.querySelector('#pane mark').getBoundingClientRect(),"
        " p = document.querySelector('.pane-body').getBoundingClientRect();"
        " return m.top >= p.top && m.bottom <= p.bottom; })()"
    )
    page.press("Escape")
    page.wait("document.querySelector('#pane').hidden")
    assert page.run("document.activeElement.matches('a.source')")


def test_offsets_count_code_points(page: Chromium, address: str) -> None:
    start = ASTRAL.index("63 m")
    page.open(f"{address}/documents/signals.md?at={start}-{start + 4}")
    page.wait("document.querySelector('.doc mark')")
    assert page.run("[...document.querySelectorAll('.doc mark')].map(m => m.textContent).join('')") == "63 m"


def test_the_thread_keeps_earlier_questions_over_other_views(page: Chromium, address: str) -> None:
    page.open(address)
    ask(page, HEIGHT)
    ask(page, "Who built Corran Head Light?")
    page.click("nav a[data-view=documents]")
    page.wait("document.querySelector('.row-link')")
    page.click("nav a[data-view=ask]")
    page.wait("document.querySelectorAll('.turn').length === 2")
    assert page.texts(".turn h2") == [HEIGHT, "Who built Corran Head Light?"]
    page.click(".again")
    page.wait("document.querySelector('.page.fresh')")
    assert page.texts(".turn") == []


def test_a_refusal_says_why_and_offers_the_nearest_passages(page: Chromium, address: str) -> None:
    page.open(address)
    ask(page, "Who painted the ceiling of Zanzibar Opera House?")
    assert page.text(".answer.abstained .standing").startswith("not answered")
    assert page.text(".sources h3") == "What the documents do say"


def test_disagreeing_sources_stand_side_by_side(page: Chromium, address: str) -> None:
    question = "How tall is Saltmouth Beacon?"
    told = httpx.post(f"{address}/ask", json={"question": question}).json()["conflicts"]
    page.open(f"{address}/?q={quote(question)}")
    page.wait("document.querySelector('.headline')")
    assert page.texts(".side-value") == [value["value"] for conflict in told for value in conflict["values"]]
    page.open(f"{address}/entities/saltmouth-beacon")
    page.wait("document.querySelector('.facts')")
    assert [text.split("\n")[0].lower() for text in page.texts(".facts dt:has(.disputed)")] == ["height"]


def test_examples_come_from_the_graph(page: Chromium, address: str) -> None:
    page.open(address)
    page.wait("document.querySelectorAll('.example').length >= 1")
    labels = httpx.get(
        f"{address}/sparql",
        params={"query": "SELECT ?l { ?c rdf:subject/rdfs:label|a/rdfs:label ?l }"},
        headers={"Accept": "application/json"},
    ).json()["results"]["bindings"]
    names = [row["l"]["value"] for row in labels]
    for example in page.texts(".example"):
        assert any(name in example for name in names)
    page.click(".example")
    page.wait("document.querySelector('.headline')")


def test_an_answer_leads_to_its_query_and_its_query_to_a_chart(page: Chromium, address: str) -> None:
    page.open(address)
    ask(page, "Which lighthouse is the tallest?")
    page.click("details.query summary")
    page.click("details.query a.button")
    page.wait("document.querySelector('.result table')")
    assert page.run(f"{EDITOR}.getValue()").startswith("PREFIX")
    put(page, "SELECT ?p (COUNT(?c) AS ?n) { ?c rdf:predicate ?p } GROUP BY ?p ORDER BY DESC(?n)")
    page.run("[...document.querySelectorAll('.tab')].find(t => t.innerText === 'Chart').click()")
    bars = page.run("[...document.querySelectorAll('.chart rect')].map(r => parseFloat(r.getAttribute('width')))")
    assert len(bars) > 1 and bars == sorted(bars, reverse=True) and bars[0] == 78


# --- documents, entities, queries --------------------------------------------------------------


def test_facts_in_the_margin(page: Chromium, address: str) -> None:
    page.open(f"{address}/documents/lights.md")
    page.wait("document.querySelector('.pin')")
    pinned = sum(int(text) for text in page.texts(".pin"))
    assert (
        pinned == httpx.get(f"{address}/documents/lights.md", headers={"Accept": "application/json"}).json()["claims"]
    )
    page.run(
        "[...document.querySelectorAll('li.unit')].find(u => u.innerText.includes('38 m'))"
        ".querySelector('.pin').click()"
    )
    card = page.text(".card:popover-open")
    assert "Corran Head Light" in card and "38 m" in card and "stated" in card
    page.press("Escape")
    page.wait("!document.querySelector('.card:popover-open')")


def test_a_document_is_drawn_as_it_is_structured(page: Chromium, address: str) -> None:
    page.open(f"{address}/documents/lights.md")
    page.wait("document.querySelector('.doc table')")
    assert page.texts(".doc thead th") == ["Lighthouse", "Height", "First lit", "Keepers"]
    assert page.texts(".doc h3") == ["Corran Head Light", "Comparison"]
    assert page.texts(".doc li strong") == ["Height", "Keepers", "First lit"]
    plain = page.run("document.querySelector('.doc').textContent")
    assert all(cell in plain for cell in ("Gannet Rock Light", "51 m", "1888")) and "**" not in plain
    assert "**Height**" in LIGHTS


def test_entities_tell_facts_with_their_sources(page: Chromium, address: str) -> None:
    page.open(f"{address}/entities/saltmouth-beacon")
    page.wait("document.querySelector('.facts')")
    rows = page.texts(".fact-row")
    assert any("24 m" in row and "Lighthouses of the Outer Skerries" in row for row in rows)
    assert any("26 m" in row and "estimated" in row for row in rows)
    page.click(".who a")
    page.wait("document.querySelector('#pane mark')")


def test_what_is_not_there(page: Chromium, address: str) -> None:
    page.open(f"{address}/entities/nobody")
    assert "nothing is called nobody" in page.text(".notice").lower()
    page.open(f"{address}/documents/none.md")
    assert "there is no document" in page.text(".notice").lower()
    # The browser itself tells of the pages' 404s.
    page.complaints[:] = [c for c in page.complaints if "404" not in c]


def test_errors_of_queries_have_their_place(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    put(page, "SELECT * {\n  ?x a ;;\n}\nORDER BY")
    notice = page.text(".result .notice")
    assert "line" in notice and "^" in notice
    page.click(".result .notice button")
    assert page.run("document.activeElement.id") == "sparql"
    put(page, "ASK { ?x a kg:Document }")
    assert page.text(".result .headline") == "Yes"
    put(page, "CONSTRUCT { ?x a kg:Document } WHERE { ?x a kg:Document }")
    page.run("[...document.querySelectorAll('.tab')].find(t => t.innerText === 'Turtle').click()")
    assert "Document" in page.text(".result .turtle")
    page.complaints[:] = [c for c in page.complaints if "400" not in c]


def test_a_graph_is_drawn_each_time_it_is_shown_and_not_once_it_is_gone(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    for count in (3, 2):  # the second time the drawing library is there already
        put(page, f"CONSTRUCT {{ ?x a kg:Document }} WHERE {{ ?x a kg:Document }} LIMIT {count}")
        page.wait("document.querySelector('.result .graph-canvas canvas')")
    page.run(
        "import('/static/draw.js').then((m) => m.draw(document.createElement('div'), [{data: {id: 'a'}}]))"
        ".then((cy) => { window.drawn = cy; })"
    )
    page.wait("window.drawn === null")


def test_rows_come_in_pieces(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    put(page, "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 500")
    assert len(page.texts(".result tbody tr")) == 200
    page.run("[...document.querySelectorAll('.result button')].find(b => b.innerText.startsWith('Show more')).click()")
    page.wait("document.querySelectorAll('.result tbody tr').length === 400")


# --- all views ---------------------------------------------------------------------------------


def test_markup_in_names_texts_and_questions_stays_text(page: Chromium, address: str) -> None:
    documents = httpx.get(f"{address}/documents", headers={"Accept": "application/json"}).json()["documents"]
    entities = httpx.get(
        f"{address}/sparql",
        params={
            "query": "SELECT DISTINCT ?x { ?x rdfs:label ?l FILTER(CONTAINS(?l, '<')&& STRSTARTS(STR(?x), STR(ent:))) }"
        },
        headers={"Accept": "application/json"},
    ).json()["results"]["bindings"]
    assert entities
    paths = [f"/documents/{quote(d['id'])}" for d in documents]
    paths += [f"/entities/{quote(row['x']['value'].rpartition('/')[2])}" for row in entities]
    for path in [*paths, "/documents", "/browse"]:
        page.open(address + path)
        page.wait("document.querySelector('h1') && !document.querySelector('.loading')")
        assert page.run("document.querySelectorAll('main img, main script, main [onerror], main [onload]').length") == 0
        assert page.run("[...document.links].every(a => /^https?:/.test(a.protocol))")
    page.open(f"{address}/documents")
    assert HOSTILE_NAME in page.text(".list")
    for question in ('<img src=x onerror=alert("q")>?', "How tall is <img src=x onerror=alert(2)> Light?"):
        page.open(f"{address}/?q={quote(question)}")
        page.wait("document.querySelector('.headline')")
        assert page.texts(".turn h2") == [question]
    query = "SELECT ?l { ?x rdfs:label ?l FILTER(CONTAINS(?l, '<')) }"
    page.open(f"{address}/query?q={quote(query)}")
    page.wait("document.querySelector('.result .rows')")
    assert page.run("document.querySelectorAll('main img, main script').length") == 0


@pytest.mark.parametrize("path", VIEWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_views_fit_a_phone(page: Chromium, address: str, path: str, theme: str, tmp_path: Path) -> None:
    page.theme(theme)
    page.resize(360, 740, phone=True)
    page.open(address + path)
    page.wait(f"document.querySelector({json.dumps(VIEWS[path])})")
    assert page.run("document.documentElement.scrollWidth") <= 360


def test_everything_is_reached_by_keyboard(page: Chromium, address: str) -> None:
    page.open(f"{address}/documents/keepers.md")
    page.wait("document.querySelector('.pin')")
    reached: list[Any] = []
    for _ in range(40):
        page.press("Tab")
        reached.append(page.run("document.activeElement.className || document.activeElement.getAttribute('href')"))
    assert "skip" in reached and "/query" in reached and "pin" in reached
    visible = "(() => { const s = getComputedStyle(document.activeElement); return s.outlineStyle !== 'none'; })()"
    assert page.run(visible)


def test_the_theme_is_chosen_and_kept(page: Chromium, address: str) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    page.open(address)
    light = page.run(background)
    page.click("#theme")
    dark = page.run(background)
    assert light != dark
    page.open(f"{address}/documents")
    assert page.run(background) == dark
    page.click("#theme")
    page.theme("dark")
    assert page.run(background) == light
    page.run("localStorage.clear()")
