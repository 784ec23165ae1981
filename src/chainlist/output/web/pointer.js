// How a plot is handled. A drag moves in time; with Shift it draws a box to look at; a click with Alt, or M, sets a mark
// to measure from, and Escape takes it away; with Ctrl, or the middle button, it moves what is seen; a double click shows
// everything. By keyboard the arrows move in time, with Alt what is seen.

const STEPS = 200; // of the arrow keys across a plot
const PAN = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, PAN_STEP = 24; // CSS pixels

export function addPlotPointer(plot) {
  const canvas = plot.upper;
  let dragging = false, grip = null;
  canvas.addEventListener("pointerdown", (e) => {
    if (e.button > 1) return;
    canvas.setPointerCapture(e.pointerId);
    if (e.button === 1 || e.ctrlKey || e.metaKey) grip = plot.pointer(e);
    else if (e.shiftKey) plot.box = [...plot.pointer(e), ...plot.pointer(e)];
    else if (e.altKey) plot.setMark(plot.timeAt(plot.pointer(e)));
    else {
      dragging = true;
      plot.seekTo(e);
    }
  });
  canvas.addEventListener("pointermove", (e) => {
    if (dragging) plot.seekTo(e);
    if (grip) plot.pan(plot.pointer(e).map((at, c) => at - grip[c]));
    if (grip) grip = plot.pointer(e);
    if (plot.box) plot.box.splice(2, 2, ...plot.pointer(e));
    if (plot.box) plot.drawCursor();
    if (plot.box) plot.tip.hidden = true;
    else plot.tell(e);
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, () => {
      dragging = false;
      grip = null;
      const { box } = plot;
      plot.box = null;
      if (box) plot.lookInto(box);
    });
  canvas.addEventListener("pointerleave", () => (plot.tip.hidden = true));
  canvas.addEventListener("dblclick", () => plot.showAll());
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.shiftKey) return; // an ordinary wheel scrolls the page
    e.preventDefault();
    plot.zoom(Math.exp((e.deltaY || e.deltaX) * 0.002), plot.pointer(e));
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const by = e.altKey && PAN[e.key];
    const action = by ? () => plot.pan(by.map((step) => step * PAN_STEP * plot.ratio)) : {
      ArrowLeft: () => plot.moveInTime(-1 / STEPS), ArrowRight: () => plot.moveInTime(1 / STEPS),
      m: () => plot.setMark(plot.time), Escape: () => plot.setMark(NaN), 0: () => plot.showAll(),
    }[e.key];
    if (!action || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    action();
  });
}
