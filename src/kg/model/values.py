"""Values as documents state them, and things by the names that documents give them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Literal


class Precision(StrEnum):
    """How exactly a date is stated."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as stated: both bounds equal when exact, one absent when open; in ``unit`` as written.

    ``unit`` is a QUDT unit's local name (``GigaBYTE``) or None for a bare count; ``noun`` is what is
    counted or qualified ("GPUs", "parameters"); ``per`` what the figure is per ("GPU server", "day").
    ``central``: the value stated with a tolerance ("770 +/- 50"), whose ends are the bounds.
    """

    stated: str
    lower: Decimal | None
    upper: Decimal | None
    approximate: bool = False
    unit: str | None = None
    noun: str = ""
    per: str = ""
    kind: Literal["quantity"] = "quantity"
    central: Decimal | None = None

    @property
    def value(self) -> Decimal:
        """The point or centre stated, the lower end of a range, or the only bound stated."""
        if self.central is not None:
            return self.central
        if self.lower is not None:
            return self.lower
        if self.upper is not None:
            return self.upper
        raise ValueError(f"a quantity without bounds: {self.stated!r}")


@dataclass(frozen=True, slots=True)
class DateValue:
    """A date or period as stated. ``value`` is ``2019``, ``2019-02`` or ``2019-07-22``, never an invented day.

    ``earliest`` and ``latest`` are ISO days that bound it; ``latest`` is empty while it goes on.
    """

    stated: str
    value: str
    precision: Precision
    earliest: str
    latest: str
    end: str = ""
    approximate: bool = False
    kind: Literal["date"] = "date"


@dataclass(frozen=True, slots=True)
class Text:
    """A string value."""

    value: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean value."""

    value: bool
    kind: Literal["flag"] = "flag"


@dataclass(frozen=True, slots=True)
class EntityName:
    """An entity by the name that a passage gives it, with the classes that the context vouches for."""

    surface: str
    classes: tuple[str, ...] = ()
    kind: Literal["entity"] = "entity"


@dataclass(frozen=True, slots=True)
class Participant:
    """An entity's part in an event: ``role`` is a property IRI."""

    role: str
    entity: EntityName


@dataclass(frozen=True, slots=True)
class EventName:
    """A fact with several parts (a funding round, a role held), named by its class and its parts.

    With two or more participants two documents can name the same event. Otherwise ``local`` (of an
    observation: passage and row) tells it from others.
    """

    cls: str
    label: str
    participants: tuple[Participant, ...] = ()
    year: str = ""
    ordinal: str = ""
    local: str = ""
    kind: Literal["event"] = "event"


Subject = EntityName | EventName
Value = EntityName | EventName | Quantity | DateValue | Text | Flag
