"""Polar questions out of extractive ones: "Who invented X?" + "A" → "Did A invent X?", with yes, no and not said.

The question's own auxiliary does most of the work: it goes first, and the answer fills the gap that the question word
left. Where the gap isn't clear, or the answer doesn't fit it, no question is made: one that reads wrong teaches more
wrong than its absence costs.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kg.text.words import word_set
from training.reader import words as en

_MOTION = word_set("go move travel flee emigrate return sail escape come march send sent moved taken exiled")
_NAMED = word_set("called named titled nicknamed dubbed considered termed renamed given awarded offered paid")
_TIMES = word_set("year month decade century day date")
_PLACED = re.compile(r"\b(in|at|on|near|outside|inside|within|across|through)(?: (?:the|a|an|its|his|their))?$")
_SEVERAL = re.compile(  # what can have several right answers, of which the text needn't give all in one place
    r"\b(?:one of|an? (?:example|type|form|kind|member|part)|examples?|other|others|also|some|besides|such as|"
    r"includ\w+|types?|kinds?|among)\b",
    re.IGNORECASE,
)
_FIGURES = {"year": r"\b(?:1\d|20)\d\d\b(?![-–])", "date": r"\b[A-Z][a-z]{2,8} (?:\d{1,2}, )?\d{4}\b"}
_SHARES = {"yes": 0.45, "no": 0.40, "unsaid": 0.15}
_SLACK = 20  # how far "yes" may run ahead


@dataclass(frozen=True)
class Asked:
    """A question taken apart: "In what big city did X live?" → preposition, wh, noun, auxiliary, rest."""

    preposition: str
    wh: str
    noun: tuple[str, ...]
    aux: str
    rest: tuple[str, ...]

    def filled(self, phrase: str, place: int | None = None) -> str:
        """The auxiliary, the rest with the phrase at its place, or at the end."""
        at = len(self.rest) if place is None else place
        return _sentence(self.aux, *self.rest[:at], phrase, *self.rest[at:])

    def subject_first(self, phrase: str) -> str:
        """The auxiliary, in its number, and the phrase before the rest."""
        aux = {"is": "are", "was": "were", "has": "have", "does": "do"}.get(self.aux, self.aux)
        return _sentence(aux if en.plural(phrase) else self.aux, phrase, *self.rest)


def _sentence(*parts: str) -> str:
    text = " ".join(parts)
    return f"{text[0].upper()}{text[1:]}?"


def _taken_apart(question: str) -> Asked | None:
    """A question's parts; None where its question word isn't at its beginning, or it is negated."""
    words = re.sub(r"^(\w+)['’]s\b", r"\1 is", question.strip().rstrip("?. ")).split()
    if len(words) < 3 or any(w.lower() in en.NEGATED or w.lower().endswith("n't") for w in words):
        return None
    preposition = ""
    if words[0].lower() in en.PREPOSITIONS and words[1].lower() in ("what", "which", "whom"):
        preposition, words = words[0].lower(), words[1:]
    if words[0].lower() not in en.WH:
        return None
    place = _auxiliary(words)
    noun, aux = (words[1:place], words[place].lower()) if place else ([], "")
    return Asked(preposition, words[0].lower(), tuple(noun), aux, tuple(words[len(noun) + (2 if place else 1) :]))


def _auxiliary(words: list[str]) -> int | None:
    """Where the auxiliary stands that belongs to the question word."""
    for place, word in enumerate(words[1:7], 1):
        if word in en.AUX:
            return place
        verb = place > 1 and en.past(word) and word not in en.lexicon()[1]
        if (
            verb
            or word in en.CLAUSES | en.DETERMINERS | en.PREPOSITIONS
            or words[0].lower() in ("who", "when", "where")
        ):
            return None
    return None


def _ends(words: tuple[str, ...], place: int) -> bool:
    """Whether what follows a place isn't an object: nothing, a preposition, an adverb, a clause."""
    if place >= len(words):
        return True
    word = words[place].lower()
    return word in en.PREPOSITIONS | en.CLAUSES - {"that"} | en.ADVERBS | en.PARTICLES or word.endswith("ly")


def _stranded(words: tuple[str, ...]) -> int | None:
    """The place after a preposition that has nothing after it."""
    for place in range(2, len(words) + 1):
        following = words[place] if place < len(words) else "in"
        if words[place - 1] in word_set("of for to with from by at on in about as into against") and following in (
            word_set("in on at when after during before since while until")
        ):
            return place
    return None


