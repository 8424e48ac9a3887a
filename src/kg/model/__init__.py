"""Frozen values that the stages hand to each other.

Offsets everywhere count Unicode code points of ``Document.text`` (the stored text), end exclusive.
"""

from kg.model.answers import Answer, AnswerItem, Citation, Conflict, ConflictValue, Reason
from kg.model.claims import (
    Alias,
    Claim,
    Evidence,
    Extraction,
    Hedge,
    Mention,
    Mood,
    Polarity,
    Predicate,
    Rejected,
    Role,
    Status,
)
from kg.model.documents import Block, BlockKind, Document, Inline, Mark, MarkKind, Passage, Run, Unit, UnitKind
from kg.model.values import (
    DateValue,
    EntityName,
    EventName,
    Flag,
    Participant,
    Precision,
    Quantity,
    Subject,
    Text,
    Value,
)

__all__ = [
    "Alias",
    "Answer",
    "AnswerItem",
    "Block",
    "BlockKind",
    "Citation",
    "Claim",
    "Conflict",
    "ConflictValue",
    "DateValue",
    "Document",
    "EntityName",
    "EventName",
    "Evidence",
    "Extraction",
    "Flag",
    "Hedge",
    "Inline",
    "Mark",
    "MarkKind",
    "Mention",
    "Mood",
    "Participant",
    "Passage",
    "Polarity",
    "Precision",
    "Predicate",
    "Quantity",
    "Reason",
    "Rejected",
    "Role",
    "Run",
    "Status",
    "Subject",
    "Text",
    "Unit",
    "UnitKind",
    "Value",
]
