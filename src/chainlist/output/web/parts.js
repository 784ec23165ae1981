// The shapes of springs, dampers, strings, motors …: the counterpart of strokes.py, in pixels.
// `p` are the points of a part, [x, y] each with y downwards; `u` is about the radius of a body.

const COILS = 6;
const BESIDE = 4.2; // from one element to the next between the same points
const LONGEST_ARROW = 9;
export const FADING = new Set(["spring", "damper", "string", "rope"]); // parts that earlier exposures show too

const SHAPES = {
  spring: [1, spring], damper: [1, damper], pull: [1, pull], sleeve: [1, sleeve], string: [1, string], spiral: [1, spiral],
  brake: [1, brake], drag: [1, drag], pin: [2, pin], motor: [2, motor], torque: [2, torque], force: [2, force],
};

/** Draw a part if it belongs to the layer: 1 among the rods, 2 above the bodies. */
export function drawPart(g, part, p, u, layer, paper) {
  const shape = SHAPES[part.kind];
  if (!shape || shape[0] !== layer) return;
  if (p.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) shape[1](g, part, p, u, paper);
  else if (part.kind === "force") ring(g, p[0], 2 * u); // which way it points is not known
}

function polyline(g, points) {
  g.beginPath();
  points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.stroke();
}

function ring(g, [x, y], r, inside = null) {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  if (inside) {
    g.fillStyle = inside;
    g.fill();
  }
  g.stroke();
}

/** Where the line between two points runs, moved aside where others stand between the same points: at(s, aside). */
function axis({ numbers }, [a, b], u) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]), ex = length ? (b[0] - a[0]) / length : 1, ey = length ? (b[1] - a[1]) / length : 0;
  const beside = (numbers?.[0] ?? 0) * BESIDE * u;
  const at = (s, aside = 0) => [a[0] + s * ex + (beside + aside) * ey, a[1] + s * ey - (beside + aside) * ex];
  return { at, length, ex, ey };
}

function spring(g, part, p, u) {
  const { at, length } = axis(part, p, u), line = [p[0], at(0), at(0.14 * length)];
  for (let k = 1; k < 2 * COILS; k++) line.push(at((0.14 + (0.72 * k) / (2 * COILS)) * length, k % 2 ? 1.6 * u : -1.6 * u));
  polyline(g, [...line, at(0.86 * length), at(length), p[1]]);
}

function damper(g, part, p, u) {
  const { at, length } = axis(part, p, u), half = Math.min(4 * u, 0.25 * length), middle = length / 2, r = 1.5 * u;
  polyline(g, [p[0], at(0), at(middle - half)]);
  polyline(g, [at(middle + half, r), at(middle - half, r), at(middle - half, -r), at(middle + half, -r)]);
  polyline(g, [at(middle), at(length), p[1]]);
  const thin = g.lineWidth;
  g.lineWidth = 1.8 * thin;
  polyline(g, [at(middle, 0.72 * r), at(middle, -0.72 * r)]);
  g.lineWidth = thin;
}

function pull(g, part, p, u) {
  const { at, length, ex, ey } = axis(part, p, u), reach = Math.min(5 * u, 0.4 * length);
  g.save();
  g.lineCap = "butt";
  g.setLineDash([1.2 * u, 1.2 * u]);
  polyline(g, [at(0), at(length)]);
  g.restore();
  head(g, at(reach), ex, ey, u);
  head(g, at(length - reach), -ex, -ey, u);
}

function sleeve(g, part, [b, a], u, paper) {
  const { at, length } = axis({}, [a, b], u), w = 0.85 * u;
  g.beginPath();
  [at(0.08 * length, w), at(0.52 * length, w), at(0.52 * length, -w), at(0.08 * length, -w)].forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.closePath();
  g.fillStyle = paper;
  g.fill();
  g.stroke();
}

function string(g, part, p, u, paper) {
  polyline(g, p);
  const pegs = p.slice(1, -1).filter((_, i) => typeof part.points[i + 1] !== "number");
  for (const place of pegs) {
    ring(g, place, 1.1 * u, paper);
    ring(g, place, 0.2 * u, g.strokeStyle);
  }
}

