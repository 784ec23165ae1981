// Rigid bodies at one moment, as patches of the picture: the counterpart of solids.py.
// A patch is { line: [[x, y], …] in metres as the camera sees them, depth, light, edge, … }, see `patch`.
import { tint } from "./theme.js";

const LAMP = unit([-0.45, 0.75, 0.55]); // comes from the upper left, over the shoulder
const IN_PLANE = 0.72; // how bright bodies of the plane are
const ROD = 0.95, PLATE = 1.3, HUB = 0.55, RING = 1.5; // radii and breadths in units, about the radius of a body
const TURNS = 72, ARCS = 24; // points of a circle, and pieces of a ring in space
const CIRCLE = Array.from({ length: TURNS + 1 }, (_, k) => [Math.cos((2 * Math.PI * k) / TURNS), Math.sin((2 * Math.PI * k) / TURNS)]);

/** The centre of a rigid body, and its unit axes, when bodies are at q. */
export function frameOf({ centre, axes }, q, dim) {
  const at = (i) => Array.from({ length: dim }, (_, c) => q[dim * i + c]), known = [];
  for (const [axis, i] of axes) known[axis] = unit(at(i));
  if (dim === 2) return { centre: at(centre), axes: [known[0], [-known[0][1], known[0][0]]] };
  if (axes.length === 1) { // all directions across are alike
    const [[axis]] = axes, along = known[axis], least = along.map(Math.abs).indexOf(Math.min(...along.map(Math.abs)));
    known[(axis + 1) % 3] = unit(along.map((x, c) => Number(c === least) - along[least] * x));
  }
  for (let k = 0; k < 3; k++) known[k] ??= cross(known[(k + 1) % 3], known[(k + 2) % 3]);
  return { centre: at(centre), axes: known };
}

/** A round body is drawn about its middle, wherever heavy points have put its centre of mass; spokes lead to the points it holds elsewhere. */
function placed(shape, q, dim) {
  const { centre, axes } = frameOf(shape, q, dim), from = (p) => (inside) => p.map((x, c) => inside.reduce((sum, s, k) => sum + s * axes[k][c], x));
  const [middle, ...others] = shape.circles.length ? shape.points : [], there = middle ? from(centre)(middle) : centre;
  return { centre: there, axes, at: from(there), spokes: others.map((p) => p.map((x, k) => x - middle[k])) };
}

/** What is seen of a rigid body, from the back to the front. `size`: about the radius of a body [m]. */
export function patchesOf(shape, q, camera, size) {
  const { centre, axes, at, spokes } = placed(shape, q, camera.dim);
  if (![...centre, ...axes.flat()].every(Number.isFinite)) return [];
  const body = { shape, centre, axes, camera, size, at };
  const found = [...spokes.map((p) => patch(body, [centre, at(p)], null, 1.6, { near: 1e-5 })), ...BODY_SHAPES[shape.kind](body)].sort((a, b) => a.depth - b.depth);
  if (shape.marked) found.push(...massCentre(body, Math.max(...found.map((p) => p.depth))));
  return found;
}

/** Outlines in space of the parts of a body: their shadows together are its shadow. */
export function outlinesOf(shape, q) {
  const { centre, at } = placed(shape, q, 3);
  if (shape.kind === "ball" || shape.kind === "shell") return [CIRCLE.map(([x, z]) => [centre[0] + shape.radius * x, centre[1], centre[2] + shape.radius * z])];
  if (shape.circles.length) return [circle(at, shape.circles[0], shape.radius)];
  const points = shape.points.map(at);
  return shape.faces.length ? shape.faces.map((face) => face.map((i) => points[i])) : [points];
}

function flat({ camera }, points) { return points.map((p) => [camera.x(p), camera.y(p)]); }

function depthOf({ camera }, points) { return points.reduce((sum, p) => sum + camera.z(p), 0) / points.length; }

/** light: how bright its inside is, null for none; edge: width of its line; more: { round, ball, ink, depth, near }. */
function patch(body, points, light = null, edge = 1, more = {}) {
  return { line: flat(body, points), depth: depthOf(body, points) + (more.near ?? 0) * body.size, light, edge, ...more };
}

