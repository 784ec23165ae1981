// What drawing shows over the picture: the grid, what is being drawn, what is selected, and the cross of the keyboard.
import { themeOf } from "/player/theme.js";
import { niceStep } from "/player/ticks.js";

const GRID = 36; // CSS pixels between two lines, at least

export class Overlay {
  constructor(player) {
    this.player = player;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "bench-overlay";
    this.canvas.setAttribute("aria-hidden", "true");
  }

  /** Below the picture, so that the grid lies behind the machine. */
  show() {
    this.painted = "";
    this.player.canvas.before(this.canvas);
  }

  hide() { this.canvas.remove(); }

  /** The step of the grid in metres. */
  get step() {
    const { view } = this.player;
    return niceStep((GRID * view.ratio) / view.scale);
  }

  snap(at) { return at.map((value) => Number((Math.round(value / this.step) * this.step).toFixed(9))); }

  /** Paint, unless it is all there already. */
  paint(drawn) {
    const { view, root } = this.player, theme = themeOf(root), key = JSON.stringify([drawn, theme.ink, view.width, view.height, view.scale, view.left, view.top]);
    if (key === this.painted) return;
    this.painted = key;
    this.paintAnew(drawn, theme);
  }

  paintAnew({ from, to, trail, selected, cross }, theme) {
    const { view } = this.player, { canvas } = this, g = canvas.getContext("2d");
    if (canvas.width !== view.width || canvas.height !== view.height) Object.assign(canvas, { width: view.width, height: view.height });
    g.clearRect(0, 0, canvas.width, canvas.height);
    this.grid(g, theme);
    g.strokeStyle = g.fillStyle = theme.accent;
    g.lineWidth = 2 * view.ratio;
    const path = [...(trail ?? []), ...(from ? [from] : []), ...(to ? [to] : [])].map(({ at }) => [view.x(at[0]), view.y(at[1])]);
    g.setLineDash([6 * view.ratio, 4 * view.ratio]);
    g.beginPath();
    path.forEach(([x, y], k) => (k ? g.lineTo(x, y) : g.moveTo(x, y)));
    g.stroke();
    g.setLineDash([]);
    for (const [x, y] of path) this.ring(g, x, y, 6);
    for (const [x, y] of selected ?? []) this.ring(g, x, y, 11);
    if (cross) this.cross(g, view.x(cross[0]), view.y(cross[1]));
  }

  grid(g, theme) {
    const { view } = this.player, { step } = this, [left, top] = view.world(0, 0), [right, bottom] = view.world(view.width, view.height);
    g.strokeStyle = theme.faint;
    g.lineWidth = view.ratio;
    g.beginPath();
    for (let k = Math.ceil(left / step); k * step <= right; k++) line(g, view.x(k * step), 0, view.x(k * step), view.height);
    for (let k = Math.ceil(bottom / step); k * step <= top; k++) line(g, 0, view.y(k * step), view.width, view.y(k * step));
    g.stroke();
    g.strokeStyle = theme.muted;
    g.beginPath();
    line(g, view.x(0), 0, view.x(0), view.height);
    line(g, 0, view.y(0), view.width, view.y(0));
    g.stroke();
  }

  ring(g, x, y, radius) {
    g.beginPath();
    g.arc(x, y, radius * this.player.view.ratio, 0, 2 * Math.PI);
    g.stroke();
  }

  cross(g, x, y) {
    const r = 12 * this.player.view.ratio;
    g.beginPath();
    line(g, x - r, y, x + r, y);
    line(g, x, y - r, x, y + r);
    g.stroke();
  }
}

function line(g, ax, ay, bx, by) {
  g.moveTo(ax, ay);
  g.lineTo(bx, by);
}
