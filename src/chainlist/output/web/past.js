// What remains visible of the past: exposures of the strobe, and trails.
// Both are painted once on canvases of their own. What is new since the last frame is added; only a jump back in
// time, or another view, begins again, and then a few milliseconds of each frame go into catching up.

const FADE = 0.2; // an exposure loses this part of its light whenever the next one is taken
const FRESH = 0.8; // of a new exposure
const REST = 0.13; // what remains in the end
const MOST_EXPOSURES = 600; // older ones are left out when painting begins again
const GLOWING = 24; // exposures that are brighter than the rest

export class Past {
  constructor(drawing) {
    this.drawing = drawing;
    this.still = document.createElement("canvas"); // trails, and the faint rest of all exposures
    this.glow = document.createElement("canvas"); // the latest exposures, fading
    this.scratch = new Float64Array(drawing.dim * drawing.count);
    this.key = "";
  }

  /** Begin again at the next painting. */
  forget() { this.key = ""; }

  /**
   * Bring the canvases up to `time`, spending at most `budget` milliseconds.
   * Returns true when nothing is left to be done.
   */
  paint(view, time, { strobe, trails, interval }, budget) {
    const key = [view.width, view.height, view.scale, view.left, view.top, view.camera.key, strobe, trails, interval].join();
    if (key !== this.key || time < this.reached) this.begin(view, time, key, interval);
    const deadline = performance.now() + budget;
    const done = (!trails || this.paintTrails(view, time, deadline)) && (!strobe || this.paintExposures(view, time, interval, deadline));
    if (done) this.reached = time;
    return done;
  }

  begin(view, time, key, interval) {
    this.key = key;
    for (const canvas of [this.still, this.glow]) {
      if (canvas.width !== view.width) canvas.width = view.width;
      if (canvas.height !== view.height) canvas.height = view.height;
      canvas.getContext("2d").clearRect(0, 0, view.width, view.height);
    }
    const start = this.drawing.scene.motion.start;
    this.reached = start;
    this.frame = 0; // trails are painted up to this frame
    this.exposure = Math.max(0, Math.floor((time - start) / interval) - MOST_EXPOSURES);
  }

  paintTrails(view, time, deadline) {
    const { motion } = this.drawing.scene, until = motion.frameAt(time);
    const batch = Math.max(1, Math.floor(3000 / Math.max(1, this.drawing.count)));
    while (this.frame < until) {
      const next = Math.min(until, this.frame + batch);
      traceTrails(this.still.getContext("2d"), view, this.drawing, this.frame, next);
      this.frame = next;
      if (performance.now() > deadline) return this.frame >= until;
    }
    return true;
  }

  paintExposures(view, time, interval, deadline) {
    const { scene } = this.drawing, { motion } = scene;
    const latest = Math.floor((time - motion.start) / interval + 1e-9);
    const still = this.still.getContext("2d"), glow = this.glow.getContext("2d");
    for (; this.exposure <= latest; this.exposure++) {
      if (performance.now() > deadline) return false;
      const at = motion.start + this.exposure * interval;
      this.drawing.place(view, motion.sample(at, this.scratch), at);
      this.drawing.drawExposure(still, REST);
      if (this.exposure <= latest - GLOWING) continue;
      glow.globalCompositeOperation = "destination-out";
      glow.globalAlpha = FADE;
      glow.fillRect(0, 0, view.width, view.height);
      glow.globalCompositeOperation = "source-over";
      this.drawing.drawExposure(glow, FRESH);
    }
    return true;
  }

  /** The last bit of each trail, from the frame before to where the body is now. */
  joinTrails(g, view, here) {
    const { positions: q, width: n, dim } = this.drawing.scene.motion;
    trailStyle(g, view, this.drawing);
    for (const body of this.drawing.scene.dots) {
      const i = dim * body;
      g.strokeStyle = this.drawing.colors[body];
      g.beginPath();
      g.moveTo(view.px(q, this.frame * n + i), view.py(q, this.frame * n + i));
      g.lineTo(view.px(here, i), view.py(here, i));
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  show(g, strobe) {
    g.drawImage(this.still, 0, 0);
    if (strobe) g.drawImage(this.glow, 0, 0);
  }
}

/** The paths of all bodies from one frame to another: a Hermite cubic is a Bézier curve. */
function traceTrails(g, view, drawing, from, to) {
  const { times, positions: q, velocities: v, width: n, dim } = drawing.scene.motion, { camera, scale } = view;
  trailStyle(g, view, drawing);
  for (const body of drawing.scene.dots) {
    const i = dim * body;
    g.strokeStyle = drawing.colors[body];
    g.beginPath();
    g.moveTo(view.px(q, from * n + i), view.py(q, from * n + i));
    for (let k = from; k < to; k++) {
      const a = k * n + i, b = a + n, third = (scale * (times[k + 1] - times[k])) / 3, x = view.px(q, b), y = view.py(q, b);
      if (v)
        g.bezierCurveTo(
          view.px(q, a) + third * camera.dx(v, a), view.py(q, a) - third * camera.dy(v, a),
          x - third * camera.dx(v, b), y + third * camera.dy(v, b), x, y,
        );
      else g.lineTo(x, y);
    }
    g.stroke();
  }
  g.globalAlpha = 1;
}

function trailStyle(g, view, drawing) {
  g.lineWidth = 1.25 * view.ratio;
  g.lineCap = "butt";
  g.lineJoin = "round";
  g.globalAlpha = drawing.scene.dots.length > 8 ? 0.28 : 0.5;
}
