"""Changes of a small knowledge base that kills.py ends half-way: the base before, the change, its end from nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gathering import ROOT

from kg.knowledge_base import KnowledgeBase
from kg.settings import Settings

Step = Callable[[Path, Path], None]
ONTOLOGY = ROOT / "docs" / "samples" / "mountain-railways" / "ontology.ttl"
_FIRST = {
    "lights/corran.md": "# Corran Light\n\n- Built: 1901\n- Lamps: 40\n- Cost: $1.5 million\n\nAda Wren designed it.\n",
    "lights/wexford.md": "# Wexford Light\n\n| Light | Built | Lamps |\n|---|---|---|\n| Wexford | 1888 | 12 |\n",
    "keepers.csv": "Keeper,Light,Since\nAda Wren,Corran Light,1903\nTom Hale,Wexford Light,1890\n",
    "note.txt": "Corran Light stands on the northern cape. It was lit in 1902.\n",
}
_EXTRA = {"lights/hale.html": "<h1>Hale Light</h1><ul><li>Built: 1920</li><li>Lamps: 7</li></ul><p>It burned down.</p>"}
_CHANGED = {
    "lights/corran.md": "# Corran Light\n\n- Built: 1902\n- Lamps: 44\n- Keeper: Ada Wren\n\nIt was moved in 1950.\n"
}
_UPDATE = 'INSERT DATA {{ GRAPH <{0}mine> {{ <urn:x:a> <urn:x:b> "{1}" , _:c . }} }}'


@dataclass(frozen=True, slots=True)
class Scenario:
    """``before`` makes the base, ``change`` is what is ended, ``fresh`` gives the end of it from nothing.

    ``once``: made again after it is done, the change is refused.
    """

    name: str
    before: Step
    change: Step
    fresh: Step
    once: bool = False


def prepare(folder: Path) -> None:
    """Writes the documents, a folder for each state."""
    for name, files in (
        ("first", _FIRST),
        ("more", {**_FIRST, **_EXTRA}),
        ("changed", {**_FIRST, **_CHANGED}),
        ("fewer", {n: t for n, t in _FIRST.items() if n != "lights/wexford.md"}),
        ("none", {}),
    ):
        for path, text in files.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


def _settings(base: Path, ontology: Sequence[Path] = ()) -> Settings:
    return Settings(kb=base, build={"ontology": tuple(ontology)})  # type: ignore[arg-type]


def _build(name: str, *, prune: bool = False, ontology: Sequence[Path] = ()) -> Step:
    def step(base: Path, documents: Path) -> None:
        KnowledgeBase.build(base, [documents / name], _settings(base, ontology), prune=prune)

    return step


def _remove(base: Path, documents: Path) -> None:
    with KnowledgeBase.open(base, _settings(base)) as knowledge_base:
        knowledge_base.remove(["lights/wexford.md"])


def _update(text: str) -> Step:
    def step(base: Path, documents: Path) -> None:
        import pyoxigraph as ox

        from kg.base.user_graphs import canonical

        with KnowledgeBase.open(base, _settings(base)) as knowledge_base:
            prefix = knowledge_base.snapshot.namespaces.user_graphs
            store = ox.Store()
            store.update(_UPDATE.format(prefix, text))
            knowledge_base.update_user_graphs(lambda now: canonical(store))

    return step


def _decide(base: Path, documents: Path) -> None:
    from kg.decisions import Merge

    with KnowledgeBase.open(base, _settings(base)) as knowledge_base:
        knowledge_base.decide(Merge("Wexford", "Wexford Light"))


def _then(*steps: Step) -> Step:
    def step(base: Path, documents: Path) -> None:
        for one in steps:
            one(base, documents)

    return step


def _nothing(base: Path, documents: Path) -> None:
    """No folder."""
    shutil.rmtree(base, ignore_errors=True)


_first = _build("first")
SCENARIOS = (
    Scenario("build", _nothing, _first, _first),
    Scenario("add", _first, _build("more"), _build("more")),
    Scenario("change", _first, _build("changed"), _build("changed")),
    Scenario("remove", _first, _remove, _build("fewer"), once=True),
    Scenario("prune", _build("more"), _build("changed", prune=True), _build("changed")),
    Scenario("ontology", _first, _build("first", ontology=[ONTOLOGY]), _build("first", ontology=[ONTOLOGY])),
    Scenario("update", _then(_first, _update("one")), _update("two"), _then(_first, _update("two"))),
    Scenario(
        "add beside a graph", _then(_first, _update("one")), _build("more"), _then(_build("more"), _update("one"))
    ),
    Scenario("decide", _first, _decide, _then(_first, _decide)),
)
