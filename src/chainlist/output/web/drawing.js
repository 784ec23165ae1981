// The picture of a mechanism at one moment: rods, bodies, pivots, rails, names, and the shapes of parts.js.
import { paintPatch, patchesOf } from "./bodies.js";
import { FADING, drawPart } from "./parts.js";
import { drawCircle, drawGuide, drawRail } from "./rails.js";
import { drawDepths, drawGroundOfSpace } from "./space.js";
import { centreOf, drawRope, drawWall, isThere } from "./surroundings.js";
import { mixed, series } from "./theme.js";

const TURN = 2 * Math.PI;
const LARGEST_CIRCLE = 6; // in sizes of the motion on it: of a larger one, only the part where the body is is shown

export class Drawing {
  constructor(scene) {
    this.scene = scene;
    this.dim = scene.dim;
    this.count = scene.bodies.length;
    this.told = new Float64Array(this.dim * scene.tracks.length); // tracks at this moment
    // Joints on the canvas: bodies, then fixed points, then those that move as told; and how near each is [m].
    this.fixedCount = scene.fixed.length / this.dim;
    this.pixels = new Float64Array(2 * (this.count + this.fixedCount + scene.tracks.length));
    this.depths = new Float64Array(this.pixels.length / 2);
    this.growth = relativeSizes(scene);
    this.travel = scene.rails.map(() => [Infinity, -Infinity]);
    this.guides = scene.others.filter((part) => part.kind === "guide").map((part) => ({ part, travel: [Infinity, -Infinity] }));
    this.seen = 0; // frames that `travel` covers
    this.usualLength = null;
    this.floor = null; // in space: the ground below everything
  }

  /** A colour for each free point and each rigid body; its centre and the points that it holds have its colour. */
  setTheme(theme) {
    const { bodies, shapes } = this.scene, free = bodies.filter((body) => body.role === "point").length;
    this.theme = theme;
    const colors = series(theme, free + shapes.length), owner = new Map();
    shapes.forEach((shape, k) => [shape.name, ...shape.names].forEach((name) => owner.has(name) || owner.set(name, colors[free + k])));
    let next = 0;
    this.shapeColors = colors.slice(free);
    this.colors = bodies.map((body) => (body.role === "point" ? colors[next++] : (owner.get(body.name) ?? theme.rodEdge)));
  }

  /** Take in what frames have arrived: how long links are, how far sliders travel. */
  learn() {
    const { motion, rails } = this.scene, q = motion.positions, n = motion.width;
    if (this.usualLength === null && motion.count) this.usualLength = lowerQuartile(this.linkLengths(q));
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
    const { motion, told } = this.scene, q = motion.positions, n = motion.width, now = new Float64Array(this.told.length);
    for (let k = this.seenOnGuides ?? 0; k < motion.count; k++) {
      told?.sample(motion.times[k], now);
      for (const { part, travel } of this.guides) {
        const [body, a, b] = part.at.map((j) => this.metres(j, q.subarray(k * n, (k + 1) * n), now));
        const along = b.map((x, c) => x - a[c]), s = along.reduce((sum, x, c) => sum + x * (body[c] - a[c]), 0) / Math.hypot(...along);
        if (s < travel[0]) travel[0] = s;
        if (s > travel[1]) travel[1] = s;
      }
    }
    this.seenOnGuides = motion.count;
  }

  /** Where a joint is, when bodies are at q and tracks at `told`. */
  metres(joint, q, told = this.told) {
    const { fixed } = this.scene, { dim } = this, i = dim * (joint - this.count);
    const [from, at] = i < 0 ? [q, dim * joint] : i < fixed.length ? [fixed, i] : [told, i - fixed.length];
    return dim === 2 ? [from[at], from[at + 1]] : [from[at], from[at + 1], from[at + 2]];
  }

