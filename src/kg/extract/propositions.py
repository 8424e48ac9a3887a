"""Facts of prose that no ontology asks for: who does what, what is what, with the words of the text.

Sentences that can yield a fact are parsed, all of a document together; each clause gives candidates
(``kg.syntax.proposing``), whose subject has to be a name, a kind of thing, or something said before that alone can be
meant; and a small trained model says how likely a reader finds each right and meaningful by itself (``training/
labels``, the role "proposition"). Only what is likely enough is kept. With an ontology nothing is read here: it says
what is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.bullets import Bullet
from kg.extract.clauses import Discourse, Salient
from kg.extract.label_kinds import Vector, bucket, models
from kg.extract.parsed_sentences import Meant, Told, Valued, worth_reading
from kg.extract.source import Source
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.subjects import carried
from kg.extract.usefulness import split_title, whole
from kg.extract.words import word_set
from kg.model import Claim, Context, DateValue, EntityName, Hedge, MarkKind, Polarity, Predicate, Rejected, Text
from kg.syntax.parser import shipped
from kg.syntax.proposing import DENYING, Proposition
from kg.syntax.sentence import Phrase
from kg.text import dates, quantities
from kg.text.hedges import combine
from kg.text.stretch import Stretch
from kg.text.words import MONTHS

NAME = "propositions"
LEAST = 0.78
"""So likely a proposition has to be right and to tell something to be kept; chosen by collections left out."""
_LISTED, _SUREST = 0.6, 0.95  # what is less likely isn't worth a reviewer's time; nothing that a model says is surer

_THIRD = word_set("he she it they")
_OWNING = {"its": "it", "his": "he", "her": "she", "their": "they"}
_LONGEST_PART = 4  # words with the pronoun
_REJECTED_DETERMINERS = word_set(
    "some any no both either neither most many few several another such what which these those other "
    "additional further key main primary principal"  # "Primary tasks": whose
)
_UNIVERSAL = word_set("all each every")
"""Tell of all that the noun means what is told of the noun without them."""
_OF_TOPIC = ("a", "bare", "bare plural", "every", "the, modified", "the, told by its words")
BACKWARD = word_set("following former latter above below same other previous aforementioned respective such next")
"""Words that take up what other sentences say."""
_THE = word_set("the this that")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim as it may be made, with the features and the vector that it is judged by."""

    claim: Claim
    features: tuple[str, ...]
    vector: Vector = field(compare=False)


def extract(source: Source) -> Iterator[Claim | Rejected]:
    """Reads paragraphs and items."""
    if source.ontology.properties:
        return
    model = models()["proposition"]
    for candidate in candidates(source):
        likely = model.likely(candidate.features, candidate.vector)["right"]
        if likely >= LEAST:
            yield replace(candidate.claim, confidence=min(round(likely, 2), _SUREST))
        elif likely >= _LISTED:
            at = candidate.claim
            value = next(e for e in at.evidence if e.role == "value")
            reason = "it is not surely right or means nothing by itself"
            yield Rejected(at.passage, NAME, reason, value.exact, value.start, value.end)


def candidates(source: Source) -> Iterator[Candidate]:
    """Everything that clauses of the document propose, likely or not."""
    parser = shipped()
    if parser is None:
        return
    reads = list(worth_reading(source))
    texts = [tuple(read.sentence.text[a:b] for a, b in read.words) for read in reads]
    discourse, bullet, before = Discourse(), None, -1
    for read, parsed in zip(reads, parser.trees(texts), strict=True):
        if read.bullet is not bullet:
            bullet = read.bullet
            discourse.paragraph(*_section(source, bullet))
        elif source.document.text[before : read.sentence.span[0]].strip():
            discourse.subject = None  # a sentence between that was not read
        before = read.sentence.span[1]
        yield from _Sentence(Told(source, read, parser, parsed, discourse)).candidates()


