// The standalone page: unpacks its scene, and ties player and plots together.
import { addFamily } from "./family.js";
import { showFindings } from "./findings.js";
import { icon } from "./icons.js";
import { Player } from "./player.js";
import { Plot } from "./plot.js";
import { decodeScene, unzipBase64 } from "./scene.js";

export async function startPage() {
  const stage = document.getElementById("stage");
  addThemeButton(document.getElementById("theme"));
  try {
    const scene = decodeScene(await unzipBase64(document.getElementById("scene").textContent));
    const plots = [];
    const player = new Player(stage, { onTime: (time) => plots.forEach((plot) => plot.setTime(time)) });
    player.load(scene);
    const ties = { onSeek: (time) => player.seek(time), colourOf: (name) => player.colourOf(name) };
    document.querySelectorAll("#panels > div, #more > div").forEach((host, i) => plots.push(new Plot(host, scene.panels[i], ties)));
    await addFindings();
    const family = await unzipped("family");
    if (family) addFamily(document.getElementById("knobs"), family, (chosen) => {
      const { panels } = chosen ?? scene, { time } = player;
      player.load(chosen ?? scene, { keepView: true, keepShows: true });
      plots.forEach((plot, i) => panels[i] && plot.setPanel(panels[i]));
      player.seek(Math.min(time, player.stop));
    });
    document.addEventListener("keydown", (event) => {
      if (!event.defaultPrevented && !(event.target instanceof Element && event.target.closest("input, select, textarea, pre"))) player.key(event);
    });
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
    globalThis.chainlist = { player, plots, scene }; // for the curious, in the console of the browser
  } catch (error) {
    stage.classList.add("failed");
    stage.textContent = `This page could not be shown: ${error.message}. It needs a browser of 2023 or later.`;
    throw error;
  }
}

async function addFindings() {
  const host = document.getElementById("analyses"), findings = await unzipped("findings");
  host.hidden = !findings;
  if (findings) showFindings(host, findings);
}

/** The data of a script element of the page; null where it has none. */
async function unzipped(id) {
  const text = document.getElementById(id).textContent;
  return text ? JSON.parse(new TextDecoder().decode(await unzipBase64(text))) : null;
}

function addThemeButton(button) {
  button.innerHTML = icon("theme");
  button.addEventListener("click", () => {
    const root = document.documentElement, chosen = root.dataset.theme;
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
}
