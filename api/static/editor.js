// The SPARQL editor: Yasqe, asked for only here, with completion from the knowledge base.
//
// What of it would parse markup from strings stays off (its buttons, its signs in the margin), as the page's policy allows
// nobody to; errors of the text are marked and told here instead.

import { names, select, shorten } from "./api.js";
import { h, say } from "./dom.js";

const MOST = 12;
const EXPECTED = 4;
const CHECK_MS = 500;
const MODE = "sparql-of-here";

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

let library = null;

/** Yasqe with its style sheet; both come from here. */
function yasqe() {
  library ??= Promise.all([import("./vendor/yasqe.js"), styled("/static/vendor/yasqe.css")]).then(() => {
    const { Yasqe } = globalThis;
    // Lists of a configuration are merged place by place: what is not wanted has to go from the defaults.
    Yasqe.defaults.autocompleters = [];
    Yasqe.defaults.gutters = ["CodeMirror-linenumbers"];
    return Yasqe;
  });
  return library;
}

function styled(address) {
  return new Promise((resolve, reject) => {
    // Before the page's own, whose rules come after.
    document.querySelector("link[rel=stylesheet]").before(h("link", { rel: "stylesheet", href: address, onload: resolve, onerror: () => reject(new Error("the editor’s style is missing")) }));
  });
}

/** The editor. ``run`` is called for Ctrl + Enter, ``changed`` with the text after each change. */
export class Editor {
  static async make(text, run, changed) {
    const [Yasqe, { prefixes }] = await Promise.all([yasqe(), names()]);
    // SPARQL as it is understood here: with prefixes that need no declaration.
    Yasqe.defineMode(MODE, (config) => {
      const mode = Yasqe.getMode(config, "sparql11");
      return { ...mode, startState: () => Object.assign(mode.startState(), { prefixes: { ...prefixes } }) };
    });
    return new Editor(Yasqe, text, run, changed);
  }

  constructor(Yasqe, text, run, changed) {
    this.place = h("div", { class: "editor-field" });
    this.told = h("p", { class: "typed small-text", id: "typed", "aria-live": "polite" });
    this.element = h("div", { class: "editor" }, this.place, this.told);
    const go = () => run();
    const yasqe = new Yasqe(this.place, {
      mode: MODE, value: text, lineWrapping: true, editorHeight: "auto", viewportMargin: Infinity, resizeable: false, showQueryButton: false, syntaxErrorCheck: false,
      createShareableLink: null, consumeShareLink: null, persistenceId: null, foldGutter: false, screenReaderLabel: "SPARQL query",
      // Tab leaves the field, as everywhere on the page.
      extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Enter": go, "Cmd-Enter": go, "Ctrl-Space": () => this.suggest(true), "Ctrl-S": false, "Shift-Ctrl-F": false },
    });
    // The editor itself: Yasqe is a copy of its methods, and events come from the original.
    this.cm = yasqe.getWrapperElement().CodeMirror;
    this.field = this.cm.getInputField();
    this.field.id = "sparql";
    this.field.setAttribute("aria-describedby", "keys typed");
    this.cm.on("change", (_cm, change) => this.edited(change.origin, changed));
    this.check();
  }

  get value() {
    return this.cm.getValue();
  }

  set value(text) {
    this.cm.setValue(text);
  }

  /** Writes over what is selected. */
  put(text) {
    this.cm.replaceSelection(text);
    this.cm.focus();
  }

  /** To be called once the editor stands on the page: before, it can't measure itself. */
  shown() {
    this.cm.refresh();
  }

  edited(origin, changed) {
    changed(this.value);
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(), CHECK_MS);
    if (!["+input", "+delete"].includes(origin)) return;
    const word = this.word();
    if (!this.cm.state.completionActive && (word.length >= 3 || /\w:$/.test(word))) this.suggest(false);
  }

  /** The word before the caret: a prefixed name, or the beginning of a label. */
  word() {
    const at = this.cm.getCursor();
    if (/comment|string/.test(this.cm.getTokenTypeAt(at) ?? "")) return "";
    return /(?<![?$\w<:-])[A-Za-z][\w-]*(?::[\w.-]*)?$/.exec(this.cm.getLine(at.line).slice(0, at.ch))?.[0] ?? "";
  }

  async suggest(wanted) {
    vocabulary ??= terms().catch(() => (vocabulary = null) ?? []);
    const all = await vocabulary;
    const hint = (cm) => {
      const word = this.word();
      const end = cm.getCursor();
      if (!wanted && (!word || cm.getTokenTypeAt(end) === "keyword")) return null;
      const list = matching(all, word).filter((term) => term.text !== word).map((term) => ({ text: term.text, render: (item) => item.append(...this.hint(term)) }));
      if (list.length) say(`${list.length} completions; arrows choose, Enter inserts`);
      return { list, from: { line: end.line, ch: end.ch - word.length }, to: end };
    };
    this.cm.showHint({ hint, completeSingle: false, closeCharacters: /[\s()[\]{};>,"]/ });
  }

  hint(term) {
    return [h("code", null, term.text), h("span", { class: "dim" }, term.label), h("span", { class: "chip" }, term.kind)];
  }

  /** Marks the first line that is no SPARQL, and says what could stand there. */
  check() {
    const { cm } = this;
    if (this.wrong !== undefined) cm.removeLineClass(this.wrong, "wrap", "wrong");
    this.wrong = undefined;
    this.told.textContent = "";
    for (let line = 0; line < cm.lineCount(); line++) {
      const { state } = cm.getTokenAt({ line, ch: cm.getLine(line).length }, true);
      if (state.OK !== false) continue;
      this.wrong = cm.addLineClass(line, "wrap", "wrong");
      const could = (state.possibleCurrent ?? []).filter((each) => each.length < 20);
      this.told.textContent = state.errorMsg?.replace(/^Prefix '(.*)' is not defined$/, "The prefix $1: is not declared") ?? `Line ${line + 1} doesn’t fit${could.length && could.length <= EXPECTED ? `; expected: ${could.join(" or ")}` : ""}`;
      return;
    }
  }

  /** Puts the caret at a line and column, both from 1. */
  go(line, column) {
    this.cm.focus();
    this.cm.setSelection({ line: line - 1, ch: column - 1 }, { line: line - 1, ch: column });
  }

  leave() {
    clearTimeout(this.checking);
    this.cm.closeHint?.();
  }
}
