"""Question sets on documents that are not kept with them: words as offsets, and documents made again."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.questions import mallard, offsets, packaged, pod, published, tokens
from training.questions.documents import FROM_DATA, HERE, KEPT, SETS, documents, main, sources, write
from training.questions.offsets import collapsed, resolved, stored

DATA = Path(__file__).parents[3] / "shared" / "bench"
TEXT = "# Mills\n\nThe Corran Mill was built\nin 1888 by Ada Wren, who had seen one in Orra. It burnt in 1908.\n"


def question(evidence: list[Any], spans: list[Any], *forms: Any) -> dict[str, Any]:
    return {"question": "When?", "docs": ["mills.md"], "answers": [list(forms)], "evidence": evidence, "spans": spans}


def test_words_of_the_document_become_their_places() -> None:
    asked = question(["was built\nin 1888 by Ada Wren"], ["built\nin 1888", "Ada"], "built in 1888", "in 1888", "Ada")
    assert stored(asked, TEXT) == question([[25, 54]], [[29, 42], [46, 49]], [29, 42], "in 1888", [46, 49])
    assert resolved(stored(asked, TEXT), TEXT) == asked


def test_a_span_is_found_in_the_evidence_and_as_a_whole_word() -> None:
    text = "19 of 219 mills. 119 burnt, 19 stand."
    assert stored(question(["119 burnt, 19 stand"], ["19"], "19"), text)["spans"] == [[28, 30]]


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        ("Corran Mill was built in 1888 by Ada Wren", [13, 54]),
        ("the Corran Mill was built in 1888 and it burnt later", ["the", [13, 42], "and", "it", "burnt", "later"]),
        ("Corran Mill was built in 1888", "Corran Mill was built in 1888"),
        ("Corran Mill was built\nin 1888 by Ada Wren", ["Corran", "Mill", "was", "built\nin", [38, 54]]),
    ],
)
def test_long_forms_of_answers_hold_no_sentence_of_the_document(form: str, kept: Any) -> None:
    asked = question([], [], form)
    assert stored(asked, TEXT)["answers"] == [[kept]]
    assert resolved(stored(asked, TEXT), TEXT) == asked


def test_evidence_that_the_document_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="not in the document: built in 1889"):
        stored(question(["built in 1889"], []), TEXT)


def slices(text: str) -> st.SearchStrategy[str]:
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    return ends.map(lambda two: text[min(two) : max(two)])


@st.composite
def asked_of(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    text = draw(st.text(st.sampled_from("ab é.*\n\u00a0\t"), max_size=120))
    evidence = draw(st.lists(slices(text), max_size=3))
    spans = [draw(slices(stretch)) for stretch in evidence]
    forms = st.one_of(st.sampled_from(spans or [""]), slices(text), st.text(max_size=30))
    answers = draw(st.lists(st.lists(st.one_of(forms, forms.map(collapsed)), max_size=3), max_size=3))
    return {"docs": ["a.md"], "answers": answers, "evidence": evidence, "spans": spans, "id": "a1"}, text


@given(asked_of())
def test_words_come_back_from_their_places(made: tuple[dict[str, Any], str]) -> None:
    asked, text = made
    kept = stored(asked, text)
    assert resolved(kept, text) == asked
    for start, end in kept["spans"]:
        assert any(first <= start <= end <= last for first, last in kept["evidence"])


@pytest.mark.parametrize("name", SETS)
def test_every_set_says_what_it_is(name: str) -> None:
    asked = offsets.questions(HERE / name / "questions.jsonl")
    told = (HERE / name / "README.txt").read_text(encoding="utf-8")
    assert f"\n{len(asked)} questions on " in told and f"{sources()[name]['bytes']:,} bytes" in told
    assert all(version in told for version in sources()[name].get("packages", {}).values())
    assert len({q["id"] for q in asked}) == len({q["question"].casefold() for q in asked}) == len(asked)
    for q in asked:
        assert bool(q["answers"]) == bool(q["evidence"]) == (q["type"] != "unanswerable") and len(q["docs"]) <= 1


@pytest.mark.parametrize("name", FROM_DATA)
def test_sets_made_of_the_data_keep_no_sentences_of_it(name: str) -> None:
    for q in offsets.questions(HERE / name / "questions.jsonl"):
        assert all(isinstance(place, list) for place in [*q["evidence"], *q["spans"]])


def plain(page: str, text: str) -> str:
    """A document's words, without tags."""
    if page.endswith(".html"):
        text = re.sub(r"(?is)<head\b.*?</head>", " ", text)
        text = re.sub(
            r"(?i)</?(p|div|li|ul|ol|td|th|tr|table|h\d|dt|dd|dl|br|pre|section|body|html)\b[^>]*>", " ", text
        )
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
    return offsets.collapsed(text)


@pytest.mark.parametrize("name", KEPT)
def test_what_is_quoted_of_kept_documents_stands_in_them(name: str) -> None:
    texts = {page: plain(page, text) for page, text in documents(name, DATA)}
    assert sum(len(text.encode()) for _, text in documents(name, DATA)) == sources()[name]["bytes"]
    for q in offsets.questions(HERE / name / "questions.jsonl"):
        for words in q["evidence"]:
            assert offsets.collapsed(words) in texts[q["docs"][0]]


