// Two small boxes over the picture: the card of what is selected, to be edited in place, and the menu of a right click.

/** A box at a place of the stage that closes with Escape, or when the focus leaves it. */
export class Box {
  constructor(stage, label, role) {
    this.root = document.createElement("div");
    this.root.className = "bench-box";
    this.root.hidden = true;
    this.root.setAttribute("role", role);
    this.root.setAttribute("aria-label", label);
    this.stage = stage;
    stage.append(this.root);
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close(true);
      event.stopPropagation();
    });
    this.root.addEventListener("focusout", (event) => !this.root.contains(event.relatedTarget) && this.close(false));
  }

  open(clientX, clientY, ...parts) {
    const box = this.stage.getBoundingClientRect();
    this.root.replaceChildren(...parts);
    this.root.hidden = false;
    const left = Math.max(4, Math.min(clientX - box.left + 12, box.width - this.root.offsetWidth - 8));
    const top = Math.max(4, Math.min(clientY - box.top + 12, box.height - this.root.offsetHeight - 8));
    this.root.style.translate = `${left}px ${top}px`;
    this.root.querySelector("input, button")?.focus();
  }

  close(refocus) {
    if (this.root.hidden) return;
    this.root.hidden = true;
    if (refocus) this.refocus();
  }

  refocus() { this.stage.querySelector("canvas[tabindex]").focus(); }
}

export function button(text, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", action);
  return made;
}

export class Properties extends Box {
  constructor(stage) { super(stage, "Properties", "dialog"); }

  /** Edit the card of an element: `write(text)` is called with Enter; actions are [[name, action]]. */
  show(clientX, clientY, card, write, actions) {
    const field = document.createElement("input");
    field.value = card;
    field.spellcheck = false;
    field.setAttribute("aria-label", "Card");
    field.size = Math.max(16, Math.min(40, card.length + 4));
    const done = () => {
      this.close(true);
      if (field.value.trim() && field.value !== card) write(field.value);
    };
    field.addEventListener("keydown", (event) => event.key === "Enter" && done());
    const buttons = actions.map(([name, action]) => button(name, () => { this.close(true); action(); }));
    this.open(clientX, clientY, field, button("Write", done), ...buttons);
  }
}

export class Menu extends Box {
  constructor(stage) {
    super(stage, "Menu of the picture", "menu");
    this.root.classList.add("bench-menu");
  }

  show(clientX, clientY, actions) {
    const entries = actions.map(([name, action]) => {
      const entry = button(name, () => { this.close(true); action(); });
      entry.setAttribute("role", "menuitem");
      return entry;
    });
    this.open(clientX, clientY, ...entries);
    this.root.onkeydown = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], at = entries.indexOf(document.activeElement);
      if (step) entries[(at + step + entries.length) % entries.length].focus();
      if (step) event.preventDefault();
    };
  }
}
