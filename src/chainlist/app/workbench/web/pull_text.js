// Pulls as forces of the text: [[from when, body, fx, fy]] become cards with straight lines between few points.
const CLOSE = 0.04; // of the largest force: how near the lines keep to it
const BEATS = 6; // whose forces are taken together: a hand does not move faster
const WIDTH = 100; // characters of a line

/** One card for each body that was pulled; `first` is the number of the first one. */
export function forceCards(pulls, first) {
  const bodies = [...new Set(pulls.map(([, body]) => body).filter(Boolean))];
  return bodies.map((body, k) => card(`F${first + k} ${body}`, thinned(points(together(pulls), body))));
}

/** Some beats as one, with their mean force: the shocks of a pointer that moves in jerks are gone, what they push is the same. */
export function together(pulls) {
  const found = [];
  let held = [];
  pulls.forEach(([from, body, ...force], k) => {
    held.push(force);
    if (pulls[k + 1]?.[1] === body && held.length < BEATS) return;
    found.push([pulls[k + 1 - held.length][0], body, ...force.map((_, c) => held.reduce((sum, f) => sum + f[c], 0) / held.length)]);
    held = [];
  });
  return found;
}

/** The forces on a body over the time: in the middle of each beat its force; where it is let go, none. */
export function points(pulls, body) {
  const found = [], nothing = pulls[0].slice(2).map(() => 0);
  let before = false;
  pulls.forEach(([from, who, ...force], k) => {
    const mine = who === body, end = pulls[k + 1]?.[0] ?? 2 * from - (pulls[k - 1]?.[0] ?? from), half = Math.max(0, end - from) / 2;
    if (mine && !before) found.push([from - half, ...nothing]);
    if (mine) found.push([from + half, ...force]);
    if (!mine && before) found.push([from + half, ...nothing]);
    if (mine && k === pulls.length - 1) found.push([end + half, ...nothing]);
    before = mine;
  });
  return found.filter(([t], k) => !k || t > found[k - 1][0]);
}

/** As few of the points as keep all others near (Ramer, Douglas and Peucker). */
export function thinned(all) {
  const most = Math.max(...all.map(([, ...f]) => Math.hypot(...f))), kept = new Set([0, all.length - 1]), open = [[0, all.length - 1]];
  while (open.length) {
    const [a, b] = open.pop();
    let worst = CLOSE * most, at = -1;
    for (let k = a + 1; k < b; k++) {
      const s = (all[k][0] - all[a][0]) / (all[b][0] - all[a][0]), off = Math.hypot(...all[k].slice(1).map((f, c) => f - all[a][c + 1] - s * (all[b][c + 1] - all[a][c + 1])));
      if (off > worst) [worst, at] = [off, k];
    }
    if (at < 0) continue;
    kept.add(at);
    open.push([a, at], [at, b]);
  }
  return all.filter((_, k) => kept.has(k));
}

/** The card, on as many lines as it needs. */
function card(name, kept) {
  const time = (t) => String(Number(Math.max(0, t).toFixed(4))), force = (f) => String(Number(f.toPrecision(4)));
  const laws = kept[0].slice(1).map((_, c) => ["{pwl(time", ...kept.map((point) => `${time(point[0])},${force(point[c + 1])}`)]);
  const words = laws.flatMap((law, c) => law.map((word, k) => (c === 0 && k === 0 ? `${name} (` : "") + word + (k < law.length - 1 ? "," : c < laws.length - 1 ? ")}," : ")})")));
  const lines = [""];
  for (const word of words) {
    if (lines.at(-1) && (lines.at(-1).length + word.length > WIDTH || word.startsWith("{"))) lines.push("+ ");
    lines[lines.length - 1] += word;
  }
  return lines.join("\n");
}
