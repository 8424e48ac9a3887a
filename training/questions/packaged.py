"""Documents made of the files of Debian packages, unpacked under one root: their words, without what is around a page.

Every maker takes the root and what ``sources.toml`` says of the set, and gives names and texts.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import mallard, pod

Document = tuple[str, str]  # its file's name and its text
About = Mapping[str, Any]
_MOST = 30_000  # bytes of a page
_DOC = "usr/share/doc"


def read(path: Path) -> str:
    """The text of a file, which may be packed, in UTF-8 or else in Latin-1."""
    packed = path.read_bytes()
    raw = gzip.decompress(packed) if path.suffix == ".gz" else packed
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def found(pattern: str, text: str) -> str:
    """What a pattern takes of a text, its first group; ValueError where it finds nothing."""
    if (match := re.search(pattern, text, re.S)) is None:
        raise ValueError(f"the page has no {pattern}")
    return match[1]


def fitting(text: str, heading: str, most: int = _MOST) -> str:
    """The text, if it is longer than ``most`` bytes only to the last heading before; "" where none is before."""
    if len(text.encode()) <= most:
        return text
    ends = (match.start() for match in re.finditer(heading, text))
    return text[: max((end for end in ends if len(text[:end].encode()) <= most), default=0)]


def files(root: Path, about: About) -> Iterator[Document]:
    """Files, HTML without scripts, styles and comments; of some a part, from some words to before others."""
    for name, (path, first, end) in about["files"].items():
        text = read(root / path)
        if name.endswith((".html", ".htm")):
            text = re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->", "", text)
        start = text.index(first)
        yield name, text[start : text.index(end, start + 1) if end else len(text)]


def manuals(root: Path, about: About) -> Iterator[Document]:
    """The bodies of pages of Apache and PostgreSQL, cut at a heading; nginx's changes by version, and a text on PHP."""
    pages, doc = about["pages"], root / _DOC
    whole = "<html><head><title>{}</title></head><body>\n{}\n</body></html>\n"
    noise = r"(?is)<(script|style|button)\b.*?</\1>|<!--.*?-->"
    for page in pages["apache"]:
        text = re.sub(noise, "", read(doc / f"apache2-doc/manual/en/{page}.html"))
        body = found(r'<div id="page-content">(.*?)<div class="bottomlang">', text)
        beside = r'<div class="toplang">.*?</div>|<div id="quickview">.*?(?=<div class="top"|<div class="section")'
        body = re.sub(r'(?s)<div class="top">.*?</div>', "", re.sub(f"(?s){beside}", "", body, count=2))
        body = fitting(body, r'<div class="section">|<dt><a name')
        yield f"a-{page.split('/')[-1]}.html", whole.format(found("<title>(.*?)</title>", text), body)
    for page in pages["postgresql"]:
        text = re.sub(noise, "", read(doc / f"postgresql-doc-15/html/{page}.html"))
        inner = r'<body.*?</div>\s*(<div class="(?:sect1|chapter|appendix)".*?)<div class="navfooter">'
        body = re.sub(r'(?s)<div class="toc">.*?</dl></div>', "", found(inner, text))
        body = fitting(body, r'<div class="sect[23]"')
        yield f"p-{page}.html", whole.format(found("<title>(.*?)</title>", text), body)
    changes = re.split(r"(?m)^(?=Changes with nginx )", read(doc / "nginx-doc/changelog.gz"))
    versions = [part.split()[3] if part.strip() else "" for part in changes]
    for last, first in pages["nginx"]:
        kept = changes[versions.index(last) : versions.index(first) + 1]
        yield f"n-changes-{first}-to-{last}.txt", "".join(kept)
    yield "n-php.txt", read(doc / "nginx/php")


def perl(root: Path, about: About) -> Iterator[Document]:
    """Perl's own pages as Markdown, and texts on time zones and OpenSSL; all cut at a heading."""
    for page in about["pages"]["pod"]:
        yield f"{page}.md", _chapters(pod.markdown(read(root / f"usr/share/perl/5.36.0/pod/{page}.pod")))
    for name, path in about["pages"]["text"].items():
        yield name, _chapters(read(root / path))


def _chapters(text: str) -> str:
    """What fits of a text's chapters; with less than 5,000 characters of them the next one's beginning too."""
    heading = r"(?m)^(?=##? |### Major|Release \d|\s*<h2)"
    kept = fitting(text, heading, 25_000)
    if kept == text or len(kept) >= 5_000:
        return kept
    following = re.split(heading, text[len(kept) :])
    part = next(part for part in following if part)
    return kept + part[: part.rindex("\n", 0, 18_000)] + "\n"


def pythondocs(root: Path, about: About) -> Iterator[Document]:
    """Sections of Python's documentation under their page's title; pages of which no section is named whole."""
    for name, (page, *sections) in about["pages"].items():
        text = read(root / _DOC / f"python3.11/html/{page}.html")
        text = found(r'(<div class="body" role="main">.*?)<div class="clearer">', text)
        text = re.sub(r'(?s)<script\b.*?</script>|<a class="headerlink".*?</a>', "", text)
        if sections:
            parts = [found("(<h1>.*?</h1>)", text), *(_section(text, section) for section in sections)]
        else:
            parts = [found(r"(<section\b.*</section>)", text)]
        yield name, "\n".join(["<body>", *parts, "</body>\n"])