@pytest.mark.parametrize("name", FROM_DATA)
def test_offsets_lie_in_the_documents_and_spans_in_the_evidence(name: str) -> None:
    if not DATA.is_dir():
        pytest.skip("the data folder is not there")
    texts = dict(documents(name, DATA))
    assert sum(len(text.encode()) for text in texts.values()) == sources()[name]["bytes"]
    for kept in offsets.questions(HERE / name / "questions.jsonl"):
        text = "".join(texts[document] for document in kept["docs"])
        for start, end in [*kept["evidence"], *kept["spans"]]:
            assert 0 <= start < end <= len(text)
        for start, end in kept["spans"]:
            assert any(first <= start and end <= last for first, last in kept["evidence"])
        asked = resolved(kept, text)
        assert all(words.strip() for words in [*asked["evidence"], *asked["spans"]])
        assert stored(asked, text) == kept


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_packages_file_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    page = tmp_path / "FAQ"
    page.write_bytes("Häfen".encode(encoding))
    assert packaged.read(page) == "Häfen"


def test_a_set_is_written_with_its_words(tmp_path: Path) -> None:
    offsets.write(tmp_path / "kept.jsonl", [question([[9, 42]], [[38, 42]], [38, 42], "in 1888")])
    assert write([("mills.md", TEXT)], tmp_path / "kept.jsonl", tmp_path / "set") == len(TEXT)
    assert (tmp_path / "set" / "documents" / "mills.md").read_text(encoding="utf-8") == TEXT
    (asked,) = offsets.questions(tmp_path / "set" / "questions.jsonl")
    assert asked == question(["The Corran Mill was built\nin 1888"], ["1888"], "1888", "in 1888")


def test_documents_of_another_size_are_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for page in sources()["handbook"]["pages"]:
        (tmp_path / "collections/handbook/pages" / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "collections/handbook/pages" / page).write_text("Changed.\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["documents", str(tmp_path / "out"), "handbook", "--data", str(tmp_path)])
    main()
    assert capsys.readouterr().err == "warning: the size of handbook is 252, the questions are for 257300\n"
    assert len(list((tmp_path / "out/handbook/documents").iterdir())) == 28


def test_sets_are_left_out_without_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["documents", str(tmp_path), "articles", "--data", str(tmp_path / "none")])
    main()
    assert "articles is left out" in capsys.readouterr().err and not list(tmp_path.iterdir())
    monkeypatch.setattr("sys.argv", ["documents", str(tmp_path), "mills"])
    with pytest.raises(SystemExit):
        main()
    assert "no such set: mills" in capsys.readouterr().err


def test_articles_are_cut_into_files(tmp_path: Path) -> None:
    lines = [f'{{"article": "Old Mills", "context": "Paragraph {n}. "}}\n' * 2 for n in range(5)]
    (tmp_path / "lines.jsonl").write_text("".join(lines), encoding="utf-8")
    about = {"file": "lines.jsonl", "titles": ["Old Mills"], "joint": "_", "paragraphs": 2, "files": 2}
    assert list(published.articles(tmp_path, about)) == [
        ("old_mills.md", "# Old Mills\n\nParagraph 0.\n\nParagraph 1.\n"),
        ("old_mills_2.md", "# Old Mills\n\nParagraph 2.\n\nParagraph 3.\n"),
    ]


def test_tokens_are_put_together() -> None:
    told = [["He", "wrote", '"', "The", "Mill", '"', "(", "1888", "-", "90", ")", ",", "did", "n't", "he", "?"]]
    assert tokens.sentences(told) == ['He wrote "The Mill" (1888-90), didn\'t he?']


def test_a_long_page_ends_before_the_last_heading_that_fits() -> None:
    page = "<h1>é</h1>one<h2>b</h2>two"
    assert packaged.fitting(page, "<h", 14) == "<h1>é</h1>one" and packaged.fitting(page, "<h", 13) == ""
    assert packaged.fitting(page, "<h", 27) == page


def test_pod_becomes_markdown() -> None:
    lines = ["=head2 Use of C<< a > b >>", "=over", "=item *", "B<Bold I<and> E<lt>>", "=item Two", "  x", "  y"]
    page = "\n\n".join([*lines, "=begin man", "for manuals alone", "=end", "L<a|b>"])
    blocks = ["## Use of `a > b`", "- **Bold *and* <**", "- Two", "```\n  x\n  y\n```", "a"]
    assert pod.markdown(page) == "\n\n".join(blocks) + "\n"


def test_mallard_becomes_markdown(tmp_path: Path) -> None:
    head = '<page xmlns="http://projectmallard.org/1.0/">'
    (tmp_path / "other.page").write_text(f"{head}<title>Other</title></page>", encoding="utf-8")
    body = (
        "<title>Keys</title><p>Press <keyseq><key>Ctrl</key><key>C</key></keyseq> in <gui>Files</gui>.</p>"
        '<note><p>See <link xref="other"/>.</p></note><steps><item><p>One</p></item><item><p>Two</p></item></steps>'
        "<table><tr><td><p>a</p></td><td>b</td></tr></table>"
    )
    (tmp_path / "keys.page").write_text(f"{head}{body}</page>", encoding="utf-8")
    blocks = [
        "# Keys", "Press Ctrl+C in **Files**.", "Note: See Other.", "1. One", "2. Two",
        "|  |  |\n| --- | --- |\n| a | b |",
    ]  # fmt: skip
    assert mallard.markdown(tmp_path, ["keys"]) == "\n\n".join(blocks) + "\n"
