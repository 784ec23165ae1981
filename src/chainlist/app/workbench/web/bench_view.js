// The right side of the workbench: the player, and below it plots and report. Python says which run to follow.
import { emptyScene, decodeScene } from "/player/scene.js";
import { Player } from "/player/player.js";
import { followStream, hear, tell } from "/bench/bench.js";
import { Divider } from "/bench/divider.js";
import { Dragging } from "/bench/drag.js";
import { Tabs } from "/bench/tabs.js";

const PATIENCE = 350; // ms: a run that is over sooner is shown at its end, not while it grows

export default {
  template: `<div class="bench-view">
    <div class="bench-stage"></div>
    <div class="bench-chips"><span class="bench-chip" hidden></span></div>
    <div class="bench-divider"></div>
    <div class="bench-below"></div>
  </div>`,
  mounted() {
    const [stage, chips, divider, below] = this.$el.children;
    this.chip = chips.firstElementChild;
    this.handles = [];
    this.run = this.pinned = this.start = null;
    this.mode = "empty"; // "start": the text as it stands; "run": a run, also while it grows
    this.tabs = new Tabs(below, { onSeek: (time) => this.player.seek(time) });
    this.player = new Player(stage, { onTime: (time) => this.tabs.setTime(time) });
    this.player.play = () => (this.mode === "start" ? this.$emit("play") : Player.prototype.play.call(this.player));
    this.dragging = new Dragging(this.player, this);
    this.divider = new Divider(divider, this.$el, { across: false, property: "--stage", initial: 58, label: "Size of the picture" });
    this.stopHearing = hear("handles", (handles) => (this.handles = handles));
    globalThis.chainlistBench = this; // for the curious, and for tests
  },
  beforeUnmount() {
    this.stopHearing();
    this.following?.abort();
    this.tabs.clear();
    this.player.destroy();
  },
  methods: {
    /** The picture of the start, after each change of the text that could be read. */
    async preview(url, show) {
      if (show) this.following?.abort();
      const response = await fetch(url, { cache: "no-store" });
      if (!response.ok) return;
      this.start = decodeScene(await response.arrayBuffer());
      if (this.dragging.active) return;
      if (show || this.mode !== "run") this.showStart();
    },

    showStart() {
      if (!this.start) return;
      if (this.mode === "start" && this.player.scene === this.start) return;
      const keep = this.player.view.changed && sameBodies(this.player.scene, this.start) && inSight(this.player.view, this.start);
      this.mode = "start";
      this.player.pause();
      this.player.load(this.start, { keepView: keep });
      this.tabs.dim(Boolean(this.run));
      this.say("start: drag bodies to arrange them");
    },

    atStart() {
      return this.mode === "start" || (this.mode === "run" && !this.player.playing && this.player.time <= this.player.start);
    },

    arrange() {
      this.player.pause();
      this.showStart();
      this.player.canvas.focus();
    },

    /** A drag is over. The next run is shown whole, unless the user had zoomed in before. */
    dropped(wasFitted) {
      this.fitNext ||= wasFitted;
      tell("drop", null);
      if (this.late) this.finished(this.late, "start");
      this.late = null;
    },

    /** Watch a run: frames as they come, then the whole. `live` runs replace one another without a restart. */
    async follow(url, live) {
      this.following?.abort();
      const own = (this.following = new AbortController());
      const begin = performance.now();
      let head = null, waiting = [], growing = false;
      const grow = () => {
        growing = true;
        this.begin(head);
        for (const chunk of waiting) this.grow(chunk, head);
        waiting = [];
      };
      const take = (message, bytes) => {
        if (own.signal.aborted) return;
        if (message.kind === "begin") head = message;
        else if (message.kind === "chunk" && !live) {
          if (growing) this.grow(bytes, head);
          else waiting.push(bytes);
          if (!growing && performance.now() - begin > PATIENCE && !this.dragging.active) grow();
        } else if (message.kind === "scene") this.arrived(message, bytes, growing ? "grown" : live ? "live" : "start");
        else if (message.kind === "failed") this.failed();
      };
      try {
        await followStream(url, take, own.signal);
      } catch (error) {
        if (!own.signal.aborted) this.say(`The run could not be followed: ${error.message}`);
      }
    },

    begin(head) {
      this.mode = "run";
      this.player.load(emptyScene(head));
      this.tabs.dim(Boolean(this.run));
      this.player.play();
      this.say("computing");
    },

    /** A chunk: its number of frames, then times (f8), positions and velocities (f4). */
    grow(bytes, head) {
      const frames = new DataView(bytes).getUint32(0, true), width = head.dim * head.bodies.length;
      const t = new Float64Array(bytes, 8, frames), q = new Float32Array(bytes, 8 + 8 * frames, frames * width);
      const v = new Float32Array(bytes, 8 + 8 * frames + 4 * frames * width, frames * width);
      this.player.append(t, q, v);
    },

    arrived(message, bytes, how) {
      const run = { ...message, scene: decodeScene(bytes) };
      if (this.dragging.active) this.late = run;
      else this.finished(run, how);
    },

    finished(run, how) {
      const before = this.mode === "run" ? this.player : null;
      const keep = how !== "start" && before && sameBodies(before.scene, run.scene);
      const { time, playing } = this.player;
      this.run = run;
      this.mode = "run";
      this.player.load(run.scene, { keepView: keep && this.player.view.changed && !this.fitNext, keepShows: keep });
      this.fitNext = false;
      this.player.finish();
      if (keep) this.player.seek(how === "grown" && !playing ? time : Math.min(time, this.player.stop));
      if (!keep || playing) this.player.play();
      this.tabs.dim(false);
      this.tabs.show(run, this.pinned);
      this.say(run.status.ok ? "" : run.status.message, !run.status.ok);
    },

    failed() {
      this.player.finish();
      this.say("");
      if (!this.player.scene?.motion.count) this.showStart();
    },

    /** Keep this run in grey behind the next ones; again, and it is let go. Returns whether one is pinned now. */
    pin(on) {
      this.pinned = on ? this.run : null;
      this.player.pin(this.pinned?.scene ?? null);
      if (this.run) this.tabs.show(this.run, this.pinned);
      return Boolean(this.pinned);
    },

    say(text, bad = false) {
      this.chip.textContent = text;
      this.chip.hidden = !text;
      this.chip.classList.toggle("bad", bad);
    },

    key(event) { return this.player.key(event); },
  },
};

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
