"""Units of measurement: QUDT local names, how English spells them, and exact conversion.

A unit is the local name of a QUDT unit (``GigaBYTE``, ``CCY_USD``). A few that QUDT lacks belong to this project's
vocabulary (:data:`MINTED`): ``FLOP`` (a count of operations, not a rate), its thousand-folds, and ``PetaFLOPS-DAY``
(8.64e19 FLOP). Sizes come from pint, computed in fractions; it is loaded when first needed (0.4 s).

Case matters where it carries meaning: ``Gb/s`` is gigabits, ``GB/s`` gigabytes, ``mW`` isn't ``MW``. Multiples of
bytes are decimal (IEC 80000-13); ``GiB`` is binary. A month is a twelfth of a year of 365.25 days, as in QUDT.

The table of units: QUDT local names, dimensions, labels, spellings and pint expressions, multiples included.

Names, symbols and multiples follow QUDT 3.1; ``FLOP``, its thousand-folds and ``PetaFLOPS-DAY`` are minted here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from kg.errors import BadInput
from kg.namespaces import KG, UNIT


@dataclass(frozen=True, slots=True)
class UnitTerm:
    """A unit. ``symbols`` keep their case, ``words`` don't; ``label`` is printed. Size: ``factor`` times ``pint``.

    Currencies have no ``pint`` expression: each is a dimension of its own.
    """

    name: str
    dimension: str
    label: str
    symbols: tuple[str, ...]
    words: tuple[str, ...]
    factor: str
    pint: str


@dataclass(frozen=True, slots=True)
class _Prefix:
    name: str
    symbol: str
    word: str
    factor: str


_SI = tuple(
    _Prefix(*row.split())
    for row in (
        "Nano n nano 1e-9",
        "Micro µ micro 1e-6",
        "Milli m milli 1e-3",
        "Centi c centi 1e-2",
        "Kilo k kilo 1e3",
        "Mega M mega 1e6",
        "Giga G giga 1e9",
        "Tera T tera 1e12",
        "Peta P peta 1e15",
        "Exa E exa 1e18",
    )
)
_BINARY = tuple(
    _Prefix(f"{name}", f"{name[0]}i", name.casefold(), str(1024 ** (i + 1)))
    for i, name in enumerate(("Kibi", "Mebi", "Gibi", "Tebi", "Pebi"))
)
THOUSANDS = ("Kilo", "Mega", "Giga", "Tera", "Peta", "Exa")
_GROUPS = {"up": THOUSANDS, "down": ("Nano", "Micro", "Milli")}

# name | dimension | label | further symbols (exact case) | words (any case) | factor and pint expression
_PLAIN = """
SEC|time|s|sec secs|second seconds|1 second
MIN|time|min|mins|minute minutes|1 minute
HR|time|h|hr hrs|hour hours|1 hour
DAY|time|days|d|day days|1 day
WK|time|weeks|wk wks|week weeks|1 week
MO|time|months|mo mos mth mths|month months|1 month
YR|time|years|yr yrs|year years|1 year
M|length|m||metre metres meter meters|1 meter
IN|length|inches||inch inches|1 inch
FT|length|ft||foot feet|1 foot
YD|length|yd|yds|yard yards|1 yard
MI|length|mi||mile miles|1 mile
MI_N|length|nmi|NM|nautical_mile nautical_miles sea_mile sea_miles|1 nautical_mile
PARSEC|length|parsecs||parsec parsecs|1 parsec
LY|length|ly||light-year light-years light_year light_years|1 light_year
AU|length|AU||astronomical_unit astronomical_units|1 astronomical_unit
GM|mass|g||gram grams gramme grammes|1 gram
TONNE|mass|t||tonne tonnes metric_ton metric_tons|1 metric_ton
TON_US|mass|short tons||ton tons short_ton short_tons|1 short_ton
TON_UK|mass|long tons||long_ton long_tons|1 long_ton
LB|mass|lb|lbs|pound pounds|1 pound
OZ|mass|oz||ounce ounces|1 ounce
M2|area|m²|m2 m^2 sqm sq.m|square_metre square_metres square_meter square_meters|1 meter**2
KiloM2|area|km²|km2 km^2|square_kilometre square_kilometres square_kilometer square_kilometers|1e6 meter**2
FT2|area|ft²|ft2 sqft sq.ft|square_foot square_feet|1 foot**2
MI2|area|mi²|mi2|square_mile square_miles|1 mile**2
AC|area|acres||acre acres|43560 foot**2
HA|area|ha||hectare hectares|1 hectare
M3|volume|m³|m3 m^3|cubic_metre cubic_metres cubic_meter cubic_meters|1 meter**3
FT3|volume|ft³|ft3|cubic_foot cubic_feet|1 foot**3
L|volume|L|l|litre litres liter liters|1 liter
GAL_US|volume|gal|gals|gallon gallons us_gallon us_gallons|1 gallon
GAL_UK|volume|imp gal||imperial_gallon imperial_gallons|1 imperial_gallon
PINT_US|volume|US pints||us_pint us_pints|1 pint
PINT_UK|volume|pints||pint pints imperial_pint imperial_pints|1 imperial_pint
CUP|volume|cups|cup|us_cup us_cups|1 cup
TBSP|volume|tbsp|Tbsp tbsps|tablespoon tablespoons tablespoonful tablespoonfuls|1 tablespoon
TSP|volume|tsp|Tsp tsps|teaspoon teaspoons teaspoonful teaspoonfuls|1 teaspoon
BBL|volume|bbl|bbls|barrel barrels|1 oil_barrel
DEG_C|temperature|°C|C ℃|degree_celsius degrees_celsius celsius degree_centigrade degrees_centigrade|1 degC
DEG_F|temperature|°F|F ℉|degree_fahrenheit degrees_fahrenheit fahrenheit|1 degF
K|temperature|K||kelvin kelvins|1 kelvin
M-PER-SEC|speed|m/s|mps|metre/second metres/second meter/second meters/second|1 meter/second
KiloM-PER-HR|speed|km/h|kph kmh km/hr|kilometre/hour kilometres/hour kilometer/hour kilometers/hour|1e3 meter/hour
KiloM-PER-SEC|speed|km/s||kilometre/second kilometres/second kilometer/second kilometers/second|1e3 meter/second
MI-PER-HR|speed|mph||mile/hour miles/hour|1 mile/hour
KN|speed|knots|kn kt kts|knot knots|1 knot
HP|power|hp|HP bhp|horsepower|1 horsepower
BTU_IT|energy|Btu|BTU|british_thermal_unit british_thermal_units|1 Btu_it
KiloCAL|energy|kcal||kilocalorie kilocalories|1 kilocalorie
REV-PER-MIN|rotation|rpm|RPM|revolution/minute revolutions/minute|1 revolution/minute
BAR|pressure|bar|||1 bar
MilliBAR|pressure|mbar||millibar millibars|1 millibar
ATM|pressure|atm|||1 atmosphere
PSI|pressure|psi|PSI|pound/square_inch pounds/square_inch|1 psi
DEG|angle|°||degree degrees|1 degree
RAD|angle|rad||radian radians|1 radian
PERCENT|ratio|%||percent per_cent percentage_point percentage_points|1 percent
PPM|ratio|ppm||part/million parts/million|1 ppm
UNITLESS|ratio|x|×||1 dimensionless
DeciB|level|dB||decibel decibels|1 level_step
CD|luminous intensity|cd||candela candelas|1 candela
LM|luminous flux|lm||lumen lumens|1 lumen
LUX|illuminance|lx||lux|1 lux
OHM|resistance|Ω|ohm|ohm ohms|1 ohm
MOL|amount|mol|||1 mole
PetaFLOPS-DAY|operations|PF-days|||86400e15 operation
"""
# name | dimension | symbols | words | prefixes | pint expression; a final "=": only the multiples, the unit is above
_PREFIXED = """
BYTE|data|B|byte bytes|up|data_byte
BIT|data|b bit|bit bits|up|data_bit
BYTE-PER-SEC|data rate|B/s Bps|byte/second bytes/second|up|data_byte/second
BIT-PER-SEC|data rate|b/s bps bit/s bits/s|bit/second bits/second|up|data_bit/second
FLOPS|operation rate|FLOPS FLOP/s FLOPs/s Flop/s Flops Flops/s flop/s flops/s|flops|up|operation/second
FLOP|operations|FLOP FLOPs|floating-point_operation floating-point_operations|up|operation
W|power|W|watt watts|Milli up|watt
W-HR|energy|Wh W·h|watt-hour watt-hours watt_hour watt_hours|up|watt*hour
J|energy|J|joule joules|Milli up|joule
EV|energy|eV|electronvolt electronvolts|up|electron_volt
V|voltage|V|volt volts|Milli Kilo|volt
A|current|A|ampere amperes amp amps|Milli Kilo|ampere
HZ|frequency|Hz|hertz|up|hertz
PA|pressure|Pa|pascal pascals|up|pascal
N|force|N|newton newtons|Kilo Mega|newton
M=|length|m|metre metres meter meters|down Centi Kilo|meter
GM=|mass|g|gram grams gramme grammes|down Kilo|gram
SEC=|time|s|second seconds sec secs|down|second
L=|volume|L l|litre litres liter liters|Milli Micro|liter
"""
# ISO 4217 code | label | symbols | words
_CURRENCIES = """
USD|US$|US$ $|dollar dollars us_dollar us_dollars american_dollars
EUR|€|€|euro euros
GBP|£|£|pound_sterling pounds_sterling british_pounds
JPY|¥|¥ JP¥|yen japanese_yen
CNY|CN¥|CN¥ RMB|yuan renminbi
INR|₹|₹|rupee rupees indian_rupees
KRW|₩|₩|korean_won
CHF|CHF|SFr|swiss_franc swiss_francs
CAD|C$|C$ CA$|canadian_dollar canadian_dollars
AUD|A$|A$ AU$|australian_dollar australian_dollars
NZD|NZ$|NZ$|new_zealand_dollars
HKD|HK$|HK$|hong_kong_dollars
SGD|S$|S$|singapore_dollars
BRL|R$|R$|reais brazilian_reais
SEK|SEK||swedish_kronor
NOK|NOK||norwegian_kroner
DKK|DKK||danish_kroner
MXN|MX$|MX$|mexican_pesos
ILS|₪|₪|shekel shekels
"""


def _words(column: str) -> tuple[str, ...]:
    """Words of a column: ``_`` stands for a space, ``/`` for " per "."""
    return tuple(word.replace("_", " ").replace("/", " per ") for word in column.split())


def _plain_terms() -> Iterator[UnitTerm]:
    for line in _PLAIN.strip().splitlines():
        name, dimension, label, symbols, words, size = line.split("|")
        factor, pint = size.split()
        own = [] if label in _words(words) or " " in label else [label]
        yield UnitTerm(name, dimension, label, (*own, *symbols.split()), _words(words), factor, pint)


def _prefixed_terms() -> Iterator[UnitTerm]:
    for line in _PREFIXED.strip().splitlines():
        base, dimension, column, words, groups, pint = line.split("|")
        name, symbols = base.rstrip("="), tuple(column.split())
        if base == name:
            yield UnitTerm(name, dimension, symbols[0], symbols, _words(words), "1", pint)
        wanted = {prefix for group in groups.split() for prefix in _GROUPS.get(group, (group,))}
        for prefix in [p for p in _SI if p.name in wanted] + list(_BINARY if dimension == "data" else ()):
            signs = _multiples(name, dimension, symbols, prefix.symbol)
            spelt = tuple(prefix.word + word for word in _words(words))
            yield UnitTerm(prefix.name + name, dimension, signs[0], signs, spelt, prefix.factor, pint)


def _multiples(base: str, dimension: str, symbols: tuple[str, ...], prefix: str) -> tuple[str, ...]:
    """Symbols with a prefix, and the other ways in which people type them."""
    signs = [prefix + symbol for symbol in symbols]
    if prefix == "µ":
        signs += [other + symbol for symbol in symbols for other in ("μ", "u")]
    if prefix == "k" and dimension.startswith(("data", "operation")):
        signs += ["K" + symbol for symbol in symbols]
    if base in ("BYTE", "BIT-PER-SEC") and len(prefix) == 1:
        signs += [sign.lower() for sign in signs]
    if prefix in ("T", "P", "E"):
        # "312 TFLOPs" is a rate in practice; counts are written with a power of ten, or as "4.1 GFLOPs".
        signs = [*signs, f"{prefix}FLOPs"] if base == "FLOPS" else signs
        signs = [s for s in signs if not s.endswith("s")] if base == "FLOP" else signs
    return tuple(dict.fromkeys(signs))


def _currency_terms() -> Iterator[UnitTerm]:
    for line in _CURRENCIES.strip().splitlines():
        code, label, symbols, words = line.split("|")
        signs = tuple(dict.fromkeys((*symbols.split(), code)))
        yield UnitTerm(f"CCY_{code}", f"currency {code}", label, signs, _words(words), "1", "")


TERMS: tuple[UnitTerm, ...] = (*_plain_terms(), *_prefixed_terms(), *_currency_terms())


_CONTEXT = Context(prec=50)
_BY_NAME = {term.name: term for term in reversed(TERMS)}
MINTED = frozenset({"FLOP", "PetaFLOPS-DAY", *(f"{prefix}FLOP" for prefix in THOUSANDS)})
CURRENCY_SIGNS: dict[str, str] = {s: t.name for t in TERMS if t.name.startswith("CCY_") for s in t.symbols}

# A petaflop a second kept up for a day, in the spellings that papers use.
_PF_DAY = re.compile(r"(?:peta|p)[\s-]?f(?:lop)?s?(?:/s)?[\s-]days?(?![a-z0-9])", re.IGNORECASE)
# In common speech a petaflop is a rate.
_SPOKEN_RATES = {
    f"{prefix.casefold()}{word}": f"{prefix}FLOPS" for prefix in THOUSANDS for word in ("flop", "flop/s", "flops/s")
}


def _spellings() -> tuple[dict[str, str], dict[str, str]]:
    """Symbols (exact case) and words (case folded) with the unit that each names; the first in the table wins."""
    exact: dict[str, str] = {}
    folded: dict[str, str] = {}
    for term in TERMS:
        for symbol in term.symbols:
            exact.setdefault(symbol, term.name)
        for word in term.words:
            folded.setdefault(word, term.name)
    return exact, folded | _SPOKEN_RATES


_EXACT, _FOLDED = _spellings()


def _alternation(spellings: dict[str, str]) -> str:
    longest = sorted(spellings, key=lambda s: (-len(s), s))
    return "|".join(re.escape(s).replace(r"\ ", r"[\s-]") for s in longest)


_END = r"(?:(?<=[%°$€£¥₹₩₪])|(?![A-Za-z0-9²³]))"
_EXACT_RE = re.compile(f"({_alternation(_EXACT)}){_END}")
_FOLDED_RE = re.compile(f"({_alternation(_FOLDED)}){_END}", re.IGNORECASE)


def match_unit(text: str, at: int = 0) -> tuple[str, int] | None:
    """The longest unit spelt at ``text[at:]``: its name and where it ends."""
    day = _PF_DAY.match(text, at)
    if day:
        return "PetaFLOPS-DAY", day.end()
    exact, folded = _EXACT_RE.match(text, at), _FOLDED_RE.match(text, at)
    if exact and (not folded or exact.end() >= folded.end()):
        return _EXACT[exact[1]], exact.end()
    if not folded:
        return None
    key = re.sub(r"\s+", " ", folded[1].casefold())
    return _FOLDED.get(key) or _FOLDED[key.replace("-", " ")], folded.end()


def find_unit(text: str) -> str | None:
    """The unit that the whole text spells (``GB``, ``US dollars``, ``square miles``) or names (``GigaBYTE``)."""
    plain = text.strip().strip("()[].")
    if plain in _BY_NAME and len(plain) > 2:
        return plain
    found = match_unit(plain)
    return found[0] if found and found[1] == len(plain) else None


_HEAD = re.compile(r"[(\[]\s*(?:in\s+)?([^()\[\]]+)[)\]]\s*$|,\s*(?:in\s+)?([^,()]+)$|\sin\s+(\S+(?:\s\S+)?)$")


def unit_in_head(text: str) -> tuple[str | None, str]:
    """The unit that a column head or key gives for its values, and the head without it.

    >>> unit_in_head("Height (m)")
    ('M', 'Height')
    """
    head = text.strip()
    found = _HEAD.search(head)
    unit = find_unit(next(group for group in found.groups() if group)) if found else None
    return (unit, head[: found.start()].rstrip(" ,")) if found and unit else (None, head)


def known(unit: str) -> bool:
    """Whether this is a unit's local name."""
    return unit in _BY_NAME


