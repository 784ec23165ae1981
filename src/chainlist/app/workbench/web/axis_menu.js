// The menu of an axis: what could be there, to be searched; any other item can be written.
import { tell } from "/bench/bench.js";
import { halves, same } from "/bench/axes_text.js";
import { Box, button } from "/bench/draw_menu.js";

const MOST = 60; // items that are listed at once

export class AxisMenu extends Box {
  constructor(stage) {
    super(stage, "Choose an axis", "dialog");
    this.root.classList.add("bench-axis-menu");
    this.root.addEventListener("keydown", (event) => this.step(event));
  }

  /** `plot` has its title and its items in the text, `which` is "up" or "across"; `opener` is the button that was pressed. */
  show(plot, which, items, opener) {
    const box = opener.getBoundingClientRect(), parts = plot.items.map(({ text }) => halves(text));
    Object.assign(this, { plot, which, items, opener, chosen: parts.map((part) => part[which]) });
    this.field = document.createElement("input");
    this.field.type = "search";
    this.field.placeholder = "search, or write an item";
    this.field.setAttribute("aria-label", which === "up" ? "Items up" : "Item across");
    this.field.addEventListener("input", () => this.fill());
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.enter());
    this.list = document.createElement("div");
    this.list.className = "bench-axis-items";
    this.fill();
    this.open(box.left - 12, box.top + box.height - 8, this.field, this.list);
  }

  has(item) { return this.chosen.some((one) => same(one, item)); }

  fill() {
    const words = this.field.value.trim().toLowerCase(), all = [...new Set([...this.chosen, ...this.items])];
    const found = all.filter((item) => item.toLowerCase().includes(words)).slice(0, MOST);
    this.found = found;
    this.list.replaceChildren(...found.map((item) => {
      const entry = button(item, () => this.take(item));
      entry.setAttribute("aria-pressed", String(this.has(item)));
      return entry;
    }));
  }

  enter() {
    const written = this.field.value.trim();
    if (written) this.take(this.found.find((item) => same(item, written)) ?? (this.found.length === 1 ? this.found[0] : written));
  }

  take(item) {
    this.close(true);
    const { title } = this.plot;
    if (this.which === "up") tell("axes", { title, up: item });
    else if (!this.has(item)) tell("axes", { title, across: item });
  }

  refocus() { this.opener.focus(); }

  step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], stops = [this.field, ...this.list.children];
    if (!by) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(document.activeElement) + by))].focus();
  }
}