  /** Put positions (metres) at a time on the canvas; sizes follow the view. */
  place(view, q, time) {
    const { dim, scene } = this;
    scene.told?.sample(time, this.told);
    let joint = 0;
    for (const from of [q, scene.fixed, this.told])
      for (let i = 0; i < from.length; i += dim, joint++) {
        this.pixels[2 * joint] = view.px(from, i);
        this.pixels[2 * joint + 1] = view.py(from, i);
        if (dim === 3) this.depths[joint] = view.camera.z(from, i);
      }
    const r = view.ratio, room = Math.min(view.width, view.height) / r;
    const wanted = Math.max(4, Math.min(8.5, 0.0135 * room)) * r;
    this.size = Math.max(1.2 * r, Math.min(wanted, this.usualLength ? 0.27 * this.usualLength * view.scale : wanted));
    this.metre = this.size / view.scale; // the same in metres
    this.ratio = r;
    this.view = view;
    this.q = q;
    this.time = time;
  }

  depthOf(joints) { return joints.reduce((sum, j) => sum + this.depths[j], 0) / joints.length; }

  /** Boxes around circles and the ways of anchors that are moved; not of a circle that is far larger than `rest`. */
  boxes(rest) {
    const { scene, dim } = this, { told, tracks, others, motion, shapes } = scene, found = [];
    const around = (place, r) => [...place.flatMap((x) => [x - r, x + r])];
    for (let k = 0; told && k < told.count; k++)
      tracks.forEach((kind, i) => {
        const place = [...told.positions.subarray(dim * (k * tracks.length + i), dim * (k * tracks.length + i + 1))];
        if (kind === "place" && place.every(Number.isFinite)) found.push(around(place, 0));
      });
    for (const { radius, centre, points } of shapes) {
      const box = radius ? motion.box(0, [centre]) : null, reach = radius + Math.hypot(...(points[0] ?? [])); // its middle may be off its centre of mass
      if (box) found.push(box.map((x, side) => x + (side % 2 ? reach : -reach)));
    }
    scene.bodies.forEach(({ radius }, i) => {
      const box = radius ? motion.box(0, [i]) : null;
      if (box) found.push(box.map((x, side) => x + (side % 2 ? radius : -radius)));
    });
    const size = rest ? Math.max(...rest.map((x, side) => (side % 2 ? x - rest[side - 1] : 0))) : 0, n = motion.width, now = new Float64Array(this.told.length);
    for (const part of others) {
      if (!["circle", "sphere", "drum", "globe"].includes(part.kind)) continue;
      const step = Math.max(1, Math.floor(motion.count / 2000));
      for (let k = 0; k < motion.count; k += step) {
        told?.sample(motion.times[k], now);
        const centre = this.metres(centreOf(part), motion.positions.subarray(k * n, (k + 1) * n), now), r = this.circleRadius(part, now);
        if ([...centre, r].every(Number.isFinite) && (!size || r <= LARGEST_CIRCLE * size)) found.push(around(centre, r));
      }
    }
    return found;
  }

  linkLengths(q) {
    const { joints } = this.scene, lengths = [];
    for (let k = 0; k < joints.length; k += 2) {
      const a = this.metres(joints[k], q), b = this.metres(joints[k + 1], q);
      lengths.push(Math.hypot(...a.map((x, c) => x - b[c])));
    }
    return lengths.filter((length) => length > 0);
  }

  /** Of a body on the canvas: its own where it has one, and else by its mass. */
  radius(i) {
    const { radius } = this.scene.bodies[i];
    return radius ? Math.max(2 * this.ratio, radius * this.view.scale) : this.size * this.growth[i];
  }

  /** Whether the rod that begins at joints[k] is there. */
  hasRod(k) { return isThere(this.scene.links[k / 2], this.time); }

  /** What stands still, below everything else: rails, and the ground under pivots. */
  drawGround(g, view) {
    if (this.dim === 3) drawGroundOfSpace(g, view, this, this.q);
    this.scene.rails.forEach((rail, r) => drawRail(g, view, this, rail, this.travel[r]));
    for (const { part, travel } of this.guides) drawGuide(g, view, this, part, travel);
    for (const part of this.scene.others) {
      if (part.kind === "circle") drawCircle(g, view, this, part);
      else if (part.kind === "wall" || part.kind === "drum") drawWall(g, view, this, part);
    }
    if (this.dim === 2) for (const j of this.scene.pivots) drawPivotGround(g, this.pixels[2 * j], this.pixels[2 * j + 1], this.pivotSize(), this.theme);
  }

