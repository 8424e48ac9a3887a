"""A large graph, made the same each time, and how long questions on it take.

    python benchmarks/large_graph.py [--triples 1000000] [--profile] [--json FILE]
    python benchmarks/large_graph.py --folder FOLDER [--triples 1000000]

Of a museum's collection: 145 properties, 12 classes, objects with numbers, dates, texts and links. Printed: seconds to
load, and of the questions the median and the 95th percentile of the time from question to rows, in processor seconds.
With a folder as somebody does it who has the graph in a file: ``kg build --graph`` and questions to that knowledge base,
in seconds by the clock, with the memory of either process at its peak.
"""

# ruff: noqa: E501 - lists

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyoxigraph as ox

from kg.knowledge_base import KnowledgeBase
from kg.semantics.engine import SemanticParser

BASE = "http://museum.example/"
_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
_XSD = "http://www.w3.org/2001/XMLSchema#"
_OWL = "http://www.w3.org/2002/07/owl#"
# Classes with how many of every thousand things are of them.
CLASSES = {
    "specimen": 700, "collector": 60, "locality": 80, "species": 70, "genus": 20, "family": 4, "country": 2,
    "expedition": 20, "institution": 4, "publication": 30, "drawer": 9, "method": 1,
}  # fmt: skip
LINKS = (
    ("collected by", "specimen", "collector"), ("found at", "specimen", "locality"), ("identified as", "specimen", "species"),
    ("kept in", "specimen", "drawer"), ("gathered on", "specimen", "expedition"), ("prepared by", "specimen", "method"),
    ("in genus", "species", "genus"), ("in family", "genus", "family"), ("in country", "locality", "country"),
    ("works for", "collector", "institution"), ("born in", "collector", "country"), ("led by", "expedition", "collector"),
    ("described in", "species", "publication"), ("author", "publication", "collector"), ("owned by", "drawer", "institution"),
    ("teacher", "collector", "collector"),
)  # fmt: skip
VALUES = (
    ("body mass", "specimen", "decimal"), ("wing length", "specimen", "decimal"), ("collection date", "specimen", "date"),
    ("catalogue number", "specimen", "string"), ("condition", "specimen", "choice"), ("elevation", "locality", "integer"),
    ("birth date", "collector", "date"), ("start date", "expedition", "date"), ("population", "country", "integer"),
    ("area", "country", "decimal"), ("conservation status", "species", "choice"), ("colour", "species", "choice"),
    ("year of publication", "publication", "gYear"),
)  # fmt: skip
_EXTRA = 145 - len(LINKS) - len(VALUES)
_SYLLABLES = [
    "ba",
    "ke",
    "lo",
    "mi",
    "nu",
    "ra",
    "se",
    "ti",
    "vo",
    "zu",
    "dal",
    "fen",
    "gor",
    "hul",
    "jin",
    "kar",
    "lem",
    "mon",
    "pel",
    "rus",
]
QUESTIONS = (
    "How many specimens are there?", "How many specimens did {collector} collect?", "What is the elevation of {locality}?",
    "Which specimens were found at {locality}?", "Which collectors were born in {country}?", "Which genus is {species} in?",
    "Which species has the most specimens?", "What is the heaviest specimen?", "What is the highest locality in {country}?",
    "What is the average body mass of the specimens identified as {species}?", "Which expeditions were led by {collector}?",
    "How many specimens were collected before 1900?", "Which collector collected the most specimens?",
    "Which localities in {country} are higher than 3000?", "Who collected specimens at {locality}?",
    "How many localities are there in each country?", "What is the most common colour of the species?",
    "Which country has the largest population?", "Is {species} in the genus {genus}?", "When was {collector} born?",
    "What is the average elevation of the localities in {country}?", "Who was the teacher of {collector}?",
    "Which species of the family {family} are endangered?", "How many specimens of the genus {genus} are in poor condition?",
    "Which institutions do collectors born in {country} work for?", "List the expeditions with their leaders.",
    "Which specimens collected by {collector} were found in {country}?", "What did {collector} collect on {expedition}?",
    "Which publications describe species of {genus}?", "What is the total area of the countries?",
    "Which collectors have no teacher?", "How many species does each family have?", "What colour is {species}?",
    "Which drawers hold specimens of {species}?", "Which locality has the lowest elevation?",
    "Who painted the portrait of {collector}?", "What is the boiling point of {species}?", "Which ships visited {locality}?",
    "How many specimens have a body mass of more than 90?", "Which specimens were collected in 1950 by {collector}?",
)  # fmt: skip


def _name(number: int, kind: str) -> str:
    random = Random(f"{kind}{number}")
    words = ["".join(random.choices(_SYLLABLES, k=random.choice((2, 3)))).capitalize() for _ in range(2)]
    return f"Specimen {number}" if kind == "specimen" else " ".join(words)


