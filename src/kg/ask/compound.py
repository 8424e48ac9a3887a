"""Compound questions: "When was it opened, and how many lamps has it?" is asked part by part, answered as one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from kg.ask.question import OWNING
from kg.model import Answer, Citation, Conflict
from kg.syntax.parser import shipped
from kg.syntax.parser import words as spans_of_words
from kg.syntax.sentence import Phrases, Sentence
from kg.text import terms as w
from kg.text.asking_clause import LED, WH
from kg.text.spans import dates, numbers
from kg.text.terms import tokens

_LED = rf"{LED}{WH}\b"
_OPENS = re.compile(_LED, re.IGNORECASE)
_ENDS = re.compile(
    rf",?\s+(?:(?:and|but)\s+(?={_LED})|and\s+(?=(?:is|are|was|were|does|can|has|have|had|will)\s+(?:it|they|he|she)\b))",
    re.IGNORECASE,
)
# "When and where was Ada Wren born?": one clause, asked for two things.
_SCALED = rf"{WH}(?: (?:long|often|much|far))?"
_SHARED = re.compile(rf"(?P<one>{_SCALED}) and (?P<two>{_SCALED}) (?P<rest>(?P<aux>\w+) .+)", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|theirs|he|she|him|his|her|hers)\b", re.IGNORECASE)
_BEFORE_VERB = w.words("it they he she i we you this that these those there its their his her the a an my our")
_MOST = 4
_LEAST = 3  # words of a part; a shorter one ("and when?") leans on the other
_REACH = 5  # words of what is asked for ("which other old towers") before the verb
_LABEL = 60  # characters of an answer that a pronoun may stand for


def parts(question: str) -> tuple[str, ...]:
    """The questions that one consists of, in order; the question alone where it is one.

    >>> parts("When was the tower built, and how many lamps does it have?")
    ('When was the tower built?', 'How many lamps does it have?')
    >>> parts("When and where was Ada Wren born?")
    ('When was Ada Wren born?', 'Where was Ada Wren born?')
    >>> parts("Who says when and by whom the tower was built?")
    ('Who says when and by whom the tower was built?',)
    """
    found = _clauses(" ".join(question.split()).rstrip("? "))
    return found if 1 < len(found) <= _MOST else (question,)


def _clauses(text: str) -> tuple[str, ...]:
    shared = _SHARED.fullmatch(text)
    if shared is not None and shared["aux"].casefold() in w.AUXILIARIES:
        return _asked(f"{shared['one']} {shared['rest']}"), _asked(f"{shared['two']} {shared['rest']}")
    for end in _ENDS.finditer(text):
        first, second = text[: end.start()], text[end.end() :]
        if _is_question(first) and _is_main(second):
            return (_asked(first), *_clauses(second))
    return (_asked(text),) if text else ()


def _asked(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}?"


def _is_question(text: str) -> bool:
    """Whether it asks one thing by itself: nothing in it is said to be asked, as in "who says when …"."""
    opens = _OPENS.match(text)
    inside = text[opens.end() :] if opens else text
    words = [t.lower for t in tokens(inside)]
    if len(words) + bool(opens) < _LEAST or re.search(rf"\b{WH}\b", inside, re.IGNORECASE):
        return False
    if opens is None:
        return words[0] in w.AUXILIARIES
    # "Which file system and which rule system were removed", "what do ferries and what …": no verb yet.
    verb = opens.group().casefold() in ("who", "what") or bool(w.AUXILIARIES & set(words))
    return len(words) >= _LEAST or (verb and words[0] not in ("do", "does", "did"))


def _is_main(text: str) -> bool:
    """Whether a clause asks by itself: its auxiliary stands before its subject, or what is asked for is the subject."""
    words = [t.lower for t in tokens(text)]
    if len(words) < _LEAST or "each" in words:
        return False
    opens = _OPENS.match(text)
    if opens is None:
        return True
    after = [t.lower for t in tokens(text[opens.end() :])]
    auxiliary = next((n for n, word in enumerate(after[: _REACH + 1]) if word in w.AUXILIARIES), None)
    if auxiliary is not None:
        return not _BEFORE_VERB & set(after[:auxiliary])
    subject = re.search(r"(?:who|what|which)$", opens.group(), re.IGNORECASE)
    return subject is not None and not _BEFORE_VERB & set(after[:1])


def readings(part: str, before: Sequence[tuple[str, Answer]]) -> tuple[str, ...]:
    """What a part may mean whose pronoun stands for something said before: what was asked about, or the answer.

    ``before``: the earlier parts with their answers. The part alone where it has no pronoun, or nothing was said.
    """
    pronoun = _PRONOUN.search(part)
    if pronoun is None or not before:
        return (part,)
    asked, answer = before[-1]
    meant = [_topic(asked), _thing(answer)]
    owning = "'s" if pronoun.group().casefold() in OWNING else ""
    said = (f"{part[: pronoun.start()]}{name}{owning}{part[pronoun.end() :]}" for name in meant if name)
    return tuple(dict.fromkeys(said)) or (part,)


def _thing(answer: Answer) -> str:
    """The one thing that an answer names, that a pronoun may stand for: no figure, date or sentence; "" if none."""
    label = answer.answers[0].label if len(answer.answers) == 1 else ""
    return label if len(label) <= _LABEL and not (numbers(label) or dates(label)) else ""


def _topic(question: str) -> str:
    """The noun phrase that a question is about, as written: its subject, or its object where that is asked for."""
    parser, spans = shipped(), spans_of_words(question)
    if parser is None:
        return ""
    parsed = parser.parse(tuple(question[start:end] for start, end in spans))
    tree, phrases = Sentence(parsed), Phrases(Sentence(parsed))
    for label in ("nsubj", "obj", "nmod", "obl"):
        for place in range(len(parsed)):
            named = tree.label(place).split(":")[0] == label and parsed.tags[place] in ("NOUN", "PROPN")
            if named and not any(_OPENS.fullmatch(parsed.words[b]) for b in (place, *tree.below[place])):
                phrase = phrases.phrase(place)
                return question[spans[phrase.start][0] : spans[phrase.end - 1][1]]
    return ""


def answered_in_parts(question: str, ask: Callable[[str], Answer], limit: int | None = None) -> Answer | None:
    """The answers to the parts of a question as one; None where it has no parts, or none of them is answered.

    ``ask``: answers a question that stands by itself. ``limit``: citations at most.
    """
    asked = parts(question)
    if len(asked) < 2:
        return None
    given: list[tuple[str, Answer]] = []
    timings: dict[str, float] = {}
    for part in asked:
        read = [ask(reading) for reading in readings(part, given)]
        for step, ms in chain.from_iterable(answer.timings_ms.items() for answer in read):
            timings[step] = round(timings.get(step, 0.0) + ms, 1)
        given.append((part, max(read, key=lambda a: (a.status == "answered", a.confidence))))
    if not any(answer.status == "answered" for _, answer in given):
        return None
    return replace(together(question, asked, [answer for _, answer in given], limit), timings_ms=timings)


def together(question: str, asked: Sequence[str], given: Sequence[Answer], limit: int | None = None) -> Answer:
    """One answer of those to the parts, of which at least one is answered; of the others it says that they aren't.

    ``limit``: citations at most, those of the first parts.
    """
    answered = [a for a in given if a.status == "answered"]
    cited = _cited(answered, limit)
    queries = [a for a in answered if a.sparql is not None]
    told = [a.answer if a.status == "answered" else f"{part} {a.answer}" for part, a in zip(asked, given, strict=True)]
    how = (f"{part} {a.explanation}" for part, a in zip(asked, given, strict=True) if a.explanation)
    numbered = [_renumbered(a, cited) for a in answered]
    return Answer(
        question,
        "answered",
        "; ".join((*(text.removesuffix(".") for text in told[:-1]), told[-1])),
        tuple(item for a in numbered for item in a.answers),
        one_query([str(a.sparql) for a in queries]) if queries else None,
        _rows([a.bindings or {} for a in queries]) if queries else None,
        tuple(replace(citation, id=number) for citation, number in cited.values()),
        tuple(conflict for a in numbered for conflict in a.conflicts),
        confidence=min(a.confidence for a in answered),
        explanation=" ".join(how) or None,
    )


_Place = tuple[str, int, int]


def _place(citation: Citation) -> _Place:
    return citation.passage, citation.start, citation.end


def _cited(answers: Sequence[Answer], limit: int | None) -> dict[_Place, tuple[Citation, int]]:
    """What all cite with its number in the one answer, each quotation once."""
    once: dict[_Place, Citation] = {}
    for citation in chain.from_iterable(a.citations for a in answers):
        once.setdefault(_place(citation), citation)
    return {place: (once[place], number) for number, place in enumerate(list(once)[:limit], 1)}


def _renumbered(answer: Answer, cited: Mapping[_Place, tuple[Citation, int]]) -> Answer:
    """An answer whose items and disagreements cite by the numbers of the whole."""
    numbers = {c.id: cited[_place(c)][1] for c in answer.citations if _place(c) in cited}

    def moved(citations: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(numbers[n] for n in citations if n in numbers))

    def of_conflict(conflict: Conflict) -> Conflict:
        values = tuple(replace(v, citations=moved(v.citations)) for v in conflict.values)
        return replace(conflict, values=values)

    items = tuple(replace(i, citations=moved(i.citations)) for i in answer.answers)
    return replace(answer, answers=items, conflicts=tuple(map(of_conflict, answer.conflicts)))


_HEAD = re.compile(r"(?:PREFIX [^\n]*\n)*")


def one_query(queries: Sequence[str]) -> str:
    """A query that gives the rows of all: their union, the prefixes declared once.

    Each declares its prefixes in lines before it and is a SELECT (https://www.w3.org/TR/sparql11-query/#subqueries).
    """
    if len(queries) == 1:
        return queries[0]
    heads = [_HEAD.match(q).group() for q in queries]  # type: ignore[union-attr]
    prefixes = sorted({line for head in heads for line in head.splitlines()})
    bodies = [textwrap.indent(q.removeprefix(head).strip(), "    ") for q, head in zip(queries, heads, strict=True)]
    union = "\n  } UNION {\n".join(bodies)
    return "\n".join((*prefixes, f"SELECT * WHERE {{\n  {{\n{union}\n  }}\n}}"))


def _rows(results: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """The rows of several SPARQL results (JSON), one after the other."""
    names = dict.fromkeys(chain.from_iterable(r.get("head", {}).get("vars", []) for r in results))
    rows = list(chain.from_iterable(r.get("results", {}).get("bindings", []) for r in results))
    return {"head": {"vars": list(names)}, "results": {"bindings": rows}}
