// Where bodies slide in the plane: rails, lines through two points, circles, and the blocks on them.

export function drawRail(g, view, drawing, { line: [k1, k2, konst] }, [from, to]) {
  if (!(from <= to)) return;
  const norm = Math.hypot(k1, k2), foot = konst / (norm * norm), dx = -k2 / norm, dy = k1 / norm;
  const spare = (3.2 * drawing.size) / view.scale;
  const end = (s) => [view.x(k1 * foot + s * dx), view.y(k2 * foot + s * dy)];
  const a = end(from - spare), b = end(to + spare);
  g.beginPath();
  g.moveTo(...a);
  g.lineTo(...b);
  strokeSlot(g, drawing);
}

function strokeSlot(g, drawing) {
  g.lineCap = "round";
  for (const [width, color] of [[1.7 * drawing.size, drawing.theme.rail], [1.7 * drawing.size - 2.4 * drawing.ratio, drawing.theme.paper]]) {
    if (width <= 0) continue;
    g.lineWidth = width;
    g.strokeStyle = color;
    g.stroke();
  }
}

/** A line through two points, as far as its body goes and the points are; they do not count where they only tell it. */
export function drawGuide(g, view, drawing, { at, points }, [from, to]) {
  const [, a, b] = at.map((j) => drawing.pixel(j)), length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(from <= to) || !(length > 0)) return;
  const told = drawing.scene.tracks[points[1].told] === "line", near = Math.min(Math.abs(from), Math.abs(to)) < to - from;
  const scale = drawing.dim === 2 ? view.scale : length / Math.hypot(...drawing.metres(at[2], drawing.q).map((x, c) => x - drawing.metres(at[1], drawing.q)[c]));
  const low = (told && !near ? from : Math.min(from, 0)) * scale - 3.2 * drawing.size;
  const high = Math.max(to * scale, told ? (near ? 0 : low) : length) + 3.2 * drawing.size;
  const end = (s) => [a[0] + (s * (b[0] - a[0])) / length, a[1] + (s * (b[1] - a[1])) / length];
  g.beginPath();
  g.moveTo(...end(low));
  g.lineTo(...end(high));
  strokeSlot(g, drawing);
}

export function drawCircle(g, view, drawing, part) {
  const [x, y] = drawing.pixel(part.at[1]), radius = drawing.circleRadius(part) * view.scale, arm = 0.7 * drawing.size;
  if (!(radius > 0) || !Number.isFinite(x + y)) return;
  g.beginPath();
  g.arc(x, y, radius, 0, 2 * Math.PI);
  strokeSlot(g, drawing);
  g.lineWidth = drawing.ratio;
  g.strokeStyle = drawing.theme.rail;
  g.beginPath();
  for (const [dx, dy] of [[arm, 0], [0, arm]]) {
    g.moveTo(x - dx, y - dy);
    g.lineTo(x + dx, y + dy);
  }
  g.stroke();
}

/** The blocks in which bodies slide. */
export function drawSliders(g, drawing) {
  for (const { body, line: [k1, k2] } of drawing.scene.rails) drawBlock(g, drawing, body, -Math.atan2(k1, -k2));
  for (const { kind, at, points: [body] } of drawing.scene.others) {
    if (kind !== "guide" && kind !== "circle") continue;
    const [here, a, b] = at.map((j) => drawing.pixel(j));
    drawBlock(g, drawing, body, kind === "guide" ? Math.atan2(b[1] - a[1], b[0] - a[0]) : Math.atan2(here[0] - a[0], a[1] - here[1]));
  }
}

function drawBlock(g, drawing, body, angle) {
  const s = 1.35 * drawing.size;
  g.save();
  g.translate(drawing.pixels[2 * body], drawing.pixels[2 * body + 1]);
  g.rotate(angle);
  g.fillStyle = drawing.theme.paper;
  g.strokeStyle = drawing.theme.rodEdge;
  g.lineWidth = 1.4 * drawing.ratio;
  g.beginPath();
  g.roundRect(-1.6 * s, -0.95 * s, 3.2 * s, 1.9 * s, 0.4 * s);
  g.fill();
  g.stroke();
  g.restore();
}
