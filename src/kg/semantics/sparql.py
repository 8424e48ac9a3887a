"""Logical forms as SPARQL. Terms are written by the RDF library, never a question's text; variables are numbered."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from itertools import count

import pyoxigraph as ox

from kg.namespaces import RDF, RDFS, XSD
from kg.semantics import logic
from kg.semantics.graph import Derived, Graph

_TYPE, _SUBCLASS = f"<{RDF}type>", f"<{RDFS}subClassOf>"
_INTEGER = f"<{XSD}integer>"
_VARIABLE = re.compile(r"\?\w+")


class QueryBuilder:
    """Writes one query."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._numbers = count(1)

    def query(self, form: logic.Form) -> str:  # noqa: C901 - one case a form
        """The query whose rows answer a form."""
        match form:
            case logic.Count(of):
                return select("(COUNT(DISTINCT ?answer) AS ?count)", self._set(of, "?answer"))
            case logic.Aggregate(function, of, path):
                inner = select(
                    "DISTINCT ?thing ?value", [*self._set(of, "?thing"), *self._path("?thing", path, "?value")]
                )
                return select(f"({function}(?value) AS ?result)", ["{", inner, "}"])
            case logic.Difference(left, right, unit, ratio):
                lines = [*self._set(left, "?one"), *self._set(right, "?other")]
                if unit:
                    first, last = (f"IF(STR(?one) {op} STR(?other), ?one, ?other)" for op in ("<", ">="))
                    lines += [f"BIND({first} AS ?from)", f"BIND({last} AS ?until)"]
                    return select(f"({between('?from', '?until', unit)} AS ?result)", lines)
                return select(f"({'(?one / ?other)' if ratio else 'ABS(?one - ?other)'} AS ?result)", lines)
            case logic.Truth(left, right):
                return "ASK {\n" + indented([*self._set(left, "?answer"), *self._set(right, "?answer")]) + "\n}"
            case logic.Each():
                return self._each(form)
            case logic.Overall(function, each):
                query = self._each(each)
                return select(f"({function}(?result) AS ?overall)", braced(query))
            case logic.Share(part, whole):
                lines = [*self._number_of(part, "?part"), *self._number_of(whole, "?whole")]
                return select("(100.0 * ?part / ?whole AS ?share)", lines)
            case logic.More(left, operator, right):
                lines = [*self._number_of(left, "?left"), *self._number_of(right, "?right")]
                return "ASK {\n" + indented([*lines, f"FILTER(?left {operator} ?right)"]) + "\n}"
            case logic.BestOfEach():
                return self._best_of_each(form)
            case logic.Rows(of, paths):
                values = {f"?value{number}": path for number, path in enumerate(paths, 1)}
                found = [f"OPTIONAL {{ {' '.join(self._path('?each', p, v))} }}" for v, p in values.items()]
                return select(f"DISTINCT ?each {' '.join(values)}", [*self._set(of, "?each"), *found])
            case logic.Table():
                return self._table(form)
            case _:
                return select("DISTINCT ?answer", self._set(form, "?answer"))

    def _each(self, form: logic.Each) -> str:
        lines = [*self._set(form.of, "?each"), *self._path("?each", form.path, "?value")]
        if form.within is not None:
            lines += self._set(form.within, "?value")
        if not form.function:
            return select("DISTINCT ?each ?value", lines)
        inside = "DISTINCT ?value" if form.function == "COUNT" else "?value"
        if form.function == "COUNT":
            lines = [*self._set(form.of, "?each"), "OPTIONAL {", *lines[len(self._set(form.of, "?each")) :], "}"]
        return select(f"?each ({form.function}({inside}) AS ?result)", lines) + " GROUP BY ?each"

    def _number_of(self, form: logic.Set, name: str) -> list[str]:
        """How many things a set has, as a variable."""
        var = self._new("counted")
        query = select(f"(COUNT(DISTINCT {var}) AS {name})", self._set(form, var))
        return braced(query)

    def _best_of_each(self, form: logic.BestOfEach) -> str:
        function = "MAX" if form.top else "MIN"
        thing, value, own = self._new("thing"), self._new("value"), self._new("value")
        lines = [*self._set(form.each, "?each"), *self._path("?each", form.path, thing), *self._set(form.within, thing)]
        lines += self._path(thing, form.measure, value)
        best = select(f"?each ({function}({value}) AS ?best)", lines) + " GROUP BY ?each"
        mine = [*self._path("?each", form.path, "?answer"), *self._set(form.within, "?answer")]
        mine += [*self._path("?answer", form.measure, own), f"FILTER({own} = ?best)"]
        return select("DISTINCT ?each ?answer", [*braced(best), *mine])

    def _contains(self, form: logic.Contains, var: str) -> list[str]:
        """Things with a text, or without a path a name, in which characters stand."""
        text, sought = self._new("text"), str(ox.Literal(form.text.lower()))
        said = f"FILTER(CONTAINS(LCASE(STR({text})), {sought}))"
        if form.path:
            return [*self._set(form.of, var), *self._path(var, form.path, text), said]
        by = self._graph.naming_properties
        if not by:
            return [*self._set(form.of, var), f"FILTER(CONTAINS(LCASE(STR({var})), {sought}))"]
        named = "|".join(self._term(p) for p in by)
        return [*self._set(form.of, var), f"{var} {named} {text} .", said]

    def _table(self, form: logic.Table) -> str:
        """A table: joins, then values, then the columns; numbers over rows told apart by all joined things."""
        cells = [c for column in form.columns for c in (*column.cells, *([column.below] if column.below else []))]
        cells += [condition.cell for condition in form.conditions]
        lines = [self._triple(class_variable(e.start), e.step, class_variable(e.end)) for e in form.edges]
        for cell in dict.fromkeys(cells):
            if cell.property is not None:
                lines.append(self._triple(class_variable(cell.cls), (cell.property, True), cell_variable(cell)))
            elif not form.edges:
                lines.append(f"{class_variable(cell.cls)} {_TYPE} {self._term(cell.cls)} .")
        for condition in form.conditions:
            lines.append(f"FILTER({self._test(cell_variable(condition.cell), condition.operator, condition.bound)})")
        keys = [cell_variable(column.cells[0]) for column in form.columns if not column.function]
        heads = [column_head(column, number) for number, column in enumerate(form.columns)]
        grouped = len(keys) < len(heads)
        below = [cell_variable(c.below) for c in form.columns if c.below is not None and c.below.property is not None]
        query = select(("" if grouped else "DISTINCT ") + " ".join(heads), lines)
        groups = list(dict.fromkeys([*keys, *below]))
        return query + (f" GROUP BY {' '.join(groups)}" if grouped and groups else "")

    # --- parts -------------------------------------------------------------------------------

    def _things(self, ids: Sequence[int], var: str) -> list[str]:
        """Things by their terms; blank nodes, which no query can name, by what they are called."""
        named = [self._term(i) for i in ids if not isinstance(self._graph.terms[i], ox.BlankNode)]
        blank = frozenset(i for i in ids if isinstance(self._graph.terms[i], ox.BlankNode))
        ways = [[f"VALUES {var} {{ {' '.join(named)} }}"]] if named or not blank else []
        calls = {call for i in blank for call in self._graph.called(i)}
        ways += [[f"{var} {self._term(p)} {self._term(name)} ."] for p, name in sorted(calls)]
        lines = ways[0] if ways else [f"VALUES {var} {{ }}"]
        for more in ways[1:]:
            lines = ["{", *nested(lines), "} UNION {", *nested(more), "}"]
        return lines

    def _new(self, name: str) -> str:
        return f"?{name}{next(self._numbers)}"

    def _term(self, id_: int) -> str:
        term = self._graph.terms[id_]
        assert not isinstance(term, ox.BlankNode), "blank nodes can't be named in a query"
        return str(term)

    def _triple(self, subject: str, step: tuple[int, bool], object_: str) -> str:
        prop, forward = step
        if (derived := self._graph.derived.get(prop)) is not None:
            ends = (subject, object_) if forward else (object_, subject)
            return self._derived(derived, *ends, known=not forward)
        if forward:
            return f"{subject} {self._term(prop)} {object_} ."
        return f"{object_} {self._term(prop)} {subject} ."

    def _derived(self, derived: Derived, subject: str, object_: str, known: bool) -> str:
        """A value passed through to, or computed of two dates; ``known``: it is bound already."""
        first, second = (self._term(p) for p in derived.parts[:2])
        if derived.how == "path":
            return f"{subject} {first}/{second} {object_} ."
        if not derived.is_span:
            parts = [(self._term(p), self._new("part")) for p in derived.parts]
            value = (" / " if derived.how == "quotient" else " * ").join(v for _, v in parts)
            last = f"FILTER({object_} = {value})" if known else f"BIND({value} AS {object_})"
            return f"{subject} {' ; '.join(f'{p} {v}' for p, v in parts)} .\n{last}"
        start, end = self._new("from"), self._new("until")
        span = between(start, end, derived.how)
        last = f"FILTER({object_} = {span})" if known else f"BIND({span} AS {object_})"
        return f"{subject} {first} {start} ; {second} {end} .\n{last}"

    def _path(self, start: str, path: logic.Path, end: str) -> list[str]:
        lines, here = [], start
        for i, step in enumerate(path):
            there = end if i == len(path) - 1 else self._new("via")
            lines.append(self._triple(here, step, there))
            here = there
        return lines

    def _set(self, form: logic.Set, var: str) -> list[str]:  # noqa: C901 - one case a form
        """Patterns that bind a variable to the things of a set."""
        match form:
            case logic.Things(ids):
                return self._things(ids, var)
            case logic.Kind(cls):
                above = any(cls in found and c != cls for c, found in self._graph.superclasses.items())
                return [f"{var} {_TYPE}{'/' + _SUBCLASS + '*' if above else ''} {self._term(cls)} ."]
            case logic.Users(step):
                return [self._triple(var, step, self._new("any"))]
            case logic.Join(step, logic.Things((id_,))) if isinstance(self._graph.terms[id_], ox.NamedNode):
                return [self._triple(self._term(id_), step, var)]
            case logic.Join(step, of):
                inner = self._new("x")
                return [*self._set(of, inner), self._triple(inner, step, var)]
            case logic.And(left, right):
                return [*self._set(left, var), *self._set(right, var)]
            case logic.Or(left, right):
                return ["{", *nested(self._set(left, var)), "} UNION {", *nested(self._set(right, var)), "}"]
            case logic.Minus(left, right):
                return [*self._set(left, var), "MINUS {", *nested(self._set(right, var)), "}"]
            case logic.Compare():
                return self._compare(form, var)
            case logic.Contains():
                return self._contains(form, var)
            case logic.Best():
                return self._best(form, var)

    def _compare(self, form: logic.Compare, var: str) -> list[str]:
        if isinstance(form.measure, logic.Number):
            return self._count_compare(form, form.measure, var)
        value = self._new("value")
        lines = [*self._set(form.of, var), *self._path(var, form.measure, value)]
        if isinstance(form.bound, logic.Bound):
            return [*lines, f"FILTER({self._test(value, form.operator, form.bound)})"]
        other = self._new("value")
        if isinstance(form.bound, logic.Aggregate):
            query = self.query(form.bound).replace("?result", other, 1)
            return [*lines, *braced(query), f"FILTER({value} {form.operator} {other})"]
        return [*lines, *self._set(form.bound, other), f"FILTER({value} {form.operator} {other})"]

    def _test(self, value: str, op: str, bound: logic.Bound) -> str:
        if not bound.date:
            return f"{value} {op} {number_literal(bound.value)}"
        text = f"SUBSTR(STR({value}), 1, 10)"
        start = f'"{day_text(bound.value)}"'
        if bound.until is None:
            return f"{text} {op} {start}"
        # A stretch of days: texts of ISO dates are in the order of time, a year alone sorts before its days.
        first, after = f'"{prefix(bound)}"', f'"{day_text(bound.until)}"'
        match op:
            case "=":
                return f"{text} >= {first} && {text} < {after}"
            case "!=":
                return f"{text} < {first} || {text} >= {after}"
            case ">":
                return f"{text} >= {after}"
            case ">=":
                return f"{text} >= {first}"
            case "<":
                return f"{text} < {first}"
            case _:
                return f"{text} < {after}"

    def _counted(self, of: logic.Set, number: logic.Number, var: str, optional: bool) -> tuple[list[str], str]:
        each = self._new("item")
        inner = [*self._path(var, number.path, each), *(self._set(number.within, each) if number.within else [])]
        if optional:
            inner = ["OPTIONAL {", *nested(inner), "}"]
        members = self._set(of, var)
        if set(_VARIABLE.findall(" ".join(members))) != {var}:  # each once, not once for all that makes it a member
            members = braced(select(f"DISTINCT {var}", members))
        return [*members, *inner], f"COUNT(DISTINCT {each})"

    def _count_compare(self, form: logic.Compare, number: logic.Number, var: str) -> list[str]:
        assert isinstance(form.bound, logic.Bound)
        wanted = int(form.bound.value)
        lines, count_ = self._counted(form.of, number, var, form.operator in ("<", "<=", "!=") or wanted == 0)
        query = select(var, lines) + f" GROUP BY {var} HAVING({count_} {form.operator} {wanted})"
        return braced(query)

    def _best(self, form: logic.Best, var: str) -> list[str]:
        """Things whose own number is in the rank asked for among all numbers."""
        other, best, own = self._new("other"), self._new("best"), self._new("own")
        order = "DESC" if form.top else "ASC"
        first = select(f"DISTINCT {best}", braced(self._numbered(form, other, best)))
        first += f" ORDER BY {order}({best}) LIMIT {int(form.k)} OFFSET {int(form.nth) - 1}"
        return [*braced(first), *braced(self._numbered(form, var, own)), f"FILTER({own} = {best})"]

    def _numbered(self, form: logic.Best, var: str, name: str) -> str:
        """The things chosen from, each with its number: its greatest (least) value, or how many it is tied to."""
        if isinstance(form.measure, logic.Number):
            lines, number = self._counted(form.of, form.measure, var, not form.top)
        else:
            value = self._new("value")
            lines = [*self._set(form.of, var), *self._path(var, form.measure, value)]
            number = f"{'MAX' if form.top else 'MIN'}({value})"
        return select(f"{var} ({number} AS {name})", lines) + f" GROUP BY {var}"


