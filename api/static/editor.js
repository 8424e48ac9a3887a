// The SPARQL editor: a text field over a coloured copy of what it holds, with completion from the knowledge base.

import { names, select, shorten } from "./api.js";
import { h, say } from "./dom.js";

const KEYWORDS = "select|construct|describe|ask|where|filter|optional|union|minus|graph|bind|values|service|prefix|base|from|named|distinct|reduced|order|by|group|having|limit|offset|asc|desc|as|in|not|exists|a|true|false|undef|count|sum|avg|min|max|sample|group_concat|separator|str|lang|langmatches|datatype|bound|iri|uri|if|coalesce|regex|replace|contains|strstarts|strends|strlen|substr|strbefore|strafter|concat|lcase|ucase|abs|round|ceil|floor|year|month|day|now|isiri|isuri|isblank|isliteral|isnumeric|sameterm|strdt|strlang|insert|delete|data|load|clear|drop|create|add|move|copy|with|using|silent|default|all|to|into";
const TOKENS = new RegExp([
  /(?<comment>#[^\n]*)/, /(?<iri><[^<>"{}|^`\\\s]*>)/, /(?<string>"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
  /(?<variable>[?$]\w+)/, /(?<name>[A-Za-z][\w-]*:(?:\w[\w.-]*\w|\w)?|:\w+)/, /(?<number>\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/, new RegExp(`(?<keyword>\\b(?:${KEYWORDS})\\b)`),
].map((part) => part.source).join("|"), "gi");
const MOST = 12;

/** Coloured pieces of a query, as nodes; together their text is the query. */
function painted(text) {
  const pieces = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    if (match.index > at) pieces.push(text.slice(at, match.index));
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    pieces.push(h("span", { class: `tok-${kind}` }, match[0]));
    at = match.index + match[0].length;
  }
  pieces.push(text.slice(at), "\n");
  return pieces;
}

let vocabulary = null;
addEventListener("changed", () => (vocabulary = null));

const TERMS = `SELECT DISTINCT ?x ?label ?kind {
  { ?s a ?x . ?x rdfs:label ?label BIND("class" AS ?kind) } UNION { ?c a kg:Claim ; rdf:predicate ?x . ?x rdfs:label ?label BIND("property" AS ?kind) } UNION
  { GRAPH ?g { ?x a ?type ; rdfs:label ?label VALUES (?type ?kind) { (owl:Class "class") (rdfs:Class "class") (owl:ObjectProperty "property") (owl:DatatypeProperty "property") (rdf:Property "property") } } } }`;
const THINGS = `SELECT DISTINCT ?x ?label { { ?c rdf:subject ?x } UNION { ?c rdf:object ?x } ?x rdfs:label ?label FILTER(ISIRI(?x)) } LIMIT 5000`;

/** Everything that can be completed: what is inserted, its label, what kind of term it is. */
async function terms() {
  const known = await names();
  const [words, things] = await Promise.all([select(TERMS), select(THINGS)]);
  const all = new Map();
  for (const [name, iri] of Object.entries(known.prefixes)) all.set(iri, { text: `${name}:`, label: iri, kind: "prefix" });
  for (const row of [...words, ...things]) {
    if (all.has(row.x.value)) continue;
    const short = shorten(row.x.value, known);
    const safe = /^[\w-]+:(\w|\w[\w.-]*\w)$/.test(short);
    all.set(row.x.value, { text: safe ? short : `<${row.x.value}>`, label: row.label.value, kind: row.kind?.value ?? "thing" });
  }
  return [...all.values()];
}

function matching(all, word) {
  const wanted = word.toLowerCase();
  const score = ({ text, label, kind }) => {
    const [short, name] = [text.toLowerCase(), label.toLowerCase()];
    if (kind === "prefix") return short.startsWith(wanted) ? 0 : 9;
    if (short.startsWith(wanted)) return 1;
    if (name.startsWith(wanted) || short.includes(`:${wanted}`)) return 2;
    return name.includes(wanted) || short.includes(wanted) ? 3 : 9;
  };
  const rank = { prefix: 0, property: 1, class: 2, thing: 3 };
  return all.map((term) => [score(term), term]).filter(([points]) => points < 9)
    .sort(([a, x], [b, y]) => a - b || rank[x.kind] - rank[y.kind] || x.text.length - y.text.length || (x.text < y.text ? -1 : 1))
    .slice(0, MOST).map(([, term]) => term);
}

/** The editor. ``run`` is called for Ctrl + Enter, ``changed`` with the text after each change. */
export class Editor {
  constructor(text, run, changed) {
    Object.assign(this, { run, changed, found: [], chosen: 0 });
    this.field = h("textarea", { id: "sparql", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", rows: 8,
      "aria-label": "SPARQL query", "aria-describedby": "keys", "aria-autocomplete": "list", "aria-controls": "hints" });
    this.paint = h("pre", { class: "paint", "aria-hidden": "true" });
    this.list = h("ul", { class: "hints card", id: "hints", role: "listbox", "aria-label": "Completions", hidden: true });
    this.element = h("div", { class: "editor" }, this.paint, this.field, this.list);
    this.field.addEventListener("input", () => this.edited());
    this.field.addEventListener("scroll", () => this.follow());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.value = text;
  }

  get value() {
    return this.field.value;
  }

  set value(text) {
    this.field.value = text;
    this.close();
    this.draw();
    this.changed(text);
  }

  edited() {
    this.draw();
    this.changed(this.field.value);
    const word = this.word();
    if (word.length >= 3 || /\w:$/.test(word)) this.suggest(word);
    else this.close();
  }

  draw() {
    this.paint.replaceChildren(...painted(this.field.value));
    this.follow();
  }

  follow() {
    this.paint.scrollTop = this.field.scrollTop;
    this.paint.scrollLeft = this.field.scrollLeft;
    if (!this.list.hidden) this.place();
  }

  /** The word before the caret: a prefixed name, or the beginning of a label. */
  word() {
    const before = this.field.value.slice(0, this.field.selectionStart);
    if (/(^|\n)[^\n"]*#[^\n>]*$/.test(before) && !/<[^>\n]*$/.test(before)) return "";
    return /(?<![?$\w<:-])[A-Za-z][\w-]*(?::[\w.-]*)?$/.exec(before)?.[0] ?? "";
  }

  async suggest(word) {
    vocabulary ??= terms().catch(() => (vocabulary = null) ?? []);
    const all = await vocabulary;
    if (this.word() !== word) return;
    if (new RegExp(`^(?:${KEYWORDS})$`, "i").test(word)) return this.close();
    this.found = matching(all, word).filter((term) => term.text !== word);
    this.chosen = 0;
    this.list.hidden = !this.found.length;
    this.list.replaceChildren(...this.found.map((term, i) => this.hint(term, i)));
    if (!this.found.length) return this.close();
    this.choose(0);
    this.place();
    say(`${this.found.length} completions; arrows choose, Enter inserts`);
  }

  hint(term, i) {
    const item = h("li", { role: "option", id: `hint-${i}`, class: "hint" }, h("code", null, term.text), h("span", { class: "dim" }, term.label), h("span", { class: "chip" }, term.kind));
    item.addEventListener("mousedown", (event) => {
      event.preventDefault();
      this.insert(term);
    });
    return item;
  }

  choose(i) {
    this.chosen = (i + this.found.length) % this.found.length;
    [...this.list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", `hint-${this.chosen}`);
  }

  place() {
    const style = getComputedStyle(this.field);
    const context = (this.measure ??= document.createElement("canvas").getContext("2d"));
    context.font = style.font;
    const lines = this.field.value.slice(0, this.field.selectionStart).split("\n");
    const left = parseFloat(style.paddingLeft) + context.measureText(lines.at(-1)).width - this.field.scrollLeft;
    const top = parseFloat(style.paddingTop) + lines.length * parseFloat(style.lineHeight) - this.field.scrollTop;
    const room = this.element.clientWidth - this.list.offsetWidth;
    this.list.style.left = `${Math.max(0, Math.min(left, room))}px`;
    this.list.style.top = `${Math.min(top + 6, this.element.clientHeight)}px`;
  }

  insert(term) {
    const end = this.field.selectionStart;
    this.field.setRangeText(term.text, end - this.word().length, end, "end");
    this.close();
    this.draw();
    this.changed(this.field.value);
    this.field.focus();
  }

  close() {
    this.found = [];
    this.list.hidden = true;
    this.list.replaceChildren();
    this.field.removeAttribute("aria-activedescendant");
  }

  pressed(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      this.close();
      this.run();
    } else if (event.key === " " && event.ctrlKey) {
      this.suggest(this.word());
    } else if (this.found.length && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      this.choose(this.chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (this.found.length && ["Enter", "Tab"].includes(event.key)) {
      this.insert(this.found[this.chosen]);
    } else if (this.found.length && event.key === "Escape") {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Puts the caret at a line and column, both from 1. */
  go(line, column) {
    const lines = this.field.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + Math.min(column - 1, lines[line - 1]?.length ?? 0);
    this.field.focus();
    this.field.setSelectionRange(at, Math.min(at + 1, this.field.value.length));
  }
}
