// The picture of a mechanism at one moment: rods, bodies, pivots, rails, names, and the shapes of parts.js.
import { FADING, drawPart } from "./parts.js";
import { mixed, series } from "./theme.js";

const TURN = 2 * Math.PI;
const ROOM_FOR_LINK = 46; // CSS pixels that a link must have to be named
const LARGEST_CIRCLE = 6; // in sizes of the motion on it: of a larger one, only the part where the body is is shown
const ROOM_FOR_BODY = 15; // and that bodies must be apart

export class Drawing {
  constructor(scene) {
    this.scene = scene;
    this.count = scene.bodies.length;
    this.told = new Float64Array(2 * scene.tracks.length); // tracks at this moment
    // Joints on the canvas: bodies, then fixed points, then those that move as told.
    this.pixels = new Float64Array(2 * this.count + scene.fixed.length + this.told.length);
    this.growth = relativeSizes(scene.bodies.map((body) => body.mass));
    this.travel = scene.rails.map(() => [Infinity, -Infinity]);
    this.guides = scene.others.filter((part) => part.kind === "guide").map((part) => ({ part, travel: [Infinity, -Infinity] }));
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
    this.learnGuides();
  }

  /** How far bodies travel on lines that move, measured from the second point of each. */
  learnGuides() {
    if (!this.guides.length) return;
    const { motion, told } = this.scene, q = motion.positions, n = 2 * this.count, now = new Float64Array(this.told.length);
    for (let k = this.seenOnGuides ?? 0; k < motion.count; k++) {
      told?.sample(motion.times[k], now);
      for (const { part, travel } of this.guides) {
        const [body, a, b] = part.at.map((j) => this.metres(j, q.subarray(k * n, (k + 1) * n), now));
        const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
        const s = ((body[0] - a[0]) * (b[0] - a[0]) + (body[1] - a[1]) * (b[1] - a[1])) / length;
        if (s < travel[0]) travel[0] = s;
        if (s > travel[1]) travel[1] = s;
      }
    }
    this.seenOnGuides = motion.count;
  }

  /** A joint in the plane, when bodies are at q and tracks at `told`. */
  metres(joint, q, told = this.told) {
    const { fixed } = this.scene, i = 2 * joint - 2 * this.count;
    const [from, at] = i < 0 ? [q, 2 * joint] : i < fixed.length ? [fixed, i] : [told, i - fixed.length];
    return [from[at], from[at + 1]];
  }

  /** Put positions (metres) at a time on the canvas; sizes follow the view. */
  place(view, q, time) {
    const p = this.pixels, n = 2 * this.count, fixed = this.scene.fixed;
    for (let i = 0; i < n; i += 2) {
      p[i] = view.x(q[i]);
      p[i + 1] = view.y(q[i + 1]);
    }
    for (let i = 0; i < fixed.length; i += 2) {
      p[n + i] = view.x(fixed[i]);
      p[n + i + 1] = view.y(fixed[i + 1]);
    }
    const from = n + fixed.length;
    this.scene.told?.sample(time, this.told);
    for (let i = 0; i < this.told.length; i += 2) {
      p[from + i] = view.x(this.told[i]);
      p[from + i + 1] = view.y(this.told[i + 1]);
    }
    const r = view.ratio, room = Math.min(view.width, view.height) / r;
    const wanted = Math.max(4, Math.min(8.5, 0.0135 * room)) * r;
    this.size = Math.max(1.2 * r, Math.min(wanted, this.usualLength ? 0.27 * this.usualLength * view.scale : wanted));
    this.ratio = r;
  }

