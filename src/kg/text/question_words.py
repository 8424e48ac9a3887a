"""General English that questions are built with. Nothing here belongs to one domain; all in small letters."""

from __future__ import annotations

from functools import cache

from kg.text.words import word_set as word_set  # for this package's other modules too

# Words without a meaning of their own in a query.
FUNCTION = word_set("""
    a an the this that these those it its he she his her they them their there here of in on at by for from to into
    onto over under up via with within as is are was were be been being am do does did has have had having can could
    will would shall should may might must who whom whose which what where when why how and or but s t re ve ll me us
    we our you your i my please tell give show list name find return get say could would like want know let display
    print identify also any some such so then than one ones other thing things through across about along around
    between among 's , all out off kindly called named titled value values altogether corresponding respective
    associated respectively item items exactly currently according together
    if any information following total? whats what's yet ever still already even just either both
    """) | {""}
# Verbs that say little more than that two things are related.
LIGHT = word_set("""
    run runs running ran flow flows flowing live lives living lived locate located lie lies lying sit sits go goes
    going come comes pass passes passing exist exists found stay stays belong belongs contain contains include includes
    make made take takes hold holds follow follows stand stands reside resides use used do work works call called
    happen happens occur occurs associate associated relate related involve involved place placed correspond put
    """)
NEGATIONS = word_set(
    "not no without never excluding except n't neither nor don't doesn't didn't isn't aren't lacking excluded"
)
PLACES = word_set("place location city country where address site located state town region")
# Words between which noun phrases stand.
APART = word_set("""
    of 's the a an is are was were in , what who which whose where when how does do did has have had and that to by name
    please tell me for from with
    """) | {""}
AFTER_VERB = word_set("that which who does do did is are was were has have to")
AUXILIARIES = word_set("is are was were does do did has have had can could will would should")
OPENINGS = word_set("name list give show tell whats the find return display")
WH = word_set("which what who whom whose where when how")
UNITS = word_set("""
    square sq cubic kilometers kilometres km miles mi meters metres m feet ft acres hectares kilograms kg grams pounds
    centimeters centimetres cm millimeters millimetres mm litres liters hectare ha tons tonnes dollars usd euros
    eur years days months weeks hours minutes seconds percent degrees celsius fahrenheit
    people persons units
    """)
