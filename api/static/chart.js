// Small charts of our own: bars for numbers, points on a line of time for dates. Plain SVG, widths in per cent.

import { svg } from "./dom.js";

const ROW = 46;
/** So many items are drawn. */
export const CHARTED = 60;

/** Bars, the longest as wide as there is room for. ``log`` compares orders of magnitude. */
export function barChart(items, log) {
  const shown = items.slice(0, CHARTED);
  const values = shown.map((item) => item.value);
  const most = Math.max(...values), least = Math.min(...values);
  const scale = log && least > 0 ? logScale(least, most) : (value) => (most > 0 ? Math.max(0, value) / most : 0);
  const rows = shown.map((item, i) => {
    const width = Math.max(0.4, 78 * scale(item.value));
    return svg("g", { transform: `translate(0 ${i * ROW})` },
      svg("text", { x: 0, y: 14, class: "chart-label" }, clip(item.label)),
      svg("rect", { x: 0, y: 21, width: `${width}%`, height: 14, rx: 3, class: "chart-bar" }),
      svg("text", { x: `${width}%`, dx: 8, y: 33, class: "chart-value" }, item.shown));
  });
  return frame(rows, shown.length * ROW, `Bar chart of ${shown.length} values`);
}

function logScale(least, most) {
  const [low, high] = [Math.floor(Math.log10(least)), Math.log10(most)];
  return (value) => (high > low ? (Math.log10(value) - low) / (high - low) : 1);
}

/** Points in time, the earliest first. */
export function timeline(items) {
  const shown = items.slice(0, CHARTED).sort((a, b) => a.value - b.value);
  const first = shown[0].value, span = shown.at(-1).value - first || 1;
  const rows = shown.map((item, i) => {
    const x = 2 + 80 * ((item.value - first) / span);
    return svg("g", { transform: `translate(0 ${i * ROW})` },
      svg("text", { x: 0, y: 14, class: "chart-label" }, clip(item.label)),
      svg("line", { x1: "2%", x2: "82%", y1: 28, y2: 28, class: "chart-axis" }),
      svg("circle", { cx: `${x}%`, cy: 28, r: 5, class: "chart-bar" }),
      svg("text", { x: `${x}%`, dx: 10, y: 32, class: "chart-value" }, item.shown));
  });
  return frame(rows, shown.length * ROW, `Timeline of ${shown.length} dates`);
}

function frame(rows, height, label) {
  return svg("svg", { class: "chart", width: "100%", height, role: "img", "aria-label": label }, ...rows);
}

function clip(text) {
  return text.length > 64 ? `${text.slice(0, 63)}…` : text;
}
