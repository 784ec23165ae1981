// The settings of .options as controls: each change is one edit of the text.
import { tell } from "/bench/bench.js";

/** Fill `host` with a control for each option that the server found. */
export function showOptions(host, options) {
  if (!options.length) host.textContent = "The options are here as soon as the text has no errors.";
  else fill(host, options);
}

function fill(host, options) {
  host.replaceChildren(...options.map((option) => {
    const row = document.createElement("label"), name = document.createElement("b"), words = document.createElement("span"), control = controlOf(option);
    name.textContent = option.name;
    words.textContent = option.choices.length ? option.meaning : `${option.meaning} [${option.range}]`;
    control.addEventListener("change", () => control.value.trim() && tell("option", { name: option.name, value: control.value.trim() }));
    row.append(name, control, words);
    return row;
  }));
}

function controlOf({ name, choices, value, default: standard }) {
  const control = document.createElement(choices.length ? "select" : "input");
  control.dataset.option = name;
  control.setAttribute("aria-label", name);
  if (!choices.length) {
    Object.assign(control, { value, placeholder: standard });
    return control;
  }
  control.append(...choices.map((choice) => {
    const entry = document.createElement("option");
    entry.value = choice;
    entry.textContent = choice === standard ? `${choice} (default)` : choice;
    return entry;
  }));
  control.value = choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ?? standard;
  return control;
}
