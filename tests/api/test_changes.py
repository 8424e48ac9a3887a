"""Documents added, replaced and removed over HTTP, and everything hostile that may come as one."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from kg.api.app import create_app
from kg.api.routes.changes import BadName, document_name

from kg.errors import UnreadableDocument
from kg.knowledge_base import KnowledgeBase
from kg.records import from_json
from kg.settings import Settings

from ..lighthouses import write

KEY = "lamp-oil-and-matches"
BELL = "# Bells\n\n## Drum Bell\n\n- **Height**: 7 m\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("changes")


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[TestClient]:
    keys = (hashlib.sha256(KEY.encode()).hexdigest(),)
    serve = {"query_workers": 1, "write_keys": keys, "document_timeout_s": 20, "max_upload_mb": 3, "log": "errors"}
    settings = Settings(kb=root / "kb", serve=serve)
    knowledge_base = KnowledgeBase.create(settings.kb, settings)
    knowledge_base.add([write(root / "docs")])
    with TestClient(create_app(knowledge_base, settings)) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        yield client


def names(client: TestClient) -> list[str]:
    return [document["name"] for document in client.get("/documents").json()["documents"]]


def height(client: TestClient) -> list[str]:
    query = "SELECT ?h { ?x rdfs:label 'Drum Bell' ; rel:height ?h }"
    return [r["h"]["value"] for r in client.get("/sparql", params={"query": query}).json()["results"]["bindings"]]


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_document_is_put_replaced_and_removed(client: TestClient) -> None:
    made = client.put("/documents/notes/bells.md", content=BELL)
    assert made.status_code == 201, made.text
    assert made.json()["added"] == ["notes/bells.md"] and made.json()["stats"]["documents"] == 3
    assert height(client) == ["7"] and "notes/bells.md" in names(client)
    same = client.put("/documents/notes/bells.md", content=BELL)
    assert (same.status_code, same.json()["unchanged"]) == (200, ["notes/bells.md"])
    by_id = client.get("/documents").json()["documents"]
    identifier = next(d["id"] for d in by_id if d["name"] == "notes/bells.md")
    replaced = client.put(f"/documents/{identifier}", content=BELL.replace("7 m", "9 m"))
    assert (replaced.status_code, replaced.json()["changed"]) == (200, ["notes/bells.md"])
    assert height(client) == ["9"]
    gone = client.delete("/documents/notes/bells.md")
    assert (gone.status_code, gone.json()["removed"]) == (200, ["notes/bells.md"])
    assert height(client) == [] and "notes/bells.md" not in names(client)
    missing = client.delete(f"/documents/{identifier}")
    assert missing.status_code == 404 and missing.json()["type"].endswith("/not-found")


def test_several_at_once_with_progress(client: TestClient) -> None:
    files = [("files", ("a/bells.md", BELL.encode())), ("files", ("horn.txt", b"The horn of Drum is red.")),
             ("files", ("broken.pdf", b"%PDF-1.7 nothing"))]  # fmt: skip
    response = client.post("/documents", files=files, headers={"Accept": "text/event-stream"})
    assert response.headers["content-type"].startswith("text/event-stream")
    told = events(response.text)
    assert [data["what"] for name, data in told if name == "progress"][:3] == ["a/bells.md", "horn.txt", "broken.pdf"]
    name, report = told[-1]
    assert name == "report" and report["added"] == ["a/bells.md", "horn.txt"]
    assert [f["name"] for f in report["failed"]] == ["broken.pdf"] and report["failed"][0]["message"]
    for added in report["added"]:
        assert client.delete(f"/documents/{added}").status_code == 200
    alone = client.post("/documents", files=files[2:], headers={"Accept": "text/event-stream"})
    assert events(alone.text)[-1][0] == "problem" and events(alone.text)[-1][1]["status"] == 415


def test_it_takes_a_key(client: TestClient) -> None:
    for header in ("", "Bearer oil"):
        headers = {"Authorization": header}
        assert client.put("/documents/a.md", content=BELL, headers=headers).status_code == 401
        assert client.post("/documents", files=[("files", ("a.md", b"x"))], headers=headers).status_code == 401
        assert client.delete("/documents/lights.md", headers=headers).status_code == 401
    assert "lights.md" in names(client)


@cache
def bomb_docx() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b" " * 300_000_000)
    return packed.getvalue()


def entity_docx() -> bytes:
    packed = io.BytesIO()
    entities = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10 if i else "lol"}">' for i in range(10))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", f"<!DOCTYPE x [{entities}]><Types>&a9;</Types>")
        archive.writestr("word/document.xml", f"<!DOCTYPE x [{entities}]><x>&a9;</x>")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bomb.docx", bomb_docx),
        ("entities.docx", entity_docx),
        ("cut.docx", lambda: bomb_docx()[:1000]),
        ("broken.pdf", lambda: b"%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj trailer << /Root 1 0 R >>"),
        ("noise.pdf", lambda: bytes(range(256)) * 50),
        ("bad.md", lambda: b"# Light\n\ncaf\xe9 \xc3( \xff"),
        ("half.txt", lambda: "Licht,H\u00f6he".encode()[:-3]),
        ("zeros.txt", lambda: b"\0" * 1000),
        ("empty.md", lambda: b"   \n"),
        ("program.exe", lambda: b"MZ"),
        ("none", lambda: b"text"),
    ],
)
def test_documents_that_are_refused(client: TestClient, name: str, data: Callable[[], bytes]) -> None:
    before = names(client)
    response = client.put(f"/documents/{name}", content=data())
    assert response.status_code == 415, response.text
    assert response.json()["detail"] and response.json()["type"].endswith("/unreadable-document")
    assert names(client) == before


SPRAWLING: dict[str, Callable[[int], bytes]] = {
    "quotes.md": lambda size: b">" * (20 * size) + b" deep",
    "lists.md": lambda size: b"".join(b" " * i + b"- x\n" for i in range(size)),
    "brackets.md": lambda size: b"[" * (50 * size),
    "divs.html": lambda size: b"<div>" * (50 * size) + b"light",
    "table.csv": lambda size: b",".join([b"x"] * (50 * size)) + b"\n" + b",".join([b"y"] * (50 * size)),
}


@pytest.mark.parametrize("size", [300, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SPRAWLING)
def test_documents_that_nest_or_sprawl_do_no_harm(client: TestClient, name: str, size: int) -> None:
    data = SPRAWLING[name](size)
    response = client.put(f"/documents/{name}", content=data)
    assert response.status_code in (201, 415), response.text
    assert client.get("/sparql?query=ASK{}").status_code == 200
    if response.status_code == 201:
        assert client.delete(f"/documents/{name}").status_code == 200


BAD_NAMES = [
    "", "/etc/passwd.md", "../up.md", "a/../up.md", "a//b.md", "./a.md", "a/./b.md", "a\\b.md", "C:\\a.md",
    "a\0.md", "a\n.md", "x" * 300 + ".md", "/".join("a" * 17) + ".md", "a/" * 600 + "x.md", "con.md", "a/NUL.txt",
    "lpt1.md", " a.md", "a /b.md", "a.md.", "a\u202egnp.md", "\ud800.md", "a:b.md", "a?.md", "<a>.md", "..",
    "...", "a\u200b.md",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_play_tricks(client: TestClient, name: str) -> None:
    with pytest.raises(BadName):
        document_name(name)
    before = names(client)
    sent = name.encode("utf-8", "surrogatepass").replace(b'"', b"%22").replace(b"\n", b"\\n")
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename="' + sent + b'"\r\n\r\n# Light\r\n--x--\r\n'
    response = client.post("/documents", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})
    # The form's parser takes away what stands before a backslash, as old browsers sent whole paths.
    assert 400 <= response.status_code < 500 or "\\" in sent.decode("utf-8", "replace"), response.text
    for added in set(names(client)) - set(before):
        assert document_name(added) == added
        assert client.delete(f"/documents/{added}").status_code == 200
    if name and "\ud800" not in name:
        assert 400 <= client.put(f"/documents/{quote(name, safe='')}", content=b"# Light").status_code < 500
        assert names(client) == before


@given(st.text(max_size=40))
@hypothesis_settings(max_examples=100, deadline=None)
def test_a_name_is_refused_or_harmless(name: str) -> None:
    try:
        found = document_name(name + ".md")
    except (BadName, UnreadableDocument):
        return
    place = Path("/kb") / found
    assert found == name + ".md" and not found.startswith("/") and ".." not in place.parts and place.name
    assert document_name(found) == found


def test_bodies_that_are_too_large_or_no_form(client: TestClient) -> None:
    assert client.put("/documents/a.md", content=b"x" * 3_000_001).status_code == 413
    assert client.put("/documents/a.md", content=b"").status_code == 400
    assert client.put("/documents/a.md", content=BELL, headers={"Accept": "image/png"}).status_code == 406
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x", b"--x\r\n\r\n--x--", b"no form"):
        assert client.post("/documents", content=body, headers=form).status_code == 400
    assert client.post("/documents", content=b"x", headers={"Content-Type": "multipart/form-data"}).status_code == 400
    assert client.post("/documents", content=b"x", headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.post("/documents", data={"files": "text"}, files={}).status_code == 415
    twice = [("files", ("a.md", b"x")), ("files", ("A.md", b"y"))]
    assert client.post("/documents", files=twice).status_code == 400


def test_a_reader_that_runs_out_of_time_is_replaced(client: TestClient, root: Path) -> None:
    from kg.workers.reading import Documents

    settings = Settings(kb=root / "kb", serve={"document_timeout_s": 0.001, "document_memory_mb": 400})
    with KnowledgeBase.open(root / "kb", settings) as knowledge_base:
        slow = Documents.uploaded(knowledge_base.snapshot, settings)
        for _ in range(2):
            with pytest.raises(UnreadableDocument, match="seconds"):
                slow.record(b"x " * 500_000, "slow.md")
        slow.close()
        quick = Documents.uploaded(knowledge_base.snapshot, Settings(kb=root / "kb"))
        assert from_json(quick.record(BELL.encode(), "bells.md")).document.text == BELL
        assert quick.structure(BELL.encode(), "bells.md")["blocks"][0]["kind"] == "heading"
        quick.close()


def test_readers_have_no_network() -> None:
    import subprocess
    import sys

    code = (
        "from kg.workers import confine; confine.no_network(); import socket\n"
        "try: socket.socket()\nexcept PermissionError: print('refused')"
    )
    if sys.platform == "linux":
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "refused\n"


def test_a_stored_document_is_parsed_by_the_reader_too(client: TestClient) -> None:
    live = client.app.state.live  # type: ignore[attr-defined]
    assert client.put("/documents/bells.md", content=BELL).status_code == 201
    kept = list(live._reader._kept)
    found = client.get("/documents/bells.md/structure").json()
    assert [block["kind"] for block in found["blocks"]][:2] == ["heading", "heading"] and found["id"] == "bells.md"
    assert client.get("/documents/nothing.md/structure").status_code == 404
    assert client.delete("/documents/bells.md").status_code == 200
    assert live._reader._kept == kept != [], "it takes seconds to start: it is to be kept"


def test_documents_are_read_side_by_side_and_one_process_is_kept(client: TestClient, root: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from kg.workers.reading import Documents

    settings = Settings(kb=root / "kb")
    with KnowledgeBase.open(root / "kb", settings) as knowledge_base, ThreadPoolExecutor(4) as pool:
        documents = Documents.uploaded(knowledge_base.snapshot, settings)
        assert documents.fits(knowledge_base.snapshot)
        texts = [f"# Bell {number}\n" for number in range(8)]
        found = pool.map(lambda text: documents.structure(text.encode(), "bell.md")["text"], texts)
        assert list(found) == texts
        (kept,) = documents._kept
        documents.close()
        assert documents._kept == [] and kept._process.poll() is not None
