"""Which HTML elements are what: those that hold no content, those that begin a block, those that mark text."""

from __future__ import annotations

from kg.model import MarkKind


def tags(names: str) -> frozenset[str]:
    """A set of names written as one string."""
    return frozenset(names.split())


# Never content, whatever is inside.
DROPPED = tags(
    "applet area audio base button canvas col colgroup command datalist del dialog embed frame frameset head iframe"
    " input keygen link map meta meter nav noembed noframes noscript object optgroup option output param progress"
    " rp rt script select source style svg template textarea title track video annotation annotation-xml"
)
DROPPED_ROLES = tags("navigation banner contentinfo search complementary menu menubar toolbar dialog alert")
# Exact class names of what surrounds content; generic ones that sites and their generators share.
DROPPED_CLASSES = tags(
    "nav navbar navigation menu breadcrumb breadcrumbs pagination pager skip-link skiplink cookie-banner cookie-notice"
    " social-share share-buttons advert advertisement mw-editsection mw-jump-link navbox noprint headerlink sr-only"
    " visually-hidden toc"
)
BLOCKS = tags(
    "address article aside blockquote body center details dir div dd dl dt fieldset figcaption figure footer form h1"
    " h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section search summary table ul caption thead"
    " tbody tfoot tr td th"
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
MARKS = {
    "b": MarkKind.STRONG,
    "strong": MarkKind.STRONG,
    "i": MarkKind.EMPHASIS,
    "em": MarkKind.EMPHASIS,
    "cite": MarkKind.EMPHASIS,
    "dfn": MarkKind.EMPHASIS,
    "var": MarkKind.EMPHASIS,
    "code": MarkKind.CODE,
    "kbd": MarkKind.CODE,
    "samp": MarkKind.CODE,
    "tt": MarkKind.CODE,
}
_RAISED = "0123456789+-=()n"
SUPERSCRIPT = str.maketrans(_RAISED, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
RAISED = frozenset(_RAISED)
