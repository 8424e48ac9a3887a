"""A model trained for seconds, once for all tests of this folder."""

import pytest

from kg.indexes.embedding import OnnxEncoder, model_folder
from kg.relations import files
from kg.relations.reader import Model
from tests.relations.lights import RELATIONS, lessons


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A network trained for seconds, and its folder."""
    from kg.relations.network import Network, Sizes, load_encoder
    from kg.relations.training import Plan, train

    base = model_folder()
    start = Network(load_encoder(str(base)), Sizes(kept=8))
    plan = Plan(epochs=4, batch=8, frozen=5)
    network = train(lessons(), RELATIONS, OnnxEncoder().encode, base, plan, start)
    folder = tmp_path_factory.mktemp("model")
    files.save(network, base / "tokenizer.json", folder, files.About(8, 4, 5, trained_on=("lessons",)))
    return network, folder


@pytest.fixture(scope="session")
def model(trained):
    return Model(trained[1], OnnxEncoder().encode)
