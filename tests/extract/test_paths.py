"""Phrases told in other words' order: by hand-made trees, so that no parser's mistakes count."""

from __future__ import annotations

import pytest

from kg.extract import paths
from kg.ontology import Ontology
from kg.syntax.parser import Parsed
from tests.extract.reading import assertable, claims, facts, ontology
from tests.syntax.treebank import parsed


@pytest.fixture(scope="module")
def sea() -> Ontology:
    return ontology("""
    :Light a owl:Class ; rdfs:label "lighthouse" ; skos:altLabel "light" ; kg:namePattern "(Light|Beacon)$" .
    :Person a owl:Class ; rdfs:label "person" . :Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Kappa-\\\\d" .
    :Place a owl:Class ; rdfs:label "place" . :Person owl:disjointWith :Light , :Lamp , :Place .
    :ada a :Person ; rdfs:label "Ada Wren" . :bo a :Person ; rdfs:label "Bo Lund" . :kiel a :Place ; rdfs:label "Kiel" .
    :builder a owl:ObjectProperty ; rdfs:label "builder" ; rdfs:domain :Light ; rdfs:range :Person ;
      kg:phrase "{subject} was built by {object}" .
    :lamp a owl:ObjectProperty ; rdfs:label "lamp" ; rdfs:domain :Light ; rdfs:range :Lamp ;
      kg:phrase "{subject} was fitted with {object}" .
    :keeper a owl:ObjectProperty ; rdfs:label "keeper" ; rdfs:domain :Light ; rdfs:range :Person ;
      kg:phrase "{object} is the keeper of {subject}" .
    :range a owl:DatatypeProperty ; rdfs:label "range" ; rdfs:domain :Light ; rdfs:range xsd:decimal ;
      kg:canonicalUnit unit:KiloM ; kg:phrase "{subject} has a range of {object}" .
    :keepers a owl:DatatypeProperty ; rdfs:label "keeper count" ; rdfs:domain :Light ; rdfs:range xsd:integer ;
      kg:phrase "{subject} employs {object} keepers" .
    """)


class Trees:
    """A reader that knows the trees of a test."""

    def __init__(self, *trees: str) -> None:
        self._trees = {tree.words: tree for tree in map(parsed, trees)}

    def parse(self, words: tuple[str, ...]) -> Parsed:
        return self._trees[words]


def _text(tree: str) -> str:
    text = " ".join(parsed(tree).words)
    for mark in (" ,", " .", " 's"):
        text = text.replace(mark, mark.strip())
    return text + "\n"


WHO = (  # It was Ada Wren who against all advice had built Corran Light and Gannet Beacon.
    "It/PRON/4/nsubj was/AUX/4/cop Ada/PROPN/4/compound Wren/PROPN/0/root who/PRON/10/nsubj against/ADP/8/case "
    "all/DET/8/det advice/NOUN/10/obl had/AUX/10/aux built/VERB/4/acl:relcl Corran/PROPN/12/compound "
    "Light/PROPN/10/obj and/CCONJ/15/cc Gannet/PROPN/15/compound Beacon/PROPN/12/conj ./PUNCT/4/punct"
)
FITTED = (  # Corran Light, a tower of stone, was in May, at last, fitted with Kappa-4.
    "Corran/PROPN/2/compound Light/PROPN/15/nsubj:pass ,/PUNCT/5/punct a/DET/5/det tower/NOUN/2/appos of/ADP/7/case "
    "stone/NOUN/5/nmod was/AUX/15/aux:pass in/ADP/10/case May/PROPN/15/obl ,/PUNCT/13/punct at/ADP/13/case "
    "last/ADV/15/advmod ,/PUNCT/13/punct fitted/VERB/0/root with/ADP/17/case Kappa-4/PROPN/15/obl ./PUNCT/15/punct"
)
KEEPER = (  # Corran Light's old and much loved keeper, Bo Lund, left.
    "Corran/PROPN/2/compound Light/PROPN/8/nmod:poss 's/PART/2/case old/ADJ/8/amod and/CCONJ/7/cc much/ADV/7/advmod "
    "loved/ADJ/4/conj keeper/NOUN/13/nsubj ,/PUNCT/11/punct Bo/PROPN/11/compound Lund/PROPN/8/appos ,/PUNCT/11/punct "
    "left/VERB/0/root ./PUNCT/13/punct"
)
RANGE = (  # Corran Light has today, in mist, a range of 30 km.
    "Corran/PROPN/2/compound Light/PROPN/3/nsubj has/VERB/0/root today/NOUN/3/obl:unmarked ,/PUNCT/7/punct "
    "in/ADP/7/case mist/NOUN/3/obl ,/PUNCT/7/punct a/DET/10/det range/NOUN/3/obj of/ADP/13/case 30/NUM/13/nummod "
    "km/NOUN/10/nmod ./PUNCT/3/punct"
)
EMPLOYS = (  # Corran Light, in winter, employs, all told, 7 keepers.
    "Corran/PROPN/2/compound Light/PROPN/7/nsubj ,/PUNCT/5/punct in/ADP/5/case winter/NOUN/7/obl ,/PUNCT/5/punct "
    "employs/VERB/0/root ,/PUNCT/10/punct all/ADV/10/advmod told/VERB/7/advcl ,/PUNCT/10/punct 7/NUM/13/nummod "
    "keepers/NOUN/7/obj ./PUNCT/7/punct"
)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (WHO, {("Corran Light", "builder", "Ada Wren"), ("Gannet Beacon", "builder", "Ada Wren")}),
        (FITTED, {("Corran Light", "lamp", "Kappa-4")}),
        (KEEPER, {("Corran Light", "keeper", "Bo Lund")}),
        (RANGE, {("Corran Light", "range", "30 KiloM")}),
        (EMPLOYS, {("Corran Light", "keepers", "7")}),
    ],
)
def test_facts_by_the_tree(
    sea: Ontology, monkeypatch: pytest.MonkeyPatch, tree: str, expected: set[tuple[str, str, str]]
) -> None:
    monkeypatch.setattr(paths, "shipped", lambda: None)
    assert not expected & facts(_text(tree), known=sea)
    monkeypatch.setattr(paths, "shipped", lambda: Trees(tree))
    assert expected <= facts(_text(tree), known=sea)


