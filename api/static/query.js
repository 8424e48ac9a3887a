// The query view: the editor, queries to start from, results, errors with their place.

import { getJson, names, Problem, query, select } from "./api.js";
import { copyButton, download, failure, h, loading, say, svg } from "./dom.js";
import { Editor } from "./editor.js";
import { resultsView, triplesView } from "./results.js";
import { triples } from "./triples.js";

const FACTS = `# Facts and who says so
SELECT ?subject ?property ?stated ?status ?document WHERE {
  ?claim a kg:Claim ; kg:asserted true ; rdf:subject/rdfs:label ?subject ; rdf:predicate/rdfs:label ?property ;
    kg:statedValue ?stated ; kg:status ?status ; prov:wasDerivedFrom/dcterms:isPartOf ?document .
} ORDER BY ?subject ?property LIMIT 100`;
const SAMPLES = [
  ["Facts and who says so", FACTS],
  ["Things by class", `# How many things of each class are there? Each counts with its narrowest classes.
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  ?thing a ?class . FILTER(STRSTARTS(STR(?thing), STR(ent:)) && ?class != owl:Thing)
  FILTER NOT EXISTS { ?thing a ?narrower . { ?narrower rdfs:subClassOf ?class } UNION { GRAPH ?g { ?narrower rdfs:subClassOf ?class } } FILTER(?narrower != ?class) }
} GROUP BY ?class ORDER BY DESC(?things)`],
  ["Properties by use", `# Which properties do the documents state, and how often?
SELECT ?property (COUNT(?claim) AS ?claims) WHERE {
  ?claim a kg:Claim ; rdf:predicate ?property .
} GROUP BY ?property ORDER BY DESC(?claims)`],
  ["Statements by standing", `# What do the documents say of their own statements?
SELECT ?status (COUNT(?claim) AS ?claims) WHERE {
  ?claim a kg:Claim ; kg:status ?status .
} GROUP BY ?status ORDER BY DESC(?claims)`],
  ["Facts by document", `# Which documents state the most?
SELECT ?document (COUNT(?claim) AS ?claims) WHERE {
  ?claim a kg:Claim ; prov:wasDerivedFrom/dcterms:isPartOf ?document .
} GROUP BY ?document ORDER BY DESC(?claims)`],
  ["Things that several documents speak of", `# What do most documents speak of?
SELECT ?thing (COUNT(DISTINCT ?document) AS ?documents) WHERE {
  ?claim rdf:subject ?thing ; prov:wasDerivedFrom/dcterms:isPartOf ?document .
  FILTER(STRSTARTS(STR(?thing), STR(ent:)))
} GROUP BY ?thing HAVING(COUNT(DISTINCT ?document) > 1) ORDER BY DESC(?documents) ?thing`],
  ["Dates in order", `# What happened when?
SELECT ?subject ?property ?stated ?earliest WHERE {
  ?claim kg:asserted true ; rdf:subject/rdfs:label ?subject ; rdf:predicate/rdfs:label ?property ;
    kg:statedValue ?stated ; kg:earliest ?earliest .
} ORDER BY ?earliest LIMIT 60`],
  ["Evidence of a fact, as a graph", `# A claim with its evidence, as triples
CONSTRUCT { ?claim ?p ?o . ?evidence ?q ?x } WHERE {
  { SELECT ?claim WHERE { ?claim a kg:Claim } ORDER BY ?claim LIMIT 1 }
  ?claim ?p ?o . OPTIONAL { ?claim kg:evidence ?evidence . ?evidence ?q ?x }
}`],
];
const VOCABULARY = "SELECT ?label ?q { GRAPH ?g { ?term kg:exampleQuery ?q ; rdfs:label ?label } } ORDER BY LCASE(?label)";
const KINDS = "application/sparql-results+json, text/turtle;q=0.9";
let kept = FACTS;