  /** Everything but links, rails, bodies and pivots: among the rods (1), and above the bodies (2). */
  drawOthers(g, layer) {
    const { others } = this.scene;
    if (!others.length) return;
    g.lineCap = g.lineJoin = "round";
    g.lineWidth = Math.max(1.1 * this.ratio, 0.22 * this.size);
    for (const part of others) {
      if (!isThere(part, this.time)) continue;
      g.strokeStyle = this.theme.ground;
      this.drawPart(g, part, layer);
    }
  }

  drawPart(g, part, layer) {
    if (part.kind !== "rope") return drawPart(g, part, this.partPoints(part), this.size, layer, this.theme.paper);
    if (layer !== 1) return;
    const thin = g.lineWidth;
    g.lineWidth = 1.5 * thin;
    drawRope(g, this.view, this, part, this.theme.paper);
    g.lineWidth = thin;
  }

  /** The points of a part on the canvas; of a force the direction, as the camera sees it, y upwards. */
  partPoints(part) {
    const { tracks } = this.scene, told = this.count + this.fixedCount, { camera } = this.view;
    return part.at.map((j) => {
      if (tracks[j - told] !== "force") return this.pixel(j);
      const i = this.dim * (j - told);
      return [camera.dx(this.told, i), camera.dy(this.told, i)];
    });
  }

  /** Whether a joint is somewhere: not a direction or a number. */
  isPlace(joint) { return !["force", "radius", "line"].includes(this.scene.tracks[joint - this.count - this.fixedCount]); }

  /** Everything of a frame in space. */
  drawDepths(g, forces) { drawDepths(g, this.view, this, this.q, forces); }

  /** Rigid bodies of the plane, below rods and points. */
  drawShapes(g) {
    this.scene.shapes.forEach((shape, k) => {
      for (const patch of patchesOf(shape, this.q, this.view.camera, this.metre)) paintPatch(g, this.view, patch, this.shapeColors[k], this.theme);
    });
  }

  pixel(joint) { return [this.pixels[2 * joint], this.pixels[2 * joint + 1]]; }

  pivotSize() { return Math.max(5 * this.ratio, Math.min(9 * this.ratio, 1.25 * this.size)); }

  circleRadius({ kind, numbers, points }, told = this.told) {
    if (kind === "drum" || kind === "globe") return numbers.length > 2 ? numbers[2] : told[this.dim * points[1].told];
    return numbers ? numbers[0] : told[this.dim * points[2].told];
  }

