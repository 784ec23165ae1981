// The settings of .options as controls: each change is one edit of the text.
import { tell } from "/bench/bench.js";

export class OptionForm {
  constructor(host) {
    this.host = host;
    this.controls = new Map(); // by their options
    this.show([]);
  }

  /** A control for each option that the server found. They stay the same ones: a list may be open, a number half written. */
  show(options) {
    if (!options.length) this.host.textContent = "The options are here as soon as the text has no errors.";
    else if (this.names !== options.map((option) => option.name).join()) this.fill(options);
    this.names = options.map((option) => option.name).join();
    for (const option of options) renew(this.controls.get(option.name), option);
  }

  fill(options) {
    this.controls.clear();
    this.host.replaceChildren(...options.map((option) => {
      const row = document.createElement("label"), name = document.createElement("b"), words = document.createElement("span"), control = controlOf(option);
      name.textContent = option.name;
      words.textContent = option.choices.length ? option.meaning : `${option.meaning} [${option.range}]`;
      control.addEventListener("change", () => control.value.trim() && tell("option", { name: option.name, value: control.value.trim() }));
      row.append(name, control, words);
      this.controls.set(option.name, control);
      return row;
    }));
  }
}

function controlOf({ name, choices, default: standard }) {
  const control = document.createElement(choices.length ? "select" : "input");
  control.dataset.option = name;
  control.setAttribute("aria-label", name);
  control.append(...choices.map((choice) => {
    const entry = document.createElement("option");
    entry.value = choice;
    entry.textContent = choice === standard ? `${choice} (default)` : choice;
    return entry;
  }));
  if (!choices.length) {
    control.placeholder = standard;
    control.addEventListener("input", () => (control.dataset.writing = "yes"));
    for (const end of ["change", "blur"]) control.addEventListener(end, () => delete control.dataset.writing);
  }
  return control;
}

/** What the text says of an option, unless somebody is writing something else. */
function renew(control, { choices, value, default: standard }) {
  if (control.dataset.writing) return;
  const now = choices.length ? choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? standard : value;
  if (control.value !== now) control.value = now;
}
