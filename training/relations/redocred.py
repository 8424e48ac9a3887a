"""Sentences of documents laid out as Re-DocRED is, with marked facts, and DocRED's relations in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kg.errors import BadInput
from kg.relations.encoding import Example, Marked, Relation, Span

# Wikidata's identifier | label | definition | domain | range (Yao et al. 2019)
_TABLE = """
P6|head of government|person at the head of the executive of a place|place|person
P17|country|sovereign state that something is in|place|country
P19|place of birth|where a person was born|person|place
P20|place of death|where a person died|person|place
P22|father|male parent|person|person
P25|mother|female parent|person|person
P26|spouse|whom a person is or was married to|person|person
P27|country of citizenship|country that recognises a person as its citizen|person|country
P30|continent|continent that something is part of|place|continent
P31|instance of|class of which something is one|thing|class
P35|head of state|official with the highest authority in a state|country|person
P36|capital|seat of government of a place|place|city
P37|official language|language with legal status in a place|place|language
P39|position held|office or post that a person holds or held|person|position
P40|child|son or daughter|person|person
P50|author|who wrote a work|written work|person
P54|member of sports team|team that a person plays or played for|person|sports team
P57|director|who directed a film, series, play or video|film|person
P58|screenwriter|who wrote the script|film|person
P69|educated at|school or university that a person attended|person|school
P86|composer|who wrote the music|musical work|person
P102|member of political party|party that a politician belongs to|person|political party
P108|employer|organisation or person that somebody works for|person|organisation
P112|founded by|who founded an organisation|organisation|person
P118|league|league that a team or player plays in|sports team|league
P123|publisher|who published a book, game or periodical|work|organisation
P127|owned by|who owns it|thing|owner
P131|located in|administrative place that something is in|place|place
P136|genre|kind of creative work or field of an artist|work|genre
P137|operator|who runs a facility, vehicle or service|thing|organisation
P140|religion|religion of a person or organisation|person|religion
P150|contains place|administrative parts of a place|place|place
P155|follows|what came directly before in a series|thing|thing
P156|followed by|what came directly after in a series|thing|thing
P159|headquarters location|city where an organisation has its headquarters|organisation|place
P161|cast member|actor in a film, series or play|film|person
P162|producer|who produced a film or recording|work|person
P166|award received|prize or honour given|person|award
P170|creator|who made a work or character|work|person
P171|parent taxon|taxon directly above in rank|taxon|taxon
P172|ethnic group|people that somebody belongs to|person|ethnic group
P175|performer|singer, band or actor who performs a work|musical work|musician
P176|manufacturer|who makes a product|product|organisation
P178|developer|who developed software, a game or a technology|software|organisation
P179|part of the series|series that a work belongs to|work|series
P190|twinned with|place with which a town is a partner|place|place
P194|legislative body|parliament or council that makes the laws of a place|place|organisation
P205|basin country|country whose land drains into a body of water|body of water|country
P206|next to body of water|sea, lake or river on which a place lies|place|body of water
P241|military branch|branch of the armed forces that a person or unit belongs to|person|armed force
P264|record label|company that publishes an artist's recordings|musical work|record label
P272|production company|company that produced a film or programme|film|company
P276|location|where something is or happens|event|place
P279|subclass of|wider class|class|class
P355|subsidiary|company that an organisation controls|organisation|organisation
P361|part of|whole of which something is a part|thing|thing
P364|original language|language in which a work was made|work|language
P400|platform|computer or system that software runs on|software|platform
P403|mouth of the watercourse|body of water that a river flows into|river|body of water
P449|original broadcaster|channel that first showed a programme|programme|broadcaster
P463|member of|club, band or organisation that somebody belongs to|person|organisation
P488|chairperson|who presides over an organisation|organisation|person
P495|country of origin|country where a work or product comes from|work|country
P527|has part|part of something|thing|thing
P551|residence|where a person lives or lived|person|place
P569|date of birth|when a person was born|person|date
P570|date of death|when a person died|person|date
P571|inception|when something was founded or made|organisation|date
P576|dissolved|when something was dissolved or demolished|organisation|date
P577|publication date|when a work was first published or released|work|date
P580|start time|when something began|event|date
P582|end time|when something ended|event|date
P585|point in time|when something happened|event|date
P607|conflict|war or battle that a person or unit took part in|person|war
P674|characters|character who appears in a work|work|character
P676|lyrics by|who wrote the words of a song|song|person
P706|located on terrain feature|landform on which a place lies|place|landform
P710|participant|who took part in an event|event|person
P737|influenced by|whose ideas shaped somebody|person|person
P740|location of formation|where a group was formed|organisation|place
P749|parent organization|organisation that controls another|organisation|organisation
P800|notable work|famous work of a person|person|work
P807|separated from|what something split off from|organisation|organisation
P840|narrative location|where a story is set|work|place
P937|work location|where a person works or worked|person|place
P1001|applies to jurisdiction|place over which an office or law has authority|office|place
P1056|product|what a company makes or offers|organisation|product
P1336|territory claimed by|who claims a place|place|country
P1344|participant in|event in which somebody took part|person|event
P1365|replaces|what something took the place of|thing|thing
P1366|replaced by|what took something's place|thing|thing
P1376|capital of|place of which a city is the capital|city|place
P1412|languages spoken|language that a person speaks or writes|person|language
P1441|present in work|work in which a character appears|character|work
P3373|sibling|brother or sister|person|person
"""

RELATIONS: tuple[Relation, ...] = tuple(Relation(*line.split("|")) for line in _TABLE.strip().splitlines())


def sentences(path: Path, known: Sequence[Relation], first: int = 0, last: int | None = None) -> list[Example]:
    """Sentences of documents ``first`` to ``last`` of a file as Re-DocRED lays it out, all names marked.

    A fact counts in a sentence that names both sides, unless the data says that other sentences are its evidence.
    Raises BadInput.
    """
    try:
        documents = json.loads(path.read_text("utf-8"))[first:last]
        keys = tuple(relation.key for relation in known)
        return [example for document in documents for example in _marked(document, keys)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} isn't laid out as DocRED is", "name dev_revised.json of Re-DocRED") from error


def _marked(document: Mapping[str, Any], keys: tuple[str, ...]) -> list[Example]:
    made = []
    for number, tokens in enumerate(document["sents"]):
        text, places = joined(tokens)
        spans: dict[int, list[Span]] = {}
        for entity, mentions in enumerate(document["vertexSet"]):
            for mention in mentions:
                if mention["sent_id"] == number and mention["pos"][1] > mention["pos"][0]:
                    span = (places[mention["pos"][0]][0], places[mention["pos"][1] - 1][1])
                    spans.setdefault(entity, []).append(span)
        facts = tuple(
            Marked(label["r"], tuple(spans[label["h"]]), tuple(spans[label["t"]]))
            for label in document["labels"]
            if label["h"] in spans and label["t"] in spans and (not label["evidence"] or number in label["evidence"])
        )
        unsure = {
            label["r"]
            for label in document["labels"]
            if label["h"] in spans and label["t"] in spans and label["evidence"] and number not in label["evidence"]
        }
        names = tuple(span for rows in spans.values() for span in rows)
        asked = tuple(sorted(set(keys) - unsure)) if unsure else keys
        made.append(Example(text, facts, asked, names, True))
    return made


def joined(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """Tokens as running text, and where each stands in it.

    >>> joined(["Ann", "(", "b.", "1900", ")", ",", "a", "cook", "'s", "aide"])[0]
    "Ann (b. 1900), a cook's aide"
    """
    text, places, tight = "", [], True
    for token in tokens:
        clean = " ".join(token.split()) or token
        if not tight and not (clean[:1] in ",.;:!?)]%" or clean in ("'s", "’s", "n't", "'")):
            text += " "
        places.append((len(text), len(text) + len(clean)))
        text += clean
        tight = clean in ("(", "[", "$", "£", "€")
    return text, places
