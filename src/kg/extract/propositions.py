"""Facts of prose that no ontology asks for: who does what, what is what, with the words of the text.

Sentences that can yield a fact are parsed, all of a document together; each clause gives candidates (``kg.syntax.
propositions``), whose subject has to be a name, a kind of thing, or something said before that alone can be meant; and
a small trained model says how likely a reader finds each right and meaningful by itself (``training/labels``, the role
"proposition"). Only what is likely enough is kept. With an ontology nothing is read here: it says what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.extract.antecedents import Discourse, Salient
from kg.extract.build import About, Frame, Given, Property, claim
from kg.extract.bullets import Bullet, bullets, in_sources, key_value, lead
from kg.extract.label_kinds import bucket, models
from kg.extract.sentences import sentences
from kg.extract.source import Source
from kg.extract.sources import source_line
from kg.extract.standing import hedge_of, sentence_frame
from kg.extract.stretch import Stretch
from kg.extract.subjects import carried
from kg.extract.words import word_set
from kg.mentions import dates, quantities
from kg.mentions.hedges import combine
from kg.mentions.words import MONTHS
from kg.model import BlockKind, Claim, DateValue, EntityName, Hedge, MarkKind, Polarity, Precision, Predicate, Rejected, Text, Value
from kg.syntax.doings import Sentence
from kg.syntax.parser import Parsed, Reader, shipped, words
from kg.syntax.propositions import Phrase, Proposition, Reading

NAME = "propositions"
LEAST = 0.85
"""So likely a proposition has to be right and to mean something by itself to be kept; chosen by collections left out."""
_LISTED, _SUREST = 0.6, 0.95  # what is less likely isn't worth a reviewer's time; nothing that a model says is surer

_MOST_WORDS = 45
_FEWEST_WORDS = 4
_FEWEST_BLANKS = 5  # in what ends without a full stop
_OURS = re.compile(r"\b(?:I|we|you|our|ours|your|yours|us|my|me|let['’]s|We|You|Our|Your|My|Let['’]s)\b|[?]")
_SUPPOSES = re.compile(
    r"(?:If|Unless|Suppose|Imagine|Assume|Consider|Let|Note|See|For example|E\.g\.|Example|This|These|That|Those|There|"
    r"Here|Such|Some|Any|Each|Every|All|No|Both|Many|Most|Other|Another|What|How|Why|Which|Who|To|Please|Do|Make)\b"
)
_MODAL = re.compile(r"\b(?:would|should|must|might|could|may|shall|will|ought)\b(?! [1-9])")
_SENTENCE_END = re.compile(r"[.!][\"”’)\]]*$")
_ODD = re.compile(r"[{}<>|=\\~^]|::|->")
_HAS = re.compile(r"[a-z]{2,}")
_THIRD = word_set("he she it they")
_REJECTED_DETERMINERS = word_set(
    "some any each every all no both either neither most many few several another such what which these those other"
)
_BACKWARD = word_set("following former latter above below same other previous aforementioned respective such next")
_JOINED_AFTER = re.compile(r"[-–/_](?=\w)|\w")
_JOINED_BEFORE = re.compile(r"\w[-–/]$|\w$")
_NEEDED = ("obj", "xcomp", "ccomp", "compound", "flat", "fixed", "amod", "nummod", "nmod:poss", "obl:agent")
_FOLLOWING = ("nmod", "obl", "acl", "acl:relcl", "advmod", "nmod:desc", "compound:prt", "appos")
_BEFORE_YEARS = ("in", "around", "about", "circa", "during", "since", "until", "before", "after", "from", "by")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_SURE = (0.3, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99)
_THE = word_set("the this that")


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A sentence to be parsed, in its bullet or paragraph; ``first``: it opens it."""

    bullet: Bullet
    sentence: Stretch
    words: tuple[tuple[int, int], ...]
    first: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim as it may be made, with the features that it is judged by."""

    claim: Claim
    features: tuple[str, ...]


class Propositions:
    """Reads paragraphs and items."""

    name = NAME

    def extract(self, source: Source) -> Iterator[Claim | Rejected]:
        """Likely claims in document order, and what was left out."""
        if source.ontology.properties:
            return
        model = models()["proposition"]
        for candidate in candidates(source):
            likely = model.likely(candidate.features)["right"]
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
    reads = list(_worth_reading(source))
    texts = [tuple(read.sentence.text[a:b] for a, b in read.words) for read in reads]
    discourse, bullet, before = Discourse(), None, -1
    known = parser.knows
    for read, parsed in zip(reads, parser.parse_all(texts), strict=True):
        if read.bullet is not bullet:
            bullet = read.bullet
            discourse.paragraph(*_section(source, bullet))
        elif source.document.text[before : read.sentence.span[0]].strip():
            discourse.subject = None  # a sentence between that was not read
        before = read.sentence.span[1]
        yield from _Sentence(source, read, parsed, parser, Reading(Sentence(parsed), known), discourse).candidates()


def _section(source: Source, bullet: Bullet) -> tuple[About | None, str]:
    """The thing that a paragraph's headings name, and the noun that it is named by."""
    found = carried(source, bullet.placed)
    if not isinstance(found.name, EntityName):
        return None, ""
    last = found.name.surface.split()
    return About(found.name, found.spans, found.at), last[-1].casefold() if last else ""


