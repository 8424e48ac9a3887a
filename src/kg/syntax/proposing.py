"""Propositions that a sentence's clauses make: a subject, a relation worded by the clause's verb, and one argument.

After ClausIE (Del Corro and Gemulla 2013), which reads clause types off a dependency tree, and MinIE (Gashteovski et
al. 2017), which keeps what makes a proposition hold – denial, time – beside it and drops only what it can do without.
One proposition has one argument: an object, a complement, or what a preposition leads to ("founded in", "founded by").
Also read are what is set beside a noun by commas ("Corran, a tower in Kiel"), relative clauses and participles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kg.syntax.lemmas import base, third_person
from kg.syntax.sentence import Phrase, Phrases, Sentence, conditions_of, depends, limits
from kg.text.words import word_set

Known = Callable[[str], bool]

_RELATIVES = word_set("which that who whom")
DENYING = word_set("not never n't n’t neither hardly no")
_NEITHER = word_set("neither nor")  # deny of whom something is told
_SUPPOSED = word_set("could would might wo ’d 'd ’ll 'll need ought")
_MODALS = {word: word for word in ("can", "may", "must", "shall", "should", "will")} | {"cannot": "can", "ca": "can"}
"""What may be done, or has to be, is told as such: the label says so."""
_SUPPOSING = word_set("if whether unless lest as though although than while until")
_ADVERBS = ("advmod", "punct", "aux", "cc", "mark", "cop", "expl", "discourse")
_LISTING = word_set("including excluding like unlike than such")  # lead to members or comparisons, not to arguments
_STOPS = frozenset(',;:()[]–—-"“”')

_RECIPROCAL = ("in common", "each other", "one another")
_BEHIND = 2  # words behind an argument within which they may stand

_IN_NAMES = ("de", "von", "van", "&")
_IDLE = word_set("here there then now also too again later still even")
"""Adverbs that point or add, a closed class: they turn the meaning of no verb that they stand behind, and have the tag
of those that do ("put together")."""


@dataclass(frozen=True, slots=True)
class Proposition:
    """``label``: the relation in the form that a person would give it; ``relation``: the places of its words.

    ``kind``: which construction says so; ``verb``: the word that tells it; ``times``: phrases beside the argument that
    may say when; ``dropped``: the labels of what else the clause says.
    """

    kind: str
    subject: Phrase
    verb: int
    relation: tuple[int, ...]
    label: str
    argument: Phrase
    denied: bool = False
    times: tuple[Phrase, ...] = ()
    dropped: tuple[str, ...] = ()
    clause: str = ""
    joined: bool = False


@dataclass(frozen=True, slots=True)
class _Verb:
    """A verb, or a noun with "is": its subject, the places and label of its words, what prepositions lead to beside."""

    place: int
    subject: Phrase
    words: tuple[int, ...]
    label: str
    passive: bool = False
    obliques: tuple[int, ...] = ()


class Reading(Phrases):
    """A sentence's tree as propositions. ``known``: whether something is a word, which tells apart forms of verbs."""

    def __init__(self, sentence: Sentence, known: Known) -> None:
        """Reads nothing yet."""
        super().__init__(sentence)
        self._known = known

    def propositions(self) -> Iterator[Proposition]:
        """What the sentence says, in the order of its words."""
        for place in range(len(self._tags)):
            if not self._told(place):
                continue
            for subject, joined in self._subjects(place):
                made = self._nominal(place, subject) if self.tree.of(place, "cop") else self._verbal(place, subject)
                clause, denied = self._clause(place), self._denied(place)
                conditions = conditions_of(self.tree, place)
                for one in made:
                    if joined and self._mutual(one):
                        continue
                    if all(one.argument.start <= at < one.argument.end for at in conditions):
                        yield replace(one, clause=clause, denied=denied, joined=joined)
        yield from self._appositions()
        yield from self._titled()

    # --- clauses -----------------------------------------------------------------------------------

    def _mutual(self, one: Proposition) -> bool:
        """Whether it is told of several things with one another, and so of none alone ("have much in common")."""
        places = range(one.verb, min(len(self._tags), one.argument.end + _BEHIND))
        words = f" {' '.join(map(self.tree.word, places))} "
        return any(f" {shared} " in words for shared in _RECIPROCAL)

    def _told(self, place: int) -> bool:
        """Whether a word heads a clause that is told as a fact, as far as its own words and those above it say."""
        label, head = self.tree.label(place), self.tree.parsed.heads[place]
        words = {self.tree.word(b) for b in self.tree.of(place, "aux", "mark", "cc")}
        if (
            words & (_SUPPOSED | _SUPPOSING)
            or "or" in words
            or (self._modal(place) not in ("", "can") and self._denied(place))
        ):
            return False
        if place and self._tags[place] == "VERB" and self._words[place][0].isupper():  # bids: "Detail Enter a note"
            return False
        if self._tags[place] not in ("VERB", "AUX") and not self.tree.of(place, "cop"):
            return False
        if self._not_only(place) or depends(self.tree, place):
            return False
        if label in ("root", "acl:relcl", "parataxis"):
            return True
        if label == "acl":
            return "to" not in words
        if label == "conj" and head >= 0:
            return self._told(head) or bool(self.tree.of(place, "nsubj") and self._above_told(head))
        if label == "ccomp":
            # "Ensure that …": what is bidden is not so yet
            bidden = self.tree.label(head) == "root" and not self.tree.of(head, "nsubj", "expl", "aux")
            return not bidden and self._above_told(head) and not self._denied(head)
        return label == "advcl" and "to" not in words and self._above_told(head)

    def _not_only(self, place: int) -> bool:
        """Whether a clause is the first half of "not only … but also …", whose denial is none."""
        words = [self.tree.word(b) for b in sorted(self.tree.of(place, "advmod", "cc:preconj"))]
        return "only" in words and bool(DENYING.intersection(words))

    def _above_told(self, place: int) -> bool:
        return place >= 0 and self._told(place)

    def _clause(self, place: int) -> str:
        """How a clause hangs on the sentence: its label, and of joined ones that of the first too."""
        label = self.tree.label(place)
        if label == "conj":
            return "conj " + self._clause(self.tree.parsed.heads[place]).removeprefix("conj ")
        marks = " ".join(self.tree.word(b) for b in self.tree.of(place, "mark")[:1])
        return f"{label} {marks}".strip()

    def _denied(self, place: int) -> bool:
        """Whether a clause is denied; "cannot" stands as one word."""
        told = self.tree.of(place, "advmod", "det", "cc:preconj")
        helping = {self.tree.word(b) for b in self.tree.of(place, "aux")}
        return any(self.tree.word(b) in DENYING for b in told) or "cannot" in helping

    def _subjects(self, place: int) -> Iterator[tuple[Phrase, bool]]:
        """The phrases that stand as a clause's subject, each with whether others are joined to it."""
        for head in self._subject_heads(place):
            if any(self.tree.word(b) in _NEITHER for b in self._below(head) if self._tags[b] == "CCONJ"):
                continue
            members = self.tree.joined(head)
            if len(members) > 1 and self._singular(place):  # "Home and Away is": one name
                continue
            for member in members:
                if not self._shares(member, members):
                    yield self.subject_phrase(member, len(members) == 1), len(members) > 1

    def _shares(self, member: int, members: tuple[int, ...]) -> bool:
        """Whether what follows the last of joined nouns may go with this one too ("births and deaths of kings").

        Where the tree hangs it on another than the last, all are cut.
        """
        last = members[-1]
        follows = [m for m in members for b in self.tree.of(m, "nmod", "acl", "acl:relcl") if b > last]
        shared = bool(follows) and {member, *follows} != {last}
        return shared and self._tags[member] == "NOUN"

    def _singular(self, verb: int) -> bool:
        return any(
            self.tree.word(b) in ("is", "was", "has", "does") for b in self.tree.of(verb, "cop", "aux", "aux:pass")
        )

    def _subject_heads(self, place: int) -> list[int]:
        own = self.tree.of(place, "nsubj")
        label, head = self.tree.label(place), self.tree.parsed.heads[place]
        if len(own) > 1 or self.tree.of(place, "csubj", "expl"):
            return []
        if own:
            word = self.tree.word(own[0])
            if label != "acl:relcl":
                return [own[0]]
            if word in _RELATIVES:
                return [] if self._unclear(place) else self._said_of(head)
            # "the post that she held": only what has an object of its own leaves none to the noun above
            explicit = [b for b in self.tree.of(place, "obj") if self._tags[b] != "PRON"]
            return [own[0]] if explicit or self.tree.of(place, "cop") else []
        if label == "acl":
            return [] if self._unclear(place) else self._said_of(head)
        joined = label == "conj" or (label == "advcl" and self._leaning(place))
        if joined and head >= 0 and (self._tags[head] in ("VERB", "AUX") or self.tree.of(head, "cop")):
            return self._subject_heads(head)
        return []

    def _leaning(self, clause: int) -> bool:
        """Whether a clause is told of the subject that it hangs on ("…, killing five", "Built of oak, it …")."""
        ending = self.tree.word(clause).endswith("ing") or self.tree.participle(clause)
        return ending and self._tags[clause] == "VERB" and not self.tree.of(clause, "mark", "aux", "case")

    def _said_of(self, noun: int) -> list[int]:
        """The noun that a clause goes with, or what that noun is said of ("Corran is a tower that …": Corran)."""
        if self.tree.of(noun, "cop"):
            own = self.tree.of(noun, "nsubj")
            return [own[0]] if len(own) == 1 else []
        beside = self.tree.beside(noun)
        return [noun if beside is None else beside]

    def _unclear(self, clause: int) -> bool:
        """Whether a clause may go with another noun than its head, as with several before it and no comma."""
        head = self.tree.parsed.heads[clause]
        between = self.tree.between(head, clause)
        nouns = any(head < b < clause for b in self.tree.of(head, "nmod", "appos", "conj"))
        return "(" in between or nouns

    def _passive(self, verb: int) -> bool:
        if self.tree.of(verb, "aux:pass", "nsubj:pass") or self.tree.passive(verb):
            return True
        head = self.tree.parsed.heads[verb]
        agent = any(self.tree.preposition(b) == "by" for b in self.tree.of(verb, "obl"))
        beside = self.tree.label(verb) == "conj" and bool(self.tree.of(head, "cop"))  # "is large and found in Kiel"
        return (agent or beside) and self.tree.participle(verb) and not self.tree.of(verb, "obj", "nsubj", "aux")

    # --- verbs -------------------------------------------------------------------------------------

    def _verbal(self, verb: int, subject: Phrase) -> Iterator[Proposition]:
        if self.tree.of(verb, "iobj"):
            return
        passive = self._passive(verb)
        objects = () if passive else self.tree.of(verb, "obj")
        complements = self.tree.of(verb, "xcomp") or (self._purposes(verb) if passive else ())
        particle = self.tree.of(verb, "compound:prt")[:1] or self._beside(verb)
        obliques = tuple(b for b in self.tree.of(verb, "obl") if self._tags[b] != "ADV" or self.tree.of(b, "case"))
        words = (*self._often(verb), verb, *particle)
        told = _Verb(verb, subject, words, self._worded(verb, passive, particle), passive, obliques)
        if said := self.tree.of(verb, "ccomp"):
            if not (passive or objects or len(said) > 1):
                yield from self._said(told, said[0])
        elif objects:
            yield from self._with_object(told, objects, complements)
        elif complements:
            yield from self._completed(told, complements[0])
        elif passive and (named := self.tree.of(verb, "obj")):
            yield from self._made("named", replace(told, label=self._being(verb, told.label)), self.phrase(named[0]))
        else:
            for oblique in obliques:
                yield from self._oblique(told, oblique)

    def _said(self, told: _Verb, clause: int) -> Iterator[Proposition]:
        """What somebody says, knows or shows, as a clause ("announced that it would close")."""
        places = sorted(self._all_below(clause))
        marks = [b for b in self.tree.of(clause, "mark") if self.tree.word(b) == "that"]
        start = marks[0] + 1 if marks else places[0]
        end = places[-1] + 1
        while end > start and self._tags[end - 1] == "PUNCT":
            end -= 1
        led = told.place < places[0] <= told.place + 2
        if not led or places != list(range(places[0], places[-1] + 1)) or start >= end or self._denied(clause):
            return
        bidden = any(self.tree.word(b) == "to" for b in self.tree.of(clause, "mark"))  # "asked Orr to sell"
        label = told.label if bidden else f"{told.label} that"
        yield from self._made(
            "said", replace(told, words=(*told.words, *marks[:1]), label=label), Phrase(clause, start, end)
        )

    def _all_below(self, place: int) -> Iterator[int]:
        yield place
        for other in self.tree.below[place]:
            yield from self._all_below(other)

    def _purposes(self, verb: int) -> tuple[int, ...]:
        """What follows a passive verb right away with "to" ("used to draw"): many trees hang it on as a clause."""
        clauses = self.tree.of(verb, "advcl")
        return tuple(c for c in clauses if any(b == verb + 1 for b in self.tree.of(c, "mark")))

    def _worded(self, verb: int, passive: bool, particle: tuple[int, ...]) -> str:
        word = self.tree.word(verb)
        often = "".join(f"{self.tree.word(b)} " for b in self._often(verb))
        form = often + (word if passive else third_person(base(word, self._known)))
        if modal := self._modal(verb):
            form = f"{modal} {often}be {word}" if passive else f"{modal} {often}{word}"
        return " ".join((form, *(self.tree.word(p) for p in particle)))

    def _modal(self, place: int) -> str:
        helping = (self.tree.word(b) for b in self.tree.of(place, "aux"))
        return next((_MODALS[word] for word in helping if word in _MODALS), "")

    def _being(self, verb: int, label: str) -> str:
        return label if self._modal(verb) else f"is {label}"

    def _often(self, verb: int) -> tuple[int, ...]:
        """The adverb beside a verb that tells how far or how often something holds: what is usual is not always so."""
        near = range(verb - 2, verb + 2)
        return tuple(b for b in self.tree.of(verb, "advmod") if b in near and limits(self.tree.word(b)))[:1]

    def _beside(self, verb: int) -> tuple[int, ...]:
        """An adverb right behind a verb that turns its meaning ("put together", "moved back")."""
        found = self.tree.of(verb, "advmod")
        return tuple(b for b in found if b == verb + 1 and self._tags[b] == "ADV" and not self._idle(b))

    def _idle(self, adverb: int) -> bool:
        word = self.tree.word(adverb)
        return word in _IDLE or word in DENYING or limits(word) or bool(self.tree.below[adverb])

    def _with_object(
        self, told: _Verb, objects: tuple[int, ...], complements: tuple[int, ...]
    ) -> Iterator[Proposition]:
        verb, obliques = told.place, told.obliques
        whole = self.phrase(objects[0])
        if whole.start == verb + 1 and self._owned(verb, objects[0]):
            return
        members = self.tree.joined(objects[0])
        if len(members) > 1 and all(self._tags[m] == "PROPN" for m in members):
            for member in members:
                yield from self._made("object", told, self.phrase(member, False))
            return
        named = self._tags[objects[0]] in ("PROPN", "NUM")
        turned = any(self.tree.preposition(b) in ("as", "into") for b in obliques)  # "turned Corran into a mill"
        if not named:
            whole = self._extended(verb, whole, (*complements, *obliques))
        elif complements or turned:
            longer = self._extended(verb, whole, (*complements, *obliques))
            if longer != whole:
                yield from self._made("object and more", told, longer)
            return
        if any(not whole.start <= b < whole.end for b in complements):  # "enables staff … to chat": not the staff alone
            return
        if whole.end == verb + 2 and self._bare_noun(objects[0]) and any(b > objects[0] for b in obliques):
            fuller = f"{told.label} {self.tree.word(objects[0])}"  # "takes place in", "makes use of"
            for oblique in (b for b in obliques if b > objects[0]):
                yield from self._oblique(replace(told, words=(*told.words, objects[0]), label=fuller), oblique)
            return
        yield from self._made("object", told, whole)

    def _owned(self, verb: int, noun: int) -> bool:
        """Whether what was done may as well only tell of what kind somebody has something ("has paid leave")."""
        bare = self._tags[noun] == "NOUN" and not self.tree.of(noun, "det", "nummod", "nmod:poss")
        has = self.tree.parsed.words[verb - 1] in ("has", "have", "had") and verb - 1 in self.tree.of(verb, "aux")
        return has and bare and not self.tree.word(noun).endswith("s")

    def _extended(self, verb: int, whole: Phrase, further: tuple[int, ...]) -> Phrase:
        """An object with what follows it right away and completes the verb ("a part in the trial", "users to draw")."""
        for other in sorted(further):
            phrase = self.clause_phrase(other)
            timed = self._tags[other] == "NUM" or self.tree.label(other) in ("obl:agent", "obl:unmarked")
            if phrase.start == whole.end and not timed:
                whole = replace(whole, end=phrase.end)
        return whole

    def _completed(self, told: _Verb, complement: int) -> Iterator[Proposition]:
        """A verb with what completes it: "became a state", "is used to draw charts", "is called Orr"."""
        verb, words, label, passive = told.place, told.words, told.label, told.passive
        being = self._being(verb, label) if passive else label
        if self._tags[complement] not in ("VERB", "AUX"):
            if any(self._tags[i] in ("NOUN", "PROPN") for i in range(verb + 1, self.phrase(complement).start)):
                return
            case = self.tree.of(complement, "case", "mark")
            lead = self.tree.preposition(complement)
            kept = (*words, *case[:1])
            name = f"{label} {lead}" if lead and passive else f"{being} {lead}".strip()
            if "to" in {self.tree.word(b) for b in self.tree.of(complement, "mark")}:
                name = f"{label} to be"
            yield from self._made("complement", replace(told, words=kept, label=name), self.phrase(complement))
            return
        mark = [b for b in self.tree.of(complement, "mark") if self.tree.word(b) == "to"]
        if not mark or any(self._tags[i] not in ("ADV", "PART") for i in range(verb + 1, mark[0])):
            return
        objects = self.tree.of(complement, "obj")
        if self.tree.of(complement, "xcomp", "ccomp", "iobj") or len(objects) > 1 or self._denied(complement):
            return
        kept = (*words, *mark[:1], complement, *self.tree.of(complement, "compound:prt")[:1])
        name = f"{label} to {'be ' if self.tree.of(complement, 'aux:pass') else ''}{self.tree.word(complement)}"
        for extra in self.tree.of(complement, "compound:prt")[:1]:
            name += f" {self.tree.word(extra)}"
        inner = self.tree.of(complement, "obl")
        bidden = _Verb(complement, told.subject, kept, name, obliques=(*inner, *told.obliques))
        if objects:
            phrase = self.phrase(objects[0])
            if self._tags[objects[0]] not in ("PROPN", "NUM"):
                phrase = self._extended(complement, phrase, inner)
            yield from self._made("infinitive", bidden, phrase)
        elif inner and (lead := self.tree.preposition(inner[0])):
            case = self.tree.of(inner[0], "case")[:1]
            bidden = replace(bidden, words=(*kept, *case), label=f"{name} {lead}")
            yield from self._made("infinitive", bidden, self.phrase(inner[0]))

    def _oblique(self, told: _Verb, oblique: int) -> Iterator[Proposition]:
        """A verb with what a preposition leads to."""
        verb, words, label, obliques = told.place, told.words, told.label, told.obliques
        lead, case = self.tree.preposition(oblique), self.tree.of(oblique, "case")
        if not lead or lead.split()[0] in _LISTING:
            return
        if self._idiom(verb, oblique) and any(b > oblique for b in obliques):
            return
        for idiom in (b for b in obliques if b < oblique and self._idiom(verb, b)):
            words = (*words, idiom - 1, idiom)
            label += f" {self.tree.word(idiom - 1)} {self.tree.word(idiom)}"
        members = self.tree.joined(oblique)
        words = (*words, *case[:1], *self.tree.of(case[0], "fixed"))
        told = replace(told, words=words, label=f"{label} {lead}")
        if len(members) > 1 and all(self._tags[m] == "PROPN" for m in members):
            for member in members:
                yield from self._made("oblique", told, self.phrase(member, False))
            return
        whole = self.phrase(oblique)
        for other in obliques if lead == "from" else ():  # "from Arden to Kiel"
            phrase = self.clause_phrase(other)
            if phrase.start == whole.end and self.tree.preposition(other) in ("to", "into", "until", "through"):
                whole = replace(whole, end=phrase.end)
        yield from self._made("oblique", told, whole)

    def _bare_noun(self, noun: int) -> bool:
        return self._tags[noun] == "NOUN" and not self.tree.below[noun] and not self.tree.word(noun).endswith("s")

    def _idiom(self, verb: int, oblique: int) -> bool:
        """Whether a bare noun with a preposition belongs to the verb right before it ("came into force on …")."""
        case = self.tree.of(oblique, "case")
        bare = self._tags[oblique] == "NOUN" and not set(self.tree.below[oblique]) - set(case)
        return bare and case == (oblique - 1,) and oblique == verb + 2 and not self.tree.word(oblique).endswith("s")

    def _made(self, kind: str, told: _Verb, argument: Phrase) -> Iterator[Proposition]:
        """The proposition, if its parts stand apart."""
        verb, subject, words = told.place, told.subject, told.words
        overlaps = argument.start < subject.end and subject.start < argument.end
        if overlaps or argument.start >= argument.end or subject.start >= subject.end:
            return
        times = tuple(self.phrase(b) for b in told.obliques if not argument.start <= b < argument.end)
        dropped = tuple(
            sorted(
                self.tree.label(b)
                for b in self.tree.below[verb]
                if self.tree.label(b).split(":")[0] not in _ADVERBS
                and not argument.start <= b < argument.end
                and not subject.start <= b < subject.end
                and b not in words
            )
        )
        yield Proposition(kind, subject, verb, tuple(sorted(words)), told.label, argument, times=times, dropped=dropped)

    # --- nouns and adjectives that something is said to be -------------------------------------------

    def _nominal(self, noun: int, subject: Phrase) -> Iterator[Proposition]:
        copula = self.tree.of(noun, "cop")[:1]
        case = self.tree.of(noun, "case")
        whole = self.phrase(noun)
        if whole.start <= copula[0]:  # the copula stands within: an inverted sentence
            return
        if case and case[0] < noun:
            words, lead = (*copula, *case[:1], *self.tree.of(case[0], "fixed")), self.tree.preposition(noun)
            yield from self._made("placed", _Verb(noun, subject, words, f"{self._is(noun)} {lead}"), whole)
            return
        if (
            not self._modal(noun)
            and self._tags[noun] in ("NOUN", "PROPN")
            and (turned := self._role(noun, whole)) is not None
        ):
            label, words, argument = turned
            yield from self._made("role", _Verb(noun, subject, (*copula, *words), label), argument)
            return
        kind = "is a" if self._tags[noun] in ("NOUN", "PROPN", "NUM", "PRON") else "is so"
        label = "description" if self._tags[noun] == "NOUN" and not self._modal(noun) else self._is(noun)
        yield from self._made(kind, _Verb(noun, subject, copula, label), whole)

    def _is(self, noun: int) -> str:
        modal = self._modal(noun)
        return f"{modal} be" if modal else "is"

    def _role(self, noun: int, whole: Phrase) -> tuple[str, tuple[int, ...], Phrase] | None:
        """What a definite noun with "of" and a name says of the name: "the capital of Orr" → capital of, Orr."""
        owners = [
            b for b in self.tree.of(noun, "nmod") if self.tree.preposition(b) == "of" and self._tags[b] == "PROPN"
        ]
        definite = any(self.tree.word(b) == "the" for b in self.tree.of(noun, "det"))
        if len(owners) != 1 or not definite or self.tree.joined(noun) != (noun,):
            return None
        argument = self.phrase(owners[0])
        first = next((b + 1 for b in self.tree.of(noun, "det") if self.tree.word(b) == "the"), whole.start)
        case = self.tree.of(owners[0], "case")[0]
        words = tuple(range(first, case + 1))
        if argument.end != whole.end or not first <= noun < case or case - first > 4:
            return None
        if any(set(self._words[w]) & _STOPS for w in words if self._words[w] != "-"):
            return None
        return " ".join(self._words[w] for w in words).replace(" - ", "-"), words, argument

    def _appositions(self) -> Iterator[Proposition]:
        """What is set beside a name by commas: "Corran, a tower in Kiel, …"."""
        for place, tag in enumerate(self._tags):
            head = self.tree.parsed.heads[place]
            if tag != "NOUN" or head < 0 or self._tags[head] != "PROPN" or self.tree.beside(place) is None:
                continue
            whole, subject = self.phrase(place), self.subject_phrase(head, False)
            if place < head or self._words[whole.start - 1] not in (",", "–", "—"):
                continue
            if (turned := self._role(place, whole)) is not None:
                label, words, argument = turned
                yield Proposition("apposed role", subject, place, words, label, argument, clause="appos")
            else:
                yield Proposition("apposed", subject, place, (), "description", whole, clause="appos")

    def _titled(self) -> Iterator[Proposition]:
        """What a noun right before a name says that it is: "the architect Ada Wren", "theatre owner Rolf Bekker"."""
        heads = self.tree.parsed.heads
        for place, tag in enumerate(self._tags[:-1]):
            if tag != "NOUN" or self._tags[place + 1] != "PROPN" or not self._words[place].islower():
                continue
            name = self._name_from(place + 1)
            run = range(name.start, name.end)
            same = heads[name.head], self.tree.label(name.head)
            tied = heads[place] in run or any(heads[i] == place for i in run)
            beside = same == (heads[place], self.tree.label(place))  # the tree takes them for two
            after = name.end if name.end < len(self._tags) else place
            if not (tied or beside) or (after != place and self._tags[after] in ("NOUN", "NUM")):
                continue
            start = place
            while start and self._tags[start - 1] in ("NOUN", "ADJ", "PROPN") and heads[start - 1] in (place, *run):
                start -= 1
            called = Phrase(place, start, place + 1)
            yield Proposition("titled", name, place, (), "description", called, clause="titled")

    def _name_from(self, start: int) -> Phrase:
        """The name whose first word stands at a place."""
        end = start
        while end < len(self._tags) and (self._tags[end] == "PROPN" or self._words[end] in _IN_NAMES):
            end += 1
        run = range(start, end)
        return Phrase(next((i for i in run if self.tree.parsed.heads[i] not in run), start), start, end)
