// Pulling: while the motion plays, a body is taken hold of and pulled with a spring to the pointer. The server lets the
// motion go on from the state that is shown, and sends it frame by frame; what was pulled can be kept as a force.
import { followStream, tell } from "/bench/bench.js";
import { adding, freshName } from "/bench/draw_text.js";
import { PullKeys } from "/bench/pull_keys.js";
import { forceCards } from "/bench/pull_text.js";
import { emptyScene } from "/player/scene.js";
import { themeOf } from "/player/theme.js";

const THRESHOLD = 4; // CSS pixels before a press is a pull
const EVERY = 16; // ms between two words about the pointer

export class Pull {
  /** `bench` knows the run, its text and what is shown; it sends what is emitted. */
  constructor(player, chips, bench) {
    Object.assign(this, { player, bench, held: null, live: null, scene: null, pulls: [], frames: 0 });
    this.keepButton = button("Keep as a force", "Write the pulls into the text as a force", () => this.keep());
    this.backButton = button("Back to the run", "The motion without the pulls", () => this.back());
    this.bar = document.createElement("span");
    this.bar.className = "bench-pulled";
    this.bar.hidden = true;
    this.bar.append(this.keepButton, this.backButton);
    chips.append(this.bar);
    const before = player.onGrab, { canvas } = player;
    player.onGrab = (event) => before(event) || this.press(event);
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.release(event));
    // A finger that begins on a body pulls or moves it; the page must not scroll meanwhile.
    const taken = (touch) => !bench.draw.on && (this.bodyUnder(touch) >= 0 || bench.dragging.under(touch.clientX, touch.clientY));
    canvas.addEventListener("touchstart", (event) => taken(event.touches[0]) && event.preventDefault(), { passive: false });
    this.keys = new PullKeys(this);
    const draw = player.draw.bind(player);
    player.draw = () => {
      draw();
      if (player.scene) this.keys.draw();
      if (this.held?.at && this.live) this.drawSpring();
    };
  }

  get shows() { return this.scene !== null && this.player.scene === this.scene; }

  /** The body that could be pulled there; -1 for none. */
  bodyUnder({ clientX, clientY }) {
    return this.bench.draw.on || this.bench.atStart() || this.bench.mode !== "run" ? -1 : this.player.bodyAt(clientX, clientY);
  }

  press(event) {
    const i = this.bodyUnder(event), { bench, player } = this;
    if (i < 0) return false;
    const { name } = player.scene.bodies[i], why = this.refusal();
    if (why) {
      bench.say(`${name} cannot be pulled: ${why}`);
      return false;
    }
    player.canvas.setPointerCapture(event.pointerId);
    this.hold({ name, i, pointer: event.pointerId, x: event.clientX, y: event.clientY, at: null, said: 0 });
    return true;
  }

  /** A body is in somebody's hand. */
  hold(held) {
    if (this.live && !this.live.stop) this.live = null; // nobody has answered the last time
    this.held = held;
  }

  /** The spring leads there. */
  aim(at) {
    this.held.at = at;
    if (this.live) this.steer();
    else this.begin();
  }

  /** Why nothing can be pulled now; empty where it can. */
  refusal() {
    const { bench } = this;
    if (bench.freshness.differs) return "this motion is of an earlier text, run the text first";
    return bench.growing && bench.growing !== this.live?.head && !this.shows ? "its motion is still computed" : "";
  }

  move(event) {
    const { held } = this;
    if (!held || held.pointer === "keys") return;
    if (!held.at && Math.hypot(event.clientX - held.x, event.clientY - held.y) < THRESHOLD) return;
    this.player.tip.hidden = true;
    this.aim(this.target(event));
  }

  /** Where the pointer is in metres: in the plane of the picture, in space as deep as the body is. */
  target({ clientX, clientY }) {
    const { view, canvas, position, scene } = this.player, box = canvas.getBoundingClientRect(), { dim } = scene, i = dim * this.held.i;
    const x = (clientX - box.left) * view.ratio, y = (clientY - box.top) * view.ratio;
    if (dim === 2) return view.world(x, y);
    const dx = (x - view.px(position, i)) / view.scale, dy = -(y - view.py(position, i)) / view.scale;
    return [0, 1, 2].map((c) => position[i + c] + dx * view.camera.right[c] + dy * view.camera.up[c]);
  }

  begin() {
    const { player, bench, held } = this, { time, speed } = player;
    if (!this.shows) this.pulls = [];
    this.pulls = this.pulls.filter(([when]) => when < time);
    bench.say(`taking hold of ${held.name}`);
    player.pause();
    this.live = { head: null };
    bench.$emit("pull", { body: held.name, at: held.at, time, speed, pulls: this.pulls });
  }

  steer() {
    const { held } = this, now = performance.now();
    if (!held?.at || now - held.said < EVERY) return;
    held.said = now;
    this.bench.$emit("steer", { body: held.name, at: held.at });
  }

  release(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    if (this.held.at) this.bench.$emit("steer", { body: this.held.name, at: null });
    this.held = null;
  }

  /** Python has begun: watch. */
  async follow(url) {
    const own = (this.live = { head: null, stop: new AbortController() });
    let why = "";
    const take = (message, bytes) => {
      if (this.live !== own) return;
      if (message.kind === "begin") this.show(own, message);
      else if (message.kind === "chunk") this.grow(message, bytes);
      else why = message.message;
    };
    try {
      await followStream(url, take, own.stop.signal);
    } catch (error) {
      if (!own.stop.signal.aborted) why = error.message;
    }
    if (this.live === own) this.over(why);
  }

  /** The motion so far, to which frames are added. */
  show(own, head) {
    const { player, bench } = this, { motion, told } = player.scene, { time, speed } = player, count = motion.frameAt(time) + (motion.times[motion.frameAt(time)] < time ? 1 : 0);
    own.head = head;
    const scene = emptyScene({ ...head, told: told ?? head.told, events: player.scene.events.filter((event) => event.t < time) });
    scene.motion.append(motion.times.subarray(0, count), motion.positions.subarray(0, count * motion.width), motion.velocities?.subarray(0, count * motion.width) ?? null);
    this.scene = scene;
    bench.growing = head;
    player.load(scene, { keepView: true, keepShows: true });
    player.live = true;
    player.setSpeed(speed);
    player.seek(player.stop);
    player.play();
    this.shownAt = player.time;
    bench.shownAnew();
  }

  grow(message, bytes) {
    const { player, bench } = this;
    if (!this.shows) return this.end();
    if (!player.playing || player.time < this.shownAt) return this.end(); // somebody has stopped it, or looks at what was before
    this.pulls.push(...message.pulls);
    bench.grow(bytes, bench.growing);
    player.seek(player.stop);
    this.shownAt = player.time;
    this.frames += 1;
    this.steer();
    bench.say(this.held?.at ? `pulling ${this.held.name}` : "goes on; pull again, or pause");
  }

  /** No more frames: what was pulled stays there, to be looked at or kept. */
  over(why) {
    this.live = this.held = null;
    const { player, bench } = this;
    if (this.shows) {
      player.finish();
      bench.say(why || "pulled", Boolean(why));
      this.bar.hidden = !this.pulls.some(([, body]) => body);
    } else if (why) bench.say(why, true);
  }

  /** The user looks at something else, or has enough. */
  end() {
    if (!this.live) return;
    this.bench.$emit("letGoOfPull");
    this.live.stop?.abort();
    this.over("");
  }

  /** Something is shown; when it is not the pulled motion, that is over. */
  shown() {
    if (this.shows) return;
    this.bar.hidden = true;
    if (this.live?.head) this.end();
  }

  keep() {
    const text = this.bench.freshness.text ?? "", first = Number(freshName(text, "F").slice(1));
    const cards = forceCards(this.pulls, first);
    tell("write", { changes: adding(text, cards.join("\n")) });
    this.bar.hidden = true;
  }

  back() {
    this.bench.finished(this.bench.run, "live");
  }

  drawSpring() {
    const { player, held } = this, { graphics: g, view, position, scene } = player, i = scene.dim * held.i, r = view.ratio;
    const a = [view.px(position, i), view.py(position, i)], b = [view.px(held.at, 0), view.py(held.at, 0)];
    g.save();
    g.strokeStyle = themeOf(player.root).accent;
    g.lineWidth = 2 * r;
    g.setLineDash([6 * r, 4 * r]);
    g.beginPath();
    g.moveTo(...a);
    g.lineTo(...b);
    g.stroke();
    g.beginPath();
    g.setLineDash([]);
    g.arc(...b, 6 * r, 0, 2 * Math.PI);
    g.stroke();
    g.restore();
  }
}

function button(text, title, action) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", textContent: text, title });
  made.addEventListener("click", action);
  return made;
}
