// A bar between two parts of the page that can be dragged, or moved with the arrow keys.

export class Divider {
  /** Sets `property` of `host` to a percentage; `across` divides left from right, else above from below. */
  constructor(bar, host, { across, property, initial, label }) {
    Object.assign(this, { bar, host, across, property });
    bar.tabIndex = 0;
    bar.setAttribute("role", "separator");
    bar.setAttribute("aria-orientation", across ? "vertical" : "horizontal");
    bar.setAttribute("aria-label", label);
    bar.setAttribute("aria-valuemin", "15");
    bar.setAttribute("aria-valuemax", "85");
    this.set(initial);
    bar.addEventListener("pointerdown", (e) => bar.setPointerCapture(e.pointerId));
    bar.addEventListener("pointermove", (e) => {
      if (!bar.hasPointerCapture(e.pointerId)) return;
      const box = host.getBoundingClientRect();
      this.set(across ? (100 * (e.clientX - box.left)) / box.width : (100 * (e.clientY - box.top)) / box.height);
    });
    bar.addEventListener("keydown", (e) => {
      const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[e.key];
      if (!step) return;
      e.preventDefault();
      e.stopPropagation();
      this.set(this.value + step);
    });
  }

  set(value) {
    this.value = Math.max(15, Math.min(85, value));
    this.host.style.setProperty(this.property, `${this.value}%`);
    this.bar.setAttribute("aria-valuenow", String(Math.round(this.value)));
  }
}
