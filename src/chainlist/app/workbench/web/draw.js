// Drawing: a palette beside the picture. Every action is one edit of the text, which is the truth; the picture of the
// start follows it. Mouse and finger press, drag and release; the keyboard moves a cross and presses Enter.
import { tell } from "/bench/bench.js";
import { Hits } from "/bench/draw_hits.js";
import { Menu, Properties } from "/bench/draw_menu.js";
import { Overlay } from "/bench/draw_overlay.js";
import { adding, bare, cardOf, copying, deleting, freshName, plotting, rewriting } from "/bench/draw_text.js";
import { TOOLS, word } from "/bench/draw_tools.js";
import { Palette } from "/bench/palette.js";

const CLICK = 6; // CSS pixels that a click may move

export class Draw {
  /** `bench` shows the start, and has the text as `freshness.text`. */
  constructor(player, stage, bench) {
    Object.assign(this, { player, bench, on: false, tool: TOOLS[0], selected: null, trail: [], from: null, to: null, cross: null });
    this.hits = new Hits(player);
    this.overlay = new Overlay(player);
    this.properties = new Properties(stage);
    this.menu = new Menu(stage);
    this.palette = new Palette(stage, TOOLS, { choose: (tool) => this.choose(tool), toggle: () => this.toggle() });
    const before = player.onGrab, { canvas } = player;
    player.onGrab = (event) => (this.on && this.press(event)) || before(event);
    canvas.addEventListener("pointermove", (event) => this.on && this.move(event));
    canvas.addEventListener("pointerup", (event) => this.on && this.release(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("dblclick", (event) => this.on && this.doubleClick(event), true);
    canvas.addEventListener("contextmenu", (event) => this.openMenu(event));
    canvas.addEventListener("keydown", (event) => this.on && this.key(event));
  }

  get text() { return this.bench.freshness.text ?? ""; }

  toggle(on = !this.on) {
    this.on = on;
    this.begun = on ? this.text : null; // with this text
    this.opened = performance.now();
    this.cancel();
    this.selected = null;
    this.palette.show(on, this.tool);
    this.player.canvas.classList.toggle("bench-drawing", on);
    this.overlay[on ? "show" : "hide"]();
    this.bench.drawingChanged(on);
    this.paint();
  }

  choose(tool) {
    this.cancel();
    this.tool = tool;
    if (!this.on) this.toggle(true);
    this.palette.show(true, tool);
    this.bench.say(tool.tip);
  }

  cancel() {
    this.from = this.to = this.pressed = null;
    this.trail = [];
  }

  paint() {
    if (!this.on) return;
    requestAnimationFrame(() => this.paint());
    const { from, to, trail, cross } = this;
    if (this.player.view.width) this.overlay.paint({ from, to, trail, cross, selected: this.selectedPixels() });
  }

  selectedPixels() {
    const { scene, drawing, view, position } = this.player, name = this.selected?.toLowerCase();
    if (!name || !scene?.motion.count) return [];
    const same = (other) => other.toLowerCase() === name, i = scene.bodies.findIndex((body) => same(body.name));
    if (i >= 0) return [[view.px(position, 2 * i), view.py(position, 2 * i)]];
    const k = scene.links.findIndex((link) => same(link.name));
    const joints = k >= 0 ? [scene.joints[2 * k], scene.joints[2 * k + 1]] : scene.others.find((part) => same(part.name))?.at ?? [];
    return joints.map((joint) => drawing.pixel(joint));
  }

  /** The point that a place of the window means: a body or anchor within reach, else the ground, on the grid. */
  point(clientX, clientY) {
    const free = { body: "", at: this.overlay.snap(this.hits.world(clientX, clientY)) };
    return this.hits.pointAt(this.hits.pixel(clientX, clientY)) ?? free;
  }

  snap(at) { return this.on ? this.overlay.snap(at) : at; }

  // Mouse and finger

  press(event) {
    const pixel = this.hits.pixel(event.clientX, event.clientY), point = this.hits.pointAt(pixel), { use } = this.tool;
    this.cross = null;
    this.player.canvas.focus({ preventScroll: true });
    if (use === "select" || (use === "place" && point)) {
      this.selected = point?.body || this.hits.elementAt(pixel);
      return false; // a body that can be moved is moved, an empty place moves the picture
    }
    this.player.canvas.setPointerCapture(event.pointerId);
    this.pressed = { x: event.clientX, y: event.clientY, first: !this.from };
    if (use === "join" && !this.from) this.from = this.point(event.clientX, event.clientY);
    return true;
  }

  move(event) {
    if (event.pointerType === "touch" && !this.pressed) return;
    if (this.tool.use !== "select") this.to = this.point(event.clientX, event.clientY);
  }

  release(event) {
    if (!this.pressed) return;
    const { x, y, first } = this.pressed, still = Math.hypot(event.clientX - x, event.clientY - y) < CLICK;
    this.pressed = null;
    if (this.tool.use === "join" && still && first) return; // the second end comes with the next click
    this.act(this.point(event.clientX, event.clientY), this.hits.pixel(event.clientX, event.clientY));
  }

  /** Use the tool at a point. */
  act(point, pixel) {
    const { tool } = this, { use } = tool;
    if (use === "place") this.add(tool.card(freshName(this.text, tool.letter), point));
    else if (use === "link") {
      const link = this.hits.elementAt(pixel, true);
      this.add(link && tool.card(freshName(this.text, tool.letter), link), "click a link");
    } else if (use === "string") this.extend(point);
    else if (use === "join") {
      const from = this.from;
      this.cancel();
      if (from && word(from) !== word(point)) this.add(tool.card(freshName(this.text, tool.letter), from, point, this.hits.bodies()), "one end must be a body: place one first");
    }
  }

  extend(point) {
    const { tool, trail } = this;
    if (trail.length < tool.fewest || word(trail.at(-1)) !== word(point)) return void trail.push(point);
    this.cancel();
    this.add(tool.card(freshName(this.text, tool.letter), trail));
  }

  // Edits of the text

  add(card, refusal = "") {
    if (!card) return this.bench.say(refusal);
    this.write(adding(this.text, card));
    this.selected = card.split(" ", 1)[0];
    this.bench.say(card);
  }

  write(changes) { tell("write", { changes }); }

  remove(name = this.selected) {
    const changes = name && deleting(this.text, name);
    if (name && !changes) return this.bench.say(`${name} is part of a list with \u2026: edit the text`);
    if (changes) this.write(changes);
    this.selected = null;
  }

  copy(name = this.selected) {
    const card = name && cardOf(this.text, name), fresh = card && freshName(this.text, card.letter), { step } = this.overlay;
    const change = card && copying(this.text, card, fresh, step, -step);
    if (!change) return this.bench.say("a body whose place is written in numbers can be copied");
    this.write(change);
    this.selected = fresh;
  }

  edit(name, x, y) {
    const card = name && cardOf(this.text, name);
    if (!card) return;
    this.selected = name;
    const write = (written) => this.write(rewriting(cardOf(this.text, name), written));
    this.properties.show(x, y, bare(card), write, [["Copy", () => this.copy(name)], ["Delete", () => this.remove(name)]]);
  }

  under(event) {
    const pixel = this.hits.pixel(event.clientX, event.clientY);
    return this.hits.pointAt(pixel)?.body || this.hits.elementAt(pixel);
  }

  doubleClick(event) {
    const name = this.under(event);
    if (!name) return;
    event.stopImmediatePropagation(); // it would show everything
    this.edit(name, event.clientX, event.clientY);
  }

  openMenu(event) {
    event.preventDefault();
    const name = this.under(event), { clientX: x, clientY: y } = event, at = this.point(x, y);
    this.selected = name;
    const body = TOOLS.find((tool) => tool.id === "body");
    const ground = this.on ? [["Place a body here", () => this.add(body.card(freshName(this.text, "B"), at))]] : [];
    this.menu.show(x, y, name ? this.actionsOf(name, x, y) : [...ground, ["Show everything", () => this.player.fit()]]);
  }

  actionsOf(name, x, y) {
    const { followed } = this.player, follows = followed === name ? ["Follow no longer", () => this.player.follow("")] : [`Follow ${name}`, () => this.player.follow(name)];
    const letter = name[0].toUpperCase(), items = { B: ["PATH", "X", "Y", "SPEED"], C: ["TENSION"], K: ["FORCE"], D: ["FORCE"], F: ["FORCE"], M: ["TORQUE"] }[letter] ?? [];
    const plots = items.map((item) => [`Plot ${item}(${name})`, () => this.write(plotting(this.text, `${item}(${name})`))]);
    if (!this.on) return [...plots, ...(letter === "B" ? [follows] : [])];
    return [[`Properties of ${name}`, () => this.edit(name, x, y)], ["Copy", () => this.copy(name)], ["Delete", () => this.remove(name)], ...plots];
  }

  // Keyboard: the arrows move a cross by the grid, Enter is a click

  key(event) {
    const { step } = this.overlay, { key } = event, ctrl = event.ctrlKey || event.metaKey;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    const tool = !ctrl && !event.altKey && TOOLS.find((one) => one.key === key);
    let taken = true;
    if (ctrl && /^[zy]$/i.test(key)) tell(/y/i.test(key) || event.shiftKey ? "redo" : "undo", null);
    else if (ctrl || event.altKey) taken = false;
    else if (by) this.moveCross(by.map((part) => part * step * (event.shiftKey ? 5 : 1)));
    else if (key === "Enter") this.pressKey();
    else if (key === "Escape") this.cancel();
    else if (key === "Delete" || key === "Backspace") this.remove();
    else if (key === "c") this.copy();
    else if (tool) this.choose(tool);
    else taken = false;
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCross(by) {
    const { view } = this.player, middle = view.world(view.width / 2, view.height / 2);
    const at = this.cross ?? this.overlay.snap(middle);
    this.cross = this.cross ? this.overlay.snap(at.map((value, c) => value + by[c])) : at;
    this.to = this.from || this.trail.length ? this.crossPoint() : null;
    this.bench.say(`(${this.cross.join(", ")})${this.crossPoint().body ? ` ${this.crossPoint().body}` : ""}`);
  }

  crossPixel() { return [this.player.view.x(this.cross[0]), this.player.view.y(this.cross[1])]; }

  crossPoint() { return this.hits.pointAt(this.crossPixel()) ?? { body: "", at: this.cross }; }

  pressKey() {
    if (!this.cross) return this.moveCross([0, 0]);
    const point = this.crossPoint(), { use } = this.tool;
    if (use === "select") {
      const name = point.body || this.hits.elementAt(this.crossPixel()), box = this.player.canvas.getBoundingClientRect();
      const [x, y] = this.crossPixel().map((value) => value / this.player.view.ratio);
      this.edit(name, box.left + x, box.top + y);
    } else if (use === "join" && !this.from) this.from = this.to = point;
    else this.act(point, this.crossPixel());
  }
}
