"""The network learns what a few sentences show, is the same on disk and off it, and refuses what it can't read."""

import json

import numpy as np
import pytest

from kg.errors import BadInput, ModelUnavailable
from kg.indexes.embedding import OnnxEncoder, model_folder
from kg.relations import files
from kg.relations.encoder_export import load_network
from kg.relations.encoding import Marked, Relation, encode
from kg.relations.examples import own_examples, thresholds
from kg.relations.scoring import NEVER, Choice, Heads, Scores, decode
from kg.syntax.parser import tokenizer
from tests.relations.lights import RELATIONS, lessons


def test_it_learns_relations_directions_and_spans(model):
    known = model.know(RELATIONS)
    for text, subject, value, relation in (
        ("Brough Light was kept by Ann Cole.", "Brough Light", "Ann Cole", "k/keeper"),
        ("Ann Cole kept Brough Light for years.", "Brough Light", "Ann Cole", "k/keeper"),
        ("Brough Light was built in 1871.", "Brough Light", "1871", "k/built"),
    ):
        best = model.read(text, known, Choice(threshold=-20))[0]
        assert (best.relation, text[slice(*best.subject)], text[slice(*best.object)]) == (relation, subject, value)


def test_scores_without_torch_are_the_networks(trained, model):
    import torch

    from kg.relations.encoding import relation_texts
    from kg.relations.training import Tensors

    network, folder = trained
    text = "Brough Light was kept by Ann Cole."
    encoded = encode(text, tokenizer(model_folder()))
    known = model.know(RELATIONS)
    spans = model.scores(text, known).spans
    given = Tensors.of([encoded], [spans])
    heads = network.heads
    with torch.no_grad():
        hidden = network.hidden(given.ids, given.mask)
        vectors = heads.spans(hidden, given.mask, given.first, given.last, given.spans)
        pairs = heads.pairs(vectors, hidden, given.mask, given.spans)
        relations = heads.relations(torch.from_numpy(relation_texts(RELATIONS, OnnxEncoder().encode)))
        wanted = heads.scores(vectors, pairs, hidden, given.mask, relations)[0].numpy()
    plain = Heads(files.read_weights(folder), kept=8, heads=4)
    got = plain.scores(
        encoded, hidden[0].numpy(), plain.know(RELATIONS, relation_texts(RELATIONS, OnnxEncoder().encode))
    )
    where = {tuple(span): at for at, span in enumerate(spans.tolist())}
    both = [(where[tuple(s)], at) for at, s in enumerate(got.spans.tolist()) if tuple(s) in where]
    assert len(both) >= 6
    for i, a in both:
        for j, b in both:
            if got.odds[a, b, 0] > NEVER:
                assert np.allclose(got.odds[a, b], wanted[i, j], atol=0.1)  # weights on disk have 16 bits


def test_padding_changes_nothing(trained):
    import torch

    from kg.relations.encoding import enumerate_spans
    from kg.relations.training import Tensors

    network, _ = trained
    pieces = tokenizer(model_folder())
    short, long = (
        encode(text, pieces) for text in ("Holm Light was kept.", "Holm Light was kept by Ada Wren for years.")
    )
    alone = Tensors.of([short], [enumerate_spans(short)])
    beside = Tensors.of([short, long], [enumerate_spans(short), enumerate_spans(long)])
    vectors = []
    for given in (alone, beside):
        with torch.no_grad():
            hidden = network.hidden(given.ids, given.mask)
            vectors.append(network.heads.spans(hidden, given.mask, given.first, given.last, given.spans)[0])
    assert torch.allclose(vectors[0], vectors[1][: len(vectors[0])], atol=1e-4)


def test_reading_twice_gives_the_same(model):
    known = model.know(RELATIONS)
    choice = Choice(threshold=-8)
    text = "Holm Light was built in 1800 and kept by Ada Wren."
    assert model.read(text, known, choice) == model.read(text, known, choice)


def test_nothing_to_read_gives_nothing(model):
    known = model.know(RELATIONS)
    assert model.read("", known, Choice()) == []
    assert model.read("Lamp", known, Choice()) == []


def test_a_model_on_disk_can_be_trained_on(trained):
    network, folder = trained
    again = load_network(folder, model_folder())
    ours, theirs = network.encoder.encoder.layer[5], again.encoder.encoder.layer[5]
    assert np.allclose(ours.output.dense.weight.detach(), theirs.output.dense.weight.detach(), atol=1e-3)
    assert np.allclose(network.heads.deep.bias.detach(), again.heads.deep.bias.detach(), atol=1e-3)


