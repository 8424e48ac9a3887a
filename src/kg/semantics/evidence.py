"""The triples that an answer rests on: those that a logical form goes through to reach it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kg.semantics import logic
from kg.semantics.denote import Denoter
from kg.semantics.graph import RDF, Graph

Ids = tuple[int, int, int]
_EACH = 3  # things cited for what is counted, totalled or compared


class Evidence:
    """Finds triples (numbers of terms) of one graph."""

    def __init__(self, graph: Graph, denote: Denoter) -> None:
        self._graph, self._denote = graph, denote

    def triples(self, form: logic.Form, limit: int) -> list[Ids]:
        """Triples behind an answer, those of its first values first."""
        return list(islice(dict.fromkeys(self._form(form)), limit))

    def _form(self, form: logic.Form) -> Iterator[Ids]:  # noqa: C901 - one case a form
        match form:
            case logic.Count(of):
                for id_ in sorted(self._denote(of)):
                    yield from self._of(of, id_)
            case logic.Overall(_, each):
                yield from self._form(each)
            case logic.Share(one, other) | logic.More(one, _, other):
                for part in (one, other):
                    for id_ in sorted(self._denote(part)):
                        yield from self._of(part, id_)
            case logic.BestOfEach():
                for _, id_ in sorted(self._denote.best_of_each(form)):
                    yield from self._path(id_, (*logic.back(form.path), *form.measure)[-1:])
                    yield from self._path(id_, logic.back(form.path))
            case logic.Aggregate(_, of, path) | logic.Each(of, path):
                for id_ in sorted(self._denote(of)):
                    yield from self._path(id_, path)
            case logic.Rows(of, paths):
                for id_ in sorted(self._denote(of)):
                    for path in paths:
                        yield from self._path(id_, path)
            case logic.Truth(left, right):
                for id_ in sorted(self._denote(left) & self._denote(right))[:_EACH]:
                    yield from self._of(right, id_)
                    yield from self._of(left, id_)
            case logic.Difference(left, right):
                yield from self._form(left)
                yield from self._form(right)
            case logic.Table():
                return
            case _:
                for id_ in sorted(self._denote(form)):
                    yield from self._of(form, id_)

    def _of(self, form: logic.Set, id_: int) -> Iterator[Ids]:  # noqa: C901 - one case a form
        """Triples because of which a thing is in a set."""
        match form:
            case logic.Join(step, of):
                there = self._graph.follow((id_,), (step[0], not step[1])) & self._denote(of)
                for other in sorted(there)[:1]:
                    yield from self._triple((other, step[0], id_) if step[1] else (id_, step[0], other))
                    yield from self._of(of, other)
            case logic.And(left, right) | logic.Or(left, right):
                parts = [p for p in (right, left) if not isinstance(p, logic.Kind)]
                for part in parts or (left,):
                    if id_ in self._denote(part):
                        yield from self._of(part, id_)
            case logic.Minus(left):
                yield from self._of(left, id_)
            case logic.Compare(of, path) | logic.Best(of, path) | logic.Contains(of, path):
                yield from self._path(id_, path or self._named(id_))
                yield from self._of(of, id_)
            case logic.BestCount(of, path, within) | logic.CountCompare(of, path, within):
                reached = self._denote(within or logic.along(path, logic.Users(path[0])))
                for other in sorted(self._graph.follow((id_,), path[0]) & reached)[:_EACH]:
                    yield from self._triple((id_, path[0][0], other) if path[0][1] else (other, path[0][0], id_))
                yield from self._of(of, id_)
            case logic.Kind(cls):
                type_ = self._graph.iri(f"{RDF}type")
                if type_ is not None and cls in self._graph.out.get(type_, {}).get(id_, ()):
                    yield (id_, type_, cls)

    def _triple(self, triple: Ids) -> Iterator[Ids]:
        """A triple, or those that one is derived from."""
        subject, property_, _ = triple
        derived = self._graph.derived.get(property_)
        if derived is None:
            yield triple
            return
        for part in derived.parts:
            for end in self._graph.out[part].get(subject, ())[:1]:
                yield subject, part, end
                subject = end if derived.how == "path" else subject

    def _named(self, id_: int) -> logic.Path:
        """The step to a thing's name."""
        return tuple((p, True) for p, _ in self._graph.called(id_)[:1])

    def _path(self, id_: int, path: logic.Path) -> Iterator[Ids]:
        here = id_
        for step in path:
            there = sorted(self._graph.follow((here,), step))[:1]
            if not there:
                return
            yield from self._triple((here, step[0], there[0]) if step[1] else (there[0], step[0], here))
            here = there[0]
