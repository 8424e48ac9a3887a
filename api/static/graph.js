// The graph view: what is around a thing, drawn; filters, paths, and the evidence of each connection beside it.

import { getJson, isIri, names, Problem } from "./api.js";
import { entityLink, statusChip } from "./claims.js";
import { brief, failure, h, loading, plural, say } from "./dom.js";
import { arrange, controls, draw, TINTS } from "./draw.js";
import { hubs, MOST, Network, things } from "./network.js";
import { sourceLink } from "./source.js";

// What is of no narrower class than this is of no kind.
const THING = "http://www.w3.org/2002/07/owl#Thing";

export async function graphView(view) {
  const about = new URLSearchParams(location.search).get("about");
  const page = h("div", { class: "page wide graphing" });
  view.replaceChildren(page);
  if (!about || !isIri(about)) return start(page);
  const explorer = new Explorer(about, await names());
  page.append(...explorer.elements());
  await explorer.begin();
  return { leave: () => explorer.leave() };
}

/** Nothing chosen yet: a field to choose with, and what has most connections. */
async function start(page) {
  const found = await hubs();
  page.append(...[h("h1", null, "Graph"), h("p", { class: "lead" }, "Start from a thing; its connections are drawn, each with the sentence that says so."),
    await chooser("Start from", "Show", (iri) => go(iri)),
    h("ul", { class: "examples left hubs", "aria-label": "Things with most connections" }, found.map((row) => h("li", null,
      h("a", { class: "button example", href: addressOf(row.x.value) }, row.label.value, " ", h("span", { class: "dim" }, row.n.value))))),
    !found.length && h("p", { class: "empty" }, "No two things are connected yet.")].filter(Boolean));
}

function addressOf(iri) {
  return `/graph?about=${encodeURIComponent(iri)}`;
}

