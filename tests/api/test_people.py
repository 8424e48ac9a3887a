"""What people at a browser get where programs get problems, and the questions they start from."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from kg.api.routes.page import STATIC

from .test_page import BROWSER


@pytest.mark.parametrize("path", ["/nothing/here", "/nothing", "/documents/none/at/all.md"])
def test_unknown_addresses_show_people_the_page(client: TestClient, path: str) -> None:
    page = client.get(path, headers=BROWSER)
    assert page.status_code == 404 and page.text == (STATIC / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    problem = client.get(path)
    assert problem.status_code == 404 and problem.headers["content-type"] == "application/problem+json"
    # Nobody looks at what answers anything but GET.
    assert client.post("/nothing", headers=BROWSER).headers["content-type"] == "application/problem+json"


def test_documents_are_found_by_their_path_too(client: TestClient) -> None:
    moved = client.get("/documents/Lights.md/", headers=BROWSER, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, "/documents/lights.md")
    assert client.get("/documents/lights.md/structure").status_code == 200


def test_the_interface_is_told_for_people(client: TestClient) -> None:
    html = client.get("/docs").text
    assert "``" not in html and "<code>EventSource</code>" in html
    head = html[html.index("<header") : html.index("</header>")]
    assert "<svg" in head and re.findall(r'href="([^"]+)"', head)[:3] == ["/", "/", "/browse"]
    assert "<button" not in head


def test_examples_were_asked_and_answered(client: TestClient) -> None:
    questions = client.get("/examples").json()["questions"]
    assert 1 <= len(questions) <= 5 and len(set(questions)) == len(questions)
    for question in questions:
        reply = client.post("/ask", json={"question": question}).json()
        assert reply["status"] == "answered"
        for conflict in reply["conflicts"]:
            cited = {c["id"]: c["document"] for c in reply["citations"]}
            assert len({cited[i] for side in conflict["values"] for i in side["citations"]}) > 1


def test_answers_say_how_they_were_made(client: TestClient) -> None:
    reply = client.post("/ask", json={"question": "How tall is Gannet Rock Light?"}).json()
    assert "Gannet Rock Light" in reply["explanation"] and reply["explanation"].endswith(".")
    disputed = client.post("/ask", json={"question": "How tall is Saltmouth Beacon?"}).json()
    assert disputed["explanation"].lower().startswith("one of 2 values given as “height” of saltmouth beacon, from 1")
    assert reply["citations"][0]["plain"].startswith("Lighthouse: Gannet Rock Light; Height: 51 m")
