// From bytes to a scene: the counterpart of packing.py.
import { Motion } from "./motion.js";

/** The scene in a message of `packing.py` (an ArrayBuffer). */
export function decodeScene(buffer) {
  const { header: scene, array } = opened(buffer);
  scene.motion = Motion.of(scene.bodies.length, array(scene.t), array(scene.q), array(scene.v), scene.dim);
  scene.tension = array(scene.tension);
  if (scene.told) scene.told = Motion.of(scene.tracks.length, array(scene.told.t), array(scene.told.q), null, scene.dim);
  fillPanels(scene.panels, scene.events, array);
  return withJoints(scene);
}

/** The plots of a run that is still computed. */
export function decodePanels(buffer) {
  const { header, array } = opened(buffer);
  return fillPanels(header.panels, [], array);
}

function opened(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const origin = (4 + length + 7) & ~7;
  const array = (place) => {
    if (!place) return null;
    const [offset, count, kind] = place.array;
    return kind === "f4" ? new Float32Array(buffer, origin + offset, count) : new Float64Array(buffer, origin + offset, count);
  };
  return { header, array };
}

function fillPanels(panels, events, array) {
  for (const panel of panels) {
    panel.events = events;
    for (const curve of panel.curves) {
      curve.x = array(curve.x);
      curve.y = array(curve.y);
      curve.t = curve.t ? array(curve.t) : curve.x;
    }
  }
  return panels;
}

/** A scene without frames, for a run that is just beginning: frames come by `player.append`. */
export function emptyScene({ title = "", dim = 2, view = [0, 0], window = null, bodies, parts, shapes = [], pivots = [], tracks = [], told = null, strobe = 1, plotmode = "ANIMATE", events = [] }) {
  const motion = new Motion(bodies.length, dim);
  const moved = !told || told instanceof Motion ? told : Motion.of(tracks.length, Float64Array.from(told.t), Float32Array.from(told.q), null, dim);
  return withJoints({ title, dim, view, window, bodies, parts, shapes, pivots, tracks, told: moved, strobe, plotmode, motion, tension: null, panels: [], events });
}

/** Bytes behind base64 and gzip, as the standalone page carries them. */
export async function unzipBase64(text) {
  const zipped = atob(text.trim());
  const bytes = new Uint8Array(zipped.length);
  for (let i = 0; i < zipped.length; i++) bytes[i] = zipped.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/**
 * Fixed points and those that move as told follow the bodies in one list of joints, so that a point is a number:
 * scene.fixed holds coordinates of fixed ones, scene.joints the pairs of the links, `at` of every other part its joints.
 */
function withJoints(scene) {
  const { bodies, parts } = scene, fixed = [], place = new Map();
  const points = [...parts.flatMap((part) => part.points), ...scene.pivots];
  for (const point of points) {
    if (!Array.isArray(point) || place.has(point.join())) continue;
    place.set(point.join(), bodies.length + place.size);
    fixed.push(...point);
  }
  const toldFrom = bodies.length + place.size;
  const joint = (point) => (typeof point === "number" ? point : Array.isArray(point) ? place.get(point.join()) : toldFrom + point.told);
  scene.fixed = Float64Array.from(fixed);
  scene.links = parts.filter((part) => part.kind === "rod").map(({ name, points: ends, holds }) => ({ name, ends, holds }));
  scene.rails = parts.filter((part) => part.kind === "rail").map(({ name, points: [body], numbers: line }) => ({ name, body, line }));
  scene.others = parts.filter((part) => part.kind !== "rod" && part.kind !== "rail").map((part) => ({ ...part, at: part.points.map(joint) }));
  scene.joints = Int32Array.from(scene.links.flatMap((link) => link.ends.map(joint)));
  scene.pivots = scene.pivots.map(joint);
  const of = (...roles) => bodies.flatMap((body, i) => (roles.includes(body.role) ? [i] : []));
  scene.places = of("point", "held", "centre"); // an axis is a direction
  scene.dots = of("point", "held");
  scene.pins = new Set(scene.dots.filter((i) => bodies[i].mass === 0 && !bodies[i].radius)); // joints, and points that are followed
  scene.seen = new Set([...scene.joints, ...scene.others.flatMap(seenOf)].filter((j) => j >= bodies.length));
  for (const j of scene.pivots) if (j >= bodies.length) scene.seen.add(j);
  return scene;
}

/** The joints that a part is drawn up to, but for those that only tell a direction. */
function seenOf({ kind, at }) {
  if (kind === "spiral" || kind === "brake") return at.slice(-2, -1);
  if (kind === "wall" || kind === "pane") return [];
  return ["circle", "sphere", "force", "drum", "globe"].includes(kind) ? at.slice(0, 1) : at;
}

/** What a picture shows, for those who do not see it. */
export function describe({ title, dim, dots, shapes, parts }) {
  const of = (...kinds) => new Set(parts.filter((part) => kinds.includes(part.kind)).map((part) => part.name)).size;
  const counts = [
    [dots.length, "body", "bodies"], [shapes.length, "rigid body", "rigid bodies"], [of("rod", "string", "rope"), "link", "links"], [of("rail", "guide", "circle", "sphere", "tile"), "slider", "sliders"],
    [of("spring", "spiral"), "spring", "springs"], [of("damper", "brake", "drag"), "damper", "dampers"], [of("motor"), "motor", "motors"], [of("wall", "drum", "pane", "globe"), "wall", "walls"],
  ];
  const words = counts.filter(([n]) => n).map(([n, one, many]) => `${n} ${n === 1 ? one : many}`);
  return `Animation of ${title || "a mechanism"}: ${words.join(", ")}${dim === 3 ? "; in space: arrow keys turn it, with shift they move it" : ""}`;
}