def _section(source: Source, bullet: Bullet) -> tuple[About | None, str]:
    """The thing that a paragraph's headings name, and the noun that it is named by."""
    found = carried(source, bullet.placed)
    if not isinstance(found.name, EntityName):
        return None, ""
    last = found.name.surface.split()
    return found, last[-1].casefold() if last else ""


# --- one sentence --------------------------------------------------------------------------------------


class _Sentence:
    """One parsed sentence in its discourse."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._source = told.source
        self._read = told.read
        self._parsed = told.parsed
        self._reading = told.reading
        self._tree = told.tree
        self._discourse = told.discourse
        self._names = told.names

    def candidates(self) -> Iterator[Candidate]:
        """What the sentence proposes; then the discourse goes on."""
        found = list(self._reading.propositions())
        resolved: dict[Phrase, Meant | None] = {}
        for one in found:
            if one.subject not in resolved:
                resolved[one.subject] = self._subject(one.subject)
            subject = resolved[one.subject] or self._owner(one.subject)
            if subject is not None and (made := self._candidate(one, subject, len(found))) is not None:
                yield made
        self._go_on(found, resolved)

    def _go_on(self, found: Sequence[Proposition], resolved: dict[Phrase, Meant | None]) -> None:
        """Leaves to the next sentence what this one is about, and what it called things."""
        root = next((i for i, label in enumerate(self._parsed.labels) if label == "root"), 0)
        own = self._tree.of(root, "nsubj")
        self._discourse.subject = None
        if len(own) == 1:
            phrase = self._reading.subject_phrase(own[0], len(self._tree.joined(own[0])) == 1)
            subject = resolved[phrase] if phrase in resolved else self._subject(phrase)
            if subject is not None:
                plural = subject.plural or len(self._tree.joined(own[0])) > 1
                alone = len(self._tree.joined(own[0])) == 1 and not (plural and subject.how == "name")
                self._discourse.about(Salient(subject.about, subject.person, plural, alone))
        for one in found:
            subject = resolved.get(one.subject)
            called = one.kind in ("is a", "apposed", "role", "apposed role")
            if subject is not None and called and self._parsed.tags[one.verb] == "NOUN" and not one.denied:
                self._discourse.called(self._tree.word(one.verb), subject.about, subject.how == "name")
        for name in self._names:
            last = name.value.surface.split()[-1]
            if " " in name.value.surface and last.isalpha():
                at = self._read.sentence.part(name.start, name.end)
                self._discourse.called(last.casefold(), About.of(at))

    def _candidate(self, one: Proposition, subject: Meant, count: int) -> Candidate | None:
        valued = self._valued(one.argument, one.kind)
        if valued is None or not whole(self._told, one.argument):
            return None
        about, label, spans = subject.about, one.label, self._relation(one)
        turned = self._turned(one, valued) if one.kind in ("is a", "is so") else None
        if turned is not None:
            about, label, noun = turned
            spans = (noun,)
        elif subject.part is not None:
            label, spans = self._of_part(one, subject.part, label), (self._told.part(subject.part).span, *spans)
        elif valued.how in ("name", "quantity", "date") and label == "description":
            label = "is"
        if split_title(self._told, about):
            return None
        if isinstance(about.name, EntityName) and about.name.surface.casefold() == valued.at.text.casefold():
            return None
        hedge = self._hedge(one)
        frame, dated = self._frame(one, valued)
        if subject.how in _OF_TOPIC and turned is None:
            frame = replace(frame, context=self._topic())
        given = Given.of(valued.value, valued.at, hedge)
        made = claim(self._source, NAME, about, Property(Predicate(label), spans), given, frame)
        parts = Made(one, subject, valued, label, hedge, count, dated, turned is not None)
        return Candidate(made, tuple(sorted(set(features(self._told, parts)))), vector(self._told, one))

    # --- places ---------------------------------------------------------------------------------------

    def _relation(self, one: Proposition) -> tuple[tuple[int, int], ...]:
        """Where the relation is worded: words that stand side by side are one stretch."""
        runs: list[list[int]] = []
        for place in sorted(one.relation):
            if runs and runs[-1][-1] == place - 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        return tuple(self._told.part(Phrase(run[0], run[0], run[-1] + 1)).span for run in runs)

    def _topic(self) -> Context | None:
        """What a subject that no name tells is spoken of in: the document's title and the heading above."""
        told = [self._source.document.title.strip()]
        told += [h.inline.text.strip() for h in self._read.bullet.placed.sections[-1:] if h.inline is not None]
        caption = " > ".join(dict.fromkeys(text for text in told if text))
        return Context(caption=caption) if caption else None

    # --- subjects -------------------------------------------------------------------------------------

    def _subject(self, phrase: Phrase) -> Meant | None:
        """What a subject's phrase means; None where that can't be told."""
        tag, word = self._parsed.tags[phrase.head], self._tree.word(phrase.head)
        if tag == "PRON":
            taken = self._taken_up(phrase, word)
            if taken is None:
                return None
            about = About(taken[0].name, (*taken[0].spans, self._told.part(phrase).span), taken[0].at)
            return Meant(about, f"{word} {taken[1]}", word in ("he", "she") or None, word == "they")
        if not whole(self._told, phrase) or self._parsed.tags[phrase.start] == "CCONJ":
            return None
        if any(self._tree.word(i) in BACKWARD for i in range(phrase.start, min(phrase.start + 3, phrase.end))):
            return None
        if tag == "PROPN":
            verbal = any(self._parsed.tags[i] == "VERB" for i in range(phrase.start, phrase.head))
            return None if verbal else self._named(phrase)
        return self._noun(phrase) if tag == "NOUN" else None

    def _taken_up(self, phrase: Phrase, word: str) -> tuple[About, str] | None:
        """What a pronoun takes up: the subject that its own sentence begins with, else that of the sentence before."""
        before = [
            i for i in range(phrase.start) if self._tree.label(i).startswith("nsubj") and self._parsed.tags[i] != "PRON"
        ]
        if word not in _THIRD or phrase.end - phrase.start > 1:
            return None
        if not before:
            return self._discourse.pronoun(word)
        if len(before) > 1 or len(self._tree.joined(before[0])) > 1:
            return None
        own = self._subject(self._reading.subject_phrase(before[0]))
        if own is None or own.plural is not (word == "they") or (own.person and word == "it"):
            return None
        if word in ("he", "she") and not own.person:
            return None
        return own.about, "own sentence"

    def _named(self, phrase: Phrase) -> Meant | None:
        """A subject that is a name, with the words that belong to it."""
        at = self._bare(phrase)
        name = next((n for n in self._names if n.start <= self._told.at(phrase)[1] - 1 < n.end), None)
        adverb = phrase.start == 0 < at.start and self._parsed.tags[0] == "ADV"
        whole = self._told.part(at if adverb else phrase)
        if name is not None and name.end == self._told.at(phrase)[1] and name.start > self._told.at(at)[0]:
            before = [i for i in range(at.start, at.end) if self._read.words[i][0] < name.start]
            kinds = all(self._parsed.tags[i] in ("ADJ", "NOUN", "DET", "PROPN") for i in before)
            if (
                kinds
                and before
                and self._parsed.tags[before[-1]] == "NOUN"
                and self._parsed.words[before[-1]].islower()
            ):  # "the engineer Ada Wren"
                whole = self._read.sentence.part(name.start, name.end)
        else:
            whole = self._told.part(at)
        if not whole.text.strip():
            return None
        if whole.text.startswith("The ") and len(whole.text) > 4:
            whole = whole.part(4)
        person = True if name is not None and name.value.kind == "person" else self._discourse.person(whole.text)
        return Meant(About.of(whole), "name", person)

    def _bare(self, phrase: Phrase) -> Phrase:
        """A phrase without the article that it begins with, or an adverb that only a sentence's capital glued to it."""
        if phrase.start == 0 < phrase.head and self._parsed.tags[0] == "ADV":
            return replace(phrase, start=1)
        article = self._tree.word(phrase.start) in ("the", "a", "an") and phrase.end - phrase.start > 1
        return replace(phrase, start=phrase.start + 1) if article and phrase.start < phrase.head else phrase

    def _noun(self, phrase: Phrase) -> Meant | None:
        """A subject that is a common noun: something said before, a kind of thing, or told apart by its own words."""
        every = self._tree.word(phrase.start) in _UNIVERSAL and phrase.start < phrase.head
        if every:
            phrase = replace(phrase, start=phrase.start + 1)
        leading = [
            self._tree.word(b) for b in self._tree.of(phrase.head, "det", "nummod", "nmod:poss") if b >= phrase.start
        ]
        if self._tree.word(phrase.start) in _REJECTED_DETERMINERS:  # "many" is tagged an adjective
            return None
        if any(word in _REJECTED_DETERMINERS for word in leading) or self._tree.of(phrase.head, "nummod"):
            return None
        bare = self._bare(phrase)
        at = self._told.part(bare)
        about = About.of(at)
        noun = self._tree.word(phrase.head)
        plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is"))
        if any(self._parsed.tags[b] == "PRON" for b in range(phrase.start, phrase.end)):
            return None
        if any(word in _THE for word in leading):
            named = any(self._parsed.tags[b] in ("PROPN", "NUM") for b in range(bare.start, bare.end))
            if named and "the" in leading:
                return Meant(about, "the, with a name", plural=plural)
            taken = self._discourse.definite(self._tree.word(phrase.head))
            if bare.end - bare.start == 1 and taken is not None:
                told = About(taken[0].name, (*taken[0].spans, at.span), taken[0].at)
                return Meant(told, f"the {taken[1]}", plural=plural)
            if bare.end - bare.start < 2 or "the" not in leading:
                return None
            how = "the, told by its words" if bare.end - bare.start > 2 else "the, modified"
            return Meant(about, how, plural=plural)
        if leading:
            named = any(self._parsed.tags[b] == "PROPN" for b in range(bare.start, bare.end))
            how = "a" if leading[0] in ("a", "an") else "owned" if named else ""
            return Meant(about, how, plural=plural) if how else None
        return Meant(about, "every" if every else "bare plural" if plural else "bare", plural=plural)

    def _owner(self, phrase: Phrase) -> Meant | None:
        """Whose part a subject is that a pronoun begins ("its capital"): what is told is told of the owner."""
        word, noun = self._tree.word(phrase.start), phrase.start + 1
        owned = word in _OWNING and self._tree.label(phrase.start) == "nmod:poss" and noun <= phrase.head
        if not owned or self._parsed.tags[phrase.head] != "NOUN" or phrase.end - phrase.start > _LONGEST_PART:
            return None
        pronoun = replace(phrase, head=phrase.start, end=noun)
        taken = self._taken_up(pronoun, _OWNING[word]) if whole(self._told, phrase) else None
        if taken is None:
            return None
        about = About(taken[0].name, (*taken[0].spans, self._told.part(pronoun).span), taken[0].at)
        own = noun < phrase.head and self._tree.word(noun) == "own"
        return Meant(about, f"{word} {taken[1]}", part=replace(phrase, start=noun + own))

    def _of_part(self, one: Proposition, part: Phrase, label: str) -> str:
        """What is told of something's part as a property of the whole: "capital", "exterior covered with"."""
        noun = self._told.part(part).text
        return noun if one.kind in ("is a", "is so") and label in ("is", "description") else f"{noun} {label}"

    def _turned(self, one: Proposition, valued: Valued) -> tuple[About, str, tuple[int, int]] | None:
        """A subject that names its own property: "the capital of Orr is …", "Orr's capital is …"."""
        head = one.subject.head
        if valued.how not in ("name", "quantity", "date") or self._parsed.tags[head] != "NOUN":
            return None
        owners = [b for b in self._tree.of(head, "nmod") if self._tree.preposition(b) == "of"]
        owners += self._tree.of(head, "nmod:poss")
        if len(owners) != 1 or self._parsed.tags[owners[0]] != "PROPN" or self._tree.of(head, "conj"):
            return None
        owner = self._bare(self._reading.phrase(owners[0]))
        before = owner.end <= head
        first = owner.end + 1 if before else self._bare(one.subject).start
        if first > head or head - first > 2 or (not before and owner.end != one.subject.end):
            return None
        at, noun = self._told.part(owner), self._told.part(Phrase(head, first, head + 1))
        if at.text.endswith(("'s", "’s")):
            at = at.part(0, len(at.text) - 2)
        return About.of(at), noun.text, noun.span

    # --- values ---------------------------------------------------------------------------------------

    def _valued(self, phrase: Phrase, kind: str) -> Valued | None:
        """The typed value of an argument's words."""
        tag, whole = self._parsed.tags[phrase.head], self._told.part(phrase)
        if kind == "said":
            return Valued(Text(whole.text), whole, "text")
        if tag in ("PRON", "DET", "ADV", "PART", "CCONJ", "PUNCT", "X", "SYM", "INTJ", "SCONJ"):
            return None
        if tag in ("VERB", "AUX") and kind in ("object", "oblique", "infinitive"):
            # A verb may stand as a noun ("banned flying on Sundays").
            gerund = self._tree.word(phrase.head).endswith("ing") and not self._tree.of(phrase.head, "nsubj", "aux")
            return Valued(Text(whole.text), whole, "text") if gerund else None
        if not whole.text or not any(c.isalnum() for c in whole.text):
            return None
        dated = self._dated(phrase)
        if dated is not None:
            return dated
        figure = quantities.parse(whole.text) if any(c.isdigit() for c in whole.text) or tag == "NUM" else None
        if figure is not None and figure.noun.casefold() not in MONTHS:
            return Valued(figure, whole, "quantity")
        bare = self._told.part(self._bare(phrase))
        start, end = bare.start - self._read.sentence.start, bare.end - self._read.sentence.start
        named = any(n.start <= start and end <= n.end and n.end - n.start <= end - start for n in self._names)
        if named:
            return Valued(EntityName(bare.text), bare, "name")
        return Valued(Text(whole.text), whole, "text")

    def _dated(self, phrase: Phrase) -> Valued | None:
        """The date that a phrase gives; where the tree parts it ("March 2024"), all of it."""
        start, end = self._told.at(phrase)
        for found in dates.find(self._read.sentence.text):
            if found.start <= start and end <= found.end:
                return Valued(found.value, self._read.sentence.part(found.start, found.end), "date")
        whole = self._told.part(phrase)
        date = dates.parse(whole.text)
        return Valued(date, whole, "date") if date is not None else None

    # --- standing and time ----------------------------------------------------------------------------

    def _hedge(self, one: Proposition) -> Hedge:
        text = self._read.sentence.text
        start, end = self._told.at(one.argument)
        verb = self._read.words[one.verb]
        hedge = hedge_of(text, min(start, verb[0]), max(verb[0] + 1, min(end, verb[1])))
        hedge = combine(hedge, hedge_of(text, start, end))
        # What denies stands between the parts; a "never" of another clause is none of this one.
        first = min(one.subject.head, one.verb, one.argument.start)
        last = max(one.subject.head, one.verb, one.argument.start)
        inside = range(one.subject.start, one.subject.end)  # "events not hosted by …": which events, no denial
        between = any(self._tree.word(place) in DENYING and place not in inside for place in range(first, last))
        denied = one.denied or (between and hedge.polarity is Polarity.NEGATED)
        return replace(hedge, polarity=Polarity.NEGATED if denied else Polarity.AFFIRMED)

    def _frame(self, one: Proposition, valued: Valued) -> tuple[Frame, str]:
        """The standing of the section, and when the proposition holds, if one phrase beside it says so."""
        frame = sentence_frame(self._source, self._read.bullet.placed)
        if valued.how == "date":
            return frame, ""
        found: list[tuple[DateValue, Stretch, str]] = []
        for phrase in one.times:
            dated = self._dated(phrase)
            if dated is not None and isinstance(dated.value, DateValue):
                found.append((dated.value, dated.at, self._tree.preposition(phrase.head)))
        if len(found) != 1:
            return frame, "dates" if found else ""
        date, at, lead = found[0]
        frame = replace(frame, qualifiers=(at.span,))
        if lead in ("since", "from"):
            return replace(frame, valid_from=date), "since"
        if lead in ("until", "till", "to"):
            return replace(frame, valid_until=date), "until"
        if lead in ("in", "on", "during", "at", ""):
            return replace(frame, valid_from=date, valid_until=date), "at"
        return frame, "other date"


