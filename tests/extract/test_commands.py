"""Queries of name servers and their answers."""

from __future__ import annotations

from tests.extract.reading import claims, facts, ontology

SHORT = """The Corran site

# What the records show
dig MX corran.example +short
1 mail.harbour.example.
10 backup.harbour.example.

dig ns corran.example. +short
ns1.isles.example.

dig www.corran.example +short
192.0.2.17 # Harbour's own rack
cdn.isles.example.
"""


def test_each_line_of_output_answers_the_command() -> None:
    assert {
        ("corran.example", "mail server", "mail.harbour.example"),
        ("mail.harbour.example", "priority", "1"),
        ("corran.example", "mail server", "backup.harbour.example"),
        ("backup.harbour.example", "priority", "10"),
        ("corran.example", "name server", "ns1.isles.example"),
        ("www.corran.example", "IP address", "192.0.2.17"),
        ("www.corran.example", "note", "Harbour's own rack"),
        ("www.corran.example", "canonical name", "cdn.isles.example"),
    } == facts(SHORT, "site.txt")


def test_evidence_is_the_answer_and_the_command_stands_beside_it() -> None:
    found = claims(SHORT, "site.txt")["corran.example", "name server", "ns1.isles.example"]
    told = {e.role.value: e.exact for e in found.evidence}
    assert told["value"] == "ns1.isles.example"
    assert told["predicate"] == "dig ns corran.example. +short"


def test_records_in_full_and_sentences_of_host() -> None:
    text = """# Corran

```console
$ dig corran.example MX
;; ANSWER SECTION:
corran.example.   300  IN  MX  5 mail.isles.example.
;; Query time: 12 msec

$ host drum.example
drum.example has address 198.51.100.4
drum.example mail is handled by 20 mx.drum.example.
$ ls
other.example
```
"""
    assert {
        ("corran.example", "mail server", "mail.isles.example"),
        ("mail.isles.example", "priority", "5"),
        ("drum.example", "IP address", "198.51.100.4"),
        ("drum.example", "mail server", "mx.drum.example"),
        ("mx.drum.example", "priority", "20"),
    } == facts(text)


def test_the_ontologys_properties_take_the_answers() -> None:
    known = ontology("""
    :Host a owl:Class ; rdfs:label "host" ; kg:namePattern "\\\\.example$" .
    :mail a owl:ObjectProperty ; rdfs:label "mail server" ; rdfs:domain :Host ; rdfs:range :Host .
    :rank a owl:DatatypeProperty ; rdfs:label "priority" ; rdfs:domain :Host ; rdfs:range xsd:integer .
    """)
    found = facts("```\n$ dig MX corran.example +short\n5 mx.isles.example.\n```\n", known=known)
    assert found == {("corran.example", "mail", "mx.isles.example"), ("mx.isles.example", "rank", "5")}
