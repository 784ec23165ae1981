// The scale of the picture, the legend of its colours, and axes.
import { niceStep, niceTicks, readable, tickFormat } from "./ticks.js";

/** A bar that says how long a metre is, and what colours mean. */
export function drawScale(g, player) {
  const { view, theme } = player, r = view.ratio, length = niceStep((70 * r) / view.scale), wide = length * view.scale;
  const x = 14 * r, y = view.height - 14 * r;
  g.strokeStyle = g.fillStyle = theme.muted;
  g.lineWidth = 1.5 * r;
  g.lineCap = "butt";
  g.beginPath();
  g.moveTo(x, y - 5 * r);
  g.lineTo(x, y);
  g.lineTo(x + wide, y);
  g.lineTo(x + wide, y - 5 * r);
  g.stroke();
  g.font = `${11.5 * r}px system-ui, sans-serif`;
  g.textAlign = "left";
  g.textBaseline = "bottom";
  g.fillText(lengthText(length), x + 5 * r, y - 3 * r);
  if (!player.shows.forces || !player.scene.tension) return;
  g.textAlign = "right";
  const right = view.width - 14 * r;
  const told = [[theme.pull, `pulls, up to ${readable(player.fullTension, 3)} N`], [theme.push, "pushes"]];
  told.forEach(([color, text], i) => {
    g.fillStyle = `rgb(${color.join()})`;
    g.fillText(text, right, y + 2 * r - 16 * r * i);
  });
}

/** The axes of the plane with their numbers; where zero is out of sight they stand at the edge. */
export function drawAxes(g, { view, theme }) {
  const r = view.ratio, [left, top] = view.world(0, 0), [right, bottom] = view.world(view.width, view.height);
  const within = (at, low, high) => Math.min(high, Math.max(low, at)), tick = 4 * r;
  const across = within(view.y(0), 14 * r, view.height - 38 * r), up = within(view.x(0), 46 * r, view.width - 14 * r);
  g.strokeStyle = g.fillStyle = theme.muted;
  g.lineWidth = r;
  g.font = `${11 * r}px system-ui, sans-serif`;
  g.beginPath();
  g.moveTo(0, across);
  g.lineTo(view.width, across);
  g.moveTo(up, 0);
  g.lineTo(up, view.height);
  const xs = niceTicks(left, right, view.width / (90 * r)), ys = niceTicks(bottom, top, view.height / (60 * r));
  for (const x of xs) g.moveTo(view.x(x), across - tick), g.lineTo(view.x(x), across + tick);
  for (const y of ys) g.moveTo(up - tick, view.y(y)), g.lineTo(up + tick, view.y(y));
  g.stroke();
  const xText = tickFormat(left, right, xs), yText = tickFormat(bottom, top, ys), unit = ({ exponent }) => (exponent ? `(10^${exponent} m)` : "(m)");
  g.textAlign = "center";
  g.textBaseline = "top";
  for (const x of xs) if (x && view.x(x) < view.width - 30 * r) g.fillText(xText.text(x), view.x(x), across + 6 * r);
  g.textAlign = "right";
  g.textBaseline = "middle";
  for (const y of ys) if (y) g.fillText(yText.text(y), up - 7 * r, view.y(y));
  g.textBaseline = "bottom";
  const corner = across < 56 * r ? 56 * r : 6 * r; // the workbench has a button in the corner above
  g.fillText(`x ${unit(xText)}`, view.width - corner, across - 5 * r);
  g.textAlign = "left";
  g.textBaseline = "top";
  g.fillText(`y ${unit(yText)}`, up + 7 * r, 6 * r);
}

function lengthText(metres) {
  const [unit, factor] = [["km", 1e-3], ["m", 1], ["cm", 1e2], ["mm", 1e3], ["\u00b5m", 1e6]].find(([, f]) => metres * f >= 0.999) ?? ["m", 1];
  return `${readable(metres * factor, 3)} ${unit}`;
}
