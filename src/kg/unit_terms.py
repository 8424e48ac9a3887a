"""The table of units: QUDT local names, dimensions, labels, spellings and pint expressions, multiples included.

Names, symbols and multiples follow QUDT 3.1; ``FLOP``, its thousand-folds and ``PetaFLOPS-DAY`` are minted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


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
        "Deci d deci 1e-1",
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
L=|volume|L l|litre litres liter liters|Milli Micro Centi Deci|liter
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
