"""The page in headless Chromium: its weight, when it can be used, how soon an answer is on the screen, large results.

    python benchmarks/page.py [KNOWLEDGE_BASE]        (default: one built from corpus/ for this)

Takes a Chromium on the PATH. Last figures: page.md.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from kg.api.app import create_app

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import Chromium, find  # noqa: E402

# Views with what has to be there before they are of use.
VIEWS = {
    "ask": ("/", "#question"),
    "explore": ("/browse", ".terms a"),
    "graph": ("/graph?about=https%3A%2F%2Fw3id.org%2Fcitegraph%2Fid%2Fentity%2Fopenai", ".graph-canvas[data-nodes]"),
    "entity": ("/entities/gpt-4", ".facts"),
    "documents": ("/documents", ".row-link"),
    "document": ("/documents/models-gpt-3.md", ".pin"),
    "query": ("/query", "#sparql"),
    "curate": ("/curate?tab=conflicts", ".decide"),
}
QUESTIONS = (
    "How much did GPT-4 cost to train?",
    "Who founded OpenAI?",
    "How many parameters does GPT-3 have?",
    "When was GPT-4 released?",
    "Which accelerator has the highest memory size?",
    "What is InfiniBand?",
    "How many GPUs did GPT-4 use?",
    "Who founded Zeta Motors?",
)
RUNS = 5
# Notes when the element that makes a view useful first appears.
_WATCH = """
const wanted = %s;
const look = () => { if (!window.ready && document.querySelector(wanted)) window.ready = performance.now(); };
new MutationObserver(look).observe(document, {childList: true, subtree: true, attributes: true});
"""
_WEIGHT = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
.filter(e => !/\\/(sparql|ask|search|prefixes|queries|review|decisions)/.test(new URL(e.name).pathname)
  && (e.initiatorType !== 'fetch')).reduce((sum, e) => sum + e.encodedBodySize, 0)"""
_ASK = """new Promise(done => { const count = document.querySelectorAll('.headline').length, start = performance.now();
new MutationObserver((_, watcher) => { if (document.querySelectorAll('.headline').length > count) {
  watcher.disconnect(); requestAnimationFrame(() => done(performance.now() - start)); } })
  .observe(document.body, {childList: true, subtree: true});
const field = document.querySelector('#question'); field.value = %s; field.form.requestSubmit(); })"""
_NODES = """import('/static/draw.js').then(({graphOf, sketch}) => new Promise(done => { const start = performance.now();
const many = Array.from({length: 2000}, (_, i) => ({s: `a:${i % 40}`, p: 'a:p', o: `a:${i + 1}`}));
const made = sketch(graphOf(many, x => x)); document.querySelector('.page').append(made);
new MutationObserver((_, watcher) => { if (made.querySelector('canvas')) { watcher.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start))); } })
  .observe(made, {childList: true, subtree: true}); }))"""
_ROWS = """import('/static/results.js').then(async ({resultsView}) => { const start = performance.now();
const integer = 'http://www.w3.org/2001/XMLSchema#integer';
const bindings = Array.from({length: 10000}, (_, i) => ({name: {type: 'literal', value: `row ${i}`},
  n: {type: 'literal', datatype: integer, value: String(i)}}));
document.querySelector('.page').append(await resultsView({head: {vars: ['name', 'n']}, results: {bindings}}));
await new Promise(requestAnimationFrame); return performance.now() - start; })"""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server over a knowledge base."""
    settings = Settings(kb=folder)
    config = uvicorn.Config(create_app(KnowledgeBase.open(folder), settings), port=0, log_level="error")
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True


def views(browser: Chromium, address: str) -> None:
    """Weight and readiness of each view, its files not cached."""
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    for name, (path, wanted) in VIEWS.items():
        times = []
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=_WATCH % json.dumps(wanted))
        for _ in range(RUNS):
            browser.open(address + path)
            times.append(float(browser.wait("window.ready")))
            browser.wait("!document.querySelector('.loading')")
        weight = browser.run(_WEIGHT)
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        print(f"{name:10} {weight / 1000:6.0f} kB of files   usable after {statistics.median(times):5.0f} ms")


def main() -> None:
    executable = find()
    if executable is None:
        sys.exit("there is no Chromium on the PATH")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch, "kb")
        if len(sys.argv) < 2:
            build = [sys.executable, "-m", "kg.cli", "build", "corpus", "--kb", str(folder)]
            subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        with serving(folder) as address:
            browser = Chromium(executable, Path(scratch, "profile"))
            views(browser, address)
            browser.open(address)
            browser.wait("document.querySelector('#question')")
            for label in ("its first questions", "asked new ones, warm", "the same again"):
                asked = QUESTIONS[:2] if label == "its first questions" else QUESTIONS[2:]
                times = [float(browser.run(_ASK % json.dumps(question))) for question in asked]
                print(
                    f"answer on screen, {label}: median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms"
                )
            browser.open(f"{address}/query")
            browser.wait("document.querySelector('#sparql')")
            print(f"2,000 things drawn after {browser.run(_NODES):.0f} ms")
            print(f"10,000 rows shown after {browser.run(_ROWS):.0f} ms")
            browser.close()


if __name__ == "__main__":
    main()
