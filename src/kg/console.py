"""What commands print: plain sentences and tables, nothing that a pipe would have to clean up."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from kg.model import Answer, Citation
    from kg.progress import Course
    from kg.reports import BuildReport, CheckReport, Explanation

_INDENT = "    "
LINE_EVERY_S = 30.0
"""How often a build that tells no terminal says how far it is."""


def say(text: str = "") -> None:
    """A line on standard output, at once: a server's address is waited for."""
    print(text, flush=True)


def complain(message: str, hint: str = "") -> None:
    """One sentence and its hint on standard error."""
    first = message.split(" ", 1)[0]  # a file's name keeps its case
    sentence = message[:1].upper() + message[1:] if first.isalpha() else message
    print(f"Error: {sentence}" + ("" if sentence.endswith((".", "!", "?")) else "."), file=sys.stderr)
    if hint:
        print(f"Hint: {hint}", file=sys.stderr)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> None:
    """A table; columns named in ``numbers`` are set to the right. Nothing is cut where the output is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    made: Table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        made.add_column(Text(head), justify="right" if head in numbers else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    if not console.is_terminal:
        console = Console(highlight=False, width=_width(heads, rows))
    with console.capture() as captured:
        console.print(made)
    say("\n".join(line.rstrip() for line in captured.get().splitlines()))


def _width(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    from rich.cells import cell_len

    columns = [
        max(cell_len(line) for cell in column for line in cell.splitlines() or [""])
        for column in zip(heads, *rows, strict=True)
    ]
    return sum(columns) + 3 * len(columns) + 4


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on a terminal's standard error, with rate and time left; elsewhere a line now and then."""
    from rich.console import Console

    from kg.progress import Course, roughly

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
    parts = [
        f"{len(names):,} {word}"
        for word, names in (
            ("added", report.added),
            ("changed", report.changed),
            ("unchanged", report.unchanged),
            ("removed", report.removed),
            ("failed", report.failed),
        )
        if names or word in ("added", "changed", "unchanged")
    ]
    say("Documents: " + ", ".join(parts))
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
    if answer.explanation:
        say(answer.explanation)
    if answer.status == "abstained" and answer.reason is not None:
        say(f"({answer.reason.replace('_', ' ')})")
    for conflict in answer.conflicts:
        values = "; ".join(f"{v.value} ({v.status}) {_numbers(v.citations)}".rstrip() for v in conflict.values)
        say(f"Documents disagree on {conflict.property}: {values}")
    if answer.citations:
        say("\n" + ("Nearest passages:" if answer.status == "abstained" else "Sources:"))
    for citation in answer.citations:
        _show_citation(citation)
    if answer.sparql:
        say("\nSPARQL:")
        say("\n".join(_INDENT + line for line in answer.sparql.strip().splitlines()))


def _numbers(citations: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in citations)


def _show_citation(citation: Citation) -> None:
    say(f"[{citation.id}] {place(citation.title, citation.heading, citation.page)}")
    for line in citation.quote.splitlines():
        say(_INDENT + line)


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
        standing = ("open, " if claim.open else "") + claim.status + ("" if claim.asserted else ", not asserted")
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
