// N-Triples as data: one triple a line, each { s, p, o } with o as in SPARQL's JSON results.

const LINE = /^(?:<([^>]*)>|(_:\S+)) <([^>]*)> (?:<([^>]*)>|(_:\S+)|"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^<([^>]*)>)?) ?\.$/;
const ESCAPES = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f" };

function plain(text) {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_, short, long, one) =>
    short || long ? String.fromCodePoint(parseInt(short ?? long, 16)) : ESCAPES[one] ?? one);
}

/** The triples of a text, in its order; lines that are none are left out. */
export function triples(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const match = LINE.exec(line.trim());
    if (!match) continue;
    const [, subject, blank, predicate, iri, node, literal, language, datatype] = match;
    const o = iri !== undefined ? { type: "uri", value: plain(iri) } : node ? { type: "bnode", value: node }
      : { type: "literal", value: plain(literal), ...(language && { "xml:lang": language }), ...(datatype && { datatype }) };
    found.push({ s: plain(subject ?? blank), p: plain(predicate), o });
  }
  return found;
}
