// Rows of a query as a table, and as a chart where they are numbers or dates.

import { labelsOf, names, pageOf, shorten } from "./api.js";
import { barChart, CHARTED, timeline } from "./chart.js";
import { graphOf, sketch } from "./draw.js";
import { h, plural } from "./dom.js";

const STEP = 200;
const XSD = "http://www.w3.org/2001/XMLSchema#";
const NUMBERS = new Set(["integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger"].map((name) => XSD + name));
const DATES = new Set(["date", "gYear", "gYearMonth", "dateTime"].map((name) => XSD + name));

/** Whether a column holds years, which aren't grouped: 2015, not 2,015. */
function years(name) {
  return /year/i.test(name);
}

/** A number for people; other values as they are, and numbers that name something. */
function showTerm(term, naming = false) {
  if (!NUMBERS.has(term.datatype) || (naming && /^[12]\d{3}$/.test(term.value))) return term.value;
  const value = Number(term.value);
  if (!Number.isFinite(value)) return term.value;
  if (Math.abs(value) >= 1e15 || (value && Math.abs(value) < 1e-4)) return value.toExponential(3).replace(/\.?0+e\+?/, " × 10^");
  return value.toLocaleString("en", { maximumFractionDigits: 6 });
}

/** The same, shorter where it stands beside a bar: "1.8 trillion". */
function showShort(term) {
  const value = Number(term.value);
  if (!NUMBERS.has(term.datatype) || Math.abs(value) < 1e6 || Math.abs(value) >= 1e15) return showTerm(term);
  return value.toLocaleString("en", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 4 });
}

/** Table, chart and a switch between them, for the JSON results of a SELECT. */
export async function resultsView(json, { chart = false, graph = true, headings = {} } = {}) {
  const known = await names();
  const { vars } = json.head;
  const rows = json.results.bindings;
  if (!rows.length) return h("p", { class: "empty" }, "The query gave no rows.");
  const iris = rows.slice(0, STEP).flatMap((row) => vars.map((name) => row[name])).filter((term) => term?.type === "uri");
  const labels = await labelsOf(iris.map((term) => term.value)).catch(() => new Map());
  const table = tableOf(vars, rows, known, labels, headings);
  const drawn = chartOf(vars, rows, known, labels);
  const panels = [["Table", table], drawn && [drawn.name, drawn.element], graph && linked(vars, rows, known, labels)].filter(Boolean);
  return panels.length > 1 ? tabs(panels, drawn && chart ? 1 : 0) : table;
}

/** Rows with two columns of things, as a graph: each row connects them. */
function linked(vars, rows, known, labels) {
  const [from, to] = vars.filter((name) => rows.slice(0, STEP).every((row) => !row[name] || (row[name].type === "uri" && pageOf(row[name].value, known))));
  if (!to) return null;
  const found = rows.filter((row) => row[from] && row[to]).map((row) => ({ s: row[from].value, p: "", o: row[to].value }));
  return found.length ? ["Graph", () => sketch(graphOf(found, (iri) => labels.get(iri) ?? shorten(iri, known)))] : null;
}

/** Triples as a graph, as a table and as Turtle. */
export async function triplesView(found, turtle) {
  const known = await names();
  const text = h("pre", { class: "turtle", tabindex: 0 }, turtle || "# no triples");
  if (!found.length) return text;
  const bindings = found.map(({ s, p, o }) => ({ subject: { type: "uri", value: s }, predicate: { type: "uri", value: p }, object: o }));
  const table = await resultsView({ head: { vars: ["subject", "predicate", "object"] }, results: { bindings } }, { graph: false });
  const edges = found.filter(({ o }) => o.type === "uri").map(({ s, p, o }) => ({ s, p, o: o.value }));
  const labels = await labelsOf(edges.slice(0, STEP).flatMap(({ s, p, o }) => [s, p, o])).catch(() => new Map());
  const name = (iri) => labels.get(iri) ?? shorten(iri, known);
  return tabs([edges.length && ["Graph", () => sketch(graphOf(edges, name))], ["Table", table], ["Turtle", text]].filter(Boolean), 0);
}

function tabs(panels, first) {
  const body = h("div", { class: "tab-body" });
  const buttons = panels.map(([name, element]) => {
    const button = h("button", { type: "button", class: "tab", "aria-pressed": "false" }, name);
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      body.replaceChildren(typeof element === "function" ? element() : element);
    });
    return button;
  });
  buttons[first].click();
  return h("div", { class: "tabs" }, h("div", { class: "tab-bar", role: "group", "aria-label": "Show as" }, buttons), body);
}

