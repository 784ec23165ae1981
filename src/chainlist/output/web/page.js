// The standalone page: unpacks its scene, and ties player and plots together.
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
    document.querySelectorAll("#panels > div").forEach((host, i) => plots.push(new Plot(host, scene.panels[i], ties)));
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

function addThemeButton(button) {
  button.innerHTML = icon("theme");
  button.addEventListener("click", () => {
    const root = document.documentElement, chosen = root.dataset.theme;
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
}
