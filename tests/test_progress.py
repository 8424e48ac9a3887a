"""How far a build is: rate, time left of all stages, lines where nobody watches a bar."""

from __future__ import annotations

import pytest

from kg.app import console
from kg.app.console import Course, roughly


class Clock:
    """Seconds that pass when told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_time_left_is_that_of_all_stages() -> None:
    clock = Clock()
    course = Course(clock)
    course.tell("a.md", 0, 4)
    assert (course.rate, course.left_s) == (None, None)
    assert course.sentence() == "reading 0 of 4"
    clock.now += 10
    course.tell("b.md", 1, 4)
    # an eighth of the build is done in ten seconds
    assert (course.rate, course.left_s) == (0.1, pytest.approx(70))
    assert course.sentence() == "reading 1 of 4, 0.1 documents a second, about 1 minute left"
    clock.now += 30
    course.tell("graph", 0, 2)
    assert (course.rate, course.left_s) == (None, pytest.approx(40))
    clock.now += 8
    course.tell("indexes", 1, 2)
    course.tell("index of a.md", 0, 4)
    assert course.sentence() == "indexes 0 of 4, about 30 seconds left"
    clock.now += 8
    course.tell("index of b.md", 1, 4)
    assert (course.rate, course.left_s) == (0.125, pytest.approx(56 * 0.3 / 0.7))
    course.tell("done", 2, 2)
    assert course.left_s == 0


def test_what_is_skipped_says_nothing_of_the_speed() -> None:
    clock = Clock()
    course = Course(clock)
    clock.now += 1_000
    course.tell("indexes", 1, 2)
    course.tell("index of a.md", 0, 2)
    assert course.left_s is None
    clock.now += 5
    course.tell("index of b.md", 1, 2)
    assert course.left_s == pytest.approx(5)


def test_a_stage_slower_than_those_before_it_needs_what_it_needs() -> None:
    clock = Clock()
    course = Course(clock)
    course.tell("a.md", 0, 1_000)
    clock.now += 60
    course.tell("indexes", 1, 2)
    course.tell("index of a.md", 0, 1_000)
    clock.now += 20
    course.tell("index of b.md", 10, 1_000)
    assert course.left_s == pytest.approx(990 * 2)


def test_documents_that_are_read_again_begin_anew() -> None:
    clock = Clock()
    course = Course(clock)
    course.tell("a.md", 0, 1)
    clock.now += 500
    course.tell("old.md", 0, 2)
    clock.now += 2
    course.tell("older.md", 1, 2)
    assert (course.rate, course.left_s) == (0.5, pytest.approx(6))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(3, "10 seconds"), (34.9, "30 seconds"), (60, "1 minute"), (3_599, "60 minutes"), (9_000, "2 hours")],
)
def test_a_time_in_its_largest_unit(seconds: float, said: str) -> None:
    assert roughly(seconds) == said


def test_a_build_that_tells_no_terminal_says_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = Clock()
    tell = console.lines(Course(clock))
    for done in range(8):
        tell(f"{done}.md", done, 8)
        clock.now += 12
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "Building: reading 3 of 8, 0.1 documents a second, about 3 minutes left",
        "Building: reading 6 of 8, 0.1 documents a second, about 2 minutes left",
    ]
