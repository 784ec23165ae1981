// The bar under the canvas. It shows the state of the player and asks for changes; it keeps no state of its own.
import { icon } from "./icons.js";
import { timeText } from "./ticks.js";

export const SPEEDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];

const THUMB = 8; // CSS pixels: half the width of what one drags on the time bar

const TOGGLES = [
  ["strobe", "Strobe", "Show exposures of the past (S)"],
  ["trails", "Trails", "Show the paths of the bodies (T)"],
  ["names", "Names", "Show names (N)"],
  ["forces", "Forces", "Colour links by tension: red pulls, blue pushes (F)"],
  ["arrows", "Arrows", "Show velocities, and accelerations in grey; with Forces also what links pull with (V)"],
  ["axes", "Axes", "Show axes with numbers (X)"],
  ["loop", "Loop", "Begin again at the end (L)"],
];

const MARKUP = `
  <div class="cl-scrub">
    <div class="cl-track"><input type="range" class="cl-time" min="0" max="1" step="any" value="0" aria-label="Time"><svg class="cl-events" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path/></svg></div>
    <span class="cl-clock"></span>
  </div>
  <div class="cl-buttons">
    <div class="cl-group">
      <button type="button" data-do="back" title="One frame back (left arrow)" aria-label="One frame back">${icon("back")}</button>
      <button type="button" data-do="play" class="cl-play" title="Play or pause (space)" aria-label="Play">${icon("play")}</button>
      <button type="button" data-do="forward" title="One frame on (right arrow)" aria-label="One frame on">${icon("forward")}</button>
    </div>
    <label class="cl-speed" title="Speed"><span class="cl-hidden">Speed</span><select aria-label="Speed">
      ${SPEEDS.map((s) => `<option value="${s}"${s === 1 ? " selected" : ""}>${s}×</option>`).join("")}</select></label>
    <div class="cl-group cl-toggles">
      ${TOGGLES.map(([name, text, title]) => `<button type="button" data-toggle="${name}" title="${title}" aria-label="${text}" aria-pressed="false">${icon(name)}<span>${text}</span></button>`).join("")}
      <button type="button" data-do="fit" title="Show everything (0)" aria-label="Show everything">${icon("fit")}<span>Fit</span></button>
    </div>
  </div>`;

export class Controls {
  constructor(host, player) {
    this.root = document.createElement("div");
    this.root.className = "cl-controls";
    this.root.innerHTML = MARKUP;
    host.append(this.root);
    const find = (selector) => this.root.querySelector(selector);
    this.range = find(".cl-time");
    this.clock = find(".cl-clock");
    this.playButton = find('[data-do="play"]');
    this.speed = find("select");
    const actions = { back: () => player.step(-1), play: () => player.toggle(), forward: () => player.step(1), fit: () => player.fit() };
    for (const button of this.root.querySelectorAll("[data-do]")) button.addEventListener("click", actions[button.dataset.do]);
    for (const button of this.root.querySelectorAll("[data-toggle]"))
      button.addEventListener("click", () => player.set(button.dataset.toggle, !player.shows[button.dataset.toggle]));
    this.range.addEventListener("input", () => player.seek(player.start + this.range.valueAsNumber * (player.stop - player.start)));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
  }

  /** Small marks on the time bar; the words of the nearest one are its tooltip. */
  showEvents(events, start, stop) {
    if (events === this.events && stop === this.shownTo) return;
    [this.events, this.shownTo] = [events, stop];
    const marks = stop > start ? events.filter(({ t }) => t <= stop).map(({ t }) => (t - start) / (stop - start)) : [];
    const places = [...new Set(marks.map((x) => (1000 * x).toFixed(1)))]; // of a thousand in one place one is enough
    this.root.querySelector(".cl-events path").setAttribute("d", places.map((x) => `M${x} 0V10`).join(""));
    this.range.onpointermove = ({ clientX }) => {
      const box = this.range.getBoundingClientRect(), at = (clientX - box.left - THUMB) / (box.width - 2 * THUMB), near = 5 / (box.width - 2 * THUMB);
      const told = events.filter((_, k) => Math.abs(marks[k] - at) < near).map(({ text }) => text);
      this.range.title = told.slice(0, 4).join("\n") + (told.length > 4 ? `\n… (${told.length} here)` : "");
    };
  }

  showTime(time, start, stop) {
    const now = timeText(time, stop - start), fraction = stop > start ? (time - start) / (stop - start) : 0;
    this.range.value = fraction;
    this.range.style.setProperty("--done", `${100 * fraction}%`);
    const text = `${now} / ${timeText(stop, stop - start)} s`;
    if (this.clock.textContent !== text) {
      this.clock.textContent = text;
      this.range.setAttribute("aria-valuetext", `${now} seconds`);
    }
  }

  showPlaying(playing) {
    this.playButton.innerHTML = icon(playing ? "pause" : "play");
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  /** In space the arrows turn the picture, and comma and full stop step. */
  showKeys(dim) {
    const [back, on, fit] = dim === 3 ? ["comma", "full stop", "Show everything, from where the camera stood (0)"] : ["left arrow", "right arrow", "Show everything (0)"];
    for (const [name, title] of [["back", `One frame back (${back})`], ["forward", `One frame on (${on})`], ["fit", fit]])
      this.root.querySelector(`[data-do="${name}"]`).title = title;
    this.root.querySelector('[data-toggle="axes"]').hidden = dim === 3; // there the ground and its triad say where one is
  }

  showSpeed(speed) { this.speed.value = String(speed); }

  showToggles(shows, hasForces) {
    for (const button of this.root.querySelectorAll("[data-toggle]")) {
      button.setAttribute("aria-pressed", String(shows[button.dataset.toggle]));
      if (button.dataset.toggle === "forces") button.hidden = !hasForces;
    }
  }
}
