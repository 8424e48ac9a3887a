"""What a sentence, heading, column or bracket says of the standing of what it states.

Statuses from the boldest to the most cautious: confirmed, stated, estimated, leaked, planned, guessed, undisclosed.
In one clause the most cautious cue wins, but for two that qualify each other: "likely (from leaks)" is leaked, and
"estimated, not officially confirmed" is estimated. "About" and "~" are approximate, which is the value's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from kg.model import Hedge, Mood, Polarity, Status
from kg.text.stretch import apart
from kg.text.words import FUNCTION_WORDS, word_set

# --- The words that hedge: patterns of each standing, one a line, and what only looks like them

_FLUID = r"(?:water|gas|oil|fuel|coolant|air|steam|roof|pipes?|memory|tank|hull|valve|radiator|methane|chemicals?|data)"

_UNDISCLOSED = r"""
(?:not|never|n['’]t|nor)(?:\s(?:been|be|yet|ever|publicly|officially|fully|formally|clearly|otherwise)){0,3}\s(?:disclosed?|known|reveal(?:ed)?|specif(?:y|ied)|made\spublic|publici[sz]ed?|named?|detailed?|documented|published)\b
\bundisclosed\b|\bunspecified\b|\bunnamed\b|\bunreported\b|\bconfidential\b|\bis\sa\ssecret\b
\bunknown(?!\s[a-z]{4,})\b
\bwithh[eo]ld(?:s|ing)?\b|\bkept\s(?:deliberately\s)?(?:secret|confidential|private)\b
\bno\s(?:further|more|other|public|official)\s(?:details?|information|data|figures?)\b
\b(?:declin|refus)(?:es|ed|ing)\sto\s(?:say|disclose|comment|reveal|name)\b
\bnot\s(?:publicly|officially)\s(?:disclosed|available|stated|announced|released|shared)\b
\bnot\s(?:stated|given|announced|recorded|reported|mentioned)\s*$
\bto\sbe\s(?:announced|determined|confirmed|decided)\b|\btb[adc]\b
"""
_UNCONFIRMED = r"""
\bunconfirmed\b|(?:\bnot|\bnever|n['’]t)(?:\s\w+){0,2}?\s(?:confirmed|verified|corroborated)\b
"""
_LEAKED = r"""
\bleak(?:s|ed|er|ers|ing)?\b(?!-)
\breportedly\b|\ballegedly\b|\ballegations?\b|\bfamiliar\swith\sthe\smatter\b
\baccording\sto\s(?:insiders?|(?:people|sources|someone|a\sperson)\sfamiliar|anonymous)
\b(?:anonymous|unnamed|insider)\ssources?\b|\bsources\s(?:say|said|told|close)\b
"""
_GUESSED = r"""
\b(?:un)?likely\b|\bprobabl[ey]\b|\bpossibly\b|\bit\sis\spossible\sthat\b|^\W*possible\b|\bperhaps\b|\bmaybe\b|\bpresum(?:ably|ed|es?)\b|\bin\sall\slikelihood\b
\bsuspect(?:s|ed|ing)?\b|\bspeculat\w*\b|\bguess\w*\b|\bconjectur\w*\b|\bsurmis\w*\b|\bhunch\b|\bsupposed(?:ly)?\b
\b(?:we|one|i|you)\s(?:can|could|may|might|must|would)?\s?(?:only\s)?(?:assume|infer|suppose)\b
\b(?:is|are|was|were|widely|generally|commonly|be)\sassumed\b|^\W*assum\w+\W*$|\bit\s(?:would\s)?(?:seem|appear|look)(?:s|ed)?\b|\bseem(?:s|ed|ingly)?\b
\bappear(?:s|ed)?\s(?:to|that|as\sif|likely)\b|\bapparently\b|\b(?:it|this|that)\s(?:also\s)?look(?:s|ed)\s(?:like|as\sif)\b
\bunclear\b|\buncertain\b|\bdoubtful\b|\btentative(?:ly)?\b
\bnot\s(?:entirely\s|quite\s|fully\s)?(?:clear|certain|sure|clearly\sstated)\b
\b(?-i:may|[Mm]ight|[Cc]ould)\s(?:well\s|still\s|also\s|even\s)*(?:have|be|reflect)\b
\b(?:is|are|was|were|be|widely|generally|commonly)\s(?:believed|thought|rumou?red|said)\sto\b|\brumou?r(?:s|ed)?\b
\bhypothesi[sz]\w*\b|\bsafe\sto\s(?:say|assume)\b|\bmakes?\ssense\sthat\b
\bnothing\b[^.;]{0,16}\b(?:proves?|proof|confirms?|shows?)\b|\bno\s(?:proof|evidence)\b|\black\sof\s(?:proof|evidence)\b
"""
_ESTIMATED = r"""
\b(?<!-)estimat(?:e|es|ed|ing|ion|ions|or)\b|\bapproximately\scomputed\b|\bback[\s-]of[\s-]the[\s-]envelope\b
\bextrapolat\w+\b|\bballpark\b|\bby\sour\sreckoning\b|\b(?:calculated|reckoned|put|valued)\sat\b|\bcalculated\sto\sbe\b
"""
_PLANNED = r"""
\bplanned\b|\bplan(?:s|ning)?\s(?:to|for|on)\b|^\W*(?:future\s|our\s)?plans?\W*$|\bexpect(?:s|ed|ing|ation|ations)?\b(?!\sloss\b)
\bscheduled\s(?:to|for)\b|\bslated\b|\btargeted\s(?:for|to)\b|\btarget(?:s|ed|ing)\b(?=[^.;:]{0,40}\d)|\btarget\s(?:date|of|is|year)\b
\baim(?:s|ed|ing)\s(?:to|at|for)\b|\bintend(?:s|ed)?\sto\b|\bintention\sto\b
\bpropos(?:ed|es|al|als)\b|\bupcoming\b|\bforthcoming\b|\bforecast(?:ed)?\s(?:to|for|at)\b|^\W*forecasts?\W*$|\bprojected\b
\bon\s(?:the|its|their)\sroadmap\b
\bon\strack\sto\b|\bdue\s(?:to\s(?:open|be|start|begin|launch|arrive|complete)|for)\b|\bset\sto\b|\bgoing\sto\b
\bwill(?!\sof\b|\s*[,.;])(?=\s[a-z])|\bwon['’]t\b|\bshall\b|\bin\s(?:the\s)?(?:planning|pipeline)\b
\bto\sbe\s(?:built|opened|completed|launched|delivered|released|installed)\b
"""
_CONFIRMED = r"""
\bconfirm(?:s|ed|ation)?\b|\bofficial(?:ly)?\b|\bverified\b|\bverifiabl[ey]\b|\bcorroborated\b|\bundisputed\b
"""


def _compiled(lines: str) -> re.Pattern[str]:
    return re.compile("|".join(lines.strip().splitlines()), re.IGNORECASE)


# In this order: a cue hides the words that it covers from those below, and from negation.
CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("undisclosed", _compiled(_UNDISCLOSED)),
    ("unconfirmed", _compiled(_UNCONFIRMED)),
    ("leaked", _compiled(_LEAKED)),
    ("guessed", _compiled(_GUESSED)),
    ("estimated", _compiled(_ESTIMATED)),
    ("planned", _compiled(_PLANNED)),
    ("confirmed", _compiled(_CONFIRMED)),
)

NOT_CUES = _compiled(
    rf"""
\b{_FLUID}\s(?:\w+\s)?leak\w*\b|\bleak\w*\s(?:\w+\s){{0,2}}?(?:{_FLUID}|into|out|onto|rates?|tests?|detect\w*|proof)\b
\b(?:at|free|good|of\sits\sown|against\s(?:its|their|his|her))\swill\b|\b(?:the|his|her|their|a|last)\swill\b
\bmay\s\d|\b(?:ground|floor|street|house)\splan\b|\bplan(?:ning)?\s(?:permission|office|department|authority)\b
\bas\s(?:was\s)?expected\b|\bunexpected(?:ly)?\b
\bofficials\b|\bofficial\s(?:language|website|site|opening|name|title|blog)\b
\bnot\s(?:only|just|merely|simply|least|to\smention|until)\b|\bnothing\sbut\b|\bwhether\sor\snot\b
\bno\s(?:more|fewer|less|later|sooner)\sthan\b|\bno\s(?:doubt|matter|wonder)\b|\bno\.\s?\d|\bnot\s(?:more|fewer|less|later)\sthan\b
\bif\s(?:necessary|needed|possible|not|only|so)\b|\b(?:as|even|what)\sif\b
"""
)
NEGATION = re.compile(
    r"\b(?P<verbal>(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|might|must)\snot"
    r"|(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)n['’]t|cannot|never|no\slonger"
    r"|fail(?:s|ed)?\sto|refus(?:es|ed)\sto|ceas(?:es|ed)\sto|stopp(?:ed|ing)\susing|unable\sto|hardly\sever)\b"
    r"|\b(?P<local>not|no|rather\sthan|instead\sof|as\sopposed\sto|without|neither|nor|none\sof|lacks?|except(?:\sfor)?"
    r"|unlike|replaced\sby)\b",
    re.IGNORECASE,
)
HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|imagin(?:e|es|ing)|suppos(?:e|ing)|hypothetical(?:ly)?|were\sto|whether|had\sit)\b"
    r"|\b(?:would|might|could(?!\snot\b))\b|\b(?-i:may)(?=\s(?:not\s)?[a-z])",
    re.IGNORECASE,
)
ANNOUNCED = re.compile(
    r"\b(?:said|says|announced|stated|states|agreed|promised|pledged|plan\w*|committed|decided|deal|described)\b",
    re.IGNORECASE,
)
EITHER = re.compile(r"\beither\b[^.;]{1,60}\bor\b", re.IGNORECASE)
NAME_OR_NAME = re.compile(
    r"(?<!\w)(?:[A-Z][\w.-]*|\w*\d\w*[A-Z]\w*)(?:\s[A-Z][\w.-]*)?,?\sor\s(?:an?\s|the\s)?[A-Z][\w.-]*"
)
NAME_SLASH_NAME = re.compile(r"\b[A-Z][\w.-]*/[A-Z][\w.-]*")
OR = re.compile(r"\bor\b(?!\s(?:more|so|less|fewer|later|above|older)\b)")
BOUNDARY = re.compile(
    r"[;!?]|\.(?=\s+[A-Z(\"“]|\s*$)|\s(?:—|–|---|--|-)\s|—|---|:\s"
    r"|,?\s+(?=(?:but|whereas|although|though|however|yet|because)\s)"
    r"|,\s+(?=(?:while|and\s(?:it|they|he|she|we|the|this|that|has|had|is|was|were|did|will)|so|which|who|where|not|rather|likely|probably|possibly|perhaps|presumably|apparently|reportedly)\b)"
    r"|\s+(?=(?:rather\sthan|instead\sof|as\sopposed\sto)\s)",
    re.IGNORECASE,
)


Span = tuple[int, int]

CAUTION = tuple(map(Status, ("confirmed", "stated", "estimated", "leaked", "planned", "guessed", "undisclosed")))
_ORDER = {kind: place for place, (kind, _) in enumerate(CUES)}
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_BY_WHOM = re.compile(r"\b(?:by|from|according\sto|via)\s(?:[A-Z][\w.'’-]*\s?)+|\b(?:by|from)\s[a-z]+$")
_REMARKS = word_set("publicly officially widely highly most purely mere merely figure figures value values number")
_CONDITION = re.compile(r"(?:^|[.!?]\s+)\s*(?:if|unless|suppose|imagine)\b[^.!?]*$", re.IGNORECASE)
_WOULD = re.compile(r"\bwould\b(?!\shave\b)", re.IGNORECASE)
_SUBORDINATE = re.compile(r"\s*(?:although|though|while|whereas|because|since|when|after|before|as)\b[^,]*,", re.I)
_JOINS = re.compile(r"\b(?:and|but)\s+(?:then\s+|later\s+|so\s+|yet\s+)?$", re.IGNORECASE)
_DID = re.compile(r"(?:do|does|did|could|can|would)\b|(?:did|do|does|could|wo|would|ca)n|cannot", re.IGNORECASE)
_AUXILIARY = re.compile(r"\band\s+(?:then\s+|later\s+|\w+ly\s+)?(?:is|are|was|were|has|had|did|does|became|died)\s")
_PAST = re.compile(_AUXILIARY.pattern + r"|\band\s+(?:then\s+|later\s+|\w+ly\s+)?[a-z]{2,}ed\s")
_LABEL_WORDS = 7
_REMARK_WORDS = 6


@dataclass(frozen=True, slots=True)
class _Cue:
    """``reach``: of an adjective ("an undisclosed site") the list item that it stands in, else None."""

    start: int
    end: int
    kind: str
    reach: Span | None = None


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text's cues, and copies of it with other things blanked: what isn't to be read as negation or mood."""

    text: str
    cues: tuple[_Cue, ...]
    hidden: str
    outside: str


def absent(text: str) -> bool:
    """Whether a cell or value says that nothing applies: empty, a dash, ``N/A``, ``none`` – which isn't undisclosed."""
    plain = text.strip().strip("*_()").casefold()
    return plain in {"", "-", "–", "—", "--", "n/a", "n.a.", "na", "not applicable", "none", "nil", "null", "…", "..."}


_YES = word_set("yes true ✓ ✔ ✅ ☑ 🗸 :white_check_mark: :heavy_check_mark: :ballot_box_with_check: :check_mark:")
_NO = word_set("no false ✗ ✘ ❌ ✖ ☒ :x: :negative_squared_cross_mark: :cross_mark: :no_entry: :heavy_multiplication_x:")


def yes_or_no(text: str) -> bool | None:
    """Whether a cell or value says yes or no, in words or as a mark; None where it says anything else."""
    plain = text.replace("\ufe0f", "").strip(" .!*_").casefold()
    return plain in _YES if plain in _YES | _NO else None


def hedge(text: str) -> Hedge:
    """Standing of a whole sentence, bullet, cell, heading or confidence word; polarity is its first clause's."""
    if absent(text):
        return Hedge()
    reading = _read(text)
    whole_cues = tuple(c for c in reading.cues if not c.reach or not text[: c.reach[0]].strip(" ,;:"))
    first = next((c for c in _clauses(text) if text[c[0] : c[1]].strip()), (0, len(text)))
    if subordinate := _SUBORDINATE.match(reading.outside, *first):
        first = (subordinate.end(), first[1])
    whole = (0, len(text))
    polarity = _polarity(reading, first, None)
    return Hedge(_status(whole_cues), polarity, _mood(reading, whole, whole_cues, None, polarity))


def hedge_at(text: str, start: int, end: int) -> Hedge:
    """Standing of what the clause that holds ``text[start:end]`` states.

    Statuses and moods count in that clause, in brackets that only remark on it and, for a bracket, in the clause around
    it. "Not X" denies what follows it in its clause; "was never used" denies the clause on both sides.
    """
    reading = _read(text)
    clause = _clause_of(text, start, end)
    near = [c for c in reading.cues if _reaches(text, c, clause) and _covers(c, start, end)]
    status = _status(near)
    bracket = _bracket(text, start, end)
    if bracket and status is Status.STATED:
        home = _clause_of(text, bracket.start(), bracket.start())
        outer = _status([c for c in reading.cues if _reaches(text, c, home)])
        status = status if outer in (Status.UNDISCLOSED, Status.CONFIRMED) else outer
    span = (start, end)
    polarity = _polarity(reading, clause, span)
    return Hedge(status, polarity, _mood(reading, clause, near, span, polarity))


def combine(outer: Hedge, inner: Hedge) -> Hedge:
    """The standing of a statement from its surroundings (heading, label, column) and its own words.

    What says nothing leaves the other's status. An inner "confirmed" overrules any heading; under "undisclosed" any cue
    of its own does; a heading "confirmed" vouches for nothing hedged. Else the more cautious of both.
    Either negates; hypothetical before alternative before factual.
    """
    if inner.status is Status.STATED:
        status = outer.status
    elif outer.status in (Status.STATED, Status.CONFIRMED, Status.UNDISCLOSED) or inner.status is Status.CONFIRMED:
        status = inner.status
    else:
        status = max(outer.status, inner.status, key=CAUTION.index)
    negated = Polarity.NEGATED in (outer.polarity, inner.polarity)
    moods = (outer.mood, inner.mood)
    mood = next((m for m in (Mood.HYPOTHETICAL, Mood.ALTERNATIVE) if m in moods), Mood.FACTUAL)
    return Hedge(status, Polarity.NEGATED if negated else Polarity.AFFIRMED, mood)


# --- cues --------------------------------------------------------------------------------------


def _read(text: str) -> _Reading:
    """Cues of status left to right, each word in one at most."""
    shown = NOT_CUES.sub(_blank, text)
    found = [_Cue(m.start(), m.end(), kind) for kind, pattern in CUES for m in pattern.finditer(shown)]
    # "They said that it would open": what was would-be then was a plan.
    found += [
        _Cue(m.start(), m.end(), "planned") for m in _WOULD.finditer(shown) if ANNOUNCED.search(shown, 0, m.start())
    ]
    cues: list[_Cue] = []
    for cue in sorted(found, key=lambda c: (_ORDER[c.kind], c.start)):
        if not any(c.start < cue.end and cue.start < c.end for c in cues):
            cues.append(cue)
    hidden = list(shown)
    for cue in cues:
        negates = re.search(r"\b(?:won['’]t|unlikely)\b", shown[cue.start : cue.end], re.IGNORECASE)
        if not negates:
            hidden[cue.start : cue.end] = " " * (cue.end - cue.start)
    placed = [replace(c, reach=_item(shown, c)) for c in apart(cues)]
    return _Reading(text, tuple(placed), "".join(hidden), _BRACKET.sub(_blank, "".join(hidden)))


_ADJECTIVE = re.compile(r"(?:un(?:disclosed|specified|named|reported|known|confirmed)|confidential)$", re.IGNORECASE)


def _item(text: str, cue: _Cue) -> Span | None:
    """The comma's stretch around an adjective before its noun; None for anything else."""
    if not _ADJECTIVE.match(text[cue.start : cue.end]) or not re.match(r"\s[A-Za-z]", text[cue.end : cue.end + 2]):
        return None
    start = max(text.rfind(mark, 0, cue.start) for mark in (",", ";", ":", "(", ".")) + 1
    ends = [text.find(mark, cue.end) for mark in (",", ";", ":", ")", ". ")]
    return start, min([end for end in ends if end >= 0], default=len(text))


def _covers(cue: _Cue, start: int, end: int) -> bool:
    return cue.reach is None or (cue.reach[0] <= start and end <= cue.reach[1])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _status(cues: Iterable[_Cue]) -> Status:
    kinds = {cue.kind for cue in cues}
    if "leaked" in kinds:
        kinds -= {"guessed", "unconfirmed", "estimated"}
    if "estimated" in kinds:
        kinds -= {"unconfirmed"}
    if "unconfirmed" in kinds:
        kinds -= {"confirmed"}
    statuses = (Status.GUESSED if kind == "unconfirmed" else Status(kind) for kind in kinds)
    return max(statuses, key=CAUTION.index, default=Status.STATED)


# --- clauses -----------------------------------------------------------------------------------


def _clauses(text: str) -> tuple[Span, ...]:
    """Clauses of the text, its brackets left blank (each is its own clause). A short label belongs to its value."""
    outside = _BRACKET.sub(_blank, text)
    edges = [0]
    for boundary in BOUNDARY.finditer(outside):
        label = boundary[0].startswith(":") and len(outside[edges[-1] : boundary.start()].split()) <= _LABEL_WORDS
        if not label:
            edges.append(boundary.end())
    return tuple(zip(edges, [*edges[1:], len(text)], strict=True))


def _bracket(text: str, start: int, end: int) -> re.Match[str] | None:
    """The bracket around a stretch, its signs not counted in."""
    return next((b for b in _BRACKET.finditer(text) if b.start() < start and end < b.end()), None)


def _clause_of(text: str, start: int, end: int) -> Span:
    bracket = _bracket(text, start, end)
    low, high = (bracket.start() + 1, bracket.end() - 1) if bracket else (0, len(text))
    clauses = [(low + a, low + b) for a, b in _clauses(text[low:high])]
    return next((c for c in clauses if c[0] <= start < c[1]), (low, high))


def _reaches(text: str, cue: _Cue, clause: Span) -> bool:
    """Whether a cue speaks of a clause: it stands in it, or in a bracket or after a dash that only remarks on it."""
    home = _clause_of(text, cue.start, cue.end)
    if home == clause:
        return True
    bracket = _bracket(text, cue.start, cue.end)
    low, high = bracket.span() if bracket else home
    if not clause[0] <= low <= clause[1]:
        return False
    if bracket is None and home[0] != clause[1]:
        return False
    rest = text[low : cue.start] + " " + text[cue.end : high]
    left = [w for w in _WORD.findall(_BY_WHOM.sub(" ", rest)) if w.casefold() not in FUNCTION_WORDS | _REMARKS]
    return not left


# --- polarity and mood -------------------------------------------------------------------------


def _polarity(reading: _Reading, clause: Span, span: Span | None) -> Polarity:
    """Whether the clause, or what it says at ``span``, is denied."""
    low, high = clause
    text = reading.hidden if span and _bracket(reading.text, *span) else reading.outside
    for found in NEGATION.finditer(text, low, high):
        if span and found["verbal"] and _of_other_verb(text, found, span):
            continue
        if found["verbal"] or (span is None and _denies_all(text[low : found.start()], found["local"])):
            return Polarity.NEGATED
        reach = text[found.end() : span[0]] if span else ","
        if span and found.end() <= span[0] and not re.search(r",\s+(?!or\b|nor\b|and\b)", reach):
            return Polarity.NEGATED
    return Polarity.AFFIRMED


def _of_other_verb(text: str, found: re.Match[str], span: Span) -> bool:
    """Whether the negated verb and the one that tells what stands at ``span`` are joined, one subject for both.

    "Orr died in 1921 and did not see it" denies no death; neither does "Orr did not see it and died in 1921".
    """
    if span[1] <= found.start():
        return bool(_JOINS.search(text[span[1] : found.start()]))
    if span[0] < found.end():
        return False
    past = _DID.match(found[0])
    return bool((_PAST if past else _AUXILIARY).search(text[found.end() : span[0]]))


def _denies_all(head: str, word: str) -> bool:
    """Whether a "not" without a verb denies its whole clause: it opens it, or is its determiner."""
    quantifier = word.casefold() in ("neither", "no", "none of", "lacks", "lack")
    return not head.strip() or (quantifier and len(head.split()) < _REMARK_WORDS)


def _mood(reading: _Reading, clause: Span, cues: Iterable[_Cue], span: Span | None, polarity: Polarity) -> Mood:
    """Mood of a clause. "Not X or Y" denies both: no alternative."""
    low, high = clause
    inside = span is None or _bracket(reading.text, *span) is not None
    part = (reading.text if inside else _BRACKET.sub(_blank, reading.text))[low:high]
    unsure = any(c.kind in ("guessed", "leaked", "unconfirmed") for c in cues)
    affirmed = polarity is Polarity.AFFIRMED
    if affirmed and (EITHER.search(part) or NAME_OR_NAME.search(part)):
        return Mood.ALTERNATIVE
    if affirmed and unsure and (OR.search(part) or NAME_SLASH_NAME.search(part)):
        return Mood.ALTERNATIVE
    text = reading.hidden if inside else reading.outside
    if any(_supposes(text, found, span) for found in HYPOTHETICAL.finditer(text, low, high)):
        return Mood.HYPOTHETICAL
    return Mood.HYPOTHETICAL if _CONDITION.search(text[:low]) else Mood.FACTUAL


def _supposes(text: str, found: re.Match[str], span: Span | None) -> bool:
    """Whether a word makes its clause hypothetical: not an "if" set off after what is said."""
    word = found[0].casefold()
    later = span is not None and found.start() >= span[1] and "," in text[span[1] : found.start()]
    return not (later and word in ("if", "unless", "whether"))
