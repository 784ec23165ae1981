// A machine in space: everything that moves is painted from the back to the front, and paler where it is far away.
// The counterpart of painting.py.
import { cross, outlinesOf, paintPatch, patchesOf, unit } from "./bodies.js";
import { drawFloor, drawTriad } from "./floor.js";
import { centreOf, isThere } from "./surroundings.js";
import { blend } from "./theme.js";

const FOG = 0.55; // how much paler the farthest is
const MANY_RODS = 150; // more of them are not cut into pieces
const BETWEEN = new Set(["spring", "damper", "pull"]); // parts that lead from one point to another
const THIN = new Set(["rod", "polygon", "plate", "disk", "hoop"]); // bodies that do not hide their own pins
const TILE = 3; // sizes of a body: half a side of the tile under a body on a plane
const BASE = [[-1, -1], [1, -1], [1, 1], [-1, 1]]; // of the pyramid below a pivot

/** Below everything: the ground, and shadows straight below what is above it. */
export function drawGroundOfSpace(g, view, drawing, q) {
  const { floor } = drawing;
  if (!floor) return;
  drawFloor(g, view, floor, drawing.theme);
  drawTriad(g, view, drawing.theme);
  if (view.camera.elevation > 2) drawShadows(g, view, drawing, q, floor.height);
}

function drawShadows(g, view, drawing, q, height) {
  const { scene, theme } = drawing, under = ([x, , z]) => [view.px([x, height, z]), view.py([x, height, z])];
  const trace = (points) => points.map(under).forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
  g.fillStyle = g.strokeStyle = theme.shadow;
  g.lineCap = g.lineJoin = "round";
  g.lineWidth = Math.max(1.1 * drawing.ratio, 0.62 * drawing.size);
  g.beginPath();
  for (let k = 0; k < scene.joints.length; k += 2) if (drawing.hasRod(k)) trace([0, 1].map((e) => drawing.metres(scene.joints[k + e], q)));
  g.stroke();
  const flatter = Math.abs(Math.sin((view.camera.elevation * Math.PI) / 180));
  for (const i of scene.dots) {
    if (scene.pins.has(i)) continue;
    const [x, y] = under(drawing.metres(i, q)), r = 0.9 * drawing.radius(i);
    g.beginPath();
    g.ellipse(x, y, r, r * flatter, 0, 0, 2 * Math.PI);
    g.fill();
  }
  for (const shape of scene.shapes) {
    const open = !["disk", "ball", "shell", "polygon", "plate", "solid"].includes(shape.kind);
    g.lineWidth = open ? 1.7 * drawing.size : 1;
    for (const outline of outlinesOf(shape, q)) {
      if (!outline.flat().every(Number.isFinite)) continue;
      g.beginPath();
      trace(outline);
      if (open) g.stroke();
      else g.fill();
    }
  }
}

/** Rods, bodies, springs, pivots: all that a frame shows, by depth. `forces`: { values, at, full } where colours speak of them. */
export function drawDepths(g, view, drawing, q, forces) {
  const items = [...rods(g, drawing, forces), ...dots(g, drawing, Boolean(forces)), ...others(g, view, drawing, q), ...pivots(g, view, drawing, q), ...bodies(g, view, drawing, q)];
  const seen = items.filter(({ depth }) => Number.isFinite(depth)).sort((a, b) => a.depth - b.depth);
  if (!seen.length) return;
  const far = seen[0].depth, near = seen.at(-1).depth, room = Math.max(near - far, (0.3 * Math.max(view.width, view.height)) / view.scale);
  for (const { depth, paint } of seen) paint((FOG * (near - depth)) / room);
}

/** Rods in pieces, so that two that cross pass each other; the last piece is as far away as what it ends at, which covers it. */
function* rods(g, drawing, forces) {
  const { joints } = drawing.scene, width = Math.max(1.1 * drawing.ratio, 0.62 * drawing.size), pieces = joints.length > 2 * MANY_RODS ? 1 : 7;
  for (let k = 0; k < joints.length; k += 2) {
    if (!drawing.hasRod(k)) continue;
    const ends = [joints[k], joints[k + 1]], depths = ends.map((j) => drawing.depths[j]);
    for (let n = 0; n < pieces; n++) {
      const s = pieces === 1 ? Number(depths[1] < depths[0]) : n === 0 ? 0 : n === pieces - 1 ? 1 : (n + 0.5) / pieces, depth = depths[0] + s * (depths[1] - depths[0]);
      yield { depth, paint: (fog) => paintRod(g, drawing, ends, [n / pieces, (n + 1) / pieces], forces ? [drawing.tensionStyle(forces, k / 2)] : [[drawing.theme.rodEdge, width], [drawing.theme.rod, width - 1.8 * drawing.ratio]], fog) };
    }
  }
}