# --- By what a proposition is judged: its construction and phrases, how sure the parser is, where it stands

_SURE = (0.3, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99)
_TELLING = ("nmod", "acl", "acl:relcl", "conj", "nmod:poss", "appos", "obl", "xcomp", "advcl", "ccomp")


@dataclass(frozen=True, slots=True)
class Made:
    """A proposition with what its parts were found to mean.

    ``turned``: its subject named its own property; ``dated``: what the time beside it does; ``count``: how many
    propositions the sentence makes.
    """

    proposition: Proposition
    subject: Meant
    valued: Valued
    label: str
    hedge: Hedge
    count: int
    dated: str = ""
    turned: bool = False


def features(told: Told, made: Made) -> Iterator[str]:
    """Features of a proposition in its sentence."""
    one, subject, valued = made.proposition, made.subject, made.valued
    tags, parsed = told.parsed.tags, told.parsed
    length = len(parsed)
    yield f"kind {one.kind}{' turned' if made.turned else ''}"
    yield f"clause {one.clause}"
    yield f"subject {subject.how}"
    yield f"kind {one.kind} subject {subject.how}"
    yield f"value {valued.how}"
    yield f"kind {one.kind} value {valued.how}"
    yield f"subject length {bucket(one.subject.end - one.subject.start, (1, 2, 3, 5, 8, 12))}"
    yield f"value length {bucket(one.argument.end - one.argument.start, (1, 2, 3, 5, 8, 12, 20))}"
    yield f"value tag {tags[one.argument.head]}"
    yield f"subject tag {tags[one.subject.head]}"
    yield f"verb tag {tags[one.verb]}"
    yield f"sentence length {bucket(length, (8, 12, 18, 25, 35))}"
    yield f"propositions {bucket(made.count, (1, 2, 3, 5, 8))}"
    yield from _named_how(told, subject)
    yield f"property length {bucket(len(made.label.split()), (1, 2, 3, 4))}"
    yield f"dated {made.dated}"
    yield f"in {'item' if told.read.bullet.in_list else 'paragraph'}{' first' if told.read.first else ''}"
    if one.joined:
        yield "subject joined"
    if one.denied:
        yield "denied"
    if (lead := told.tree.preposition(one.argument.head)) and one.kind not in ("is a", "is so", "apposed"):
        yield f"leads {lead}"
    for dropped in set(one.dropped):
        yield f"dropped {dropped}"
    yield f"dropped count {bucket(len(one.dropped), (0, 1, 2, 3))}"
    yield f"kind {one.kind} value length {bucket(one.argument.end - one.argument.start, (1, 2, 3, 5, 8, 12, 20))}"
    yield from _sureness(told, one)
    yield from _around(told, one)
    yield from _within(told, "subject", one.subject)
    yield from _within(told, "value", one.argument)
    rank = told.parser.rank(told.tree.word(one.verb))
    yield f"verb rank {bucket(rank, (1500, 2500, 4000, 8000, 15000, 30000))}"
    yield f"verb ends {told.tree.word(one.verb)[-3:]}"
    yield f"status {made.hedge.status} {made.hedge.polarity} {made.hedge.mood}"


