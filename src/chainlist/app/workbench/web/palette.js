// The palette beside the picture: one button that opens it, and one for each tool.

export class Palette {
  constructor(stage, tools, { choose, toggle }) {
    this.root = document.createElement("div");
    this.root.className = "bench-palette";
    this.root.setAttribute("role", "toolbar");
    this.root.setAttribute("aria-label", "Draw");
    this.root.setAttribute("aria-orientation", "vertical");
    this.main = this.button("Draw", "Draw: add, join, move, delete (E)", "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3", toggle);
    this.buttons = new Map(tools.map((tool) => [tool, this.button(tool.name, `${tool.name} (${tool.key.toUpperCase()}): ${tool.tip}`, tool.icon, () => choose(tool))]));
    this.root.append(this.main, ...this.buttons.values());
    stage.append(this.root);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.show(false, tools[0]);
  }

  button(name, title, path, action) {
    const made = document.createElement("button");
    made.type = "button";
    made.title = title;
    made.setAttribute("aria-label", name);
    made.innerHTML = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
    made.addEventListener("click", action);
    return made;
  }

  show(on, chosen) {
    this.main.setAttribute("aria-pressed", String(on));
    for (const [tool, button] of this.buttons) {
      button.hidden = !on;
      button.setAttribute("aria-pressed", String(on && tool === chosen));
    }
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...this.root.children].filter((button) => !button.hidden), at = all.indexOf(document.activeElement);
    all[(at + step + all.length) % all.length].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
