"""The model as an extractor: asked for the ontology's properties, held to what the rules see, silent unless told."""

import json

import pytest

from kg.errors import ModelUnavailable
from kg.extract.source import Source
from kg.namespaces import document_slug
from kg.readers import read
from kg.relations.encoding import Relation
from kg.relations.prose import Prose, configured, relations_of
from kg.text.passages import split
from tests.extract.reading import ontology, shown

KNOWN = ontology(
    """
    :Light a owl:Class; rdfs:label "lighthouse"@en . :Person a owl:Class; rdfs:label "person"@en .
    :keeper a owl:ObjectProperty; rdfs:label "keeper"@en; skos:definition "who keeps a light"@en;
        rdfs:domain :Light; rdfs:range :Person .
    :built a owl:DatatypeProperty; rdfs:label "year built"@en; skos:definition "when it was built"@en;
        rdfs:domain :Light; rdfs:range xsd:gYear .
    """
)


def claims(model, text, threshold=-3.0):
    document = read(text.encode(), "notes.md")
    id_ = document_slug("notes.md")
    source = Source(document, id_, tuple(split(document, id_)), KNOWN)
    return [shown(claim) for claim in Prose(model, threshold, 0.9).extract(source)]


def test_properties_are_asked_for_by_their_words():
    assert [(r.label, r.definition, r.domain, r.range) for r in relations_of(KNOWN)] == [
        ("year built", "when it was built", "lighthouse", "date"),
        ("keeper", "who keeps a light", "lighthouse", "person"),
    ]
    assert relations_of(KNOWN)[0] == Relation(relations_of(KNOWN)[0].key, *relations_of(KNOWN)[0].texts[:1],
        "when it was built", "lighthouse", "date")  # fmt: skip


def test_statements_in_paragraphs_become_claims(model):
    found = claims(model, "Notes.\n\nThe Holm Light was kept by Ada Wren.\n")
    assert ("Holm Light", "keeper", "Ada Wren") in found


@pytest.mark.parametrize(
    "text",
    [
        "Was the Holm Light kept by Ada Wren?",
        "The Holm Light was not kept by Ada Wren.",
        "If the Holm Light was kept by Ada Wren, nobody wrote it down.",
        "- The Holm Light was kept by Ada Wren.",
        "Kept by Ada Wren.",
    ],
)
def test_questions_denials_suppositions_and_lists_give_none(model, text):
    assert ("Holm Light", "keeper", "Ada Wren") not in claims(model, f"Notes.\n\n{text}\n")


def test_above_every_score_it_is_silent(model):
    assert claims(model, "The Holm Light was kept by Ada Wren.", threshold=1e6) == []


def test_it_is_off_unless_the_environment_names_a_model_with_a_threshold(trained, monkeypatch, tmp_path):
    monkeypatch.delenv("KG_RELATION_MODEL", raising=False)
    assert configured() == ()
    monkeypatch.setenv("KG_RELATION_MODEL", str(trained[1]))
    assert configured() == ()  # nobody measured how sure it has to be
    about = json.loads((trained[1] / "model.json").read_text())
    for path in trained[1].iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.json").write_text(json.dumps(about | {"thresholds": {"0.9": 2.5}}))
    monkeypatch.setenv("KG_RELATION_MODEL", str(tmp_path))
    assert [extractor.name for extractor in configured()] == ["relations"]
    monkeypatch.setenv("KG_RELATION_MODEL", str(tmp_path / "nowhere"))
    with pytest.raises(ModelUnavailable):
        configured()
