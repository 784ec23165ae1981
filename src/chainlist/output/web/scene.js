// From bytes to a scene: the counterpart of packing.py.
import { Motion } from "./motion.js";

/** The scene in a message of `packing.py` (an ArrayBuffer). */
export function decodeScene(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const scene = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const origin = (4 + length + 7) & ~7;
  const array = (place) => {
    if (!place) return null;
    const [offset, count, kind] = place.array;
    return kind === "f4" ? new Float32Array(buffer, origin + offset, count) : new Float64Array(buffer, origin + offset, count);
  };
  scene.motion = Motion.of(scene.bodies.length, array(scene.t), array(scene.q), array(scene.v));
  scene.tension = array(scene.tension);
  for (const panel of scene.panels)
    for (const curve of panel.curves) {
      curve.x = array(curve.x);
      curve.y = array(curve.y);
      curve.t = curve.t ? array(curve.t) : curve.x;
    }
  return withJoints(scene);
}

/** A scene without frames, for a run that is just beginning: frames come by `player.append`. */
export function emptyScene({ title = "", bodies, links, rails = [], anchors = [], strobe = 1, plotmode = "ANIMATE" }) {
  const motion = new Motion(bodies.length);
  return withJoints({ title, bodies, links, rails, anchors, strobe, plotmode, motion, tension: null, panels: [] });
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
 * Fixed points follow the bodies in one list of joints, so that a link is a pair of numbers:
 * scene.fixed holds their coordinates, scene.joints the pairs.
 */
function withJoints(scene) {
  const fixed = [], place = new Map();
  const joint = (end) => {
    if (typeof end === "number") return end;
    const key = end.join();
    if (!place.has(key)) {
      place.set(key, scene.bodies.length + place.size);
      fixed.push(...end);
    }
    return place.get(key);
  };
  scene.joints = Int32Array.from(scene.links.flatMap((link) => link.ends.map(joint)));
  scene.fixed = Float64Array.from(fixed);
  return scene;
}
