#!/usr/bin/env python3
"""Fetch the documents of seven question sets from Debian packages.

usage: fetch_a.py OUT     (Debian 12 or kin, with apt-get and dpkg; about 45 MB; installs nothing)

Makes OUT/SET/documents for debian_history, freeciv, elements, borg, postgres, accounting and policy. The questions were
written for the versions in VERSIONS: with others a warning is given, as some evidence may then read differently.
"""

import gzip
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

VERSIONS = {
    "debian-history": "2.28",
    "doc-debian": "11.3+nmu1",
    "freeciv-data": "3.0.6-1+deb12u1",
    "dict-elements": "20001107-a-9.1",
    "bodr": "10-2",
    "borgbackup-doc": "1.2.4-1",
    "postgresql-doc-15": "15.20-0+deb12u1",
    "gnucash-docs": "4.13-1",
    "developers-reference": "12.18",
    "debian-policy": "4.6.2.0",
}

BORG = """
    introduction support deployment/hosting-repositories deployment/image-backup deployment/central-backup-server
    deployment/automated-local deployment/pull-backup usage/prune usage/notes usage/compact usage/lock usage/key
    usage/serve usage/init usage/delete usage/check usage/benchmark internals/security quickstart installation faq
    development internals
"""

POSTGRES = """
    acronyms auth-password auth-pg-hba-conf backup-dump backup-file collation continuous-archiving disk-usage
    explicit-locking hot-standby kernel-resources locale logfile-maintenance parallel-plans pgupgrade populate
    preventing-server-spoofing role-attributes wal-async-commit warm-standby when-can-parallel-query-be-used
"""

GUIDE = """
    authors basics-accounting1 basics-backup1 basics-migrate-settings budget_creation1 bus_payroll
    capgain_concepts1 capgain_example1 cbook-together1 cc-together1 ch08s08 dep_concepts1 dep_value1 gnc-gloss
    invest-dividends1 invest-splitsnmergers1 invest_concepts1 loans_calcs1 loans_mortgage1
    loans_personalLoanToSomeOne oview-about1 oview-intro1
"""
HELP = "acct-types stock-split tool-close-book"

# Of the policy: what a page is called here, where it stands, and the pages.
REFERENCE, RULES = "usr/share/developers-reference", "usr/share/doc/debian-policy"
POLICY = (
    ("devref-", REFERENCE, "new-maintainer developer-duties resources beyond-pkging l10n"),
    ("policy-", RULES + "/policy.html", "ch-scope ch-archive ap-pkg-conffiles ap-pkg-alternatives ap-process"),
    ("menu-policy-", RULES + "/menu-policy.html", "ch2"),
    ("perl-policy-", RULES + "/perl-policy.html", "ch-perl ap-perl6"),
    ("", RULES, "debconf_specification autopkgtest"),
    ("policy-team-", RULES, "README"),
)


