"""SPARQL updates with a dataset given beside them: ``using-graph-uri`` of the SPARQL 1.1 Protocol (§2.2.3).

The engine has no such parameters, so the update is written with USING clauses, which mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kg.errors import BadQuery
from kg.guard import Token, check_update

_TWO_DATASETS = "the update names its dataset (USING or WITH) and so does the request"


def with_dataset(update: str, default: Sequence[str], named: Sequence[str]) -> str:
    """The update, every WHERE of which is evaluated on these graphs. The IRIs are known to be valid.

    Raises QueryRefused (see :func:`kg.guard.check_update`), BadQuery where the update names graphs itself.
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
