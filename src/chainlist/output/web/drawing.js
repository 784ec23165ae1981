// The picture of a mechanism at one moment: rods, bodies, pivots, rails, names.
import { mixed, series } from "./theme.js";

const TURN = 2 * Math.PI;
const ROOM_FOR_LINK = 46; // CSS pixels that a link must have to be named
const ROOM_FOR_BODY = 15; // and that bodies must be apart

export class Drawing {
  constructor(scene) {
    this.scene = scene;
    this.count = scene.bodies.length;
    this.pixels = new Float64Array(2 * this.count + scene.fixed.length); // joints on the canvas: bodies, then fixed points
    this.growth = relativeSizes(scene.bodies.map((body) => body.mass));
    this.travel = scene.rails.map(() => [Infinity, -Infinity]);
    this.seen = 0; // frames that `travel` covers
    this.usualLength = null;
  }

  setTheme(theme) {
    this.theme = theme;
    this.colors = series(theme, this.count);
  }

  /** Take in what frames have arrived: how long links are, how far sliders travel. */
  learn() {
    const { motion, rails, joints } = this.scene, q = motion.positions, n = 2 * this.count;
    if (this.usualLength === null && motion.count) this.usualLength = lowerQuartile(linkLengths(q, joints, this.scene.fixed, this.count));
    for (; this.seen < motion.count; this.seen++)
      rails.forEach(({ body, line: [k1, k2] }, r) => {
        const i = this.seen * n + 2 * body, along = (k1 * q[i + 1] - k2 * q[i]) / Math.hypot(k1, k2);
        if (along < this.travel[r][0]) this.travel[r][0] = along;
        if (along > this.travel[r][1]) this.travel[r][1] = along;
      });
  }

  /** Put positions (metres) on the canvas; sizes follow the view. */
  place(view, q) {
    const p = this.pixels, n = 2 * this.count, fixed = this.scene.fixed;
    for (let i = 0; i < n; i += 2) {
      p[i] = view.x(q[i]);
      p[i + 1] = view.y(q[i + 1]);
    }
    for (let i = 0; i < fixed.length; i += 2) {
      p[n + i] = view.x(fixed[i]);
      p[n + i + 1] = view.y(fixed[i + 1]);
    }
    const r = view.ratio, room = Math.min(view.width, view.height) / r;
    const wanted = Math.max(4, Math.min(8.5, 0.0135 * room)) * r;
    this.size = Math.max(1.2 * r, Math.min(wanted, this.usualLength ? 0.27 * this.usualLength * view.scale : wanted));
    this.ratio = r;
  }

  radius(i) { return this.size * this.growth[i]; }

  /** What stands still, below everything else: rails, and the ground under pivots. */
  drawGround(g, view) {
    this.scene.rails.forEach((rail, r) => this.drawRail(g, view, rail, this.travel[r]));
    const n = 2 * this.count;
    for (let i = n; i < this.pixels.length; i += 2) drawPivotGround(g, this.pixels[i], this.pixels[i + 1], this.pivotSize(), this.theme);
  }

  pivotSize() { return Math.max(5 * this.ratio, Math.min(9 * this.ratio, 1.25 * this.size)); }

  drawRail(g, view, { line: [k1, k2, konst] }, [from, to]) {
    if (!(from <= to)) return;
    const norm = Math.hypot(k1, k2), foot = konst / (norm * norm), dx = -k2 / norm, dy = k1 / norm;
    const spare = (3.2 * this.size) / view.scale;
    const end = (s) => [view.x(k1 * foot + s * dx), view.y(k2 * foot + s * dy)];
    const a = end(from - spare), b = end(to + spare);
    g.lineCap = "round";
    for (const [width, color] of [[1.7 * this.size, this.theme.rail], [1.7 * this.size - 2.4 * this.ratio, this.theme.paper]]) {
      if (width <= 0) continue;
      g.lineWidth = width;
      g.strokeStyle = color;
      g.beginPath();
      g.moveTo(...a);
      g.lineTo(...b);
      g.stroke();
    }
  }

