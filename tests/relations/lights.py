"""Sentences about lighthouses that a small model is trained on in seconds."""

from kg.relations.encoding import Example, Marked, Relation

RELATIONS = (
    Relation("k/keeper", "keeper", "who keeps a light", "lighthouse", "person"),
    Relation("k/built", "year built", "when it was built", "lighthouse", "date"),
)
LIGHTS, KEEPERS = (
    ("Holm Light", "Skara Light", "Ness Tower", "Old Bar"),
    ("Ada Wren", "Tom Hale", "Mia Reed", "Jo Voss"),
)


def marked(text: str, relation: str, subject: str, value: str) -> Example:
    spans = [((text.index(part), text.index(part) + len(part)),) for part in (subject, value)]
    return Example(text, (Marked(relation, *spans),), tuple(r.key for r in RELATIONS))


def lessons() -> list[Example]:
    found = []
    for at, (light, keeper) in enumerate((a, b) for a in LIGHTS for b in KEEPERS):
        found.append(marked(f"{light} was kept by {keeper}.", "k/keeper", light, keeper))
        found.append(marked(f"{keeper} kept {light} for years.", "k/keeper", light, keeper))
        found.append(marked(f"{light} was built in {1800 + at}.", "k/built", light, str(1800 + at)))
    return found