function tableOf(vars, rows, known, labels, headings) {
  const numeric = new Set(vars.filter((name) => vars.length > 1 && !years(name) && rows.slice(0, STEP).every((row) => !row[name] || NUMBERS.has(row[name].datatype)) && rows.some((row) => row[name])));
  const body = h("tbody");
  const more = h("button", { type: "button", class: "small" });
  let shown = 0;
  const extend = async () => {
    const next = rows.slice(shown, shown + STEP);
    if (shown) {
      const iris = next.flatMap((row) => Object.values(row)).filter((term) => term.type === "uri").map((term) => term.value);
      for (const [iri, label] of await labelsOf(iris).catch(() => new Map())) labels.set(iri, label);
    }
    body.append(...next.map((row) => h("tr", null, vars.map((name) => h("td", { class: numeric.has(name) ? "number" : null }, cell(row[name], known, labels, years(name)))))));
    shown += next.length;
    more.textContent = `Show more (${(rows.length - shown).toLocaleString("en")} left)`;
    more.hidden = shown >= rows.length;
  };
  more.addEventListener("click", extend);
  extend();
  return h("div", null, h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Rows" },
    h("table", { class: "rows fit" }, h("thead", null, h("tr", null, vars.map((name) => h("th", { class: numeric.has(name) ? "number" : null, scope: "col" }, headings[name] ?? name)))), body)),
    h("p", { class: "dim small-text" }, plural(rows.length, "row"), " ", more));
}

function cell(term, known, labels, naming) {
  if (!term) return h("span", { class: "dim" }, "–");
  if (term.type === "uri") {
    const address = pageOf(term.value, known);
    const label = labels.get(term.value) ?? shorten(term.value, known);
    return address ? h("a", { href: address, title: term.value }, label) : h("span", { title: term.value }, label);
  }
  const text = showTerm(term, naming);
  return term.value.length > 300 ? h("div", { class: "long" }, text) : text;
}

function chartOf(vars, rows, known, labels) {
  if (rows.length < 2 || vars.length < 2) return null;
  const some = rows.slice(0, STEP);
  for (const [kinds, name] of [[NUMBERS, "Chart"], [DATES, "Timeline"]]) {
    const column = vars.findLast((v) => (kinds === DATES || !years(v)) && some.every((row) => row[v] && kinds.has(row[v].datatype)));
    if (!column) continue;
    const said = kinds === DATES && vars.find((v) => v !== column && some.every((row) => row[v]?.value.includes(row[column].value.slice(0, 4))));
    const naming = namesOf(vars.filter((v) => v !== column && v !== said), some, kinds, known, labels);
    const items = some.map((row, i) => ({ label: naming[i], shown: said ? row[said].value : showShort(row[column]), value: valueOf(row[column]) })).filter((item) => Number.isFinite(item.value));
    if (items.length < 2) continue;
    const drawn = name === "Timeline" ? timeline(items) : bars(items);
    const left = rows.length > CHARTED && h("p", { class: "dim small-text" }, `The first ${CHARTED} of ${plural(rows.length, "row")} are drawn.`);
    return { name, element: h("div", null, drawn, left) };
  }
  return null;
}

/** What each row is called: by its first column of words; by the next as well where that names several rows. */
function namesOf(vars, rows, kinds, known, labels) {
  const wordy = vars.filter((v) => rows.some((row) => row[v] && !kinds.has(row[v].datatype)));
  const [first, second] = wordy.length ? wordy : vars;
  const told = rows.map((row) => textOf(row[first], known, labels));
  if (!second || new Set(told).size === told.length) return told;
  return rows.map((row, i) => (row[second] && textOf(row[second], known, labels) !== told[i] ? `${told[i]} – ${textOf(row[second], known, labels)}` : told[i]));
}

function bars(items) {
  const values = items.map((item) => item.value);
  const far = Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 50;
  const huge = far && Math.max(...values) / Math.min(...values) > 5000;
  const box = h("input", { type: "checkbox" });
  const place = h("div");
  const draw = () => place.replaceChildren(barChart(items, box.checked));
  box.addEventListener("change", draw);
  box.checked = huge;
  draw();
  return h("div", null, far && h("label", { class: "check" }, box, "Orders of magnitude (logarithmic)"), place);
}

function textOf(term, known, labels) {
  if (!term) return "–";
  return term.type === "uri" ? labels.get(term.value) ?? shorten(term.value, known) : showTerm(term, true);
}

function valueOf(term) {
  return DATES.has(term.datatype) ? Date.parse(/^\d{4}$/.test(term.value) ? `${term.value}-01-01` : term.value) : Number(term.value);
}
