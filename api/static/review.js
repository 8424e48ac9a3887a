// What there is to decide on, as lists: disagreements, what was not kept, names taken for one, decisions in force.

import { change, getJson, names, pageOf, select } from "./api.js";
import { brief, failure, h, more } from "./dom.js";
import { documentAt, sourceLink } from "./source.js";

const MOST = 200;

/** A button for a decision; where it fails, the row says why. */
function act(text, label, allowed, work, kind = "") {
  const button = h("button", { type: "button", class: `small ${kind}`, disabled: !allowed, "aria-label": label }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      button.disabled = false;
      button.closest(".decide").append(failure(error));
    }
  });
  return button;
}

async function decide(bodies) {
  const made = [];
  for (const body of bodies) made.push(await change("POST", "/decisions", body));
  return async () => {
    for (const { id } of made) await change("DELETE", `/decisions/${encodeURIComponent(id)}`);
  };
}

/** Quotations of claims by IRI. */
async function quotes(claims) {
  if (!claims.length) return new Map();
  const rows = await select(`SELECT ?claim ?quote ?start ?end ?document ?title ?status ?subject ?property { VALUES ?claim { ${claims.map((iri) => `<${iri}>`).join(" ")} }
    ?claim kg:quote ?quote ; kg:quoteStart ?start ; kg:quoteEnd ?end ; kg:status ?status ; rdf:subject ?s ; rdf:predicate ?p ; prov:wasDerivedFrom/dcterms:isPartOf ?document . ?document dcterms:title ?title
    OPTIONAL { ?s rdfs:label ?subject } OPTIONAL { ?p rdfs:label ?property } }`);
  return new Map(rows.map((row) => [row.claim.value, row]));
}

function quotation(row) {
  return row && sourceLink({ class: "quoted" }, row.document.value, [[Number(row.start.value), Number(row.end.value)]], h("q", null, brief(row.quote.value, 200)), h("span", { class: "dim small-text" }, row.title.value));
}

/** Disagreements, side by side. */
export async function conflictList({ allowed, done }) {
  const { total, conflicts } = await getJson(`/review/conflicts?limit=${MOST}`);
  if (!total) return h("p", { class: "empty" }, "The documents agree wherever they speak of the same.");
  const [told, known] = await Promise.all([quotes(conflicts.flatMap((each) => each.sides.flatMap((side) => side.claims)).slice(0, 400)), names()]);
  return [h("p", { class: "dim" }, "Each holds until somebody decides. Keeping one value rejects the others; they stay as claims."),
    h("ul", { class: "decide-list" }, conflicts.map((each) => conflict(each, told, known, allowed, done))), more(conflicts.length, total, "conflict")];
}

function conflict(each, told, known, allowed, done) {
  const keepOnly = (kept) => async () => {
    const others = each.sides.filter((side) => side !== kept).flatMap((side) => side.claims);
    await done(`${each.label}: the ${each.property_label} is ${kept.value}.`, await decide(others.map((claim) => ({ type: "reject", claim }))));
  };
  return h("li", { class: "decide tall" }, h("h2", null, h("a", { href: pageOf(each.subject, known) ?? "/browse" }, each.label), " ", h("span", { class: "dim" }, each.property_label)),
    h("div", { class: "sides" }, each.sides.map((side) => h("div", { class: "side" }, h("p", { class: "side-value" }, side.value),
      side.claims.map((claim) => quotation(told.get(claim))), act("Keep this", `Keep this: ${side.value}, ${each.property_label} of ${each.label}`, allowed, keepOnly(side))))));
}

