// Icons as inline SVG, 24 units square, in the colour of the text around them.

const STROKED = {
  back: "M18 6 9 12l9 6zM6 6v12",
  forward: "M6 6l9 6-9 6zM18 6v12",
  loop: "M4 11a7 7 0 0 1 12-4.5L19 9M19 4v5h-5M20 13a7 7 0 0 1-12 4.5L5 15M5 20v-5h5",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  strobe: "M4 19 8 6M9.5 19l4-13M15 19l4-13",
  trails: "M3 17c4 0 4-10 9-10s4 8 9 8",
  names: "M5 18 10.5 5h3L19 18M7.5 13h9",
  forces: "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4",
  axes: "M6 3v18M3 18h18M4 5l2-2 2 2M19 16l2 2-2 2",
  arrows: "M5 19 18 6M9 6h9v9",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
};
const FILLED = { play: "M7 5v14l12-7z", pause: "M7 5h4v14H7zM13 5h4v14h-4z", half: "M12 4a8 8 0 1 0 0 16z" };

/** The markup of an icon. */
export function icon(name) {
  const shape = name in FILLED
    ? `<path d="${FILLED[name]}" fill="currentColor"/>`
    : `<path d="${STROKED[name]}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`;
  const half = name === "theme" ? `<path d="${FILLED.half}" fill="currentColor"/>` : "";
  return `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">${shape}${half}</svg>`;
}
