// One answer: the value first and large, its standing, who says so, who says otherwise, and the query behind it.

import { labelsOf, names } from "./api.js";
import { entityLink, statusChip } from "./claims.js";
import { brief, copyButton, h, plural, sentence } from "./dom.js";
import { nearNames } from "./near.js";
import { resultsView } from "./results.js";
import { sourceLink } from "./source.js";

const REASONS = {
  unknown_entity: "A name in the question does not occur in the documents.",
  unknown_relation: "The documents know what you ask about, but not this about it.",
  no_evidence: "No passage says it.",
  ambiguous: "The question can be understood in more than one way.",
};

/** The element of an answer. */
export async function answerView(reply) {
  const known = await names();
  const cited = new Map(reply.citations.map((citation) => [citation.id, citation]));
  const unit = reply.answers.length === 1 && reply.answers[0].unit;
  const labels = unit ? await labelsOf([unit]).catch(() => new Map()) : new Map();
  const parts = reply.status === "answered" ? answered(reply, cited, known, unit && (labels.get(unit) ?? unitName(unit))) : [declined(reply), await nearNames(reply)];
  return h("div", { class: `answer ${reply.status}` }, parts, conflicts(reply, cited), citations(reply), await behind(reply));
}

/** Answers are composed as: value – “quotation” – what else is to be said. */
function divide(text) {
  const match = /^([\s\S]+?) – “([\s\S]+?)”(?: – ([\s\S]+?))?\.?$/.exec(text);
  return match ? match.slice(1) : [text, null, null];
}

function answered(reply, cited, known, unit) {
  const [value, quotation, remark] = divide(reply.answer);
  const statuses = [...new Set(reply.answers.map((item) => item.status).filter(Boolean))];
  const sources = new Set(reply.citations.map((citation) => citation.document)).size;
  const main = [...new Set(reply.answers.flatMap((item) => item.citations))];
  const many = reply.answers.length > 1;
  return [
    h("p", { class: `headline ${value.length > 140 ? "longest" : value.length > 48 ? "longer" : ""}`, tabindex: -1 }, value),
    h("p", { class: "standing" }, statuses.map(statusChip),
      unit && h("span", { class: "chip", title: reply.answers[0].unit }, unit),
      h("span", { class: "dim" }, `${plural(sources, "source")}`)),
    quotation && h("blockquote", { class: "said" }, quotation, " ", main.slice(0, 3).map((id) => chip(cited.get(id)))),
    remark && !reply.conflicts.length && h("p", { class: "dim" }, sentence(remark)),
    reply.explanation && h("p", { class: "explanation dim" }, sentence(reply.explanation)),
    many && h("ul", { class: "values" }, reply.answers.map((item) => h("li", null,
      item.iri ? entityLink(item.iri, item.label, known) : item.label, " ", statuses.length > 1 && statusChip(item.status), " ",
      item.citations.slice(0, 4).map((id) => chip(cited.get(id)))))),
  ];
}

/** Units are named by code where nobody labels them: "GigaBIT-PER-SEC", "CCY_USD". */
function unitName(unit) {
  const code = unit.replace(/^.*[/#]/, "");
  const currency = /^CCY_(\w{3})$/.exec(code)?.[1];
  if (currency) return new Intl.DisplayNames("en", { type: "currency" }).of(currency);
  return code.replace(/([a-z])([A-Z]{2,})/g, (_, a, b) => a + b.toLowerCase()).replaceAll("-", " ").toLowerCase();
}

function declined(reply) {
  return [
    h("p", { class: "headline longer", tabindex: -1 }, reply.answer),
    h("p", { class: "standing" }, h("span", { class: "chip status-undisclosed" }, "not answered"), h("span", { class: "dim" }, REASONS[reply.reason] ?? "")),
  ];
}

/** A numbered chip that opens its document at the quotation. */
function chip(citation) {
  if (!citation) return null;
  return sourceLink({ class: "cite", "aria-label": `Source ${citation.id}: ${citation.title}`, title: place(citation) }, citation.document, [stretch(citation)], String(citation.id));
}

function stretch(citation) {
  return [citation.document_start + citation.start, citation.document_start + citation.end];
}

function place(citation) {
  const below = citation.heading[0] === citation.title ? citation.heading.slice(1) : citation.heading;
  const page = citation.page ? `, page ${citation.page}` : "";
  return [citation.title, ...below].join(" › ") + page;
}

function citations(reply) {
  if (!reply.citations.length) return null;
  const label = reply.status === "answered" ? "Sources" : "Nearest passages";
  return h("section", { class: "sources", "aria-label": label }, h("h3", null, label),
    h("ol", null, reply.citations.map((citation) => h("li", null,
      sourceLink({ class: "source" }, citation.document, [stretch(citation)],
        h("span", { class: "cite" }, String(citation.id)),
        h("span", { class: "source-text" }, h("span", { class: "source-place" }, place(citation)), h("q", null, brief(citation.quote, 220))))))));
}

function conflicts(reply, cited) {
  return reply.conflicts.map((conflict) => h("section", { class: "conflict", "aria-label": "Disagreement" },
    h("h3", null, `Sources disagree on the ${conflict.property}`),
    h("div", { class: "sides" }, conflict.values.map((side) => h("div", { class: "side" },
      h("p", { class: "side-value" }, side.value), h("p", { class: "standing" }, statusChip(side.status), side.citations.map((id) => chip(cited.get(id)))),
      side.citations.slice(0, 1).map((id) => cited.get(id) && h("p", { class: "dim small-text" }, place(cited.get(id)))))))));
}

async function behind(reply) {
  if (!reply.sparql) return null;
  const rows = reply.bindings?.results?.bindings ?? [];
  // One column says again what the answer says.
  const worth = rows.length > 0 && (reply.bindings.head.vars.length > 1 || rows.length > Math.max(8, reply.answers.length));
  return [
    worth && h("section", { class: "behind", "aria-label": "Rows" }, h("h3", null, "Rows"), await resultsView(reply.bindings, { chart: rows.length > 2 })),
    h("details", { class: "query" }, h("summary", null, "The SPARQL behind it"),
      h("pre", { tabindex: 0 }, h("code", null, reply.sparql)),
      h("p", { class: "buttons" }, copyButton(() => reply.sparql), h("a", { class: "button small", href: `/query?q=${encodeURIComponent(reply.sparql)}` }, "Open in the query view"))),
  ];
}
