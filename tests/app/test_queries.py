"""The gallery of queries: what a person who has read the sample library would answer to each."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import DefaultGraph, QueryBoolean, QuerySolutions

from kg.app.check import validate
from kg.graph.conflicts import conflicts
from kg.knowledge_base import KnowledgeBase
from kg.ontology import vocabulary

from .. import once
from ..conftest import REPOSITORY

GALLERY = REPOSITORY / "ontology" / "queries"
Rows = list[tuple[str | None, ...]]

# Rows in the query's order; triples (last parts of their IRIs) sorted.
EXPECTED: dict[str, Rows | bool] = {
    "accelerators-of-gpt-4": [
        ("machines/accelerators-by-project.csv", "~20,000-25,000", "leaked"),
        ("models/gpt-4-leak.html", "~25,000", "leaked"),
        ("models/gpt-4.md", "~20,000-25,000", "leaked"),
    ],
    "azure-generations": [("Gen 1", "2020", "V100"), ("Gen 2", "2021-2022", "A100"), ("Gen 3", "2023", "H100")],
    "cost-of-a-petaflop-day": [("1264",)],
    "denied": [
        ("GPT-2", "accelerator", "NVIDIA GPU", "models/early-models.md"),
        ("OpenAI", "uses", "DeepSpeed", "software/training-software.md"),
        ("OpenAI", "uses", "Megatron-LM", "software/training-software.md"),
    ],
    "disagreements": [
        ("GPT-3", "training cost", "$500K-$4.6M", "deals/training-costs.csv", "~$4.6M", "models/gpt-3.md"),
        (
            "GPT-4",
            "GPU count",
            "~20,000-25,000",
            "machines/accelerators-by-project.csv",
            "~25,000",
            "models/gpt-4-leak.html",
        ),
        ("GPT-4", "GPU count", "~20,000-25,000", "models/gpt-4.md", "~25,000", "models/gpt-4-leak.html"),
        ("GPT-4", "expert count", "8", "models/gpt-4-leak.html", "16", "models/gpt-4.md"),
        ("GPT-4", "parameter count", "1.76T (GPT-4)", "numbers/growth.txt", "~1.8 trillion", "models/gpt-4.md"),
        ("GPT-4", "parameter count", "1.76 trillion", "numbers/growth.txt", "~1.8 trillion", "models/gpt-4.md"),
    ],
    "events-a-year": [
        ("2015", "1"),
        ("2016", "1"),
        ("2018", "4"),
        ("2019", "4"),
        ("2020", "5"),
        ("2021", "3"),
        ("2022", "3"),
        ("2023", "3"),
        ("2024", "5"),
        ("2025", "3"),
    ],
    "five-against-gpt-3": True,
    "founders": [
        ("Anthropic", "Jared Kaplan"),
        ("Anthropic", "Sam McCandlish"),
        ("Inflection", "Rewon Child"),
        ("OpenAI", "Elon Musk"),
        ("OpenAI", "Greg Brockman"),
        ("OpenAI", "Ilya Sutskever"),
        ("OpenAI", "Sam Altman"),
        ("PyTorch", "Soumith Chintala"),
    ],
    "graph-of-a-chip": [
        ("titan", "designPartner", "broadcom"),
        ("titan", "manufacturer", "tsmc"),
        ("titan", "processNode", "3"),
        ("titan", "purpose", "mainly inference, and some training"),
    ],
    "guessed-accelerators": [
        ("GPT-1", "GPU count", "8", "false"),
        ("GPT-1", "accelerator", "P100", "false"),
        ("GPT-1", "accelerator", "V100", "false"),
    ],
    "investments-of-microsoft": [("2019", "1000000000"), ("2021", "2000000000"), ("2023", "10000000000")],
    "kinds-of-parallelism": [
        (
            "data parallelism",
            "A way of splitting a training run in which every device holds the whole model and works on "
            "its own share of the batch.",
        ),
        (
            "model parallelism",
            "A way of splitting a training run in which the model itself is cut into parts that lie on "
            "different devices.",
        ),
        (
            "pipeline parallelism",
            "A way of splitting a training run in which the layers form stages, and the batches pass "
            "forward and backward through the stages.",
        ),
        (
            "tensor parallelism",
            "A way of splitting a training run in which single matrix multiplications are shared among devices.",
        ),
    ],
    "leads-of-gpt-4": [
        ("Execution lead", "Nikolas Tezak"),
        ("Hardware correctness lead", "Michael Petrov"),
        ("Infrastructure lead", "Greg Brockman"),
        ("Infrastructure usability co-leads", "Chris Hesse"),
        ("Infrastructure usability co-leads", "Shantanu Jain"),
        ("Model distribution, systems and networking lead", "Amin Tootoonchian"),
        ("Optimization lead", "Jakub Pachocki"),
        ("Software correctness lead", "Mikhail Pavlov"),
        ("Supercomputing lead", "Christopher Berner"),
        ("Throughput lead", "Trevor Cai"),
        ("Triton lead", "Phil Tillet"),
    ],
    "leaked-about-gpt-4": [
        ("GPU count", "~20,000-25,000"),
        ("Inference pipeline parallelism", "16-way"),
        ("Price of an A100-hour", "~$1"),
        ("accelerator", "A100"),
        ("active expert count", "2"),
        ("architecture", "mixture of experts"),
        ("expert count", "16"),
        ("inference GPU count", "128"),
        ("layer count", "120"),
        ("location", "West Des Moines, Iowa"),
        ("model FLOPs utilisation", "32-36%"),
        ("parameter count", "~1.8 trillion"),
        ("parameters per expert", "~111 billion"),
        ("pipeline parallelism", "15-way"),
        ("supports", "BF16"),
        ("tensor parallelism", "8-way"),
        ("training compute", "~2.15 x 10^25 FLOP"),
        ("training cost", "~$63M"),
        ("training tokens", "~13 trillion"),
    ],
    "mail-servers": [
        ("1", "aspmx.l.google.com"),
        ("5", "alt1.aspmx.l.google.com"),
        ("5", "alt2.aspmx.l.google.com"),
        ("10", "alt3.aspmx.l.google.com"),
        ("10", "alt4.aspmx.l.google.com"),
    ],
    "models-by-size": [
        ("GPT-4", "1800000000000", "models/gpt-4.md"),
        ("GPT-4", "1760000000000", "numbers/growth.txt"),
        ("GPT-3", "175000000000", "models/gpt-3.md"),
        ("GPT-3", "175000000000", "numbers/growth.txt"),
        ("Turing-NLG", "17000000000", "ideas/the-megacluster.pdf"),
        ("Turing-NLG", "17000000000", "models/early-models.md"),
        ("GPT-2", "1500000000", "models/early-models.md"),
        ("GPT-1", "117000000", "models/early-models.md"),
        ("GPT-1", "117000000", "numbers/growth.txt"),
    ],
    "monthly-cost-by-phase": [
        ("Research", "50000", "200000", None),
        ("GPT-3 API", "200000", "2000000", "0.02"),
        ("ChatGPT", "2000000", "50000000", "0.002"),
        ("Enterprise", "50000000", None, "0.001"),
    ],
    "moves": [
        ("Amin Tootoonchian", "Intel Labs", "OpenAI"),
        ("Greg Brockman", "Stripe", "OpenAI"),
        ("Ilya Sutskever", "OpenAI", "Safe Superintelligence Inc"),
        ("Jared Kaplan", "OpenAI", "Anthropic"),
        ("Jeffrey Wu", "OpenAI", "Anthropic"),
        ("Mark Chen", "Jane Street Capital", "OpenAI"),
        ("Philippe Tillet", "Harvard", "OpenAI"),
        ("Rewon Child", "OpenAI", "Inflection"),
        ("Sam McCandlish", "OpenAI", "Anthropic"),
    ],
    "not-disclosed": [
        ("GPT-3.5", "GPU count", "unknown (likely thousands)"),
        ("GPT-3.5", "training cost", "not disclosed"),
        ("GPT-4", "Data set", "not disclosed"),
        ("GPT-4", "architecture", "not disclosed"),
    ],
    "passages-behind-a-triple": [
        ("models/early-models.md", "The early models: GPT-1, GPT-2 and their siblings > GPT-2 (February 2019)")
    ],
    "path-of-a-request": [
        ("API Gateway",),
        ("Amazon S3",),
        ("Application Load Balancer",),
        ("GPU Inference",),
        ("Inference Cluster",),
        ("Model Cache",),
        ("PostgreSQL",),
        ("Queue Manager",),
        ("Redis",),
    ],
    "planned": [
        ("OpenAI", "planned capacity", "30 GW"),
        ("Stargate", "planned capacity", "nearly 7 GW"),
        ("Stargate", "planned investment", "$500 billion over four years"),
        ("Titan", "expected deployment", "end of 2026"),
    ],
    "provenance-of-a-fact": [
        ("models/gpt-3.md", "| Parameters | 175 billion |", "tables"),
        ("numbers/growth.txt", "• Parameters: 117M (GPT-1) → 175B+ (GPT-3) → 1.76T (GPT-4)", "keyvalues"),
    ],
    "services-by-plane": [
        ("Compute Plane", "GPU Inference, Model Cache"),
        ("Edge Plane", "Application Load Balancer, Cloudflare"),
        ("Service Plane", "API Gateway, Inference Cluster, Queue Manager"),
        ("State Plane", "Amazon S3, PostgreSQL, Redis"),
    ],
    "stargate": [
        ("investor", "MGX"),
        ("investor", "OpenAI"),
        ("investor", "Oracle"),
        ("investor", "SoftBank"),
        ("partner", "Arm"),
        ("partner", "Microsoft"),
        ("partner", "NVIDIA"),
        ("partner", "OpenAI"),
        ("partner", "Oracle"),
        ("site", "Dona Ana County NM"),
        ("site", "Lordstown OH"),
        ("site", "Midwest"),
        ("site", "Milam County TX"),
        ("site", "Shackelford County TX"),
    ],
    "stores-by-component": [
        ("API Gateway", "PostgreSQL", "State Plane"),
        ("GPU Cluster", "Model Artifacts", "Data layer"),
        ("GPU Cluster", "Research Datasets", "Data layer"),
        ("Inference Mesh", "Conversation Store", "Data Platform"),
        ("Model Cache", "Amazon S3", "State Plane"),
        ("Model Router", "Analytics Store", "Data Platform"),
        ("Queue Manager", "Redis", "State Plane"),
    ],
    "team-members": [
        (
            "Compute Cluster Scaling team",
            "10",
            "Akila Welihinda, Andrew Cann, Ben Chess, Christian Gibson, Christopher Berner, Emy Parparita, "
            "Eric Sigler, Henri Roussez, Mateusz Litwin, Oleg Boiko",
        ),
        (
            "Distributed Training Infrastructure team",
            "11",
            "Amin Tootoonchian, Brandon Houghton, Chris Hesse, Lukasz Kondraciuk, Mikhail Pavlov, Nikolas Tezak, "
            "Raul Puri, Tianhao Zheng, Trevor Cai, Yongjik Kim, Yunxing Dai",
        ),
    ],
    "timeline-2019-to-2021": [
        ("February 2019", "GPT-2 is released"),
        ("March 11, 2019", "OpenAI LP is announced"),
        ("April 22, 2019", "The training of OpenAI Five ends"),
        ("July 22, 2019", "Microsoft invests $1 billion in OpenAI"),
        ("January 2020", "The scaling laws paper is published"),
        ("January 30, 2020", "OpenAI standardises on PyTorch"),
        ("February 13, 2020", "Microsoft Research announces Turing-NLG"),
        ("May 19, 2020", "Microsoft discloses the Azure supercomputer"),
        ("June 2020", "GPT-3 is released"),
        ("January 2021", "OpenAI describes a Kubernetes cluster of 7,500 nodes"),
        ("July 2021", "Triton is released"),
        ("November 2021", "Voyager enters the Top500 list at number 10"),
    ],
    "training-compute": [("GPT-2", "10"), ("OpenAI Five", "770"), ("GPT-3", "3640"), ("GPT-4", "248843")],
    "training-costs": [
        ("GPT-2", "50000", "250000", "estimated", "deals/training-costs.csv"),
        ("GPT-3", "500000", "4600000", "estimated", "deals/training-costs.csv"),
        ("GPT-3", "4600000", "4600000", "stated", "models/gpt-3.md"),
        ("GPT-4", "63000000", "63000000", "leaked", "deals/training-costs.csv"),
        ("GPT-4", "63000000", "63000000", "leaked", "models/gpt-4-leak.html"),
        ("GPT-4", "63000000", "63000000", "leaked", "models/gpt-4.md"),
    ],
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return once.corpus(tmp_path_factory)


def answer(kb: KnowledgeBase, query: str) -> Rows | bool:
    """A query's result in the form of ``EXPECTED``."""
    result = kb.query(query)
    if isinstance(result, QueryBoolean):
        return bool(result)
    if isinstance(result, QuerySolutions):
        names = [variable.value for variable in result.variables]
        return [tuple(None if row[name] is None else row[name].value for name in names) for row in result]
    return sorted(tuple(part.value.split("/")[-1].split("#")[-1] for part in triple) for triple in result)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_query_gives_what_a_reader_would_say(kb: KnowledgeBase, name: str) -> None:
    assert answer(kb, (GALLERY / f"{name}.rq").read_text(encoding="utf-8")) == EXPECTED[name]