def between(start: str, end: str, unit: str) -> str:
    """The whole days, weeks, months or years from one date to another, as an expression over their texts."""
    if unit in ("days", "weeks"):
        one, other = (f"<{XSD}date>(SUBSTR(STR({v}), 1, 10))" for v in (start, end))
        days = f'COALESCE({_INTEGER}(STRBEFORE(STRAFTER(STR({other} - {one}), "P"), "D")), 0)'
        return f"FLOOR({days} / 7)" if unit == "weeks" else days
    year, month = (
        f"{_INTEGER}(SUBSTR(STR({end}), {at})) - {_INTEGER}(SUBSTR(STR({start}), {at}))" for at in ("1, 4", "6, 2")
    )
    whole, rest = (year, "5, 6") if unit == "years" else (f"12 * ({year}) + {month}", "8, 3")
    return f"{whole} - IF(SUBSTR(STR({end}), {rest}) < SUBSTR(STR({start}), {rest}), 1, 0)"


def class_variable(cls: int) -> str:
    """The variable of a class in a table."""
    return f"?thing{cls}"


def cell_variable(cell: logic.Cell) -> str:
    """The variable of a cell."""
    return class_variable(cell.cls) if cell.property is None else f"?value{cell.property}"


def column_head(column: logic.Column, number: int) -> str:
    """A column as the head of a table says it."""
    sum_ = " + ".join(cell_variable(cell) for cell in column.cells)
    if not column.function:
        return cell_variable(column.cells[0])
    if column.function == "COUNT":
        return f"(COUNT(DISTINCT {sum_}) AS ?column{number})"
    if column.function == "RATIO":
        assert column.below is not None
        below = (
            f"COUNT(DISTINCT {cell_variable(column.below)})"
            if column.below.property is None
            else cell_variable(column.below)
        )
        return f"(SUM({sum_}) / {below} AS ?column{number})"
    return f"({column.function}({sum_}) AS ?column{number})"


