// One answer: the value first and large, its standing, who says so, who says otherwise, and the query behind it.

import { labelsOf, names, select } from "./api.js";
import { entityLink, statusChip } from "./claims.js";
import { brief, copyButton, h, plural, sentence, titled, wholeDates } from "./dom.js";
import { nearNames } from "./near.js";
import { resultsView } from "./results.js";
import { citedLink, valueIn } from "./source.js";

const SHOWN = 220;
// More values than this are listed, and only listed.
const TOLD = 2;
const CLAIMS = (iris) => `SELECT ?claim ?subject ?property ?value ?start ?end { VALUES ?claim { ${iris.map((iri) => `<${iri}>`).join(" ")} }
  ?claim rdf:predicate ?p ; kg:statedValue ?value . ?p rdfs:label ?property OPTIONAL { ?claim rdf:subject ?s . ?s rdfs:label ?subject }
  OPTIONAL { ?claim kg:evidence ?e . ?e kg:role kg:valueRole ; kg:start ?start ; kg:end ?end } } ORDER BY ?claim ?start`;

/** The element of an answer. */
export async function answerView(reply) {
  const known = await names();
  const claims = await claimsOf(reply);
  const wanted = [...reply.answers.map((item) => item.label), ...reply.conflicts.flatMap((conflict) => conflict.values.map((side) => side.value))];
  const cited = new Map(reply.citations.map((citation) => [citation.id, { ...citation, told: told(citation, claims.get(citation.claim), wanted) }]));
  const unit = reply.answers.length === 1 && reply.answers[0].unit;
  const labels = unit ? await labelsOf([unit]).catch(() => new Map()) : new Map();
  const parts = reply.status !== "answered" ? [declined(reply), await nearNames(reply)] : answered(reply, cited, known, unit && (labels.get(unit) ?? unitName(unit)));
  return h("div", { class: `answer ${reply.status}` }, parts, conflicts(reply, cited), citations(reply, cited), await behind(reply, claims));
}

/** What the claims say that citations carry: subject, property, value, and where the value stands. */
async function claimsOf(reply) {
  const iris = [...new Set(reply.citations.map((citation) => citation.claim).filter(Boolean))];
  const rows = iris.length ? await select(CLAIMS(iris)).catch(() => []) : [];
  const found = new Map();
  for (const row of rows) {
    if (found.has(row.claim.value)) continue;
    found.set(row.claim.value, { subject: row.subject?.value, property: row.property.value, value: row.value.value,
      at: row.start && [Number(row.start.value), Number(row.end.value)] });
  }
  return found;
}

/** Rows and key-value lines as pairs of a heading and what stands under it; none for a sentence. */
function pairsOf(plain) {
  const pairs = (plain ?? "").split("; ").map((part) => /^([^:]{1,60}): (.+)$/s.exec(part));
  return pairs.every(Boolean) ? pairs.map(([, heading, text]) => ({ heading, text })) : [];
}

/** How a quotation is shown, and the stretch of the document that its value takes. */
function told(citation, claim, wanted) {
  const start = citation.document_start + citation.start;
  const pairs = pairsOf(citation.plain);
  const answers = (text) => wanted.some((label) => label && (text.includes(label) || (text.length > 1 && label.includes(text))));
  const found = claim?.at ?? wanted.map((label) => valueIn(citation.quote, start, label)).find(Boolean);
  const at = found && found[0] >= start && found[1] <= start + Array.from(citation.quote).length ? found : null;
  if (claim?.subject && pairs.some(({ text }) => text.includes(claim.value))) {
    return { at, line: [`${claim.subject} – ${claim.property}: `, h("b", null, claim.value)] };
  }
  if (pairs.length === 2) return { at, line: [`${pairs[0].text}: `, h("b", null, pairs[1].text)] };
  if (pairs.length > 2) {
    const cells = pairs.slice(1).filter(({ text }) => answers(text));
    const shown = cells.length ? cells : pairs.slice(1, 4);
    return { at, line: [`${pairs[0].text} – `, shown.map(({ heading, text }, i) => [i > 0 && ", ", `${heading}: `, h("b", null, brief(text, 80))])] };
  }
  return { at, line: null };
}

