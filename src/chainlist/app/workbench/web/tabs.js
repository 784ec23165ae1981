// Tabs below the player: groups of plots, and the report. Plots of a tab exist only while it is open.
import { Plot } from "/player/plot.js";
import { labels, showReport } from "/bench/report.js";

const REPORT = "Report";

export class Tabs {
  constructor(host, { onSeek, colourOf }) {
    this.onSeek = onSeek;
    this.colourOf = colourOf; // of a curve, by its name
    this.time = 0;
    this.plots = [];
    this.run = this.pinned = null;
    this.open = this.chosen = null; // the tab that is shown; the one that the user asked for
    host.innerHTML = '<div class="bench-tabs" role="tablist" aria-label="Plots and report"></div><div class="bench-panel" role="tabpanel" id="bench-panel" tabindex="0"></div>';
    [this.bar, this.panel] = host.children;
    this.bar.addEventListener("keydown", (event) => this.key(event));
    this.show(null, null);
  }

  /** Show a run, and a pinned one behind it. The open tab stays open where there is one of the same name. */
  show(run, pinned) {
    this.run = run;
    this.pinned = pinned;
    const names = [...(run?.groups.map((group) => group.name) ?? []), REPORT];
    if (names.join() !== this.names?.join()) this.makeBar(names);
    this.select(names.includes(this.chosen) ? this.chosen : names[0], false);
  }

  /** Values that belong to a run no longer shown are dimmed. */
  dim(on) { this.panel.classList.toggle("bench-old", on); }

  makeBar(names) {
    this.names = names;
    this.bar.replaceChildren(...names.map((name) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.role = "tab";
      tab.id = `bench-tab-${name.toLowerCase()}`;
      tab.setAttribute("aria-controls", "bench-panel");
      tab.textContent = name;
      tab.addEventListener("click", () => this.select(name, true));
      return tab;
    }));
  }

  select(name, byUser) {
    const same = this.open === name;
    this.open = name;
    if (byUser) this.chosen = name;
    for (const tab of this.bar.children) {
      const on = tab.textContent === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      if (on && byUser) tab.focus();
    }
    this.panel.setAttribute("aria-labelledby", `bench-tab-${name.toLowerCase()}`);
    if (name === REPORT) return this.fillReport();
    const group = this.run.groups.find((g) => g.name === name), panels = group.panels.map((i) => this.run.scene.panels[i]);
    if (same && this.plots.length === panels.length) return this.refill(panels);
    this.clear();
    const grid = document.createElement("div");
    grid.className = "bench-plots";
    this.panel.append(grid);
    for (const panel of panels) {
      const host = document.createElement("div");
      host.className = `bench-plot bench-plot-${panel.kind}`;
      grid.append(host);
      const plot = new Plot(host, panel, { onSeek: this.onSeek, colourOf: this.colourOf });
      plot.setTime(this.time);
      plot.pin(this.counterpart(panel));
      this.plots.push(plot);
    }
    this.legend(grid);
  }

  /** The same plots with other curves: nothing is built anew while a number is dragged. */
  refill(panels) {
    panels.forEach((panel, i) => {
      this.plots[i].setPanel(panel);
      this.plots[i].pin(this.counterpart(panel));
    });
    this.legend(this.panel.querySelector(".bench-plots"));
  }

  legend(grid) {
    grid.querySelector(".bench-pin-legend")?.remove();
    if (!this.pinned) return;
    const [, other] = labels(this.run, this.pinned), line = document.createElement("p");
    line.className = "bench-pin-legend";
    line.textContent = `grey: ${other}`;
    grid.prepend(line);
  }

  counterpart(panel) {
    return this.pinned?.scene.panels.find((p) => p.title === panel.title && p.kind === panel.kind) ?? null;
  }

  fillReport() {
    this.clear();
    const host = document.createElement("div");
    host.className = "bench-report";
    this.panel.append(host);
    showReport(host, this.run, this.pinned);
  }

  clear() {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    this.panel.replaceChildren();
  }

  setTime(time) {
    this.time = time;
    for (const plot of this.plots) plot.setTime(time);
  }

  key(event) {
    const at = this.names.indexOf(this.open), last = this.names.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.select(this.names[to], true);
  }
}
