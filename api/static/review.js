// What there is to decide on, as lists: disagreements, what was not kept, names taken for one, decisions in force.

import { change, getJson, names, pageOf, select } from "./api.js";
import { brief, failure, h, more, plural, say } from "./dom.js";
import { documentAt, sourceLink } from "./source.js";

const MOST = 200;

/** A button for a decision; until it is made nothing else of its row can be pressed; where it fails, the row says why. */
function act(text, label, allowed, work) {
  const button = h("button", { type: "button", class: "small", disabled: !allowed, "aria-label": label }, text);
  button.addEventListener("click", () => saving(button, work));
  return button;
}

async function saving(button, work) {
  const row = button.closest(".decide");
  const [text, label] = [button.textContent, button.getAttribute("aria-label") ?? ""];
  const others = [...row.querySelectorAll("button, input")].filter((each) => !each.disabled);
  row.querySelector(".notice")?.remove();
  row.classList.add("busy");
  row.setAttribute("aria-busy", "true");
  others.forEach((each) => (each.disabled = true));
  button.replaceChildren(h("i", { class: "spinner" }), "Saving…");
  button.removeAttribute("aria-label");
  say("Saving");
  try {
    await work();
  } catch (error) {
    row.append(failure(error));
    others.forEach((each) => (each.disabled = false));
  }
  button.textContent = text;
  if (label) button.setAttribute("aria-label", label);
  row.classList.remove("busy");
  row.removeAttribute("aria-busy");
}

/** Makes decisions together; gives what takes them back together. */
async function decide(bodies) {
  const { decisions } = await change("POST", "/decisions", bodies);
  return () => undo(decisions);
}

function undo(decisions) {
  return change("DELETE", `/decisions/${decisions.map(({ id }) => encodeURIComponent(id)).join(",")}`);
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
  return [h("p", { class: "dim" }, "Each stays open until somebody decides. Keeping one value leaves the others out of the facts; what the documents say stays on record."),
    h("ul", { class: "decide-list" }, conflicts.map((each) => conflict(each, told, known, allowed, done))), more(conflicts.length, total, "conflict")];
}

function conflict(each, told, known, allowed, done) {
  const given = each.sides.filter((side) => side.disclosed), silent = each.sides.filter((side) => !side.disclosed);
  const name = `${each.property_label} of ${each.label}`;
  const without = (kept) => each.sides.filter((side) => !kept.includes(side)).flatMap((side) => side.claims).map((claim) => ({ type: "reject", claim }));
  const keep = given.length > 1 ? "Keep only this" : "Keep this";
  const only = (side) => act(keep, `${keep}: ${side.value}, ${name}`, allowed, async () => {
    await done(`${each.label}: the ${each.property_label} is ${side.value}.`, await decide(without([side])));
  });
  // Values of one group don't contradict each other: there is only to be said that something is known.
  const compatible = new Set(given.map((side) => side.group)).size === 1;
  const all = () => (compatible ? without(given) : given.flatMap((side) => side.claims).map((claim) => ({ type: "accept", claim })));
  const words = given.length > 2 ? "All are true" : "Both are true";
  return h("li", { class: "decide tall" }, h("h2", null, h("a", { href: pageOf(each.subject, known) ?? "/browse" }, each.label), " ", h("span", { class: "dim" }, each.property_label)),
    h("div", { class: "sides" }, given.map((side) => h("div", { class: "side" }, h("p", { class: "side-value" }, side.value), side.claims.map((claim) => quotation(told.get(claim))), only(side)))),
    silent.length > 0 && h("div", { class: "side-note" }, h("p", { class: "dim small-text" }, `${silent.length > 1 ? "Others say" : "Another says"} that it isn’t known:`), silent.flatMap((side) => side.claims).map((claim) => quotation(told.get(claim)))),
    given.length > 1 && h("p", { class: "buttons decide-foot" }, act(words, `${words}: ${name}`, allowed, async () => done(`${each.label}: ${words.toLowerCase()}.`, await decide(all())))));
}

