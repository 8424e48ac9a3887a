// What there is: things by name, classes and properties with counts, and one class or property.

import { isIri, labelsOf, names, pageOf, select, shorten } from "./api.js";
import { h, more, plural } from "./dom.js";
import { entityView } from "./entity.js";
import { resultsView } from "./results.js";

const CLASSES = `SELECT ?x ?label (COUNT(DISTINCT ?thing) AS ?n) { ?thing a ?x . ?x rdfs:label ?label
  FILTER(STRSTARTS(STR(?thing), STR(ent:)) || STRSTARTS(STR(?thing), STR(event:))) } GROUP BY ?x ?label ORDER BY DESC(?n) LCASE(?label)`;
const PROPERTIES = `SELECT ?x ?label (COUNT(?claim) AS ?n) { ?claim a kg:Claim ; rdf:predicate ?x . ?x rdfs:label ?label } GROUP BY ?x ?label ORDER BY DESC(?n) LCASE(?label)`;
// Individuals that the vocabulary names itself are things too; what is only named has no facts.
const THINGS = `SELECT ?x ?label (COUNT(DISTINCT ?claim) AS ?n) { ?x rdfs:label ?label FILTER(STRSTARTS(STR(?x), STR(ent:)) || EXISTS { ?c a kg:Claim ; rdf:object ?x } || EXISTS { ?c a kg:Claim ; rdf:subject ?x })
  FILTER NOT EXISTS { ?x a kg:Event } OPTIONAL { { ?claim rdf:subject ?x } UNION { ?claim rdf:object ?x } } } GROUP BY ?x ?label ORDER BY DESC(?n) LCASE(?label) LIMIT 5000`;
const KINDS = (iris) => `SELECT ?x ?c { VALUES ?x { ${iris.map((iri) => `<${iri}>`).join(" ")} } ?x a ?c }`;
const SHOWN = 400;
// Of each kind so many are shown, until more are asked for.
const FIRST = 8;

export async function browseView(view) {
  const iri = new URLSearchParams(location.search).get("iri");
  return iri && isIri(iri) ? term(view, iri) : overview(view);
}

async function overview(view) {
  const [known, things, every, properties] = await Promise.all([names(), select(THINGS), select(CLASSES), select(PROPERTIES)]);
  const classes = distinct(every);
  const kinds = await kindsOf(things.slice(0, SHOWN), classes);
  const search = h("input", { type: "search", "aria-label": "Filter by name", placeholder: "Filter by name" });
  const link = (row) => h("a", { href: pageOf(row.x.value, known) ?? `/browse?iri=${encodeURIComponent(row.x.value)}` }, row.label.value);
  const lines = (rows, unit) => rows.map((row) => h("li", null, link(row), h("span", { class: "dim" }, Number(row.n.value) ? plural(Number(row.n.value), unit) : "only named")));
  const plain = (unit) => (rows) => h("ul", { class: "terms" }, lines(rows, unit));
  const parts = [["Things", things, (rows, all) => grouped(rows, kinds, (kept) => lines(kept, "fact"), all)], ["Classes", classes, plain("thing")], ["Properties", properties, plain("fact")]]
    .map((part) => column(...part));
  const page = h("div", { class: "page wide explore" }, h("div", { class: "head" }, h("h1", null, "Explore"), h("div", { class: "buttons" }, search, h("a", { class: "button primary", href: "/graph" }, "Graph"))));
  const choose = (at) => parts.forEach(({ element, tab }, i) => {
    element.classList.toggle("chosen", i === at);
    tab.setAttribute("aria-pressed", String(i === at));
  });
  parts.forEach(({ tab }, i) => tab.addEventListener("click", () => choose(i)));
  choose(0);
  search.addEventListener("input", () => parts.forEach(({ show }) => show(search.value.toLowerCase().split(/\s+/).filter(Boolean))));
  page.append(h("div", { class: "tab-bar narrow", role: "group", "aria-label": "Show" }, parts.map(({ tab }) => tab)), h("div", { class: "columns" }, parts.map(({ element }) => element)));
  view.replaceChildren(page);
}

