"""Text cut into words as the English Web Treebank cuts it: clitics, punctuation and most hyphens stand alone."""

from __future__ import annotations

import re

Span = tuple[int, int]

_WORD = re.compile(
    r"(?:https?://|www\.)[^\s<>()\"“”]*[\w/]"  # addresses
    r"|[^\W\d_][\w.+-]*@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[A-Za-z]\.){2,}"  # "U.S."
    r"|(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Corp|Co|Ltd|vs|etc|No)\.(?=\s|,|$)"
    r"|(?:co|re|pre|post|non|anti|ex|pro|multi|semi|mid|e)-[^\W\d_]+"
    r"|\d+(?:[.,:/]\d+)+(?:[A-Za-z]+)?"  # "1,000", "3.5", "12:30"
    r"|[^\W_]+(?:[.·_&/+](?=[^\W_])[^\W_]+)*(?:-\d(?:[\w.]*\w)?)*\+*"  # "torch.sum", "GPT-4"
    r"|\.{2,}|-{2,}|\S"
)
_NEGATED = re.compile(r"[^\W\d_]+?(?=n[’']t\b)", re.IGNORECASE)
_CLITIC = re.compile(r"[’'](?:s|re|ve|ll|d|m)\b", re.IGNORECASE)


def words(text: str) -> list[Span]:
    """Where the words of a text stand, in code points.

    >>> text = "OpenAI's well-known GPT-4 didn't fail."
    >>> [text[a:b] for a, b in words(text)]
    ['OpenAI', "'s", 'well', '-', 'known', 'GPT-4', 'did', "n't", 'fail', '.']
    """
    found: list[Span] = []
    at = 0
    while match := _WORD.search(text, at):
        start, at = match.span()
        negated, clitic = _NEGATED.match(text, start), _CLITIC.match(text, start)
        if negated and negated.end() > start + 1:
            found.append(negated.span())
            start, at = negated.end(), negated.end() + 3
        elif clitic:
            at = clitic.end()
        found.append((start, at))
    return found
