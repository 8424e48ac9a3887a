"""Sentences with their trees, written by hand: "word/TAG/head/label" with heads counted from 1."""

from __future__ import annotations

from kg.syntax.parser import Parsed


def parsed(text: str) -> Parsed:
    """A tree from words parted by blanks."""
    rows = [word.rsplit("/", 3) for word in text.split()]
    words, tags, heads, labels = zip(*rows, strict=True)
    return Parsed(words, tags, tuple(int(head) - 1 for head in heads), labels)


def conllu(*sentences: Parsed) -> str:
    """The same in CoNLL-U."""
    return "\n".join(
        "# text = "
        + " ".join(s.words)
        + "\n"
        + "".join(
            f"{i + 1}\t{w}\t{w.lower()}\t{t}\t_\t_\t{h + 1}\t{label}\t_\t_\n"
            for i, (w, t, h, label) in enumerate(zip(s.words, s.tags, s.heads, s.labels, strict=True))
        )
        for s in sentences
    )


LIT = parsed(
    "Corran/PROPN/2/compound Light/PROPN/7/nsubj:pass ,/PUNCT/6/punct which/PRON/6/nsubj Ada/PROPN/6/nsubj "
    "drew/VERB/2/acl:relcl lit/VERB/0/root in/ADP/9/case 1901/NUM/7/obl ./PUNCT/7/punct"
)