  traceRods(g) {
    const p = this.pixels, joints = this.scene.joints;
    g.beginPath();
    for (let k = 0; k < joints.length; k += 2) {
      if (!this.hasRod(k)) continue;
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
    const p = this.pixels, joints = this.scene.joints;
    g.lineCap = "round";
    for (let k = 0; k < joints.length; k += 2) {
      if (!this.hasRod(k)) continue;
      const a = 2 * joints[k], b = 2 * joints[k + 1];
      [g.strokeStyle, g.lineWidth] = this.tensionStyle({ values, at, full }, k / 2);
      g.beginPath();
      g.moveTo(p[a], p[a + 1]);
      g.lineTo(p[b], p[b + 1]);
      g.stroke();
    }
  }

  tensionStyle({ values, at, full }, rod) {
    const { pull, push, slack } = this.theme, value = values[at + rod], strength = Math.min(1, Math.sqrt(Math.abs(value) / full)) || 0;
    return [mixed(slack, value < 0 ? push : pull, strength), Math.max(1.4 * this.ratio, (0.5 + 0.35 * strength) * this.size)];
  }

  /** Points in their colours; small and grey where colours speak of forces. */
  drawBodies(g, plain = false) { for (const i of this.scene.dots) this.drawBody(g, i, plain); }

  /** One point; without mass it is a pin, in a rigid body of the colour of edges. `seen` is what distance makes of a colour. */
  drawBody(g, i, plain, seen = (color) => color) {
    const p = this.pixels, { role, radius } = this.scene.bodies[i], pin = this.scene.pins.has(i);
    const r = pin ? Math.max(2 * this.ratio, 0.42 * this.size) : plain && !radius ? 0.6 * this.radius(i) : this.radius(i);
    g.fillStyle = seen(pin ? this.theme.paper : plain ? this.theme.rodEdge : this.colors[i]);
    g.strokeStyle = seen(!pin ? this.theme.paper : plain || role === "held" ? this.theme.rodEdge : this.colors[i]);
    g.lineWidth = 1.3 * this.ratio;
    g.beginPath();
    g.arc(p[2 * i], p[2 * i + 1], r, 0, TURN);
    g.fill();
    if (pin || r > 2.5 * this.ratio) g.stroke();
  }

  drawPins(g) { for (const j of this.scene.pivots) this.drawPin(g, j); }

  drawPin(g, joint, seen = (color) => color) {
    g.fillStyle = seen(this.theme.paper);
    g.strokeStyle = seen(this.theme.ground);
    g.lineWidth = 1.5 * this.ratio;
    g.beginPath();
    g.arc(this.pixels[2 * joint], this.pixels[2 * joint + 1], 0.42 * this.pivotSize(), 0, TURN);
    g.fill();
    g.stroke();
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
    if (this.scene.shapes.length) this.drawOutlines(g, color);
    for (const i of this.scene.dots) {
      if (this.scene.pins.has(i)) continue;
      g.fillStyle = color ?? this.colors[i];
      g.beginPath();
      g.strokeStyle = g.fillStyle;
      g.lineWidth = 1.1 * this.ratio;
      g.arc(p[2 * i], p[2 * i + 1], (this.scene.bodies[i].radius ? 1 : 0.72) * this.radius(i), 0, TURN);
      if (this.scene.bodies[i].radius) g.stroke(); // of its true size: an outline, so that many do not hide one another
      else g.fill();
    }
    g.globalAlpha = 1;
  }

  /** Rigid bodies of the past: their outlines. */
  drawOutlines(g, color) {
    const { view } = this;
    g.lineWidth = 1.1 * this.ratio;
    this.scene.shapes.forEach((shape, k) => {
      g.strokeStyle = color ?? this.shapeColors[k];
      for (const { line, edge, ink, ball, closed } of patchesOf(shape, this.q, view.camera, this.metre)) {
        if (edge < 1 || ink) continue;
        g.beginPath();
        if (ball) g.arc(view.x(line[0][0]), view.y(line[0][1]), ball * view.scale, 0, TURN);
        else line.forEach(([x, y], n) => (n ? g.lineTo(view.x(x), view.y(y)) : g.moveTo(view.x(x), view.y(y))));
        if (closed) g.closePath();
        g.stroke();
      }
    });
  }

  drawFading(g) {
    g.globalAlpha *= 0.45;
    g.lineWidth = Math.max(0.8 * this.ratio, 0.14 * this.size);
    g.lineJoin = "round";
    for (const part of this.scene.others) {
      if (!FADING.has(part.kind) || !isThere(part, this.time)) continue;
      if (part.kind === "rope") drawRope(g, this.view, this, part, null);
      else drawPart(g, part, part.at.map((j) => this.pixel(j)), this.size, 1, null);
    }
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
function relativeSizes({ bodies, dots, pins }) {
  const masses = bodies.map((body) => body.mass), sorted = dots.filter((i) => !pins.has(i)).map((i) => masses[i]).sort((a, b) => a - b);
  const usual = sorted[sorted.length >> 1] || 1;
  return masses.map((mass) => Math.max(0.6, Math.min(2, Math.cbrt(mass / usual))) || 1);
}

function lowerQuartile(values) {
  return values.length ? values.sort((a, b) => a - b)[values.length >> 2] : 0;
}
