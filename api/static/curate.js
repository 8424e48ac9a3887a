// Curating: documents in and out, and what people decide on: conflicts, what was not kept, names taken for one.

import { getJson, keep, key, Problem, send } from "./api.js";
import { conflictList, decisionList, mergeList, rejectedList } from "./review.js";
import { failure, h, loading, say } from "./dom.js";
import { documentList, uploadForm } from "./uploads.js";

const TABS = [
  ["upload", "Upload", null, uploadForm],
  ["documents", "Documents", null, documentList],
  ["conflicts", "Conflicts", "/review/conflicts?limit=1", conflictList],
  ["rejected", "Left out", "/review/rejected?limit=1", rejectedList],
  ["merges", "Same thing?", "/review/merges?limit=1", mergeList],
  ["decisions", "Decisions", "/decisions", decisionList],
];

export async function curateView(view) {
  const wanted = new URLSearchParams(location.search).get("tab");
  const tab = TABS.find(([name]) => name === wanted) ?? TABS[0];
  const body = h("div", { class: "curate-body" }, loading("Loading"));
  const notice = h("div", { class: "toast-place", "aria-live": "polite" });
  const bar = h("nav", { class: "tab-bar big", "aria-label": "What to curate" });
  const draw = (found) => bar.replaceChildren(...TABS.map(([name, title], i) => h("a", { class: "tab", href: `/curate?tab=${name}`, "aria-current": name === tab[0] ? "page" : null }, title, found[i] > 0 && h("span", { class: "badge" }, String(found[i])))));
  const counts = async () => draw(await Promise.all(TABS.map(([, , path]) => (path ? getJson(path).then((found) => found.total ?? found.decisions.length).catch(() => 0) : 0))));
  draw([]);
  const show = async () => {
    try {
      body.replaceChildren(...[await tab[3]({ allowed: Boolean(key()), done, redo: show })].flat().filter(Boolean));
    } catch (error) {
      body.replaceChildren(failure(error));
    }
  };
  const done = async (text, undo) => {
    notice.replaceChildren(toast(text, undo && (async () => {
      await undo();
      await done("Taken back.");
    })));
    say(text);
    await Promise.all([show(), counts()]);
  };
  view.replaceChildren(h("div", { class: "page curating" }, h("div", { class: "head" }, h("h1", null, "Curate"), keyState()), key() ? null : keyForm(), bar, notice, body));
  await Promise.all([counts(), show()]);
}

function toast(text, undo) {
  const button = undo && h("button", { type: "button", class: "small" }, "Undo");
  const made = h("div", { class: "toast" }, h("span", null, text), button);
  button?.addEventListener("click", async () => {
    button.disabled = true;
    await undo().catch((error) => made.replaceWith(failure(error)));
  });
  return made;
}

function keyState() {
  if (!key()) return null;
  const forget = h("button", { type: "button", class: "small" }, "Forget the key");
  forget.addEventListener("click", () => {
    keep("");
    reload();
  });
  return h("p", { class: "buttons small-text dim" }, "A key is held for this visit.", forget);
}

function keyForm() {
  const field = h("input", { type: "password", id: "key", required: true, autocomplete: "off", spellcheck: "false" });
  const form = h("form", { class: "key card" }, h("p", null, h("strong", null, "An access key lets you decide"),
    h("span", { class: "dim small-text" }, "Without one you can look. Whoever runs this server hands them out (", h("code", null, "kg key add NAME"), "); yours is kept in this tab alone.")),
  h("div", { class: "buttons" }, h("label", { for: "key", class: "field-label" }, "Access key"), field, h("button", { class: "primary" }, "Use this key")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.querySelector(".notice")?.remove();
    try {
      await check(field.value.trim());
      reload();
    } catch (error) {
      form.append(failure(error));
    }
  });
  return form;
}

/** Keeps a key if the server takes it for one that may write. */
async function check(text) {
  keep(text);
  try {
    // There is no such decision: who may write is told so, who may not is told that.
    await send("/decisions/none", { method: "DELETE" });
  } catch (error) {
    // A key that may only read is of use as well, where reading takes one.
    if (error.status === 404 || (error.status === 403 && (await readable()))) return;
    keep("");
    const known = error.status === 403;
    throw new Problem(known ? "this key may neither read nor write here" : "the server doesn’t know this key", { title: "Not this key", hint: known ? undefined : "was all of it copied?" });
  }
}

function readable() {
  return getJson("/prefixes").then(() => true, () => false);
}

function reload() {
  dispatchEvent(new Event("reload"));
}
