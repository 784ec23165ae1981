// Sliders for the parameters of the text. Turning one changes its number there; the motion follows while it turns.
import { arrange, tell } from "/bench/bench.js";
import { niceStep } from "/player/ticks.js";

const STEPS = 200; // of a slider, about
const EVERY = 45; // ms between two changes of the text while a knob turns: more often nobody sees, and the motion would wait

export class Knobs {
  constructor(host) {
    this.host = host;
    this.rows = new Map();
  }

  /** Show the knobs of a text. One that is in somebody's hand stays as it is. */
  show(knobs) {
    this.rows = new Map(knobs.map((knob) => [knob.name, this.rows.get(knob.name) ?? new Row(knob)]));
    arrange(this.host, [...this.rows.values()].map((row) => row.root));
    for (const knob of knobs) this.rows.get(knob.name).show(knob);
    this.host.hidden = !knobs.length;
  }
}

class Row {
  constructor({ name, unit }) {
    this.name = name;
    this.root = document.createElement("div");
    this.root.className = "bench-knob";
    this.root.innerHTML = `<span></span><input type="number" step="any" class="bench-limit"><input type="range">
      <input type="number" step="any" class="bench-limit"><input type="number" step="any"><i></i><button type="button" class="bench-sweep">\u2921</button>`;
    [this.label, this.low, this.slider, this.high, this.number, this.unit, this.sweep] = this.root.children;
    this.label.textContent = this.label.title = name;
    for (const [input, what] of [[this.low, "Smallest "], [this.slider, ""], [this.high, "Largest "], [this.number, "Value of "]]) input.setAttribute("aria-label", what + name);
    this.slider.addEventListener("input", () => this.turn(this.slider.valueAsNumber));
    this.slider.addEventListener("change", () => this.release());
    this.number.addEventListener("change", () => {
      if (!Number.isFinite(this.number.valueAsNumber)) return;
      this.turn(this.number.valueAsNumber, String(this.number.valueAsNumber));
      this.release();
    });
    this.sweep.title = `Run over the whole range of ${name}, and show a curve (.step)`;
    this.sweep.setAttribute("aria-label", `Sweep ${name}`);
    this.sweep.addEventListener("click", () => tell("sweep", name));
    for (const limit of [this.low, this.high]) limit.addEventListener("change", () => this.writeRange());
    for (const field of [this.low, this.high, this.number]) {
      field.addEventListener("input", () => (this.writing = field));
      for (const end of ["change", "blur"]) field.addEventListener(end, () => (this.writing = null));
    }
  }

  show(knob) {
    if (this.held) return;
    const { value, unit, low, high } = knob, step = niceStep((high - low) / STEPS);
    this.decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
    Object.assign(this.slider, { min: low, max: high, step });
    this.slider.value = value;
    this.slider.setAttribute("aria-valuetext", `${value} ${unit}`.trim());
    // what somebody is writing into a field stays: an answer of the server may come between two keys
    for (const [field, now] of [[this.number, value], [this.low, low], [this.high, high]]) if (field !== this.writing) field.value = now;
    for (const field of [this.number, this.low, this.high]) field.style.setProperty("--letters", Math.max(4, Math.min(9, field.value.length)));
    this.unit.textContent = unit;
  }

  turn(value, written = String(Number(value.toFixed(this.decimals)))) {
    this.held = true;
    this.number.value = written;
    this.slider.setAttribute("aria-valuetext", `${written} ${this.unit.textContent}`.trim());
    this.written = written;
    this.timer ??= setTimeout(() => this.write(), Math.max(0, (this.before ?? -Infinity) + EVERY - performance.now()));
  }

  /** The value as it is now goes into the text. */
  write() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.before = performance.now();
    tell("turn", { name: this.name, value: this.written });
  }

  release() {
    this.write();
    this.held = false;
    tell("turned", null);
  }

  writeRange() {
    const low = this.low.valueAsNumber, high = this.high.valueAsNumber;
    if (low < high) tell("knobRange", { name: this.name, low, high });
  }
}