def select(head: str, lines: Sequence[str]) -> str:
    """A query of a head over patterns."""
    return f"SELECT {head} WHERE {{\n{indented(lines)}\n}}"


def braced(query: str) -> list[str]:
    """A query within another."""
    return ["{", *nested(query.split("\n")), "}"]


def nested(lines: Sequence[str]) -> list[str]:
    """Lines, further in."""
    return [f"  {line}" for line in lines]


def indented(lines: Sequence[str]) -> str:
    """Lines as the text of a group."""
    return "\n".join(f"  {line}" for text in lines for line in text.split("\n"))


def number_literal(value: float) -> str:
    """A number as a literal."""
    text = str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
    type_ = "integer" if text.lstrip("-").isdigit() else "double"
    return str(ox.Literal(text, datatype=ox.NamedNode(XSD + type_)))


def day_text(value: float) -> str:
    """A date by its number."""
    return datetime.date.fromordinal(int(value)).isoformat()


def prefix(bound: logic.Bound) -> str:
    """The text with which the dates of a year or month begin."""
    day = datetime.date.fromordinal(int(bound.value))
    if bound.until == bound.value + 1:
        return day.isoformat()
    month = bound.until is not None and bound.until - bound.value < 32
    return f"{day.year:04}-{day.month:02}" if month else f"{day.year:04}"