/** Answers are composed as: value – “quotation” – what else is to be said. */
function divide(text) {
  const match = /^([\s\S]+?) – “([\s\S]+?)”(?: – ([\s\S]+?))?\.?$/.exec(text);
  return match ? match.slice(1) : [text, null, null];
}

function answered(reply, cited, known, unit) {
  const text = reply.explanation ? reply.answer.replace(` ${reply.explanation}`, "") : reply.answer;
  const [value, quotation, remark] = divide(text);
  const statuses = [...new Set(reply.answers.map((item) => item.status).filter(Boolean))];
  const sources = new Set(reply.citations.map((citation) => citation.document)).size;
  const main = [...new Set(reply.answers.flatMap((item) => item.citations))];
  const listed = reply.answers.length > TOLD;
  const items = reply.answers.map((item) => h("li", null,
    item.iri ? entityLink(item.iri, wholeDates(item.label), known) : wholeDates(item.label), " ", statuses.length > 1 && statusChip(item.status), " ",
    item.citations.slice(0, 4).map((id) => chip(cited.get(id)))));
  // Answers to the parts of a question: no one of them stands for all.
  const whole = reply.answers.length < 2 || reply.answers.every((item) => value.includes(item.label));
  // What the list says isn't said before it; what leads up to it is.
  const lead = !whole ? "" : listed && value.includes(reply.answers[0].label) ? value.slice(0, value.indexOf(reply.answers[0].label)).replace(/[\s:–]+$/, "") : value;
  return [
    lead ? headline(lead) : h("ul", { class: "headline values", tabindex: -1 }, items),
    h("p", { class: "standing" }, statuses.map(statusChip),
      unit && !says(value, unit, reply.answers[0].unit) && h("span", { class: "chip", title: reply.answers[0].unit }, unit),
      h("span", { class: "dim" }, `${plural(sources, "source")}`), reply.answers.length < 2 && main.slice(0, 4).map((id) => chip(cited.get(id)))),
    !whole && h("p", { class: "dim" }, wholeDates(text)),
    whole && quotation && !inSources(quotation, reply) && h("blockquote", { class: "said" }, quotation),
    whole && remark && !reply.conflicts.length && h("p", { class: "dim" }, sentence(remark)),
    reply.answers.length > 1 && lead && h("ul", { class: "values" }, items),
    reply.explanation && h("p", { class: "explanation dim" }, sentence(explained(reply))),
  ];
}

/** How it was made, with the titles of documents as they stand elsewhere on the page. */
function explained(reply) {
  return reply.citations.reduce((text, { title }) => text.replace(`“${title}”`, `“${titled(title)}”`), reply.explanation);
}

function headline(text) {
  return h("p", { class: `headline ${text.length > 140 ? "longest" : text.length > 48 ? "longer" : ""}`, tabindex: -1 }, wholeDates(text));
}

/** Whether an answer says its unit already, by its name or by its sign. */
function says(value, unit, iri) {
  const currency = /CCY_(\w{3})$/.exec(iri)?.[1];
  const sign = currency && new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" }).formatToParts(1)[0].value;
  return (sign && value.includes(sign)) || value.toLowerCase().includes(unit.toLowerCase());
}

/** Whether the sources below show the same words. */
function inSources(quotation, reply) {
  const words = quotation.replace(/^…|…$/g, "").replace(/\s+/g, " ");
  return reply.citations.some((citation) => [citation.plain, citation.quote].some((text) => text?.replace(/\s+/g, " ").includes(words)));
}

