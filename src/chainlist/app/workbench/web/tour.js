// A tour of six steps for who is here for the first time. It covers nothing that one might press, and Escape ends it.

const STEPS = [
  [".bench-editor", "The text is the truth", "A body is a name, a place and a mass: B1 (0.7,-0.7) 1. C joins two points by a link. Change a number: the motion follows."],
  [".bench-go", "Run", "Small machines run by themselves while Live is on. Run, or Ctrl+Enter, runs any text, and computes its analyses."],
  [".bench-stage", "The motion", "Space plays and pauses, the wheel zooms. At the start, bodies can be dragged: the numbers in the text go along. E draws new ones."],
  [".bench-below", "Plots and numbers", "What .plot asks for, paths, energies, analyses, and a report that says how far the numbers can be trusted."],
  ["[aria-label=Examples]", "Examples", "More than seventy machines, from a pendulum to walking legs. Each opens as a text that you can change."],
  [".bench-learn-button", "Learn", "Tutorial, language and every message, to be searched. This tour is in Help."],
];
const SEEN = "chainlist-tour";

export default {
  template: "<span hidden></span>",
  mounted() {
    if (localStorage.getItem(SEEN) === null && !location.hash) this.waiting = setTimeout(() => this.begin(), 800);
    this.keys = (event) => event.key === "Escape" && this.box && this.end();
    addEventListener("keydown", this.keys, true);
  },
  beforeUnmount() {
    clearTimeout(this.waiting);
    removeEventListener("keydown", this.keys, true);
    this.box?.remove();
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
      document.body.append(this.box);
      this.show(0);
      next.focus({ preventScroll: true });
    },
    show(at) {
      this.at = Math.max(0, at);
      const [selector, title, text] = STEPS[this.at], [, back, next] = this.box.querySelectorAll("button");
      this.box.querySelector("h2").textContent = title;
      this.box.querySelector("p").textContent = text;
      this.box.querySelector("span").textContent = `${this.at + 1} of ${STEPS.length}`;
      back.hidden = this.at === 0;
      next.textContent = this.at === STEPS.length - 1 ? "Done" : "Next";
      this.mark(document.querySelector(selector));
    },
    mark(element) {
      document.querySelector(".bench-toured")?.classList.remove("bench-toured");
      element?.classList.add("bench-toured");
    },
    end() {
      this.mark(null);
      this.box?.remove();
      this.box = null;
    },
  },
};
