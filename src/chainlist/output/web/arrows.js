// Arrows at the bodies: velocity in their own colour, acceleration in grey, and where forces are shown those with which
// links pull or push. The largest of a run is as long as a part of the picture, so that arrows of one run can be compared.
import { ratesOf, tensionAt } from "./readout.js";
import { isThere } from "./surroundings.js";

const LONGEST = 90; // CSS pixels
const ENOUGH = 400; // frames that are looked at for the largest

/** The scales [pixels per m/s, pixels per m/s²] of a scene, for a picture of this ratio. */
export function arrowScales(scene, ratio) {
  const { motion, dots } = scene, step = Math.max(1, Math.floor(motion.count / ENOUGH));
  let fastest = 0, strongest = 0;
  for (let k = 0; k + 1 < motion.count; k += step)
    for (const i of dots) {
      const rates = ratesOf(motion, i, motion.times[k]);
      fastest = Math.max(fastest, rates ? Math.hypot(...rates.v) : 0);
      strongest = Math.max(strongest, rates ? Math.hypot(...rates.a) : 0);
    }
  return [fastest, strongest].map((most) => (most > 0 ? (LONGEST * ratio) / most : 0));
}

export function drawArrows(g, player) {
  const { scene, drawing, view, position, time, theme, arrowScale } = player;
  if (player.shows.forces && scene.tension) drawForces(g, player);
  const { dim } = scene, tip = new Float64Array(dim);
  for (const i of scene.dots) {
    const rates = ratesOf(scene.motion, i, time);
    if (!rates || scene.bodies[i].role === "held") continue;
    [[rates.a, arrowScale[1], theme.muted], [rates.v, arrowScale[0], drawing.colors[i]]].forEach(([rate, scale, color]) => {
      for (let c = 0; c < dim; c++) tip[c] = position[dim * i + c] + (rate[c] * scale) / view.scale;
      arrow(g, view.px(position, dim * i), view.py(position, dim * i), view.px(tip), view.py(tip), color, view.ratio);
    });
  }
}

/** At each body that a link holds: how the link pulls or pushes it. */
function drawForces(g, { scene, drawing, view, time, theme, fullTension }) {
  scene.links.forEach((link, k) => {
    const force = tensionAt(scene, k, time), ends = [scene.joints[2 * k], scene.joints[2 * k + 1]];
    if (!Number.isFinite(force) || !isThere(link, time)) return;
    ends.forEach((joint, end) => {
      if (!scene.dots.includes(joint)) return; // the ground needs no arrow
      const [x, y] = drawing.pixel(joint), [ox, oy] = drawing.pixel(ends[1 - end]), length = Math.hypot(ox - x, oy - y) || 1;
      const size = (Math.min(1.5, Math.abs(force) / fullTension) * LONGEST * view.ratio * Math.sign(force)) / length;
      arrow(g, x, y, x + size * (ox - x), y + size * (oy - y), `rgb(${(force > 0 ? theme.pull : theme.push).join()})`, view.ratio);
    });
  });
}

function arrow(g, ax, ay, bx, by, color, ratio) {
  const length = Math.hypot(bx - ax, by - ay), head = Math.min(9 * ratio, length);
  if (length < 2 * ratio) return;
  const ux = (bx - ax) / length, uy = (by - ay) / length;
  g.strokeStyle = g.fillStyle = color;
  g.lineWidth = 2 * ratio;
  g.beginPath();
  g.moveTo(ax, ay);
  g.lineTo(bx - head * 0.6 * ux, by - head * 0.6 * uy);
  g.stroke();
  g.beginPath();
  g.moveTo(bx, by);
  g.lineTo(bx - head * ux + 0.45 * head * uy, by - head * uy - 0.45 * head * ux);
  g.lineTo(bx - head * ux - 0.45 * head * uy, by - head * uy + 0.45 * head * ux);
  g.fill();
}
