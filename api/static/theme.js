// Runs before the first paint, so that nobody sees a flash of the other theme.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme then holds.
}
