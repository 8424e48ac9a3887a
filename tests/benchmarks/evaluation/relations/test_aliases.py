"""Words that stand for a label that sentences never hold, learned where they tell it, and refused where they don't."""

from benchmarks.evaluation.relations.aliases import Said, learned, places
from benchmarks.evaluation.relations.canonical import Stated, aliases_in, learn
from kg.relations.encoding import Words

KEEPERS = ("Ada Wren", "Tom Hale", "Mia Reed", "Jo Voss", "Ann Cole")


def rows() -> list[Stated]:
    found = []
    for keeper in KEEPERS:
        found.append(Stated(f"{keeper} was second-class, {keeper}'s wife too.", "grade", keeper, "Grade II"))
        found.append(Stated(f"At Skara {keeper} rose to principal keeper.", "grade", keeper, "Grade I"))
        found.append(Stated(f"{keeper} ended as an inspector.", "grade", keeper, "inspector"))
    return found


def test_an_unsaid_label_is_told_by_other_words():
    alias = aliases_in(rows())
    assert alias["grade", "Grade I"] == "rose to principal keeper"
    assert alias["grade", "Grade II"] == "was second-class"
    assert ("grade", "inspector") not in alias  # it is said
    words = Words.of("Bo Lind rose to principal keeper in 1880.")
    assert [words.text[slice(*span)] for span in places(words, "grade", "Grade I", alias)] == [
        "rose to principal keeper"
    ]
    assert places(words, "grade", "Grade III", alias) == ()


def test_the_canonicaliser_writes_the_label_for_it():
    text = "Bo Lind rose to principal keeper in 1880."
    start = text.index("rose")
    labels = learn(rows())
    assert labels.label(text, (start, start + len("rose to principal keeper")), "grade", "object") == "Grade I"
    assert labels.label(text, (start, start + len("rose to principal keeper")), "rank", "object") != "Grade I"


def test_few_sentences_or_words_that_tell_nothing_give_no_alias():
    assert aliases_in(rows()[:9]) == {}
    vague = [Said("colour", f"shade {at % 5}", Words.of(f"Tower {at} was painted again.")) for at in range(40)]
    assert learned(vague) == {}


def test_dates_have_no_alias():
    dated = [Stated(f"Light {at} was lit that winter.", "lit", f"Light {at}", "01 January 1890") for at in range(9)]
    assert aliases_in(dated) == {}
