"""Names as documents write them: the form that is shown, and the key under which near-identical names meet."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Characters that look alike and mean the same within a name.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−·‧・∙", "-"),
        **dict.fromkeys("‘’‚‛ʼʻʾʿ′`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_WIKILINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)|`+")
_SPACE = re.compile(r"\s+")
_ARTICLE = re.compile(r"(?:the|The|THE)\s+(?=\S)")
_POSSESSIVE = re.compile(r"(?:(?<=\w)['’]s|(?<=[sS])['’])$")
_ABBREVIATED = re.compile(r"\.\w$|(?<!\w)(?:Inc|Ltd|Corp|Co|Bros|Jr|Sr|St|Mt)$")
_EDGES = " \t\n,;:.!?\"'“”‘’"
# The plural of a code or of an abbreviation: M100s, PLCs, M140's; not a decade (1990s), not a word (Kubernetes).
_CODE_PLURAL = re.compile(r"(?<!\w)((?=\w*[^\W\d_])[\w./-]*\d|[A-Z][A-Z0-9]*[A-Z0-9])s(?!\w)")
_LAST_CODE_PLURAL = re.compile(_CODE_PLURAL.pattern + "$")
_ORDINAL_UNIT = re.compile(r"\d+m?s")
_AND = re.compile(r"(?<=\s)&(?=\s)")
_JOINTS = re.compile(r"(?<=\d)[\s\-_]+(?=\d)")
_SEPARATORS = re.compile(r"[\s\-_]+")
_QUOTES = re.compile(r"['\"]")
_INITIALS = re.compile(r"(?<![\w.])(?:[^\W\d_]\.\s?)+(?:[^\W\d_](?!\w))?")  # "U.S.", "J. H. Dearle"


@lru_cache(maxsize=65536)
def clean_name(surface: str) -> str:
    """The name as it is shown: no markup, article, outer punctuation or plural of a code.

    >>> clean_name("the **M100s**"), clean_name("“Ada Holm”,"), clean_name("[[notes#x|Rye bread]]")
    ('M100', 'Ada Holm', 'Rye bread')
    """
    plain = unicodedata.normalize("NFC", surface).translate({0xAD: None, 0x200B: None, 0xFEFF: None, 0x2060: None})
    plain = _MARKS.sub("", _LINK.sub(r"\1", _WIKILINK.sub(r"\1", plain)))
    plain = _SPACE.sub(" ", plain).strip()
    bare = _strip_edges(_ARTICLE.sub("", plain, count=1) if _ARTICLE.match(plain) else plain)
    return _LAST_CODE_PLURAL.sub(_singular_code, bare) or plain or surface


def _strip_edges(text: str) -> str:
    # A final full stop belongs to an abbreviation: "Inc.", or one that has others ("U.S.").
    bare = text.strip(_EDGES)
    stopped = text.rstrip(_EDGES.replace(".", "")).endswith(".")
    return f"{bare}." if stopped and _ABBREVIATED.search(bare) else bare


def without_possessive(name: str) -> str:
    """The name without "'s" at its end (which belongs to some names: the key leaves it out, the label keeps it)."""
    return _POSSESSIVE.sub("", name)


def _singular_code(found: re.Match[str]) -> str:
    return found[0] if _ORDINAL_UNIT.fullmatch(found[0]) else found[1]


@lru_cache(maxsize=65536)
def name_key(surface: str) -> str:
    """Key of a name: equal for names that differ in case, accents, dashes, quotes, spaces or hyphens, article, plural
    of a code, full stops of initials.

    Two digits that a space or hyphen keeps apart stay apart. Never empty for a text that isn't.

    >>> name_key("Rover 3") == name_key("rover-3") == name_key("the Rover-3’s"), name_key("Mk 1-1") == name_key("Mk 11")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", clean_name(surface)).translate(_ALIKE).strip()
    plain = _CODE_PLURAL.sub(_singular_code, without_possessive(plain))
    plain = _INITIALS.sub(lambda found: found[0].replace(".", ""), _without_accents(plain))
    plain = _AND.sub("and", plain).casefold().rstrip(".") or plain.casefold()
    joined = _SEPARATORS.sub("", _JOINTS.sub("\0", _QUOTES.sub("", plain)))
    return joined.replace("\0", "-") or plain or surface


def _without_accents(text: str) -> str:
    """Latin letters without accents; other scripts keep their marks."""
    if text.isascii():
        return text
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not 0x300 <= ord(c) < 0x370)
    return unicodedata.normalize("NFC", bare)


def is_proper(name: str) -> bool:
    """Whether a name is one beyond its document: it has a capital or a digit, and no article ("the Company")."""
    plain = _SPACE.sub(" ", _MARKS.sub("", name)).strip(_EDGES)
    return not _ARTICLE.match(plain) and any(c.isupper() or c.isdigit() for c in plain)


def words(name: str) -> list[str]:
    """Words of a cleaned name; a hyphen joins."""
    return clean_name(name).split(" ")


_NAME_WORD = re.compile(r"[^\W\d_]+(?:[.'’-][^\W\d_]*)*")


def is_full_person_name(name: str) -> bool:
    """Whether a name has the form of a given and a last name: two to four capitalised words ("Ada M. Holm")."""
    parts = [w for w in words(name) if w not in ("de", "van", "von", "der", "den", "da", "di", "la", "le", "bin", "al")]
    return 2 <= len(parts) <= 4 and all(_NAME_WORD.fullmatch(w) and w[0].isupper() for w in parts)