function go(iri) {
  const link = h("a", { href: addressOf(iri), hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

let choosers = 0;

/** A field that completes names of things, and a button; ``act`` gets the IRI. */
async function chooser(label, verb, act) {
  const all = await things();
  const id = `things-${++choosers}`;
  const field = h("input", { type: "search", list: id, "aria-label": label, placeholder: `${label}…`, autocomplete: "off" });
  const form = h("form", { class: "choose" }, field, h("button", { class: "small" }, verb), h("datalist", { id }, all.map(({ label: name }) => h("option", { value: name }))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = field.value.trim().toLowerCase();
    if (!wanted) return;
    const found = all.find((thing) => thing.label.toLowerCase() === wanted) ?? all.find((thing) => thing.label.toLowerCase().includes(wanted));
    field.setCustomValidity(found ? "" : "Nothing is called so.");
    if (found) act(found.iri);
    else field.reportValidity();
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
  return form;
}

class Explorer {
  constructor(about, known) {
    Object.assign(this, { about, known, network: new Network(), cy: null, offTypes: new Set(), offSources: new Set(), path: new Set(), tints: new Map() });
    this.title = h("h1", null, "Graph");
    this.tools = h("div", { class: "graph-tools" });
    this.canvas = h("div", { class: "graph-canvas tall", role: "img", "aria-label": "Graph; the list beside it tells the same" });
    this.side = h("section", { class: "graph-side", "aria-label": "What is chosen", "aria-live": "polite" }, loading("Loading the connections"));
    this.legend = h("ul", { class: "legend", "aria-label": "Colours" });
    this.note = h("p", { class: "dim small-text", role: "status" });
  }

  elements() {
    return [h("p", { class: "crumbs" }, h("a", { href: "/browse" }, "Explore"), " / ", h("a", { href: "/graph" }, "Graph")), h("div", { class: "head" }, this.title), this.tools, this.legend,
      h("div", { class: "graph-split" }, h("div", { class: "graph-frame" }, this.canvas, controls(() => this.cy)), this.side), this.note];
  }

  async begin() {
    const more = await this.network.expand(this.about);
    const label = this.network.label(this.about);
    document.title = `${label} – Citegraph`;
    this.title.replaceChildren("Around ", h("em", null, label));
    this.more(more, label);
    this.cy = await draw(this.canvas, []);
    if (!this.cy) return;
    this.cy.on("tap", "node", (event) => this.choose({ node: event.target.id() }));
    this.cy.on("dbltap", "node", (event) => this.expand(event.target.id()));
    this.cy.on("tap", "edge", (event) => this.choose({ edge: event.target.id() }));
    await this.toolbar();
    this.update();
    this.choose({ node: this.about });
    // For tests and for the curious: what is drawn can't be read from a canvas.
    this.canvas.dataset.nodes = this.cy.nodes().length;
  }

  leave() {
    this.cy?.destroy();
  }

  more(more, label) {
    this.note.textContent = more ? `${label} has more than ${MOST.toLocaleString("en")} connections; the first ${MOST.toLocaleString("en")} are drawn.` : "";
  }

  // --- what is drawn ---------------------------------------------------------------------------

  /** Gives the commonest types the colours that are left; all others share one. */
  tinted() {
    const counts = new Map();
    for (const { types } of this.network.nodes.values()) for (const { iri } of types) if (iri !== THING) counts.set(iri, (counts.get(iri) ?? 0) + 1);
    const order = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([iri]) => iri);
    for (const iri of order) {
      if (this.tints.size === TINTS.length) break;
      if (!this.tints.has(iri)) this.tints.set(iri, TINTS[this.tints.size]);
    }
  }

  tint(types) {
    return types.map(({ iri }) => this.tints.get(iri)).find(Boolean) ?? "soft";
  }

  /** Says what the colours mean. */
  legends() {
    const labels = new Map(), counts = new Map();
    for (const [iri, node] of this.network.nodes) {
      if (iri === this.about) continue;
      const tint = this.tint(node.types);
      counts.set(tint, (counts.get(tint) ?? 0) + 1);
      for (const type of node.types) if (this.tints.get(type.iri) === tint) labels.set(tint, type.label);
    }
    const said = (tint) => h("li", null, h("i", { class: `dot dot-${tint}` }), labels.get(tint) ?? "other", " ", h("span", { class: "dim" }, String(counts.get(tint))));
    this.legend.replaceChildren(...[...TINTS, "soft"].filter((tint) => counts.has(tint)).map(said));
  }

  /** Draws what is known now. */
  update() {
    const { cy, network } = this;
    const added = [];
    this.tinted();
    for (const [iri, node] of network.nodes) {
      const data = { id: iri, label: node.label, tint: this.tint(node.types), open: network.expanded.has(iri), center: iri === this.about };
      if (cy.getElementById(iri).length) cy.getElementById(iri).data(data);
      else added.push({ data });
    }
    for (const [key, edge] of network.edges) {
      if (!cy.getElementById(key).length) added.push({ data: { id: key, source: edge.s, target: edge.o, label: edge.label, many: edge.claims.size > 1 } });
    }
    cy.add(added);
    cy.emit("grown");
    this.filter();
    arrange(cy);
    this.legends();
    this.canvas.dataset.nodes = cy.nodes(":visible").length;
    this.filters();
  }

  /** Hides what the filters leave out, and what is then connected to nothing. */
  filter() {
    const { cy, network } = this;
    cy.batch(() => {
      for (const edge of network.edges.values()) {
        const ends = [edge.s, edge.o].every((iri) => iri === this.about || !this.offType(network.nodes.get(iri)));
        const told = [...edge.claims.values()].some((claim) => !this.offSources.has(claim.document));
        cy.getElementById(edge.key).toggleClass("off", !(ends && told)).toggleClass("path", this.path.has(edge.key));
      }
      cy.nodes().forEach((node) => {
        node.toggleClass("off", node.id() !== this.about && !node.connectedEdges().some((edge) => !edge.hasClass("off")));
        node.toggleClass("path", node.connectedEdges().some((edge) => this.path.has(edge.id())));
      });
    });
    this.canvas.dataset.nodes = cy.nodes().filter((node) => !node.hasClass("off")).length;
  }

  offType(node) {
    return node.types.length > 0 && node.types.every((type) => this.offTypes.has(type.iri));
  }

  async expand(iri) {
    const before = this.network.nodes.size;
    this.note.textContent = `Looking for what is around ${this.network.label(iri)}…`;
    try {
      this.more(await this.network.expand(iri), this.network.label(iri));
      this.update();
      say(`${plural(this.network.nodes.size - before, "new thing")}`);
      this.choose({ node: iri });
    } catch (error) {
      this.note.replaceChildren(failure(error));
    }
  }

  // --- the toolbar -------------------------------------------------------------------------------

  async toolbar() {
    this.types = h("details", { class: "filter" }, h("summary", null, "Types"));
    this.sources = h("details", { class: "filter" }, h("summary", null, "Sources"));
    this.tools.replaceChildren(await chooser("Go to", "Go", go), await chooser("Path to", "Find the path", (iri) => this.connect(iri)), this.types, this.sources);
    for (const details of [this.types, this.sources]) {
      details.addEventListener("keydown", (event) => event.key === "Escape" && (details.open = false));
    }
  }

  filters() {
    const types = new Map(), sources = new Map();
    for (const node of this.network.nodes.values()) for (const type of node.types) types.set(type.iri, type.label);
    for (const edge of this.network.edges.values()) for (const claim of edge.claims.values()) sources.set(claim.document, claim.title);
    this.boxes(this.types, "Types", types, this.offTypes);
    this.boxes(this.sources, "Sources", sources, this.offSources);
  }

  boxes(details, title, all, off) {
    const summary = details.querySelector("summary");
    const count = () => (summary.textContent = off.size ? `${title} (${all.size - off.size} of ${all.size})` : `${title} (${all.size})`);
    const rows = [...all].sort((a, b) => a[1].localeCompare(b[1])).map(([iri, label]) => {
      const box = h("input", { type: "checkbox" });
      box.checked = !off.has(iri);
      box.addEventListener("change", () => {
        if (box.checked) off.delete(iri);
        else off.add(iri);
        count();
        this.filter();
      });
      return h("label", { class: "check" }, box, this.tints.has(iri) && h("i", { class: `dot dot-${this.tints.get(iri)}` }), label);
    });
    count();
    details.replaceChildren(summary, h("div", { class: "card boxes" }, rows));
  }

  async connect(target) {
    this.side.replaceChildren(loading("Looking for a path"));
    this.note.replaceChildren();
    try {
      const found = await getJson(`/paths?source=${encodeURIComponent(this.about)}&target=${encodeURIComponent(target)}`);
      const triples = found.paths.flat(2);
      await this.network.connect(triples);
      this.path = new Set(triples.map(({ s, p, o }) => `${s} ${p} ${o}`));
      this.update();
      const parts = await this.told(found, target);
      this.back = { label: "the path", act: () => this.side.replaceChildren(...parts) };
      this.back.act();
    } catch (error) {
      this.side.replaceChildren(failure(new Problem(error.message, { title: "No path", status: error.status })));
    }
  }

  async told(found, target) {
    const all = await things();
    const name = all.find((thing) => thing.iri === target)?.label ?? target;
    if (!found.paths.length) return [h("h2", null, "No path"), h("p", { class: "dim" }, `No chain of facts leads from ${this.network.label(this.about)} to ${name}.`)];
    return [h("h2", null, `To ${name}`), h("p", { class: "dim small-text" }, `${plural(found.paths[0].length, "step")}${found.paths.length > 1 ? `; ${found.paths.length} ways` : ""}`),
      found.paths.map((path) => h("ol", { class: "steps" }, path.map((step) => h("li", null, step.map(({ s, p, o }) => this.line(this.network.edges.get(`${s} ${p} ${o}`)))))))].flat();
  }

  // --- what is chosen ----------------------------------------------------------------------------

  choose(chosen) {
    this.cy.elements().unselect();
    this.cy.getElementById(chosen.node ?? chosen.edge).select();
    if (chosen.node) this.back = { label: this.network.label(chosen.node), act: () => this.choose(chosen) };
    const parts = chosen.node ? this.aboutNode(chosen.node) : this.aboutEdge(this.network.edges.get(chosen.edge));
    this.side.replaceChildren(...parts.flat().filter(Boolean));
    this.side.scrollTop = 0;
  }

  aboutNode(iri) {
    const node = this.network.nodes.get(iri);
    const edges = this.network.of(iri);
    const open = h("button", { type: "button", class: "small primary expand" }, this.network.expanded.has(iri) ? "Expanded" : "Expand");
    open.disabled = this.network.expanded.has(iri);
    open.addEventListener("click", () => this.expand(iri));
    return [h("p", { class: "types" }, node.types.map((type) => h("span", { class: "chip" }, type.label))), h("h2", null, node.label),
      h("p", { class: "buttons" }, open, h("a", { class: "button small", href: entityLink(iri, "", this.known).getAttribute("href") ?? `/browse?iri=${encodeURIComponent(iri)}` }, "All about it"),
        iri !== this.about && h("a", { class: "button small", href: addressOf(iri) }, "Centre")),
      h("h3", null, plural(edges.length, "connection")), h("ul", { class: "lines" }, edges.slice(0, 200).map((edge) => h("li", null, this.line(edge)))),
      edges.length > 200 && h("p", { class: "dim small-text" }, `The first 200 are listed.`)];
  }

  /** One connection in words; a click tells who says so. */
  line(edge) {
    if (!edge) return null;
    const button = h("button", { type: "button", class: "line" }, h("span", null, this.network.label(edge.s)), " ", h("span", { class: "dim" }, edge.label), " ", h("span", null, this.network.label(edge.o)));
    button.addEventListener("click", () => this.choose({ edge: edge.key }));
    return button;
  }

  aboutEdge(edge) {
    const claims = [...edge.claims.values()];
    const back = h("button", { type: "button", class: "small quiet" }, `← ${this.back.label}`);
    back.addEventListener("click", this.back.act);
    const ends = [edge.s, edge.o].filter((iri) => this.network.label(iri) !== this.back.label).map((iri) => {
      const button = h("button", { type: "button", class: "small end" }, `Go to ${this.network.label(iri)}`);
      button.addEventListener("click", () => this.choose({ node: iri }));
      return button;
    });
    return [back, h("p", { class: "fact-said" }, entityLink(edge.s, this.network.label(edge.s), this.known), " ", h("span", { class: "dim" }, edge.label), " ", entityLink(edge.o, this.network.label(edge.o), this.known)),
      h("p", { class: "buttons" }, ends), h("h3", null, `Evidence: ${plural(claims.length, "statement")}`),
      h("ul", { class: "passages evidence" }, claims.map((claim) => h("li", null, sourceLink({ class: "source" }, claim.document, [[claim.start, claim.end]],
        h("span", { class: "source-text" }, h("span", { class: "source-place" }, claim.title, " ", statusChip(claim.status)), h("q", null, brief(claim.quote, 300)))))))];
  }
}