  traceRods(g) {
    const p = this.pixels, joints = this.scene.joints;
    g.beginPath();
    for (let k = 0; k < joints.length; k += 2) {
      const a = 2 * joints[k], b = 2 * joints[k + 1];
      g.moveTo(p[a], p[a + 1]);
      g.lineTo(p[b], p[b + 1]);
    }
  }

  drawRods(g) {
    const width = Math.max(1.1 * this.ratio, 0.62 * this.size);
    g.lineCap = "round";
    this.traceRods(g);
    g.strokeStyle = this.theme.rodEdge;
    g.lineWidth = width;
    g.stroke();
    if (width < 3 * this.ratio) return;
    g.strokeStyle = this.theme.rod;
    g.lineWidth = width - 1.8 * this.ratio;
    g.stroke();
  }

  /** Rods coloured by their tension: values from `at` on, `full` being the strongest colour. */
  drawTension(g, values, at, full) {
    const p = this.pixels, joints = this.scene.joints, { pull, push, slack } = this.theme;
    g.lineCap = "round";
    for (let k = 0; k < joints.length; k += 2) {
      const value = values[at + k / 2], a = 2 * joints[k], b = 2 * joints[k + 1];
      const strength = Math.min(1, Math.sqrt(Math.abs(value) / full)) || 0;
      g.strokeStyle = mixed(slack, value < 0 ? push : pull, strength);
      g.lineWidth = Math.max(1.4 * this.ratio, (0.5 + 0.35 * strength) * this.size);
      g.beginPath();
      g.moveTo(p[a], p[a + 1]);
      g.lineTo(p[b], p[b + 1]);
      g.stroke();
    }
  }

  drawSliders(g) {
    const s = 1.35 * this.size;
    for (const { body, line: [k1, k2] } of this.scene.rails) {
      g.save();
      g.translate(this.pixels[2 * body], this.pixels[2 * body + 1]);
      g.rotate(-Math.atan2(k1, -k2));
      g.fillStyle = this.theme.paper;
      g.strokeStyle = this.theme.rodEdge;
      g.lineWidth = 1.4 * this.ratio;
      g.beginPath();
      g.roundRect(-1.6 * s, -0.95 * s, 3.2 * s, 1.9 * s, 0.4 * s);
      g.fill();
      g.stroke();
      g.restore();
    }
  }

  /** Bodies in their colours; small and grey where colours speak of forces. */
  drawBodies(g, plain = false) {
    const p = this.pixels;
    g.strokeStyle = this.theme.paper;
    g.lineWidth = 1.3 * this.ratio;
    for (let i = 0; i < this.count; i++) {
      const r = plain ? 0.6 * this.radius(i) : this.radius(i);
      g.fillStyle = plain ? this.theme.rodEdge : this.colors[i];
      g.beginPath();
      g.arc(p[2 * i], p[2 * i + 1], r, 0, TURN);
      g.fill();
      if (r > 2.5 * this.ratio) g.stroke();
    }
  }

  drawPins(g) {
    const r = 0.42 * this.pivotSize();
    g.fillStyle = this.theme.paper;
    g.strokeStyle = this.theme.ground;
    g.lineWidth = 1.5 * this.ratio;
    for (let i = 2 * this.count; i < this.pixels.length; i += 2) {
      g.beginPath();
      g.arc(this.pixels[i], this.pixels[i + 1], r, 0, TURN);
      g.fill();
      g.stroke();
    }
  }