TIME_UNITS = {
    "day": "days", "days": "days", "week": "weeks", "weeks": "weeks", "month": "months", "months": "months",
    "year": "years", "years": "years",
}  # fmt: skip
COUNTING = (
    ("how", "many"),
    ("number", "of"),
    ("count", "of"),
    ("the", "number", "of"),
    ("count",),
    ("how", "many", "of"),
)
AGGREGATES = {
    "total": "SUM", "sum": "SUM", "combined": "SUM", "overall": "SUM", "average": "AVG", "mean": "AVG",
    "avg": "AVG", "summed": "SUM", "averaged": "AVG", "aggregate": "SUM", "altogether": "SUM",
    "together": "SUM",
}  # fmt: skip
EACH = word_set("each every per")
SECOND = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "8th": 8, "9th": 9, "10th": 10,
}  # fmt: skip
NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
}  # fmt: skip
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "k": 1e3, "m": 1e6, "bn": 1e9}
COMPARATORS = (
    ("more than", ">"), ("greater than", ">"), ("larger than", ">"), ("higher than", ">"), ("bigger than", ">"),
    ("over", ">"), ("above", ">"), ("exceeding", ">"), ("exceeds", ">"), ("exceed", ">"), ("after", ">"),
    ("later than", ">"), ("since", ">="), ("from", ">="), ("less than", "<"), ("fewer than", "<"),
    ("smaller than", "<"), ("lower than", "<"), ("under", "<"), ("below", "<"), ("before", "<"), ("until", "<="),
    ("earlier than", "<"), ("at least", ">="), ("no less than", ">="), ("no fewer than", ">="), ("or more", ">="),
    ("minimum of", ">="), ("at most", "<="), ("no more than", "<="), ("up to", "<="), ("or less", "<="),
    ("exactly", "="), ("equal to", "="), ("equals", "="), ("in", "="), ("of", "="), ("during", "="), ("on", "="),
)  # fmt: skip
# Adjectives of degree, little of it after the stroke, then nouns for what they grade, the likeliest first.
_DEGREES = """
big large huge great vast sizeable / small little tiny minor / size area extent population volume capacity amount
long lengthy / short brief / length duration distance
high / low / height elevation altitude level
tall / short / height altitude elevation
old ancient / young new recent modern / age
deep / shallow / depth
wide broad / narrow / width breadth
heavy / light / weight mass
fast quick rapid / slow / speed velocity pace
expensive costly dear pricey pricy / cheap inexpensive affordable / price cost fee
hot warm / cold cool / temperature
rich wealthy / poor / wealth income revenue worth
populous populated crowded peopled inhabited / unpopulated empty / population
dense thick / sparse thin / density
strong powerful / weak / strength power
bright / dim / brightness luminosity
far distant remote / near close / distance
late last final / early first initial soon / date time
good / bad / rating score rank
loud / quiet / volume
much many numerous / little few / amount number
profitable / unprofitable / profit
popular / unpopular / popularity rating
"""
# What those nouns are measured in, as far as it is one dimension (as of :func:`kg.text.units.dimension`).
MEASURED = {
    noun: dimension
    for dimension, nouns in {
        "length": "length width breadth depth height distance elevation altitude",
        "mass": "mass weight", "speed": "speed velocity pace", "temperature": "temperature", "time": "duration age",
        "area": "area", "volume": "volume capacity", "currency": "price cost fee wealth income revenue worth",
    }.items()
    for noun in nouns.split()
}  # fmt: skip
OLDER = word_set("old ancient early first initial soon")
NEWER = word_set("young new recent modern late last final latest")
_GENERIC_TOP = word_set("most highest greatest maximum max largest biggest top more higher greater upper")
_GENERIC_LOW = word_set("least lowest fewest minimum min smallest bottom fewer less lower smaller")
GENERIC = _GENERIC_TOP | _GENERIC_LOW
_IRREGULAR = {
    "best": ("good", "est"), "better": ("good", "er"), "worst": ("bad", "est"), "worse": ("bad", "er"),
    "farthest": ("far", "est"), "furthest": ("far", "est"), "farther": ("far", "er"), "further": ("far", "er"),
    "latest": ("late", "est"), "last": ("last", "est"), "first": ("first", "est"), "most": ("many", "est"),
    "more": ("many", "er"), "least": ("few", "est"), "less": ("few", "er"), "fewest": ("few", "est"),
    "fewer": ("few", "er"), "maximum": ("great", "est"), "minimum": ("small", "est"), "top": ("high", "est"),
    "eldest": ("old", "est"), "elder": ("old", "er"), "bottom": ("low", "est"),
}  # fmt: skip


@cache
def degrees() -> dict[str, tuple[int, tuple[str, ...]]]:
    """Adjectives with their end (1 much, -1 little) and the nouns of what they grade."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for line in _DEGREES.strip().splitlines():
        much, little, nouns = (tuple(part.split()) for part in line.split("/"))
        for sign, adjectives in ((1, much), (-1, little)):
            for adjective in adjectives:
                end, known = found.get(adjective, (sign, ()))
                found[adjective] = (end, (*known, *(n for n in nouns if n not in known)))
    return found


def graded(word: str) -> tuple[str, str] | None:
    """The base of an adjective in a higher grade, and the grade: "longest" → ("long", "est")."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for grade in ("est", "er"):
        if word.endswith(grade) and len(word) > len(grade) + 2:
            stem = word[: -len(grade)]
            bases = (
                stem,
                stem + "e",
                stem[:-1] + "y" if stem.endswith("i") else "",
                stem[:-1] if stem[-1] == stem[-2] else "",
            )
            for base in bases:
                if base in degrees():
                    return base, grade
            if grade == "est" and word not in _NOT_GRADED:
                return (bases[2] or stem), grade
    return None


_NOT_GRADED = word_set(
    "west east forest interest request test rest nest guest contest harvest protest northwest southwest "
    "invest honest priest latest conquest chest crest quest suggest everest budapest bucharest"
)