def test_what_is_no_model_is_refused(tmp_path):
    with pytest.raises(ModelUnavailable, match="no relation model"):
        files.read_about(tmp_path)
    (tmp_path / "model.json").write_text('{"kept": 8, "heads": 4, "format": 99}')
    with pytest.raises(ModelUnavailable, match="format 99"):
        files.read_about(tmp_path)
    with pytest.raises(ModelUnavailable, match="can't be read"):
        files.read_weights(tmp_path)


def grid(odds: list[list[list[float]]], text: str = "Ada kept Holm") -> Scores:
    encoded = encode(text, tokenizer(model_folder()))
    spans = np.array([[at, at] for at in range(len(odds))])
    return Scores(encoded, spans, np.array(odds, np.float32))


def test_the_better_direction_is_said_alone():
    no = -9.0
    scores = grid([[[no], [no], [1.0]], [[no]] * 3, [[3.0], [no], [no]]])
    said = decode(scores, RELATIONS[:1], Choice(threshold=0))
    assert [(one.subject, one.object) for one in said] == [((9, 13), (0, 3))]


def test_threshold_margin_and_least():
    no = -9.0
    scores = grid([[[no], [3.0], [1.0]], [[no]] * 3, [[no]] * 3])
    assert len(decode(scores, RELATIONS[:1], Choice(threshold=0, margin=4))) == 2
    assert len(decode(scores, RELATIONS[:1], Choice(threshold=0, margin=1))) == 1
    assert decode(scores, RELATIONS[:1], Choice(threshold=5)) == []
    assert len(decode(scores, RELATIONS[:1], Choice(threshold=5, least=2))) == 1


def test_what_is_far_behind_the_best_of_its_sentence_is_not_said():
    no = -9.0
    odds = [[[no, no], [3.0, no], [no, 1.0]], [[no, no]] * 3, [[no, no]] * 3]
    near, far = (decode(grid(odds), RELATIONS, Choice(threshold=0, least=-12, behind=behind)) for behind in (2.5, 1.5))
    assert [one.relation for one in near] == ["k/keeper", "k/built"]
    assert [one.relation for one in far] == ["k/keeper"]
    assert len(decode(grid([[[no], [-5.0], [-8.0]], [[no]] * 3, [[no]] * 3]), RELATIONS[:1], Choice(0, least=-6))) == 1


def test_a_choice_is_kept_with_a_model(tmp_path):
    choice = Choice(threshold=-4, margin=2, least=-12, behind=5)
    about = files.About(8, 4, choice=choice.numbers)
    files.describe(tmp_path, about)
    assert Choice.of(files.read_about(tmp_path).choice) == choice
    with pytest.raises(KeyError):
        Choice.of(files.About(8, 4).choice)


def test_a_functional_relation_has_one_object():
    no = -9.0
    scores = grid([[[no], [3.0], [1.0]], [[no]] * 3, [[no]] * 3])
    assert len(decode(scores, RELATIONS[:1], Choice(functional=frozenset({"k/keeper"})))) == 1


def test_examples_of_ones_own(tmp_path):
    path = tmp_path / "lights.jsonl"
    lines = [
        {"relation": "keeper", "domain": "lighthouse", "range": "person"},
        {"text": "Ada kept Holm.", "facts": [{"subject": [9, 13], "relation": "keeper", "object": [0, 3]}]},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    relations, examples = own_examples(path)
    assert relations == [Relation("lights/keeper", "keeper", "", "lighthouse", "person")]
    assert examples[0].facts == (Marked("lights/keeper", ((9, 13),), ((0, 3),)),)
    path.write_text(json.dumps(lines[1]))
    keeper = Relation("http://x/keeper", "keeper")
    assert own_examples(path, (keeper,))[1][0].facts[0].relation == keeper.key
    with pytest.raises(BadInput, match="doesn't declare 'keeper'"):
        own_examples(path)
    path.write_text("{")
    with pytest.raises(BadInput, match="line 1"):
        own_examples(path)


def test_thresholds_are_the_lowest_scores_with_such_a_share_right(model):
    held = lessons()
    found = thresholds(model, held, RELATIONS)
    assert set(found) <= {"0.7", "0.8", "0.9", "0.95"} and "0.7" in found
    known = model.know(RELATIONS)
    said = [
        (one.score, any((f.subjects[0], f.objects[0]) == (one.subject, one.object) for f in example.facts))
        for example in held
        for one in model.read(example.text, known, Choice(threshold=-3.0, margin=6.0))
    ]
    for precision, odds in found.items():
        kept = [right for score, right in said if round(score, 3) >= odds]
        assert sum(kept) / len(kept) >= float(precision)
