// Colours, light and dark. A host chooses with data-theme="light" or "dark" on any element above;
// without one the system's preference counts.

const LIGHT = {
  dark: false, ink: "#1f2933", muted: "#66727f", faint: "#e4e8ec", paper: "#ffffff", accent: "#0b66b2",
  rod: "#8b98a5", rodEdge: "#4b5865", ground: "#5b6875", rail: "#b8c2cc", ghost: "#9aa5b1",
  pull: [196, 48, 43], push: [24, 94, 190], slack: [172, 181, 190],
  bodies: ["#0b66b2", "#d1550b", "#0a8f68", "#b0489a", "#b67c00", "#2391c7", "#6b51a8", "#8a6446"],
  ramp: ["#3b4cc0", "#1487b0", "#1d9a6c", "#7ea31c", "#d98a0b", "#c4303d"],
  axes: ["#b03a2e", "#1e7c4c", "#245ca8"], shadow: "#dde2e7", tints: [0.25, 0.85],
};

const DARK = {
  dark: true, ink: "#e6ebf0", muted: "#98a4b0", faint: "#2b333b", paper: "#15191d", accent: "#5cb0ff",
  rod: "#7d8a97", rodEdge: "#b9c4ce", ground: "#9aa6b2", rail: "#46515c", ghost: "#5f6b77",
  pull: [255, 112, 92], push: [92, 160, 255], slack: [104, 116, 128],
  bodies: ["#5cb0ff", "#ff9254", "#3fd0a0", "#e690d3", "#f0bd4f", "#84cdf2", "#b09cf5", "#d0ad8c"],
  ramp: ["#7d8bff", "#3fb6e0", "#3fd0a0", "#b4d64a", "#ffb547", "#ff7a70"],
  axes: ["#f0857a", "#5fd39a", "#7db4f5"], shadow: "#0b0e11", tints: [0.82, 0.42],
};

/** The colours that hold for an element. */
export function themeOf(element) {
  const chosen = element.closest("[data-theme]")?.dataset.theme;
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return dark ? DARK : LIGHT;
}

/** Call `changed` whenever the theme may be another one; returns a function that ends the watch. */
export function watchTheme(changed) {
  const media = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, subtree: true, attributeFilter: ["data-theme"] });
  media.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", changed);
  };
}

/** One colour for each of `count` things: told apart when there are few, along a ramp when there are many. */
export function series(theme, count) {
  if (count <= theme.bodies.length) return theme.bodies.slice(0, count);
  return Array.from({ length: count }, (_, i) => rampAt(theme.ramp, i / (count - 1)));
}

function rampAt(stops, fraction) {
  const at = fraction * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  return mixed(rgb(stops[i]), rgb(stops[i + 1]), at - i);
}

function rgb(color) {
  return color[0] === "#" ? [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)) : color.match(/\d+/g).map(Number);
}

const blends = new Map(); // few colours are asked for again and again

/** The colour between two, each written as CSS; in steps that nobody sees. */
export function blend(a, b, fraction) {
  const step = Math.round(50 * Math.max(0, Math.min(1, fraction))), key = `${a}${b}${step}`;
  if (blends.size > 20000) blends.clear();
  if (!blends.has(key)) blends.set(key, mixed(rgb(a), rgb(b), step / 50));
  return blends.get(key);
}

/** The colour of a face of a rigid body, as bright as `light` (0 to 1), or of its edges; `fog` takes it to the paper. */
export function tint(theme, color, light, fog = 0) {
  const [dark, bright] = theme.tints;
  const clear = light === "edge" ? blend(color, theme.ink, 0.25) : blend(color, theme.paper, dark + (bright - dark) * light);
  return blend(clear, theme.paper, fog);
}

/** The colour between two, each [r, g, b]. */
export function mixed(a, b, fraction) {
  const part = (i) => Math.round(a[i] + fraction * (b[i] - a[i]));
  return `rgb(${part(0)},${part(1)},${part(2)})`;
}
