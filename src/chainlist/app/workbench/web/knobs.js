// Sliders for the parameters of the text. Turning one changes its number there; the motion follows while it turns.
import { tell } from "/bench/bench.js";
import { niceStep } from "/player/ticks.js";

const STEPS = 200; // of a slider, about

export class Knobs {
  constructor(host) {
    this.host = host;
    this.rows = new Map();
  }

  /** Show the knobs of a text. One that is in somebody's hand stays as it is. */
  show(knobs) {
    const names = knobs.map((knob) => knob.name).join();
    if (names !== this.names) {
      this.names = names;
      this.rows = new Map(knobs.map((knob) => [knob.name, new Row(knob)]));
      this.host.replaceChildren(...[...this.rows.values()].map((row) => row.root));
    }
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
      <input type="number" step="any" class="bench-limit"><input type="number" step="any"><i></i>`;
    [this.label, this.low, this.slider, this.high, this.number, this.unit] = this.root.children;
    this.label.textContent = this.label.title = name;
    for (const [input, what] of [[this.low, "Smallest "], [this.slider, ""], [this.high, "Largest "], [this.number, "Value of "]]) input.setAttribute("aria-label", what + name);
    this.slider.addEventListener("input", () => this.turn(this.slider.valueAsNumber));
    this.slider.addEventListener("change", () => this.release());
    this.number.addEventListener("change", () => {
      if (!Number.isFinite(this.number.valueAsNumber)) return;
      this.turn(this.number.valueAsNumber, String(this.number.valueAsNumber));
      this.release();
    });
    for (const limit of [this.low, this.high]) limit.addEventListener("change", () => this.writeRange());
  }

  show(knob) {
    if (this.held) return;
    const { value, unit, low, high } = knob, step = niceStep((high - low) / STEPS);
    this.decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
    Object.assign(this.slider, { min: low, max: high, step });
    this.slider.value = value;
    this.slider.setAttribute("aria-valuetext", `${value} ${unit}`.trim());
    this.number.value = value;
    this.low.value = low;
    this.high.value = high;
    this.unit.textContent = unit;
  }

  turn(value, written = String(Number(value.toFixed(this.decimals)))) {
    this.held = true;
    this.number.value = written;
    this.slider.setAttribute("aria-valuetext", `${written} ${this.unit.textContent}`.trim());
    tell("turn", { name: this.name, value: written });
  }

  release() {
    this.held = false;
    tell("turned", null);
  }

  writeRange() {
    const low = this.low.valueAsNumber, high = this.high.valueAsNumber;
    if (low < high) tell("knobRange", { name: this.name, low, high });
  }
}
