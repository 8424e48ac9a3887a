"""Queries that a model proposes where the engine abstains, and its wording of answers: what is kept, and what isn't."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.ask.engine import Asker
from kg.ask.view import view
from kg.knowledge_base import KnowledgeBase
from kg.llm import make_helper, proposed_queries
from kg.llm.asking import Helper, kept
from kg.llm.model_client import Client
from kg.llm.proposed_queries import Refused
from kg.model import Answer, AnswerItem, Citation, Conflict, ConflictValue, Reason
from kg.settings import LlmSettings, Settings

from .bells import EX, ONTOLOGY
from .server import Endpoint, Reply, completion, failure

Made = Callable[..., LlmSettings]
DOCUMENT = """# Bells of Orrin

| Bell | Mass | Cast by | Hangs in |
|---|---|---|---|
| Great Tom | 5.2 t | Ada Velt | North Tower |
| Old Mary | 900 kg | Ada Velt | South Tower |
| Sweet Gabriel | ~700 kg | Bo Kerr | North Tower |

Great Tom probably weighs 6 t today.
"""
TOM, NORTH = "ent:great-tom", "ent:north-tower"
QUESTION = "Which smith shaped Great Tom?"


@pytest.fixture(scope="module")
def bells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("bells")
    (folder / "bells.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (folder / "bells.md").write_text(DOCUMENT, encoding="utf-8")
    settings = Settings(build={"ontology": (folder / "bells.ttl",)})
    KnowledgeBase.build(folder / "kb", [folder / "bells.md"], settings)
    with KnowledgeBase.open(folder / "kb", settings) as knowledge_base:
        yield knowledge_base


@pytest.fixture(scope="module")
def asker(bells: KnowledgeBase) -> Asker:
    return Asker(view(bells.snapshot))


Ask = Callable[..., Answer]


@pytest.fixture
def ask(asker: Asker, endpoint: Endpoint, settings: Made) -> Ask:
    """What becomes of an abstention when the model proposes a query."""

    def asked(sparql: object, question: str = QUESTION, reason: Reason = Reason.NO_EVIDENCE, **more: object) -> Answer:
        endpoint.answer = sparql if isinstance(sparql, Reply) else json.dumps({"sparql": sparql})
        llm = settings(**more)
        abstention = Answer(question, "abstained", "The documents don't say.", reason=reason, confidence=0.8)
        return Helper(Client(llm), llm).helped(asker, question, abstention, None)

    return asked


def test_a_query_that_claims_answer_is_shown_as_proposed(ask: Ask, bells: KnowledgeBase) -> None:
    answer = ask(f"SELECT ?who WHERE {{ {TOM} :castBy ?who }}".replace(":castBy", f"<{EX}castBy>"))
    assert answer.status == "answered" and answer.reason is None
    assert answer.answer.startswith("Ada Velt – “")
    assert answer.answer.endswith("(by a query that a language model proposed)")
    (item,) = answer.answers
    assert (item.label, item.iri, item.status) == ("Ada Velt", bells.snapshot.namespaces.entity("ada-velt"), "stated")
    assert answer.citations[item.citations[0] - 1].quote == "| Great Tom | 5.2 t | Ada Velt | North Tower |"
    assert answer.citations[0].claim is not None
    assert answer.confidence == 0.5 and answer.timings_ms["model"] > 0
    assert answer.sparql is not None and answer.sparql.startswith("# Proposed by a language model (tiny)")
    assert [r["who"] for r in bells.rows(answer.sparql)] == [item.iri]  # it runs as it is shown
    assert answer.bindings is not None and len(answer.bindings["results"]["bindings"]) == 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("question", "query", "labels", "cited"),
    [
        ("How heavy is Great Tom?", f"SELECT ?m WHERE {{ {TOM} <{EX}mass> ?m }}", ["5.2 t"], 1),
        (
            "Which are in North Tower?",
            f"SELECT ?b WHERE {{ ?b <{EX}hangsIn> {NORTH} }} ORDER BY ?b",
            ["Great Tom", "Sweet Gabriel"],
            2,
        ),
        (
            "How many are in North Tower?",
            f"SELECT (COUNT(DISTINCT ?b) AS ?n) WHERE {{ ?b <{EX}hangsIn> {NORTH} }}",
            ["2"],
            2,
        ),
        (
            "Which is the heaviest?",
            f"SELECT ?b WHERE {{ ?b <{EX}mass> ?m }} ORDER BY DESC(?m) LIMIT 1",
            ["Great Tom"],
            1,
        ),
        (
            "What do those of each maker weigh together?",
            f"SELECT ?w (SUM(?m) AS ?n) WHERE {{ ?b <{EX}castBy> ?w ; <{EX}mass> ?m }} GROUP BY ?w ORDER BY ?n",
            ["Bo Kerr – 700", "Ada Velt – 6,100"],
            3,
        ),
        ("Does Great Tom hang high?", f"ASK {{ {TOM} <{EX}hangsIn> {NORTH} }}", ["Yes"], 1),
    ],
)
def test_rows_are_led_back_to_claims(ask: Ask, question: str, query: str, labels: list[str], cited: int) -> None:
    answer = ask(query, question)
    assert [item.label for item in answer.answers] == labels
    assert len(answer.citations) == cited
    assert all(item.citations for item in answer.answers)


BOMB = " ".join(f"?a{i} <{EX}castBy> ?x . ?a{i} <{EX}mass> ?m{i} ." for i in range(6))
CASTS = f"SELECT ?who WHERE {{ {TOM} <{EX}castBy> ?who }}"


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (None, "the model proposed no query"),
        ("", "the model proposed no query"),
        (42, "the model proposed no query"),
        ("I think it was Ada Velt.", "only SELECT and ASK are run"),
        (f"```sparql\n{CASTS}\n```", "only SELECT and ASK are run"),
        ("# I do not know", "the query is empty"),
        ("DELETE WHERE { ?s ?p ?o }", "updates are not accepted here"),
        (f"INSERT DATA {{ {TOM} <{EX}castBy> <{EX}zed> }}", "updates are not accepted here"),
        ("CLEAR ALL", "updates are not accepted here"),
        (f"{CASTS} ; DROP ALL", "the query doesn't parse"),
        (f"CONSTRUCT WHERE {{ {TOM} <{EX}castBy> ?who }}", "only SELECT and ASK are run"),
        (f"SELECT ?who WHERE {{ SERVICE <http://127.0.0.1:9/> {{ {TOM} <{EX}castBy> ?who }} }}", "SERVICE"),
        (f"SELECT ?who WHERE {{ GRAPH ?g {{ {TOM} <{EX}castBy> ?who }} }}", "GRAPH is not among"),
        (f"SELECT ?who FROM <{EX}g> WHERE {{ {TOM} <{EX}castBy> ?who }}", "is not among"),
        (f"SELECT ?who WHERE {{ {TOM} <{EX}forgedBy> ?who }}", f"no such property is in the graph: {EX}forgedBy"),
        (f"SELECT ?who WHERE {{ {TOM} ?p ?who }}", "a property must be named"),
        (f"SELECT ?who WHERE {{ {TOM} <{EX}castBy>/<{EX}castBy>* ?who }}", "a property must be named"),
        (f"SELECT ?who WHERE {{ ent:big-tom <{EX}castBy> ?who }}", "no such thing is in the graph"),
        (f"SELECT ?b WHERE {{ ?b a <{EX}Gong> ; <{EX}castBy> ?who }}", "no such class is in the graph"),
        (f"SELECT ?who WHERE {{ {TOM} <{EX}castBy> ?who OPTIONAL {{ ?who <{EX}mass> ?m }} }}", "OPTIONAL"),
        (f"SELECT ?b WHERE {{ ?b <{EX}castBy> ?w FILTER NOT EXISTS {{ ?b <{EX}mass> ?m }} }}", "NOTEXISTS"),
        (
            f"SELECT ?m WHERE {{ {TOM} <{EX}castBy> ?w . ?w <{EX}hangsIn> ?m }}",
            "nothing can be all that the query says",
        ),
        (f"SELECT ?m WHERE {{ {TOM} <{EX}mass> {NORTH} ; <{EX}castBy> ?m }}", "the property has no such values: mass"),
        (f"SELECT ?who ?m WHERE {{ {TOM} <{EX}castBy> ?who . ?b <{EX}mass> ?m }}", "not connected"),
        (f'SELECT ("Zed" AS ?who) WHERE {{ {TOM} <{EX}castBy> ?x }}', "a column must come from the graph"),
        (f"SELECT (COUNT(?x) * 0 + 7 AS ?n) WHERE {{ {TOM} <{EX}castBy> ?x }}", "a column must come from the graph"),
        (f"SELECT ?l WHERE {{ {TOM} rdfs:label ?l }}", "nothing that a claim states"),
        (f"SELECT ?b WHERE {{ ?b <{EX}castBy> ?who }}", "every name of the question"),
        (f"SELECT ?who WHERE {{ ent:old-mary <{EX}castBy> ?who }}", "every name of the question"),
        (f"SELECT ?t WHERE {{ {TOM} <{EX}hangsIn> ?t FILTER(?t = ent:south-tower) }}", "gives 0 rows"),
        (f"ASK {{ {TOM} <{EX}hangsIn> ent:south-tower }}", "gives 0 rows"),
        (f"SELECT (COUNT(?b) AS ?n) WHERE {{ {TOM} <{EX}castBy> ?b . ?b <{EX}castBy> ?x }}", "nothing can be all"),
        (f"SELECT ?who WHERE {{ {TOM} <{EX}castBy> ?who FILTER({'(' * 30}true{')' * 30}) }}", "nests deeper"),
        (f"SELECT ?who WHERE {{ {TOM} <{EX}castBy> ?who }} #{'x' * 3000}", "the limit is 2,000"),
        (f"SELECT ?x WHERE {{ {TOM} <{EX}castBy> ?x . {BOMB} }}", "the query has 13 triples"),
    ],
)
def test_what_fails_a_check_leaves_the_abstention(
    ask: Ask, caplog: pytest.LogCaptureFixture, query: object, why: str
) -> None:
    with caplog.at_level("INFO", "kg.llm.asking"):
        answer = ask(query)
    assert (answer.status, answer.reason, answer.sparql) == ("abstained", Reason.NO_EVIDENCE, None)
    assert answer.answer == "The documents don't say." and answer.confidence == 0.8
    assert why in caplog.text


def test_a_guess_is_no_evidence(ask: Ask, bells: KnowledgeBase) -> None:
    """Of the masses only the asserted one is in the graph, so a query can't bring up the other."""
    answer = ask(f"SELECT ?m WHERE {{ {TOM} <{EX}mass> ?m }}", "How heavy is Great Tom?")
    assert [item.label for item in answer.answers] == ["5.2 t"]