# --- which sentences -----------------------------------------------------------------------------------


def _worth_reading(source: Source) -> Iterator[Read]:
    """Sentences that may state a fact, by what can be seen without a tree."""
    for bullet in bullets(source):
        if in_sources(source, bullet.placed) or source_line(bullet):
            continue
        if bullet.in_list and (key_value(bullet.stretch) or lead(bullet.stretch)):
            continue
        for number, sentence in enumerate(sentences(bullet.stretch)):
            if (at := _words_worth(source, sentence.text)) is not None:
                yield Read(bullet, sentence, at, number == 0)


def _words_worth(source: Source, text: str) -> tuple[tuple[int, int], ...] | None:
    """The words of a sentence that is worth a parse; None of another."""
    if not (text[0].isupper() or text[0].isdigit()) or text.endswith((":", "?")) or not _HAS.search(text):
        return None
    ends = _SENTENCE_END.search(text) is not None
    if not ends and (text.count(" ") < _FEWEST_BLANKS or not source.words.has_verb(text)):
        return None
    if any(pattern.search(text) for pattern in (_OURS, _ODD, _MODAL)) or _SUPPOSES.match(text):
        return None
    at = tuple(words(text))
    return at if _FEWEST_WORDS <= len(at) <= _MOST_WORDS else None


# --- one sentence --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Subject:
    about: About
    how: str
    person: bool | None = None
    plural: bool = False


@dataclass(frozen=True, slots=True)
class _Valued:
    value: Value
    at: Stretch
    how: str


