// From metres to pixels and back; zoom, pan and turn, and the gestures that ask for them.
import { Camera } from "./camera.js";

const MARGIN = 44; // CSS pixels around the motion, for pivots and names
const DEGREES_PER_PIXEL = 0.45; // degrees for each CSS pixel

export class View {
  constructor() {
    this.width = this.height = 0; // device pixels
    this.ratio = 1; // device pixels per CSS pixel
    this.scale = 1; // device pixels per metre
    this.left = this.top = 0; // where the origin of the plane is
    this.box = [-1, 1, -1, 1];
    this.fitted = true; // the whole motion is shown, and stays so when the canvas or the motion grows
    this.camera = new Camera();
  }

  /** Somebody has zoomed, moved or turned it. */
  get changed() { return !this.fitted || this.camera.turned; }

  // A place of the machine, in an array from index i on.
  px(a, i = 0) { return this.left + this.scale * this.camera.x(a, i); }
  py(a, i = 0) { return this.top - this.scale * this.camera.y(a, i); }

  // What the camera sees, in metres to the right and up; in the plane these are x and y.
  x(x) { return this.left + this.scale * x; }
  y(y) { return this.top - this.scale * y; }
  world(px, py) { return [(px - this.left) / this.scale, (this.top - py) / this.scale]; }

  resize(width, height, ratio) {
    const grow = ratio / this.ratio, dx = (width - this.width * grow) / 2, dy = (height - this.height * grow) / 2;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    if (this.fitted) return this.fit();
    this.scale *= grow;
    this.left = this.left * grow + dx;
    this.top = this.top * grow + dy;
  }

  /** Show all of a box [left, right, bottom, top]. */
  fit(box = this.box) {
    this.box = box;
    this.fitted = true;
    const [a, b, c, d] = box, size = Math.max(b - a, d - c) || 1;
    const margin = Math.min(MARGIN * this.ratio, 0.12 * Math.min(this.width, this.height));
    const wide = Math.max(b - a, 0.05 * size), high = Math.max(d - c, 0.05 * size);
    this.scale = Math.max(1e-30, Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high));
    this.left = this.width / 2 - this.scale * (a + b) / 2;
    this.top = this.height / 2 + this.scale * (c + d) / 2;
  }

  /** Magnify by a factor; the point (px, py) stays where it is. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const full = Math.min(this.width, this.height) / (Math.max(this.box[1] - this.box[0], this.box[3] - this.box[2]) || 1);
    const scale = Math.min(1e4 * full, Math.max(0.02 * full, this.scale * factor)), real = scale / this.scale;
    this.scale = scale;
    this.left = px + (this.left - px) * real;
    this.top = py + (this.top - py) * real;
    this.fitted = false;
  }

  /** Go around the machine, as if one took hold of it: by pixels to the right and down. */
  turn(dx, dy) { this.camera.turn((-DEGREES_PER_PIXEL * dx) / this.ratio, (DEGREES_PER_PIXEL * dy) / this.ratio); }

  /** As at first: everything, from where the camera stood. */
  reset() {
    this.camera.home();
    this.fit();
  }

  pan(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.fitted = false;
  }
}

/**
 * Wheel zooms, a drag pans, two fingers do both, a double click fits; in space a drag turns, and with shift it pans.
 * `changed` is called after each. While all is shown as at first one finger may still scroll the page past the canvas (in
 * space: unless it begins sideways); after that it pans or turns.
 * A press that `taken` claims for something else is left alone.
 */
export function addGestures(canvas, view, changed, taken = () => false) {
  const pointers = new Map();
  const place = (e) => {
    const r = canvas.getBoundingClientRect();
    return [(e.clientX - r.left) * view.ratio, (e.clientY - r.top) * view.ratio];
  };
  const done = () => {
    canvas.style.touchAction = view.changed ? "none" : "pan-y";
    changed();
  };
  canvas.style.touchAction = "pan-y";
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 18 : 1;
    view.zoom(Math.exp(-e.deltaY * lines * (e.ctrlKey ? 0.01 : 0.0015)), ...place(e));
    done();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || taken(e)) return;
    pointers.set(e.pointerId, place(e));
    canvas.setPointerCapture(e.pointerId);
    canvas.focus({ preventScroll: true });
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = pointers.get(e.pointerId);
    if (!before) return;
    const now = place(e);
    const turns = view.camera.dim === 3 && !e.shiftKey;
    if (pointers.size === 1) view[turns ? "turn" : "pan"](now[0] - before[0], now[1] - before[1]);
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== e.pointerId)[1];
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      view.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      if (apart(before) > 0) view.zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    }
    pointers.set(e.pointerId, now);
    done();
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (e) => pointers.delete(e.pointerId));
  canvas.addEventListener("dblclick", () => {
    view.reset();
    done();
  });
}