def triples(wanted: int) -> Iterator[ox.Triple]:
    """About so many triples; the same for the same number."""
    random = Random(wanted)

    def iri(name: str) -> ox.NamedNode:
        return ox.NamedNode(BASE + name.replace(" ", "_"))

    extra = [
        (f"{a} {b}", kind, "decimal" if n % 3 else "string")
        for n, (a, b, kind) in enumerate(
            (a, b, kind)
            for a in ("first", "upper", "lower", "inner", "outer", "spare", "left", "right", "field", "museum", "dorsal")
            for b, kind in (
                ("mark", "specimen"), ("span", "specimen"), ("index", "specimen"), ("tag", "specimen"), ("ring", "specimen"),
                ("layer", "locality"), ("shelf", "drawer"), ("note", "publication"), ("code", "institution"),
                ("scale", "species"), ("band", "genus"),
            )
        )
    ][:_EXTRA]  # fmt: skip
    for name in CLASSES:
        yield ox.Triple(iri(name), _TYPE, ox.NamedNode(f"{_OWL}Class"))
        yield ox.Triple(iri(name), _LABEL, ox.Literal(name, language="en"))
    for name, _, type_ in (*LINKS, *VALUES, *extra):
        kind = "ObjectProperty" if type_ in CLASSES else "DatatypeProperty"
        yield ox.Triple(iri(name), _TYPE, ox.NamedNode(_OWL + kind))
        yield ox.Triple(iri(name), _LABEL, ox.Literal(name, language="en"))
    things = max(1, wanted // 13)
    counts = {kind: max(2, things * share // 1000) for kind, share in CLASSES.items()}
    for kind, count in counts.items():
        own = [v for v in (*VALUES, *LINKS) if v[1] == kind]
        rest = [v for v in extra if v[1] == kind]
        for number in range(count):
            thing = iri(f"{kind}/{number}")
            yield ox.Triple(thing, _TYPE, iri(kind))
            yield ox.Triple(thing, _LABEL, ox.Literal(_name(number, kind)))
            for name, _, type_ in (*own, *random.sample(rest, min(len(rest), 2))):
                if type_ not in CLASSES:
                    yield ox.Triple(thing, iri(name), _literal(random, type_))
                elif random.random() < 0.9:
                    yield ox.Triple(thing, iri(name), iri(f"{type_}/{random.randrange(counts[type_])}"))


def _literal(random: Random, type_: str) -> ox.Literal:
    match type_:
        case "decimal":
            return ox.Literal(f"{random.randrange(1000) / 10}", datatype=ox.NamedNode(f"{_XSD}decimal"))
        case "integer":
            return ox.Literal(str(random.randrange(5000)), datatype=ox.NamedNode(f"{_XSD}integer"))
        case "gYear":
            return ox.Literal(str(random.randrange(1800, 2020)), datatype=ox.NamedNode(f"{_XSD}gYear"))
        case "date":
            day = f"{random.randrange(1800, 2020)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"
            return ox.Literal(day, datatype=ox.NamedNode(f"{_XSD}date"))
        case "choice":
            return ox.Literal(random.choice(("good", "poor", "endangered", "red", "white", "common")))
    return ox.Literal(f"{random.choice(_SYLLABLES)}-{random.randrange(100_000)}")


def asked() -> list[str]:
    """The questions, each with names of things of its own."""
    return [q.format(**{kind: _name(n % 2, kind) for kind in CLASSES}) for n, q in enumerate(QUESTIONS)]


def as_users_do(folder: Path, wanted: int) -> None:
    """Loads the graph from a file and asks the knowledge base; prints what both take."""
    folder.mkdir(parents=True, exist_ok=True)
    file, kb = folder / "museum.nt", folder / "kb"
    with file.open("wb") as out:
        ox.serialize(triples(wanted), output=out, format=ox.RdfFormat.N_TRIPLES)
    shutil.rmtree(kb, ignore_errors=True)
    started = time.perf_counter()
    subprocess.run(["kg", "build", "--graph", str(file), "--kb", str(kb)], check=True)
    built = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"loaded in {built:.1f} s, {peak} MB at the peak")
    with KnowledgeBase.open(kb) as knowledge_base:
        times = []
        for question in ("How many specimens are there by now?", *asked()):
            started = time.perf_counter()
            knowledge_base.ask(question)
            times.append(time.perf_counter() - started)
    first, times = times[0], sorted(times[1:])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"first answer after {first:.1f} s; then median {statistics.median(times):.3f} s, 95th percentile "
          f"{times[int(0.95 * (len(times) - 1))]:.2f} s; {peak} MB at the peak")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    if options.folder is not None:
        as_users_do(options.folder, options.triples)
        return
    store = ox.Store()
    store.bulk_extend(ox.Quad(t.subject, t.predicate, t.object) for t in triples(options.triples))
    started = time.process_time()
    semantic = SemanticParser.over(store)
    semantic.parse("How many specimens are there by now?")
    loaded = time.process_time() - started
    profile = cProfile.Profile() if options.profile else None
    times, declined = [], 0
    for question in asked():
        started = time.process_time()
        if profile is not None:
            profile.enable()
        parse = semantic.parse(question)
        if profile is not None:
            profile.disable()
        times.append(time.process_time() - started)
        declined += parse.rows is None
        print(f"{times[-1]:7.3f}  {question}  [{parse.explanation[:90]}]", file=sys.stderr)
    times.sort()
    result = {
        "triples": len(store), "properties": len(semantic.graph.properties), "load_s": round(loaded, 1),
        "questions": len(times), "declined": declined, "p50_s": round(statistics.median(times), 3),
        "p95_s": round(times[int(0.95 * (len(times) - 1))], 3), "longest_s": round(times[-1], 3),
    }  # fmt: skip
    print(" ".join(f"{name} {value:g}" for name, value in result.items()))
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)


if __name__ == "__main__":
    main()
