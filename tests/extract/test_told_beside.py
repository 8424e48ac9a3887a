"""Shapes beside tables, keys and sentences: stages, replacements, causes, notes, ranks, noun "
"phrases, events' parties."""

from __future__ import annotations

import pytest

from tests.extract.reading import claims, facts, ontology

KNOWN = ontology("""
:Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^(?:Kappa|Orr)-\\\\d" .
:Tower a owl:Class ; rdfs:label "tower" ; skos:altLabel "light" ; kg:namePattern " (?:Light|Tower)$" .
:Works a owl:Class ; rdfs:label "works" ; kg:namePattern " Works$" .
:Lens a owl:Class ; rdfs:label "lens" ; kg:namePattern "Fresnel$" .
:Fuel a owl:Class ; rdfs:label "fuel" .
:lampType a owl:ObjectProperty ; rdfs:label "lamp type" ; rdfs:domain :Tower ; rdfs:range :Lamp .
:lamps a owl:DatatypeProperty ; rdfs:label "number of lamps" ; rdfs:domain :Tower ; rdfs:range xsd:integer .
:lampSize a owl:DatatypeProperty ; rdfs:label "lamp size" ; rdfs:domain :Tower ; rdfs:range xsd:integer .
:decks a owl:DatatypeProperty ; rdfs:label "number of decks" ; rdfs:domain :Tower ; rdfs:range xsd:integer .
:lens a owl:ObjectProperty ; rdfs:label "lens" ; rdfs:domain :Tower ; rdfs:range :Lens .
:rank a owl:DatatypeProperty ; rdfs:label "rank" ; rdfs:domain :Tower ; rdfs:range xsd:integer .
:range a owl:DatatypeProperty ; rdfs:label "range" ; rdfs:domain :Tower ; rdfs:range xsd:decimal ;
  kg:canonicalUnit unit:KiloM .
:price a owl:DatatypeProperty ; rdfs:label "price" ; rdfs:domain :Tower ; rdfs:range xsd:decimal ;
  kg:canonicalUnit unit:CCY_GBP .
:cause a owl:DatatypeProperty ; rdfs:label "cause" ; skos:altLabel "reason" ; rdfs:range xsd:string ;
  rdfs:domain :Lamp .
:replaced a owl:ObjectProperty ; rdfs:label "replaced" .
:uses a owl:ObjectProperty ; rdfs:label "uses" .
:partOf a owl:ObjectProperty ; rdfs:label "part of" .
:builtFor a owl:ObjectProperty ; rdfs:label "built for" ; rdfs:domain :Tower ; rdfs:range :Works ;
  kg:phrase "{subject} was built for {object}" .
:keeper a owl:ObjectProperty ; rdfs:label "daily operation" ; rdfs:domain :Tower ; rdfs:range :Works .
:challenge a owl:DatatypeProperty ; rdfs:label "challenge" ; skos:altLabel "challenges" ; rdfs:range xsd:string .
:participant a owl:ObjectProperty ; rdfs:label "participant" .
:licence a owl:DatatypeProperty ; rdfs:label "permit" ; rdfs:domain :Tower ; rdfs:range xsd:string ;
  kg:phrase "{subject} was opened under {object} permit" .
""")


def told(text: str) -> set[tuple[str, str, str]]:
    return facts(text, known=KNOWN)


def test_stages_with_their_dates_and_the_total() -> None:
    text = (
        "# Lights\n\n"
        "- **Corran Light** (north): first Kappa-3 lamp in 1901, Kappa-4 lamps in 1903, totalling 40 lamps "
        "across two decks\n"
        "- **Skerry Light** (south): dark since 1904, repaired\n"
    )
    found = claims(text, known=KNOWN)
    assert {("Corran Light", "lamps", "40"), ("Corran Light", "decks", "2")} <= set(found)
    first = found["Corran Light", "lampType", "Kappa-3"].valid_from
    then = found["Corran Light", "lampType", "Kappa-4"].valid_from
    assert first is not None and then is not None and (first.value, then.value) == ("1901", "1903")
    assert not [f for f in found if f[0] == "Skerry Light" and f[1] != "description"]


def test_the_time_in_a_bracket_at_the_end() -> None:
    found = told(
        "# Lights\n\n- **Corran Light** (north): 40 lamps (Kappa-3 era)\n- **Skerry Light** (south): 9 lamps (dear)\n"
    )
    assert ("Corran Light", "era", "Kappa-3") in found
    assert not [f for f in found if f[:2] == ("Skerry Light", "era")]


