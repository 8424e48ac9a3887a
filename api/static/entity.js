// One entity, event or claim: names, types, facts by property with their sources, what links here, passages.

import { getJson, names, select, shorten } from "./api.js";
import { entityLink, standing } from "./claims.js";
import { timeline } from "./chart.js";
import { brief, h, titled } from "./dom.js";
import { citedLink, sourceLink, valueIn } from "./source.js";

const CLAIM = `?claim a kg:Claim ; rdf:subject ?s ; rdf:predicate ?p ; kg:statedValue ?value ; kg:status ?status ; kg:asserted ?asserted ;
    kg:polarity ?polarity ; kg:confidence ?confidence ; kg:quote ?quote ; kg:quoteStart ?start ; kg:quoteEnd ?end ;
    prov:wasDerivedFrom/dcterms:isPartOf ?document . ?document dcterms:title ?title
  OPTIONAL { ?claim rdf:object ?o OPTIONAL { ?o rdfs:label ?object } } OPTIONAL { ?claim kg:rejectionReason ?reason }
  OPTIONAL { ?claim kg:upperValue ?upper } OPTIONAL { ?claim kg:latest ?latest } OPTIONAL { ?claim kg:earliest ?earliest }
  OPTIONAL { ?s rdfs:label ?subject } OPTIONAL { ?p rdfs:label ?property }`;
const WANTED = "?claim ?s ?subject ?p ?property ?o ?object ?value ?upper ?latest ?earliest ?status ?asserted ?polarity ?confidence ?reason ?quote ?start ?end ?document ?title";
const MOST = 2000;
const selectClaims = (pattern) => `SELECT ${WANTED} { ${pattern} ${CLAIM} } ORDER BY LCASE(?property) ?value ?title ?start LIMIT ${MOST}`;

