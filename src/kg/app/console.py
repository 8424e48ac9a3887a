"""What commands share: the knowledge base that is meant, and what they print.

Plain sentences and tables, nothing that a pipe would have to clean up.

How far a build is, from what it tells of itself: the rate of the stage at work, the time left of all stages.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from kg.model import Answer
    from kg.reports import BuildReport, CheckReport, Explanation
    from kg.settings import Settings

Kb = Annotated[
    Path | None,
    typer.Option("--kb", metavar="DIR", help="Folder of the knowledge base. [default: ./kb]", show_default=False),
]
"""The flag of every command that opens a knowledge base."""


def settings_for(kb: Path | None, **sections: Mapping[str, Any]) -> Settings:
    """The settings in force; ``sections`` hold flags that were given (others keep what file and environment say)."""
    from kg.settings import load_settings

    flags: dict[str, Any] = {} if kb is None else {"kb": kb}
    given = {name: {k: v for k, v in values.items() if v is not None} for name, values in sections.items()}
    return load_settings(**flags, **{name: values for name, values in given.items() if values})


_REACHED = {"reading": 0.0, "graph": 0.5, "indexes": 0.6, "done": 1.0}
"""How much of a build from nothing is behind it where a stage begins, roughly; in the stages' order."""
_UNITS = ((3600, 1, "hour"), (60, 1, "minute"), (1, 10, "second"))


def stage_of(what: str) -> str:
    """The stage that a build tells of.

    >>> stage_of("notes/lights.md"), stage_of("index of notes/lights.md"), stage_of("graph")
    ('reading', 'indexes', 'graph')
    """
    return what if what in _REACHED else "indexes" if what.startswith("index of ") else "reading"


def share_done(stage: str, part: float) -> float:
    """How much of a build is done when a part of a stage is.

    >>> share_done("reading", 0.5), share_done("done", 0.0)
    (0.25, 1.0)
    """
    later = [share for share in _REACHED.values() if share > _REACHED[stage]]
    return _REACHED[stage] + part * (min(later, default=1.0) - _REACHED[stage])


class Course:
    """A build's way through its stages. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._began = self._stage_began = clock()
        self._first = self._share = 0.0
        self.stage, self.done, self.total = "", 0, 0

    def tell(self, what: str, done: int, total: int) -> None:
        """Takes what a build tells: at what it is, how many are done and of how many."""
        stage, now = stage_of(what), self.clock()
        documents = what not in _REACHED  # else stages are counted
        share = share_done(stage, done / total if documents and total else 0.0)
        if not self.stage or (stage == "reading" and not done):
            self._began, self._first = now, share  # what is skipped at the beginning says nothing of the speed
        if stage != self.stage or not done:
            self._stage_began = now
        self._share, self.stage = share, stage
        self.done, self.total = (done, total) if documents else (0, 0)

    @property
    def rate(self) -> float | None:
        """Documents a second of the stage at work; None until one is done."""
        seconds = self.clock() - self._stage_began
        return self.done / seconds if self.done and seconds > 0 else None

    @property
    def left_s(self) -> float | None:
        """Seconds left of this and the later stages, at the speed so far; None until there is one.

        At least what the stage at work needs at its own rate: many small documents are read faster than indexed.
        """
        gone = self._share - self._first
        if gone <= 0:
            return None
        here = (self.total - self.done) / self.rate if self.rate else 0.0
        return max(here, (self.clock() - self._began) * (1 - self._share) / gone)

    def sentence(self) -> str:
        """All of that in one line."""
        parts = [f"{self.stage} {self.done:,} of {self.total:,}" if self.total else self.stage]
        if self.rate:
            parts.append(f"{self.rate:.1f} documents a second")
        if self.left_s is not None:
            parts.append(f"about {roughly(self.left_s)} left")
        return ", ".join(parts)


def roughly(seconds: float) -> str:
    """A time in its largest unit.

    >>> roughly(48.2), roughly(61), roughly(7400), roughly(0)
    ('50 seconds', '1 minute', '2 hours', '10 seconds')
    """
    size, step, unit = next((u for u in _UNITS if seconds >= u[0]), _UNITS[-1])
    count = max(1, round(seconds / size / step)) * step
    return f"{count} {unit}" + ("s" if count > 1 else "")


_INDENT = "    "
_WIDE = 1_000_000  # columns of an output that is no terminal
LINE_EVERY_S = 30.0
"""How often a build that tells no terminal says how far it is."""


def say(text: str = "") -> None:
    """A line on standard output, at once: a server's address is waited for."""
    print(text, flush=True)


def complain(message: str, hint: str = "") -> None:
    """One sentence and its hint on standard error, in its own case: it may begin with a name or a path."""
    print(f"Error: {message}" + ("" if message.endswith((".", "!", "?")) else "."), file=sys.stderr)
    if hint:
        print(f"Hint: {hint}", file=sys.stderr)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """A table; columns named in ``numbers`` are set to the right. Nothing is cut where the output is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDE)
    made: Table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        made.add_column(Text(head), justify="right" if head in numbers else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    with console.capture() as captured:
        console.print(made)
    say("\n".join(line.rstrip() for line in captured.get().splitlines()))


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on a terminal's standard error, with rate and time left; elsewhere a line now and then."""
    from rich.console import Console

    console, course = Console(stderr=True), Course()
    if not console.is_terminal:
        yield lines(course)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, rate="", left="")

        def tell(what: str, done: int, total: int) -> None:
            course.tell(what, done, total)
            rate = f"{course.rate:.1f}/s" if course.rate else ""
            left = f"about {roughly(course.left_s)} left" if course.left_s is not None else ""
            bar.update(task, description=what, completed=done, total=total, rate=rate, left=left)

        yield tell