def vector(told: Told, one: Proposition) -> Vector:
    """What the parser's encoder makes of a proposition, shape (6 D,).

    That is, of its sentence (the root), of the words that head verb, subject and argument, and the means of argument
    and subject. Words behind those that the encoder reads stand for the last that it does.
    """
    rows = told.parsed.vectors
    assert rows is not None
    last = len(rows) - 1
    phrases = (range(one.argument.start, one.argument.end), range(one.subject.start, one.subject.end))
    heads = (-1, one.verb, one.subject.head, one.argument.head)
    means = (rows[[min(place + 1, last) for place in phrase]].mean(0) for phrase in phrases)
    return np.concatenate([*(rows[min(head + 1, last)] for head in heads), *means])


def _sureness(told: Told, one: Proposition) -> Iterator[str]:
    """How sure the parser is of the arcs that make the proposition, and of those within its phrases."""
    sure = told.parsed.sure
    parts = (
        ("subject arc", [one.subject.head]),
        ("value arc", [one.argument.head]),
        ("verb arc", [one.verb]),
        ("subject within", range(one.subject.start, one.subject.end)),
        ("value within", range(one.argument.start, one.argument.end)),
        ("beside value", range(one.argument.end, min(one.argument.end + 2, len(sure)))),
        ("sentence", range(len(sure))),
    )
    for name, places in parts:
        least = min((sure[place] for place in places), default=1.0)
        yield f"{name} sure {next((step for step in _SURE if least <= step), 'full')}"
    least = min(sure[place] for place in {one.subject.head, one.argument.head, one.verb, *one.relation})
    for step in _SURE:
        if least > step:
            yield f"told sure over {step}"