def test_the_name_in_a_keys_bracket_that_extends_the_sections() -> None:
    text = (
        "# Corran Light\n\n- **Range**: 30 km\n- **Second tower (Corran Light 2)**: Built for Rolf Works\n"
        "- **Third tower (dear)**: Built for Orr Works\n"
    )
    found = told(text)
    assert ("Corran Light 2", "builtFor", "Rolf Works") in found
    assert ("Corran Light", "builtFor", "Rolf Works") not in found


def test_what_took_whose_place() -> None:
    text = (
        "# Corran Light\n\nChallenges:\n\n- Switched from Paraffin to **town gas** for the lamps\n"
        "- Candles couldn't last --- switched to **Colza oil** with Argand burners\n- They switched to gas\n"
        "- Moved on to Kiel\n"
    )
    found = told(text + "\nThe Paraffin was bought from Argand, who sold Paraffin.\n")
    assert {
        ("town gas", "replaced", "Paraffin"),
        ("Colza oil", "replaced", "Candles"),
        ("Colza oil", "uses", "Argand"),
    } <= found
    assert len([f for f in found if f[1] == "replaced"]) == 2


@pytest.mark.parametrize(
    "item",
    [
        "They never switched from Paraffin to town gas",
        "Never changed from Paraffin to **town gas**",
        "Candles couldn't last --- never switched to **Colza oil**",
        "Might have switched from Paraffin to **town gas**",
        "Moved over from Paraffin Bay to Kiel",
    ],
)
def test_what_took_nobodys_place(item: str) -> None:
    assert not [f for f in told(f"# Corran Light\n\nChallenges:\n\n- {item}\n") if f[1] in ("replaced", "uses")]


def test_an_ontology_may_call_these_properties_something_else() -> None:
    known = ontology("""
:supplants a owl:ObjectProperty ; rdfs:label "ousts" ; skos:altLabel "replaced" .
:grounds a owl:DatatypeProperty ; rdfs:label "grounds" ; skos:altLabel "cause" ; rdfs:range xsd:string .
""")
    text = "# Corran Light\n\n- Switched from Paraffin to **town gas**\n- **Range**: 12 km, due to a cracked lens\n"
    assert {("town gas", "supplants", "Paraffin"), ("Corran Light: Range", "grounds", "a cracked lens")} <= facts(
        text, known=known
    )
    without = facts(text)
    assert ("Corran Light: Range", "cause", "a cracked lens") in without  # open
    assert not [f for f in without if f[1] == "replaced"]


def test_an_item_keeps_its_bracket_where_words_are_wanted() -> None:
    found = told("# Corran Light\n\nChallenges:\n\n- **Fog** (it hides the lamp for 30 days a year, more in spring)\n")
    assert ("Corran Light", "challenge", "Fog (it hides the lamp for 30 days a year, more in spring)") in found


def test_why_a_figure_is_as_it_is() -> None:
    text = (
        "# Corran Light\n\n- **Range**: 12 km --- low **due to a cracked lens and old oil**\n"
        "- **Number of decks**: 3, not due to the lens of Orr Works\n"
    )
    found = told(text)
    assert ("Corran Light: Range", "cause", "a cracked lens and old oil") in found
    assert len([f for f in found if f[1] == "cause"]) == 1


def test_notes_of_a_table_of_properties() -> None:
    text = (
        "# Corran Light\n\n| Part | Kind | Notes |\n|---|---|---|\n| Lamp control | Hand made | Not Kappa-3 "
        "or Orr-4; never sold |\n"
        "| Lamp type | Kappa-9 | lent by Kiel |\n| Number of lamps | 8 | counted |\n"
    )
    found = claims(text, known=KNOWN)
    denied = found["Corran Light", "Lamp control", "Orr-4"]
    assert (
        denied.hedge.polarity == "negated"
        and found["Corran Light", "Lamp control", "Kappa-3"].hedge.polarity == "negated"
    )
    assert found["Lamp control", "note", "never sold"].hedge.polarity == "affirmed"
    assert ("Kappa-9", "note", "lent by Kiel") in found
    assert not [f for f in found if f[2] == "counted"]  # of a figure it says where it is from


