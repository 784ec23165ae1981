// A plot of curves with a cursor that is tied to the animation. Two canvases lie on each other: the lower one holds
// axes and curves and is painted rarely, the upper one the cursor, which moves with every frame.
//
//   panel: { title, kind: "time" | "path" | "phase" | "spectrum" | "versus", xLabel, yLabel, xUnit, yUnit, equal, curves: [{ name, x, y, t }] },
//   x, y and t of a curve being arrays of one length; over time, t is x. A spectrum lies over frequencies: it knows no time.
//
//   const plot = new Plot(host, panel, { onSeek: (t) => player.seek(t) });
//   plot.setTime(t);       plot.setPanel(panel);       plot.pin(panelOfAnotherRun);
import { Axes } from "./axes.js";
import { addPlotPointer } from "./pointer.js";
import { useStyle } from "./style.js";
import { series, themeOf, watchTheme } from "./theme.js";
import { readable } from "./ticks.js";

const MOST_TOLD = 8; // curves in the read-out

export class Plot {
  constructor(host, panel, { onSeek = null, colourOf = null, onAxis = null } = {}) {
    useStyle();
    this.onSeek = onSeek;
    this.colourOf = colourOf; // (name of a body) => its colour in the picture, or null
    this.onAxis = onAxis; // (panel, "up" or "across", button): somebody wants something else there
    this.root = document.createElement("section");
    this.root.className = "cl-plot";
    this.root.innerHTML = '<h3></h3><ul class="cl-legend"></ul><p class="cl-difference" hidden></p><div class="cl-axes"><canvas></canvas><canvas tabindex="0" role="img"></canvas><div class="cl-tip" hidden></div></div>';
    host.replaceChildren(this.root);
    [this.lower, this.upper] = this.root.querySelectorAll("canvas");
    this.tip = this.root.querySelector(".cl-tip");
    this.legend = this.root.querySelector(".cl-legend");
    this.difference = this.root.querySelector(".cl-difference");
    this.axisButtons = onAxis ? ["up", "across"].map((which) => this.addAxisButton(which)) : [];
    this.hidden = new Set();
    this.time = 0;
    this.mark = NaN; // the time to measure from
    this.box = null; // being drawn
    this.visible = true;
    this.pinned = null;
    this.setPanel(panel);
    addPlotPointer(this);
    this.unwatch = watchTheme(() => this.repaint());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.upper);
    this.sight = new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.drawCursor();
    }, { rootMargin: "120px" });
    this.sight.observe(this.root);
  }

  setPanel(panel) {
    this.panel = panel;
    this.root.querySelector("h3").textContent = panel.title;
    this.axes = new Axes(panel);
    this.limits = this.wholeLimits();
    this.upper.setAttribute("aria-label", `${panel.kind === "time" ? "Plot over time" : "Plot"}: ${panel.title}; curves ${panel.curves.map((c) => c.name).join(", ")}`);
    for (const button of this.axisButtons) {
      const { which } = button.dataset;
      button.hidden = !["time", "versus"].includes(panel.kind);
      button.setAttribute("aria-label", `${which === "up" ? "Up" : "Across"}: ${which === "up" ? this.axes.yText : this.axes.xText}. Choose`);
    }
    this.fillLegend();
    this.repaint();
  }

  addAxisButton(which) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: `cl-axis cl-axis-${which}`, textContent: "\u25be", title: `Choose what is ${which}` });
    button.dataset.which = which;
    button.addEventListener("click", () => this.onAxis(this.panel, which, button));
    this.upper.parentElement.append(button);
    return button;
  }

  /** The same panel of another run, in grey behind this one; null takes it away. */
  pin(panel) {
    this.pinned = panel;
    this.limits = this.wholeLimits();
    this.repaint();
  }

  setTime(time) {
    this.time = time;
    if (this.visible) this.drawCursor();
  }

  destroy() {
    this.observer.disconnect();
    this.sight.disconnect();
    this.unwatch();
    this.root.remove();
  }

  // Below: axes and curves

  fillLegend() {
    const { curves } = this.panel;
    this.legend.replaceChildren(...curves.map((curve, i) => {
      const entry = document.createElement("li"), button = document.createElement("button"), mark = document.createElement("i");
      button.type = "button";
      button.title = "Show or hide this curve";
      button.setAttribute("aria-pressed", "true");
      button.append(mark, curve.name);
      button.addEventListener("click", () => {
        if (!this.hidden.delete(i)) this.hidden.add(i);
        button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
        this.limits = this.wholeLimits();
        this.repaint();
      });
      entry.append(button);
      return entry;
    }));
    this.legend.hidden = curves.length === 1 && curves[0].name === this.panel.title;
  }

  wholeLimits() {
    const shown = this.panel.curves.filter((_, i) => !this.hidden.has(i)).concat(this.pinned?.curves ?? []);
    const x = extremes(shown.map((curve) => curve.x)), y = extremes(shown.map((curve) => curve.y));
    const roomX = this.panel.kind === "time" ? 0 : 0.05 * (x[1] - x[0]), roomY = 0.06 * (y[1] - y[0]);
    return [x[0] - roomX, x[1] + roomX, y[0] - roomY, y[1] + roomY];
  }

  resize() {
    const ratio = Math.min(3, devicePixelRatio || 1);
    for (const canvas of [this.lower, this.upper]) {
      canvas.width = Math.round(this.upper.clientWidth * ratio);
      canvas.height = Math.round(this.upper.clientHeight * ratio);
    }
    this.ratio = ratio;
    this.repaint();
  }

  repaint() {
    const { width, height } = this.lower, g = this.lower.getContext("2d");
    this.theme = themeOf(this.root);
    this.colors = this.bodyColours() ?? series(this.theme, this.panel.curves.length);
    this.legend.querySelectorAll("i").forEach((mark, i) => (mark.style.background = this.colors[i]));
    g.clearRect(0, 0, width, height);
    this.laidOut = Boolean(this.ratio) && width > 60 * this.ratio && height > 60 * this.ratio;
    if (!this.laidOut) return;
    this.axes.layout(g, width, height, this.ratio, this.limits);
    this.axes.draw(g, this.theme);
    for (const button of this.axisButtons) button.style.width = `${this.axes.captions[button.dataset.which] / this.ratio + 18}px`;
    g.save();
    g.beginPath();
    g.rect(this.axes.left, this.axes.top - 2, this.axes.right - this.axes.left + 2, this.axes.bottom - this.axes.top + 4);
    g.clip();
    g.lineWidth = 1.5 * this.ratio;
    g.lineJoin = "round";
    for (const curve of this.pinned?.curves ?? []) this.traceCurve(g, curve, this.theme.ghost);
    this.panel.curves.forEach((curve, i) => {
      if (!this.hidden.has(i)) this.traceCurve(g, curve, this.colors[i]);
    });
    if (this.panel.kind === "time") this.markEvents(g);
    g.restore();
    this.drawCursor();
  }

  /** Where each curve is of another body: the colours that these have in the picture; null where it is not so. */
  bodyColours() {
    if (!this.colourOf) return null;
    const words = this.panel.curves.map((curve) => curve.name.toLowerCase().match(/[a-z_][\w.]*/g) ?? []);
    const names = words.map((those) => those.find((word) => this.colourOf(word)));
    if (new Set(names).size < names.length) return null;
    const colours = names.map((name) => name && this.colourOf(name));
    return colours.every(Boolean) ? colours : null;
  }

  /** Ticks at the foot of the plot, one for each pixel at most. */
  markEvents(g) {
    const { axes, ratio: r } = this, places = new Set((this.panel.events ?? []).map(({ t }) => Math.round(axes.x(t))));
    g.strokeStyle = this.theme.muted;
    g.lineWidth = r;
    g.beginPath();
    for (const x of places) {
      g.moveTo(x, axes.bottom);
      g.lineTo(x, axes.bottom - 6 * r);
    }
    g.stroke();
  }

  /** A curve; where it has no value there is a gap. */
  traceCurve(g, { x, y }, color) {
    g.strokeStyle = color;
    g.beginPath();
    let on = false;
    for (let k = 0; k < x.length; k++) {
      if (!Number.isFinite(x[k]) || !Number.isFinite(y[k])) on = false;
      else if (on) g.lineTo(this.axes.x(x[k]), this.axes.y(y[k]));
      else {
        g.moveTo(this.axes.x(x[k]), this.axes.y(y[k]));
        on = true;
      }
    }
    g.stroke();
  }

  // Above: the cursor and the read-out

  drawCursor() {
    if (!this.laidOut) return;
    const g = this.upper.getContext("2d"), { axes, ratio: r } = this;
    g.clearRect(0, 0, this.upper.width, this.upper.height);
    this.drawMoment(g, this.mark, [4 * r, 3 * r]);
    this.drawMoment(g, this.time, []);
    this.showDifference();
    if (!this.box) return;
    const [ax, ay, bx, by] = this.box;
    g.strokeStyle = this.theme.accent;
    g.strokeRect(ax, ay, bx - ax, by - ay);
  }

  /** A line at a time, and points where the curves are then. */
  drawMoment(g, time, dash) {
    if (this.panel.kind === "spectrum") return;
    const { axes, ratio: r } = this;
    if (this.panel.kind === "time") {
      const x = axes.x(time);
      if (x >= axes.left - 1 && x <= axes.right + 1) {
        g.strokeStyle = this.theme.muted;
        g.lineWidth = r;
        g.setLineDash(dash);
        g.beginPath();
        g.moveTo(x, axes.top);
        g.lineTo(x, axes.bottom);
        g.stroke();
        g.setLineDash([]);
      }
    }
    g.strokeStyle = this.theme.paper;
    g.lineWidth = 1.2 * r;
    this.panel.curves.forEach((curve, i) => {
      const [vx, vy] = this.hidden.has(i) ? [NaN, NaN] : pointAt(curve, time), x = axes.x(vx), y = axes.y(vy);
      const inside = x >= axes.left - 1 && x <= axes.right + 1 && y >= axes.top - 1 && y <= axes.bottom + 1;
      if (!inside) return;
      g.fillStyle = this.colors[i];
      g.beginPath();
      g.arc(x, y, 3.8 * r, 0, 2 * Math.PI);
      g.fill();
      g.stroke();
    });
  }

  showAll() {
    this.limits = this.wholeLimits();
    this.repaint();
  }

  /** Look into a box of pixels [x, y, x, y]; one that is too small to be meant is ignored. */
  lookInto([ax, ay, bx, by]) {
    const { axes, ratio: r } = this;
    this.drawCursor();
    if (!this.laidOut || Math.abs(bx - ax) < 8 * r || Math.abs(by - ay) < 8 * r) return;
    const xs = [ax, bx].map((x) => axes.xValue(x)), ys = [ay, by].map((y) => axes.yValue(y));
    this.limits = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    this.repaint();
  }

  /** The time to measure from; NaN for none. */
  setMark(time) {
    if (this.panel.kind === "spectrum") return;
    this.mark = time;
    this.drawCursor();
  }

  moveInTime(part) {
    const t = this.panel.curves[0]?.t ?? [0, 1], whole = t[t.length - 1] - t[0];
    this.onSeek?.(Math.max(t[0], Math.min(t[t.length - 1], this.time + part * whole)));
  }

  /** What has changed from the mark to the cursor. */
  showDifference() {
    const on = Number.isFinite(this.mark);
    this.difference.hidden = !on;
    if (!on) return;
    const words = [`\u0394t ${readable(this.time - this.mark, 4)} s`];
    this.panel.curves.forEach((curve, i) => {
      if (this.hidden.has(i) || words.length > MOST_TOLD) return;
      const [ax, ay] = pointAt(curve, this.mark), [bx, by] = pointAt(curve, this.time);
      const across = this.panel.kind === "time" ? "" : `${readable(bx - ax, 4)}, `;
      words.push(`\u0394${curve.name} ${across}${readable(by - ay, 4)}`);
    });
    this.difference.textContent = words.join("   ");
  }

  zoom(factor, [x, y]) {
    if (!this.laidOut) return;
    const { axes } = this, [a, b, c, d] = axes.limits, fx = (x - axes.left) / (axes.right - axes.left), fy = (axes.bottom - y) / (axes.bottom - axes.top);
    const px = a + fx * (b - a), py = c + fy * (d - c), alongY = this.panel.kind === "time" ? 1 : factor;
    this.limits = [px + (a - px) * factor, px + (b - px) * factor, py + (c - py) * alongY, py + (d - py) * alongY];
    this.repaint();
  }

  /** Move what is seen by so many pixels. */
  pan([dx, dy]) {
    if (!this.laidOut) return;
    const { axes } = this, [a, b, c, d] = axes.limits, x = (dx * (b - a)) / (axes.right - axes.left), y = (dy * (d - c)) / (axes.bottom - axes.top);
    this.limits = [a - x, b - x, c + y, d + y];
    this.repaint();
  }

  pointer(event) {
    const box = this.upper.getBoundingClientRect();
    return [(event.clientX - box.left) * this.ratio, (event.clientY - box.top) * this.ratio];
  }

  /** The time that a pointer means: over time its x, on a path the nearest point; in a spectrum the frequency. */
  timeAt([x, y]) {
    if (this.panel.kind === "time" || this.panel.kind === "spectrum") return this.axes.xValue(x);
    let best = NaN, nearest = Infinity;
    this.panel.curves.forEach((curve, i) => {
      if (this.hidden.has(i)) return;
      for (let k = 0; k < curve.x.length; k++) {
        const away = (this.axes.x(curve.x[k]) - x) ** 2 + (this.axes.y(curve.y[k]) - y) ** 2;
        if (away < nearest) [best, nearest] = [curve.t[k], away];
      }
    });
    return best;
  }

  seekTo(event) {
    if (!this.laidOut || this.panel.kind === "spectrum") return;
    const time = this.timeAt(this.pointer(event));
    if (Number.isFinite(time)) this.onSeek?.(time);
  }

  tell(event) {
    if (!this.laidOut) return;
    const at = this.pointer(event), time = this.timeAt(at);
    if (!Number.isFinite(time)) return;
    const paths = ["path", "phase", "versus"].includes(this.panel.kind);
    const lines = [this.panel.kind === "spectrum" ? `f  ${readable(time, 4)} Hz` : `t  ${readable(time, 4)} s`];
    this.panel.curves.forEach((curve, i) => {
      if (this.hidden.has(i) || lines.length > MOST_TOLD) return;
      const [x, y] = pointAt(curve, time);
      lines.push(paths ? `${curve.name}  (${readable(x, 4)}, ${readable(y, 4)})` : `${curve.name}  ${readable(y, 6)}`);
    });
    this.tip.textContent = lines.join("\n");
    this.tip.hidden = false;
    const { offsetWidth: wide, offsetHeight: high } = this.tip, left = at[0] / this.ratio, top = at[1] / this.ratio;
    const room = this.upper.clientWidth - wide - 4;
    this.tip.style.translate = `${left + 16 < room ? left + 16 : Math.max(0, left - wide - 12)}px ${Math.max(0, Math.min(top - 10, this.upper.clientHeight - high))}px`;
  }
}

/** Where a curve is at a time: straight between its points. */
function pointAt({ t, x, y }, time) {
  let low = 0, high = t.length - 1;
  if (high < 0 || time < t[0] - 1e-9 || time > t[high] + 1e-9) return [NaN, NaN];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle; else high = middle;
  }
  const length = t[high] - t[low], s = length > 0 ? Math.min(1, Math.max(0, (time - t[low]) / length)) : 0;
  return s === 0 ? [x[low], y[low]] : [x[low] + s * (x[high] - x[low]), y[low] + s * (y[high] - y[low])];
}

/** Lowest and highest finite value of some arrays; a flat curve gets some room. */
function extremes(arrays) {
  let low = Infinity, high = -Infinity;
  for (const values of arrays)
    for (const value of values) {
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  const room = Math.abs(low) * 1e-3 || 1;
  return [low - room, high + room];
}