/** Units are named by code where nobody labels them: "GigaBIT-PER-SEC", "CCY_USD". */
function unitName(unit) {
  const code = unit.replace(/^.*[/#]/, "");
  const currency = /^CCY_(\w{3})$/.exec(code)?.[1];
  if (currency) return new Intl.DisplayNames("en", { type: "currency" }).of(currency);
  return code.replace(/([a-z])([A-Z]{2,})/g, (_, a, b) => a + b.toLowerCase()).replaceAll("-", " ").toLowerCase();
}

/** A refusal. Names that really look alike stand below it, so that it needn't ask after any. */
function declined(reply) {
  const said = reply.answer.replace(/ Did you mean [^?]*\?/, "");
  return [
    h("p", { class: "headline longer", tabindex: -1 }, said),
    h("p", { class: "standing" }, h("span", { class: "chip status-undisclosed" }, "not answered")),
  ];
}

/** A numbered chip that opens its document at the quotation. */
function chip(citation) {
  if (!citation) return null;
  return link(citation, { class: "cite", "aria-label": `Source ${citation.id}: ${titled(citation.title)}`, title: place(citation) }, String(citation.id));
}

function link(citation, attributes, ...children) {
  const start = citation.document_start + citation.start;
  return citedLink(attributes, citation.document, [start, citation.document_start + citation.end], citation.told.at, ...children);
}

function place(citation) {
  const below = citation.heading[0] === citation.title ? citation.heading.slice(1) : citation.heading;
  const page = citation.page ? `, page ${citation.page}` : "";
  return [titled(citation.title), ...below].join(" › ") + page;
}

function citations(reply, cited) {
  if (!reply.citations.length) return null;
  const label = reply.status === "answered" ? "Sources" : "What the documents do say";
  return h("section", { class: "sources", "aria-label": label }, h("h3", null, label),
    h("ol", null, [...cited.values()].map((citation) => h("li", null,
      link(citation, { class: "source" },
        h("span", { class: "cite" }, String(citation.id)),
        h("span", { class: "source-text" }, h("span", { class: "source-place" }, place(citation)),
          citation.told.line ? h("span", { class: "excerpt" }, citation.told.line) : h("q", null, brief(/<\/t/.test(citation.quote) && citation.plain || citation.quote, SHOWN))))))));
}

function conflicts(reply, cited) {
  return reply.conflicts.map((conflict) => h("section", { class: "conflict", "aria-label": "Disagreement" },
    h("h3", null, `Sources disagree on the ${conflict.property}`),
    h("div", { class: "sides" }, conflict.values.map((side) => h("div", { class: "side" },
      h("p", { class: "side-value" }, wholeDates(side.value)), h("p", { class: "standing" }, statusChip(side.status), side.citations.map((id) => chip(cited.get(id)))),
      side.citations.slice(0, 1).map((id) => cited.get(id) && h("p", { class: "dim small-text" }, place(cited.get(id)))))))));
}

/** What columns are called, for people: by the property that the claims cited are of. */
function headings(claims) {
  const properties = new Set([...claims.values()].map((claim) => claim.property));
  const value = properties.size === 1 ? [...properties][0] : "value";
  return { thing: "name", subject: "name", value, status: "standing" };
}

async function behind(reply, claims) {
  if (!reply.sparql) return null;
  const rows = reply.bindings?.results?.bindings ?? [];
  // One row, or one column, says again what the answer says.
  const worth = rows.length > 1 && (reply.bindings.head.vars.length > 1 || rows.length > Math.max(8, reply.answers.length));
  return [
    worth && h("section", { class: "behind", "aria-label": "Rows" }, h("h3", null, "Rows"), await resultsView(reply.bindings, { chart: rows.length > 2, headings: headings(claims) })),
    h("details", { class: "query" }, h("summary", null, "The SPARQL behind it"),
      h("pre", { tabindex: 0 }, h("code", null, reply.sparql)),
      h("p", { class: "buttons" }, copyButton(() => reply.sparql), h("a", { class: "button small", href: `/query?q=${encodeURIComponent(reply.sparql)}` }, "Open in the query view"))),
  ];
}