/** What was found and not kept, with the reason. */
export async function rejectedList({ allowed, done }) {
  const { total, rejected } = await getJson(`/review/rejected?limit=${MOST}`);
  if (!total) return h("p", { class: "empty" }, "Everything that was found was kept.");
  const known = await names();
  return [h("p", { class: "dim" }, "Found in the documents and not taken as fact, each with the reason. Those that are whole statements can be accepted."),
    h("ul", { class: "decide-list" }, rejected.map((each) => h("li", { class: "decide" }, h("div", null,
      h("a", { href: documentAt(`${known.base}document/${each.document}`, [each.start, each.end]), "data-beside": true, class: "quoted" }, h("q", null, brief(each.text, 240)), h("span", { class: "dim small-text" }, each.document)),
      h("p", { class: "small-text" }, each.reason)),
    h("div", { class: "buttons" }, each.claim ? act("Accept", `Accept: ${brief(each.text, 80)}`, allowed, async () => done("Accepted as a fact.", await decide([{ type: "accept", claim: each.claim }]))) : null)))),
    more(rejected.length, total, "finding")];
}

/** Names taken for one thing, each of which can be split off; and a form that takes two for one. */
export async function mergeList({ allowed, done }) {
  const { total, merges } = await getJson(`/review/merges?limit=${MOST}`);
  const known = await names();
  return [mergeForm(allowed, done), !total && h("p", { class: "empty" }, "No two names are taken for one thing."),
    h("ul", { class: "decide-list" }, merges.map((each) => h("li", { class: "decide tall" }, h("h2", null, h("a", { href: pageOf(each.iri, known) ?? "/browse" }, each.label)),
      h("ul", { class: "names" }, each.names.slice(1).map((name) => h("li", null, h("span", null, name),
        act("Split off", `Split off ${name} from ${each.label}`, allowed, async () => done(`${name} and ${each.label} are two.`, await decide([{ type: "split", name: each.label, other_name: name }])))))),
      each.reasons.length > 0 && h("details", null, h("summary", null, "Why they were taken for one"), h("ul", { class: "plain small-text" }, each.reasons.map((why) => h("li", null, why))))))),
    more(merges.length, total, "thing")];
}

function mergeForm(allowed, done) {
  const [one, another] = ["One name", "Another name for it"].map((label) => h("input", { type: "text", required: true, maxlength: 500, "aria-label": label, placeholder: label, autocomplete: "off", disabled: !allowed }));
  const form = h("form", { class: "decide merge-form" }, h("div", { class: "buttons" }, one, another, h("button", { class: "small", disabled: !allowed }, "They are one thing")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [name, other] = [one.value.trim(), another.value.trim()];
    saving(form.querySelector("button"), async () => done(`${name} and ${other} are one.`, await decide([{ type: "merge", name, other_name: other }])));
  });
  return form;
}

const TITLES = { accept: "Accepted as a fact", reject: "Left out", merge: "One thing", split: "Kept apart" };

/** Decisions in force, those about the same together; each can be taken back. */
export async function decisionList({ allowed, done }) {
  const { decisions } = await getJson("/decisions");
  if (!decisions.length) return h("p", { class: "empty" }, "Nobody has decided anything yet.");
  const known = await names();
  const iri = (each) => `${known.base}claim/${each.claim}`;
  const told = await quotes(decisions.filter((each) => each.claim).map(iri));
  const groups = new Map();
  for (const each of decisions) {
    const row = told.get(iri(each));
    const key = row ? `${each.type} ${row.subject?.value} ${row.property?.value}` : each.id;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return h("ul", { class: "decide-list" }, [...groups.values()].map((same) => decided(same, same.map((each) => told.get(iri(each))), allowed, done)));
}

function decided(same, rows, allowed, done) {
  const [each] = same, [row] = rows, title = TITLES[each.type], again = same.length > 1 ? "Undo all" : "Undo";
  const what = each.claim ? (row ? `${row.subject?.value ?? ""} – ${row.property?.value ?? ""}` : each.claim) : [h("b", null, each.name), " and ", h("b", null, each.other_name)];
  return h("li", { class: "decide" }, h("div", null, h("span", { class: `chip decided-${each.type}` }, title), " ", h("span", null, what), same.length > 1 && h("span", { class: "dim" }, ` · ${plural(same.length, "statement")}`),
    rows.map(quotation)), h("div", { class: "buttons" }, act(again, `${again}: ${title}`, allowed, async () => {
    await undo(same);
    await done("Taken back.");
  })));
}