export async function queryView(view) {
  const given = new URLSearchParams(location.search).get("q");
  const result = h("section", { class: "result", "aria-label": "Result" });
  const state = { under: null };
  const start = () => execute(editor, result, state);
  const editor = await Editor.make(given ?? kept, start, (text) => (kept = text));
  const run = h("button", { type: "button", class: "primary" }, "Run");
  run.addEventListener("click", start);
  const { prefixes: known } = await names();
  const take = (text) => {
    editor.value = bare(text, known);
    scrollTo({ top: 0 });
    start();
  };
  view.replaceChildren(h("div", { class: "page wide" }, h("div", { class: "head" }, h("h1", null, "Query"), await samples(take)),
    editor.element, h("div", { class: "buttons" }, run, copyButton(() => editor.value), link(editor),
      h("span", { class: "dim small-text", id: "keys" }, "Ctrl + Enter runs it, Ctrl + Space completes")),
    await prefixes(editor), result));
  editor.shown();
  if (given) start();
  else result.append(await gallery(take));
  return { leave: () => { state.under?.abort(); editor.leave(); } };
}

function link(editor) {
  return copyButton(() => `${location.origin}/query?q=${encodeURIComponent(editor.value)}`, "Copy link");
}

async function samples(take) {
  const choice = h("select", { "aria-label": "Sample queries" }, h("option", { value: "" }, "Sample queries…"),
    h("optgroup", { label: "Of any knowledge base" }, SAMPLES.map(([name, text]) => h("option", { value: text }, name))));
  const offer = (label, pairs) => pairs.length && choice.append(h("optgroup", { label }, pairs.map(([name, text]) => h("option", { value: text }, name))));
  galleryOf().then((queries) => offer("Of this vocabulary", queries.map(({ title, query: text }) => [title, text])));
  select(VOCABULARY).then((rows) => offer("By term of the vocabulary", rows.map((row) => [row.label.value, row.q.value]))).catch(() => {});
  choice.addEventListener("change", () => {
    const text = choice.value;
    choice.value = "";
    if (text) take(text);
  });
  return choice;
}