/** What was found and not kept, with the reason. */
export async function rejectedList({ allowed, done }) {
  const { total, rejected } = await getJson(`/review/rejected?limit=${MOST}`);
  if (!total) return h("p", { class: "empty" }, "Everything that was found was kept.");
  const known = await names();
  return [h("p", { class: "dim" }, "What got as far as being a claim can be accepted; the rest tells what the extractors were not sure of."),
    h("ul", { class: "decide-list" }, rejected.map((each) => h("li", { class: "decide" }, h("div", null,
      h("a", { href: documentAt(`${known.base}document/${each.document}`, [each.start, each.end]), "data-beside": true, class: "quoted" }, h("q", null, brief(each.text, 240)), h("span", { class: "dim small-text" }, each.document)),
      h("p", { class: "small-text" }, each.reason)),
    h("div", { class: "buttons" }, each.claim ? act("Accept", `Accept: ${brief(each.text, 80)}`, allowed, async () => done("Accepted as a fact.", await decide([{ type: "accept", claim: each.claim }]))) : h("span", { class: "chip" }, each.extractors.join(", ")))))),
    more(rejected.length, total, "finding")];
}

/** Names taken for one thing, each of which can be split off; and a form that takes two for one. */
export async function mergeList({ allowed, done }) {
  const { total, merges } = await getJson(`/review/merges?limit=${MOST}`);
  const known = await names();
  return [mergeForm(allowed, done), !total && h("p", { class: "empty" }, "No two names were taken for one."),
    h("ul", { class: "decide-list" }, merges.map((each) => h("li", { class: "decide tall" }, h("h2", null, h("a", { href: pageOf(each.iri, known) ?? "/browse" }, each.label)),
      h("ul", { class: "names" }, each.names.slice(1).map((name) => h("li", null, h("span", null, name),
        act("Split off", `Split off ${name} from ${each.label}`, allowed, async () => done(`${name} and ${each.label} are two.`, await decide([{ type: "split", name: each.label, other_name: name }])))))),
      each.reasons.length > 0 && h("details", null, h("summary", null, "Why they were taken for one"), h("ul", { class: "plain small-text" }, each.reasons.map((why) => h("li", null, why))))))),
    more(merges.length, total, "thing")];
}

function mergeForm(allowed, done) {
  const [one, other] = ["One name", "Another name for it"].map((label) => h("input", { type: "text", required: true, maxlength: 500, "aria-label": label, placeholder: label, autocomplete: "off", disabled: !allowed }));
  const form = h("form", { class: "decide merge-form" }, h("div", { class: "buttons" }, one, other, h("button", { class: "small", disabled: !allowed }, "They are one thing")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.querySelector(".notice")?.remove();
    try {
      await done(`${one.value} and ${other.value} are one.`, await decide([{ type: "merge", name: one.value.trim(), other_name: other.value.trim() }]));
    } catch (error) {
      form.append(failure(error));
    }
  });
  return form;
}

const TITLES = { accept: "Accepted as a fact", reject: "Rejected", merge: "Taken for one", split: "Kept apart" };

/** Decisions in force, each of which can be taken back. */
export async function decisionList({ allowed, done }) {
  const { decisions } = await getJson("/decisions");
  if (!decisions.length) return h("p", { class: "empty" }, "Nobody has decided anything yet.");
  const known = await names();
  const claims = decisions.filter((each) => each.claim).map((each) => `${known.base}claim/${each.claim}`);
  const told = await quotes(claims);
  return h("ul", { class: "decide-list" }, decisions.map((each) => {
    const row = told.get(`${known.base}claim/${each.claim}`);
    return h("li", { class: "decide" }, h("div", null, h("span", { class: `chip decided-${each.type}` }, TITLES[each.type]), " ",
      each.claim ? h("span", null, row ? `${row.subject?.value ?? ""} – ${row.property?.value ?? ""}` : each.claim) : h("span", null, h("b", null, each.name), " and ", h("b", null, each.other_name)),
      quotation(row)), h("div", { class: "buttons" }, act("Undo", `Undo: ${TITLES[each.type]}`, allowed, async () => {
      await change("DELETE", `/decisions/${encodeURIComponent(each.id)}`);
      await done("Taken back.");
    })));
  }));
}