function rod(body) { return [patch(body, body.shape.points.map(body.at), IN_PLANE, 1, { round: ROD * body.size })]; }

function polygon(body) {
  const outline = body.shape.faces[0].map((i) => body.at(body.shape.points[i]));
  return [patch(body, outline, plateLight(body, outline), 1, { closed: true })];
}

function plate(body) {
  const [outline] = polygon(body);
  return [body.camera.dim === 3 ? outline : { ...outline, round: PLATE * body.size }];
}

function plateLight(body, outline) { return body.camera.dim === 2 ? IN_PLANE : faceLight(body, normalOf(outline), true); }

function faceLight({ camera }, normal, bothSides) {
  let seen = [camera.dx(normal), camera.dy(normal), camera.dz(normal)];
  if (bothSides && seen[2] < 0) seen = seen.map((x) => -x);
  return 0.3 + 0.7 * Math.max(0, scalar(seen, LAMP));
}

function disk(body) {
  const { shape: { circles: [[first, second]], radius }, at } = body, rim = circle(at, [first, second], radius);
  const face = { ...patch(body, rim, plateLight(body, rim), 1, { closed: true }), depth: body.camera.z(body.centre) }, hub = Math.min(HUB * body.size, 0.2 * radius);
  const spokes = [[0, 1.6], [120, 0.7], [240, 0.7]].map(([angle, edge]) => { // one stands out, so that a turn is seen
    const d = direction(first, second, angle), spoke = patch(body, [hub, radius].map((s) => at(d.map((x) => s * x))), null, edge);
    return { ...spoke, depth: face.depth + 1e-6 * body.size };
  });
  return [face, ...spokes];
}

function hoop(body) {
  const { shape: { circles: [[first, second]], radius }, at } = body, inner = Math.max(radius - RING * body.size, 0.7 * radius);
  const [outside, inside] = [radius, inner].map((r) => circle(at, [first, second], r)), light = plateLight(body, outside), found = [];
  for (let k = 0; k < TURNS; k += TURNS / ARCS) {
    const [far, near] = [outside, inside].map((rim) => rim.slice(k, k + TURNS / ARCS + 1));
    found.push(patch(body, [...far, ...[...near].reverse()], light, 0, { closed: true }));
    found.push(patch(body, far, null, 1, { near: 0.5 }), patch(body, near, null, 1, { near: 0.5 }));
  }
  for (const [angle, edge] of [[0, 2.2], [120, 0.7], [240, 0.7]]) {
    const d = direction(first, second, angle);
    found.push(patch(body, [inner, radius].map((s) => at(d.map((x) => s * x))), null, edge, { near: 0.6 }));
  }
  return found;
}

/** A disk of light, and great circles where they are on the near side. */
function ball(body) {
  const { shape: { circles, radius, kind }, at, centre, camera } = body, hollow = kind === "shell", depth = camera.z(centre);
  const found = [{ line: flat(body, [centre]), depth, light: hollow ? 0.95 : 0.7, edge: 1, ball: radius, hollow }];
  for (const pair of circles) {
    const around = circle(at, pair, radius), near = around.map((p) => camera.z(p) >= depth);
    for (const [from, to] of stretches(near)) found.push({ ...patch(body, around.slice(from, to), null, 1.1), depth: depth + 2e-6 * radius });
    if (!hollow) continue;
    for (const [from, to] of stretches(near.map((x) => !x))) found.push({ ...patch(body, around.slice(from, to), null, 0.4), depth: depth + 1e-6 * radius });
  }
  return found;
}

function solid(body) {
  const points = body.shape.points.map(body.at), middle = mean(points), found = [];
  for (const face of body.shape.faces) {
    const outline = face.map((i) => points[i]);
    let normal = normalOf(outline);
    if (scalar(normal, outline[0].map((x, c) => x - middle[c])) < 0) normal = normal.map((x) => -x); // axes may be left-handed
    if (body.camera.dz(normal) > 0) found.push(patch(body, outline, faceLight(body, normal, false), 1, { closed: true }));
  }
  return found;
}

function crossOf(body) {
  return body.shape.points.map((arm) => patch(body, [body.at(arm.map((x) => -x)), body.at(arm)], null, 1.5));
}

