// Small charts of our own: bars for numbers, points on a line of time for dates. Plain SVG, widths in per cent.

import { h, svg } from "./dom.js";

const ROW = 46;
const AXIS = 26;
const TICKS = 8;
/** So many items are drawn. */
export const CHARTED = 60;

/** Bars, the longest as wide as there is room for. ``log`` compares orders of magnitude, and says so at its axis. */
export function barChart(items, log) {
  const shown = items.slice(0, CHARTED);
  const values = shown.map((item) => item.value);
  const most = Math.max(...values), least = Math.min(...values);
  const orders = log && least > 0;
  const scale = orders ? logScale(least, most) : (value) => (most > 0 ? Math.max(0, value) / most : 0);
  const top = orders ? AXIS : 0, height = top + shown.length * ROW;
  const marks = orders ? powersBetween(least, most).map((power) => {
    const x = `${78 * scale(power)}%`;
    return svg("g", null, svg("line", { x1: x, x2: x, y1: AXIS - 8, y2: height, class: "chart-axis" }),
      svg("text", { x, y: 12, "text-anchor": power > least ? "middle" : "start", class: "chart-label" }, power.toLocaleString("en", { notation: "compact" })));
  }) : [];
  const rows = shown.map((item, i) => {
    const width = Math.max(0.4, 78 * scale(item.value));
    return svg("g", { transform: `translate(0 ${top + i * ROW})` },
      svg("text", { x: 0, y: 14, class: "chart-label" }, clip(item.label)),
      svg("rect", { x: 0, y: 21, width: `${width}%`, height: 14, rx: 3, class: "chart-bar" }),
      svg("text", { x: `${width}%`, dx: 8, y: 33, class: "chart-value" }, item.shown));
  });
  return frame([...marks, ...rows], height, `Bar chart of ${shown.length} values${orders ? ", on a logarithmic scale" : ""}`);
}

function logScale(least, most) {
  const [low, high] = [Math.floor(Math.log10(least)), Math.log10(most)];
  return (value) => (high > low ? (Math.log10(value) - low) / (high - low) : 1);
}

/** Powers of ten for an axis, few enough to be told apart. */
function powersBetween(least, most) {
  const [low, high] = [Math.floor(Math.log10(least)), Math.floor(Math.log10(most))];
  const step = Math.ceil((high - low + 1) / TICKS);
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => 10 ** (low + i * step));
}

const YEAR = 365.2425 * 86_400_000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Points in time, the earliest first, under an axis of years; what lies far from the rest is told, not drawn. */
export function timeline(items) {
  const all = items.slice(0, CHARTED).sort((a, b) => a.value - b.value);
  const shown = near(all);
  const first = shown[0].value, span = shown.at(-1).value - first || YEAR;
  const at = (value) => 2 + 92 * ((value - first) / span);
  const height = AXIS + shown.length * ROW;
  const ticks = yearsBetween(first, first + span).map(({ year, value }) => svg("g", null,
    svg("line", { x1: `${at(value)}%`, x2: `${at(value)}%`, y1: AXIS - 6, y2: height, class: "chart-axis" }),
    svg("text", { x: `${at(value)}%`, y: 14, "text-anchor": "middle", class: "chart-value" }, String(year))));
  const rows = shown.map((item, i) => {
    const x = at(item.value), right = x > 55;
    return svg("g", { transform: `translate(0 ${AXIS + i * ROW})` },
      svg("circle", { cx: `${x}%`, cy: 22, r: 5, class: "chart-bar" }),
      svg("text", { x: `${x}%`, dx: right ? -12 : 12, y: 18, "text-anchor": right ? "end" : "start", class: "chart-label" }, clip(item.label)),
      svg("text", { x: `${x}%`, dx: right ? -12 : 12, y: 35, "text-anchor": right ? "end" : "start", class: "chart-value" }, clip(item.shown)));
  });
  const drawn = frame([...ticks, ...rows], height, `Timeline of ${shown.length} dates`);
  const far = all.filter((item) => !shown.includes(item));
  return far.length ? h("div", null, drawn, h("p", { class: "dim small-text" }, "Far from the rest: ", far.map((item) => `${item.label} (${item.shown})`).join(", "))) : drawn;
}

/** Those that lie within three times the middle half's width around it. */
function near(sorted) {
  const part = (share) => sorted[Math.floor(share * (sorted.length - 1))].value;
  const [low, high] = [part(0.25), part(0.75)];
  const reach = 3 * Math.max(high - low, YEAR);
  const kept = sorted.filter(({ value }) => value >= low - reach && value <= high + reach);
  return sorted.length >= 5 ? kept : sorted;
}

/** Beginnings of years for an axis, at most so many. */
function yearsBetween(first, last) {
  const [from, to] = [first, last].map((value) => new Date(value).getUTCFullYear());
  const step = STEPS.find((each) => (to - from) / each <= TICKS) ?? STEPS.at(-1);
  const found = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) found.push({ year, value: Date.UTC(year, 0, 1) });
  return found.filter(({ value }) => value >= first && value <= last);
}

function frame(rows, height, label) {
  return svg("svg", { class: "chart", width: "100%", height, role: "img", "aria-label": label }, ...rows);
}

function clip(text) {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text;
}
