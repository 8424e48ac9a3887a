// A document with its highlights and the facts in its margin: shown as a page and in the pane beside answers.

import { getJson, select } from "./api.js";
import { h, Text } from "./dom.js";
import { claimCard } from "./claims.js";
import { Drawing } from "./render.js";

/** Address of a document at stretches of its stored text. */
export function documentAt(iri, ...stretches) {
  const id = iri.slice(iri.lastIndexOf("/document/") + "/document/".length);
  const at = stretches.length ? `?at=${stretches.map(([start, end]) => `${start}-${end}`).join(",")}` : "";
  return `/documents/${encodeURIComponent(id)}${at}`;
}

/** A link to a document at stretches; a plain click opens it beside. */
export function sourceLink(attributes, iri, stretches, ...children) {
  return h("a", { ...attributes, href: documentAt(iri, ...stretches), "data-beside": true }, ...children);
}

/** The same with the value marked within what is cited; ``value`` is null where nobody knows its place. */
export function citedLink(attributes, iri, stretch, value, ...children) {
  const more = value ? `&value=${value[0]}-${value[1]}` : "";
  return h("a", { ...attributes, href: documentAt(iri, stretch) + more, "data-beside": true }, ...children);
}

/** Where a value stands in a quotation that begins at a place of its document, as a stretch of the document. */
export function valueIn(quote, start, value) {
  const place = value ? quote.indexOf(value) : -1;
  if (place < 0) return null;
  const from = start + Array.from(quote.slice(0, place)).length;
  return [from, from + Array.from(value).length];
}

export function stretchesOf(search, name = "at") {
  const at = new URLSearchParams(search).get(name) ?? "";
  return at.split(",").map((part) => part.split("-").map(Number)).filter(([start, end]) => start >= 0 && end > start);
}

const CLAIMS = (iri) => `SELECT ?claim ?s ?subject ?p ?property ?value ?o ?object ?status ?asserted ?polarity ?confidence ?reason ?start ?end {
  ?passage dcterms:isPartOf <${iri}> . ?claim prov:wasDerivedFrom ?passage ; a kg:Claim ; rdf:subject ?s ; rdf:predicate ?p ;
    kg:statedValue ?value ; kg:status ?status ; kg:asserted ?asserted ; kg:polarity ?polarity ; kg:confidence ?confidence ;
    kg:quoteStart ?start ; kg:quoteEnd ?end .
  OPTIONAL { ?claim rdf:object ?o OPTIONAL { ?o rdfs:label ?object } } OPTIONAL { ?claim kg:rejectionReason ?reason }
  OPTIONAL { ?s rdfs:label ?subject } OPTIONAL { ?p rdfs:label ?property } } ORDER BY ?start ?claim`;
const EVIDENCE = (iri) => `SELECT ?claim ?role ?start ?end {
  ?passage dcterms:isPartOf <${iri}> . ?claim prov:wasDerivedFrom ?passage ; kg:evidence ?e .
  ?e kg:role ?role ; kg:start ?start ; kg:end ?end }`;

/** Claims of a document with their spans, in its order. */
export async function claimsOf(iri) {
  const [rows, spans] = await Promise.all([select(CLAIMS(iri)), select(EVIDENCE(iri))]);
  const claims = new Map();
  for (const row of rows) {
    if (claims.has(row.claim.value)) continue;
    claims.set(row.claim.value, { ...plain(row), start: Number(row.start.value), end: Number(row.end.value), evidence: [] });
  }
  for (const row of spans) {
    const role = row.role.value.replace(/^.*#|Role$/g, "");
    claims.get(row.claim.value)?.evidence.push({ role, start: Number(row.start.value), end: Number(row.end.value) });
  }
  return [...claims.values()];
}

function plain(row) {
  return Object.fromEntries(Object.entries(row).map(([name, term]) => [name, name === "o" ? term : term.value]));
}

/** Loads and draws a document at what an address cites; resolves to its data, its element and a function that scrolls there. */
export async function loadDocument(id, search) {
  const path = `/documents/${encodeURIComponent(id)}`;
  const found = await getJson(path);
  const [structure, claims] = await Promise.all([getJson(`${path}/structure`), claimsOf(found.iri)]);
  const card = claimCard();
  const drawing = new Drawing(new Text(found.text), structure.blocks, claims, { spots: stretchesOf(search), values: stretchesOf(search, "value") }, card.open);
  const element = h("div", { class: "doc-frame" }, drawing.element, card.element);
  const reveal = (smooth) => {
    const first = drawing.element.querySelector("mark.value") ?? drawing.element.querySelector("mark");
    first?.scrollIntoView({ block: "center", inline: "center", behavior: smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches ? "smooth" : "auto" });
  };
  return { found, claims, element, reveal };
}
