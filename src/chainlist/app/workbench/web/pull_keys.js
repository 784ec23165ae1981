// Pulling by keyboard: P takes a body, Tab another one, arrows pull, Enter lets go, Escape leaves.
import { themeOf } from "/player/theme.js";

const STEP = 24; // CSS pixels by which an arrow moves the end of the spring; with Shift five times as far
const PULL = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class PullKeys {
  constructor(pull) {
    Object.assign(this, { pull, player: pull.player, bench: pull.bench, name: null });
  }

  /** The body that was taken, as its number; -1 where there is none, or another machine is shown. */
  get body() { return this.player.scene?.places.find((i) => this.player.scene.bodies[i].name === this.name) ?? -1; }

  /** Whether a key was meant for this. */
  take(event) {
    const { canvas } = this.player, by = PULL[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || this.bench.draw.on || event.target.matches?.("input, select")) return false;
    if (event.key.toLowerCase() === "p") this.choose(event.shiftKey ? -1 : 1);
    else if (this.body < 0 || event.target !== canvas) return false;
    else if (event.key === "Tab") this.choose(event.shiftKey ? -1 : 1);
    else if (by) this.move(by.map((part) => part * STEP * (event.shiftKey ? 5 : 1)));
    else if (event.key === "Enter") this.letGo();
    else if (event.key === "Escape") this.leave();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  choose(by) {
    const { player, bench, pull } = this, why = bench.atStart() || bench.mode !== "run" ? "at the start nothing moves yet: play first" : pull.refusal();
    if (why) return bench.say(`nothing can be pulled: ${why}`);
    this.letGo();
    const { places, bodies } = player.scene, at = places.indexOf(this.body);
    this.name = bodies[places[at < 0 ? 0 : (at + by + places.length) % places.length]].name;
    player.canvas.focus();
    player.refresh();
    bench.say(`${this.name}: arrows pull, Tab takes another, Escape leaves`);
  }

  /** Move the end of the spring by so many CSS pixels to the right and up; the first time it is taken hold of. */
  move([dx, dy]) {
    const { pull, player } = this, { view, scene, position } = player, i = this.body, { camera } = view, metre = view.ratio / view.scale;
    const why = pull.refusal();
    if (why) return this.bench.say(`${this.name} cannot be pulled: ${why}`);
    if (pull.held?.i !== i) pull.hold({ name: this.name, i, pointer: "keys", at: [...position.slice(scene.dim * i, scene.dim * (i + 1))], said: 0 });
    const along = scene.dim === 2 ? [[1, 0], [0, 1]] : [camera.right, camera.up];
    pull.aim(pull.held.at.map((at, c) => at + metre * (dx * along[0][c] + dy * along[1][c])));
  }

  letGo() {
    if (this.pull.held?.pointer === "keys") this.pull.release({ pointerId: "keys" });
  }

  leave() {
    this.letGo();
    this.name = null;
    this.player.refresh();
    if (!this.pull.live) this.bench.say("");
  }

  /** A ring around the body that was taken. */
  draw() {
    const { player } = this, i = player.scene.dim * this.body, { graphics: g, view, position } = player;
    if (i < 0) return;
    g.save();
    g.strokeStyle = themeOf(player.root).accent;
    g.lineWidth = 2 * view.ratio;
    g.beginPath();
    g.arc(view.px(position, i), view.py(position, i), 14 * view.ratio, 0, 2 * Math.PI);
    g.stroke();
    g.restore();
  }
}
