"""The W3C's protocol suites, and that the runner of all of them tells what it should."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from .__main__ import FOLDER
from .manifests import Suites, Test
from .results import same_datasets, same_tables, same_terms, table_of
from .runner import Outcome, register, run, select
from .server import Client, serving

needs_suites = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the W3C's suites are not in {FOLDER}")
# Suites of which make test runs every test; make w3c runs all.
SHORT = ("protocol", "graph-store-protocol", "service-description", "csv-tsv-res", "json-res")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


@needs_suites
def test_protocol_suites_and_some_of_the_others(client: Client) -> None:
    suites = Suites(FOLDER)
    outcome = run(client, suites, select(suites.tests(), SHORT), register())
    assert outcome.surprises == []
    passed = {suite: (count, total) for suite, count, total in outcome.by_suite()}
    assert passed["protocol"] == (34, 34)
    assert passed["graph-store-protocol"] == (13, 13)
    assert passed["service-description"] == (3, 3)


@needs_suites
def test_every_name_of_the_register_is_a_test() -> None:
    names = {test.name for test in Suites(FOLDER).tests()}
    assert set(register()) <= names
    assert len(names) == len(Suites(FOLDER).tests())


def test_reasons_are_given_and_no_test_is_named_twice() -> None:
    known = register()
    assert all(len(reason) > 20 for reason in known.values())
    text = (Path(__file__).with_name("register.toml")).read_text(encoding="utf-8")
    assert all(text.count(f'"{name}"') == 1 for name in known)


def test_surprises_are_what_is_named_and_passes_and_what_is_not_and_fails() -> None:
    tests = tuple(Test(name, "ProtocolTest") for name in ("s/a", "s/b", "s/c", "t/d"))
    outcome = Outcome(tests, {"s/a": "", "s/b": "x", "s/c": "", "t/d": "y"}, {"s/c": "why", "t/d": "why"})
    assert outcome.surprises == ["s/c passes, but the register names it", "s/b: x"]
    assert outcome.by_suite() == [("s", 2, 3), ("t", 0, 1)]


JSON = '{"head":{"vars":["a","b"]},"results":{"bindings":[%s]}}'


def rows(*pairs: tuple[str, str]) -> bytes:
    cells = ",".join(f'{{"a":{a},"b":{b}}}' for a, b in pairs)
    return (JSON % cells).encode()


def blank(name: str) -> str:
    return f'{{"type":"bnode","value":"{name}"}}'


def literal(text: str, datatype: str = "string") -> str:
    return f'{{"type":"literal","value":"{text}","datatype":"http://www.w3.org/2001/XMLSchema#{datatype}"}}'


def test_tables_are_compared_up_to_order_and_blank_names() -> None:
    one, two = literal("1"), literal("2")
    came = table_of(rows((blank("x"), one), (blank("y"), two), (blank("x"), two)), ".srj")
    assert same_tables(came, table_of(rows((blank("q"), two), (blank("r"), two), (blank("r"), one)), ".srj"))
    assert not same_tables(came, table_of(rows((blank("q"), two), (blank("r"), two), (blank("q"), two)), ".srj"))
    assert not same_tables(came, table_of(rows((blank("q"), two), (blank("r"), one), (blank("s"), two)), ".srj"))
    assert not same_tables(came, table_of(rows((blank("x"), one)), ".srj"))
    assert not same_tables(came, True) and same_tables(True, True) and not same_tables(False, True)


def test_csv_and_tsv_results() -> None:
    expected = table_of(b"b,a\r\n1,_:x\r\n,_:x\r\n", ".csv")
    assert same_tables(table_of(b"a,b\r\n_:r,\r\n_:r,1\r\n", ".csv"), expected)
    assert not same_tables(table_of(b"a,b\r\n_:r,\r\n_:s,1\r\n", ".csv"), expected)
    assert same_tables(
        table_of(b'?a\t?b\n1\t"x"\n', ".tsv"), table_of(rows((literal("1", "integer"), literal("x"))), ".srj")
    )


def test_numbers_are_compared_by_value_within_their_type() -> None:
    def number(text: str, kind: str) -> ox.Literal:
        return ox.Literal(text, datatype=ox.NamedNode(f"http://www.w3.org/2001/XMLSchema#{kind}"))

    assert same_terms(number("1.0E0", "double"), number("1", "double"))
    assert not same_terms(number("1.0", "decimal"), number("1.0", "double"))
    assert not same_terms(number("1.0", "string"), number("1", "string"))
    assert same_terms(number("0", "boolean"), number("false", "boolean"))
    assert not same_terms(number("0", "boolean"), number("true", "boolean"))
    assert not same_terms(None, number("0", "integer"))


def test_datasets_are_compared_up_to_blank_names() -> None:
    def quads(text: str) -> list[ox.Quad]:
        return list(ox.parse(text.encode(), ox.RdfFormat.N_QUADS))

    came = quads("_:a <x:p> _:b <x:g> .\n_:b <x:p> _:a .\n")
    assert same_datasets(came, quads("_:c <x:p> _:d .\n_:d <x:p> _:c <x:g> .\n"))
    assert not same_datasets(came, quads("_:c <x:p> _:d .\n_:d <x:p> _:d <x:g> .\n"))
