"""Pages and data at the same addresses, and what only the page asks for."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kg.api.routes import views
from kg.api.routes.page import STATIC

from ..lighthouses import DOCUMENTS, LIGHTS

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}
PAGES = (
    "/",
    "/query",
    "/browse",
    "/graph",
    "/curate",
    "/documents",
    "/documents/lights.md",
    "/entities/gannet-rock-light",
)


@pytest.mark.parametrize("path", PAGES)
def test_browsers_get_the_page(client: TestClient, path: str) -> None:
    response = client.get(path, headers=BROWSER)
    assert response.status_code == 200 and response.headers["content-type"].startswith("text/html")
    assert response.text == (STATIC / "index.html").read_text(encoding="utf-8")
    policy = response.headers["content-security-policy"]
    assert "script-src 'self'" in policy and "style-src 'self'" in policy and "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy and "frame-ancestors 'none'" in policy
    assert response.headers["vary"] == "Accept"


@pytest.mark.parametrize("path", PAGES[5:])
def test_programs_get_data(client: TestClient, path: str) -> None:
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        response = client.get(path, headers=headers)
        assert response.status_code == 200 and response.headers["content-type"] == "application/json"
        assert response.headers["vary"] == "Accept"


@pytest.mark.parametrize("path", ["/documents/none.md", "/entities/nobody"])
def test_what_is_not_there_is_told_to_both(client: TestClient, path: str) -> None:
    page = client.get(path, headers=BROWSER)
    assert page.status_code == 404 and page.headers["content-type"].startswith("text/html")
    data = client.get(path)
    assert data.status_code == 404 and data.headers["content-type"] == "application/problem+json"


def test_static_files_name_nobody_else_and_make_no_markup() -> None:
    files = sorted(path for path in STATIC.iterdir() if path.is_file())
    assert {f.name for f in files} >= {"index.html", "app.js", "style.css", "favicon.svg"}
    for file in files:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "").replace("https?:", "")
        assert not re.search(r"https?://", text), file.name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|DOMParser", text), (
            file.name
        )
    index = (STATIC / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'(?:src|href)="(/static/[^"]+)"', index)) <= {f"/static/{f.name}" for f in files}
    assert not re.search(r"<script>|<style|style=|\son\w+=", index)


def test_what_comes_from_others_has_its_licence() -> None:
    vendor = STATIC / "vendor"
    told = (vendor / "README.md").read_text(encoding="utf-8")
    scripts = sorted(vendor.glob("*.js"))
    assert scripts
    for script in scripts:
        assert f"`{script.name}`" in told
        assert "ermission is hereby granted" in (vendor / f"{script.stem}-LICENSE.txt").read_text(encoding="utf-8")
        text = script.read_text(encoding="utf-8")
        # Yasqe has parts that would; the page's policy refuses them, and tests in a browser see that none is used.
        if script.stem != "yasqe":
            assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|[^.\w]eval\(|new Function\(", text)
        assert not re.search(r"(?:fetch|import|XMLHttpRequest)\(\s*[\"']https?:", text)


def test_the_gallery_fits_what_there_is(client: TestClient) -> None:
    # Lighthouses are no accelerators: none of the sample vocabulary's queries can be answered.
    assert client.get("/queries").json() == {"queries": []}


def test_terms_of_the_gallery_are_read_from_its_queries() -> None:
    found = views._queries()
    assert len(found) == len(list(views.GALLERY.glob("*.rq"))) > 20
    for title, text, terms in found:
        assert text.startswith(f"# {title}")
        assert all(iri.startswith("https://") and ":" not in iri[8:] for iri in terms)


def test_paths_between_things(client: TestClient) -> None:
    ends = {"source": "Corran Head Light", "target": "Corran Head Light"}
    assert client.get("/paths", params=ends).status_code == 200
    assert client.get("/paths", params={**ends, "target": "nobody"}).status_code == 404
    assert client.get("/paths").status_code == 422


def test_modules_import_what_is_there() -> None:
    for file in STATIC.glob("*.js"):
        for names, source in re.findall(r'import \{([^}]*)\} from "\./([\w.]+)"', file.read_text(encoding="utf-8")):
            exported = re.findall(
                r"export (?:async )?(?:function|class|const) (\w+)", (STATIC / source).read_text(encoding="utf-8")
            )
            assert {name.strip() for name in names.split(",")} <= set(exported), (file.name, source)


def leaves(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for b in blocks for leaf in ([b] if b["inline"] else []) + leaves(b["children"])]


def test_a_document_is_a_tree_of_blocks_with_offsets(client: TestClient) -> None:
    blocks = client.get("/documents/lights.md/structure").json()["blocks"]
    assert [b["kind"] for b in blocks] == [
        "heading", "paragraph", "heading", "paragraph", "list", "heading", "table",
    ]  # fmt: skip
    assert [leaf["inline"]["text"] for leaf in leaves(blocks)][-4:] == ["Gannet Rock Light", "51 m", "1888", "4"]
    for leaf in leaves(blocks):
        for run in leaf["inline"]["runs"]:
            plain = leaf["inline"]["text"][run["plain"] : run["plain"] + run["plain_length"]]
            assert LIGHTS[run["source"] : run["source"] + run["source_length"]] == plain


def test_the_original_comes_as_it_was_and_inert(client: TestClient) -> None:
    response = client.get("/documents/lights.md/original", headers=BROWSER)
    assert response.text == DOCUMENTS["lights.md"]
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''lights.md"
    assert response.headers["content-security-policy"].startswith("sandbox")
    for path in ("structure", "original"):
        assert client.get(f"/documents/none.md/{path}").status_code == 404


def test_prefixes(client: TestClient) -> None:
    found = client.get("/prefixes").json()
    assert found["prefixes"]["ent"] == found["base"] + "entity/"
    assert found["prefixes"]["kg"] == "https://w3id.org/citegraph/kg#"


def test_disagreements_about_an_entity(client: TestClient) -> None:
    (found,) = client.get("/entities/saltmouth-beacon/conflicts").json()["conflicts"]
    assert found["label"].casefold() == "height" and [len(side) for side in found["sides"]] == [1, 1]
    claims = [client.get(f"/entities/{side[0].rpartition('/')[2]}").json()["claims"][0] for side in found["sides"]]
    assert {claim["value"] for claim in claims} == {"24 m", "26 m (estimated)"} or {
        claim["value"] for claim in claims
    } == {"24 m", "26 m"}
    assert client.get("/entities/gannet-rock-light/conflicts").json() == {"conflicts": []}
    assert client.get("/entities/nobody/conflicts").status_code == 404
