from __future__ import annotations

from kg.model import EntityName, Status
from tests.extract.reading import assertable, claims, extraction, facts, ontology, shown

LIGHT = """# Lights of the Outer Isles

## Corran Head Light (1871)

- **Height**: 38 m
- **Lens**: Second-order Fresnel
- Keepers: 3
- **Estimated upkeep:** ~$40K-60K
- **Planned reopening**: May 2031
- **Fog signal**: removed in 1988 --- too costly
- Not disclosed: owner, insurance value

### Overview

- **Range**: 18-20 nautical miles
"""


def test_the_headings_thing_carries_the_keys() -> None:
    found = facts(LIGHT)
    assert {
        ("Corran Head Light", "Height", "38 M"),
        ("Corran Head Light", "Keepers", "3"),
        ("Corran Head Light", "Estimated upkeep", "40000..60000 CCY_USD"),
    } <= found


def test_a_heading_for_an_aspect_falls_back_to_the_one_above() -> None:
    assert ("Corran Head Light", "Range", "18..20 MI_N") in facts(LIGHT)


def test_the_key_may_say_how_sure_it_is() -> None:
    found = claims(LIGHT)
    upkeep = found["Corran Head Light", "Estimated upkeep", "40000..60000 CCY_USD"]
    assert upkeep.hedge.status is Status.ESTIMATED
    assert not assertable(found["Corran Head Light", "Planned reopening", "2031-05"])


def test_what_is_not_disclosed_is_a_claim_without_a_value() -> None:
    found = claims(LIGHT)
    for what in ("owner", "insurance value"):
        claim = found["Corran Head Light", what, "undisclosed"]
        assert claim.object is None and not assertable(claim)


def test_headings_hedge_all_their_bullets() -> None:
    text = """# Saltmouth Beacon

## Lamp (from leaks)

- **Power**: 400 W
- **Maker**: Rolf Works (confirmed by the harbour board)

## Rumours

- **Price**: $2M
"""
    found = claims(text)
    assert found["Saltmouth Beacon", "Power", "400 W"].hedge.status is Status.LEAKED
    assert not assertable(found["Saltmouth Beacon", "Price", "2000000 CCY_USD"])


def test_lines_of_plain_text() -> None:
    text = "Kestrel Observatory\n\nHeight: 1,200 m\nOpened: 1931\nDirector: Ada Wren\n"
    assert facts(text, "kestrel.txt") == {
        ("Kestrel Observatory", "Height", "1200 M"),
        ("Kestrel Observatory", "Opened", "1931"),
        ("Kestrel Observatory", "Director", "Ada Wren"),
    }


def test_prose_with_a_colon_is_no_pair() -> None:
    text = (
        "The keeper said this to everyone who asked him in the bar: lamps are patient.\n\n"
        "It was noted: nothing changed.\n"
    )
    assert facts(text) == set()


def test_lists_of_names_are_one_claim_each_and_a_place_stays_whole() -> None:
    text = (
        "# Gannet Works\n\n- **Funders**: Salt Bank, Orr Trust, Mill Union, plus an undisclosed donor\n"
        "- **Location**: Holm, Norway\n"
    )
    found = facts(text)
    assert {
        ("Gannet Works", "Funders", n) for n in ("Salt Bank", "Orr Trust", "Mill Union", "an undisclosed donor")
    } <= found
    assert ("Gannet Works", "Location", "Holm, Norway") in found


def test_teams_and_their_members() -> None:
    text = "# Harbour Board\n\n**Night Watch Team**: Ann Lee, Bo Ray, Cy Orr.\n"
    assert {("Night Watch Team", "member", n) for n in ("Ann Lee", "Bo Ray", "Cy Orr")} <= facts(text)


def test_members_under_the_ontologys_property() -> None:
    known = ontology("""
    :Person a owl:Class ; rdfs:label "person" . :Team a owl:Class ; rdfs:label "team" .
    :hasMember a owl:ObjectProperty ; rdfs:label "member" ; rdfs:domain :Team ; rdfs:range :Person .
    """)
    claim = claims("**Night Watch Team**: Ann Lee, Bo Ray.\n", known=known)["Night Watch Team", "hasMember", "Bo Ray"]
    assert claim.object == EntityName("Bo Ray", ("https://example.org/sea#Person",))


