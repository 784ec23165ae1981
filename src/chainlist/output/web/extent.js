// How much room a motion takes.

/** The box around boxes [left, right, bottom, top], in space [..., back, front], some of which may be null. */
export function united(boxes) {
  const some = boxes.filter(Boolean);
  if (!some.length) return null;
  return some[0].map((_, side) => some.map((box) => box[side]).reduce((a, b) => (side % 2 ? Math.max(a, b) : Math.min(a, b))));
}

/** How far from the vertical through the middle of a box of space a motion in it comes: so wide is it from every side. */
export function reachOf({ motion, places, fixed, shapes }, [left, right, , , back, front]) {
  const x = (left + right) / 2, z = (back + front) / 2, { positions: q, width } = motion;
  const corner = Math.hypot(right - left, front - back) / 2; // nothing is farther, but what ran away
  const step = Math.max(1, Math.floor((motion.count * places.length) / 20000));
  let far = Math.max(right - left, front - back) / 2;
  for (let k = 0; k < motion.count; k += step)
    for (const i of places) far = Math.max(far, Math.hypot(q[k * width + 3 * i] - x, q[k * width + 3 * i + 2] - z) || 0);
  for (let i = 0; i < fixed.length; i += 3) far = Math.max(far, Math.hypot(fixed[i] - x, fixed[i + 2] - z));
  return Math.min(far + Math.max(0, ...shapes.map((shape) => shape.radius)), corner) || 1;
}
