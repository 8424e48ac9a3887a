"""Closed classes of English words that several finders need."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W_]+(?:[.’'&+·-][^\W_]+)*")


def word_set(words: str) -> frozenset[str]:
    """The words of a string, as a set."""
    return frozenset(words.split())


DETERMINERS = word_set(
    "a an the this that these those its their his her our your my each every all both some any no another such "
    "either neither"
)
PRONOUNS = word_set("i you he she it we they them him us me one who whom whose which what itself themselves")
PREPOSITIONS = word_set(
    "of in on at for to from with by as into onto over under above below across within without between among during "
    "since until till before after through throughout per via against towards toward upon about around near behind "
    "beyond beside besides despite except inside outside off out up down along amid like unlike than versus vs "
    "including excluding regarding concerning following"
)
CONJUNCTIONS = word_set("and or but nor so yet if when while where whereas because although though unless")
AUXILIARIES = word_set(
    "is are was were be been being am has have had having do does did can could will would shall should may might "
    "must cannot isn't aren't wasn't weren't don't doesn't didn't won't can't couldn't"
)
ADVERBS = word_set(
    "not never also only just then now later ago earlier away long wide high deep tall old thick apart straight each "
    "today yesterday tomorrow still already even ever again here there once twice often always soon together alone "
    "worldwide altogether overall respectively instead rather too very more most less least fewer free plus minus "
    "total combined annually yearly monthly weekly daily hourly"
)
FUNCTION_WORDS = DETERMINERS | PRONOUNS | PREPOSITIONS | CONJUNCTIONS | AUXILIARIES | ADVERBS
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")
IRREGULAR_PLURALS = word_set(
    "people men women children feet teeth mice geese data media criteria phenomena personnel staff aircraft species "
    "sheep fish cattle police series"
)


def is_plural(word: str) -> bool:
    """Whether a noun looks plural: ``nodes``, ``A100s``, ``people``; not ``class``, ``status``, ``Huang's``."""
    lower = word.casefold()
    if lower in IRREGULAR_PLURALS:
        return True
    if not lower.endswith("s") or len(lower) < 3 or lower.endswith(("ss", "'s", "’s")):
        return False
    acronym = word[:-1].isupper() or word[:-1].isdigit()
    return not word.isupper() and (acronym or not lower.endswith(("us", "is")))
