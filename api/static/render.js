// A document from its stored text, its tree of blocks and the claims found in it; highlights are exact by offsets.

import { h } from "./dom.js";

const MARKUP = { strong: "strong", emphasis: "em", code: "code" };

/** Plain-text stretch of a block that comes from [start, end) of the stored text, or null. */
export function plainStretch(inline, start, end) {
  let from = Infinity, to = -1;
  for (const run of inline.runs) {
    const runEnd = run.source + run.source_length;
    if (runEnd <= start || run.source >= end) continue;
    const even = run.plain_length === run.source_length;
    const first = even ? run.plain + Math.max(0, start - run.source) : run.plain;
    const last = even ? run.plain + Math.min(run.source_length, end - run.source) : run.plain + run.plain_length;
    from = Math.min(from, first);
    to = Math.max(to, last);
  }
  return to > from ? [from, to] : null;
}

/** Draws one document. ``cited``: stretches to highlight, and within them values; ``onFacts(claims, anchor)`` is told of a click on a fact. */
export class Drawing {
  constructor(text, blocks, claims, { spots, values }, onFacts) {
    Object.assign(this, { text, claims, spots, values, onFacts });
    this.pinned = new Set();
    this.element = h("div", { class: "doc" }, blocks.length ? blocks.map((block) => this.block(block)) : this.bare());
  }

  /** Text without structure, as it is stored. */
  bare() {
    const inline = { text: this.text.text, marks: [], runs: [{ plain: 0, source: 0, plain_length: this.text.length, source_length: this.text.length }] };
    return h("pre", { class: "bare" }, this.inline(inline), this.pin({ start: 0, end: this.text.length + 1 }));
  }

  block(block) {
    const draw = { heading: "heading", paragraph: "paragraph", list: "list", list_item: "item", table: "table", quote: "quote", code: "code", rule: "rule" }[block.kind];
    return draw ? this[draw](block) : h("div", { class: "unit" }, this.inside(block), this.pin(block));
  }

  inside(block) {
    return [block.inline && this.inline(block.inline), block.children.map((child) => this.block(child))];
  }

  heading(block) {
    const level = Math.min(6, Math.max(1, block.level) + 1);
    return h(`h${level}`, { class: "unit" }, this.inline(block.inline), this.pin(block));
  }

  paragraph(block) {
    return h("p", { class: "unit" }, block.inline && this.inline(block.inline), this.pin(block));
  }

  list(block) {
    const ordered = block.info === "ordered";
    return h(ordered ? "ol" : "ul", null, block.children.map((child) => this.block(child)));
  }

  item(block) {
    // Nested lists take the facts that are theirs before the item takes the rest.
    const children = this.inside(block);
    return h("li", { class: "unit", value: block.number ?? null }, children, this.pin(block));
  }

  quote(block) {
    return h("blockquote", null, this.inside(block), this.pin(block));
  }

  code(block) {
    return h("pre", { class: "unit" }, h("code", null, block.inline && this.inline(block.inline)), this.pin(block));
  }

  rule() {
    return h("hr");
  }

  table(block) {
    const rows = block.children.filter((child) => child.kind === "table_row");
    const others = block.children.filter((child) => child.kind !== "table_row");
    const heads = rows.findIndex((row) => !row.header);
    const split = heads < 0 ? rows.length : heads;
    const width = Math.max(0, ...rows.map((row) => row.children.length));
    const draw = (row) => h("tr", { class: "unit" },
      row.children.map((cell) => h(cell.header || row.header ? "th" : "td", null, this.inside(cell))),
      // Rows may end early; the margin is after the last column.
      row.children.length < width && h("td", { colspan: width - row.children.length }),
      h("td", { class: "pins" }, this.pin(row)));
    return [others.map((child) => this.block(child)), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table" },
      h("table", null, split > 0 && h("thead", null, rows.slice(0, split).map(draw)), h("tbody", null, rows.slice(split).map(draw))))];
  }

  /** Inline text cut wherever markup, a highlight or a fact begins or ends. */
  inline(inline) {
    const points = Array.from(inline.text);
    const [lit, strong] = [this.spots, this.values].map((stretches) => stretches.map(([start, end]) => plainStretch(inline, start, end)).filter(Boolean));
    const facts = this.factsIn(inline);
    const cuts = new Set([0, points.length]);
    for (const [from, to] of [...lit, ...strong, ...facts]) cuts.add(from).add(to);
    for (const mark of inline.marks) cuts.add(mark.start).add(mark.end);
    const places = [...cuts].sort((a, b) => a - b);
    const pieces = [];
    for (let i = 0; i + 1 < places.length; i++) {
      const [from, to] = [places[i], places[i + 1]];
      const covers = ([start, end]) => start <= from && end >= to;
      let piece = points.slice(from, to).join("");
      const claims = facts.filter(covers).flatMap(([, , claim]) => claim);
      if (claims.length) piece = this.fact(piece, claims);
      if (lit.some(covers)) piece = h("mark", { class: strong.some(covers) && "value" }, piece);
      for (const mark of inline.marks.filter((m) => m.start <= from && m.end >= to)) piece = markup(mark, piece);
      pieces.push(piece);
    }
    return pieces;
  }

  factsIn(inline) {
    if (!inline.runs.length) return [];
    const last = inline.runs.at(-1);
    const [start, end] = [inline.runs[0].source, last.source + last.source_length];
    return this.claims.filter((claim) => claim.start < end && claim.end > start).flatMap((claim) =>
      claim.evidence.filter((e) => e.role === "value").map((e) => plainStretch(inline, e.start, e.end)).filter(Boolean)
        .map(([from, to]) => [from, to, claim]));
  }

  fact(piece, claims) {
    const span = h("span", { class: "fact" }, piece);
    span.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      this.onFacts(claims, span);
    });
    return span;
  }

  /** A button in the margin for the facts whose quotation begins in a block and that no block within has taken. */
  pin(block) {
    const claims = this.claims.filter((c) => c.start >= block.start && c.start < block.end && !this.pinned.has(c));
    if (!claims.length) return null;
    claims.forEach((claim) => this.pinned.add(claim));
    const many = claims.length === 1 ? "1 fact" : `${claims.length} facts`;
    const button = h("button", { type: "button", class: "pin", "aria-label": `${many} from here`, title: many }, String(claims.length));
    button.addEventListener("click", () => this.onFacts(claims, button));
    return button;
  }
}

function markup(mark, piece) {
  if (mark.kind === "link") {
    const safe = /^(https?:|mailto:)/i.test(mark.target);
    return safe ? h("a", { href: mark.target, target: "_blank", rel: "noopener noreferrer" }, piece) : piece;
  }
  return MARKUP[mark.kind] ? h(MARKUP[mark.kind], null, piece) : piece;
}
