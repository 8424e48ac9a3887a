"""A logical form in plain English: what was understood, for the people who asked."""

from __future__ import annotations

import re

from kg.ontology.terms import singular
from kg.semantics import logic
from kg.semantics.graph import Graph, Step

_FUNCTIONS = {
    "SUM": "the total", "AVG": "the average", "MIN": "the least", "MAX": "the greatest", "COUNT": "the number",
}  # fmt: skip
_SIZES = {
    ">": "more", "<": "fewer", ">=": "at least as many", "<=": "at most as many", "=": "as many", "!=": "not as many",
}  # fmt: skip
_ORDINALS = {1: "", 2: "second ", 3: "third "}
_DATED = {">": "after", "<": "before", ">=": "not before", "<=": "not after", "=": "in", "!=": "not in"}
_WORDS = {">": "more than", "<": "less than", ">=": "at least", "<=": "at most", "=": "exactly", "!=": "not"}


def render(graph: Graph, form: logic.Form) -> str:
    """The form in words."""
    return _Renderer(graph).say(form)


class _Renderer:
    """Says a form; a set is "every cluster" by itself, "clusters" where many are meant, "cluster" after an article."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def say(self, form: logic.Form) -> str:  # noqa: C901 - one case a form
        match form:
            case logic.Count(of):
                return f"the number of {self._many(of)}"
            case logic.Aggregate(function, of, path):
                return f"{_FUNCTIONS[function]} {self._path(path)} of {self._all(of)}"
            case logic.Difference(left, right, unit, ratio):
                if ratio:
                    return f"{self.say(left)} divided by {self.say(right)}"
                apart = f"the {unit} between" if unit else "the difference between"
                return f"{apart} {self.say(left)} and {self.say(right)}"
            case logic.Truth(left, right):
                if left == right:
                    return f"whether there is any {self._one(left)}"
                return f"whether {self.say(left)} is {self._any(right)}"
            case logic.Each(of, path, function, within):
                what = self._many(within) if within is not None else self._path(path)
                return f"for each {self._one(of)}: {f'{_FUNCTIONS[function]} of {what}' if function else what}"
            case logic.Rows(of, paths):
                return f"for each {self._one(of)}: {', '.join(self._path(path) for path in paths)}"
            case logic.Overall(function, each):
                inner = self.say(logic.Each(each.of, each.path, each.function, each.within)).split(": ", 1)[1]
                return f"{_FUNCTIONS[function]} over every {self._one(each.of)} of {inner}"
            case logic.Share(part, whole):
                return f"how many per cent of {self._all(whole)} are {self._many(part)}"
            case logic.More(left, operator, right):
                return f"whether there are {_SIZES[operator]} {self._many(left)} than {self._many(right)}"
            case logic.BestOfEach(each, _, within, measure, top):
                best = f"{'greatest' if top else 'least'} {self._path(measure)}"
                return f"for each {self._one(each)}: the {self._one(within)} with the {best}"
            case logic.Table(_, columns, _):
                return "; ".join(self._column(column) for column in columns)
            case _:
                return self._set(form, "every")

    def _column(self, column: logic.Column) -> str:
        said = " + ".join(self._cell(cell) for cell in column.cells)
        if column.function == "RATIO" and column.below is not None:
            return f"the total of {said} divided by {self._cell(column.below)}"
        return f"{_FUNCTIONS[column.function]} of {said}" if column.function else said

    def _cell(self, cell: logic.Cell) -> str:
        return f"every {self._graph.name(cell.cls)}" if cell.property is None else self._step((cell.property, True))

    def _one(self, form: logic.Set) -> str:
        """After "each", "the" or a number."""
        return self._set(form, "")

    def _any(self, form: logic.Set) -> str:
        return f"a {self._one(form)}" if self._noun(form) else self.say(form)

    def _many(self, form: logic.Set) -> str:
        return self._set(form, "many")

    def _all(self, form: logic.Set) -> str:
        """Everything in a set, to be summed up: "all clusters …"; a single thing by its name."""
        return f"all {self._many(form)}" if self._noun(form) else self.say(form)

    def _noun(self, form: logic.Set) -> bool:
        """Whether a set is said by the name of a class."""
        return isinstance(logic.base(form), logic.Kind)

    def _set(self, form: logic.Form, how: str) -> str:
        """A set in words; ``how``: "every" before a class's name, "many" for its plural, "" for the bare name."""
        match form:
            case logic.Things(ids, _):
                return " or ".join(dict.fromkeys(self._graph.name(i) for i in ids[:3])) + (" …" if len(ids) > 3 else "")
            case logic.Kind(cls):
                name = self._graph.name(cls)
                return plural(name) if how == "many" else f"{how} {_singular(name)}".strip()
            case logic.Users(step):
                return f"what has {self._step(step)}" if step[1] else f"what is “{self._name(step)}” of something"
            case logic.Join(step, of):
                if step[1]:
                    return f"{self._step(step)} of {self._all(of)}"
                return f"things whose “{self._name(step)}” is {self.say(of)}"
            case logic.And(_, _) | logic.Compare() | logic.Contains():
                base, conditions = self._conditions(form)
                return f"{self._set(base, how)} {' and '.join(conditions)}"
            case logic.Or(left, right):
                return f"{self._set(left, how)} or {self._set(right, how)}"
            case logic.Minus(left, right):
                return f"{self._set(left, how)} except {self._many(right)}"
            case _:
                return self._measured(form)

    def _conditions(self, form: logic.Set) -> tuple[logic.Set, list[str]]:
        """What a set is chosen from, and by what."""
        match form:
            case logic.Compare(of, measure, operator, bound):
                base, before = self._conditions(of)
                told = self._bound(operator, bound)
                if isinstance(measure, logic.Number):
                    exact = isinstance(bound, logic.Bound) and bound.value == 1
                    return base, [*before, f"with {told} {self._counted(measure, one=exact)}"]
                return base, [*before, f"with {self._path(measure)} {told}"]
            case logic.Contains(of, path, text):
                base, before = self._conditions(of)
                where = f"“{text}” in {self._path(path)}" if path else f"“{text}” in the name"
                return base, [*before, f"with {where}"]
            case logic.And(left, logic.Join((prop, False), of)):
                base, before = self._conditions(left)
                return base, [*before, f"whose “{self._name((prop, True))}” is {self.say(of)}"]
            case logic.And(left, right):
                (base, before), (other, after) = self._conditions(left), self._conditions(right)
                return base, [*before, *after] if base == other else [*before, f"among {self._all(right)}"]
        return form, []

    def _bound(self, operator: str, bound: logic.Bound | logic.Set | logic.Aggregate) -> str:
        if not isinstance(bound, logic.Bound):
            return f"{_WORDS[operator]} {self.say(bound)}"
        return f"{(_DATED if bound.date else _WORDS)[operator]} {bound.text}"

    def _measured(self, form: logic.Form) -> str:
        assert isinstance(form, logic.Best)
        counts, of = isinstance(form.measure, logic.Number), form.of
        if isinstance(form.measure, logic.Number):
            rank = f"{'most' if form.top else 'fewest'} {self._counted(form.measure)}"
        else:
            rank = f"{'greatest' if form.top else 'least'} {self._path(form.measure)}"
        rank = f"the {_ordinal(1 if counts and form.k > 1 else form.nth)}{rank}"
        if form.k > 1:
            return f"the {form.k} {self._many(of)} with {rank}"
        return f"the {self._one(of)} with {rank}" if self._noun(of) else f"{self.say(of)} with {rank}"

    def _counted(self, number: logic.Number, one: bool = False) -> str:
        """What is counted of a thing: things of a set, or a property's values."""
        path, within = number.path, number.within
        if within is not None:
            return self._one(within) if one else self._many(within)
        if not path[-1][1]:
            return f"things tied to it by {self._path(logic.back(path))}"
        return f"{'value' if one else 'values'} of {self._path(path)}"

    def _name(self, step: Step) -> str:
        return self._graph.properties[step[0]].names[0]

    def _step(self, step: Step) -> str:
        return f"“{self._name(step)}”" if step[1] else f"things tied to it by “{self._name(step)}”"

    def _path(self, path: logic.Path) -> str:
        return " of ".join(self._step(step) for step in reversed(path))


def _ordinal(nth: int) -> str:
    return _ORDINALS.get(nth, f"{nth}th ")


def plural(name: str) -> str:
    """The plural of a class's name, which may be one already: "ferry" and "ferries" → "ferries"."""
    name = _singular(name)
    if re.search(r"[^aeiou]y$", name):
        return name[:-1] + "ies"
    return name + ("es" if re.search(r"(?:s|x|z|ch|sh)$", name) else "s")


def _singular(name: str) -> str:
    before, space, last = name.rpartition(" ")
    return f"{before}{space}{singular(last)}"