def test_one_of_the_top_few() -> None:
    text = (
        "## Corran Light\n\n"
        "Rolf Works showed one of the **top-5 lights in the world**, built for Orr Works:\n\n- 8 lamps\n"
    )
    found = told("# Coast\n\n" + text)
    assert {("Corran Light", "rank", "..5"), ("Corran Light", "builtFor", "Orr Works")} <= found
    other = told("# Coast\n\n" + text.replace("lights in", "works in"))
    assert not [f for f in other if f[1] in ("rank", "builtFor")]  # the light is no works


def test_noun_phrases() -> None:
    text = (
        "# Coast\n\n## Corran Light\n\nThis was a £9,000 light. Orr says that it has 8x 40K lamps.\n\n"
        "- 12-pane Fresnel\n- 8-day Voyage\n\n## Software\n\nA fault in Plotwell's `trim.sum` function "
        "stopped Plotwell. Its `x y` too.\n"
    )
    found = told(text)
    assert {
        ("Corran Light", "price", "9000 CCY_GBP"),
        ("Corran Light", "lamps", "8"),
        ("Corran Light", "lampSize", "40000"),
        ("Corran Light", "lens", "Fresnel"),
        ("trim.sum", "partOf", "Plotwell"),
    } <= found
    assert not [f for f in found if f[2] == "Voyage" or f[0] == "x y"]


def test_sentences_that_leave_out_verb_or_subject() -> None:
    text = (
        "# Coast\n\n## Corran Light\n\nIt stands alone. Range: 30 km. The reason: the coast is low. Visitors "
        "of Kiel came. Note: none.\n\n"
        "Corran Light Trust — Rolf Works has daily operation, Orr Works has old debts.\n"
    )
    found = told(text)
    assert {("Corran Light", "range", "30 KiloM"), ("Corran Light", "reason", "the coast is low")} <= found
    assert ("Corran Light", "keeper", "Rolf Works") in found
    assert not [f for f in found if "debts" in f[1] or f[1].lower().startswith(("visitors", "note"))]


def test_a_term_behind_a_colon_is_told_by_the_next_sentence() -> None:
    text = (
        "# Coast\n\n"
        "The long report of the harbour office of Kiel, which nobody read, has one new idea after all, on "
        "page three: **spring fog**. It is seen from 30 km away in March. Then came: **tea**.\n"
    )
    found = told(text)
    assert ("spring fog", "description", "It is seen from 30 km away in March") in found
    assert not [f for f in found if f[0] == "tea"]


def test_parties_of_events_in_tables() -> None:
    text = (
        "# Corran Light\n\n| Date | Event |\n|---|---|\n"
        "| May 1901 | Rolf Works opens Skerry Light with Kappa-3 (lent by Orr Works) |\n"
        "| June 1901 | A storm at Drum Tower |\n"
    )
    found = told(text)
    event = "Rolf Works opens Skerry Light with Kappa-3 (lent by Orr Works)"
    assert {
        ("Rolf Works", "event", event),
        ("Skerry Light", "event", event),
        (event, "participant", "Rolf Works"),
    } <= found
    assert not [f for f in found if f[0] in ("Orr Works", "Drum Tower")]


def test_a_bare_noun_among_what_is_used() -> None:
    text = (
        "# Corran Light\n\n- **Orr-4** for the lamps\n- **Kappa-3** for the horn\n"
        "- **Daily lens checks** beyond the usual\n- **Nobody was there** at night\n"
    )
    found = claims(text, known=KNOWN)
    checks = found["Corran Light", "uses", "Daily lens checks"]
    assert checks.stated_value == "Daily lens checks beyond the usual"
    assert not [f for f in found if f[2].startswith("Nobody")]


def test_words_that_a_phrase_closes() -> None:
    found = told("# Coast\n\nCorran Light is a tower. Opened under HMC permit.\n")
    assert ("Corran Light", "licence", "HMC") in found


def test_figures_with_the_date_in_their_bracket() -> None:
    known = ontology("""
:Tower a owl:Class ; rdfs:label "tower" ; kg:namePattern " Light$" .
:lamps a owl:DatatypeProperty ; rdfs:label "number of lamps" ; rdfs:domain :Tower ; rdfs:range xsd:integer ;
  kg:phrase "{subject} was raised to {object} lamps" .
""")
    text = "# Coast\n\nCorran Light was raised to 20 lamps (May 1901). Skerry Light was raised to 9 lamps (of brass).\n"
    found = claims(text, known=known)
    dated = found["Corran Light", "lamps", "20"]
    assert (
        dated.valid_from is not None and dated.valid_from == dated.valid_until and dated.valid_from.value == "1901-05"
    )
    assert found["Skerry Light", "lamps", "9"].valid_from is None


