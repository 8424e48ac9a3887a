// What connects things: the asserted claims between them, with their sources, asked for as the graph grows.

import { labelsOf, select } from "./api.js";

/** At most so many connections are fetched at once. */
export const MOST = 2000;

const ABOUT = `?claim rdf:subject ?s ; rdf:object ?o ; rdf:predicate ?p ; kg:asserted true ; kg:status ?status ; kg:statedValue ?value ; kg:quote ?quote ;
  kg:quoteStart ?start ; kg:quoteEnd ?end ; prov:wasDerivedFrom/dcterms:isPartOf ?document . ?document dcterms:title ?title FILTER(ISIRI(?o) && ?s != ?o)`;
const WANTED = "?claim ?s ?p ?o ?status ?value ?quote ?start ?end ?document ?title";
const AROUND = (iri) => `SELECT ${WANTED} { { VALUES ?s { <${iri}> } ${ABOUT} } UNION { VALUES ?o { <${iri}> } ${ABOUT} } } ORDER BY ?p ?s ?o ?document ?start LIMIT ${MOST + 1}`;
const AMONG = (triples) => `SELECT ${WANTED} { VALUES (?s ?p ?o) { ${triples.map(({ s, p, o }) => `(<${s}> <${p}> <${o}>)`).join(" ")} } ${ABOUT} } ORDER BY ?s ?p ?o ?document ?start LIMIT ${MOST}`;
const CLASSES = (iris) => `SELECT ?x ?c { VALUES ?x { ${iris.map((iri) => `<${iri}>`).join(" ")} } ?x a ?c
  FILTER NOT EXISTS { ?x a ?narrower . { ?narrower rdfs:subClassOf ?c } UNION { GRAPH ?g { ?narrower rdfs:subClassOf ?c } } FILTER(?narrower != ?c) } } ORDER BY ?x ?c`;
const HUBS = `SELECT ?x ?label (COUNT(DISTINCT ?other) AS ?n) { ?claim kg:asserted true ; rdf:subject ?x ; rdf:object ?other . ?x rdfs:label ?label FILTER(ISIRI(?other)) } GROUP BY ?x ?label ORDER BY DESC(?n) ?label LIMIT 16`;
const THINGS = `SELECT DISTINCT ?x ?label { ?claim kg:asserted true . { ?claim rdf:subject ?x } UNION { ?claim rdf:object ?x } ?x rdfs:label ?label FILTER(ISIRI(?x)) } ORDER BY LCASE(?label) LIMIT 5000`;

/** The things with most connections. */
export function hubs() {
  return select(HUBS);
}

let listed = null;
addEventListener("changed", () => (listed = null));

/** Things by name, for choosing one. */
export function things() {
  listed ??= select(THINGS).then((rows) => rows.map((row) => ({ iri: row.x.value, label: row.label.value }))).catch((error) => {
    listed = null;
    throw error;
  });
  return listed;
}

/** Things and what connects them, as far as it is known here. */
export class Network {
  constructor() {
    this.nodes = new Map();
    this.edges = new Map();
    this.expanded = new Set();
  }

  /** Adds what is around a thing; whether there was more than fits. */
  async expand(iri) {
    const rows = await select(AROUND(iri));
    this.expanded.add(iri);
    await this.take(rows.slice(0, MOST), [iri]);
    return rows.length > MOST;
  }

  /** Adds these triples with their sources. */
  async connect(triples) {
    if (triples.length) await this.take(await select(AMONG(triples)), []);
  }

  async take(rows, others) {
    for (const row of rows) {
      const [s, p, o] = [row.s.value, row.p.value, row.o.value];
      const key = `${s} ${p} ${o}`;
      if (!this.edges.has(key)) this.edges.set(key, { key, s, p, o, claims: new Map() });
      this.edges.get(key).claims.set(row.claim.value, { claim: row.claim.value, status: row.status.value, value: row.value.value, quote: row.quote.value,
        start: Number(row.start.value), end: Number(row.end.value), document: row.document.value, title: row.title.value });
    }
    const fresh = [...new Set([...others, ...rows.flatMap((row) => [row.s.value, row.o.value])])].filter((iri) => !this.nodes.has(iri));
    for (const iri of fresh) this.nodes.set(iri, { iri, label: iri.replace(/^.*[/#]/, ""), types: [] });
    await this.describe(fresh, rows.map((row) => row.p.value));
  }

  async describe(fresh, properties) {
    const classes = [];
    for (let at = 0; at < fresh.length; at += 300) classes.push(...(await select(CLASSES(fresh.slice(at, at + 300)))));
    const labels = await labelsOf([...fresh, ...properties, ...classes.map((row) => row.c.value)]);
    for (const iri of fresh) this.nodes.get(iri).label = labels.get(iri) ?? this.nodes.get(iri).label;
    for (const row of classes) this.nodes.get(row.x.value).types.push({ iri: row.c.value, label: labels.get(row.c.value) ?? row.c.value.replace(/^.*[/#]/, "") });
    for (const edge of this.edges.values()) edge.label ??= labels.get(edge.p) ?? edge.p.replace(/^.*[/#]/, "");
  }

  label(iri) {
    return this.nodes.get(iri)?.label ?? iri;
  }

  /** The connections of a thing. */
  of(iri) {
    return [...this.edges.values()].filter((edge) => edge.s === iri || edge.o === iri);
  }
}