def test_stages_of_growth_belong_to_what_their_brackets_name() -> None:
    text = (
        "# Ferry company\n\n- **Berths**: 40 (Aurora-1) → 90 (Aurora-2) → 120+ (Meteor-5)\n"
        "- **Fuel**: Coal → Diesel (changed in 1955)\n"
    )
    found = claims(text)
    assert {("Aurora-1", "Berths", "40"), ("Aurora-2", "Berths", "90"), ("Meteor-5", "Berths", "120..")} <= set(found)
    fuels = [c for key, c in found.items() if key[1] == "Fuel"]
    assert [c.stated_value.split(" (")[0] for c in fuels] == ["Coal", "Diesel"]
    assert fuels[0].valid_until and fuels[0].valid_until.value == "1955"


def test_bold_names_and_what_is_said_of_them() -> None:
    text = "## Crew\n\n- **Ada Wren** — Head keeper. Built the fog horn in 1931.\n- **Bo Lund** — cook and diver\n"
    found = facts(text)
    assert ("Ada Wren", "description", "Head keeper") in found
    assert ("Ada Wren", "description", "Built the fog horn in 1931") in found
    assert ("Bo Lund", "description", "cook and diver") in found


def test_a_dated_key_is_a_thing_of_its_own() -> None:
    text = "# Ferries\n\n- **Aurora-1** (1987): 90 berths, 2 decks\n- **Aurora-2** (1999): 120 berths\n"
    found = facts(text)
    assert {("Aurora-1", "berths", "90"), ("Aurora-1", "decks", "2"), ("Aurora-2", "date", "1999")} <= found


def test_a_label_leads_to_several_properties_by_the_form_of_its_value() -> None:
    known = ontology("""
    :Ship a owl:Class ; rdfs:label "ship" ; kg:namePattern "^Aurora" .
    :Engine a owl:Class ; rdfs:label "engine" ; kg:namePattern "^Kappa-\\\\d" .
    :engineCount a owl:DatatypeProperty ; rdfs:label "engine count" ;
      skos:altLabel "engines" ; rdfs:domain :Ship ; rdfs:range xsd:integer .
    :engineType a owl:ObjectProperty ; rdfs:label "engine type" ;
      skos:altLabel "engines" ; rdfs:domain :Ship ; rdfs:range :Engine .
    """)
    found = facts("# Aurora\n\n- **Engines**: 4 Kappa-7s\n", known=known)
    assert {("Aurora", "engineCount", "4"), ("Aurora", "engineType", "Kappa-7")} <= found


def test_a_bold_denial_describes_what_the_section_is_about() -> None:
    text = "# The Corran Loan (May 2020)\n\n- **Not a gift**: repaid over a decade\n- **Lender**: Harbour Bank\n"
    found = facts(text)
    assert ("Corran Loan", "description", "Not a gift: repaid over a decade") in found
    assert not any("gift" in predicate for _, predicate, _ in found)


def test_a_key_names_whose_figure_it_is() -> None:
    known = ontology("""
    :Board a owl:Class ; rdfs:label "board" ; kg:namePattern "Board$" .
    :Light a owl:Class ; rdfs:label "light" ; kg:namePattern "^Corran" .
    :visitors a owl:DatatypeProperty ; rdfs:label "visitors" ; rdfs:domain :Light ; rdfs:range xsd:integer .
    """)
    text = "# Harbour Board\n\nIt keeps Corran and more.\n\n"
    text += "- **Corran Visitors**: 12,000\n- **Other visitors**: 50\n- **Opened**: 1931\n"
    found = facts(text, known=known)
    assert ("Corran", "visitors", "12000") in found
    assert ("Harbour Board", "Other visitors", "50") in found


def test_a_figure_is_of_the_one_property_with_such_a_unit() -> None:
    known = ontology("""
    :Ship a owl:Class ; rdfs:label "ship" ; kg:namePattern "^Aurora" .
    :thrust a owl:DatatypeProperty ; rdfs:label "thrust" ; rdfs:domain :Ship ; kg:canonicalUnit unit:KiloW .
    :length a owl:DatatypeProperty ; rdfs:label "length" ; rdfs:domain :Ship ; kg:canonicalUnit unit:M .
    :beam a owl:DatatypeProperty ; rdfs:label "beam" ; rdfs:domain :Ship ; kg:canonicalUnit unit:M .
    """)
    found = facts("# Aurora\n\n- **Key details**: 90 berths, 400 kW Kappa diesel, 30 m\n", known=known)
    assert ("Aurora", "thrust", "400 KiloW") in found
    assert not {p for _, p, _ in found} & {"length", "beam"}  # two properties are measured in metres