def _gap(words: tuple[str, ...], aux: str) -> int | None:
    """Where the object is missing in "Ada build in 1990": after its verb, or its preposition that was left alone."""
    fits = en.participle if aux in en.HAVE else en.is_base
    barred = en.DETERMINERS | en.PREPOSITIONS - {"to"}
    verbs = (n for n in range(1, len(words)) if words[n].islower() and fits(words[n]) and words[n - 1] not in barred)
    verb = next(verbs, None)
    if verb is None or words[verb] in word_set("do go come live happen occur die") or words[-1] in en.DO | {"doing"}:
        return None
    if (stranded := _stranded(words)) is not None:
        return stranded
    if not _ends(words, verb + 1):
        return None
    if words[verb + 1 : verb + 2] == ("to",):  # "want to build"
        return len(words) if en.is_base(words[-1]) else None
    return verb + 2 if words[verb + 1 : verb + 2] and words[verb + 1] in en.PARTICLES else verb + 1


def _when(asked: Asked, text: str, before: str = "") -> list[str]:
    """A time with its preposition, at the end."""
    first, shape = text.split()[0], en.kind(text)
    if not asked.aux or (first in en.PREPOSITIONS and first in ("of", "to", "with")):
        return []
    if first in en.PREPOSITIONS or asked.rest[-1] in en.PREPOSITIONS:
        return [asked.filled(text)]
    if shape not in ("year", "date") or first in ("early", "late", "mid"):
        return []
    day = shape == "date" and re.search(r"\b\d{1,2}(?:st|nd|rd|th)?\b", text) and "century" not in text
    article = "the " if re.search(r"century|0s\b", text) and first != "the" else ""
    return [asked.filled(f"{'on' if day else 'in'} {article}{text}")]


def _where(asked: Asked, text: str, before: str) -> list[str]:
    """A place with its preposition: the text's own one, or what such places mostly have."""
    first, last = text.split()[0], asked.rest[-1]
    if not asked.aux or en.kind(text) in ("year", "date", "number"):
        return []
    moves = any(w in _MOTION and (*asked.rest, "in")[n + 1] in en.PREPOSITIONS for n, w in enumerate(asked.rest))
    if first in en.PREPOSITIONS:
        return [asked.filled(text)] if (moves or first not in ("to", "from")) and last not in en.PREPOSITIONS else []
    if not en.nominal(text):
        return []
    if moves or last in en.PREPOSITIONS:
        return [asked.filled(text if last in en.PREPOSITIONS else f"to {text}")]
    if found := _PLACED.search(before.lower()):
        return [asked.filled(f"{found[1]} {text}")]
    return [asked.filled(f"in {text}")] if en.kind(text) == "name" else []


def _how(asked: Asked, text: str, before: str) -> list[str]:
    """How many members does it have, how many people live there, how old was she."""
    noun = asked.noun or asked.rest
    if en.kind(text) != "number" or not noun:
        return []
    if noun[0] in ("old", "tall", "high", "deep", "wide", "long") and asked.aux in en.BE:
        years = " years" if noun[0] == "old" and " " not in text else ""
        place = next((n for n, w in enumerate(asked.rest) if w in ("when", "in", "at", "by")), None)
        return [asked.filled(f"{text}{years}" + ("" if noun[0] in text else f" {noun[0]}"), place)]
    if noun[0] not in ("many", "much") or "of" in asked.noun:
        return []
    if not asked.aux:
        verbs = (
            n for n in range(2, min(len(noun), 6)) if en.past(noun[n]) or (en.is_base(noun[n]) and noun[n] != "of")
        )
        verb = next(verbs, None)
        phrase = _counted(text, noun[1:verb]) if verb else None
        return [_sentence("is it true that", phrase, *noun[verb:])] if phrase else []
    phrase = _counted(text, noun[1:])
    if phrase is None:
        return []
    if asked.rest[0] == "there":
        return [asked.filled(phrase, 1)]
    if noun[-1] == "times" or asked.preposition:
        return [asked.filled(f"{asked.preposition} {phrase}".strip())]
    if asked.aux in en.BE and (en.participle(asked.rest[0]) or asked.rest[0] in en.PREPOSITIONS):
        return [asked.subject_first(phrase)]
    place = _gap(asked.rest, asked.aux) if asked.aux not in en.BE else None
    return [asked.filled(phrase, place)] if place is not None else []


