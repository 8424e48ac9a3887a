// Documents in, with what was found in them; documents out.

import { change, changed, events, getJson, select } from "./api.js";
import { documentKind } from "./documents.js";
import { failure, h, plural, say } from "./dom.js";

/** A field for files, the progress and the report. */
export async function uploadForm({ allowed }) {
  const field = h("input", { type: "file", id: "files", multiple: true, disabled: !allowed });
  const chosen = h("span", { class: "dim small-text" }, "Markdown, HTML, Word, PDF, CSV or plain text");
  const go = h("button", { class: "primary", disabled: true }, "Upload");
  const state = h("div", { class: "upload-state", "aria-live": "polite" });
  const form = h("form", { class: "drop" }, h("label", { for: "files", class: "button", "aria-disabled": allowed ? null : "true" }, "Choose files"), field, h("span", { class: "dim" }, "or drop them here"), chosen, go);
  let files = [];
  const take = (list) => {
    files = [...list];
    chosen.textContent = files.length ? files.map((file) => file.name).join(", ") : "No files chosen";
    go.disabled = !files.length || !allowed;
  };
  field.addEventListener("change", () => take(field.files));
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.toggle("over", allowed);
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (allowed) take(event.dataTransfer.files);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    await upload(files, state);
    go.disabled = false;
  });
  return [form, !allowed && h("p", { class: "dim" }, "Uploading takes an access key that may write."), state];
}

/** Steps of a change by what the server calls them; every other is a file's name. */
const STEPS = { graph: "Adding the facts to the graph", indexes: "Making them searchable", done: "Nearly done" };
const LISTED = 8;

async function upload(files, state) {
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const what = h("span", { class: "small-text" }, "Sending…");
  state.replaceChildren(h("div", { class: "uploading" }, bar, what));
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  try {
    const report = await events("/documents", { method: "POST", body: form }, "report", (name, data) => {
      if (name !== "progress") return;
      what.textContent = STEPS[data.what] ?? `Reading ${data.what}`;
      if (data.what in STEPS || data.total < 2) bar.removeAttribute("value");
      else bar.value = data.done / data.total;
    });
    changed();
    const { documents } = await getJson("/documents");
    const sent = new Set(files.map((file) => file.name));
    const fresh = documents.filter(({ name }) => sent.has(name) && [...report.added, ...report.changed].includes(name));
    state.replaceChildren(reportView(report, documents, sent, await found(fresh), await disputed(fresh)));
    say("The documents are in");
  } catch (error) {
    state.replaceChildren(failure(error), failedList(error.failed ?? []) ?? "");
  }
}

/** What documents state as facts: the first few, and how many there are. */
async function found(documents) {
  if (!documents.length) return { facts: [], total: 0 };
  const about = `VALUES ?document { ${documents.map(({ iri }) => `<${iri}>`).join(" ")} }
    ?claim kg:asserted true ; rdf:subject/rdfs:label ?subject ; rdf:predicate/rdfs:label ?property ; kg:statedValue ?stated ; kg:quoteStart ?start ; prov:wasDerivedFrom/dcterms:isPartOf ?document .`;
  const [facts, [count]] = await Promise.all([select(`SELECT DISTINCT ?subject ?property ?stated ?document ?start { ${about} } ORDER BY ?document ?start LIMIT ${LISTED}`),
    select(`SELECT (COUNT(DISTINCT ?claim) AS ?n) { ${about} }`)]);
  return { facts, total: Number(count.n.value) };
}

/** How many conflicts these documents have a part in. */
async function disputed(documents) {
  const iris = new Set(documents.map(({ iri }) => iri));
  const { conflicts } = await getJson("/review/conflicts?limit=1000");
  return conflicts.filter(({ sides }) => sides.some((side) => side.documents.some((iri) => iris.has(iri)))).length;
}

function reportView(report, documents, sent, { facts, total }, disputes) {
  const byName = new Map(documents.map((document) => [document.name, document]));
  const groups = [["Added", report.added], ["Changed", report.changed], ["Unchanged", report.unchanged]].map(([title, names]) => [title, names.filter((name) => sent.has(name))]).filter(([, names]) => names.length);
  const again = report.changed.filter((name) => !sent.has(name)).length;
  return h("section", { class: "report card", "aria-label": "Report" }, h("h2", null, report.failed.length ? "Some are in" : "The documents are in"),
    groups.map(([title, names]) => h("div", null, h("h3", null, title), h("ul", { class: "plain" }, names.map((name) => h("li", null,
      byName.has(name) ? h("a", { href: `/documents/${encodeURIComponent(byName.get(name).id)}` }, byName.get(name).title || name) : name, " ",
      byName.has(name) && h("span", { class: "dim small-text" }, plural(byName.get(name).claims, "fact"))))))),
    failedList(report.failed),
    again > 0 && h("p", { class: "dim small-text" }, `${plural(again, "other document")} ${again === 1 ? "was" : "were"} read anew.`),
    total > 0 && h("div", null, h("h3", null, plural(total, "fact")), h("ul", { class: "plain new-facts" }, facts.map((row) => h("li", null, h("b", null, row.subject.value), h("span", { class: "dim" }, ` ${row.property.value} `), row.stated.value))),
      total > facts.length && h("p", { class: "dim small-text" }, `and ${plural(total - facts.length, "more", "more")}`)),
    disputes > 0 && h("p", { class: "disputed" }, `${disputes === 1 ? "One of them disagrees" : `${disputes} of them disagree`} with another statement. `, h("a", { href: "/curate?tab=conflicts" }, "Review")),
    h("p", { class: "buttons" }, h("a", { class: "button small", href: "/" }, "Ask about them"), h("a", { class: "button small", href: "/curate?tab=rejected" }, "See what was left out")));
}

function failedList(failed) {
  return failed.length ? h("div", null, h("h3", null, "Not read"), h("ul", { class: "plain" }, failed.map((one) => h("li", null, h("strong", null, one.name), " ", one.message, one.hint && h("span", { class: "dim" }, ` – ${one.hint}`))))) : null;
}

/** All documents, each with a button that takes it out, asked twice. */
export async function documentList({ allowed, done }) {
  const { documents } = await getJson("/documents");
  if (!documents.length) return h("p", { class: "empty" }, "There are no documents yet.");
  return h("ul", { class: "decide-list" }, documents.map((document) => h("li", { class: "decide" },
    h("div", null, h("a", { href: `/documents/${encodeURIComponent(document.id)}`, class: "decide-title" }, document.title || document.name),
      h("p", { class: "dim small-text" }, documentKind(document.media_type), " · ", plural(document.claims, "fact"), " · ", h("span", { class: "path" }, document.name))),
    h("div", { class: "buttons" }, remover(document, allowed, done)))));
}

function remover(document, allowed, done) {
  const button = h("button", { type: "button", class: "small danger", disabled: !allowed, "aria-label": `Remove ${document.title || document.name}` }, "Remove");
  let sure = false;
  button.addEventListener("click", async () => {
    if (!sure) {
      sure = true;
      button.textContent = "Really remove?";
      button.classList.add("sure");
      setTimeout(() => {
        sure = false;
        button.textContent = "Remove";
        button.classList.remove("sure");
      }, 6000);
      return;
    }
    button.disabled = true;
    button.textContent = "Removing…";
    try {
      await change("DELETE", `/documents/${encodeURIComponent(document.id)}`);
      await done(`${document.title || document.name} is out, and all that only it stated.`);
    } catch (error) {
      button.closest("li").append(failure(error));
    }
  });
  return button;
}