/** The sign of a centre of mass: a circle with two dark quarters. */
function massCentre(body, nearest) {
  const [[x, y]] = flat(body, [body.centre]), r = 0.95 * body.size, depth = nearest + 0.05 * body.size;
  const ring = CIRCLE.map(([c, s]) => [x + r * c, y + r * s]), quarter = TURNS / 4;
  const wedges = [0, 2 * quarter].map((k) => ({ line: [[x, y], ...ring.slice(k, k + quarter + 1)], depth, light: 1, edge: 0.5, ink: true, closed: true }));
  return [{ line: ring, depth, light: 1, edge: 1, closed: true }, ...wedges];
}

const BODY_SHAPES = { rod, polygon, plate, disk, hoop, ball, shell: ball, solid, cross: crossOf };

/** Paint a patch in the colour of its body. `fog`, from 0 to 1, says how much of the paper it takes on. */
export function paintPatch(g, view, patch, color, theme, fog = 0) {
  const edge = tint(theme, color, "edge", fog), fill = patch.light === null ? null : patch.ink ? edge : tint(theme, color, patch.light, fog);
  const thin = 1.2 * view.ratio;
  g.lineCap = g.lineJoin = "round";
  g.strokeStyle = edge;
  g.lineWidth = thin * patch.edge;
  g.beginPath();
  if (patch.ball) return paintBall(g, view, patch, fill, theme, color, fog);
  patch.line.forEach(([x, y], k) => (k ? g.lineTo(view.x(x), view.y(y)) : g.moveTo(view.x(x), view.y(y))));
  if (patch.closed) g.closePath();
  if (patch.round) { // all that is within a radius of the outline
    for (const [width, ink] of [[2 * patch.round * view.scale + 2 * thin, edge], [2 * patch.round * view.scale, fill]]) {
      g.lineWidth = width;
      g.strokeStyle = ink;
      g.stroke();
    }
  }
  if (fill) {
    g.fillStyle = fill;
    g.fill();
  }
  if (patch.round) return;
  if (!patch.edge) {
    g.lineWidth = 0.8; // closes the seam to the next piece
    g.strokeStyle = fill;
  }
  g.stroke();
}

function paintBall(g, view, { line: [[x, y]], ball: radius, hollow, light }, fill, theme, color, fog) {
  const px = view.x(x), py = view.y(y), r = radius * view.scale, dx = 0.35 * r * LAMP[0], dy = -0.35 * r * LAMP[1];
  g.arc(px, py, r, 0, 2 * Math.PI);
  g.fillStyle = fill;
  if (!hollow) {
    const shine = g.createRadialGradient(px + dx, py + dy, 0, px, py, r);
    for (const [stop, bright] of [[0, 0.95], [0.45, 0.75], [1, 0.4]]) shine.addColorStop(stop, tint(theme, color, bright * (light / 0.7), fog));
    g.fillStyle = shine;
  }
  g.fill();
  g.stroke();
}

function circle(at, [first, second], radius) {
  return CIRCLE.map(([c, s]) => at(first.map((x, k) => radius * (c * x + s * second[k]))));
}

function direction(first, second, degrees) {
  const a = (degrees * Math.PI) / 180;
  return first.map((x, k) => Math.cos(a) * x + Math.sin(a) * second[k]);
}

/** The unit normal of an outline in space, by Newell's sum, which needs no convex corner. */
export function normalOf(outline) {
  const from = (p) => p.map((x, c) => x - outline[0][c]), total = [0, 0, 0];
  outline.forEach((p, k) => cross(from(p), from(outline[(k + 1) % outline.length])).forEach((x, c) => (total[c] += x)));
  return unit(total);
}

function* stretches(flags) {
  for (let k = 0; k < flags.length; k++) {
    if (!flags[k]) continue;
    const from = k;
    while (flags[k]) k++;
    if (k - from > 1) yield [from, k];
  }
}

function mean(points) { return points[0].map((_, c) => points.reduce((sum, p) => sum + p[c], 0) / points.length); }

function scalar(a, b) { return a.reduce((sum, x, c) => sum + x * b[c], 0); }

export function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }

export function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map((x) => x / length);
}
