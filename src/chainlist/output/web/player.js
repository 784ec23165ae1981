// The player: shows a scene as a moving picture. Framework-free; the standalone page, the workbench and Jupyter use it.
//
//   const player = new Player(host, { onTime: (t) => … });
//   player.load(scene);            // from decodeScene, or emptyScene for a run that is just beginning
//   player.append(t, q, v);        // more frames while a run goes on, then player.finish()
//   player.pin(otherScene);        // another run in grey behind this one; null takes it away
import { arrowScales, drawArrows } from "./arrows.js";
import { Camera } from "./camera.js";
import { Controls, SPEEDS } from "./controls.js";
import { Drawing } from "./drawing.js";
import { reachOf, united } from "./extent.js";
import { floorUnder } from "./floor.js";
import { drawNames } from "./names.js";
import { Past } from "./past.js";
import { drawSliders } from "./rails.js";
import { bodyReadout, linkAt, linkReadout } from "./readout.js";
import { drawAxes, drawScale } from "./scale.js";
import { describe } from "./scene.js";
import { useStyle } from "./style.js";
import { drawFlashes, eventBeside } from "./surroundings.js";
import { themeOf, watchTheme } from "./theme.js";
import { View, addGestures } from "./view.js";

const CATCH_UP = 2.5; // milliseconds of a frame that painting the past may take while the motion plays
const CATCH_UP_AT_REST = 8; // and while it does not: a scrub backwards begins the painting again
const PAUSE_AT_END = 0.6; // seconds that the last state stays before a loop begins again
const REACH = 14; // CSS pixels within which a body is under the pointer