function pin(g, part, p, u, paper) { ring(g, p[0], 0.52 * u, paper); }

function motor(g, part, p, u) { turning(g, p[0], 3.4 * u, -50, 220, u); }

function torque(g, part, p, u) {
  const middle = [0, 1].map((c) => p.reduce((sum, point) => sum + point[c], 0) / p.length);
  const [from, to] = part.numbers[0] > 0 ? [-60, 200] : [240, -20];
  turning(g, middle, (p.length === 2 ? 2.6 : 3.4) * u, from, to, u);
}

/** A circular arrow from one angle to another, in degrees, counter-clockwise where they grow. */
function turning(g, [x, y], r, from, to, u) {
  const turn = Math.PI / 180, sense = Math.sign(to - from), end = to * turn;
  g.beginPath();
  g.arc(x, y, r, -from * turn, -(to - 18 * sense) * turn, sense > 0);
  g.stroke();
  const lean = end - 0.28 * sense; // the head lies on the arc
  head(g, [x + r * Math.cos(end), y - r * Math.sin(end)], -sense * Math.sin(lean), -sense * Math.cos(lean), u);
}

function force(g, part, [place, vector], u) {
  const size = Math.hypot(...vector);
  if (size < 0.02) return;
  const ex = vector[0] / size, ey = -vector[1] / size, at = (s) => [place[0] + s * u * ex, place[1] + s * u * ey];
  const tip = 1.5 + 2 + (LONGEST_ARROW - 2) * Math.min(size, 1);
  const thin = g.lineWidth;
  g.lineWidth = 1.3 * thin;
  polyline(g, [at(1.5), at(tip - 1.2)]);
  g.lineWidth = thin;
  head(g, at(tip), ex, ey, u);
}

function head(g, [x, y], ex, ey, u) {
  const bx = x - 1.9 * u * ex, by = y - 1.9 * u * ey, w = 0.75 * u;
  g.fillStyle = g.strokeStyle;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(bx - w * ey, by + w * ex);
  g.lineTo(bx + w * ey, by - w * ex);
  g.closePath();
  g.fill();
}

/** The vertex of an angle, the direction of its first arm, and the angle from there to the second, counter-clockwise. */
function opening(p) {
  const vertex = p.at(-2), second = [p.at(-1)[0] - vertex[0], vertex[1] - p.at(-1)[1]];
  const first = p.length === 3 ? [p[0][0] - vertex[0], vertex[1] - p[0][1]] : [1, 0];
  const angle = Math.atan2(first[0] * second[1] - first[1] * second[0], first[0] * second[0] + first[1] * second[1]);
  return { vertex, first: Math.atan2(first[1], first[0]), angle };
}

function spiral(g, part, p, u) {
  const { vertex: [x, y], first, angle } = opening(p), turn = angle + (angle >= 0 ? 2 : -2) * Math.PI, line = [];
  for (let k = 0; k <= 60; k++) {
    const s = k / 60, a = first + turn * s, r = (3.6 - 2 * s) * u;
    line.push([x + r * Math.cos(a), y - r * Math.sin(a)]);
  }
  polyline(g, line);
}

function brake(g, part, p, u) {
  const { vertex: [x, y], first, angle } = opening(p), middle = first + angle / 2;
  g.beginPath();
  g.arc(x, y, 2.5 * u, -first, -(first + angle), angle > 0);
  g.stroke();
  const thin = g.lineWidth, at = (r) => [x + r * u * Math.cos(middle), y - r * u * Math.sin(middle)];
  g.lineWidth = 1.8 * thin;
  polyline(g, [at(1.7), at(3.3)]);
  g.lineWidth = thin;
}

function drag(g, part, [[x, y]], u) {
  for (let k = 0; k < 8; k++) {
    const from = (k * Math.PI) / 4;
    g.beginPath();
    g.arc(x, y, 2.1 * u, from, from + 0.45);
    g.stroke();
  }
}
