"""Serves the knowledge base and, once it is ready, asks it one question; ``python -m deploy.demo`` for ``make run``."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import urllib.request
from typing import Any

from kg.app.console import complain, place
from kg.errors import CitegraphError

QUESTION = "How many GPUs did the Azure supercomputer have?"


def ask(address: str, question: str) -> dict[str, Any]:
    """The reply of ``POST /ask``."""
    body = json.dumps({"question": question}).encode()
    request = urllib.request.Request(f"{address}/ask", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as response:
        reply: dict[str, Any] = json.load(response)
    return reply


def tell(reply: dict[str, Any]) -> str:
    """Question, answer and first citation, for a terminal."""
    lines = [f"Question: {reply['question']}", f"Answer:   {reply['answer']}"]
    for citation in reply["citations"][:1]:
        lines.append(f"Source:   {place(citation['title'], citation['heading'])}: “{citation['quote']}”")
    return "\n".join(lines)


def _show(address: str, question: str, once: bool, failures: list[str]) -> None:
    try:
        reply = ask(address, question)
        print(tell(reply), flush=True)
        if reply["status"] != "answered" or not reply["citations"]:
            failures.append("the example question was not answered with a citation")
    except (OSError, ValueError, KeyError) as error:
        failures.append(f"the example question failed: {error}")
    for failure in failures:
        print(f"Error: {failure}", file=sys.stderr, flush=True)
    if once:
        os.kill(os.getpid(), signal.SIGTERM)
    else:
        print(f"Ask in a browser at {address} (ctrl-C stops it)", flush=True)


def main() -> None:
    """Serves until told to stop; with ``--once`` until the question is answered (exit 1 if it isn't)."""
    from kg.api.server import serve

    from kg.knowledge_base import KnowledgeBase
    from kg.settings import load_settings

    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--once", action="store_true", help="exit after the answer")
    options = parser.parse_args()
    # Who looks for the first time wants the answer, not a line for each request that a page makes.
    settings = load_settings(serve={"port": options.port, "log": "errors"})
    failures: list[str] = []

    def ready(address: str) -> None:
        print(f"Citegraph answers at {address}", flush=True)
        arguments = (address, options.question, options.once, failures)
        threading.Thread(target=_show, args=arguments, daemon=True).start()

    try:
        with KnowledgeBase.open(settings.kb, settings) as knowledge_base:
            serve(knowledge_base, settings, ready)
    finally:
        if options.once and failures:
            sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except CitegraphError as refusal:
        complain(refusal.message, refusal.hint)
        sys.exit(1)
