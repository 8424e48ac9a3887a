// The query view: a plain editor, samples, results, errors with their place.

import { getJson, names, Problem, query, select } from "./api.js";
import { copyButton, download, failure, h, loading, say } from "./dom.js";
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
  ["Things by class", `# How many things of each class are there?
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) WHERE {
  ?thing a ?class . FILTER(STRSTARTS(STR(?thing), STR(ent:)))
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
SELECT ?subject ?stated ?earliest WHERE {
  ?claim kg:asserted true ; rdf:subject/rdfs:label ?subject ; kg:statedValue ?stated ; kg:earliest ?earliest .
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
  const editor = new Editor(given ?? kept, start, (text) => (kept = text));
  const run = h("button", { type: "button", class: "primary" }, "Run");
  run.addEventListener("click", start);
  const take = (text) => {
    editor.value = text;
    scrollTo({ top: 0 });
    start();
  };
  view.replaceChildren(h("div", { class: "page wide" }, h("div", { class: "head" }, h("h1", null, "Query"), await samples(take)),
    editor.element, h("div", { class: "buttons" }, run, copyButton(() => editor.value), link(editor),
      h("span", { class: "dim small-text", id: "keys" }, "Ctrl + Enter runs it, Ctrl + Space completes")),
    await prefixes(editor), result));
  if (given) start();
  else result.append(await gallery(take));
  return { leave: () => state.under?.abort() };
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

function galleryOf() {
  return getJson("/queries").then(({ queries }) => queries).catch(() => []);
}

/** Queries to start from, shown until there is a result. */
async function gallery(take) {
  const all = [...SAMPLES.slice(1).map(([title, text]) => ({ title, query: text })), ...(await galleryOf())];
  return h("div", { class: "gallery" }, h("h2", null, "Start from one of these"), h("ul", { class: "tiles" }, all.map(({ title, query: text }) => {
    const button = h("button", { type: "button", class: "tile" }, h("span", null, title), h("code", { class: "dim" }, shapeOf(text)));
    button.addEventListener("click", () => take(text));
    return h("li", null, button);
  })));
}

/** What a query gives, in its own words: its form and variables. */
function shapeOf(text) {
  const plain = text.replace(/#[^\n>]*$/gm, "").replace(/PREFIX\s+\w*:\s*<[^>]*>/gi, " ").replace(/\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?\sAS\s+(\?\w+)\s*\)/gi, "$1");
  const form = /\b(SELECT|CONSTRUCT|ASK|DESCRIBE)\b/i.exec(plain)?.[1].toUpperCase() ?? "";
  const wanted = form === "SELECT" ? plain.slice(plain.search(/SELECT/i) + 6).split(/WHERE|\{/i)[0].match(/\?\w+/g) ?? [] : [];
  return [form, ...new Set(wanted)].join(" ").slice(0, 60);
}

async function prefixes(editor) {
  const { prefixes: known } = await names();
  const rows = Object.entries(known).sort(([a], [b]) => a.localeCompare(b)).map(([name, iri]) => {
    const button = h("button", { type: "button", class: "prefix", title: iri }, `${name}:`);
    button.addEventListener("click", () => {
      const { field } = editor;
      field.setRangeText(`${name}:`, field.selectionStart, field.selectionEnd, "end");
      field.focus();
      editor.edited();
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
    say("The query is done");
  } catch (error) {
    if (error.name !== "AbortError") result.replaceChildren(placed(error, editor));
  }
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