export class Player {
  constructor(host, { onTime = null } = {}) {
    useStyle();
    this.onTime = onTime;
    this.root = document.createElement("div");
    this.root.className = "cl-player";
    this.root.innerHTML = '<div class="cl-stage"><canvas tabindex="0" role="img"></canvas><div class="cl-tip" hidden></div></div>';
    host.replaceChildren(this.root);
    this.canvas = this.root.querySelector("canvas");
    this.tip = this.root.querySelector(".cl-tip");
    this.graphics = this.canvas.getContext("2d");
    this.view = new View();
    this.shows = { strobe: false, trails: false, names: false, forces: false, arrows: false, axes: false, loop: true };
    this.playing = false;
    this.live = false; // frames are still to come
    this.speed = 1;
    this.time = this.rested = 0;
    this.pointer = null; // the last event of a pointer that rests on the picture
    this.scene = this.pinned = null;
    this.controls = new Controls(this.root, this);
    this.onGrab = null; // (event) => whether somebody else takes this drag; the workbench moves bodies with it
    addGestures(this.canvas, this.view, () => this.refresh(), (event) => this.onGrab?.(event));
    this.canvas.addEventListener("pointermove", (e) => this.hover(e));
    this.canvas.addEventListener("pointerleave", () => this.hover(null));
    this.root.addEventListener("keydown", (e) => this.key(e));
    this.unwatch = watchTheme(() => this.retheme());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.canvas);
    this.request = this.before = null; // the frame that was asked for; while it plays, when the last one was
  }

  get start() { return this.scene?.motion.start ?? 0; }
  get stop() { return this.scene?.motion.stop ?? 0; }
  get ghost() { return this.pinned?.dim === this.scene?.dim ? this.pinned : null; } // plane and space have no common picture

  // What is shown

  /** Show a scene. `keepView` leaves zoom and place, `keepShows` speed and toggles as the user has set them. */
  load(scene, { keepView = false, keepShows = false } = {}) {
    this.scene = scene;
    this.drawing = new Drawing(scene);
    this.past = new Past(this.drawing);
    this.position = new Float64Array(scene.motion.width);
    if (keepView && this.view.camera.dim === scene.dim) this.view.camera.from(scene.view);
    else this.view.camera = new Camera(scene.dim, scene.view);
    this.fullTension = strongest(scene.tension);
    this.arrowScale = null;
    this.live = scene.motion.count === 0;
    this.time = scene.motion.start;
    if (!keepShows) {
      Object.assign(this.shows, { strobe: scene.plotmode === "ANIMATEWITHSTROBO", trails: scene.plotmode === "STATIC" });
      this.setSpeed(fittingSpeed(scene.motion.stop - scene.motion.start));
    }
    this.canvas.setAttribute("aria-label", describe(scene));
    this.canvas.style.touchAction = "pan-y";
    this.controls.showKeys(scene.dim);
    this.controls.showToggles(this.shows, Boolean(scene.tension));
    this.retheme();
    this.drawing.learn();
    this.filled = scene.motion.box(0, scene.places);
    if (keepView) this.whole(); else this.fit();
    this.drawing.place(this.view, scene.motion.sample(this.time, this.position), this.time); // before it is painted, for whoever points there
    this.refresh();
  }

  /** More frames: times (n), positions and velocities (n · bodies · 2). */
  append(times, positions, velocities = null) {
    const { motion } = this.scene, waiting = this.time >= motion.stop && motion.count > 0;
    if (!motion.count) this.time = times[0];
    const before = motion.count;
    motion.append(times, positions, velocities);
    this.drawing.learn();
    this.filled = united([this.filled, motion.box(before, this.scene.places)]);
    if (this.view.fitted) this.view.fit(this.wholeBox());
    else this.whole();
    if (waiting && !this.playing) this.time = motion.stop;
    this.refresh();
  }

  /** No more frames will come. */
  finish() { this.live = false; }

  pin(scene) {
    this.pinned = scene && new Drawing(scene);
    if (this.pinned) this.pinnedPosition = new Float64Array(scene.motion.width);
    if (this.scene) this.retheme();
    if (this.scene && this.view.fitted) this.fit();
  }

  /** Keep a body where it is in the picture, by its name; "" lets it go. */
  follow(name) {
    Object.assign(this, { followed: name, followedAt: null });
    this.refresh();
  }

  set(name, on) {
    this.shows[name] = on;
    this.controls.showToggles(this.shows, Boolean(this.scene?.tension));
    this.refresh();
  }

  /** Everything, in space from where the camera stood at first. */
  fit() {
    this.view.camera.home();
    if (this.scene) this.view.fit(this.wholeBox());
    this.refresh();
  }

  // Time

  play() {
    if (!this.live && this.time >= this.stop) this.time = this.start;
    this.playing = true;
    this.refresh();
    this.controls.showPlaying(true);
  }

  pause() {
    this.playing = false;
    this.controls.showPlaying(false);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  seek(time) {
    this.time = Math.min(this.stop, Math.max(this.start, time));
    this.refresh();
  }

  /** Go some frames on or back, and stay there. */
  step(frames) {
    this.pause();
    const { motion } = this.scene, at = motion.frameAt(this.time);
    const between = frames < 0 && motion.times[at] < this.time ? 1 : 0;
    this.seek(motion.times[Math.min(motion.count - 1, Math.max(0, at + frames + between))]);
  }

  /** To the next event, or the one before. */
  stepToEvent(way) {
    this.pause();
    this.seek(eventBeside(this.scene.events, this.time, way)?.t ?? this.time);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.controls.showSpeed(speed);
  }

  /** Keys work while the player has the focus; a page may hand its own here too. Returns whether the key was taken. */
  key(event) {
    if (!this.scene || event.ctrlKey || event.metaKey || (event.altKey && !event.key.startsWith("Arrow"))) return false;
    const on = event.target, pressing = event.key === " " && on instanceof Element && on.closest("button, summary, select");
    if (pressing || (on instanceof HTMLSelectElement && event.key.startsWith("Arrow"))) return false;
    const stride = event.shiftKey ? 10 : 1;
    const flip = (name) => () => this.set(name, !this.shows[name]);
    const go = (dx, dy) => () => this.move(dx, dy, event.shiftKey || event.altKey), inSpace = this.scene.dim === 3;
    const arrows = inSpace || event.altKey
      ? { ArrowLeft: go(-1, 0), ArrowRight: go(1, 0), ArrowUp: go(0, -1), ArrowDown: go(0, 1) }
      : { ArrowLeft: () => this.step(-stride), ArrowRight: () => this.step(stride) };
    const action = {
      ...arrows, " ": () => this.toggle(), ",": () => this.step(-1), ".": () => this.step(1), "<": () => this.step(-10), ">": () => this.step(10),
      Home: () => this.seek(this.start), End: () => { this.pause(); this.seek(this.stop); },
      "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.fit(),
      e: () => this.stepToEvent(1), E: () => this.stepToEvent(-1), "]": () => this.stepToEvent(1), "[": () => this.stepToEvent(-1),
      s: flip("strobe"), t: flip("trails"), n: flip("names"), f: flip("forces"), v: flip("arrows"), x: flip("axes"), l: flip("loop"),
    }[event.key];
    if (!action) return false;
    event.preventDefault();
    event.stopPropagation();
    action();
    return true;
  }

  zoom(factor) { this.view.zoom(factor); this.refresh(); }

  /** By keys: in space turn, or pan, which in the plane is Alt and an arrow; a little to the right and down. */
  move(dx, dy, pan) {
    const step = (pan ? 24 : 12) * this.view.ratio;
    this.view[pan ? "pan" : "turn"](step * dx, step * dy);
    this.refresh();
  }

  // Painting

  /** Paint soon. A picture at rest asks for no frames: they cost power. */
  refresh() { this.stale = true; this.askForFrame(); }
  askForFrame() { this.request ??= requestAnimationFrame((now) => this.tick(now)); }

  tick(now) {
    const passed = Math.min(100, now - (this.before ?? now)) / 1000;
    this.request = this.before = null;
    if (!this.scene || !this.scene.motion.count) return;
    if (this.playing) this.advance(passed);
    this.stale = false;
    this.draw();
    this.controls.showTime(this.time, this.start, this.stop);
    this.controls.showEvents(this.scene.events, this.start, this.stop);
    if (this.pointer) this.hover(this.pointer);
    this.onTime?.(this.time);
    if (this.playing) this.before = now;
    if (this.playing || this.stale) this.askForFrame();
  }

  /** Let time pass: `seconds` on the clock of the viewer. */
  advance(seconds) {
    if (this.time < this.stop) {
      this.time = Math.min(this.stop, this.time + seconds * this.speed);
      this.rested = 0;
    } else if (!this.live) {
      this.rested += seconds;
      if (!this.shows.loop || this.stop === this.start) this.pause();
      else if (this.rested > PAUSE_AT_END) this.time = this.start;
    }
  }

  draw() {
    const { graphics: g, view, drawing, scene, shows } = this;
    g.clearRect(0, 0, view.width, view.height);
    if (!view.width || !view.height) return;
    if (shows.axes && scene.dim === 2) drawAxes(g, this);
    if (this.ghost) this.drawPinned();
    const options = { strobe: shows.strobe, trails: shows.trails, interval: scene.strobe };
    const complete = !(shows.strobe || shows.trails) || this.past.paint(view, this.time, options, this.playing ? CATCH_UP : CATCH_UP_AT_REST);
    if (!complete) this.stale = true;
    const here = scene.motion.sample(this.time, this.position);
    if (this.followed) this.keepInPlace(here);
    drawing.place(view, here, this.time);
    drawing.drawGround(g, view);
    if (shows.strobe || shows.trails) this.past.show(g, shows.strobe);
    if (shows.trails && complete) this.past.joinTrails(g, view, here);
    const forces = shows.forces && Boolean(scene.tension);
    if (scene.dim === 3) return this.drawInSpace(g, forces);
    drawing.drawShapes(g);
    if (forces) drawing.drawTension(g, scene.tension, scene.motion.frameAt(this.time) * scene.links.length, this.fullTension);
    else drawing.drawRods(g);
    drawing.drawOthers(g, 1);
    drawSliders(g, drawing);
    drawing.drawBodies(g, forces);
    drawing.drawPins(g);
    drawing.drawOthers(g, 2);
    this.drawArrows(g);
    drawFlashes(g, view, drawing, this.speed);
    if (shows.names) drawNames(g, drawing);
    drawScale(g, this);
  }

  keepInPlace(here) {
    const { view, scene } = this, i = scene.dim * scene.bodies.findIndex((body) => body.name === this.followed);
    if (i < 0) return;
    const at = [view.px(here, i), view.py(here, i)], kept = (this.followedAt ??= at);
    if (this.playing) view.pan(kept[0] - at[0], kept[1] - at[1]);
    else this.followedAt = at; // whoever moves the picture meanwhile moves the place too
  }

  drawInSpace(g, forces) {
    const { drawing, scene } = this, at = scene.motion.frameAt(this.time) * scene.links.length;
    drawing.drawDepths(g, forces ? { values: scene.tension, at, full: this.fullTension } : null);
    this.drawArrows(g);
    drawFlashes(g, this.view, drawing, this.speed);
    if (this.shows.names) drawNames(g, drawing);
    drawScale(g, this);
  }

  drawArrows(g) {
    if (!this.shows.arrows || !this.scene.motion.velocities) return;
    if (!this.arrowScale || this.live) this.arrowScale = arrowScales(this.scene, this.view.ratio);
    drawArrows(g, this);
  }

  drawPinned() {
    const { pinned, view } = this;
    pinned.learn();
    pinned.place(view, pinned.scene.motion.sample(this.time, this.pinnedPosition), this.time);
    pinned.drawExposure(this.graphics, 0.8, this.theme.ghost);
  }

  /** The colour of a body by its name, as plots of it have it too; null for what has none of its own. */
  colourOf(name) {
    const i = this.scene?.bodies.findIndex((body) => body.name.toLowerCase() === name) ?? -1;
    return i >= 0 && this.drawing.theme && this.scene.bodies[i].role !== "held" ? this.drawing.colors[i] : null;
  }

  /** The body under a point of the window, -1 if there is none. */
  bodyAt(clientX, clientY) {
    if (!this.drawing?.theme || !this.scene.motion.count) return -1;
    const box = this.canvas.getBoundingClientRect(), r = this.view.ratio, x = (clientX - box.left) * r, y = (clientY - box.top) * r;
    let best = -1, nearest = REACH * r;
    const { places, dim } = this.scene;
    for (const i of places) {
      const away = Math.hypot(this.view.px(this.position, dim * i) - x, this.view.py(this.position, dim * i) - y);
      if (away < nearest) [best, nearest] = [i, away];
    }
    return best;
  }

  hover(event) {
    this.pointer = event;
    const words = !event || event.buttons || !this.drawing?.theme ? "" : this.readoutAt(event);
    this.tip.hidden = !words;
    if (!words) return;
    const box = this.canvas.getBoundingClientRect();
    this.tip.textContent = words;
    const beside = (at, size, room) => (at + 14 + size <= room - 4 ? at + 14 : Math.max(4, at - size - 14));
    const left = beside(event.clientX - box.left, this.tip.offsetWidth, box.width), top = beside(event.clientY - box.top, this.tip.offsetHeight, box.height);
    this.tip.style.translate = `${left}px ${top}px`;
  }

  /** What is measured at the body or link under a pointer; "" where there is none. */
  readoutAt(event) {
    const { scene, drawing, view, time, position } = this, i = this.bodyAt(event.clientX, event.clientY);
    if (i >= 0) return bodyReadout(scene, i, time, position);
    if (!scene.motion.count) return "";
    const box = this.canvas.getBoundingClientRect(), r = view.ratio;
    const k = linkAt(scene, drawing, (event.clientX - box.left) * r, (event.clientY - box.top) * r, r);
    return k < 0 ? "" : linkReadout(scene, k, time, [0, 1].map((end) => drawing.metres(scene.joints[2 * k + end], position)));
  }

  /** The box around everything; in space the ground is below it. */
  whole() {
    const { fixed, bodies, seen, dim } = this.scene, boxes = [this.filled, this.ghost?.scene.motion.box(0, this.ghost.scene.places)];
    for (let i = 0; i < fixed.length; i += dim)
      if (seen.has(bodies.length + i / dim)) boxes.push([...fixed.subarray(i, i + dim)].flatMap((x) => [x, x]));
    const whole = united([...boxes, ...this.drawing.boxes(united(boxes))]) ?? Array.from({ length: 2 * dim }, (_, side) => (side % 2 ? 1 : -1));
    if (dim === 3) this.drawing.floor = floorUnder(whole);
    return whole;
  }

  /** The box of the picture that holds everything, or what WINDOW asks for; in space the camera turns about its middle. */
  wholeBox() {
    const whole = this.whole();
    return this.scene.dim === 2 ? this.scene.window ?? whole : this.view.camera.surround(reachOf(this.scene, whole, this.scene.view[1]), this.drawing.floor);
  }

  retheme() {
    if (!this.scene) return;
    this.theme = themeOf(this.root);
    this.drawing.setTheme(this.theme);
    this.pinned?.setTheme(this.theme);
    this.past.forget();
    this.refresh();
  }

  resize() {
    const ratio = Math.min(3, devicePixelRatio || 1);
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (width === this.canvas.width && height === this.canvas.height && ratio === this.view.ratio) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.view.resize(width, height, ratio);
    this.refresh();
  }

  destroy() {
    cancelAnimationFrame(this.request);
    this.observer.disconnect();
    this.unwatch();
    this.root.remove();
  }
}

/** The tension that gets the full colour: nearly the largest of the run, so that one spike does not pale the rest. */
function strongest(tension) {
  if (!tension) return 1;
  const sizes = tension.map(Math.abs).filter(Number.isFinite).sort();
  return sizes[Math.min(sizes.length - 1, Math.floor(0.98 * sizes.length))] || 1;
}

/** Real time, unless a run is over before one has seen it. */
function fittingSpeed(duration) {
  if (!(duration > 0) || duration >= 1.5) return 1;
  return SPEEDS.filter((speed) => duration / speed >= 3).pop() ?? SPEEDS[0];
}
