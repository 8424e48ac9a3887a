from __future__ import annotations

from kg.model import Role
from tests.extract.reading import claims, extraction, facts

HARBOUR = """# Drum harbour

```mermaid
flowchart LR
  %% a comment
  subgraph Port ["Quay side"]
    A[Ticket office] -->|sells| B(Ferry pass)
    C[(Booking store<br/>PostgreSQL<br/>12 TB<br/>40 tables)]
  end
  A --> C & D{Crew desk}
  D -- calls --> E((Radio))
  classDef x fill:#fff
  class A,B x
```
"""


def test_nodes_edges_groups_and_details() -> None:
    assert facts(HARBOUR) == {
        ("Ticket office", "part of", "Quay side"),
        ("Ferry pass", "part of", "Quay side"),
        ("Booking store", "part of", "Quay side"),
        ("Booking store", "detail", "PostgreSQL"),
        ("Booking store", "detail", "12 TeraBYTE"),
        ("Booking store", "tables", "40"),
        ("Ticket office", "sells", "Ferry pass"),
        ("Ticket office", "connects to", "Booking store"),
        ("Ticket office", "connects to", "Crew desk"),
        ("Crew desk", "calls", "Radio"),
    }


def test_an_edges_evidence_is_its_line() -> None:
    document, _ = extraction(HARBOUR)
    claim = claims(HARBOUR)["Crew desk", "calls", "Radio"]
    assert {(e.role, e.exact) for e in claim.evidence} >= {
        (Role.SUBJECT, "D"),
        (Role.PREDICATE, "calls"),
        (Role.VALUE, "E"),
    }
    assert "D -- calls --> E" in document.text[claim.quote_start : claim.quote_end]


def test_labels_may_come_later_or_not_at_all() -> None:
    text = "```mermaid\ngraph TD\nmill --> store\nstore[Grain Store]\nmill -.-> Oven\n```\n"
    assert facts(text) == {("mill", "connects to", "Grain Store"), ("mill", "connects to", "Oven")}


def test_timelines_fenced_and_not() -> None:
    lines = "timeline\n    title Kestrel\n    1931 : Opened by Ada Wren\n    May 1945 : Closed : Mirror sold\n"
    for text, name in (
        (f"# Kestrel Observatory\n\n```mermaid\n{lines}```\n", "a.md"),
        (f"Kestrel Observatory\n\n{lines}", "a.txt"),
    ):
        _, found = extraction(text, name)
        dated = {(c.subject.label, c.object.value) for c in found.claims if c.object and c.object.kind == "date"}
        assert dated == {("Opened by Ada Wren", "1931"), ("Closed", "1945-05"), ("Mirror sold", "1945-05")}
        assert ("Kestrel Observatory", "event", "Closed") in facts(text, name)


def test_other_code_is_left_alone() -> None:
    assert facts("```python\nlight = {'height': 38}\n```\n\n```mermaid\npie\n \"a\" : 3\n```\n") == set()
