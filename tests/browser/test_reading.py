"""What an answer, a document, a thing and the list of all things show: on a desk and on a phone."""

from __future__ import annotations

import json
from urllib.parse import quote

from .chromium import Chromium
from .test_page import HEIGHT, ask

WITHIN = (
    "(() => { const m = document.querySelector(%s).getBoundingClientRect(), s = document.querySelector(%s)"
    ".closest('.scroll').getBoundingClientRect(); return m.left >= s.left && m.right <= s.right; })()"
)


def within(page: Chromium, selector: str) -> bool:
    """Whether an element lies within the visible part of the table that it is in."""
    return bool(page.run(WITHIN % (json.dumps(selector), json.dumps(selector))))


def test_evidence_reads_as_a_sentence_and_is_said_once(page: Chromium, address: str) -> None:
    page.open(f"{address}/?q={quote(HEIGHT)}")
    assert page.text(".source .excerpt").lower() == "gannet rock light – height: 51 m"
    assert page.texts(".said") == []
    assert "Gannet Rock Light" in page.text(".explanation")
    # One row says again what the answer says.
    assert page.texts(".behind") == []


def test_the_cited_value_is_in_sight_and_stands_out(page: Chromium, address: str) -> None:
    page.resize(360, 740, phone=True)
    page.open(f"{address}/?q={quote(HEIGHT)}")
    page.click("a.source")
    page.wait("document.querySelector('#pane mark.value')")
    assert page.texts("#pane mark.value") == ["51 m"]
    assert within(page, "#pane mark.value")
    weights = page.run(
        "['mark.value', 'mark:not(.value)']"
        ".map(s => getComputedStyle(document.querySelector('#pane ' + s)).backgroundColor)"
    )
    assert weights[0] != weights[1]


def test_facts_of_a_wide_table_are_reached_without_scrolling(page: Chromium, address: str) -> None:
    page.resize(360, 740, phone=True)
    page.open(f"{address}/documents/lights.md")
    page.wait("document.querySelector('.pins .pin')")
    assert within(page, ".pins .pin")
    page.click(".pins .pin")
    page.wait("document.querySelector('.card:popover-open')")
    sheet = page.run(
        "(() => { const b = document.querySelector('.card').getBoundingClientRect();"
        " return [b.left, b.right, b.bottom]; })()"
    )
    assert sheet == [0, 360, 740]
    assert "sure: " in page.text(".card")


def test_a_thread_goes_on_and_begins_anew_on_a_phone(page: Chromium, address: str) -> None:
    page.resize(390, 844, phone=True)
    page.open(address)
    page.wait("document.querySelector('.start .lead')")
    field = "document.querySelector('#question').placeholder"
    assert page.run(field) == "Ask the documents a question"
    ask(page, HEIGHT)
    assert page.run(field) == "Ask a follow-up"
    ask(page, "Who built Corran Head Light?")
    # The new question is at the top of what is visible, right below the bar.
    top = page.run("document.querySelector('.turn:last-child').getBoundingClientRect().top")
    bar = page.run("document.querySelector('.bar').getBoundingClientRect().bottom")
    assert abs(top - bar) <= 2
    page.click(".again")
    page.wait("document.querySelector('.page.fresh')")
    assert page.texts(".turn") == []


def test_names_are_offered_only_where_they_are_near(page: Chromium, address: str) -> None:
    page.open(address)
    told = page.run(
        "import('/static/near.js').then(({near}) => { const all = ['KL-7', 'San Fermino', 'Corran Head Light']"
        ".map(label => ({iri: label, label}));"
        " return ['kl7', 'Who is the mayor of Ferrol?', 'How tall is Coran Head Light?']"
        ".map(q => near(q, all).map(n => n.label)); })"
    )
    assert told == [["KL-7"], [], ["Corran Head Light"]]


def test_dates_stay_on_one_line_and_files_have_names(page: Chromium, address: str) -> None:
    page.open(address)
    told = page.run(
        "import('/static/dom.js').then(({titled, wholeDates}) => ["
        "wholeDates('on July 22, 2019, 4 May 1871 or in March 2020'),"
        " titled('lamp-costs_by-year'), titled('The KL-7'), titled('rows')])"
    )
    nb = "\u00a0"
    assert told == [
        f"on July{nb}22,{nb}2019, 4{nb}May{nb}1871 or in March{nb}2020",
        "Lamp costs by year",
        "The KL-7",
        "Rows",
    ]


