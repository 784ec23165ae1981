// Names in the picture of a mechanism.

const ROOM_FOR_LINK = 46; // CSS pixels that a link must have to be named
const ROOM_FOR_BODY = 15; // and that bodies must be apart

/** The names of links, bodies and all else, where there is room. */
export function drawNames(g, drawing) {
  const p = drawing.pixels, { bodies, dots, shapes, links, rails, joints, others } = drawing.scene, r = drawing.ratio;
  g.textBaseline = "middle";
  g.lineJoin = "round";
  g.lineWidth = 3.5 * r;
  g.strokeStyle = drawing.theme.paper;
  const label = (text, x, y) => {
    g.strokeText(text, x, y);
    g.fillText(text, x, y);
  };
  g.textAlign = "center";
  g.font = `italic ${11 * r}px system-ui, sans-serif`;
  g.fillStyle = drawing.theme.muted;
  links.forEach((link, k) => {
    const a = 2 * joints[2 * k], b = 2 * joints[2 * k + 1], dx = p[b] - p[a], dy = p[b + 1] - p[a + 1];
    const length = Math.hypot(dx, dy), aside = ((p[b] < p[a] ? 1 : -1) * (drawing.size + 7 * r)) / length;
    if (length > ROOM_FOR_LINK * r) label(link.name, (p[a] + p[b]) / 2 - aside * dy, (p[a + 1] + p[b + 1]) / 2 + aside * dx);
  });
  for (const { name, centre } of shapes) label(name, p[2 * centre], p[2 * centre + 1] + 1.6 * drawing.size + 8 * r);
  for (const rail of rails) label(rail.name, p[2 * rail.body], p[2 * rail.body + 1] + 2.2 * drawing.size + 8 * r);
  for (const { name, kind, at, points, numbers } of others) {
    if (kind === "sleeve") continue; // its link has the name
    const between = at.length === 2 && kind !== "circle" && kind !== "force" && kind !== "pin";
    const angular = kind === "spiral" || kind === "brake", first = angular ? at.at(-2) : at[0];
    const [a, b] = [drawing.pixel(first), drawing.pixel((between && !angular) || kind === "string" ? at[1] : first)];
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1, aside = (between ? 4.2 * (numbers?.[0] ?? 0) : 0) * drawing.size;
    const right = between && Math.abs(dy) > Math.abs(dx) ? 1 : 0, below = 1 - right;
    const x = (a[0] + b[0]) / 2 + (aside * dy) / length + right * (2.4 * drawing.size + 9 * r), y = (a[1] + b[1]) / 2 - (aside * dx) / length;
    if (points.length) label(name, x, y + below * ((kind === "motor" || kind === "torque" ? 3.9 : 2.2) * drawing.size + 8 * r));
  }
  g.textAlign = "left";
  g.font = `600 ${12 * r}px system-ui, sans-serif`;
  g.fillStyle = drawing.theme.ink;
  const every = Math.ceil((ROOM_FOR_BODY * r * 0.27) / drawing.size) || 1; // in a fine chain not every body has room for its name
  dots.forEach((i, k) => {
    if (k % every && k < dots.length - 1) return;
    label(bodies[i].name, p[2 * i] + drawing.radius(i) + 3 * r, p[2 * i + 1] - drawing.radius(i) - 3 * r);
  });
}
