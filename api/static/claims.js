// How claims look: their standing as a chip, their values, the card that tells of those at one place.

import { names, pageOf } from "./api.js";
import { h } from "./dom.js";

const STANDINGS = {
  confirmed: "The document says it is confirmed.",
  stated: "The document states it plainly.",
  estimated: "The document calls it an estimate.",
  leaked: "The document reports it from a leak.",
  guessed: "The document’s author supposes it. Not taken as fact.",
  planned: "The document announces it for later.",
  undisclosed: "The document says that it is not known publicly.",
  denied: "The document says that it is not so.",
};

/** A chip that says what the document says of a statement's standing; nothing for what is unknown. */
export function statusChip(status) {
  const name = (status ?? "").replace(/^.*#/, "");
  return name && h("span", { class: `chip status-${/^[a-z]+$/.test(name) ? name : "other"}`, title: STANDINGS[name] ?? "" }, name);
}

/** The standing of a claim, a denial before all else. */
export function standing(claim) {
  return statusChip(claim.polarity?.endsWith("#negated") ? "denied" : claim.status);
}

/** A link to the page about an IRI, or just the text where there is none. */
export function entityLink(iri, text, known) {
  const address = iri && pageOf(iri, known);
  return address ? h("a", { href: address }, text) : h("span", null, text);
}

/** A card that opens at a place and tells of the claims found there. */
export function claimCard() {
  const element = h("div", { class: "card floating", popover: "auto", role: "dialog", "aria-label": "Facts from here" });
  let anchor = null;
  element.addEventListener("toggle", (event) => {
    if (event.newState === "closed") anchor?.classList.remove("open");
  });
  async function open(claims, at) {
    const known = await names();
    const unique = [...new Set(claims)];
    element.replaceChildren(...unique.map((claim) => one(claim, known)));
    anchor?.classList.remove("open");
    anchor = at;
    at.classList.add("open");
    element.showPopover();
    place(element, at);
    element.querySelector("a")?.focus({ preventScroll: true });
  }
  return { element, open };
}

function one(claim, known) {
  return h("div", { class: "claim" },
    h("div", { class: "claim-head" }, entityLink(claim.s, claim.subject ?? "this row", known), h("span", { class: "dim" }, claim.property)),
    h("div", { class: "claim-value" }, claim.o?.type === "uri" ? entityLink(claim.o.value, claim.object ?? claim.value, known) : claim.value || "not disclosed"),
    h("div", { class: "claim-foot" }, standing(claim),
      claim.asserted !== "true" && h("span", { class: "chip" , title: claim.reason ?? "Kept as a claim, not taken as fact" }, "not taken as fact"),
      h("span", { class: "dim", title: "How sure the reading of the document is" }, `sure: ${Math.round(100 * claim.confidence)} %`)),
    claim.reason && h("p", { class: "dim small-text" }, claim.reason));
}

function place(element, at) {
  const box = at.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const left = Math.max(8, Math.min(box.right - width, innerWidth - width - 8));
  const below = box.bottom + 6;
  const top = below + height > innerHeight - 8 ? Math.max(8, box.top - height - 6) : below;
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
