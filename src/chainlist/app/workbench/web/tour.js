// A tour of six steps for who is here for the first time. It covers nothing that one might press, and Escape ends it.
import { tell } from "/bench/bench.js";

const STEPS = [ // what is shown, where it is on a narrow screen, and the words
  [".bench-editor", "edit", "The text is the truth", "A body is a name, a place and a mass: B1 (0.7,-0.7) 1. C joins two points by a link. Change a number: the motion follows."],
  [".bench-go", "edit", "Run", "Small machines run by themselves while Live is on. Run, or Ctrl+Enter, runs any text, and computes its analyses."],
  [".bench-stage", "watch", "The motion", "Space plays and pauses, the wheel zooms. At the start, bodies can be dragged: the numbers in the text go along. E draws new ones."],
  [".bench-below", "plots", "Plots and numbers", "What .plot asks for, paths, energies, analyses, and a report that says how far the numbers can be trusted."],
  ["[aria-label=Examples]", "edit", "Examples", "More than seventy machines, from a pendulum to walking legs. Each opens as a text that you can change."],
  [".bench-learn-button", "edit", "Learn", "Tutorial, language and every message, to be searched. This tour is in Help."],
];
const SEEN = "chainlist-tour";

export default {
  template: "<span hidden></span>",
  mounted() {
    if (localStorage.getItem(SEEN) === null && !location.hash) this.waiting = setTimeout(() => this.begin(), 800);
    this.keys = (event) => event.key === "Escape" && this.box && this.end();
    addEventListener("keydown", this.keys, true);
    this.place = () => this.box && this.surround();
    addEventListener("resize", this.place);
  },
  beforeUnmount() {
    clearTimeout(this.waiting);
    removeEventListener("keydown", this.keys, true);
    removeEventListener("resize", this.place);
    this.end();
  },
  methods: {
    begin() {
      this.end();
      localStorage.setItem(SEEN, "seen");
      this.box = document.createElement("div");
      this.box.className = "bench-tour";
      this.box.setAttribute("role", "dialog");
      this.box.setAttribute("aria-label", "Tour");
      this.box.innerHTML = '<h2></h2><p aria-live="polite"></p><div><span></span><button type="button">Leave</button><button type="button">Back</button><button type="button" class="bench-tour-next">Next</button></div>';
      const [leave, back, next] = this.box.querySelectorAll("button");
      leave.addEventListener("click", () => this.end());
      back.addEventListener("click", () => this.show(this.at - 1));
      next.addEventListener("click", () => (this.at === STEPS.length - 1 ? this.end() : this.show(this.at + 1)));
      this.ring = document.createElement("div"); // an outline of the thing itself would lie below what is in it
      this.ring.className = "bench-tour-ring";
      document.body.append(this.ring, this.box);
      this.show(0);
      next.focus({ preventScroll: true });
    },
    show(at) {
      this.at = Math.max(0, at);
      const [, pane, title, text] = STEPS[this.at], [, back, next] = this.box.querySelectorAll("button");
      this.box.querySelector("h2").textContent = title;
      this.box.querySelector("p").textContent = text;
      this.box.querySelector("span").textContent = `${this.at + 1} of ${STEPS.length}`;
      back.hidden = this.at === 0;
      next.textContent = this.at === STEPS.length - 1 ? "Done" : "Next";
      tell("pane", pane);
      this.surround();
    },
    /** A ring around what is spoken of: around a button, and inside the edges of a part of the page. */
    surround() {
      const thing = document.querySelector(STEPS[this.at][0]), { left, top, width, height } = thing.getBoundingClientRect();
      const out = thing.matches("button") ? 3 : 0;
      Object.assign(this.ring.style, { left: `${left - out}px`, top: `${top - out}px`, width: `${width + 2 * out}px`, height: `${height + 2 * out}px` });
    },
    end() {
      if (this.box) tell("pane", "edit");
      this.box?.remove();
      this.ring?.remove();
      this.box = null;
    },
  },
};
