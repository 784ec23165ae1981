// Several texts as tabs above the editor: each has its own text, undo and unsaved mark. The server knows the one that is shown.
import * as CM from "nicegui-codemirror";
import { hear, tell } from "/bench/bench.js";
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
    const add = control("+", "New tab", () => this.add());
    add.className = "bench-document-new";
    this.bar.replaceChildren(...(several ? this.all.flatMap((one, i) => this.entry(one, i)) : []), add);
    this.bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  entry({ name, unsaved }, at) {
    const tab = control(`${name || "Untitled"}${unsaved ? " \u25cf" : ""}`, "", () => this.open(at));
    tab.className = "bench-document";
    if (at === this.at) tab.setAttribute("aria-current", "true");
    return [tab, control("\u2715", `Close ${name || "Untitled"}`, () => this.close(at))];
  }
}

function control(text, label, action) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (label) button.title = label;
  if (label) button.setAttribute("aria-label", label);
  button.addEventListener("click", action);
  return button;
}
