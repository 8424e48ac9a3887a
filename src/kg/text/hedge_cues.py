"""The words that hedge: patterns of each standing, one a line, and what only looks like them."""

from __future__ import annotations

import re

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
\bscheduled\s(?:to|for)\b|\bslated\b|\btarget(?:s|ed|ing)\b|\btarget\s(?:date|of|is|year)\b
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
