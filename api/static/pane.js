// The pane beside an answer: the cited document, scrolled to what is cited. On a phone it covers the view.

import { failure, h, loading, say, titled } from "./dom.js";
import { loadDocument } from "./source.js";

const pane = document.getElementById("pane");
const split = document.getElementById("split");
let opener = null;
let wanted = "";

/** Opens the document that a link leads to; whether there is a place for it. */
export function openDocument(link) {
  opener = link;
  show(link.getAttribute("href"), new URL(link.href));
  return true;
}

export function closePane() {
  if (pane.hidden) return;
  pane.hidden = true;
  wanted = "";
  split.classList.remove("open");
  document.body.classList.remove("covered");
  for (const link of document.querySelectorAll("[data-beside].current")) link.classList.remove("current");
}

async function show(address, url) {
  wanted = address;
  const id = decodeURIComponent(url.pathname.split("/").pop());
  const title = h("strong", { class: "pane-title" });
  const close = h("button", { type: "button", class: "quiet", "aria-label": "Close the source" }, "✕");
  close.addEventListener("click", leave);
  const head = h("header", { class: "pane-head" }, title, h("a", { class: "button small", href: address }, "Open page"), close);
  const body = h("div", { class: "pane-body", tabindex: 0, role: "region", "aria-label": "Text of the source" }, loading("Loading the source"));
  pane.replaceChildren(head, body);
  pane.hidden = false;
  split.classList.add("open");
  document.body.classList.add("covered");
  for (const link of document.querySelectorAll("[data-beside].current")) link.classList.remove("current");
  opener?.classList.add("current");
  try {
    const loaded = await loadDocument(id, url.search);
    if (wanted !== address) return;
    title.textContent = titled(loaded.found.title || loaded.found.name);
    body.replaceChildren(h("p", { class: "path" }, loaded.found.name), loaded.element);
    loaded.reveal(false);
    close.focus({ preventScroll: true });
    say(`Source opened: ${title.textContent}`);
  } catch (error) {
    if (wanted === address) body.replaceChildren(failure(error, h("a", { href: "/documents" }, "See all documents")));
  }
}

function leave() {
  const back = opener;
  closePane();
  back?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !pane.hidden && !document.querySelector(":popover-open")) leave();
});