  /** Boxes around circles and the ways of anchors that are moved; not of a circle that is far larger than `rest`. */
  boxes(rest) {
    const { told, tracks, others, motion } = this.scene, found = [];
    for (let k = 0; told && k < told.count; k++)
      tracks.forEach((kind, i) => {
        const [x, y] = told.positions.subarray(2 * (k * tracks.length + i));
        if (kind === "place" && Number.isFinite(x + y)) found.push([x, x, y, y]);
      });
    const size = rest ? Math.max(rest[1] - rest[0], rest[3] - rest[2]) : 0, n = 2 * this.count, now = new Float64Array(this.told.length);
    for (const part of others) {
      if (part.kind !== "circle") continue;
      const step = Math.max(1, Math.floor(motion.count / 2000));
      for (let k = 0; k < motion.count; k += step) {
        told?.sample(motion.times[k], now);
        const [x, y] = this.metres(part.at[1], motion.positions.subarray(k * n, (k + 1) * n), now), r = this.circleRadius(part, now);
        if (Number.isFinite(x + y + r) && (!size || r <= LARGEST_CIRCLE * size)) found.push([x - r, x + r, y - r, y + r]);
      }
    }
    return found;
  }

  radius(i) { return this.size * this.growth[i]; }

  /** What stands still, below everything else: rails, and the ground under pivots. */
  drawGround(g, view) {
    this.scene.rails.forEach((rail, r) => this.drawRail(g, view, rail, this.travel[r]));
    for (const { part, travel } of this.guides) this.drawGuide(g, view, part, travel);
    for (const part of this.scene.others) if (part.kind === "circle") this.drawCircle(g, view, part);
    for (const j of this.scene.pivots) drawPivotGround(g, this.pixels[2 * j], this.pixels[2 * j + 1], this.pivotSize(), this.theme);
  }

  /** Everything but links, rails, bodies and pivots: among the rods (1), and above the bodies (2). */
  drawOthers(g, layer) {
    const { others, tracks } = this.scene, told = this.count + this.scene.fixed.length / 2;
    if (!others.length) return;
    g.lineCap = g.lineJoin = "round";
    g.lineWidth = Math.max(1.1 * this.ratio, 0.22 * this.size);
    for (const part of others) {
      g.strokeStyle = this.theme.ground;
      const points = part.at.map((j) => (tracks[j - told] === "force" ? [...this.told.subarray(2 * (j - told), 2 * (j - told) + 2)] : this.pixel(j)));
      drawPart(g, part, points, this.size, layer, this.theme.paper);
    }
  }

  pixel(joint) { return [this.pixels[2 * joint], this.pixels[2 * joint + 1]]; }

  pivotSize() { return Math.max(5 * this.ratio, Math.min(9 * this.ratio, 1.25 * this.size)); }

  drawRail(g, view, { line: [k1, k2, konst] }, [from, to]) {
    if (!(from <= to)) return;
    const norm = Math.hypot(k1, k2), foot = konst / (norm * norm), dx = -k2 / norm, dy = k1 / norm;
    const spare = (3.2 * this.size) / view.scale;
    const end = (s) => [view.x(k1 * foot + s * dx), view.y(k2 * foot + s * dy)];
    const a = end(from - spare), b = end(to + spare);
    g.beginPath();
    g.moveTo(...a);
    g.lineTo(...b);
    this.strokeSlot(g);
  }

  strokeSlot(g) {
    g.lineCap = "round";
    for (const [width, color] of [[1.7 * this.size, this.theme.rail], [1.7 * this.size - 2.4 * this.ratio, this.theme.paper]]) {
      if (width <= 0) continue;
      g.lineWidth = width;
      g.strokeStyle = color;
      g.stroke();
    }
  }

