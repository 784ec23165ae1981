// How much room a motion takes.

/** The box around boxes [left, right, bottom, top], in space [..., back, front], some of which may be null. */
export function united(boxes) {
  const some = boxes.filter(Boolean);
  if (!some.length) return null;
  return some[0].map((_, side) => some.map((box) => box[side]).reduce((a, b) => (side % 2 ? Math.max(a, b) : Math.min(a, b))));
}

/**
 * The room that a motion in a box of space takes in the picture, from every side: how far it comes from the middle of the
 * picture to the side, up and down, for a camera that goes around it at an elevation in degrees.
 */
export function reachOf({ motion, places, fixed, shapes }, [left, right, bottom, top, back, front], elevation) {
  const middle = [(left + right) / 2, (bottom + top) / 2, (back + front) / 2], e = (elevation * Math.PI) / 180, c = Math.cos(e), s = Math.abs(Math.sin(e));
  const corner = Math.hypot(right - left, front - back) / 2, half = (top - bottom) / 2; // nothing is farther, but what ran away
  const room = { aside: Math.max(right - left, front - back) / 2, up: c * half, down: c * half };
  const take = (a, i) => {
    const around = Math.min(corner, Math.hypot(a[i] - middle[0], a[i + 2] - middle[2])), y = Math.max(-half, Math.min(half, a[i + 1] - middle[1]));
    if (!Number.isFinite(around + y)) return;
    room.aside = Math.max(room.aside, around);
    room.up = Math.max(room.up, c * y + s * around);
    room.down = Math.max(room.down, s * around - c * y);
  };
  const step = Math.max(1, Math.floor((motion.count * places.length) / 20000));
  for (let k = 0; k < motion.count; k += step) for (const i of places) take(motion.positions, k * motion.width + 3 * i);
  for (let i = 0; i < fixed.length; i += 3) take(fixed, i);
  const more = Math.max(0, ...shapes.map((shape) => shape.radius)); // of round bodies
  return { middle, aside: Math.min(room.aside + more, corner) || 1, up: room.up + more * s || 1, down: room.down + more * s || 1 };
}
