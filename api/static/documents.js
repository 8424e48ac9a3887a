// The list of documents, and one document as a page.

import { getJson } from "./api.js";
import { h, plural, titled } from "./dom.js";
import { loadDocument } from "./source.js";

const KINDS = { "text/markdown": "Markdown", "text/html": "HTML", "text/csv": "CSV", "text/plain": "Text", "application/pdf": "PDF", "text/tab-separated-values": "TSV" };

/** The kind of a document, for people. */
export function documentKind(mediaType) {
  return KINDS[mediaType] ?? (mediaType.includes("wordprocessingml") ? "Word" : mediaType);
}

export async function documentsView(view) {
  const { documents } = await getJson("/documents");
  const list = h("ul", { class: "list" });
  const count = h("p", { class: "dim" });
  const search = h("input", { type: "search", "aria-label": "Filter documents", placeholder: "Filter by title or path" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = documents.filter((d) => words.every((w) => `${d.title} ${d.name}`.toLowerCase().includes(w)));
    count.textContent = `${plural(kept.length, "document")}, ${plural(kept.reduce((sum, d) => sum + d.claims, 0), "fact")} found in them`;
    list.replaceChildren(...kept.map(row));
    if (!kept.length) list.append(h("li", { class: "empty" }, documents.length ? "No document is called so." : "There are no documents yet. The Curate view adds some."));
  };
  search.addEventListener("input", show);
  show();
  view.replaceChildren(h("div", { class: "page" }, h("div", { class: "head" }, h("h1", null, "Documents"), search), count, list));
}

function row(document) {
  return h("li", null, h("a", { class: "row-link", href: `/documents/${encodeURIComponent(document.id)}` },
    h("span", { class: "row-title" }, titled(document.title || document.name), h("span", { class: "path" }, document.name)),
    h("span", { class: "chip" }, documentKind(document.media_type)),
    h("span", { class: "dim count" }, plural(document.claims, "fact"))));
}

export async function documentView(view, id) {
  const { found, element, reveal } = await loadDocument(id, location.search);
  const title = titled(found.title || found.name);
  document.title = `${title} – Citegraph`;
  view.replaceChildren(h("div", { class: "page reading" },
    h("p", { class: "crumbs" }, h("a", { href: "/documents" }, "Documents"), " / ", found.name),
    h("div", { class: "head" }, h("h1", { class: "doc-title" }, title),
      h("a", { class: "button small", href: `/documents/${encodeURIComponent(found.id)}/original`, download: true }, "Download original")),
    h("p", { class: "dim meta" }, documentKind(found.media_type), " · ", plural(found.passages, "passage"), " · ", plural(found.claims, "fact"),
      found.claims > 0 && " – the numbers in the margin tell them"),
    element));
  untitle(element, found.title);
  reveal(false);
}

/** A document that begins with its title needn't say it twice, unless something is marked there. */
function untitle(element, title) {
  const first = element.querySelector(".doc > :first-child");
  if (/^H\d$/.test(first?.tagName) && first.textContent.trim() === title && !first.querySelector("mark, .pin, .fact")) first.remove();
}