def test_many_values_are_a_list_and_only_that(page: Chromium, address: str) -> None:
    page.open(address)
    page.wait("document.querySelector('#question')")
    told = page.run(
        "import('/static/answer.js').then(async ({answerView}) => { const labels = ['Ord', 'Sule', 'Rona'];"
        " const item = label => ({label, value: label, iri: null, unit: null, status: 'stated', citations: []});"
        " const reply = {question: 'q', status: 'answered', answer: 'Ord, Sule, Rona', answers: labels.map(item),"
        " citations: [], conflicts: [], sparql: null, bindings: null, explanation: null};"
        " const lists = [reply, {...reply, answer: '3: Ord, Sule, Rona'}];"
        " return Promise.all(lists.map(async r => { const e = await answerView(r);"
        " return [e.querySelector('.headline').textContent, e.querySelectorAll('li').length]; })); })"
    )
    assert told == [["Ord  Sule  Rona  ", 3], ["3", 3]]


def test_a_cited_row_of_html_is_shown_by_its_cells(page: Chromium, address: str) -> None:
    page.open(address)
    page.wait("document.querySelector('#question')")
    told = page.run(
        "import('/static/answer.js').then(async ({answerView}) => {"
        " const quotes = ['Contact</td>\\n<td>Ann Lee', 'a < b'];"
        " const cited = quotes.map((quote, i) => ({id: i + 1, document: 'd', title: 'Orr', heading: [], passage: 'p',"
        " passage_text: quote, quote, start: 0, end: quote.length, document_start: 0, document_end: quote.length,"
        " page: null, plain: i ? 'a < b' : 'Contact; Ann Lee'}));"
        " const e = await answerView({question: 'q', status: 'answered', answer: 'Ann Lee',"
        " answers: [{label: 'Ann Lee', value: 'Ann Lee', iri: null, unit: null, status: 'stated', citations: [1, 2]}],"
        " citations: cited, conflicts: [], sparql: null, bindings: null, explanation: null});"
        " return [...e.querySelectorAll('.sources q')].map(q => q.textContent); })"
    )
    assert told == ["Contact; Ann Lee", "a < b"]


def test_a_logarithmic_chart_says_so_at_its_axis(page: Chromium, address: str) -> None:
    page.open(address)
    told = page.run(
        "import('/static/chart.js').then(({barChart}) => [true, false].map(log => { const c = barChart([{label: 'a',"
        " value: 5, shown: '5'}, {label: 'b', value: 40000, shown: '40,000'}], log);"
        " return [c.getAttribute('aria-label'),"
        " [...c.querySelectorAll('.chart-axis + text')].map(t => t.textContent)]; }))"
    )
    assert told == [
        ["Bar chart of 2 values, on a logarithmic scale", ["1", "10", "100", "1K", "10K"]],
        ["Bar chart of 2 values", []],
    ]


def test_things_are_listed_by_kind_the_best_known_first(page: Chromium, address: str) -> None:
    page.open(f"{address}/browse")
    page.wait("document.querySelector('.group .terms a')")
    counts = page.texts(".group:first-child .terms .dim")
    numbers = [int(text.split()[0]) for text in counts if text.endswith(("fact", "facts"))]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > 1
    assert all(text.endswith(("fact", "facts", "only named")) for text in counts)
    page.resize(360, 740, phone=True)
    visible = "[...document.querySelectorAll('.column')].map(c => c.offsetParent !== null)"
    assert page.run(visible) == [True, False, False]
    page.run("[...document.querySelectorAll('.tab-bar.narrow .tab')].find(t => t.innerText === 'Properties').click()")
    assert page.run(visible) == [False, False, True]


def test_all_sides_of_a_disagreement_stand_on_the_page_of_the_thing(page: Chromium, address: str) -> None:
    page.open(f"{address}/entities/saltmouth-beacon")
    page.wait("document.querySelector('.disputed')")
    values = page.run(
        "[...document.querySelector('dt:has(.disputed)').nextElementSibling.querySelectorAll('.fact-value')]"
        ".map(e => e.innerText)"
    )
    assert sorted(values) in (["24 m", "26 m"], ["24 m", "26 m (estimated)"])


def test_nowhere_leads_somewhere(page: Chromium, address: str) -> None:
    page.open(f"{address}/nothing/here")
    assert page.text("h1") == "Not found"
    page.click("main a.button[href='/documents']")
    page.wait("document.querySelector('.row-link')")
    page.open(f"{address}/documents/none.md")
    assert page.text(".notice a") == "See all documents"
    page.complaints[:] = [c for c in page.complaints if "404" not in c]