def _definite(told: Told, noun: int, inside: range) -> str:
    """How "the …" within a phrase is told: by its own words, by what was said before, or by nothing."""
    if told.parsed.tags[noun] == "PROPN":
        return "name"
    own = [b for b in told.tree.below[noun] if told.tree.label(b) not in ("det", "case", "punct")]
    if any(b in inside and (told.parsed.tags[b] == "PROPN" or b > noun) for b in own):
        return "told"
    if told.tree.word(noun) in told.discourse.nouns or told.tree.word(noun) == told.discourse.section_noun:
        return "known"
    return "modified" if own else "bare"


def _named_how(told: Told, subject: Meant) -> Iterator[str]:
    """How surely what the subject is called by is a name, and whether the section or the document is about it."""
    name = subject.about.name
    assert isinstance(name, EntityName)
    words_, surface = told.source.words, name.surface
    yield f"person {subject.person}"
    yield f"said {bucket(told.source.document.text.count(surface), (0, 1, 2, 4, 8))} times"
    section = told.discourse.section
    yield f"name of {bucket(len(surface.split()), (1, 2, 3, 5, 8))} words"
    yield f"name {'sure' if words_.sure(surface) else 'proper' if words_.has_proper(surface) else 'common'}"
    if surface[0].islower():
        yield "name small"
    if section is not None and isinstance(section.name, EntityName):
        same = section.name.surface.casefold()
        folded = surface.casefold()
        place = "same" if same == folded else "within" if folded in same or same in folded else "other"
        yield f"section {place}"
        yield f"section {place} subject {subject.how}"
    if not set(surface.casefold().split()).isdisjoint(told.source.document.title.casefold().split()):
        yield "in title"


