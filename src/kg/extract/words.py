"""Which words of a document are names: judged by how the document itself writes them, not by a dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kg.model import Inline
from kg.text.words import WORD as WORD
from kg.text.words import word_set as word_set  # for this package's other modules too

OURS = re.compile(
    r"\b(?:we|you|our|ours|your|yours|us|my|me|let['’]s|We|You|Our|Your|My|Let['’]s)\b|[?]"
    r"|(?:^|(?<!\S)[^A-Z\s]\S*\s)I\b"  # but "World War I"
)
"""Words of who writes and who reads: what is told with them holds of nobody that a graph knows."""

_PLURAL_ACRONYM = re.compile(r"\b([A-Z]{2,})s\b")
_CAPITAL_WITHIN = re.compile(r"(?<=[a-z0-9,;)’'] )[\"“(]?([A-Z][\w’'-]*)")
_COUNTED_ACRONYM = re.compile(r"\b(?:[Aa]n?|[Ee]ach|[Ee]very|[Pp]er|\d)[ -]([A-Z]{2,})\b(?! ?\d)")
_MIXED = re.compile(r"[^\W\d_]*[a-z]+[A-Z]|[A-Za-z]+[-–]?\d|\d+[A-Za-z]*[A-Z]")
_CHUNK = re.compile(r"\S+")
_ADDRESS = re.compile(r"://|\w\.\w|[_@]")  # in addresses and identifiers, which are written in lower case anyhow
_DEGREE = re.compile(r"\d+(?:st|nd|rd|th|x|k|m|b|bit|-.*)?", re.IGNORECASE)

# What parts of documents, and aspects of things, are called in English; alone they name no thing.
ASPECTS = word_set(
    """
    about abstract access account acknowledgements adoption advantages agenda aim aims analysis announcement appendix
    approach architecture area areas arrangement arrival aspects assessment assumptions background basics basis begin
    beginning beginnings behavior behaviour benefits bibliography biography bottom breakdown business calendar caveats
    challenge challenges change changelog changes chapter characteristics chronicle chronology claims climate closing
    collection comment comments commissioning comparison composition concept conclusion conclusions condition
    conditions confirmed construction consumption contact contents context contribution contributions contributors
    cost costs count counts credits crew criticism current customers data date dates days deal debut degree delivery
    demand description design detail details development diagram differences dimensions disadvantages disclosed
    discovery discussion distribution documents donation early economics effect effects effort end environment
    equipment era estimate estimates evaluation event events evidence evolution examples executive expansion
    experience explosion external facilities facts failure failures faq feature features figures final finance
    finances financing findings first focus footnotes forecast foundation founders founding framework frequently full
    funding further future gallery general glossary goals growth guide hardware headline highlights historic history
    holdings impact implementation important improvements in incidents index info information infrastructure
    ingredients innovations installation intro introduction inventory investment issues items journey key keys known
    latest launch layout leadership leak leaks learned legacy lessons life limitations limits links list literature
    location locations main maintenance management map market materials meaning measurement measurements members
    method methods metrics milestones mission model models modern move name names network next no not note notes
    notice numbers objectives observations official opening operation operations opinions options order organisation
    organization origin origins other outcome outlook output overall overview owners ownership parameters partners
    partnership parts past people performance period personnel phase phases physical places plan planned planning
    plans plot policy population power preface preparation present press price prices pricing principles problems
    procedure process production products profile profiles programme progress progression project projects properties
    public publications purpose quality quantities questions quick ratings reading reason reasons reception recipe
    recommendations record records reference references relation relationship release releases remarks report reports
    reputation requirements research resources response responsibilities restoration result results revenue review
    reviews risks roadmap role roles rollout rule rules rumors rumours sales scale scales schedule scope section
    selected series service services shape share site sites size software solution source sources specification
    specifications specs speculation spending stack staff stage stages standard start state statistics stats status
    steps story strategy strengths structure study subject summary supply support switch system systems table tables
    takeaways team teams tech technical technology terminology terms test tests themes then theory things timeline
    timelines timing title today together tools topics total trade training transition trends trivia trouble types
    uncertainty unknown unknowns update updates upgrade usage use uses value values variants version versions vision
    vocabulary volume way weaknesses weather what work workflow world year years licence license
    """
)
# Nouns that name an act or process by their form: "Arrival" and "Launch" stand above, these endings hold generally.
_PROCESS = re.compile(r"[a-z-]{3,}(?:ing|tion|tions|sion|sions|ment|ments|ance|ship|ships|ly|[b-df-hj-np-tv-z]ed)")
SMALL = word_set(
    "a above although an and are as at be because been behind below but by do does for from had has have here how "
    "if in into is it its of off on or our over since so than that the their them then there they this though to "
    "under until up via was we were what when where whereas which while who why will with without your vs versus"
)


@dataclass(frozen=True, slots=True)
class Words:
    """How a document writes its words.

    ``common``: in lower case somewhere; ``acronyms``: counted ("8 GPUs", "a GPU"); ``capital``: with a capital within
    a sentence, where only names have one; ``seen``: with a capital anywhere outside headings.
    """

    common: frozenset[str]
    acronyms: frozenset[str]
    capital: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Iterable[Inline], title: str = "") -> Words:
        """The words of a document's texts, headings apart (title case hides which of their words are names)."""
        common: set[str] = set()
        acronyms: set[str] = set()
        capital: set[str] = set()
        seen: set[str] = set()
        for inline in texts:
            text = _CHUNK.sub(lambda chunk: " " if _ADDRESS.search(chunk[0]) else chunk[0], inline.text)
            common.update(w for w in WORD.findall(text) if w[0].islower() and w == w.lower())
            acronyms.update(_PLURAL_ACRONYM.findall(text))
            acronyms.update(_COUNTED_ACRONYM.findall(text))
            capital.update(_CAPITAL_WITHIN.findall(text))
            seen.update(w for w in WORD.findall(text) if w[0].isupper())
        return cls(frozenset(common), frozenset(acronyms), frozenset(capital), frozenset(seen))

    def aspect(self, word: str) -> bool:
        """Whether a word says which side of a thing is treated ("History", "Pricing"), not which thing."""
        lower = word.lower()
        return lower in ASPECTS or lower in SMALL or bool(_PROCESS.fullmatch(lower))

    def proper(self, word: str) -> bool:
        """Whether a word is written as a name: GPT-4, MongoDB, Fastnet; not a counted acronym or a common word."""
        bare = word.strip("’'").removesuffix("’s").removesuffix("'s")
        if not bare or _DEGREE.fullmatch(bare):
            return False
        if bare.isupper() and bare.isalpha() and len(bare) > 1:
            return bare not in self.acronyms
        if bare.endswith("s") and bare[:-1].isupper() and bare[:-1] in self.acronyms:
            return False
        if _MIXED.match(bare):
            return True
        if not bare[0].isupper():
            return False
        lower = bare.lower()
        parts = [p for p in re.split(r"[-–]", lower) if p]
        return not (lower in self.common or lower in SMALL or all(p in self.common or p in ASPECTS for p in parts))

    def sure(self, text: str) -> bool:
        """Whether a text holds a word that can only be a name: by its form, or as the document writes it elsewhere."""
        found = (w.removesuffix("’s").removesuffix("'s") for w in WORD.findall(text) if self.proper(w))
        return any(w in self.capital or _MIXED.match(w) or (w.isupper() and len(w) > 1) for w in found)

    @staticmethod
    def has_verb(text: str) -> bool:
        """Whether a text holds a finite verb, as far as its form or commonness tells."""
        return bool(_VERB.search(text))

    def has_proper(self, text: str) -> bool:
        """Whether a text holds a word that is written as a name."""
        return any(self.proper(word) for word in WORD.findall(text))

    def is_name(self, text: str) -> bool:
        """Whether a whole text reads as one name: short, a name word in it, no verb, no sentence.

        >>> words = Words(frozenset({"lamp", "is"}), frozenset())
        >>> words.is_name("Fastnet Rock"), words.is_name("Lamp"), words.is_name("Fastnet is lit")
        (True, False, False)
        """
        tokens = WORD.findall(text)
        if not 1 <= len(tokens) <= 7 or text.rstrip().endswith((".", ";", ":")) or not self.has_proper(text):
            return False
        if not (tokens[0][0].isupper() or tokens[0][0].isdigit() or self.proper(tokens[0])) or _NO_NAME_START.match(
            text
        ):
            return False
        if all(map(self.aspect, tokens)) and not self.sure(text):
            return False  # "Ended", "Pending"
        if len(tokens) > 1 and tokens[1] in PREPOSITIONS and not self.sure(tokens[0]):
            return False  # "Opened in Kiel", "Moved to Oslo"
        lower = [t for t in tokens if t == t.lower() and t[0].isalpha()]
        if len(lower) == len(tokens) - 1 > 0 and tokens[0].isalpha() and not self.sure(tokens[0]):
            return False  # "Rate limiting": a common phrase with the capital of its beginning
        return len(lower) * 2 <= len(tokens) and not _VERB.search(text)


IRREGULAR = word_set(
    "began built bought came cut drew fell found gave gained held kept laid led left lost made met paid ran rose said "
    "sank sent set shut sold spent stood struck took told went won wrote became broke brought"
)
"""Verbs in the past that don't end in "ed"."""
PREPOSITIONS = word_set("in to on by from with as at into for")
_NO_NAME_START = re.compile(r"[^\w\"“‘'(]")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|did|does|became|becomes|includes?"
    r"|contains?|comprises?|consists|[a-z]{2,}ed)\b"
)
