"""Everyday words that say much the same: what embeddings of single words are poor at (verbs above all).

A word may stand in several groups; groups are not chained. Nothing here belongs to one domain.
"""

from __future__ import annotations

from functools import cache

from kg.ask.terms import term

# A synonym counts this much of the word itself.
STRENGTH = 0.75

_GROUPS = """
leave left depart departed departure quit resign resigned exit exited
join joined enter hire hired recruit recruited appoint appointed
buy bought buyer acquire acquired acquisition purchase purchased takeover
sell sold sale seller vendor
launch launched release released debut debuted introduce introduced roll-out unveil unveiled
publish published publisher publication wrote write written author authored co-author co-authored paper article
announce announced announcement disclose disclosed disclosure reveal revealed unveil unveiled public
start started begin began begun commence inception onset opening opened
end ended finish finished stop stopped cease complete completed completion conclude concluded final
found founded founding founder establish established establishment co-found co-founded co-founder create created
build built builder construct constructed develop developed make made
build built maker manufacture manufactured manufacturer create created
design designed designer architect
host hosted hosting run ran operate operated operator locate located
use used usage utilise utilised employ employed adopt adopted consume consumed eat ate
cost costs price priced pricing spend spent spending expense fee
pay paid payment payer fund funded funding finance financed
pay fund finance invest invested investment investor
hire employ employs employed recruit staff staffed
lead led head headed leader chief manage managed manager boss supervise direct directed director run runs ran
role job position post title function duty part responsible
staff people employees workers team personnel headcount crew
company firm business corporation organisation enterprise
location located locate site place where situated
city town
secret undisclosed hidden confidential unnamed
donate donated donation gift give gave
deliver delivered delivery hand-delivered ship shipped
receive received get got obtain obtained
take takes took last lasted duration length
happen happened occur occurred place
grow grew growth increase increased rise rose expand expanded expansion scale scaled
fall fell decrease decreased drop dropped decline declined shrink shrank reduce reduced reduction cut
help helped assist support supported
allow permit enable
forbid ban prohibit
speed fast rate velocity quick
weight heavy mass weigh weighed
height tall high
size big large
big large major
age old
win won winner award awarded prize medal
die died death
born birth
marry married spouse wife husband
study studied student degree doctorate phd graduate graduated thesis alumnus
teach taught teacher instruct instructor
live lived reside resident inhabitant population
own owned owner ownership belong
replace replaced substitute successor supersede superseded
share shared split
partner partnered partnership collaborate collaboration collaborated alliance ally
deal agreement contract accord pact
problem issue challenge trouble difficulty struggle struggled break broke fail failed failure
limit maximum cap ceiling bound
store storage stored database cache
send sends sent forward route routed feed feeds flow pass connect connects connected lead leads
check checked verify verified verification validate test tested
fix fixed repair repaired
protect protected protection secure guard
money sum amount dollar cash
reason cause because why due
change changed switch switched become became turn turned shift shifted move moved migrate migrated migration
change switch transition replace replaced
proof prove proves proven evidence confirm confirmed
earlier before previously prior former formerly past
later after afterwards subsequent subsequently
now today currently current present
approximately about roughly
many multiple several
first earliest initial original
last final latest
newest latest recent
biggest largest
smallest least
cheapest lowest
doctor physician
picture photo image photograph
car automobile vehicle
film movie
child children son daughter
country nation state
fall autumn
job vacancy posting opening
car vehicle
component part module element
tool tooling software product
method technique approach way
goal aim purpose objective
idea concept
rule policy regulation
result outcome consequence
answer reply response
meeting conference summit
ill sick
remove delete removed deleted
keep kept retain retained maintain maintained maintenance
look-after handle handled responsible
talk speak spoke speech discuss discussed interview
say said state stated claim claimed report reported
call called name named dub dubbed known
describe described description
include included contain contained comprise comprised consist
connect connected link linked join interconnect
divide divided split partition partitioned
copy copied replicate replicated duplicate
predict predicted prediction forecast
expect expected plan planned target
need needed require required requirement
try tried attempt attempted
choose chose chosen select selected pick picked
carry carried carries transport capacity hold
measure measured measurement
compare compared comparison
cool cooled cooling
heat heated heating
fresh new
"""


@cache
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _GROUPS.strip().splitlines():
        forms = {term(word) for word in line.split()}
        for form in forms:
            table.setdefault(form, set()).update(forms - {form})
    return {word: frozenset(others) for word, others in table.items()}


def synonyms(word: str) -> frozenset[str]:
    """Normal forms that say much the same as a normal form.

    >>> term("departed") in synonyms(term("left"))
    True
    """
    return _table().get(word, frozenset())
