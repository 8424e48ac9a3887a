"""Units of measurement: QUDT local names, how English spells them, and exact conversion.

A unit is the local name of a QUDT unit (``GigaBYTE``, ``CCY_USD``). A few that QUDT lacks belong to this project's
vocabulary (:data:`MINTED`): ``FLOP`` (a count of operations, not a rate), its thousand-folds, and ``PetaFLOPS-DAY``
(8.64e19 FLOP). Sizes are exact fractions.

Case matters where it carries meaning: ``Gb/s`` is gigabits, ``GB/s`` gigabytes, ``mW`` isn't ``MW``. Multiples of
bytes are decimal (IEC 80000-13); ``GiB`` is binary. A month is a twelfth of a year of 365.25 days, as in QUDT.

The table of units: QUDT local names, dimensions, labels, spellings and sizes, multiples included.

Names, symbols and multiples follow QUDT 3.1; ``FLOP``, its thousand-folds and ``PetaFLOPS-DAY`` are minted here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from importlib.resources import files

from kg.errors import BadInput
from kg.namespaces import KG, UNIT


@dataclass(frozen=True, slots=True)
class UnitTerm:
    """A unit. ``symbols`` keep their case, ``words`` don't; ``label`` is printed.

    A value times ``factor``, plus ``offset``, is the value in its dimension's base unit. Each currency is a dimension.
    """

    name: str
    dimension: str
    label: str
    symbols: tuple[str, ...]
    words: tuple[str, ...]
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


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


def _rows(section: str) -> Iterator[list[str]]:
    """The columns of each line of a section of ``units.txt``."""
    text = (files("kg.text") / "units.txt").read_text(encoding="utf-8")
    lines = text.partition(f"[{section}]\n")[2].partition("\n\n")[0].splitlines()
    yield from (line.split("|") for line in lines if line and not line.startswith("#"))


def _words(column: str) -> tuple[str, ...]:
    """Words of a column: ``_`` stands for a space, ``/`` for " per "."""
    return tuple(word.replace("_", " ").replace("/", " per ") for word in column.split())


def _exact(size: str) -> Fraction:
    """The number that a size of the table gives: a decimal, or one over another."""
    over, _, under = size.partition("/")
    return Fraction(over) / Fraction(under or 1)


def _plain_terms() -> Iterator[UnitTerm]:
    for name, dimension, label, symbols, words, size in _rows("plain"):
        own = [] if label in _words(words) or " " in label else [label]
        yield UnitTerm(name, dimension, label, (*own, *symbols.split()), _words(words), *map(_exact, size.split()))


def _prefixed_terms() -> Iterator[UnitTerm]:
    for base, dimension, column, words, groups, size in _rows("prefixed"):
        name, symbols = base.rstrip("="), tuple(column.split())
        if base == name:
            yield UnitTerm(name, dimension, symbols[0], symbols, _words(words), _exact(size))
        wanted = {prefix for group in groups.split() for prefix in _GROUPS.get(group, (group,))}
        for prefix in [p for p in _SI if p.name in wanted] + list(_BINARY if dimension == "data" else ()):
            signs = _multiples(name, dimension, symbols, prefix.symbol)
            spelt = tuple(prefix.word + word for word in _words(words))
            factor = Fraction(prefix.factor) * _exact(size)
            yield UnitTerm(prefix.name + name, dimension, signs[0], signs, spelt, factor)


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
    for code, label, symbols, words in _rows("currencies"):
        signs = tuple(dict.fromkeys((*symbols.split(), code)))
        yield UnitTerm(f"CCY_{code}", f"currency {code}", label, signs, _words(words))


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


def convertible(unit: str | None, to: str | None) -> bool:
    """Whether a value can be given in another unit; a bare count only as a bare count."""
    if unit == to:
        return True
    if unit is None or to is None or not (known(unit) and known(to)):
        return False
    return dimension(unit) == dimension(to)


def convert(value: Decimal, unit: str, to: str) -> Decimal:
    """The value in another unit: exact where a decimal of 50 digits can be. Raises BadInput for another dimension."""
    if dimension(unit) != dimension(to):
        hint = f"{unit} measures {dimension(unit)}, {to} {dimension(to)}"
        raise BadInput(f"{unit} can't be converted into {to}", hint)
    if unit == to:
        return value
    one, other = _term(unit), _term(to)
    result = (Fraction(value) * one.factor + one.offset - other.offset) / other.factor
    quotient = _CONTEXT.divide(Decimal(result.numerator), Decimal(result.denominator))
    return Decimal(f"{quotient.normalize(_CONTEXT):f}")
