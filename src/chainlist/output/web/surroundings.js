// Walls, ropes and flashes: the counterpart of surroundings.py and presence.py, in pixels.

const HATCH = 2.2; // sizes of a body from one stroke of a hatching to the next
const TICK = 7; // and from one tick of a belt to the next
const MOST_STROKES = 400; // of one wall
const SLACK = 1e-6; // of its length: a rope that is longer than its way by less is taut
const SAG_POINTS = 25;
const FLASH = 0.3; // seconds of viewing that a flash lasts

/** Whether a link is there: some begin late, some break. */
export function isThere({ holds }, time) { return !holds || (time >= (holds[0] ?? -Infinity) && time < (holds[1] ?? Infinity)); }

/** The joint in the middle of a circle or a round wall. */
export function centreOf({ kind, at }) { return at[kind === "drum" || kind === "globe" ? 0 : 1]; }

/** A straight or round wall of the plane, hatched where no body may be. */
export function drawWall(g, view, drawing, part) {
  g.lineCap = "round";
  g.strokeStyle = drawing.theme.ground;
  const ways = part.kind === "wall" ? straight(view, drawing, part) : round(view, drawing, part);
  if (!ways) return;
  for (const [lines, width] of [[ways.edge, 1.6], [ways.hatching, 0.8], [ways.ticks, 1.6]]) {
    g.lineWidth = width * drawing.ratio;
    g.beginPath();
    for (const line of lines) line.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.stroke();
  }
}

function straight(view, drawing, { at, numbers: [belt] }) {
  const [a, b] = at.map((j) => drawing.pixel(j)), length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  const ex = (b[0] - a[0]) / length, ey = (b[1] - a[1]) / length, range = inside(view, a, [ex, ey]);
  if (!range) return null;
  const [low, high] = range, place = (s, aside = 0, on = 0) => [a[0] + (s + on) * ex + aside * ey, a[1] + (s + on) * ey - aside * ex];
  const step = Math.max(HATCH * drawing.size, (high - low) / MOST_STROKES), depth = 0.62 * step;
  const hatching = steps(low, high, step, 0).map((s) => [place(s), place(s, depth, -depth)]);
  const wide = Math.max(TICK * drawing.size, (high - low) / MOST_STROKES), lean = 0.75 * drawing.size;
  const ticks = belt ? steps(low, high, wide, belt * drawing.time * view.scale).map((s) => [place(s), place(s, -lean, Math.sign(belt) * lean)]) : [];
  return { edge: [[place(low), place(high)]], hatching, ticks };
}

/** Multiples of a step, shifted, in a range. */
function steps(low, high, step, shift) {
  const first = Math.ceil((low - shift) / step), last = Math.floor((high - shift) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => (first + k) * step + shift);
}

/** From where to where a line is on the canvas. */
function inside(view, start, along) {
  let low = -Infinity, high = Infinity;
  for (const [x, d, last] of [[start[0], along[0], view.width], [start[1], along[1], view.height]]) {
    if (Math.abs(d) < 1e-12) {
      if (x < 0 || x > last) return null;
      continue;
    }
    const cuts = [-x / d, (last - x) / d].sort((p, q) => p - q);
    [low, high] = [Math.max(low, cuts[0]), Math.min(high, cuts[1])];
  }
  return low < high ? [low, high] : null;
}

function round(view, drawing, part) {
  const [x, y] = drawing.pixel(part.at[0]), r = drawing.circleRadius(part) * view.scale, [belt, within] = part.numbers;
  if (!(r > 0) || !Number.isFinite(x + y + r)) return null;
  const place = (angle, radius) => [x + radius * Math.cos(angle), y - radius * Math.sin(angle)], turn = 2 * Math.PI;
  const around = (count, shift = 0) => Array.from({ length: count }, (_, k) => (turn * k) / count + shift);
  const edge = [[...around(180).map((a) => place(a, r)), place(0, r)]];
  const count = Math.max(8, Math.min(MOST_STROKES, Math.floor((turn * r) / (HATCH * drawing.size))));
  const depth = Math.min(0.62 * HATCH * drawing.size, 0.6 * r) * (within ? 1 : -1);
  const hatching = around(count).map((a) => [place(a, r), place(a - Math.abs(depth) / r, r + depth)]);
  const sense = within ? 1 : -1, lean = 0.75 * drawing.size, teeth = Math.max(3, Math.round((turn * r) / (TICK * drawing.size)));
  const ticks = belt ? around(teeth, (sense * belt * drawing.time * view.scale) / r).map((a) => [place(a, r), place(a + (sense * Math.sign(belt) * lean) / r, r - sense * lean)]) : [];
  return { edge, hatching, ticks };
}

