from __future__ import annotations

import codecs
import hashlib

import pytest

from kg.errors import UnreadableDocument
from kg.readers import READERS, has_reader, read, suffixes


def test_the_registry_lists_the_formats() -> None:
    assert set(READERS) >= {".md", ".markdown", ".txt", ".rst", ".adoc"}
    assert suffixes() == tuple(sorted(READERS))
    for suffix, reader in READERS.items():
        assert suffix in reader.suffixes


def test_suffix_in_any_case_and_in_folders() -> None:
    assert read(b"# Ovens", "bakery/Rye.MD").media_type == "text/markdown"
    assert read(b"Ovens", "bakery/rye.v2.txt").media_type == "text/plain"


def test_documents_without_a_suffix_have_names_in_capitals() -> None:
    document = read(b"OVENS\n\nThe oven is lit at four.\n", "bakery/README")
    assert document.media_type == "text/plain" and document.blocks[0].level == 1
    for name in ("FAQ", "oven-NEWS", "FOR-BIND_USERS", "bread.d/FAQ", "TODO"):
        assert has_reader(name), name
    for name in ("Makefile", "id_rsa", "oven", "A", "README.xyz", "oven.NEWS", ".FAQ", "README-oven", "DSC_0001"):
        assert not has_reader(name), name


def test_newlines_and_byte_order_marks_go_and_the_hash_is_of_the_source() -> None:
    data = codecs.BOM_UTF8 + b"# Rye\r\n\r\nBaked\rdaily.\r\n"
    document = read(data, "rye.md")
    assert document.text == "# Rye\n\nBaked\ndaily.\n"
    assert document.content_hash == hashlib.sha256(data).hexdigest()
    assert read("Héllo ovens".encode("utf-16"), "a.txt").text == "Héllo ovens"


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"", "a.md", "empty"),
        (b" \n\t\r\n", "a.txt", "blank"),
        (codecs.BOM_UTF8, "a.md", "blank"),
        (b"caf\xe9", "a.md", "UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "a.md", "UTF-16"),
        (b"PK\x03\x04\x00\x00", "a.txt", "control"),
        (b"a\x00b", "a.md", "control"),
        (b"***\n\n---\n", "a.md", "markup"),
        (b"<!-- nothing -->", "a.md", "markup"),
        (b"----\n\n====\n", "a.txt", "no text"),
        (b"Skip to content\n", "a.txt", "no text"),
        (b"oven", "a.docm", "no reader"),
        (b"oven", "Makefile", "no reader"),
        (b"oven", "changelog", "no reader"),
        (b"oven", "README.Debian", "no reader"),
        (b"\x7fELF\x00", "README", "control"),
    ],
)
def test_refused_with_a_hint(data: bytes, name: str, said: str) -> None:
    with pytest.raises(UnreadableDocument, match=said) as caught:
        read(data, name)
    assert caught.value.hint and name in caught.value.message


def test_unknown_suffix_names_the_known_ones() -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read(b"oven", "a.xyz")
    assert all(suffix in caught.value.hint for suffix in READERS)


def test_too_large_is_refused_before_it_is_read() -> None:
    assert read(b"x" * 10, "a.md", max_bytes=10).text
    with pytest.raises(UnreadableDocument, match="larger"):
        read(b"\xff" * 11, "a.md", max_bytes=10)