def _around(told: Told, one: Proposition) -> Iterator[str]:
    """Where the parts stand in the sentence, and what stands between and behind them."""
    words_, tags = told.parsed.words, told.parsed.tags
    first, last = min(one.subject.start, one.argument.start), max(one.subject.end, one.argument.end)
    yield f"begins {'at once' if first == 0 else bucket(first, (1, 3, 6, 12))}"
    yield f"subject first {one.subject.start < one.argument.start}"
    after = tags[last] + (words_[last] if tags[last] == "PUNCT" else "") if last < len(words_) else "end"
    yield f"next {after}"
    before = tags[first - 1] + (words_[first - 1] if tags[first - 1] == "PUNCT" else "") if first else "start"
    yield f"before {before}"
    left, right = sorted((one.subject, one.argument), key=lambda p: p.start)
    gap = [i for i in range(left.end, right.start) if i not in one.relation]
    yield f"gap {bucket(len(gap), (0, 1, 2, 4, 8))}"
    for place in gap:
        if tags[place] == "PUNCT":
            yield f"gap {words_[place]}"
        elif told.tree.label(place) in ("advmod", "cc", "mark"):
            yield f"gap {told.tree.label(place)}"
        elif tags[place] in ("VERB", "NOUN", "PROPN"):
            yield f"gap {tags[place]}"
    yield f"verb to value {bucket(abs(one.argument.head - one.verb), (1, 2, 3, 5, 8))}"
    yield f"subject to verb {bucket(abs(one.subject.head - one.verb), (1, 2, 3, 5, 8))}"
    if first == 0 or told.reading.tree.label(one.verb) != "root":
        return
    opening = told.tree.label(next((b for b in told.tree.below[one.verb] if b < first), one.verb))
    yield f"opening {opening}"