@pytest.mark.parametrize(
    "tree",
    [
        # Bo Lund who had in spring failed to build Corran Light.
        "Bo/PROPN/2/compound Lund/PROPN/0/root who/PRON/7/nsubj had/AUX/7/aux in/ADP/6/case spring/NOUN/7/obl "
        "failed/VERB/2/acl:relcl to/PART/9/mark build/VERB/7/xcomp Corran/PROPN/11/compound Light/PROPN/9/obj "
        "./PUNCT/2/punct",
        # Bo Lund should, with luck, have built Corran Light.
        "Bo/PROPN/2/compound Lund/PROPN/8/nsubj should/AUX/8/aux ,/PUNCT/6/punct with/ADP/6/case luck/NOUN/8/obl "
        ",/PUNCT/6/punct have/AUX/8/aux built/VERB/0/root Corran/PROPN/10/compound Light/PROPN/8/obj ./PUNCT/8/punct",
        # Kiel, after the storm, built Corran Light. (a place builds nothing)
        "Kiel/PROPN/7/nsubj ,/PUNCT/5/punct after/ADP/5/case the/DET/5/det storm/NOUN/7/obl ,/PUNCT/5/punct "
        "built/VERB/0/root Corran/PROPN/9/compound Light/PROPN/7/obj ./PUNCT/7/punct",
        # Bo Lund's brother built, in May, Corran Light. (it wasn't Bo)
        "Bo/PROPN/2/compound Lund/PROPN/4/nmod:poss 's/PART/2/case brother/NOUN/5/nsubj built/VERB/0/root "
        ",/PUNCT/8/punct in/ADP/8/case May/PROPN/5/obl ,/PUNCT/8/punct Corran/PROPN/11/compound Light/PROPN/5/obj "
        "./PUNCT/5/punct",
    ],
)
def test_what_must_not_be_told(sea: Ontology, monkeypatch: pytest.MonkeyPatch, tree: str) -> None:
    monkeypatch.setattr(paths, "shipped", lambda: Trees(tree))
    assert not [c for key, c in claims(_text(tree), known=sea).items() if key[1] == "builder" and assertable(c)]


@pytest.mark.parametrize(
    ("phrase", "roles"),
    [
        ("{subject} was drawn by {object}", ("1", "0")),
        ("{subject} was solely drawn for {object}", ("1", "for")),
        ("{subject} runs on {object}", ("0", "on")),
        ("{subject} replaced {object}", ("0", "1")),
        ("{subject} is a member of {object}", ("is", "of")),
        ("{subject} has a range of {object}", ("0", "of")),
        ("{subject} became the owner of {object}", ("is", "of")),
        ("{subject} with {object} lamps", None),
        ("{subject} is in {object}", None),
        ("{subject} drew … for {object}", None),
        ("{subject}, {object}", None),
    ],
)
def test_phrases_as_roles(phrase: str, roles: tuple[str, str] | None) -> None:
    known = ontology(f':x a owl:ObjectProperty ; rdfs:label "x" ; kg:phrase {phrase!r} .')
    found = [(asked.left, asked.right) for asked in paths.asked_of(known)]
    assert found == ([roles] if roles else [])
