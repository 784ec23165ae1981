// What can be measured at a body or a link at one moment, in words for whoever points at it.
import { readable } from "./ticks.js";

const LINK_REACH = 9; // CSS pixels

/** Velocity and acceleration of a body at a time: those of the frames around it; null where the scene has none. */
export function ratesOf(motion, body, time) {
  const { velocities, times, count, dim, width } = motion;
  if (!velocities || count < 2) return null;
  const k = Math.min(motion.frameAt(time), count - 2), span = times[k + 1] - times[k], at = k * width + dim * body;
  if (!(span > 0)) return null;
  const s = Math.max(0, Math.min(1, (time - times[k]) / span)), v = [], a = [];
  for (let c = 0; c < dim; c++) {
    const here = velocities[at + c], next = velocities[at + width + c];
    v.push(here + s * (next - here));
    a.push((next - here) / span);
  }
  return { v, a };
}

const vector = (name, values, unit) => `${name}  ${readable(Math.hypot(...values), 4)} ${unit}  (${values.map((x) => readable(x, 3)).join(", ")})`;

/** Of a body: mass, place, velocity, acceleration, kinetic energy. */
export function bodyReadout(scene, i, time, position) {
  const { name, mass, role } = scene.bodies[i], { dim } = scene, rates = ratesOf(scene.motion, i, time);
  const lines = [role === "held" && !mass ? name : `${name}   ${readable(mass, 3)} kg`];
  for (let c = 0; c < dim; c++) lines.push(`${"xyz"[c]}  ${readable(position[dim * i + c], 4)} m`);
  if (rates && role !== "held") {
    lines.push(vector("v", rates.v, "m/s"), vector("a", rates.a, "m/s\u00b2"));
    if (mass > 0) lines.push(`T  ${readable((mass / 2) * rates.v.reduce((sum, x) => sum + x * x, 0), 4)} J`);
  }
  return lines.join("\n");
}

/** Of a link: the distance of its ends, its angle, its tension. */
export function linkReadout(scene, k, time, ends) {
  const [a, b] = ends, apart = a.map((x, c) => b[c] - x), lines = [scene.links[k].name, `length  ${readable(Math.hypot(...apart), 4)} m`];
  if (scene.dim === 2) lines.push(`angle  ${readable((180 / Math.PI) * Math.atan2(apart[1], apart[0]), 4)}\u00b0`);
  const force = tensionAt(scene, k, time);
  if (Number.isFinite(force)) lines.push(`${force >= 0 ? "pulls" : "pushes"}  ${readable(Math.abs(force), 4)} N`);
  return lines.join("\n");
}

/** The tension of a link: straight between frames. */
export function tensionAt({ tension, motion, links }, k, time) {
  if (!tension) return NaN;
  const { times, count } = motion, f = motion.frameAt(time), next = Math.min(f + 1, count - 1), span = times[next] - times[f];
  const here = tension[f * links.length + k], s = span > 0 ? Math.min(1, (time - times[f]) / span) : 0;
  return here + s * (tension[next * links.length + k] - here);
}

/** The link whose line is nearest to pixels and within reach; -1 if there is none. */
export function linkAt(scene, drawing, x, y, ratio) {
  let best = -1, nearest = LINK_REACH * ratio;
  scene.links.forEach((_, k) => {
    const away = toSegment(x, y, drawing.pixel(scene.joints[2 * k]), drawing.pixel(scene.joints[2 * k + 1]));
    if (away < nearest) [best, nearest] = [k, away];
  });
  return best;
}

function toSegment(x, y, [ax, ay], [bx, by]) {
  const dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
  const s = length > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(ax + s * dx - x, ay + s * dy - y);
}