class _Sentence:
    """One parsed sentence in its discourse."""

    def __init__(
        self, source: Source, read: Read, parsed: Parsed, parser: Reader, reading: Reading, discourse: Discourse
    ) -> None:
        self._source = source
        self._read = read
        self._parsed = parsed
        self._parser = parser
        self._reading = reading
        self._tree = reading.tree
        self._discourse = discourse
        self._names = source.names_in(read.sentence)

    def candidates(self) -> Iterator[Candidate]:
        """What the sentence proposes; then the discourse goes on."""
        found = list(self._reading.propositions())
        resolved: dict[Phrase, _Subject | None] = {}
        for one in found:
            if one.subject not in resolved:
                resolved[one.subject] = self._subject(one.subject, one)
            subject = resolved[one.subject]
            if subject is not None and (made := self._candidate(one, subject, len(found))) is not None:
                yield made
        self._go_on(found, resolved)

    def _go_on(self, found: Sequence[Proposition], resolved: dict[Phrase, _Subject | None]) -> None:
        """Leaves to the next sentence what this one is about, and what it called things."""
        root = next((i for i, label in enumerate(self._parsed.labels) if label == "root"), 0)
        own = self._tree.of(root, "nsubj")
        self._discourse.subject = None
        if len(own) == 1:
            phrase = self._reading.subject_phrase(own[0], len(self._tree.joined(own[0])) == 1)
            subject = resolved[phrase] if phrase in resolved else self._subject(phrase, None)
            if subject is not None:
                plural = subject.plural or len(self._tree.joined(own[0])) > 1
                alone = len(self._tree.joined(own[0])) == 1 and not (plural and subject.how == "name")
                self._discourse.about(Salient(subject.about, subject.person, plural, alone))
        for one in found:
            subject = resolved.get(one.subject)
            called = one.kind in ("is a", "apposed", "role", "apposed role")
            if subject is not None and called and self._parsed.tags[one.verb] == "NOUN" and not one.denied:
                self._discourse.called(self._tree.word(one.verb), subject.about)
        for name in self._names:
            last = name.value.surface.split()[-1]
            if " " in name.value.surface and last.isalpha():
                at = self._read.sentence.part(name.start, name.end)
                self._discourse.called(last.casefold(), About(EntityName(at.text), (at.span,), at))

    def _candidate(self, one: Proposition, subject: _Subject, count: int) -> Candidate | None:
        valued = self._valued(one.argument, one.kind)
        if valued is None or not self._whole(one.argument):
            return None
        about, label, spans = subject.about, one.label, self._relation(one)
        turned = self._turned(one, valued) if one.kind in ("is a", "is so") else None
        if turned is not None:
            about, label, noun = turned
            spans = (noun,)
        elif valued.how == "name" and label == "description":
            label = "is"
        if self._split_title(about):
            return None
        if isinstance(about.name, EntityName) and about.name.surface.casefold() == valued.at.text.casefold():
            return None
        hedge = self._hedge(one)
        frame, dated = self._frame(one, valued)
        given = Given(valued.value, valued.at.span, valued.at.text, hedge)
        made = claim(self._source, NAME, about, Property(Predicate(label), spans), given, frame)
        told = "turned" if turned is not None else ""
        features = tuple(sorted(set(self._features(one, subject, valued, label, count, dated, told))))
        return Candidate(made, features)

    # --- places ---------------------------------------------------------------------------------------

    def _at(self, phrase: Phrase) -> tuple[int, int]:
        return self._read.words[phrase.start][0], self._read.words[phrase.end - 1][1]

    def _part(self, phrase: Phrase) -> Stretch:
        return self._read.sentence.part(*self._at(phrase)).strip(" ")

    def _relation(self, one: Proposition) -> tuple[tuple[int, int], ...]:
        """Where the relation is worded: words that stand side by side are one stretch."""
        runs: list[list[int]] = []
        for place in sorted(one.relation):
            if runs and runs[-1][-1] == place - 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        return tuple(self._part(Phrase(run[0], run[0], run[-1] + 1)).span for run in runs)

    def _whole(self, phrase: Phrase) -> bool:
        """Whether a phrase is cut nowhere within a name, brackets or quotation marks."""
        text = self._part(phrase).text
        start, end = self._at(phrase)
        cut = any(n.start < start < n.end or n.start < end < n.end for n in self._names)
        cut = cut or self._amid(phrase) or self._lacking(phrase) or self._pointing(phrase)
        paired = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "“”")) and text.count('"') % 2 == 0
        return paired and not cut

    def _amid(self, phrase: Phrase) -> bool:
        """Whether a phrase begins or ends amid a word with hyphens, or amid words that are all parts of names."""
        text, (start, end) = self._read.sentence.text, self._at(phrase)
        if _JOINED_AFTER.match(text, end) or _JOINED_BEFORE.search(text, 0, start):
            return True
        tags, words_ = self._parsed.tags, self._parsed.words
        after = phrase.end < len(tags) and text[end : self._read.words[phrase.end][0]] == " "
        before = phrase.start > 1 and text[self._read.words[phrase.start - 1][1] : start] == " "
        last = tags[phrase.end - 1]
        named = after and tags[phrase.end] == last == "PROPN" and words_[phrase.end][0].isupper()
        goes_on = named or (after and tags[phrase.end] == "NOUN" and last in ("NOUN", "ADJ", "PROPN"))
        led = before and tags[phrase.start - 1] == tags[phrase.start] == "PROPN"
        return goes_on or (led and words_[phrase.start - 1][0].isupper())

    def _lacking(self, phrase: Phrase) -> bool:
        """Whether the next word still belongs to a phrase, or a verb in it has lost its object."""
        inside, labels = range(phrase.start, phrase.end), self._parsed.labels
        for place, head in enumerate(self._parsed.heads):
            if head not in inside or place in inside:
                continue
            if labels[place] in _NEEDED or (place == phrase.end and labels[place] in _FOLLOWING):
                return True
        return False

    def _pointing(self, phrase: Phrase) -> bool:
        """Whether a phrase only makes sense beside other words: "this plan", "the following", "the plan"."""
        for place in range(phrase.start, phrase.end):
            word = self._tree.word(place)
            if word in ("following", "former", "latter", "aforementioned"):
                return True
            if word in ("this", "that", "these", "those") and self._tree.label(place) == "det":
                return True
        bare = phrase.end - phrase.start == 2 and self._tree.word(phrase.start) == "the"
        return bare and self._parsed.tags[phrase.head] == "NOUN" and phrase.start > 0 and not self._opens(phrase)

    def _opens(self, phrase: Phrase) -> bool:
        """Whether a phrase stands as a subject."""
        return self._tree.label(phrase.head).startswith("nsubj")

    def _split_title(self, about: About) -> bool:
        """Whether a subject is but one side of a comma or colon in what the section is called ("Tarzan, the Ape Man")."""
        section = self._discourse.section
        if section is None or not isinstance(section.name, EntityName) or not isinstance(about.name, EntityName):
            return False
        pieces = re.split(r"[,:]\s", section.name.surface.casefold())
        return len(pieces) > 1 and about.name.surface.casefold() in pieces

    # --- subjects -------------------------------------------------------------------------------------

    def _subject(self, phrase: Phrase, one: Proposition | None) -> _Subject | None:
        """What a subject's phrase means; None where that can't be told."""
        tag, word = self._parsed.tags[phrase.head], self._tree.word(phrase.head)
        if tag == "PRON":
            taken = self._taken_up(phrase, word)
            if taken is None:
                return None
            about = About(taken[0].name, (*taken[0].spans, self._part(phrase).span), taken[0].at)
            return _Subject(about, f"{word} {taken[1]}", word in ("he", "she") or None, word == "they")
        if not self._whole(phrase) or self._parsed.tags[phrase.start] == "CCONJ":
            return None
        if any(self._tree.word(i) in _BACKWARD for i in range(phrase.start, min(phrase.start + 3, phrase.end))):
            return None
        if tag == "PROPN":
            verbal = any(self._parsed.tags[i] == "VERB" for i in range(phrase.start, phrase.head))
            return None if verbal else self._named(phrase)
        return self._noun(phrase, one) if tag == "NOUN" else None

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
        own = self._subject(self._reading.subject_phrase(before[0]), None)
        if own is None or own.plural is not (word == "they") or (own.person and word == "it"):
            return None
        return own.about, "own sentence"

    def _named(self, phrase: Phrase) -> _Subject | None:
        """A subject that is a name, with the words that belong to it."""
        at = self._bare(phrase)
        name = next((n for n in self._names if n.start <= self._at(phrase)[1] - 1 < n.end), None)
        whole = self._part(phrase)
        if name is not None and name.end == self._at(phrase)[1] and name.start > self._at(at)[0]:
            before = [i for i in range(at.start, at.end) if self._read.words[i][0] < name.start]
            kinds = all(self._parsed.tags[i] in ("ADJ", "NOUN", "DET", "PROPN") for i in before)
            if kinds and before and self._parsed.words[before[-1]].islower():  # "the engineer Ada Wren"
                whole = self._read.sentence.part(name.start, name.end)
        else:
            whole = self._part(at)
        if not whole.text.strip():
            return None
        if whole.text.startswith("The ") and len(whole.text) > 4:
            whole = whole.part(4)
        person = True if name is not None and name.value.kind == "person" else None
        return _Subject(About(EntityName(whole.text), (whole.span,), whole), "name", person)

    def _bare(self, phrase: Phrase) -> Phrase:
        """A phrase without the article that it begins with."""
        article = self._tree.word(phrase.start) in ("the", "a", "an") and phrase.end - phrase.start > 1
        return replace(phrase, start=phrase.start + 1) if article and phrase.start < phrase.head else phrase

    def _noun(self, phrase: Phrase, one: Proposition | None) -> _Subject | None:
        """A subject that is a common noun: something said before, a kind of thing, or told apart by its own words."""
        leading = [self._tree.word(b) for b in self._tree.of(phrase.head, "det", "nummod", "nmod:poss")]
        if self._tree.word(phrase.start) in _REJECTED_DETERMINERS:  # "many" is tagged an adjective
            return None
        if any(word in _REJECTED_DETERMINERS for word in leading) or self._tree.of(phrase.head, "nummod"):
            return None
        bare = self._bare(phrase)
        at = self._part(bare)
        about = About(EntityName(at.text), (at.span,), at)
        plural = self._plural(phrase.head)
        if any(self._parsed.tags[b] == "PRON" for b in range(phrase.start, phrase.end)):
            return None
        if any(word in _THE for word in leading):
            named = any(self._parsed.tags[b] in ("PROPN", "NUM") for b in range(bare.start, bare.end))
            if named and "the" in leading:
                return _Subject(about, "the, with a name", plural=plural)
            taken = self._discourse.definite(self._tree.word(phrase.head))
            if bare.end - bare.start == 1 and taken is not None:
                told = About(taken[0].name, (*taken[0].spans, at.span), taken[0].at)
                return _Subject(told, f"the {taken[1]}", plural=plural)
            if bare.end - bare.start < 2 or "the" not in leading:
                return None
            how = "the, told by its words" if bare.end - bare.start > 2 else "the, modified"
            return _Subject(about, how, plural=plural)
        if leading:
            named = any(self._parsed.tags[b] == "PROPN" for b in range(bare.start, bare.end))
            how = "a" if leading[0] in ("a", "an") else "owned" if named else ""
            return _Subject(about, how, plural=plural) if how else None
        return _Subject(about, "bare plural" if plural else "bare", plural=plural)

    def _plural(self, place: int) -> bool:
        word = self._tree.word(place)
        return word.endswith("s") and not word.endswith(("ss", "us", "is"))

    def _turned(self, one: Proposition, valued: _Valued) -> tuple[About, str, tuple[int, int]] | None:
        """A subject that names its own property: "the capital of Orr is …", "Orr's capital is …", "its capital is …"."""
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
        at, noun = self._part(owner), self._part(Phrase(head, first, head + 1))
        if at.text.endswith(("'s", "’s")):
            at = at.part(0, len(at.text) - 2)
        return About(EntityName(at.text), (at.span,), at), noun.text, noun.span

    # --- values ---------------------------------------------------------------------------------------

    def _valued(self, phrase: Phrase, kind: str) -> _Valued | None:
        """The typed value of an argument's words."""
        tag = self._parsed.tags[phrase.head]
        if tag in ("PRON", "DET", "ADV", "PART", "CCONJ", "PUNCT", "X", "SYM", "INTJ", "SCONJ"):
            return None
        if tag in ("VERB", "AUX") and kind in ("object", "oblique", "infinitive"):
            return None
        whole = self._part(phrase)
        if not whole.text or not any(c.isalnum() for c in whole.text):
            return None
        dated = self._dated(phrase)
        if dated is not None:
            return dated
        figure = quantities.parse(whole.text) if any(c.isdigit() for c in whole.text) or tag == "NUM" else None
        if figure is not None and figure.noun.casefold() not in MONTHS:
            return _Valued(figure, whole, "quantity")
        bare = self._part(self._bare(phrase))
        start, end = bare.start - self._read.sentence.start, bare.end - self._read.sentence.start
        named = any(n.start <= start and end <= n.end and n.end - n.start <= end - start for n in self._names)
        if named:
            return _Valued(EntityName(bare.text), bare, "name")
        return _Valued(Text(whole.text), whole, "text")

    def _dated(self, phrase: Phrase) -> _Valued | None:
        """The date that a phrase gives; where the tree parts it ("March 2024"), all of it."""
        start, end = self._at(phrase)
        for found in dates.find(self._read.sentence.text):
            if found.start <= start and end <= found.end:
                return _Valued(found.value, self._read.sentence.part(found.start, found.end), "date")
        whole = self._part(phrase)
        lead = self._tree.preposition(phrase.head)
        if lead in _BEFORE_YEARS and _YEAR.fullmatch(whole.text):
            year = whole.text
            about = lead in ("around", "about", "circa")
            date = DateValue(year, year, Precision.YEAR, f"{year}-01-01", f"{year}-12-31", approximate=about)
            return _Valued(date, whole, "date")
        date = dates.parse(whole.text)
        return _Valued(date, whole, "date") if date is not None else None

    # --- standing and time ----------------------------------------------------------------------------

    def _hedge(self, one: Proposition) -> Hedge:
        text = self._read.sentence.text
        start, end = self._at(one.argument)
        verb = self._read.words[one.verb]
        hedge = hedge_of(text, min(start, verb[0]), max(verb[0] + 1, min(end, verb[1])))
        hedge = combine(hedge, hedge_of(text, start, end))
        polarity = Polarity.NEGATED if one.denied else hedge.polarity
        return replace(hedge, polarity=polarity)

    def _frame(self, one: Proposition, valued: _Valued) -> tuple[Frame, str]:
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

    # --- features -------------------------------------------------------------------------------------

    def _features(
        self, one: Proposition, subject: _Subject, valued: _Valued, label: str, count: int, dated: str, told: str
    ) -> Iterator[str]:
        tags, parsed = self._parsed.tags, self._parsed
        length = len(parsed)
        yield f"kind {one.kind}{' ' + told if told else ''}"
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
        yield f"propositions {bucket(count, (1, 2, 3, 5, 8))}"
        yield from self._named_how(subject)
        yield f"property length {bucket(len(label.split()), (1, 2, 3, 4))}"
        yield f"dated {dated}"
        yield f"in {'item' if self._read.bullet.in_list else 'paragraph'}{' first' if self._read.first else ''}"
        if one.joined:
            yield "subject joined"
        if one.denied:
            yield "denied"
        if (lead := self._tree.preposition(one.argument.head)) and one.kind not in ("is a", "is so", "apposed"):
            yield f"leads {lead}"
        for dropped in set(one.dropped):
            yield f"dropped {dropped}"
        yield f"dropped count {bucket(len(one.dropped), (0, 1, 2, 3))}"
        yield f"kind {one.kind} value length {bucket(one.argument.end - one.argument.start, (1, 2, 3, 5, 8, 12, 20))}"
        yield from self._sureness(one)
        yield from self._around(one)
        yield from self._within("subject", one.subject)
        yield from self._within("value", one.argument)
        rank = self._parser.rank(self._tree.word(one.verb))
        yield f"verb rank {bucket(rank, (1500, 2500, 4000, 8000, 15000, 30000))}"
        yield f"verb ends {self._tree.word(one.verb)[-3:]}"
        hedge = self._hedge(one)
        yield f"status {hedge.status} {hedge.polarity} {hedge.mood}"

    def _sureness(self, one: Proposition) -> Iterator[str]:
        """How sure the parser is of the arcs that make the proposition, and of those within its phrases."""
        sure = self._parsed.sure
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
        told = {one.subject.head, one.argument.head, one.verb, *one.relation}
        least = min(sure[place] for place in told)
        for step in _SURE:
            if least > step:
                yield f"told sure over {step}"

    def _definite(self, noun: int, inside: range) -> str:
        """How "the …" within a phrase is told: by its own words, by what was said before, or by nothing."""
        if self._parsed.tags[noun] == "PROPN":
            return "name"
        own = [b for b in self._tree.below[noun] if self._tree.label(b) not in ("det", "case", "punct")]
        if any(b in inside and (self._parsed.tags[b] == "PROPN" or b > noun) for b in own):
            return "told"
        if self._tree.word(noun) in self._discourse.nouns or self._tree.word(noun) == self._discourse.section_noun:
            return "known"
        return "modified" if own else "bare"

    def _named_how(self, subject: _Subject) -> Iterator[str]:
        """How surely what the subject is called by is a name, and whether the section or the document is about it."""
        name = subject.about.name
        assert isinstance(name, EntityName)
        words_, surface = self._source.words, name.surface
        yield f"person {subject.person}"
        yield f"said {bucket(self._source.document.text.count(surface), (0, 1, 2, 4, 8))} times"
        section = self._discourse.section
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
        if not set(surface.casefold().split()).isdisjoint(self._source.document.title.casefold().split()):
            yield "in title"

    def _around(self, one: Proposition) -> Iterator[str]:
        """Where the parts stand in the sentence, and what stands between and behind them."""
        words_, tags = self._parsed.words, self._parsed.tags
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
            elif self._tree.label(place) in ("advmod", "cc", "mark"):
                yield f"gap {self._tree.label(place)}"
            elif tags[place] in ("VERB", "NOUN", "PROPN"):
                yield f"gap {tags[place]}"
        yield f"verb to value {bucket(abs(one.argument.head - one.verb), (1, 2, 3, 5, 8))}"
        yield f"subject to verb {bucket(abs(one.subject.head - one.verb), (1, 2, 3, 5, 8))}"
        if first == 0 or self._reading.tree.label(one.verb) != "root":
            return
        opening = self._tree.label(next((b for b in self._tree.below[one.verb] if b < first), one.verb))
        yield f"opening {opening}"

    def _within(self, role: str, phrase: Phrase) -> Iterator[str]:
        """What a phrase is made of."""
        tags = self._parsed.tags
        opening = self._tree.word(phrase.start)
        closed = tags[phrase.start] in ("DET", "PRON", "NUM", "ADP", "PART")
        yield f"{role} opens {opening if closed and tags[phrase.start] != 'NUM' else tags[phrase.start]}"
        for place in range(phrase.start, phrase.end):
            label = self._tree.label(place)
            if label in ("nmod", "acl", "acl:relcl", "conj", "nmod:poss", "appos", "obl", "xcomp", "advcl", "ccomp"):
                yield f"{role} holds {label}"
            if tags[place] in ("PROPN", "PRON", "VERB", "NUM", "ADV"):
                yield f"{role} holds {tags[place]}"
            if tags[place] == "PRON":
                yield f"{role} says {self._tree.word(place)}"
            if tags[place] == "PUNCT":
                yield f"{role} holds {self._parsed.words[place]}"
        inside = range(phrase.start, phrase.end)
        for place, head in enumerate(self._parsed.heads):
            if head in inside and place not in inside and tags[place] not in ("ADP", "PUNCT", "AUX"):
                yield f"{role} loses {self._tree.label(place)}"
        if any(self._tree.word(i) in _THE for i in range(phrase.start + 1, phrase.end)):
            yield f"{role} holds the"
        if any(self._tree.word(i) in _BACKWARD for i in inside):
            yield f"{role} refers back"
        for place in inside:
            if self._tree.word(place) in ("this", "that", "these", "those") and self._tree.label(place) == "det":
                yield f"{role} points"
            if self._tree.word(place) == "the" and self._tree.label(place) == "det":
                yield f"{role} the {self._definite(self._parsed.heads[place], inside)}"
        at = self._part(phrase)
        for kind in (MarkKind.CODE, MarkKind.LINK):
            if any(mark for mark in at.marked(kind)):
                yield f"{role} marked {kind}"
        if tags[phrase.head] == "NOUN" and opening in ("the", "this", "that", "these", "those"):
            yield f"{role} definite {bucket(phrase.end - phrase.start, (2, 3, 5))}"
        if phrase.end < len(tags) and self._parsed.heads[phrase.end] in range(phrase.start, phrase.end):
            yield f"{role} cut before {self._tree.label(phrase.end)}"
        if phrase.start and self._parsed.heads[phrase.start - 1] in range(phrase.start, phrase.end):
            yield f"{role} cut after {self._tree.label(phrase.start - 1)}"
