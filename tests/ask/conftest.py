"""The ferries' knowledge base, built once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from kg.ask.engine import Asker
from kg.ask.view import View, view
from kg.knowledge_base import KnowledgeBase
from kg.reading import Trained

from . import library


@pytest.fixture(scope="package", autouse=True)
def queries_alone() -> Iterator[None]:
    """What is tested here are queries, where a test doesn't ask for the reader and the judge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KG_ASK__READER", "none")
        yield


@pytest.fixture(scope="session")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    with library.build(tmp_path_factory.mktemp("ferries")) as knowledge_base:
        yield knowledge_base


@pytest.fixture(scope="session")
def ferry_view(ferries: KnowledgeBase) -> View:
    return view(ferries.snapshot)


@pytest.fixture(scope="session")
def asker(ferry_view: View) -> Asker:
    return Asker(ferry_view)


@pytest.fixture(scope="session")
def reading_asker(ferry_view: View) -> Asker:
    return Asker(ferry_view, trained=Trained.load())


@pytest.fixture(scope="session")
def by_models() -> Callable[[KnowledgeBase], Asker]:
    """Asks a knowledge base as users do, with the packaged reader and judge."""
    trained = Trained.load()
    return lambda base: Asker(view(base.snapshot), trained=trained)
