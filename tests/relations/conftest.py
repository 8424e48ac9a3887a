"""A model trained for seconds, once for all tests of a run."""

import pytest

from kg.indexes.embedding import OnnxEncoder, model_folder
from kg.relations.encoder_export import save
from kg.relations.files import About
from kg.relations.scoring import Model
from tests.once import once
from tests.relations.lights import RELATIONS, lessons


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A network trained for seconds, and its folder."""
    import torch

    folder = once(tmp_path_factory, "relations", _train)
    return torch.load(folder / "network.pt", weights_only=False), folder / "model"


def _train(folder):
    import torch

    from kg.relations.training import Network, Plan, Sizes, load_encoder, train

    torch.manual_seed(5)
    base = model_folder()
    start = Network(load_encoder(str(base)), Sizes(kept=8))
    plan = Plan(epochs=4, batch=8, frozen=5)
    network = train(lessons(), RELATIONS, OnnxEncoder().encode, base, plan, start)
    torch.save(network, folder / "network.pt")
    (folder / "model").mkdir()
    save(network, base / "tokenizer.json", folder / "model", About(8, 4, 5, trained_on=("lessons",)))


@pytest.fixture(scope="session")
def model(trained):
    return Model(trained[1], OnnxEncoder().encode)
