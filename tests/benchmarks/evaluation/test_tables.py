"""Scoring of tables: what a right system gets, and what wrong ones don't."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.evaluation.cells import Value, fold_header, iso_date, same_text, same_value
from benchmarks.evaluation.sheets import Cell, Sheet, Thing, load, sheet_of
from benchmarks.evaluation.tables import Fact, build, judge, run
from kg.cli import app
from kg.errors import BadInput

GOLD: dict[str, Any] = {
    "product": "aurora",
    "title": "Aurora Lamp",
    "columns": {"releaseCycle": "Release", "lit": "First lit", "sold": "Sold", "latest": "Latest", "beam": "beamKm"},
    "releases": [
        {"releaseCycle": "1.1", "lit": "2021-05-03", "sold": False, "latest": "1.1.12", "beam": 12, "link": "x"},
        {"releaseCycle": "1.10", "lit": "2025-05-27", "sold": True, "latest": "1.10.0", "beam": 14.5},
    ],
}
DOCUMENT = """# Aurora Lamp

## Releases

| Release | First lit | Sold | Latest | beamKm |
|---|---|---|---|---|
| 1.1 | 2021-05-03 | No | 1.1.12 | 12 |
| 1.10 | 2025-05-27 | Yes | 1.10.0 | 14.5 |
"""


def folder(tmp_path: Path, *documents: tuple[str, str, Any]) -> Path:
    for name, text, gold in documents:
        for part, ending, content in (("documents", "md", text), ("gold", "json", json.dumps(gold))):
            (tmp_path / part).mkdir(exist_ok=True)
            (tmp_path / part / f"{name}.{ending}").write_text(content, encoding="utf-8")
    return tmp_path


# --- the pipeline judged ---------------------------------------------------------------------------


def test_a_document_that_says_what_its_gold_says_is_all_right(tmp_path: Path) -> None:
    sheets, facts = build(load(folder(tmp_path, ("aurora", DOCUMENT, GOLD))))
    assert judge(sheets, facts).shares == {"cells": 8, "right": 1.0, "facts": 10, "wrong": 0.0, "not_judged": 0}


def test_gold_of_other_rows_is_all_wrong(tmp_path: Path) -> None:
    swapped = [{**r, "releaseCycle": c} for r, c in zip(GOLD["releases"], ("1.10", "1.1"), strict=True)]
    sheets, facts = build(load(folder(tmp_path, ("aurora", DOCUMENT, {**GOLD, "releases": swapped}))))
    shares = judge(sheets, facts).shares
    assert shares["right"] == 0
    assert shares["wrong"] == 0.8  # only the rows' own names are right


def test_gold_of_other_columns_is_all_wrong(tmp_path: Path) -> None:
    columns = {"releaseCycle": "Release", "lit": "Sold", "sold": "First lit", "latest": "beamKm", "beam": "Latest"}
    sheets, facts = build(load(folder(tmp_path, ("aurora", DOCUMENT, {**GOLD, "columns": columns}))))
    shares = judge(sheets, facts).shares
    assert shares["right"] == 0 and shares["wrong"] == 0.8


def test_what_the_document_doesnt_state_is_no_fact(tmp_path: Path) -> None:
    text = "# Aurora Lamp\n\nA lamp of which nothing is tabled.\n"
    judged = judge(*build(load(folder(tmp_path, ("aurora", text, GOLD)))))
    assert {why for _, why in judged.cells} == {"no fact"}
    assert judged.shares["wrong"] == 0 and judged.shares["facts"] == 0


def test_equal_versions_of_two_products_stay_apart(tmp_path: Path) -> None:
    other = DOCUMENT.replace("Aurora", "Borealis").replace("2021", "2011")
    gold = json.loads(json.dumps({**GOLD, "title": "Borealis Lamp", "product": "borealis"}).replace("2021", "2011"))
    sheets, facts = build(load(folder(tmp_path, ("aurora", DOCUMENT, GOLD), ("borealis", other, gold))))
    assert judge(sheets, facts).shares == {"cells": 16, "right": 1.0, "facts": 20, "wrong": 0.0, "not_judged": 0}


# --- wrong systems ---------------------------------------------------------------------------------

SHEET = sheet_of("aurora.md", "Aurora Lamp", GOLD)


def literal(value: Any) -> Value:
    if isinstance(value, bool):
        return Value(str(value).lower(), "boolean")
    if isinstance(value, int | float):
        return Value(str(value), "decimal" if isinstance(value, float) else "integer")
    return Value(value, "date" if iso_date(value) else "string")


def thing(name: str) -> Thing:
    return Thing(f"e:{name}", frozenset({name}))


def right_fact(cell: Cell) -> Fact:
    subject = thing(f"Aurora Lamp {cell.row}")
    return Fact("aurora.md", subject, thing(cell.header), literal(cell.value), header=cell.header)


def test_a_right_system_scores_all() -> None:
    judged = judge([SHEET], map(right_fact, SHEET.cells))
    assert judged.shares == {"cells": 8, "right": 1.0, "facts": 8, "wrong": 0.0, "not_judged": 0}


@pytest.mark.parametrize(
    ("spoil", "failure"),
    [
        (lambda f: replace(f, subject=thing("Aurora Lamp")), "wrong subject"),
        (lambda f: replace(f, subject=thing("1.1.0")), "wrong subject"),
        (lambda f: replace(f, subject=thing("Borealis " + min(f.subject.names))), "wrong subject"),
        (lambda f: replace(f, property=thing("column 2")), "wrong property"),
        (lambda f: replace(f, property=thing("is")), "wrong property"),
        (lambda f: replace(f, asserted=False), "not asserted"),
        (lambda f: replace(f, value=Value("1999-01-01", "date")), "wrong value"),
        (lambda f: replace(f, value=Value("", "string")), "wrong value"),
        (lambda f: replace(f, exact=False), "wrong type"),
        (lambda f: replace(f, property=Thing("p:all", frozenset(SHEET.headers))), "merged property"),
        (lambda f: replace(f, subject=Thing("e:all", frozenset({"1.1", "1.10"}))), "merged subject"),
        (lambda f: replace(f, document="borealis.md"), "no fact"),
    ],
)
def test_a_system_that_is_wrong_throughout_scores_nothing(spoil: Callable[[Fact], Fact], failure: str) -> None:
    judged = judge([SHEET], [spoil(right_fact(cell)) for cell in SHEET.cells])
    assert judged.shares["right"] == 0
    assert {why for _, why in judged.cells} == {failure}
    assert not any(right for _, right in judged.facts)


def test_everything_as_a_string_gets_no_date_number_or_boolean() -> None:
    facts = [replace(f, value=replace(f.value, datatype="string")) for f in map(right_fact, SHEET.cells)]
    judged = judge([SHEET], facts)
    assert {c.header for c, why in judged.cells if not why} == {"Latest"}
    assert {why for c, why in judged.cells if c.header != "Latest"} == {"wrong type"}


def test_a_system_that_states_every_value_of_every_row_is_mostly_wrong() -> None:
    facts = [replace(right_fact(c), subject=thing(r)) for c in SHEET.cells for r in ("1.1", "1.10")]
    judged = judge([SHEET], facts)
    assert judged.shares["right"] == 1.0  # so the share of wrong facts is always given beside it
    assert judged.shares["wrong"] == 0.5


def test_one_entity_for_rows_of_two_products_is_wrong_for_both() -> None:
    other = sheet_of("borealis.md", "Borealis Lamp", {**GOLD, "title": "Borealis Lamp"})
    facts = [replace(right_fact(c), subject=thing(c.row), document=c.document) for s in (SHEET, other) for c in s.cells]
    judged = judge([SHEET, other], facts)
    assert judged.shares["right"] == 0 and judged.shares["wrong"] == 1.0


def test_a_fact_from_elsewhere_that_contradicts_a_cell_is_wrong() -> None:
    good = [right_fact(cell) for cell in SHEET.cells]
    prose = replace(good[0], value=Value("1999-01-01", "date"), header="")
    judged = judge([SHEET], [*good, prose])
    assert [fact for fact, right in judged.facts if not right] == [prose]


def test_the_same_triple_counts_once_and_other_columns_not_at_all() -> None:
    good = [right_fact(cell) for cell in SHEET.cells]
    remark = Fact("aurora.md", thing("1.1"), thing("Notes"), Value("fine", "string"), header="Notes")
    judged = judge([SHEET], [*good, *good, remark])
    assert judged.shares["facts"] == 8 and judged.shares["wrong"] == 0


# --- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "gold"),
    [
        (Value("true", "boolean"), True),
        (Value("false", "boolean"), "No"),
        (Value("12", "integer"), 12),
        (Value("12.0", "decimal"), 12),
        (Value("2021-05-03", "date"), "3 May 2021"),
        (Value("2021-05", "gYearMonth"), "May 2021"),
        (Value("2021", "gYear"), "2021"),
        (Value("2021", "string"), "2021"),
        (Value("1.10", "string"), "`1.10`"),
        (Value("e:x", "", frozenset({"Ada Holm"})), "[Ada  Holm](https://example.org)"),
    ],
)
def test_equal_values(value: Value, gold: Any) -> None:
    assert same_value(value, gold)


@pytest.mark.parametrize(
    ("value", "gold"),
    [
        (Value("true", "boolean"), False),
        (Value("true", "string"), True),
        (Value("1", "integer"), True),
        (Value("12", "string"), 12),
        (Value("1.1", "decimal"), "1.10"),
        (Value("1.10", "decimal"), "1.10"),
        (Value("1.1", "string"), "1.10"),
        (Value("2021-05-03", "string"), "2021-05-03"),
        (Value("2021-05-01", "date"), "2021-05"),
        (Value("2021", "gYear"), "2021-05-03"),
        (Value("2021", "integer"), "2021"),
        (Value("e:Ada", "", frozenset()), "e:Ada"),
    ],
)
def test_other_values(value: Value, gold: Any) -> None:
    assert not same_value(value, gold)


def test_a_number_under_a_header_of_versions_may_be_a_name() -> None:
    assert same_value(Value("8", "string"), 8, "minLampVersion")
    assert not same_value(Value("9", "string"), 8, "minLampVersion")
    assert not same_value(Value("8", "string"), 8, "Lamps")


def test_the_same_in_another_type() -> None:
    assert same_text(Value("2021-05-03", "string"), "3 May 2021")
    assert same_text(Value("yes", "string"), True)
    assert not same_text(Value("yes", "string"), False)
    assert same_text(Value("8.1", "decimal"), "8.10")


def test_headers_and_titles_are_folded() -> None:
    assert fold_header("supportedLampVersions") == fold_header("Supported lamp versions:")
    assert SHEET.row_of(thing("aurora lamp 1.1")) == {"1.1"}
    assert SHEET.row_of(thing("Lamp 1.10")) == {"1.10"}
    assert SHEET.row_of(thing("Skerry Lamp 1.10")) == set()
    assert SHEET.row_of(thing("1.10 Lamp")) == set()


# --- files -----------------------------------------------------------------------------------------


def test_run_prints_shares_and_writes_files(tmp_path: Path) -> None:
    here = folder(tmp_path, ("aurora", DOCUMENT.replace("14.5", "15"), GOLD))
    said: list[str] = []
    run(here, tmp_path / "figures.json", tmp_path / "errors.jsonl", said.append)
    assert said[0].split()[:3] == ["aurora.md", "7/8", "87.5%"]
    assert said[-1] == "cells 8 right 0.875 facts 10 wrong 0.1 not_judged 0"
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert figures["shares"]["right"] == 0.875 and figures["failures"] == {"wrong value": 1}
    errors = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [e["failure"] for e in errors] == ["wrong value", "wrong fact"]
    assert (errors[0]["row"], errors[0]["header"], errors[0]["gold"]) == ("1.10", "beamKm", 14.5)


def test_cells_are_the_fields_of_columns_that_rows_have() -> None:
    gold = {**GOLD, "releases": [{"releaseCycle": "1", "lit": None, "sold": False, "latest": "", "link": "x"}]}
    assert sheet_of("a.md", "A", gold).cells == (Cell("a.md", "1", "Sold", False),)
    assert isinstance(SHEET, Sheet) and len(SHEET.cells) == 8


@pytest.mark.parametrize("gold", ["{", "{}", "[]", '{"columns": {}, "releases": []}', '{"columns": {"a": "A"}}'])
def test_other_layouts_are_refused(tmp_path: Path, gold: str) -> None:
    here = folder(tmp_path, ("aurora", DOCUMENT, GOLD))
    (here / "gold" / "aurora.json").write_text(gold, encoding="utf-8")
    with pytest.raises(BadInput):
        load(here)


def test_a_folder_without_documents_or_gold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="documents"):
        load(tmp_path)
    here = folder(tmp_path, ("aurora", DOCUMENT, GOLD))
    (here / "gold" / "aurora.json").unlink()
    with pytest.raises(BadInput, match="gold"):
        load(here)


def test_the_command_prints_the_figures_last(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["evaluate", "tables", str(folder(tmp_path, ("aurora", DOCUMENT, GOLD)))])
    assert result.exit_code == 0
    assert result.output.strip().splitlines()[-1] == "cells 8 right 1 facts 10 wrong 0 not_judged 0"
