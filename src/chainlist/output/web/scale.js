// The scale of the picture, and the legend of its colours.
import { niceStep, readable } from "./ticks.js";

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

function lengthText(metres) {
  const [unit, factor] = [["km", 1e-3], ["m", 1], ["cm", 1e2], ["mm", 1e3], ["\u00b5m", 1e6]].find(([, f]) => metres * f >= 0.999) ?? ["m", 1];
  return `${readable(metres * factor, 3)} ${unit}`;
}