  /** A line through two points, as far as its body goes and the points are; they do not count where they only tell it. */
  drawGuide(g, view, { at, points }, [from, to]) {
    const [, a, b] = at.map((j) => this.pixel(j)), length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!(from <= to) || !(length > 0)) return;
    const told = this.scene.tracks[points[1].told] === "line", near = Math.min(Math.abs(from), Math.abs(to)) < to - from;
    const low = (told && !near ? from : Math.min(from, 0)) * view.scale - 3.2 * this.size;
    const high = Math.max(to * view.scale, told ? (near ? 0 : low) : length) + 3.2 * this.size;
    const end = (s) => [a[0] + (s * (b[0] - a[0])) / length, a[1] + (s * (b[1] - a[1])) / length];
    g.beginPath();
    g.moveTo(...end(low));
    g.lineTo(...end(high));
    this.strokeSlot(g);
  }

  drawCircle(g, view, part) {
    const [x, y] = this.pixel(part.at[1]), radius = this.circleRadius(part) * view.scale, arm = 0.7 * this.size;
    if (!(radius > 0) || !Number.isFinite(x + y)) return;
    g.beginPath();
    g.arc(x, y, radius, 0, TURN);
    this.strokeSlot(g);
    g.lineWidth = this.ratio;
    g.strokeStyle = this.theme.rail;
    g.beginPath();
    for (const [dx, dy] of [[arm, 0], [0, arm]]) {
      g.moveTo(x - dx, y - dy);
      g.lineTo(x + dx, y + dy);
    }
    g.stroke();
  }

  circleRadius({ numbers, points }, told = this.told) { return numbers ? numbers[0] : told[2 * points[2].told]; }

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
    for (const { body, line: [k1, k2] } of this.scene.rails) this.drawBlock(g, body, -Math.atan2(k1, -k2));
    for (const { kind, at, points: [body] } of this.scene.others) {
      if (kind !== "guide" && kind !== "circle") continue;
      const [here, a, b] = at.map((j) => this.pixel(j));
      this.drawBlock(g, body, kind === "guide" ? Math.atan2(b[1] - a[1], b[0] - a[0]) : Math.atan2(here[0] - a[0], a[1] - here[1]));
    }
  }

  drawBlock(g, body, angle) {
    const s = 1.35 * this.size;
    g.save();
    g.translate(this.pixels[2 * body], this.pixels[2 * body + 1]);
    g.rotate(angle);
    g.fillStyle = this.theme.paper;
    g.strokeStyle = this.theme.rodEdge;
    g.lineWidth = 1.4 * this.ratio;
    g.beginPath();
    g.roundRect(-1.6 * s, -0.95 * s, 3.2 * s, 1.9 * s, 0.4 * s);
    g.fill();
    g.stroke();
    g.restore();
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
    for (const j of this.scene.pivots) {
      g.beginPath();
      g.arc(this.pixels[2 * j], this.pixels[2 * j + 1], r, 0, TURN);
      g.fill();
      g.stroke();
    }
  }

  drawNames(g) {
    const p = this.pixels, { bodies, links, rails, joints, others } = this.scene, r = this.ratio;
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
    for (const { name, kind, at, points, numbers } of others) {
      if (kind === "sleeve") continue; // its link has the name
      const between = at.length === 2 && kind !== "circle" && kind !== "force" && kind !== "pin";
      const angular = kind === "spiral" || kind === "brake", first = angular ? at.at(-2) : at[0];
      const [a, b] = [this.pixel(first), this.pixel((between && !angular) || kind === "string" ? at[1] : first)];
      const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1, aside = (between ? 4.2 * (numbers?.[0] ?? 0) : 0) * this.size;
      const right = between && Math.abs(dy) > Math.abs(dx) ? 1 : 0, below = 1 - right;
      const x = (a[0] + b[0]) / 2 + (aside * dy) / length + right * (2.4 * this.size + 9 * r), y = (a[1] + b[1]) / 2 - (aside * dx) / length;
      if (points.length) label(name, x, y + below * ((kind === "motor" || kind === "torque" ? 3.9 : 2.2) * this.size + 8 * r));
    }
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
    if (this.scene.others.length) this.drawFading(g);
    for (let i = 0; i < this.count; i++) {
      g.fillStyle = color ?? this.colors[i];
      g.beginPath();
      g.arc(p[2 * i], p[2 * i + 1], 0.72 * this.radius(i), 0, TURN);
      g.fill();
    }
    g.globalAlpha = 1;
  }

  drawFading(g) {
    g.globalAlpha *= 0.45;
    g.lineWidth = Math.max(0.8 * this.ratio, 0.14 * this.size);
    g.lineJoin = "round";
    for (const part of this.scene.others)
      if (FADING.has(part.kind)) drawPart(g, part, part.at.map((j) => this.pixel(j)), this.size, 1, null);
    g.globalAlpha /= 0.45;
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