def _counted(text: str, noun: tuple[str, ...]) -> str | None:
    """ "nine" + "members" → "nine members"; what has the noun, or a unit of its own, stays as it is."""
    words = {w.lower().rstrip("s") for w in text.split()}
    if not noun or any(w.lower().rstrip("s") in words for w in noun) or re.search(r"[$£€%]|percent|dollars", text):
        return text
    bare = all(w.lower() in en.NUMBERS | en.ABOUT or w[0].isdigit() or "-" in w for w in text.split())
    return f"{text} {' '.join(noun)}" if bare else None


def _thing(asked: Asked, text: str, before: str) -> list[str]:
    """Who and what, and which company: the answer is the subject, the object or what something is."""
    noun = [w.lower() for w in asked.noun]
    if noun and noun[-1] in _TIMES:
        return _when(asked, text) if en.kind(text) in ("year", "date") and not asked.preposition else []
    if not en.nominal(text) or "of" in noun or word_set("do doing happened") & set(asked.rest):
        return []
    if asked.preposition:
        return [asked.filled(f"{asked.preposition} {text}")] if asked.aux else []
    if not asked.aux:
        return _subject(asked, text)
    first = asked.rest[0].lower()
    if asked.aux in en.BE:
        return _being(asked, first, text)
    if (asked.aux in en.HAVE and en.participle(first)) or (asked.aux in en.MODAL and first in ("be", "have")):
        return [asked.subject_first(text)]
    place = _gap(asked.rest, asked.aux)
    return [asked.filled(text, place)] if place is not None else []


def _being(asked: Asked, first: str, text: str) -> list[str]:
    """Was A built by X, was X called A, is A the capital, is X a process."""
    rest, clear = asked.rest, asked.aux in ("is", "was") or en.plural(text)
    if en.participle(first) or en.ing(first) or first in en.PREPOSITIONS | en.ADVERBS or first.endswith("ly"):
        return [asked.subject_first(text)] if clear else []
    slots = (n + 1 for n in range(1, len(rest)) if rest[n] in _NAMED and _ends(rest, n + 1))
    place = _stranded(rest) or next(slots, None)
    if place is not None:
        return [asked.filled(text, place)]
    if len(rest) > 1 and any(en.ing(w) or en.participle(w) for w in (rest[-1], rest[1]) if w.islower()):
        return []
    article = text.split()[0].lower() in ("a", "an")
    named = en.kind(text) != "name" and rest[0][0].isupper() and not any("'s" in w or w.endswith("s'") for w in rest)
    if (article or named or first in en.PRONOUNS) and len(rest) <= 6:
        return [asked.filled(text)]
    return [asked.subject_first(text)] if clear else []


def _subject(asked: Asked, text: str) -> list[str]:
    """Who invented X → did A invent X, is it true that A invented X; which country borders X."""
    rest = asked.rest
    places = range(1, min(len(rest) - 1, 4)) if asked.wh != "who" and not _verb_at(rest, 0) else range(1)
    verb = next((n for n in places if _verb_at(rest, n) and (n == 0 or rest[n - 1] not in en.DETERMINERS)), None)
    if verb is None or len(rest) < verb + 2:
        return []
    word, tail = rest[verb].lower(), rest[verb + 1 :]
    base, many = en.past(word), en.plural(text)
    if base:
        return [_sentence("did", text, base, *tail), _sentence("is it true that", text, word, *tail)]
    base = en.present(word) or word
    stated = _sentence("is it true that", text, base if many else word, *tail)
    return [_sentence("do" if many else "does", text, base, *tail), stated]


def _verb_at(words: tuple[str, ...], place: int) -> bool:
    word = words[place]
    following = words[place + 1] if place + 1 < len(words) else ""
    if not word.islower() or word in en.PREPOSITIONS | en.DO:
        return False
    clear = place == 0 or following in en.DETERMINERS | en.PREPOSITIONS or following[:1].isupper()
    return (word in en.BASE_OF_PAST) or (clear and bool(en.past(word) or en.present(word)))


_BY_WORD: dict[str, Callable[[Asked, str, str], list[str]]] = {"when": _when, "where": _where, "how": _how}


def wordings(question: str, answer: str, before: str = "") -> list[str]:
    """The polar questions that are true if and only if the answer is right, the plainest first; none where unsure.

    ``before`` is what the answer's text says just before it: "at" or "near" a place is taken from there.
    """
    text, asked = en.clean(answer), _taken_apart(question)
    if asked is None or not asked.rest or not en.fits(text) or en.content(text) <= en.content(question):
        return []  # or nothing that the question doesn't have
    return _BY_WORD.get(asked.wh, _thing)(asked, text, before)