function paintRod(g, drawing, ends, [from, to], layers, fog) {
  const { theme, ratio } = drawing, [[ax, ay], [bx, by]] = ends.map((j) => drawing.pixel(j)), length = Math.hypot(bx - ax, by - ay) || 1;
  layers.forEach(([color, wide], inner) => {
    if (wide <= 1.2 * ratio && inner) return;
    const more = inner || layers.length === 1 ? ratio / length : 0, [s, e] = [Math.max(0, from - more), Math.min(1, to + more)]; // hides the seam
    g.lineCap = "butt"; // what it ends at covers its ends
    g.strokeStyle = blend(color, theme.paper, fog);
    g.lineWidth = wide;
    g.beginPath();
    g.moveTo(ax + s * (bx - ax), ay + s * (by - ay));
    g.lineTo(ax + e * (bx - ax), ay + e * (by - ay));
    g.stroke();
  });
}

function* dots(g, drawing, plain) {
  const { scene, theme } = drawing, inside = new Set(scene.shapes.flatMap((s) => (s.kind === "ball" ? s.names : [])));
  const thin = new Map(scene.shapes.flatMap((s) => (THIN.has(s.kind) ? s.names.map((name) => [name, s.centre]) : [])));
  for (const i of scene.dots) {
    if (inside.has(scene.bodies[i].name)) continue;
    const paint = (fog) => drawing.drawBody(g, i, plain, (color) => blend(color, theme.paper, fog));
    yield { depth: Math.max(drawing.depths[i], drawing.depths[thin.get(scene.bodies[i].name) ?? i]) + 0.6 * drawing.metre, paint };
  }
}

function* others(g, view, drawing, q) {
  const { scene, theme, metre } = drawing;
  for (const part of scene.others) {
    if (!isThere(part, drawing.time)) continue;
    const points = drawing.partPoints(part), own = part.at.filter((j) => drawing.isPlace(j)), depth = drawing.depthOf(own.length ? own : part.at);
    const paint = (layer) => (fog) => {
      g.lineCap = g.lineJoin = "round";
      g.lineWidth = Math.max(1.1 * drawing.ratio, 0.22 * drawing.size);
      g.strokeStyle = blend(theme.ground, theme.paper, fog);
      drawing.drawPart(g, part, layer);
    };
    if (BETWEEN.has(part.kind) && scene.others.length <= MANY_RODS) yield* pieces(g, view, points, part.at.map((j) => drawing.depths[j]), paint(1));
    else yield { depth, paint: paint(1) };
    yield { depth: depth + 0.7 * metre, paint: paint(2) };
    if (part.kind === "tile") yield tile(g, view, drawing, part, drawing.metres(part.at[0], q), depth);
    if (part.kind === "sphere" || part.kind === "globe") yield sphere(g, view, drawing, part, q);
    if (part.kind === "pane") yield pane(g, view, drawing, ...part.at.map((j) => drawing.metres(j, q)));
  }
}

/** What leads from one point to another, in strips across it: each is as far away as its part of the way. */
function* pieces(g, view, [[ax, ay], [bx, by]], depths, paint) {
  const length = Math.hypot(bx - ax, by - ay) || 1, ex = (bx - ax) / length, ey = (by - ay) / length, far = view.width + view.height, cuts = [0, 0.15, 0.32, 0.5, 0.68, 0.85, 1];
  for (let k = 1; k < cuts.length; k++) {
    const last = cuts.length - 1, from = k === 1 ? -far : cuts[k - 1] * length, to = k === last ? length + far : cuts[k] * length;
    const s = k === 1 ? 0 : k === last ? 1 : (cuts[k - 1] + cuts[k]) / 2;
    yield { depth: depths[0] + s * (depths[1] - depths[0]), paint: (fog) => {
      g.save();
      g.beginPath();
      for (const [along, aside] of [[from, far], [to, far], [to, -far], [from, -far]]) g.lineTo(ax + along * ex - aside * ey, ay + along * ey + aside * ex);
      g.clip();
      paint(fog);
      g.restore();
    } };
  }
}

/** The corners of a square across a normal. */
function square(normal, middle, half) {
  const sizes = normal.map(Math.abs), least = sizes.indexOf(Math.min(...sizes));
  const first = unit(normal.map((x, c) => Number(c === least) - normal[least] * x)), second = cross(normal, first);
  return BASE.map(([a, b]) => middle.map((x, c) => x + half * (a * first[c] + b * second[c])));
}

