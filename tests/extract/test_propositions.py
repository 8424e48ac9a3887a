"""Facts of prose without an ontology, by the parser that ships."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extract import extract, propositions
from kg.extract.propositions import candidates
from kg.extract.source import Source
from kg.model import Document, Extraction, Mood, Polarity, Rejected
from kg.namespaces import document_slug
from kg.ontology import Ontology
from kg.readers import read
from kg.text.passages import split
from tests.extract.reading import extraction, ontology, shown
from tests.strategies import documents


def source_of(text: str, known: Ontology | None = None) -> Source:
    document = read(text.encode(), "notes.md")
    id_ = document_slug(document.name)
    return Source(document, id_, tuple(split(document, id_)), known or Ontology.empty())


def proposed(text: str) -> set[tuple[str, str, str]]:
    """Everything that clauses propose, likely or not."""
    return {shown(candidate.claim) for candidate in candidates(source_of(text))}


def kept(text: str) -> set[tuple[str, str, str]]:
    _, found = extraction(text)
    return {shown(claim) for claim in found.claims if claim.extractors == ("propositions",)}


def test_who_built_it_when() -> None:
    text = (
        "# Corran Light\n\nCorran Light was built by Ada Wren in 1871. It stands on the northern shore of Loch Arden.\n"
    )
    assert kept(text) == {
        ("Corran Light", "built by", "Ada Wren"),
        ("Corran Light", "built in", "1871"),
        ("Corran Light", "stands on", "the northern shore of Loch Arden"),
    }


def test_a_date_beside_it_says_when_it_held() -> None:
    claim = next(c.claim for c in candidates(source_of("Corran Light became a national monument in 1970.\n")))
    assert shown(claim) == ("Corran Light", "becomes", "a national monument")
    assert claim.valid_from is not None and claim.valid_from.value == "1970" and claim.valid_from == claim.valid_until


def test_a_noun_of_its_subject_is_the_property() -> None:
    text = "The keeper of Corran Light is Bo Lund. Arden is a town. Corran Light is the oldest lighthouse of Arden.\n"
    told = proposed(text)
    assert ("Corran Light", "keeper", "Bo Lund") in told
    assert ("Corran Light", "oldest lighthouse of", "Arden") in told


def test_figures_are_typed() -> None:
    assert ("Corran Light", "height", "38 M") in proposed("The height of Corran Light is 38 m.\n")


def test_what_is_taken_up_has_the_place_of_both() -> None:
    text = "# Corran Light\n\nCorran Light is a lighthouse in Arden. The lighthouse has a range of 38 km.\n"
    found = next(c.claim for c in candidates(source_of(text)) if c.claim.predicate.label == "has")
    assert shown(found) == ("Corran Light", "has", "a range of 38 km")
    assert [e.exact for e in found.evidence if e.role == "subject"] == ["Corran Light", "lighthouse"]


def test_a_kind_of_thing_is_told_with_the_document_s_topic() -> None:
    text = "# Corran Light\n\n## Optics\n\nFresnel lenses focus the light of small lamps.\n"
    found = [c.claim for c in candidates(source_of(text))]
    assert [c.context.caption for c in found if c.context] == ["Corran Light > Optics"] * len(found) and found


def test_a_denial_is_no_fact() -> None:
    claim = next(c.claim for c in candidates(source_of("Corran Light did not burn in 1901.\n")))
    assert claim.hedge.polarity is Polarity.NEGATED


def test_a_denial_in_another_clause_is_none_of_this_one() -> None:
    text = "Bo Lund, who was born in Kiel on 3 May 1840, never left the tower.\n"
    told = {c.claim.predicate.label: c.claim.hedge for c in candidates(source_of(text))}
    assert told["born in"].polarity is told["born on"].polarity is Polarity.AFFIRMED


@pytest.mark.parametrize(
    "sentence",
    [
        "Build the tower of Corran Light in Arden.",  # bids
        "Did Ada Wren build Corran Light in Arden?",  # asks
        "If Ada Wren built Corran Light, Bo Lund paid Rolf Works.",  # supposes
        "Ada Wren might build Kestrel Mill in Arden.",
        "We built Corran Light for Rolf Works in Arden.",  # whoever "we" are
        "This was built by Ada Wren in Arden.",  # nothing says what
        "It was built by Ada Wren in Arden.",
        "Some towers were built by Ada Wren in Arden.",
        "Snoopy and Friends is a museum in Arden.",  # one name
        "Ada Wren built this tower.",  # which one
        "Ada Wren built the following.",
        "Ada Wren painted the tower.",
        "Ada Wren painted the same tower.",
        "Ada Wren painted the tower below.",
        "The lighthouse was built by Ada Wren.",
        "The same lighthouse was built by Ada Wren.",
        "The lamps below were sold to Rolf Works.",
        "The following lamps were sold to Rolf Works.",
        "Ada Wren designed our mill.",
        "If the door is open, Rolf Works sells old lamps.",  # the condition would be lost
        "Rolf Works sells old lamps unless the door is open.",
        "Rolf Works sells old lamps when the mill is closed.",
        "Wherever it rains, Rolf Works sells old lamps.",
        "Rolf Works sells old lamps as long as the mill stands.",
        "Rolf Works must not sell Kestrel Mill.",
        "Neither Corran Light nor Kestrel Mill is a museum.",
    ],
)
def test_what_tells_no_fact(sentence: str) -> None:
    assert proposed(sentence + "\n") == set()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Corran Light must be painted by Rolf Works.", ("Corran Light", "must be painted by", "Rolf Works")),
        ("Rolf Works may sell Kestrel Mill.", ("Rolf Works", "may sell", "Kestrel Mill")),
        ("Rolf Works often sells old lamps.", ("Rolf Works", "often sells", "old lamps")),
        ("Corran Light is rarely painted by Rolf Works.", ("Corran Light", "rarely painted by", "Rolf Works")),
        ("The Arden Treaty came into force on 3 May 1840.", ("Arden Treaty", "comes into force on", "1840-05-03")),
        ("The Arden Fair took place on 3 May 1840.", ("Arden Fair", "takes place on", "1840-05-03")),
        ("Rolf Works sold Kestrel Mill when Ada Wren died.", ("Rolf Works", "sells", "Kestrel Mill")),
        ("Ada Wren has the same age as Bo Lund.", ("Ada Wren", "has", "the same age as Bo Lund")),
        ("Ada Wren wrote “The Lamps of Arden” in 1871.", ("Ada Wren", "writes", "The Lamps of Arden")),
        ("Ada Wren lived in Old Arden-on-Sea.", ("Ada Wren", "lives in", "Old Arden-on-Sea")),
        ("Ada Wren founded Arden Lamps (AL) in Kiel.", ("Ada Wren", "founds", "Arden Lamps")),
    ],
)
def test_what_limits_is_told_and_what_is_one_stays_whole(sentence: str, expected: tuple[str, str, str]) -> None:
    assert proposed(sentence + "\n") == {expected}


@pytest.mark.parametrize("word", ["He", "She"])
def test_he_takes_up_no_thing(word: str) -> None:
    text = "Corran Light is a lighthouse. Corran Light stands in Arden. {} was painted by Rolf Works.\n"
    assert not any(label == "painted by" for _, label, _ in proposed(text.format(word)))
    assert ("Corran Light", "painted by", "Rolf Works") in proposed(text.format("It"))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Orr Works announced that it had sold Kestrel Mill.",
            ("Orr Works", "announces that", "it had sold Kestrel Mill"),
        ),
        ("Ada Wren turned Kestrel Mill into a museum.", ("Ada Wren", "turns", "Kestrel Mill into a museum")),
        ("Orr banned driving on Sundays.", ("Orr", "bans", "driving on Sundays")),
        ("The lamp was drawn by the architect Ada Wren.", ("Ada Wren", "description", "architect")),
        ("Kestrel Mill was sold by theatre owner Rolf Bekker.", ("Rolf Bekker", "description", "theatre owner")),
        ("Built by Ada Wren in 1871, Corran Light stands on Loch Arden.", ("Corran Light", "built by", "Ada Wren")),
        ("All keepers must wear a cap.", ("keepers", "must wear", "a cap")),
        ("Each keeper has a key.", ("keeper", "has", "a key")),
        ("In 1901 Rolf Works sold old lamps.", ("Rolf Works", "sells", "old lamps")),
    ],
)
def test_what_is_said_turned_titled_and_told_of_all(sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in proposed(sentence + "\n")


@pytest.mark.parametrize(
    "sentence",
    [
        "Many keepers wear a cap.",
        "Two keepers wear a cap.",
        "Orr Works believed when it rained.",
        "It was announced that the mill burned.",
    ],
)
def test_what_holds_of_some_or_nobody_says(sentence: str) -> None:
    assert proposed(sentence + "\n") == set()


def test_what_belongs_to_the_thing_before_is_told_of_it() -> None:
    assert ("Corran Light", "keeper", "Bo Lund") in proposed("Corran Light stands in Arden. Its keeper is Bo Lund.\n")
    text = "Corran Light stands in Arden. Its own lamp was built by Ada Wren.\n"
    built = next(c.claim for c in candidates(source_of(text)) if c.claim.predicate.label == "lamp built by")
    assert shown(built) == ("Corran Light", "lamp built by", "Ada Wren")
    assert {(e.role, e.exact) for e in built.evidence} == {
        ("subject", "Corran Light"),
        ("subject", "Its"),
        ("predicate", "lamp"),
        ("predicate", "built by"),
        ("value", "Ada Wren"),
    }
    assert not any("keeper" in label for _, label, _ in proposed("Many lamps burned. Its keeper is Bo Lund.\n"))


@pytest.mark.parametrize("part", ["Its old brass oil lamp", "Its following lamp"])
def test_of_what_belongs_to_a_thing_no_more_than_a_short_name_is_a_property(part: str) -> None:
    text = f"Corran Light stands in Arden. {part} was built by Ada Wren.\n"
    assert proposed(text) == {("Corran Light", "stands in", "Arden")}


def test_a_pronoun_behind_a_sentence_that_was_not_read_is_left() -> None:
    text = "Ada Wren designed Kestrel Mill. Would anybody guess it? It was sold to Rolf Works in 1880.\n"
    assert not any(label == "sold to" for _, label, _ in proposed(text))


def test_what_is_hardly_right_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.extract.propositions.LEAST", 0.99)
    source = source_of("Corran Light was built by Ada Wren in 1871.\n")
    found = list(propositions.extract(source))
    assert [(type(one), one.text) for one in found if isinstance(one, Rejected)] == [
        (Rejected, "Ada Wren"),
        (Rejected, "1871"),
    ]
    assert len(found) == 2


def test_an_ontology_says_what_is_asked_for() -> None:
    known = ontology(':Light a owl:Class ; rdfs:label "light" . :on a owl:ObjectProperty ; rdfs:label "stands on" .')
    text = "Corran Light was built by Ada Wren in 1871.\n"
    assert list(propositions.extract(source_of(text, known))) == []
    assert list(propositions.extract(source_of(text)))


def test_a_definition_is_not_told_twice() -> None:
    _, found = extraction("# Corran Light\n\nCorran Light is a lighthouse on the northern shore of Loch Arden.\n")
    told = [c for c in found.claims if c.predicate.label in ("definition", "description", "is")]
    assert len(told) == 1


def test_nothing_without_a_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.extract.propositions.shipped", lambda: None)
    assert list(propositions.extract(source_of("Corran Light was built by Ada Wren in 1871.\n"))) == []


_WORDS = st.sampled_from(
    [
        "Corran",
        "Light",
        "Ada",
        "Wren",
        "tower",
        "lamps",
        "1871",
        "38",
        "km",
        "the",
        "a",
        "of",
        "in",
        "by",
        "and",
        ",",
        "(",
        ")",
        "“",
        "”",
        "-",
        "was",
        "built",
        "has",
        "is",
        "not",
        "it",
        "who",
    ]
)
_SENTENCES = st.lists(_WORDS, min_size=3, max_size=14).map(lambda words: "Ada " + " ".join(words) + ".")


def inside(document: Document, found: Extraction) -> bool:
    return all(document.text[e.start : e.end] == e.exact for claim in found.claims for e in claim.evidence)


@settings(max_examples=60, deadline=None)
@given(st.one_of(documents(), st.lists(_SENTENCES, min_size=1, max_size=4).map(" ".join)))
def test_whatever_is_proposed_stands_in_its_passage(text: str) -> None:
    source = source_of(text)
    first, again = list(candidates(source)), list(candidates(source_of(text)))
    assert first == again
    passages = {passage.id: passage for passage in source.passages}
    for candidate in first:
        claim, passage = candidate.claim, passages[candidate.claim.passage]
        assert passage.start <= claim.quote_start < claim.quote_end <= passage.end
        value = next(e for e in claim.evidence if e.role == "value")
        assert claim.quote_start <= value.start < value.end <= claim.quote_end
        assert all(source.document.text[e.start : e.end] == e.exact for e in claim.evidence)


_THINGS = st.sampled_from(["Corran Light", "Kestrel Mill", "Rolf Works", "Ada Wren"])
_ALL = st.sampled_from(
    ["old lamps", "“Blue Lamps”", "the lamps of Orr (1871)", "38 km of rope", "Arden-on-Sea", "a map"]
)
_HELPS = st.sampled_from(["", "can ", "may ", "must ", "should ", "will "])
_OFTEN = st.sampled_from(["", "often ", "rarely ", "always "])
_VERBS = st.sampled_from(["use", "own", "sell", "repair"])
_CONDITIONS = st.sampled_from(["if it rains", "unless it rains", "when it rains"])


@settings(max_examples=60, deadline=None)
@given(_THINGS, _HELPS, _OFTEN, _VERBS, _ALL)
def test_simple_sentences_are_told_with_their_modals_and_limits(
    thing: str, helps: str, often: str, verb: str, argument: str
) -> None:
    source = source_of(f"{thing} {helps}{often}{verb}{'' if helps else 's'} {argument}.\n")
    passages = {passage.id: passage for passage in source.passages}
    for claim in (candidate.claim for candidate in candidates(source)):
        passage = passages[claim.passage]
        assert all(word in claim.predicate.label.split() for word in (helps + often).split())
        for one in claim.evidence:
            assert passage.start <= one.start < one.end <= passage.end
            assert source.document.text[one.start : one.end] == one.exact


@settings(max_examples=30, deadline=None)
@given(_THINGS, _VERBS, _ALL, _CONDITIONS, st.booleans())
def test_simple_sentences_with_a_condition_tell_nothing(
    thing: str, verb: str, argument: str, condition: str, first: bool
) -> None:
    clause = f"{thing} {verb}s {argument}"
    sentence = f"{condition.capitalize()}, {clause}" if first else f"{clause} {condition}"
    assert proposed(sentence + ".\n") == set()


@settings(max_examples=25, deadline=None)
@given(documents())
def test_others_claims_stay_as_they_are(text: str) -> None:
    source = source_of(text)
    with_prose = extract(source.document, source.document_id, source.passages, source.ontology)
    others = [claim for claim in with_prose.claims if claim.extractors != ("propositions",)]
    assert inside(source.document, with_prose)
    assert all("propositions" not in claim.extractors or len(claim.extractors) > 1 for claim in others)
    assert all(isinstance(r, Rejected) for r in with_prose.rejected)
    assert all(c.hedge.mood in Mood for c in with_prose.claims)


@pytest.mark.parametrize(
    "sentence",
    [
        "Corran has no lamps, beyond the red light.",
        "Corran has no lamps, except the red light.",
        "Corran contains more stones than the number of mill parts to be moved.",
    ],
)
def test_an_object_cut_from_what_limits_it_is_not_told(sentence: str) -> None:
    assert proposed(f"# Corran\n\n{sentence}\n") == set()


def test_an_object_with_what_limits_it_is_told() -> None:
    assert ("Corran", "contains", "no machines besides a press") in proposed(
        "# Corran\n\nCorran contains no machines besides a press.\n"
    )