def _within(told: Told, role: str, phrase: Phrase) -> Iterator[str]:
    """What a phrase is made of, and what it is cut from."""
    yield from (f"{role} {one}" for one in _made_of(told, phrase))
    yield from (f"{role} {one}" for one in _cut_from(told, phrase))
    yield from (f"{role} {one}" for one in _pointing_with(told, phrase))


def _made_of(told: Told, phrase: Phrase) -> Iterator[str]:
    """The words of a phrase by tag and label, and the marks on them."""
    tags = told.parsed.tags
    opening = told.tree.word(phrase.start)
    closed = tags[phrase.start] in ("DET", "PRON", "NUM", "ADP", "PART")
    yield f"opens {opening if closed and tags[phrase.start] != 'NUM' else tags[phrase.start]}"
    for place in range(phrase.start, phrase.end):
        if (label := told.tree.label(place)) in _TELLING:
            yield f"holds {label}"
        if tags[place] in ("PROPN", "PRON", "VERB", "NUM", "ADV"):
            yield f"holds {tags[place]}"
        if tags[place] == "PRON":
            yield f"says {told.tree.word(place)}"
        if tags[place] == "PUNCT":
            yield f"holds {told.parsed.words[place]}"
    at = told.part(phrase)
    yield from (f"marked {kind}" for kind in (MarkKind.CODE, MarkKind.LINK) if any(at.marked(kind)))


