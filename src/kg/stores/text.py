"""What is done to the text of a SPARQL query before a server sees it: terms put in, prefixes declared, graphs hidden.

Strings, IRIs and comments are left alone; for the rest a few tokens of SPARQL 1.1 §19.8 are enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyoxigraph as ox

TOKEN = re.compile(
    r""" (?P<left>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3} | '{3}(?:[^'\\]|\\.|'(?!''))*'{3} | "(?:[^"\\\n]|\\.)*"
      | '(?:[^'\\\n]|\\.)*' | <[^<>"{}|^`\\\s]*> | \#[^\n]*)
      | [?$](?P<name>\w+) | (?P<word>[A-Za-z_][\w\-.]*:?[\w\-.]*|:[\w\-.]+) | (?P<mark>[{}()]) """,
    re.VERBOSE | re.DOTALL,
)
RESERVED = "citegraph_"
"""What names of variables begin with that are put into a query."""
_ENDS_PROJECTION = frozenset({"WHERE", "FROM"})
_ENDS_ORDER = frozenset({"LIMIT", "OFFSET", "HAVING", "VALUES", "ORDER"})


def declared(query: str, prefixes: Mapping[str, str], base: str | None = None) -> str:
    """The query with prefixes and base declared before it, on its first line: places in it keep their lines."""
    head = [f"BASE <{base}>"] if base else []
    head += [f"PREFIX {name}: <{iri}>" for name, iri in sorted(prefixes.items())]
    return " ".join([*head, query])


def bound(query: str, terms: Mapping[str, ox.NamedNode | ox.Literal]) -> str:
    """The query with variables (names without ``?``) replaced by terms; one that is selected is selected still."""
    if not terms:
        return query
    query = _EVERYTHING.sub(lambda found: f"{found[0][:-1]}{_variables(query)}", query, count=1)
    place = _Place()
    parts, at = [], 0
    for token in TOKEN.finditer(query):
        place.follow(token)
        name = token["name"]
        if name in terms:
            parts += [query[at : token.start()], place.written(name, str(terms[name]))]
            at = token.end()
    return "".join([*parts, query[at:]])


_EVERYTHING = re.compile(r"\bSELECT(\s+(DISTINCT|REDUCED))?\s*\*", re.IGNORECASE)


def _variables(query: str) -> str:
    names = dict.fromkeys(token["name"] for token in TOKEN.finditer(query) if token["name"])
    return "".join(f" ?{name}" for name in names)


class _Place:
    """Where in a query a token stands: among what is selected, in a list of ORDER BY or GROUP BY, or elsewhere."""

    def __init__(self) -> None:
        self._selecting = self._ordering = False
        self._depth = 0

    def follow(self, token: re.Match[str]) -> None:
        """Takes note of a token."""
        word, mark = (token["word"] or "").upper(), token["mark"]
        if mark in ("(", ")"):
            self._depth += 1 if mark == "(" else -1
        elif mark:
            self._selecting = self._ordering = False
            self._depth = 0
        elif word == "SELECT":
            self._selecting, self._ordering, self._depth = True, False, 0
        elif word == "BY":
            self._ordering, self._depth = True, 0
        elif word in _ENDS_PROJECTION:
            self._selecting = False
        elif word in _ENDS_ORDER:
            self._ordering = False

    def written(self, name: str, term: str) -> str:
        """A term as it takes the place of a variable here."""
        if self._depth == 0 and self._selecting:
            return f"({term} AS ?{name})"
        return f"({term})" if self._depth == 0 and self._ordering else term


def hiding(query: str, condition: str, *, all_variable: bool = False) -> str:
    """The query with a condition on every variable graph: in ``condition`` that variable is called ``?graph``.

    The filter stands after the group of ``GRAPH ?g { … }``: within it the variable isn't bound (SPARQL 1.1 §18.6).
    With ``all_variable`` graphs that are named become variables (:data:`RESERVED`) that equal the name.
    """
    parts, at = [], 0
    for start, end, text in sorted(_graph_changes(query, condition, all_variable)):
        parts += [query[at:start], text]
        at = end
    return "".join([*parts, query[at:]])


def _graph_changes(query: str, condition: str, all_variable: bool) -> Iterator[tuple[int, int, str]]:
    """What takes the place of which stretch of a query, for :func:`hiding`."""
    opened: list[str | None] = []  # conditions of the groups; None: of EXISTS
    known: set[str] = set()
    expected, pending, count, word = False, "", 0, ""
    for token in TOKEN.finditer(query):
        left, before = token["left"] or "", word
        if left.startswith("#"):
            continue
        word = (token["word"] or "").upper()
        if token["mark"] == "{":
            opened.append(None if before == "EXISTS" else pending)
        elif token["mark"] == "}" and opened and (closed := opened.pop()):
            yield token.end(), token.end(), f" FILTER({closed}) "
        pending = ""
        # What EXISTS asks of a variable from without holds already (and Virtuoso errs where it is said twice).
        if expected and token["name"] and not (None in opened and token["name"] in known):
            pending = condition.replace("?graph", "?" + token["name"])
            known.add(token["name"])
        elif expected and all_variable and (left.startswith("<") or word):
            pending = f"?{RESERVED}{count} = {token[0]}"
            yield token.start(), token.end(), f"?{RESERVED}{count}"
            count += 1
        expected = word == "GRAPH"


def values(variables: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A VALUES block that binds variables to rows of terms."""
    body = " ".join(f"({' '.join(map(str, row))})" for row in rows)
    return f"VALUES ({' '.join('?' + v for v in variables)}) {{ {body} }}"
