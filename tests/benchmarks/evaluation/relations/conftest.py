"""The model that the tests of ``kg.relations`` train in seconds."""

from tests.relations.conftest import model, trained

__all__ = ["model", "trained"]
