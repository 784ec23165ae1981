// Dragging bodies and anchors of the start: the picture moves at once, and the editor is told so that the text follows.
import { tell } from "/bench/bench.js";
import { cardOf } from "/bench/draw_text.js";

const REACH = 16; // CSS pixels

export class Dragging {
  /** `bench` says what may be dragged (`handles`), whether the clock stands at the start, and shows the start. */
  constructor(player, bench) {
    this.player = player;
    this.bench = bench;
    this.active = null;
    player.onGrab = (event) => this.grab(event);
    player.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) player.canvas.addEventListener(name, () => this.drop());
  }

  /** What lies under a point of the window: a body by name, an anchor by place; null for nothing that can be dragged. */
  under(clientX, clientY) {
    const { player, bench } = this, { view, scene, canvas } = player;
    if (!scene || !bench.atStart()) return null;
    const box = canvas.getBoundingClientRect(), x = (clientX - box.left) * view.ratio, y = (clientY - box.top) * view.ratio;
    const i = player.bodyAt(clientX, clientY);
    if (i >= 0) {
      const { name } = scene.bodies[i];
      return bench.handles.some((h) => h.body.toLowerCase() === name.toLowerCase()) ? { body: name, index: i } : null;
    }
    for (let k = 0; k < scene.fixed.length; k += 2) {
      const at = [scene.fixed[k], scene.fixed[k + 1]];
      if (Math.hypot(view.x(at[0]) - x, view.y(at[1]) - y) > REACH * view.ratio) continue;
      if (bench.handles.some((h) => !h.body && h.at[0] === at[0] && h.at[1] === at[1])) return { body: "", at, index: k };
    }
    return null;
  }

  grab(event) {
    const target = this.under(event.clientX, event.clientY);
    if (!target) return this.sayWhy(event);
    const wasFitted = this.player.view.fitted;
    this.player.view.fitted = false; // the picture must not shrink or jump under the pointer
    this.bench.showStart();
    this.player.canvas.setPointerCapture(event.pointerId);
    this.active = { ...target, moved: false, wasFitted };
    return true;
  }

  /** A body that cannot be dragged says why. Returns false: the press is for others. */
  sayWhy(event) {
    const { player, bench } = this, i = bench.atStart() ? player.bodyAt(event.clientX, event.clientY) : -1;
    if (i < 0 || player.scene.dim !== 2) return false;
    const { name } = player.scene.bodies[i], written = cardOf(bench.freshness.text ?? "", name);
    const why = written ? "its place is an expression" : "it comes from an ellipsis, a submachine or another file";
    bench.say(`${name} cannot be dragged: ${why}`);
    return false;
  }

  move(event) {
    if (!this.active) {
      this.player.canvas.classList.toggle("cl-movable", !event.buttons && Boolean(this.under(event.clientX, event.clientY)));
      return;
    }
    const { view, canvas, scene } = this.player, box = canvas.getBoundingClientRect();
    const [x, y] = view.world((event.clientX - box.left) * view.ratio, (event.clientY - box.top) * view.ratio);
    const decimals = Math.max(0, Math.min(9, Math.ceil(Math.log10(view.scale / view.ratio) - 0.3)));
    const to = this.bench.draw.snap([x, y]).map((value) => Number(value.toFixed(this.bench.draw.on ? 9 : decimals)));
    const { body, at, index } = this.active;
    if (body) scene.motion.positions.set(to, 2 * index);
    else scene.fixed.set(to, index);
    this.player.tip.hidden = true;
    this.player.refresh();
    this.active.moved = true;
    tell("drag", { what: { body, at }, x: to[0], y: to[1], decimals: this.bench.draw.on ? 9 : decimals });
    if (!body) {
      for (const handle of this.bench.handles) if (!handle.body && handle.at[0] === at[0] && handle.at[1] === at[1]) handle.at = to;
      this.active.at = to;
    }
  }

  drop() {
    if (!this.active) return;
    const { moved, wasFitted } = this.active;
    this.active = null;
    if (moved) this.bench.dropped(wasFitted);
    else this.player.view.fitted = wasFitted;
  }
}
