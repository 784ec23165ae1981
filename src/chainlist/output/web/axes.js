// The axes of a plot: from values to pixels, ticks, grid and labels.
import { niceTicks, readable, tickFormat } from "./ticks.js";

const COUNTED = "EVENTS"; // a number of things: ticks are whole
const PLAIN = { exponent: 0, offset: "", text: (v) => readable(v, 4) };
const SIZE = 11.5; // of the text, CSS pixels

export class Axes {
  /** equal: both axes have one scale. atX and atY: ticks there, and nowhere else. */
  constructor({ xLabel, yLabel, xUnit, yUnit, equal = false, atX = null, atY = null }) {
    Object.assign(this, { equal, atX, atY });
    this.xText = withUnit(xLabel, xUnit);
    this.yText = withUnit(yLabel, yUnit);
    this.yLeast = yLabel === COUNTED ? 1 : 0;
  }

  /** Lay the axes out on a canvas of width × height device pixels for limits [left, right, bottom, top]. */
  layout(g, width, height, ratio, limits) {
    this.ratio = ratio;
    this.font = `${SIZE * ratio}px system-ui, sans-serif`;
    g.font = this.font;
    this.top = 26 * ratio;
    this.bottom = height - 36 * ratio;
    this.right = width - 12 * ratio;
    this.left = 44 * ratio;
    for (let pass = 0; pass < 2; pass++) {
      this.limits = this.equal ? equalScales(limits, this.right - this.left, this.bottom - this.top) : limits;
      const [a, b, c, d] = this.limits;
      this.xTicks = this.atX ?? niceTicks(a, b, (this.right - this.left) / (74 * ratio));
      this.yTicks = this.atY ?? niceTicks(c, d, (this.bottom - this.top) / (34 * ratio), this.yLeast);
      this.xFormat = this.atX ? PLAIN : tickFormat(a, b, this.xTicks);
      this.yFormat = this.atY ? PLAIN : tickFormat(c, d, this.yTicks);
      const widest = Math.max(0, ...this.yTicks.map((v) => g.measureText(this.yFormat.text(v)).width));
      this.left = Math.max(30 * ratio, widest + 12 * ratio);
    }
  }

  x(value) { return this.left + ((value - this.limits[0]) / (this.limits[1] - this.limits[0])) * (this.right - this.left); }
  y(value) { return this.bottom - ((value - this.limits[2]) / (this.limits[3] - this.limits[2])) * (this.bottom - this.top); }
  yValue(pixel) { return this.limits[2] + ((this.bottom - pixel) / (this.bottom - this.top)) * (this.limits[3] - this.limits[2]); }
  xValue(pixel) { return this.limits[0] + ((pixel - this.left) / (this.right - this.left)) * (this.limits[1] - this.limits[0]); }

  draw(g, theme) {
    const r = this.ratio;
    g.font = this.font;
    g.lineWidth = Math.max(1, Math.round(0.75 * r));
    g.strokeStyle = theme.faint;
    g.beginPath();
    for (const v of this.xTicks) line(g, crisp(this.x(v)), this.top, crisp(this.x(v)), this.bottom);
    for (const v of this.yTicks) line(g, this.left, crisp(this.y(v)), this.right, crisp(this.y(v)));
    g.stroke();
    g.strokeStyle = theme.ghost;
    g.beginPath();
    line(g, crisp(this.left), this.top, crisp(this.left), this.bottom);
    line(g, this.left, crisp(this.bottom), this.right, crisp(this.bottom));
    g.stroke();
    g.fillStyle = theme.muted;
    g.textBaseline = "top";
    g.textAlign = "center";
    for (const v of this.xTicks) g.fillText(this.xFormat.text(v), this.x(v), this.bottom + 5 * r);
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (const v of this.yTicks) g.fillText(this.yFormat.text(v), this.left - 6 * r, this.y(v));
    g.textBaseline = "alphabetic";
    const up = caption(g, this.yText, this.yFormat, 2 * r, 13 * r, r, false);
    const across = caption(g, this.xText, this.xFormat, this.right, this.bottom + 31 * r, r, true);
    this.captions = { up, across }; // how wide they are
  }
}

/** A label, and what was taken out of its ticks: "E [J]   ×10⁻⁹ − 9.81"; the exponent is raised by hand. */
function caption(g, text, format, x, y, ratio, rightAligned) {
  const parts = [[text, false]];
  if (format.exponent) parts.push(["   ×10", false], [String(format.exponent).replace("-", "\u2212"), true]);
  if (format.offset) parts.push([format.offset.startsWith("\u2212") ? `   \u2212 ${format.offset.slice(1)}` : `   + ${format.offset}`, false]);
  const large = g.font, small = `${0.78 * SIZE * ratio}px system-ui, sans-serif`;
  const width = ([part, raised]) => {
    g.font = raised ? small : large;
    return g.measureText(part).width;
  };
  g.textAlign = "left";
  const whole = parts.reduce((sum, part) => sum + width(part), 0);
  let at = rightAligned ? x - whole : x;
  for (const part of parts) {
    const wide = width(part);
    g.fillText(part[0], at, y - (part[1] ? 4 * ratio : 0));
    at += wide;
  }
  g.font = large;
  return whole;
}

function withUnit(label, unit) {
  return unit ? `${label} [${unit}]`.trim() : label;
}

function line(g, x1, y1, x2, y2) {
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
}

function crisp(pixel) {
  return Math.round(pixel) + 0.5;
}

function equalScales([a, b, c, d], width, height) {
  const scale = Math.max((b - a) / width, (d - c) / height);
  const spareX = (scale * width - (b - a)) / 2, spareY = (scale * height - (d - c)) / 2;
  return [a - spareX, b + spareX, c - spareY, d + spareY];
}
