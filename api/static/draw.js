// Graphs of things, drawn with cytoscape, which is only asked for where one is drawn.

import { h, plural } from "./dom.js";

const MOST = 2000;
const NAMED = 250;
const ORDERLY = 160;
const RADIUS = 180;
const APART = 46;
const LARGE = 700;
const SMALLEST = 11;
const WIDEST = 150;
/** Colours of kinds of things, by the names of the style sheet; what is of none of them is "soft". */
export const TINTS = ["blue", "violet", "green"];
const STILL = { animate: false, fit: false };
let library = null;

function cytoscape() {
  library ??= import("./vendor/cytoscape.js").then((module) => module.default);
  return library;
}

/** Nodes and edges of { s, p, o }, in cytoscape's form; at most so many nodes, and how many were left out. */
export function graphOf(triples, name) {
  const nodes = new Map(), edges = new Map();
  let left = 0;
  for (const { s, p, o } of triples) {
    const fresh = [s, o].filter((iri) => !nodes.has(iri)).length;
    if (nodes.size + fresh > MOST) {
      left++;
      continue;
    }
    for (const iri of [s, o]) if (!nodes.has(iri)) nodes.set(iri, { data: { id: iri, label: name(iri) } });
    edges.set(`${s} ${p} ${o}`, { data: { id: `${s} ${p} ${o}`, source: s, target: o, label: p && name(p) } });
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], left };
}