def polar(question: str, answer: str) -> str | None:
    """A natural polar question that is true if and only if the answer is right; None where it can't be made well."""
    return next(iter(wordings(question, answer)), None)


@dataclass(frozen=True)
class Answered:
    """An answer as it stands in its text, and how it is said in a question."""

    question: str
    context: str
    start: int
    end: int
    said: str

    @cached_property
    def sort(self) -> tuple[str, str]:
        """The question word, as far as it tells what sort of thing is asked for, and the answer's coarse shape."""
        found = re.search(r"\b(who|when|where|how (?:many|much|long|old)|how|what|which)\b", self.question.lower())
        shape = en.kind(en.clean(self.said)) if self.said else ""
        return ("time" if shape in ("year", "date") else found[1] if found else "").replace("which", "what"), shape

    @cached_property
    def told(self) -> list[str]:
        """Its polar questions."""
        return wordings(self.question, self.said, self.context[max(0, self.start - 30) : self.start].rstrip())

    def with_answer(self, other: Answered) -> list[str]:
        """The polar questions with another answer in its place."""
        return replace(other, question=self.question).told


def examples(records: Iterable[dict[str, Any]], seed: int) -> Iterator[dict[str, Any]]:
    """Polar examples of extractive records: question, context, polar (yes, no, unsaid), answer_start, answer_end.

    A record gives up to a yes and a no; those and what the text doesn't say are held at about 45, 40 and 15 in a
    hundred. The same seed gives the same examples.
    """
    chance = random.Random(seed)
    kept = list(records)
    articles: dict[str, list[Answered]] = defaultdict(list)
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for record in kept:
        texts[_article(record)][record["context"]] = None
        if answered := _answered(record):
            articles[_article(record)].append(answered)
    counts = {"yes": 0, "no": 0, "unsaid": 0}
    for record in kept:
        article = _article(record)
        for label, question, one in _made(record, articles[article], list(texts[article]), chance):
            base = counts["no" if label == "yes" else "yes"]  # the rarer answer sets how many there are of the other
            limit = _SHARES[label] / _SHARES["no" if label == "yes" else "yes"] * base
            if counts[label] < limit + (_SLACK if label == "yes" else 1):
                counts[label] += 1
                yield _example(label, question, one, chance)


def _example(label: str, question: str, one: Answered, chance: random.Random) -> dict[str, Any]:
    """The record; some questions as people type them: small letters, no question mark."""
    draw = chance.random()
    typed = question.lower().rstrip("?") if draw < 0.1 else question.rstrip("?") if draw < 0.15 else question
    start, end = (one.start, one.end) if label != "unsaid" else (None, None)
    return {"question": typed, "context": one.context, "polar": label, "answer_start": start, "answer_end": end}


def _made(
    record: dict[str, Any], article: list[Answered], texts: list[str], chance: random.Random
) -> Iterator[tuple[str, str, Answered]]:
    """A record's polar questions with their labels and the text that they are put to."""
    gold = _answered(record) or Answered(record["question"], record["context"], 0, 0, "")
    asks = en.content(gold.question)
    if (len(asks) < 2 and not re.search(r" [A-Z0-9]", gold.question)) or asks & {"somet", "someo", "thing"}:
        return  # it says too little to be asked of a text: "What was taken?"
    if not record["answers"]:
        here = [o for o in article if o.context == gold.context and o.sort[0] == gold.sort[0]]
        for other in chance.sample(here, len(here)):
            if not en.content(other.said) & asks and (told := gold.with_answer(other)):
                yield "unsaid", chance.choice(told), gold
                return
    elif gold.said and gold.told:
        yield "yes", chance.choice(gold.told), gold
        if wrong := _wrong(gold, record, article, chance):
            yield "no", wrong, gold
        for text in chance.sample(texts, min(len(texts), 4)):
            if text != gold.context and not en.content(gold.said) <= en.content(text):
                yield "unsaid", chance.choice(gold.told), replace(gold, context=text)
                return


def _article(record: dict[str, Any]) -> str:
    return str(record.get("article") or record.get("sentence", "").rsplit(":", 2)[0])


