"""Generic English that questions are made of: words that carry no subject matter, and nouns that name kinds of answer.

Nothing here knows a domain. All words are in lower case, unstemmed.
"""

from __future__ import annotations

from kg.mentions.words import word_set

words = word_set

FUNCTION = words("""
    a an the this that these those it its it's he she his her him hers they them their theirs we us our ours you
    your i me my mine who whom whose which what where when why how and or but nor so if then than as at by for
    from in into of off on onto out over per to toward towards under up upon via with within without about above
    across after against along among around before behind below beneath beside besides between beyond despite
    down during except inside near outside past since through throughout till until unlike is are was were be
    been being am do does did doing done has have had having can could will would shall should may might must
    not no nor n't don't doesn't didn't isn't aren't wasn't weren't won't can't cannot couldn't wouldn't
    shouldn't hasn't haven't hadn't there here all any both each every few more most much many other others
    another some such only own same too very just also again ever else still yet that's what's who's where's
    when's how's there's let's vs versus 's s t re ve ll d m etc e.g i.e one ones thing things something
    anything rather quite really actually exactly exact please tell whether while because though although
    """)

LIGHT_VERBS = words("""
    use used uses using make made makes making get gets got give gives gave given take takes took taken go goes
    went gone come comes came put puts run runs ran running set sit sits sat stand stands stood lie lies lay
    keep keeps kept hold holds held let lets call called calls named name say says said tell told know knows
    known think thinks thought see sees saw seen look looks looked seem seems seemed appear appears appeared
    become became turn turns turned happen happened happens want wants wanted need needs needed try tried work
    works worked show shows showed shown find finds found bring brought start started starts begin began begun
    span spans spanned contain contains contained include includes included involve involved feature features
    featured serve served serves carry carried belong belongs belonged concern concerns deal deals list lists
    listed mention mentions mentioned describe describes described state states stated cite cites cited refer
    refers referred report reports reported suggest suggests suggested note notes noted mean means meant
    consider considered eat eats ate do done play plays played help helps helped talk talks talked speak spoke
    discuss discussed count counts counted counting involve comprise comprises comprised consist consists have
    exist exists
    """)

META = words("""
    document documents doc docs source sources text texts article articles page pages section sections table
    tables note notes report reports according figure figures chapter material materials file files list listed
    kind kinds type types sort sorts part parts way ways lot example examples case cases fact facts detail
    details various certain different separately exactly originally currently overall total altogether roughly
    approximately about around respectively order sequence question answer definition meaning term word phrase
    entity entities thing things item items
    """)

# Nouns that say what kind of answer is wanted rather than what the answer is about.
PERSON_NOUNS = words("""
    person people man woman author authors researcher researchers engineer engineers scientist founder founders
    co-founder co-founders cofounder cofounders boss leader leaders lead head chief director ceo cto president
    chair inventor creator designer architect developer keeper captain manager employee individual owner speaker
    host guest
    """)
PLACE_NOUNS = words("""
    place places city cities town towns village country countries state states county counties region regions
    location locations site sites street district province island port office venue address area campus
    continent
    """)
ORGANISATION_NOUNS = words("""
    company companies firm firms organisation organization organisations organizations institution institute lab
    labs laboratory university college agency vendor vendors provider providers supplier manufacturer maker
    employer publisher outlet newspaper magazine partner partners partnership investor investors funder funders
    group bank bakery brand shop startup start-up operator contractor customer
    """)
DATE_NOUNS = words("date dates day year years month months week weekday decade century quarter time")
DURATION_NOUNS = words("""
    duration second seconds minute minutes hour hours day days week weeks month months year years
    """)
MONEY_NOUNS = words("""
    cost costs price prices money amount sum sums budget revenue salary fee fees dollar dollars euro euros pound
    pounds investment valuation spend spending expense expenses turnover profit income funding bill
    """)
SPENDING = words("cost costs pay pays paid spend spent invest invested price raise raised earn earned charge charged")
SHARE_NOUNS = words("share percentage percent proportion fraction ratio")
NUMBER_NOUNS = words("""
    number count size amount rate quantity capacity speed temperature weight height length depth width area
    volume distance age population throughput bandwidth latency frequency power voltage pressure score rank
    factor multiple
    """)
# What a value of the right kind already accounts for.
KINDS = DATE_NOUNS | DURATION_NOUNS | MONEY_NOUNS | SHARE_NOUNS | PERSON_NOUNS | PLACE_NOUNS | NUMBER_NOUNS

DOWN = words("""
    least fewest fewer less lowest lower smallest smaller shortest shorter lightest lighter slowest slower
    cheapest cheaper earliest earlier first oldest minimum min bottom worst weakest closest nearest
    """)
LATE = words("newest newer latest later last youngest recent final")
EARLY = words("earliest earlier first oldest older original initial sooner soonest")
SUPERLATIVES = words("""
    most least fewest largest biggest greatest highest longest heaviest fastest tallest oldest newest latest
    last best costliest dearest strongest deepest widest lowest smallest shortest lightest slowest cheapest
    earliest first youngest maximum minimum top worst
    """)
COMPARATIVES = words("""
    more larger bigger greater higher longer heavier faster taller older newer later better costlier dearer
    fewer less lower smaller shorter lighter slower cheaper earlier younger sooner first
    """)
MONTHS = words("""
    january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec
    """)
NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "trillion": 10**12,
}  # fmt: skip
NEGATIONS = words("""
    not no never none nothing neither nor without cannot can't couldn't didn't doesn't don't isn't wasn't aren't
    weren't won't wouldn't hasn't haven't n't unclear unknown undisclosed
    """)  # fmt: skip
AUXILIARIES = words("""
    is are was were be been being am do does did has have had can could will would shall should may might must
    isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't can't couldn't won't wouldn't
    shouldn't
    """)
PREPOSITIONS = words("""
    of in on at by for from to with about into over under between among during after before since until through
    against per via within without than as behind inside outside near across along around toward towards
    """)
# Places and peoples that questions name without the documents having to.
COMMON_NAMES = words("""
    us usa u.s uk eu un american america british britain european europe english world internet earth ceo cto
    cfo coo vp january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday i ok
    """)
# Units named after people: capitalised, and no names.
UNIT_NAMES = words(
    "celsius fahrenheit kelvin hertz watt watts volt volts ampere amperes pascal pascals newton newtons joule joules"
)
