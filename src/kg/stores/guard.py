"""What a SPARQL query or update is and whether it may run here, decided from its tokens before any engine sees it.

Oxigraph follows SERVICE and LOAD to any address and overflows its stack on deep nesting, so these are refused first.
The tokens are those of SPARQL 1.1 §19.8, but Oxigraph's grammar reads characters, not words: ``SERVICEex:f{`` is a
call, and whether ``<'x>`` is an IRI or "less than" and a string depends on what stands before it. Where both readings
are possible, both are followed, and a query is refused if either holds a call; so nothing that the engine could read
as a call gets through, while SERVICE in a string, an IRI or a comment is fine.

SPARQL updates with a dataset given beside them: ``using-graph-uri`` of the SPARQL 1.1 Protocol (§2.2.3).

The engine has no such parameters, so the update is written with USING clauses, which mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from kg.errors import BadQuery, QueryRefused

MAX_DEPTH = 128
MAX_LENGTH = 200_000
# Readings of one query that are followed before it is refused as too ambiguous to judge.
_MAX_READINGS = 16

# Character classes of SPARQL 1.1's grammar (PN_CHARS_BASE, PN_CHARS).
_BASE = (
    r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_NAME = _BASE + r"_0-9\u00B7\u0300-\u036F\u203F\u2040"
_CHARS = _NAME + r"\-"
_ESCAPE = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"

_TOKEN = re.compile(
    rf"""(?P<space>\s+|\#[^\r\n]*)
    |(?P<string>'''(?:'{{0,2}}(?:[^'\\]|\\.))*'''|\"\"\"(?:\"{{0,2}}(?:[^\"\\]|\\.))*\"\"\"
        |'(?:[^'\\\r\n]|\\.)*'|\"(?:[^\"\\\r\n]|\\.)*\")
    |(?P<iri><(?:[^<>"{{}}|^`\\\x00-\x20]|\\[uU][0-9A-Fa-f]{{4,8}})*>)
    |(?P<var>[?$][{_NAME}]+)
    |(?P<lang>@[A-Za-z][A-Za-z0-9\-]*)
    |(?P<run>[{_BASE}][{_CHARS}.]{{256,}})
    |(?P<name>(?:_|[{_BASE}](?:[{_CHARS}.]*[{_CHARS}])?)?:(?:[{_CHARS}:]|{_ESCAPE}|\.+(?=[{_CHARS}:%\\]))*)
    |(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<word>[{_BASE}_][{_BASE}_0-9]*)
    |(?P<other>\\.|.)""",
    re.VERBOSE | re.DOTALL,
)
LEFT_ALONE = r"""
    \"{3}(?:[^"\\]|\\.|"(?!""))*\"{3} | '{3}(?:[^'\\]|\\.|'(?!''))*'{3} | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
    | <[^<>"{}|^`\\\s]*> | \#[^\n]*"""
"""What in a query is no part of its grammar, as a verbose pattern: strings, IRIs and comments."""
_OPEN, _CLOSE = "([{", ")]}"
# After one of these a "<" can be "less than"; anywhere else it begins an IRI.
_OPERAND = frozenset({"string", "iri", "var", "lang", "name", "number", "word"})
_UPDATES = frozenset(["INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"])
_PROLOGUE = frozenset({"BASE", "PREFIX", "VERSION"})


class QueryForm(StrEnum):
    """The four forms of a SPARQL query."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"
    DESCRIBE = "DESCRIBE"

    @property
    def gives_graph(self) -> bool:
        """Whether the result is triples rather than rows or a truth value."""
        return self in (QueryForm.CONSTRUCT, QueryForm.DESCRIBE)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of SPARQL and where it stands; ``kind`` is a group of the grammar above."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Reading:
    """Where one way of reading the query stands: position, open brackets, and what came before.

    ``top`` collects, of an update, the tokens outside all brackets, and the outermost brackets themselves.
    """

    at: int = 0
    brackets: list[str] = field(default_factory=list)
    before: str = ""
    data: str = ""
    called: int = 0
    top: list[Token] | None = None

    def fork(self, at: int) -> _Reading:
        """The same, going on as if the "<" before ``at`` were an operator."""
        top = None if self.top is None else list(self.top)
        return _Reading(at, list(self.brackets), "other", "", self.called, top)

    @property
    def in_expression(self) -> bool:
        """Whether an expression can stand here: within parentheses, outside the rows of VALUES."""
        return bool(self.brackets) and self.brackets[-1] == "(" and "v" not in self.brackets

    @property
    def in_pattern(self) -> bool:
        """Whether a clause of a group can begin here."""
        return not self.brackets or self.brackets[-1] not in "(["


def check_query(text: str, max_length: int = MAX_LENGTH, max_depth: int = MAX_DEPTH) -> QueryForm | None:
    """The form of a query that may run; None where it has none (the engine's parser will say what is wrong).

    Raises QueryRefused for SERVICE, updates, nesting deeper than ``max_depth`` and texts beyond ``max_length``,
    BadQuery for nothing but white space and comments.
    """
    _check_length(text, max_length)
    if next(tokens(text), None) is None:
        raise BadQuery("the query is empty: line 1, column 1", "ask something: SELECT ?name { ?x rdfs:label ?name }")
    form = _form(text)
    _follow_all(text, _Reading(), max_depth)
    return form


def check_update(text: str) -> tuple[Token, ...] | None:
    """The tokens of an update that may run, outside its outermost brackets; None where it can be read in two ways.

    Raises QueryRefused for SERVICE, LOAD, nesting deeper than :data:`MAX_DEPTH`, texts beyond :data:`MAX_LENGTH`.
    """
    _check_length(text, MAX_LENGTH)
    readings = _follow_all(text, _Reading(top=[]), MAX_DEPTH)
    return tuple(readings[0].top or ()) if len(readings) == 1 else None


def _check_length(text: str, max_length: int) -> None:
    if len(text) > max_length:
        raise QueryRefused(f"the query has {len(text):,} characters, the limit is {max_length:,}", "shorten it")


def _follow_all(text: str, first: _Reading, max_depth: int) -> list[_Reading]:
    """Follows every way of reading the text from ``first``."""
    readings, followed = [first], []
    while readings:
        followed.append(readings.pop())
        if len(followed) > _MAX_READINGS:
            raise QueryRefused("the query can be read in too many ways", 'put a space after every "<" that compares')
        readings += _follow(text, followed[-1], max_depth)
    return followed


def _form(text: str) -> QueryForm | None:
    for token in tokens(text):
        if token.kind == "word" and token.text.upper() not in _PROLOGUE:
            word = token.text.upper()
            if word in _UPDATES:
                raise QueryRefused("updates are not accepted here", "send a SELECT, ASK, CONSTRUCT or DESCRIBE query")
            # The engine needs no space after a keyword ("ASKWHERE{…}").
            return next((form for form in QueryForm if word.startswith(form.value)), None)
        if token.text == "{":
            return None
    return None


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a query in order, white space and comments left out."""
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "space":
            yield Token(match.lastgroup or "", match[0], match.start(), match.end())


def _follow(text: str, reading: _Reading, max_depth: int) -> list[_Reading]:
    """Follows one reading to its end; gives the others that branch off from it."""
    others: list[_Reading] = []
    while (match := _TOKEN.match(text, reading.at)) is not None:
        kind, word = match.lastgroup or "", match[0]
        reading.at = match.end()
        if kind == "space":
            continue
        if kind == "run":
            # Each letter of a long run could begin a name: judging it would take time in its length squared.
            raise QueryRefused("the query holds a name of more than 256 characters", "shorten it")
        if kind == "iri" and reading.in_expression and reading.before in _OPERAND and _hides(word):
            others.append(reading.fork(match.start() + 1))
        _refuse_call(reading, kind, word)
        _track_values(reading, kind, word)
        outside = not reading.brackets
        if kind == "other":
            _track_brackets(reading, word, max_depth)
        if reading.top is not None and (outside or not reading.brackets):
            _refuse_load(reading.top, kind, word)
            reading.top.append(Token(kind, word, match.start(), match.end()))
        reading.before = "word" if word in (")", "}", "]") else kind
    return others


def _hides(iri: str) -> bool:
    """Whether reading this as "less than" and what follows could move the ends of strings, comments or groups."""
    return any(c in "'#()\\" for c in iri)


def _refuse_call(reading: _Reading, kind: str, word: str) -> None:
    """Counts down from the word SERVICE to the brace that makes it a call: at most SILENT and a name between."""
    if word == "{" and reading.called:
        raise QueryRefused("SERVICE is not available: queries run on this knowledge base alone", "leave it out")
    lower = word.lower()
    prefix, _, local = lower.partition(":")
    if reading.in_pattern and (
        (kind == "word" and "service" in lower) or (kind == "name" and ("service" in prefix or ".service" in local))
    ):
        reading.called = 3
    elif kind in ("word", "name", "iri", "var"):
        reading.called = max(0, reading.called - 1)
    else:
        reading.called = 0


def _refuse_load(top: list[Token], kind: str, word: str) -> None:
    """LOAD outside all brackets; the engine needs no space after it ("LOADSILENT<…>", "LOADex:doc")."""
    if not word.lower().startswith("load") or kind not in ("word", "name"):
        return
    named = kind == "name" and top and top[-1].kind == "word" and not top[-1].text.upper().startswith("LOAD")
    if not named:
        raise QueryRefused("LOAD is not available: nothing is fetched from elsewhere", "send the data itself")


def _track_values(reading: _Reading, kind: str, word: str) -> None:
    if kind == "word" and word.upper() == "VALUES":
        reading.data = "v"
    elif kind != "var" and word not in ("(", ")", "{"):
        reading.data = ""


def _track_brackets(reading: _Reading, word: str, max_depth: int) -> None:
    if word in _OPEN:
        reading.brackets.append("v" if word == "{" and reading.data else word)
        if word == "{":
            reading.data = ""
        if len(reading.brackets) > max_depth:
            raise QueryRefused(f"the query nests deeper than {max_depth} levels", "flatten it")
    elif word == "}":
        # A brace ends every bracket that was left open inside it.
        while reading.brackets and reading.brackets.pop() not in "{v":
            pass
    elif word in _CLOSE and reading.brackets and reading.brackets[-1] == _OPEN[_CLOSE.index(word)]:
        reading.brackets.pop()


_TWO_DATASETS = "the update names its dataset (USING or WITH) and so does the request"


def with_dataset(update: str, default: Sequence[str], named: Sequence[str]) -> str:
    """The update, every WHERE of which is evaluated on these graphs. The IRIs are known to be valid.

    Raises QueryRefused (see :func:`kg.stores.guard.check_update`), BadQuery where the update names graphs itself.
    """
    tokens = check_update(update)
    if not default and not named:
        return update
    if tokens is None:
        raise BadQuery("the update can be read in two ways", 'put a space after every "<" that compares')
    using = "".join([f" USING <{iri}>" for iri in default] + [f" USING NAMED <{iri}>" for iri in named])
    parts, at = [], 0
    for operation in _operations(tokens):
        if any(_is(token, "USING", "WITH") and not _is_named(before) for before, token in operation):
            raise BadQuery(_TWO_DATASETS, "leave one of the two out")
        for place, insertion, end in _insertions(update, [token for _, token in operation], using):
            parts += [update[at:place], insertion]
            at = end
    return "".join([*parts, update[at:]])


def _operations(tokens: Sequence[Token]) -> Iterator[list[tuple[Token | None, Token]]]:
    """The operations of a request, each token with the one before it."""
    operation: list[tuple[Token | None, Token]] = []
    for before, token in pairwise((None, *tokens)):
        assert token is not None
        if token.text == ";":
            yield operation
            operation = []
        else:
            operation.append((before, token))
    yield operation


def _is(token: Token, *keywords: str) -> bool:
    # The engine needs no space after a keyword ("USINGNAMED<…>").
    return token.kind in ("word", "name") and token.text.upper().startswith(keywords)


def _is_named(before: Token | None) -> bool:
    """Whether the next token is a prefix being declared, not a keyword."""
    return before is not None and before.text.upper() == "PREFIX"


def _insertions(update: str, tokens: Sequence[Token], using: str) -> Iterator[tuple[int, str, int]]:
    """What takes the place of which stretch of the text: start, replacement, end."""
    for i, token in enumerate(tokens):
        word = token.text.upper()
        if token.kind != "word" or word not in ("WHERE", "DELETEWHERE"):
            continue
        short = word == "DELETEWHERE" or (i > 0 and tokens[i - 1].text.upper() == "DELETE")
        if short and len(tokens) > i + 2:
            # DELETE WHERE { P } stands for DELETE { P } WHERE { P }, and only that form takes USING.
            pattern = update[tokens[i + 1].start : tokens[i + 2].end]
            start = token.start if word == "DELETEWHERE" else tokens[i - 1].start
            yield start, f"DELETE {pattern}{using} WHERE", token.end
        else:
            yield token.start, f"{using} ", token.start