def lines(course: Course) -> Callable[[str, int, int], None]:
    """Says on standard error how far a build is, where the last time is long enough ago."""
    said = course.clock()

    def tell(what: str, done: int, total: int) -> None:
        nonlocal said
        course.tell(what, done, total)
        if course.clock() - said >= LINE_EVERY_S:
            said = course.clock()
            print(f"Building: {course.sentence()}", file=sys.stderr, flush=True)

    return tell


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "claim"), counted(2000, "claim")
    ('1 claim', '2,000 claims')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def place(title: str, heading: Sequence[str], page: int | None = None) -> str:
    """A document's title, the headings below it and the page; a first heading that is the title is said once.

    >>> place("Lights", ["Lights", "Drum"], 3)
    'Lights › Drum, page 3'
    """
    below = heading[1:] if heading and heading[0] == title else heading
    return " › ".join([title, *below]) + (f", page {page}" if page is not None else "")


def _by_kind(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} {count:,}" for name, count in ordered)


def show_build(report: BuildReport, folder: str) -> None:
    """What a build or removal did."""
    always, at_times = ("added", "changed", "unchanged"), ("removed", "failed")
    words = (*always, *(word for word in at_times if getattr(report, word)))
    say("Documents: " + ", ".join(f"{len(getattr(report, word)):,} {word}" for word in words))
    for failure in report.failed:
        named = failure.name in failure.message
        complain(failure.message if named else f"{failure.name}: {failure.message}", failure.hint)
    for warning in report.warnings:
        print(f"Warning: {warning}.", file=sys.stderr)
    for name in report.skipped:
        print(f"Skipped, no reader for it: {name}", file=sys.stderr)
    total = sum(report.claims.values())
    say(f"Claims: {total:,}" + (f" ({_by_kind(report.claims)})" if total else ""))
    if report.rejected:
        say(f"Not kept: {sum(report.rejected.values()):,} ({_by_kind(report.rejected)})")
    if report.spent:
        say(f"Language model: {report.spent}")
    triples = report.stats.get("triples")
    holds = counted(report.stats.get("documents", 0), "document")
    say(f"Knowledge base: {folder} ({holds}" + (f", {counted(triples, 'triple')})" if triples is not None else ")"))


def show_answer(answer: Answer) -> None:
    """The answer, how it was made, what documents disagree on, numbered citations, the query."""
    say(answer.answer)
    if answer.explanation and answer.explanation not in answer.answer:
        say(answer.explanation)
    if answer.status == "abstained" and answer.reason is not None:
        say(f"({answer.reason.replace('_', ' ')})")
    for conflict in answer.conflicts:
        sides = ((side, "".join(f"[{number}]" for number in side.citations)) for side in conflict.values)
        values = "; ".join(f"{side.value} ({side.status}) {numbers}".rstrip() for side, numbers in sides)
        say(f"Documents disagree on {conflict.property}: {values}")
    if answer.citations:
        say("\n" + ("Nearest passages:" if answer.status == "abstained" else "Sources:"))
    for citation in answer.citations:
        say(f"[{citation.id}] {place(citation.title, citation.heading, citation.page)}")
        # Of a row of an HTML table within Markdown the quote is full of tags.
        readable = citation.plain if citation.plain and "</t" in citation.quote else citation.quote
        for line in readable.splitlines():
            say(_INDENT + line)
    if answer.sparql:
        say("\nSPARQL:")
        say("\n".join(_INDENT + line for line in answer.sparql.strip().splitlines()))


def show_check(report: CheckReport) -> None:
    """Everything that a check found, and what was looked at."""
    say("Checked: " + _by_kind(report.checked))
    for title, lines in (
        ("Problems", report.problems),
        ("Violated shapes", report.shacl),
        ("Disagreements between documents", report.conflicts),
    ):
        if lines:
            say(f"{title} ({len(lines):,}):")
            for line in lines:
                say(f"- {line}")
    say("Sound." if report.ok else "Not sound.")


def show_explanation(explanation: Explanation) -> None:
    """Names, types, merges, and every claim with its source; "open" marks properties that aren't the ontology's."""
    say(f"{explanation.label}  <{explanation.iri}>")
    for title, values in (("Types", explanation.types), ("Also called", explanation.aliases)):
        if values:
            say(f"{title}: {', '.join(values)}")
    for merge in explanation.merges:
        say(f"One entity because: {merge}")
    for claim in explanation.claims:
        parts = ("open" * claim.open, "denied" * claim.denied, claim.status, "" if claim.asserted else "not asserted")
        standing = ", ".join(filter(None, parts))
        say(
            f"\n{claim.subject} – {claim.predicate} – {claim.value or '(no value)'}  [{standing}, {claim.confidence:g}]"
        )
        if claim.said_by:
            say(f"{_INDENT}said by {claim.said_by}")
        if claim.rejection:
            say(f"{_INDENT}not kept: {claim.rejection}")
        source = claim.source
        say(f"{_INDENT}{place(source.title, source.heading)}: “{' '.join(source.quote.split())}”")
        say(f"{_INDENT}{claim.iri} ({', '.join(claim.extractors)})")
    if explanation.triples:
        say("\nSaid by the graph, by no document:")
    for triple in explanation.triples:
        say(_INDENT + " – ".join(triple))
