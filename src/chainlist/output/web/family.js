// Sliders of a standalone page: each chooses among motions that were computed when the page was made.
import { decodeScene, unzipBase64 } from "./scene.js";
import { readable } from "./ticks.js";

/** One row for each choice of `page.py`; `show(scene)` gets the motion that is chosen, null for that of the text. */
export function addFamily(host, choices, show) {
  const rows = choices.map((choice) => sliderOf(choice));
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  host.replaceChildren(...rows.map((row) => row.root), words);
  host.hidden = false;
  let newest = 0;
  rows.forEach((row, at) => row.input.addEventListener("input", async () => {
    const own = ++newest, { name, unit, base, values, scenes } = choices[at], k = row.input.valueAsNumber, value = values[k];
    rows.forEach((other, i) => i !== at && other.set(choices[i].values.indexOf(choices[i].base)));
    row.set(k);
    const ofText = value === base, packed = scenes[k];
    words.textContent = ofText ? "" : packed ? `Report, analyses and text below are of ${name} = ${readable(base)} ${unit}`.trim() : `With ${name} = ${readable(value)} ${unit} this machine cannot be.`;
    if (!ofText && !packed) return;
    const scene = ofText ? null : decodeScene(await unzipBase64(packed));
    if (own === newest) show(scene);
  }));
}

function sliderOf({ name, unit, base, values }) {
  const root = document.createElement("label"), input = document.createElement("input"), told = document.createElement("output"), called = document.createElement("b");
  called.textContent = name;
  Object.assign(input, { type: "range", min: 0, max: values.length - 1, step: 1 });
  const set = (k) => {
    input.value = k;
    told.textContent = `${readable(values[k])} ${unit}`.trim();
    input.setAttribute("aria-valuetext", told.textContent);
  };
  root.append(called, input, told);
  set(values.indexOf(base));
  return { root, input, set };
}
