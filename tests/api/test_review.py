"""What there is to review over HTTP, and reviewers' decisions: made, listed, taken back, refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from fastapi.testclient import TestClient
from kg.api.app import create_app
from kg.api.routes import review

from kg.graph.conflicts import Value
from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

READ, WRITE = "door-key", "lamp-key"
DOCUMENTS = {
    "kilns.md": "# Kilns\n\n| Kiln | Chambers |\n|---|---|\n| Brook Kiln | 4 |\n| Old Kiln at Brook | 5 |\n",
    "more.md": "# More\n\n## Brook Kiln\n\n- **Chambers**: 6\n",
    "rumours.md": "# Rumours\n\n## Brook Kiln\n\n- **Depth**: perhaps 9 m\n",
    "other.md": "# Other\n\n## Brook Kiln\n\n- **Owner**: Ada Wren\n",
}
ASSERTED = "SELECT ?claim ?asserted { ?claim kg:statedValue '%s' ; kg:asserted ?asserted }"
KILNS = "SELECT DISTINCT ?x { ?x ?p ?v ; rdfs:label|skos:altLabel ?l FILTER(CONTAINS(?l, 'Kiln') && ISIRI(?x)) %s }"
OWNERS = "?x rel:owner ?o . ?x rel:chambers ?c"


def _sha(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    kb = tmp_path_factory.mktemp("review") / "kb"
    keys = {"read_keys": (_sha(READ),), "write_keys": (_sha(WRITE),)}
    settings = Settings(kb=kb, build={"ontology": ()}, serve={"query_workers": 1, "log": "errors", **keys})
    knowledge_base = KnowledgeBase.create(kb, settings)
    knowledge_base.change([(name, text.encode()) for name, text in DOCUMENTS.items()])
    with TestClient(create_app(knowledge_base, settings)) as client:
        client.headers["Authorization"] = f"Bearer {WRITE}"
        yield client


@pytest.fixture(autouse=True)
def as_before(client: TestClient) -> Iterator[None]:
    """Every test takes back what it decided: then the graph is what it was, to the byte."""
    before = client.get("/export?format=nq").content
    yield
    for decided in decisions(client):
        assert client.delete(f"/decisions/{decided['id']}").status_code == 200
    assert decisions(client) == [] and client.get("/export?format=nq").content == before


def decisions(client: TestClient) -> list[dict[str, str]]:
    found: list[dict[str, str]] = client.get("/decisions").json()["decisions"]
    return found


def rows(client: TestClient, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/sparql", params={"query": query}).json()["results"]["bindings"]
    return found


def claim(client: TestClient, value: str) -> tuple[str, bool]:
    (row,) = rows(client, ASSERTED % value)
    return row["claim"]["value"], row["asserted"]["value"] == "true"


def decide(client: TestClient, **decision: str) -> dict[str, str]:
    response = client.post("/decisions", json=decision)
    assert response.status_code == 201, response.text
    made: dict[str, str] = response.json()
    assert made["type"] == decision["type"] and made in decisions(client)
    return made


def test_a_claim_is_rejected_and_listed_as_such(client: TestClient) -> None:
    iri, asserted = claim(client, "4")
    assert asserted
    assert all(found["claim"] != iri.rpartition("/")[2] for found in client.get("/review/rejected").json()["rejected"])
    made = decide(client, type="reject", claim=f" {iri}\r")
    assert claim(client, "4") == (iri, False) and made["claim"] == iri.rpartition("/")[2]
    listed = client.get("/review/rejected?limit=1000").json()["rejected"]
    (found,) = [found for found in listed if found["claim"] == made["claim"]]
    assert (found["document"], "4" in found["text"], bool(found["reason"])) == ("kilns.md", True, True)
    text = client.get("/documents/kilns.md").json()["text"]
    assert text[found["start"] : found["end"]] == found["text"]
    left = client.delete(f"/decisions/{made['id']}")
    assert left.json() == {"decisions": []} and claim(client, "4") == (iri, True)


def test_a_guess_is_accepted(client: TestClient) -> None:
    (row,) = rows(client, ASSERTED % "9 m")
    assert row["asserted"]["value"] == "false"
    identifier = row["claim"]["value"].rpartition("/")[2]
    assert decide(client, type="accept", claim=identifier)["claim"] == identifier
    assert rows(client, f"SELECT ?a {{ <{row['claim']['value']}> kg:asserted ?a }}")[0]["a"]["value"] == "true"


def test_names_are_merged(client: TestClient) -> None:
    assert len(rows(client, KILNS % "")) == 2
    decide(client, type="merge", name="Brook Kiln", other_name="Old Kiln at Brook")
    (kiln,) = rows(client, KILNS % "")
    (merged,) = [m for m in client.get("/review/merges").json()["merges"] if m["iri"] == kiln["x"]["value"]]
    assert set(merged["names"]) == {"Brook Kiln", "Old Kiln at Brook"} and merged["reasons"]


def test_a_name_is_split_by_document(client: TestClient) -> None:
    assert len(rows(client, KILNS % OWNERS)) == 1
    decide(
        client, type="split", name="Brook Kiln", other_name="Brook Kiln", document="other.md", other_document="kilns.md"
    )
    assert rows(client, KILNS % OWNERS) == []
    assert len(rows(client, KILNS % "")) == 3


def test_a_disagreement_is_listed_until_one_side_is_rejected(client: TestClient) -> None:
    conflicts = client.get("/review/conflicts").json()
    (found,) = [c for c in conflicts["conflicts"] if c["label"] == "Brook Kiln"]
    assert found["property_label"].lower() == "chambers" and conflicts["total"] == len(conflicts["conflicts"])
    sides = sorted((side["value"], [d.rpartition("/")[2] for d in side["documents"]]) for side in found["sides"])
    assert sides == [("4", ["kilns.md"]), ("6", ["more.md"])]
    (wrong,) = [side["claims"][0] for side in found["sides"] if side["value"] == "6"]
    decide(client, type="reject", claim=wrong)
    assert [c for c in client.get("/review/conflicts").json()["conflicts"] if c["label"] == "Brook Kiln"] == []


def brook(client: TestClient) -> dict[str, Any]:
    (found,) = [c for c in client.get("/review/conflicts").json()["conflicts"] if c["label"] == "Brook Kiln"]
    return dict(found)


def test_both_sides_can_be_true(client: TestClient) -> None:
    found = brook(client)
    assert all(side["disclosed"] for side in found["sides"]) and len({side["group"] for side in found["sides"]}) == 2
    both = [{"type": "accept", "claim": side["claims"][0]} for side in found["sides"]]
    decide(client, **both[0])
    assert brook(client) == found
    made = client.post("/decisions", json=both).json()["decisions"]
    assert [each["type"] for each in made] == ["accept", "accept"]
    conflicts = client.get("/review/conflicts").json()
    assert [c for c in conflicts["conflicts"] if c["label"] == "Brook Kiln"] == []
    assert conflicts["total"] == len(conflicts["conflicts"])


def test_several_decisions_are_made_and_taken_back_together(client: TestClient) -> None:
    wanted = [{"type": "reject", "claim": claim(client, value)[0]} for value in ("4", "5")]
    response = client.post("/decisions", json=wanted)
    assert response.status_code == 201
    made = response.json()["decisions"]
    assert made == decisions(client) and len(made) == 2
    assert [claim(client, value)[1] for value in ("4", "5")] == [False, False]
    ids = [each["id"] for each in made]
    assert client.delete(f"/decisions/{ids[0]},{'0' * 32}").status_code == 404
    assert decisions(client) == made
    assert client.delete(f"/decisions/{','.join(ids)}").json() == {"decisions": []}
    # One that can't be made keeps the others from being made.
    assert client.post("/decisions", json=[wanted[0], {"type": "reject", "claim": "0" * 32}]).status_code == 404
    assert client.post("/decisions", json=[wanted[0]] * 201).status_code == 422
    assert decisions(client) == []


def test_lists_are_paged(client: TestClient) -> None:
    for what, key in (("rejected", "rejected"), ("conflicts", "conflicts"), ("merges", "merges")):
        whole = client.get(f"/review/{what}?limit=1000").json()
        assert whole["total"] == len(whole[key])
        assert client.get(f"/review/{what}?limit=1&offset=1").json()[key] == whole[key][1:2]
        assert client.get(f"/review/{what}?offset=10000").json() == {"total": whole["total"], key: []}
        for query in ("limit=0", "limit=1001", "offset=-1", "limit=x"):
            assert client.get(f"/review/{what}?{query}").status_code == 422


def test_the_same_decision_twice_is_one(client: TestClient) -> None:
    iri, _ = claim(client, "5")
    first, second = decide(client, type="reject", claim=iri), decide(client, type="reject", claim=iri)
    assert first == second and decisions(client) == [first]
    assert client.delete(f"/decisions/{first['id']}").status_code == 200
    again = client.delete(f"/decisions/{first['id']}")
    assert again.status_code == 404 and again.json()["type"].endswith("/not-found")


@pytest.mark.parametrize(
    ("decision", "status"),
    [
        ({"type": "reject", "claim": "0" * 32}, 404),
        ({"type": "accept", "claim": "https://example.org/claim/1"}, 404),
        ({"type": "merge", "name": "Brook Kiln", "other_name": "Nobody's Kiln"}, 404),
        ({"type": "split", "name": "Nobody's Kiln", "other_name": "Brook Kiln"}, 404),
        ({"type": "split", "name": "Brook Kiln", "other_name": "Brook Kiln", "document": "none.md"}, 404),
        ({"type": "reject"}, 422),
        ({"type": "reject", "claim": ""}, 422),
        ({"type": "reject", "claim": "x", "name": "y"}, 422),
        ({"type": "reject", "claim": 7}, 422),
        ({"type": "merge", "name": "x" * 2_001, "other_name": "y"}, 422),
        ({"type": "forget", "claim": "x"}, 422),
        ({}, 422),
        ([], 422),
    ],
)
def test_what_is_no_decision_here_is_refused(client: TestClient, decision: Any, status: int) -> None:
    response = client.post("/decisions", json=decision)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json" and response.json()["detail"]
    assert decisions(client) == []


def test_reading_takes_a_key_and_deciding_another(client: TestClient) -> None:
    made = decide(client, type="merge", name="Brook Kiln", other_name="Old Kiln at Brook")
    wanted = {"type": "reject", "claim": claim(client, "5")[0]}
    for key, status in ((READ, 403), ("straw", 401)):
        headers = {"Authorization": f"Bearer {key}"}
        assert client.post("/decisions", json=wanted, headers=headers).status_code == status
        assert client.delete(f"/decisions/{made['id']}", headers=headers).status_code == status
    assert decisions(client) == [made]
    for path in ("/decisions", "/review/rejected", "/review/conflicts", "/review/merges"):
        assert client.get(path, headers={"Authorization": f"Bearer {READ}"}).status_code == 200
        assert client.get(path, headers={"Authorization": ""}).status_code == 401


def stated(stated: str, object: str, document: str, **more: Any) -> Value:
    values = {"literal": True, "status": "stated", "passage": document, **more}
    return Value(claim=f"claim-{stated}-{document}", stated=stated, object=object, document=document, **values)


def test_a_side_holds_one_value() -> None:
    group = [
        stated("oak and elm", "oak", "a.md", literal=False),
        stated("Oak", "oak", "b.md", literal=False),
        stated("elm", "elm", "a.md", literal=False),
    ]
    sides = review._sides(group, 3)
    assert [(side.value, side.documents, side.group) for side in sides] == [
        ("oak and elm", ("a.md", "b.md"), 3),
        ("elm", ("a.md",), 3),
    ]
    about = stated("~4", "4", "a.md", lower=Decimal(4), upper=Decimal(4))
    same = stated("4", "4.0", "b.md", lower=Decimal("4.0"), upper=Decimal(4))
    wider = stated("4-5", "4-5", "c.md", lower=Decimal(4), upper=Decimal(5))
    assert [(side.value, len(side.claims)) for side in review._sides([about, same], 0)] == [("~4", 2)]
    assert [side.value for side in review._sides([about, wider], 0)] == ["~4", "4-5"]
    (silent,) = review._sides([stated("not disclosed", "", "a.md")], 1)
    assert not silent.disclosed and all(side.disclosed for side in sides)
