"""Forms of English verbs: the base of a form, and the form that labels of properties take ("orbited" → "orbits").

Regular forms are taken back by rule; where two bases are possible ("based": "bas" or "base") the one that is a word of
the encoder's vocabulary is right. Irregular verbs are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

_IRREGULAR = """
be am is are was were been being|have has had having|do does did done doing|go goes went gone|arise arose arisen
awake awoke awoken|bear bore born borne|beat beat beaten|become became become|begin began begun beginning|bend bent
bet bet|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
broadcast broadcast|build built|burn burnt|burst burst|buy bought|cast cast|catch caught|choose chose chosen|cling clung
come came come|cost cost|creep crept|cut cut cutting|deal dealt|dig dug digging|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown flies|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven
freeze froze frozen|get got gotten getting|give gave given|grind ground|grow grew grown|hang hung|hear heard
hide hid hidden|hit hit hitting|hold held|hurt hurt|keep kept|know knew known|lay laid|lead led|lean leant|leave left
lend lent|let let letting|lie lay lain lying|light lit|lose lost|make made|mean meant|meet met|overcome overcame
override overrode overridden|overtake overtook overtaken|overthrow overthrew overthrown|pay paid|put put putting
quit quit|read read|ride rode ridden
ring rang rung|rise rose risen|run ran run running|say said|see saw seen|seek sought
sell sold|send sent|set set setting|shake shook shaken|shed shed|shine shone|shoot shot|show showed shown
shrink shrank shrunk|shut shut|sing sang sung|sink sank sunk|sit sat sitting|sleep slept|slide slid|speak spoke spoken
spend spent|spin spun|split split|spread spread|spring sprang sprung|stand stood|steal stole stolen|stick stuck
strike struck|strive strove striven|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken
teach taught|tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone
understand understood|undertake undertook undertaken|uphold upheld|wake woke woken|wear wore worn|weave wove woven
win won winning|wind wound|withdraw withdrew withdrawn|withstand withstood|write wrote written|rebuild rebuilt
outdo outdid outdone|foresee foresaw foreseen|forego forewent foregone|overrun overran overrun
overwrite overwrote overwritten
rewrite rewrote rewritten|reset reset|undo undid undone
redo redid redone|withhold withheld|die died dying|tie tied tying
"""
_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_VOWELS = "aeiou"
_UNSTRESSED = ("en", "er", "el")  # "sharpened", "entered", "labeled"

Known = Callable[[str], bool]


def base(form: str, known: Known) -> str:
    """The base of a verb's form. ``known``: whether something is a word.

    >>> words = {"base", "stop", "carry", "orbit", "pass"}.__contains__
    >>> [base(form, words) for form in ("based", "stopped", "carries", "orbiting", "passes", "won")]
    ['base', 'stop', 'carry', 'orbit', 'pass', 'win']
    """
    word = form.lower()
    if word in _VERB_OF:
        return _VERB_OF[word][0]
    options = list(_bases(word))
    return next((option for option in options if known(option)), options[0] if options else word)


def _bases(word: str) -> Iterator[str]:
    """Possible bases of a regular form, the likelier first."""
    if word.endswith(("ies", "ied")) and len(word) > 4:
        yield word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        if word.endswith(("sses", "xes", "zes", "ches", "shes", "oes")):
            yield word[:-2]
        yield word[:-1]
    if word.endswith("eed"):  # "agreed", but "needed"
        yield from (word[:-1], word) if len(word) > len("need") else (word,)
        return
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2 or not any(v in stem for v in _VOWELS + "y"):
            continue
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS + "sl":  # not "add", "err"
            yield stem[:-1]
        mute = stem[-1] in "vzcu" or stem.endswith(("dg", "at", "iv", "ng")) or _silent(stem)
        yield from (stem + "e", stem) if mute else (stem, stem + "e")
        if len(stem) > 2 and stem[-1] == stem[-2]:
            yield stem[:-1]


def _silent(stem: str) -> bool:
    """Whether a stem's last syllable is one that a silent "e" makes long: one vowel and one consonant ("bas")."""
    if stem.endswith(_UNSTRESSED) and any(v in stem[:-2] for v in _VOWELS):
        return False
    one = len(stem) > 2 and stem[-2] in _VOWELS and stem[-3] not in _VOWELS
    return one and stem[-1] not in _VOWELS + "wyx"


def irregular(form: str) -> tuple[str, ...]:
    """The forms of the irregular verb that a word is a form of, its base first; none for any other word.

    >>> irregular("built"), irregular("painted")
    (('build', 'built', 'builds'), ())
    """
    return _VERB_OF.get(form.lower(), ())


def third_person(verb: str) -> str:
    """The form of a base that goes with "it".

    >>> [third_person(v) for v in ("orbit", "carry", "pass", "have", "play")]
    ['orbits', 'carries', 'passes', 'has', 'plays']
    """
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


_VERBS = [forms.split() for line in _IRREGULAR.strip().splitlines() for forms in line.split("|")]
_VERB_OF = {
    form: verb for forms in _VERBS for verb in [tuple(dict.fromkeys((*forms, third_person(forms[0]))))] for form in verb
}