def test_comments_in_code_and_clauses_behind_a_semicolon() -> None:
    known = ontology("""
:Person a owl:Class ; rdfs:label "person" . :Tower a owl:Class ; rdfs:label "tower" ; kg:namePattern " Light$" .
:painted a owl:ObjectProperty ; rdfs:label "painted" ; rdfs:range :Tower ;
  kg:phrase "{subject} painted {object}" .
""")
    text = (
        "# Coast\n\n```\n# Rolf Orr painted Corran Light in ink\nls\n# total\n```\n\n"
        "- **Ada Wren** — Painted Skerry Light; painted Drum Light\n"
    )
    found = facts(text, known=known)
    assert {("Rolf Orr", "painted", "Corran Light"), ("Ada Wren", "painted", "Drum Light")} <= found


COAST = ontology("""
:Tower a owl:Class ; rdfs:label "tower" ; kg:namePattern " Light$" .
:Lens a owl:Class ; rdfs:label "lens" ; kg:namePattern "^Orr" .
:oil a owl:DatatypeProperty ; rdfs:label "oil share" ; skos:altLabel "share of oil" ; rdfs:domain :Tower ;
  rdfs:range xsd:decimal ; kg:canonicalUnit unit:PERCENT .
:frost a owl:DatatypeProperty ; rdfs:label "frost limit" ; skos:altLabel "outside temperature" ; rdfs:domain :Tower ;
  rdfs:range xsd:decimal ; kg:canonicalUnit unit:DEG_C .
:panes a owl:DatatypeProperty ; rdfs:label "panes per lens" ; rdfs:domain :Lens ; rdfs:range xsd:integer .
:turns a owl:DatatypeProperty ; rdfs:label "turns of rope" ; rdfs:domain :Tower ; rdfs:range xsd:integer .
:said a owl:DatatypeProperty ; rdfs:label "known as" ; rdfs:domain :Tower ; rdfs:range xsd:string ;
  kg:phrase "{subject} is described as {object}" .
:burns a owl:ObjectProperty ; rdfs:label "burns" ; rdfs:domain :Tower ; kg:phrase "{subject} burned {object}" .
""")


def test_figures_whose_words_name_a_property() -> None:
    text = (
        "# Coast\n\nIn May they shipped 9 barrels to Corran Light --- about 6% of all oil used on the coast. "
        "Corran Light was heated when the outside temperature fell below 3 C.\n\n"
        "- Fitted with Orr-3 (= 4 Orr-3 glasses, 8 panes per lens)\n- 7 panes per lens\n\n"
        "Skerry Light can be climbed in under 25 turns of rope. Nobody saw 7% of all oil in Kiel.\n"
    )
    found = facts(text, known=COAST)
    assert {
        ("Corran Light", "oil", "6 PERCENT"),
        ("Corran Light", "frost", "3 DEG_C"),
        ("Orr-3", "panes", "8"),
        ("Skerry Light", "turns", "..25"),
    } <= found
    assert not [f for f in found if f[2].startswith("7") and f[0] != "Coast"]  # no lens, no tower is named with them


def test_quoted_words_are_words() -> None:
    found = facts('# Coast\n\nCorran Light was described as "a lamp for ships" by all.\n', known=COAST)
    assert ("Corran Light", "said", "a lamp for ships") in found


def test_what_was_so_before_and_may_still_be_is_a_guess() -> None:
    text = (
        "# Coast\n\nPreviously, Corran Light also burned Colza, which could be still the case. "
        "Formerly, Skerry Light burned Tallow.\n"
    )
    found = claims(text, known=COAST)
    assert found["Corran Light", "burns", "Colza"].hedge.status == "guessed"
    assert ("Skerry Light", "burns", "Tallow") not in found