def test_figures_that_go_on_about_the_first() -> None:
    found = facts("# Gannet-4\n\n- **Lamps**: 8 lamps, each 400 candles\n- **Berths**: ~90 berths across 3 decks\n")
    assert {("Gannet-4", "Lamps", "8"), ("Gannet-4", "candles per lamp", "400"), ("Gannet-4", "decks", "3")} <= found


def test_keys_that_are_all_names_are_things() -> None:
    text = "# Trade\n\nWe bought from MillCo and RolfWorks.\n\n- MillCo: the flour since 1931\n- RolfWorks: ovens\n"
    found = facts(text)
    assert {("MillCo", "description", "the flour since 1931"), ("RolfWorks", "description", "ovens")} <= found


def test_where_a_statement_comes_from_is_no_plan() -> None:
    text = "# Corran-7\n\n## Plans (expected)\n\n- **Height**: 40 m\n\nSource: [Board minutes](https://a.example/b)\n"
    found = claims(text)
    assert not assertable(found["Corran-7", "Height", "40 M"])
    assert assertable(found["Corran-7", "source", "Board minutes"])


def test_a_key_of_words_joined_by_of_is_one_property() -> None:
    found = facts("# Skerry Board\n\n- **Cost of living**: high\n- **Head of Works**: Ada Holt\n")
    assert ("Skerry Board", "Cost of living", "high") in found
    assert ("Skerry Board", "Head of Works", "Ada Holt") in found


def test_glossary_lines_of_one_paragraph_are_terms_of_their_own() -> None:
    text = "# Terms\n\n**Ballast** — Crushed stone under the track.\n**Catenary** — The wire that feeds trains.\n"
    assert ("Ballast", "definition", "Crushed stone under the track.") in facts(text)


def test_a_sentence_about_the_key_is_no_value_of_what_the_section_is_about() -> None:
    found = facts(
        "# Rope lockers\n\n- `B`: This means it is kept below deck.\n- Latch: It holds the door. \n- Depth: 3 m\n"
    )
    assert ("Latch", "description", "It holds the door") in found
    assert ("Rope lockers", "Depth", "3 M") in found
    assert len(found) == 2


def test_a_word_of_doubt_before_a_value_is_its_standing() -> None:
    found = claims("# Corran Light\n\n- **Depth**: perhaps 9 m\n- **Lamp**: reportedly Argand\n- **Width**: 3 m\n")
    assert found["Corran Light", "Depth", "9 M"].hedge.status is Status.GUESSED
    assert found["Corran Light", "Lamp", "Argand"].hedge.status is Status.LEAKED
    assert found["Corran Light", "Width", "3 M"].hedge.status is Status.STATED


def test_a_term_under_a_topic_is_what_its_definition_tells_of() -> None:
    terms = "- **Quorum**: the least number of members that must be present\n- Berth: a place where a boat may moor\n"
    for heading in ("Key Concepts", "Glossary", "Terms"):
        found = facts(f"# Harbour rules\n\n## {heading}\n\n{terms}- **Fairway** - the deep way in between buoys\n")
        assert ("Quorum", "definition", "the least number of members that must be present") in found
        assert ("Berth", "definition", "a place where a boat may moor") in found
        assert {subject for subject, _, _ in found} == {"Quorum", "Berth", "Fairway"}


def test_figures_and_names_under_a_topic_are_no_definitions() -> None:
    found = facts("# Corran Light\n\n## Terms\n\n- Rent: 40 pounds a year\n- Begin: 3 May 1901\n- Keeper: Ada Orr\n")
    assert {subject for subject, _, _ in found} == {"Corran Light"}


def test_pairs_under_a_thing_stay_its_properties() -> None:
    found = facts("# Corran Light\n\n- Lamp: the old one from before the fire\n- Site: a rock that the tide covers\n")
    assert ("Corran Light", "Site", "a rock that the tide covers") in found


