// Questions to start from, made of what the graph holds: its own names and properties, whatever it is about.

import { select } from "./api.js";

const NUMBERS = `SELECT ?p ?property ?subject ?class (COUNT(DISTINCT ?claim) AS ?n) {
  ?claim a kg:Claim ; kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; kg:lowerValue ?v .
  ?p rdfs:label ?property FILTER NOT EXISTS { ?p a kg:OpenProperty } ?s rdfs:label ?subject
  OPTIONAL { ?s a ?c . ?c rdfs:label ?class . FILTER NOT EXISTS { ?s a ?narrower . ?narrower rdfs:subClassOf ?c . FILTER(?narrower != ?c) } }
} GROUP BY ?p ?property ?subject ?class ORDER BY DESC(?n) ?property ?subject LIMIT 40`;
const LINKS = `SELECT ?property ?subject (COUNT(DISTINCT ?other) AS ?n) {
  ?claim a kg:Claim ; kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o FILTER(ISIRI(?o)) ?other rdf:subject ?s .
  ?p rdfs:label ?property FILTER NOT EXISTS { ?p a kg:OpenProperty } ?s rdfs:label ?subject
} GROUP BY ?property ?subject ORDER BY DESC(?n) ?property ?subject LIMIT 20`;
const DATES = `SELECT ?property ?subject (COUNT(DISTINCT ?other) AS ?n) {
  ?claim a kg:Claim ; kg:asserted true ; rdf:subject ?s ; rdf:predicate ?p ; kg:earliest ?d . ?other rdf:subject ?s .
  ?p rdfs:label ?property FILTER NOT EXISTS { ?p a kg:OpenProperty } ?s rdfs:label ?subject FILTER(STRSTARTS(STR(?s), STR(ent:)))
} GROUP BY ?property ?subject ORDER BY DESC(?n) ?property ?subject LIMIT 20`;

/** At most five questions, about different properties and as many different things as there are. */
export async function examples() {
  const [numbers, links, dates] = await Promise.all([NUMBERS, LINKS, DATES].map((query) => select(query).catch(() => [])));
  const made = [], properties = new Set(), subjects = new Set();
  const add = (rows, word) => {
    const fits = rows.filter((row) => !properties.has(row.property.value) && row.subject.value.length <= 40);
    const row = fits.find((other) => !subjects.has(other.subject.value)) ?? fits[0];
    if (!row) return;
    properties.add(row.property.value);
    subjects.add(row.subject.value);
    made.push(word(row));
  };
  const value = (row) => `What is the ${row.property.value} of ${row.subject.value}?`;
  add(numbers, value);
  add(numbers.filter((row) => row.class), (row) => `Which ${row.class.value} has the highest ${row.property.value}?`);
  add(numbers, value);
  // A plain "date" would leave open of what.
  add(dates.filter((row) => row.property.value.includes(" ")), value);
  add(links, value);
  return made;
}
