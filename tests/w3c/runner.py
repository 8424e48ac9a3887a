"""Runs tests and holds what happens against the register of those that don't pass."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import evaluation, protocols
from .manifests import Suites, Test
from .server import Client

REGISTER = Path(__file__).with_name("register.toml")
LEFT_OUT = "http-rdf-update (deprecated by the W3C: its tests are prose, replaced by graph-store-protocol)"
_RUN: Mapping[str, Callable[[Client, Suites, Test], str]] = {
    "ProtocolTest": protocols.protocol,
    "GraphStoreProtocolTest": protocols.protocol,
    "ServiceDescriptionTest": protocols.description,
    "QueryEvaluationTest": evaluation.query,
    "CSVResultFormatTest": evaluation.query,
    "UpdateEvaluationTest": evaluation.update,
    "PositiveSyntaxTest11": evaluation.query_syntax,
    "NegativeSyntaxTest11": evaluation.query_syntax,
    "PositiveUpdateSyntaxTest11": evaluation.update_syntax,
    "NegativeUpdateSyntaxTest11": evaluation.update_syntax,
}
_LOADED_FIRST = ("QueryEvaluationTest", "CSVResultFormatTest")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of each test what is wrong with it, "" for nothing; and why the known ones fail."""

    tests: tuple[Test, ...]
    wrong: Mapping[str, str]
    known: Mapping[str, str]

    @property
    def surprises(self) -> list[str]:
        """Named tests that pass and unnamed ones that don't."""
        passing = [f"{t.name} passes, but the register names it" for t in self.tests if t.name in self.known]
        passing = [line for line in passing if not self.wrong[line.partition(" ")[0]]]
        failing = [f"{name}: {why}" for name, why in self.wrong.items() if why and name not in self.known]
        return passing + failing

    def by_suite(self) -> list[tuple[str, int, int]]:
        """Suites with how many of how many tests pass."""
        total = Counter(t.name.partition("/")[0] for t in self.tests)
        passed = Counter(t.name.partition("/")[0] for t in self.tests if not self.wrong[t.name])
        return [(suite, passed[suite], total[suite]) for suite in total]


def register(path: Path = REGISTER) -> dict[str, str]:
    """Tests that don't pass, with the reason."""
    groups = tomllib.loads(path.read_text(encoding="utf-8")).get("group", [])
    return {name: group["reason"] for group in groups for name in group["tests"]}


def run(client: Client, suites: Suites, tests: Sequence[Test], known: Mapping[str, str]) -> Outcome:
    """Runs the tests. Those of queries share one loading of all their data."""
    wrong: dict[str, str] = {}
    queries = [t for t in tests if t.kind in _LOADED_FIRST]
    if queries:
        evaluation.load_all(client, suites, queries)
    for test in [*queries, *(t for t in tests if t.kind not in _LOADED_FIRST)]:
        try:
            wrong[test.name] = _RUN[test.kind](client, suites, test)
        except (AssertionError, ValueError, SyntaxError) as error:
            wrong[test.name] = f"{type(error).__name__}: {error}"
    return Outcome(tuple(tests), wrong, known)


def select(tests: Iterable[Test], suites: Sequence[str]) -> list[Test]:
    """Tests of some suites; of all when none is named."""
    return [t for t in tests if not suites or t.name.partition("/")[0] in suites]