/** What an identifier or a name stands for: IRI, label, other names. Telling why names were merged takes longer. */
async function identify(id, known) {
  const safe = /^[^\s<>"{}|\\^`]+$/.test(id);
  const iris = ["entity", "event", "claim"].map((kind) => `${known.base}${kind}/${id}`);
  const rows = safe ? await select(`SELECT ?x ?label ?alias { VALUES ?x { ${iris.map((iri) => `<${iri}>`).join(" ")} } ?x rdfs:label ?label OPTIONAL { ?x skos:altLabel ?alias } } ORDER BY ?alias`) : [];
  if (!rows.length) return getJson(`/entities/${encodeURIComponent(id)}`);
  const aliases = rows.filter((row) => row.alias).map((row) => row.alias.value);
  return { iri: rows[0].x.value, label: rows[0].label.value, aliases, types: [], merges: null };
}

/** Shows an entity, event or claim, by its identifier or its name. */
export async function entityView(view, id) {
  const known = await names();
  const about = await identify(id, known);
  const claim = about.iri.startsWith(`${known.base}claim/`);
  const [facts, links, types] = await Promise.all([
    select(selectClaims(claim ? `VALUES ?claim { <${about.iri}> }` : `VALUES ?s { <${about.iri}> }`)),
    claim ? [] : select(selectClaims(`?claim rdf:object <${about.iri}> .`)),
    select(`SELECT DISTINCT ?c ?label { <${about.iri}> a ?c . ?c rdfs:label ?label } ORDER BY ?label`),
  ]);
  const disputed = await getJson(`/entities/${encodeURIComponent(id)}/conflicts`).then(({ conflicts }) => sidesOf(conflicts));
  document.title = `${about.label} – Citegraph`;
  const stated = facts.filter((row) => row.asserted.value === "true");
  const told = facts.filter((row) => row.asserted.value === "true" || disputed.get(row.p.value)?.has(row.claim.value));
  const others = facts.filter((row) => !told.includes(row));
  const read = h("div");
  view.replaceChildren(h("div", { class: "page entity" },
    h("header", { class: "entity-head" },
      h("p", { class: "types" }, types.map((row) => entityChip(row.c.value, row.label.value, known)), !types.length && about.types.map((name) => h("span", { class: "chip" }, shorten(name, known)))),
      h("div", { class: "head" }, h("h1", null, about.label), !claim && h("a", { class: "button small", href: `/graph?about=${encodeURIComponent(about.iri)}` }, "Show as a graph")), identity(about, known, id)),
    section("Facts", groups(told, known, disputed)),
    section("Said, but not taken as fact", groups(others, known, new Map())),
    section("Timeline", dates([...stated, ...links.filter((row) => row.asserted.value === "true")], about.iri)),
    section("What links here", incoming(links, known)),
    !facts.length && !links.length && h("p", { class: "empty" }, "The documents name it without stating anything about it."),
    read));
  passages(about, claim).then((found) => found && read.replaceWith(found));
}

function entityChip(iri, label, known) {
  const chip = entityLink(iri, label, known);
  chip.classList.add("chip");
  return chip;
}

function section(title, body) {
  return body && h("section", null, h("h2", null, title), body);
}

function identity(about, known, id) {
  const address = `/entities/${encodeURIComponent(id)}`;
  const why = h("details", { hidden: !about.merges?.length }, h("summary", null, "Why these mentions are one thing"), list(about.merges ?? []));
  if (!about.merges) {
    getJson(address).then(({ merges }) => {
      why.lastChild.replaceWith(list(merges));
      why.hidden = !merges.length;
    }).catch(() => {});
  }
  return h("div", { class: "identity" },
    about.aliases.length > 0 && h("p", null, "Also called ", about.aliases.map((name, i) => [i > 0 && ", ", h("b", null, name)])), why,
    h("p", { class: "dim small-text" }, h("code", null, shorten(about.iri, known)), " · ", h("a", { href: address, "data-rdf": "text/turtle", class: "rdf" }, "Turtle"), turtle(address)));
}

function list(merges) {
  return h("ul", null, merges.map((why) => h("li", null, why)));
}

/** The Turtle is at the same address; a browser can only ask for it by script. */
function turtle(address) {
  const place = h("pre", { class: "turtle", tabindex: 0, hidden: true });
  queueMicrotask(() => {
    const link = place.previousElementSibling;
    link?.addEventListener("click", async (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (!place.textContent) place.textContent = await (await fetch(address, { headers: { Accept: "text/turtle" } })).text();
      place.hidden = !place.hidden;
    });
  });
  return place;
}

/** The claims at odds by their property: all sides, what isn't taken as fact too. */
function sidesOf(conflicts) {
  return new Map(conflicts.map((conflict) => [conflict.property, new Set(conflict.sides.flat())]));
}

/** Claims grouped by a property, and within it by value; each value with all who say so. */
function groups(rows, known, disputed) {
  if (!rows.length) return null;
  const properties = by(rows, (row) => row.p.value);
  return h("dl", { class: "facts" }, [...properties.values()].map((claims) => [
    h("dt", null, entityLink(claims[0].p.value, claims[0].property?.value ?? shorten(claims[0].p.value, known), known),
      disputed.has(claims[0].p.value) && by(claims, sameness).size > 1 && h("div", null, h("span", { class: "chip disputed" }, "sources disagree"))),
    h("dd", null, [...by(claims, sameness).values()].map((same) => value(same, known)))]));
}

/** Claims with one key say the same, however they word it. */
function sameness(row) {
  return row.o ? [row.o.value, row.upper?.value ?? "", row.latest?.value ?? ""].join("\n") : row.value.value;
}

function by(rows, key) {
  const found = new Map();
  for (const row of rows) {
    const name = key(row);
    if (!found.has(name)) found.set(name, []);
    if (!found.get(name).some((other) => other.claim.value === row.claim.value)) found.get(name).push(row);
  }
  return found;
}

function value(rows, known) {
  const [first] = rows;
  const shown = first.o?.type === "uri" ? entityLink(first.o.value, first.object?.value ?? first.value.value, known) : first.value.value || "not disclosed";
  return h("div", { class: "fact-row" }, h("div", { class: "fact-value" }, shown), sources(rows));
}

/** Who says so: each document once for each standing, further places in it by number. */
function sources(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = [row.document.value, row.status.value, row.polarity.value, row.reason?.value ?? ""].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return h("ul", { class: "who" }, [...groups.values()].map(([row, ...others]) => h("li", null, standing({ status: row.status.value, polarity: row.polarity.value }), " ",
    at(row, titled(row.title.value)), others.map((other, i) => [" ", at(other, String(i + 2), { class: "also", "aria-label": `Place ${i + 2} in ${titled(row.title.value)}` })]),
    row.reason && h("span", { class: "dim" }, ` – ${row.reason.value}`))));
}

function at(row, text, attributes = {}) {
  const [start, end] = [Number(row.start.value), Number(row.end.value)];
  return citedLink({ title: row.quote.value, ...attributes }, row.document.value, [start, end], valueIn(row.quote.value, start, row.value.value), text);
}

function incoming(rows, known) {
  if (!rows.length) return null;
  const properties = by(rows, (row) => row.p.value);
  return h("dl", { class: "facts" }, [...properties.values()].map((claims) => [
    h("dt", null, h("span", { "aria-hidden": "true" }, "← "), entityLink(claims[0].p.value, claims[0].property?.value ?? "", known)),
    h("dd", null, [...by(claims, (row) => row.s.value).values()].map((same) => h("div", { class: "fact-row" },
      h("div", { class: "fact-value" }, entityLink(same[0].s.value, same[0].subject?.value ?? shorten(same[0].s.value, known), known)),
      sources(same))))]));
}

/** Dated facts in their order, where there are at least two dates. */
function dates(rows, iri) {
  const items = new Map();
  for (const row of rows) {
    if (!row.earliest) continue;
    // What is told of the thing itself needn't name it.
    const what = [row.s.value !== iri && row.subject?.value, row.property?.value].filter(Boolean).join(" – ");
    items.set(`${what} ${row.value.value}`, { label: what, shown: row.value.value, value: Date.parse(row.earliest.value) });
  }
  const found = [...items.values()].filter((item) => Number.isFinite(item.value));
  return new Set(found.map((item) => item.value)).size > 1 ? timeline(found) : null;
}

async function passages(about, claim) {
  if (claim) return null;
  const { hits } = await getJson(`/search?limit=5&q=${encodeURIComponent(about.label.slice(0, 500))}`).catch(() => ({ hits: [] }));
  const names_ = [about.label, ...about.aliases].map((name) => name.toLowerCase());
  const kept = hits.filter((hit) => names_.some((name) => hit.text.toLowerCase().includes(name)));
  if (!kept.length) return null;
  return h("section", null, h("h2", null, `Passages`), h("p", { class: "dim" }, `${kept.length === 1 ? "The passage" : `The ${kept.length} passages`} nearest to its name`),
    h("ul", { class: "passages" }, kept.map((hit) => h("li", null, sourceLink({ class: "source" }, hit.document, [[hit.start, hit.end]],
      h("span", { class: "source-text" }, h("span", { class: "source-place" }, [titled(hit.title), ...hit.heading.slice(1)].join(" › ")), h("span", { class: "excerpt" }, brief(hit.text, 260))))))));
}
