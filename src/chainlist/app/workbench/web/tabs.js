// Tabs below the player: groups of plots, and the report. Plots of a tab exist only while it is open.
import { Plot } from "/player/plot.js";
import { arrange, hear } from "/bench/bench.js";
import { OptionForm } from "/bench/options.js";
import { showFindings } from "/player/findings.js";
import { labels, showReport } from "/bench/report.js";

const ASKED = "Plots", REPORT = "Report", ANALYSES = "Analyses", OPTIONS = "Options";

export class Tabs {
  constructor(host, { onSeek, colourOf, onAxis }) {
    this.onSeek = onSeek;
    this.onAxis = onAxis; // (panel, "up" or "across", button): of a plot that the text asks for
    this.colourOf = colourOf; // of a curve, by its name
    this.time = 0;
    this.plots = [];
    this.run = this.pinned = null;
    this.open = this.chosen = null; // the tab that is shown; the one that the user asked for
    host.innerHTML = '<div class="bench-tabs" role="tablist" aria-label="Plots and report"></div><div class="bench-panel" role="tabpanel" id="bench-panel" tabindex="0"></div>';
    [this.bar, this.panel] = host.children;
    this.bar.addEventListener("keydown", (event) => this.key(event));
    this.options = [];
    hear("options", (options) => {
      this.options = options;
      if (this.open === OPTIONS) this.form.show(options);
    });
    this.show(null, null);
  }

  /** Show a run, and a pinned one behind it. The open tab stays open where there is one of the same name. */
  show(run, pinned) {
    this.run = run;
    this.pinned = pinned;
    // A run that was made in a hurry has the plots of the open tab alone.
    const all = [...(run?.groups.map((group) => group.name) ?? []), ...(run?.findings?.length ? [ANALYSES] : []), REPORT, OPTIONS];
    const names = run?.partial !== undefined && this.names ? this.names : all;
    if (names.join() !== this.names?.join()) this.makeBar(names);
    this.select(names.includes(this.chosen) ? this.chosen : names[0], false);
  }

  /** The plots so far of a run that goes on: there are no others yet. Whoever sets options is left alone. */
  grow(panels) {
    this.run = { groups: [{ name: ASKED, panels: panels.map((_, i) => i) }], scene: { panels }, options: {}, text: "" };
    this.pinned = null;
    const names = [ASKED, OPTIONS];
    if (this.names.join() !== names.join()) this.makeBar(names);
    this.select(this.chosen === OPTIONS ? OPTIONS : ASKED, false);
  }

  /** Open a tab as soon as it is there; one that the user has chosen meanwhile stays, unless they `insist`. */
  want(name, insist = true) {
    if (insist || !this.chosen) this.chosen = name;
  }

  /** Somebody has asked for a sweep: its curve shall be in sight, however much stands above it. */
  wantLastAnalysis() {
    this.want(ANALYSES);
    this.seeksLast = true;
  }

  /** Values that belong to a run no longer shown are dimmed. */
  dim(on) { this.panel.classList.toggle("bench-old", on); }

  makeBar(names) {
    this.names = names;
    const before = new Map([...this.bar.children].map((tab) => [tab.textContent, tab]));
    arrange(this.bar, names.map((name) => {
      if (before.has(name)) return before.get(name);
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
    if (name === ANALYSES) return this.fillAnalyses();
    if (name === OPTIONS) return same || this.fillOptions();
    const panels = (this.run.groups.find((g) => g.name === name)?.panels ?? []).map((i) => this.run.scene.panels[i]);
    if (same && this.plots.length === panels.length) return this.refill(panels);
    this.clear();
    const grid = document.createElement("div");
    grid.className = "bench-plots";
    this.panel.append(grid);
    for (const panel of panels) {
      const host = document.createElement("div");
      host.className = `bench-plot bench-plot-${panel.kind}`;
      grid.append(host);
      const onAxis = name === ASKED ? (...which) => this.onAxis(...which) : null;
      const plot = new Plot(host, panel, { onSeek: this.onSeek, colourOf: this.colourOf, onAxis });
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
      this.plots[i].root.parentElement.className = `bench-plot bench-plot-${panel.kind}`;
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

  /** The settings of the text. */
  fillOptions() {
    this.clear();
    const host = document.createElement("div");
    host.className = "bench-options";
    this.panel.append(host);
    this.form = new OptionForm(host);
    this.form.show(this.options);
  }

  /** What analyses found; while it is the same, it stays, and its modes go on swinging. */
  fillAnalyses() {
    if (this.shownFindings === this.run.findings) return;
    this.clear();
    const host = document.createElement("div");
    host.className = "bench-findings";
    this.panel.append(host);
    this.shownFindings = this.run.findings;
    this.takeAway = showFindings(host, this.run.findings);
    if (this.seeksLast) host.lastElementChild?.querySelector(".cl-pictures").scrollIntoView({ block: "nearest" });
    this.seeksLast = false;
  }

  clear() {
    this.takeAway?.();
    this.takeAway = this.shownFindings = null;
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