OPERATIONS = """# Lamp tokens

- **Light a lamp**

  **Status: mandatory.**

  - **Rex driver:** complete
- **Trim a lamp**

  **Status: optional.**

  - **Rex driver:** partial
- **Sell a lamp**

  **Status: optional.**

  - **Rex driver:** missing
"""


def test_keys_below_the_items_of_a_list_are_of_these_where_they_have_the_same() -> None:
    found = facts(OPERATIONS)
    assert ("Light a lamp", "Status", "mandatory") in found
    assert {s for s, p, _ in found if p == "Status"} == {"Light a lamp", "Trim a lamp", "Sell a lamp"}


def test_a_number_beside_numbers_that_are_no_years_is_none() -> None:
    lines = "# Types\n\n- 1876: the place of the lamp\n- 1905: the first storm\n"
    assert {p for _, p, _ in facts(lines)} >= {"event"}
    assert not {p for _, p, _ in facts(lines + "- 2782: the port of the lamp\n")} & {"event", "date"}


def test_a_colon_within_a_bracket_makes_no_key() -> None:
    text = "# Corran Lamp\n\n- beam (default: wide)\n- Height (with mast): 40 m\n"
    assert facts(text) == {("Corran Lamp", "Height", "40 M")}


METALS = """orichalc
Sign: Oc
Weight: 31.5
A yellow metal that the sea leaves on quays.

mithrite
Sign: Mt
Weight: (44.2)
Light and grey.

tarnsilver
Sign: Ts
Weight: 60.1
Sold by the ounce.
"""


def _lines(text: str) -> set[tuple[str, str, str]]:
    _, found = extraction(text, "metals.txt")
    return {shown(claim) for claim in found.claims if claim.extractors == ("keyvalues",)}


def test_labelled_lines_are_of_the_line_above_where_three_have_the_same_keys() -> None:
    weights = {("orichalc", "Weight", "31.5"), ("mithrite", "Weight", "44.2"), ("tarnsilver", "Weight", "60.1")}
    signs = {("orichalc", "Sign", "Oc"), ("mithrite", "Sign", "Mt"), ("tarnsilver", "Sign", "Ts")}
    assert _lines(METALS) == weights | signs


def test_two_such_lines_and_sentences_above_title_nothing() -> None:
    assert not {s for s, _, _ in _lines(METALS.split("\n\ntarn")[0])} & {"orichalc", "mithrite"}
    sentences = METALS.replace("orichalc", "It is sold.").replace("mithrite", "It is not.").replace("tarn", "So is t,")
    assert not {s for s, _, _ in _lines(sentences)} & {"It is sold", "It is not", "It is sold.", "It is not."}


def test_what_stands_between_long_lines_and_other_sections_title_nothing() -> None:
    long = METALS.replace("orichalc", "orichalc of the far isles where the sea leaves it on every quay at spring tide")
    assert not [s for s, _, _ in _lines(long) if s.startswith("orichalc")]
    apart = METALS.replace("orichalc\n", "orichalc\nIt is sold by weight.\n")
    assert "orichalc" not in {s for s, _, _ in _lines(apart)}


def test_labelled_lines_may_be_one_paragraph() -> None:
    names = ("orichalc", "mithrite", "tarnsilver")
    text = "# Metals of the isles\n\n" + "".join(
        f"{n}\n\nSign: {n[:2]}\nWeight: {len(n)}.5\n\nIt is sold.\n\n" for n in names
    )
    assert {(s, p) for s, p, _ in facts(text)} >= {(name, "Weight") for name in names}
    below = text.replace("mithrite\n", "mithrite\n\n## Sold\n")
    assert ("mithrite", "Weight") not in {(s, p) for s, p, _ in facts(below)}


def test_a_pictograph_is_no_part_of_a_key_and_a_sign_of_money_is_none() -> None:
    found = facts("# Corran Buns\n\n- ⏲️ Resting time: 20 min\n- 🍳Baking time: 9 min\n- $ rate: 7 krone\n")
    assert {("Corran Buns", "Resting time", "20 MIN"), ("Corran Buns", "Baking time", "9 MIN")} <= found
    assert not {p for _, p, _ in found} & {"rate", "⏲️ Resting time"}