/** A colour of the style sheet as it is in the theme of now. */
function colour(name) {
  const probe = h("i", { hidden: true });
  document.body.append(probe);
  probe.style.color = `var(--${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** Styles by the size of the graph: what takes long to draw is left out of large ones. */
function style(many) {
  const tints = Object.fromEntries(["blue", "violet", "green", "ink", "soft"].map((name) => [name, colour(name)]));
  const font = getComputedStyle(document.body).fontFamily;
  const [ink, soft, accent, paper, line, amber] = ["ink", "soft", "accent", "paper", "line-strong", "amber"].map(colour);
  return [
    { selector: "node", style: { "background-color": soft, width: 16, height: 16, label: "data(label)", color: ink, "font-size": SMALLEST, "font-family": font, "text-wrap": "ellipsis", "text-max-width": WIDEST,
      "text-valign": "bottom", "text-margin-y": 4, "text-background-color": paper, "text-background-opacity": 0.8, "text-background-padding": 1 } },
    { selector: "node[tint]", style: { "background-color": (node) => tints[node.data("tint")] } },
    { selector: "node[?open]", style: { width: 22, height: 22, "border-width": 3, "border-color": paper, "underlay-color": accent, "underlay-opacity": 0.35, "underlay-padding": 3 } },
    { selector: "node[?center]", style: { "background-color": accent, width: 30, height: 30, "font-size": 13, "font-weight": 600 } },
    { selector: "node[side = 'left']", style: { "text-halign": "left", "text-valign": "center", "text-margin-x": -4, "text-margin-y": 0 } },
    { selector: "node[side = 'right']", style: { "text-halign": "right", "text-valign": "center", "text-margin-x": 4, "text-margin-y": 0 } },
    { selector: "node.unnamed", style: { label: "" } },
    { selector: "edge", style: { width: 1.4, "line-color": line, "target-arrow-color": line, "target-arrow-shape": "triangle", "arrow-scale": 0.8, "curve-style": "bezier", color: ink,
      "font-size": SMALLEST, "font-family": font, "text-background-color": paper, "text-background-opacity": 0.9, "text-background-padding": 2 } },
    ...(many ? [{ selector: "node", style: { "text-wrap": "none", "text-background-opacity": 0, "min-zoomed-font-size": 9 } }, { selector: "edge", style: { "curve-style": "haystack", "haystack-radius": 0, "target-arrow-shape": "none", width: 1 } }] : []),
    { selector: "edge[?many]", style: { width: 2.6 } },
    { selector: "edge.told, edge:selected, edge.path", style: { label: "data(label)", "z-index": 8, "text-margin-y": (edge) => 16 * edge.parallelEdges().toArray().indexOf(edge) } },
    { selector: "edge.path", style: { "line-color": amber, "target-arrow-color": amber, width: 3.5, "z-index": 9 } },
    { selector: "node.path", style: { "background-color": amber } },
    { selector: ":selected", style: { "line-color": accent, "target-arrow-color": accent, "overlay-color": accent, "overlay-opacity": 0.16, "overlay-padding": 4 } },
    { selector: ".off", style: { display: "none" } },
  ];
}

/** Puts a graph's nodes in order: as a tree around its centre; without one by forces, or in rings where there are many. */
export function arrange(cy) {
  const shown = cy.elements().filter((element) => !element.hasClass("off"));
  const centre = shown.nodes("[?center]");
  if (!shown.nodes().length) return;
  if (centre.length) radial(shown, centre);
  else if (shown.nodes().length > ORDERLY) rings(shown);
  else shown.layout({ ...STILL, name: "cose", randomize: false, nodeRepulsion: () => 60000, idealEdgeLength: () => 100, nodeOverlap: 16, gravity: 0.35, numIter: 800 }).run();
  fit(cy);
}

/** Shows all of a graph. Names are as large as ever where it is small, and have to fit as well: by and by. */
function fit(cy) {
  const shown = cy.elements().filter((element) => !element.hasClass("off"));
  const steps = shown.nodes().length > NAMED ? 1 : 3;
  for (let i = 0; i < steps; i++) {
    if (steps > 1) name(cy, false);
    cy.fit(shown, 16);
  }
}

function rings(shown) {
  shown.layout({ ...STILL, name: "concentric", concentric: (node) => node.degree(), levelWidth: () => 3, minNodeSpacing: 14 }).run();
}

/** Each thing behind the one that it was reached through, with as much of the circle as what is behind it takes. */
function radial(shown, centre) {
  const depths = new Map(), children = new Map(), order = [];
  shown.bfs({ roots: centre, visit: (node, _edge, previous, _i, depth) => {
    order.push(node.id());
    depths.set(node.id(), depth);
    if (!previous) return;
    children.set(previous.id(), [...(children.get(previous.id()) ?? []), node.id()]);
  } });
  const leaves = new Map();
  for (const id of [...order].reverse()) leaves.set(id, Math.max(1, (children.get(id) ?? []).reduce((sum, child) => sum + leaves.get(child), 0)));
  const around = leaves.get(order[0]);
  const step = Math.max(RADIUS, (around * APART) / (2 * Math.PI));
  const starts = new Map([[order[0], -Math.PI / 2]]), places = new Map();
  for (const [i, id] of order.entries()) {
    let from = starts.get(id);
    const angle = from + (Math.PI * leaves.get(id)) / around;
    // The first ring may be wide; those behind it needn't be as far again.
    // Every other one stands farther out, so that names above and below the centre have room.
    const stagger = depths.get(id) && around > 8 && i % 2 ? 1 + 0.16 * Math.abs(Math.sin(angle)) : 1;
    const far = stagger * (depths.get(id) ? step + (depths.get(id) - 1) * RADIUS : 0);
    places.set(id, { x: far * Math.cos(angle), y: 0.88 * far * Math.sin(angle) });
    for (const child of children.get(id) ?? []) {
      starts.set(child, from);
      from += (2 * Math.PI * leaves.get(child)) / around;
    }
  }
  // Names stand outward, where there is most room for them.
  shown.nodes().forEach((node) => void node.data("side", depths.get(node.id()) > 0 ? (places.get(node.id()).x < 0 ? "left" : "right") : ""));
  shown.nodes().filter((node) => places.has(node.id())).positions((node) => places.get(node.id()));
  shown.layout({ ...STILL, name: "preset" }).run();
}

/** Shows names at a size that can be read, the most connected things' first, and only where they cover no other; if ``framed``, only whole ones. */
function name(cy, framed = true) {
  // Of many things names come as they are looked at closely, which the style sheet sees to.
  if (cy.elements().length > LARGE) return;
  const size = SMALLEST / cy.zoom();
  const nodes = cy.nodes().filter((node) => !node.hasClass("off"));
  const taken = nodes.length > NAMED ? [] : nodes.map((node) => ({ ...spot(node), node: node.id() }));
  const [width, height] = [cy.width(), cy.height()];
  const rank = (node) => (node.data("center") ? 1e6 : 0) + (node.selected() || node.hasClass("path") ? 1e5 : 0) + (node.data("open") ? 1e4 : 0) + node.degree(false);
  let named = 0;
  cy.batch(() => {
    for (const node of nodes.sort((a, b) => rank(b) - rank(a))) {
      const box = around(node, Math.min(WIDEST, 0.56 * SMALLEST * String(node.data("label")).length));
      const free = named < NAMED && (node.data("center") || ((!framed || (box.x1 >= 0 && box.x2 <= width && box.y1 >= 0 && box.y2 <= height)) && !taken.some((other) => other.node !== node.id() && other.x1 < box.x2 && box.x1 < other.x2 && other.y1 < box.y2 && box.y1 < other.y2)));
      if (free) taken.push(box), named++;
      node.toggleClass("unnamed", !free);
    }
    cy.nodes().style({ "font-size": size, "text-max-width": (WIDEST * size) / SMALLEST });
    cy.edges(".told, :selected, .path").style("font-size", size);
  });
}

/** Where a node lies on the screen. */
function spot(node) {
  const { x, y } = node.renderedPosition(), half = node.renderedWidth() / 2;
  return { x1: x - half, x2: x + half, y1: y - half, y2: y + half };
}

/** Where its name lies on the screen, so wide. */
function around(node, width) {
  const { x1, x2, y1, y2 } = spot(node), middle = (y1 + y2) / 2, height = SMALLEST + 4;
  if (node.data("side") === "left") return { x1: x1 - 4 - width, x2: x1, y1: middle - height / 2, y2: middle + height / 2 };
  if (node.data("side") === "right") return { x1: x2, x2: x2 + 4 + width, y1: middle - height / 2, y2: middle + height / 2 };
  return { x1: (x1 + x2 - width) / 2, x2: (x1 + x2 + width) / 2, y1: y2, y2: y2 + 4 + height };
}

/** A cytoscape graph in an element, in the colours of the theme as that changes; null if the element isn't in the page: what has no size can't be laid out. */
export async function draw(container, elements) {
  const make = await cytoscape();
  // Once the library is there, this comes before whoever asked could put the element into the page; while it came, the page may have moved on.
  await new Promise((done) => setTimeout(done));
  if (!container.isConnected) return null;
  let large = elements.length > LARGE;
  const cy = make({ container, elements, style: style(large), minZoom: 0.08, maxZoom: 3, pixelRatio: "auto" });
  const again = () => container.isConnected && cy.style(style(large));
  let naming = 0;
  const rename = () => {
    cancelAnimationFrame(naming);
    naming = requestAnimationFrame(() => cy.destroyed() || name(cy));
  };
  cy.on("viewport layoutstop select unselect", rename);
  cy.on("mouseover", "edge", (event) => void event.target.addClass("told"));
  cy.on("mouseout", "edge", (event) => void event.target.removeClass("told"));
  cy.on("grown", () => {
    if (large === cy.elements().length > LARGE) return;
    large = !large;
    again();
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const watch = new ResizeObserver(() => fit(cy.resize()));
  addEventListener("themechange", again);
  dark.addEventListener("change", again);
  watch.observe(container);
  cy.on("destroy", () => {
    removeEventListener("themechange", again);
    dark.removeEventListener("change", again);
    watch.disconnect();
  });
  return cy;
}

/** Buttons that move a graph, for those who don't with mouse or fingers. */
export function controls(graph) {
  const button = (text, label, act) => {
    const made = h("button", { type: "button", class: "small", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => graph() && act(graph()));
    return made;
  };
  const zoom = (cy, factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  return h("div", { class: "graph-controls" }, button("+", "Nearer", (cy) => zoom(cy, 1.3)), button("−", "Farther", (cy) => zoom(cy, 1 / 1.3)), button("Fit", "Fit all of it", fit));
}

/** A graph to look at, of what :func:`graphOf` gives. */
export function sketch({ nodes, edges, left }) {
  const canvas = h("div", { class: "graph-canvas", role: "img", "aria-label": `Graph of ${plural(nodes.length, "thing")} and ${plural(edges.length, "connection")}; the table tells the same` });
  let drawn = null;
  draw(canvas, [...nodes, ...edges]).then((cy) => {
    drawn = cy;
    if (cy) arrange(cy);
  });
  return h("div", null, h("div", { class: "graph-frame" }, canvas, controls(() => drawn)),
    left > 0 && h("p", { class: "dim small-text" }, `Only the first ${MOST.toLocaleString("en")} things are drawn; ${plural(left, "connection")} left out.`));
}
