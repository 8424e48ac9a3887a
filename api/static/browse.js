// What there is: things by name, classes and properties with counts, and one class or property.

import { isIri, labelsOf, names, pageOf, select, shorten } from "./api.js";
import { h, plural } from "./dom.js";
import { entityView } from "./entity.js";
import { resultsView } from "./results.js";

const CLASSES = `SELECT ?x ?label (COUNT(DISTINCT ?thing) AS ?n) { ?thing a ?x . ?x rdfs:label ?label
  FILTER(STRSTARTS(STR(?thing), STR(ent:)) || STRSTARTS(STR(?thing), STR(event:))) } GROUP BY ?x ?label ORDER BY DESC(?n) LCASE(?label)`;
const PROPERTIES = `SELECT ?x ?label (COUNT(?claim) AS ?n) { ?claim a kg:Claim ; rdf:predicate ?x . ?x rdfs:label ?label } GROUP BY ?x ?label ORDER BY DESC(?n) LCASE(?label)`;
// Individuals that the vocabulary names itself are things too.
const THINGS = `SELECT ?x ?label (COUNT(?claim) AS ?n) { ?x rdfs:label ?label FILTER(STRSTARTS(STR(?x), STR(ent:)) || EXISTS { ?c a kg:Claim ; rdf:object ?x } || EXISTS { ?c a kg:Claim ; rdf:subject ?x })
  FILTER NOT EXISTS { ?x a kg:Event } OPTIONAL { ?claim rdf:subject ?x } } GROUP BY ?x ?label ORDER BY LCASE(?label) LIMIT 5000`;

export async function browseView(view) {
  const iri = new URLSearchParams(location.search).get("iri");
  return iri && isIri(iri) ? term(view, iri) : overview(view);
}

async function overview(view) {
  const [known, things, classes, properties] = await Promise.all([names(), select(THINGS), select(CLASSES), select(PROPERTIES)]);
  const search = h("input", { type: "search", "aria-label": "Filter by name", placeholder: "Filter by name" });
  const parts = [["Things", things, "fact"], ["Classes", classes, "thing"], ["Properties", properties, "statement"]].map(([title, rows, unit]) => {
    const list = h("ul", { class: "terms" });
    const heading = h("h2", null, title);
    const show = (words) => {
      const kept = rows.filter((row) => words.every((word) => row.label.value.toLowerCase().includes(word)));
      heading.replaceChildren(title, " ", h("span", { class: "dim" }, kept.length.toLocaleString("en")));
      list.replaceChildren(...kept.slice(0, 400).map((row) => h("li", null, h("a", { href: pageOf(row.x.value, known) ?? `/browse?iri=${encodeURIComponent(row.x.value)}` }, row.label.value),
        h("span", { class: "dim", title: plural(Number(row.n.value), unit) }, row.n.value))));
      if (!kept.length) list.append(h("li", { class: "empty" }, "None."));
    };
    show([]);
    return { show, element: h("section", { class: "column" }, heading, list) };
  });
  search.addEventListener("input", () => parts.forEach(({ show }) => show(search.value.toLowerCase().split(/\s+/).filter(Boolean))));
  view.replaceChildren(h("div", { class: "page wide" }, h("div", { class: "head" }, h("h1", null, "Explore"), h("div", { class: "buttons" }, search, h("a", { class: "button", href: "/graph" }, "Graph"))), h("div", { class: "columns" }, parts.map(({ element }) => element))));
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
    results(`SELECT ?subject ?stated ?status ?document { ?claim a kg:Claim ; rdf:predicate <${iri}> ; rdf:subject ?subject ; kg:statedValue ?stated ;
      kg:status ?status ; prov:wasDerivedFrom/dcterms:isPartOf ?document } ORDER BY ?subject ?document LIMIT 2000`),
  ]);
  document.title = `${label} – Citegraph`;
  const parts = [];
  for (const [title, found] of [["Things of this class", members], ["Statements with this property", uses]]) {
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