PEOPLE = ontology("""
:Person a owl:Class ; rdfs:label "person" . :Works a owl:Class ; rdfs:label "works" .
:Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Kappa" .
:role a owl:DatatypeProperty ; rdfs:label "role" ; rdfs:domain :Person ; rdfs:range xsd:string .
:at a owl:ObjectProperty ; rdfs:label "works for" ; skos:altLabel "now at" ; rdfs:domain :Person ; rdfs:range :Works .
:by a owl:ObjectProperty ; rdfs:label "founded by" ; rdfs:range :Person ;
  rdfs:domain [ a owl:Class ; owl:unionOf ( :Works :Lamp ) ] .
:studied a owl:ObjectProperty ; rdfs:label "studied at" ; skos:altLabel "PhD from" ; rdfs:domain :Person .
:moved a owl:ObjectProperty ; rdfs:label "moved to" ; rdfs:domain :Person ;
  kg:phrase "{subject} departed for {object}" .
:head a owl:ObjectProperty ; rdfs:label "keepers" ; rdfs:range :Person .
""")


def test_what_employs_nobody_goes_with_founders_only() -> None:
    text = (
        "# Coast\n\n| Person | Role |\n|---|---|\n| Ada Wren | Kappa keeper |\n\n"
        "All were praised by Kappa co-founder Bo Lund.\n"
    )
    found = facts(text, known=PEOPLE)
    assert {("Ada Wren", "role", "Kappa keeper"), ("Kappa", "by", "Bo Lund")} <= found
    assert not [f for f in found if f[1] == "at"]


def test_cells_about_people_tell_as_biographies_do() -> None:
    text = (
        "# Coast\n\n| Person | Known for |\n|---|---|\n"
        "| Ada Wren | Drew the map. PhD from Kiel on optics. |\n| Bo Lund | Departed May 1904 for Rolf Works. |\n"
    )
    found = claims(text, known=PEOPLE)
    assert ("Ada Wren", "studied", "Kiel") in found
    since = found["Bo Lund", "moved", "Rolf Works"].valid_from
    assert since is not None and since.value == "1904-05"


def test_employers_that_a_document_tells_are_known_to_its_founders() -> None:
    text = (
        "# Coast\n\nKeepers:\n\n- **Ada Wren** — Keeper of lamps. Now at Lumina.\n"
        "- **Bo Lund** — Keeper of ropes. Now co-founder at Lumina.\n- **Cy Holm** — Keeper. Now co-founder at sea.\n"
    )
    found = facts(text, known=PEOPLE)
    assert ("Lumina", "by", "Bo Lund") in found
    assert not [f for f in found if f[0] == "sea"]


FIGURES = ontology("""
:Tower a owl:Class ; rdfs:label "tower" ; kg:namePattern " Light$" .
:Lamp a owl:Class ; rdfs:label "lamp" ; kg:namePattern "^Orr-" .
:cost a owl:DatatypeProperty ; rdfs:label "cost" ; skos:altLabel "cost estimates" ; rdfs:domain :Tower ;
  rdfs:range xsd:decimal ; kg:canonicalUnit unit:CCY_USD .
:oil a owl:DatatypeProperty ; rdfs:label "oil" ; rdfs:domain :Tower ; rdfs:range xsd:decimal ; kg:canonicalUnit unit:L .
:kind a owl:ObjectProperty ; rdfs:label "lamp type" ; rdfs:domain :Tower ; rdfs:range :Lamp .
:growth a owl:DatatypeProperty ; rdfs:label "growth" ; rdfs:domain :Tower ; rdfs:range xsd:decimal .
""")


def test_figures_under_labels_in_comparisons_and_brackets() -> None:
    text = (
        "# Coast\n\n## Corran Light\n\n- Oil: **300 litres** (compared to dozens of litres for Skerry Light)\n"
        "- Growth: 3,000x\n\n"
        "Keepers came to Drum Light (Orr-3 and Orr-4 lamps).\n\n**Cost estimates** (not confirmed by anybody):\n\n"
        "- Others range $3K-$5K for the tower\n"
    )
    found = claims(text, known=FIGURES)
    assert {
        ("Skerry Light", "oil", "12.. L"),
        ("Corran Light", "growth", "3000 UNITLESS"),
        ("Drum Light", "kind", "Orr-3"),
        ("Drum Light", "kind", "Orr-4"),
    } <= set(found)
    assert found["Corran Light", "cost", "3000..5000 CCY_USD"].hedge.status == "estimated"


def test_a_heading_that_tells_a_deed_dates_it() -> None:
    told_of = "Corran Light was low, and Corran Light was old."
    found = facts(f"# Coast\n\n## Raising Corran Light to 30 Metres (May 1901)\n\n{told_of}\n", known=FIGURES)
    assert ("Corran Light", "raising date", "1901-05") in found