def test_nine_tenths_of_what_is_asserted_stands_on_declared_properties(kb: KnowledgeBase) -> None:
    query = """PREFIX kg: <https://w3id.org/citegraph/kg#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
        SELECT ?claim ?open WHERE { ?claim a kg:Claim ; kg:asserted true ; rdf:predicate ?p .
          BIND(EXISTS { ?p a kg:OpenProperty } AS ?open) }"""
    found = answer(kb, query)
    assert isinstance(found, list)
    assert sum(row[1] == "false" for row in found) >= 0.9 * len(found) > 0.9 * 700


def test_disagreements_are_the_real_ones(kb: KnowledgeBase) -> None:
    """Of one property of one subject; what documents put differently about different things is not for this report."""
    found = {
        (c.subject_label, c.property_label): [side[0].stated for side in c.sides] for c in conflicts(kb.snapshot.store)
    }
    assert found == {
        ("Azure supercomputer", "accelerator"): ["not disclosed", "NVIDIA V100"],
        ("Azure supercomputer", "interconnect"): ["not disclosed", "InfiniBand"],
        ("Azure supercomputer", "location"): ["not disclosed", "West Des Moines, Iowa"],
        ("GPT-3", "training cost"): ["$500K-$4.6M", "~$4.6M"],
        ("GPT-4", "GPU count"): ["~20,000-25,000", "~25,000"],
        ("GPT-4", "expert count"): ["8", "16"],
        ("GPT-4", "parameter count"): ["~1.8 trillion", "1.76 trillion"],
        ("GPT-4", "parameters per expert"): ["220 billion", "~111 billion"],
        ("GPT-4", "prediction compute factor"): ["1,000 to 10,000", "10,000 (from 1/10,000th)"],
    }


def test_the_graph_keeps_to_the_shapes(kb: KnowledgeBase) -> None:
    shapes = [vocabulary("kg-shapes.ttl"), once.ONTOLOGY.with_name("ai-infrastructure-shapes.ttl").read_bytes()]
    assert validate(kb.snapshot.store.quads(DefaultGraph()), shapes) == []


def test_the_gallery_is_complete_and_every_query_has_a_title() -> None:
    files = sorted(GALLERY.iterdir())
    assert [file.stem for file in files] == sorted(EXPECTED)
    assert len(files) >= 25
    titles = [title(file) for file in files]
    assert len(set(titles)) == len(titles)


def title(file: Path) -> str:
    """The first line of a query's file, which is a comment."""
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# ") and len(first) > 20
    return first[2:]
