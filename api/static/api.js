// Everything that is asked of the server; nothing else is ever asked.

/** A refusal by the server, or a server that can't be reached. */
export class Problem extends Error {
  constructor(message, { title, hint, status, failed = [] } = {}) {
    super(message);
    Object.assign(this, { title, hint, status, failed });
  }
}

/** The key that people gave for this visit; none where they gave none. */
export function key() {
  try {
    return sessionStorage.getItem("key") ?? "";
  } catch {
    return held;
  }
}

let held = "";

/** Keeps a key for this visit, or forgets it. */
export function keep(text) {
  held = text;
  try {
    if (text) sessionStorage.setItem("key", text);
    else sessionStorage.removeItem("key");
  } catch {
    // Storage may be forbidden; the page then remembers until it is left.
  }
}

export async function send(path, options = {}) {
  let response;
  const headers = key() ? { ...options.headers, Authorization: `Bearer ${key()}` } : options.headers;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("the server can’t be reached", { title: "No connection", hint: "is it still running?" });
  }
  if (response.ok) return response;
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A proxy may answer with anything.
  }
  throw problem(body, response);
}

function problem(body, response = {}) {
  const status = body.status ?? response.status;
  const title = status === 404 ? "Not found" : body.title;
  return new Problem(body.detail ?? response.statusText, { title, hint: body.hint, status, failed: body.failed });
}

export async function getJson(path) {
  return (await send(path, { headers: { Accept: "application/json" } })).json();
}

/** The raw result of a query in a media type. */
export async function query(text, accept, signal) {
  return send("/sparql", {
    method: "POST", signal, body: text,
    headers: { "Content-Type": "application/sparql-query", Accept: accept },
  });
}

/** Rows of a SELECT, each an object of terms by variable. */
export async function select(text) {
  const response = await query(text, "application/sparql-results+json");
  return (await response.json()).results.bindings;
}

/** Asks; ``step`` is called with each event's name and data as it comes. Returns the whole reply. */
export async function ask(question, history, step, signal) {
  const whole = await events("/ask/stream", {
    method: "POST", signal, body: JSON.stringify({ question, history }), headers: { "Content-Type": "application/json" },
  }, "done", step);
  if (!whole) throw new Problem("the answer broke off", { title: "No answer", hint: "ask again" });
  return whole;
}

/** Server-sent events of a request, each told to ``step``; returns the data of the last one that is called ``last``. */
export async function events(path, options, last, step) {
  const response = await send(path, { ...options, headers: { ...options.headers, Accept: "text/event-stream" } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", whole = null;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const found = (rest + piece.value).split("\n\n");
    rest = found.pop();
    for (const event of found) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "null");
      if (name === "problem") throw problem(data);
      if (name === last) whole = data;
      else step(name, data);
    }
  }
  return whole;
}

let known = null;

/** Base IRI and prefixes of the knowledge base. */
export function names() {
  known ??= getJson("/prefixes").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** The page about an IRI of the knowledge base: entity, event, document, class or property; null for others. */
export function pageOf(iri, { base, prefixes }) {
  for (const kind of ["entity", "event", "claim"]) {
    const start = `${base}${kind}/`;
    if (iri.startsWith(start)) return `/entities/${encodeURIComponent(iri.slice(start.length))}`;
  }
  if (iri.startsWith(`${base}document/`)) return `/documents/${encodeURIComponent(iri.slice(`${base}document/`.length))}`;
  if (Object.values(prefixes).some((start) => iri.startsWith(start))) return `/browse?iri=${encodeURIComponent(iri)}`;
  return null;
}

/** A short name of an IRI: with a prefix where there is one. */
export function shorten(iri, { prefixes }) {
  let best = "";
  let short = iri;
  for (const [name, start] of Object.entries(prefixes)) {
    if (iri.startsWith(start) && start.length > best.length) [best, short] = [start, `${name}:${iri.slice(start.length)}`];
  }
  return short;
}

export function isIri(text) {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(text);
}

const labels = new Map();

/** Labels by IRI; IRIs without one are left out. */
export async function labelsOf(iris) {
  const missing = [...new Set(iris)].filter((iri) => isIri(iri) && !labels.has(iri));
  for (let at = 0; at < missing.length; at += 400) {
    const values = missing.slice(at, at + 400).map((iri) => `<${iri}>`).join(" ");
    const rows = await select(`SELECT ?x (MIN(?l) AS ?label) { VALUES ?x { ${values} }
      { ?x rdfs:label|dcterms:title ?l } UNION { GRAPH ?g { ?x rdfs:label ?l } } } GROUP BY ?x`);
    for (const row of rows) if (row.label) labels.set(row.x.value, row.label.value);
    for (const iri of missing.slice(at, at + 400)) if (!labels.has(iri)) labels.set(iri, null);
  }
  return new Map(iris.filter((iri) => labels.get(iri)).map((iri) => [iri, labels.get(iri)]));
}

/** Sends what changes the knowledge base; what was known of it is asked for again from then on. */
export async function change(method, path, body) {
  const options = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const reply = await (await send(path, options)).json();
  changed();
  return reply;
}

/** Tells all parts of the page that the knowledge base is another. */
export function changed() {
  labels.clear();
  dispatchEvent(new Event("changed"));
}
