"""Forms of one root: who founded, its founder, its founding; what made it, its maker.

Inflection is taken off by the stemmer; here are the derived nouns of agents and the irregular verbs of English.
"""

from __future__ import annotations

import re
from functools import cache

from kg.ask.terms import term

# What another form of the same root counts, of the word itself.
STRENGTH = 0.9

_IRREGULAR = """
make made maker making
build built builder building
lead led leader leadership
write wrote written writer
sell sold seller
buy bought buyer
win won winner
drive drove driven driver
teach taught teacher
speak spoke spoken speaker
give gave given giver
hold held holder
keep kept keeper
found founded founder founding foundation
own owned owner ownership
steal stole stolen
bear bore born birth birthplace
die died dead death
grow grew grown growth grower
rise rose risen
fall fell fallen
begin began begun beginning
choose chose chosen choice
sing sang sung singer song
run ran runner
fly flew flown flight
sink sank sunk
break broke broken
lay laid layer
lose lost loser loss
pay paid payer payment
spend spent spender
send sent sender
bring brought
catch caught catcher
feed fed feeder
find found finder
fight fought fighter
shoot shot shooter
strike struck striker
draw drew drawn drawing
know knew known knowledge
take took taken taker
think thought
weigh weighed weight
deep depth
high height
long length
wide width
broad breadth
strong strength
old age
warm warmth
hot heat
produce produced producer production product
invent invented inventor invention
acquire acquired acquirer acquisition
employ employed employer employee employment
compose composed composer composition
discover discovered discoverer discovery
succeed succeeded successor succession
preside president presidency
ride rode ridden rider
eat ate eaten
see saw seen
come came
go went gone
become became
get got gotten
forget forgot forgotten
hide hid hidden
stand stood
understand understood
hear heard
lend lent lender
bend bent
burn burnt burned burner
learn learnt learned learner
wear wore worn wearer
tear tore torn
swear swore sworn
forbid forbade forbidden
freeze froze frozen freezer
shake shook shaken
swim swam swum swimmer
drink drank drunk drinker
ring rang rung
spring sprang sprung
sleep slept sleeper
sweep swept
meet met
leave left
mean meant
deal dealt dealer
dig dug
spin spun spinner
stick stuck
swing swung
wind wound
bind bound
grind ground grinder
hang hung
breed bred breeder
bleed bled
flee fled
seek sought seeker
weave wove woven weaver
wake woke woken
throw threw thrown
blow blew blown blower
withdraw withdrew withdrawn withdrawal
undertake undertook undertaken
overtake overtook overtaken
undergo underwent undergone
arise arose arisen
sew sewed sewn
sow sowed sown
show showed shown
mow mowed mown
shear sheared shorn shearer
tread trod trodden
bite bit bitten
beat beaten
creep crept
feel felt
kneel knelt
lean leant
leap leapt
light lit
slide slid
split splitter
lie lay lain
say said
tell told
describe described description
construct constructed construction
destroy destroyed destruction
decide decided decision
expand expanded expansion
""".strip()


@cache
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _IRREGULAR.splitlines():
        forms = {term(word) for word in line.split()}
        for form in forms:
            table.setdefault(form, set()).update(forms - {form})
    return {word: frozenset(others) for word, others in table.items()}


@cache
def participles() -> frozenset[str]:
    """Past participles of the irregular verbs, as written (with them, forms of the past)."""
    forms = (word for line in _IRREGULAR.splitlines() for word in line.split()[1:3])
    return frozenset(word for word in forms if not re.search(r"(?:er|or|ing|ion|ship|th|birth|death)$", word))


@cache
def family(word: str) -> frozenset[str]:
    """Normal forms of the same root as a normal form.

    >>> term("painter") in family(term("painted")), term("made") in family(term("maker"))
    (True, True)
    """
    found = set(_table().get(word, ()))
    if len(word) > 3 and word.isalpha():
        found |= {word + "er", word + "or", word + "r"} if not word.endswith(("er", "or")) else set()
        if word.endswith(("er", "or")) and len(word) > 5:
            found |= {word[:-2], word[:-1]}
    return frozenset(found - {word})
