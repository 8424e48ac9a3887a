"""Words that say the opposite of one another, which embeddings hold for near: a closing date is no opening date."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from kg.ask.terms import term

# Lines: words of one side / words of the other.
_TABLE = """
open opened opening inaugurated / close closed closing closure shut
start started begin began begun beginning commence launch launched / end ended ending finish finished completed over
build built construct constructed erect erected / demolish demolished destroy destroyed dismantle dismantled
found founded founding established / dissolve dissolved dissolution disbanded bankrupt
born birth birthday / die died death buried
join joined hire hired enter entered appointed / leave left quit resign resigned fired dismissed
buy bought purchase purchased acquired / sell sold sale
win won victory / lose lost defeat
arrive arrived arrival / depart departed departure
import imported / export exported
input incoming / output outgoing
maximum max highest most upper top largest / minimum min lowest least lower bottom smallest
first earliest / last latest final
before / after
increase increased growth gain rise / decrease decreased decline loss fall
profit income revenue / loss expense expenses
success succeeded / failure failed
marry married wedding / divorce divorced
mother / father
wife / husband
daughter / son
sister / brother
predecessor preceded / successor succeeded replaced
parent / child subsidiary
teacher taught coach / pupil student
buyer / seller
employer / employee
male / female
north northern / south southern
east eastern / west western
inside inner internal indoor / outside outer external outdoor
download / upload
source origin / destination target
""".strip()


@cache
def _against() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _TABLE.splitlines():
        one, other = (frozenset(term(word) for word in side.split()) for side in line.split("/"))
        for words, others in ((one, other), (other, one)):
            for word in words:
                table.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in table.items()}


def opposed(asked: Iterable[str], said: Iterable[str]) -> bool:
    """Whether normal forms of one side stand in ``asked`` and only of the other in ``said``.

    >>> opposed([term("closed")], [term("opening"), term("date")]), opposed([term("closed")], [term("closed")])
    (True, False)
    """
    words, table = frozenset(said), _against()
    return any(table.get(word, frozenset()) & words for word in frozenset(asked) - words)
