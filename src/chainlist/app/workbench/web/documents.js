// Several texts as tabs above the editor: each has its own text, undo and unsaved mark. The server knows the one that is shown.
import * as CM from "nicegui-codemirror";
import { arrange, hear, tell } from "/bench/bench.js";
import { keepAbout, keptAbout, keptOthers, keepOthers } from "/bench/kept.js";

const BLANK = "Untitled\n\n.tran 0 10 1E-3\n";

export class Documents {
  /** `base` is the state of the editor before anything was written; `shown(document)` is told which one is in the editor now. */
  constructor(view, base, host, shown) {
    Object.assign(this, { view, base, shown });
    this.bar = document.createElement("div");
    this.bar.className = "bench-documents";
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Open texts");
    this.adding = control("bench-document-new", () => this.add());
    name(this.adding, "+", "New tab");
    this.entries = new WeakMap(); // the controls of each text, which stay the same ones
    host.prepend(this.bar);
    const { at = 0, others = [] } = keptOthers();
    this.last = 0; // number of a text; what the server says of one may come when another is shown
    this.all = others.map((other) => ({ ...other, number: ++this.last, state: this.stateOf(other.text) }));
    this.all.splice(at, 0, { name: "", unsaved: false, number: 0 });
    this.at = Math.min(at, this.all.length - 1);
    this.deaf = hear("document", ({ number, name, unsaved }) => {
      Object.assign(this.of(number), { name, unsaved });
      this.paint();
    });
    this.paint();
  }

  stop() {
    this.deaf();
    this.bar.remove();
  }

  /** The text of a number; an empty one where it has been closed. */
  of(number) { return this.all.find((one) => one.number === number) ?? {}; }

  remember(number, facts) {
    if (this.all[this.at].number === number) keepAbout(facts);
    else Object.assign(this.of(number), facts);
  }

  get unsaved() { return this.all.some((one) => one.unsaved); }

  stateOf(text) {
    return this.base.update({ changes: { from: 0, to: this.base.doc.length, insert: text }, annotations: CM.Transaction.addToHistory.of(false), filter: false }).state;
  }

  /** Put the text that is shown aside, with all that belongs to it. */
  setAside() {
    const { file = "", stamp = "" } = keptAbout();
    Object.assign(this.all[this.at], { state: this.view.state, text: this.view.state.doc.toString(), file, stamp });
  }

  open(at) {
    if (at === this.at) return this.view.focus();
    this.setAside();
    this.showAt(at);
  }

  add() {
    this.setAside();
    this.all.push({ name: "Untitled", unsaved: false, number: ++this.last, file: "", stamp: "new", text: BLANK, state: this.stateOf(BLANK) });
    this.showAt(this.all.length - 1);
  }

  close(at) {
    if (this.all[at].unsaved && !confirm(`${this.all[at].name} is not saved. Close it all the same?`)) return;
    if (at !== this.at) this.setAside();
    this.all.splice(at, 1);
    if (at === this.at) return this.showAt(Math.min(at, this.all.length - 1));
    if (at < this.at) this.at -= 1;
    this.paint();
  }

  showAt(at) {
    const one = this.all[(this.at = at)];
    this.view.setState(one.state);
    keepAbout({ file: one.file, stamp: one.stamp });
    this.paint();
    this.shown(one);
    this.view.focus();
  }

  paint() {
    keepOthers({ at: this.at, others: this.all.filter((_, i) => i !== this.at).map(({ name, unsaved, file, stamp, text }) => ({ name, unsaved, file, stamp, text })) });
    tell("anyUnsaved", this.unsaved);
    const several = this.all.length > 1;
    this.bar.classList.toggle("bench-alone", !several);
    arrange(this.bar, [...(several ? this.all.flatMap((one) => this.entry(one)) : []), this.adding]);
    this.bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** The controls of a text: one that shows it, one that closes it. */
  entry(one) {
    if (!this.entries.has(one)) {
      const at = () => this.all.indexOf(one);
      this.entries.set(one, [control("bench-document", () => this.open(at())), control("", () => this.close(at()))]);
    }
    const [tab, close] = this.entries.get(one), title = one.name || "Untitled";
    name(tab, one.unsaved ? `${title} \u25cf` : title);
    name(close, "\u2715", `Close ${title}`);
    if (one === this.all[this.at]) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
    return [tab, close];
  }
}

function control(kind, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = kind;
  button.addEventListener("click", action);
  return button;
}

/** What a control shows, and what it is called where that says too little. */
function name(button, text, label = "") {
  if (button.textContent !== text) button.textContent = text;
  if (label) button.title = label;
  if (label) button.setAttribute("aria-label", label);
}
