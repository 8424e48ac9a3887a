"""Commands with their output: the answers of name-server queries (dig, host, nslookup) as facts about the name asked.

The command says what is asked (a type of record, a name), each line of output is one answer. Records as zone files and
``dig`` print them in full (``name ttl IN TYPE data``) are read without a command too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.extract.build import About, Frame, Given, Property, claim, named
from kg.extract.classify import classes_of
from kg.extract.labels import NOTE, label_of
from kg.extract.properties import candidates, fits, kind_wanted, predicate_of
from kg.extract.source import Placed, Source, lines_of
from kg.extract.standing import section_frame
from kg.extract.values import Part
from kg.model import BlockKind, Claim, EntityName, Predicate, Text
from kg.text import quantities
from kg.text.stretch import Stretch

NAME = "commands"
_TYPES = r"A|AAAA|CNAME|MX|NS|PTR|TXT|SRV|CAA"
_HOST = r"(?:[A-Za-z0-9_*-]+\.)+[A-Za-z][A-Za-z0-9-]+\.?"
_IP = r"(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]*:(?:[0-9A-Fa-f]*:)+[0-9A-Fa-f.]*)"
_LABELS = {
    "MX": "mail server", "NS": "name server", "A": "IP address", "AAAA": "IP address", "CNAME": "canonical name",
    "PTR": "host name", "TXT": "text record", "SRV": "service record", "CAA": "certificate authority",
}  # fmt: skip
_PROMPT = re.compile(r"(?:[\w.-]+@[\w.-]+[^$#%>]*)?[$%>]\s+")
_COMMAND = re.compile(r"(?P<tool>dig|host|nslookup|drill|kdig)\s+(?P<words>\S.*)")
_ASKED_TYPE = re.compile(rf"(?:-(?:t|type=|q=|query=)\s*)?(?P<type>{_TYPES})", re.IGNORECASE)
_RECORD = re.compile(rf"(?P<name>{_HOST})\s+(?:\d+\s+)?(?:IN\s+)?(?P<type>{_TYPES})\s+(?P<data>\S.*)")
_TOLD = (
    (re.compile(rf"(?P<name>{_HOST}) has (?:IPv6 )?address (?P<data>{_IP})"), "A"),
    (re.compile(rf"(?P<name>{_HOST}) mail is handled by (?P<data>\d+ {_HOST})"), "MX"),
    (re.compile(rf"(?P<name>{_HOST})\s+mail exchanger = (?P<data>\d+ {_HOST})"), "MX"),
    (re.compile(rf"(?P<name>{_HOST})\s+(?:name server|nameserver =) (?P<data>{_HOST})"), "NS"),
    (re.compile(rf"(?P<name>{_HOST})\s+(?:is an alias for|canonical name =) (?P<data>{_HOST})"), "CNAME"),
)
_COMMENT = re.compile(r"\s+[#;]+\s*(?P<note>\S.*)$")
_PRIORITY = re.compile(rf"(?P<priority>\d{{1,5}})\s+(?P<host>{_HOST})")


@dataclass(frozen=True, slots=True)
class _Answer:
    """A record: the name asked, the type of the record, its data, and a comment behind it."""

    name: Stretch
    type: str
    data: Stretch
    note: Stretch | None
    asked: Stretch | None


def extract(source: Source) -> Iterator[Claim]:
    """Reads code blocks that hold queries and their answers."""
    for placed in source.placed:
        inline = placed.block.inline
        if placed.block.kind is BlockKind.CODE and inline is not None:
            for answer in _answers(Stretch(inline, 0, len(inline.text))):
                yield from _claims(source, placed, answer)


# --- reading -------------------------------------------------------------------------------------


def _answers(whole: Stretch) -> Iterator[_Answer]:
    asked: tuple[Stretch, str, Stretch] | None = None
    for line in lines_of(whole):
        prompt = _PROMPT.match(line.text)
        body = line.part(prompt.end()) if prompt else line
        if command := _COMMAND.fullmatch(body.text):
            asked = _asked(body, body.part(command.start("words")))
        elif prompt or line.text.startswith((";", "#")):
            asked = None if prompt else asked
        else:
            yield from _answer(line, asked)


def _asked(command: Stretch, words: Stretch) -> tuple[Stretch, str, Stretch] | None:
    """The name that a command asks about, the type of record, and the command."""
    name: Stretch | None = None
    type_ = ""
    for found in re.finditer(r"\S+", words.text):
        word = found.group()
        if typed := _ASKED_TYPE.fullmatch(word):
            type_ = typed["type"].upper()
        elif name is None and re.fullmatch(_HOST, word):
            name = words.part(found.start(), found.end())
    return (name, type_, command) if name is not None else None


def _answer(line: Stretch, asked: tuple[Stretch, str, Stretch] | None) -> Iterator[_Answer]:
    """What a line of output answers: a full record, a sentence of ``host``, or the data alone."""
    comment = _COMMENT.search(line.text)
    note = line.part(comment.start("note"), comment.end("note")) if comment else None
    body = line.part(0, comment.start()) if comment else line
    command = asked[2] if asked else None
    for pattern, type_ in ((_RECORD, ""), *_TOLD):
        if found := pattern.fullmatch(body.text):
            name = body.part(found.start("name"), found.end("name"))
            data = body.part(found.start("data"), found.end("data"))
            yield _Answer(name, type_ or found["type"], data, note, command)
            return
    if asked is None:
        return
    name, type_, _ = asked
    if re.fullmatch(_IP, body.text):
        yield _Answer(name, "A" if type_ != "AAAA" else type_, body, note, command)
    elif _PRIORITY.fullmatch(body.text) and type_ == "MX":
        yield _Answer(name, "MX", body, note, command)
    elif re.fullmatch(_HOST, body.text):
        yield _Answer(name, type_ if type_ not in ("", "A", "AAAA") else "CNAME", body, note, command)
    elif type_ == "TXT" and body.text.startswith('"'):
        yield _Answer(name, "TXT", body, note, command)


# --- claims --------------------------------------------------------------------------------------


def _claims(source: Source, placed: Placed, answer: _Answer) -> Iterator[Claim]:
    about = named(source, answer.name.part(0, len(answer.name.text.rstrip("."))))
    frame = section_frame(source, placed)
    asked = (answer.asked.span,) if answer.asked else ()
    if answer.type in ("A", "AAAA", "TXT", "SRV", "CAA"):
        text = answer.data.strip('"')
        if not text:
            return
        part = Part(Text(text.text), text)
        yield _one(source, about, _LABELS[answer.type], part, frame, asked)
    else:
        with_priority = _PRIORITY.fullmatch(answer.data.text)
        host = answer.data.part(with_priority.start("host")) if with_priority else answer.data
        host = host.part(0, len(host.text.rstrip(".")))
        part = Part(EntityName(host.text, classes_of(source, host.text)), host)
        yield _one(source, about, _LABELS[answer.type], part, frame, asked)
        if with_priority:
            number = answer.data.part(0, with_priority.end("priority"))
            ranked = About(part.value, (host.span,), host) if isinstance(part.value, EntityName) else about
            for found in quantities.find(number.text)[:1]:  # none in what could be a year
                yield _one(source, ranked, "priority", Part(found.value, number), frame, asked)
    if answer.note is not None:
        given = Given.words(answer.note)
        yield claim(source, NAME, about, Property(NOTE), given, frame)


def _one(
    source: Source, about: About, label: str, part: Part, frame: Frame, asked: tuple[tuple[int, int], ...]
) -> Claim:
    """One claim under the ontology's property that takes such a value, else an open one."""
    found = [p for p in candidates(source, label_of(label), about.classes) if kind_wanted(p) in (part.kind, None)]
    fitting = [p for p in found if fits(source.ontology, p, part)]
    value = part.value
    if fitting and isinstance(value, EntityName) and not value.classes and len(fitting[0].ranges) == 1:
        value = EntityName(value.surface, fitting[0].ranges)
    predicate = predicate_of(fitting[0]) if fitting else Predicate(label)
    return claim(source, NAME, about, Property(predicate, asked), Given.of(value, part.at), frame)