/** A query without the prefixes that need no declaration. */
function bare(text, known) {
  return text.replace(/^PREFIX\s+([\w-]*):\s*<([^>]*)>\s*\n/gim, (line, name, iri) => (known[name] === iri ? "" : line)).replace(/^((?:#.*\n)*)\n+/, "$1").trimEnd();
}

function galleryOf() {
  return getJson("/queries").then(({ queries }) => queries).catch(() => []);
}

/** Queries to start from, shown until there is a result: first those about what the documents say. */
async function gallery(take) {
  const own = SAMPLES.slice(1).map(([title, text]) => ({ title, query: text }));
  const groups = [["Start from one of these", await galleryOf()], ["About the knowledge base itself", own]].filter(([, queries]) => queries.length);
  return h("div", { class: "gallery" }, groups.map(([title, queries]) => [h("h2", null, title), h("ul", { class: "tiles" }, queries.map((each) => h("li", null, tile(each, take))))]));
}

function tile({ title, query: text }, take) {
  const button = h("button", { type: "button", class: "tile" }, icon(text), h("span", null, title));
  button.addEventListener("click", () => take(text));
  return button;
}

const ICONS = {
  graph: ["A graph", "M6 6l6 10M18 6l-6 10M4 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M16 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M10 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0"],
  times: ["A timeline", "M3 12h18M7 9v6M13 9v6M18 9v6"],
  bars: ["Numbers", "M4 20V11M10 20V5M16 20V14M21 20H2"],
  rows: ["Rows", "M3 6h18M3 12h18M3 18h18M9 6v12"],
};

/** What the result will look like, guessed from the query's form and its variables. */
function icon(text) {
  const plain = text.replace(/#[^\n>]*$/gm, "");
  const wanted = /\bSELECT\b([^{]*)/i.exec(plain)?.[1] ?? "";
  const kind = /\b(?:CONSTRUCT|DESCRIBE)\b/i.test(plain) ? "graph" : /\?(?:\w*date|earliest|when)\b/i.test(wanted) ? "times" : /\b(?:COUNT|SUM|AVG|MAX|MIN)\s*\(|\?(?:count|number|value|cost|price|size)\b/i.test(wanted) ? "bars" : "rows";
  const [name, path] = ICONS[kind];
  return svg("svg", { viewBox: "0 0 24 24", class: "tile-icon", role: "img", "aria-label": name }, svg("path", { d: path }));
}

async function prefixes(editor) {
  const { prefixes: known } = await names();
  const rows = Object.entries(known).sort(([a], [b]) => a.localeCompare(b)).map(([name, iri]) => {
    const button = h("button", { type: "button", class: "prefix", title: iri }, `${name}:`);
    button.addEventListener("click", () => {
      editor.put(`${name}:`);
    });
    return button;
  });
  return h("details", { class: "prefixes" }, h("summary", null, "Prefixes that need no declaration"), h("p", null, rows));
}

async function execute(editor, result, state) {
  state.under?.abort();
  state.under = new AbortController();
  const text = editor.value;
  history.replaceState(null, "", `/query?q=${encodeURIComponent(text)}`);
  result.replaceChildren(loading("Running the query"));
  const began = performance.now();
  try {
    const response = await query(text, KINDS, state.under.signal);
    const taken = `${Math.round(performance.now() - began).toLocaleString("en")} ms`;
    const json = response.headers.get("Content-Type").includes("json");
    const body = json ? await response.json() : await response.text();
    result.replaceChildren(...(await shown(body, json, text, taken)));
    bring(result);
    say("The query is done");
  } catch (error) {
    if (error.name !== "AbortError") result.replaceChildren(placed(error, editor));
  }
}

/** Scrolls to the result where it begins so far down that hardly anything of it is seen. */
function bring(result) {
  if (result.getBoundingClientRect().top < 0.7 * innerHeight) return;
  result.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

async function shown(body, json, text, taken) {
  if (!json) {
    const lines = await (await query(text, "application/n-triples")).text();
    return [head(taken, [saver("Turtle", "text/turtle", "graph.ttl", text), saver("N-Triples", "application/n-triples", "graph.nt", text)]), await triplesView(triples(lines), body)];
  }
  if (body.boolean !== undefined) return [head(taken, []), h("p", { class: "headline" }, body.boolean ? "Yes" : "No")];
  const savers = [saver("CSV", "text/csv", "rows.csv", text), saver("JSON", "application/sparql-results+json", "rows.json", text)];
  return [head(taken, savers), await resultsView(body)];
}

function head(taken, savers) {
  return h("div", { class: "head result-head" }, h("h2", null, "Result"), h("span", { class: "dim small-text" }, taken), h("span", { class: "buttons" }, savers));
}

function saver(name, type, file, text) {
  const button = h("button", { type: "button", class: "small" }, `Download ${name}`);
  button.addEventListener("click", async () => {
    try {
      download(file, type, await (await query(text, type)).text());
    } catch (error) {
      button.after(failure(error));
    }
  });
  return button;
}

/** An error of the query, with its place in the editor selected where one is told. */
function placed(error, editor) {
  const match = /line (\d+), column (\d+)/.exec(error.message);
  if (!match) return failure(error);
  const notice = failure(new Problem(error.message, { title: error.title }));
  const lines = editor.value.split("\n");
  const [line, column] = [Math.min(Number(match[1]), lines.length), Number(match[2])];
  const button = h("button", { type: "button", class: "small" }, `Go to line ${line}`);
  button.addEventListener("click", () => editor.go(line, column));
  notice.append(h("pre", { class: "where" }, `${lines[line - 1]}\n${" ".repeat(Math.max(0, column - 1))}^`), button);
  return notice;
}