def _term(unit: str) -> UnitTerm:
    try:
        return _BY_NAME[unit]
    except KeyError:
        raise BadInput(f"{unit!r} is not a unit that Citegraph knows", "use a QUDT name, such as GigaBYTE") from None


def label(unit: str) -> str:
    """How answers print the unit: ``GB``, ``US$``, ``months``."""
    return _term(unit).label


def symbols(unit: str) -> tuple[str, ...]:
    """The unit's symbols, with their case: those of ``GigaW`` are just ``GW``."""
    return _term(unit).symbols


def iri(unit: str) -> str:
    """IRI of the unit: QUDT's, or this project's for the few that QUDT lacks."""
    return (KG if unit in MINTED else UNIT) + _term(unit).name


def unit_of(iri_: str) -> str | None:
    """The unit that an IRI names, or None."""
    name = iri_.removeprefix(UNIT).removeprefix(KG)
    return name if name in _BY_NAME and iri(name) == iri_ else None


def dimension(unit: str) -> str:
    """What the unit measures: ``data``, ``data rate``, ``time``, ``currency USD``…; only equal ones convert."""
    return _term(unit).dimension


@cache
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Fraction)
    registry.define("data_bit = [data]")
    registry.define("data_byte = 8 * data_bit")
    registry.define("operation = [operation]")
    registry.define("level_step = [level]")
    return registry


@cache
def _scale(unit: str) -> tuple[Fraction, Fraction]:
    """Factor and offset that bring a value into its dimension's base unit."""
    term = _term(unit)
    if not term.pint:
        return Fraction(1), Fraction(0)
    zero, one = (Fraction(_registry().Quantity(Fraction(n), term.pint).to_base_units().magnitude) for n in (0, 1))
    return (one - zero) * Fraction(term.factor), zero


def convert(value: Decimal, unit: str, to: str) -> Decimal:
    """The value in another unit: exact where a decimal of 50 digits can be. Raises BadInput for another dimension."""
    if dimension(unit) != dimension(to):
        hint = f"{unit} measures {dimension(unit)}, {to} {dimension(to)}"
        raise BadInput(f"{unit} can't be converted into {to}", hint)
    if unit == to:
        return value
    (factor, offset), (factor_to, offset_to) = _scale(unit), _scale(to)
    result = (Fraction(value) * factor + offset - offset_to) / factor_to
    quotient = _CONTEXT.divide(Decimal(result.numerator), Decimal(result.denominator))
    return Decimal(f"{quotient.normalize(_CONTEXT):f}")