def _section(text: str, name: str) -> str:
    """A section with the sections in it."""
    start, depth = text.index(f'<section id="{name}">'), 0
    for tag in re.finditer(r"<section\b|</section>", text[start:]):
        depth += -1 if tag[0] == "</section>" else 1
        if not depth:
            return text[start : start + tag.end()]
    raise ValueError(f"section {name} doesn't end")


def rustnode(root: Path, about: About) -> Iterator[Document]:
    """Pages of Rust's books and of Node.js, cut before a heading or a row; Rust's release notes by version."""
    pages, doc = about["pages"], root / _DOC
    for page in pages["rust"]:
        body = found(r"<main>(.*?)</main>", read(doc / f"rust-doc/html/{page}.html"))
        yield page.replace("/", "-").replace("-index", "") + ".html", _plain(body)
    for page in pages["nodejs"]:
        text = read(doc / f"nodejs/api/{page}.html")
        yield f"nodejs-{page}.html", _plain(found(r'<div id="apicontent">(.*?)<!-- API END -->', text))
    notes = read(doc / "rust-doc/changelog.gz")
    for name, (first, end) in pages["releases"].items():
        text = notes[notes.index(f"Version {first}") : notes.index(f"Version {end}")]
        yield name, text if len(text) <= _MOST else text[: text.rindex("\n\n", 0, _MOST)] + "\n"


def _plain(text: str) -> str:
    """A page's body without scripts, buttons, marks of anchors, and attributes but for links."""
    text = re.sub(r'(?is)<(script|style|button|svg|nav)\b.*?</\1>|<!--.*?-->|<i class="fa[^>]*></i>', "", text)
    mark = r'<a class="mark".*?</a>'
    text = re.sub(rf"(?is)<span>{mark}</span>|{mark}|</?span\b[^>]*>|<input[^>]*>|<img[^>]*>", "", text)
    text = re.sub(r'(?is)<(\w+)\s[^>]*?(\bhref="[^"]*")?[^>]*>', _linked, text)
    text = re.sub(r"<(/?)(main|article)>|<div>\s*</div>", "", text)
    text = re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"
    kept = fitting(text, "<h[1-4]")
    # A page that is one long table under one heading is cut before a row.
    return kept if kept == text or len(kept) > 3_000 else text[: text.rindex("<tr>", 0, _MOST)]


def _linked(tag: re.Match[str]) -> str:
    return f"<{tag[1]} {tag[2]}>" if tag[2] and tag[1] == "a" else f"<{tag[1]}>"


def sqlite(root: Path, about: About) -> Iterator[Document]:
    """Pages of SQLite's documentation without banner, menu, scripts, contents and the line at the foot."""
    for page in about["pages"]:
        text = read(root / _DOC / f"sqlite3/{page}.html")
        title, body = found("(?i)<title>(.*?)</title>", text).strip(), found("(?i)<body>(.*)", text)
        body = re.sub(r"(?is)<div class=nosearch>.*?<script>.*?</script>", "", body, count=1)
        body = re.sub(r"(?is)<(script|svg|style)\b.*?</\1>|<img\b[^>]*>|</?(body|html)>", "", body)
        body = re.sub(r'(?is)<div class="nosearch">.*?</div>', "", body)
        body = re.sub(r'(?is)<div class="fancy_toc">.*?(?=<h1|</div>\s*</div>)', "", body)
        if page in about["without"]:
            body = re.sub(rf"(?is)<div class='{about['without'][page]}'>.*?</div>", "", body)
        body = re.sub(r'(?is)<p align="center"><small><i>This page last modified.*', "", body)
        if page in about["cut_before"]:
            tag, words = about["cut_before"][page]
            body = body[: body.rindex(tag, 0, body.index(words))]
        head = f'<!DOCTYPE html>\n<html><head><meta charset="utf-8">\n<title>{title}</title></head>\n'
        yield f"{page}.html", f"{head}<body>\n{body.strip()}\n</body></html>\n"


def userhelp(root: Path, about: About) -> Iterator[Document]:
    """FreedomBox's manual as packaged, long pages from heading to heading; GNOME's help as Markdown, by topic."""
    pages, manual = about["pages"], root / "usr/share/freedombox/manual/en"
    for page in pages["freedombox"]:
        yield f"fbx-{page}.html", read(manual / f"{page}.part.html")
    for name, (page, first, end) in pages["parts"].items():
        text = read(manual / f"{page}.part.html")
        yield f"fbx-{name}.html", text[_headed(text, first) : _headed(text, end)]
    for topic, names in pages["topics"].items():
        yield f"gnome-{topic}.md", mallard.markdown(root / "usr/share/help/C/gnome-help", names)


def _headed(text: str, heading: str) -> int:
    """Where the section with a heading begins."""
    if (match := re.search(r"<h\d[^>]*>" + re.escape(heading), text)) is None:
        raise ValueError(f"no heading {heading}")
    return text.rindex('<section class="section"', 0, match.start())
