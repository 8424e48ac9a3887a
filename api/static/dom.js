// Elements from data. Text only ever becomes text nodes; nothing here or elsewhere parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An HTML element: h("p", {class: "lead"}, "text", h("b", null, "bold")). Functions named on… listen. */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Tells people who listen what has changed. */
export function say(text) {
  document.getElementById("say").textContent = text;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Says that a list shows fewer than there are. */
export function more(shown, total, one) {
  return total > shown ? h("p", { class: "dim small-text" }, `The first ${shown.toLocaleString("en")} of ${plural(total, one)}.`) : null;
}

/** A button that copies a text. */
export function copyButton(text, label = "Copy") {
  const button = h("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    say(button.textContent);
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

/** Gives people a file that was made here. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function loading(what) {
  return h("div", { class: "loading", role: "status" }, h("span", { class: "unseen" }, what),
    h("i", { class: "bone" }), h("i", { class: "bone" }), h("i", { class: "bone short" }));
}

/** What went wrong, and what to do about it: ``way``, where there is one, instead of the hint, which is for programs. */
export function failure(error, way) {
  const next = error.status === 401 ? h("p", null, h("a", { href: "/curate" }, "Enter a key"), " to go on.")
    : way ? h("p", null, way) : error.hint && h("p", { class: "dim" }, sentence(error.hint));
  return h("div", { class: "notice bad", role: "alert" }, h("strong", null, error.title ?? "That didn’t work"), h("p", null, sentence(error.message)), next);
}

export function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]$/.test(whole) ? whole : `${whole}.`;
}

/** Text by code points, which offsets of the knowledge base count. */
export class Text {
  constructor(text) {
    this.text = text;
    // Without surrogate pairs, code points are what JavaScript counts.
    this.points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
    this.length = this.points ? this.points.length : text.length;
  }

  slice(start, end) {
    return this.points ? this.points.slice(start, end).join("") : this.text.slice(start, end);
  }
}

/** A document's title for people: of one that has only its file's name, that name as words. */
export function titled(title) {
  if (!/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(title)) return title;
  const words = title.replace(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MONTH = "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DATE = new RegExp(`\\b(?:\\d{1,2} )?${MONTH}\\.?(?: \\d{1,2},?)?(?: \\d{4})?\\b`, "g");

/** Text whose dates stay on one line. */
export function wholeDates(text) {
  return text.replace(DATE, (date) => date.replaceAll(" ", "\u00a0"));
}

/** A stretch of a document on one line, without the marks of headings, lists and tables, at most so long. */
export function brief(text, most) {
  const line = text.replace(/^#+ /gm, "").replace(/\s+/g, " ").trim().replace(/^[-*•] |\*\*|__|`/g, "").replace(/^\| ?| ?\|$/g, "").replace(/ \|(?: \|)* /g, " · ");
  const points = Array.from(line);
  return points.length > most ? `${points.slice(0, most - 1).join("")}…` : line;
}
