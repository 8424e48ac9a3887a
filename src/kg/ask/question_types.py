"""The kinds of questions, asked in this order: the first that recognises a question and finds a value answers it."""

from __future__ import annotations

from kg.ask.ages import AgeQuestion
from kg.ask.booleans import BooleanQuestion
from kg.ask.bounded import BoundQuestion
from kg.ask.calculations import CalculationQuestion
from kg.ask.clauses import ClauseQuestion
from kg.ask.comparisons import ComparisonQuestion, DifferenceQuestion
from kg.ask.conflicts import ConflictQuestion
from kg.ask.counts import CountQuestion
from kg.ask.definitions import DefinitionQuestion
from kg.ask.drafts import QuestionType
from kg.ask.durations import DurationQuestion
from kg.ask.entities import EntityQuestion
from kg.ask.extremes import ExtremeQuestion
from kg.ask.growth import GrowthQuestion
from kg.ask.happenings import HappeningsQuestion
from kg.ask.lists import ListQuestion
from kg.ask.numbers import NumberQuestion
from kg.ask.orders import BeforeOrAfter, OrderQuestion, WhetherBefore
from kg.ask.tenures import TenureQuestion
from kg.ask.times import DateQuestion

QUESTION_TYPES: tuple[QuestionType, ...] = (
    WhetherBefore(),
    BooleanQuestion(),
    HappeningsQuestion(),
    DefinitionQuestion(),
    AgeQuestion(),
    GrowthQuestion(),
    TenureQuestion(),
    BoundQuestion(),
    CalculationQuestion(),
    BeforeOrAfter(),
    ComparisonQuestion(),
    ConflictQuestion(),
    OrderQuestion(),
    DurationQuestion(),
    DifferenceQuestion(),
    ExtremeQuestion(),
    DateQuestion(),
    CountQuestion(),
    NumberQuestion(),
    ListQuestion(),
    ClauseQuestion(),
    EntityQuestion(),
)