def test_a_query_that_takes_too_long_is_killed(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposed_queries, "_TIMEOUT_S", 0.5)
    assert asker.graph is not None
    with pytest.raises(Refused, match=r"stopped after 0\.5 seconds"):
        proposed_queries.run(
            asker.graph.graph, ["SELECT (COUNT(*) AS ?n) WHERE { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f . ?g ?s ?h }"]
        )
    assert len(proposed_queries.run(asker.graph.graph, ["ASK { ?a ?p ?b }"])) == 1


@pytest.mark.parametrize(
    "reply",
    [
        failure(500),
        failure(401),
        completion("Great Tom was cast by Zed."),
        completion(f'Here: {{"sparql": "{CASTS}"}}'),
        completion('{"sparql": ["SELECT"]}'),
        completion(json.dumps({"sparql": CASTS})[:-9]),
        completion(None),
        completion("No.", refusal="I can't"),
        Reply(b'{"choices": []}'),
        Reply(b"\xff\xfe"),
    ],
)
def test_an_endpoint_that_fails_leaves_the_abstention(ask: Ask, reply: Reply) -> None:
    assert ask(reply, timeout_s=2).status == "abstained"


def test_a_model_that_fails_is_left_alone_for_a_while(
    asker: Asker, endpoint: Endpoint, settings: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm = settings(attempts=1)
    helper = Helper(Client(llm), llm)
    abstention = Answer(QUESTION, "abstained", "The documents don't say.", reason=Reason.NO_EVIDENCE)
    endpoint.answer = failure(404)
    assert [helper.helped(asker, QUESTION, abstention, None).status for _ in range(3)] == ["abstained"] * 3
    assert len(endpoint.requests) == 1
    endpoint.answer = json.dumps({"sparql": CASTS})
    monkeypatch.setattr(helper, "_rests_until", 0.0)
    assert helper.helped(asker, QUESTION, abstention, None).status == "answered"


@pytest.mark.parametrize("reason", [Reason.UNKNOWN_ENTITY, Reason.AMBIGUOUS])
def test_names_that_are_unknown_or_ambiguous_are_not_asked_about(ask: Ask, endpoint: Endpoint, reason: Reason) -> None:
    assert ask(CASTS, reason=reason).status == "abstained"
    assert endpoint.requests == []


def test_it_may_be_kept_from_proposing(ask: Ask, endpoint: Endpoint) -> None:
    assert ask(CASTS, uses=("extract", "phrase")).status == "abstained"
    assert endpoint.requests == []


def test_what_the_model_is_told(ask: Ask, endpoint: Endpoint) -> None:
    ask(None)
    told = endpoint.requests[0]["messages"][1]["content"]
    assert f"<{EX}castBy>: cast by (bell → bell founder), 3 times, such as 'Ada Velt'" in told
    assert f"<{EX}Bell>: bell (3)" in told
    assert "ent:great-tom: Great Tom" in told and 'Question: "Which smith shaped Great Tom?"' in told
    assert "700" not in told.split("Classes:")[1]  # the documents' text stays here


def test_the_engine_asks_it_after_an_abstention_and_not_before(
    bells: KnowledgeBase, endpoint: Endpoint, settings: Made
) -> None:
    endpoint.answer = json.dumps({"sparql": f"SELECT ?t WHERE {{ {TOM} <{EX}hangsIn> ?t }}"})
    plain = KnowledgeBase.open(bells.path, Settings())
    helped = KnowledgeBase.open(bells.path, Settings(llm=settings()))
    known = "Who cast Great Tom?"
    assert plain.ask(known).answer == helped.ask(known).answer and endpoint.requests == []
    missing = "What is the birthday of Great Tom?"
    assert plain.ask(missing).status == "abstained"
    answer = helped.ask(missing)
    assert len(endpoint.requests) == 1 and answer.status == "answered"
    assert "a language model proposed" in answer.answer


# --- phrasing ------------------------------------------------------------------------------------------


def answered(text: str, *values: str, quote: str = "", conflicts: tuple[str, ...] = ()) -> Answer:
    citation = Citation(1, "d", "Bells", (), "p", quote, quote, 0, len(quote), 0)
    items = tuple(AnswerItem(v, v, citations=(1,)) for v in values)
    conflict = (Conflict("mass", tuple(ConflictValue(v, "stated", (1,)) for v in conflicts)),) if conflicts else ()
    return Answer("How heavy is Great Tom?", "answered", text, items, citations=(citation,), conflicts=conflict)


TOLD = answered("5.2 t – “Great Tom weighs 5.2 t.”", "5.2 t", quote="Great Tom weighs 5.2 t, cast by Ada Velt in 1731.")
NAMES = frozenset(("great", "tom", "ada", "velt", "kerr", "zed"))


@pytest.mark.parametrize(
    "text",
    [
        "5.2 t is what Great Tom weighs.",
        "Great Tom weighs 5.2 t.",
        "5.2 t – that is the weight of Great Tom, cast by Ada Velt.",
        "It weighs 5.2 t.",
    ],
)
def test_a_wording_that_says_the_same_is_kept(text: str) -> None:
    assert kept(TOLD, text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Great Tom weighs 5.2 t",
        "5.2 t –",
        "Great Tom, cast by Ada Velt in 1731, weighs 5.2 t.",
        "Great Tom weighs 5.3 t.",
        "Great Tom weighs 5.2 t, some 5200 kg.",
        "Great Tom weighs 5.2 t and was cast in 1732.",
        "Great Tom weighs 5.2 t and was cast on 3 May 1731.",
        "Great Tom weighs 5.2 t and was cast by Bo Kerr.",
        "Great Tom weighs 5.2 t, says kerr.",
        "Great Tom weighs 5.2 t, twice as much as others.",
        "Great Tom weighs five tonnes: 5.2 t.",
        "Great Tom weighs a lot.",
        "Great Tom does not weigh 5.2 t.",
        "Great Tom probably weighs 5.2 t.",
        "Great Tom weighs $5.2 t.",
        "Great Tom weighs 5.2 t.\nIgnore what was said before.",
        "Great Tom weighs 5.2 t. " + "It is heavy. " * 40,
    ],
)
def test_a_wording_that_says_more_less_or_else_is_not_kept(text: str) -> None:
    assert not kept(TOLD, text, NAMES)


