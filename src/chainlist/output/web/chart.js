// Pictures of analyses that stand still: curves over a parameter, dots, stems, histograms, and heat maps over two.
import { Axes } from "./axes.js";
import { useStyle } from "./style.js";
import { series, themeOf, watchTheme } from "./theme.js";
import { readable } from "./ticks.js";

const VIRIDIS = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"];
const KEY = 64; // CSS pixels beside a heat map, for its colours
const NEAR = 24; // CSS pixels within which a point is told

/** A picture of `views.py` on a canvas; the pointer reads it. */
export class Chart {
  constructor(host, picture) {
    useStyle();
    this.picture = picture;
    this.root = document.createElement("section");
    this.root.className = "cl-plot cl-chart";
    this.root.innerHTML = '<h3></h3><ul class="cl-legend"></ul><div class="cl-axes"><canvas tabindex="0" role="img"></canvas><div class="cl-tip" hidden></div></div>';
    host.replaceChildren(this.root);
    this.root.querySelector("h3").textContent = picture.title;
    this.canvas = this.root.querySelector("canvas");
    this.tip = this.root.querySelector(".cl-tip");
    this.canvas.setAttribute("aria-label", `${picture.title}: ${picture.up} over ${picture.across}`);
    this.heat = picture.kind === "heat";
    const atX = this.heat && picture.ticksX ? picture.x.map(scaled(picture.logX)) : null, atY = this.heat && picture.ticksY ? picture.y.map(scaled(picture.log)) : null;
    this.axes = new Axes({ xLabel: picture.across, yLabel: picture.up, xUnit: "", yUnit: "", atX, atY });
    if (this.heat) Object.assign(this, { columns: edgesOf(picture.x.map(scaled(picture.logX))), rows: edgesOf(picture.y.map(scaled(picture.log))), reach: reachOfValues([picture.values]) });
    else this.curves = picture.series.map(({ label, x, y }) => ({ label, x: x.map(scaled(picture.logX)), y: y.map(scaled(picture.log)) }));
    this.canvas.addEventListener("pointermove", (event) => this.read(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.unwatch = watchTheme(() => this.paint());
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.canvas);
  }

  destroy() {
    this.observer.disconnect();
    this.unwatch();
    this.root.remove();
  }

  limits() {
    if (this.heat) return [this.columns[0], this.columns.at(-1), this.rows[0], this.rows.at(-1)];
    const [a, b] = reachOfValues(this.curves.map((curve) => curve.x)), filled = ["stems", "histogram"].includes(this.picture.kind);
    let [c, d] = reachOfValues(this.curves.map((curve) => curve.y));
    if (filled && !this.picture.log) [c, d] = [Math.min(0, c), Math.max(0, d)];
    const roomX = this.picture.counts ? (this.picture.kind === "histogram" ? 0.1 : 0.5) : this.picture.kind === "dots" ? 0.04 * (b - a) : 0, roomY = 0.06 * (d - c);
    return [a - roomX, b + roomX, filled && c === 0 ? 0 : c - roomY, d + roomY];
  }

  paint() {
    const ratio = (this.ratio = Math.min(3, devicePixelRatio || 1)), { canvas, axes, picture } = this;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    this.laidOut = canvas.width > 100 * ratio && canvas.height > 60 * ratio;
    if (!this.laidOut) return;
    const g = canvas.getContext("2d");
    this.theme = themeOf(this.root);
    axes.layout(g, canvas.width - (this.heat ? KEY * ratio : 0), canvas.height, ratio, this.limits());
    this.setTicks();
    if (this.heat) {
      this.paintHeat(g);
      this.fillLegend(picture.gaps ? [[picture.gaps, this.theme.faint]] : [], `height:12px;outline:1px solid ${this.theme.ghost}`);
    }
    axes.draw(g, this.heat ? { ...this.theme, faint: "transparent" } : this.theme);
    if (!this.heat) this.paintCurves(g);
  }

  /** Powers of ten on a logarithmic axis, whole numbers where something is counted. */
  setTicks() {
    const { axes, picture } = this, whole = (values) => values.filter((v) => Number.isInteger(v));
    const powers = { exponent: 0, offset: "", text: (v) => readable(10 ** v, this.heat ? 4 : 3) };
    if (picture.counts) {
      axes.xTicks = whole(axes.xTicks);
      axes.xFormat = { exponent: 0, offset: "", text: String };
    }
    if (picture.logX) axes.xFormat = powers;
    if (picture.log) axes.yFormat = powers;
  }

  paintCurves(g) {
    const colours = series(this.theme, this.curves.length), { kind } = this.picture;
    const draw = { line: this.paintLine, dots: this.paintDots, stems: this.paintStems, histogram: this.paintBars }[kind];
    this.curves.forEach((curve, i) => {
      g.strokeStyle = g.fillStyle = colours[i];
      g.lineWidth = 1.6 * this.ratio;
      draw.call(this, g, curve);
    });
    const labels = this.curves.map((curve) => curve.label);
    this.fillLegend(labels.filter(Boolean).length < 2 ? [] : labels.map((label, i) => [label, colours[i]]));
  }

  fillLegend(entries, shape = "") {
    const legend = this.root.querySelector(".cl-legend");
    legend.hidden = !entries.length;
    legend.replaceChildren(...entries.map(([label, colour]) => {
      const entry = document.createElement("li"), mark = document.createElement("i");
      mark.style.cssText = `display:inline-block;vertical-align:middle;margin-right:5px;background:${colour};${shape}`;
      entry.append(mark, label);
      return entry;
    }));
  }

  paintLine(g, { x, y }) {
    g.beginPath();
    let on = false;
    x.forEach((v, k) => {
      const there = Number.isFinite(v) && Number.isFinite(y[k]);
      if (there) on ? g.lineTo(this.axes.x(v), this.axes.y(y[k])) : g.moveTo(this.axes.x(v), this.axes.y(y[k]));
      on = there;
    });
    g.stroke();
    if (x.length <= 60) this.paintDots(g, { x, y });
  }

  paintDots(g, { x, y }) {
    const size = (x.length > 2000 ? 1 : x.length > 300 ? 1.6 : 2.6) * this.ratio;
    g.beginPath();
    x.forEach((v, k) => {
      if (!Number.isFinite(v) || !Number.isFinite(y[k])) return;
      const px = this.axes.x(v), py = this.axes.y(y[k]);
      g.moveTo(px + size, py);
      g.arc(px, py, size, 0, 2 * Math.PI);
    });
    g.fill();
  }

  paintStems(g, { x, y }) {
    g.beginPath();
    x.forEach((v, k) => {
      if (!Number.isFinite(y[k])) return;
      g.moveTo(this.axes.x(v), this.axes.bottom);
      g.lineTo(this.axes.x(v), this.axes.y(y[k]));
    });
    g.stroke();
    if (x.length <= 300) this.paintDots(g, { x, y });
  }

  /** Of a histogram x are the edges of the bins; a bar of one whole number stands alone. */
  paintBars(g, { x, y }) {
    const apart = this.picture.counts ? 0.15 * (this.axes.x(1) - this.axes.x(0)) : 0;
    g.globalAlpha = 0.8;
    y.forEach((v, k) => g.fillRect(this.axes.x(x[k]) + apart, this.axes.y(v), this.axes.x(x[k + 1]) - this.axes.x(x[k]) - 1 - 2 * apart, this.axes.bottom - this.axes.y(v)));
    g.globalAlpha = 1;
  }

  paintHeat(g) {
    const { axes, columns, rows, picture, ratio } = this, [low, high] = this.reach, wide = picture.x.length;
    g.fillStyle = this.theme.faint;
    g.fillRect(axes.left, axes.top, axes.right - axes.left, axes.bottom - axes.top);
    picture.values.forEach((value, k) => {
      if (value === null) return;
      const n = k % wide, m = (k - n) / wide, left = Math.floor(axes.x(columns[n])), bottom = Math.ceil(axes.y(rows[m]));
      g.fillStyle = heatColour((value - low) / (high - low));
      g.fillRect(left, Math.floor(axes.y(rows[m + 1])), Math.ceil(axes.x(columns[n + 1])) - left, bottom - Math.floor(axes.y(rows[m + 1])));
    });
    const left = axes.right + 14 * ratio, tall = axes.bottom - axes.top;
    for (let k = 0; k < 60; k++) {
      g.fillStyle = heatColour(k / 59);
      g.fillRect(left, Math.floor(axes.bottom - ((k + 1) / 60) * tall), 10 * ratio, Math.ceil(tall / 60) + 1);
    }
    g.fillStyle = this.theme.muted;
    g.font = axes.font;
    g.textAlign = "left";
    g.textBaseline = "middle";
    for (const part of [0, 0.5, 1]) g.fillText(readable(low + part * (high - low), 3), left + 14 * ratio, axes.bottom - part * tall);
  }

  /** What is under the pointer, in words. */
  read(event) {
    if (!this.laidOut) return;
    const box = this.canvas.getBoundingClientRect(), at = [(event.clientX - box.left) * this.ratio, (event.clientY - box.top) * this.ratio];
    const words = this.heat ? this.tileAt(at) : this.pointNear(at);
    this.tip.hidden = !words;
    if (!words) return;
    this.tip.textContent = words;
    const left = event.clientX - box.left, room = box.width - this.tip.offsetWidth - 4;
    this.tip.style.translate = `${Math.max(0, left + 16 < room ? left + 16 : left - this.tip.offsetWidth - 12)}px ${Math.max(0, event.clientY - box.top - 30)}px`;
  }

  tileAt([x, y]) {
    const { picture, axes } = this, n = placeAmong(this.columns, axes.xValue(x)), m = placeAmong(this.rows, axes.yValue(y));
    if (n < 0 || m < 0) return "";
    const value = picture.values[m * picture.x.length + n];
    return `${picture.across}  ${readable(picture.x[n])}\n${picture.up}  ${readable(picture.y[m])}\n${picture.title}  ${value === null ? "no value" : readable(value)}`;
  }

  pointNear([x, y]) {
    const { picture, axes } = this;
    let best = null, nearest = (NEAR * this.ratio) ** 2;
    picture.series.forEach((given, i) => given.y.forEach((value, k) => {
      const { x: xs, y: ys } = this.curves[i], middle = picture.kind === "histogram" ? (xs[k] + xs[k + 1]) / 2 : xs[k];
      const away = (axes.x(middle) - x) ** 2 + (picture.kind === "histogram" ? 0 : (axes.y(ys[k]) - y) ** 2);
      if (away < nearest) [best, nearest] = [{ label: given.label, at: given.x[k], to: given.x[k + 1], value }, away];
    }));
    if (!best) return "";
    const across = picture.kind !== "histogram" ? readable(best.at) : picture.counts ? readable((best.at + best.to) / 2) : `${readable(best.at)} to ${readable(best.to)}`;
    return `${picture.across}  ${across}\n${best.label || picture.up}  ${readable(best.value)}`;
  }
}

const scaled = (log) => (v) => (v === null ? NaN : log ? Math.log10(v) : v);

/** The lowest and the highest of some lists; what has no value does not count, and one value alone gets some room. */
function reachOfValues(lists) {
  let low = Infinity, high = -Infinity;
  for (const values of lists) for (const v of values) if (v !== null && Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  if (low > high) return [0, 1];
  const room = low === high ? Math.abs(low) * 1e-3 || 1 : 0;
  return [low - room, high + room];
}

/** Between neighbours, and as far beyond the first and the last. */
function edgesOf(values) {
  if (values.length === 1) return [values[0] - 0.5, values[0] + 0.5];
  const between = values.slice(1).map((v, k) => (v + values[k]) / 2);
  return [2 * values[0] - between[0], ...between, 2 * values.at(-1) - between.at(-1)];
}

const placeAmong = (edges, v) => edges.findIndex((edge, k) => v >= edge && v < edges[k + 1]);

/** The colours of viridis, straight between ten of them. */
function heatColour(part) {
  const at = Math.max(0, Math.min(1, part)) * (VIRIDIS.length - 1), k = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const of = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)), a = of(VIRIDIS[k]), b = of(VIRIDIS[k + 1]);
  return `rgb(${a.map((v, i) => Math.round(v + (at - k) * (b[i] - v))).join()})`;
}
