// The right side of the workbench: the player, and below it plots and report. Python says which run to follow.
import { emptyScene, decodePanels, decodeScene } from "/player/scene.js";
import { Player } from "/player/player.js";
import { readable } from "/player/ticks.js";
import { AxisMenu } from "/bench/axis_menu.js";
import { firstMessage, followStream, hear, tell } from "/bench/bench.js";
import { Divider } from "/bench/divider.js";
import { Dragging } from "/bench/drag.js";
import { Draw } from "/bench/draw.js";
import { Freshness } from "/bench/freshness.js";
import { Knobs } from "/bench/knobs.js";
import { Pull } from "/bench/pull.js";
import { Tabs } from "/bench/tabs.js";

const PATIENCE = 350; // ms: a run that is over sooner is shown at its end, not while it grows

const ROOM_TO_DRAW = 0.8; // how large a whole machine is beside the palette

export default {
  template: `<div class="bench-view">
    <div class="bench-stage"></div>
    <div class="bench-chips"><span class="bench-chip" hidden></span></div>
    <div class="bench-knobs" role="group" aria-label="Knobs" hidden></div>
    <div class="bench-divider"></div>
    <div class="bench-below"></div>
  </div>`,
  mounted() {
    const [stage, chips, knobs, divider, below] = this.$el.children;
    this.chip = chips.firstElementChild;
    this.handles = [];
    this.run = this.pinned = this.start = null;
    this.mode = "empty"; // "start": the text as it stands; "run": a run, also while it grows
    this.growing = null; // the head of a run that is shown while it is computed
    this.address = ""; // of the run that was followed last; "" where it was let go of
    this.newest = -1; // version of the text whose run was followed last
    this.arranging = false; // the user asked for the start: runs that come are kept for later
    this.startIsLast = false; // Start was pressed last of all: a run that begins later was asked for before
    this.askedAt = 0; // when the user asked for a run last: the word that it begins may come late
    this.drawsAnew = false; // drawing began while the picture was one of another text
    this.words = { text: "", bad: false };
    this.freshness = new Freshness(() => this.shownText(), () => this.showAge());
    this.plots = { plots: [], items: [] }; // of the text
    this.axisMenu = new AxisMenu(this.$el);
    this.tabs = new Tabs(below, { onSeek: (time) => this.player.seek(time), colourOf: (name) => this.player.colourOf(name), onAxis: (...which) => this.chooseAxis(...which) });
    this.player = new Player(stage, { onTime: (time) => this.tabs.setTime(time) });
    this.player.play = () => (this.mode === "start" ? this.$emit("play") : Player.prototype.play.call(this.player));
    this.player.root.addEventListener("keydown", (event) => this.ownKey(event), true);
    this.dragging = new Dragging(this.player, this);
    this.draw = new Draw(this.player, stage.querySelector(".cl-stage"), this);
    this.pull = new Pull(this.player, chips, this);
    this.knobs = new Knobs(knobs);
    this.divider = new Divider(divider, this.$el, { across: false, property: "--stage", initial: 58, label: "Size of the picture" });
    const ask = (event) => {
      const keys = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      const pressed = (button) => event.type === "click" && Boolean(event.target.closest?.(button));
      if (keys || pressed(".bench-go")) this.askedAt = performance.now();
      this.startIsLast = pressed(".bench-to-start");
    };
    const presses = ["pointerdown", "click", "keydown"];
    for (const kind of presses) document.addEventListener(kind, ask, true);
    const deaf = [() => presses.forEach((kind) => document.removeEventListener(kind, ask, true)), hear("handles", (handles) => (this.handles = handles)), hear("text", (text) => this.read(text)), hear("knobs", (knobs) => this.knobs.show(knobs)), hear("plots", (plots) => (this.plots = plots)), hear("showAnalyses", () => this.tabs.wantLastAnalysis())];
    this.stopHearing = () => deaf.forEach((stop) => stop());
    globalThis.chainlistBench = this; // for the curious, and for tests
  },
  beforeUnmount() {
    this.stopHearing();
    this.pull.end();
    this.letGo();
    this.freshness.stop();
    this.tabs.clear();
    this.player.destroy();
  },
  methods: {
    /** The picture of the start, after each change of the text that could be read. */
    async preview(url, version, runFollows) {
      const response = await fetch(url, { cache: "no-store" });
      if (!response.ok) return;
      const { data, bytes } = firstMessage(new Uint8Array(await response.arrayBuffer()));
      if (data.version < this.start?.version || !hasBodies(this.freshness.text)) return;
      this.start = { text: data.text, version: data.version, runFollows, scene: decodeScene(bytes) };
      if (this.dragging.active) return;
      if (this.arranging) return this.showStart();
      if (this.mode !== "empty" && (this.following || this.newest >= data.version)) return; // a run of it is there, or on its way
      if (this.run?.text === data.text) this.showRun();
      else if (!runFollows || this.mode !== "run") this.showStart();
    },

    showStart() {
      if (!this.start) return;
      const { scene } = this.start;
      if (this.mode === "start" && this.player.scene === scene) return;
      const { view } = this.player, asDrawn = this.draw.on && scene.dim === 2; // then the picture must not jump
      const keep = !this.drawsAnew && (asDrawn || (view.changed && sameBodies(this.player.scene, scene))) && inSight(view, scene);
      this.mode = "start";
      this.growing = null;
      this.player.pause();
      this.player.load(scene, { keepView: keep });
      if (this.start.text === this.freshness.text) this.drawsAnew = false;
      if (this.draw.on) this.holdView(!keep);
      else this.say("start: drag bodies to arrange them");
      this.shownAnew();
    },

    /** The text has changed. One without a body shows nothing, so that drawing can begin. */
    read(text) {
      this.freshness.read(text);
      if (hasBodies(text)) return;
      this.letGo();
      this.address = "";
      this.start = null;
      this.mode = "empty";
      this.growing = null;
      this.player.pause();
      this.player.load(emptyScene({ bodies: [], parts: [] }), { keepView: this.draw.on && this.player.scene?.dim === 2 });
      this.player.graphics.clearRect(0, 0, this.player.view.width, this.player.view.height);
      this.player.controls.showTime(0, 0, 0);
      this.player.controls.showEvents([], 0, 0);
      this.say(this.draw.on ? this.draw.tool.tip : "nothing to show yet: write a body, or draw one (E)");
      this.shownAnew();
    },

    /** Drawing shows the start, and what was drawn is shown moving when it ends. */
    drawingChanged(on) {
      this.arranging = on;
      if (on) {
        this.drawsAnew = hasBodies(this.freshness.text) && this.shownText() !== this.freshness.text; // then the next picture is fitted
        this.player.pause();
        this.showStart();
        const all = !this.player.view.changed;
        if (all) this.player.fit();
        this.holdView(all);
        this.say(this.draw.tool.tip);
      } else if (this.run?.text === this.freshness.text) this.showRun();
      else this.say("");
    },

    /** Let the picture stay as it is, unless it is hidden: then it is fitted once it is seen. One that shows all gets room for the palette. */
    holdView(all) {
      const { view } = this.player;
      if (!view.width) return;
      if (all) view.zoom(ROOM_TO_DRAW);
      view.fitted = false;
    },

    /** The last run once more. */
    showRun() {
      if (this.mode !== "run") this.finished(this.run, "live");
    },

    /** The text of what the picture shows; null where there is nothing. */
    shownText() {
      if (this.mode === "start") return this.start.text;
      return this.mode === "run" ? (this.growing ?? this.run)?.text ?? null : null;
    },

    shownAnew() {
      this.pull.shown();
      this.freshness.renew();
      this.showAge();
    },

    /** Dim what belongs to an earlier text, and say so. */
    showAge() {
      const { old, text } = this.freshness, shown = this.plotsOf ?? this.run;
      const plotsOld = Boolean(shown) && (old || this.growing || this.mode !== "run") && shown.text !== text;
      this.player.canvas.classList.toggle("bench-old", old);
      this.tabs.dim(Boolean(plotsOld) || this.pull.shows);
      this.showWords();
    },

    atStart() {
      return this.mode === "start" || (this.mode === "run" && !this.player.playing && this.player.time <= this.player.start);
    },

    arrange() {
      this.player.pause();
      this.arranging = true;
      this.showStart();
      this.player.canvas.focus();
    },

    /** A drag is over. The next run is shown whole, unless the user had zoomed in before. */
    dropped(wasFitted) {
      this.fitNext ||= wasFitted;
      tell("drop", null);
      if (this.late) this.take(this.late, "start");
      this.late = null;
    },

    /** Watch a run: frames as they come, then the whole. `live` runs replace one another without a restart. */
    async follow(url, version, live, asked) {
      if (this.freshness.text !== null && !hasBodies(this.freshness.text)) return; // it is let go of before it comes
      this.newest = version;
      if (url === this.address) return; // it is followed already: the text is the one that it runs, again
      this.address = url;
      this.pull.end();
      this.letGo();
      const own = (this.following = new AbortController());
      if (asked && this.draw.on && this.draw.opened < this.askedAt) this.draw.toggle(false);
      this.arranging = this.draw.on || this.startIsLast;
      const begin = performance.now();
      let head = null, waiting = [], growing = false, early = false;
      const grow = () => {
        growing = true;
        this.begin(head);
        for (const chunk of waiting) this.grow(chunk, head);
        waiting = [];
      };
      const take = (message, bytes) => {
        if (own.signal.aborted) return;
        if (message.kind === "begin") {
          head = message;
          if (!live && this.draw.on && head.text !== this.draw.begun) this.draw.toggle(false); // another text was opened
        } else if (message.kind === "chunk" && !live) {
          if (growing) this.grow(bytes, head);
          else waiting.push(bytes);
          if (!growing && performance.now() - begin > PATIENCE && !this.dragging.active && !this.arranging) grow();
        } else if (message.kind === "plots" && growing) this.growPlots(decodePanels(bytes), head);
        else if (message.kind === "motion") {
          early = true;
          this.arrived(message, bytes, growing ? "grown" : live ? "live" : "start");
        } else if (message.kind === "scene" && early) this.analysed(message, !live);
        else if (message.kind === "scene") this.arrived(message, bytes, growing ? "grown" : live ? "live" : "start");
        else if (message.kind === "failed") this.failed();
      };
      try {
        await followStream(url, take, own.signal);
      } catch (error) {
        if (!own.signal.aborted) {
          this.address = "";
          this.say(`The run could not be followed: ${error.message}`, true);
        }
      }
      if (this.following === own) this.following = null;
    },

    followPull(url) { this.pull.follow(url); },

    /** Follow no run any longer. */
    letGo() {
      this.following?.abort();
      this.following = null;
      this.player.finish();
    },

    begin(head) {
      this.mode = "run";
      this.growing = head;
      this.player.load(emptyScene(head));
      this.player.play();
      this.say("computing");
      this.shownAnew();
    },

    /** A chunk: its number of frames, then times (f8), positions and velocities (f4). */
    grow(bytes, head) {
      if (this.growing !== head) return; // something else is shown meanwhile
      const frames = new DataView(bytes).getUint32(0, true), width = head.dim * head.bodies.length;
      const t = new Float64Array(bytes, 8, frames), q = new Float32Array(bytes, 8 + 8 * frames, frames * width);
      const v = new Float32Array(bytes, 8 + 8 * frames + 4 * frames * width, frames * width);
      this.player.append(t, q, v);
    },

    /** The plots so far of a run that is shown while it is computed. */
    growPlots(panels, head) {
      if (this.growing !== head || !panels.length) return;
      this.plotsOf = head;
      this.tabs.grow(panels);
      this.showAge();
    },

    /** The menu of an axis, where the plot is one of the text as it stands. */
    chooseAxis({ title }, which, button) {
      const plot = this.plots.plots.find((one) => one.title === title);
      if (plot) this.axisMenu.show(plot, which, this.plots.items, button);
      else this.say("this plot is of an earlier text, or of a file that it includes");
    },

    arrived(message, bytes, how) {
      const run = { ...message, version: this.newest, scene: decodeScene(bytes) };
      if (this.dragging.active) this.late = run;
      else this.take(run, how);
    },

    /** The motion is there already; now what its analyses found. */
    analysed({ text, findings }, asked) {
      const run = this.late ?? this.run;
      if (run?.text !== text) return;
      run.findings = findings;
      if (asked) this.tabs.want("Analyses", false);
      if (run === this.run) this.tabs.show(run, this.pinned);
    },

    take(run, how) {
      // With Live off, a run that was not asked for may come when the text is another one already.
      const outdated = this.start && this.start.version > run.version && !this.start.runFollows && how !== "grown";
      if (!this.arranging && !outdated) return this.finished(run, how);
      this.keepForLater(run);
      this.showStart();
    },

    /** A run whose motion is not shown, because somebody draws or arranges, or the text is another one: its plots are. */
    keepForLater(run) {
      this.run = run;
      this.plotsOf = null;
      this.tabs.show(run, this.pinned);
      this.showAge();
    },

    finished(run, how) {
      const before = this.mode === "run" ? this.player : null;
      const keep = how !== "start" && before && sameBodies(before.scene, run.scene);
      const { time, playing } = this.player;
      this.run = run;
      this.mode = "run";
      this.growing = this.plotsOf = null;
      if (this.pinNext) this.pin(true);
      this.player.load(run.scene, { keepView: keep && this.player.view.changed && !this.fitNext, keepShows: keep });
      this.fitNext = false;
      this.player.finish();
      if (keep) this.player.seek(run.partial ? time % this.player.stop : Math.min(time, this.player.stop));
      if (!keep || playing) this.player.play();
      this.tabs.show(run, this.pinned);
      this.redrawn = (this.redrawn ?? 0) + 1;
      if (run.partial && run.status.ok) this.say(`the first ${readable(this.player.stop, 3)} s`);
      else this.say(run.status.ok ? "" : run.status.message, !run.status.ok);
      this.shownAnew();
    },

    failed() {
      this.player.finish();
      this.pinNext = false;
      if (this.plotsOf) this.tabs.show(this.run, this.pinned);
      this.plotsOf = null;
      this.say("");
      if (this.growing || !this.player.scene?.motion.count) this.showStart();
    },

    /**
     * Keep this run in grey behind the next ones; again, and it is let go. One that is still computed is kept when it is
     * there. Returns whether one is pinned now, or will be.
     */
    pin(on) {
      this.pinNext = on && !this.pinNext && Boolean(this.following);
      if (this.pinNext) return true;
      this.pinned = on ? this.run : null;
      this.player.pin(this.pinned?.scene ?? null);
      if (this.run) this.tabs.show(this.run, this.pinned);
      return Boolean(this.pinned);
    },

    say(text, bad = false) {
      this.words = { text, bad };
      this.showWords();
    },

    showWords() {
      const { text, bad } = this.words, age = this.freshness.old ? "of an earlier text" : "";
      this.chip.textContent = [text, age].filter(Boolean).join("; ");
      this.chip.hidden = !this.chip.textContent;
      this.chip.classList.toggle("bad", bad);
    },

    key(event) {
      return this.ownKey(event) || this.player.key(event);
    },

    ownKey(event) {
      return this.pull.keys.take(event) || this.drawKey(event);
    },

    /** E draws, wherever the focus is; in the player alone it leads to the next event, as ] does here too. */
    drawKey(event) {
      if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select")) return false;
      event.stopPropagation();
      this.draw.toggle();
      this.player.canvas.focus();
      return true;
    },
  },
};

/** Whether a text has a body below its title, or might have one in a file that it includes. */
function hasBodies(text) {
  return /^\s*([BRX]\w|\.include\b)/im.test(text.slice(text.indexOf("\n") + 1));
}

/** Whether all bodies of the start of a scene are inside the canvas. */
function inSight(view, { motion, places, dim }) {
  return places.every((i) => {
    const x = view.px(motion.positions, dim * i), y = view.py(motion.positions, dim * i);
    return x >= 0 && x <= view.width && y >= 0 && y <= view.height;
  });
}

function sameBodies(a, b) {
  return Boolean(a && b) && a.bodies.map((body) => body.name).join() === b.bodies.map((body) => body.name).join();
}