def unpack(package, folder):
    """Download a package and lay its files out under folder/package."""
    subprocess.run(["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", package], cwd=folder, check=True)
    deb = next(pathlib.Path(folder).glob(package + "_*.deb"))
    version = subprocess.run(
        ["dpkg-deb", "-f", deb, "Version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    if version != VERSIONS[package]:
        print(f"warning: {package} is {version}, the questions are for {VERSIONS[package]}", file=sys.stderr)
    subprocess.run(["dpkg", "-x", deb, pathlib.Path(folder, package)], check=True)
    return pathlib.Path(folder, package)


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def debian_history(packages):
    """The chapters as they are; the long one cut into a page for each section; constitution and social contract."""
    docs = packages["debian-history"] / "usr/share/doc/debian-history"
    for name in "intro", "leaders", "releases", "manifesto":
        yield name + ".html", (docs / f"docs/{name}.en.html").read_text(encoding="utf-8")
    text = re.sub(r"</?div[^>]*>|</body>|</html>", "", (docs / "docs/detailed.en.html").read_text(encoding="utf-8"))
    parts = re.split(r'<h2 class="title"><a id="([\w-]+)"/>([^<]*)</h2>', text)[1:]
    for anchor, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        head = f'<html><head><meta charset="utf-8"/><title>{title}</title></head>\n'
        yield f"history-{anchor}.html", f"{head}<body><h1>{title}</h1>{body.strip()}\n</body></html>\n"
    for name in "constitution.txt", "social-contract.txt":
        yield name, gzip.decompress((packages["doc-debian"] / f"usr/share/doc/debian/{name}.gz").read_bytes()).decode()


def sections(path):
    """A ruleset file as {section: {key: value}}; translatable texts become plain paragraphs."""
    found = {}
    for part in re.split(r"\n(?=\[)", re.sub(r"(?m)^;.*\n", "", path.read_text(encoding="utf-8")))[1:]:
        tag, body = part[1:].split("]", 1)
        found[tag] = {}
        for key, value in re.findall(r"(?ms)^(\w+)[ \t]*=[ \t]*(.*?)(?=^\w+[ \t]*=|\Z)", body):
            texts = [t.replace("\\\n", "") for t in re.findall(r'(?s)"((?:[^"\\]|\\.)*)"', value)]
            texts = [re.sub(r"^\?[\w ]+:", "", t).replace("\\n", "\n").replace('\\"', '"') for t in texts]
            found[tag][key] = "\n\n".join(t.strip("\n") for t in texts) if texts else value.split(";")[0].strip()
            if key == "reqs":
                found[tag][key] = ", ".join(re.findall(r'"(?:Tech|Building)", *"([^"]*)"', value))
    return found


PAGES = {  # of freeciv: the topics of each
    "overview": "overview",
    "strategy": "strategy_and_tactics",
    "terrain": "terrain",
    "terrain-alterations": "terrain_alterations borders",
    "economy": "economy food production trade",
    "cities": "cities specialists",
    "happiness": "happiness",
    "plague-and-migration": "plague migration",
    "improvements": "city_improvements",
    "wonders": "wonders_of_the_world",
    "units": "units",
    "combat": "combat combat_example_1 combat_example_2 zones_of_control",
    "government": "government civil_war policies",
    "diplomacy": "diplomacy",
    "technology": "technology",
    "space-race": "space_race",
    "controls": "controls governor worklist_editor",
    "chatline": "connecting chatline",
    "about": "nations languages about",
}
UNITS = {
    "Unit": "name",
    "Class": "class",
    "Requires": "tech_req",
    "Obsolete by": "obsolete_by",
    "Cost": "build_cost",
    "Attack": "attack",
    "Defense": "defense",
    "Hitpoints": "hitpoints",
    "Firepower": "firepower",
    "Moves": "move_rate",
}
TERRAIN = {
    "Terrain": "name",
    "Food": "food",
    "Production": "shield",
    "Trade": "trade",
    "Movement cost": "movement_cost",
    "Defense bonus %": "defense_bonus",
}
TECHNOLOGY = {"Technology": "name", "Needs first": "req1", "Needs second": "req2"}


def listed(columns, items):
    """A table of some keys of things, by their heads."""
    return table(list(columns), [[item[key] for key in columns.values()] for item in items])


def helped(items):
    """What the game's help says of each thing."""
    return "".join(f"\n## {i['name']}\n\n{i['helptext']}\n" for i in items if i.get("helptext"))


def costs(buildings):
    rows = [[b["name"], b["reqs"] or "nothing", b["build_cost"], b["upkeep"]] for b in buildings]
    return table(["Name", "Requires", "Cost", "Upkeep"], rows) + helped(buildings)


def ruled(root, kind, prefix):
    """The things of a kind in the classic rules, those with a name."""
    found = sections(root / f"classic/{kind}.ruleset")
    return [thing for tag, thing in found.items() if tag.startswith(prefix) and thing.get("name")]


def freeciv(packages):
    """The built-in help by topic, with the tables and descriptions of the classic rules where the game shows them."""
    root = packages["freeciv-data"] / "usr/share/games/freeciv"
    topics = sections(root / "helpdata.txt")
    units, built = ruled(root, "units", "unit_"), ruled(root, "buildings", "building_")
    ground = [t for t in ruled(root, "terrain", "terrain_") if "food" in t]
    extra = {
        "units": listed(UNITS, units) + helped(units),
        "improvements": costs([b for b in built if b["genus"] == "Improvement"]),
        "wonders": costs([b for b in built if b["genus"] == "GreatWonder"]),
        "terrain": listed(TERRAIN, ground) + helped(ground),
        "government": helped(ruled(root, "governments", "government_")),
        "technology": listed(TECHNOLOGY, ruled(root, "techs", "advance_")),
    }
    for page, names in PAGES.items():
        told = [topics["help_" + name] for name in names.split()]
        text = "\n".join(f"# {t['name'].strip()}\n\n{t['text']}\n" for t in told)
        text = re.sub(r"(?m)^\$\w+\n+", "", text)  # where the game shows a table of its own
        yield page + ".md", text + ("\n" + extra[page] if page in extra else "")


NAMES = {
    "Name": "name",
    "Symbol": "symbol",
    "Discovered": "discoveryDate",
    "Discoverers": "discoverers",
    "Origin of the name": "nameOrigin",
}
PROPERTIES = {
    "Name": "name",
    "Atomic number": "atomicNumber",
    "Mass": "mass",
    "Melting point (K)": "meltingpoint",
    "Boiling point (K)": "boilingpoint",
    "Electronegativity": "electronegativityPauling",
    "Family": "family",
}


def elements(packages):
    """The dictionary's entries, ten to a text file in its order, lines joined; two tables of BODR's properties."""
    packed = (packages["dict-elements"] / "usr/share/dictd/elements.dict.dz").read_bytes()
    text = gzip.decompress(packed).decode("latin-1")
    parts = re.split(r"\n\s*\n", text[text.index("\nhydrogen\n") : text.rindex("\n")])
    entries = [part.strip() for part in parts if "\n" in part.strip()]
    for i in range(0, len(entries), 10):
        tidy = "\n\n".join(joined(entry) for entry in entries[i : i + 10])
        yield f"elements-{i // 10 + 1:02d}.txt", tidy + "\n"
    chemistry, rows = "{http://www.xml-cml.org/schema}", []
    for atom in ElementTree.parse(packages["bodr"] / "usr/share/bodr/elements.xml").iter(chemistry + "atom"):
        row = {child.get("dictRef", "")[3:]: child.get("value") or child.text for child in atom}
        rows += [row] if row["atomicNumber"] != "0" else []
    for title, columns in ("Names and discovery", NAMES), ("Properties", PROPERTIES):
        cells = [["" if row.get(k) in (None, "0") else row[k] for k in columns.values()] for row in rows]
        yield title.lower().replace(" ", "-") + ".md", f"# {title}\n\n" + table(list(columns), cells)


def borg(packages):
    """Pages of the manual as they are, without folders."""
    pages = packages["borgbackup-doc"] / "usr/share/doc/borgbackup/html"
    for name in BORG.split():
        yield pathlib.Path(name).name + ".html", (pages / f"{name}.html").read_text(encoding="utf-8")


def postgres(packages):
    """Pages of the manual as they are."""
    for name in POSTGRES.split():
        page = packages["postgresql-doc-15"] / f"usr/share/doc/postgresql-doc-15/html/{name}.html"
        yield name + ".html", page.read_text(encoding="utf-8")


def accounting(packages):
    """Pages of GnuCash's guide and help as they are."""
    docs = packages["gnucash-docs"] / "usr/share/doc/gnucash-docs"
    for part, names in ("guide", GUIDE), ("help", HELP):
        for name in names.split():
            yield name + ".html", (docs / f"gnucash-{part}-en/{name}.html").read_text(encoding="utf-8")


def policy(packages):
    """Pages of Debian's policy and of its developers' reference as they are."""
    for prefix, folder, names in POLICY:
        package = packages["developers-reference" if folder == REFERENCE else "debian-policy"]
        for name in names.split():
            yield f"{prefix}{name}.html", (package / folder / f"{name}.html").read_text(encoding="utf-8")


def joined(entry):
    """An entry with its name and its fields on lines of their own, all else on one."""
    name, *lines = re.sub(r"[{}]", "", entry).split("\n")
    fields = [line for line in lines if re.match(r"Symbol:|At\w+ \w+:|Weight:", line)]
    return "\n".join([name, *fields, " ".join(line for line in lines if line not in fields)])


def main():
    out = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        packages = {name: unpack(name, folder) for name in VERSIONS}
        for make in debian_history, freeciv, elements, borg, postgres, accounting, policy:
            target = out / make.__name__ / "documents"
            target.mkdir(parents=True, exist_ok=True)
            for name, text in make(packages):
                (target / name).write_text(text, encoding="utf-8")
            sizes = [file.stat().st_size for file in target.iterdir()]
            print(target, len(sizes), "documents", sum(sizes), "bytes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
