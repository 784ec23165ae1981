// The ground of a picture of space: the counterpart of floor.py. A grid below everything, on which shadows fall.

const BELOW = 0.06; // of the size of the motion: from its lowest point down to the ground
const LEAST = 0.35; // of the size: half the width of the ground under a motion that hardly goes that way
const CELLS = 8;

/** The ground below a box of space: its height, and the lines x = xs and z = zs. */
export function floorUnder([left, right, bottom, top, back, front]) {
  const size = Math.max(right - left, top - bottom, front - back) || 1;
  const half = [(right - left) / 2, (front - back) / 2].map((h) => Math.max(h, LEAST * size));
  const step = nice((2 * Math.max(...half)) / CELLS);
  const lines = (middle, h) => {
    const first = Math.floor((middle - h) / step + 1e-9), last = Math.ceil((middle + h) / step - 1e-9);
    return Array.from({ length: last - first + 1 }, (_, k) => step * (first + k));
  };
  return { height: bottom - BELOW * size, step, xs: lines((left + right) / 2, half[0]), zs: lines((back + front) / 2, half[1]) };
}

function nice(length) {
  const decade = 10 ** Math.floor(Math.log10(length));
  return [1, 2, 5, 10].map((m) => m * decade).find((m) => m >= length * (1 - 1e-9));
}

export function drawFloor(g, view, { height, xs, zs }, theme) {
  const line = (a, b) => {
    g.moveTo(view.px(a), view.py(a));
    g.lineTo(view.px(b), view.py(b));
  };
  g.strokeStyle = theme.faint;
  g.lineWidth = view.ratio;
  g.beginPath();
  for (const x of xs) line([x, height, zs[0]], [x, height, zs.at(-1)]);
  for (const z of zs) line([xs[0], height, z], [xs.at(-1), height, z]);
  g.stroke();
}

/** Which way the axes point: three arrows in the lower left corner, above the scale. */
export function drawTriad(g, view, theme) {
  const r = view.ratio, x = 42 * r, y = view.height - 66 * r, arms = [["x", theme.axes[0]], ["y", theme.axes[1]], ["z", theme.axes[2]]];
  const { camera } = view;
  g.lineCap = "round";
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.font = `600 ${11 * r}px system-ui, sans-serif`;
  g.lineWidth = 2 * r;
  const ends = arms.map(([name, color], k) => {
    const e = [0, 1, 2].map((c) => Number(c === k));
    return { name, color, x: camera.dx(e), y: -camera.dy(e), z: camera.dz(e) };
  });
  for (const end of ends.sort((a, b) => a.z - b.z)) {
    g.strokeStyle = g.fillStyle = end.color;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 24 * r * end.x, y + 24 * r * end.y);
    g.stroke();
    g.fillText(end.name, x + 33 * r * end.x, y + 33 * r * end.y);
  }
}
