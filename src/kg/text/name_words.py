"""Words that shape names: heads of organisations and places, titles, roles, and capitals that are no names."""

from __future__ import annotations

from kg.text.words import FUNCTION_WORDS, MONTHS, WEEKDAYS, word_set

ORGANISATION_ENDS = word_set(
    "inc inc. ltd ltd. llc plc gmbh corp corp. corporation company co. ag s.a. lp llp foundation institute university "
    "college school academy association society council agency ministry bureau committee commission bank museum "
    "hospital laboratory laboratories labs lab studio studios press group holdings partners capital ventures trust "
    "union federation league club party alliance consortium authority department office systems technologies "
    "industries research observatory orchestra airlines airways motors railways brewery bakery"
)
OF_HEADS = word_set(
    "university institute bank department ministry museum bay isle port duke house school church academy college board "
    "bureau office council republic state states kingdom city lake cape lord king queen battle declaration society "
    "association federation order tower bishop earl gulf strait sea library court chamber secretary treaty bill act "
    "mixture center centre faculty principality county district"
)
PLACE_ENDS = word_set(
    "county city river lake mountain mountains street island islands bay valley hills avenue road square harbour "
    "harbor "
    "peninsula province district beach forest desert ocean sea strait cape point rock rocks lighthouse airport bridge "
    "park village town"
)
TITLES = word_set("dr dr. prof prof. professor mr mr. mrs mrs. ms ms. captain president senator")
ROLES = word_set(
    "ceo cto cfo coo cio cso svp evp vp president chairman chairwoman chair director founder co-founder cofounder "
    "professor engineer researcher scientist manager lead leader head officer chief minister secretary governor mayor "
    "editor author co-author inventor architect captain keeper owner analyst developer programmer teacher curator"
)
ROLE_BEFORE = word_set(
    "ceo cto cfo coo cio svp evp vp president chairman chairwoman director founder co-founder cofounder professor "
    "engineer researcher scientist minister secretary governor mayor editor author co-author inventor architect "
    "captain keeper analyst interviewer physicist chemist painter composer singer actor actress writer poet baker"
)
PERSON_AFTER = word_set(
    "said says told wrote joined recalled noted led leads born founded co-founded argues argued explained stated "
    "thanked died married studied invented discovered designed painted composed believed married became"
)
PARTICLES = word_set("de van von der den la le du di da del dos das bin ibn al ap ter ten zu af av")
# Capitalised labels of documents, not names of things.
SECTION_WORDS = word_set(
    "phase chapter section part figure table appendix step version volume page note example exercise question answer "
    "source sources summary introduction conclusion overview background abstract contents index references timeline "
    "glossary notes related see also total yes no unknown none n/a key metric metrics value values date year name "
    "type status role event period location purpose highlights innovations challenges lessons findings results facts "
    "history details description specifications features requirements people team teams stack members era"
)
NOT_NAMES = FUNCTION_WORDS | WEEKDAYS | frozenset(MONTHS) | word_set(
    "jan feb mar apr jun jul aug sep sept oct nov dec i i'm i've i'd i'll ok etc e.g i.e vs mr mrs ms dr ad bc am pm "
    "however therefore thus moreover furthermore meanwhile nevertheless although because since while despite given "
    "okay well sure hello thanks please first second third finally next then later earlier today tomorrow yesterday "
    "overall additionally"
)  # fmt: skip