def _answered(record: dict[str, Any]) -> Answered | None:
    """A record's answer: the first that is short enough and whole."""
    for answer in record["answers"]:
        start, end = answer["start"], answer["start"] + len(answer["text"])
        said = _said(record["context"], start, end)
        if said and en.fits(en.clean(said)):
            return Answered(record["question"], record["context"], start, end, said)
    return None


def _said(context: str, start: int, end: int) -> str | None:
    """An answer's words with the article before it; None for a part that was cut out of a name or phrase."""
    text, before = context[start:end], re.search(r"(\S+)\s+$", context[:start])
    word, shape = before[1].lower() if before else "", en.kind(context[start:end])
    if shape == "name" and (re.match(r"[ -][A-Z]", context[end:]) or re.search(r"[A-Z]\w+[ -]$", context[:start])):
        return None
    if shape == "phrase" and text[:1].islower():
        following = re.match(r"\s([a-z]+)", context[end:])
        known = following and following[1] in en.lexicon()[1] and not _ends((following[1],), 0)
        if known and following[1] not in en.AUX and not en.past(following[1]) and not en.is_base(following[1]):
            return None  # it describes a noun that follows
        if word in en.DETERMINERS and text.split()[0] not in en.DETERMINERS:
            return f"{word} {text}"
    return f"the {text}" if shape == "name" and word == "the" else text


def _wrong(gold: Answered, record: dict[str, Any], article: list[Answered], chance: random.Random) -> str | None:
    """A polar question with a wrong answer: another one of the text, a changed figure, another of the article."""
    if _SEVERAL.search(gold.question):
        return None
    right, shape = en.content(gold.said).union(*(en.content(a["text"]) for a in record["answers"])), gold.sort[1]
    pool = [o for o in article if o.sort == gold.sort]
    for found in re.finditer(_FIGURES.get(shape, "(?!)"), gold.context):
        pool.append(Answered("When", gold.context, found.start(), found.end(), found[0]))
    fit = [o for o in chance.sample(pool, len(pool)) if _alike(o, gold) and not en.content(o.said) & right]
    chosen = [o for o in fit if o.context == gold.context and _differs(o, gold)]
    if shape in ("year", "number") and (changed := _changed(gold, chance)) and (not chosen or chance.random() < 0.2):
        chosen.insert(0, replace(gold, said=changed))
    elsewhere = (o for o in fit if o.context != gold.context and not en.content(o.said) & en.content(gold.context))
    for other in [*chosen[:4], *list(elsewhere)[:3]]:
        if not en.content(other.said) & en.content(gold.question) and (told := gold.with_answer(other)):
            return chance.choice(told)
    return None


def _alike(other: Answered, gold: Answered) -> bool:
    """Whether two answers of a sort are of one kind: both plural or neither, both days or neither."""
    day = re.compile(r"\b\d{1,2}\b")
    if gold.sort[1] == "date":
        return bool(day.search(other.said)) == bool(day.search(gold.said)) and en.kind(en.clean(other.said)) == "date"
    return gold.sort[1] in ("year", "number") or en.plural(other.said) == en.plural(gold.said)


def _differs(other: Answered, gold: Answered) -> bool:
    """Whether another answer of the text is surely wrong: not asked for the same, not in one list with the right one.

    What stands between the two has to keep them from being two names of one thing: a verb, or a sentence's end.
    """
    theirs, ours = en.content(other.question), en.content(gold.question)
    first, second = sorted(((other.start, other.end), (gold.start, gold.end)))
    between = gold.context[first[1] : second[0]]
    words = re.findall(r"\w+", between.lower())
    apart = bool(re.search(r"[.;] ", between)) or any(w in en.AUX or en.past(w) or en.ing(w) for w in words)
    return 3 * len(theirs & ours) <= min(len(theirs), len(ours)) and len(words) > 2 and apart


def _changed(gold: Answered, chance: random.Random) -> str | None:
    """Another figure in place of the answer's one, one that the text doesn't have."""
    found = re.search(r"\d[\d,]*", gold.said)
    old = int(found[0].replace(",", "") or 0) if found else 0
    for _ in range(5 if found else 0):
        most = 30 if gold.sort[1] == "year" else max(1, round(0.9 * old))
        new = old + chance.choice((-1, 1)) * chance.randint(1, most)
        text = f"{new:,}" if "," in found[0] else str(new)
        if new > 0 and not re.search(rf"\b{text}\b", gold.context):
            return gold.said.replace(found[0], text, 1)
    return None
