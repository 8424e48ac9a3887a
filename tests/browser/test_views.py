"""The editor, the gallery, the graph, large results; and every view checked by axe in both themes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from .chromium import Chromium
from .test_page import EDITOR, HEIGHT, put, write

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
ROWS = "SELECT ?p (COUNT(?c) AS ?n) { ?c rdf:predicate ?p } GROUP BY ?p"
CHECKED = {
    "/": ".example",
    f"/?q={quote(HEIGHT)}": ".headline",
    "/?q=" + quote("Who painted the ceiling of Zanzibar Opera House?"): ".headline",
    "/?q=" + quote("How tall is Saltmouth Beacon?"): ".headline",
    "/documents": ".row-link",
    "/documents/lights.md": ".pin",
    "/documents/none.md": ".notice",
    "/browse": ".terms a",
    "/entities/saltmouth-beacon": ".facts",
    "/query": ".tile",
    f"/query?q={quote(ROWS)}": ".result .rows",
    f"/query?q={quote('SELECT * { ;')}": ".result .notice",
    "/graph": ".choose",
    "/graph?about=@mara-quill": ".graph-canvas[data-nodes]",
    "/curate": ".drop",
    "/curate?tab=documents": ".decide",
    "/curate?tab=conflicts": ".decide",
    "/curate?tab=rejected": ".decide-list, .empty",
    "/curate?tab=merges": ".merge-form",
    "/curate?tab=decisions": ".empty",
    "/docs": "table",
}


def entity(address: str, name: str) -> str:
    return str(httpx.get(f"{address}/prefixes").json()["prefixes"]["ent"]) + name


def graph(page: Chromium, address: str, name: str) -> int:
    """Opens the graph around an entity; how many things are drawn."""
    page.open(f"{address}/graph?about={quote(entity(address, name), safe='')}")
    return int(page.wait("document.querySelector('.graph-canvas[data-nodes]')?.dataset.nodes"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", CHECKED)
def test_axe_finds_nothing_serious(page: Chromium, address: str, path: str, theme: str) -> None:
    page.theme(theme)
    before, _, name = path.partition("@")
    page.open(address + before + (quote(entity(address, name), safe="") if name else ""))
    page.wait(f"document.querySelector({json.dumps(CHECKED[path])}) && !document.querySelector('.loading, .working')")
    page.wait("document.getAnimations().every(a => a.playState !== 'running')")
    page.run(f"{AXE.read_text(encoding='utf-8')};1")
    found: list[list[Any]] = page.run(
        "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations"
        ".filter(v => ['serious', 'critical'].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.html)]))"
    )
    assert found == []
    page.complaints[:] = [c for c in page.complaints if "400" not in c and "404" not in c]


# --- the editor -------------------------------------------------------------------------------


def test_the_editor_colours_what_it_holds(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    write(page, '# note <x>\nSELECT ?a { ?a rdfs:label "a # b"@en ; <http://e/#x> 1.5 }')
    pieces = {kind: page.texts(f".cm-{kind}") for kind in ("comment", "keyword", "string", "number")}
    assert pieces == {"comment": ["# note <x>"], "keyword": ["SELECT"], "string": ['"a # b"'], "number": ["1.5"]}
    assert page.texts(".wrong") == [] and page.texts(".cm-sp-error") == []


def test_errors_are_marked_while_typing(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    write(page, "SELECT * {\n  ?x a ;;\n}")
    assert page.text(".typed").startswith("Line 2")
    assert [text.strip() for text in page.texts(".wrong .CodeMirror-line")] == ["?x a ;;"]
    write(page, "SELECT * { ?x a buoy:Mark }")
    page.wait("document.querySelector('.typed').textContent === 'The prefix buoy: is not declared'")
    write(page, "SELECT * { ?x a kg:Claim }")
    page.wait("document.querySelector('.typed').textContent === '' && !document.querySelector('.wrong')")


def test_terms_are_completed_by_label(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    write(page, "SELECT * { ?x a ?y . ")
    page.call("Input.insertText", text="gannet")
    page.wait("document.querySelector('.CodeMirror-hint')")
    assert page.texts(".CodeMirror-hint code")[0] == "ent:gannet-rock-light"
    active = page.run("document.querySelector('#sparql').getAttribute('aria-activedescendant')")
    assert page.run(f"document.getElementById({json.dumps(active)}).getAttribute('aria-selected')") == "true"
    page.press("Enter")
    assert page.run(f"{EDITOR}.getValue()") == "SELECT * { ?x a ?y . ent:gannet-rock-light"
    page.wait("!document.querySelector('.CodeMirror-hint')")


def test_the_editor_is_left_by_keyboard(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    write(page, "ASK { }")
    page.press("Tab")
    assert page.run("document.activeElement.innerText") == "Run"
    page.press("Tab", modifiers=8)
    assert page.run("document.activeElement.id") == "sparql"
    assert page.run(f"{EDITOR}.getValue()") == "ASK { }"


def test_queries_to_start_from(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('.tile')")
    tiles = len(page.texts(".tile"))
    assert tiles > 5
    for i in range(tiles):
        page.open(f"{address}/query")
        page.wait("document.querySelector('.tile')")
        page.run(f"document.querySelectorAll('.tile')[{i}].click()")
        page.wait("document.querySelector('.result-head')")
        assert page.texts(".result .notice") == []


# --- the graph --------------------------------------------------------------------------------


def test_a_connection_tells_its_evidence(page: Chromium, address: str) -> None:
    assert graph(page, address, "mara-quill") >= 2
    page.click(".lines .line")
    assert "Mara Quill" in page.text(".evidence q")
    page.click(".evidence a.source")
    page.wait("document.querySelector('#pane mark')")


def test_filters_hide_and_show(page: Chromium, address: str) -> None:
    before = graph(page, address, "mara-quill")
    page.run("[...document.querySelectorAll('.filter')].at(-1).open = true")
    boxes = "[...[...document.querySelectorAll('.filter')].at(-1).querySelectorAll('input')]"
    page.run(f"{boxes}.forEach(b => b.click())")
    page.wait("document.querySelector('.graph-canvas').dataset.nodes === '1'")
    page.run(f"{boxes}.forEach(b => b.click())")
    page.wait(f"document.querySelector('.graph-canvas').dataset.nodes === '{before}'")


def test_triples_and_pairs_are_drawn(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    put(page, "CONSTRUCT { ?x a ?y } WHERE { ?x a ?y FILTER(STRSTARTS(STR(?x), STR(ent:))) }")
    page.wait("document.querySelector('.result .graph-canvas canvas')")
    put(page, "SELECT ?claim ?thing { ?claim rdf:subject ?thing } LIMIT 40")
    page.run("[...document.querySelectorAll('.tab')].find(t => t.innerText === 'Graph').click()")
    page.wait("document.querySelector('.result .graph-canvas canvas')")


# --- large results ----------------------------------------------------------------------------


def test_thousands_of_things_are_drawn_and_more_are_said_to_be_left_out(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    drawn = page.run(
        "import('/static/draw.js').then(async ({graphOf, sketch}) => {"
        " const many = Array.from({length: 2600}, (_, i) => ({s: 'a:hub', p: 'a:p', o: `a:${i}`}));"
        " const data = graphOf(many, x => x); const e = sketch(data);"
        " document.querySelector('.result').replaceChildren(e);"
        " return [data.nodes.length, data.edges.length, data.left, e.innerText]; })"
    )
    assert drawn[:3] == [2000, 1999, 601]
    assert "2,000" in drawn[3] and "601" in drawn[3]
    page.wait("document.querySelectorAll('.result canvas').length === 3")


def test_ten_thousand_rows_stay_usable(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait("document.querySelector('#sparql')")
    told = page.run(
        "import('/static/results.js').then(async ({resultsView}) => {"
        " const integer = 'http://www.w3.org/2001/XMLSchema#integer';"
        " const bindings = Array.from({length: 10000}, (_, i) => ({name: {type: 'literal', value: `row ${i}`}, n:"
        " {type: 'literal', datatype: integer, value: String(i)}}));"
        " const e = await resultsView({head: {vars: ['name', 'n']}, results: {bindings}});"
        " document.querySelector('.result').replaceChildren(e);"
        " return [e.querySelectorAll('tbody tr').length, e.innerText.includes('10,000 rows')]; })"
    )
    assert told == [200, True]
    page.run("[...document.querySelectorAll('.tab')].find(t => t.innerText === 'Chart').click()")
    assert "first 60 of 10,000 rows" in page.text(".tab-body")


def test_years_are_not_grouped_and_counts_are(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    told = page.run(
        "import('/static/results.js').then(async ({resultsView}) => {"
        " const whole = v => ({type: 'literal', datatype: 'http://www.w3.org/2001/XMLSchema#integer', value: v});"
        " const bindings = [['2015', '1500'], ['2016', '9']].map(([y, n]) => ({year: whole(y), tons: whole(n)}));"
        " const e = await resultsView({head: {vars: ['year', 'tons']}, results: {bindings}}, {chart: true});"
        " document.querySelector('.result').replaceChildren(e);"
        " const labels = [...e.querySelectorAll('.chart-label')].map(t => t.textContent);"
        " e.querySelector('.tab').click();"
        " return [labels, [...e.querySelectorAll('td')].map(t => t.innerText)]; })"
    )
    assert told == [["2015", "2016"], ["2015", "1,500", "2016", "9"]]


def test_a_timeline_has_years_and_names_what_lies_far_off(page: Chromium, address: str) -> None:
    page.open(f"{address}/query")
    page.wait(f"!!{EDITOR}")
    told = page.run(
        "import('/static/chart.js').then(({timeline}) => {"
        " const item = (label, year) => ({label, shown: `in ${year}`, value: Date.UTC(year, 5, 1)});"
        " const years = [1921, 2014, 2015, 2016, 2017, 2018];"
        " const e = timeline(years.map(y => item(`Mast ${y}`, y)));"
        " document.querySelector('.result').replaceChildren(e);"
        " return [[...e.querySelectorAll('text')].map(t => t.textContent), e.querySelector('p').innerText]; })"
    )
    assert [text for text in told[0] if text.isdigit()] == ["2015", "2016", "2017", "2018"]
    assert "Mast 2014" in told[0] and "in 2014" in told[0] and "Mast 1921" not in told[0]
    assert told[1] == "Far from the rest: Mast 1921 (in 1921)"


def test_the_graph_says_what_its_colours_mean(page: Chromium, address: str) -> None:
    nodes = graph(page, address, "mara-quill")
    assert sum(int(text.split()[-1]) for text in page.texts(".legend li")) == nodes - 1
    page.open(f"{address}/graph")
    page.wait("!!document.querySelector('.hubs')")
    assert "false" not in page.text("main")
