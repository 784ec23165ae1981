// What analyses found: for each card of the text its figures, its charts, and machines that swing in a mode.
import { Chart } from "./chart.js";
import { SPEEDS } from "./controls.js";
import { Player } from "./player.js";
import { emptyScene } from "./scene.js";

const ROUNDS = 30; // of a mode before the player rests for a moment, as it does at the end of a motion

/** Fill `host` with the findings of `views.py`. Returns a function that takes them away again. */
export function showFindings(host, findings) {
  const shown = [];
  host.replaceChildren(...gathered(findings).map(({ command, figures, pictures, refused }) => {
    const section = document.createElement("section"), head = document.createElement("h2");
    section.className = "cl-finding";
    head.textContent = `.${command}`;
    section.append(head);
    if (refused) section.append(paragraphOf(refused));
    if (figures.length) section.append(tableOfFigures(figures));
    const grid = document.createElement("div");
    grid.className = "cl-pictures";
    section.append(grid);
    for (const picture of pictures) {
      const place = document.createElement("div");
      place.className = `cl-picture cl-picture-${picture.kind}`;
      grid.append(place);
      shown.push(picture.kind === "motion" ? showMoving(place, picture) : new Chart(place, picture));
    }
    return section;
  }));
  return () => {
    for (const one of shown) one.destroy();
    host.replaceChildren();
  };
}

/** Findings of one command that are numbers alone stand in one table, where the first of them stood. */
function gathered(findings) {
  const tables = new Map();
  return findings.flatMap((finding) => {
    const { command, figures, pictures, refused } = finding, table = tables.get(command);
    if (pictures.length || refused) return [finding];
    if (table) {
      table.figures.push(...figures);
      return [];
    }
    const first = { ...finding, figures: [...figures] };
    tables.set(command, first);
    return [first];
  });
}

/** A machine in a small player: it plays by itself, and a click stops it. */
function showMoving(place, { title, machine, t, q, lasting }) {
  const head = document.createElement("h3"), stage = document.createElement("div");
  head.textContent = title;
  place.append(head, stage);
  const player = new Player(stage), scene = emptyScene(machine);
  const again = t.length > 1 ? ROUNDS : 1, places = Float32Array.from(q.map((v) => v ?? NaN));
  for (let k = 0; k < again; k++) scene.motion.append(t.map((time) => time + k * (t.at(-1) - t[0])), places);
  player.load(scene);
  if (lasting) player.setSpeed(SPEEDS.filter((speed) => (t.at(-1) - t[0]) / speed >= lasting).pop() ?? SPEEDS[0]);
  player.finish();
  player.canvas.setAttribute("aria-label", `${title}: ${player.canvas.getAttribute("aria-label")}`);
  if (t.length < 2) return player;
  player.canvas.title = "Click to stop and to go on";
  player.canvas.addEventListener("click", () => (player.playing ? player.pause() : player.play()));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
  return player;
}

function tableOfFigures(figures) {
  const list = document.createElement("dl");
  for (const [label, value] of figures) {
    const term = document.createElement("dt"), meaning = document.createElement("dd");
    term.textContent = label;
    meaning.textContent = value;
    list.append(term, meaning);
  }
  return list;
}

function paragraphOf(text) {
  const element = document.createElement("p");
  element.className = "cl-refused";
  element.textContent = text;
  return element;
}
