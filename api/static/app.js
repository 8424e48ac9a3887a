// The shell: which view an address names, links without reloading, the theme, the pane beside.

import { failure, h, loading } from "./dom.js";
import { askView } from "./ask.js";
import { browseView } from "./browse.js";
import { curateView } from "./curate.js";
import { documentsView, documentView } from "./documents.js";
import { entityView } from "./entity.js";
import { graphView } from "./graph.js";
import { queryView } from "./query.js";
import { closePane, openDocument } from "./pane.js";

const ROUTES = [
  [/^\/$/, "ask", "Ask", askView],
  [/^\/documents\/?$/, "documents", "Documents", documentsView],
  [/^\/documents\/([^/]+)$/, "documents", "Document", documentView],
  [/^\/entities\/([^/]+)$/, "browse", "Entity", entityView],
  [/^\/browse$/, "browse", "Explore", browseView],
  [/^\/graph$/, "browse", "Graph", graphView],
  [/^\/query$/, "query", "Query", queryView],
  [/^\/curate$/, "curate", "Curate", curateView],
];
// Where to go from what isn't there.
const WAYS = { documents: ["/documents", "See all documents"], browse: ["/browse", "See all things"] };
const view = document.getElementById("view");
let leave = null;
let shown = "";

/** Shows the view of the current address. */
async function show() {
  const here = location.pathname + location.search;
  if (here === shown) return;
  shown = here;
  const [match, section, title, make] = route(location.pathname);
  leave?.();
  leave = null;
  closePane();
  document.title = `${title} – Citegraph`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.className = `view-${section}`;
  view.replaceChildren(h("div", { class: "page" }, loading("Loading")));
  try {
    const made = await make(view, ...match.slice(1).map(decodeURIComponent));
    if (shown !== here) made?.leave?.();
    else leave = made?.leave ?? null;
  } catch (error) {
    if (shown !== here) return;
    const [address, text] = (error.status === 404 && WAYS[section]) || [];
    view.replaceChildren(h("div", { class: "page" }, failure(error, address && h("a", { href: address }, text))));
  }
}

function route(path) {
  for (const [pattern, ...rest] of ROUTES) {
    const match = pattern.exec(path);
    if (match) return [match, ...rest];
  }
  return [[path], "", "Not found", nowhere];
}

function nowhere(place) {
  place.replaceChildren(h("div", { class: "page" }, h("h1", null, "Not found"), h("p", { class: "lead" }, "There is no page at this address."),
    h("p", { class: "buttons" }, h("a", { class: "button primary", href: "/" }, "Ask a question"), h("a", { class: "button", href: "/documents" }, "See all documents"))));
}

/** Goes to another view of this page. */
function go(address) {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  show();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.getAttribute("href").startsWith("#") || !ROUTES.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  if (link.dataset.beside !== undefined && openDocument(link)) return;
  go(link.getAttribute("href"));
  view.focus({ preventScroll: true });
});
addEventListener("popstate", show);
addEventListener("reload", () => {
  shown = "";
  show();
});

document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  dispatchEvent(new Event("themechange"));
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // Holds for this visit only.
  }
});

show();