/** From point to point; what a rope is longer than its way hangs down, on each stretch its share of it. */
export function drawRope(g, view, drawing, { at, points, numbers }, paper) {
  const own = drawing.scene.tracks[points.at(-1).told] === "radius";
  const places = (own ? at.slice(0, -1) : at).map((j) => drawing.metres(j, drawing.q));
  const length = own ? drawing.told[drawing.dim * points.at(-1).told] : numbers?.[0];
  if (!places.flat().every(Number.isFinite)) return;
  const stretches = places.slice(1).map((b, k) => Math.hypot(...b.map((x, c) => x - places[k][c]))), way = stretches.reduce((sum, s) => sum + s, 0);
  const longer = length === undefined || !(length > way * (1 + SLACK)) ? 1 : length / (way || 1);
  g.beginPath();
  stretches.forEach((stretch, k) => {
    const line = longer === 1 ? [places[k], places[k + 1]] : hanging(places[k], places[k + 1], way > 0 ? longer * stretch : length / stretches.length);
    line.forEach((p, n) => (n ? g.lineTo(view.px(p), view.py(p)) : g.moveTo(view.px(p), view.py(p))));
  });
  g.stroke();
  if (!paper) return;
  for (const [k, p] of places.entries()) {
    if (!k || k === places.length - 1 || typeof points[k] === "number") continue;
    g.fillStyle = paper;
    g.beginPath();
    g.arc(view.px(p), view.py(p), 1.1 * drawing.size, 0, 2 * Math.PI);
    g.fill();
    g.stroke();
  }
}

/** The catenary of a length between two points; y is up. Straight below one another: down and up again. */
export function hanging(a, b, length) {
  const across = b.map((x, c) => (c === 1 ? 0 : x - a[c])), rise = b[1] - a[1], wide = Math.hypot(...across), room = length * length - rise * rise;
  if (wide <= 1e-4 * length || room <= wide * wide) {
    const low = a.map((x, c) => (x + b[c]) / 2);
    low[1] = Math.min(a[1], b[1]) - Math.max((length - Math.abs(rise)) / 2, 0);
    return [a, low, b];
  }
  const scale = wide / (2 * steepness(Math.sqrt(room) / wide)), middle = wide / 2 - scale * Math.atanh(rise / length);
  return Array.from({ length: SAG_POINTS }, (_, k) => {
    const s = k / (SAG_POINTS - 1), height = scale * (Math.cosh((s * wide - middle) / scale) - Math.cosh(middle / scale));
    return a.map((x, c) => (c === 1 ? x + height : x + s * across[c]));
  });
}

/** u with sinh(u)/u = ratio, by Newton's method. */
function steepness(ratio) {
  let u = ratio < 3 ? Math.sqrt(6 * (ratio - 1)) : Math.log(2 * ratio) + Math.log(Math.log(2 * ratio));
  for (let k = 0; k < 30; k++) {
    const change = (Math.sinh(u) - ratio * u) / (Math.cosh(u) - ratio);
    u -= change;
    if (Math.abs(change) < 1e-12 * u) break;
  }
  return Math.max(u, 1e-6);
}

/** Rings around the places of the last events, which grow and fade. */
export function drawFlashes(g, view, drawing, speed) {
  const { events } = drawing.scene, lasts = FLASH * speed;
  for (let k = firstAfter(events, drawing.time - lasts); k < events.length && events[k].t <= drawing.time; k++) {
    const { t, place, size } = events[k], age = (drawing.time - t) / lasts;
    if (!place) continue;
    g.globalAlpha = 1 - age;
    g.strokeStyle = `rgb(${drawing.theme.pull.join()})`;
    g.lineWidth = (0.8 + 2.4 * (1 - age)) * drawing.ratio;
    g.beginPath();
    g.arc(view.px(place), view.py(place), Math.max(5 * drawing.ratio, drawing.size) * size * (0.9 + 1.8 * age), 0, 2 * Math.PI);
    g.stroke();
  }
  g.globalAlpha = 1;
}

/** The next event (way 1), or the last one before (way -1). */
export function eventBeside(events, time, way) {
  const before = events.findLastIndex(({ t }) => t < time);
  return events[way > 0 ? firstAfter(events, time) : before];
}

/** The first event after a time. */
function firstAfter(events, time) {
  let low = 0, high = events.length;
  while (low < high) {
    const k = (low + high) >> 1;
    if (events[k].t > time) high = k; else low = k + 1;
  }
  return low;
}