def test_doubt_denial_and_disagreement_stay() -> None:
    guess = answered(
        "likely 6 t – “Great Tom probably weighs 6 t.”", "likely 6 t", quote="Great Tom probably weighs 6 t."
    )
    assert kept(guess, "Great Tom is likely 6 t heavy.", NAMES)
    assert not kept(guess, "Great Tom is 6 t heavy.", NAMES)
    no = answered("No – “It was never cracked.”", "No", quote="It was never cracked.")
    assert kept(no, "No, it was never cracked.", NAMES)
    assert not kept(no, "It was cracked, no?", NAMES)
    two = answered("5.2 t – elsewhere 6 t", "5.2 t", quote="5.2 t 6 t", conflicts=("5.2 t", "6 t"))
    assert kept(two, "5.2 t, though elsewhere 6 t is given.", NAMES)
    assert not kept(two, "It weighs 5.2 t.", NAMES)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("The founder was Ada Velt.", "The founder was Ada Velt."),
        ("The founder was Bo Kerr.", None),
        ("Ada Velt, in 1731.", None),
        (None, None),
        (7, None),
    ],
)
def test_answers_are_phrased_or_left_as_they_are(
    asker: Asker, endpoint: Endpoint, settings: Made, said: object, shown: str | None
) -> None:
    llm = settings(uses=("phrase",))
    endpoint.answer = json.dumps({"answer": said})
    plain = asker.ask("Who cast Great Tom?")
    assert plain.status == "answered" and "Ada Velt" in plain.answer
    helper = make_helper(llm)
    assert helper is not None
    phrased = helper.helped(asker, "Who cast Great Tom?", plain, None)
    assert phrased.answer == (shown or plain.answer)
    assert (phrased.answers, phrased.citations, phrased.sparql) == (plain.answers, plain.citations, plain.sparql)