/** A wall of space: the square of it that is nearest to the middle of the ground, behind everything. */
function pane(g, view, drawing, foot, off) {
  const { floor: { xs, zs, height } } = drawing, normal = unit(off.map((x, c) => x - foot[c])), half = Math.max(xs.at(-1) - xs[0], zs.at(-1) - zs[0]) / 2;
  const middle = [(xs[0] + xs.at(-1)) / 2, height, (zs[0] + zs.at(-1)) / 2], above = middle.reduce((sum, x, c) => sum + (x - foot[c]) * normal[c], 0);
  const corners = square(normal, middle.map((x, c) => x - above * normal[c]), half);
  return { depth: Math.min(...corners.map((p) => view.camera.z(p))) - half, paint: () => drawFace(g, view, drawing, corners, "faint", 0.6) };
}

/** The tile under a body that slides on a plane. */
function tile(g, view, drawing, part, here, depth) {
  const corners = square(unit(part.numbers.slice(0, 3)), here, TILE * drawing.metre);
  return { depth: depth - 0.1 * drawing.metre, paint: (fog) => drawFace(g, view, drawing, corners, "faint", fog) };
}

/** A sphere on which a body slides: its outline and three great circles, behind everything on it. */
function sphere(g, view, drawing, part, q) {
  const centre = drawing.metres(centreOf(part), q), radius = drawing.circleRadius(part);
  return { depth: view.camera.z(centre) - radius, paint: () => {
    const x = view.px(centre), y = view.py(centre), r = radius * view.scale;
    if (!(r > 0)) return;
    g.strokeStyle = drawing.theme.rail;
    g.lineWidth = 1.1 * drawing.ratio;
    g.beginPath();
    g.arc(x, y, r, 0, 2 * Math.PI);
    g.stroke();
    g.lineWidth = 0.7 * drawing.ratio;
    for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
      g.beginPath();
      for (let k = 0; k <= 72; k++) {
        const p = [...centre];
        p[a] += radius * Math.cos((k * Math.PI) / 36);
        p[b] += radius * Math.sin((k * Math.PI) / 36);
        if (k) g.lineTo(view.px(p), view.py(p));
        else g.moveTo(view.px(p), view.py(p));
      }
      g.stroke();
    }
  } };
}

function drawFace(g, view, drawing, corners, fill, fog) {
  g.fillStyle = blend(drawing.theme[fill], drawing.theme.paper, fog);
  g.strokeStyle = blend(drawing.theme.ground, drawing.theme.paper, fog);
  g.lineWidth = drawing.ratio;
  g.lineJoin = "round";
  g.beginPath();
  corners.forEach((p, k) => (k ? g.lineTo(view.px(p), view.py(p)) : g.moveTo(view.px(p), view.py(p))));
  g.closePath();
  g.fill();
  g.stroke();
}

/** A bearing of space: a pyramid below the point, on which there is a ball. */
function* pivots(g, view, drawing, q) {
  const size = drawing.pivotSize() / view.scale;
  for (const j of drawing.scene.pivots) {
    const top = drawing.metres(j, q), base = BASE.map(([x, z]) => [top[0] + 0.95 * size * x, top[1] - 1.75 * size, top[2] + 0.95 * size * z]);
    yield { depth: drawing.depths[j] - 1.9 * size, paint: (fog) => {
      base.forEach((a, k) => {
        const b = base[(k + 1) % 4], out = cross(top.map((x, c) => x - a[c]), b.map((x, c) => x - a[c]));
        if (view.camera.dz(out) > 0) drawFace(g, view, drawing, [top, a, b], view.camera.dx(out) < 0 ? "paper" : "faint", fog);
      });
    } };
    yield { depth: drawing.depths[j] + 0.7 * size, paint: (fog) => drawing.drawPin(g, j, (color) => blend(color, drawing.theme.paper, fog)) };
  }
}

function* bodies(g, view, drawing, q) {
  for (const [k, shape] of drawing.scene.shapes.entries()) {
    const together = shape.kind === "solid" ? drawing.depths[shape.centre] : null;
    for (const [n, patch] of patchesOf(shape, q, view.camera, drawing.metre).entries())
      // Faces of one solid stay together: no other body comes between its front and its back.
      yield { depth: together === null ? patch.depth : together + 1e-6 * n * drawing.metre, paint: (fog) => paintPatch(g, view, patch, drawing.shapeColors[k], drawing.theme, fog) };
  }
}