  drawNames(g) {
    const p = this.pixels, { bodies, links, rails, joints } = this.scene, r = this.ratio;
    g.textBaseline = "middle";
    g.lineJoin = "round";
    g.lineWidth = 3.5 * r;
    g.strokeStyle = this.theme.paper;
    const label = (text, x, y) => {
      g.strokeText(text, x, y);
      g.fillText(text, x, y);
    };
    g.textAlign = "center";
    g.font = `italic ${11 * r}px system-ui, sans-serif`;
    g.fillStyle = this.theme.muted;
    links.forEach((link, k) => {
      const a = 2 * joints[2 * k], b = 2 * joints[2 * k + 1], dx = p[b] - p[a], dy = p[b + 1] - p[a + 1];
      const length = Math.hypot(dx, dy), aside = ((p[b] < p[a] ? 1 : -1) * (this.size + 7 * r)) / length;
      if (length > ROOM_FOR_LINK * r) label(link.name, (p[a] + p[b]) / 2 - aside * dy, (p[a + 1] + p[b + 1]) / 2 + aside * dx);
    });
    for (const rail of rails) label(rail.name, p[2 * rail.body], p[2 * rail.body + 1] + 2.2 * this.size + 8 * r);
    g.textAlign = "left";
    g.font = `600 ${12 * r}px system-ui, sans-serif`;
    g.fillStyle = this.theme.ink;
    const every = Math.ceil((ROOM_FOR_BODY * r * 0.27) / this.size) || 1; // in a fine chain not every body has room for its name
    bodies.forEach((body, i) => {
      if (i % every && i < this.count - 1) return;
      label(body.name, p[2 * i] + this.radius(i) + 3 * r, p[2 * i + 1] - this.radius(i) - 3 * r);
    });
  }

  /** A pose of the past, or of another run: thin and in one stroke, so that many of them are cheap. */
  drawExposure(g, alpha, color = null) {
    const p = this.pixels, joints = this.scene.joints;
    g.globalAlpha = alpha;
    g.lineCap = "round";
    g.lineWidth = Math.max(1.1 * this.ratio, 0.3 * this.size);
    g.strokeStyle = color ?? this.theme.rodEdge;
    this.traceRods(g);
    if (joints.length) g.stroke();
    for (let i = 0; i < this.count; i++) {
      g.fillStyle = color ?? this.colors[i];
      g.beginPath();
      g.arc(p[2 * i], p[2 * i + 1], 0.72 * this.radius(i), 0, TURN);
      g.fill();
    }
    g.globalAlpha = 1;
  }
}

/** A hatched pivot: a triangle on the ground. */
function drawPivotGround(g, x, y, size, theme) {
  const half = 1.25 * size, foot = y + 1.75 * size;
  g.strokeStyle = theme.ground;
  g.fillStyle = theme.faint;
  g.lineJoin = "round";
  g.lineCap = "butt";
  g.lineWidth = Math.max(1, 0.16 * size);
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x - 0.85 * size, foot);
  g.lineTo(x + 0.85 * size, foot);
  g.closePath();
  g.fill();
  g.stroke();
  g.beginPath();
  g.moveTo(x - 1.1 * half, foot);
  g.lineTo(x + 1.1 * half, foot);
  for (let k = 0; k < 5; k++) {
    const at = x - half + (k + 0.5) * 0.48 * size;
    g.moveTo(at, foot);
    g.lineTo(at - 0.45 * size, foot + 0.5 * size);
  }
  g.stroke();
}

/** Radii in proportion to the cube root of the mass, within limits that keep every body visible. */
function relativeSizes(masses) {
  const sorted = [...masses].sort((a, b) => a - b), usual = sorted[sorted.length >> 1] || 1;
  return masses.map((mass) => Math.max(0.6, Math.min(2, Math.cbrt(mass / usual))) || 1);
}

function linkLengths(q, joints, fixed, bodies) {
  const at = (j) => (j < bodies ? [q[2 * j], q[2 * j + 1]] : [fixed[2 * (j - bodies)], fixed[2 * (j - bodies) + 1]]);
  const lengths = [];
  for (let k = 0; k < joints.length; k += 2) {
    const a = at(joints[k]), b = at(joints[k + 1]);
    lengths.push(Math.hypot(a[0] - b[0], a[1] - b[1]));
  }
  return lengths.filter((length) => length > 0);
}

function lowerQuartile(values) {
  return values.length ? values.sort((a, b) => a - b)[values.length >> 2] : 0;
}