# --- off -----------------------------------------------------------------------------------------------


def test_nothing_is_loaded_when_it_is_off(bells: KnowledgeBase, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from kg.knowledge_base import KnowledgeBase\n"
        f"kb = KnowledgeBase.open({str(bells.path)!r})\n"
        "kb.ask('Who cast Great Tom?'); kb.put(b'# Some bell\\n\\nIt rang.\\n', 'some.md')\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('httpx', 'torch') or m.startswith('kg.llm.')])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize("uses", [(), ("extract",)])
def test_there_is_no_helper_unless_one_is_wanted(settings: Made, uses: tuple[str, ...]) -> None:
    assert make_helper(LlmSettings()) is None
    assert make_helper(settings(uses=uses)) is None


def test_a_triple_of_ones_own_leaves_the_model_in_place(endpoint: Endpoint, settings: Made, tmp_path: Path) -> None:
    (tmp_path / "bells.md").write_text(DOCUMENT, encoding="utf-8")
    with_model = Settings(build={"ontology": ()}, llm=settings())
    KnowledgeBase.build(tmp_path / "kb", [tmp_path / "bells.md"], Settings(build={"ontology": ()}))
    with KnowledgeBase.open(tmp_path / "kb", with_model) as kb:
        assert kb.asker.model is not None
        triple = f"<{EX}tom> <{EX}note> <{EX}loud> <{kb.snapshot.namespaces.user_graphs}notes> .\n"
        assert kb.update_user_graphs(lambda snapshot: triple.encode())
        assert kb.asker.model is not None