/** One kind of term: a heading with how many there are, what is drawn of them, and on narrow screens the tab that shows it. */
function column(title, rows, draw) {
  const heading = h("h2", null, title), body = h("div");
  const show = (words) => {
    const kept = rows.filter((row) => words.every((word) => row.label.value.toLowerCase().includes(word)));
    heading.replaceChildren(title, " ", h("span", { class: "dim" }, kept.length.toLocaleString("en")));
    body.replaceChildren(kept.length ? draw(kept.slice(0, SHOWN), words.length > 0) : h("p", { class: "empty" }, "None."), more(SHOWN, kept.length, title.toLowerCase().slice(0, -1)) ?? "");
  };
  show([]);
  return { show, tab: h("button", { type: "button", class: "tab" }, title), element: h("section", { class: "column" }, heading, body) };
}

/** Things under the classes that they are of, what is most told of first; of each class the first few, or all. */
function grouped(rows, kinds, lines, all) {
  const found = new Map();
  for (const row of rows) {
    const kind = kinds.get(row.x.value) ?? "other things";
    found.set(kind, [...(found.get(kind) ?? []), row]);
  }
  return h("div", { class: "groups" }, [...found].map(([kind, kept]) => {
    const list = h("ul", { class: "terms" }, lines(all ? kept : kept.slice(0, FIRST)));
    const rest = h("button", { type: "button", class: "small quiet" }, `All ${kept.length.toLocaleString("en")}`);
    rest.addEventListener("click", () => {
      list.append(...lines(kept.slice(FIRST)));
      rest.remove();
    });
    return h("section", { class: "group" }, h("h3", null, kind, " ", h("span", { class: "dim" }, kept.length.toLocaleString("en"))), list, !all && kept.length > FIRST && rest);
  }));
}

/** Classes by name: vocabularies have their own of the same name for the same things. */
function distinct(rows) {
  const found = new Map();
  for (const row of rows) {
    const name = row.label.value.toLowerCase();
    if (!found.has(name) && !row.x.value.endsWith("owl#Thing")) found.set(name, row);
  }
  return [...found.values()];
}

/** A class of one is no group. */
function rank({ size }) {
  return size > 1 ? size : Infinity;
}

/** The name of the class with fewest members that each thing is of. */
async function kindsOf(things, classes) {
  if (!things.length) return new Map();
  const rows = await select(KINDS(things.map((row) => row.x.value)));
  const sizes = new Map(classes.map((row) => [row.x.value, { size: Number(row.n.value), name: row.label.value }]));
  const found = new Map();
  for (const { x, c } of rows) {
    const kind = sizes.get(c.value), other = found.get(x.value);
    if (kind && (!other || rank(kind) < rank(other))) found.set(x.value, kind);
  }
  return new Map([...found].map(([iri, { name }]) => [iri, name]));
}

async function term(view, iri) {
  const known = await names();
  const label = (await labelsOf([iri])).get(iri) ?? shorten(iri, known);
  const [thing] = await select(`SELECT ?c { { ?c a kg:Claim ; rdf:subject <${iri}> } UNION { ?c a kg:Claim ; rdf:object <${iri}> } } LIMIT 1`);
  // A thing that the vocabulary names is told as things are.
  if (thing) return entityView(view, label);
  const [definition, members, uses] = await Promise.all([
    select(`SELECT ?d { GRAPH ?g { <${iri}> skos:definition ?d } } LIMIT 1`),
    results(`SELECT DISTINCT ?thing { ?thing a <${iri}> ; rdfs:label ?l } ORDER BY LCASE(?l) LIMIT 2000`),
    results(`SELECT DISTINCT ?subject ?stated ?status ?document { ?claim a kg:Claim ; rdf:predicate <${iri}> ; rdf:subject ?subject ; kg:statedValue ?stated ;
      kg:status ?status ; prov:wasDerivedFrom/dcterms:isPartOf ?document } ORDER BY ?subject ?document LIMIT 2000`),
  ]);
  document.title = `${label} – Citegraph`;
  const parts = [];
  for (const [title, found] of [["Things of this class", members], ["Facts with this property", uses]]) {
    if (found.results.bindings.length) parts.push(h("section", null, h("h2", null, title), await resultsView(found)));
  }
  view.replaceChildren(h("div", { class: "page" }, h("p", { class: "crumbs" }, h("a", { href: "/browse" }, "Explore"), " / ", shorten(iri, known)), h("h1", null, label),
    definition[0] && h("p", { class: "lead" }, definition[0].d.value), parts.length ? parts : h("p", { class: "empty" }, "No document uses it.")));
}

async function results(text) {
  const rows = await select(text);
  const vars = /SELECT (?:DISTINCT )?([^{]*)\{/.exec(text)[1].trim().split(/\s+/).map((name) => name.slice(1));
  return { head: { vars }, results: { bindings: rows } };
}
