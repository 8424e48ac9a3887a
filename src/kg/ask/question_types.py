"""What rules read in passages, in this order: the first that recognises a question and finds a value proposes it.

Others were as good without: what a reader and computing over tables find took the place of theirs.
"""

from __future__ import annotations

from kg.ask.booleans import BooleanQuestion
from kg.ask.definitions import DefinitionQuestion
from kg.ask.drafts import QuestionType
from kg.ask.durations import DurationQuestion
from kg.ask.entities import EntityQuestion
from kg.ask.numbers import NumberQuestion
from kg.ask.times import DateQuestion

QUESTION_TYPES: tuple[QuestionType, ...] = (
    BooleanQuestion(),
    DefinitionQuestion(),
    DurationQuestion(),
    DateQuestion(),
    NumberQuestion(),
    EntityQuestion(),
)