def _cut_from(told: Told, phrase: Phrase) -> Iterator[str]:
    """What belongs to a phrase and stands outside it."""
    tags, heads = told.parsed.tags, told.parsed.heads
    inside = range(phrase.start, phrase.end)
    for place, head in enumerate(heads):
        if head in inside and place not in inside and tags[place] not in ("ADP", "PUNCT", "AUX"):
            yield f"loses {told.tree.label(place)}"
    if phrase.end < len(tags) and heads[phrase.end] in inside:
        yield f"cut before {told.tree.label(phrase.end)}"
    if phrase.start and heads[phrase.start - 1] in inside:
        yield f"cut after {told.tree.label(phrase.start - 1)}"


def _pointing_with(told: Told, phrase: Phrase) -> Iterator[str]:
    """The words of a phrase that point to something: "the …" by how it is told, "this", "such", "other"."""
    inside = range(phrase.start, phrase.end)
    opening = told.tree.word(phrase.start)
    if told.parsed.tags[phrase.head] == "NOUN" and opening in ("the", "this", "that", "these", "those"):
        yield f"definite {bucket(phrase.end - phrase.start, (2, 3, 5))}"
    if any(told.tree.word(place) in _THE for place in inside[1:]):
        yield "holds the"
    if any(told.tree.word(place) in BACKWARD for place in inside):
        yield "refers back"
    for place in inside:
        word = told.tree.word(place)
        if told.tree.label(place) == "det" and word in ("this", "that", "these", "those"):
            yield "points"
        if told.tree.label(place) == "det" and word == "the":
            yield f"the {_definite(told, told.parsed.heads[place], inside)}"
